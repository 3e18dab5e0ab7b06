"""Folders of a compressed index of which bytes were changed, and a process that asks them.

As a program: python damaged_fm.py INDEX FIRST LAST prints one JSON line for each seed: what was done, and what came of
it: "as before", the name and the message of an error, "OTHER" answers, or "FAULT" with what is no error for a user.
Every tenth seed makes new checksums for what it changed, as whoever wants to deceive would; answers may differ then.
A crash ends the process, so that the last line tells the seed that came before.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from _fastsa import fm
from explorer.backends.fm.backend import FmBackend
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken
from explorer.errors import CorpusError
from explorer.index.fm.file import PAGE, check_of
from explorer.text.patterns.pattern import Pattern

_HANG = 120.0


def _change(path: Path, chance: random.Random) -> str:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 1, 2, 40))):
        at = chance.randrange(len(data))
        data[at] ^= chance.randrange(1, 256)
    path.write_bytes(data)
    return f"change {path.name} at {at}"


def _cut(path: Path, chance: random.Random) -> str:
    size = chance.randrange(path.stat().st_size)
    os.truncate(path, size)
    return f"cut {path.name} at {size}"


def _grow(path: Path, chance: random.Random) -> str:
    with open(path, "ab") as file:
        file.write(chance.randbytes(chance.choice((1, 8, 4096))))
    return f"grow {path.name}"


def _swap(path: Path, chance: random.Random) -> str:
    other = chance.choice(sorted(path.parent.glob("*.[0-9]")))
    held = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(held)
    return f"swap {path.name} and {other.name}"


def _forge(path: Path, chance: random.Random) -> str:
    """Change numbers, and make checksums for them."""
    data = np.fromfile(path, dtype=np.uint8)
    if path.name.startswith("fm."):
        head = data[:PAGE].view("<u8")
        checks = int(head[26])
        for _ in range(chance.choice((1, 4, 100))):
            at = chance.choice((8 * chance.randrange(2, 288), chance.randrange(PAGE, checks)))
            data[at] = chance.randrange(256)
        data[checks:] = fm.page_checks(data[PAGE:checks]).view(np.uint8)
        head[28], head[511] = check_of(data[checks:]), check_of(data[: PAGE - 8])
    else:
        tail = data[-32:].view("<u8")
        start = len(data) - 32 - 16 * (int(tail[0]) + 1)
        for _ in range(chance.choice((1, 1, 5))):
            at = chance.randrange(start, len(data) - 16)
            data[at] = chance.randrange(256)
        tail[2] = check_of(np.ascontiguousarray(data[start:-16]))
    data.tofile(path)
    return f"forge {path.name}"


CHANGES: tuple[Callable[[Path, random.Random], str], ...] = (_change, _change, _change, _cut, _cut, _grow, _swap)


def damage(folder: Path, seed: int) -> str:
    """Do something to a file of the index; tells what."""
    chance = random.Random(seed)
    path = chance.choice(sorted(folder.glob("*.[0-9]")))
    return (_forge if seed % 10 == 0 else chance.choice(CHANGES))(path, chance)


def answers(folder: Path) -> Any:
    """Ask an index for everything, as values that can be compared."""
    index = BACKENDS.open(IndexRequest((str(folder),)))
    assert isinstance(index, FmBackend)
    every = index.documents.numbers()
    found: list[Any] = [index.token_count, index.documents.lengths(every).tolist(), index.documents.metadata(every)]
    for text in (b"the cat", b"e", b"dog saw it", b"\n", b"absent text"):
        hits = index.hits.occurrences([index.hits.find(list(text))])
        some = hits.locate(np.arange(min(20, hits.total), dtype=np.int64))
        found += [hits.total, some.documents.tolist(), some.offsets.tolist(), str(index.counts.next_tokens(list(text)))]
    found.append([window.tolist() for window in index.documents.windows(every, every * 0, every * 0 + 10_000)])
    found.append(index.counts.longest_matches(list(b"and the cat 12 sat in the dog saw it, too")).tolist())
    found.append(index.hits.find_text(Pattern("cat", whole_words=True)).count)
    for part in index.parts:
        part.check(CancelToken(), np.zeros(1, dtype=np.int64))
    return found


def try_one(base: Path, seed: int, expected: Any) -> dict[str, object]:
    """One damaged copy: what was done, and what came of it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "index"
        shutil.copytree(base, folder)
        change = damage(folder, seed)
        message = ""
        try:
            outcome = "as before" if answers(folder) == expected else "OTHER"
        except CorpusError as error:
            outcome, message = type(error).__name__, str(error)
        except BaseException as error:  # noqa: BLE001 - that is what is looked for
            outcome, message = f"FAULT {type(error).__name__}", str(error)
    return {"seed": seed, "change": change, "outcome": outcome, "message": message}


def main(base: Path, first: int, last: int) -> None:
    expected = answers(base)
    for seed in range(first, last):
        faulthandler.dump_traceback_later(_HANG, exit=True)
        print(json.dumps(try_one(base, seed, expected)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
