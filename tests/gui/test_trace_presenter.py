"""The Trace screen without its widgets: answers that are late, stale, or errors."""

from __future__ import annotations

import json

import pytest
from by_hand import HandServices

from explorer import build_index, open_index
from explorer.errors import QueryError
from explorer.gui.answer import Freshness
from explorer.gui.screens.trace.choice import Choice
from explorer.gui.screens.trace.choice_state import ALL
from explorer.gui.screens.trace.pieces import MOST_CHARACTERS
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import OLMOTRACE, Part, View
from explorer.trace.settings import TraceSettings

TEXT = "Perhaps the cat sat on the mat, and the dog saw it on the rug."
OTHER = "The dog sat on the mat, and the cat saw a dog."
GONE = QueryError("The drive is gone.")


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.requests = []
        self.presenter = TracePresenter(self.services, self.requests.append)
        self.presenter.set_up(density=1)
        self.presenter.use_corpus(corpus)

    @property
    def state(self):
        return self.presenter.state

    @property
    def choice(self):
        return self.presenter.choice

    @property
    def shown(self):
        return self.presenter.choice.state

    @property
    def tracer(self):
        return self.services.slots["trace"]

    @property
    def selector(self):
        return self.services.slots["selection"]

    def type(self, text: str) -> None:
        self.presenter.typed(text)
        self.services.let_time_pass()

    def ask(self, text: str) -> None:
        self.type(text)
        self.services.answer_all()

    @property
    def numbers(self):
        return [card.document.number for card in self.shown.cards]

    def region(self, text: str) -> int:
        """The number of the region with this text."""
        return next(
            number
            for number, merged in enumerate(self.state.trace.merged)
            if text in self.state.trace.text[merged.start : merged.end]
        )


@pytest.fixture
def bench(small):
    return Bench(small)


# What is asked.


def test_nothing_is_asked_while_the_person_types(bench):
    for end in range(1, 8):
        bench.presenter.typed(TEXT[:end])
    assert not bench.tracer.busy
    bench.services.let_time_pass()
    assert bench.tracer.asked == 1 and bench.state.answer.awaited


def test_the_answer_is_the_library_s(bench, small):
    bench.presenter.typed_prompt("What sat?")
    bench.ask(TEXT)
    expected = small.trace(TEXT, "What sat?", TraceSettings(density=1))
    found = bench.state.answer.current.trace
    assert found.spans == expected.spans and found.prompt == "What sat?"
    assert [document.number for document in found.documents] == [document.number for document in expected.documents]
    assert bench.state.summary.startswith(f"{len(found.spans)} spans in {found.token_count} tokens")
    assert (
        max(bench.state.lengths) == max(expected.covering) and "Longest match per token" in bench.state.ribbon_caption
    )


def test_an_answer_to_an_earlier_text_never_shows(bench):
    bench.type(TEXT)
    bench.type(OTHER)
    bench.tracer.answer()
    assert bench.state.trace.text == OTHER and not bench.tracer.busy


def test_an_answer_that_comes_while_the_person_types_is_dropped(bench):
    bench.ask(TEXT)
    before = bench.state.trace
    bench.type(OTHER)
    bench.presenter.typed(OTHER + " And")
    bench.tracer.answer()
    assert bench.state.trace is before and bench.state.answer.dimmed and not bench.shown.fits
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert bench.state.trace.text == OTHER + " And" and not bench.state.answer.dimmed and bench.shown.fits


def test_a_failure_keeps_the_last_answer_dimmed(bench):
    bench.ask(TEXT)
    good, cards = bench.state.trace, bench.shown.cards
    bench.type(OTHER)
    assert bench.state.answer.dimmed and bench.shown.dimmed and bench.state.notice == ""
    bench.tracer.fail(GONE)
    assert bench.state.trace is good and bench.shown.cards is cards
    assert bench.state.answer.dimmed and bench.shown.dimmed and bench.state.notice == "The drive is gone."
    bench.ask(TEXT)
    assert not bench.state.answer.dimmed and not bench.shown.dimmed and bench.state.notice == ""


def test_an_emptied_text_empties_the_screen(bench):
    bench.ask(TEXT)
    bench.type(" \n")
    assert bench.state.trace is None and bench.state.summary == "" and bench.state.lengths == ()
    assert bench.shown.cards == () and bench.shown.marks == () and bench.shown.invitation[0] == "Nothing traced yet"


def test_an_answer_that_is_on_its_way_when_the_text_is_emptied_is_dropped(bench):
    bench.type(TEXT)
    bench.type("")
    assert not bench.tracer.busy and bench.state.answer.freshness is Freshness.UNASKED


def test_another_index_is_asked_the_same_and_late_answers_of_the_first_are_dropped(bench, byte_index):
    bench.ask(TEXT)
    bench.presenter.leave_out(True)
    bench.type(OTHER)
    other = open_index(byte_index)
    bench.presenter.use_corpus(other)
    assert bench.state.trace is None and bench.shown.cards == ()
    assert not bench.services.slots["own documents"].busy and bench.tracer.busy
    bench.services.answer_all()
    assert bench.state.answer.current.request.corpus is other and bench.state.trace.text == OTHER
    bench.presenter.use_corpus(None)
    assert bench.state.trace is None and not bench.tracer.busy and bench.shown.invitation[0] == "No index is open"


def test_settings_are_asked_after_a_moment_and_reach_files_of_answers(bench):
    bench.ask(TEXT)
    asked = bench.tracer.asked
    bench.presenter.set_up(min_length=2)
    bench.presenter.set_up(min_length=3, seed=7)
    assert bench.presenter.batch.state.settings.min_length == 3 and bench.tracer.asked == asked
    bench.services.let_time_pass()
    assert bench.tracer.asked == asked + 1
    bench.services.answer_all()
    assert bench.state.trace.settings == TraceSettings(density=1, min_length=3, seed=7)
    bench.presenter.set_up(seed=7)
    bench.services.let_time_pass()
    assert not bench.tracer.busy
    bench.presenter.set_up(**OLMOTRACE)
    assert bench.state.settings == TraceSettings(relevance="olmotrace")


def test_a_setting_out_of_range_is_refused_with_a_sentence(bench):
    bench.ask(TEXT)
    before = bench.state.settings
    bench.presenter.set_up(density=0)
    assert bench.state.settings is before and "density must be above 0" in bench.state.notice
    assert not bench.state.answer.dimmed


def test_parts_are_shown_and_hidden(bench):
    assert bench.state.novelty is None
    bench.ask(TEXT)
    assert bench.state.novelty is bench.state.trace.novelty
    bench.presenter.show_part(Part.NOVELTY, False)
    assert bench.state.novelty is None and Part.SETTINGS in bench.state.parts
    bench.presenter.show_part(Part.NOVELTY, True)
    assert bench.state.novelty is not None


# Pieces.

CONVERSATION = json.dumps(
    [
        {"role": "user", "content": "What sat?"},
        {"role": "assistant", "content": "the cat sat on the mat."},
        {"role": "user", "content": "Who saw it?"},
        {"role": "assistant", "content": "the dog saw the cat."},
    ]
)


def test_a_conversation_is_traced_answer_by_answer(bench):
    bench.presenter.paste(CONVERSATION)
    pieces = bench.presenter.pieces
    assert bench.state.text == "the cat sat on the mat." and bench.state.prompt == "What sat?"
    assert pieces.state.shown and pieces.state.is_first and not pieces.state.is_last
    bench.tracer.answer()
    pieces.step(1)
    assert bench.state.answer.dimmed
    pieces.step(1)
    bench.tracer.answer()
    assert (bench.state.trace.text, bench.state.trace.prompt) == ("the dog saw the cat.", "Who saw it?")
    assert pieces.state.is_last and pieces.state.number == 1


def test_a_piece_that_is_left_before_its_answer_never_shows(bench):
    bench.presenter.paste(CONVERSATION)
    bench.presenter.pieces.step(1)
    bench.presenter.pieces.step(-1)
    bench.tracer.answer()
    assert bench.state.trace.text == "the cat sat on the mat." and not bench.tracer.busy


def test_another_text_ends_the_pieces(bench):
    bench.presenter.paste(CONVERSATION)
    bench.presenter.trace_text(TEXT)
    assert not bench.presenter.pieces.state.shown and bench.state.text == TEXT
    bench.presenter.pieces.step(1)
    assert bench.state.text == TEXT


def test_a_conversation_that_cannot_be_read_leaves_the_trace(bench):
    bench.ask(TEXT)
    bench.presenter.paste('[{"role": "user", "content": }]')
    assert "line 1 column 30" in bench.state.notice
    assert bench.state.trace.text == TEXT and not bench.state.answer.dimmed and bench.shown.cards
    bench.ask(OTHER)
    assert bench.state.notice == ""


def test_a_very_long_text_is_traced_in_parts(bench):
    text = "the cat sat on the mat.\n" * (5 * MOST_CHARACTERS // 24)
    bench.type(text)
    assert len(bench.presenter.pieces.state.pieces) == 5 and len(bench.state.text) <= MOST_CHARACTERS
    assert "are traced in 5 parts" in bench.presenter.pieces.state.note


def test_a_very_long_conversation_that_cannot_be_read_dims_the_trace_before(bench):
    bench.ask(TEXT)
    bench.type('[{"role": "user", "content": }]' + " " * 4 * MOST_CHARACTERS)
    assert "cannot be read" in bench.state.notice
    assert bench.state.trace.text == TEXT and bench.state.answer.dimmed and not bench.tracer.busy


# The choice.


def test_a_region_its_spans_and_back(bench):
    bench.ask(TEXT)
    every = bench.numbers
    region = bench.region("the cat sat on the mat")
    bench.choice.choose_region(region)
    merged = bench.state.trace.merged[region]
    assert [chip.number for chip in bench.shown.chips] == [ALL, *merged.spans]
    assert [chip.chosen for chip in bench.shown.chips] == [True] + [False] * len(merged.spans)
    assert [(m.start, m.end) for m in bench.shown.marks if m.chosen] == [(merged.start, merged.end)]
    span = merged.spans[-1]
    bench.choice.choose_span(span)
    assert all(span in card.document.spans for card in bench.shown.cards) and bench.numbers
    assert [chip.number for chip in bench.shown.chips if chip.chosen] == [span]
    assert len([mark for mark in bench.shown.marks if mark.outlined]) == len(merged.spans) - 1
    bench.choice.choose_span(ALL)
    assert bench.shown.choice == Choice(region=region) and bench.shown.can_clear
    bench.choice.choose_region(region)
    assert bench.shown.choice == Choice() and bench.numbers == every and not bench.shown.can_clear


def test_a_document_is_marked_without_listing_anew(bench):
    bench.ask(TEXT)
    cards = bench.shown.cards
    bench.choice.choose_document(0)
    assert bench.shown.cards is cards and bench.shown.can_clear
    assert bench.shown.choice.document is cards[0].document
    bench.choice.choose_document(len(cards))
    assert bench.shown.choice.document is cards[0].document
    bench.choice.clear()
    assert bench.shown.choice == Choice()


def test_the_longest_passage_is_chosen_and_left(bench):
    bench.ask(TEXT)
    assert bench.shown.longest.startswith("Longest passage")
    bench.choice.choose_longest(True)
    assert bench.shown.heading.endswith("with the longest passage") and bench.shown.choice.passage
    bench.choice.choose_longest(False)
    assert not bench.shown.can_clear


def test_duplicates_are_merged_or_not_and_the_choice_stays(bench):
    bench.ask(TEXT)
    region = bench.region("the cat sat on the mat")
    bench.choice.choose_region(region)
    merged = bench.shown.cards
    bench.choice.merge(False)
    assert bench.shown.choice == Choice(region=region)
    assert len(bench.shown.cards) >= len(merged) and bench.shown.heading.startswith(str(len(bench.shown.cards)))


def test_a_card_opens_its_document_at_what_it_shows(bench):
    bench.ask(TEXT)
    bench.choice.open(0)
    bench.choice.open(len(bench.shown.cards))
    (request,) = bench.requests
    assert request.number == bench.numbers[0] and request.length > 0


def test_another_trace_clears_the_choice(bench):
    bench.ask(TEXT)
    bench.choice.choose_region(0)
    bench.presenter.set_up(seed=3)
    bench.services.let_time_pass()
    assert bench.shown.choice != Choice() and bench.shown.dimmed
    bench.tracer.answer()
    assert bench.shown.choice == Choice() and not bench.shown.dimmed


def test_marks_do_not_fit_an_edited_text(bench):
    bench.ask(TEXT)
    assert bench.shown.fits and bench.shown.character_of(0) == 0
    bench.presenter.typed(TEXT + "!")
    assert not bench.shown.fits and bench.shown.character_of(0) is None
    bench.presenter.typed(TEXT)
    assert bench.shown.fits


# A selection.


def test_a_selection_is_looked_up_whatever_its_length(bench, small):
    bench.ask(TEXT)
    bench.choice.choose_region(0)
    bench.choice.select("the cat")
    assert bench.shown.choice != Choice() and bench.shown.awaited
    bench.selector.answer()
    times = small.count("the cat", whole_words=True)
    assert bench.shown.heading.startswith(f"The selected text occurs {times} times")
    assert bench.shown.choice == Choice() and bench.shown.can_clear and bench.shown.chips == ()
    bench.choice.open(0)
    assert bench.requests[0].needle == bench.shown.selection.value.needle
    bench.choice.clear()
    assert "selected text" not in bench.shown.heading and not bench.shown.can_clear


def test_only_the_newest_selection_is_answered(bench):
    bench.ask(TEXT)
    bench.choice.select("the cat")
    bench.choice.select("the dog")
    bench.selector.answer()
    assert bench.shown.selection.current.text == "the dog" and not bench.selector.busy


def test_a_selection_that_is_left_before_its_answer_never_shows(bench):
    bench.ask(TEXT)
    for leave in (
        bench.choice.unselect,
        bench.choice.clear,
        lambda: bench.choice.choose_region(0),
        lambda: bench.presenter.typed(TEXT + "!"),
    ):
        bench.presenter.typed(TEXT)
        bench.choice.select("the cat")
        leave()
        assert not bench.selector.busy and bench.shown.selection.value is None and not bench.shown.awaited


def test_what_does_not_occur_is_said(bench):
    bench.ask(TEXT)
    bench.choice.select("Perhaps the")
    bench.selector.answer()
    assert bench.shown.cards == () and bench.shown.invitation[0] == "Not in the corpus"


def test_a_selection_that_fails_leaves_the_documents_and_says_why(bench):
    bench.ask(TEXT)
    cards = bench.shown.cards
    bench.choice.select("the cat")
    bench.selector.fail(GONE)
    # These are the documents of the text, and as true as before.
    assert bench.shown.notice == "The drive is gone." and bench.shown.cards is cards and not bench.shown.dimmed
    bench.choice.select("the cat")
    bench.selector.answer()
    assert bench.shown.notice == ""
    found = bench.shown.cards
    bench.choice.select("the dog")
    bench.selector.fail(GONE)
    assert bench.shown.notice != "" and bench.shown.cards is found and bench.shown.dimmed


def test_a_selection_is_looked_up_again_when_its_text_was_traced_with_other_settings(bench):
    bench.ask(TEXT)
    bench.presenter.set_up(seed=3)
    bench.services.let_time_pass()
    bench.choice.select("the cat")
    bench.tracer.answer()
    assert bench.selector.asked == 2
    bench.selector.answer()
    assert bench.shown.selection.current.text == "the cat"


# Without its own documents, reports, files of answers, the session.


@pytest.fixture
def own(tmp_path):
    """An index that holds the very text that is traced, twice, and a part of it elsewhere; and that text."""
    words = " ".join(f"word{n}" for n in range(60))
    texts = [words, words, " ".join(f"word{n}" for n in range(20)) + " and something else"]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    build_index(tmp_path / "t.jsonl", tmp_path / "own", tokenizer="bytes")
    bench = Bench(open_index(tmp_path / "own"))
    bench.ask(words)
    return bench


def test_a_text_s_own_documents_are_left_out_and_put_back(own):
    assert own.state.offers_leaving_out and not own.state.offers_putting_back
    assert "in 2 documents" in own.state.self_match
    own.presenter.leave_out(True)
    own.services.answer_all()
    assert own.state.trace.self_match is None and own.numbers == [2]
    assert own.state.offers_putting_back and "Excluded from all counts: 2 documents" in own.state.self_match
    own.ask("word1 word2 word3 word4 word5 word6")
    assert "Some documents are excluded from all counts." in own.state.self_match
    own.presenter.leave_out(False)
    own.services.answer_all()
    assert own.state.less is None and not own.state.offers_putting_back


def test_leaving_out_that_fails_or_is_taken_back_changes_nothing(own):
    leaver = own.services.slots["own documents"]
    own.presenter.leave_out(True)
    leaver.fail(GONE)
    assert own.state.notice == "The drive is gone." and own.state.less is None and not own.state.answer.dimmed
    own.presenter.leave_out(True)
    own.presenter.leave_out(False)
    assert not leaver.busy and own.state.less is None


def test_a_report_is_of_what_is_shown(bench, tmp_path):
    bench.presenter.save_report(tmp_path / "none.json")
    bench.ask(TEXT)
    reporter = bench.services.slots["report"]
    bench.presenter.save_report(tmp_path / "r.json")
    bench.type(OTHER)
    reporter.answer()
    assert bench.state.summary == f"Wrote {tmp_path / 'r.json'}." and not (tmp_path / "none.json").exists()
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["traces"][0]["text"] == TEXT
    bench.tracer.answer()
    assert "spans in" in bench.state.summary
    bench.presenter.save_report(tmp_path / "r.docx")
    reporter.answer()
    assert ".html, .json" in bench.state.notice and not bench.state.answer.dimmed


def test_charts_are_of_what_is_shown(bench):
    assert bench.presenter.charts() is None
    bench.ask(TEXT)
    assert bench.presenter.charts()()


def test_a_row_of_a_file_is_traced_as_one_text(bench, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"prompt": "What sat?", "output": "the cat sat"}))
    batch = bench.presenter.batch
    batch.open(tmp_path / "a.jsonl")
    bench.services.answer_all()
    bench.presenter.choose_view(View.FILE)
    batch.run()
    bench.services.answer_all()
    batch.open_row(0)
    assert (bench.state.view, bench.state.text, bench.state.prompt) == (View.TEXT, "the cat sat", "What sat?")


def test_a_session_is_restored_and_nonsense_is_left_alone(bench, small):
    bench.presenter.typed_prompt("What sat?")
    bench.ask(TEXT)
    again = Bench(small)
    again.presenter.restore({"text": 3, "prompt": ""})
    again.presenter.restore({"text": TEXT})
    assert again.state.text == "" and not again.tracer.busy
    again.presenter.restore(bench.presenter.session())
    assert (again.state.text, again.state.prompt) == (TEXT, "What sat?") and again.tracer.busy
