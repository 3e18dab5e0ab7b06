"""The report of a trace as a page: what it marks, what comes first, and that no text from outside becomes a tag."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser

import pytest

from explorer import TraceSettings, build_index, open_index
from explorer.analyses.trace.passages import passages_of
from explorer.analyses.trace.summary import totals_of, verdict
from explorer.backends.documents.document import document_title
from explorer.export.jsonable import to_plain
from explorer.export.reports.trace_html import evidence, trace_html

EVIL = '<script>alert("x")</script> & <img src=x onerror=alert(1)>'
TEXT = f"one two three four five six seven eight nine ten eleven twelve. And then: {EVIL} ends here."
DOCUMENTS = [
    "say one two three four five six seven eight but no more",
    "say five six seven eight nine ten eleven twelve. And then something else",
    f"quoted: {EVIL} ends here. Really.",
]


class _Page(HTMLParser):
    """The tags of a page, the text inside of each mark of the text, and of each bold part of a document."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.marks, self.bold, self._open = set(), [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self._open.append((tag, dict(attributes)))
        if tag in ("mark", "b"):
            (self.marks if tag == "mark" else self.bold).append("")

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        names = [tag for tag, _ in self._open]
        if "mark" in names:
            self.marks[-1] += data
        if "b" in names:
            self.bold[-1] += data


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    rows = [{"text": text, "title": f"</title><script>{n}"} for n, text in enumerate(DOCUMENTS)]
    (folder / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    build_index(folder / "t.jsonl", folder / "out", tokenizer="bytes", name="<b>name</b>")
    corpus = open_index(folder / "out")
    settings = TraceSettings(density=1.0, min_length=8, word_boundaries="unicode")
    return corpus, corpus.trace(TEXT, "<i>prompt</i>", settings)


def test_nothing_from_outside_becomes_a_tag(traced):
    corpus, trace = traced
    page = _Page(trace_html(corpus.index, trace))
    assert not page.tags & {"script", "img", "i"}


def test_marks_and_documents_show_what_is_held(traced):
    corpus, trace = traced
    page = _Page(trace_html(corpus.index, trace))
    # The first mark is the longest passage, the next three explain the levels, or mark the text.
    passage = trace.longest_passage
    assert page.marks[0] == TEXT[passage.start : passage.end]
    assert any(page.marks[0] in corpus.document(number).text for number in passage.documents)
    for marked in page.marks:
        assert marked in ("high", "medium", "low") or any(marked.strip() in text for text in DOCUMENTS)
    assert page.bold and all(any(bold in text for text in DOCUMENTS) for bold in page.bold)


def test_overlapping_spans_are_parted(traced):
    corpus, trace = traced
    assert any(len(merged.spans) > 1 for merged in trace.merged)
    page = trace_html(corpus.index, trace)
    assert page.count('joint"') == sum(len(merged.spans) - 1 for merged in trace.merged)
    text = re.sub("<[^>]*>", "", page.split("<h3>Text</h3>")[1].split("</div>")[0])
    assert "one two three four five six seven eight nine ten eleven twelve. And then" in text


def test_the_data_have_the_longest_passage_and_each_share(traced):
    corpus, trace = traced
    value = to_plain(evidence(corpus.index, [trace]))["traces"][0]
    passage = value["longest_passage"]
    assert TEXT[passage["start"] : passage["end"]] in corpus.document(passage["documents"][0]).text
    assert passage["token_end"] - passage["token_start"] == value["novelty"]["longest_match"]
    assert value["settings"]["relevance"] == "share"
    for document in value["documents"]:
        assert 0 < document["share"] <= document["stretch"] <= 1 or not document["passages"]
        for held in document["passages"]:
            assert TEXT[held["start"] : held["end"]] in corpus.document(document["number"]).text


def test_numbers_and_names_are_those_of_the_window(traced):
    corpus, trace = traced
    page = trace_html(corpus.index, trace)
    shown = [int(number) for number in re.findall(r"<p>Document (\d+) ·", page)]
    assert shown == [document.number + 1 for document in trace.documents]
    (number,) = trace.longest_passage.documents
    (holding,) = (document for document in trace.documents if document.number == number)
    # By its name, as everywhere else.
    title = html.escape(document_title(holding.metadata, number))
    assert f"found once, in {title}." in page
    totals = totals_of([trace], [passages_of(trace)])
    assert html.escape(totals.sentence) in page
    assert html.escape(verdict(trace)) in page


def test_each_mark_leads_to_its_best_document_and_names_its_relevance(traced):
    corpus, trace = traced
    page = trace_html(corpus.index, [trace, trace])
    for number in (1, 2):
        for span in trace.spans:
            target = f"t{number}-d{span.documents[0] + 1}"
            assert f'<a href="#{target}">' in page and f'id="{target}"' in page
    words = re.findall(r'data-relevance="(.*?)"', page)
    assert words == [merged.level for merged in trace.merged] * 2
    # The longest passage comes before the text.
    assert page.index("Longest passage") < page.index("<h3>Text</h3>")


def test_one_document_is_not_several(traced):
    corpus, _ = traced
    page = trace_html(corpus.index, corpus.trace("quoted one", settings=TraceSettings(density=1.0, min_length=6)))
    assert "document(s)" not in page and "1 documents" not in page
