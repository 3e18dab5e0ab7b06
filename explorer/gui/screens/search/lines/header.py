"""The header of the lines: columns are sorted, moved and resized by it, with the mouse and with the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QTableView

from explorer.gui.screens.search.lines.model import KwicModel
from explorer.gui.style.theme import qcolor, scaled
from explorer.gui.widgets.tables.keyed_header import KeyedHeader

_LEAST = 36
"""The least width of a column that is dragged, in pixels at a text size of 10 points."""
_HEIGHT = 28
_ARROWS = {False: "↑", True: "↓"}
_STEP_EMS = 1.0
_SIDES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_WIDER = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class LinesHeader(KeyedHeader):
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

    def __init__(self, model: KwicModel, table: QTableView) -> None:
        super().__init__(table)
        self._columns = model
        self._sorted: tuple[str, bool] = ("", False)
        self._placing = False
        # Whether a mouse button is down, and whether an edge has been dragged since.
        self._dragged = self._resizing = False
        self.setSectionsMovable(True)
        self.setMinimumSectionSize(1)
        self.sectionClicked.connect(lambda logical: self.sort_wanted.emit(self._key(logical)))
        self.sectionMoved.connect(self._section_moved)
        self.sectionResized.connect(self._section_resized)
        self.sectionHandleDoubleClicked.connect(lambda logical: self.fit_wanted.emit(self._key(logical)))

    def show_sorted(self, key: str, descending: bool) -> None:
        """Show by which column lines are sorted; "" for none.

        descending: Whether the order is reversed.
        """
        if (key, descending) != self._sorted:
            self._sorted = (key, descending)
            self.viewport().update()

    def place(self, widths: dict[str, int]) -> None:
        """Show these columns from left to right in these widths in pixels, and no others."""
        keys = self._columns.keys()
        # Whenever rows arrive, they are measured; almost always they fit the columns that there are.
        placed = {key: self.sectionSize(logical) for key, logical in self.by_key().items()}
        if [*placed.items()] == [*widths.items()]:
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

    def by_key(self) -> dict[str, int]:
        """The numbers of the shown columns by their keys, from left to right."""
        return {self._key(logical): logical for logical in self.shown()}

    def _key(self, logical: int) -> str:
        keys = self._columns.keys()
        return keys[logical] if 0 <= logical < len(keys) else ""

    def _section_moved(self, logical: int, before: int, to: int) -> None:
        if not self._placing:
            self.moved.emit(self._key(logical), to)

    def _section_resized(self, logical: int, before: int, width: int) -> None:
        """While an edge is dragged, its two columns share the room that they had."""
        if self._placing or not self._dragged:
            return
        shown = self.shown()
        at = shown.index(logical) if logical in shown else len(shown)
        self._placing = self._resizing = True
        if at + 1 < len(shown):
            following = shown[at + 1]
            both = before + self.sectionSize(following)
            # Half of both at most: two narrow columns cannot both have the least width.
            least, least_following = (min(self._least(each), both // 2) for each in (logical, following))
            kept = max(least, min(width, both - least_following))
            self.resizeSection(logical, kept)
            self.resizeSection(following, both - kept)
        else:
            # The right edge of the table does not move.
            self.resizeSection(logical, before)
        self._placing = False

    def _least(self, logical: int) -> int:
        """The least width of a column that is dragged: its name stays readable."""
        name = str(self._columns.headerData(logical, Qt.Orientation.Horizontal))
        return max(scaled(_LEAST), self.fontMetrics().horizontalAdvance(name) + 2 * scaled(8))

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
            self.resized.emit({key: self.sectionSize(logical) for key, logical in self.by_key().items()})

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the column under the pointer, or of the current one."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self._ask_menu(self.logicalIndexAt(event.pos()), event.globalPos())
        else:
            self._ask_menu_of_current()

    def _ask_menu_of_current(self) -> None:
        logical = self.current()
        place = QPoint(self.sectionViewportPosition(logical), self.height())
        self._ask_menu(logical, self.viewport().mapToGlobal(place))

    def _ask_menu(self, logical: int, place: QPoint) -> None:
        if key := self._key(logical):
            self.menu_wanted.emit(key, place)

    def choose_sort(self, section: int) -> None:
        """Ask for the lines to be sorted by a column."""
        self.sort_wanted.emit(self._key(section))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows with Shift and Alt move and resize the column; the key of menus opens its menu."""
        key, current = Qt.Key(event.key()), self.current()
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift and event.modifiers() & Qt.KeyboardModifier.AltModifier and key in _SIDES:
            self.stepped.emit(self._key(current), _SIDES[key])
        elif shift and event.modifiers() & Qt.KeyboardModifier.AltModifier and key in _WIDER:
            self.widened.emit(self._key(current), _WIDER[key] * _STEP_EMS)
        elif key == Qt.Key.Key_Menu or (shift and key == Qt.Key.Key_F10):
            self._ask_menu_of_current()
        else:
            super().keyPressEvent(event)

    def draw_name(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a name, an arrow where lines are sorted by it, and an edge by which the column is resized."""
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
