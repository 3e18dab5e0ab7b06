"""corpus.dispersion, against its definitions and the figures of the articles of WikiText-2."""

import itertools
import math
import re

import pytest
from model_answers import WRITTEN, read_texts, text_named, text_names

from explorer import QueryError, build_index, open_index
from explorer.words.rule import WordRule, words_of

ROWS = [
    {"text": "the cat and the dog", "kind": "a"},
    {"text": "the end", "kind": "b"},
    {"text": "! ?", "kind": "b"},
    {"text": "the dog, The dog", "kind": "a"},
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dispersion") / "index"
    build_index(ROWS, folder, tokenizer="bytes")
    return open_index(folder)


def test_parts_are_documents_values_or_slices(corpus):
    found = corpus.dispersion(min_count=1)
    # A document without words is no part.
    assert (found.parts, found.total) == (3, 11)
    assert [(row.form, row.count, row.range) for row in found][:2] == [("the", 5, 3), ("dog", 3, 2)]
    assert found[0].per_million == pytest.approx(5e6 / 11)
    by_kind = corpus.dispersion(by="kind", top=2)
    assert (by_kind.parts, [row.form for row in by_kind]) == (2, ["the"])
    # 4 of 5 in 9 of 11 words, and 1 of 5 in 2 of 11.
    assert by_kind[0].dp == pytest.approx(9 / 11 - 4 / 5)
    one = corpus.dispersion(slices=1, min_count=1)[0]
    assert (one.range, one.dp, one.dp_norm, one.d_a, one.juilland) == (1, 0, None, None, None)
    assert corpus.dispersion(slices=11, min_count=1)[0].range == 5
    assert len(corpus.dispersion(min_count=100)) == 0


def test_a_subset_has_its_own_counts(corpus):
    found = corpus.subset("kind=b").dispersion(min_count=1)
    assert (found.parts, found.total) == (1, 2)
    assert sorted((row.form, row.count) for row in found) == [("end", 1), ("the", 1)]


def test_bad_input_is_a_sentence(corpus):
    with pytest.raises(QueryError, match="not both"):
        corpus.dispersion(by="kind", slices=2)
    with pytest.raises(QueryError, match="fewer words than slices"):
        corpus.dispersion(slices=12)
    with pytest.raises(QueryError, match="slices"):
        corpus.dispersion(slices=0)
    with pytest.raises(QueryError, match="color"):
        corpus.dispersion(by="color")


# Computed with another program.
FIGURES = {
    "wikitext2-valid": {
        "the": (60, 0.07558, 0.07585, 0.97432, 0.99506, 0.99062, 0.88649),
        "game": (11, 0.87212, 0.87526, 0.56229, 0.45530, 0.10828, 0.06597),
        "2011": (15, 0.72980, 0.73243, 0.59811, 0.52419, 0.24397, 0.09809),
    }
}
MEASURES = ("range", "dp", "dp_norm", "juilland", "carroll", "rosengren", "d_a")


def by_definition(parts, form):
    """The same measures, written down as they are defined."""
    sizes, counts, n = [len(part) for part in parts], [part.count(form) for part in parts], len(parts)
    shares = [size / sum(sizes) for size in sizes]
    rates = [count / size for count, size in zip(counts, sizes, strict=True)]
    f, p = sum(counts), sum(rates)
    dp = sum(abs(count / f - share) for count, share in zip(counts, shares, strict=True)) / 2
    deviation = math.sqrt(sum((rate - p / n) ** 2 for rate in rates) / n)
    entropy = math.log2(p) - sum(rate * math.log2(rate) for rate in rates if rate) / p
    rosengren = sum(math.sqrt(count * share) for count, share in zip(counts, shares, strict=True)) ** 2 / f
    gap = sum(abs(one - other) for one, other in itertools.combinations(rates, 2)) / math.comb(n, 2)
    return (
        sum(count > 0 for count in counts), dp, dp / (1 - min(shares)), 1 - deviation / (p / n) / math.sqrt(n - 1),
        entropy / math.log2(n), rosengren, 1 - gap / (2 * p / n),
    )  # fmt: skip


@pytest.mark.parametrize("name", text_names("wikitext2-valid"))
def test_words_of_documents(name, tmp_path):
    texts = read_texts(WRITTEN)
    if name != "answers":
        # An article begins with a heading of the first level.
        texts = [each for each in re.split(r"\n(?= = [^=].*[^=] = \n)", f"\n{text_named(name)}") if each.strip()]
    build_index([{"text": text} for text in texts], tmp_path / "index", tokenizer="bytes")
    found = open_index(tmp_path / "index").dispersion(top=None)
    parts = [words_of(text, WordRule()) for text in texts]
    assert (found.parts, found.total) == (len(parts), sum(map(len, parts)))
    rows = {row.form: [getattr(row, measure) for measure in MEASURES] for row in found}
    for form in ("the", "in", "game" if name in FIGURES else "rain"):
        assert rows[form] == pytest.approx(by_definition(parts, form)), form
    for form, expected in FIGURES.get(name, {}).items():
        assert rows[form] == pytest.approx(expected, abs=5e-5), form
