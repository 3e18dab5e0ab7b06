"""The printed scripts run with stand-ins for their packages: the file has what the model gives each token.

The script for transformers was tried with the package itself (docs/language-model.md), the others never.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import types

import numpy as np
import pytest
from model_server import PIECES, log_probabilities, tokenize

from explorer.neural.records import read_scored
from explorer.neural.scripts import SCRIPTS

BEGIN = 7
TEXTS = ("the cat sat on the mat, 𝛿é on the mat", "a dog", "")


def rows_of(ids):
    """Row by row, what the model gives the token after each; logits are not normalized."""
    return np.array([log_probabilities(ids[: at + 1]) for at in range(len(ids))]) + 3.0


class Tokenizer:
    """A fast tokenizer of transformers."""

    add_bos_token = False
    bos_token_id = BEGIN

    @classmethod
    def from_pretrained(cls, folder, local_files_only, use_fast):
        assert local_files_only and use_fast
        return cls()

    def __call__(self, text, add_special_tokens, return_offsets_mapping):
        assert not add_special_tokens and return_offsets_mapping
        ids, places, at = tokenize(text), [], 0
        for token in ids:
            # Of a cut character, each of its tokens has all of it.
            begin = len(text.encode()[:at].decode("utf-8", "ignore"))
            at += len(PIECES[token])
            whole = text.encode()[:at].decode("utf-8", "ignore")
            places.append((begin, len(whole) + (len(whole.encode()) < at)))
        return {"input_ids": ids, "offset_mapping": places}


class Array(np.ndarray):
    """A tensor."""

    def float(self):
        return self


class Model:
    """A model of transformers."""

    @classmethod
    def from_pretrained(cls, folder, local_files_only):
        assert local_files_only
        return cls()

    def eval(self):
        return self

    def __call__(self, batch):
        return types.SimpleNamespace(logits=[rows_of(batch[0]).view(Array)])


class Llama:
    """The class of llama-cpp-python."""

    begins = False

    def __init__(self, model_path, n_ctx, logits_all, verbose):
        assert logits_all and not verbose
        self.scores = np.zeros((n_ctx, len(PIECES)), dtype=np.float32)
        self.n_tokens = 0

    def token_bos(self):
        return BEGIN

    def tokenize(self, data, add_bos, special):
        assert not special
        return [BEGIN] * (add_bos and self.begins) + tokenize(data.decode())

    def detokenize(self, ids):
        return b"".join(PIECES[token] for token in ids)

    def reset(self):
        self.n_tokens = 0

    def eval(self, ids):
        assert self.n_tokens == 0
        self.scores[: len(ids)] = rows_of(ids)
        self.n_tokens = len(ids)


class Vllm:
    """The class LLM of vLLM."""

    def __init__(self, model, max_model_len):
        assert os.environ["VLLM_NO_USAGE_STATS"] == "1"
        self.most = max_model_len

    def generate(self, prompts, params):
        assert params == {"max_tokens": 1, "temperature": 0, "prompt_logprobs": 0}
        for prompt in prompts:
            ids = prompt["prompt_token_ids"]
            assert len(ids) < self.most
            rows = rows_of(ids) - 3.0
            told = [{ids[at]: types.SimpleNamespace(logprob=rows[at - 1, ids[at]])} for at in range(1, len(ids))]
            yield types.SimpleNamespace(prompt_logprobs=[None, *told])


def _log_softmax(logits, dim):
    return np.asarray(logits) - np.log(np.exp(logits).sum(axis=dim, keepdims=True))


MODULES = {
    "torch": {"no_grad": contextlib.nullcontext, "tensor": list, "log_softmax": _log_softmax},
    "transformers": {"AutoModelForCausalLM": Model, "AutoTokenizer": Tokenizer},
    "llama_cpp": {"Llama": Llama},
    "vllm": {"LLM": Vllm, "SamplingParams": dict},
}


@pytest.fixture
def script(monkeypatch):
    """Gives the names of a script that runs with the stand-ins."""
    for name in ("HF_HUB_OFFLINE", "VLLM_NO_USAGE_STATS", "DO_NOT_TRACK"):
        monkeypatch.setenv(name, "")
    for name, members in MODULES.items():
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)

    def run(package):
        names = {"__name__": "script"}
        exec(compile(SCRIPTS[package], "score.py", "exec"), names)
        return names

    return run


@pytest.mark.parametrize("begins", [False, True])
@pytest.mark.parametrize("package", list(SCRIPTS))
def test_the_file_has_what_the_model_gives_each_token(script, tmp_path, monkeypatch, package, begins):
    monkeypatch.setattr(Tokenizer, "add_bos_token", begins)
    monkeypatch.setattr(Llama, "begins", begins)
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    names = script(package)
    names["WINDOW"] = 8
    names["main"]("toy", str(tmp_path / "texts.jsonl"), str(tmp_path / "out.jsonl"))
    found = read_scored(tmp_path / "out.jsonl")
    assert [text.text for text in found] == list(TEXTS)
    for text in found:
        ids = tokenize(text.text)
        # The model looks at two tokens, and windows leave more.
        before = [BEGIN] if begins else []
        wanted = [log_probabilities([*before, *ids[:at]])[ids[at]] for at in range(len(ids))]
        if not begins:
            wanted[:1] = [None] * len(wanted[:1])
        assert [token.id for token in text.tokens] == ids
        assert [token.logprob for token in text.tokens] == pytest.approx(wanted, abs=1e-5)
        # Each token begins where the one before it ends, and together they are the text.
        assert "".join(text.text[token.start : token.end] for token in text.tokens) == text.text


@pytest.mark.parametrize("package", list(SCRIPTS))
def test_windows_score_every_token_once(script, package):
    windows = script(package)["windows"]
    for count in (1, 2, 1023, 1024, 1025, 1535, 1536, 1537, 5000):
        scored = [at for _, begin, end in windows(count) for at in range(begin, end)]
        assert scored == list(range(1, count))
        assert all(end - first <= 1024 and (not first or begin - first >= 512) for first, begin, end in windows(count))


def test_a_space_before_the_text_is_not_a_part_of_it(script):
    places_of = script("llama-cpp-python")["places_of"]
    assert places_of("a é", [b" a", b" \xc3", b"\xa9"]) == [(0, 1), (1, 3), (3, 3)]
    with pytest.raises(SystemExit, match="do not spell"):
        places_of("a", [b"b"])
