"""The widget of a word tree: what occurs to the right (or left) of a text, branch by branch."""

from __future__ import annotations

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

from explorer.gui.hints import told
from explorer.gui.screen import label, named, text_order
from explorer.gui.screens.next_token.branches import BranchRow, NGram, TreeState
from explorer.gui.screens.next_token.tree_presenter import TreePresenter
from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import monospace, qcolor
from explorer.i18n import numeral, tr

_NUMBERS = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_IDS = Qt.ItemDataRole.UserRole
_SHARE = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


class _ShareDelegate(QStyledItemDelegate):
    """A bar as long as the branch's share of its parent."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one cell."""
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, qcolor("select"))
        share = float(index.data(_SHARE) or 0.0)
        area = option.rect.adjusted(8, 5, -10, -5)
        bar = area.adjusted(0, 0, 0, 0)
        bar.setWidth(max(1, int(area.width() * share)))
        painter.fillRect(bar, qcolor("bar"))


class WordTree(QWidget):
    """Draws a word tree. `lines_wanted(ids)`: show the lines of this n-gram."""

    lines_wanted = Signal(object)

    def __init__(self, presenter: TreePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self._items: dict[NGram, QTreeWidgetItem] = {}
        self.side = named(QComboBox(), tr("Before or after"))
        self.side.addItem(tr("after"), False)
        self.side.addItem(tr("before"), True)
        self.message = label("", "muted")
        self.tree = _make_tree()
        top = QHBoxLayout()
        top.addWidget(label(tr("Words"), "muted"))
        top.addWidget(self.side)
        top.addWidget(self.message, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.tree, 1)
        when_restyled(self.tree, self._resize_text)
        self.side.currentIndexChanged.connect(lambda _: presenter.turn(bool(self.side.currentData())))
        self.tree.itemExpanded.connect(lambda item: presenter.open(item.data(0, _IDS)))
        self.tree.itemCollapsed.connect(lambda item: presenter.close(item.data(0, _IDS)))
        self.tree.itemActivated.connect(lambda item, _: self.lines_wanted.emit(item.data(0, _IDS)))
        presenter.watch(self._draw)

    def _draw(self, state: TreeState, before: TreeState) -> None:
        if (state.corpus, state.root, state.leftwards) != (before.corpus, before.root, before.leftwards):
            # Until the new branches arrive, the old ones are not shown: nothing would show what they belong to.
            self.tree.clear()
            self._items = {}
        self.side.setCurrentIndex(int(state.leftwards))
        self.message.setText(told(state.error) if state.error is not None else state.about)
        for ids in (ids for ids in state.grown if ids not in before.grown or ids not in self._items):
            self._fill(state, ids)
        # Opened in vain: the arrow points to the right again.
        for ids in before.opened - state.opened:
            if ids in self._items:
                self._items[ids].setExpanded(False)

    def _fill(self, state: TreeState, ids: NGram) -> None:
        """Put the branches that were looked up below their own."""
        made = [_item(row) for row in state.grown[ids].rows]
        self._items |= {item.data(0, _IDS): item for item in made}
        if ids == state.root:
            self._items[ids] = self.tree.invisibleRootItem()
        self._items[ids].takeChildren()
        self._items[ids].addChildren(made)

    def _resize_text(self) -> None:
        items = QTreeWidgetItemIterator(self.tree)
        while (item := items.value()) is not None:
            item.setFont(0, monospace())
            items += 1


def _make_tree() -> QTreeWidget:
    tree = named(text_order(QTreeWidget()), tr("Word tree"))
    tree.setColumnCount(4)
    tree.setHeaderLabels([tr("Token"), tr("Share of the branch"), tr("Count"), tr("Share of parent")])
    tree.setUniformRowHeights(True)
    tree.setItemDelegateForColumn(1, _ShareDelegate(tree))
    header = tree.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
    header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    tree.setColumnWidth(0, 320)
    for column in (2, 3):
        # Styled like the numbers, and as wide as they can be.
        tree.headerItem().setTextAlignment(column, _NUMBERS)
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    return tree


def _item(row: BranchRow) -> QTreeWidgetItem:
    item = QTreeWidgetItem([row.text, "", row.shown_count, numeral(row.share, ".1%")])
    item.setData(0, _IDS, row.ids)
    item.setData(1, _SHARE, row.share)
    item.setFont(0, monospace())
    for column in (2, 3):
        item.setTextAlignment(column, _NUMBERS)
    # A placeholder child makes the branch expandable before its own branches are known.
    item.addChild(QTreeWidgetItem(["…"]))
    return item
