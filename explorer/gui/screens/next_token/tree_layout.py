"""Where the words and the curves of a word tree are: positions from texts and their widths. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.analyses.next_tokens.word_tree import WordNode
from explorer.gui.screens.next_token.tree_state import Spot, TreeAnswer, shown_count, shown_text
from explorer.gui.style.text_positions import cell_text

GAP, WIDEST_GAP = 3.0, 18.0
"""The room between two columns, in which curves run, in units of the text size: at least, and where there is room."""
THICKEST = 0.55
"""The width of a curve for a share of 1, in units of the text size."""
ROOT_SCALE, REST_SCALE, COUNT_SCALE = 1.08, 0.92, 0.85
_SPACE = 0.45
_REST = 40
"""Characters of a line after a branch at its end."""

Measure = Callable[[str, float, bool], float]
"""The width of a text: the text, its size as a multiple of the text size, and whether it is bold."""


@dataclass(frozen=True)
class Word:
    """A branch in its place.

    scale: Its size as a multiple of the text size.
    x, y: The edge of the text that is nearer to the root, and the middle of its line.
    """

    spot: Spot
    node: WordNode
    text: str
    count: str
    rest: str
    scale: float
    x: float
    y: float
    width: float

    @property
    def side(self) -> int:
        """1 for a branch after the root, -1 for one before it."""
        return -1 if self.spot.before else 1


@dataclass(frozen=True)
class Curve:
    """From a branch to one of its own. share: the part of the branch, which gives the width."""

    start: tuple[float, float]
    end: tuple[float, float]
    share: float


@dataclass(frozen=True)
class Drawing:
    """A tree in its place; the middle of the root is at the origin.

    words, curves: All branches and what joins them.
    box: Left, top, right and bottom of everything.
    """

    root: tuple[str, float]
    words: tuple[Word, ...]
    curves: tuple[Curve, ...]
    box: tuple[float, float, float, float]

    def word(self, spot: Spot) -> Word | None:
        """A branch; None if it is not drawn."""
        return next((word for word in self.words if word.spot == spot), None)


def draw_tree(answer: TreeAnswer, size: float, measure: Measure, room: float = 0.0) -> Drawing:
    """Place a tree, its columns as far apart as there is room for.

    measure: Gives the width of a text, in pixels.
    """
    # Placed twice: only the first drawing tells how much room is left between its columns.
    narrow = _drawn(answer, size, measure, GAP)
    gaps = len({(word.side, len(word.spot.path)) for word in narrow.words})
    left, _, right, _ = narrow.box
    extra = (room - (right - left)) / (size * max(1, gaps))
    return _drawn(answer, size, measure, min(WIDEST_GAP, GAP + extra)) if extra > 0 else narrow


def _drawn(answer: TreeAnswer, size: float, measure: Measure, gap: float) -> Drawing:
    root = cell_text(answer.text, ending=True, most=60).strip()
    width = measure(root, ROOT_SCALE, True)
    words: list[Word] = []
    curves: list[Curve] = []
    for before, tree in ((True, answer.before), (False, answer.after)):
        if tree is not None:
            side = _Side(before, size, measure, gap)
            edge = width / 2 + size * _SPACE
            side.place(tree.branches, edge)
            words += side.words
            curves += side.curves
    return Drawing((root, width), tuple(words), tuple(curves), _box(width, size, words, measure))


class _Side:
    """Places the branches of one side, column by column."""

    def __init__(self, before: bool, size: float, measure: Measure, gap: float) -> None:
        self._gap = gap * size
        self._sign, self._before, self._size, self._measure = (-1 if before else 1), before, size, measure
        self.words: list[Word] = []
        self.curves: list[Curve] = []

    def place(self, branches: Sequence[WordNode], edge: float) -> None:
        """Place all branches of the root, whose text ends at this distance from the origin."""
        columns = self._columns(branches, edge)
        height = sum(map(self._height, branches))
        self._put(branches, -height / 2, (self._sign * edge, 0.0), columns, 0)

    def _columns(self, branches: Sequence[WordNode], edge: float) -> list[float]:
        """The distance of each column from the origin."""
        columns, level, depth = [edge + self._gap], list(branches), 0
        while level := [child for node in level for child in node.branches] if depth else list(branches):
            widest = max(self._width(node, depth) for node in level)
            columns.append(columns[-1] + widest + self._gap)
            depth += 1
        return columns

    def _put(
        self, nodes: Sequence[WordNode], top: float, start: tuple[float, float], columns: list[float], depth: int
    ) -> None:
        for node in nodes:
            # A branch is level with the middle of its own branches, which fill its height.
            height = self._height(node)
            x, y = self._sign * columns[depth], top + height / 2
            scale, width = _scale(node, depth), self._width(node, depth)
            # What is nearest to the branch stays: the beginning of what follows, the end of what precedes.
            rest = "" if node.branches else cell_text(node.rest, ending=self._before, most=_REST).strip()
            self.words.append(
                Word(Spot(self._before, node.path), node, shown_text(node), shown_count(node), rest, scale, x, y, width)
            )
            gap = self._sign * self._size * _SPACE
            self.curves.append(Curve(start, (x - gap, y), node.share))
            self._put(node.branches, top, (x + self._sign * width + gap, y), columns, depth + 1)
            top += height

    def _height(self, node: WordNode) -> float:
        below = sum(map(self._height, node.branches))
        return max(
            below + 0.35 * self._size * bool(node.branches), 1.55 * self._size * _scale(node, len(node.path) - 1)
        )

    def _width(self, node: WordNode, depth: int) -> float:
        scale = _scale(node, depth)
        text = self._measure(shown_text(node), scale, depth == 0)
        return text + self._size * _SPACE + self._measure(shown_count(node), COUNT_SCALE, False)


def _scale(node: WordNode, depth: int) -> float:
    """Larger words for larger shares, in the first column only: deeper ones are many."""
    return 1.0 + 0.45 * min(1.0, node.share * 2) if depth == 0 else REST_SCALE


def _box(width: float, size: float, words: Sequence[Word], measure: Measure) -> tuple[float, float, float, float]:
    left = right = width / 2
    for word in words:
        far = abs(word.x) + word.width + (2 * size + measure(word.rest, REST_SCALE, False) if word.rest else 0.0)
        if word.side > 0:
            right = max(right, far)
        else:
            left = max(left, far)
    top = min((word.y for word in words), default=0.0) - size * 1.2
    bottom = max((word.y for word in words), default=0.0) + size * 1.2
    return (-left - size, top, right + size, bottom)
