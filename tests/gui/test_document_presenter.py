"""The document panel without its widgets: parts that are late, stale, or errors."""

from __future__ import annotations

import json

import pytest
from by_hand import HandServices

from explorer import build_index, open_index
from explorer.analyses.search.in_document import PART_TOKENS
from explorer.analyses.search.needle import Needle
from explorer.errors import QueryError
from explorer.gui.document.presenter import DocumentPresenter, Outlets
from explorer.gui.document.state import SCALE
from explorer.gui.presenting.requests import DocumentRequest, TraceText

GONE = QueryError("The drive is gone.")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A document of some 60,000 tokens with three hits, and a short one."""
    folder = tmp_path_factory.mktemp("panel")
    words = [f"word{n}" for n in range(12_000)]
    words[10] = words[20] = words[7_000] = "needle"
    (folder / "texts").mkdir()
    (folder / "texts" / "long.txt").write_text(" ".join(words))
    (folder / "texts" / "other.jsonl").write_text(json.dumps({"text": "short text"}) + "\n")
    build_index(folder / "texts", folder / "out", tokenizer="bytes")
    return open_index(folder / "out")


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.corpus = corpus
        self.services = HandServices()
        self.asked, self.copied, self.originals = [], [], []
        outlets = Outlets(self.asked.append, self.copied.append, self.originals.append)
        self.presenter = DocumentPresenter(self.services, outlets)
        self.presenter.use_corpus(corpus)
        numbers = {corpus.document(n).metadata["path"]: n for n in range(2)}
        self.long, self.short = numbers["long.txt"], numbers["other.jsonl"]
        self.text = corpus.document(self.long).text
        self.needle = Needle((tuple(corpus.encode("needle").tolist()),))
        self.at = [n for n in range(len(self.text)) if self.text.startswith("needle", n)]

    @property
    def state(self):
        return self.presenter.state

    @property
    def reader(self):
        return self.services.slots["document"]

    @property
    def finder(self):
        return self.services.slots["find"]

    def ask(self, number=None, hit=0) -> None:
        number = self.long if number is None else number
        offset = self.at[hit] if number == self.long else 0
        length = 6 if number == self.long else 0
        self.presenter.open(DocumentRequest(number, offset, length, self.needle))

    def open(self, number=None, hit=0) -> None:
        self.ask(number, hit)
        self.reader.answer()


@pytest.fixture
def bench(corpus):
    return Bench(corpus)


def test_a_document_is_shown_at_its_hit(bench):
    bench.open()
    state = bench.state
    assert state.title == "long.txt" and state.place.endswith(f"{len(bench.text):,} tokens")
    assert state.navigation == "Hit 1 of 3" and not state.can_go_back and state.can_go_on
    assert [bench.text[mark.start : mark.end] for mark in state.marks] == ["needle", "needle"]
    assert [mark.strong for mark in state.marks] == [True, False]
    assert state.has_scale and not state.dimmed


def test_only_the_document_that_was_asked_for_last_is_shown(bench):
    bench.ask()
    bench.open(bench.short)
    assert bench.state.part.value.number == bench.short and not bench.reader.busy and not bench.state.has_scale


def test_another_document_dims_the_one_before_and_its_hits_lead_nowhere(bench):
    bench.open()
    bench.ask(bench.short)
    assert bench.state.dimmed and not bench.state.can_go_on
    asked = bench.reader.asked
    bench.presenter.step(1)
    bench.presenter.scroll_on(1)
    bench.presenter.jump()
    assert bench.reader.asked == asked and bench.state.hit == (0, 0, 0)
    bench.reader.fail(GONE)
    assert bench.state.part.value.number == bench.long and bench.state.dimmed
    assert bench.state.notice == "The drive is gone."
    bench.open(bench.short)
    assert not bench.state.dimmed and bench.state.notice == ""


def test_steps_go_from_hit_to_hit_and_read_on_only_where_they_must(bench):
    bench.open()
    asked = bench.reader.asked
    bench.presenter.step(1)
    assert bench.state.navigation == "Hit 2 of 3" and bench.reader.asked == asked
    bench.presenter.step(1)
    assert bench.reader.asked == asked + 1 and not bench.state.dimmed
    bench.reader.answer()
    assert bench.state.navigation == "Hit 3 of 3" and [mark.strong for mark in bench.state.marks] == [True]
    bench.presenter.step(1)
    assert bench.state.navigation == "Hit 3 of 3"


def test_a_step_while_another_part_is_awaited_is_not_lost(bench):
    bench.open()
    bench.presenter.scroll_on(1)
    bench.presenter.step(1)
    bench.reader.answer()
    assert bench.state.number == 1 and any(mark.strong for mark in bench.state.marks) and not bench.reader.busy


def test_scrolling_reads_the_next_part_once_and_keeps_the_place(bench):
    bench.open()
    edge = bench.state.part.value.last
    bench.presenter.scroll_on(-1)
    assert not bench.reader.busy
    bench.presenter.scroll_on(1)
    bench.presenter.scroll_on(1)
    assert bench.reader.asked == 2 and not bench.state.dimmed
    bench.reader.answer()
    part = bench.state.part.value
    assert part.first < edge < part.last
    assert bench.state.kept_share == pytest.approx((edge - part.first) / PART_TOKENS)
    bench.presenter.scroll_on(1)
    bench.reader.fail(GONE)
    assert bench.state.part.value is part and bench.state.dimmed and bench.state.notice != ""


def test_the_scale_is_read_when_it_rests(bench):
    bench.open()
    for position in range(0, SCALE // 2 + 1, SCALE // 10):
        bench.presenter.slide(position)
    assert not bench.reader.busy
    bench.services.let_time_pass()
    bench.reader.answer()
    part = bench.state.part.value
    assert part.first < part.token_count // 2 < part.last and bench.state.kept_share is None
    assert abs(bench.state.scale - SCALE // 2) <= 1
    bench.presenter.release(0)
    bench.reader.answer()
    assert bench.state.part.value.first == 0 and bench.state.scale == 0


def test_text_is_found_from_here_on_and_marked(bench):
    bench.open()
    bench.presenter.find_next("WORD30 ", False)
    assert bench.state.find_note == "…"
    bench.finder.answer()
    place = bench.text.index("word30 ")
    assert bench.state.found == (place, 7) and bench.state.find_note == ""
    assert [mark.start for mark in bench.state.marks if mark.strong] == [place]
    bench.presenter.find_next("word11998", False)
    bench.finder.answer()
    bench.reader.answer()
    assert [bench.state.part.value.text[m.start : m.end] for m in bench.state.marks if m.strong] == ["word11998"]
    bench.presenter.find_next("nowhere", False)
    bench.finder.answer()
    assert bench.state.find_note == "not in this document"


def test_what_was_looked_for_in_another_document_is_dropped(bench):
    bench.open()
    bench.presenter.find_next("word30", False)
    bench.open(bench.short)
    assert not bench.finder.busy and bench.state.found is None and bench.state.find_note == ""


def test_a_search_that_fails_leaves_the_document(bench):
    bench.open()
    bench.presenter.find_next("word30", False)
    bench.finder.fail(GONE)
    assert bench.state.notice == "The drive is gone." and bench.state.find_note == "" and not bench.state.dimmed
    bench.presenter.find_next("word30", False)
    bench.finder.answer()
    assert bench.state.notice == ""


def test_the_progress_of_a_search_is_shown(bench):
    bench.open()
    seen = []
    bench.presenter.watch(lambda new, old: seen.append(new.find_note))
    bench.presenter.find_next("nowhere", False)
    bench.finder.answer()
    assert len([note for note in seen if note.endswith("% …")]) > 1 and seen[-1] == "not in this document"


def test_another_index_closes_the_document_and_drops_what_is_awaited(bench):
    bench.open()
    bench.presenter.find_next("word30", False)
    bench.presenter.actions.copy_citation()
    bench.presenter.scroll_on(1)
    bench.presenter.use_corpus(None)
    assert not any(slot.busy for slot in bench.services.slots.values())
    state = bench.state
    assert state.part.value is None and state.marks == () and (state.title, state.navigation) == ("", "")
    bench.presenter.find_next("word30", False)
    bench.presenter.actions.copy_citation()
    assert not any(slot.busy for slot in bench.services.slots.values())


def test_that_no_listed_line_is_in_it_is_said_of_this_document_only(bench):
    bench.open()
    bench.presenter.show_listed(bench.short, False)
    assert bench.state.outside == ""
    bench.presenter.show_listed(bench.long, False)
    assert "None of the listed lines" in bench.state.outside
    bench.open(bench.short)
    assert bench.state.outside == ""


def test_cited_traced_and_its_original_asked_for(bench):
    bench.open()
    bench.presenter.actions.copy_citation()
    bench.services.answer_all()
    assert "“needle”" in bench.copied[0] and bench.state.said.startswith("Copied: ")
    bench.presenter.hush()
    assert bench.state.said == ""
    bench.presenter.actions.trace()
    bench.services.answer_all()
    (request,) = bench.asked
    assert isinstance(request, TraceText) and bench.text.startswith(request.text)
    bench.presenter.actions.open_original()
    bench.services.answer_all()
    assert [path.name for path in bench.originals] == ["long.txt"]
    bench.presenter.actions.open_original()
    bench.services.slots["document facts"].fail(GONE)
    assert bench.state.notice == "The drive is gone." and not bench.state.dimmed
