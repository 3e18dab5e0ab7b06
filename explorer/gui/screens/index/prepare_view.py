"""The page that prepares a build: what was recognized, which field is the text, where the index goes, what it needs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QListWidget, QPushButton, QVBoxLayout, QWidget

from explorer.gui.screen import Notice, label, named
from explorer.gui.screens.index.build_options import BuildOptions
from explorer.gui.screens.index.build_presenter import BuildPresenter
from explorer.gui.screens.index.build_state import BuildState, Entries
from explorer.gui.screens.index.field_choice import FieldChoice
from explorer.gui.screens.index.left_out import LeftOutTable, LineDialog
from explorer.gui.screens.index.parts import framed
from explorer.gui.theme import em
from explorer.gui.topics import help_button
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.i18n import tr


class PrepareView(QWidget):
    """Draws the presenter's state.

    Parameters
    ----------
    presenter
        Looks at the sources, and builds.
    parent
        The widget it is in.
    """

    def __init__(self, presenter: BuildPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.sources = named(QListWidget(), tr("Sources"))
        self.fields = FieldChoice(presenter)
        self.options = BuildOptions(presenter)
        self.left_out = LeftOutTable()
        self.samples = PlainModel(self)
        self.sample_table = PlainTable(self.samples, tr("Preview of the documents"), wide=(1,))
        self.build = push_button(tr("Build index"), "primary")
        self.resume = push_button(tr("Resume build"), icon_name="play")
        self.back = push_button(tr("Back"), "quiet", "chevron-left")
        self.notice, self.warning = Notice(), Notice()
        self.remedies = {
            "skip_bad": push_button(tr("Leave bad lines out")),
            "text_field": push_button(tr("Choose another field")),
            "restart": push_button(tr("Start over")),
            "line": push_button(tr("Show line"), "quiet"),
        }
        self.recognized = label("", "muted")
        self.line_dialog: LineDialog | None = None
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.resume.setToolTip(tr("Continue the interrupted build in that folder"))
        for table in (self.sources, self.sample_table):
            table.setProperty("role", "inner")
        self.recognized.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.back)
        head.addWidget(label(tr("Build an index"), "title"), 1)
        head.addWidget(self.resume)
        head.addWidget(self.build)
        self._remedy_row = flowing(*self.remedies.values())
        self._figures = QGridLayout()
        self._figures.setContentsMargins(0, 0, 0, 0)
        self._figures.setHorizontalSpacing(24)
        self._figures.setVerticalSpacing(2)
        self._estimate = QWidget()
        self._estimate.setLayout(self._figures)
        self._stale = Dimmer(self._estimate, self.sample_table, parent=self)
        columns = QHBoxLayout()
        columns.setSpacing(12)
        columns.addLayout(self._left_column(), 3)
        columns.addLayout(self._right_column(), 2)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 0, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.notice)
        column.addWidget(self._remedy_row)
        column.addWidget(self.warning)
        column.addLayout(columns, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 12, 0, 0)
        outer.setSpacing(12)
        head.setContentsMargins(16, 0, 16, 0)
        outer.addLayout(head)
        outer.addWidget(TallArea(body), 1)

    def _left_column(self) -> QVBoxLayout:
        title = QVBoxLayout()
        title.setSpacing(0)
        title.addWidget(label(tr("Files"), "heading"))
        title.addWidget(self.recognized)
        holder = QWidget()
        title.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(title)
        files, content = framed(
            holder,
            _button(tr("Add files …"), self.ask_files),
            _button(tr("Add folder …"), self.ask_folder),
            _button(tr("Remove"), self._remove),
            inset=False,
        )
        content.addWidget(self.sources)
        self.sources.setFixedHeight(em(7))
        self._left_out_title = label("", "heading")
        self._left_out_frame, content = framed(self._left_out_title, inset=False)
        content.addWidget(self.left_out)
        self.left_out.setMinimumHeight(em(13))
        self._preview, content = framed(label(tr("Preview"), "heading"), inset=False)
        content.addWidget(self.sample_table)
        self.sample_table.setMinimumHeight(em(12))
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addWidget(files)
        column.addWidget(self._left_out_frame)
        column.addWidget(self._preview, 1)
        # Without a preview, the other frames stay as high as they need.
        column.addStretch(0)
        return column

    def _right_column(self) -> QVBoxLayout:
        self._fields_frame, content = framed(label(tr("Fields"), "heading"))
        content.addWidget(self.fields)
        target, content = framed(label(tr("New index"), "heading"))
        content.addWidget(self.options)
        needs, content = framed(label(tr("What it needs"), "heading"), help_button("index", tr("Builds")))
        content.addWidget(self._estimate)
        column = QVBoxLayout()
        column.setSpacing(12)
        for frame in (needs, target, self._fields_frame):
            column.addWidget(frame)
        column.addStretch(1)
        return column

    def _connect(self) -> None:
        presenter = self.presenter
        self.back.clicked.connect(lambda _=False: presenter.clear())
        self.resume.clicked.connect(lambda _=False: presenter.start(resume=True))
        self.build.clicked.connect(lambda _=False: presenter.start())
        self.remedies["skip_bad"].clicked.connect(lambda _=False: presenter.remedy("skip_bad"))
        self.remedies["restart"].clicked.connect(lambda _=False: presenter.remedy("restart"))
        self.remedies["text_field"].clicked.connect(lambda _=False: self.fields.choose())
        self.remedies["line"].clicked.connect(lambda _=False: presenter.show_line())

    def add_sources(self, paths: list[str]) -> None:
        """Add files or folders to the list."""
        self.presenter.add_sources(paths)

    def ask_files(self) -> None:
        """Let the user choose files."""
        self.add_sources(QFileDialog.getOpenFileNames(self, tr("Sources of the index"))[0])

    def ask_folder(self) -> None:
        """Let the user choose a folder."""
        self.add_sources([QFileDialog.getExistingDirectory(self, tr("Folder with sources"))])

    def _remove(self) -> None:
        self.presenter.remove_source(self.sources.currentRow())

    def draw(self, state: BuildState, before: BuildState | None) -> None:
        """Show a state.

        Parameters
        ----------
        state
            The new state.
        before
            The one that was drawn before; None: everything is drawn.
        """
        if before is None or state.entries != before.entries:
            self._draw_sources(state.entries)
        self.fields.draw(state, before)
        self.options.draw(state, before)
        if before is None or state.found is not before.found:
            self._draw_found(state)
        if before is None or state.estimate is not before.estimate:
            self._draw_estimate(state)
        self.recognized.setText(state.recognized)
        self.notice.show_text(state.notice)
        self.warning.show_text(state.warning)
        for name, button in self.remedies.items():
            button.setVisible(name in state.remedies or (name == "line" and state.bad_place is not None))
        self._remedy_row.setVisible(any(not button.isHidden() for button in self.remedies.values()))
        self.build.setEnabled(state.can_build)
        self.resume.setVisible(state.can_resume)
        line = state.bad_line.current
        if line is not None and (before is None or state.bad_line is not before.bad_line):
            self._show_line(state, line)

    def _show_line(self, state: BuildState, line: str) -> None:
        place = state.bad_place
        if place is not None:
            where = tr("{name}, line {line:,}", name=place[0].name, line=place[1])
            self.line_dialog = LineDialog(self, where, line)
            self.line_dialog.open()

    def _draw_sources(self, entries: Entries) -> None:
        # A list that is filled again loses its chosen row.
        if entries.sources != tuple(self.sources.item(row).text() for row in range(self.sources.count())):
            self.sources.clear()
            self.sources.addItems(entries.sources)

    def _draw_found(self, state: BuildState) -> None:
        self._left_out_title.setText(state.left_out_title)
        self._left_out_frame.setVisible(bool(state.left_out_title))
        self.left_out.show_rows(state.left_out)
        self._fields_frame.setVisible(bool(state.found is not None and state.found.fields.fields))

    def _draw_estimate(self, state: BuildState) -> None:
        while (item := self._figures.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        waiting = tr("Reading the files …") if state.estimate.awaited else tr("Nothing is known yet")
        shown = state.estimated or ((waiting, ""),)
        self._preview.setVisible(bool(state.samples))
        for number, (name, figure) in enumerate(shown):
            self._figures.addWidget(label(name, "muted"), number, 0)
            self._figures.addWidget(label(figure, "strong"), number, 1, Qt.AlignmentFlag.AlignRight)
        header = (tr("File"), tr("Text")) if state.estimate.value is not None else ()
        self.samples.show(header, state.samples)
        self._stale.set_stale(state.estimate.dimmed, at_once=not state.estimate.awaited)


def _button(text: str, action: Callable[[], None]) -> QPushButton:
    """A quiet button; `action` is called without what the signal carries."""
    made = push_button(text, "quiet")
    made.clicked.connect(lambda _=False: action())
    return made
