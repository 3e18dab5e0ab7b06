"""The page that prepares a build: the files by kind, the first documents, how texts are read, and what it needs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.gui.screens.screen import Notice, label, offer
from explorer.gui.screens.index.build.options import BuildOptions
from explorer.gui.screens.index.build.document_list import DocumentList
from explorer.gui.screens.index.build.field_choice import FieldChoice
from explorer.gui.screens.index.about.figures import Figures
from explorer.gui.screens.index.build.left_out import LeftOutTable, LineDialog, copy
from explorer.gui.screens.index.parts import elided, framed
from explorer.gui.screens.index.build.sources_panel import SourcesPanel
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.theme import em
from explorer.gui.help.topics import help_button
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.notice import MOST_REMEDIES
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import TallArea
from explorer.i18n import counted, tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.build.presenter import BuildPresenter
    from explorer.gui.screens.index.build.state import BuildState
    from explorer.gui.screens.index.build.kind_rows import KindRow
    from explorer.gui.widgets.notices.notice import Remedy

_MOST_FIELDS = 4
"""Columns of a table that are named in the button that makes it metadata."""
_STACKED = 62
"""The width below which the two columns are below each other, in em."""


class PrepareView(QWidget):
    """Draws the presenter's state.

    presenter: Looks at the sources, and builds.
    """

    def __init__(self, presenter: BuildPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.sources = SourcesPanel(presenter)
        self.fields = FieldChoice(presenter)
        self.options = BuildOptions(presenter)
        self.left_out = LeftOutTable()
        self.figures = Figures()
        self.documents = DocumentList()
        self.changes = elided("small")
        self.build = push_button(tr("Build index"), "primary")
        self.resume = push_button(tr("Resume build"), icon_name="play")
        self.back = push_button(tr("Back"), "quiet", "chevron-left")
        self.notice, self.warning = Notice(), Notice()
        self.line_dialog: LineDialog | None = None
        self._stale = Dimmer(self.figures, self.documents, parent=self)
        self._lay_out()
        self.back.clicked.connect(lambda _=False: presenter.clear())
        self.resume.clicked.connect(lambda _=False: presenter.start(resume=True))
        self.sources.files.table.chosen.connect(self._choose_kind)
        self.left_out.encoding_wanted.connect(lambda name: presenter.enter(encoding=name))
        self.build.clicked.connect(lambda _=False: presenter.start())

    def _lay_out(self) -> None:
        self.resume.setToolTip(tr("Continue the interrupted build in that folder"))
        head = QHBoxLayout()
        head.setContentsMargins(16, 0, 16, 0)
        head.setSpacing(8)
        head.addWidget(self.back)
        head.addWidget(label(tr("Build an index"), "title"), 1)
        head.addWidget(self.resume)
        head.addWidget(self.build)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(12)
        self._columns.addLayout(self._left_column(), 3)
        self._columns.addLayout(self._right_column(), 2)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 0, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.notice)
        column.addWidget(self.warning)
        column.addLayout(self._columns, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 12, 0, 0)
        outer.setSpacing(12)
        outer.addLayout(head)
        self._area = TallArea(body)
        outer.addWidget(self._area, 1)

    def _left_column(self) -> QVBoxLayout:
        self._left_out_frame, content = framed(tr("Skipped"), inset=False)
        content.addWidget(self.left_out)
        keep_least(self.left_out, high=13)
        self._preview = Panel(tr("First documents"), footer=[self.changes])
        self._preview.body.addWidget(self.documents)
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addWidget(self.sources)
        column.addWidget(self._preview)
        column.addWidget(self._left_out_frame)
        column.addStretch(1)
        return column

    def _right_column(self) -> QVBoxLayout:
        self._fields_frame, content = framed(tr("Texts"))
        content.addWidget(self.fields)
        target, content = framed(tr("New index"))
        content.addWidget(self.options)
        needs, content = framed(tr("What it needs"), help_button("index", tr("Builds")))
        content.addWidget(self.figures)
        column = QVBoxLayout()
        column.setSpacing(12)
        for frame in (needs, self._fields_frame, target):
            column.addWidget(frame)
        column.addStretch(1)
        return column

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the columns below each other in a narrow window."""
        super().resizeEvent(event)
        narrow = event.size().width() < em(_STACKED)
        self._columns.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def draw(self, state: BuildState, before: BuildState | None) -> None:
        """Show a state.

        before: The one that was drawn before; None: everything is drawn.
        """
        self.sources.draw(state, before)
        self.fields.draw(state, before)
        self.options.draw(state, before)
        if before is None or state.found is not before.found:
            self._draw_found(state)
        if before is None or (state.estimate, state.kind) != (before.estimate, before.kind):
            self._draw_estimate(state)
        # Buttons that are made again lose the keyboard, so only for another error.
        if before is None or (state.notice, state.remedies) != (before.notice, before.remedies):
            self.notice.show_notice(state.notice, kind="error", remedies=self._remedies(state))
        if before is None or (state.warning, state.commands) != (before.warning, before.commands):
            commands = state.commands[:MOST_REMEDIES]
            copies = [(tr("Copy {command}", command=each), partial(copy, each)) for each in commands]
            self.warning.show_notice(state.warning, remedies=copies)
        offer(self.build, state.why_not_build)
        self._lead_keys(state, before)
        self.resume.setVisible(state.can_resume)
        line = state.bad_line.current
        # Once per answer: later states hold the same line, and a closed dialog must not come back.
        if line is not None and (before is None or state.bad_line is not before.bad_line):
            self._show_line(state, line)

    def _lead_keys(self, state: BuildState, before: BuildState | None) -> None:
        """Give the focus to what comes next: what settles a new error, or the build that has become possible."""
        focused = QApplication.focusWidget()
        # Someone who is in a field stays there.
        if before is None or not (focused is None or isinstance(focused, QPushButton)) or not self.isVisible():
            return
        if state.remedies and state.remedies != before.remedies:
            self.notice.buttons()[0].setFocus(Qt.FocusReason.OtherFocusReason)
        elif not state.why_not_build and before.why_not_build:
            self.build.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remedies(self, state: BuildState) -> list[Remedy]:
        """What settles the error, as words and actions."""
        presenter = self.presenter
        known: dict[str, Remedy] = {
            "skip_bad": (tr("Leave bad lines out"), lambda: presenter.remedy("skip_bad")),
            "metadata": (_use_title(state), lambda: presenter.remedy("metadata")),
            "exclude": (tr("Exclude this file"), lambda: presenter.remedy("exclude")),
            "text_field": (tr("Choose another field"), self.fields.choose),
            "restart": (tr("Start over"), lambda: presenter.remedy("restart")),
        }
        found = [known[name] for name in state.remedies]
        line = [(tr("Show line"), presenter.show_line)] if state.bad_place is not None else []
        # What comes last, and does not fit, can be chosen further down the page as well.
        return [*found[: MOST_REMEDIES - len(line)], *line]

    def _show_line(self, state: BuildState, line: str) -> None:
        place = state.bad_place
        if place is not None:
            where = tr("{name}, line {line:,}", name=place[0].name, line=place[1])
            self.line_dialog = LineDialog(self, where, line)
            self.line_dialog.open()

    def _choose_kind(self, row: KindRow) -> None:
        """Show documents of a kind, or what is not read."""
        if row.is_skipped:
            self._area.ensureWidgetVisible(self.left_out)
        else:
            self.presenter.choose_kind(row.kind)

    def _draw_found(self, state: BuildState) -> None:
        self._left_out_frame.title.setText(state.left_out_title)
        self._left_out_frame.setVisible(bool(state.left_out_title))
        self.left_out.show_rows(state.left_out)
        self._fields_frame.setVisible(state.found is not None)

    def _draw_estimate(self, state: BuildState) -> None:
        waiting = tr("Reading the files …") if state.estimate.awaited else tr("Nothing is known yet")
        self.figures.show_figures(state.estimated or ((waiting, ""),))
        self._preview.setVisible(bool(state.documents))
        self.documents.show_documents(state.documents)
        self.changes.setText(state.changes)
        self._preview.show_footer(bool(state.changes))
        # What is on its way dims only after a moment; after an error or a stop there is nothing to wait for.
        self._stale.set_stale(state.estimate.dimmed, at_once=not state.estimate.awaited)


def _use_title(state: BuildState) -> str:
    """The button that makes a table the metadata of the files."""
    table = state.proposal
    if table is None:
        return ""
    return tr(
        "Use as metadata ({fields}): {matched:,} of {files} matched",
        fields=", ".join(table.fields[:_MOST_FIELDS]) + (", …" if len(table.fields) > _MOST_FIELDS else ""),
        matched=table.matched,
        files=counted("file", table.files),
    )
