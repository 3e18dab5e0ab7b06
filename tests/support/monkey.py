"""Random use of a window under a seed: clicks, texts, keys, choices, commands, on whatever is visible.

As a program it drives the window for minutes and tells what it did, how long the event loop was held and by which
lines of the program, and what memory was taken: monkey.py INDEX SEED ACTIONS [--slow] [--out FILE.md].
"""

from __future__ import annotations

import argparse
import collections
import logging
import os
import random
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from changing_files import HOSTILE, ChangingFiles
from memory_use import megabytes_needed
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QDesktopServices, QGuiApplication, QPixmapCache
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QWidget,
)

if TYPE_CHECKING:
    from driven import DrivenWindow

TEXTS = (
    "the cat", "the", "zebra", '"the" AND (cat OR dog) AND NOT rug', '"', "(a OR", ".", " ", "x" * 3_000, "日本語 😀",
    "def add(a, b):\n    return a + b\n" * 20, "User: what?\nAssistant: the cat sat on the mat", "<b>&amp;</b>",
    '[{"role": "user", "content": "x"}, {"role": "assistant", "content": "the cat sat"}]', "a\x00b", "\u202eto left",
    *HOSTILE,
)  # fmt: skip
KEYS = tuple(
    getattr(Qt.Key, f"Key_{name}")
    for name in ("Down", "Up", "End", "Home", "PageDown", "Return", "Right", "Delete", "Escape", "F3", "Tab")
)
KINDS = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QPlainTextEdit, QAbstractItemView, QAbstractSlider)
# A menu of its own loop is open until somebody chooses.
LEFT_ALONE = {"quit", "close_window", "new_window", "history", "match"}


HURRY = (0, 0, 3, 10, 40)
PERSON = (100, 200, 400, 800)
"""Pauses in milliseconds: so that everything runs over each other, or as a quick person would work."""


def pause(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


@dataclass(frozen=True)
class Hold:
    """Between two beats of the event loop: milliseconds, those in which the interface thread worked, what was done."""

    gap: float
    worked: float
    what: str
    where: str = ""


class Places:
    """Notes every few milliseconds where in the program the interface thread is; for the program, not for tests."""

    def __init__(self) -> None:
        self._seen: collections.Counter[str] = collections.Counter()
        self._thread = threading.get_ident()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            time.sleep(0.004)
            frame = sys._current_frames().get(self._thread)
            names: list[str] = []
            while frame is not None and len(names) < 4:
                path = frame.f_code.co_filename.partition("/explorer/")[2]
                if path:
                    names.append(f"{path}:{frame.f_lineno}")
                frame = frame.f_back
            # Without a line of the program, Qt itself lays out or draws.
            self._seen[" < ".join(names) or "Qt"] += 1

    def most(self) -> str:
        """Where it was most often since the last call."""
        seen, self._seen = self._seen, collections.Counter()
        return seen.most_common(1)[0][0] if seen else ""


def _close_menu() -> None:
    opened = QApplication.activePopupWidget()
    if isinstance(opened, QMenu):
        opened.close()


class Monkey:
    """Uses a window. `folder`: where it may write; `index`: what its folder dialogs choose; `pauses`: in ms.

    files: what changes files underneath now and then; None: nothing does.
    """

    def __init__(
        self,
        window: DrivenWindow,
        seed: int,
        folder: Path,
        index: Path,
        pauses: tuple[int, ...] = HURRY,
        files: ChangingFiles | None = None,
        places: Places | None = None,
    ) -> None:
        self._files, self._places = files, places
        # Apart from what is used, which depends on the moment: a seed always changes the same files as often.
        self._fate = random.Random(seed)
        self.changes: collections.Counter[str] = collections.Counter()
        self.window, self.chance, self._index, self._pauses = window, random.Random(seed), index, pauses
        self.done: collections.Counter[str] = collections.Counter()
        self.held: list[Hold] = []
        self._now, self._last, self._worked = "start", time.perf_counter(), time.thread_time()
        self._answer_dialogs(folder, index)
        timer = QTimer(window, interval=2)
        timer.timeout.connect(self._beat)
        timer.start()

    def _beat(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        where = self._places.most() if self._places is not None else ""
        self.held.append(Hold(1000 * (now - self._last), 1000 * (worked - self._worked), self._now, where))
        self._last, self._worked = now, worked

    def _answer_dialogs(self, folder: Path, index: Path) -> None:
        """Native dialogs cannot be driven: they answer by chance."""
        chance = self.chance
        saved = [
            ("", ""),
            (str(folder / "saved.csv"), "CSV (*.csv)"),
            ("/nonexistent/x.svg", ""),
            (str(folder / "a.png"), ""),
        ]
        # No program is there to open a file with.
        _replace(QDesktopServices, "openUrl", lambda *_: True)
        _replace(QFileDialog, "getOpenFileName", lambda *_, **__: ("", ""))
        _replace(QFileDialog, "getOpenFileNames", lambda *_, **__: ([], ""))
        _replace(QFileDialog, "getExistingDirectory", lambda *_, **__: chance.choice(["", str(index), str(folder)]))
        _replace(QFileDialog, "getSaveFileName", lambda *_, **__: chance.choice(saved))
        names = [("", False), ("one set", True), ("another", True)]
        _replace(QInputDialog, "getText", lambda *_, **__: chance.choice(names))
        _replace(
            QInputDialog,
            "getInt",
            lambda *a, **__: (chance.randint(a[4], min(a[5], a[4] + 50)), chance.random() < 0.7),
        )

    @contextmanager
    def _not_counted(self) -> Iterator[None]:
        """What the driver itself does, such as going through all widgets for one to use, is no work of the window."""
        now, worked = time.perf_counter(), time.thread_time()
        yield
        self._last += time.perf_counter() - now
        self._worked += time.thread_time() - worked

    def act(self, times: int) -> None:
        """So many actions."""
        for _ in range(times):
            self._one()
            pause(self.chance.choice(self._pauses))
            for dialog in self._open_dialogs():
                if self.chance.random() < 0.2:
                    dialog.reject()

    def _open_dialogs(self) -> list[QDialog]:
        with self._not_counted():
            return [dialog for dialog in self.window.findChildren(QDialog) if dialog.isVisible()]

    def _change_files(self) -> None:
        """Something happens to the files behind the window's back; mostly they come back soon."""
        assert self._files is not None
        roll = self._fate.random()
        if roll < 0.3:
            what = self._files.change_index()
        elif roll < 0.6:
            what = self._files.change_sources()
        elif roll < 0.85:
            self._files.put_back()
            what = "put back"
        else:
            from explorer.gui.presenting.requests import OpenRequest

            self._files.put_back()
            self.window.open(OpenRequest((str(self._index),)))
            what = "opened again"
        self.changes[what] += 1

    def _change_look(self) -> None:
        """Another theme or text size, while whatever runs goes on."""
        if self.chance.random() < 0.5:
            self.window.set_scheme(self.chance.choice(("light", "dark", "system")))
        else:
            self.window.change_setting("text_size", self.chance.choice((0, 6, 10, 14, 20, 28)))

    def _one(self) -> None:
        roll = self.chance.random()
        if self._files is not None and self._fate.random() < 0.1:
            self._do("files", self._change_files)
            return
        if self.chance.random() < 0.02:
            self._do("look", self._change_look)
            return
        if roll < 0.05:
            # As a tile or a key asks for it.
            self._do("screen", lambda: self.window.go_to(self.chance.choice(list(self.window.screens))))
            return
        if roll < 0.09:
            name = self.chance.choice([n for n in self.window.book.actions if n not in LEFT_ALONE])
            self._do(f"command {name}", self.window.book.actions[name].trigger)
            return
        targets = self._targets()
        if targets:
            widget = self.chance.choice(targets)
            self._do(f"{type(widget).__name__} {_name(widget)}", lambda: self._use(widget))

    def _targets(self) -> list[QWidget]:
        """What can be used in a dialog that is open, or else in the window."""
        dialogs = self._open_dialogs()
        area: QWidget = dialogs[-1] if dialogs else self.window
        with self._not_counted():
            return [w for w in area.findChildren(QWidget) if w.isVisible() and w.isEnabled() and isinstance(w, KINDS)]

    def _do(self, what: str, call: Callable[[], object]) -> None:
        self.done[what] += 1
        self._now = what
        call()

    def _use(self, widget: QWidget) -> None:
        chance = self.chance
        if isinstance(widget, QToolButton) and widget.menu() is not None:
            widget.menu().aboutToShow.emit()
            actions = [
                a
                for a in widget.menu().actions()
                if a.isEnabled() and a.isVisible() and not a.isSeparator() and a.menu() is None
            ]
            if actions:
                chance.choice(actions).trigger()
        elif isinstance(widget, QPushButton) and widget.menu() is not None:
            widget.menu().aboutToShow.emit()
            if actions := [action for action in widget.menu().actions() if action.isEnabled()]:
                chance.choice(actions).trigger()
        elif isinstance(widget, QAbstractButton):
            # A click that opens the menu of another button returns when the menu is closed.
            QTimer.singleShot(0, _close_menu)
            widget.click()
        elif isinstance(widget, QComboBox):
            if widget.count():
                widget.setCurrentIndex(chance.randrange(widget.count()))
        elif isinstance(widget, QSpinBox):
            # Not the largest there is: a thousand shards of nothing are another test.
            widget.setValue(chance.randrange(widget.minimum(), min(widget.maximum(), widget.minimum() + 200) + 1))
        elif isinstance(widget, QLineEdit):
            if not widget.isReadOnly():
                widget.setText(chance.choice(TEXTS))
                QTest.keyClick(widget, Qt.Key.Key_Return)
        elif isinstance(widget, QPlainTextEdit):
            if not widget.isReadOnly():
                widget.setPlainText(chance.choice(TEXTS))
        elif isinstance(widget, QAbstractSlider):
            widget.setValue(chance.randint(widget.minimum(), widget.maximum()))
        else:
            QTest.keyClick(widget, chance.choice(KEYS))

    def settle(self) -> float:
        """Put the window back to how it began, with the index open anew; the memory that it needs then, in MB."""
        from explorer.gui.presenting.requests import OpenRequest
        from explorer.gui.style.surfaces import all_restyled

        window = self.window
        for dialog in window.findChildren(QDialog):
            dialog.reject()
        for field in window.findChildren(QLineEdit) + window.findChildren(QPlainTextEdit):
            if not field.isReadOnly():
                field.clear()
        for key, usual in (("text_size", 0), ("scheme", "system")):
            window.change_setting(key, usual)
        window.next_token.presenter.beside.put(None)
        window.show_screen("search")
        window.resize(1280, 800)
        before = window.corpus
        window.open(OpenRequest((str(self._index),)))
        while window.corpus is before or not all_restyled():
            pause(20)
        # What was asked for last comes, and pixmaps are forgotten.
        pause(1_000)
        QGuiApplication.clipboard().clear()
        QPixmapCache.clear()
        needed = megabytes_needed()
        # Measuring held the event loop, not the program.
        self._last, self._worked = time.perf_counter(), time.thread_time()
        return needed

    def finish(self) -> float:
        """Close everything in the middle of whatever runs; seconds until the window is gone."""
        for dialog in self.window.findChildren(QDialog):
            dialog.reject()
        # Without the question about marks and sets that are not saved.
        self.window.projects.presenter.new()
        started = time.perf_counter()
        self.window.close()
        return time.perf_counter() - started

    def holds(self, over: float) -> collections.Counter[str]:
        """How often the event loop was held longer than so many milliseconds, by what was done."""
        return collections.Counter(hold.what for hold in self.held if hold.gap > over)


def _replace(kind: type, method: str, answer: Callable[..., Any]) -> None:
    """Put an answer in the place of a static method; a test puts the method back."""
    setattr(kind, method, staticmethod(answer))


def _name(widget: QWidget) -> str:
    return widget.accessibleName() or str(widget.property("text") or "") or widget.toolTip()[:30]


@dataclass(frozen=True)
class Drive:
    """What a drive of the program found; memory in MB, seconds of the last three quarters and of closing."""

    monkey: Monkey
    index_name: str
    faults: list[str]
    before: float
    after: float
    seconds: float
    closing: float


def drive(index: Path, seed: int, actions: int, place: Path, pauses: tuple[int, ...] = HURRY) -> Drive:
    """Open an index in the real program's window and use it."""
    from driven import show_driven

    from explorer.gui.app.app import leave_to_itself, make_application
    from explorer.gui.app.startup import Startup
    from explorer.gui.presenting.requests import OpenRequest
    from explorer.gui.settings.store import Settings

    faults = _caught_faults()
    # What is built under a name without a folder goes there.
    os.chdir(place)
    settings = Settings(place / "settings.json")
    make_application(settings)
    window = show_driven(Startup(), settings)
    window.open(OpenRequest((str(index),)))
    while window.corpus is None:
        pause(20)
    name = window.index_label.text()
    # As the program does: Python's search for garbage leaves out what lives as long as the window.
    leave_to_itself(window)
    monkey = Monkey(window, seed, place, index, pauses, places=Places())
    monkey.act(actions // 4)
    before, started = monkey.settle(), time.monotonic()
    monkey.act(actions - actions // 4)
    seconds = time.monotonic() - started
    after = monkey.settle()
    monkey.act(20)
    return Drive(monkey, name, faults, before, after, seconds, monkey.finish())


class _Listed(logging.Handler):
    """Appends messages of the log to a list."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__()
        self._messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        self._messages.append(record.getMessage())


def _caught_faults() -> list[str]:
    """A list that gets what the log and the last resort are told from now on."""
    faults: list[str] = []
    sys.excepthook = lambda kind, error, trace: faults.append("".join(traceback.format_exception(kind, error, trace)))
    logging.getLogger("explorer").addHandler(_Listed(faults))
    return faults


def told(found: Drive, seed: int, actions: int) -> str:
    """What was found, as a page."""
    gaps = sorted(hold.gap for hold in found.monkey.held)
    worked = sorted(hold.worked for hold in found.monkey.held)
    longest = found.monkey.holds(100).most_common(8)
    own = sorted((hold for hold in found.monkey.held if hold.worked > 50), key=lambda hold: -hold.worked)
    lines = [
        "# Random use",
        "",
        f"{actions:,} actions with seed {seed} on {found.index_name}; the last three quarters took "
        f"{found.seconds:.0f} s. Made by `tests/support/monkey.py`.",
        "",
        f"- unexpected errors: {len(found.faults)}",
        f"- memory after a quarter {found.before:.0f} MB, at the end {found.after:.0f} MB, each time with the window "
        f"put back to how it began",
        f"- closing the window during the run: {1000 * found.closing:.0f} ms",
        f"- event loop, beats every 2 ms: {len(gaps):,}; blocked over 50 ms {sum(g > 50 for g in gaps):,} times, "
        f"over 100 ms {sum(g > 100 for g in gaps):,}, over 300 ms {sum(g > 300 for g in gaps):,}, "
        f"at most {gaps[-1]:.0f} ms",
        f"- of these the interface thread's own work (the rest is waiting for two busy cores and the interpreter's "
        f"lock): over 50 ms {sum(w > 50 for w in worked):,} times, over 100 ms {sum(w > 100 for w in worked):,}, "
        f"at most {worked[-1]:.0f} ms",
        "- what blocked it over 100 ms: " + "; ".join(f"{what} ({n})" for what, n in longest),
        *(f"- own work of {hold.worked:.0f} ms after {hold.what}: {hold.where}" for hold in own),
    ]
    return "\n".join(lines) + "\n"


def _whole(path: str) -> Path:
    return Path(path).resolve()


def main() -> None:
    """Drive the program and tell what was found."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=_whole)
    parser.add_argument("seed", type=int)
    parser.add_argument("actions", type=int)
    parser.add_argument("--slow", action="store_true", help="at the pace of a quick person")
    parser.add_argument("--out", type=_whole)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        found = drive(args.index, args.seed, args.actions, Path(place), PERSON if args.slow else HURRY)
    page = told(found, args.seed, args.actions)
    print(page)
    for fault in list(dict.fromkeys(found.faults))[:5]:
        print(fault)
    if args.out:
        args.out.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
