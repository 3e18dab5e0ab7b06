"""The Trace screen without its widgets: answers that are late, stale, or errors."""

from __future__ import annotations

import json

import pytest
from by_hand import HandServices

from explorer import build_index, open_index
from explorer.analyses.trace.passages import passages_of
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.summary import Totals, totals_of
from explorer.errors import QueryError
from explorer.gui.presenting.answer import Freshness
from explorer.gui.presenting.requests import Saved
from explorer.gui.screens.trace.documents.choice import Choice, Show, held_runs
from explorer.gui.screens.trace.documents.choice_state import ALL, Tab
from explorer.gui.screens.trace.figures import Jump, figures_of
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import OLMOTRACE, Part, View
from explorer.gui.screens.trace.text.pieces import MOST_CHARACTERS

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

    def passage(self, text: str) -> int:
        """The number of the passage with this text."""
        return next(
            number
            for number, passage in enumerate(self.shown.passages)
            if text in self.state.trace.text[passage.start : passage.end]
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
    assert bench.state.summary.startswith(totals_of([found], [passages_of(found)]).sentence)
    figures = {figure.target: figure.number for figure in bench.shown.figures}
    assert figures[Jump.LONGEST] == str(max(expected.covering)) and figures[Show.ALL] == str(len(bench.shown.passages))
    assert figures[Jump.DOCUMENTS] == str(len(expected.documents))


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
    good, entries = bench.state.trace, bench.shown.entries
    bench.type(OTHER)
    assert bench.state.answer.dimmed and bench.shown.dimmed and bench.state.notice == ""
    bench.tracer.fail(GONE)
    assert bench.state.trace is good and bench.shown.entries is entries
    assert bench.state.answer.dimmed and bench.shown.dimmed and bench.state.notice == "The drive is gone."
    bench.ask(TEXT)
    assert not bench.state.answer.dimmed and not bench.shown.dimmed and bench.state.notice == ""


def test_an_emptied_text_empties_the_screen(bench):
    bench.ask(TEXT)
    bench.type(" \n")
    assert bench.state.trace is None and bench.state.summary == "" and bench.shown.figures == ()
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
    assert bench.state.trace.settings == TraceSettings(density=1, min_length=3, seed=7, read="auto")
    bench.presenter.set_up(seed=7)
    bench.services.let_time_pass()
    assert not bench.tracer.busy
    bench.presenter.set_up(**OLMOTRACE)
    assert bench.state.settings == TraceSettings(relevance="olmotrace", read="auto")


def test_a_setting_out_of_range_is_refused_with_a_sentence(bench):
    bench.ask(TEXT)
    before = bench.state.settings
    bench.presenter.set_up(density=0)
    assert bench.state.settings is before and "density must be a number above 0" in bench.state.notice
    assert not bench.state.answer.dimmed


def test_the_prompt_has_a_line_if_there_is_one_or_if_it_is_wanted(bench):
    assert not bench.state.prompt_shown
    bench.presenter.show_part(Part.PROMPT, True)
    assert bench.state.prompt_shown
    bench.presenter.clear()
    assert not bench.state.prompt_shown
    bench.presenter.typed_prompt("What sat?")
    assert bench.state.prompt_shown


# Pieces.

CONVERSATION = json.dumps(
    [
        {"role": "user", "content": "What sat?"},
        {"role": "assistant", "content": "the cat sat on the mat."},
        {"role": "user", "content": "Who saw it?"},
        {"role": "assistant", "content": "the dog saw the cat."},
    ]
)


def test_a_pasted_conversation_is_put_on_its_tab(bench):
    bench.ask(TEXT)
    bench.presenter.paste(CONVERSATION)
    assert bench.state.view is View.CONVERSATION and bench.state.trace.text == TEXT
    bench.services.answer_all()
    assert len(bench.presenter.conversation.state.answers) == 2


def test_another_text_ends_the_pieces(bench):
    bench.presenter.paste("the cat sat on the mat.\n" * (2 * MOST_CHARACTERS // 24))
    assert bench.presenter.pieces.state.shown
    bench.presenter.trace_text(TEXT)
    assert not bench.presenter.pieces.state.shown and bench.state.text == TEXT
    bench.presenter.pieces.step(1)
    assert bench.state.text == TEXT


def test_a_very_long_text_is_traced_in_parts(bench):
    text = "the cat sat on the mat.\n" * (5 * MOST_CHARACTERS // 24)
    bench.type(text)
    assert len(bench.presenter.pieces.state.pieces) == 5 and len(bench.state.text) <= MOST_CHARACTERS
    assert "are traced in 5 parts" in bench.presenter.pieces.state.note


# Files.


def test_a_file_with_a_text_is_traced(bench, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    bench.presenter.open(tmp_path / "a.txt")
    bench.services.answer_all()
    assert bench.state.trace.text == TEXT and bench.state.view is View.TEXT


def test_a_file_with_a_conversation_is_put_on_its_tab(bench, tmp_path):
    (tmp_path / "a.json").write_text(CONVERSATION)
    bench.presenter.open(tmp_path / "a.json")
    bench.services.answer_all()
    assert bench.state.view is View.CONVERSATION and len(bench.presenter.conversation.state.answers) == 2


def test_a_text_that_is_opened_as_a_conversation_is_refused_there(bench, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    bench.presenter.choose_view(View.CONVERSATION)
    bench.presenter.open(tmp_path / "a.txt")
    bench.services.answer_all()
    assert "conversation" in bench.presenter.conversation.state.notice and bench.state.text == ""


def test_a_file_that_cannot_be_read_says_why(bench, tmp_path):
    bench.ask(TEXT)
    (tmp_path / "a.txt").write_bytes(b"\0\1\2" * 100)
    for name, reason in (("none.txt", "cannot be read"), ("a.txt", "is not text")):
        bench.presenter.open(tmp_path / name)
        bench.services.answer_all()
        assert reason in bench.state.notice and bench.state.trace.text == TEXT and not bench.state.answer.dimmed


# The choice.


def test_a_passage_its_spans_and_back(bench):
    bench.ask(TEXT)
    every = bench.numbers
    number = bench.passage("the cat sat on the mat")
    bench.choice.choose_passage(number)
    passage = bench.shown.passages[number]
    spans = [chip.number for chip in bench.shown.chips if chip.number >= 0]
    assert bench.shown.chips[0].number == ALL and set(spans) <= set(passage.spans)
    assert [chip.number for chip in bench.shown.chips if chip.chosen] == [ALL]
    # No document contains the whole region: the color shows what the first document contains of it.
    first = bench.shown.cards[0].document
    held = [(m.start, m.end) for m in bench.shown.marks if m.chosen]
    assert held == [run for run in held_runs(bench.state.trace, first) if passage.start <= run[0] < passage.end]
    assert held and held != [(passage.start, passage.end)]
    span = spans[-1]
    bench.choice.choose_chip(span)
    assert span in bench.shown.cards[0].document.spans
    assert sorted(bench.numbers) == sorted(every)
    assert [chip.number for chip in bench.shown.chips if chip.chosen] == [span]
    assert len([mark for mark in bench.shown.marks if mark.outlined]) == len(passage.spans) - 1
    bench.choice.choose_chip(ALL)
    assert bench.shown.choice == Choice(passage=number, document=first) and bench.shown.can_clear
    bench.choice.choose_passage(number)
    assert bench.shown.choice == Choice() and bench.numbers == every and not bench.shown.can_clear


def test_the_passages_are_gone_through_and_hidden(bench):
    bench.ask(TEXT)
    count = len(bench.shown.passages)
    assert count > 1
    seen = []
    for _ in range(count):
        bench.choice.step(1)
        seen.append(bench.shown.choice.passage)
    assert seen == list(range(count))
    bench.choice.step(1)
    assert bench.shown.choice.passage == 0 and bench.shown.heading == f"Passage 1 of {count}"
    bench.choice.step(-1)
    assert bench.shown.choice.passage == count - 1
    bench.choice.hide(1)
    assert bench.shown.hidden == "1 hidden" and all(mark.passage != 1 for mark in bench.shown.marks)
    bench.choice.step(1)
    bench.choice.step(1)
    assert bench.shown.choice.passage == (2 if count > 2 else 0)
    bench.choice.hide(None)
    assert bench.shown.hidden == ""


def test_the_numbers_filter_text_and_cards(bench):
    bench.ask(TEXT)
    every = bench.numbers
    bench.choice.press(Show.HIGH)
    assert [figure.target for figure in bench.shown.figures if figure.chosen] == [Show.HIGH]
    assert all(mark.level == "high" for mark in bench.shown.marks)
    assert all(card.document.level == "high" for card in bench.shown.cards)
    bench.choice.press(Show.COVERED)
    inside = {at for mark in bench.shown.marks for at in range(mark.start, mark.end)}
    trace = bench.state.trace
    for start, end, length in zip(trace.token_starts, trace.token_ends, trace.covering, strict=True):
        if trace.text[start:end].strip():
            assert (int(end) - 1 in inside) == (length >= 5)
    bench.choice.press(Jump.NOVELTY)
    assert bench.shown.tab is Tab.NOVELTY and bench.shown.filter.show is Show.COVERED
    bench.choice.press(Jump.DOCUMENTS)
    assert bench.shown.tab is Tab.DOCUMENTS and bench.numbers == every


def test_a_document_is_marked_without_listing_anew(bench):
    bench.ask(TEXT)
    cards, entries = bench.shown.cards, bench.shown.entries
    bench.choice.choose_document(0)
    assert bench.shown.entries is entries and bench.shown.can_clear
    assert bench.shown.choice.document is cards[0].document
    bench.choice.choose_document(len(bench.shown.entries))
    assert bench.shown.choice.document is cards[0].document
    bench.choice.clear()
    assert bench.shown.choice == Choice()


def test_the_longest_match_is_chosen_as_one(bench):
    bench.ask(TEXT)
    bench.choice.press(Jump.LONGEST)
    longest = bench.state.trace.longest_passage
    assert bench.shown.heading == f"Longest match: {longest.length} tokens" and bench.shown.choice.longest
    assert [(mark.start, mark.end) for mark in bench.shown.marks if mark.chosen] == [(longest.start, longest.end)]
    assert bench.shown.cards[0].document.number in longest.documents
    bench.choice.clear()
    assert not bench.shown.can_clear


def test_duplicates_are_merged_or_not_and_the_choice_stays(bench):
    bench.ask(TEXT)
    number = bench.passage("the cat sat on the mat")
    bench.choice.choose_passage(number)
    merged = bench.shown.cards
    bench.choice.merge(False)
    # Of a whole passage, the first document is chosen.
    assert bench.shown.choice == Choice(passage=number, document=bench.shown.cards[0].document)
    assert len(bench.shown.cards) >= len(merged) and len(bench.shown.cards) == len(bench.state.trace.documents)


def test_a_card_opens_its_document_at_what_it_shows(bench):
    bench.ask(TEXT)
    bench.choice.open(0)
    bench.choice.open(len(bench.shown.entries))
    (request,) = bench.requests
    assert request.number == bench.numbers[0] and request.length > 0


def test_another_trace_clears_the_choice(bench):
    bench.ask(TEXT)
    bench.choice.choose_passage(0)
    bench.presenter.set_up(seed=3)
    bench.services.let_time_pass()
    assert bench.shown.choice != Choice() and bench.shown.dimmed
    bench.tracer.answer()
    assert bench.shown.choice == Choice() and not bench.shown.dimmed


def test_marks_do_not_fit_an_edited_text(bench):
    bench.ask(TEXT)
    assert bench.shown.fits
    bench.presenter.typed(TEXT + "!")
    assert not bench.shown.fits
    bench.presenter.typed(TEXT)
    assert bench.shown.fits


# A selection.


def test_a_selection_is_looked_up_whatever_its_length(bench, small):
    bench.ask(TEXT)
    bench.choice.choose_passage(0)
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
        lambda: bench.choice.choose_passage(0),
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
    entries = bench.shown.entries
    bench.choice.select("the cat")
    bench.selector.fail(GONE)
    # These are the documents of the text, and as true as before.
    assert bench.shown.notice == "The drive is gone." and bench.shown.entries is entries and not bench.shown.dimmed
    bench.choice.select("the cat")
    bench.selector.answer()
    assert bench.shown.notice == ""
    found = bench.shown.entries
    bench.choice.select("the dog")
    bench.selector.fail(GONE)
    assert bench.shown.notice != "" and bench.shown.entries is found and bench.shown.dimmed


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
    assert own.state.own.less is None and not own.state.offers_putting_back


def test_leaving_out_that_fails_or_is_taken_back_changes_nothing(own):
    leaver = own.services.slots["own documents"]
    own.presenter.leave_out(True)
    leaver.fail(GONE)
    assert own.state.notice == "The drive is gone." and own.state.own.less is None and not own.state.answer.dimmed
    own.presenter.leave_out(True)
    own.presenter.leave_out(False)
    assert not leaver.busy and own.state.own.less is None


def left_out_again(own, **values):
    """Another bench on the same index, which a session of the first is restored in."""
    again = Bench(own.state.corpus)
    again.presenter.restore(json.loads(json.dumps(own.presenter.session())) | values)
    return again


def test_own_documents_are_left_out_again_with_their_session(own):
    own.presenter.leave_out(True)
    # Also a session that is saved while they are looked for.
    assert own.presenter.session()["without_own"] is True
    own.services.answer_all()
    again = left_out_again(own)
    # Nothing is traced with them meanwhile.
    assert not again.tracer.busy and again.state.answer.awaited and again.presenter.session()["without_own"] is True
    again.services.answer_all()
    assert again.numbers == own.numbers == [2] and again.state.self_match == own.state.self_match
    again.presenter.leave_out(False)
    again.services.answer_all()
    assert again.state.own.less is None and again.presenter.session()["without_own"] is False
    again.presenter.restore(own.presenter.session())
    again.presenter.restore({"text": own.state.text, "prompt": "", "without_own": False})
    again.services.answer_all()
    assert again.state.own.less is None and again.state.trace.self_match is not None


def test_documents_of_an_earlier_text_stay_left_out_with_the_session(own):
    first = own.state.text
    own.presenter.leave_out(True)
    own.ask("word1 word2 word3 word4 word5 word6")
    assert own.presenter.session()["without_text"] == first
    again = left_out_again(own)
    again.services.answer_all()
    assert again.numbers == own.numbers == [2] and "Some documents are excluded" in again.state.self_match
    assert again.presenter.session()["without_text"] == first


def test_own_documents_that_cannot_be_left_out_again_are_told(own):
    own.presenter.leave_out(True)
    own.services.answer_all()
    again = left_out_again(own)
    again.services.slots["own documents"].fail(GONE)
    again.services.answer_all()
    assert again.state.notice == "No documents are excluded. The drive is gone."
    assert again.state.trace.self_match is not None and again.state.offers_leaving_out
    again.presenter.leave_out(True)
    again.services.answer_all()
    assert again.state.notice == "" and again.numbers == [2]


def test_a_text_that_is_typed_while_own_documents_are_looked_for_is_traced_without_them(own):
    own.presenter.leave_out(True)
    own.services.answer_all()
    again = left_out_again(own)
    again.type("word1 word2 word3 word4 word5 word6")
    assert not again.tracer.busy
    again.services.answer_all()
    assert again.numbers == [2] and again.state.trace.text.startswith("word1 ")


def test_a_report_is_of_what_is_shown(bench, tmp_path):
    presenter = bench.presenter
    presenter.reports.save(tmp_path / "none.json", presenter.reported)
    bench.ask(TEXT)
    reporter = bench.services.slots["report"]
    presenter.reports.save(tmp_path / "r.json", presenter.reported)
    bench.type(OTHER)
    reporter.answer()
    assert bench.requests == [Saved(tmp_path / "r.json", "Saved the report")] and not (tmp_path / "none.json").exists()
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["traces"][0]["text"] == TEXT
    bench.tracer.answer()
    assert "spans in" in bench.state.summary
    presenter.reports.save(tmp_path / "r.docx", presenter.reported)
    reporter.answer()
    assert ".html, .json" in bench.state.notice and not bench.state.answer.dimmed


def test_charts_are_of_what_is_shown(bench):
    assert bench.presenter.choice.state.charts is None
    bench.ask(TEXT)
    assert bench.presenter.choice.state.charts()


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


def test_a_session_keeps_the_settings_of_a_trace(bench, small):
    bench.presenter.set_up(min_length=4, density=0.5, documents_per_span=3, delimiters=("\n",), read="markdown")
    kept = json.loads(json.dumps(bench.presenter.session()))
    again = Bench(small)
    again.presenter.restore(kept)
    assert again.state.settings == bench.state.settings
    usual = Bench(small)
    before = usual.state.settings
    wrong = {"min_length": "4", "density": True, "documents_per_span": 10**9, "delimiters": "x", "read": 5, "new": 1}
    for settings in (wrong, [], None, {"min_length": 0}):
        usual.presenter.restore({"settings": settings})
        assert usual.state.settings == before


def test_a_session_is_restored_and_nonsense_is_left_alone(bench, small):
    bench.presenter.typed_prompt("What sat?")
    bench.ask(TEXT)
    again = Bench(small)
    again.presenter.restore({"text": 3, "prompt": ""})
    again.presenter.restore({"text": TEXT})
    assert again.state.text == "" and not again.tracer.busy
    again.presenter.restore(bench.presenter.session())
    assert (again.state.text, again.state.prompt) == (TEXT, "What sat?") and again.tracer.busy


@pytest.mark.parametrize("unit", ["tokens", "words"])
def test_two_shares_that_add_up_to_more_than_all_tell_of_what_they_are(unit):
    """In full and in short: one is of matches of one length, the other a mean over several."""
    totals = Totals(
        passages=1, high=0, spans=1, size=20, longest=12, covered=0.44, novelty=0.71, documents=1, unit=unit
    )
    figures = {figure.target: figure for figure in figures_of(totals, Show.ALL)}
    covered, novelty = figures[Show.COVERED], figures[Jump.NOVELTY]
    assert (covered.number, covered.words) == ("44%", f"of {unit} in matches of 5+ {unit}")
    assert (novelty.number, novelty.words) == ("71%", f"of {unit} outside matches, mean of 5+ to 11+ {unit}")
    assert covered.short == f"of {unit} in matches of 5+"
    assert novelty.short == f"of {unit} outside matches, mean of 5+ to 11+"
    assert novelty.hint.startswith("Novelty: ")
