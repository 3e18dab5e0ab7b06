"""The files and folders of a build, and their files by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLineEdit, QListWidget, QVBoxLayout, QWidget

from explorer.gui.chrome.folders import begin_in
from explorer.gui.screens.screen import label, named, text_order
from explorer.gui.screens.index.build.kinds_table import FilesByKind
from explorer.gui.screens.index.parts import framed
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em, scaled
from explorer.gui.widgets.fields.buttons import push_button
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.build.presenter import BuildPresenter
    from explorer.gui.screens.index.build.state import BuildState

_MOST_SOURCES = 3
"""Sources that are seen without scrolling: a folder is one of them."""
_SIDE, _ROW_PAD = 16, 10
"""The margin of frames at a text size of 10 points, and the padding of rows in the style sheet and around the list."""


class SourcesPanel(QWidget):
    """Draws the sources of the presenter's state.

    presenter: Takes more files and folders.
    """

    def __init__(self, presenter: BuildPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        # A path is read from left to right, whatever the window's direction is.
        self.list = text_order(named(QListWidget(), tr("Sources")))
        self._shown: tuple[str, ...] = ()
        self.files = FilesByKind()
        self.copies = QCheckBox()
        self.copies.setToolTip(tr("Read only the first of several files with the same content"))
        self.choices = label("", "muted")
        self.choices.setWordWrap(True)
        self.forget = push_button(tr("Read all files"), "quiet")
        self.forget.setToolTip(tr("Use no table of metadata, and exclude no file"))
        self.add_files = push_button(tr("Add files …"), "quiet")
        self.add_folder = push_button(tr("Add folder …"), "quiet")
        self.remove = push_button(tr("Remove"), "quiet")
        self.address = named(QLineEdit(placeholderText="hf://datasets/OWNER/NAME"), tr("Address"))
        self.address.setToolTip(tr("A data set of the Hugging Face hub, which is read over the network"))
        self.add_address = push_button(tr("Add address"), "quiet")
        frame, content = framed(tr("Files"), self.add_files, self.add_folder, self.remove, inset=False)
        self._chosen = QWidget()
        self._chosen_row = QHBoxLayout(self._chosen)
        self._chosen_row.addWidget(self.choices, 1)
        self._chosen_row.addWidget(self.forget)
        content.addWidget(self._chosen)
        # A list is as wide as its frame; its rows have some of the margin of the sentence above them.
        self._around = QVBoxLayout()
        self._around.addWidget(self.list)
        content.addLayout(self._around)
        self._elsewhere = QHBoxLayout()
        self._elsewhere.addWidget(self.address, 1)
        self._elsewhere.addWidget(self.add_address)
        content.addLayout(self._elsewhere)
        content.addWidget(self.files)
        self._below = QWidget()
        self._below_row = QHBoxLayout(self._below)
        self._below_row.addWidget(self.copies, 1)
        content.addWidget(self._below)
        # The frame may be as high as the one beside it.
        content.addStretch(1)
        self.list.setProperty("role", "inner")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(frame)
        self.add_files.clicked.connect(lambda _=False: self.ask_files())
        self.add_folder.clicked.connect(lambda _=False: self.ask_folder())
        self.add_address.clicked.connect(lambda _=False: self._enter_address())
        self.address.returnPressed.connect(self._enter_address)
        self.remove.clicked.connect(lambda _=False: presenter.remove_source(self.list.currentRow()))
        self.copies.toggled.connect(lambda ticked: presenter.enter(skip_duplicates=ticked))
        self.forget.clicked.connect(lambda _=False: presenter.enter(metadata="", exclude=()))
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)

    def _fit_to_text(self) -> None:
        self.list.setFixedHeight(em(2.5 * min(max(1, len(self._shown)), _MOST_SOURCES)))
        side = scaled(_SIDE)
        self._chosen_row.setContentsMargins(side, 0, side, 6)
        self._below_row.setContentsMargins(side - _ROW_PAD // 2, scaled(6), side, scaled(6))
        self._elsewhere.setContentsMargins(side - _ROW_PAD, scaled(6), side - _ROW_PAD, 0)
        self._around.setContentsMargins(side - _ROW_PAD, scaled(6), side - _ROW_PAD, 0)

    def ask_files(self) -> None:
        """Let the user choose files."""
        from explorer.documents.kinds import file_filter

        names, _ = QFileDialog.getOpenFileNames(self, tr("Sources of the index"), begin_in(), file_filter())
        self.presenter.add_sources(names)

    def _enter_address(self) -> None:
        if address := self.address.text().strip():
            self.presenter.add_sources([address])
            self.address.clear()

    def ask_folder(self) -> None:
        """Let the user choose a folder."""
        self.presenter.add_sources([QFileDialog.getExistingDirectory(self, tr("Folder with sources"), begin_in())])

    def draw(self, state: BuildState, before: BuildState | None) -> None:
        """Show the sources of a state; `before`: the one that was drawn before."""
        self.copies.setText(state.copies)
        self.copies.setChecked(state.entries.skip_duplicates)
        self._below.setVisible(bool(state.copies))
        self.files.summary.setText(state.summary)
        self.files.summary.setVisible(bool(state.summary))
        if before is None or state.found is not before.found or state.kind != before.kind:
            self.files.table.show_rows(state.kinds, state.kind)
        self.choices.setText(state.choices)
        self._chosen.setVisible(bool(state.choices))
        # A list that is filled again loses its chosen row.
        if state.entries.sources != self._shown:
            self._shown = state.entries.sources
            self.list.clear()
            self.list.addItems(self._shown)
            self._fit_to_text()
