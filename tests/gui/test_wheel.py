"""The wheel changes no value unless the control has the focus: on every screen, in pop-overs and dialogs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollArea,
    QScrollBar,
    QSpinBox,
    QTabBar,
    QVBoxLayout,
    QWidget,
)


def turn(widget):
    """Turn the wheel over a widget, three steps in each direction."""
    place = QPointF(widget.rect().center())
    for steps in (3, -3):
        event = QWheelEvent(
            place,
            widget.mapToGlobal(place),
            QPoint(),
            QPoint(0, 120 * steps),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
        yield steps


def value_of(control):
    if isinstance(control, QComboBox | QTabBar):
        return control.currentIndex()
    return control.text() if isinstance(control, QAbstractSpinBox) else control.value()


def controls():
    kinds = (QComboBox, QAbstractSpinBox, QAbstractSlider, QTabBar)
    found = (each for each in QApplication.allWidgets() if isinstance(each, kinds) and not isinstance(each, QScrollBar))
    # One without a window is left over from an earlier test.
    return [each for each in found if each.window().isWindow() and each.isEnabled()]


def test_no_control_of_the_window_takes_the_wheel(opened, qtbot):
    from explorer.gui.screens.registry import SCREENS

    for spec in SCREENS:
        opened.show_screen(spec.id)
        QApplication.processEvents()
    found = controls()
    kinds = {
        kind for each in found for kind in (QComboBox, QSpinBox, QTabBar, QAbstractSlider) if isinstance(each, kind)
    }
    assert kinds == {QComboBox, QSpinBox, QTabBar, QAbstractSlider} and len(found) > 40
    for control in found:
        control.ensurePolished()
        assert control.focusPolicy() != Qt.FocusPolicy.WheelFocus
        if not control.hasFocus():
            before = value_of(control)
            assert [value_of(control) for _ in turn(control)] == [before, before], control.accessibleName()


@pytest.fixture
def page(window, qtbot):
    """A page that scrolls, with two boxes at its top."""
    area, inside = QScrollArea(), QWidget()
    column = QVBoxLayout(inside)
    area.box, area.combo = QSpinBox(value=5), QComboBox()
    area.combo.addItems(["one", "two", "three"])
    area.combo.setCurrentIndex(1)
    for each in (area.box, area.combo):
        column.addWidget(each)
    column.addStretch(1)
    inside.setMinimumHeight(2_000)
    area.setWidget(inside)
    area.resize(300, 300)
    qtbot.addWidget(area)
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    area.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is area)
    return area


def turn_in_system(page, control, steps):
    """As the system reports it: Qt passes only such events on to the widgets around."""
    place = QPointF(control.mapTo(page, control.rect().center()))
    QTest.wheelEvent(page.windowHandle(), place, QPoint(0, 120 * steps))


@pytest.mark.parametrize("name", ["box", "combo"])
def test_the_page_scrolls_instead(page, name):
    control = getattr(page, name)
    before = value_of(control)
    turn_in_system(page, control, -3)
    assert page.verticalScrollBar().value() > 0
    assert value_of(control) == before and not control.hasFocus()


def test_a_control_with_the_focus_takes_it(page, qtbot):
    page.box.setFocus()
    qtbot.waitUntil(page.box.hasFocus)
    turn_in_system(page, page.box, 3)
    assert page.box.value() == 8 and page.verticalScrollBar().value() == 0
