"""What a person waits for in the Search screen, and how long the interface thread is ever held.

usage: QT_QPA_PLATFORM=offscreen python tests/benchmarks/window.py INDEX [--out FILE.md]

Types, runs, scrolls, sorts, filters and closes on a real window; a heartbeat of 2 ms watches the event loop
all the while. INDEX should hold at least 10 million tokens.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer

from explorer import open_index

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driven import DrivenWindow, show_driven

from explorer.analyses.search.arrange import MAX_ARRANGED
from explorer.gui.app.app import make_application
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.settings.store import Settings

PAUSE = 120
"""Milliseconds after the last key before a query runs; they are taken off."""


@dataclass
class Heartbeat:
    """Times between the beats of a timer on the interface thread."""

    gaps: list[float] = field(default_factory=list)
    last: float = 0.0

    def start(self, window: DrivenWindow) -> None:
        timer = QTimer(window)
        timer.setInterval(2)
        timer.timeout.connect(self.beat)
        self.last = time.perf_counter()
        timer.start()

    def beat(self) -> None:
        now = time.perf_counter()
        self.gaps.append(1000 * (now - self.last))
        self.last = now


def wait(condition: Callable[[], bool], seconds: float = 120) -> float:
    """Let the event loop run until the condition holds; milliseconds that it took."""
    started = time.perf_counter()
    deadline = QDeadlineTimer(int(1000 * seconds))
    while not condition():
        if deadline.hasExpired():
            raise TimeoutError("the window did not get there")
        loop = QEventLoop()
        QTimer.singleShot(1, loop.quit)
        loop.exec()
    return 1000 * (time.perf_counter() - started)


def sleep(seconds: float) -> None:
    """Let the event loop run for a while."""
    until = time.perf_counter() + seconds
    wait(lambda: time.perf_counter() >= until)


def frequent_words(index: Path) -> list[str]:
    """The most frequent token that is a word, and some others."""
    corpus = open_index(index)
    counts = {
        word: corpus.count(word) for word in (" the", " of", " and", " a", " to", "the", "self", "=", "\n", " in", ".")
    }
    return sorted(counts, key=counts.__getitem__, reverse=True)


def measure(window: DrivenWindow, words: list[str]) -> dict[str, list[float]]:
    search = window.search
    found: dict[str, list[float]] = {}

    def note(name: str, milliseconds: float) -> None:
        found.setdefault(name, []).append(milliseconds)

    for text in ("the", "suffix", "of the", "language model", "in the middle of", "Once upon a time", "print("):
        search.query.setText("")
        for end in range(1, len(text) + 1):
            sleep(0.02)
            search.query.setText(text[:end])
        shown = wait(
            lambda t=text: (
                search.presenter.state.query.found is not None and search.presenter.state.query.found.query == t
            )
        )
        note("count after the pause", shown - PAUSE)
    most = words[0]
    for _ in range(5):
        search.query.setText("")
        wait(lambda: search.model.total == 0)
        search.query.setText(most)
        search.presenter.query.run()
        shown = wait(lambda: search.model.total > 0 and search.model.row(0) is not None)
        note("first page of the most frequent token", shown)
    generator = random.Random(4)
    for _ in range(40):
        line = generator.randrange(search.model.total)
        search.table.go_to(line)
        row = line - search.model.base
        note("rows at any scroll position", wait(lambda row=row: search.model.row(row) is not None))
        for name in ("painting a page of new lines", "painting the same page again"):
            # Processor time of this thread: what one frame costs, whatever else runs on the machine.
            started = time.thread_time()
            search.table.viewport().repaint()
            note(name, 1000 * (time.thread_time() - started))
    search.presenter.lines.sort_level(0, "1L", False)
    search.presenter.lines.sort_level(1, "1R", False)
    search.presenter.lines.sort_by("")
    name = f"sort of {min(search.model.total, MAX_ARRANGED):,} lines by 1L, 1R"
    note(name, wait(lambda: bool(search.table.delegate.look.levels)))
    search.presenter.lines.sort_by("right")
    wait(lambda: not search.presenter.state.lines.answer.awaited)
    search.presenter.show_view(2)
    note("spread of those lines", wait(lambda: search.presenter.state.dispersion.current))
    search.presenter.show_view(0)
    wait(lambda: search.presenter.state.facts.more.documents is not None)
    return found


def close_at_work(window: DrivenWindow) -> float:
    window.search.presenter.lines.sort_level(0, "2L", False)
    window.search.presenter.show_view(2)
    started = time.perf_counter()
    window.close()
    return 1000 * (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(Path(place) / "settings.json")
        make_application(settings)
        window = show_driven(Startup(), settings)
        window.open(OpenRequest((str(args.index),)))
        wait(lambda: window.corpus is not None)
        words = frequent_words(args.index)
        heart = Heartbeat()
        heart.start(window)
        found = measure(window, words)
        lines = [
            f"{window.index_label.text()}. {platform.processor() or platform.machine()}, {os.cpu_count()} cores. "
            f"Most frequent: {words[0]!r}, {window.search.model.total:,} hits.",
            "",
            "| what | median ms | maximum ms | times |",
            "| --- | --- | --- | --- |",
        ]
        lines += [
            f"| {name} | {statistics.median(times):.1f} | {max(times):.1f} | {len(times)} |"
            for name, times in found.items()
        ]
        gaps = sorted(heart.gaps)
        closing = close_at_work(window)
        lines.append(f"| closing with jobs under way | {closing:.1f} | {closing:.1f} | 1 |")
        held = f"{statistics.median(gaps):.1f} | {gaps[-1]:.1f} | {len(gaps)}"
        lines.append(f"| event loop blocked (beats every 2 ms) | {held} |")
        lines.append("")
        lines.append(f"The five longest blocks: {', '.join(f'{gap:.1f}' for gap in gaps[-5:])} ms.")
        print("\n".join(lines))
        if args.out:
            args.out.write_text("\n".join(["# Waiting times of the window", "", *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
