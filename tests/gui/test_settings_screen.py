"""The Settings screen in a window: every control does what its sentence says."""

from __future__ import annotations

import pytest
from driven import show_driven
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QFontDatabase, QKeySequence
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog

from explorer.core.jobs.pool import SHARED, WORKERS
from explorer.gui.app.startup import Startup
from explorer.gui.chrome import folders
from explorer.gui.chrome.folders import begin_in, choose_folder
from explorer.gui.screens.settings.state import SHORTCUTS, SHOWN
from explorer.gui.settings.store import Settings
from explorer.gui.style.theme import choose_fonts, choose_motion, is_dark, monospace


@pytest.fixture
def screen(opened):
    yield opened.open_settings()
    for page in opened.open_settings().pages:
        page.reset.click()
    # What is set for the whole process, whatever a test left.
    choose_fonts("", "")
    choose_folder("")
    choose_motion(reduced=False)
    SHARED.allow(WORKERS)


def choose(screen, key, value):
    field = screen.row(key).field
    assert isinstance(field, QComboBox)
    field.setCurrentIndex(field.findData(value))
    field.activated.emit(field.currentIndex())


def test_looks_change_at_once_and_are_stored(screen, opened):
    screen.row("scheme").field.button(2).click()
    assert is_dark() and opened.settings.scheme() == "dark" and not screen.row("scheme").tag.isHidden()
    before = QApplication.font().pointSizeF()
    choose(screen, "text_size", 16)
    assert QApplication.font().pointSizeF() == 16
    screen.presenter.undo()
    screen.presenter.undo()
    assert QApplication.font().pointSizeF() == before and not is_dark() and screen.row("scheme").tag.isHidden()
    assert opened.settings.flush() and Settings(opened.settings.path).scheme() == "system"


def test_ctrl_z_takes_a_change_back(screen, opened, qtbot):
    screen.row("whole_words").field.click()
    assert opened.settings.get("whole_words") is False
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    screen.list.setFocus()
    qtbot.keyClick(screen.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened.settings.get("whole_words") is True)
    assert screen.row("whole_words").field.isChecked()


def test_a_size_between_those_that_are_offered_is_shown(screen, opened):
    opened.change_setting("text_size", 15)
    screen.presenter.refresh()
    assert screen.row("text_size").field.currentData() == 15


def test_fonts_are_listed_when_they_are_wanted(screen):
    text, code = screen.row("text_font").field, screen.row("code_font").field
    assert text.count() == 1
    text.list_families()
    code.list_families()
    assert text.count() > code.count() > 1
    family = next(name for name in QFontDatabase.families() if QFontDatabase.isFixedPitch(name))
    before = QApplication.font().family()
    choose(screen, "code_font", family)
    assert monospace().family() == family and QApplication.font().family() == before
    choose(screen, "text_font", family)
    assert QApplication.font().family() == family
    screen.presenter.undo()
    assert QApplication.font().family() == before


def test_reduced_motion_stills_the_cursor(screen):
    before = QApplication.cursorFlashTime()
    screen.row("motion").field.button(1).click()
    assert QApplication.cursorFlashTime() == 0
    assert not QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateCombo)
    screen.presenter.undo()
    assert QApplication.cursorFlashTime() == before


def test_dialogs_begin_in_the_folder(screen, opened, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(folders, "_last", [str(tmp_path / "last")])

    def answer(parent, title, folder=""):
        asked.append(folder)
        return str(tmp_path) if len(asked) == 1 else ""

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", answer)
    screen.row("folder").field.choose.click()
    assert opened.settings.get("folder") == str(tmp_path) and begin_in("x.csv") == str(tmp_path / "x.csv")
    opened.indexes.choose_index()
    assert asked == ["", begin_in()]
    screen.row("folder").field.clear.click()
    assert begin_in("x.csv") == str(tmp_path / "last" / "x.csv")


def test_a_new_window_begins_with_what_is_set(screen, opened, qtbot):
    agreement = opened.agreement.presenter
    screen.row("whole_words").field.click()
    screen.row("ignore_case").field.click()
    screen.row("context_unit").field.button(1).click()
    screen.row("trace_min_length").field.setValue(4)
    screen.row("agreement_n").field.setValue(7)
    opened.settings.set("restore", False)
    other = show_driven(Startup(), opened.settings)
    qtbot.addWidget(other)
    matching = other.search.presenter.state.query.matching
    assert (matching.whole_words, matching.ignore_case) == (False, True)
    assert other.search.presenter.state.lines.options.unit == "words"
    assert other.trace.presenter.state.settings.min_length == 4
    assert other.agreement.presenter.state.inputs.question.max_n == 7
    # The window that is open keeps its own.
    assert agreement.state.inputs.question.max_n == 5
    other.close()


def test_a_setting_is_found_and_one_can_be_named(screen, opened, qtbot):
    qtbot.keyClicks(screen.finder, "blink")
    shown = [row.setting.key for page in screen.pages for row in page.rows if row.isVisibleTo(screen)]
    assert shown == ["motion"]
    screen.finder.setText("no such words")
    assert screen.nothing.isVisibleTo(screen)
    opened.open_settings(key="threads")
    assert screen.finder.text() == "" and screen.list.currentItem().text() == "Indexes and memory"
    assert screen.focusWidget() is screen.row("threads").field


def test_every_row_has_a_control_with_a_name_and_a_description(screen):
    rows = [row for page in screen.pages for row in page.rows]
    assert [row.setting.key for row in rows] == [setting.key for setting in SHOWN]
    for row in rows:
        assert row.field.accessibleDescription() == row.about.text() != ""


def test_the_file_opens_in_an_editor(screen, opened, monkeypatch):
    seen = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: seen.append(url.toLocalFile()))
    screen.open_file.click()
    assert seen == [str(opened.settings.path)] and opened.settings.path.is_file()


def test_the_palette_leads_to_a_setting(screen, opened, qtbot):
    opened.show_screen("search")
    palette = opened.open_palette()
    qtbot.keyClicks(palette.field, "#code")
    assert palette.chosen().name == "Code font"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert opened.current_screen() is screen and screen.focusWidget() is screen.row("code_font").field


def test_shortcuts_are_changed_and_clashes_are_reported(screen, opened, qtbot):
    opened.open_settings(SHORTCUTS)
    page = screen.shortcuts
    own = {spec.id for spec in opened.book.commands if spec.of_focus}
    qtbot.waitUntil(lambda: page.keys.keys() == opened.book.actions.keys() - own)
    assert page.isVisible() and not page.notice.isVisible()
    edit = page.keys["trace"]
    edit.setKeySequence(QKeySequence("Ctrl+Alt+T"))
    edit.editingFinished.emit()
    assert opened.book.actions["trace"].shortcut() == QKeySequence("Ctrl+Alt+T")
    assert "Ctrl+Alt+T" in opened.rail.screen_actions["trace"].toolTip()
    edit.setKeySequence(QKeySequence("Ctrl+O"))
    edit.editingFinished.emit()
    assert "Open index and Trace have the same shortcut" in page.notice.text()
    page.reset.click()
    assert opened.book.actions["trace"].shortcut() == QKeySequence("Ctrl+3")
    assert not page.notice.isVisible()
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    qtbot.keyClick(opened, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: opened.current_screen() is opened.trace)
