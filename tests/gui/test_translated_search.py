"""A search in another language computes what one in English computes: only its labels differ."""

from __future__ import annotations

import pytest
from by_hand import HandServices
from pseudo import OPEN, Pseudo
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from searching import sort_by_levels

from explorer import i18n
from explorer.analyses.metadata.values import OPERATORS, FieldFilter
from explorer.analyses.search.arrange import LineSettings, SortLevel, parse_sort
from explorer.gui.screens.search.filters.chips import FilterForm
from explorer.gui.screens.search.filters.presenter import FiltersPresenter
from explorer.gui.screens.search.lines.presenter import LinesPresenter
from explorer.gui.screens.search.lines.sort_form import SortForm
from explorer.gui.screens.search.query.builder import ClauseBuilder
from explorer.gui.screens.search.query.builder_presenter import BuilderPresenter
from explorer.i18n import NumberFormat, Words, tr

FIELDS = ("path", "linenum", "kind of text")


@pytest.fixture(params=["English", "made-up"])
def language(request, settings, speak, qapp):
    """The test runs once in English and once in a language whose every sentence differs."""
    if request.param == "made-up":
        speak(i18n.Speech(Words(("xx",), NumberFormat("'", "•")), Pseudo()))
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
def test_the_builder_gives_back_the_query_that_it_was_given(language, query):
    builder = BuilderPresenter(lambda text: None)
    builder.read(query, "text")
    assert builder.state.query == query


def test_a_condition_that_is_added_as_an_exclusion_excludes(language, qtbot):
    typed = []
    presenter = BuilderPresenter(typed.append)
    builder = ClauseBuilder(presenter)
    presenter.watch(lambda state, _: builder.draw(state))
    qtbot.addWidget(builder)
    presenter.read("cat", "text")
    for excluded, text in ((False, "mat"), (True, "dog"), (False, "rug")):
        qtbot.mouseClick(builder.add, Qt.MouseButton.LeftButton)
        builder.rows[-1].kind.activated.emit(int(excluded))
        qtbot.keyClicks(builder.rows[-1].phrases[0].edit, text)
    assert typed[-1] == '"cat" AND "mat" AND "rug" AND NOT "dog"'
    # Rows that go take nothing of the others with them.
    qtbot.mouseClick(builder.rows[1].remove, Qt.MouseButton.LeftButton)
    assert typed[-1] == '"cat" AND "rug" AND NOT "dog"'


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
    presenter, button = lines_by_hand(None), QPushButton()
    qtbot.addWidget(button)
    form = SortForm(presenter, button)
    form.orders[preset].click()
    assert presenter.state.settings == parse_sort(preset)


@pytest.mark.parametrize("key", ["5L", "1L", "M", "1R", "document", *(f"field:{name}" for name in FIELDS)])
@pytest.mark.parametrize("descending", [False, True])
def test_every_level_is_a_sort(language, qtbot, key, descending):
    presenter, button = lines_by_hand(Fields(FIELDS)), QPushButton()
    qtbot.addWidget(button)
    form = SortForm(presenter, button)
    presenter.watch(form.draw)
    presenter.sort_by("index")
    level, way = form.levels[0]
    level.setCurrentIndex(level.findData(key))
    level.activated.emit(level.currentIndex())
    way.button(int(descending)).click()
    settings = presenter.state.settings
    assert settings == LineSettings(sort=(SortLevel(key, descending),))
    assert parse_sort(("-" if descending else "") + key) == settings


def form_by_hand(qtbot):
    """The form of a filter, its presenter, and the conditions that it made."""
    made, button = [], QPushButton()
    qtbot.addWidget(button)
    presenter = FiltersPresenter(HandServices(), lambda filters, ask: made.append(filters), lambda error: None)
    presenter.use_corpus(Fields(FIELDS))
    form = FilterForm(presenter, button)
    presenter.watch(form.draw)
    presenter.begin()
    form.draw(presenter.state, None)
    return form, presenter, made


@pytest.mark.parametrize("sign", OPERATORS)
def test_every_relation_of_the_filter(language, qtbot, sign):
    form, _, made = form_by_hand(qtbot)
    for box, row in ((form.field, form.field.findText("kind of text")), (form.operator, form.operator.findData(sign))):
        box.setCurrentIndex(row)
        box.activated.emit(row)
    qtbot.keyClicks(form.value, "prose")
    form.add.click()
    assert made == [(FieldFilter("kind of text", sign, "prose"),)]


@pytest.mark.parametrize("wanted", [True, False])
def test_with_and_without_words_near(language, qtbot, wanted):
    form, presenter, _ = form_by_hand(qtbot)
    form.kind.button(1).click()
    form.wanted.button(0 if wanted else 1).click()
    qtbot.keyClicks(form.words, "the mat")
    form.distance.setValue(7)
    form.add.click()
    assert presenter.state.pending == (("the mat", 7, wanted),)


def test_sorting_by_a_field_in_the_window(language, opened, qtbot, small):
    search = opened.search
    search.search_for("the")
    sort_by_levels(search, "-field:path")
    qtbot.waitUntil(lambda: not search.busy and search.presenter.state.lines.answer.value is not None)
    qtbot.waitUntil(lambda: search.model.row(0) is not None)
    expected = small.concordance("the", whole_words=True, sort="-field:path").lines(0, 5)
    assert [search.model.row(i).line.document for i in range(5)] == [line.document for line in expected]
    assert search.notice.isHidden()
