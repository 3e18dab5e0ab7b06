"""The numbers above a traced text as buttons: filters that stay pressed, and numbers that lead to a place."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.gui.screens.trace.documents.choice import Show
from explorer.gui.screens.trace.figures import Figure, Jump
from explorer.gui.style.icons import draw_icon
from explorer.gui.style.theme import em, font_of
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.number_filter import NumberFilter
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.painting import ring, rounded
from explorer.i18n import tr

_FOLDED = (Show.COVERED, Jump.LONGEST, Jump.NOVELTY)
"""Numbers that the tab of novelty has, too."""


class NumberJump(NumberFilter):
    """A number that leads to a place: it has an arrow, and never stays pressed."""

    def __init__(self, number: str, word: str, parent: QWidget | None = None) -> None:
        super().__init__(number, word, parent)
        self.setCheckable(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """As wide as a filter, and its arrow."""
        return super().sizeHint() + QSize(em(0.9), 0)

    def draw(self, painter: QPainter) -> None:
        """Number, word and arrow."""
        area = QRectF(self.rect())
        if self.hovered:
            rounded(painter, area, 6, "hover")
        super().draw(painter)
        if self.hasFocus():
            ring(painter, area, 6)
        side = em(0.9)
        place = QRectF(self.width() - side - em(0.5), (self.height() - side) / 2, side, side)
        draw_icon(painter, "chevron-right", self.mirrored(place), "muted")


class FigureLine(QWidget):
    """One line of numbers, which wraps. `pressed(Show | Jump)`: one of them was clicked."""

    pressed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = FlowLayout(self, gap=4)
        self._figures: tuple[Figure, ...] = ()
        self._short = self._folded = False
        self.buttons: dict[Show | Jump, NumberFilter] = {}
        self._others: list[QWidget] = []
        self.setAccessibleName(tr("Numbers of the text"))

    def show_figures(self, figures: tuple[Figure, ...]) -> None:
        """Show other numbers; the buttons stay, and so does the focus."""
        self._figures = figures
        # Each button that is shown would lay out the whole line.
        self._row.setEnabled(False)
        self._add([figure for figure in figures if figure.target not in self.buttons])
        for figure in figures:
            button = self.buttons[figure.target]
            if figure.filters:
                button.setChecked(figure.chosen)
            button.setToolTip(tip(figure.hint))
            button.setAccessibleDescription(figure.hint)
        self._write()
        self._show()
        self._row.setEnabled(True)
        self._row.invalidate()

    def fold(self, folded: bool) -> None:
        """Show only the numbers that cannot be found beside the text, where there is little room."""
        if folded != self._folded:
            self._folded = folded
            self._show()

    def _show(self) -> None:
        there = {figure.target for figure in self._figures}
        for target, button in self.buttons.items():
            shown = target in there and not (self._folded and target in _FOLDED)
            # Setting what it is already would still lay out the line again.
            if button.isHidden() == shown:
                button.setVisible(shown)

    def _write(self) -> None:
        """Write the numbers, with fewer words where they would need several lines."""
        large, small = QFontMetrics(font_of(1.23, 600)), QFontMetrics(font_of())
        # As wide as the buttons, with their margins, the space between number and words, and an arrow.
        width = sum(
            large.horizontalAdvance(figure.number) + small.horizontalAdvance(figure.words) + em(3.2)
            for figure in self._figures
        )
        self._short = width > self.width()
        for figure in self._figures:
            button, words = self.buttons[figure.target], figure.short if self._short else figure.words
            # Measured and laid out again only if it differs.
            if (button.number, button.word) != (figure.number, words):
                button.show_number(figure.number, words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fewer words where there is less room."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._write()

    def append(self, part: QWidget) -> None:
        """Put something after the numbers, on the same line if there is room."""
        self._others.append(part)
        self._row.addWidget(part)

    def _add(self, figures: list[Figure]) -> None:
        if not figures:
            return
        last = next(reversed(self.buttons.values()), None) or self._before()
        for figure in figures:
            button = (NumberFilter if figure.filters else NumberJump)(figure.number, figure.words, self)
            button.clicked.connect(partial(self._press, figure.target))
            # Explicitly: a widget that is only not shown yet is shown by the layout that it is put into.
            button.hide()
            self.buttons[figure.target] = button
            # It is made after the text and the cards, but comes before them on the page.
            self.setTabOrder(last, button)
            last = button
        # In the order of the figures, of which some may be known later than others.
        ordered = [self.buttons[figure.target] for figure in self._figures]
        hidden = [button for button in self.buttons.values() if button not in ordered]
        for part in (*ordered, *hidden, *self._others):
            self._row.removeWidget(part)
            self._row.addWidget(part)

    def _before(self) -> QWidget:
        """What the Tab key reaches before the numbers."""
        part = self.previousInFocusChain()
        # Qt puts nothing after a widget that has no focus. The chain is a ring: it ends here.
        while part is not None and part is not self and part.focusPolicy() == Qt.FocusPolicy.NoFocus:
            part = part.previousInFocusChain()
        return part or self

    def _press(self, target: Show | Jump) -> None:
        self.pressed.emit(target)
        # A filter that holds already was switched off by the click.
        self.show_figures(self._figures)
