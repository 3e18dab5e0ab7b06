"""A trace in words: against a slow twin, against a trace of tokens, and back to the text of the corpus."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer import TraceSettings, build_index, open_index
from explorer.analyses.trace.in_words import InWords, words_for
from explorer.backends.documents.reading import text_of, tokens_of
from explorer.errors import DamagedIndexError, QueryError
from explorer.words.rule import WordRule, words_of

pytestmark = pytest.mark.local("words are cut in folders on this machine")

RULE = WordRule()
WORDS = TraceSettings(match="words", density=1.0)
TEXTS = [
    "The cat sat on the mat. The cat's hat cost 3.14, not 1,000!\nAnd then, “it” went away: home again.",
    "naïve café — 日本語のテキスト and e-mail_x 日本",
    "",
    "…",
    "It’s the dog; the DOG, The dog ran; over\nthe hill—and away",
    "breadthe the the bread, the the\u0301 日\u3099a",
]  # fmt: skip
PIECES = st.sampled_from([
    "the", "The", "cat", "cat's", "cat’s", "CAT", "sat", "dog", "日", "本", "語", "3.14", "hill", "away", "and",
    "unicorn", " ", "\n", ", ", "—", "“", "”", ". ", " ", " ", " ",
])  # fmt: skip


@pytest.fixture(scope="module", params=["bytes", "train:400"])
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("words") / "index"
    build_index([{"text": text} for text in TEXTS], folder, tokenizer=request.param, shards=2)
    return open_index(folder)


def slow_spans(text, texts=TEXTS):
    """Maximal runs of words that occur in a document, with their counts: all runs, one after the other."""
    forms = words_of(text, RULE)
    documents = [words_of(document, RULE) for document in texts]

    def count(part):
        return sum(document[at : at + len(part)] == part for document in documents for at in range(len(document)))

    runs = [
        (first, last, count(forms[first:last]))
        for first in range(len(forms))
        for last in range(first + 1, len(forms) + 1)
    ]
    found = [run for run in runs if run[2]]
    return [
        run for run in found
        if not any(other[0] <= run[0] and run[1] <= other[1] and other[:2] != run[:2] for other in found)
    ]  # fmt: skip


@given(st.lists(PIECES, min_size=1, max_size=14).map("".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_spans_are_those_of_a_slow_twin(corpus, text):
    if not words_of(text, RULE):
        with pytest.raises(QueryError, match="no words"):
            corpus.trace(text, settings=WORDS)
        return
    found = corpus.trace(text, settings=WORDS)
    assert [(span.token_start, span.token_end, span.count) for span in found.spans] == slow_spans(text)
    for span in found.spans:
        # From the first letter of its first word to the last of its last one, whatever is between.
        own = words_of(text[span.start : span.end], RULE)
        assert own == words_of(text, RULE)[span.token_start : span.token_end]
        assert text[span.start : span.end].strip(" \n,—“”.") == text[span.start : span.end]
    for document in found.documents:
        for snippet, span in [(each, found.spans[each.span]) for each in document.snippets]:
            match = snippet.text[snippet.match_start : snippet.match_end]
            assert words_of(match, RULE) == words_of(text[span.start : span.end], RULE)
            assert match in TEXTS[document.number]


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_part_of_a_document_is_read_as_it_is_written(corpus, data):
    reader = InWords.of(corpus.index, words_for(corpus.index))
    number = data.draw(st.sampled_from([0, 1, 4, 5]))
    ids = tokens_of(reader.words.backend, number)
    first = data.draw(st.integers(0, len(ids) - 1))
    last = data.draw(st.integers(first + 1, len(ids) + 3))
    part = reader.open(reader.words.backend, number, ids).part(first, last)
    forms = words_of(TEXTS[number], RULE)[first:last]
    assert [RULE.form(part.text[a:b]) for a, b in zip(part.starts, part.ends, strict=True)] == forms
    assert part.text in TEXTS[number]
    # Its ends are the document's where its words are: nothing of a sentence is lost there.
    assert (first > 0) or TEXTS[number].startswith(part.text)
    assert (last < len(ids)) or TEXTS[number].endswith(part.text)
    for word, begin, end in zip(forms, part.tokens.tolist(), part.token_ends.tolist(), strict=True):
        assert word in words_of(text_of(corpus.index, number, max(0, begin), end).text, RULE) or begin + 1 == end
        whole = text_of(corpus.index, number, begin, end).text
        assert word in RULE.form(whole)


def test_a_copy_in_other_lines_capitals_and_quotes_is_found_whole(corpus):
    copied = (
        "‘THE CAT SAT\nON THE MAT’ — the cat’s hat\ncost 3.14 (not 1,000);\r\nand then: ‘it’ went AWAY… home again!"
    )
    found = corpus.trace(copied, settings=WORDS)
    assert found.unit == "words"
    assert found.token_count == 20
    (span,) = found.spans
    assert (span.token_start, span.token_end, span.count) == (0, 20, 1)
    assert copied[span.start : span.end] == copied[1:-1]
    (document,) = found.documents
    assert (document.number, document.share, document.stretch, document.level) == (0, 1.0, 1.0, "high")
    assert document.longest.text[document.longest.match_start : document.longest.match_end] == TEXTS[0][:-1]
    # Of the tokens, hardly anything is left.
    tokens = corpus.trace(copied, settings=replace(WORDS, match="tokens"))
    longest = max(tokens.spans, key=lambda span: span.end - span.start)
    assert len(words_of(copied[longest.start : longest.end], RULE)) < 6
    assert all(document.share < 0.5 for document in tokens.documents)


def test_measures_and_settings_are_of_words(corpus):
    found = corpus.trace("so THE dog—the dog ran", settings=replace(WORDS, delimiters=("x",), abbreviations=True))
    assert repr(found) == "Trace(6 words, 1 span, longest 5, 1 document)"
    assert found.covering.tolist() == [0, 5, 5, 5, 5, 5]
    assert found.coverage == 5 / 6
    used = found.settings
    assert (used.delimiters, used.abbreviations, used.word_boundaries) == ((), False, "off")
    summaries = " ".join(measured.summary + measured.sentence for measured in found.measured)
    assert "5 words" in summaries and "token" not in summaries
    quotes = [(measured.quote.times, measured.quote.documents) for measured in found.measured if measured.quote]
    assert quotes == [("5 words in a row, found once", (4,))]
    charts = [chart for measured in found.measured if (chart := measured.chart("x"))]
    assert [chart.header[0] for chart in charts] == ["word", "match_length"]
    assert not any("token" in repr(chart).lower() for chart in charts)


def test_lengths_are_in_words(corpus):
    text = "the cat sat. unicorn: the DOG"
    assert [span.token_end for span in corpus.trace(text, settings=replace(WORDS, min_length=3)).spans] == [3]
    assert [span.token_start for span in corpus.trace(text, settings=replace(WORDS, max_count=1)).spans] == [0]
    assert len(corpus.trace(text, settings=replace(WORDS, density=0.1)).spans) == 1


def test_passages_are_tokens_of_the_document(corpus):
    found = corpus.trace("THE DOG the dog, ran over the HILL", settings=WORDS)
    (document,) = found.documents
    (passage,) = document.passages
    read = text_of(corpus.index, 4, passage.offset, passage.offset + 1).text
    assert text_of(corpus.index, 4, passage.offset).text.lstrip().startswith("the DOG, The dog ran")
    assert "the".startswith(read.strip() or "the")
    assert passage.offset == document.longest.offset


def test_documents_with_the_text_are_left_out_in_words(corpus):
    text = TEXTS[0].upper().replace(" ", "\n") + " and the dog ran over the hill"
    whole = corpus.trace(text, settings=WORDS)
    less = corpus.trace(text, settings=WORDS, without_self=True)
    assert 0 in {document.number for document in whole.documents}
    assert 0 not in {document.number for document in less.documents}
    # As if it were traced in an index that never had the document.
    parts = [(span.token_start, span.token_end, span.count) for span in less.spans]
    assert parts == slow_spans(text, TEXTS[1:]) != slow_spans(text)


def test_many_texts_are_traced_in_words(corpus):
    rows = [{"text": "THE dog,\nthe dog"}, {"text": "…"}, {"text": "the cat's hat"}]
    found = list(corpus.trace_many(rows, text_field="text", on_bad="keep", settings=WORDS))
    assert [trace and (trace.unit, trace.token_count) for trace in found] == [("words", 4), None, ("words", 3)]
    two = list(corpus.trace_many(rows, text_field="text", on_bad="keep", settings=WORDS, workers=2))
    assert two == found


def test_markdown_is_read_before_it_is_cut_into_words(corpus):
    text = "so **THE** [dog](http://a.b): *the dog*"
    found = corpus.trace(text, settings=replace(WORDS, read="markdown"))
    (span,) = found.spans
    assert text[span.start : span.end] == "THE** [dog](http://a.b): *the dog"
    assert (span.token_start, span.token_end, span.count) == (1, 5, 2)


def test_a_corpus_without_words(tmp_path):
    build_index([{"text": "…"}, {"text": "—"}], tmp_path / "index", tokenizer="bytes")
    found = open_index(tmp_path / "index").trace("a word", settings=WORDS)
    assert (found.token_count, found.spans, found.documents, found.longest_passage) == (2, (), (), None)


def test_one_word(corpus):
    found = corpus.trace("(DOG)", settings=WORDS)
    assert [(span.start, span.end, span.count) for span in found.spans] == [(1, 4, 3)]
    assert corpus.trace("unicorn", settings=WORDS).spans == ()


def test_words_that_a_document_lacks_are_an_error(corpus):
    reader = InWords.of(corpus.index, words_for(corpus.index))
    wrong = np.arange(3, dtype=np.int64)
    with pytest.raises(DamagedIndexError, match="Document 4 does not have the words"):
        reader.open(reader.words.backend, 4, wrong).part(0, 3)


def test_the_rule_of_apostrophes():
    assert RULE.form("Cat’s") == RULE.form("cat's") == "cat's" != WordRule(apostrophes=True).form("Cat’s")
    assert len({RULE.key, WordRule(apostrophes=True).key}) == 2


def test_texts_are_traced_in_the_words_that_every_list_has(corpus):
    assert words_for(corpus.index).local.folders == corpus.words().index.local.folders


@pytest.mark.parametrize("copy", ["STRASSE zum CAFE\u0301, fi\u00adnal, don’t", "straße zum café ﬁnal don't"])
def test_a_copy_with_other_spellings_of_its_words_is_one_match(tmp_path, copy):
    build_index([{"text": "die Straße zum Café\u200d — final don't stop"}], tmp_path / "out", tokenizer="bytes")
    found = open_index(tmp_path / "out").trace(copy, settings=WORDS)
    assert [(span.token_start, span.token_end) for span in found.spans] == [(0, 5)]
    assert [(each.token_start, each.token_end) for each in found.documents[0].passages] == [(0, 5)]


def test_a_match_that_is_unknown():
    with pytest.raises(QueryError, match='match must be tokens or words, not "letters"'):
        TraceSettings(match="letters")  # pyright: ignore
    assert list(itertools.islice(vars(TraceSettings().in_words()), 1)) == ["density"]
