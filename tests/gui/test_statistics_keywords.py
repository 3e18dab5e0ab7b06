"""The tab of keywords: its figures are the library's, its cells sum to N, and its rows lead to their lines."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from by_hand import HandServices
from PySide6.QtCore import Qt

from explorer import build_index, open_index
from explorer.analyses.keywords.chart import evidence_ticks
from explorer.derive.kinds import WordFile
from explorer.gui.screens.statistics.keywords.presenter import KeywordsPresenter
from explorer.gui.screens.statistics.keywords.work import MOST_ROWS, KeywordRule
from explorer.recipes import Source, keywords_recipe

PARTS = {
    "sea": "The ship sails on the sea. A Ship, a sail and the ship's sea wind. ",
    "land": "The farm stands on the hill. A farmer, a plough and the farm's horse. ",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("parts")
    records = (json.dumps({"text": PARTS[part] * (n + 1), "part": part}) for part in PARTS for n in range(6))
    (place / "texts.jsonl").write_text("\n".join(records))
    build_index(place / "texts.jsonl", place / "index", tokenizer="train:300", name="Parts")
    return place / "index"


@pytest.fixture(scope="module")
def corpus(folder, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield open_index(folder)


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services, self.saved = HandServices(), []
        self.presenter = KeywordsPresenter(self.services, saved=self.saved.append)
        self.presenter.use_corpus(corpus)
        self.presenter.appear(True)
        self.presenter.choose_field("part")
        self.services.answer_all()

    @property
    def state(self):
        return self.presenter.state

    def compare(self, label="sea", **values) -> None:
        bar = next(bar for bar in self.state.values.bars if bar.label == label)
        self.presenter.choose_value(label, bar)
        self.presenter.set(**values)
        self.presenter.run()
        self.services.answer_all()
        if self.state.missing:
            self.presenter.run(make=True)
            self.services.answer_all()


@pytest.fixture
def bench(corpus):
    return Bench(corpus)


def recipe_of(bench, folder):
    rule = bench.state.rule
    question = replace(rule.question, top=MOST_ROWS)
    return keywords_recipe(Source((str(folder),)), question, rule.where, rule.against, rule.reference == "index")


def test_values_of_a_field_are_offered(bench):
    assert bench.state.fields == ("part", "path", "linenum") and not bench.state.rule.complete
    assert [(bar.label, bar.documents) for bar in bench.state.values.bars] == [("sea", 6), ("land", 6)]
    assert "Choose a metadata field" in bench.state.invitation[1]


def test_rows_are_those_of_the_library(bench, corpus):
    bench.compare(min_count=2)
    expected = corpus.keywords(where="part=sea", min_count=2, top=MOST_ROWS, details=True)
    answer = bench.state.found
    assert list(answer.rows) == list(expected) and answer.positive == sum(row.positive for row in expected)
    assert answer.rows[0].form == "ship" or answer.rows[0].g2 >= answer.rows[1].g2
    number = expected.total + expected.reference_total
    assert f"N = {number:,}" in bench.state.headline[2] and "the rest (not: part is sea)" in bench.state.headline[0]


def test_documents_without_a_value_are_offered_to_be_excluded(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    rows = [{"text": f"the ship {n}", **({"year": 2000 + n} if n < 3 else {})} for n in range(5)]
    build_index(rows, tmp_path / "index", tokenizer="bytes")
    bench = Bench(open_index(tmp_path / "index"))
    bench.presenter.choose_field("year")
    bench.services.answer_all()
    assert bench.state.without_value == "Exclude 2 documents without a value"
    bench.compare("2000", min_count=1)
    assert "; 2 documents have no year)" in bench.state.headline[0]
    bench.presenter.set(exclude_missing=True)
    bench.presenter.run()
    bench.services.answer_all()
    assert "without 2 documents that have no year" in bench.state.headline[0]
    again = KeywordsPresenter(HandServices())
    again.restore(json.loads(json.dumps(bench.presenter.session())))
    assert again.state.rule.exclude_missing


def test_the_four_cells_of_every_row_sum_to_n(bench):
    bench.compare(min_count=2)
    found = bench.state.found.found
    for row, told in zip(bench.state.found.rows, bench.state.found.told, strict=True):
        cells, total = re.search(r"Cells: ([\d,+ ]+); their sum is N = ([\d,]+)\.", told).groups()
        parts = [int(part.replace(",", "")) for part in cells.split(" + ")]
        assert parts[0] == row.count and parts[2] == row.reference_count
        assert sum(parts) == int(total.replace(",", "")) == found.total + found.reference_total
        assert "Dunning 1993" in told and "O·ln (O / E)" in told


def test_rows_lead_to_their_lines_as_they_are_written(bench, tmp_path):
    bench.compare(min_count=2)
    rows = bench.state.found.rows
    place = next(place for place, row in enumerate(rows) if row.form == "ship")
    bench.presenter.choose(place)
    bench.services.answer_all()
    lines = bench.presenter.lines.state
    assert lines.count == rows[place].count and {line.match for line in lines.lines.current} == {"ship", "Ship"}
    assert all("ship" in line.match.lower() and line.document < 6 for line in lines.lines.current)
    bench.presenter.lines.save(tmp_path / "lines.csv")
    bench.services.answer_all()
    written = list(csv.DictReader(io.StringIO((tmp_path / "lines.csv").read_text(encoding="utf-8-sig"))))
    assert len(written) == rows[place].count and {line["match"] for line in written} == {"ship", "Ship"}
    assert [each.sentence for each in bench.saved] == [f"Saved {rows[place].count} lines"]
    assert '"part=sea"' in (tmp_path / "lines.csv.about.json").read_text()
    # A word of the reference alone has no line here, and that is told.
    place = next(place for place, row in enumerate(rows) if row.form == "farm")
    bench.presenter.choose(place)
    bench.services.answer_all()
    assert bench.presenter.lines.state.title == "No lines here: farm"


def test_a_typed_beginning_chooses_documents(bench, corpus):
    bench.presenter.set(min_count=2)
    bench.presenter.set(operator="^=")
    bench.presenter.choose_value("se", None)
    bench.presenter.run()
    bench.services.answer_all()
    assert bench.state.rule.where == "part^=se"
    assert bench.state.found.found.total == corpus.keywords(where="part=sea", min_count=2).total


def test_another_field_is_undone_with_its_value(bench):
    bench.compare("sea", min_count=3)
    rule, rows, values = bench.state.rule, bench.state.found.rows, bench.state.values.bars
    assert rule.condition == "part=sea"
    other = next(name for name in bench.state.fields if name != "part")
    bench.presenter.choose_field(other)
    bench.services.answer_all()
    assert bench.state.rule.value == "" and bench.state.values.bars != values
    bench.presenter.choices.undo()
    bench.services.answer_all()
    assert bench.state.rule == rule and bench.state.found.rows == rows
    assert [bar.label for bar in bench.state.values.bars] == [bar.label for bar in values]
    bench.presenter.choices.redo()
    bench.services.answer_all()
    assert bench.state.rule.field == other and bench.state.found is None


def test_a_picked_value_and_its_sign_are_undone_one_by_one(bench):
    bench.compare("sea")
    bench.services.let_time_pass()
    bench.presenter.set(operator="~")
    bench.services.let_time_pass()
    assert bench.state.rule.condition == "part~sea"
    bench.presenter.choices.undo()
    assert (bench.state.rule.operator, bench.state.rule.condition) == ("=", "part=sea")
    bench.presenter.choices.undo()
    bench.services.answer_all()
    assert bench.state.rule.value == bench.state.rule.condition == "" and bench.state.found is None


def test_another_measure_and_a_word_list(bench, tmp_path):
    bench.compare(min_count=2, measure="log_ratio")
    ratios = [row.log_ratio for row in bench.state.found.rows[: bench.state.found.positive]]
    assert ratios == sorted(ratios, reverse=True) and bench.state.side_header(True)[-1] == "G²"
    path = tmp_path / "reference.tsv"
    path.write_text("1\t500\tthe\n2\t3\tship\n")
    bench.presenter.set(reference="list", list=str(path), measure="g2")
    bench.presenter.run()
    bench.services.answer_all()
    assert bench.state.found.found.reference == "reference.tsv" and bench.state.found.rule.where == ""
    path.write_text("not a word list\n")
    bench.presenter.run()
    bench.services.answer_all()
    assert "reference.tsv is not a word list" in bench.state.notice and bench.state.answer.dimmed


def test_another_index_is_compared_and_named(bench, folder, corpus):
    # Makes the index of words.
    bench.compare()
    bench.presenter.set(reference="index", index=str(folder), min_count=2)
    bench.presenter.run()
    bench.services.answer_all()
    assert corpus.index.fingerprint in bench.state.found.found.reference
    # The same words are as frequent in both.
    assert all(row.log_ratio == 0 for row in bench.state.found.rows) and not bench.state.found.dots


@pytest.mark.parametrize("name", ["keywords.csv", "keywords.xlsx", "keywords.parquet"])
def test_files_have_all_rows_and_name_the_reference(bench, corpus, tmp_path, name):
    from openpyxl import load_workbook
    from pyarrow import parquet

    bench.compare(min_count=1)
    path = tmp_path / name
    bench.presenter.save(path)
    bench.services.answer_all()
    expected = list(corpus.keywords(where="part=sea", min_count=1))
    if name.endswith("csv"):
        rows = path.read_text(encoding="utf-8-sig").splitlines()[1:]
        facts = path.with_name(path.name + ".about.json").read_text()
    elif name.endswith("xlsx"):
        book = load_workbook(path)
        rows = list(book.worksheets[0].values)[1:]
        facts = str(list(book.worksheets[1].values))
    else:
        table = parquet.read_table(path)
        rows, facts = table.to_pylist(), str(table.schema.metadata)
        assert [row["form"] for row in rows] == [row.form for row in expected]
    assert len(rows) == len(expected) and "the rest (not: part is sea)" in facts
    assert [each.path for each in bench.saved] == [path]


def test_the_figure_names_the_reference(bench):
    bench.compare(min_count=2)
    chart = bench.presenter.charts()()[0]
    assert (
        "the rest (not: part is sea)" in chart.title and dict(chart.facts)["reference"] == "the rest (not: part is sea)"
    )
    assert len(chart.data) == len(bench.state.found.rows)
    drawn = sum(len(dots.points) for panel in chart.rows[0] for dots in panel.dots)
    assert drawn == sum(row.g2 != 0 for row in bench.state.found.rows)


def test_code_compares_the_same(bench, folder):
    bench.compare(min_count=2, measure="bic")
    recipe = recipe_of(bench, folder)
    assert "corpus.keywords(where='part=sea', measure='bic', min_count=2, top=500)" in recipe.python
    command = recipe.commands[0]
    assert "--field=part=sea" in command and "--sort=bic" in command and "--top=500" in command
    bench.presenter.set(reference="index", index=str(folder))
    recipe = recipe_of(bench, folder)
    assert f"corpus.keywords(explorer.open_index({str(folder)!r})" in recipe.python
    assert recipe.commands[0].split()[-2:] == [str(folder)] * 2


def test_sessions_keep_what_is_compared(bench, corpus):
    bench.compare(min_count=3, measure="bic")
    other = KeywordsPresenter(HandServices())
    other.restore({**bench.presenter.session(), "reference": "moon", "measure": 3})
    other.use_corpus(corpus)
    assert other.state.rule == KeywordRule(field="part", value="sea", condition="part=sea", min_count=3)


def test_ticks_enclose_the_evidence():
    for least, most in ((30, 340), (0.2, 0.2), (1, 1000), (0.03, 2e6)):
        ticks = evidence_ticks(least, most)
        assert ticks[0] <= least and ticks[-1] >= most and ticks == sorted(ticks)


def test_the_window_compares_reads_and_marks(window, qtbot, folder, corpus):
    from explorer.gui.presenting.requests import OpenRequest

    window.open(OpenRequest((str(folder),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    screen = window.show_screen("statistics")
    page = screen.turn_to("keywords")
    page.bar.field.setCurrentIndex(page.presenter.state.fields.index("part"))
    page.bar.field.activated.emit(page.bar.field.currentIndex())
    qtbot.waitUntil(lambda: page.presenter.state.values is not None)
    page.bar.value.setFocus()
    qtbot.keyClicks(page.bar.value, "sea")
    qtbot.keyClick(page.bar.value, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.presenter.state.answer.current is not None)
    if page.presenter.state.missing:
        # Enter asked for something that needs the words: their button is the next key.
        qtbot.waitUntil(page.empty.examples()[0].hasFocus)
    if page.presenter.state.missing:
        qtbot.mouseClick(page.empty.examples()[0], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: page.presenter.state.found is not None)
    table = page.tables.more.table
    place = table.visualRect(page.tables.more.model.index(0, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: page.presenter.lines.state.lines.current is not None)
    assert page.lines.model.rowCount() == page.presenter.state.found.rows[0].count
    # A dot of the plot chooses its row, in whichever table it is.
    page.plot.repaint()
    dot = page.plot.place_of(page.presenter.state.found.dots[-1].row)
    qtbot.mouseClick(page.plot, Qt.MouseButton.LeftButton, pos=dot.toPoint())
    assert not page.presenter.state.found.rows[page.presenter.state.row].positive
    assert page.tables.less.table.currentIndex().row() >= 0 and not table.selectionModel().hasSelection()
    assert screen.recipe(Source(("x",))) is not None


def test_words_of_few_documents_are_left_out(folder, corpus):
    bench = Bench(corpus)
    bench.compare(min_count=1, min_documents=6)
    rows = list(corpus.keywords(where="part=sea", min_count=1, min_documents=6, top=500, details=True))
    assert list(bench.state.found.rows) == rows and rows
    assert all((row.documents if row.positive else row.reference_documents) >= 6 for row in rows)
    recipe = recipe_of(bench, folder)
    assert "min_documents=6" in recipe.python and "--min-documents=6" in recipe.commands[0]
    other = KeywordsPresenter(HandServices())
    other.restore(bench.presenter.session())
    other.restore({"min_documents": 0})
    assert other.state.rule.min_documents == 6


def test_stop_lists_and_spread(bench, corpus, folder, tmp_path):
    bench.compare(min_count=1)
    every = list(bench.state.found.rows)
    shown = [cells[6].text for cells in bench.state.found.table]
    assert bench.state.side_header(True)[6] == "Evenness"
    assert shown == [f"{row.d_a if row.positive else row.reference_d_a:.2f}" for row in every]
    stop = tmp_path / "stop.txt"
    stop.write_text("SHIP\nthe\n\n")
    bench.compare(stop=WordFile(str(stop)), min_d_a=0.5)
    rows = list(bench.state.found.rows)
    even = [row for row in every if (row.d_a if row.positive else row.reference_d_a) >= 0.5]
    assert rows == [row for row in even if row.form not in ("ship", "the")] and 0 < len(rows) < len(even)
    recipe = recipe_of(bench, folder)
    assert "min_d_a=0.5" in recipe.python and f"--stop=@{stop}" in recipe.commands[0]
    names = {}
    exec(compile(recipe.python, "recipe", "exec"), names)
    assert [row.form for row in names["found"]] == [row.form for row in rows]
    # A session of another day, whose file is gone.
    other = Bench(corpus)
    other.presenter.restore(bench.presenter.session())
    assert other.state.rule == bench.state.rule
    stop.unlink()
    bench.presenter.run()
    bench.services.answer_all()
    assert "stop.txt cannot be read" in bench.state.notice
    bench.compare(stop=(), min_d_a=None)
    assert list(bench.state.found.rows) == every
