"""The window's part for projects: file dialogs, the question before changes are lost, and the line about problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox, QVBoxLayout, QWidget

from explorer.core.jobs import Kind
from explorer.gui.chrome.dialog import message_box
from explorer.gui.chrome.folders import begin_in, saved_in
from explorer.gui.presenting.requests import NewProject, OpenProject, Request, SaveProject, SaveProjectAs
from explorer.gui.project.projects import Projects, RecentProjects
from explorer.gui.project.state import ProjectState
from explorer.gui.project.views import Views
from explorer.gui.style.surfaces import apply_stylesheet
from explorer.gui.style.untrusted import plain
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.notices.notice import Notice
from explorer.i18n import tr
from explorer.project.values import SUFFIX

if TYPE_CHECKING:
    from explorer.gui.project.notices import ProjectNotice


class ProjectDesk(QObject):
    """Draws `presenter`, which knows the project. `changed(ProjectState, ProjectState)`; `bug(str)`: as of a screen.

    ask: Asks the window for something.
    views, show: Give and show what is typed and chosen in the window.
    """

    changed = Signal(object, object)
    bug = Signal(str)

    def __init__(
        self,
        recents: RecentProjects,
        ask: Callable[[Request], object],
        views: Callable[[], Views],
        show: Callable[[Views], object],
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._index_title = tr("Corpus Explorer")
        # Two lanes: a fingerprint must not wait for an index that is being located, nor the other way round.
        self._files, self._reader = Runner("project", self, Kind.APART), Runner("fingerprint", self, Kind.QUICK)
        self.presenter = Projects(self._files, self._reader, recents, ask, views, show)
        # Two, since files are asked about while an index is missing: neither waits for the other.
        self.bar, self.file_bar = Notice(), Notice()
        # The room around the notices is there only while one of them is.
        self.place = around(self.bar, self.file_bar)
        self.question: QMessageBox | None = None
        # Set by the answer that loses changes: the window closes without asking again.
        self._decided = False
        for runner in self.runners():
            runner.bug.connect(self.bug)
        self.presenter.watch(self._draw)

    @property
    def state(self) -> ProjectState:
        """The project."""
        return self.presenter.state

    def _draw(self, state: ProjectState, before: ProjectState) -> None:
        self.place.setVisible(state.notice is not None or state.file_notice is not None)
        self._draw_notice(self.bar, state.notice, before.notice)
        self._draw_notice(self.file_bar, state.file_notice, before.file_notice)
        self._draw_title()
        self.changed.emit(state, before)

    def _draw_notice(self, bar: Notice, notice: ProjectNotice | None, before: ProjectNotice | None) -> None:
        if notice is None:
            bar.hide()
        elif notice != before or bar.isHidden():
            from explorer.gui.project.notices import remedy_text

            remedies = [(remedy_text(name, notice), partial(self._remedy, name)) for name in notice.remedies]
            bar.show_notice(notice.sentence, notice.title, notice.kind, remedies)

    def _remedy(self, name: str) -> None:
        presenter, path = self.presenter, self.state.path
        actions: dict[str, Callable[[], object]] = {
            "locate": self.locate,
            "use_anyway": presenter.use_anyway,
            "open_index": presenter.open_index,
            "read_files": presenter.read_files,
            "leave_files": lambda: presenter.read_files(agreed=False),
            "overwrite": lambda: presenter.save(path, overwrite=True),
            "save_as": self.save_as,
            "choose": self.choose,
            "dismiss": presenter.dismiss,
        }
        actions[name]()

    @property
    def path(self) -> str:
        """The file of the project; "" for none."""
        return "" if self.state.project.origin is None else str(self.state.project.file)

    def show_title(self, index_title: str) -> None:
        """Title the window: the project, if there is one, and the index.

        index_title: The title without a project.
        """
        self._index_title = index_title
        self._draw_title()

    def _draw_title(self) -> None:
        state, title = self.state, plain(self._index_title)
        if state.shown:
            # Qt puts its sign for unsaved changes in the place of [*]; twice, it is the text itself.
            name = plain(state.name).replace("[*]", "[*][*]")
            title = tr("{name} – {title}", name=f"{name}[*]", title=title.replace("[*]", "[*][*]"))
        self._window.setWindowTitle(title)
        self._window.setWindowModified(state.shown and state.changed)

    def locate(self) -> None:
        """Let the user choose the folder of a missing index."""
        if path := QFileDialog.getExistingDirectory(self._window, tr("Locate the index"), begin_in()):
            self.presenter.locate(path)

    def choose(self) -> None:
        """Let the user choose a project, and open it."""
        name, _ = QFileDialog.getOpenFileName(self._window, tr("Open a project"), begin_in(), _filter())
        if name:
            self.presenter.open(name)

    def open(self, path: str = "") -> None:
        """Open a project; changes of this one are saved or given up first."""
        self.when_kept((lambda: self.presenter.open(path)) if path else self.choose)

    def new(self) -> None:
        """Begin a new project; changes of this one are saved or given up first."""
        self.when_kept(self.presenter.new)

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save the project; without a file, or if it is read-only, the user chooses one."""
        if self.state.project.origin is None:
            self.save_as(then)
        else:
            self.presenter.save(then=then)

    def save_as(self, then: Callable[[], object] | None = None) -> None:
        """Let the user choose a file, and save the project there."""
        name = self.state.project.name or tr("Untitled project")
        text, _ = QFileDialog.getSaveFileName(self._window, tr("Save the project"), begin_in(name + SUFFIX), _filter())
        if text:
            saved_in(text)
            path = Path(text)
            # The dialog has asked about the name as it was typed, without the ending.
            self.presenter.save(str(path if path.suffix else path.with_suffix(SUFFIX)), then=then)

    def may_close(self) -> bool:
        """True if closing loses nothing. Otherwise asks, and closes the window later by itself."""
        if self._decided or not self.state.changed:
            return True
        self.when_kept(self._close)
        return False

    def _close(self) -> None:
        self._decided = True
        self._window.close()
        # Still open if work is running and the user keeps it.
        self._decided = False

    def when_kept(self, then: Callable[[], object]) -> None:
        """Do something that loses changes: at once without any, otherwise after they are saved or given up."""
        if not self.state.changed:
            then()
            return
        if self.question is not None:
            self.question.raise_()
            return
        text = tr("Save the changes to {name}?", name=self.state.name)
        box = self.question = message_box(self._window, tr("Unsaved changes"), text)
        box.setInformativeText(self.state.would_be_lost)
        save = box.addButton(tr("Save"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(tr("Do not save"), QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        save.clicked.connect(lambda: self.save(then))
        discard.clicked.connect(then)
        box.setDefaultButton(save)
        box.setEscapeButton(cancel)
        box.finished.connect(self._answered)
        box.open()
        save.setFocus()

    def _answered(self) -> None:
        self.question = None

    def routes(self) -> Mapping[type[Request], Callable[[Any], object]]:
        """The requests that are taken here, and what they do."""
        return {
            NewProject: lambda _: self.new(),
            OpenProject: lambda request: self.open(request.path),
            SaveProject: lambda _: self.save(),
            SaveProjectAs: lambda _: self.save_as(),
        }

    def runners(self) -> tuple[Runner, ...]:
        """The lanes to close with the window."""
        return self._files, self._reader


def around(*widgets: QWidget) -> QWidget:
    """A hidden page with widgets below each other and the margin of a page around them."""
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(16, 12, 16, 0)
    layout.setSpacing(8)
    for widget in widgets:
        layout.addWidget(widget)
    apply_stylesheet(page)
    page.hide()
    return page


def _filter() -> str:
    return tr("Projects (*{suffix})", suffix=SUFFIX)


def is_project(path: str) -> bool:
    """Whether a file is a project, by its name."""
    return path.lower().endswith(SUFFIX)
