"""The numbers of a trace and its verdict, which window, report and command line share."""

from __future__ import annotations

import pytest

from explorer import TraceSettings, build_index, open_index
from explorer.analyses.trace.passages import passages_of
from explorer.analyses.trace.summary import summary, totals_of, verdict
from explorer.backends.documents.document import shown_metadata
from explorer.export.reports.trace_html import trace_html

WORDS = [f"word{number}" for number in range(60)]
SOURCE = " ".join(WORDS)
CHANGED = " ".join({20: "purple", 40: "zebra"}.get(n, word) for n, word in enumerate(WORDS[:50]))
IN_WORDS = pytest.mark.local("words are cut in folders on this machine")
OWN = " And fifteen further words of mine that nobody else has ever written anywhere before today."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verdict")
    rows = [{"text": SOURCE, "path": "news.txt", "linenum": 182}, {"text": "something else"}]
    build_index(rows, folder / "index", tokenizer="bytes")
    return open_index(folder / "index")


def trace(corpus, text, match="words"):
    return corpus.trace(text, settings=TraceSettings(match=match, density=1))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CHANGED + OWN, "48 of 65 words of this text are in {name} word for word{how}, in 3 passages with 2 other "
         "words between them."),
        (SOURCE, "All 60 words of this text are in {name} word for word{how}."),
        (SOURCE + OWN, "60 of 75 words of this text are in {name} word for word{how}."),
        (" ".join(WORDS[:10]) + OWN, ""),
        ("nothing of this", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("match", "how"),
    [("tokens", ""), pytest.param("words", ", apart from case and punctuation", marks=IN_WORDS)],
)
def test_the_verdict_counts_words_of_one_document(corpus, text, expected, match, how):
    found = trace(corpus, text, match)
    assert verdict(found) == expected.format(name="news.txt:183", how=how)
    if match == "words" and expected:
        # The total is that of the numbers beside it.
        assert f"in {found.token_count} words" in summary(found)


@IN_WORDS
def test_the_verdict_of_a_reading_text_counts_what_is_read(corpus):
    text = f"# **{' '.join(WORDS[:30])}**"
    assert verdict(trace(corpus, text)).startswith("All 30 words")


@IN_WORDS
def test_totals_are_those_of_the_trace(corpus):
    found = trace(corpus, CHANGED + OWN)
    totals = totals_of([found], [passages_of(found)])
    assert (totals.longest, totals.size) == (found.novelty.longest_match, found.token_count)
    assert (totals.covered, totals.novelty) == (found.coverage, found.novelty.index)
    assert totals.sentence in summary(found)
    both = totals_of([found, found], [passages_of(found)] * 2)
    assert (both.passages, both.size, both.documents) == (2 * totals.passages, 2 * totals.size, totals.documents)
    assert both.covered == pytest.approx(totals.covered)


@IN_WORDS
def test_lines_are_counted_from_one_in_reports(corpus):
    page = trace_html(corpus.index, trace(corpus, SOURCE))
    assert "linenum" not in page
    assert "<dt>line</dt><dd>183</dd>" in page
    assert shown_metadata({"linenum": "x"}) == {"linenum": "x"}
