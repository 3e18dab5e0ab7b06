"""Starting the window."""

from __future__ import annotations

import gc
import signal
import sys
import traceback
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QApplication

from explorer.analyses.trace.example import example_answer, example_prompt
from explorer.core.jobs.pool import SHARED
from explorer.gui.app.arrivals import Arrivals
from explorer.gui.app.clipboard import detach_clipboard
from explorer.gui.app.first_paint import when_painted
from explorer.gui.app.garbage import search_here
from explorer.gui.app.locale import use_system_locale
from explorer.gui.app.log import start_log
from explorer.gui.app.main_window import MainWindow
from explorer.gui.app.memory import give_back, limit_arenas
from explorer.gui.app.startup import Startup
from explorer.gui.chrome.folders import choose_folder
from explorer.gui.chrome.wheel import guard_wheel
from explorer.gui.index.opening import request_of
from explorer.gui.presenting.requests import IndexNotice, OpenProject, OpenRequest, OpenSample, TraceText
from explorer.gui.settings.store import Settings
from explorer.gui.style.appearance import choose_looks
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import forget_deleted_parts, restyle
from explorer.gui.style.theme import prepare_fonts
from explorer.i18n import tr

_SAID_MS = 20_000
_AT_LATEST_MS = 2_000
_UPDATES_MS = 15_000
"""When work begins, also if the window was not painted."""


def make_application(settings: Settings) -> QApplication:
    """The Qt application, themed; the existing one if there is one."""
    application = QApplication.instance() or QApplication(["corpus-explorer"])
    assert isinstance(application, QApplication)
    application.setApplicationName(tr("Corpus Explorer"))
    application.setDesktopFileName("corpus-explorer")
    application.setWindowIcon(icon("search"))
    guard_wheel(application)
    limit_arenas()
    # Background lanes run Python too: the interface thread must get the interpreter's lock within a millisecond.
    sys.setswitchinterval(0.001)
    prepare_fonts(application)
    if settings.get("language") == "system":
        use_system_locale(application)
    choose_looks(settings)
    # Before the first window: its screens read some of these when they are made.
    choose_folder(settings.get("folder"))
    SHARED.allow(settings.get("threads"))
    restyle(application)
    return application


_windows: set[MainWindow] = set()
"""The open ones: Qt does not keep a window for Python."""


class _Messenger(QObject):
    """Carries calls from other threads to the interface thread."""

    told = Signal(str)


def _tell_of_settings(window: MainWindow) -> None:
    """Report in a window, at once and on its Index screen, that the settings cannot be written."""
    messenger = _Messenger(window)
    messenger.told.connect(lambda text: window.statusBar().showMessage(text, _SAID_MS))
    messenger.told.connect(lambda text: window.ask(IndexNotice(text)))
    window.closing.connect(window.settings.listen(messenger.told.emit))


def show_window(startup: Startup, settings: Settings) -> MainWindow:
    """Show a window, and begin to open what was asked for, or what was open last time."""
    window = MainWindow(settings)
    _windows.add(window)
    window.closing.connect(lambda: _windows.discard(window))
    _tell_of_settings(window)
    window.new_window_wanted.connect(lambda: _second_window(window))
    window.show()
    _begin(window, startup, settings)
    return window


def _begin(window: MainWindow, startup: Startup, settings: Settings) -> None:
    if startup.demo:
        window.ask(OpenSample(_example()))
    elif startup.project:
        window.ask(OpenProject(startup.project))
    elif startup.paths:
        agreed, token = startup.allow_remote, startup.token_file
        request = OpenRequest(startup.paths, startup.minus, startup.tokenizer, allow_remote=agreed, token_file=token)
        session = settings.get("session") if startup.restore and settings.get("restore") else {}
        if not agreed and _is_of(session, request):
            # Named or not, it is the index that was open: what was typed in it is not lost.
            window.session.restore(session)
        else:
            window.open(request)
    elif startup.restore and settings.get("restore"):
        session = settings.get("session")
        window.session.restore(session)
        path = session.get("project")
        if isinstance(path, str) and path:
            # Index and views are those of the session, which may be newer than the file.
            window.projects.presenter.open(path, with_views=False)


def _is_of(session: dict[str, Any], request: OpenRequest) -> bool:
    """Whether a session had the same indexes open."""
    kept = request_of(session)
    if kept is None:
        return False

    def sources(of: OpenRequest) -> list[list[Path]]:
        return [[Path(source).absolute() for source in each] for each in (of.paths, of.minus)]

    return sources(kept) == sources(request) and kept.tokenizer == request.tokenizer


def open_as_well(startup: Startup, settings: Settings) -> MainWindow | None:
    """Open what the system or another start of the program asks for. What is open stays.

    Returns: The window that has it, in front: one without an index, or a new one. If nothing is named, the one that was
        used last. None if the program is ending.
    """
    shown = [window for window in _windows if window.isVisible()]
    if not shown:
        return None
    active = QApplication.activeWindow()
    window = active if isinstance(active, MainWindow) and active in shown else shown[-1]
    if startup.names_nothing:
        pass
    elif window.corpus is None and not window.indexes.state.opening:
        _begin(window, startup, settings)
    else:
        window = _second_window(window, startup)
    if window.isMinimized():
        window.showNormal()
    window.raise_()
    window.activateWindow()
    return window


def _second_window(first: MainWindow, startup: Startup | None = None) -> MainWindow:
    """Open another window, slightly to the right and below."""
    window = show_window(startup or Startup(), first.settings)
    window.move(first.pos() + QPoint(32, 32))
    # A hundred mebibytes. The first one stays: the program's timer and its report of errors are its own.
    window.closing.connect(window.deleteLater)
    window.destroyed.connect(_clear_up)
    return window


def _clear_up() -> None:
    """Give back the memory of a window that is being deleted."""
    # In a turn of the event loop each, since its widgets are deleted after the signal. Functions that draw its parts
    # again keep what the parts showed; what it was made of refers to itself in circles.
    for each in (forget_deleted_parts, gc.collect, give_back):
        QTimer.singleShot(0, each)


def show_example(window: MainWindow) -> None:
    """Trace the worked example."""
    window.ask(_example())


def _example() -> TraceText:
    return TraceText(example_answer(), example_prompt())


def begin_window(startup: Startup, settings: Settings) -> MainWindow:
    """Show the first window of the program. What can wait begins when it was painted."""
    # The threads import the other rooms first, and each import takes the interpreter's lock from this thread.
    SHARED.hold()
    window = show_window(startup, settings)
    when_painted(window, begin_work)
    # A window that starts minimized is not painted.
    QTimer.singleShot(_AT_LATEST_MS, begin_work)
    leave_to_itself(window)
    return window


def begin_work() -> None:
    """Begin with what was asked for in the background, and to search for garbage, which `launch` stopped."""
    application = QApplication.instance()
    assert application is not None
    search_here(application)
    SHARED.release()


def leave_to_itself(window: MainWindow) -> None:
    """Take what a complete window consists of out of Python's search for garbage, once all screens are made."""
    # A full search visits every object of the program, and holds the window for 70 to 170 ms. Modules, widgets and
    # their tables live as long as the program: afterwards, only what was made since is searched.
    timer = QTimer(window, interval=200)

    def freeze() -> None:
        if window.screens.complete:
            # Once: even to count what is left out takes several milliseconds.
            timer.stop()
            gc.freeze()

    timer.timeout.connect(freeze)
    timer.start()


def _look_for_updates(window: MainWindow) -> None:
    """Ask whether there is a newer version, if the user has switched this on."""
    # Asked for here, too: the parts for it are not even loaded in a program that never asks.
    if window.settings.get("updates_weekly"):
        window.dialogs.updates().presenter.look_if_due()


def run_app(startup: Startup) -> int:
    """Run until the window is closed; returns the exit code."""
    settings = Settings()
    start_log(settings.path.parent)
    application = make_application(settings)
    window = begin_window(startup, settings)
    arrivals = Arrivals(application, settings.path.parent)
    arrivals.arrived.connect(lambda asked: open_as_well(asked, settings))
    when_painted(window, arrivals.listen)
    # Later than all that somebody waits for.
    QTimer.singleShot(_UPDATES_MS, window, partial(_look_for_updates, window))

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        window.report_bug(text)

    sys.excepthook = report
    signal.signal(signal.SIGINT, lambda *_: window.departure.pause_and_close())
    # Python handles signals only between its own instructions, so wake the interpreter periodically.
    ticker = QTimer(window, interval=200)
    ticker.timeout.connect(lambda: None)
    ticker.start()
    application.aboutToQuit.connect(detach_clipboard)
    return application.exec()
