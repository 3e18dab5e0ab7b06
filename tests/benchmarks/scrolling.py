"""What a frame costs the interface thread while a million lines scroll: by wheel, by page and by dragging.

usage: QT_QPA_PLATFORM=offscreen python tests/benchmarks/scrolling.py [--work FOLDER] [--frames N] [--out FILE.md]

Makes an index of two million tokens in which one word occurs a million times, lists it in a real window of
1440 × 900, and sends it the events of a mouse and a keyboard at 60 per second. A frame is an event with everything
that the interface thread does until the next one: handling it, taking rows that arrived, and painting.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from driven import DrivenWindow, show_driven
from window import sleep, wait

from explorer.cli.main import main as command
from explorer.gui.app.app import make_application
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.settings.store import Settings

HITS, PER_DOCUMENT = 1_000_000, 250
FRAME = 1 / 60
_SYLLABLES = [a + b for a in "bdfgklmnprstv" for b in ("a", "e", "i", "o", "u", "an", "el", "or")]


def write_source(path: Path) -> None:
    """Documents in which every second word is “the”."""
    generator = random.Random(3)
    words = ["".join(generator.choices(_SYLLABLES, k=generator.randint(1, 4))) for _ in range(3_000)]
    with open(path, "w", encoding="utf-8") as file:
        for number in range(HITS // PER_DOCUMENT):
            text = " ".join(f"the {word}" for word in generator.choices(words, k=PER_DOCUMENT))
            file.write(json.dumps({"text": text, "year": 1900 + number % 120, "author": words[number % 80]}) + "\n")


def make_index(folder: Path) -> Path:
    """The index, made at the first call for a folder."""
    out = folder / "million"
    if not out.exists():
        write_source(folder / "million.jsonl")
        command(["build", str(folder / "million.jsonl"), "--out", str(out), "--tokenizer", "train:6000"])
    return out


def wheel(window: DrivenWindow) -> Iterator[None]:
    """Three lines per notch, as most systems send them."""
    viewport = window.search.table.viewport()
    place = QPointF(viewport.rect().center())
    while True:
        event = QWheelEvent(
            place,
            QPointF(viewport.mapToGlobal(place.toPoint())),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(viewport, event)
        yield


def pages(window: DrivenWindow) -> Iterator[None]:
    """Page Down, held: keyboards repeat keys 30 times per second."""
    while True:
        QTest.keyPress(window.search.table, Qt.Key.Key_PageDown)
        yield
        yield


def drag(window: DrivenWindow) -> Iterator[None]:
    """The handle of the scroll bar, pulled down slowly: each pixel is over a thousand lines."""
    bar = window.search.table.bar
    bar.setValue(0)
    top = QPoint(bar.width() // 2, 4)
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, top)
    for step in itertools.count(1):
        place = QPointF(top.x(), 4 + step % max(1, bar.height() - 8))
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            place,
            QPointF(bar.mapToGlobal(place.toPoint())),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(bar, event)
        yield


def frames(act: Iterator[None], number: int) -> tuple[list[float], list[float]]:
    """Milliseconds of the thread and of the clock, per frame."""
    own, clock = [], []
    for _ in range(number):
        begun, worked = time.perf_counter(), time.thread_time()
        next(act)
        # What is still to come of this frame may arrive until the next one begins.
        while True:
            QApplication.processEvents()
            left = FRAME - (time.perf_counter() - begun)
            if left <= 0.001:
                break
            time.sleep(min(0.002, left))
        own.append(1000 * (time.thread_time() - worked))
        clock.append(1000 * (time.perf_counter() - begun))
    return own, clock


def new_pages(window: DrivenWindow, number: int) -> list[float]:
    """Milliseconds of the thread for painting a page of lines that were never shown."""
    generator, found = random.Random(4), []
    search = window.search
    for _ in range(number):
        line = generator.randrange(search.model.total)
        search.table.go_to(line)
        row = line - search.model.base
        viewport = search.table.viewport()
        # Not painted before the measure: what arrives is painted by `repaint` alone.
        viewport.setUpdatesEnabled(False)
        wait(lambda row=row: search.model.row(row) is not None)
        # While lines are scrolled, a page is painted in two frames; here it is one.
        sleep(0.15)
        viewport.setUpdatesEnabled(True)
        worked = time.thread_time()
        viewport.repaint()
        found.append(1000 * (time.thread_time() - worked))
    return found


def row_of(name: str, values: list[float]) -> str:
    """One line of the table."""
    ordered = sorted(values)
    over = sum(value > 1000 * FRAME for value in values)
    return (
        f"| {name} | {statistics.median(ordered):.1f} | {ordered[len(ordered) * 99 // 100]:.1f} | {ordered[-1]:.1f} "
        f"| {over} of {len(values)} |"
    )


def measure(window: DrivenWindow, number: int) -> list[str]:
    """The table."""
    search = window.search
    search.query.setText("the")
    search.presenter.enter()
    wait(lambda: search.model.total == HITS and search.model.row(0) is not None)
    lines = [
        f"{search.model.total:,} lines, {search.table.page()} per page.",
        "",
        "| frames | median ms | 99th percentile | maximum | over 16.7 ms |",
        "| --- | --- | --- | --- | --- |",
    ]
    ways: tuple[tuple[str, Callable[[DrivenWindow], Iterator[None]]], ...] = (
        ("wheel", wheel),
        ("page", pages),
        ("drag", drag),
    )
    for name, way in ways:
        own, _ = frames(way(window), number)
        lines.append(row_of(name, own))
    lines.append(row_of("painting a page of new lines", new_pages(window, 40)))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        index = make_index(args.work or Path(place))
        settings = Settings(Path(place) / "settings.json")
        make_application(settings)
        window = show_driven(Startup(), settings)
        window.resize(1440, 900)
        window.open(OpenRequest((str(index),)))
        wait(lambda: window.corpus is not None)
        found = "\n".join(measure(window, args.frames))
        print(found)
        if args.out:
            args.out.write_text(f"# Scrolling\n\n{found}\n", encoding="utf-8")
        window.close()


if __name__ == "__main__":
    main()
