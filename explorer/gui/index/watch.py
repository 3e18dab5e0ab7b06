"""Notices when files of the open index change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from explorer.core.jobs import Kind
from explorer.gui.index.opening import check_files
from explorer.gui.threads.runner import Runner

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError

_PAUSE_MS = 700


class IndexWatch(QObject):
    """Notices that files of the open index change or vanish. `changed(CorpusError)`: what happened."""

    changed = Signal(object)

    def __init__(self, parent: QObject, check: Callable[[Corpus], CorpusError | None] = check_files) -> None:
        super().__init__(parent)
        self._check = check
        # On a thread of its own: to ask a drive that hangs for a size may take minutes.
        self.runner = Runner("watch", self, Kind.APART)
        self._corpus: Corpus | None = None
        # The system reports each write, so a copy is thousands of reports. The pause starts again with each: the files
        # are looked at once it has been quiet for a while.
        self._watcher = QFileSystemWatcher(self)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._watcher.directoryChanged.connect(lambda _: self._pause.start())
        self._watcher.fileChanged.connect(lambda _: self._pause.start())
        self._pause.timeout.connect(self.look)

    def watch(self, corpus: Corpus | None) -> None:
        """Watch the files of this index, and of no other."""
        self._corpus = corpus
        # An answer about the index before would be taken for one about this.
        self._pause.stop()
        self.runner.cancel()
        if old := [*self._watcher.files(), *self._watcher.directories()]:
            self._watcher.removePaths(old)
        # Qt warns of an empty list, as an index that is not in files has it.
        if corpus is not None and (paths := _paths(corpus)):
            self._watcher.addPaths(paths)

    def look(self) -> None:
        """Check the files now; the system's reports lead here once they stop for a while."""
        corpus, check = self._corpus, self._check
        if corpus is not None:
            self.runner.run(lambda cancel: check(corpus), self._told)

    def _told(self, error: CorpusError | None) -> None:
        if error is not None:
            self.changed.emit(error)


def _paths(corpus: Corpus) -> list[str]:
    """Folders and files to watch; none of an index that is not in folders on this machine."""
    local = corpus.index.local
    return [*{*map(str, local.folders)}, *map(str, local.watched)] if local else []
