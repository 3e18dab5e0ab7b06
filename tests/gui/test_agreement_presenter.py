"""The Agreement screen without its widgets: answers that are partial, late, stale, or errors."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from by_hand import HandServices

from explorer import open_index
from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.agreement.brush import Brush
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.errors import QueryError
from explorer.gui.screens.agreement.inputs import Inputs
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.state import AGAIN, EXCLUDE, NO_NEURAL, OTHER_NEURAL, Look, View
from explorer.gui.sources.inputs import ALL, source_key

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
    assert bench.state.figure == analyze(small.index, Texts((TEXT,), ("Pasted text",))).figure
    assert bench.state.page is View.EFFECTIVE_N and bench.state.drawable


def test_nothing_is_analyzed_while_the_person_types(bench):
    bench.presenter.enter(text="the")
    bench.presenter.enter(text="the cat")
    bench.presenter.enter(max_n=3)
    assert not bench.analyst.busy
    bench.services.let_time_pass()
    assert bench.analyst.asked == 1


def test_files_and_the_pasted_text_are_sources_beside_each_other(bench, answers):
    bench.analyze("zebras")
    bench.presenter.add_files(answers)
    assert bench.analyst.busy
    bench.services.answer_all()
    assert [source.name for source in bench.state.answer.value.sources] == ["answers.jsonl", "Pasted text"]
    bench.presenter.remove("Pasted text")
    bench.services.answer_all()
    assert [source.name for source in bench.state.answer.value.sources] == ["answers.jsonl"]
    assert bench.state.inputs.text == "" and [row.texts for row in bench.state.rows] == [3, 0]
    bench.presenter.remove("answers.jsonl")
    assert bench.state.answer.value is None and bench.state.inputs.files == ()


def test_a_source_of_a_field_is_removed_and_the_file_stays(bench, answers):
    bench.presenter.enter(files=(answers,), group="model")
    bench.services.answer_all()
    bench.presenter.remove("a")
    bench.services.answer_all()
    assert [source.name for source in bench.state.answer.value.sources] == ["b"]
    assert bench.state.inputs.files == (answers,)


def test_a_pasted_text_that_was_removed_is_gone_at_once(bench):
    bench.analyze(TEXT)
    bench.presenter.add_files()
    bench.presenter.remove("Pasted text")
    assert bench.state.rows == (bench.state.rows[-1],) and bench.state.rows[0].texts == 0


def test_a_source_is_chosen_and_stays_while_it_exists(bench, answers):
    bench.presenter.enter(files=(answers,), group="model")
    bench.services.answer_all()
    assert [key for key, _ in bench.state.choices] == [source_key("a"), source_key("b"), ALL]
    assert bench.state.group == "a" and [name for _, name, _ in bench.state.others] == ["b"]
    bench.presenter.choose_source(source_key("b"))
    tokens = bench.presenter.tokens.state
    assert bench.state.group == "b" and [number for number, _ in tokens.texts] == [1, 2]
    assert bench.state.figure == bench.state.answer.value.groups["b"]
    assert [place for place, _, _ in bench.state.others] == [0] and bench.state.place == 1
    bench.presenter.enter(max_n=3)
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert bench.state.group == "b"
    bench.presenter.choose_source("source:nobody")
    assert bench.state.group == "b"
    bench.presenter.choose_source(ALL)
    assert bench.state.figure == bench.state.answer.value.figure and bench.state.others == ()


def test_neither_source_nor_text_falls_back_while_sources_arrive(bench, answers):
    bench.presenter.enter(files=(answers,), group="model")
    bench.services.answer_all()
    bench.presenter.choose_source(source_key("b"))
    bench.presenter.tokens.go(1)
    seen, shown = [], []
    bench.presenter.watch(lambda state, before: seen.append((state.group, len(state.answer.value.sources))))
    bench.presenter.tokens.watch(lambda state, before: shown.append(state.found.text))
    bench.presenter.enter(max_n=3)
    bench.services.let_time_pass()
    bench.services.answer_all()
    # The first source was ready alone, and was not shown in place of the chosen one.
    assert set(seen) == {("b", 2)} and set(shown) <= {TEXT}
    assert not bench.state.answer.dimmed and bench.state.figure.n == 3
    assert bench.presenter.tokens.state.shown == 1 and bench.presenter.tokens.state.found.text == TEXT


def test_a_failure_keeps_the_last_analysis_dimmed(bench):
    bench.analyze(TEXT)
    good = bench.state.answer.value
    bench.type("zebras")
    bench.analyst.fail(QueryError("The drive is gone."))
    assert bench.state.answer.value is good and bench.state.answer.dimmed
    assert bench.state.notice == "The drive is gone."
    bench.analyze(TEXT)
    assert not bench.state.answer.dimmed and "The drive is gone." not in bench.state.notice


def test_a_stopped_analysis_leaves_the_last_one_with_its_settings(bench, answers):
    bench.presenter.enter(files=(answers,), max_texts=1)
    bench.services.answer_all()
    good = bench.state.answer.value
    bench.presenter.enter(max_texts=0)
    bench.services.let_time_pass()
    # Awaited: dimmed after a moment, since the settings on the screen are those of the next analysis.
    assert bench.state.dimmed and bench.state.sampling == "Sampling: all texts, all tokens"
    bench.presenter.stop()
    assert not bench.analyst.busy and bench.state.answer.value is good and not bench.state.dimmed
    assert bench.state.sampling == "Sampling: 1 text, all tokens" and "was stopped" in bench.state.notice
    assert bench.state.sampling in bench.state.notice and bench.state.remedies == (AGAIN,)
    bench.presenter.remedy(AGAIN)
    bench.services.answer_all()
    assert bench.state.answer.value is not good and not bench.state.dimmed and bench.state.remedies != (AGAIN,)
    assert bench.state.sampling == "Sampling: all texts, all tokens" and "was stopped" not in bench.state.notice


def test_another_index_forgets_what_was_shown(bench, byte_index):
    byte_corpus = open_index(byte_index)
    bench.analyze(TEXT)
    bench.presenter.tokens.mark(Brush(1, 2))
    bench.presenter.use_corpus(byte_corpus)
    assert bench.state.answer.value is None and bench.presenter.tokens.state.brush.empty and bench.analyst.busy
    bench.services.answer_all()
    assert bench.state.figure == analyze(byte_corpus.index, Texts((TEXT,), ("Pasted text",))).figure


def test_marks_are_counted_in_what_is_chosen(bench, answers):
    bench.presenter.enter(files=(answers,), group="model")
    bench.services.answer_all()
    bench.presenter.choose_source(ALL)
    bench.presenter.tokens.mark(Brush(1, 2))
    assert bench.presenter.tokens.state.marked is None
    bench.services.answer_all()
    every = bench.presenter.tokens.state.marked.tokens
    assert every == sum(int((text.infgram.effective_n <= 2).sum()) for text in bench.state.answer.value.texts)
    bench.presenter.choose_source(source_key("a"))
    assert bench.presenter.tokens.state.marked is None
    bench.services.answer_all()
    assert 0 < bench.presenter.tokens.state.marked.tokens < every
    bench.presenter.tokens.mark(Brush())
    assert bench.presenter.tokens.state.marked is None and not bench.services.slots["marks"].busy


def test_alternatives_of_an_old_analysis_never_show(bench):
    tokens = bench.presenter.tokens
    bench.analyze(TEXT)
    tokens.ask_alternatives(3)
    bench.type("")
    assert not bench.services.slots["alternatives"].busy and tokens.state.alternatives is None
    bench.analyze(TEXT)
    tokens.ask_alternatives(3)
    bench.services.answer_all()
    assert tokens.state.alternatives.found is tokens.state.found and tokens.state.alternatives.words


def test_what_failed_in_the_texts_is_told_and_asked_again(bench):
    tokens, slots = bench.presenter.tokens, bench.services.slots
    bench.analyze(TEXT)
    tokens.mark(Brush(2, 9))
    tokens.ask_alternatives(3)
    slots["marks"].fail(QueryError("The drive is gone."))
    assert tokens.state.notice == "The drive is gone." and tokens.state.summary == "n = 2–9"
    slots["alternatives"].fail(QueryError("The drive is gone."))
    tokens.again()
    assert tokens.state.notice == "" and tokens.state.summary == "Counting …"
    bench.services.answer_all()
    assert tokens.state.marked.tokens and tokens.state.alternatives.token == 3


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


@pytest.fixture
def probabilities(tmp_path):
    path = tmp_path / "model.jsonl"
    tokens = [{"start": 0, "end": 3, "probability": 0.5}, {"start": 3, "end": 7, "probability": 0.25}]
    path.write_text(json.dumps({"text": "the cat", "tokens": tokens}), encoding="utf-8")
    return path


def test_a_model_s_file_is_compared_again_with_its_session(bench, small, probabilities):
    bench.analyze(TEXT)
    bench.presenter.open_neural(probabilities)
    bench.services.answer_all()
    # What is chosen in vain takes the place of nothing.
    bench.presenter.open_neural(probabilities.with_name("missing.jsonl"))
    bench.services.answer_all()
    assert bench.state.remedies == ()
    kept = json.loads(json.dumps(bench.presenter.session()))
    assert kept["neural"] == str(probabilities)
    again = Bench(small)
    again.presenter.restore(kept)
    again.services.answer_all()
    assert again.state.neural.current.bins == bench.state.neural.value.bins and again.state.neural.value.bins
    # Nobody has asked for the tab now.
    assert again.state.view is View.EFFECTIVE_N and again.presenter.session()["neural"] == str(probabilities)
    again.presenter.restore(kept | {"neural": ""})
    assert again.state.neural.value is None and again.presenter.session()["neural"] == ""


def test_a_model_s_file_that_is_missing_is_told_with_remedies_and_kept(bench, small, probabilities):
    bench.presenter.restore({"text": TEXT, "neural": str(probabilities.with_name("gone.jsonl"))})
    bench.services.answer_all()
    assert "gone.jsonl" in bench.state.notice and bench.state.remedies == (OTHER_NEURAL, NO_NEURAL)
    assert bench.state.answer.current is not None
    assert bench.presenter.session()["neural"].endswith("gone.jsonl")
    bench.presenter.open_neural(probabilities)
    bench.services.answer_all()
    assert bench.state.notice == "" and bench.presenter.session()["neural"] == str(probabilities)
    bench.presenter.use_corpus(small)
    assert bench.presenter.session()["neural"] == ""


def test_a_session_is_restored_and_nonsense_is_left_alone(bench, small, answers):
    bench.presenter.enter(text=TEXT, files=(answers,), group="model", max_n=3, max_texts=2, seed=7, without_self=True)
    kept = json.loads(json.dumps(bench.presenter.session()))
    again = Bench(small)
    again.presenter.restore(kept | {"seed": -4, "max_tokens": "all"})
    assert again.state.inputs == Inputs(
        TEXT, (answers,), "model", question=AgreementQuestion(max_n=3, max_texts=2, without_self=True)
    )
    again.presenter.restore({"n": 9, "between": " "})
    assert (again.state.inputs.question.max_n, again.state.inputs.question.prompt_join) == (9, " ")
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
    bench.presenter.show(compared="b")
    assert bench.state.reference == 1
    # As while sources arrive one by one: the first answer has only the first of them.
    both = bench.state.answer.value
    bench.presenter.change(answer=bench.state.answer.arrived(replace(both, sources=both.sources[:1])))
    assert bench.state.reference == 0
    bench.presenter.change(answer=bench.state.answer.arrived(both))
    assert bench.state.reference == 1


def test_the_fields_of_the_files_are_offered(bench, answers, tmp_path):
    bench.presenter.enter(files=(answers,))
    bench.services.answer_all()
    assert bench.state.fields.single == ("text", "model")
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"text": "x", "prompt": {"en": "y"}, "year": 1999, "list": ["z"]}))
    bench.presenter.add_files(more)
    bench.services.answer_all()
    assert bench.state.fields.single == ("text", "model", "prompt.en", "year")
    assert bench.state.fields.texts == ("text", "model", "prompt.en")
    bench.presenter.enter(files=())
    assert bench.state.fields.single == ()


def test_a_prompt_is_context(bench, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "sat on the mat", "q": "the cat"}))
    bench.presenter.enter(files=(path,), prompt_field="q", prompt_join=" ", text="on the rug", prompt="the cat sat ")
    bench.services.answer_all()
    first, pasted = bench.state.answer.value.texts
    assert (first.context.lead, pasted.context.lead) == ("the cat ", "the cat sat  ")
    assert len(first.context) and "not scored" in bench.state.facts
    scored = len(first.infgram)
    bench.presenter.enter(prompt_tokens=2)
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert len(bench.state.answer.value.texts[0].infgram) == scored - 2


def test_the_answer_in_a_sentence(bench):
    bench.analyze(TEXT)
    share, interval, how = bench.state.headline
    found = bench.state.figure.share
    assert share == f"{100 * found.share:.1f}%"
    assert f"{100 * found.low:.1f}–{100 * found.high:.1f}" in interval and "uncertain" in interval
    assert "stretches of consecutive tokens" in how
    assert bench.state.facts.startswith(f"{found.tokens} tokens of 1 text · predicted: given a prob")
    bench.type("")
    assert bench.state.headline == ("", "", "") and bench.state.facts == ""


def test_texts_of_the_corpus_are_excluded_by_one_click(bench, small):
    own = next(text for n in range(small.document_count) if len(text := small.document(n).text) > 150)
    bench.analyze(own)
    assert bench.state.remedies == (EXCLUDE,) and "agrees with itself" in bench.state.notice
    bench.presenter.remedy(EXCLUDE)
    bench.services.answer_all()
    assert bench.state.remedies == () and "excluded from all counts" in bench.state.notice


def test_texts_are_gone_through(bench, answers):
    bench.presenter.enter(files=(answers,))
    bench.services.answer_all()
    tokens = bench.presenter.tokens
    assert [tokens.state.shown, tokens.state.number, tokens.state.title] == [0, 0, "answers.jsonl"]
    tokens.step(1)
    assert tokens.state.found.text == "zebras sat"
    tokens.step(9)
    assert tokens.state.shown == 2
    tokens.go(-4)
    assert tokens.state.shown == 0


def test_a_bin_is_marked_extended_and_unmarked(bench):
    tokens = bench.presenter.tokens
    bench.analyze(TEXT)
    tokens.mark_n(2, 2, False)
    tokens.mark_n(4, 9, True)
    assert tokens.state.brush == Brush(2, 9) and tokens.state.which == "n = 2–9"
    bench.services.answer_all()
    assert tokens.state.summary.startswith("n = 2–9: ")
    tokens.mark_n(3, 3, False)
    tokens.mark_n(3, 3, False)
    assert tokens.state.brush.empty and tokens.state.summary == ""


def test_what_the_plot_shows_is_state(bench):
    bench.analyze(TEXT)
    bench.presenter.show(look=Look(ngram=False, sparse=True), view=View.COUNT)
    assert bench.state.look.sparse and bench.state.view is View.COUNT and bench.state.charts.view == "count"


def test_no_two_figures_have_one_name(bench, answers):
    bench.presenter.enter(files=(answers,), group="model")
    bench.services.answer_all()
    for source in (source_key("b"), ALL):
        bench.presenter.choose_source(source)
        names = [chart.name for chart in bench.presenter.charts()()]
        assert len(names) > 2 and len(set(names)) == len(names)
