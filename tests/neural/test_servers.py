"""Servers of language models: the log probabilities are the model's, and what cannot be so is refused."""

from __future__ import annotations

import math
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import PIECES, ModelServer, log_probabilities, tokenize, wait_until

from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.neural.address import ServerError
from explorer.neural.answers import character_ranges
from explorer.neural.asking import score_texts
from explorer.neural.openai import OpenAIServer
from explorer.neural.servers import open_llama, open_server

TEXT = "the cat sat on the mat, 𝛿ö lord"


def expected(text, begin=()):
    """What the model itself gives the tokens of a text."""
    ids = [*begin, *tokenize(text)]
    values = [float(log_probabilities(ids[:at])[ids[at]]) if at else None for at in range(len(ids))]
    return values[len(begin) :]


def close(tokens, wanted):
    values = [token.logprob for token in tokens]
    return len(values) == len(wanted) and all(
        a is b is None or (a is not None and b is not None and math.isclose(a, b, abs_tol=1e-6))
        for a, b in zip(values, wanted, strict=True)
    )


@pytest.mark.parametrize("begin", [(), (7,)])
def test_forced_tokens_have_the_log_probabilities_of_the_model(begin):
    with ModelServer(begin=begin) as server, open_server(server.url) as found:
        tokens = list(found.score(TEXT, top=3))
        assert found.model == "toy.gguf" and found.count(TEXT) == len(tokens)
    assert close(tokens, expected(TEXT, begin))
    assert [token.id for token in tokens] == tokenize(TEXT)
    assert "".join(TEXT[token.start : token.end] for token in tokens) == TEXT
    ids = [*begin, *tokenize(TEXT)]
    for at, token in enumerate(tokens, start=len(begin)):
        best = sorted(enumerate(log_probabilities(ids[:at]).tolist()), key=lambda pair: -pair[1])[:3] if at else []
        assert [each for each, _ in token.top] == [each for each, _ in best]


@given(st.text(st.sampled_from("aö𝛿 th"), max_size=12))
def test_ranges_cover_the_text_and_a_shared_character_is_the_first_ones(text):
    pieces = [PIECES[token] for token in tokenize(text)]
    ranges = character_ranges(text, pieces)
    assert "".join(text[a:b] for a, b in ranges) == text
    for number, (start, _) in enumerate(ranges):
        data = b"".join(pieces[:number])
        # Characters that have begun: those that are whole, and one that is cut.
        assert start == len(data.decode("utf-8", "ignore")) + (data.decode("utf-8", "replace").endswith("\ufffd"))


def test_windows_overlap_by_half():
    text = "the cat sat on the mat " * 8
    with ModelServer() as server, open_llama(server.url, window=16) as found:
        tokens = list(found.score(text))
        prompts = [body["prompt"] for path, body in server.requests if "prompt" in body][-len(tokens) + 1 :]
    ids = tokenize(text)
    for at, prompt in enumerate(prompts, start=1):
        assert prompt == ids[at - len(prompt) : at] and (len(prompt) == at or 8 <= len(prompt) < 16)
    assert len(tokens) == len(ids) > 40


WRONG = {
    "ignores bias": "not-forced", "after the bias": "biased", "nan": "not-a-number", "null": "not-a-number",
    "text": "not-a-number", "above zero": "above-zero", "adds tokens": "other-context", "goes": "gone",
    "redirects": "redirected", "not json": "not-json", "fails": "refused", "above one": "above-one",
}  # fmt: skip


# Whether log probabilities are those after the bias is found out before the first text.
LATER = [(manner, reason, 8) for manner, reason in WRONG.items() if reason != "biased"]


@pytest.mark.parametrize(("manner", "reason", "after"), [(*pair, 0) for pair in WRONG.items()] + LATER)
def test_a_server_that_lies_or_breaks_is_told_in_a_sentence(manner, reason, after):
    """At once, or after some tokens: these are kept then."""
    with ModelServer(manner=manner, after=after) as server:
        kept = []
        with pytest.raises(ServerError) as error, open_server(server.url) as found:
            for scored in score_texts(found, [TEXT, TEXT], top=2):
                kept.append(scored)
    assert error.value.reason == reason and str(error.value).isprintable()
    if after:
        (partial,) = kept
        assert 0 < len(partial.tokens) < len(tokenize(TEXT))
        assert close(partial.tokens, expected(TEXT)[: len(partial.tokens)])


def test_noise_above_zero_is_zero():
    with ModelServer(manner="noise", after=3) as server, open_server(server.url) as found:
        assert [token.logprob for token in found.score("the cat")] == [None, 0.0]


def test_a_tokenizer_that_changes_the_text_is_refused():
    with ModelServer(manner="changes text") as server, pytest.raises(ServerError, match="do not spell the text"):
        open_server(server.url)


def test_partial_results_are_resumed_without_asking_again():
    texts = [TEXT, "a dog sat on the mat", ""]
    with ModelServer(manner="goes", after=12) as server, open_server(server.url) as found:
        asked = score_texts(found, texts)
        first = next(asked)
        with pytest.raises(ServerError):
            next(asked)
    done = len(first.tokens)
    with ModelServer() as server, open_server(server.url) as found:
        before = server.completions
        whole = list(score_texts(found, texts, [first]))
        assert server.completions - before == len(expected(TEXT)) - done + len(expected(texts[1])) - 1
    assert [scored.text for scored in whole] == texts and whole[0].tokens[:done] == first.tokens
    assert all(close(scored.tokens, expected(scored.text)) for scored in whole)


def test_what_was_done_must_be_of_this_text_and_this_model():
    from dataclasses import replace

    with ModelServer() as server, open_server(server.url) as found:
        (done,) = score_texts(found, ["the cat"])
        for wrong in (replace(done, text="the mat"), replace(done, model="other")):
            with pytest.raises(ServerError):
                list(score_texts(found, ["the cat"], [wrong]))
        odd = replace(done, tokens=(replace(done.tokens[0], id=3),))
        with pytest.raises(ServerError, match="other tokens than before"):
            list(score_texts(found, ["the cat"], [odd]))


@pytest.mark.parametrize("kind", ["llama", "vllm"])
def test_cancelled_work_keeps_what_it_has(kind):
    cancel = CancelToken()
    with ModelServer(kind, manner="slow", after=8) as server, open_server(server.url) as found:
        stopping = threading.Thread(target=lambda: (wait_until(lambda: server.completions >= 8), cancel.cancel()))
        stopping.start()
        asked = score_texts(found, [TEXT] * 9, cancel=cancel)
        kept = []
        with pytest.raises(Cancelled):
            for scored in asked:
                kept.append(scored)
        stopping.join()
        # Nothing waited for the server, which would still take long.
        assert not server.closing.is_set() and server.completions <= 9
    # llama.cpp: a part of the first text. vLLM: the texts before the one that was asked about.
    assert len(kept) == (1 if kind == "llama" else 5)
    assert all(close(scored.tokens, expected(TEXT)) for scored in kept[:-1])
    assert close(kept[-1].tokens, expected(TEXT)[: len(kept[-1].tokens)]) and len(kept[-1].tokens) < len(tokenize(TEXT))


def test_progress_is_in_tokens():
    seen = []
    with ModelServer() as server, open_server(server.url) as found:
        list(score_texts(found, ["the cat", "a dog sat"], report=seen.append))
    total = len(tokenize("the cat")) + len(tokenize("a dog sat"))
    assert [progress.done for progress in seen] == list(range(1, total + 1))
    assert {(progress.total, progress.unit) for progress in seen} == {(total, "tokens")}


@pytest.mark.parametrize("kind", ["vllm", "openai"])
@pytest.mark.parametrize("begin", [(), (7,)])
def test_log_probabilities_of_the_prompt(kind, begin):
    with ModelServer(kind, begin=begin) as server, open_server(server.url) as found:
        assert isinstance(found, OpenAIServer) and found.model == "toy" and not found.mended
        tokens = list(found.score(TEXT, top=2))
    assert close(tokens, expected(TEXT, begin))
    assert "".join(TEXT[token.start : token.end] for token in tokens) == TEXT
    ids = [token.id for token in tokens]
    if kind == "vllm":
        # vLLM tells ids, except where two tokens look the same.
        assert sum(each is not None for each in ids) > len(ids) // 2
        assert all(each in (None, true) for each, true in zip(ids, tokenize(TEXT), strict=True))
    else:
        assert set(ids) == {None}


def test_a_list_that_is_shifted_by_one_is_shifted_back():
    with ModelServer("openai", manner="shifted") as server, open_server(server.url) as found:
        assert found.mended
        assert close(found.score(TEXT), expected(TEXT))


@pytest.mark.parametrize(
    ("manner", "reason"),
    {
        "of the token before": "other-values",
        "no logprobs": "bad-answer",
        "no echo": "unchecked",
        "too few": "bad-answer",
    }.items(),
)
def test_values_that_are_not_those_of_the_tokens_are_refused(manner, reason):
    with ModelServer("openai", manner=manner) as server, pytest.raises(ServerError) as error:
        open_server(server.url)
    assert error.value.reason == reason


def test_only_a_server_that_tokenizes_tells_candidates():
    with ModelServer("vllm") as server, pytest.raises(ServerError, match="does not tokenize"):
        open_llama(server.url)
    with ModelServer() as server, open_llama(server.url) as found:
        ids = tokenize("the cat")
        tokens = found.next_tokens(ids, 5)
    values = log_probabilities(ids)
    assert [token.id for token in tokens] == (-values).argsort(kind="stable")[:5].tolist()
    assert all(token.data == PIECES[token.id] and math.isclose(token.logprob, values[token.id]) for token in tokens)
