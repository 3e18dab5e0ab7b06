"""Hits of any query in words and tokens, against plain loops over the texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts import write_tokenizer

from explorer import QueryError, build_index, open_index
from explorer.analyses.search.arrange import LineSettings
from explorer.analyses.search.find import QueryOptions, near_filter
from explorer.words.rule import spans

pytestmark = pytest.mark.local("words are cut in folders on this machine")
TEXTS = [
    "The cat sat. The Cat ran!\nA cat; the dog (3.14 kg) sat.",
    "Unlike a cat, the king… purrs.” Then he is catlike.",
    "“Stop!” said a cat\n\nHeading\n\nThe dog",
    "猫。犬がいた！ cat",
]


@pytest.fixture(scope="module", params=["bytes", "byte-level", "byte-fallback"])
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("around")
    tokenizer = write_tokenizer(request.param, folder)
    build_index([{"text": text, "at": at} for at, text in enumerate(TEXTS)], folder / "index", tokenizer=tokenizer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(folder / "cache"))
        yield open_index(folder / "index")


def words_of(text):
    """Each word, in lower case, with its first and last character."""
    return [(text[first:last].lower(), first, last) for first, last in spans(text)]


def near_of(found):
    return {row.form: row.observed for row in found}


def slow(texts, pattern, sides, within="document"):
    """The words near the words in which a match begins or that begin in it."""
    ends = {"document": r"\Z", "sentence": r"[.!?…]+[”)]*(?=\s|\Z)|[。！]+|\n[^\S\n]*\n", "line": r"\n"}[within]
    near = {}
    for text in texts:
        words = words_of(text)
        stops = [match.end() for match in re.finditer(ends, text)]
        nodes = [
            [at for at, (_, first, _) in enumerate(words) if match.start() <= first < match.end()]
            for match in re.finditer(pattern, text)
        ]
        own = {at for node in nodes for at in node}
        seen = set()
        for node in filter(None, nodes):
            for at in range(max(0, node[0] - sides[0]), min(len(words), node[-1] + 1 + sides[1])):
                low, high = sorted((words[at][1], words[node[0]][1]))
                if not any(low < stop <= high for stop in stops) and at not in own:
                    seen.add(at)
        for at in seen:
            near[words[at][0]] = near.get(words[at][0], 0) + 1
    return near


@pytest.mark.parametrize("within", ["document", "sentence", "line"])
@pytest.mark.parametrize("sides", [(1, 1), (0, 3), (4, 2)])
def test_windows_end_where_texts_do(corpus, within, sides):
    found = corpus.collocates(corpus.search(r"\b[Cc]at\b", match="regex"), sides, 1, within=within)
    assert near_of(found) == slow(TEXTS, r"\b[Cc]at\b", sides, within)
    # The same words, looked up as words.
    same = corpus.collocates("cat", sides, 1, within=within)
    assert near_of(same) == near_of(found) and (same.node_count, same.hits_left_out) == (6, None)


def test_texts_that_are_read_in_parts_end_alike(corpus, monkeypatch):
    hits = corpus.search(r"\b[Cc]at\b", match="regex")
    whole = [corpus.collocates(hits, (9, 9), 1, unit, within="sentence") for unit in ("words", "tokens")]
    monkeypatch.setattr("explorer.backends.range_texts.AT_ONCE", 5)
    parts = [corpus.collocates(hits, (9, 9), 1, unit, within="sentence") for unit in ("words", "tokens")]
    assert [list(each) for each in parts] == [list(each) for each in whole] and all(map(len, whole))


def test_hits_inside_words_are_left_out(corpus):
    found = corpus.collocates(corpus.search("like"), (1, 1), 1)
    # "Unlike" and "catlike": no word begins with the characters.
    assert (found.node_count, found.hits_left_out, len(found)) in {(0, 2, 0), (2, 0, 4)}
    none = corpus.collocates(corpus.search("[;(]", match="regex"), (1, 1), 1)
    assert none.node_count + none.hits_left_out == 2


def test_lines_bring_their_filters(corpus):
    near = near_filter(corpus.index, "dog", 40, True, QueryOptions(match="text"))
    lines = corpus.concordance(corpus.search("cat OR Cat"), view=LineSettings(filters=(near,)))
    found = corpus.collocates(lines, (1, 1), 1)
    assert found.node_count == len(lines) > 0 and found.node_count < corpus.search("cat OR Cat").count
    clusters = corpus.clusters(lines, (2, 2))
    assert clusters.node_count == len(lines) and sum(row.count for row in clusters) == clusters.total
    # What the lines are of, not how many there are.
    for table in (found, clusters):
        stated = dict(table.provenance)
        assert (stated["query"], stated["filter"], stated["lines"]) == ("cat OR Cat", str(near), str(len(lines)))


def test_conditions_narrow_what_counts(corpus):
    found = corpus.collocates(corpus.search("cat"), (2, 2), 1, where="at<1")
    words = len(words_of(TEXTS[0]))
    assert found.total == words - found.node_count and found.node_count == 2


def test_tokens_are_counted_as_well(corpus):
    found = corpus.collocates(corpus.search("cat"), (1, 1), 1, unit="tokens")
    assert found.node_count == corpus.search("cat").count and found.hits_left_out == 0
    assert sum(row.observed for row in found) == found.window_tokens


def test_what_windows_end_with_is_checked(corpus):
    with pytest.raises(QueryError, match="document, sentence or line"):
        corpus.collocates("cat", within="page")


WORDS = st.lists(st.sampled_from(["cat", "dog", "a.", "b!”", "3.1", "\n", "\n\n", "Mr.", "ok"]), max_size=14)


@given(st.lists(WORDS, min_size=1, max_size=3), st.integers(0, 3), st.sampled_from(["sentence", "line"]))
def test_any_text_ends_where_a_scan_ends_it(tmp_path_factory, documents, side, within):
    texts = [" ".join(["x", *words]) for words in documents]
    folder = tmp_path_factory.mktemp("any")
    build_index([{"text": text} for text in texts], folder / "index", tokenizer="bytes")
    found = open_index(folder / "index").collocates("cat", (side, 2), 1, within=within)
    assert near_of(found) == slow(texts, r"\bcat\b", (side, 2), within)
