"""The header of the lines: columns are sorted, moved and resized by it, with the mouse and with the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from explorer.gui.screens.search.model import KwicModel
from explorer.gui.theme import qcolor, scaled
from explorer.i18n import tr

_LEAST = 36
"""The least width of a column that is dragged, in pixels at a text size of 10 points."""
_HEIGHT = 28
_ARROWS = {False: "↑", True: "↓"}
_STEP_EMS = 1.0


class LinesHeader(QHeaderView):
    """Draws the names of the columns and hands on what a person does with them. A column is named by its key.

    Signals: `sort_wanted(str)`; `menu_wanted(str, QPoint)`, at a place on the screen; `moved(str, int)`, to a place
    among all columns; `stepped(str, int)`, past its neighbor; `widened(str, float)`, by sizes of the text;
    `resized(dict)`, widths in pixels of all shown columns; `fit_wanted(str)`.
    """

    sort_wanted = Signal(str)
    menu_wanted = Signal(str, QPoint)
    moved = Signal(str, int)
    stepped = Signal(str, int)
    widened = Signal(str, float)
    resized = Signal(dict)
    fit_wanted = Signal(str)

    def __init__(self, model: KwicModel, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._columns = model
        self._sorted: tuple[str, bool] = ("", False)
        # The number in the model and not the place, so that the column stays current while it is moved.
        self._current = 0
        self._placing = False
        # Whether a mouse button is down, and whether an edge has been dragged since.
        self._dragged = self._resizing = False
        self.setSectionsMovable(True)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Columns"))
        self.setMinimumSectionSize(1)
        self.sectionClicked.connect(lambda logical: self.sort_wanted.emit(self._key(logical)))
        self.sectionMoved.connect(self._section_moved)
        self.sectionResized.connect(self._section_resized)
        self.sectionHandleDoubleClicked.connect(lambda logical: self.fit_wanted.emit(self._key(logical)))

    def show_sorted(self, key: str, descending: bool) -> None:
        """Show by which column lines are sorted; "" for none.

        Parameters
        ----------
        key
            The column.
        descending
            Whether the order is reversed.
        """
        if (key, descending) != self._sorted:
            self._sorted = (key, descending)
            self.viewport().update()

    def place(self, widths: dict[str, int]) -> None:
        """Show these columns from left to right in these widths in pixels, and no others."""
        keys = self._columns.keys()
        # Whenever rows arrive, they are measured; almost always they fit the columns that there are.
        if {key: self.sectionSize(logical) for key, logical in self.shown().items()} == widths and [*self.shown()] == [
            *widths
        ]:
            return
        # Qt reports these moves and sizes like those of a person, which would come back as their choice.
        self._placing = True
        for logical, key in enumerate(keys):
            self.setSectionHidden(logical, key not in widths)
        for visual, key in enumerate((*widths, *(key for key in keys if key not in widths))):
            at = self.visualIndex(keys.index(key))
            if at != visual:
                self.moveSection(at, visual)
        for key, width in widths.items():
            self.resizeSection(keys.index(key), width)
        self._placing = False

    def sizeHint(self) -> QSize:
        """As high as a line of text and some room."""
        size = super().sizeHint()
        size.setHeight(max(scaled(_HEIGHT), self.fontMetrics().height() + 8))
        return size

    def shown(self) -> dict[str, int]:
        """The numbers of the shown columns, from left to right."""
        return {self._key(logical): logical for logical in self._shown()}

    def _key(self, logical: int) -> str:
        keys = self._columns.keys()
        return keys[logical] if 0 <= logical < len(keys) else ""

    def _shown(self) -> list[int]:
        """The shown columns from left to right, by their numbers."""
        order = (self.logicalIndex(visual) for visual in range(self.count()))
        return [logical for logical in order if not self.isSectionHidden(logical)]

    def _section_moved(self, logical: int, before: int, to: int) -> None:
        if not self._placing:
            self.moved.emit(self._key(logical), to)

    def _section_resized(self, logical: int, before: int, width: int) -> None:
        """While an edge is dragged, its two columns share the room that they had."""
        if self._placing or not self._dragged:
            return
        shown = self._shown()
        at = shown.index(logical) if logical in shown else len(shown)
        self._placing = self._resizing = True
        if at + 1 < len(shown):
            following = shown[at + 1]
            both = before + self.sectionSize(following)
            # Half of both at most: two narrow columns cannot both have the least width.
            least = min(scaled(_LEAST), both // 2)
            kept = max(least, min(width, both - least))
            self.resizeSection(logical, kept)
            self.resizeSection(following, both - kept)
        else:
            # The right edge of the table does not move.
            self.resizeSection(logical, before)
        self._placing = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """From here on, sections are resized by a person."""
        # Qt does not report who resizes a section.
        self._dragged = True
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Hand on the widths that were dragged."""
        # Once, at the end: each new width has the other columns share out their room again.
        resized, self._dragged, self._resizing = self._resizing, False, False
        super().mouseReleaseEvent(event)
        if resized:
            self.resized.emit({key: self.sectionSize(logical) for key, logical in self.shown().items()})

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the column under the pointer, or of the current one."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self._ask_menu(self.logicalIndexAt(event.pos()), event.globalPos())
        else:
            self._ask_menu_of_current()

    def _ask_menu_of_current(self) -> None:
        logical = self._current_section()
        place = QPoint(self.sectionViewportPosition(logical), self.height())
        self._ask_menu(logical, self.viewport().mapToGlobal(place))

    def _ask_menu(self, logical: int, place: QPoint) -> None:
        if key := self._key(logical):
            self.menu_wanted.emit(key, place)

    def _current_section(self) -> int:
        """The column that keys are for, by its number."""
        shown = self._shown()
        return self._current if self._current in shown else next(iter(shown), 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a column with the arrows; with Shift and Alt they move and resize it. Enter sorts."""
        key, current = event.key(), self._current_section()
        side = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(key), 0)
        both = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
        if side and event.modifiers() & both == both:
            if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
                self.stepped.emit(self._key(current), side)
            else:
                self.widened.emit(self._key(current), side * _STEP_EMS)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            shown = self._shown()
            at = shown.index(current) + side if current in shown else 0
            self._current = shown[max(0, min(at, len(shown) - 1))]
            self.viewport().update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.sort_wanted.emit(self._key(current))
        elif key == Qt.Key.Key_Menu or (
            key == Qt.Key.Key_F10 and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self._ask_menu_of_current()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show which column keys are for."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Do not show it any more."""
        super().focusOutEvent(event)
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a name, an arrow where lines are sorted by it, and an edge by which the column is resized.

        Parameters
        ----------
        painter
            Where to draw.
        rect
            The place of the column.
        section
            Its number.
        """
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(rect, qcolor("raised"))
        painter.setPen(qcolor("line_strong"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if self.visualIndex(section) > 0:
            edge = rect.height() // 4
            painter.drawLine(rect.left(), rect.top() + edge, rect.left(), rect.bottom() - edge)
        key, descending = self._sorted
        chosen = key == self._key(section)
        font = painter.font()
        font.setBold(chosen)
        painter.setFont(font)
        # After the font is set: bold text is wider, and is cut by its own width.
        name = str(self._columns.headerData(section, Qt.Orientation.Horizontal))
        align = self._columns.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        area = rect.adjusted(scaled(8), 0, -scaled(8), 0)
        arrow = f" {_ARROWS[descending]}" if chosen else ""
        room = area.width() - painter.fontMetrics().horizontalAdvance(arrow)
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, room)
        painter.setPen(qcolor("text" if chosen else "muted"))
        # Absolute: also in a window from right to left, a name is where the texts below it are.
        painter.drawText(area, int(align) | int(Qt.AlignmentFlag.AlignAbsolute), shown + arrow)
        if self.hasFocus() and section == self._current_section():
            painter.setPen(qcolor("accent"))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))
            painter.drawRect(rect.adjusted(2, 2, -3, -3))
        painter.restore()
