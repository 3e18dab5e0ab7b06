"""What assistive technology is told, what the keyboard reaches, and that its focus is seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.analyses.agreement.chart import agreement_chart
from explorer.gui.charts.export.dialog import FigureDialog
from explorer.gui.style.surfaces import all_restyled, apply_stylesheet

CONTROLS = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QPlainTextEdit, QTextEdit, QAbstractItemView)
SCREENS = ("search", "next_token", "trace", "agreement", "model", "statistics", "curation", "index", "settings")


@pytest.fixture
def busy(opened, qtbot):
    """The window with something on every screen."""
    opened.search.search_for("the cat")
    opened.next_token.bar.prompt.setPlainText("the cat")
    opened.trace.presenter.trace_text("the cat sat on the mat")
    opened.agreement.analyze_text("the cat sat on the rug")
    qtbot.waitUntil(lambda: opened.search.model.rowCount() > 0 and opened.next_token.next.model.rowCount() > 0)
    qtbot.waitUntil(lambda: opened.trace.presenter.state.trace is not None)
    qtbot.waitUntil(lambda: opened.agreement.presenter.state.answer.value is not None)
    return opened


def name_of(widget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None, widget
    return interface.text(QAccessible.Text.Name) or interface.text(QAccessible.Text.Description)


def shown_controls(area):
    """Controls that a person meets; the parts that Qt makes inside of others are left to Qt."""
    for widget in area.findChildren(QWidget):
        inside = isinstance(widget.parent(), QAbstractSpinBox | QComboBox | QAbstractItemView | QLineEdit)
        ours = not widget.objectName().startswith("qt_")
        if isinstance(widget, CONTROLS) and widget.isVisible() and ours and not inside:
            yield widget


def nameless(area):
    return [
        f"{type(w).__name__} in {type(w.parent()).__name__}" for w in shown_controls(area) if not name_of(w).strip()
    ]


def pages_of(window, qtbot, screen):
    """Each page of a screen: its name, once it is in front."""
    yield screen
    tabs = {"search": "tabs", "agreement": "halves", "model": "tabs", "trace": "tabs", "index": "tabs"}
    if screen not in tabs:
        return
    pages = getattr(window.current_screen(), tabs[screen])
    pages = pages.plots.tabs if screen == "agreement" else pages
    if isinstance(pages, QTabBar):
        for number in range(pages.count()):
            pages.setCurrentIndex(number)
            yield f"{screen}, {pages.tabText(number)}"
        return
    for button in pages.buttons():
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        yield f"{screen}, {button.text()}"


def test_every_control_has_a_name(busy, qtbot):
    found = []
    for screen in SCREENS:
        busy.show_screen(screen)
        for page in pages_of(busy, qtbot, screen):
            found += [f"{page}: {each}" for each in nameless(busy.current_screen())]
    assert found == []


def test_every_control_of_a_build_has_a_name(busy):
    busy.show_screen("index")
    busy.index.presenter.add_sources(("/texts/a.txt",))
    busy.index.pages.prepare.options.advanced.setChecked(True)
    assert nameless(busy.current_screen()) == []


def test_every_control_of_the_dialogs_has_a_name(busy, qtbot):
    figure = busy.agreement.presenter.state.answer.value.figure
    dialogs = [
        busy.open_palette(),
        busy.open_help(),
        FigureDialog([agreement_chart("x", [("a", figure)])], busy),
    ]
    for dialog in dialogs:
        dialog.show()
        assert nameless(dialog) == [], type(dialog).__name__
        dialog.close()


def test_painted_controls_say_what_they_show(busy):
    search, trace, agreement = busy.search, busy.trace, busy.agreement
    painted = [
        trace.text.evidence.novelty.plot,
        trace.text.texts.pane.minimap,
        agreement.halves.plots.plot,
        agreement.halves.text.ribbon,
        agreement.halves.plots.count_plot,
        search.pages.spread.histogram,
    ]
    search.presenter.show_view(2)
    trace.text.evidence.tabs.setCurrentIndex(1)
    agreement.halves.plots.tabs.setCurrentIndex(2)
    for widget in painted:
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface.text(QAccessible.Text.Name)
    for widget in painted[:5]:
        description = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Description)
        assert any(character.isdigit() for character in description), widget
    # Rows whose bars are painted have their figures as text.
    index = busy.next_token.next.model.index(0, 1)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).endswith("%")


def unreached(window) -> list[str]:
    """What Tab does not reach on the screen in front, until it comes back to where it began."""
    reached = set()
    for _ in range(120):
        reached.add(QApplication.focusWidget())
        QApplication.focusWidget().window().focusNextChild()
    wanted = {
        widget
        for widget in shown_controls(window.current_screen())
        if widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    }
    # Of a group of tabs, Tab reaches the chosen one, and arrow keys the others.
    groups = {widget.group() for widget in reached if isinstance(widget, QAbstractButton) and widget.group()}
    return [
        f"{type(w).__name__} {name_of(w)}"
        for w in wanted - reached
        if not (isinstance(w, QAbstractButton) and w.group() in groups)
    ]


def test_the_keyboard_reaches_every_control(busy, qtbot):
    """Tab goes round through all that is enabled, and comes back."""
    missing = []
    for screen in SCREENS:
        busy.show_screen(screen)
        busy.activateWindow()
        qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
        missing += [f"{screen}: {each}" for each in unreached(busy)]
    assert missing == []


def picture(widget) -> QImage:
    return widget.grab().toImage()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_focus_is_seen(opened, qtbot, scheme):
    opened.set_scheme(scheme)
    kinds = (QPushButton, QToolButton, QCheckBox, QComboBox, QSpinBox, QLineEdit, QPlainTextEdit)
    controls, other = [kind() for kind in kinds], QPushButton("elsewhere")
    place = QWidget(opened, Qt.WindowType.Window)
    layout = QVBoxLayout(place)
    for control in (*controls, other):
        layout.addWidget(control)
        if isinstance(control, QAbstractButton):
            control.setText("A text")
    apply_stylesheet(place)
    qtbot.addWidget(place)
    place.show()
    place.activateWindow()
    unseen = []
    for control in controls:
        other.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(other.hasFocus)
        without = picture(control)
        control.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(control.hasFocus)
        if picture(control) == without:
            unseen.append(type(control).__name__)
    opened.set_scheme("system")
    qtbot.waitUntil(all_restyled)
    assert unseen == []


def test_no_text_of_a_button_is_cut_at_other_sizes(busy, qtbot, scale):
    cut = []
    for points in scale((20,), (8, 13, 16, 20)):
        busy.change_setting("text_size", points)
        qtbot.waitUntil(all_restyled)
        for screen in SCREENS:
            busy.show_screen(screen)
            QApplication.processEvents()
            cut += [f"{screen} at {points} pt: {words}" for words in cut_words(busy.current_screen())]
    busy.change_setting("text_size", 0)
    assert cut == []


def cut_words(screen):
    """The words of the buttons that are smaller than their words."""
    for widget in shown_controls(screen):
        if isinstance(widget, QPushButton | QCheckBox) and widget.text():
            metrics = widget.fontMetrics()
            if widget.height() < metrics.height() or widget.width() < metrics.horizontalAdvance(widget.text()):
                yield widget.text()
