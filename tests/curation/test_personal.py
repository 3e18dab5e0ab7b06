"""Personal data against a scan of all texts by the same expressions."""

from __future__ import annotations

import re
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer import Cancelled, CancelToken, QueryError, build_index, open_index
from explorer.analyses.personal_data import compute as personal
from explorer.analyses.personal_data.kinds import KINDS, REACH

FOUND = {
    "email": [("", "ann.lee+x@mail.example.org"), ("", "b@c.io")],
    "phone": [
        ("international", "+44 20 7946 0958"), ("international", "+14155550123"),
        ("north-american", "(212) 555-0187"), ("north-american", "212.555.0187"), ("north-american", "1-212-555-0187"),
    ],
    "ip": [("v4", "192.168.0.255"), ("v6", "2001:db8::8a2e:370:7334"), ("v6", "fe80::1"), ("v6", "1:2:3:4:5:6:7:8")],
    "card": [("", "4111 1111 1111 1111"), ("", "378282246310005"), ("", "3782 822463 10005"),
             ("", "5555-5555-5555-4444")],
    "key": [
        ("aws", "AKIA" + "IOSFODNN7EXAMPLE"), ("github", "ghp_" + "a1B2" * 9), ("github", "github_pat_" + "1A_" * 12),
        ("slack", "xoxb-" + "12345-abcde"), ("google", "AIza" + "Sy0_-" * 7), ("stripe", "sk_live_" + "1a2B" * 6),
        ("sk", "sk-proj-" + "a1-_" * 9), ("gitlab", "glpat-" + "a1B2c" * 4), ("hugging-face", "hf_" + "aB" * 17),
        ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"),
        ("private-key", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n\nAbc/+=\n-----END RSA PRIVATE KEY-----"),
        ("private-key", "-----BEGIN PRIVATE KEY-----"),
    ],
}  # fmt: skip
REFUSED = {
    "email": ["ann@", "@property", "a@b", "a@b.c", "ann@-x.org"],
    "phone": ["10.1002/212-555-0187", "1612345678", "212-155-0187", "+12 34", "2212-555-0187", "212-555-01877"],
    "ip": ["1.2.3.256", "1.2.3", "1.2.3.4.5", "12:30:45", "std::add", "cafe::", "::", "01.2.3.4"],
    "card": ["4111 1111 1111 1112", "1111111111111117", "4111 1111-1111 1111", "94111111111111111", "0" * 16],
    "key": [
        "AKIA" + "short", "ghp_" + "a" * 10, "sk-" + "style-of-a-page-with-no-numbers-at-all", "risk-" + "a1" * 20,
        "eyJub25lIjoxfQ.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "-----BEGIN PUBLIC KEY-----",
    ],
}  # fmt: skip
PIECES = st.sampled_from([
    *(text for some in FOUND.values() for _, text in some), *(text for some in REFUSED.values() for text in some),
    "@", "@@", ".", " ", "\n", "-", "1", "212", "555", "é", "語", "+", ":", "::", "a", "x.org", "eyJ", "sk-", "🙂",
])  # fmt: skip
TEXTS = st.lists(st.lists(PIECES, max_size=9).map("".join), min_size=1, max_size=5)


def scan(texts, names=tuple(KINDS)):
    """The slow twin: every expression over every text."""
    found = [
        (number, match.start(), match.end(), names.index(name), KINDS[name].detail(match))
        for number, text in enumerate(texts)
        for name in names
        for match in KINDS[name].expression.finditer(text)
        if KINDS[name].check(KINDS[name].detail(match), match[0])
    ]
    return [(number, start, names[kind], detail, texts[number][start:end])
            for number, start, end, kind, detail in sorted(found)]  # fmt: skip


def rows(corpus, kinds=()):
    found = corpus.personal_data(kinds, masked=False, top=None)
    assert len(found) == found.total
    return [(row.document, row.character, row.kind, row.detail or "", row.text) for row in found]


def built(folder, texts, tokenizer="bytes", **more):
    build_index([{"text": text, "place": text[:1]} for text in texts], folder, tokenizer=tokenizer, **more)
    return open_index(folder)


@pytest.mark.parametrize("name", KINDS)
def test_expressions_find_their_kind(name):
    kind = KINDS[name]
    for detail, text in FOUND[name]:
        for whole in (text, f"({text})", f"see {text}, or", f"é {text}\n"):
            [match] = [match for match in kind.expression.finditer(whole) if kind.check(kind.detail(match), match[0])]
            assert (kind.detail(match), match[0]) == (detail, text)
    for text in REFUSED[name]:
        assert scan([text], (name,)) == []


def test_findings_hold_a_core_and_are_no_longer_than_the_reach():
    for name, kind in KINDS.items():
        cores = [re.escape(core.text) if core.match == "text" else core.text for core in kind.cores]
        for _, text in FOUND[name]:
            assert re.search("|".join(cores), text)
        assert max(len(text) for _, text in FOUND[name]) < REACH
    longest = "a." + "eyJ" + "x" * 2048 + ".eyJ" + "x" * 4096 + "." + "x" * 1024
    assert len(longest) < REACH


@settings(suppress_health_check=list(HealthCheck))
@given(texts=TEXTS, shards=st.integers(1, 2))
def test_twin(tmp_path_factory, texts, shards):
    corpus = built(tmp_path_factory.mktemp("twin") / "index", [*texts, "some", "more"], shards=shards)
    assert rows(corpus) == scan([document.text for document in corpus.documents])


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(text=st.lists(PIECES, min_size=5, max_size=60).map("".join), piece=st.sampled_from([7, 64, 200]))
def test_long_documents_are_read_in_pieces(tmp_path_factory, text, piece):
    corpus = built(tmp_path_factory.mktemp("long") / "index", [text, "b@c.io"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(personal, "PIECE", piece)
        assert rows(corpus) == scan([text, "b@c.io"])


def test_twin_on_answers_of_models(some_answers):
    corpus, texts = open_index(some_answers.folder), some_answers.texts
    found = corpus.personal_data(top=None, masked=False)
    assert [(row.document, row.character, row.kind, row.detail or "", row.text) for row in found] == scan(texts)
    for row in found:
        held = corpus.document(row.document)
        assert row.text in held.text[row.character :]
        assert corpus.index.documents.lengths(found.ranges.documents).min() > 0
    assert found.facts.documents_read < len(texts) / 4
    assert "email" in {row.kind for row in found} and len({row.kind for row in found}) > 1


def test_tokens_hold_the_text(tmp_path):
    corpus = built(tmp_path / "index", ["é: ann@mail.org.", "x", "to b@c.io"])
    found = corpus.personal_data()
    assert [(row.token, row.tokens, row.character, row.characters) for row in found] == [(4, 12, 3, 12), (3, 6, 3, 6)]
    ranges = found.ranges
    assert (ranges.documents.tolist(), ranges.starts.tolist(), ranges.ends.tolist()) == ([0, 2], [4, 3], [16, 9])
    assert found.kinds[0].count == 2
    assert [(group.value, group.kind, group.count) for group in found.groups("place")] == [
        ("t", "email", 1), ("é", "email", 1),
    ]  # fmt: skip


def test_texts_are_masked(tmp_path):
    corpus = built(tmp_path / "index", ["ann@mail.org 4111 1111 1111 1111 ghp_" + "a1B2" * 9])
    assert [row.text for row in corpus.personal_data()] == [
        "a••@••••.•••", "•••• •••• •••• 1111", "ghp_a" + "•" * 35,
    ]  # fmt: skip
    everything = "".join(map(str, corpus.personal_data()))
    assert "mail.org" not in everything


def test_totals_are_of_all_and_rows_of_the_first(tmp_path):
    corpus = built(tmp_path / "index", ["b@c.io " * 30])
    found = corpus.personal_data(["email"], top=7)
    assert (len(found), found.total, found.facts.documents, found.facts.tokens) == (7, 30, 1, 180)
    assert found.ranges.tokens == 180


def test_subsets_are_searched(tmp_path):
    corpus = built(tmp_path / "index", ["b@c.io", "d@e.org", "d@e.net"])
    assert [row[0] for row in rows(corpus.subset("place=d"))] == [1, 2]
    assert rows(corpus, ["card"]) == []


def test_cores_everywhere(tmp_path):
    """Millions of cores are read over, and the search stops within a fifth of a second."""
    corpus = built(tmp_path / "index", ["@" * 3_000_000, "@ b@c.io"])
    assert [row[4] for row in rows(corpus)] == ["b@c.io"]
    token = CancelToken()
    threading.Timer(0.1, token.cancel).start()
    start = time.perf_counter()
    with pytest.raises(Cancelled):
        for _ in range(1_000):
            corpus.personal_data(cancel=token)
    assert time.perf_counter() - start < 0.1 + 0.2


@pytest.mark.parametrize("wrong", [{"kinds": ["name"]}, {"top": 0}, {"kinds": "names"}])
def test_wrong_arguments_are_refused(tmp_path, wrong):
    corpus = built(tmp_path / "index", ["b@c.io"])
    with pytest.raises(QueryError):
        corpus.personal_data(**wrong)
