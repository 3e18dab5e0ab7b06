"""How many threads the window's background work takes, and how long a page of lines waits while lines are sorted.

usage: QT_QPA_PLATFORM=offscreen python tests/benchmarks/workers.py INDEX QUERY

QUERY should have at least 500,000 occurrences. Each of four screens is used once. Then the hits are sorted by the word
on their left, three times; all the while pages at random places are fetched, and each wait is compared with the
median of fetches without a sort.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import threading
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from window import sleep, wait

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driven import DrivenWindow, show_driven

from explorer.core.jobs import Kind
from explorer.gui.app.app import make_application
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.settings.store import Settings


def use_screens(window: DrivenWindow, query: str) -> None:
    """Search, next tokens, trace and agreement, once each."""
    window.search.search_for(query)
    wait(lambda: window.search.model.total > 0)
    window.show_screen("next_token")
    window.next_token.prompt.setPlainText(query)
    wait(lambda: window.next_token.model.rowCount() > 0)
    window.show_screen("trace")
    window.trace.presenter.trace_text(query * 3)
    wait(lambda: window.trace.presenter.state.trace is not None)
    window.show_screen("agreement")
    window.agreement.analyze_text(query * 3)
    wait(lambda: window.agreement.presenter.state.answer.value is not None)
    window.show_screen("search")
    sleep(1)


def fetch(window: DrivenWindow, chance: random.Random) -> float:
    """Milliseconds until a page at a random place has come."""
    search, found = window.search, []
    fetcher = search.lanes.slot("fetch", kind=Kind.QUICK)
    lines = search.presenter.state.lines.answer.value.lines
    first = chance.randrange(len(lines) - 40)
    fetcher.run(lambda cancel: lines.lines(first, first + 40), found.append)
    return wait(lambda: bool(found))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("query")
    args = parser.parse_args()
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(Path(place) / "settings.json")
        make_application(settings)
        window = show_driven(Startup(), settings)
        window.open(OpenRequest((str(args.index),)))
        wait(lambda: window.corpus is not None)
        use_screens(window, args.query)
        names = sorted(thread.name for thread in threading.enumerate() if thread is not threading.main_thread())
        print(f"threads after four screens: {len(names)} ({', '.join(names)})")
        wait(lambda: not window.search.busy)
        quiet = statistics.median(fetch(window, chance) for _ in range(40))
        waits = []
        for key in ("1L", "1R", "2L"):
            window.search.presenter.lines.sort_level(0, key, False)
            window.search.presenter.lines.sort_by("")
            while window.search.presenter.state.lines.answer.awaited:
                waits.append(fetch(window, chance))
            wait(lambda: not window.search.busy)
        waits.sort()
        print(f"lines: {window.search.model.total:,}; fetches while sorting: {len(waits)}")
        for share in (0.5, 0.9, 1.0):
            longest = waits[max(0, int(share * len(waits)) - 1)]
            print(f"wait at {share:.0%} of them: {longest / quiet:.1f} times a quiet fetch ({quiet:.1f} ms)")
        window.departure.pause_and_close()
        wait(lambda: not window.isVisible())


if __name__ == "__main__":
    main()
