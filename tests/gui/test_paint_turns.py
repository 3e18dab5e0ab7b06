"""A page that comes to the front: its parts are painted in turns, all of them, and small pages at once."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.gui.threads.paint_turns import paint_in_turns
from explorer.gui.widgets.layouts.stack import Stack


class _Part(QWidget):
    """Notes that it was painted, and which parts could be by then; widgets: how many are in it."""

    def __init__(self, name: str, painted: list[str], widgets: int) -> None:
        super().__init__()
        self._name, self._painted = name, painted
        for _ in range(widgets):
            QWidget(self)
        self.setMinimumHeight(20)

    def paintEvent(self, event: QPaintEvent) -> None:
        page = self.parentWidget()
        assert page is not None
        may = "".join(part._name for part in page.findChildren(_Part) if part.updatesEnabled())
        self._painted.append(f"{self._name} of {may}")


def _stack(qtbot: QtBot, painted: list[str], widgets: int) -> Stack:
    """A stack that shows an empty page, with a page of three parts behind it."""
    stack, page = Stack(), QWidget()
    layout = QVBoxLayout(page)
    for name in "abc":
        layout.addWidget(_Part(name, painted, widgets))
    stack.addWidget(QWidget())
    stack.addWidget(page)
    qtbot.addWidget(stack)
    stack.resize(300, 300)
    with qtbot.waitExposed(stack):
        stack.show()
    return stack


def test_large_parts_are_painted_one_after_another(qtbot: QtBot) -> None:
    painted: list[str] = []
    stack = _stack(qtbot, painted, 39)
    stack.setCurrentIndex(1)
    page = stack.currentWidget()
    assert page is not None
    # What shows the page has a turn of its own; then the parts get theirs, the first one alone.
    assert not page.updatesEnabled() and not painted
    qtbot.waitUntil(lambda: bool(painted))
    assert painted[0] == "a of a"
    qtbot.waitUntil(lambda: {line[0] for line in painted} == set("abc"))


def test_small_parts_are_painted_together(qtbot: QtBot) -> None:
    painted: list[str] = []
    stack = _stack(qtbot, painted, 2)
    stack.setCurrentIndex(1)
    qtbot.waitUntil(lambda: painted == ["a of abc", "b of abc", "c of abc"])


def test_a_page_shown_twice_is_complete(qtbot: QtBot) -> None:
    painted: list[str] = []
    stack = _stack(qtbot, painted, 39)
    stack.setCurrentIndex(1)
    stack.setCurrentIndex(0)
    stack.setCurrentIndex(1)
    qtbot.waitUntil(lambda: {line[0] for line in painted} == set("abc"))
    page = stack.currentWidget()
    assert page is not None
    qtbot.waitUntil(lambda: all(part.updatesEnabled() for part in page.findChildren(_Part)))


def test_parts_that_go_meanwhile_are_left_out(qtbot: QtBot) -> None:
    painted: list[str] = []
    stack = _stack(qtbot, painted, 39)
    page = stack.widget(1)
    assert page is not None
    stack.setCurrentIndex(1)
    page.findChildren(_Part)[1].deleteLater()
    qtbot.waitUntil(lambda: any(line[0] == "c" for line in painted))
    assert not any(line[0] == "b" for line in painted)


def test_a_page_that_goes_meanwhile_ends_it(qtbot: QtBot) -> None:
    painted: list[str] = []
    stack = _stack(qtbot, painted, 39)
    page = stack.widget(1)
    assert page is not None
    paint_in_turns(page)
    with qtbot.waitSignal(page.destroyed):
        page.deleteLater()
    QApplication.processEvents()
    assert painted == []
