"""A conversation without its widgets: turns, answers that arrive one by one, numbers of all of them."""

from __future__ import annotations

import json

import pytest
from by_hand import HandServices

from explorer.analyses.trace.conversation import Turn
from explorer.analyses.trace.settings import TraceSettings
from explorer.gui.screens.trace.conversation.presenter import ConversationPresenter
from explorer.gui.screens.trace.conversation.script import script_of
from explorer.gui.screens.trace.documents.choice import Show
from explorer.gui.screens.trace.figures import Jump

TURNS = [
    ("user", "What sat?"),
    ("assistant", "Perhaps the cat sat on the mat."),
    ("user", "Who saw it?"),
    ("assistant", "the dog saw the cat on the rug, and the dog sat."),
]
TEXT = json.dumps([{"role": role, "content": content} for role, content in TURNS])


class Bench:
    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.requests = []
        self.presenter = ConversationPresenter(self.services, self.requests.append)
        self.presenter.use_settings(TraceSettings(density=1))
        self.presenter.use_corpus(corpus)

    @property
    def state(self):
        return self.presenter.state

    @property
    def shown(self):
        return self.presenter.choice.state

    def take(self, text: str = TEXT) -> None:
        self.presenter.take_text(text)
        self.services.answer_all()


@pytest.fixture
def bench(small):
    return Bench(small)


def test_every_turn_has_its_place_in_the_text():
    script = script_of(tuple(Turn(*turn) for turn in TURNS))
    assert [script.body(number) for number in range(4)] == [content for _, content in TURNS]
    assert [turn.name for turn in script.turns] == ["User", "Answer 1", "User", "Answer 2"]
    assert script.answers == (1, 3) and [turn.prompt for turn in script.turns] == ["", "What sat?", "", "Who saw it?"]
    assert [script.turn_at(turn.body) for turn in script.turns] == [0, 1, 2, 3]


def test_a_very_long_conversation_is_cut_after_a_turn():
    script = script_of(tuple(Turn("assistant", "x" * 40_000) for _ in range(10)))
    assert len(script.turns) == 7 and script.left_out == 3


def test_a_conversation_is_parsed_in_the_background(bench):
    bench.presenter.take_text(TEXT)
    assert bench.state.shown.text == "" and bench.services.slots["conversation"].busy
    bench.services.answer_all()
    assert len(bench.state.shown.turns) == 4


def test_answers_arrive_one_by_one(bench):
    seen = []
    bench.presenter.watch(lambda new, old: seen.append((sorted(new.answers), new.traced.awaited)))
    bench.take()
    assert ([1], True) in seen and seen[-1] == ([1, 3], False)
    assert bench.state.current == 1 and bench.shown.trace.text == TURNS[1][1]
    assert bench.state.note == "2 answers"


def test_what_is_done_when_it_is_stopped_is_kept(bench):
    bench.presenter.watch(lambda new, old: bench.presenter.stop() if len(new.answers) == 1 else None)
    bench.take()
    assert sorted(bench.state.answers) == [1] and not bench.state.traced.awaited


def test_the_numbers_are_those_of_all_answers_together(bench, small):
    bench.take()
    traces = [small.trace(text, prompt, TraceSettings(density=1)) for (_, prompt), (_, text) in (TURNS[:2], TURNS[2:])]
    figures = {figure.target: figure.number for figure in bench.state.figures(Show.ALL)}
    documents = {document.number for trace in traces for document in trace.documents}
    covered = sum(int((trace.covering >= 5).sum()) for trace in traces) / sum(trace.token_count for trace in traces)
    assert figures[Jump.DOCUMENTS] == str(len(documents))
    assert figures[Jump.LONGEST] == str(max(trace.novelty.longest_match for trace in traces))
    assert figures[Show.COVERED] == f"{covered:.0%}"


def test_marks_are_in_their_answers(bench):
    bench.take()
    marks = bench.state.marks(bench.shown)
    text, turns = bench.state.shown.text, bench.state.shown.turns
    assert {bench.state.shown.turn_at(mark.start) for mark in marks} == {1, 3}
    for mark in marks:
        turn = turns[bench.state.shown.turn_at(mark.start)]
        assert turn.body <= mark.start < mark.end <= turn.end and text[mark.start : mark.end].strip()


def test_a_mark_chooses_its_passage_and_its_answer(bench):
    bench.take()
    (last, *_) = [mark for mark in reversed(bench.state.marks(bench.shown)) if mark.passage >= 0]
    bench.presenter.choose_mark(last.passage)
    assert bench.state.current == 3 and bench.shown.choice.passage == last.passage - bench.state.bases()[3]
    assert bench.state.quoted(last.passage, "words").startswith("“words”")
    bench.presenter.hide(last.passage)
    assert bench.shown.hidden == "1 hidden"
    bench.presenter.choose_mark(-1)
    assert not bench.shown.can_clear


def test_steps_through_passages_lead_into_the_next_answer(bench):
    bench.take()
    count = sum(len(answer.passages) for answer in bench.state.answers.values())
    seen = []
    for _ in range(count):
        bench.presenter.step_passage(1)
        seen.append((bench.state.current, bench.shown.choice.passage))
    assert len(set(seen)) == count and {turn for turn, _ in seen} == {1, 3}


def test_the_longest_match_may_be_in_another_answer(bench):
    bench.take()
    best = max(bench.state.answers, key=lambda number: bench.state.answers[number].trace.novelty.longest_match)
    bench.presenter.press(Jump.LONGEST)
    assert bench.state.current == best and bench.shown.choice.longest
    bench.presenter.press(Show.HIGH)
    assert bench.shown.filter.show is Show.HIGH


def test_other_settings_trace_it_again_and_another_index_too(bench, small):
    bench.take()
    bench.presenter.use_settings(TraceSettings(density=1, seed=3))
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert {answer.trace.settings.seed for answer in bench.state.answers.values()} == {3}
    bench.presenter.use_corpus(None)
    assert bench.state.answers == {} and bench.state.shown.turns and bench.shown.trace is None


def test_what_is_no_conversation_leaves_the_one_before(bench):
    bench.take()
    before = bench.state.shown
    for text, reason in (('[{"role": "user", "content": }]', "line 1 column 30"), ("just a text", "cannot be read")):
        bench.take(text)
        assert reason in bench.state.notice and bench.state.shown is before
    bench.take()
    assert bench.state.notice == ""


def test_a_session_is_restored(bench, small):
    bench.take()
    again = Bench(small)
    again.presenter.restore({"conversation": 3})
    assert not again.services.slots["conversation"].busy
    again.presenter.restore(bench.presenter.session())
    again.services.answer_all()
    assert again.state.shown.text == bench.state.shown.text
    again.presenter.forget()
    assert again.presenter.session() == {"conversation": ""} and again.state.shown.turns == ()


# Answers as they are read.

READ = [("user", "**What** sat?"), ("assistant", "So **the cat sat** on `the mat`.\n\n- the dog saw the cat")]
READ_TEXT = json.dumps([{"role": role, "content": content} for role, content in READ])


def test_answers_are_shown_as_they_are_read():
    script = script_of(tuple(Turn(*turn) for turn in READ), "auto")
    asked, answered = script.turns
    assert script.text[asked.body : asked.end] == "**What** sat?" and asked.reading is None
    assert script.text[answered.body : answered.end] == answered.reading.text
    assert answered.reading.text.split("\n")[0] == "So the cat sat on the mat."
    # What is traced is what was written.
    assert script.body(1) == READ[1][1]
    assert script_of(tuple(Turn(*turn) for turn in READ)).text.count("**") == 4


def test_an_answer_of_marks_alone_is_shown_as_it_was_written():
    script = script_of((Turn("assistant", "---"), Turn("user", "yes")), "markdown")
    assert script.turns[0].reading is None and script.body(0) == "---"


def test_marks_are_on_the_words_that_are_read(bench):
    bench.presenter.use_settings(TraceSettings(density=1, read="auto"))
    bench.take(READ_TEXT)
    shown = [bench.state.shown.text[mark.start : mark.end] for mark in bench.state.marks(bench.shown)]
    assert any("the cat sat on the mat" in part for part in shown)
    ((first, trace),) = bench.state.traces
    starts = [bench.state.shown.text[first + start :] for start in trace.token_starts.tolist()]
    assert starts[0].startswith("So") and trace.text == bench.state.shown.turns[1].reading.text


def test_the_switch_reads_a_conversation_in_another_way(bench):
    bench.presenter.use_settings(TraceSettings(density=1, read="plain"))
    bench.take(READ_TEXT)
    assert "**" in bench.state.shown.text.partition("Answer 1")[2]
    bench.presenter.use_settings(TraceSettings(density=1, read="auto"))
    bench.services.answer_all()
    assert "**" not in bench.state.shown.text.partition("Answer 1")[2] and 1 in bench.state.answers
