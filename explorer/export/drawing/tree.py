"""A word tree on paper: one line per leaf; the width of a curve is the branch's share of its parent."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.chart import LIST_ROW, Tree, Twig
from explorer.export.drawing.drawer import Area, Drawer, Place, Side

_BEND = 26.0
"""Points between two columns, in which the curves run."""
_THICK, _THIN = 7.0, 0.5


@dataclass(frozen=True)
class _Placed:
    """A branch with its place: depth, the middle of its line, and its children."""

    twig: Twig
    depth: int
    middle: float
    grown: tuple[_Placed, ...]


def draw_tree(pens: Drawer, place: Area, tree: Tree) -> None:
    """Draw a word tree into a rectangle; texts that do not fit are cut with an ellipsis."""
    pens.text(Area(place.left, place.top + 2, place.width, pens.line), pens.fitting(tree.title, place.width))
    area = place.inset(0, pens.line + 6, 0, 0)
    # LIST_ROW is the height of a line in the usual size of text, 8 points.
    height = min(LIST_ROW * pens.size / 8, area.height / tree.root.leaves)
    root = _place(tree.root, 0, area.top, height)
    _Painter(pens, area, tree.leftwards, _columns(pens, root, area.width)).paint(root)


def _place(twig: Twig, depth: int, top: float, height: float) -> _Placed:
    """A branch is level with the middle of its children."""
    grown, at = [], top
    for child in twig.twigs:
        grown.append(_place(child, depth + 1, at, height))
        at += child.leaves * height
    middle = (grown[0].middle + grown[-1].middle) / 2 if grown else top + height / 2
    return _Placed(twig, depth, middle, tuple(grown))


def _columns(pens: Drawer, root: _Placed, room: float) -> list[float]:
    """The width of the texts at each depth, all reduced by the same factor if there is no room."""
    widths: list[float] = []
    level = [root]
    while level:
        widths.append(max(pens.width(_line(placed.twig)) for placed in level) + 6)
        level = [child for placed in level for child in placed.grown]
    left = room - _BEND * (len(widths) - 1)
    return [width * min(1.0, left / sum(widths)) for width in widths]


def _line(twig: Twig) -> str:
    return f"{twig.text}  {twig.note}" if twig.note else twig.text


class _Painter:
    """Paints branches into columns that begin on the left, or on the right for a tree that grows to the left."""

    def __init__(self, pens: Drawer, area: Area, leftwards: bool, columns: list[float]) -> None:
        self._pens, self._area, self._leftwards, self._columns = pens, area, leftwards, columns

    def _begin(self, depth: int) -> float:
        return sum(self._columns[:depth]) + _BEND * depth

    def _x(self, from_root: float) -> float:
        return self._area.right - from_root if self._leftwards else self._area.left + from_root

    def paint(self, placed: _Placed) -> None:
        """Paint a branch with its text, then its children."""
        begin, width = self._begin(placed.depth), self._columns[placed.depth]
        # In a tree that grows to the left, the left edge of a column is the one that is farther from the root.
        line = Area(
            self._x(begin + width * self._leftwards), placed.middle - self._pens.line / 2, width, self._pens.line
        )
        side: Side = "right" if self._leftwards else "left"
        self._pens.text(line, self._pens.fitting(_line(placed.twig), width), side=side)
        # The curves begin where the text ends, which may be before the end of the column.
        written = min(width, self._pens.width(_line(placed.twig)) + 3)
        for child in placed.grown:
            self._curve(Place(self._x(begin + written), placed.middle), child)
            self.paint(child)

    def _curve(self, start: Place, child: _Placed) -> None:
        end = Place(self._x(self._begin(child.depth) - 3), child.middle)
        # As thick as its share of the branches; the rarest is still a hairline.
        self._pens.curve(start, end, self._pens.colors.bar, max(_THIN, _THICK * child.twig.share))
