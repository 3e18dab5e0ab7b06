"""Real work with an installed program: builds, counts, exports and the window, in a folder and a language of trouble.

python packaging/smoke.py PROGRAM [--offline] [--window] [--nobody]

PROGRAM is a bundle's, a package's or an environment's `corpus-explorer`. Each step checks what it made. It runs with an
empty home folder that cannot be written, without any other program on the path, with a German locale, and in folders
with spaces and umlauts; `--offline` leaves it no network (Linux, root), and `--window` opens the window on every
screen, too. Permissions do not bind root: with `--nobody`, root runs the program as nobody (Linux), who must be able to
read it. Needs Python only.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

LINES = ["the cat sat on the mat", "a dog saw the cat", "no bird sat on the mat; the cat ran", "Öl und Brot"] * 30
TEXT = "I saw that the cat sat on the mat and no dog"
SCREENS = ("search", "next_token", "trace", "agreement", "model", "statistics", "curation", "index", "settings")
NOBODY = 65534
PATIENCE = 180


@dataclass(frozen=True)
class Program:
    """A program, and how it is started.

    Attributes
    ----------
    path
        Its file.
    place
        A folder for all that is made.
    offline
        Whether it has no network.
    nobody
        Whether it runs as nobody.
    """

    path: Path
    place: Path
    offline: bool
    nobody: bool

    @property
    def command(self) -> list[str]:
        """Its beginning. Programs before it are looked up here, not on the path that it gets."""
        before = ["unshare", "--net"] if self.offline else []
        if self.nobody:
            before += ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        return [shutil.which(word) or word for word in before] + [str(self.path)]

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of the surroundings but what Windows cannot do without."""
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
        folders = {f"CORPUS_EXPLORER_{name}": str(self.place / name) for name in ("CACHE", "DATA", "CONFIG")}
        home = {"HOME": str(self.place / "home"), "PATH": str(self.place / "no programs")}
        # The encoding apart: Qt warns where the German locale is not installed.
        speech = {"LANG": "de_DE.UTF-8", "LC_CTYPE": "C.UTF-8"}
        return {**kept, **folders, **home, **speech, "QT_QPA_PLATFORM": "offscreen"}

    def run(self, *arguments: str | Path, text: str = "") -> str:
        """Run a command; gives what it printed."""
        command = [*self.command, *map(str, arguments)]
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, encoding="utf-8", env=self.environment,
            cwd=self.place, timeout=300, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
        return done.stdout

    def begin(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """Start a command that goes on."""
        return subprocess.Popen(
            [*self.command, *map(str, arguments)], env=self.environment, cwd=self.place, stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, text=True, encoding="utf-8",
        )  # fmt: skip


def expect(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise SystemExit(f"{what}: {found!r}, and {wanted!r} was expected")


def builds(program: Program) -> None:
    """From text, JSON Lines, and what the program wrote itself as Parquet."""
    (program.place / "Töne.txt").write_text("\n".join(LINES), encoding="utf-8")
    rows = "".join(f'{{"text": "{line}", "number": {number}}}\n' for number, line in enumerate(LINES))
    (program.place / "Töne.jsonl").write_text(rows, encoding="utf-8")
    (program.place / "Töne.jsonl.zst").write_bytes(zstd_frame(rows.encode()))
    for name in ("Töne.txt", "Töne.jsonl", "Töne.jsonl.zst"):
        program.run("build", program.place / name, "--out", program.place / f"index {name}")
    hits = {program.run("count", program.place / f"index Töne.{end}", "the cat") for end in ("jsonl", "jsonl.zst")}
    expect(len(hits), 1, "different answers for a file and its compressed copy")
    table = program.place / "Töne.parquet"
    program.run("kwic", index(program), "the cat", "--out", table)
    expect(table.read_bytes()[:4], b"PAR1", "the first bytes of a Parquet file")
    program.run("build", table, "--text-field", "right", "--out", program.place / "index of a table")
    expect(program.run("count", program.place / "index of a table", "sat").split()[0], "30", "hits in a Parquet file")


def zstd_frame(data: bytes) -> bytes:
    """A zstd file that holds its data as it is (RFC 8878): Python has no such format."""
    size = 1 << 16
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    heads = [((len(block) << 3) | (block is blocks[-1])).to_bytes(3, "little") for block in blocks]
    return struct.pack("<IBI", 0xFD2FB528, 0xA0, len(data)) + b"".join(map(bytes.__add__, heads, blocks))


def cancels(program: Program) -> None:
    """A build that is stopped leaves nothing that looks whole; begun again, it ends."""
    if os.name == "nt":
        return
    source, out = program.place / "lang.txt", program.place / "index of much"
    lines = 1_500_000
    source.write_text("".join(f"line {number} of many words: the cat sat\n" for number in range(lines)))
    # Without training a tokenizer, the folder is there from the beginning: of the build, seconds are left.
    process = program.begin("build", source, "--out", out, "--tokenizer", "bytes")
    wait_for(lambda: [*program.place.glob("*of much*/*")], process, "a build that has begun")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    expect(process.returncode, 130, "the exit code of a build that was stopped")
    expect((out / "index.json").exists(), False, "whether what was stopped looks whole")
    program.run("build", source, "--out", out, "--tokenizer", "bytes")
    expect(program.run("count", out, "the cat sat").split()[0], str(lines), "hits after the second try")


def wait_for(done: Callable[[], object], process: subprocess.Popen[str], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not done() and process.poll() is None:
        expect(time.monotonic() < end, True, what)
        time.sleep(0.05)


def index(program: Program) -> Path:
    return program.place / "index Töne.jsonl"


def counts(program: Program) -> None:
    wanted = str(sum(line.count("the cat") for line in LINES))
    expect(program.run("count", index(program), "the cat").split()[0], wanted, "hits of a text")
    expect(program.run("count", index(program), "Öl").split()[0], "30", "hits with an umlaut")
    found = program.run("count", index(program), "the cat", "--match", "tokens").split()[0]
    expect(0 < int(found) <= int(wanted), True, "hits of tokens")
    expect(program.run("verify", index(program)) != "", True, "a check of the index")


def exports(program: Program) -> None:
    book = program.place / "Zeilen.xlsx"
    program.run("kwic", index(program), "sat", "--out", book)
    with zipfile.ZipFile(book) as file:
        expect(b"the mat" in b"".join(file.read(name) for name in file.namelist()), True, "lines in a workbook")
    page = program.place / "Bericht.html"
    program.run("trace", index(program), "-", "--html", page, text=TEXT)
    expect("the cat sat on the mat" in re.sub("<[^>]*>", "", page.read_text(encoding="utf-8")), True, "a report's text")
    for ending, first in ((".pdf", b"%PDF"), (".png", b"\x89PNG"), (".svg", b"<?xml")):
        plot = program.place / f"Übereinstimmung{ending}"
        program.run("agree", index(program), "-", "--plot", plot, text=TEXT)
        expect(plot.read_bytes()[: len(first)], first, f"the first bytes of a {ending}")


def window(program: Program) -> None:
    """It builds its sample in a process of its own, shows every screen, and reports nothing."""
    settings = program.place / "CONFIG" / "settings.json"
    look(program, ["demo"], lambda: [*(program.place / "DATA").rglob("table.0")] and session(settings).get("screen"))
    for screen in SCREENS:
        kept = json.loads(settings.read_text(encoding="utf-8"))
        kept["values"]["session"]["screen"] = screen
        settings.write_text(json.dumps(kept), encoding="utf-8")
        look(program, [], partial(was_written, settings, settings.stat().st_mtime_ns))
        expect(session(settings)["screen"], screen, "the screen that a window was on")


def was_written(path: Path, before: int) -> bool:
    return path.stat().st_mtime_ns != before


def session(settings: Path) -> dict[str, object]:
    """What the window saves every few seconds: nothing before an index is open."""
    try:
        return dict(json.loads(settings.read_text(encoding="utf-8"))["values"].get("session", {}))
    except FileNotFoundError:
        return {}


def look(program: Program, arguments: list[str], seen: Callable[[], object]) -> None:
    """Open a window until something has happened, and a moment longer."""
    process = program.begin(*arguments)
    try:
        wait_for(seen, process, f"what a window was to do within {PATIENCE} s")
        time.sleep(2)
        expect(process.poll(), None, "the exit code of a window that is open")
    finally:
        process.terminate()
        _, told = process.communicate(timeout=60)
    told = "\n".join(line for line in told.splitlines() if "This plugin does not support" not in line)
    expect(told, "", "what the window wrote to standard error")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("--offline", action="store_true")
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--nobody", action="store_true")
    args = parser.parse_args()
    steps: list[Callable[[Program], None]] = [builds, counts, exports, cancels, *([window] if args.window else [])]
    with tempfile.TemporaryDirectory(prefix="Schöne Grüße ") as place:
        program = Program(args.program.absolute(), Path(place), args.offline, args.nobody)
        home = program.place / "home"
        home.mkdir()
        home.chmod(0o555)
        if args.nobody:
            os.chown(place, NOBODY, NOBODY)
        print(program.run("--version").strip())
        for step in steps:
            begun = time.monotonic()
            step(program)
            print(f"{step.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
        expect([*home.iterdir()], [], "files in the home folder")
    return 0


if __name__ == "__main__":
    sys.exit(main())
