"""Questions of search, trace and agreement over generated documents: Python lists and local shards answer alike."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from opened_with import in_lists, open_shards

from explorer.analyses.agreement.tokens import agreements
from explorer.analyses.breakdown.facets import count_tokens, dispersion, facet
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import parse_filter
from explorer.analyses.next_tokens.counts import infgram_next_tokens, next_tokens
from explorer.analyses.next_tokens.profile import ladder, left_of, right_of
from explorer.analyses.search.arrange import LineSettings, parse_sort
from explorer.analyses.search.concordance import Concordance, ConcordanceRequest, concordance
from explorer.analyses.search.find import QueryOptions, find_query, near_filter
from explorer.analyses.search.language import quoted
from explorer.analyses.trace.pipeline import trace_text
from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.places import Located

pytestmark = pytest.mark.local("compares shards with lists itself")

# Few characters, so that what is looked for occurs; one of them has two bytes, which are two tokens.
TEXT = st.text("ab c.é", max_size=14)
DOCUMENT = st.text("ab c.é\n", max_size=14).map(lambda text: list(text.encode()))
PHRASE = st.text("ab cé", min_size=1, max_size=3).filter(str.strip)
SHARDS = st.lists(st.lists(DOCUMENT, min_size=1, max_size=4), min_size=1, max_size=3)


@st.composite
def corpora(draw: st.DrawFn, versions: tuple[int, ...] = (4, 5)) -> tuple[list[list[list[int]]], list[list[int]], int]:
    """Shards of documents, documents that are subtracted, and the version of the format; 5 stores texts reversed."""
    shards = draw(SHARDS)
    every = [document for shard in shards for document in shard]
    less = draw(st.lists(st.sampled_from(every), max_size=len(every) - 1, unique_by=tuple))
    return shards, [document for document in every if document in less], draw(st.sampled_from(versions))


@contextmanager
def both(corpus: tuple[list[list[list[int]]], list[list[int]], int]) -> Iterator[tuple[Any, Any]]:
    """The same documents in shards and in lists."""
    shards, minus, version = corpus
    with tempfile.TemporaryDirectory() as folder:
        paths = [twin.write_index(Path(folder) / "base", shards, 1, version)]
        if minus:
            paths.append(twin.write_index(Path(folder) / "less", [minus], 1, version))
        named = {"tokenizer": "bytes", "reversed_text": version == 5, "check_fit": False}
        index = open_shards(paths[0], paths[1] if minus else None, **named)
        yield index, in_lists(index)


def lines_of(index: Any, text: str, match: str, view: LineSettings, distance: int = 3) -> Concordance:
    found = find_query(index, text, QueryOptions(match=match, max_distance=distance))
    return concordance(index, ConcordanceRequest(found.parts, found.numbers, view))


def page(lines: Concordance, width: int = 4, characters: bool = False) -> list[Any]:
    """Every line as it is shown, without its number, which depends on ties."""
    return [replace(line, number=0) for line in lines.lines(0, len(lines), width, characters)]


def place(line: Any) -> tuple[int, int, int]:
    return line.document, line.offset, line.begin


MATCH = st.sampled_from(["text", "tokens", "regex"])


@given(corpora(), PHRASE, MATCH, st.integers(0, 6), st.booleans())
def test_lines_by_document(corpus, phrase, match, width, characters):
    with both(corpus) as pair:
        pages = [page(lines_of(index, phrase, match, parse_sort("document")), width, characters) for index in pair]
    assert pages[0] == pages[1]


@given(corpora(), PHRASE, MATCH, st.sampled_from(["right", "left", "M", "-2R,1L", "field:n", "-field:path,1R"]))
def test_lines_in_an_order(corpus, phrase, match, sort):
    """Lines that the order does not tell apart may be in any order, so their keys are compared."""
    view = parse_sort(sort)
    with both(corpus) as pair:
        shards, lists = (page(lines_of(index, phrase, match, view)) for index in pair)
        assert sorted(shards, key=place) == sorted(lists, key=place)
        assert keys(pair[1], shards, view) == keys(pair[1], lists, view)


def keys(index: Any, lines: list[Any], view: LineSettings) -> list[tuple[int, ...]]:
    """What each line is sorted by, as lists rank it."""
    columns = ([getattr(line, name) for line in lines] for name in ("document", "offset", "length", "begin", "rest"))
    located = Located(*(numbers(column) for column in columns), numbers([0] * len(lines)))
    ranks = []
    for level in view.sort:
        if level.place is None:
            column = FieldColumns(index).column(level.key.removeprefix("field:"), located.documents)
            ranks.append(column.ranks(level.descending).tolist())
        else:
            ranks.append(index.hits.word_ranks(located, level.place).tolist())
    return list(zip(*ranks, strict=True))


def numbers(values: list[int]) -> Any:
    return np.array(values, dtype=np.int64)


@given(corpora(), PHRASE, MATCH, st.integers(0, 9))
def test_lines_in_a_random_order(corpus, phrase, match, seed):
    """Each backend numbers hits in its own way, so a seed promises an order per backend; the lines are the same."""
    view = replace(parse_sort("random"), seed=seed)
    with both(corpus) as pair:
        pages = [page(lines_of(index, phrase, match, view)) for index in pair]
        assert pages == [page(lines_of(index, phrase, match, view)) for index in pair]
    assert sorted(pages[0], key=place) == sorted(pages[1], key=place)


@given(corpora(), PHRASE, PHRASE, st.integers(0, 4), st.booleans())
def test_filtered_and_merged_lines(corpus, phrase, other, width, wanted):
    with both(corpus) as pair:
        answers = []
        for index in pair:
            near = near_filter(index, other, 3, wanted, QueryOptions(match="text"))
            view = LineSettings(filters=(near, parse_filter("n<=1")), collapse=width)
            lines = lines_of(index, phrase, "tokens", view)
            kinds = Counter((line.left, line.match, line.right, line.repeats) for line in page(lines, width))
            answers.append((lines.arranged.passed, lines.arranged.looked_at, kinds))
    assert answers[0] == answers[1]


@st.composite
def queries(draw: st.DrawFn) -> str:
    """Two or three clauses of one or two phrases, the last of which may be excluded."""
    clauses = draw(st.lists(st.lists(PHRASE, min_size=1, max_size=2), min_size=2, max_size=3))
    written = ["(" + " OR ".join(map(quoted, clause)) + ")" for clause in clauses]
    if draw(st.booleans()):
        written[-1] = "NOT " + quoted(clauses[-1][0])
    return " AND ".join(written)


@given(corpora(), queries(), MATCH, st.integers(0, 8))
def test_and_or_not_with_distances(corpus, query, match, distance):
    options = QueryOptions(match=match, max_distance=distance)
    with both(corpus) as pair:
        found = [find_query(index, query, options) for index in pair]
        pages = [page(lines_of(index, query, match, parse_sort("document"), distance)) for index in pair]
    assert pages[0] == pages[1]
    assert [clause.count for clause in found[0].clauses] == [clause.count for clause in found[1].clauses]
    if found[0].cnf is None:
        assert found[1].cnf is None and found[0].count == found[1].count
        return
    for name in ("count", "document_count", "exact", "sample_size", "walkable", "node"):
        assert getattr(found[0].cnf, name) == getattr(found[1].cnf, name), name
    for name in ("documents", "offsets"):
        assert getattr(found[0].cnf, name).tolist() == getattr(found[1].cnf, name).tolist(), name


@given(corpora(), PHRASE, MATCH, st.sampled_from(["n", "path", "linenum"]))
def test_facets_and_dispersion(corpus, phrase, match, field):
    with both(corpus) as pair:
        answers = []
        for index in pair:
            lines, columns = lines_of(index, phrase, match, LineSettings()), FieldColumns(index)
            answers.append((count_tokens(facet(lines, field, columns), index, columns), dispersion(lines, bins=5)))
    assert answers[0] == answers[1]


RULES = st.builds(
    TraceSettings,
    density=st.sampled_from([0.2, 1.0]),
    min_length=st.integers(1, 3),
    max_count=st.sampled_from([2, 1000]),
    word_boundaries=st.sampled_from(["olmotrace", "unicode", "off"]),
    abbreviations=st.booleans(),
    # More than any span occurs, so that no backend draws.
    documents_per_span=st.just(1000),
    snippet=st.integers(0, 4),
)


@given(corpora(), TEXT.filter(bool), RULES)
def test_spans_and_their_documents(corpus, text, rules):
    with both(corpus) as pair:
        shards, lists = (trace_text(index, text, settings=rules) for index in pair)
    for name in ("token_count", "measured", "merged"):
        assert getattr(shards, name) == getattr(lists, name), name
    assert [as_set(span) for span in shards.spans] == [as_set(span) for span in lists.spans]
    documents = [{document.number: described(document) for document in trace.documents} for trace in (shards, lists)]
    assert documents[0] == documents[1]


def as_set(span: Any) -> Any:
    """A span with its documents in no order: it depends on scores, which are those of a document's first place."""
    return replace(span, documents=tuple(sorted(span.documents)))


def described(document: Any) -> tuple[Any, ...]:
    """All of a document but its score and the order of its snippets, which depend on how a backend numbers hits."""
    snippets = sorted(document.snippets, key=lambda snippet: (snippet.span, snippet.offset))
    return document.spans, snippets, document.metadata, document.share, document.stretch, document.passages


# In version 5, a separator follows the last document of a shard and does not precede the first one; lists are like
# version 4. So only there the tokens that follow an n-gram are the same.
FORWARD = corpora(versions=(4,))


@given(FORWARD, TEXT, st.integers(1, 4))
def test_agreement(corpus, text, order):
    with both(corpus) as pair:
        shards, lists = (agreements(index, list(text.encode()), (None, order)) for index in pair)
    assert shards == lists


@given(FORWARD, TEXT)
def test_next_tokens(corpus, text):
    context = list(text.encode())
    with both(corpus) as pair:
        for ask in (next_tokens, infgram_next_tokens, ladder, right_of, left_of):
            # What precedes every token is not asked for.
            if context or ask is not left_of:
                shards, lists = (ask(index, context) for index in pair)
                assert shards == lists, ask.__name__
