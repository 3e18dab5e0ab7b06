"""How long it takes until the window is there, and what the imports take of it.

usage: python tests/benchmarks/start.py [INDEX] [--times 9] [--out FILE.md]

Each start is a process of its own, from its beginning to the first painting of the window, with INDEX in the list
of recent indexes and (second row) restored from the last session.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHILD = """
import time, sys, os
from pathlib import Path
from explorer.gui.app import Startup, make_application, show_window
from explorer.gui.settings import Settings
imported = time.time()
from PySide6.QtCore import QEvent, QObject
settings = Settings(Path(sys.argv[1]))
application = make_application(settings)
class Seen(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and not self.done:
            self.done = True
            print(imported, time.time(), flush=True)
            if sys.argv[2] == "0":
                os._exit(0)
        return False
    done = False
seen = Seen()
application.installEventFilter(seen)
window = show_window(Startup(restore=True), settings)
while not seen.done or window.corpus is None:
    application.processEvents()
print(time.time(), flush=True)
os._exit(0)
"""


def start(settings: Path, restore: bool) -> list[float]:
    """Milliseconds from the process's start to: imports done, window painted (, index open)."""
    began = time.time()
    done = subprocess.run(
        [sys.executable, "-P", "-c", CHILD, str(settings), str(int(restore))],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    return [1000 * (float(value) - began) for value in done.stdout.split()]


def import_times() -> list[tuple[int, str]]:
    """The modules that take longest to import, in microseconds of their own."""
    done = subprocess.run(
        [sys.executable, "-P", "-X", "importtime", "-c", "import explorer.gui.app"],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.removeprefix("import time:").split("|") for line in done.stderr.splitlines() if "|" in line][1:]
    totals: dict[str, int] = {}
    for own, _, name in rows:
        totals[name.strip().split(".")[0]] = totals.get(name.strip().split(".")[0], 0) + int(own)
    return sorted(((took, name) for name, took in totals.items()), reverse=True)[:8]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path, nargs="?")
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    lines = [
        "# Start",
        "",
        "Milliseconds from the start of the process, median and most, made by `tests/benchmarks/start.py`.",
        "",
    ]
    lines += ["| | imports done | window painted | index open |", "| --- | ---: | ---: | ---: |"]
    with tempfile.TemporaryDirectory() as place:
        settings = Path(place) / "settings.json"
        for name, restore in (("large index in the recent list", False), ("the same restored", True)):
            if args.index is None and restore:
                continue
            paths = [str(args.index.resolve())] if args.index else []
            session = {"paths": paths, "minus": [], "tokenizer": None} if restore else {}
            values = {"recent_indexes": paths, "session": session}
            settings.write_text(json.dumps({"version": 2, "values": values}))
            runs = [start(settings, restore) for _ in range(args.times)]
            columns = [[run[i] for run in runs if len(run) > i] for i in range(3)]
            shown = [f"{statistics.median(column):.0f} ({max(column):.0f})" if column else "" for column in columns]
            lines.append(f"| {name} | {' | '.join(shown)} |")
    lines += ["", "Imports, by package, milliseconds of their own: "]
    lines[-1] += ", ".join(f"{name} {took / 1000:.0f}" for took, name in import_times()) + "."
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
