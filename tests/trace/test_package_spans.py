"""Spans of texts in an index of similar ones, against the infini-gram package's own."""

from __future__ import annotations

import gzip
import json
from functools import partial

import numpy as np
import own_indexes
import pytest
import twin
from package_process import Package

from explorer import TraceSettings, build_index, open_index

pytest.importorskip("infini_gram", reason="the infini-gram package does not install here")

TRACED = "gpt-4o-2024-05-13.jsonl.gz"


def models_answers(shared):
    """All models' answers but one's, and 50 of that one."""
    sources = sorted(path for path in (shared / "llm-outputs").glob("*.jsonl.gz") if path.name != TRACED)
    with gzip.open(shared / "llm-outputs" / TRACED, "rt", encoding="utf-8") as file:
        return sources, [json.loads(line)["text"] for _, line in zip(range(50), file, strict=False)]


def own_texts(folder):
    """The documents that are made for tests, and texts that share parts of sentences with them."""
    source = folder / "texts.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in own_indexes.texts()), encoding="utf-8")
    return [source], [own_indexes.question(number) for number in range(50)]


@pytest.fixture(scope="module", params=["own", "models'"])
def both(request, tmp_path_factory):
    """An index, opened by us and by the package, and 50 texts to be traced in it."""
    folder = tmp_path_factory.mktemp("spans")
    own = request.param == "own"
    sources, answers = own_texts(folder) if own else models_answers(request.getfixturevalue("shared"))
    build_index(sources, folder / "out", tokenizer="train:500" if own else "train:8000")
    corpus = open_index(folder / "out")
    tokenizer = corpus.index.tokenizer
    ids = np.arange(tokenizer.vocabulary_size)
    begins = folder / "begins.txt"
    begins.write_text("\n".join(map(str, ids[tokenizer.begins_word(ids)].tolist())))
    with Package(
        index_dir=str(folder / "out"),
        eos_token_id=corpus.index.separator - 1,
        vocab_size=corpus.index.separator,
        token_dtype="u16",
        bow_ids_path=str(begins),
    ) as package:
        yield corpus, package, answers


@pytest.mark.parametrize(
    ("min_length", "max_count", "boundaries", "number"),
    # With large counts the package lists every place of every span, which takes it more than a second an answer.
    [(1, 1_000_000, "olmotrace", 8), (4, 10, "olmotrace", 50), (2, 1000, "off", 50)],
)
def test_spans_of_fifty_answers(both, min_length, max_count, boundaries, number):
    corpus, package, answers = both
    delimiters = [int(corpus.encode(mark)[0]) for mark in ("\n", ".")]
    # Plain: the package has no reading of Markdown.
    settings = TraceSettings(
        read="plain", density=1.0, min_length=min_length, max_count=max_count, word_boundaries=boundaries,
        documents_per_span=0,
    )  # fmt: skip

    def asked(ids):
        found = package.attribute(ids, delimiters, min_length, max_count, boundaries == "olmotrace")["spans"]
        return [(span["l"], span["r"], span["count"]) for span in found]

    def looked(ids):
        begins = corpus.index.tokenizer.begins_word(np.array(ids)) if boundaries == "olmotrace" else [True] * len(ids)
        return twin.Twin.of_index(corpus.index).spans(ids, begins, delimiters, min_length, max_count)

    total = 0
    for answer in answers[:number]:
        trace = corpus.trace(answer, settings=settings)
        spans = [(span.token_start, span.token_end, span.count) for span in trace.spans]
        ids = trace.token_ids.tolist()
        assert package.answer(spans, partial(asked, ids), partial(looked, ids)) == spans
        options = {"min_length": min_length, "max_count": max_count, "word_boundaries": boundaries}
        for text in (answer, ids):
            alone = corpus.spans(text, delimiters=delimiters, **options)
            assert [(span.start, span.end, span.count) for span in alone] == spans
        total += len(spans)
    assert total > 10 * number
