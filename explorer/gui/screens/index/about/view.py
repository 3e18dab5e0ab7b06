"""The page about the open index: figures, what was left out, fields, how text is cut, parts on disk, and the check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.app.locale import local_time
from explorer.gui.help.topics import help_button
from explorer.gui.presenting.requests import ChooseTokenizer, ShowScreen
from explorer.gui.screens.index.about.fact_rows import FactRows
from explorer.gui.screens.index.about.facts import index_facts
from explorer.gui.screens.index.about.fields_panel import FieldsPanel
from explorer.gui.screens.index.about.machines_view import MachinesView
from explorer.gui.screens.index.about.share_view import ShareView
from explorer.gui.screens.index.about.tiles import Tiles
from explorer.gui.screens.index.build.kinds_table import FilesByKind
from explorer.gui.screens.index.build.left_out import LeftOutTable, LineDialog
from explorer.gui.screens.index.check.view import VerifyView
from explorer.gui.screens.index.parts import Picture, RowButton, elided, framed
from explorer.gui.screens.screen import label, offer
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.scroll_areas import TallArea
from explorer.gui.widgets.texts.token_chips import TokenChips
from explorer.i18n import numeral, tr

if TYPE_CHECKING:
    from explorer.gui.screens.index.about.state import AboutState
    from explorer.gui.screens.index.check.state import CheckState
    from explorer.gui.screens.index.presenter import IndexScreenPresenter

_STACKED = 60
"""The width below which the two columns are below each other, in em."""


class AboutView(QWidget):
    """Draws the states of `presenter.about` and `presenter.check`. `asked(Request)`: something that the window does."""

    asked = Signal(object)

    def __init__(self, presenter: IndexScreenPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.picture = Picture("index", 28, "accent")
        self.title = label("", "title")
        self.subtitle = elided("muted")
        self.folder = push_button(tr("Show in folder"), "quiet", "folder")
        self.report = push_button(tr("Open report"), "quiet", "document")
        self.search = push_button(tr("Start searching"), "primary", "search")
        self.tokenizer = push_button(tr("Choose the tokenizer …"))
        self.tiles = Tiles()
        self.files = FilesByKind(leads=False)
        self.left_out = LeftOutTable()
        self.fields = FieldsPanel(presenter.about)
        self.chips = TokenChips()
        # What can be done with the index, below what is known of it.
        self._deeds = (VerifyView(presenter.check), ShareView())
        # Where and what it is.
        self._known = (MachinesView(presenter.about), FactRows())
        self.line_dialog: LineDialog | None = None
        # Whether what is drawn is the newest state.
        self._drawn = False
        self._lay_out()
        self._connect()
        # Not drawn yet: `showEvent` does that when the page is seen.
        presenter.about.watch(self._draw)
        self._draw_check(presenter.check.state, None)
        presenter.check.watch(self._draw_check)

    @property
    def machines(self) -> MachinesView:
        """The machines that have it."""
        return self._known[0]

    @property
    def facts(self) -> FactRows:
        """What else is known of it."""
        return self._known[1]

    @property
    def verify(self) -> VerifyView:
        """The check of the index."""
        return self._deeds[0]

    @property
    def share(self) -> ShareView:
        """The switch that shares the index."""
        return self._deeds[1]

    def _lay_out(self) -> None:
        self.title.setWordWrap(True)
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(self.title)
        titles.addWidget(self.subtitle)
        named = QHBoxLayout()
        named.setSpacing(12)
        named.addWidget(self.picture)
        named.addLayout(titles, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for button in (self.folder, self.report, self.tokenizer, self.search):
            buttons.addWidget(button)
        head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        head.setSpacing(12)
        head.addLayout(named, 1)
        head.addLayout(buttons)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self.tiles)
        columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        columns.setSpacing(12)
        columns.addLayout(self._left(), 3)
        columns.addLayout(self._right(), 2)
        column.addLayout(columns, 1)
        # Both change their direction with the width of the window.
        self._ways = (head, columns)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(TallArea(body))

    def _left(self) -> QVBoxLayout:
        self._files, content = framed(tr("Files"), inset=False)
        content.addWidget(self.files)
        self._left_out, content = framed(tr("Skipped"), inset=False)
        self._left_out.header_row.insertWidget(0, Picture("warning", 16, "warn"))
        keep_least(self.left_out, high=19)
        content.addWidget(self.left_out)
        self._cut, content = framed(tr("Tokens of the text"), help_button("tokens", tr("Text and tokens")))
        sentence = tr(
            "The tokenizer splits the text into these pieces. Counts are exact however it is split; only predictions "
            "depend on it."
        )
        said = label(sentence, "muted")
        said.setWordWrap(True)
        content.addWidget(said)
        content.addWidget(self.chips)
        details, content = framed(tr("Details"))
        content.addWidget(self.facts)
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addWidget(self._files)
        column.addWidget(self._left_out)
        column.addWidget(self._cut)
        column.addWidget(self.machines)
        column.addWidget(details)
        column.addStretch(1)
        return column

    def _right(self) -> QVBoxLayout:
        following, content = framed(tr("Next"))
        content.setSpacing(0)
        content.setContentsMargins(0, 0, 4, 8)
        self.next = (
            _next("search", tr("Search for words and phrases"), lambda: self.asked.emit(ShowScreen("search"))),
            _next("next", tr("See what follows a context"), lambda: self.asked.emit(ShowScreen("next_token"))),
            _next("trace", tr("Trace a text against it"), lambda: self.asked.emit(ShowScreen("trace"))),
        )
        for button in self.next:
            content.addWidget(button)
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addWidget(self.fields)
        column.addWidget(following)
        for part in self._deeds:
            column.addWidget(part)
        column.addStretch(1)
        return column

    def _connect(self) -> None:
        self.share.asked.connect(self.asked)
        self.search.clicked.connect(lambda _=False: self.asked.emit(ShowScreen("search")))
        self.tokenizer.clicked.connect(lambda _=False: self.asked.emit(ChooseTokenizer()))
        self.folder.clicked.connect(lambda _=False: self._open(""))
        self.report.clicked.connect(lambda _=False: self._open(_report_name()))
        self.left_out.again.clicked.connect(lambda _=False: self.presenter.build_again())
        self.left_out.encoding_wanted.connect(self.presenter.build_again)
        self.left_out.line_wanted.connect(self.presenter.about.show_line)

    def _open(self, name: str) -> None:
        """Let the system open the folder, or a file of it."""
        corpus = self.presenter.about.state.corpus
        if corpus is not None and corpus.folders:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(corpus.folders[0]) / name)))

    def _draw(self, state: AboutState, before: AboutState | None) -> None:
        # Tables and dozens of labels take 25 ms: nobody waits for them while another screen is shown.
        if not self.isVisible():
            self._drawn = False
            return
        # States have come and gone undrawn, so nothing is known to be as in the one before.
        before = before if self._drawn else None
        self._drawn = True
        self.tiles.show_tiles(state.tiles)
        self.fields.draw(state, before)
        if before is None or state.corpus is not before.corpus or state.seconds != before.seconds:
            self._draw_head(state)
        if before is None or state.left_out is not before.left_out or state.corpus is not before.corpus:
            self._draw_left_out(state)
        if before is None or state.details is not before.details or state.corpus is not before.corpus:
            self._draw_details(state)
        if before is None or state.machines is not before.machines:
            self.machines.draw(state)
        # Not when all is drawn again for a page that was hidden: the line was shown before, or nobody waits for it any
        # more.
        found = state.bad_line.current
        if found is not None and before is not None and state.bad_line is not before.bad_line:
            self.line_dialog = LineDialog(self, found[0].where, found[1])
            self.line_dialog.open()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what was left for this moment."""
        super().showEvent(event)
        if self.presenter.sharing is not None:
            self.share.use_presenter(self.presenter.sharing())
        if not self._drawn:
            self._draw(self.presenter.about.state, None)

    def _draw_head(self, state: AboutState) -> None:
        corpus = state.corpus
        if corpus is None:
            return
        name = corpus.index.name
        self.title.setText(tr("“{name}” is ready", name=name) if state.fresh else name)
        self.picture.show_icon("done" if state.fresh else "index", "ok" if state.fresh else "accent")
        local = bool(corpus.folders)
        self.folder.setVisible(local)
        self.report.setVisible(local and bool(state.skipped))
        readable = corpus.index.has_tokenizer
        self.tokenizer.setVisible(not readable)
        why_not = "" if readable else tr("This index has no tokenizer, so its text cannot be searched or shown")
        for button in (self.search, *self.next):
            offer(button, why_not)
        self._draw_subtitle()

    def _draw_subtitle(self) -> None:
        # Of two presenters, so it is drawn whenever one of them changes.
        state, check = self.presenter.about.state, self.presenter.check.state
        if state.corpus is None:
            return
        if state.seconds is None:
            self.subtitle.setText("  ·  ".join(state.corpus.index.sources))
            return
        built = tr("Built in {seconds} s", seconds=numeral(max(1, round(state.seconds))))
        checked = tr("checking …") if check.answer.awaited else check.message
        self.subtitle.setText(f"{built}  ·  {checked[:1].lower()}{checked[1:]}" if checked else built)

    def _draw_left_out(self, state: AboutState) -> None:
        self._left_out.title.setText(state.left_out_title)
        self._left_out.setVisible(bool(state.left_out_title))
        self.left_out.again.setVisible(state.again is not None)
        self.left_out.read_as.setVisible(state.again is not None)
        error = state.left_out.error
        self.left_out.show_rows(state.problems, str(error) if error is not None else state.more_left_out)

    def _draw_details(self, state: AboutState) -> None:
        self.files.summary.setText(state.read)
        self.files.table.show_rows(state.kinds)
        self._files.setVisible(bool(state.read))
        tokens = state.details.value.tokens if state.details.value is not None else ()
        self.chips.show_tokens(tokens)
        self._cut.setVisible(bool(tokens))
        known = index_facts(state.corpus, local_time) if state.corpus is not None else ()
        self.facts.show_rows((*known, *state.sizes))

    def _draw_check(self, state: CheckState, before: CheckState | None) -> None:
        self.verify.draw(state, before)
        self._draw_subtitle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the columns below each other in a narrow window."""
        super().resizeEvent(event)
        narrow = event.size().width() < em(_STACKED)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        for layout in self._ways:
            layout.setDirection(way)


def _next(picture: str, text: str, action: object) -> RowButton:
    made = RowButton(False, picture, arrow=True)
    made.say(text, "")
    assert callable(action)
    made.clicked.connect(lambda _=False: action())
    return made


def _report_name() -> str:
    from explorer.building.moment import REPORT_NAME

    return REPORT_NAME
