"""Completions: prompts, settings, log probabilities that equal the program's own, and what is refused."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

from explorer import open_index
from explorer.cli.main import main
from explorer.http.wire.completions import CompletionError, read_completion_request
from explorer.serve.completions.completions import complete, events, stream
from explorer.serve.completions.language_models import OFFERED, LanguageModels

HELD_OUT = "the dog sat on the rug, and the cat saw the dog on the mat."


@pytest.fixture(scope="module")
def models(small_index, byte_index):
    small, raw = open_index(small_index), open_index(byte_index)
    yield LanguageModels({"small": small, "raw": raw}, 7)
    small.close()
    raw.close()


@pytest.fixture
def ask(models):
    def ask(prompt, model="raw", **asked):
        return complete(models, read_completion_request({"model": model, "prompt": prompt, **asked}))

    return ask


def test_models(models):
    ids = [each["id"] for each in models.listed()["data"]]
    assert ids[:2] == ["small", "raw"] and "raw:witten-bell" in ids and "raw:backoff" not in ids
    assert models.described("raw:laplace") == {
        "id": "raw:laplace",
        "object": "model",
        "created": 7,
        "owned_by": "corpus-explorer",
    }
    assert models.get("raw") is models.get("raw")
    for name, status in (("other", 404), ("raw:other", 404), ("raw:backoff", 400)):
        with pytest.raises(CompletionError) as found:
            models.get(name)
        assert found.value.status == status


def test_the_form_of_an_answer(ask):
    found = ask("the cat sat", max_tokens=5, temperature=0)
    choice = found["choices"][0]
    assert found["id"].startswith("cmpl-") and found["object"] == "text_completion" and found["model"] == "raw"
    assert found["usage"] == {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
    assert choice["text"] == " on t" and choice["finish_reason"] == "length" and choice["logprobs"] is None
    assert json.dumps(found, allow_nan=False)


def test_a_text_is_the_one_that_generate_writes(models, ask):
    corpus = models.get("raw").corpus
    for seed in range(5):
        own = corpus.model("learned").generate("the ", max_tokens=40, temperature=0.9, top_p=0.8, seed=seed)
        found = ask("the ", max_tokens=40, temperature=0.9, top_p=0.8, seed=seed)
        assert found["choices"][0]["text"] == own.text
        for each, source in zip(own.record("").tokens, found["choices"][0]["explorer"]["written"], strict=True):
            assert (each.token, each.document, each.offset) == (source["token"], source["document"], source["offset"])
            assert each.levels[0].m == source["prompt_cnt"] and each.levels[0].n == source["suffix_len"]


def test_choices_have_seeds_in_order(ask):
    both = ask(["the ", "a dog"], max_tokens=12, n=2, seed=3)["choices"]
    assert [each["index"] for each in both] == [0, 1, 2, 3]
    assert both[1]["text"] == ask("the ", max_tokens=12, seed=4)["choices"][0]["text"]
    assert both[2]["text"] == ask("a dog", max_tokens=12, seed=3)["choices"][0]["text"]


def test_ids_are_prompts(models, ask):
    ids = models.get("small").corpus.encode("the cat sat on").tolist()
    texts = [
        ask(prompt, model="small", max_tokens=4, temperature=0, echo=True)["choices"]
        for prompt in ("the cat sat on", ids, ["the cat sat on"], [ids])
    ]
    assert len({json.dumps(each) for each in texts}) == 1
    assert texts[0][0]["text"].startswith("the cat sat on the")


@pytest.mark.parametrize("name", ["small", "raw"])
@pytest.mark.parametrize("method", ["learned", "witten-bell", "laplace", "levels", "discount"])
def test_perplexity_is_the_programs_own(ask, small_index, byte_index, tmp_path, capsys, name, method):
    path = tmp_path / "held-out.txt"
    path.write_text(HELD_OUT, encoding="utf-8")
    folder = {"small": small_index, "raw": byte_index}[name]
    assert main(["perplexity", str(folder), str(path), "--method", method, "--json"]) == 0
    own = json.loads(capsys.readouterr().out)
    logs = ask(HELD_OUT, f"{name}:{method}", max_tokens=0, echo=True, logprobs=1)["choices"][0]["logprobs"]
    scored = logs["token_logprobs"]
    assert scored[0] is None and len(scored) == own["token_count"] + 1
    assert math.exp(-sum(scored[1:]) / len(scored[1:])) == pytest.approx(own["perplexity"], rel=1e-6)


def test_every_token_of_the_tokenizer_has_a_probability(models, ask):
    """With all tokens nothing is zero, and the numbers are those of `--vocabulary all`."""
    corpus, text = models.get("small").corpus, "the Zürich cat 5 €"
    for method in ("learned", "witten-bell", "discount"):
        choice = ask(text, f"small:{method}:all", max_tokens=0, echo=True, logprobs=1)["choices"][0]
        logs = choice["logprobs"]["token_logprobs"][1:]
        own = corpus.model(method, vocabulary="all").perplexity([text]).perplexity
        assert math.exp(-sum(logs) / len(logs)) == pytest.approx(own, rel=1e-6)
        assert not any(each["zero"] for each in choice["explorer"]["prompt"])


def test_the_most_probable_token_has_one_number(ask):
    """Harnesses ask whether a token is the most probable one by comparing floats."""
    logs = ask(HELD_OUT, max_tokens=0, echo=True, logprobs=1)["choices"][0]["logprobs"]
    columns = zip(logs["tokens"][1:], logs["token_logprobs"][1:], logs["top_logprobs"][1:], strict=True)
    assert all(top[token] == log for token, log, top in columns)


@pytest.mark.parametrize("method", OFFERED)
def test_every_log_probability_is_finite(ask, method):
    # Z, ü and € are not in the index.
    found = ask("the Zürich cat 5 €", f"raw:{method}", max_tokens=3, temperature=0, echo=True, logprobs=2, seed=1)
    choice = found["choices"][0]
    logs = choice["logprobs"]
    assert logs["token_logprobs"][0] is None and logs["top_logprobs"][0] is None
    assert all(math.isfinite(each) and each <= 1e-12 for each in logs["token_logprobs"][1:])
    tops = [each for top in logs["top_logprobs"][1:] for each in top.values()]
    assert all(math.isfinite(each) for each in tops)
    assert json.dumps(found, allow_nan=False)
    # What the method itself makes impossible is named.
    zeros = [each["zero"] for each in choice["explorer"]["prompt"]]
    assert any(zeros) == (method not in {"laplace"})


def test_echo_covers_the_text(ask, models):
    for name, prompt in (("raw", "naïve café, 日本語"), ("small", "naïve café, 日本語 the cat")):
        choice = ask(prompt, name, max_tokens=6, temperature=0, echo=True, logprobs=5)["choices"][0]
        logs = choice["logprobs"]
        assert choice["text"].startswith(prompt)
        # At least the token that comes, and the most probable ones.
        columns = (logs[key][1:] for key in ("tokens", "token_logprobs", "top_logprobs"))
        for token, log, top in zip(*columns, strict=True):
            assert top[token] == pytest.approx(log, abs=1e-9) and len(top) <= 6
            assert list(top.values())[:-1] == sorted(list(top.values())[:-1], reverse=True)
        for token, begin in zip(logs["tokens"], logs["text_offset"], strict=True):
            if not token.startswith("bytes:"):
                assert choice["text"][begin : begin + len(token)] == token
    assert "bytes:\\xc3" in ask("é", max_tokens=0, echo=True, logprobs=0)["choices"][0]["logprobs"]["tokens"]
    empty = ask("", max_tokens=2, temperature=0, echo=True, logprobs=1)["choices"][0]["logprobs"]
    assert empty["token_logprobs"][0] < 0


def test_the_written_token_is_there_for_who_cuts_it_off(ask, models):
    """lm-evaluation-harness asks for one token, and ignores the last one."""
    corpus = models.get("raw").corpus
    text = corpus.documents[0].text
    found = ask(text, max_tokens=1, temperature=0, echo=True, logprobs=1)["choices"][0]["logprobs"]
    assert len(found["tokens"]) == len(text.encode()) + 1


def test_stops(ask):
    base = ask("the cat sat", max_tokens=12, temperature=0)["choices"][0]["text"]
    assert base == " on the mat."
    for stop in ("the", "mat", "e m", [".", "zzz"], ["mat.", "the mat"]):
        choice = ask("the cat sat", max_tokens=12, temperature=0, stop=stop, logprobs=1)["choices"][0]
        stops = [stop] if isinstance(stop, str) else stop
        cut = min(base.index(each) for each in stops if each in base)
        assert (choice["text"], choice["finish_reason"]) == (base[:cut], "stop")
        assert "".join(choice["logprobs"]["tokens"]) == base[:cut]
    # The beginning of a stop that does not follow is a part of the text.
    assert ask("the cat sat", max_tokens=12, temperature=0, stop="mat.!")["choices"][0]["text"] == base


@pytest.mark.parametrize("stop", [None, "the mat", "mat.!"])
@pytest.mark.parametrize("echo", [False, True])
def test_a_stream_has_the_same_text(models, stop, echo):
    asked = {"model": "raw", "prompt": ["the cat sat", "é"], "max_tokens": 12, "temperature": 0, "n": 2, "logprobs": 2}
    body = {**asked, "stop": stop, "echo": echo, "seed": 1}
    whole = complete(models, read_completion_request(body))
    request = read_completion_request({**body, "stream": True, "stream_options": {"include_usage": True}})
    lines = list(events(stream(models, request)))
    assert lines[-1] == "data: [DONE]\n\n"
    parts = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    assert parts[-1]["choices"] == [] and parts[-1]["usage"] == whole["usage"]
    for number, choice in enumerate(whole["choices"]):
        mine = [each for part in parts[:-1] for each in part["choices"] if each["index"] == number]
        assert "".join(each["text"] for each in mine) == choice["text"]
        assert [each["finish_reason"] for each in mine if each["finish_reason"]] == [choice["finish_reason"]]
        for key in ("tokens", "token_logprobs", "text_offset"):
            assert list(itertools.chain(*(each["logprobs"][key] for each in mine))) == choice["logprobs"][key]


def test_a_document_ends(models, ask):
    """The end of a document ends a text before its length is reached."""
    text = models.get("raw").corpus.documents[0].text
    found = ask(text[-30:], "raw:infgram", max_tokens=200, seed=1)["choices"][0]
    assert found["finish_reason"] == "stop"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"best_of": 3}, "unsupported_parameter"),
        ({"suffix": "x"}, "unsupported_parameter"),
        ({"logit_bias": {"5": 1}}, "unsupported_parameter"),
        ({"presence_penalty": 0.5}, "unsupported_parameter"),
        ({"frequency_penalty": True}, "unsupported_parameter"),
        ({"top_k": 5}, "unsupported_parameter"),
        ({"stream_options": {"other": 1}}, "unsupported_parameter"),
        ({"max_tokens": -1}, "invalid_value"),
        ({"max_tokens": "5"}, "invalid_value"),
        ({"max_tokens": 10**30}, "invalid_value"),
        ({"temperature": 2.1}, "invalid_value"),
        ({"temperature": float("nan")}, "invalid_value"),
        ({"top_p": 0}, "invalid_value"),
        ({"n": 9}, "invalid_value"),
        ({"n": True}, "invalid_value"),
        ({"logprobs": 6}, "invalid_value"),
        ({"logprobs": True}, "invalid_value"),
        ({"stop": ["a"] * 5}, "invalid_value"),
        ({"stop": [""]}, "invalid_value"),
        ({"stop": {"a": 1}}, "invalid_value"),
        ({"echo": 1}, "invalid_value"),
        ({"prompt": []}, "invalid_value"),
        ({"prompt": [[]]}, "invalid_value"),
        ({"prompt": ["a", 1]}, "invalid_value"),
        ({"prompt": [1.5]}, "invalid_value"),
        ({"prompt": [256]}, "invalid_value"),
        ({"prompt": [2**63]}, "invalid_value"),
        ({"prompt": [-1]}, "invalid_value"),
        ({"prompt": None}, "invalid_value"),
        ({"model": 5}, "invalid_value"),
        ({"model": "raw:none"}, "model_not_found"),
    ],
)
def test_refused(ask, asked, code):
    with pytest.raises(CompletionError) as found:
        ask(**{"prompt": "the", **asked})
    assert found.value.code == code and str(found.value)


def test_what_asks_for_nothing_is_accepted(ask):
    neutral = {"suffix": "", "logit_bias": {}, "presence_penalty": 0, "frequency_penalty": 0.0, "user": "me"}
    assert ask("the cat", max_tokens=1.0, **neutral, best_of=1, stop=None, n=None)["choices"]
    negative, same = (ask("the cat", max_tokens=1, seed=seed) for seed in (-5, 2**63 - 5))
    assert negative["choices"] == same["choices"]


def test_random_requests_never_fail_otherwise(ask):
    """Any request is answered or refused, and never fails in another way."""
    random = np.random.default_rng(5)
    values = [None, True, 0, 1, -1, 0.5, 1e300, "", "the", "\ud800", [], [0], [[1, 2]], ["a"], {}, {"a": 1}]
    names = ["prompt", "max_tokens", "temperature", "top_p", "n", "seed", "stop", "echo", "logprobs", "stream"]
    for _ in range(150):
        chosen = {name: values[random.integers(len(values))] for name in random.choice(names, 3, replace=False)}
        try:
            found = ask(**{"prompt": "the", "max_tokens": 2, **chosen})
        except CompletionError:
            continue
        assert found["choices"]
