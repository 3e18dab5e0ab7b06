"""Install for Windows, use, update and remove the program, and check what is there and what is left.

python packaging/windows/try_installer.py [INSTALLER] [--smoke]

On Windows, INSTALLER is tried as it is. On other systems it runs in wine, in a new prefix; without INSTALLER, two are
made of a stand-in for the program, the older of which has files that the newer does not. `--smoke` lets the installed
program do the real work of packaging/smoke.py. It stops at the first thing that is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import make_installer

HERE = Path(__file__).resolve().parent
NAME = "corpus-explorer"
TITLE = "Corpus Explorer"
ENTRY = rf"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\{TITLE}"
CLASSES = r"HKCU\Software\Classes"
FOLDERS = rf"{CLASSES}\Directory\shell\CorpusExplorer"
PATH_KEY = r"HKCU\Environment"
OTHERS_FOLDER, RUNS, NO_SPACE = 3, 4, 5
"""Exit codes of the installer."""
PATIENCE = 120
WINE = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=", "DISPLAY": ""}


def expect(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise SystemExit(f"{what}: {found!r}, and {wanted!r} was expected")


class Windows:
    """Windows itself, or wine.

    Parameters
    ----------
    prefix
        The folder of wine's drives; None on Windows.
    """

    def __init__(self, prefix: Path | None) -> None:
        self._before = ["wine"] if prefix else []
        self._drive = prefix / "drive_c" if prefix else None
        self._environment = {**os.environ, **WINE, "WINEPREFIX": str(prefix)} if prefix else dict(os.environ)
        if prefix:
            self.run("wineboot", "-i")
            # What the installer asks for; wine is an older one unless it is told.
            self.run("winecfg", "-v", "win10")

    def end(self) -> None:
        """Stop wine, which writes to its folder until then."""
        if self._before:
            server = shutil.which("wineserver") or "/usr/lib/wine/wineserver"
            subprocess.run([server, "-k"], env=self._environment, check=False)
            subprocess.run([server, "-w"], env=self._environment, check=False)

    def run(self, program: str | Path, *arguments: str) -> int:
        """Run a program; gives its exit code."""
        command = [*self._before, str(program), *arguments]
        return subprocess.run(
            command, env=self._environment, timeout=PATIENCE, check=False, capture_output=True
        ).returncode

    @contextmanager
    def running(self, program: Path) -> Iterator[None]:
        """Let a program run."""
        quiet = {**self._environment, "QT_QPA_PLATFORM": "offscreen"}
        command = [*self._before, str(program), "--alone"]
        process = subprocess.Popen(command, env=quiet, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        try:
            time.sleep(5)
            expect(process.poll(), None, "the exit code of a program that runs")
            yield
        finally:
            process.kill()
            process.wait()

    def value(self, key: str, name: str = "") -> str | None:
        """A value of the registry; None if there is none."""
        command = [*self._before, "reg", "query", key, *(["/v", name] if name else ["/ve"])]
        done = subprocess.run(command, env=self._environment, capture_output=True, timeout=PATIENCE, check=False)
        rows = [line.split("    ", 3) for line in done.stdout.decode(errors="replace").splitlines() if "REG_" in line]
        return rows[0][3].strip() if done.returncode == 0 and rows else None

    def place(self, path: str) -> Path:
        """Where a path of Windows is."""
        return self._drive / path.partition("\\")[2].replace("\\", "/") if self._drive else Path(path)

    def known(self, variable: str) -> str:
        """The value of a variable of Windows."""
        command = [*self._before, "cmd", "/c", f"echo %{variable}%"]
        done = subprocess.run(command, env=self._environment, capture_output=True, check=True)
        return done.stdout.decode().strip()


@dataclass(frozen=True)
class Installers:
    """The installers that are tried.

    Attributes
    ----------
    older, newer
        Two versions, or twice the same file.
    huge
        One that no disk has space for; None without a stand-in.
    """

    older: Path
    newer: Path
    huge: Path | None = None


class Trial:
    """Installers and the folders that they are tried in.

    Parameters
    ----------
    windows
        Where they run.
    installers
        What is tried.
    """

    def __init__(self, windows: Windows, installers: Installers) -> None:
        self.windows, self.installers = windows, installers
        if installers.huge:
            path = r"%USERPROFILE%\bin;C:\tools"
            windows.run("reg", "add", PATH_KEY, "/v", "Path", "/t", "REG_EXPAND_SZ", "/d", path, "/f")
        self.path_before = windows.value(PATH_KEY, "Path")
        local = windows.known("LOCALAPPDATA")
        self.usual = rf"{local}\Programs\{TITLE}"
        self.settings = windows.place(rf"{local}\{NAME}")
        self.menu = windows.place(rf"{windows.known('APPDATA')}\Microsoft\Windows\Start Menu\Programs\{TITLE}.lnk")

    def install(self, installer: Path, folder: str = "", *options: str) -> int:
        """Install without a question; gives the exit code."""
        # NSIS wants the folder last and without quotes, so its words are arguments of their own.
        where = f"/D={folder}".split(" ") if folder else []
        return self.windows.run(installer, "/S", *options, *where)

    def has(self, folder: str, *names: str) -> list[bool]:
        """Which of some files are in a folder."""
        return [self.windows.place(rf"{folder}\{name}").exists() for name in names]

    def installs(self) -> None:
        """In the usual folder, with all that belongs to it."""
        expect(self.install(self.installers.older, "", "/PATH"), 0, "the exit code of the installer")
        names = (f"{TITLE}.exe", f"{NAME}.exe", "_internal", "uninstall.exe", "installed.txt")
        expect(self.has(self.usual, *names), [True] * 5, f"whether {', '.join(names)} are there")
        expect(self.menu.exists(), True, "whether it is in the Start menu")
        expect(self.windows.value(ENTRY, "DisplayName"), TITLE, "its name in the list of programs")
        expect(self.windows.value(rf"{CLASSES}\.cxproj"), "CorpusExplorer.Project", "the type of project files")
        command = rf'"{self.usual}\{TITLE}.exe" "%1"'
        expect(self.windows.value(rf"{FOLDERS}\command"), command, "what opens a folder")
        expect(self.windows.value(rf"{CLASSES}\.jsonl"), None, "the type of JSON Lines")
        expect(self.on_path(), 1, "how often its folder is on the PATH")

    def on_path(self) -> int:
        return (self.windows.value(PATH_KEY, "Path") or "").split(";").count(self.usual)

    def updates(self) -> None:
        """Over an older version: what is left of it goes, and a file of the user stays."""
        place = self.windows.place(self.usual)
        (place / "_internal" / "left.pyd").write_text("of an older version")
        (place / "my notes.txt").write_text("mine")
        self.settings.mkdir(exist_ok=True)
        (self.settings / "settings.json").write_text("{}")
        expect(self.install(self.installers.newer), 0, "the exit code of an update")
        expect(
            self.has(self.usual, r"_internal\left.pyd", "older.txt"), [False] * 2, "what is left of the older version"
        )
        expect(self.has(self.usual, "my notes.txt", f"{TITLE}.exe"), [True] * 2, "what an update keeps and brings")
        expect(self.on_path(), 1, "how often its folder is on the PATH after an update")

    def refuses(self) -> None:
        """A folder of others, and to change a program that runs."""
        others = r"C:\Töne und mehr\a b"
        place = self.windows.place(others)
        place.mkdir(parents=True, exist_ok=True)
        (place / "thesis.txt").write_text("mine")
        expect(self.install(self.installers.newer, others), OTHERS_FOLDER, "the exit code for a folder of others")
        expect([path.name for path in place.iterdir()], ["thesis.txt"], "what is in a folder of others")
        with self.windows.running(self.windows.place(rf"{self.usual}\{TITLE}.exe")):
            expect(self.install(self.installers.newer), RUNS, "the exit code while the program runs")
            expect(self.has(self.usual, f"{NAME}.exe", "_internal"), [True] * 2, "what is there while it runs")

    def needs_space(self) -> None:
        """Nothing is installed where there is too little, and nothing removed."""
        assert self.installers.huge is not None
        expect(self.install(self.installers.huge), NO_SPACE, "the exit code without space")
        expect(self.has(self.usual, f"{TITLE}.exe"), [True], "whether the program is there")

    def keeps_path(self) -> None:
        """A PATH that is longer than the installer's strings is left as it is, and not cut."""
        before = self.windows.value(PATH_KEY, "Path") or ""
        long = ";".join(rf"%USERPROFILE%\tool {number}" for number in range(100))
        for path in (long, before):
            self.windows.run("reg", "add", PATH_KEY, "/v", "Path", "/t", "REG_EXPAND_SZ", "/d", path, "/f")
            expect(self.install(self.installers.newer, "", "/PATH"), 0, "the exit code with a long PATH")
            expect(self.windows.value(PATH_KEY, "Path"), path, "the PATH")

    def works(self) -> None:
        """Real work with both programs, from the folder that they were installed in."""
        for name in (NAME, TITLE):
            program = self.windows.place(rf"{self.usual}\{name}.exe")
            subprocess.run([sys.executable, HERE.parent / "smoke.py", program, "--window"], check=True)

    def moves(self) -> None:
        """To another folder: the program is there once, and the next update finds it."""
        other = r"C:\Töne und mehr\Corpus Explorer"
        expect(self.install(self.installers.newer, other), 0, "the exit code for another folder")
        expect(self.has(self.usual, f"{TITLE}.exe", "my notes.txt"), [False, True], "what is left in the first folder")
        expect(self.on_path(), 0, "how often the first folder is on the PATH")
        self.windows.place(rf"{self.usual}\my notes.txt").unlink()
        expect(self.install(self.installers.newer, self.usual), 0, "the exit code for the way back")
        expect(self.windows.place(other).exists(), False, "whether the other folder is there")

    def removes(self) -> None:
        """All that was installed, and nothing else."""
        (self.windows.place(self.usual) / "my notes.txt").write_text("mine")
        expect(
            self.windows.run(self.windows.place(rf"{self.usual}\uninstall.exe"), "/S"), 0, "the uninstaller's exit code"
        )
        # It goes on as a copy of itself.
        end = time.monotonic() + PATIENCE
        while self.windows.value(ENTRY, "DisplayName") and time.monotonic() < end:
            time.sleep(0.5)
        left = sorted(path.name for path in self.windows.place(self.usual).iterdir())
        expect(left, ["my notes.txt"], "what is left in the folder")
        expect(self.menu.exists(), False, "whether it is in the Start menu")
        keys = (ENTRY, rf"{CLASSES}\.cxproj", rf"{CLASSES}\CorpusExplorer.Project", FOLDERS)
        expect([self.windows.value(key) for key in keys], [None] * 4, "what is left in the registry")
        expect(self.windows.value(PATH_KEY, "Path"), self.path_before, "the PATH")
        expect((self.settings / "settings.json").exists(), True, "whether settings are kept")


def stand_in(folder: Path, names: tuple[str, ...]) -> Path:
    """A folder with the shape of a bundle, whose programs are wine's own shell."""
    [shell, *_] = sorted(Path("/usr/lib").glob("*/wine/x86_64-windows/cmd.exe"))
    (folder / "_internal" / "numpy").mkdir(parents=True)
    for name in (f"{TITLE}.exe", f"{NAME}.exe"):
        (folder / name).write_bytes(shell.read_bytes())
    for name in ("_internal/Töne.txt", "_internal/numpy/a.pyd", "LICENSES.txt", *names):
        (folder / name).write_text(name)
    return folder


def stand_ins(folder: Path) -> Installers:
    """Installers of stand-ins, with 64 bits, as wine has them."""
    older, newer = stand_in(folder / "older", ("older.txt",)), stand_in(folder / "newer", ("newer.txt",))
    made = [
        make_installer.make(bundle, folder / version, version, "amd64-unicode", size)
        for bundle, version, size in ((older, "0.1.0", 0), (newer, "0.2.0.dev0", 0), (newer, "9.9", 2_000_000_000))
    ]
    return Installers(*made)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("installer", type=Path, nargs="?")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        installers = Installers(args.installer, args.installer) if args.installer else stand_ins(Path(place))
        windows = Windows(None if sys.platform == "win32" else Path(place) / "prefix")
        trial = Trial(windows, installers)
        steps = [trial.installs, *([trial.works] if args.smoke else []), trial.updates, trial.refuses]
        # The PATH of a person is not for trials.
        steps += [trial.needs_space, trial.keeps_path] if installers.huge else []
        for step in (*steps, trial.moves, trial.removes):
            step()
            print(step.__name__, flush=True)
        windows.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
