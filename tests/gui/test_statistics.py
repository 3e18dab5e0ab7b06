"""The Statistics screen: its figures are the library's, and every row leads to as many lines as it counts."""

from __future__ import annotations

import numpy as np
import pytest
from by_hand import HandServices
from PySide6.QtCore import QPoint, Qt

from explorer.analyses.wordlist.chart import rank_points
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.derive.kinds import WordFile
from explorer.gui.charts.plot_axes import apart
from explorer.gui.found_lines.work import LINES
from explorer.gui.presenting.requests import DocumentRequest
from explorer.gui.screens.statistics.words.presenter import WordsPresenter
from explorer.gui.style.text_positions import cell_text
from explorer.recipes import Source, wordlist_recipe
from explorer.text.collation import collation_key
from explorer.words.rule import WordRule, words_of


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services, self.asked = HandServices(), []
        self.presenter = WordsPresenter(self.services, self.asked.append)
        self.presenter.use_corpus(corpus)
        # Nothing is counted while nobody looks.
        assert not self.state.answer.awaited
        self.presenter.appear(True)
        self.services.answer_all()

    @property
    def state(self):
        return self.presenter.state

    def set(self, **values) -> None:
        self.presenter.set(**values)
        self.presenter.run()
        self.services.answer_all()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def bench(small, cache):
    return Bench(small)


def test_words_are_made_when_asked_for(bench, small):
    assert bench.state.missing and bench.state.found is None and "kB there" in bench.state.invitation[1]
    bench.presenter.run(make=True)
    bench.services.answer_all()
    words = small.words()
    expected = list(words.ngrams(1, top=1000))
    assert [(row.form, row.count, row.documents) for row in bench.state.found.rows] == [
        (row.form, row.count, row.documents) for row in expected
    ]
    # The next one finds them in the cache.
    again = Bench(small)
    assert again.state.found is not None and not again.state.missing
    whole = words.ngrams(1).figures[0]
    assert f"{whole.total:,} words, {whole.types:,} different, {whole.hapaxes:,} of them" in again.state.headline[0]


def test_words_that_were_made_elsewhere_are_found(bench, small):
    assert bench.state.missing
    small.words()
    bench.presenter.appear(False)
    bench.presenter.appear(True)
    bench.services.answer_all()
    assert not bench.state.missing and bench.state.found.rows


@pytest.mark.parametrize("words", [True, False])
def test_rows_have_as_many_lines_as_hits(bench, small, words):
    bench.presenter.run(make=True)
    # Chosen while the words are made: they are not begun again.
    bench.set(unit="words" if words else "tokens", max_n=2)
    for row, record in enumerate(bench.state.found.rows[:5]):
        bench.presenter.choose(row)
        bench.services.answer_all()
        shown = bench.presenter.lines
        lines = list(shown.state.lines.current)
        while shown.state.first + LINES < shown.state.count:
            shown.turn(1)
            bench.services.answer_all()
            lines += shown.state.lines.current
        assert len(lines) == len({(line.document, line.offset) for line in lines}) == record.count
        # Words are shown as the text has them, with its capitals and what is between them.
        assert {" ".join(words_of(line.match, WordRule())) if words else line.match for line in lines} == {record.form}
        for line in lines[:3]:
            place = (line.document, line.offset, line.offset + line.length)
            ids = small.index.documents.windows(*(np.array([each]) for each in place))[0]
            assert line.match in small.decode(ids)
    bench.presenter.lines.open_line(0)
    first = bench.presenter.lines.state.lines.current[0]
    assert bench.asked == [DocumentRequest(first.document, first.offset, first.length)]


def test_an_undo_drops_the_answer_that_is_awaited(bench):
    bench.set(unit="tokens")
    every, headline = bench.state.found.rows, bench.state.headline
    bench.presenter.set(max_n=2)
    bench.services.let_time_pass()
    assert bench.state.answer.awaited
    bench.presenter.choices.undo()
    bench.services.answer_all()
    assert (bench.state.rule.max_n, bench.state.found.rule.max_n) == (1, 1) and bench.state.headline == headline
    assert bench.state.found.rows == every and bench.presenter.session()["max_n"] == 1
    # What was typed and is not asked yet is undone, too, and never asked.
    form = every[0].form
    bench.presenter.set(contains=form)
    bench.presenter.choices.undo()
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert bench.state.rule.contains is bench.state.found.rule.contains is None
    bench.presenter.choices.redo()
    bench.services.answer_all()
    assert bench.state.found.rule.contains == form and [row.form for row in bench.state.found.rows] == [form]


def test_what_was_chosen_for_another_index_or_session_is_not_undone(bench, small):
    bench.set(unit="tokens")
    assert bench.presenter.choices.can_undo
    bench.presenter.restore({"max_n": 2})
    assert not bench.presenter.choices.can_undo
    bench.set(max_n=3)
    bench.presenter.use_corpus(small)
    assert not bench.presenter.choices.can_undo and bench.state.rule.max_n == 3


def test_a_stop_list_leaves_rows_out(bench, small, small_index, tmp_path):
    path = tmp_path / "stop.txt"
    path.write_text("The\n")
    bench.set(unit="words", max_n=2)
    if bench.state.missing:
        bench.presenter.run(make=True)
        bench.services.answer_all()
    every = bench.state.found
    bench.set(stop=WordFile(str(path)))
    found = bench.state.found
    assert [row.form for row in found.rows] == [row.form for row in every.rows if "the" not in row.form.split()]
    assert len(found.rows) < len(every.rows) and found.found.figures == every.found.figures
    # Their ranks are not those of the plot.
    assert found.slope is None and found.points != ()
    recipe = wordlist_recipe(Source((str(small_index),)), bench.state.rule)
    assert f"--stop=@{path}" in recipe.commands[0] and "read_text" in recipe.python


def test_conditions_and_ranks(bench, small):
    bench.set(unit="tokens", min_count=2, begins_with=" the")
    found = small.ngrams(1, top=1000, min_count=2, begins_with=" the")
    assert [row.count for row in bench.state.found.rows] == [row.count for row in found]
    bench.set(begins_with=None, min_count=1)
    counts = sorted((row.count for row in small.ngrams(1)), reverse=True)
    listed = bench.state.found.found.of_length(1)
    points = rank_points(listed, all_ranks=True)
    assert points == tuple(enumerate(counts, 1))
    # Without the rows, only the last rank of each count is known.
    rarest = rank_points(listed, all_ranks=False)
    different = sorted(set(counts), reverse=True)
    assert rarest == tuple((sum(each >= count for each in counts), count) for count in different)
    chart = bench.presenter.charts()()[0]
    assert [row[1] for row in chart.data] == counts and dict(chart.facts)["types"] == str(len(counts))


def test_a_text_without_a_word_is_an_error(bench):
    bench.presenter.run(make=True)
    bench.set(contains="…")
    assert "no word" in bench.state.notice
    bench.set(contains=None)
    assert bench.state.notice == "" and bench.state.found is not None


def test_code_lists_the_same(bench, small, small_index):
    bench.set(unit="tokens", max_n=2, min_count=2)
    recipe = wordlist_recipe(Source((str(small_index),)), bench.state.rule)
    assert "corpus.ngrams(2, top=1000, min_count=2)" in recipe.python
    assert "--unit tokens --n 2 --top 1000 --min-count 2" in recipe.commands[0].replace("=", " ")


def test_sessions_keep_what_is_listed(bench, small):
    bench.set(unit="tokens", max_n=3, min_documents=2)
    other = WordsPresenter(HandServices())
    other.restore({**bench.presenter.session(), "max_n": 9, "begins_with": 1})
    assert other.state.rule == WordlistQuestion(unit="tokens", min_documents=2, top=1000)


@pytest.mark.parametrize(
    ("saved", "expected"),
    [
        ({"words": False, "n": 2, "text": "a", "begins": True}, {"unit": "tokens", "max_n": 2, "begins_with": "a"}),
        ({"words": True, "n": 99, "text": "a", "begins": False}, {"contains": "a"}),
        ({"words": True, "n": 1, "text": "", "begins": True}, {}),
    ],
)
def test_sessions_of_version_0_2_open(saved, expected):
    presenter = WordsPresenter(HandServices())
    presenter.restore({**saved, "min_count": 2, "min_documents": 3, "stop": "/a/stop.txt"})
    stop = WordFile("/a/stop.txt")
    assert presenter.state.rule == WordlistQuestion(min_count=2, min_documents=3, stop=stop, top=1000, **expected)


def test_rows_are_sorted_by_any_column(bench):
    bench.set(unit="tokens")
    rows = bench.state.found.rows
    bench.presenter.sort(1)
    forms = sorted((row.form for row in rows), key=collation_key)
    assert [cells[1].text for cells in bench.state.table] == [cell_text(form) for form in forms]
    # The row that is chosen is the one that is seen.
    bench.presenter.choose_shown(3)
    assert rows[bench.state.row].form == bench.presenter.lines.state.asked.form == forms[3]
    bench.presenter.sort(4)
    assert [rows[row].documents for row in bench.state.order] == sorted((row.documents for row in rows), reverse=True)


@pytest.mark.parametrize(("rule", "name"), [({}, "Token"), ({"max_n": 2}, "n-gram"), ({"unit": "words"}, "Word")])
def test_the_table_names_what_it_lists(bench, rule, name):
    bench.set(**{"unit": "tokens", "max_n": 1} | rule)
    assert bench.state.header[1] == name


def test_all_rows_are_written(small, cache, tmp_path):
    import pyarrow.parquet as parquet
    from openpyxl import load_workbook

    told, services = [], HandServices()
    presenter = WordsPresenter(services, saved=told.append)
    presenter.use_corpus(small)
    presenter.appear(True)
    presenter.set(unit="tokens", max_n=2)
    presenter.run()
    services.answer_all()
    for name in ("all.parquet", "all.xlsx"):
        presenter.save(tmp_path / name)
        services.answer_all()
    expected = sorted((row.count for row in small.ngrams(2)), reverse=True)
    assert parquet.read_table(tmp_path / "all.parquet").column("count").to_pylist() == expected
    assert load_workbook(tmp_path / "all.xlsx").worksheets[0].max_row == len(expected) + 1
    assert [each.path.name for each in told] == ["all.parquet", "all.xlsx"]


def test_the_window_lists_and_reads(opened, qtbot, cache):
    screen = opened.show_screen("statistics")
    page = screen.page("words")
    qtbot.waitUntil(lambda: page.presenter.state.missing)
    qtbot.mouseClick(page.empty.examples()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.presenter.state.found is not None)
    assert page.list.model.rowCount() == len(page.presenter.state.found.rows) and page.headline.text
    header = page.list.table.horizontalHeader()
    place = header.sectionViewportPosition(1) + 10
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, header.height() // 2))
    assert page.presenter.state.sort == (1, False)
    place = page.list.table.visualRect(page.list.model.index(0, 1)).center()
    qtbot.mouseClick(page.list.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: page.presenter.lines.state.lines.current is not None)
    assert page.lines.model.rowCount() == min(LINES, page.presenter.lines.state.count)
    assert screen.recipe(Source(("x",))) is not None


def test_one_phrase_takes_the_place_of_the_other(bench):
    """Words are compared whole: “ca” is in no row."""
    bench.presenter.run(make=True)
    bench.set(contains="ca")
    assert bench.state.found.rows == ()
    bench.set(begins_with="cat")
    assert bench.state.rule.contains is None
    assert [row.form for row in bench.state.found.rows] == ["cat"]
    assert dict(bench.state.found.found.provenance)["begins with"] == "cat"


def test_labels_of_an_axis_keep_apart():
    assert apart([0, 35, 50, 85, 100], 30) == [0, 1, 3]
    assert apart([0, 50, 100], 30) == [0, 1, 2]
    assert apart([], 30) == []
