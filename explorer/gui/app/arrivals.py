"""What is to be opened later than at the start: by another start of the program, or by the desktop."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QFileOpenEvent, QGuiApplication

from explorer.gui.app.running import Door
from explorer.gui.app.startup import Startup
from explorer.gui.project.desk import is_project


class Arrivals(QObject):
    """Passes it on until the program ends. `arrived(Startup)`: on the interface thread, wherever it came from.

    application: The owner, whose events macOS uses for files that are opened from its Finder.
    """

    arrived = Signal(object)

    def __init__(self, application: QGuiApplication, folder: Path) -> None:
        super().__init__(application)
        # The signal takes it from the thread of the door to this one.
        self._door = Door(folder, self.arrived.emit)
        application.installEventFilter(self)
        application.lastWindowClosed.connect(self._door.close)
        application.aboutToQuit.connect(self._door.close)

    def listen(self) -> None:
        """Let later starts find this program; when the window was painted, since it takes a thread and imports."""
        self._door.open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what the desktop asks the running program to open."""
        if not isinstance(event, QFileOpenEvent):
            return False
        path = event.file() or event.url().toString()
        self.arrived.emit(Startup(project=path) if is_project(path) else Startup((path,)))
        return True
