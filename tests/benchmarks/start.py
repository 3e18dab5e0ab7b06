"""How long it takes until the window can be used, what the imports take of it, and how much memory it needs.

usage: python tests/benchmarks/start.py [INDEX] [--times 9] [--than PYTHON] [--out FILE.md]

Each start is a process of its own, from its beginning, by way of the command line, to the first turn of the event loop
after the window was painted, with INDEX in the list of recent indexes and (second row) restored from the last session.
Then all screens are made and the memory is read. The processes have a home folder of their own, and compiled modules, as installed programs do.
PYTHON is an interpreter with another version of the program; the two start in turns.
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
from collections.abc import Sequence
from pathlib import Path

CHILD = """
import time, sys, os, json
from pathlib import Path
from explorer.cli.session import answer
from explorer.cli.commands import read_command_line
read_command_line([])
try:
    from explorer.gui.app.launch import prepare_imports
except ImportError:
    pass
else:
    prepare_imports()
from explorer.gui.app import app
from explorer.gui.settings.store import Settings
imported = time.time()
from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
settings = Settings(Path(sys.argv[1]))
app.start_log(settings.path.parent)
application = app.make_application(settings)
found = {"imports": imported}
def turn():
    found["usable"], found["busy"] = time.time(), time.process_time()
class Seen(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and "painted" not in found:
            found["painted"] = time.time()
            QTimer.singleShot(0, turn)
        return False
seen = Seen()
application.installEventFilter(seen)
window = getattr(app, "begin_window", app.show_window)(app.Startup(restore=True), settings)
def pump(ready):
    while not ready():
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
pump(lambda: "usable" in found)
application.removeEventFilter(seen)
if sys.argv[2] == "1":
    pump(lambda: window.corpus is not None)
    found["open"] = time.time()
pump(lambda: len(window.screens.made()) == len(window.screens))
kept = dict(line.split()[:2] for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:])
found["resident"] = int(kept["Rss:"]) / 1024
found["own"] = (int(kept["Private_Clean:"]) + int(kept["Private_Dirty:"])) / 1024
found["all"] = time.process_time()
print(json.dumps(found), flush=True)
os._exit(0)
"""
"""What `corpus-explorer` does until its event loop begins, step by step; also in versions that lack some of the steps."""
IMPORTS = """
from explorer.gui.app.launch import prepare_imports
prepare_imports()
import explorer.gui.app.app
"""
COLUMNS = {
    "imports": "imports done",
    "painted": "window painted",
    "usable": "window usable",
    "open": "index open",
    "busy": "processor time until usable",
    "all": "processor time until all screens are made",
    "resident": "memory resident, MiB",
    "own": "memory of its own, MiB",
}
"""Keys of a child's answer, and what they are called. Those with a moment come first."""
MOMENTS = ("imports", "painted", "usable", "open")


def environment(place: Path, python: str) -> dict[str, str]:
    """The variables of a start: a home of its own, and modules that are compiled once."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    compiled = place / f"compiled-{abs(hash(python))}"
    return {
        **kept,
        **dict.fromkeys(names, str(place)),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPYCACHEPREFIX": str(compiled),
    }


def start(python: str, place: Path, settings: Path, restore: bool) -> dict[str, float]:
    """Milliseconds of one start, from the process's beginning, and the memory in MiB."""
    began = time.time()
    done = subprocess.run(
        [python, "-P", "-c", CHILD, str(settings), str(int(restore))],
        capture_output=True,
        text=True,
        check=True,
        env=environment(place, python),
        timeout=60,
    )
    found: dict[str, float] = json.loads(done.stdout)
    moments = {key: 1000 * (found[key] - began) for key in MOMENTS if key in found}
    return {**found, **moments, "busy": 1000 * found["busy"], "all": 1000 * found["all"]}


def rows_of(pythons: Sequence[str], index: Path | None, restore: bool, times: int) -> list[list[dict[str, float]]]:
    """Measure starts of every interpreter, in turns; one list for each."""
    with tempfile.TemporaryDirectory() as place:
        settings = Path(place) / "settings.json"
        paths = [str(index.resolve())] if index else []
        session = {"paths": paths, "minus": [], "tokenizer": None} if restore else {}
        values = {"recent_indexes": paths, "session": session}
        runs: list[list[dict[str, float]]] = [[] for _ in pythons]
        # The first start of each compiles the modules and samples the keys of the index.
        for number in range(times + 1):
            for each, python in zip(runs, pythons, strict=True):
                settings.write_text(json.dumps({"version": 2, "values": values}))
                run = start(python, Path(place), settings, restore)
                each += [run] if number else []
    return runs


def import_times() -> list[tuple[int, str]]:
    """The modules that take longest to import, in microseconds of their own."""
    command = [sys.executable, "-P", "-X", "importtime", "-c", IMPORTS]
    with tempfile.TemporaryDirectory() as place:
        # The first compiles the modules.
        for _ in range(2):
            env = environment(Path(place), sys.executable)
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    rows = [line.removeprefix("import time:").split("|") for line in done.stderr.splitlines() if "|" in line][1:]
    totals: dict[str, int] = {}
    for own, _, name in rows:
        totals[name.strip().split(".")[0]] = totals.get(name.strip().split(".")[0], 0) + int(own)
    return sorted(((took, name) for name, took in totals.items()), reverse=True)[:8]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path, nargs="?")
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--than", help="an interpreter with another version of the program")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    lines = [
        "# Start",
        "",
        "Milliseconds from the start of the process, and MiB: median, and in parentheses the least and the most of "
        f"{args.times} starts, made by `tests/benchmarks/start.py`. *Usable* is the first turn of the event loop after "
        "the window was painted.",
        "",
        f"| | {' | '.join(COLUMNS.values())} |",
        f"| --- |{' ---: |' * len(COLUMNS)}",
    ]
    pythons = [*([args.than] if args.than else []), sys.executable]
    for name, restore in (("large index in the recent list", False), ("the same restored", True)):
        if args.index is None and restore:
            continue
        for python, runs in zip(pythons, rows_of(pythons, args.index, restore, args.times), strict=True):
            shown = []
            for key in COLUMNS:
                column = [run[key] for run in runs if key in run]
                shown.append(f"{statistics.median(column):.0f} ({min(column):.0f}–{max(column):.0f})" if column else "")
            version = ", before" if python is args.than else ""
            lines.append(f"| {name}{version} | {' | '.join(shown)} |")
    lines += ["", "Imports, by package, milliseconds of their own: "]
    lines[-1] += ", ".join(f"{name} {took / 1000:.0f}" for took, name in import_times()) + "."
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
