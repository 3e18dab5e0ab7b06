"""How long the interface thread is ever held while every screen is used on an index behind a slow, bad connection.

usage: QT_QPA_PLATFORM=offscreen python tests/benchmarks/remote_window.py INDEX [--delay 0.2] [--rate 0.05]
       [--query TEXT] [--text FILE] [--pictures FOLDER] [--scheme light|dark] [--only NAME] [--out FILE.md]

Serves INDEX on this machine, puts a proxy before it that delays each answer and lets some fail, and uses every screen
in both protocols: our own, and infini-gram's alone. A heartbeat of 2 ms watches the event loop. The same steps on the folder
itself come first: what holds the thread there has nothing to do with the connection.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

TEXT = "We walked to the harbor in the morning. The letter said that the storm came in the morning."
HIDDEN: dict[str, tuple[str, ...]] = {"folder": (), "ours": (), "infini-gram": ("/healthz",)}
"""What is measured, and what the proxy hides: without it, a server is taken for one of infini-gram's."""
LIMIT = 50.0
"""Milliseconds that the interface thread may be held."""


class Beats:
    """How long turns of the event loop take: by the clock, and in processor time of the interface thread.

    On a busy machine, the clock also measures other programs; what takes processor time is the window's own.
    """

    def __init__(self, window: Any) -> None:
        from PySide6.QtCore import QTimer

        self.clocks: list[float] = []
        self.works: list[float] = []
        timer = QTimer(window)
        timer.setInterval(2)
        timer.timeout.connect(self._beat)
        self._last = (time.perf_counter(), time.thread_time())
        timer.start()

    def _beat(self) -> None:
        now = (time.perf_counter(), time.thread_time())
        self.clocks.append(1000 * (now[0] - self._last[0]))
        self.works.append(1000 * (now[1] - self._last[1]))
        self._last = now

    def take(self) -> tuple[float, float]:
        """The longest since the last call, by the clock and in processor time."""
        found = max(self.clocks, default=0.0), max(self.works, default=0.0)
        self.clocks.clear()
        self.works.clear()
        # What happens between two measurements, such as taking a picture, does not count.
        self._last = (time.perf_counter(), time.thread_time())
        return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--query", default="the")
    parser.add_argument("--text", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--scheme", default="light")
    parser.add_argument("--only", choices=list(HIDDEN), help="one of the three")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def measure(args: argparse.Namespace, place: Path, hidden: tuple[str, ...], name: str) -> list[str]:
    """Use every screen once; a row per step. `name` "folder" is the index without a server."""
    from driven import show_driven
    from remote_use import is_busy, steps
    from served import running
    from slow_proxy import SlowProxy
    from window import sleep, wait

    from explorer import open_index
    from explorer.gui.app.app import leave_to_itself, make_application
    from explorer.gui.app.garbage import search_here
    from explorer.gui.app.startup import Startup
    from explorer.gui.presenting.requests import OpenRequest
    from explorer.gui.settings.store import Settings

    settings = Settings(place / name / "settings.json")
    settings.set("scheme", args.scheme)
    application = make_application(settings)
    window = show_driven(Startup(), settings)
    # As the program does: Python's own search for garbage would visit every widget, 110 ms at a time.
    search_here(application)
    leave_to_itself(window)
    # Pages are made ahead, a part per turn, while nobody asks anything.
    wait(lambda: window.screens.complete and not window.preload.isActive())
    sleep(0.5)
    text = args.text.read_text(encoding="utf-8") if args.text else TEXT
    bugs: list[str] = []
    window.bugs.report = bugs.append
    rows = []
    with (
        running([("index", open_index(args.index))]) as server,
        SlowProxy(server.address, args.delay, args.rate, 1, hidden) as proxy,
    ):
        beats = Beats(window)
        tokenizer = args.index / "tokenizer.json"
        source = str(args.index) if name == "folder" else f"{proxy.url}#index"
        window.open(OpenRequest((source,), tokenizer=str(tokenizer) if tokenizer.exists() else None))
        rows.append(("open", wait(lambda: window.corpus is not None), beats.take(), proxy.asked))
        for step, act in steps(window, args.query, text):
            beats.take()
            before = proxy.asked
            act()
            sleep(0.05)
            took = wait(lambda: not is_busy(window), 600)
            rows.append((step, took, beats.take(), proxy.asked - before))
            if args.pictures:
                # What takes a picture holds the thread: its time is not counted.
                args.pictures.mkdir(parents=True, exist_ok=True)
                file = f"{name}-{step.replace(', ', '-').replace(' ', '-')}-{args.scheme}.png"
                window.grab().save(str(args.pictures / file))
        asked, failed = proxy.asked, proxy.failed
        window.close()
    clock, work = (max(found[number] for _, _, found, _ in rows) for number in (0, 1))
    lines = [
        f"## {name}: {args.delay * 1000:.0f} ms of delay, {args.rate:.0%} failures ({failed} of {asked} requests)",
        "",
        f"Longest turn {clock:.1f} ms, most work in a turn {work:.1f} ms (limit {LIMIT:.0f} ms); "
        f"unexpected errors: {len(bugs)}.",
        "",
        "| step | ms | requests | longest turn, ms | most work in a turn, ms |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [f"| {step} | {took:.0f} | {asked} | {a:.1f} | {b:.1f} |" for step, took, (a, b), asked in rows]
    return [*lines, "", *bugs]


def main() -> None:
    args = arguments()
    with tempfile.TemporaryDirectory() as place:
        for name in ("CACHE", "DATA", "CONFIG"):
            os.environ[f"CORPUS_EXPLORER_{name}"] = str(Path(place) / name)
        names = [args.only] if args.only else [*HIDDEN]
        lines = [line for name in names for line in measure(args, Path(place), HIDDEN[name], name)]
        print("\n".join(lines))
        if args.out:
            args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    # Threads of connections that wait are not waited for.
    os._exit(0)


if __name__ == "__main__":
    main()
