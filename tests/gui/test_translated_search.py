"""A search in another language computes what one in English computes: only its labels differ."""

from __future__ import annotations

import pytest
from by_hand import HandServices
from pseudo import OPEN, Pseudo
from PySide6.QtCore import Qt

from explorer import i18n
from explorer.gui.screens.search.builder import ClauseBuilder
from explorer.gui.screens.search.filters import FilterDialog
from explorer.gui.screens.search.line_options import SortChoice
from explorer.gui.screens.search.lines_presenter import LinesPresenter
from explorer.i18n import NumberFormat, Words, tr
from explorer.search.arrange import LineSettings, SortLevel, parse_sort
from explorer.search.values import OPERATORS, FieldFilter

FIELDS = ("path", "linenum", "kind of text")


@pytest.fixture(params=["English", "made-up"])
def language(request, settings, monkeypatch, qapp):
    """The test runs once in English and once in a language whose every sentence differs."""
    if request.param == "made-up":
        monkeypatch.setattr(i18n, "_speech", [i18n._Speech(Words(("xx",), NumberFormat("'", "•")), Pseudo())])
        assert tr("AND NOT").startswith(OPEN)
    return request.param


@pytest.mark.parametrize(
    "query",
    [
        "cat",
        '"cat" AND "mat"',
        '"cat" AND NOT "dog"',
        '"cat" AND ("mat" OR "rug") AND NOT "dog" AND NOT "bird"',
        '("cat" OR "dog") AND "AND NOT"',
    ],
)
def test_the_builder_gives_back_the_query_that_it_was_given(language, qtbot, query):
    builder = ClauseBuilder()
    qtbot.addWidget(builder)
    builder.show_query(query)
    assert builder.query() == query


def test_a_clause_that_is_added_as_an_exclusion_excludes(language, qtbot):
    builder = ClauseBuilder()
    qtbot.addWidget(builder)
    builder.show_query("cat")
    for button, text in ((builder.add_and, "mat"), (builder.add_not, "dog"), (builder.add_and, "rug")):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        qtbot.keyClicks(builder.clauses[-1].phrases[0].edit, text)
    assert builder.query() == '"cat" AND "mat" AND "rug" AND NOT "dog"'
    # Rows that go take nothing of the others with them.
    qtbot.mouseClick(builder.clauses[1].phrases[0].remove, Qt.MouseButton.LeftButton)
    assert builder.query() == '"cat" AND "rug" AND NOT "dog"'


class Fields:
    """An index as far as sorting looks at it: its metadata fields, and that it can sort."""

    def __init__(self, fields):
        self.metadata_fields = fields
        self.index = self.capabilities = self

    def missing(self, capability):
        return ""


def lines_by_hand(corpus):
    presenter = LinesPresenter(HandServices(), lambda: None, lambda answer: None)
    presenter.use_corpus(corpus)
    return presenter


@pytest.mark.parametrize("preset", ["right", "left", "M,1R", "document", "random", "index"])
def test_every_preset_is_a_sort(language, qtbot, preset):
    presenter = lines_by_hand(None)
    sort = SortChoice(presenter)
    qtbot.addWidget(sort)
    sort.preset.setCurrentIndex(sort.preset.findData(preset))
    assert presenter.state.settings == parse_sort(preset)


@pytest.mark.parametrize("key", ["5L", "1L", "M", "1R", "document", *(f"field:{name}" for name in FIELDS)])
@pytest.mark.parametrize("descending", [False, True])
def test_every_level_is_a_sort(language, qtbot, key, descending):
    presenter = lines_by_hand(Fields(FIELDS))
    sort = SortChoice(presenter)
    qtbot.addWidget(sort)
    presenter.watch(sort.draw)
    sort.set_level(0, key, descending)
    settings = presenter.state.settings
    assert settings == LineSettings(sort=(SortLevel(key, descending),))
    assert parse_sort(("-" if descending else "") + key) == settings


@pytest.mark.parametrize("sign", OPERATORS)
def test_every_relation_of_the_filter(language, qtbot, sign):
    dialog = FilterDialog(FIELDS)
    qtbot.addWidget(dialog)
    chosen = []
    dialog.chosen.connect(chosen.append)
    dialog.field.setCurrentIndex(2)
    dialog.operator.setCurrentIndex(dialog.operator.findData(sign))
    dialog.value.setText("prose")
    dialog.add()
    assert chosen == [FieldFilter("kind of text", sign, "prose")]


@pytest.mark.parametrize("wanted", [True, False])
def test_with_and_without_words_near(language, qtbot, wanted):
    dialog = FilterDialog(FIELDS)
    qtbot.addWidget(dialog)
    chosen = []
    dialog.near_chosen.connect(lambda *values: chosen.append(values))
    dialog.by_words.setChecked(True)
    dialog.wanted.setCurrentIndex(0 if wanted else 1)
    dialog.words.setText("the mat")
    dialog.distance.setValue(7)
    dialog.add()
    assert chosen == [("the mat", 7, wanted)]


def test_sorting_by_a_field_in_the_window(language, opened, qtbot, small):
    search = opened.search
    search.search_for("the")
    search.sort.set_level(0, "field:path", descending=True)
    qtbot.waitUntil(lambda: not search.busy and search.presenter.state.lines.answer.value is not None)
    qtbot.waitUntil(lambda: search.model.row(0) is not None)
    expected = small.concordance("the", whole_words=True, sort="-field:path").lines(0, 5)
    assert [search.model.row(i).line.document for i in range(5)] == [line.document for line in expected]
    assert search.notice.isHidden()
