"""Files that change underneath a window in use: an index is replaced, cut, removed or made unreadable; sources change.

As a program: changing_files.py SEED ACTIONS, random use of a window on a copy of a small index that this happens to.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

HOSTILE = (
    "<img src=x><b>hi</b> <a href='https://x.invalid'>link</a>", "\u202egnp.exe &Quit", "\x1b]0;title\x07", "a\x00b",
    "x" * 200_000, "\ud83d\ude00" * 50, "é" * 3_000, '" AND NOT "', "((((", "‮ العربية", "&&&", "%s %d {0} {name}",
)  # fmt: skip


class ChangingFiles:
    """Changes an index folder and a folder of sources; `whole`: the folder that the index is put back to."""

    def __init__(self, chance: random.Random, whole: Path, index: Path, sources: Path) -> None:
        self._chance, self._whole, self._index, self._sources = chance, whole, index, sources
        sources.mkdir(exist_ok=True)
        self.put_back()
        self.change_sources()

    def put_back(self) -> None:
        """The index as it was at first, each file in the place of the one that was there."""
        self._index.mkdir(exist_ok=True)
        for path in self._whole.iterdir():
            if path.is_file():
                # A link to itself, of a file that could not be read, is replaced as well.
                copy = self._index / (path.name + ".new")
                shutil.copy(path, copy)
                copy.replace(self._index / path.name)

    def change_index(self) -> str:
        """One change by chance; what it was."""
        files = [path for path in self._index.iterdir() if path.is_file()]
        if not files:
            self.put_back()
            return "put back"
        path = self._chance.choice(sorted(files))
        change = self._chance.choice((self._cut, self._grow, self._scramble, self._remove, self._hide, self._swap))
        change(path)
        return f"{change.__name__[1:]} {path.suffix or path.name}"

    def _cut(self, path: Path) -> None:
        os.truncate(path, self._chance.randint(0, path.stat().st_size))

    def _grow(self, path: Path) -> None:
        with path.open("ab") as file:
            file.write(b"\xff" * self._chance.randint(1, 10_000))

    def _scramble(self, path: Path) -> None:
        """Other bytes in the place of some, in the same file."""
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(self._chance.randint(0, max(0, size - 1)))
            file.write(self._chance.randbytes(min(64, size)))

    def _remove(self, path: Path) -> None:
        path.unlink()

    def _hide(self, path: Path) -> None:
        """A file that cannot be read, whoever the test runs as: a link to itself."""
        path.unlink()
        path.symlink_to(path.name)

    def _swap(self, path: Path) -> None:
        """Another file under this name, as a program that writes and renames leaves it."""
        other = path.with_name(path.name + ".new")
        other.write_bytes(self._chance.randbytes(max(1, path.stat().st_size)))
        other.replace(path)

    def change_sources(self) -> str:
        """Texts that a build may be reading just now are written anew, cut, or taken away."""
        path = self._sources / self._chance.choice(("a.txt", "b.jsonl", "c.txt.gz", "<b>&d<b>.md"))
        if path.exists() and self._chance.random() < 0.3:
            path.unlink()
            return "source removed"
        text = self._chance.choice(HOSTILE).encode("utf-8", "surrogatepass") + b'\n{"text": "the cat sat"}\n'
        path.write_bytes(text * self._chance.randint(1, 200))
        return "source written"


def main() -> None:
    """Drive a window and tell how often each kind of change was made, and what was unexpected."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    seed, actions = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as place:
        os.environ.setdefault("CORPUS_EXPLORER_CACHE", str(Path(place) / "cache"))
        from driven import show_driven
        from monkey import Monkey, _caught_faults, pause

        from explorer import build_index
        from explorer.gui.app.app import make_application
        from explorer.gui.app.startup import Startup
        from explorer.gui.presenting.requests import OpenRequest
        from explorer.gui.settings.store import Settings

        folder = Path(place)
        (folder / "texts").mkdir()
        for number in range(20):
            (folder / "texts" / f"{number}.txt").write_text(f"the cat sat on mat {number}. the dog saw it. " * 200)
        build_index(folder / "texts", folder / "whole", tokenizer="train:500")
        faults = _caught_faults()
        os.chdir(folder)
        settings = Settings(folder / "settings.json")
        make_application(settings)
        window = show_driven(Startup(), settings)
        files = ChangingFiles(random.Random(seed), folder / "whole", folder / "index", folder / "sources")
        window.open(OpenRequest((str(folder / "index"),)))
        while window.corpus is None:
            pause(20)
        monkey = Monkey(window, seed, folder, folder / "index", files=files)
        monkey.act(actions)
        seconds = monkey.finish()
        print(f"{actions} actions with seed {seed}: {len(faults)} unexpected errors, closed in {seconds:.2f} s")
        for what, number in sorted(monkey.changes.items()):
            print(f"  {number:5} {what}")
        for fault in dict.fromkeys(faults):
            print(fault)


if __name__ == "__main__":
    main()
