"""The Agreement screen without its widgets: answers that are partial, late, stale, or errors."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from by_hand import HandServices

from explorer import open_index
from explorer.agreement.analysis import AgreementRequest, analyze
from explorer.agreement.brush import Brush
from explorer.errors import QueryError
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.state import ALL, OVERLAID, View

TEXT = "the cat sat on the mat and the dog"


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.presenter = AgreementPresenter(self.services)
        self.presenter.use_corpus(corpus)

    @property
    def state(self):
        return self.presenter.state

    @property
    def analyst(self):
        return self.services.slots["agreement"]

    def type(self, text: str) -> None:
        self.presenter.enter(text=text)
        self.services.let_time_pass()

    def analyze(self, text: str) -> None:
        self.type(text)
        self.services.answer_all()


@pytest.fixture
def bench(small):
    return Bench(small)


@pytest.fixture
def answers(tmp_path):
    """Texts of two sources in one file."""
    path = tmp_path / "answers.jsonl"
    rows = [{"text": text, "model": model} for text, model in ((TEXT, "a"), ("zebras sat", "b"), (TEXT, "b"))]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_the_analysis_is_the_library_s(bench, small):
    bench.analyze(TEXT)
    assert bench.state.figure == analyze(small.index, AgreementRequest((TEXT,), ("pasted text",))).figure
    assert bench.state.page is View.EFFECTIVE_N and bench.state.drawable


def test_nothing_is_analyzed_while_the_person_types(bench):
    bench.presenter.enter(text="the")
    bench.presenter.enter(text="the cat")
    bench.presenter.enter(n=3)
    assert not bench.analyst.busy
    bench.services.let_time_pass()
    assert bench.analyst.asked == 1


def test_files_take_the_place_of_the_text_at_once(bench, answers):
    bench.analyze("zebras")
    bench.presenter.enter(files=(answers,))
    assert bench.analyst.busy
    bench.services.answer_all()
    assert [key for key, _ in bench.state.choices] == [ALL]
    bench.presenter.enter(files=())
    bench.services.answer_all()
    assert bench.state.answer.value.sources[0].name == "pasted text"


def test_a_source_is_chosen_and_stays_while_it_exists(bench, answers):
    bench.presenter.enter(files=(answers,), group="model")
    bench.services.answer_all()
    keys = [key for key, _ in bench.state.choices]
    assert keys[:2] == [ALL, OVERLAID] and [name for _, name in bench.state.choices][2:] == ["a", "b"]
    bench.presenter.choose_source(keys[3])
    assert bench.state.group == "b" and [number for number, _ in bench.state.numbered] == [1, 2]
    assert bench.state.figure == bench.state.answer.value.groups["b"]
    bench.presenter.enter(n=3)
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert bench.state.group == "b"
    bench.presenter.choose_source("source:nobody")
    assert bench.state.group == "b"
    bench.presenter.enter(files=())
    assert bench.state.source == ALL and bench.state.answer.value is None


def test_a_failure_keeps_the_last_analysis_dimmed(bench):
    bench.analyze(TEXT)
    good = bench.state.answer.value
    bench.type("zebras")
    bench.analyst.fail(QueryError("The drive is gone."))
    assert bench.state.answer.value is good and bench.state.answer.dimmed
    assert bench.state.notice == "The drive is gone."
    bench.analyze(TEXT)
    assert not bench.state.answer.dimmed and "The drive is gone." not in bench.state.notice


def test_a_stopped_analysis_leaves_the_last_one_dimmed(bench):
    bench.analyze(TEXT)
    bench.type("zebras")
    bench.presenter.stop()
    assert not bench.analyst.busy and bench.state.answer.dimmed and bench.state.answer.value is not None


def test_another_index_forgets_what_was_shown(bench, byte_index):
    byte_corpus = open_index(byte_index)
    bench.analyze(TEXT)
    bench.presenter.mark(Brush(1, 2))
    bench.presenter.use_corpus(byte_corpus)
    assert bench.state.answer.value is None and bench.state.brush.empty and bench.analyst.busy
    bench.services.answer_all()
    assert bench.state.figure == analyze(byte_corpus.index, AgreementRequest((TEXT,), ("pasted text",))).figure


def test_marks_are_counted_in_what_is_chosen(bench, answers):
    bench.presenter.enter(files=(answers,), group="model")
    bench.services.answer_all()
    bench.presenter.mark(Brush(1, 2))
    assert bench.state.marked is None
    bench.services.answer_all()
    every = bench.state.marked.tokens
    assert every == sum(int((text.infgram.effective_n <= 2).sum()) for text in bench.state.answer.value.texts)
    bench.presenter.choose_source(bench.state.choices[2][0])
    assert bench.state.marked is None
    bench.services.answer_all()
    assert 0 < bench.state.marked.tokens < every
    bench.presenter.mark(Brush())
    assert bench.state.marked is None and not bench.services.slots["marks"].busy


def test_alternatives_of_an_old_analysis_never_show(bench):
    bench.analyze(TEXT)
    found = bench.state.answer.value.texts[0]
    bench.presenter.ask_alternatives(found, 3)
    bench.type("")
    assert not bench.services.slots["alternatives"].busy and bench.state.alternatives is None
    bench.analyze(TEXT)
    found = bench.state.answer.value.texts[0]
    bench.presenter.ask_alternatives(found, 3)
    bench.services.answer_all()
    assert bench.state.alternatives.found is found and bench.state.alternatives.words


def test_a_model_s_probabilities_open_their_tab_or_fail_alone(bench, tmp_path):
    bench.analyze(TEXT)
    bench.presenter.open_neural(tmp_path / "missing.jsonl")
    bench.services.answer_all()
    assert bench.state.view is View.EFFECTIVE_N and "missing.jsonl" in bench.state.notice
    assert bench.state.answer.current is not None
    path = tmp_path / "model.jsonl"
    tokens = [{"start": 0, "end": 3, "probability": 0.5}, {"start": 3, "end": 7, "probability": 0.25}]
    path.write_text(json.dumps({"text": "the cat", "tokens": tokens}))
    bench.presenter.open_neural(path)
    bench.services.answer_all()
    assert bench.state.view is View.NEURAL and bench.state.drawable and "missing" not in bench.state.notice


def test_a_session_is_restored_and_nonsense_is_left_alone(bench, small, answers):
    bench.presenter.enter(text=TEXT, files=(answers,), group="model", n=3, max_texts=2, seed=7)
    kept = json.loads(json.dumps(bench.presenter.session()))
    again = Bench(small)
    again.presenter.restore(kept | {"seed": -4, "max_tokens": "all"})
    assert again.state.inputs == bench.state.inputs.__class__(TEXT, (answers,), "model", 3, 2, 0, 0)
    assert again.analyst.busy


def test_a_remedy_is_for_these_files_only(bench, answers, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(answers.read_text() + "\nnot json\n")
    bench.presenter.enter(files=(bad,))
    bench.services.answer_all()
    assert bench.state.answer.value is None and bench.state.remedies == ("on_bad",)
    bench.presenter.remedy("on_bad")
    bench.services.answer_all()
    assert len(bench.state.answer.value.texts) == 3 and bench.state.remedies == ()
    assert len(bench.state.unread) == 1 and "line 4" in bench.state.unread[0] and "line 4" in bench.state.notice
    bench.presenter.enter(files=(answers,))
    assert bench.state.inputs.on_bad == "fail" and bench.state.unread == ()


def test_a_remedy_survives_a_session(bench, answers):
    bench.presenter.enter(files=(answers,))
    bench.presenter.enter(on_bad="skip", format="jsonl")
    later = Bench(bench.state.corpus)
    later.presenter.restore(bench.presenter.session())
    assert (later.state.inputs.on_bad, later.state.inputs.format) == ("skip", "jsonl")
    later.presenter.restore({"on_bad": "explode", "format": 3})
    assert (later.state.inputs.on_bad, later.state.inputs.format) == ("skip", "jsonl")


def test_the_error_of_a_model_s_file_ends_with_the_next_analysis(bench, tmp_path):
    bench.analyze(TEXT)
    bench.presenter.open_neural(tmp_path / "missing.jsonl")
    bench.services.answer_all()
    assert "missing.jsonl" in bench.state.notice
    bench.analyze("zebras sat")
    assert bench.state.neural.error is None and "missing.jsonl" not in bench.state.notice


def test_the_source_to_compare_with_stays_chosen_until_it_arrives_again(bench, answers):
    bench.presenter.enter(files=(answers,), group="model")
    bench.services.answer_all()
    bench.presenter.compare_with("b")
    assert bench.state.reference == 1
    # As while sources arrive one by one: the first answer has only the first of them.
    both = bench.state.answer.value
    bench.presenter.change(answer=bench.state.answer.arrived(replace(both, sources=both.sources[:1])))
    assert bench.state.reference == 0
    bench.presenter.change(answer=bench.state.answer.arrived(both))
    assert bench.state.reference == 1
