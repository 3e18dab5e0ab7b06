"""The pointer of tasks meets what it is for, also where the window moves it on its way."""

from __future__ import annotations

from hands import Mouse
from PySide6.QtCore import QEvent, QObject, QPoint, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget


class MovesOnce(QObject):
    """Moves a button out of the way when the pointer comes to it, as a neighbor does that appears late."""

    def __init__(self, button):
        super().__init__(button)
        self.moves = 0
        button.installEventFilter(self)

    def eventFilter(self, button, event):
        if event.type() == QEvent.Type.Enter and not self.moves:
            self.moves += 1
            # With the events that are still to come, as a layout does.
            QTimer.singleShot(0, button, lambda: button.move(button.x() + 2 * button.width(), button.y()))
        return False


def test_a_button_that_moves_is_clicked_where_it_is(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 100)
    button = QPushButton("Add note", window)
    button.setGeometry(200, 30, 80, 30)
    clicked = []
    button.clicked.connect(lambda: clicked.append(button.x()))
    moves = MovesOnce(button)
    with qtbot.waitExposed(window):
        window.show()
    # An earlier test may have left it over the button, which then is not entered.
    QTest.mouseMove(window, QPoint(5, 5))
    mouse = Mouse(window, lambda: True)

    def task():
        yield mouse.click("Add note")

    assert mouse.do(task()) == 1
    assert (clicked, moves.moves) == ([360], 1)
