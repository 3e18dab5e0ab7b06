"""Each result of the library states the index and every setting that it was given; one row for each call."""

from __future__ import annotations

import json
import pickle

import pytest

import explorer
from explorer import Corpus, LineSettings, TraceSettings, build_index, dispersion_strips, open_index
from explorer.corpus.tabular import Tabular
from explorer.export.about import about_path

ROWS = [
    {"text": f"so the cat sat on the mat and the dog {n} saw it. ann@a.org", "year": 2019 + n % 3, "by": "Ann"}
    for n in range(9)
]
TEXT = "so the cat sat on a mat and the dog saw it"
BENCH = [{"question": ROWS[0]["text"] * 2, "reply": "so"}]

CALLS = {
    "concordance": (
        lambda c: c.concordance("The Cat", ignore_case=True, whole_words=True, where="year>2019", sort="2L", seed=4),
        ("The Cat", "text", "ignore case: yes", "whole words: yes", "year", "2L", "seed: 4"),
    ),
    "lines of a search": (
        lambda c: c.concordance(
            c.search("the AND NOT zebra", max_distance=31, where="year>2019", node=0, exact=True),
            view=LineSettings(sample=3, seed=8, collapse=2),
        ),
        ("the AND NOT zebra", "31 tokens", "year", "sample: 3 of", "seed: 8", "2 tokens", "match: text"),
    ),
    "lines of tokens": (
        lambda c: c.concordance("the", match="tokens", variants=["space"]),
        ("match: tokens", "variants: space"),
    ),
    "collocates": (
        lambda c: c.collocates(
            "the", (2, 3), 2, within="line", min_documents=2, stop=["cat"], where="year>2019", details=True
        ),
        ("query: the", "2,3", "least count: 2", "within: line", "least documents: 2", "cat", "year", "details: yes"),
    ),
    "collocates of lines": (
        lambda c: c.collocates(c.concordance("cat", view=LineSettings(sample=3, seed=8)), min_count=1),
        ("query: cat", "sample: 3 of 9", "seed: 8", "counted around: 3"),
    ),
    "clusters": (
        lambda c: c.clusters(c.search("cat OR dog"), (3, 4), "left", "tokens", min_count=2, min_documents=2, top=5),
        ("cat OR dog", "size: 3,4", "side: left", "unit: tokens", "least count: 2", "least documents: 2", "top: 5"),
    ),
    "next_tokens": (lambda c: c.next_tokens("the ", 50), ("context: the ", "limit: 50")),
    "locate": (
        lambda c: c.locate("cat", first=1, last=7, sample=3, seed=2),
        ("query: cat", "first: 1", "last: 7", "sample: 3", "seed: 2"),
    ),
    "ngrams": (
        lambda c: c.ngrams(min_n=2, max_n=3, top=9, min_count=2, min_documents=3, contains="t"),
        ("n: 2 to 3", "top: 9", "least count: 2", "least documents: 3", "contains: t"),
    ),
    "words of a part": (
        lambda c: c.subset("year>2019").words(fold=False).ngrams(1, top=9),
        ("only documents: year", "unit: words", "fold: false"),
    ),
    "keywords": (
        lambda c: c.keywords(where="year>2019", measure="log_ratio", min_count=2, correction="fdr", stop=["cat"]),
        ("year", "sorted by: log_ratio", "least count: 2", "fdr", "cat"),
    ),
    "dispersion": (lambda c: c.dispersion(slices=4, top=3, min_count=2), ("4", "top: 3", "least count: 2")),
    "strips": (lambda c: dispersion_strips(c, ["cat", "dog"], by="year").table, ("cat; dog", "year")),
    "diversity": (lambda c: c.diversity("year", window=7), ("groups: year", "MATTR: 7")),
    "repeats": (lambda c: c.repeats(9, top=4, by="count"), ("least length: 9", "top: 4", "order: count")),
    "duplicates": (
        lambda c: c.duplicates(9, "first", gap=2, across=True, prefer="year>2019", never=["cat"], borders="words"),
        ("length: 9", "rule: first", "gap: 2", "document: yes", "year", "never cut: cat", "borders: words"),
    ),
    "duplicate_documents": (lambda c: c.duplicate_documents(where="year>2019"), ("condition: year",)),
    "personal_data": (lambda c: c.personal_data(["email"], masked=False, top=2), ("email", "masked: no", "top: 2")),
    "contamination": (
        lambda c: c.contamination(BENCH, unit="tokens", answer="reply", thresholds=explorer.Thresholds(flag_at=0.4)),
        ("unit: tokens", "0.4"),
    ),
    "decontamination": (
        lambda c: c.decontamination(BENCH, n=3, share=0.2, by="year"),
        ("n: 3", "share: 0.2", "by: year"),
    ),
    "trace": (
        lambda c: c.trace(TEXT, "who?", settings=TraceSettings(seed=5, min_length=3), without_self=True),
        ("SHA-256 of the text", "who?", "seed: 5", "min length: 3", "text: excluded"),
    ),
    "trace_many": (
        lambda c: c.trace_many(ROWS, prompt_field="by", settings=TraceSettings(seed=5), without_self=True),
        ("prompt: by", "seed: 5", "without self: yes"),
    ),
    "agreement": (lambda c: c.agreement(TEXT, max_n=4, first=2), (TEXT, "max n: 4", "first: 2")),
    "compare_agreement": (
        lambda c: c.compare_agreement(
            [TEXT] * 4, list("aabb"), max_n=4, max_tokens=9, max_texts=1, seed=3, without_self=True
        ),
        ("texts: 2", "'a: 1 texts, 9 tokens'", "model: 4", "tokens per text: 9", "seed: 3", "excluded: "),
    ),
    "distribution": (lambda c: c.model("levels", levels=3).distribution("the "), ("levels", "3", "the ")),
    "probe": (lambda c: c.model("backoff").probe(["the cat sat on the"], ["mat"]), ("method: backoff",)),
    "draft_bench": (
        lambda c: c.draft_bench([TEXT], context=7, max_draft=3, min_probability=0.25),
        ("texts: 1", "context: 7", "max draft: 3", "min probability: 0.25"),
    ),
}
"""A call with settings that are not the usual ones, and what is stated of it."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Corpus:
    folder = tmp_path_factory.mktemp("provenance")
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    build_index(folder / "a.jsonl", folder / "index", tokenizer="bytes")
    return open_index(folder / "index")


IN_WORDS = (
    "collocates", "collocates of lines", "words of a part", "keywords", "dispersion", "strips", "diversity",
    "decontamination",
)  # fmt: skip
"""The calls that count words."""
LOCAL = pytest.mark.local("words are cut in folders on this machine")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[LOCAL] * (name in IN_WORDS)) for name in CALLS])
def test_a_file_states_the_index_and_each_setting(name, corpus, tmp_path):
    call, stated = CALLS[name]
    found = call(corpus)
    assert isinstance(found, Tabular)
    found.write(tmp_path / "a.csv")
    about = json.loads(about_path(tmp_path / "a.csv").read_text(encoding="utf-8"))
    text = "\n".join(f"{name}: {value}" for name, value in about.items())
    assert [each for each in (f"index fingerprint: {corpus.index.fingerprint}", *stated) if each not in text] == [], (
        text
    )


@LOCAL
def test_a_result_in_another_process_states_the_same(corpus):
    part = pickle.loads(pickle.dumps(corpus.subset("year>2019")))
    for found in (part.ngrams(1, top=3), pickle.loads(pickle.dumps(part.words().ngrams(1, top=3)))):
        facts = dict(found.provenance)
        assert "2019" in facts["only documents"]
        assert facts["index fingerprint"] == corpus.index.fingerprint
    assert "unit" in facts
