"""The window's part for opening indexes: dialogs, progress, the line in the status bar, and the watch of the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.core.jobs import Kind
from explorer.gui.chrome.folders import begin_in
from explorer.gui.index.indexes import Indexes, IndexState
from explorer.gui.index.watch import IndexWatch
from explorer.gui.presenting.requests import (
    CheckIndex,
    ChooseIndex,
    ChooseRemote,
    ChooseTokenizer,
    ForgetIndex,
    LocateIndex,
    OpenAgain,
    OpenBuilt,
    OpenRequest,
    OpenSample,
    PinIndex,
    RenameIndex,
    Request,
    ShowHelp,
    ShowIndexPage,
    ShowStart,
    StopSample,
    Told,
)
from explorer.gui.settings.store import Settings
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.remote.dialog import RemoteDialog
    from explorer.gui.remote.sharing import SharePresenter


class IndexDesk(QObject):
    """Draws `presenter`, which knows the open index. `changed(IndexState, IndexState)`: the new state and the old one.

    `progressed(Progress)`: of opening. `bug(str)`: the report of an unexpected error.

    settings: Recent indexes, and hosts that may be asked.
    ask: Called with what another part of the window is to do.
    front: Gives the id of the screen that a person sees, or is waiting for.
    """

    changed = Signal(object, object)
    progressed = Signal(object)
    bug = Signal(str)

    def __init__(
        self, settings: Settings, ask: Callable[[Request], object], parent: QWidget, front: Callable[[], str]
    ) -> None:
        super().__init__(parent)
        self._window, self._front = parent, front
        # On a thread of its own: opening may read for minutes, and answers of the open index must not wait for it.
        self.opener = Runner("open", self, Kind.APART)
        self.watch = IndexWatch(self)
        self.presenter = Indexes(self.opener, settings.recents, settings.hosts, ask)
        self._ask = ask
        # It waits for a service most of the time.
        self.lister = Runner("remote indexes", self, Kind.APART)
        # The process of a server runs as long as an index is shared, which no screen waits for.
        self.sharer = Runner("share", self, Kind.APART)
        self.sharing: SharePresenter | None = None
        self._settings = settings
        self.dialog: RemoteDialog | None = None
        self.index_label = ElidedLabel(self.presenter.state.status)
        for runner in self.runners():
            runner.bug.connect(self.bug)
        self.opener.progressed.connect(self.progressed)
        self.watch.changed.connect(self.presenter.files_changed)
        self.presenter.watch(self._draw)

    @property
    def state(self) -> IndexState:
        """What is open, what is being opened, and what was open before."""
        return self.presenter.state

    def _draw(self, state: IndexState, before: IndexState) -> None:
        self.index_label.setText(state.status)
        self.index_label.setToolTip(state.status_tip)
        if state.corpus is not before.corpus:
            self.watch.watch(state.corpus)
            if self.sharing is not None:
                self.sharing.use_corpus(state.corpus, state.request)
        # Last: whoever hears of it finds the status bar and the watch up to date.
        self.changed.emit(state, before)

    def choose_index(self) -> None:
        """Let the user choose a folder, and open it."""
        if path := QFileDialog.getExistingDirectory(self._window, tr("Open an index folder"), begin_in()):
            self.presenter.open(OpenRequest((path,)))

    def choose_remote(self, refused: OpenRequest | None = None) -> RemoteDialog:
        """Let the user name an index on another machine.

        refused: What did not open, with which the dialog begins; None for empty fields.
        """
        # Loaded when it is first needed: the start is faster without it.
        from explorer.gui.remote.dialog import RemoteDialog
        from explorer.gui.remote.presenter import RemotePresenter

        if self.dialog is None:
            settings = self._settings
            presenter = RemotePresenter(self.lister, settings.hosts, settings.recents, self._ask)
            self.dialog = RemoteDialog(self._window, presenter)
            self.dialog.finished.connect(self._forget_dialog)
            self.dialog.help_wanted.connect(lambda topic: self._ask(ShowHelp(topic)))
        self.dialog.presenter.begin(refused)
        # Not modal: the guide is read, and an address is looked for, while it is open.
        self.dialog.show()
        self.dialog.activateWindow()
        self.dialog.address.setFocus()
        return self.dialog

    def share(self) -> SharePresenter:
        """What shares the open index; made when its switch is first shown."""
        if self.sharing is None:
            from explorer.gui.remote.sharing import SharePresenter

            self.sharing = SharePresenter(self.sharer)
            self.sharing.use_corpus(self.state.corpus, self.state.request)
        return self.sharing

    def _forget_dialog(self) -> None:
        self.dialog = None

    def locate(self, path: str) -> None:
        """Let the user choose where an index is now, and open it there."""
        if found := QFileDialog.getExistingDirectory(
            self._window, tr("Where is this index now?"), str(Path(path).parent)
        ):
            self.presenter.locate(path, found)

    def _open_sample(self, then: Request | None) -> None:
        self.presenter.open_sample(None if then is None else partial(self._follow, self._front(), then))

    def _follow(self, asked_on: str, then: Request) -> None:
        """Ask for what was to follow the sample; who went to another screen while it was built is only told."""
        if self._front() == asked_on:
            self._ask(then)
        else:
            link = None if isinstance(then, ShowStart) else (tr("Show the example"), then)
            self._ask(Told(tr("The sample index is open."), link))

    def _open_built(self, built: OpenBuilt) -> None:
        """Open a new index; who went to another screen while it was built keeps what is read there, and is told."""
        if built.wanted:
            self.presenter.open_built(built)
            return
        self.presenter.list_built(built)
        link = (tr("Open index"), replace(built, wanted=True))
        self._ask(Told(tr("The index “{name}” is ready.", name=built.name), link))

    def check(self, path: str) -> None:
        """Open an index and check it."""
        self.presenter.open(OpenRequest((path,)), lambda: self._ask(ShowIndexPage(2)))

    def choose_tokenizer(self) -> None:
        """Open the same index again with another tokenizer."""
        request = self.state.request
        # Nothing was asked for yet.
        if not request.paths:
            return
        name, _ = QFileDialog.getOpenFileName(
            self._window, tr("Tokenizer of this index"), begin_in(), tr("Tokenizers (*.json)")
        )
        if name:
            # The check is on again: that an earlier tokenizer was accepted in spite of it tells nothing of this one.
            self.presenter.open(replace(request, tokenizer=name, check_fit=True))

    def routes(self) -> Mapping[type[Request], Callable[[Any], object]]:
        """The requests that are taken here, and what they do."""
        presenter = self.presenter
        return {
            OpenRequest: presenter.open,
            OpenSample: lambda request: self._open_sample(request.then),
            OpenBuilt: self._open_built,
            ChooseIndex: lambda _: self.choose_index(),
            ChooseRemote: lambda request: self.choose_remote(request.refused),
            OpenAgain: lambda _: presenter.again(),
            ChooseTokenizer: lambda _: self.choose_tokenizer(),
            PinIndex: lambda request: presenter.toggle_pin(request.path),
            ForgetIndex: lambda request: presenter.forget(request.path),
            RenameIndex: lambda request: presenter.rename(request.path, request.name),
            LocateIndex: lambda request: self.locate(request.path),
            CheckIndex: lambda request: self.check(request.path),
            StopSample: lambda request: presenter.stop(request.keep),
        }

    def runners(self) -> tuple[Runner, ...]:
        """The lanes to close with the window."""
        return self.opener, self.lister, self.sharer, self.watch.runner
