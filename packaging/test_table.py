"""Run `make test` in fresh clones with an empty HOME, and write what it took and found.

    python packaging/test_table.py run [--before REVISION] [--shared FOLDER] [--all] [--coverage] PYTHON…
    python packaging/test_table.py write [--coverage FILE]

`run` keeps one file per run in build/tests. `write` makes docs/benchmarks/tests.md of them, and the table in
CONTRIBUTING.md. --before runs an earlier revision, for comparison, and --all runs `make test-all`. --coverage keeps a
report of lines and branches, too; FILE is what packaging/lost_coverage.py printed of two of them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNS = ROOT / "build" / "tests"
PAGE = ROOT / "docs" / "benchmarks" / "tests.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- made by packaging/test_table.py -->", "<!-- end of what it made -->"
OUTCOMES = ("passed", "skipped", "failed")
_CLOSING = re.compile(r"^=+ (.*\d+ \w+.*) in [\d.]+s.* =+$", re.MULTILINE)
_COUNT = re.compile(r"(\d+) (passed|skipped|failed|errors?)\b")


@dataclass(frozen=True)
class Run:
    """One run in a fresh clone; times in seconds."""

    target: str
    """`test`, or `test-all`."""
    python: str
    shared: bool
    before: bool
    revision: str
    counts: list[dict[str, int]]
    """What each call of pytest counted: over lists first, then all tests."""
    install: float
    wall: float
    processor: float
    rooms: dict[str, tuple[int, float]]
    """Cases and seconds of each folder in tests, in the last call."""


def counted(log: str) -> list[dict[str, int]]:
    """The outcomes in the closing line of each call of pytest; an error is a failure."""
    found = []
    for line in _CLOSING.findall(log):
        counts = dict.fromkeys(OUTCOMES, 0)
        for number, outcome in _COUNT.findall(line):
            counts[outcome if outcome in counts else "failed"] += int(number)
        found.append(counts)
    return found


def by_room(report: Path) -> dict[str, tuple[int, float]]:
    """Cases and seconds of each folder in tests, from a report in JUnit's XML."""
    cases: dict[str, list[float]] = defaultdict(list)
    for case in ElementTree.parse(report).iter("testcase"):
        parts = case.get("classname", "").split(".")
        # A file of `tests` itself is in no room.
        cases[parts[1] if len(parts) > 2 else ""].append(float(case.get("time", 0)))
    return {room: (len(seconds), round(sum(seconds), 1)) for room, seconds in sorted(cases.items())}


def run(python: str, given: argparse.Namespace) -> Run:
    """Clone the repository, install and test, as someone would who has nothing but Python and a compiler."""
    with tempfile.TemporaryDirectory(prefix="corpus-explorer-tests-") as folder:
        place = Path(folder)
        clone, report, covered = place / "clone", place / "report.xml", place / "coverage.json"
        _git("clone", "--quiet", ROOT, clone)
        _git("-C", clone, "checkout", "--quiet", given.before or "HEAD")
        outside = _environment(place, given.shared)
        target = "test-all" if given.all else "test"
        make = ["make", "-C", str(clone), target, f"PYTHON={python}"]
        # Installs what the tests need, and runs none.
        install, _, _ = _timed([*make, "TESTS=--version"], outside)
        outside["PYTEST_ADDOPTS"] = " ".join([f"--junitxml={report}", *(_measuring(covered) if given.coverage else [])])
        wall, processor, log = _timed([*make, *([f"TESTS={given.tests}"] if given.tests else [])], outside)
        counts = counted(log)
        if not report.exists() or not counts:
            sys.exit(f"make {target} ran no test:\n{log[-2000:]}")
        version = subprocess.check_output(
            [python, "-c", "import platform; print(platform.python_version())"], text=True
        )
        commit, before = _git("-C", clone, "rev-parse", "--short", "HEAD"), given.before is not None
        done = Run(
            target, version.strip(), given.shared is not None, before, commit, counts, install, wall, processor,
            by_room(report),
        )  # fmt: skip
        keep(done, covered)
        return done


def _environment(place: Path, shared: Path | None) -> dict[str, str]:
    """An empty home, and the large files beside the clone where they are given."""
    home = place / "home"
    home.mkdir()
    if shared:
        (place / "shared").symlink_to(shared.resolve())
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "CI": "true"}


def _measuring(report: Path) -> list[str]:
    """Options of pytest that measure all of the package, in all calls of pytest together."""
    settings = report.with_name("coverage.ini")
    settings.write_text("[run]\nbranch = true\nsource_pkgs = explorer\n", encoding="utf-8")
    return ["--cov", f"--cov-config={settings}", "--cov-append", f"--cov-report=json:{report}"]


def keep(done: Run, covered: Path) -> None:
    """Store a run in build/tests, with its report of coverage where there is one."""
    RUNS.mkdir(parents=True, exist_ok=True)
    when = "before" if done.before else "now"
    name = f"{when}-{done.target}-{done.python}{'-shared' if done.shared else ''}"
    (RUNS / f"{name}.json").write_text(json.dumps(asdict(done), indent=1) + "\n", encoding="utf-8")
    if covered.exists():
        shutil.copyfile(covered, RUNS / f"{name}.coverage")


def _git(*arguments: str | Path) -> str:
    return subprocess.check_output(["git", *arguments], text=True).strip()


def _timed(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float, str]:
    """Seconds on the clock and of processors, and what was printed, which is also shown."""
    start, used = time.monotonic(), _processor_seconds()
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        sys.stdout.write(line)
        lines.append(line)
    process.wait()
    return time.monotonic() - start, _processor_seconds() - used, "".join(lines)


def _processor_seconds() -> float:
    used = os.times()
    return used.children_user + used.children_system


def table(runs: Sequence[Run]) -> list[str]:
    """One row per run."""
    lines = ["| Python | `../shared` | passed | skipped | failed | install | tests | processor |", "|" + " --- |" * 8]
    for each in sorted(runs, key=lambda each: (each.before, each.target, each.shared, _numbers(each.python))):
        cells = [_title(each), "yes" if each.shared else "no"]
        cells += [" + ".join(f"{counts[outcome]:,}" for counts in each.counts) for outcome in OUTCOMES]
        cells += [f"{seconds / 60:.1f} min" for seconds in (each.install, each.wall, each.processor)]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _title(each: Run) -> str:
    notes = [f"make {each.target}"] * (each.target != "test") + [f"{each.revision}, before"] * each.before
    return f"{each.python} ({', '.join(notes)})" if notes else each.python


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def room_table(runs: Sequence[Run]) -> list[str]:
    """Seconds by room: of the first run of `make test` of each revision, the earlier revision first."""
    tested = sorted((each for each in runs if each.target == "test"), key=lambda each: not each.before)
    firsts = list({each.before: each for each in reversed(tested)}.values())[::-1]
    titles = [f"{what} {'before' if each.before else 'now'}" for each in firsts for what in ("cases", "seconds")]
    lines = [f"| folder of `tests` | {' | '.join(titles)} |", "|" + " --- |" * (1 + len(titles))]
    for room in sorted({room for each in firsts for room in each.rooms}):
        cells = [cell for each in firsts for cell in _cells(*each.rooms.get(room, (0, 0.0)))]
        lines.append(f"| {room or '(files)'} | {' | '.join(cells)} |")
    sums = [[sum(column) for column in zip(*each.rooms.values(), strict=True)] for each in firsts]
    return [*lines, f"| **all** | {' | '.join(cell for cases, seconds in sums for cell in _cells(cases, seconds))} |"]


def _cells(cases: float, seconds: float) -> tuple[str, str]:
    return f"{cases:,}", f"{seconds:,.0f}"


def page(runs: Sequence[Run], coverage: str) -> str:
    """The page of docs."""
    parts = [TITLE, "\n".join(table(runs)), ROOMS, "\n".join(room_table(runs))]
    return "\n\n".join([*parts, *([COVERAGE, coverage.strip()] if coverage else [])]) + "\n"


TITLE = """\
# Tests

Made by `python packaging/test_table.py`: `make test` in a fresh clone, with an empty home folder and only the folders
of the system on the path. If a cell has two numbers, the first counts the tests over documents in Python lists.
*Install* is the time until the first test. *Processor* is the time of all processes of the tests. `../shared` are
large files that only some developers have."""
ROOMS = "## Folders\n\nSeconds of all cases, with what each sets up and removes, in the first run of each revision."
COVERAGE = "## Coverage"


def between(text: str, lines: Sequence[str]) -> str:
    """A text with these lines between the two marks."""
    if (text.count(BEGIN), text.count(END)) != (1, 1):
        sys.exit(f"CONTRIBUTING.md needs {BEGIN} and {END} once.")
    head, tail = text.partition(BEGIN)[0], text.partition(END)[2]
    return "\n".join([head + BEGIN, "", *lines, "", END + tail])


def stored() -> list[Run]:
    """What was run, in the order of its names."""
    return [Run(**json.loads(path.read_text(encoding="utf-8"))) for path in sorted(RUNS.glob("*.json"))]


def main() -> None:
    """Run the tests, or write what they gave."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run")
    runner.add_argument("pythons", nargs="+", metavar="PYTHON")
    runner.add_argument("--before", metavar="REVISION")
    runner.add_argument("--shared", type=Path, metavar="FOLDER")
    runner.add_argument("--tests", metavar="TESTS", help="only these, to try the script")
    runner.add_argument("--all", action="store_true")
    runner.add_argument("--coverage", action="store_true")
    commands.add_parser("write").add_argument("--coverage", type=Path, metavar="FILE")
    given = parser.parse_args()
    if given.command == "write":
        runs = stored()
        coverage = given.coverage.read_text(encoding="utf-8") if given.coverage else ""
        PAGE.write_text(page(runs, coverage), encoding="utf-8")
        text = CONTRIBUTING.read_text(encoding="utf-8")
        CONTRIBUTING.write_text(between(text, table([each for each in runs if not each.before])), encoding="utf-8")
        return
    for python in given.pythons:
        print(*table([run(python, given)]), sep="\n")


if __name__ == "__main__":
    main()
