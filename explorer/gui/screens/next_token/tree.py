"""A word tree: what occurs to the right (or left) of a text, branch by branch, read when a branch is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.hints import told
from explorer.gui.runner import Runner
from explorer.gui.screen import label, named, text_order
from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import monospace, qcolor
from explorer.i18n import numeral, tr, trn
from explorer.jobs import CancelToken
from explorer.search.profile import Branches, left_of, right_of
from explorer.search.query import show_token

_MOST = 25
_NUMBERS = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_IDS = Qt.ItemDataRole.UserRole
_SHARE = Qt.ItemDataRole.UserRole + 1
_ROW = Qt.ItemDataRole.UserRole + 2
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class BranchRow:
    """A branch as it is shown: its n-gram, text, count and share; not `exact`: estimated from a sample."""

    ids: tuple[int, ...]
    text: str
    count: int
    share: float
    exact: bool

    @property
    def shown_count(self) -> str:
        """The count, with ≈ if it is estimated."""
        return numeral(self.count) if self.exact else f"≈ {numeral(self.count)}"


@dataclass(frozen=True)
class ShownTree:
    """The open part of the tree: its root n-gram, its direction, and its branches with theirs."""

    root: tuple[int, ...]
    leftwards: bool
    branches: tuple[ShownBranch, ...]


@dataclass(frozen=True)
class ShownBranch:
    """A branch, and its children if it is open."""

    row: BranchRow
    branches: tuple[ShownBranch, ...]


@dataclass(frozen=True)
class TreeAnswer:
    """The branches of one n-gram."""

    ids: tuple[int, ...]
    rows: tuple[BranchRow, ...]
    found: Branches


def grow(corpus: Corpus, ids: tuple[int, ...], leftwards: bool, cancel: CancelToken) -> TreeAnswer:
    """Look up the branches of an n-gram. Runs off the interface thread.

    Parameters
    ----------
    corpus
        The index.
    ids
        The n-gram.
    leftwards
        Whether to look up the tokens before it; otherwise those after it.
    cancel
        Stops the look-up.

    Returns
    -------
    TreeAnswer
        The likeliest branches with their counts, which are scaled up if only a sample was counted.
    """
    index = corpus.index
    found = left_of(index, ids, _MOST, cancel=cancel) if leftwards else right_of(index, ids, _MOST, cancel)
    rows = tuple(
        BranchRow(
            (branch.token, *ids) if leftwards else (*ids, branch.token),
            show_token(index, branch.token),
            branch.count if found.exact else round(branch.count * found.total / max(1, found.looked_at)),
            branch.count / max(1, found.looked_at),
            found.exact,
        )
        for branch in found.branches
    )
    return TreeAnswer(ids, rows, found)


class _ShareDelegate(QStyledItemDelegate):
    """A bar as long as the branch's share of its parent."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one cell."""
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, qcolor("selection"))
        share = float(index.data(_SHARE) or 0.0)
        area = option.rect.adjusted(8, 5, -10, -5)
        bar = area.adjusted(0, 0, 0, 0)
        bar.setWidth(max(1, int(area.width() * share)))
        painter.fillRect(bar, qcolor("bar"))


class WordTree(QWidget):
    """`lines_wanted(ids)`: show the lines of this n-gram."""

    lines_wanted = Signal(object)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._corpus: Corpus | None = None
        self._root: tuple[int, ...] = ()
        self._waiting: list[QTreeWidgetItem] = []
        self.side = named(QComboBox(), tr("Before or after"))
        self.side.addItem(tr("after"), False)
        self.side.addItem(tr("before"), True)
        self.message = label("", "muted")
        self.tree = named(text_order(QTreeWidget()), tr("Word tree"))
        self.tree.setColumnCount(4)
        self.tree.setHeaderLabels([tr("Token"), tr("Share of the branch"), tr("Count"), tr("Share of parent")])
        self.tree.setUniformRowHeights(True)
        self.tree.setItemDelegateForColumn(1, _ShareDelegate(self.tree))
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.tree.setColumnWidth(0, 320)
        for column in (2, 3):
            # Styled like the numbers, and as wide as they can be.
            self.tree.headerItem().setTextAlignment(column, _NUMBERS)
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        top = QHBoxLayout()
        top.addWidget(label(tr("Words"), "muted"))
        top.addWidget(self.side)
        top.addWidget(self.message, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.tree, 1)
        when_restyled(self.tree, self._resize_text)
        self.side.currentIndexChanged.connect(lambda _: self.show_root(self._corpus, self._root))
        self.tree.itemExpanded.connect(self._expand)
        self.tree.itemActivated.connect(lambda item, _: self.lines_wanted.emit(item.data(0, _IDS)))

    def show_root(self, corpus: Corpus | None, ids: Sequence[int]) -> None:
        """Grow the tree again from an n-gram; answers about branches that are gone are dropped.

        Parameters
        ----------
        corpus
            The index; None clears the tree.
        ids
            The n-gram; an empty one clears the tree.
        """
        self._runner.cancel()
        self._corpus, self._root, self._waiting = corpus, tuple(ids), []
        self.tree.clear()
        self.message.setText("")
        if corpus is not None and ids:
            self._ask(self._root, None)

    def shown(self) -> ShownTree:
        """The visible part of the tree, for a figure."""
        items = [self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount())]
        return ShownTree(self._root, bool(self.side.currentData()), tuple(_shown(item) for item in items if item))

    def _expand(self, item: QTreeWidgetItem) -> None:
        """Read a branch's own branches when it is opened for the first time."""
        child = item.child(0)
        if item.childCount() == 1 and child is not None and child.data(0, _IDS) is None:
            self._waiting.append(item)
            if len(self._waiting) == 1:
                self._ask(item.data(0, _IDS), item)

    def _ask(self, ids: tuple[int, ...], item: QTreeWidgetItem | None) -> None:
        corpus, leftwards = self._corpus, bool(self.side.currentData())
        if corpus is None:
            return
        self._runner.run(
            lambda cancel: grow(corpus, tuple(ids), leftwards, cancel),
            lambda answer: self._show(answer, item),
            self._fail,
        )

    def _fail(self, error: CorpusError) -> None:
        """Pending branches are requested again when they are opened again."""
        for item in self._waiting:
            item.setExpanded(False)
        self._waiting = []
        self.message.setText(told(error))

    def _show(self, answer: TreeAnswer, item: QTreeWidgetItem | None) -> None:
        if item is None:
            self.tree.clear()
            found = answer.found
            about = (
                ""
                if found.exact
                else tr("≈ from {looked_at:,} of {total:,} occurrences, ", looked_at=found.looked_at, total=found.total)
            )
            self.message.setText(
                trn(
                    "{about}{n:,} different token; press Enter on a branch to show its lines",
                    "{about}{n:,} different tokens; press Enter on a branch to show its lines",
                    answer.found.distinct,
                    about=about,
                )
            )
        else:
            item.takeChildren()
            self._waiting.remove(item)
        made = [self._item(row) for row in answer.rows]
        if item is None:
            self.tree.addTopLevelItems(made)
        else:
            item.addChildren(made)
        if self._waiting:
            self._ask(self._waiting[0].data(0, _IDS), self._waiting[0])

    def _resize_text(self) -> None:
        items = QTreeWidgetItemIterator(self.tree)
        while (item := items.value()) is not None:
            item.setFont(0, monospace())
            items += 1

    def _item(self, row: BranchRow) -> QTreeWidgetItem:
        item = QTreeWidgetItem([row.text, "", row.shown_count, numeral(row.share, ".1%")])
        item.setData(0, _IDS, row.ids)
        item.setData(0, _ROW, row)
        item.setData(1, _SHARE, row.share)
        item.setFont(0, monospace())
        for column in (2, 3):
            item.setTextAlignment(column, _NUMBERS)
        # A placeholder child makes the branch expandable before it has been read.
        item.addChild(QTreeWidgetItem(["…"]))
        return item


def _shown(item: QTreeWidgetItem) -> ShownBranch:
    """A branch with its children if it is open and they have been read."""
    children = [item.child(row) for row in range(item.childCount())] if item.isExpanded() else []
    return ShownBranch(item.data(0, _ROW), tuple(_shown(child) for child in children if child and child.data(0, _ROW)))
