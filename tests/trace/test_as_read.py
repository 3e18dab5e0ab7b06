"""Traces of what a person reads: spans without marks, and their places in the source."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from explorer import TraceSettings
from explorer.analyses.trace.as_read import as_read
from explorer.analyses.trace.batch import trace_texts
from explorer.analyses.trace.pipeline import trace_text
from explorer.analyses.trace.selection import trace_selection
from explorer.documents.inputs.text_input import InputText
from explorer.errors import QueryError
from explorer.export.jsonable import to_json
from explorer.export.reports.trace_html import trace_html
from explorer.text.reading import read_text

LOOSE = TraceSettings(density=1.0, word_boundaries="off", read="plain")
MARKDOWN = replace(LOOSE, read="markdown")
TEXT = "# Cats\n\n- the **cat sat** on `the mat`, and\n- the dog saw *the cat* on the rug"


def test_marks_belong_to_no_span(small):
    plain = small.trace("the cat sat on the mat", settings=MARKDOWN)
    found = small.trace("the **cat** sat `on` the mat", settings=MARKDOWN)
    # The same tokens, so the same spans and documents.
    assert found.token_ids.tolist() == plain.token_ids.tolist()
    assert [span.count for span in found.spans] == [span.count for span in plain.spans]
    assert [document.number for document in found.documents] == [document.number for document in plain.documents]
    assert found.text == "the **cat** sat `on` the mat"
    span = found.spans[0]
    assert (span.start, span.end) == (0, 28)
    assert as_read(found).text[span.reading_start : span.reading_end] == "the cat sat on the mat"
    # As it is written, the marks end the matches.
    assert small.trace(found.text, settings=LOOSE).novelty.longest_match < found.novelty.longest_match


def test_every_place_leads_to_the_same_words(small):
    found = small.trace(TEXT, settings=MARKDOWN)
    read = as_read(found)
    assert read.text == read_text(TEXT, "markdown").text
    parts = [(found.spans, read.spans), (found.merged, read.merged)]
    parts += [(one.passages, other.passages) for one, other in zip(found.documents, read.documents, strict=True)]
    parts.append(([found.longest_passage], [read.longest_passage]))
    for ours, theirs in parts:
        for one, other in zip(ours, theirs, strict=True):
            assert (one.reading_start, one.reading_end) == (other.start, other.end)
            # The first and the last character are the same in both texts; marks are only in between.
            assert TEXT[one.start] == read.text[other.start]
            assert TEXT[one.end - 1] == read.text[other.end - 1]
            assert len(read.text[other.start : other.end]) <= one.end - one.start
    for start, end, first, last in zip(
        found.token_starts, found.token_ends, read.token_starts, read.token_ends, strict=True
    ):
        assert found.reading.source_range(first, last) == (start, end)


def test_a_text_can_be_traced_as_it_is(small):
    found = small.trace(TEXT, settings=LOOSE)
    assert found.reading is None
    assert as_read(found) is found
    assert all(span.reading_start is None for span in found.spans)
    # Nothing to read: "auto", the default, is the same as "plain".
    auto = small.trace("the cat sat")
    assert auto.settings.read == "auto"
    assert auto.reading is None
    with pytest.raises(QueryError, match='read must be auto, plain or markdown, not "html"'):
        TraceSettings(read="html")


def test_json_has_both_places(small):
    found = json.loads(to_json(small.trace(TEXT, settings=MARKDOWN)))
    assert found["text"] == TEXT
    reading = found["reading"]
    assert reading["text"] == read_text(TEXT, "markdown").text
    span = found["spans"][0]
    assert TEXT[span["start"]] == reading["text"][span["reading_start"]]
    assert {"heading", "bold", "code", "item", "italic"} == {run["style"] for run in reading["runs"]}
    plain = json.loads(to_json(small.trace(TEXT, settings=LOOSE)))
    assert plain["reading"] is None


def test_reports_show_what_was_read(small):
    page = trace_html(small.index, small.trace(TEXT, settings=MARKDOWN))
    assert "**" not in page.split("How this was made")[0]
    assert "**" in trace_html(small.index, small.trace(TEXT, settings=LOOSE))


def test_files_and_selections_are_read_too(small):
    rows = list(trace_texts(small.index, [InputText("", 1, "the **cat** sat on the mat", "")], settings=MARKDOWN))
    assert rows[0].longest_match == small.trace("the cat sat on the mat").novelty.longest_match
    chosen = trace_selection(small.index, "the mat", "the **cat** sat on the mat", settings=MARKDOWN)
    passages = [passage for document in chosen.documents for passage in document.passages]
    assert passages
    assert {"the **cat** sat on the mat"[passage.start] for passage in passages} <= {"t", "c"}
    assert all(passage.reading_end < passage.end for passage in passages)


def test_a_text_of_only_marks_is_no_text(small):
    with pytest.raises(QueryError, match="no text to trace"):
        trace_text(small.index, "***\n", settings=MARKDOWN)
