"""How long the interface thread is held while the sliders of the Curation screen move.

usage: QT_QPA_PLATFORM=offscreen python tests/benchmarks/curation_window.py [--repeats N] [--items N] [--work FOLDER]

Made-up texts in which N passages occur twice, and a benchmark whose items share parts of them. A pointer drags the length of
duplicates, then both thresholds of contamination, on a real window; a heartbeat of 2 ms watches the event loop all the while.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from window import Heartbeat, sleep, wait

from explorer import build_index
from explorer.gui.app.app import make_application
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.settings.store import Settings

STEPS = 200
_WORDS = 16
"""Words of a passage."""


def passages(count: int) -> list[str]:
    """Passages of made-up words, no two of which share much."""
    generator = random.Random(7)
    letters = "aeioubdfgklmnprst"
    words = ["".join(generator.choices(letters, k=generator.randint(3, 7))) for _ in range(20_000)]
    return [" ".join(generator.choices(words, k=_WORDS)) for _ in range(count)]


def made_texts(found: list[str]) -> Iterator[str]:
    """Each passage twice, ten per document, in another order the second time."""
    generator = random.Random(8)
    for order in (found, generator.sample(found, len(found))):
        for first in range(0, len(order), 10):
            yield "\n".join(order[first : first + 10])


def made_items(found: list[str], count: int) -> Iterator[dict[str, str]]:
    """Items of which any share is a passage's beginning; the rest are words that the texts do not have."""
    generator = random.Random(9)
    for number in range(count):
        shared = generator.randint(0, _WORDS)
        words = found[number % len(found)].split()[:shared]
        words += [f"zz{generator.randrange(10**6)}" for _ in range(_WORDS - shared)]
        yield {"id": str(number), "question": " ".join(words), "answer": "42"}


def drag(widget: QWidget, low: float, high: float, y: float) -> list[float]:
    """Drag from one place to another and back; milliseconds that this thread works for each step, painting included.

    Processor time: what else runs on the machine is not counted in it, as it is in the times between heartbeats.
    """
    times = []

    def send(kind: QEvent.Type, x: float, pressed: bool) -> None:
        where = QPointF(x, y)
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        button = none if kind == QEvent.Type.MouseMove else left
        there = QPointF(widget.mapToGlobal(QPoint(round(x), round(y))))
        event = QMouseEvent(kind, where, there, button, left if pressed else none, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(widget, event)

    send(QEvent.Type.MouseButtonPress, low, True)
    for step in range(STEPS):
        share = abs(1 - 2 * step / STEPS)
        started = time.thread_time()
        send(QEvent.Type.MouseMove, high + (low - high) * share, True)
        QApplication.processEvents()
        times.append(1000 * (time.thread_time() - started))
        sleep(0.012)
    send(QEvent.Type.MouseButtonRelease, low, False)
    sleep(0.5)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=100_000)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--work", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = args.work or Path(temporary)
        os.environ["CORPUS_EXPLORER_CACHE"] = str(place / "cache")
        found = passages(args.repeats)
        if not (place / "index").exists():
            place.mkdir(parents=True, exist_ok=True)
            texts = (json.dumps({"text": text}) for text in made_texts(found))
            (place / "texts.jsonl").write_text("\n".join(texts), encoding="utf-8")
            build_index(place / "texts.jsonl", place / "index", tokenizer="bytes", name="Made-up texts")
        items = map(json.dumps, made_items(found, args.items))
        (place / "items.jsonl").write_text("\n".join(items), encoding="utf-8")
        measure(place)


def measure(place: Path) -> None:
    from driven import show_driven

    from explorer.gui.screens.curation.contamination.page import ContaminationPage
    from explorer.gui.screens.curation.duplicates.page import DuplicatesPage

    settings = Settings(place / "settings.json")
    make_application(settings)
    window = show_driven(Startup(), settings)
    window.resize(1440, 900)
    window.open(OpenRequest((str(place / "index"),)))
    wait(lambda: window.corpus is not None)
    screen = window.screens["curation"]
    window.show_screen("curation")
    copies = screen.turn_to("duplicates")
    assert isinstance(copies, DuplicatesPage)
    wait(lambda: copies.presenter.state.curve.current is not None and not screen.busy, 600)
    heart = Heartbeat()
    heart.start(window)
    print(window.index_label.text())
    lines = []

    def note(name: str, times: list[float]) -> None:
        lines.append(f"| {name} | {statistics.median(times):.1f} | {max(times):.1f} | {max(heart.gaps):.1f} |")
        heart.gaps.clear()

    # What is made ahead for the first seconds is a row of its own: a person who drags has opened the index long before.
    sleep(0.5)
    wait(lambda: not window.preload.isActive() and not screen.busy, 600)
    lines.append(f"| (screens made ahead) | | | {max(heart.gaps):.1f} |")
    heart.gaps.clear()
    note("length of duplicates", drag(copies.plot, 80, copies.plot.width() - 60, 60))
    wait(lambda: not screen.busy, 600)
    print(copies.presenter.list.state.told)
    bench = screen.turn_to("contamination")
    assert isinstance(bench, ContaminationPage)
    bench.presenter.add_files([place / "items.jsonl"])
    wait(lambda: bench.presenter.state.missing or bench.presenter.state.found is not None, 600)
    if bench.presenter.state.missing:
        bench.presenter.run(make=True)
    wait(lambda: bench.presenter.state.found is not None and not screen.busy, 600)
    print(bench.headline.text)
    heart.gaps.clear()
    for name in ("flagged", "suspicious"):
        bars = getattr(bench.bars, name)
        note(f"threshold of {name} items", drag(bars, 20, bars.width() - 20, 30))
    bench.presenter.choose(0)
    wait(lambda: not screen.busy)
    heart.gaps.clear()
    note("the same, with an item beside", drag(bench.bars.flagged, 20, bench.bars.flagged.width() - 20, 30))
    print("| what moves | ms of work per step, median | at most | ms between heartbeats at most |")
    print("\n".join(lines))
    window.close()


if __name__ == "__main__":
    main()
