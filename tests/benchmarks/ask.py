"""How soon a passage is marked after the token that completes it, while a server writes 20 tokens per second.

usage: python tests/benchmarks/ask.py INDEX ANSWERS.jsonl.gz [--answers N] [--pace SECONDS] [--out FILE.md]

A window asks a server in this process, which writes real answers, a token each. A token is accounted for when a paint
event of the text has ended whose marks are those of a trace of the text with this token: whatever spans it completes
are marked then.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from chat_server import ChatHost
from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer

from explorer.gui.app.app import make_application, show_window
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.trace.ask.state import Seat
from explorer.gui.screens.trace.state import View
from explorer.gui.settings.store import Settings


def pause(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def wait(condition: Callable[[], bool]) -> None:
    while not condition():
        pause(20)


class Painted(QObject):
    """How much of the last answer was traced at the end of each paint event, and how long the event loop was held."""

    def __init__(self, text, side) -> None:
        super().__init__(text)
        self.text, self.side = text, side
        self.seen: list[tuple[float, int]] = []
        self.gaps: list[float] = []
        self.worked: list[float] = []
        text.viewport().installEventFilter(self)
        self._last, self._cpu = time.perf_counter(), time.thread_time()
        self._beat = QTimer(self, interval=2, timerType=Qt.TimerType.PreciseTimer)
        self._beat.timeout.connect(self._note)
        self._beat.start()

    def _note(self) -> None:
        now, cpu = time.perf_counter(), time.thread_time()
        self.gaps.append(1000 * (now - self._last))
        self.worked.append(1000 * (cpu - self._cpu))
        self._last, self._cpu = now, cpu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            state = self.side.talk.state
            answer = state.answers.get(len(state.shown.turns) - 1)
            traced = 0 if answer is None else len(answer.request.text)
            # After this event: a timer of no time is served when it has ended.
            QTimer.singleShot(0, lambda: self.seen.append((time.perf_counter(), traced)))
        return False


def pieces_of(index, text: str, most: int) -> list[str]:
    encoded = index.tokenizer.encode_with_offsets(text)
    ends = [int(end) for end in encoded.ends[:most]]
    return [text[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True)]


def serve(file: Path, pace: float) -> None:
    """In a process of its own, so that it takes no time from the window: write the tokens of a file."""
    with ChatHost(json.loads(file.read_text()), pace=pace) as host:
        print(host.url, flush=True)
        sys.stdin.read()
        print(json.dumps(host.sent), flush=True)


@contextmanager
def server_of(pieces: list[str], pace: float, times: list[float]) -> Iterator[str]:
    """The address of a server; when it ends, the times of its tokens, by the clock that all processes share."""
    file = Path(tempfile.mkdtemp()) / "pieces.json"
    file.write_text(json.dumps(pieces))
    command = [sys.executable, __file__, str(file), "serve", "--pace", str(pace)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        times += json.loads(process.communicate()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--answers", type=int, default=5)
    parser.add_argument("--pace", type=float, default=0.05)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    if str(args.texts) == "serve":
        serve(args.index, args.pace)
        return
    settings = Settings(Path(tempfile.mkdtemp()) / "settings.json")
    make_application(settings)
    window = show_window(Startup(), settings)
    window.resize(1280, 800)
    wait(lambda: window.screens.complete)
    window.open(OpenRequest((str(args.index),)))
    wait(lambda: window.corpus is not None)
    trace = window.show_screen("trace")
    trace.presenter.choose_view(View.ASK)
    # What a window makes ahead, after it is shown, is not what is measured.
    wait(lambda: not window.screens.make_next())
    pause(1000)
    began = time.process_time()
    ask, view, index = trace.presenter.ask, trace.pages.ask, window.corpus.index
    side, text = ask.sides[0], view.talks[0].text
    with gzip.open(args.texts, "rt") as lines:
        rows = [json.loads(line) for _, line in zip(range(40 * args.answers), lines, strict=False)]
    chosen = [row for row in rows if len(row["text"]) > 1_200][: args.answers]
    delays, missed, counts, gaps, worked = [], 0, [], [], []
    for row in chosen:
        pieces = pieces_of(index, row["text"].strip(), 450)
        counts.append(len(pieces))
        times: list[float] = []
        with server_of(pieces, args.pace, times) as url:
            side.sit(Seat(url))
            painted = Painted(text, side)
            view.box.edit.setPlainText(row["instruction"])
            ask.ask()
            wait(lambda: not ask.answering)
            painted._beat.stop()
            wait(lambda: not trace.busy)
        if len(times) == len(pieces):
            ends = list(accumulate(len(piece) for piece in pieces))
            for sent, end in zip(times, ends, strict=True):
                drawn = next((at for at, traced in painted.seen if at > sent and traced >= end), None)
                if drawn is not None:
                    delays.append(1000 * (drawn - sent))
            missed += len(ends) - sum(any(traced >= end for _, traced in painted.seen) for end in ends)
        gaps += painted.gaps
        worked += painted.worked
    per_token = 1000 * (time.process_time() - began) / sum(counts)
    delays.sort()
    share = sum(delay <= 300 for delay in delays) / len(delays)
    lines = [
        f"{window.corpus.token_count:,} tokens; {len(chosen)} answers of {min(counts)} to {max(counts)} tokens in one "
        f"conversation, {1 / args.pace:.0f} tokens per second.",
        "",
        "| what | median ms | 95 % ms | maximum ms | times |",
        "| --- | --- | --- | --- | --- |",
        f"| from a token until the marks of the text with it are painted | {statistics.median(delays):.0f} | "
        f"{delays[int(0.95 * len(delays))]:.0f} | {delays[-1]:.0f} | {len(delays)} |",
        f"| between two beats of the event loop | {statistics.median(gaps):.1f} | "
        f"{sorted(gaps)[int(0.95 * len(gaps))]:.1f} | {max(gaps):.1f} | {len(gaps)} |",
        f"| of these, work of the interface thread | {statistics.median(worked):.1f} | "
        f"{sorted(worked)[int(0.95 * len(worked))]:.1f} | {max(worked):.1f} | {len(worked)} |",
        "",
        f"Within 300 ms: {share:.1%}. Tokens without marks: {missed}. Beats over 50 ms: {sum(gap > 50 for gap in gaps)}, "
        f"with as much work: {sum(each > 50 for each in worked)}. Processor time of all threads, a token: {per_token:.0f} ms "
        f"(load of the machine: {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores).",
    ]
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(lines) + "\n")
    window.departure.pause_and_close()
    pause(500)


if __name__ == "__main__":
    main()
