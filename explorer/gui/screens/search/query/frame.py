"""The query field: its text with the part that is wrong underlined, and its switches and menus in one frame."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QToolButton, QWidget

from explorer.gui.screens.search.query.match_choice import MatchChoice
from explorer.gui.screens.search.query.state import Problem
from explorer.gui.style.direction import isolated
from explorer.gui.style.theme import em, qcolor, text_size
from explorer.gui.widgets.fields.end_button import add_clear_button
from explorer.gui.widgets.fields.query_field import QueryField
from explorer.i18n import tr

_COMPACT_EMS = 64
"""Below this width, in points of the text, the switches show pictures instead of names."""
_WAVE = 3


class MarkedField(QLineEdit):
    """A field that underlines a part of its text. `down_pressed()`: of a key that moves nothing in one line."""

    down_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = Problem()
        self._examples: tuple[str, ...] = ()
        add_clear_button(self, tr("Clear the query"))

    def show_examples(self, *forms: str) -> None:
        """Show an example while the field is empty: the first of these that fits, or the last one."""
        self._examples = forms
        self._fit_example()

    def _fit_example(self) -> None:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        metrics, room = self.fontMetrics(), contents.width() - em(0.5)
        fitting = (form for form in self._examples if metrics.horizontalAdvance(form) <= room)
        shown = next(fitting, self._examples[-1] if self._examples else "")
        # Setting an equal one would paint the field again at each pixel of a resize.
        if shown != self.placeholderText():
            self.setPlaceholderText(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose an example for another width."""
        super().resizeEvent(event)
        self._fit_example()

    def changeEvent(self, event: QEvent) -> None:
        """Choose an example for another size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_example()

    def show_problem(self, problem: Problem) -> None:
        """Underline what is wrong; nothing if there is no sentence about it."""
        if problem != self._problem:
            self._problem = problem
            self.update()

    def marked(self) -> tuple[int, int]:
        """Left end and width of the underline, in pixels; the width is 0 for none."""
        problem, text = self._problem, self.text()
        # In text with both directions, the position on screen differs from a count of characters from the left.
        if not problem.message or isolated(text) != text:
            return 0, 0
        metrics = QFontMetrics(self.font())
        cursor = self.cursorRect().center().x()
        origin = cursor - metrics.horizontalAdvance(text[: self.cursorPosition()])
        left = origin + metrics.horizontalAdvance(text[: problem.start])
        wide = max(metrics.horizontalAdvance(text[problem.start : problem.end]), metrics.averageCharWidth())
        first = max(2, left)
        return first, max(0, min(left + wide, self.width() - 2) - first)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell that the arrow down was pressed; all other keys edit the text."""
        if event.key() == Qt.Key.Key_Down and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.down_pressed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and a wave below what is wrong."""
        super().paintEvent(event)
        left, width = self.marked()
        if not width:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(qcolor("error"), 1.5))
        base = min(self.height() - 2, (self.height() + QFontMetrics(self.font()).height()) // 2 + 1)
        steps = range(left, left + width + 1, _WAVE)
        painter.drawPolyline(QPolygonF([QPointF(x, base - _WAVE * (number % 2)) for number, x in enumerate(steps)]))
        painter.end()


class QueryFrame(QueryField):
    """The frame. If there is no room for names, the switches show icons."""

    def __init__(self, field: QLineEdit, choice: MatchChoice, tools: Sequence[QToolButton]) -> None:
        self._choice = choice
        self._compact = False
        super().__init__(field, (choice, *tools, choice.menu_button))

    def minimumSizeHint(self) -> QSize:
        """As narrow as with icons, whatever is shown now."""
        return QSize(em(24), super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Choose names or icons for another size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose names or icons for another width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        compact = self.width() < _COMPACT_EMS * text_size()
        if compact != self._compact:
            self._compact = compact
            self._choice.set_compact(compact)
            # Otherwise the new sizes are shown only after two more turns of the event loop.
            self._choice.row.activate()
            self.tools.activate()
