"""The Draft bench: its figures are the library's, its text shows what was accepted, its cache is the command's."""

from __future__ import annotations

import json

import numpy as np
import pytest
from by_hand import HandServices
from PySide6.QtWidgets import QFileDialog

from explorer.analyses.drafts.question import DraftsQuestion
from explorer.analyses.model.lookup_cache import lookup_cache
from explorer.errors import QueryError
from explorer.gui.presenting.requests import Saved
from explorer.gui.screens.model.drafts.presenter import DraftPresenter, restore, session_of
from explorer.gui.screens.model.state import AGAIN, key_of
from explorer.gui.sources.inputs import ALL, source_key
from explorer.recipes import Source, draft_recipe

ANSWERS = ("the cat sat on the mat and the dog saw a rug", "a dog sat on the rug", "zebra")


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.presenter = DraftPresenter(self.services)
        self.presenter.use_corpus(corpus)

    @property
    def state(self):
        return self.presenter.state


@pytest.fixture
def files(tmp_path):
    paths = []
    for name, texts in (("one.jsonl", ANSWERS), ("two.jsonl", ANSWERS[:1])):
        paths.append(tmp_path / name)
        paths[-1].write_text("\n".join(json.dumps({"text": text}) for text in texts))
    return paths


@pytest.fixture
def bench(small, files):
    made = Bench(small)
    made.presenter.add_files(*files)
    made.services.answer_all()
    return made


def test_the_figures_are_the_library_s(bench, small):
    expected = small.draft_bench([*ANSWERS, ANSWERS[0]], sources=["one.jsonl"] * 3 + ["two.jsonl"])
    assert bench.state.chosen == ALL and bench.state.figures == expected.total
    assert [cells[0].text for cells in bench.state.table] == ["one.jsonl", "two.jsonl", "All sources"]
    assert [cells[3].text for cells in bench.state.table] == [
        *(f"{source.tokens_per_step:.2f}" for source in expected.sources), f"{expected.total.tokens_per_step:.2f}",
    ]  # fmt: skip
    sentence, number, _ = bench.state.headline
    assert number == f"{expected.total.tokens_per_step:.2f}"
    assert f"{1 - expected.total.steps / expected.total.written:.0%}" in sentence
    (chart,) = bench.presenter.charts()()
    assert [row[3] for row in chart.data] == [source.steps for source in expected.sources]


def test_a_source_and_a_text_are_chosen(bench):
    bench.presenter.choose_source(key_of(bench.state.answer, 1))
    assert bench.state.chosen == source_key("two.jsonl") and bench.state.source_row == 1
    assert len(bench.state.texts) == 1 and bench.state.text.text == ANSWERS[0]
    bench.presenter.choose_source(ALL)
    bench.presenter.go(9)
    assert bench.state.number == 3
    bench.presenter.remove("two.jsonl")
    bench.services.answer_all()
    assert bench.state.answer.value.names == ("one.jsonl",) and len(bench.state.table) == 1


def test_steps_write_the_whole_text(bench):
    for text in bench.state.texts:
        places = [(step.place, step.place + step.accepted + 1) for step in text.steps]
        assert [start for start, _ in places[1:]] == [end for _, end in places[:-1]]
        assert not places or (places[0][0] == 1 and places[-1][1] >= len(text.starts))
        assert "".join(text.text[a:b] for a, b in zip(text.starts, text.ends, strict=True)) == text.text
        for step, guess in zip(text.steps, text.guesses, strict=True):
            assert bool(guess) == (step.accepted < len(step.drafted))


def test_another_rule_is_asked_about_after_a_moment(bench, small):
    bench.presenter.set(max_draft=1)
    assert not bench.services.slots["drafts"].busy
    bench.services.let_time_pass()
    assert bench.services.slots["drafts"].job is not None
    bench.services.answer_all()
    assert bench.state.figures == small.draft_bench([*ANSWERS, ANSWERS[0]], max_draft=1).total


def test_failures_keep_the_last_answer(bench, tmp_path):
    answer = bench.state.answer.value
    bench.presenter.add_files(tmp_path / "gone.txt")
    bench.services.answer_all()
    assert bench.state.answer.value is answer and bench.state.answer.dimmed
    assert "gone.txt" in bench.state.notice and bench.state.remedies == (AGAIN,)
    bench.presenter.remove("gone.txt")
    bench.presenter.stop()
    assert bench.state.answer.value is answer and bench.state.answer.dimmed


def test_a_text_of_one_token_is_a_sentence(small):
    bench = Bench(small)
    bench.presenter.enter(text="zebra"[:1])
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert bench.state.answer.value is None or bench.state.figures.written > 0
    bench.presenter.enter(text=" ")
    bench.services.let_time_pass()
    assert bench.state.answer.value is None and bench.state.headline == ("", "", "")


def test_a_session_is_restored(bench, small, files):
    bench.presenter.set(max_draft=3, min_probability=0.5)
    kept = json.loads(json.dumps(session_of(bench.state)))
    again = Bench(small)
    restore(again.presenter, kept)
    assert again.state.rule == DraftsQuestion(32, 3, 0.5) and again.state.inputs.files == tuple(files)
    restore(again.presenter, {"rule": {"most": 0, "least": 7, "context": "x", "other": 1}, "files": 5})
    assert again.state.rule == DraftsQuestion(32, 3, 0.5)
    # As version 0.2 kept them.
    restore(again.presenter, {"rule": {"context": 8, "most": 2, "least": 0.25}})
    assert again.state.rule == DraftsQuestion(8, 2, 0.25)


def test_the_recipe_prints_the_same_figures(bench, small_index, capsys):
    asked = bench.state.answer.value.question
    made = draft_recipe(Source((str(small_index),)), asked.inputs, DraftsQuestion(max_draft=4))
    exec(made.python, {})
    per_step, _ = capsys.readouterr().out.split()
    assert float(per_step) >= 1 and "--max-draft" in made.command and "one.jsonl" in made.command


def test_an_error_of_the_cache_leaves_the_answer(bench, tmp_path):
    bench.presenter.save_cache(tmp_path / "cache")
    bench.services.slots["drafts cache"].fail(QueryError("The drive is full.", reason="full"))
    assert "The drive is full" in bench.state.notice and bench.state.answer.current is not None


def test_the_window_shows_answers_and_saves_the_cache(opened, qtbot, small, files, tmp_path, monkeypatch):
    page = opened.show_screen("model").turn_to("drafts")
    page.presenter.add_files(*files)
    qtbot.waitUntil(lambda: page.presenter.state.answer.current is not None)
    assert page.headline.isVisible() and page.table.model.rowCount() == 3
    assert page.answers.view.toPlainText() == ANSWERS[0]
    text = page.presenter.state.text
    step = next(step for step in text.steps if step.accepted)
    page.answers.view.token_chosen.emit(step.place)
    assert "accepted" in page.answers.told.text()
    formats = page.answers.view.document().firstBlock().layout().formats()
    underlined = sum(each.length for each in formats if each.format.fontUnderline())
    accepted = [range(each.place, each.place + each.accepted) for each in text.steps]
    widths = text.ends - text.starts
    assert underlined == sum(int(np.sum(widths[list(each)])) for each in accepted if len(each))
    page.answers.after.click()
    assert page.answers.view.toPlainText() == ANSWERS[1]
    where = tmp_path / "words.cache"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(where), ""))
    asked = []
    page.requested.connect(asked.append)
    page.cache.click()
    qtbot.waitUntil(lambda: any(isinstance(each, Saved) for each in asked))
    assert where.read_bytes() == b"".join(data for _, _, data in lookup_cache(small.index))
