"""The window in a made-up language: every sentence is one of a catalog, and longer ones have room."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest
from pseudo import CLOSE, OPEN, Pseudo
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QDialog,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QTabWidget,
    QWidget,
)

from explorer import i18n
from explorer.analyses.collocates.association import ASSOCIATIONS
from explorer.gui.app.locale import local_time, number_format, use_system_locale, wanted_languages
from explorer.gui.app.log import log_path
from explorer.gui.widgets.texts.key_cap import KeyCap
from explorer.gui.widgets.texts.token_chips import TokenChips
from explorer.i18n import NumberFormat, Words, numeral, tr

QT = {"Cancel", "Press shortcut", "Scroll Left", "Scroll Right"}
"""Qt's own words, which its own catalogs translate."""

NAMES = {
    # What a corpus, a file or the project itself is called, and what is the same in every language.
    "Corpus Explorer", "small", "AND", "OR", "NOT", "n", "p", "h",
    "CSV", "JSON", "PNG", "SVG", "PDF", "mm", "pt", "dpi", "PP", "tokenizer.json",
    # Measures are called in every language as in the literature.
    *(measure.label for measure in ASSOCIATIONS.values()),
}  # fmt: skip


@pytest.fixture
def made_up(settings, speak):
    speak(i18n.Speech(Words(("xx",), NumberFormat("'", "•")), Pseudo()))


@pytest.fixture
def foreign(made_up, opened):
    return opened


def texts_of(widget: QWidget):
    """What a widget shows or tells a screen reader, as (kind, text)."""
    yield "tool tip", widget.toolTip()
    yield "name", widget.accessibleName()
    yield "description", widget.accessibleDescription()
    yield "title", widget.windowTitle() if widget.isWindow() else ""
    for kind, method in ((QAbstractButton, "text"), (QLabel, "text"), (QGroupBox, "title")):
        if isinstance(widget, kind):
            yield method, getattr(widget, method)()
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        yield "placeholder", widget.placeholderText()
    if isinstance(widget, QComboBox) and not widget.isEditable():
        yield from (("choice", widget.itemText(i)) for i in range(widget.count()))
    if isinstance(widget, QSpinBox):
        yield from (("affix", widget.prefix()), ("affix", widget.suffix()), ("special", widget.specialValueText()))
    if isinstance(widget, QTabWidget):
        yield from (("tab", widget.tabText(i)) for i in range(widget.count()))
    if isinstance(widget, QHeaderView) and widget.model() is not None:
        count = widget.model().columnCount() if widget.orientation() == Qt.Orientation.Horizontal else 0
        header = (widget.model().headerData(i, Qt.Orientation.Horizontal) for i in range(count))
        yield from (("header", str(text or "")) for text in header)
    if isinstance(widget, QMenu):
        yield from (("action", action.text()) for action in widget.actions())
    elif not isinstance(widget, QAbstractItemView):
        yield from (("action tip", action.statusTip()) for action in widget.actions())


def untranslated(text: str, data: set[str]) -> str:
    """What of a text is outside of every pair of brackets, without data and names; "" if there are no words."""
    outside, depth = [], 0
    for sign in text:
        depth += (sign == OPEN) - (sign == CLOSE)
        if depth == 0 and sign != CLOSE:
            outside.append(sign)
    rest = "".join(outside).replace("&", "")
    for known in sorted(data | NAMES, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(known)}(?!\w)", "", rest)
    return rest.strip() if re.search(r"[A-Za-z]{2}", rest) else ""


def missing(root: QWidget, data: set[str]) -> list[str]:
    found = []
    for widget in (root, *root.findChildren(QWidget)):
        # Keys are named by the platform, and the arrows of tab bars by Qt.
        if isinstance(widget, KeyCap) or isinstance(widget.parent(), QTabBar):
            continue
        for kind, text in texts_of(widget):
            if rest := untranslated(text, data):
                found.append(f"{type(widget).__name__} {kind}: {rest!r} of {text!r}")
    return sorted(set(found))


@pytest.fixture
def data(foreign):
    """What comes from the corpus and from the test."""
    corpus = foreign.corpus
    paths = {str(path) for path in corpus.folders}
    return {
        corpus.index.name,
        corpus.index.tokenizer.name,
        *paths,
        *corpus.metadata_fields,
        "the cat sat",
        "the cat",
        "the",
        # An example of a query, from the texts.
        "Unicode",
        # The words of file formats, in examples of such files.
        *('"role": "user", "content":', '"role": "assistant", "content":', '"prompt":', '"answer":'),
        *("User:", "Assistant:"),
    }


def test_every_sentence_of_the_screens(foreign, data, qtbot):
    found = []
    for name in foreign.screens:
        foreign.show_screen(name)
        found += missing(foreign.screens[name], data)
    found += missing(foreign.panel, data)
    for part in (foreign.menuBar(), foreign.rail, foreign.statusBar()):
        found += missing(part, data)
    assert not found, "\n".join(sorted(set(found)))


def test_every_sentence_about_answers(foreign, data, qtbot):
    window = foreign
    window.show_screen("search")
    window.search.search_for("the cat")
    qtbot.waitUntil(lambda: OPEN in window.search.answer.details.text())
    window.next_token.bar.prompt.setPlainText("the")
    window.show_screen("next_token")
    qtbot.waitUntil(lambda: window.next_token.next.model.rowCount() > 0)
    window.show_screen("trace")
    window.trace.presenter.trace_text("the cat sat")
    qtbot.waitUntil(lambda: window.trace.presenter.state.summary != "")
    model = window.show_screen("model")
    tabs = [model.turn_to(name) for name in ("perplexity", "drafts", "generate", "mix")]
    for page in tabs[:2]:
        page.restore_session({"text": "the cat sat"})
    tabs[2].presenter.typed("the cat sat")
    tabs[2].presenter.run()
    qtbot.waitUntil(lambda: all(page.presenter.state.answer.current is not None for page in tabs[:3]))
    window.show_screen("agreement")
    window.agreement.analyze_text("the cat sat")
    qtbot.waitUntil(lambda: window.agreement.stack.currentWidget() is not window.agreement.invitation)
    # Usual in every language.
    data.add("http://localhost:8080")
    found = [text for name in window.screens for text in missing(window.screens[name], data)]
    assert not found, "\n".join(sorted(set(found)))


def check_every_sentence_of_the_dialogs(foreign, data, command):
    foreign.book.actions[command].trigger()
    (dialog,) = [dialog for dialog in foreign.findChildren(QDialog) if dialog.isVisible()]
    found = missing(dialog, data | {str(log_path(foreign.settings.path.parent)), *QT})
    assert not found, "\n".join(found)
    dialog.close()


def test_every_sentence_of_the_dialogs(foreign, data):
    for command in ["palette", "help", "about", "log"]:
        check_every_sentence_of_the_dialogs(foreign, data, command)


def test_every_sentence_about_shortcuts(foreign, data, qtbot):
    foreign.book.actions["shortcuts"].trigger()
    qtbot.waitUntil(lambda: foreign.current_screen() is foreign.screens["settings"])
    page = foreign.current_screen().shortcuts
    own = {spec.id for spec in foreign.book.commands if spec.of_focus}
    qtbot.waitUntil(lambda: page.keys.keys() == foreign.book.actions.keys() - own)
    keys = {key for edit in page.keys.values() for key in edit.keySequence().toString().split("+")}
    found = missing(page, data | keys | QT)
    assert not found, "\n".join(found)


def test_every_error_is_one(foreign, qtbot, tmp_path):
    from explorer.gui.presenting.requests import OpenRequest

    foreign.open(OpenRequest((str(tmp_path),)))
    qtbot.waitUntil(lambda: foreign.index.notice.isVisible())
    assert untranslated(foreign.index.notice.text(), {str(tmp_path)}) == ""
    foreign.show_screen("search")
    foreign.search.search_for("the AND")
    qtbot.waitUntil(lambda: foreign.search.answer.problem.text() != "")
    assert untranslated(foreign.search.answer.problem.text(), set()) == ""


def test_numbers_of_the_locale_in_the_window(foreign):
    assert f"{numeral(foreign.corpus.token_count)} " in foreign.index_label.text()
    assert numeral(1_000) == "1'000"


@pytest.mark.parametrize(
    ("name", "million"), [("de_DE", "1.234.567,5"), ("en_US", "1,234,567.5"), ("C", "1,234,567.5")]
)
def test_signs_of_a_locale(name, million):
    assert number_format(QLocale(name)).localize(f"{1_234_567.5:,.1f}") == million


def test_a_second_language_does_not_come_before_english():
    assert wanted_languages(["de-AT", "fr", "en-US", "es"]) == ("de_AT", "fr")
    assert wanted_languages(["en-GB", "de"]) == ()


def test_a_moment_as_the_person_writes_it(monkeypatch):
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("de_DE")))
    assert local_time("2026-03-09T12:00:00+00:00").startswith("09.03.26")
    assert local_time("some day") == "some day"


def test_the_system_says_how_numbers_are_written(monkeypatch, qapp, speak):
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("de_DE")))
    # So that the former language comes back after the test.
    speak(i18n.Speech(i18n.chosen(), NullTranslations()))
    use_system_locale(qapp)
    assert numeral(1234.5, ",.1f") == "1.234,5"
    # There is no German catalog, so its sentences are English.
    assert tr("Build index") == "Build index"


def opened_dialog(window, qtbot) -> QDialog:
    qtbot.waitUntil(lambda: any(dialog.isVisible() for dialog in window.findChildren(QDialog)))
    (dialog,) = [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
    return dialog


def test_every_sentence_of_the_popovers(foreign, data, qtbot):
    foreign.show_screen("search")
    foreign.search.search_for("the cat")
    qtbot.waitUntil(lambda: foreign.search.model.rowCount() > 0)
    for popover in (
        foreign.search.answer.filters.form,
        foreign.search.tools.sort_form,
        foreign.search.tools.columns_form,
    ):
        popover.open()
        found = missing(popover, data | QT)
        assert not found, "\n".join(found)
        popover.close()
    foreign.search.bar.open_builder()
    found = missing(foreign.search.bar.popover, data | QT)
    assert not found, "\n".join(found)
    foreign.search.bar.popover.close()


@pytest.mark.parametrize("screen", ["search", "next_token", "trace", "agreement"])
def test_every_sentence_of_a_figure(foreign, data, qtbot, screen):
    foreign.show_screen(screen)
    if screen == "search":
        foreign.search.search_for("the cat")
        qtbot.waitUntil(lambda: foreign.search.model.rowCount() > 0)
        foreign.search.tabs.setCurrentIndex(2)
        qtbot.waitUntil(lambda: foreign.search.presenter.state.dispersion.shown is not None)
        button = foreign.search.pages.spread.figure
    elif screen == "next_token":
        foreign.next_token.bar.prompt.setPlainText("the")
        qtbot.waitUntil(lambda: foreign.next_token.next.model.rowCount() > 0)
        button = foreign.next_token.figure_button
    elif screen == "trace":
        foreign.trace.presenter.trace_text("the cat sat on the mat")
        button = foreign.trace.text.evidence.figure_button
    else:
        foreign.agreement.analyze_text("the cat sat on the mat")
        button = foreign.agreement.figure_button
    qtbot.waitUntil(button.isEnabled)
    button.open()
    dialog = opened_dialog(foreign, qtbot)
    found = missing(dialog, data)
    found += [
        text
        for row in range(dialog.texts.rowCount())
        if (text := untranslated(dialog.texts.item(row, 0).text(), data | {"cat sat on the mat"}))
    ]
    assert not found, "\n".join(found)
    dialog.close()


def test_a_language_from_right_to_left(all_screens, opened, qapp, qtbot):
    """The window's parts go the other way; what shows a corpus's text does not."""
    opened.resize(1280, 800)
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        opened.search.search_for("the cat")
        qtbot.waitUntil(lambda: opened.search.model.total > 0)
        opened.show_screen("agreement")
        tabs = [opened.agreement.halves.plots.tabs.tabRect(number).x() for number in range(4)]
        assert tabs == sorted(tabs, reverse=True)
        header = opened.search.table.horizontalHeader()
        places = [header.sectionViewportPosition(column) for column in range(header.count())]
        assert places == sorted(places)
        for chips in opened.findChildren(TokenChips):
            assert chips.layoutDirection() == Qt.LayoutDirection.LeftToRight
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
