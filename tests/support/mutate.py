"""Index folders that something happened to, and a process that opens and asks them.

As a program: python mutate.py INDEX FIRST LAST prints one JSON line for each seed: what was done, and how the
library took it ("ok", the name of the error, and its message). A crash ends the process, so that the last line
tells the seed that came before.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import resource
import shutil
import sys
import tempfile
from pathlib import Path

_HANG = 120.0


def _flip(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 3, 40))):
        if data:
            data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data)


def _cut(path: Path, chance: random.Random) -> None:
    size = path.stat().st_size
    os.truncate(path, chance.choice((0, 1, size // 2, max(0, size - 1), max(0, size - 8))))


def _grow(path: Path, chance: random.Random) -> None:
    with open(path, "ab") as file:
        file.write(chance.randbytes(chance.choice((1, 2, 3, 8, 64, 4096))))


def _swap(path: Path, chance: random.Random) -> None:
    other = chance.choice(sorted(path.parent.iterdir()))
    held = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(held)


def _remove(path: Path, chance: random.Random) -> None:
    path.unlink()


def _link(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.symlink_to(chance.choice(("/dev/zero", "/dev/full", "/etc/hostname", str(path), "/", "nowhere")))


def _renumber(path: Path, chance: random.Random) -> None:
    path.rename(path.with_suffix(chance.choice((".1", ".7", ".99999999999999999999", ".-1", ".x", ""))))


def _entries(path: Path, chance: random.Random) -> None:
    """Whole numbers of the table or the offsets: beyond the end, not aligned, all the same, random."""
    width = 8 if "off" in path.name else 2
    data = bytearray(path.read_bytes())
    kind = chance.choice(("end", "odd", "same", "random"))
    for _ in range(chance.choice((1, 5, 200))):
        at = chance.randrange(max(1, len(data) // width)) * width
        value = {"end": b"\xff" * width, "odd": b"\x01" + b"\0" * (width - 1), "same": bytes(data[:width])}.get(kind)
        data[at : at + width] = value if value is not None else chance.randbytes(width)
    path.write_bytes(data)


def _directory(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.mkdir()


def _words(path: Path, chance: random.Random) -> None:
    """Other content altogether."""
    path.write_bytes(
        chance.choice(
            (
                b"\xff\xfe\x00",
                b"{",
                b"[" * 100_000,
                b"null",
                b'{"metadata": "\xed\xa0\x80"}\n' * 5,
                b"\n" * 50,
                b"{}\n" * 9,
            )
        )
    )


MUTATIONS = (_flip, _flip, _cut, _cut, _grow, _swap, _remove, _link, _renumber, _entries, _entries, _directory, _words)


def mutate(folder: Path, seed: int) -> str:
    """Do one to three things to a folder; says what."""
    chance = random.Random(seed)
    done = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        files = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.is_symlink()]
        if not files:
            break
        path, change = chance.choice(files), chance.choice(MUTATIONS)
        try:
            change(path, chance)
        except OSError as error:
            done.append(f"({error})")
        done.append(f"{change.__name__[1:]} {path.name}")
    return ", ".join(done)


def ask_everything(folder: Path) -> None:
    """Open a folder and use every part of the library on it."""
    from explorer import open_index
    from explorer.analyses.agreement.analysis import Texts, analyze
    from explorer.analyses.breakdown.facets import dispersion, facet

    corpus = open_index(folder)
    index = corpus.index
    corpus.count("the cat")
    found = corpus.search('"the" AND (cat OR dog)', max_distance=20)
    lines = corpus.concordance(found, sort="1L,1R")
    lines.lines(0, 10, width=5)
    whole = corpus.concordance(corpus.search("the"))
    for line in whole.lines(0, 20, width=8):
        corpus.document(line.document)
    for field in corpus.metadata_fields[:2]:
        facet(whole, field, corpus.columns)
    dispersion(whole)
    corpus.infgram_next_tokens(corpus.encode("the cat sat"))
    corpus.trace("the cat sat on the mat and the dog saw it")
    analyze(index, Texts(("the cat sat on the rug",)))
    for number in range(0, corpus.document_count, max(1, corpus.document_count // 20)):
        corpus.document(number)


def try_one(base: Path, seed: int) -> dict[str, object]:
    """One mutated copy: what was done, and what came of it."""
    from explorer.building.verify.verify import verify_index
    from explorer.errors import CorpusError

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "index"
        shutil.copytree(base, folder)
        change = mutate(folder, seed)
        outcome, message = "ok", ""
        for work in (ask_everything, lambda path: verify_index(path, deep=True)):
            try:
                work(folder)
            except CorpusError as error:
                outcome, message = type(error).__name__, str(error)
            except BaseException as error:  # noqa: BLE001 - that is what is looked for
                outcome, message = f"FAULT {type(error).__name__}", str(error)
                break
        return {
            "seed": seed,
            "change": change,
            "outcome": outcome,
            "message": message,
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }


def main(base: Path, first: int, last: int) -> None:
    for seed in range(first, last):
        faulthandler.dump_traceback_later(_HANG, exit=True)
        print(json.dumps(try_one(base, seed)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
