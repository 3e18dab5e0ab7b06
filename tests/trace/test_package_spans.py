"""Spans of texts in an index of similar ones, against the infini-gram package's own."""

from __future__ import annotations

from functools import partial

import numpy as np
import own_indexes
import pytest
import twin
from model_answers import WRITTEN, read_texts
from package_process import Package
from tiers import SIZES

from explorer import TraceSettings, build_index, open_index

pytest.importorskip("infini_gram", reason="the infini-gram package does not install here")

TRACED = "gpt-4o-2024-05-13.jsonl.gz"


def material(whose, request):
    """Texts to index, and texts that share passages with them."""
    if whose == "made":
        return own_indexes.texts(), [own_indexes.question(number) for number in range(50)]
    if whose == "small":
        models = ("heron-2", "quill-small")
        return [text for model in models for text in read_texts(WRITTEN, model)], read_texts(WRITTEN, "moss-7b")
    # All models' answers but one's, and 50 of that one.
    answers = request.getfixturevalue("answers")
    return [text for name, texts in answers.items() if name != TRACED for text in texts], answers[TRACED][:50]


@pytest.fixture(scope="module", params=["made", *SIZES])
def both(request, tmp_path_factory):
    """An index, opened by us and by the package, and up to 50 texts to be traced in it."""
    folder = tmp_path_factory.mktemp("spans")
    texts, answers = material(request.param, request)
    tokenizer = "train:8000" if request.param == "shared" else "train:500"
    build_index([{"text": text} for text in texts], folder / "out", tokenizer=tokenizer)
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
    assert total > 2 * len(answers[:number])
