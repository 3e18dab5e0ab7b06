"""Drafts: the figures of real answers, rules by hand, llama.cpp's cache read back, and the proposer of vLLM."""

from __future__ import annotations

import struct
from types import SimpleNamespace

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.analyses.drafts.compute import Drafter as Maker
from explorer.analyses.drafts.compute import DraftFigures, simulate
from explorer.analyses.drafts.question import DraftsQuestion
from explorer.analyses.model.lookup_cache import lookup_cache
from explorer.drafter import Drafter, VllmProposer
from explorer.errors import QueryError


def test_answers_of_a_model(shared, answers, tmp_path):
    rows = answers["vicuna-13b-v1.5.jsonl.gz"]
    tokenizer = shared / "tokenizers" / "llama-2-7b-hf.tokenizer.json"
    build_index([{"text": text} for text in rows[:705]], tmp_path / "index", tokenizer=tokenizer)
    corpus = open_index(tmp_path / "index")
    found = corpus.draft_bench(rows[705:745]).total
    assert (corpus.token_count, found.token_count, found.steps) == (189_152, 9_710, 7_584)
    assert found.tokens_per_step == pytest.approx(1.276, abs=0.001)
    assert found.accept_rate == pytest.approx(0.173, abs=0.0005)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drafts")
    texts = ["abcdef", "abcdef", "abcxyz", "uv"]
    build_index([{"text": text} for text in texts], folder / "index", tokenizer="bytes")
    return open_index(folder / "index")


def drafted(corpus, text, **rule):
    found = Maker(corpus.index, DraftsQuestion(**rule)).draft(
        np.frombuffer(text.encode(), dtype=np.uint8).astype(np.int64)
    )
    return bytes(found.tokens).decode(), found.match


@pytest.mark.parametrize(
    ("text", "rule", "expected"),
    [
        # At most as long as what matches; the more frequent one of two.
        ("ab", {}, ("cd", 2)),
        ("zzabc", {}, ("def", 3)),
        ("zzabc", {"max_draft": 2}, ("de", 3)),
        # d follows abc two times in three.
        ("abc", {"min_probability": 0.67}, ("", 3)),
        ("abc", {"min_probability": 0.66}, ("def", 3)),
        ("qqa", {"context": 1}, ("b", 1)),
        # A document ends: nothing is drafted after it.
        ("uv", {}, ("", 2)),
        ("!", {}, ("", 0)),
        ("", {}, ("", 0)),
    ],
)
def test_rules(corpus, text, rule, expected):
    assert drafted(corpus, text, **rule) == expected


def test_steps(corpus):
    ids = np.frombuffer(b"abcxyz", dtype=np.uint8).astype(np.int64)
    # a[b]c: one of one is accepted; abc[def]x: none of three; abcx[yz]: both.
    found = simulate(Maker(corpus.index), ids)
    assert found == DraftFigures(token_count=6, written=5, steps=3, drafted=6, accepted=3)
    assert DraftFigures().tokens_per_step is None and DraftFigures().accept_rate is None


def test_bad_rules(corpus):
    for rule in ({"context": 0}, {"max_draft": 0}, {"min_probability": 2}, {"min_probability": float("nan")}):
        with pytest.raises(QueryError):
            DraftsQuestion(**rule)


def test_the_cache_of_llama_cpp(small):
    pieces = list(lookup_cache(small.index))
    data = b"".join(piece for _, _, piece in pieces)
    pairs = followers = place = 0
    while place < len(data):
        first, second, third, fourth, number = struct.unpack_from("=5i", data, place)
        place += 20
        assert (third, fourth) == (-1, -1) and number > 0
        for token, count in struct.iter_unpack("=2i", data[place : place + 8 * number]):
            assert small.count([first, second, token]) == count > 0
            assert small.index.separator not in (first, second, token)
        place += 8 * number
        pairs, followers = pairs + 1, followers + number
    assert (pairs, followers) == (sum(p for p, _, _ in pieces), sum(f for _, f, _ in pieces))
    texts = [document.tokens.tolist() for document in small.documents]
    assert followers == len({tuple(text[at : at + 3]) for text in texts for at in range(len(text) - 2)})


def test_a_loop(corpus):
    drafter = Drafter(corpus, max_draft=2)
    assert drafter(list(b"zzabc")) == list(b"de")
    assert drafter(list(b"zzabc"), limit=1) == list(b"d")
    # A token that the index cannot have is not looked up.
    assert drafter([70_000, *b"ab"]) == list(b"cd") and drafter([-1]) == [] == drafter([])


def test_vllm(corpus, monkeypatch):
    monkeypatch.delenv("CORPUS_EXPLORER_INDEX", raising=False)
    config = SimpleNamespace(speculative_config=SimpleNamespace(num_speculative_tokens=3))
    with pytest.raises(QueryError, match="CORPUS_EXPLORER_INDEX"):
        VllmProposer(config)
    monkeypatch.setenv("CORPUS_EXPLORER_INDEX", str(corpus.folders[0]))
    proposer = VllmProposer(config)
    rows = np.zeros((3, 9), dtype=np.int32)
    rows[0, :4], rows[1, :2], rows[2, :3] = list(b"zabc"), list(b"uv"), list(b"abc")
    assert proposer.propose([[99], [118], []], np.array([4, 2, 3]), rows) == [list(b"def"), [], []]
    proposer.load_model()
