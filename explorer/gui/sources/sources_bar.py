"""The sources on top of a screen, as chips: choose, add, remove."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from explorer.gui.chrome.folders import begin_in
from explorer.gui.sources.inputs import ALL, SourceRow, SourcesPresenter, SourcesState, pasted_name, source_name
from explorer.gui.sources.paste import PastePopover
from explorer.gui.sources.source_chip import SourceChip
from explorer.gui.style.direction import in_its_order
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import caption
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.i18n import tr, trn

_NARROW = 64
"""Em below which chips that need a second line are folded into a menu."""
MOST = 12
"""Chips of sources; more are in the tab that compares sources."""


class SourcesBar(QWidget):
    """A row of chips that wraps; in a narrow window, the chosen one and a menu with the others."""

    def __init__(self, presenter: SourcesPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._chips: dict[str, SourceChip] = {}
        self._shown: tuple[object, ...] = ()
        self._short = self._several = False
        self._chosen = ""
        self.every = SourceChip(SourceRow(ALL, tr("All sources"), 0), removable=False)
        self.every.clicked.connect(lambda: presenter.choose_source(ALL))
        self.pasted = SourceChip(SourceRow("", pasted_name(), 0), "pencil", removable=False)
        self.pasted.clicked.connect(self._choose_pasted)
        self.pasted.removed.connect(lambda: presenter.remove(pasted_name()))
        self.add = Chip(tr("Add a source"), "add")
        self.add.set_hint(tr("Plain text, source code, or JSON Lines with one text per line. You can also drop files."))
        self.add.clicked.connect(self.ask_files)
        self.more = push_button("", "quiet", "chevron-down")
        self.more.setToolTip(tr("Choose another source, or add one"))
        self.more.clicked.connect(self._offer)
        self.more.hide()
        self.paste = PastePopover(self.pasted, self.more, presenter)
        self._flow = FlowLayout(self, gap=8)
        for chip in self._last():
            self._flow.addWidget(chip)

    def _last(self) -> tuple[QWidget, ...]:
        """What comes after the chips of files."""
        return (self.pasted, self.every, self.add, self.more)

    def chips(self) -> tuple[SourceChip, ...]:
        """The chips of the sources, in their order; the pasted text at the end."""
        return (*self._chips.values(), self.pasted)

    def focus_first(self) -> None:
        """Put the focus on the first chip that is shown."""
        next(chip for chip in (*self.chips(), self.every) if not chip.isHidden()).setFocus()

    def draw(self, state: SourcesState) -> None:
        """Show the sources of a state."""
        rows = state.rows
        # Before the comparison: the text may change while all chips stay the same.
        self.paste.draw(state.inputs)
        if (rows, state.chosen) == self._shown:
            return
        self._shown = (rows, state.chosen)
        *files, pasted = rows
        self._make(files[:MOST])
        # Sources beyond `MOST` have no chip.
        for row, chip in zip(files, self._chips.values(), strict=False):
            chip.show_row(row, removable=True)
            chip.setChecked(row.key == state.chosen)
        self.pasted.show_row(pasted, removable=pasted.texts != 0)
        self.pasted.setChecked(pasted.key == state.chosen)
        several = any(key == ALL for key, _ in state.choices)
        self._several, self._chosen = several, state.chosen
        self.every.show_row(SourceRow(ALL, tr("All sources"), sum(row.texts or 0 for row in rows)), removable=False)
        self.every.setChecked(several and state.chosen == ALL)
        # Isolated: otherwise a right-to-left window writes the number after the word.
        self.more.setText(in_its_order(trn("{n:,} source", "{n:,} sources", len(rows))))
        self._fold()

    def _fold(self) -> None:
        """Show all chips, or those that one line has room for where more lines would leave too little for the plot."""
        chips = self.chips()
        shown = (*chips, *((self.every,) if self._several else ()))
        every = (*shown, self.add)
        others = self.add.sizeHint().width() + self._flow.gap * len(shown)
        # First without the numbers of texts, which are in the tool tips, too.
        self._short = sum(chip.width_of(short=False) for chip in shown) + others > self.width()
        for chip in shown:
            chip.shorten(self._short)
        needed = sum(chip.width_of(self._short) for chip in shown) + others
        folded = needed > self.width() and self.width() < em(_NARROW)
        front = next((chip for chip in shown if chip.key == self._chosen), chips[0])
        for chip in (*chips, self.every, self.add):
            # Also one that was never shown: a layout shows later what nobody has hidden on purpose.
            chip.setHidden(chip not in every or (folded and chip is not front))
        self.more.setHidden(not folded)

    def _offer(self) -> None:
        """A menu of what is folded away."""
        menu = QMenu(self.more)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for chip in (*self.chips(), *((self.every,) if self._several else ())):
            entry = menu.addAction(caption(f"{chip.words} · {chip.amount}"), chip.click)
            entry.setCheckable(True)
            entry.setChecked(chip.isChecked())
        menu.addSeparator()
        if self._presenter.state.inputs.has_text:
            menu.addAction(tr("Edit the pasted text …"), self.paste.open)
        menu.addAction(tr("Add a source …"), self.ask_files)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def _make(self, rows: list[SourceRow]) -> None:
        """Have one chip per row; chips of sources that stay are kept, with their focus."""
        if [row.key for row in rows] == list(self._chips):
            return
        before, self._chips = self._chips, {}
        after = self._last()
        # A flow layout takes widgets only at its end, so all are taken out and put back in order.
        for each in (*before.values(), *after):
            self._flow.removeWidget(each)
        for row in rows:
            self._chips[row.key] = before.pop(row.key) if row.key in before else self._made(row)
        for gone in before.values():
            gone.hide()
            gone.deleteLater()
        for each in (*self._chips.values(), *after):
            self._flow.addWidget(each)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what would cost a second line."""
        super().resizeEvent(event)
        self._fold()

    def _made(self, row: SourceRow) -> SourceChip:
        chip = SourceChip(row)
        chip.shorten(self._short)
        chip.clicked.connect(lambda: self._presenter.choose_source(chip.key))
        chip.removed.connect(lambda: self._presenter.remove(source_name(chip.key)))
        return chip

    def _choose_pasted(self) -> None:
        """A click chooses the pasted text; another one, or a click while there is none, opens it to be changed."""
        # A click does not check the chip: this is what was chosen before it.
        if self.pasted.isChecked() or not self._presenter.state.inputs.has_text:
            self.paste.open()
        else:
            self._presenter.choose_source(self.pasted.key)

    def ask_files(self) -> None:
        """Choose files to add."""
        from explorer.documents.kinds import file_filter

        names, _ = QFileDialog.getOpenFileNames(self, tr("Open texts"), begin_in(), file_filter())
        if names:
            self._presenter.add_files(*map(Path, names))
