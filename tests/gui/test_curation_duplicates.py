"""The tab of duplicates: its figures are the library's, its marker chooses the length, and its rows lead to lines."""

from __future__ import annotations

import csv
import json

import pytest
from by_hand import HandServices
from PySide6.QtCore import QPoint, Qt

from explorer import build_index, open_index
from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.gui.screens.curation.duplicates.plot import CopiesPlot
from explorer.gui.screens.curation.duplicates.presenter import DuplicatesPresenter
from explorer.gui.screens.curation.duplicates.work import LENGTHS
from explorer.recipes import Source, duplicates_recipe

LICENSE = "Permission is granted to use and copy this program for any purpose."
TEXTS = [
    ("web", f"{LICENSE} A ship sails on the sea, and the wind is in its sails."),
    ("web", f"An old farm is on the hill. {LICENSE}"),
    ("book", "A ship sails on the sea, and the wind is in its sails. " + "na" * 60),
    ("book", "Nothing of this is anywhere else."),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    place = tmp_path_factory.mktemp("copies")
    records = (json.dumps({"text": text, "source": source}) for source, text in TEXTS)
    (place / "texts.jsonl").write_text("\n".join(records))
    build_index(place / "texts.jsonl", place / "index", tokenizer="bytes", name="Copies")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(place / "cache"))
        yield open_index(place / "index")


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services, self.shown, self.saved = HandServices(), [], []
        self.presenter = DuplicatesPresenter(self.services, self.shown.append, self.saved.append)
        self.presenter.use_corpus(corpus)
        self.presenter.appear(True)
        self.services.answer_all()

    @property
    def state(self):
        return self.presenter.state

    @property
    def list(self):
        return self.presenter.list.state

    def ask(self, listed=None, **values):
        if listed:
            self.presenter.show(listed)
        self.presenter.set(**values)
        self.presenter.run()
        self.services.answer_all()
        return self.state.answer.current.found


@pytest.fixture
def bench(corpus):
    return Bench(corpus)


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ({}, {}),
        ({"rule": "first"}, {"rule": "first"}),
        ({"across": True}, {"across": True}),
        ({"gap": 30}, {"gap": 30}),
        ({"prefer": " source=book "}, {"prefer": "source=book"}),
        # Without a kept copy, neither a first document nor a preferred one is known.
        ({"rule": "all", "across": True, "prefer": "source=book"}, {"rule": "all"}),
    ],
)
def test_what_goes_is_what_the_library_finds(bench, corpus, rule, asked):
    found = bench.ask(length=20, **rule)
    truth = corpus.duplicates(20, **asked)
    assert list(found) == list(truth) and truth.tokens_removed
    share = 100 * truth.tokens_removed / truth.tokens
    assert f"shortens the corpus by {share:.1f} %" in bench.state.headline[0] and "20 tokens" in bench.state.headline[0]
    assert f"{truth.tokens_removed} of {truth.tokens} tokens" in bench.state.told


def test_nothing_to_remove_is_a_sentence(bench):
    bench.ask(length=60_000)
    assert bench.state.headline[0] == "No repeat of 60,000 tokens or more is to be removed"


@pytest.mark.parametrize("rule", ["separate", "first", "all"])
def test_the_curve_is_that_of_the_library(bench, corpus, rule):
    bench.ask(rule=rule)
    curve = bench.state.curve.current
    assert curve.kept.tolist() == corpus.duplicates_curve(LENGTHS, rule).tolist()
    assert curve.every.tolist() == corpus.duplicates_curve(LENGTHS, "all").tolist()
    [chart] = bench.presenter.charts()()
    assert [row[1] for row in chart.data] == curve.kept.tolist() and dict(chart.facts)["rule"] == rule


def test_the_curve_tells_what_it_leaves_out(bench):
    bench.ask(length=20)
    assert bench.state.about_curve == ""
    bench.ask(gap=5)
    assert "gaps" in bench.state.about_curve


def test_passages_are_those_of_the_library(bench, corpus):
    for order in ("saved", "length", "count"):
        bench.ask(length=20, listed=order)
        assert [row.text for row in bench.list.rows] == [row.text for row in corpus.repeats(20, by=order)]
    bench.ask(listed="runs")
    [run] = bench.list.rows
    assert sorted(run.text) == ["a", "n"] and run.times == 60 and bench.list.table[0][2].text == "60.0"


def test_a_filter_leaves_the_rows_with_its_text(bench):
    bench.ask(length=20)
    assert len(bench.list.places) > 1
    bench.presenter.list.look_for("PERMISSION")
    assert {cells[0].text for cells in bench.list.table} == {LICENSE}
    bench.presenter.list.choose(0)
    bench.services.answer_all()
    assert bench.list.chosen.text == LICENSE


def test_a_filter_and_a_dragged_length_are_undone(bench):
    bench.ask(length=20)
    headline, table = bench.state.headline, bench.list.table
    bench.services.let_time_pass()
    bench.presenter.list.look_for("PERMISSION")
    for length in (30, 40, 60):
        bench.presenter.move(length)
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert bench.state.headline != headline
    bench.presenter.choices.undo()
    bench.services.answer_all()
    assert bench.state.rule.length == bench.presenter.session()["length"] == 20 and bench.state.headline == headline
    assert {cells[0].text for cells in bench.list.table} == {LICENSE}
    bench.presenter.choices.undo()
    assert bench.list.filter == "" and bench.list.table == table
    bench.presenter.choices.redo()
    bench.presenter.choices.redo()
    bench.services.answer_all()
    assert (bench.list.filter, bench.state.rule.length) == ("PERMISSION", 60)


def test_a_passage_that_was_kept_goes_again_after_an_undo(bench):
    bench.ask(length=20)
    told = bench.state.told
    bench.presenter.list.choose(0)
    bench.services.answer_all()
    bench.presenter.keep()
    bench.services.answer_all()
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert "1 passage never removed" in bench.state.told
    bench.presenter.choices.undo()
    bench.services.answer_all()
    assert bench.state.told == told and bench.presenter.session()["never"] == []


def test_rows_lead_to_as_many_lines_as_copies(bench, corpus):
    bench.ask(length=20)
    for place, row in enumerate(bench.list.rows):
        bench.presenter.list.choose(place)
        bench.services.answer_all()
        lines = bench.presenter.lines.state.lines.current
        assert len(lines) == row.count and {line.match for line in lines} == {row.text}
    bench.presenter.lines.open_line(0)
    assert bench.shown[-1].number == lines[0].document
    bench.ask(listed="runs")
    bench.presenter.list.choose(0)
    bench.services.answer_all()
    [line] = bench.presenter.lines.state.lines.current
    assert line.document == 2 and len(line.match) == 120


def test_a_passage_that_is_kept_is_not_cut(bench, corpus):
    bench.ask(length=20)
    bench.presenter.list.look_for("permission")
    bench.presenter.list.choose(0)
    bench.presenter.keep()
    bench.services.answer_all()
    bench.presenter.run()
    bench.services.answer_all()
    found, ids = bench.state.answer.current.found, corpus.encode(LICENSE)
    assert bench.state.rule.never == (tuple(ids),) and "1 passage never removed" in bench.state.told
    assert list(found) == list(corpus.duplicates(20, never=[ids]))
    assert found.tokens_removed < corpus.duplicates(20).tokens_removed
    bench.presenter.set(never=())
    bench.presenter.run()
    bench.services.answer_all()
    assert bench.state.answer.current.found.tokens_removed == corpus.duplicates(20).tokens_removed


def test_another_length_asks_only_what_depends_on_it(bench):
    bench.ask(length=20)
    curve, listed = bench.state.curve.current, bench.list.listed.current
    bench.presenter.move(22)
    bench.services.answer_all()
    assert bench.state.answer.current.rule.length == 22 and bench.state.curve.current is curve
    bench.ask(rule="first")
    assert bench.state.curve.current is not curve and bench.list.listed.current.question.length == 22
    listed = bench.list.listed.current
    bench.ask(gap=3)
    assert bench.list.listed.current is listed


def test_a_condition_that_cannot_be_read_is_told(bench):
    bench.presenter.set(prefer="source")
    bench.presenter.run()
    bench.services.answer_all()
    assert bench.state.notice.startswith('"source" is not a condition') and bench.state.rule.prefer == ()
    bench.ask(prefer="source=web")
    assert bench.state.notice == "" and [str(each) for each in bench.state.rule.prefer] == ["source is web"]


def test_what_is_asked_is_kept_and_checked(bench, corpus):
    bench.ask(length=33, rule="first", gap=2, never=((1, 2),), prefer="source=web", listed="count")
    kept = json.loads(json.dumps(bench.presenter.session()))
    other = DuplicatesPresenter(HandServices())
    other.use_corpus(corpus)
    other.restore(kept)
    assert other.state.rule == bench.state.rule and other.state.listed == "count"
    other.restore({"length": 0, "rule": "none", "listed": "x", "gap": True, "never": [[-1]], "prefer": 3})
    assert other.state.rule == bench.state.rule and other.state.listed == "count"
    other.use_corpus(None)
    assert other.state.rule.never == ()


def test_a_session_of_version_0_2_opens(bench):
    kept = {"length": 33, "rule": "all", "across": True, "gap": 2, "prefer": " source=web ", "listed": "runs"}
    bench.presenter.restore({**kept, "never": [[1, 2]]})
    assert bench.state.rule == DuplicatesQuestion(33, "tokens", "all", 2, True, "source=web", [[1, 2]])
    assert bench.state.listed == "runs"
    bench.presenter.restore({**kept, "prefer": ""})
    assert bench.state.rule.prefer == ()


def test_another_index_of_the_same_name_has_other_passages(bench, corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    build_index([{"text": LICENSE}], tmp_path / "other", tokenizer="bytes", name="Copies")
    bench.ask(never=((1, 2),))
    bench.presenter.use_corpus(corpus)
    assert bench.state.rule.never == ((1, 2),)
    bench.presenter.use_corpus(open_index(tmp_path / "other"))
    assert bench.state.rule.never == ()


def test_all_passages_go_to_a_file(bench, corpus, tmp_path):
    bench.ask(length=20)
    bench.presenter.save(tmp_path / "repeats.csv")
    bench.services.answer_all()
    with open(tmp_path / "repeats.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert [row["text"] for row in rows] == [row.text for row in corpus.repeats(20, top=None)]
    assert bench.saved[-1].path == tmp_path / "repeats.csv"


def test_the_code_computes_the_same(bench, corpus, capsys):
    found = bench.ask(length=20, gap=4, across=True)
    recipe = duplicates_recipe(Source(corpus.index.sources), bench.state.rule, bench.state.repeats, False)
    exec(recipe.python, {})
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"{found.tokens_removed} {len(found)} {found.documents_touched} {found.documents_emptied}"
    assert "--gap=4" in recipe.command and "--across" in recipe.command


def test_the_marker_follows_mouse_and_keys(qtbot, bench):
    plot = CopiesPlot()
    qtbot.addWidget(plot)
    plot.resize(900, 240)
    plot.moved.connect(bench.presenter.move)
    bench.presenter.watch(lambda state, before: plot.show_state(state))
    plot.show_state(bench.state)
    plot.show()
    area = plot._area()
    at = next(x for x in range(900) if plot.length_at(x) == 100)
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=QPoint(at, 100))
    assert bench.state.rule.length == 100
    plot.setFocus()
    for key, length in (("Left", 99), ("PageUp", 109), ("Home", 16), ("Left", 16), ("End", 500), ("Right", 500)):
        qtbot.keyClick(plot, getattr(Qt.Key, f"Key_{key}"))
        assert bench.state.rule.length == length
    assert plot.length_at(area.left() - 50) == 16 and plot.length_at(area.right() + 50) == 500


def test_the_figures_of_the_models_answers(answers_index):
    bench = Bench(open_index(answers_index))
    for length, tokens, passages in ((25, 103_819, 1_718), (50, 55_501, 317), (100, 36_178, 60)):
        bench.ask(length=length)
        assert f"{tokens:,} of 2,856,074 tokens, in {passages:,} passages" in bench.state.told
    assert bench.list.table and bench.list.told.startswith("43 passages; 3,584 more")
