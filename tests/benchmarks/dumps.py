"""Speed and memory of the readers of crawls and dumps, as a table.

usage: python tests/benchmarks/dumps.py [--out docs/benchmarks/dumps.md]     needs fastwarc

The bare loop reads the same file with a library and takes the text of each page in the same way: FastWARC for crawls,
the standard library's `iterparse` for wikis, zstandard's stream and `json` for Reddit. The speed is the processor time of
the loop by the time of the reader, the median of five runs, in each of which both read the file. Memory is the peak of
a process that only reads the file.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import zstandard

from explorer.core.files.streams import unpacked
from explorer.documents.content import Content
from explorer.documents.kinds import kind_named
from explorer.documents.markup.html_pages import page_document
from explorer.documents.record import Records
from explorer.documents.web.wikitext import plain_text

RUNS = 5
HEADER = """\
# Crawls and dumps

Written by `python tests/benchmarks/dumps.py`, which explains the columns. The files are made by the script; the gold texts, each of
which is read exactly, are in `tests/readers/test_crawls.py` and `tests/readers/test_dumps.py`, with the damaged files that
`make test-all` reads.

| kind | gold texts | file | content | documents | speed of the reader | speed by the bare loop | damaged files | memory |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
FOOTER = """
FastWARC's loop alone, without the text of pages, takes {alone:.0%} of the time of the reader, and the reader's own loop takes
{own:.0%}: a faster one would make builds from crawls {gain:.2f} times as fast. Both libraries for WARC, FastWARC 2.0 and
warcio 1.8, take a record that is cut short for a whole one; the reader reports it.

The text of articles was compared with mwparserfromhell 0.7. It needs more than 20 s for 60 kB of `[[a|{{{{`, `<ref>` or `{{|`
that nothing closes, and keeps captions of pictures, categories and links to other languages as text. Main text of five pages
written by hand (menus, comments and footers around an article), by the F1 of its words: resiliparse 2.0 0.97 at 0.1 ms a
page, trafilatura 2.3 0.99 at 2.8 ms, readability-lxml 0.9 0.93 at 2.3 ms. None of the three is used so far: resiliparse needs 0.2 s
for 3,000 elements inside each other, 3 s for 10,000, and more than 100 s for 200,000, and cannot be interrupted.
"""
CHANCE = random.Random(1)
WORDS = [
    "".join(CHANCE.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(CHANCE.randrange(2, 9))) for _ in range(8_000)
]


def words(count: int) -> str:
    return " ".join(CHANCE.choice(WORDS) for _ in range(count))


def crawl(folder: Path) -> Path:
    path = folder / "crawl.warc.gz"
    menu = "".join(f'<li class="item-{n}"><a href="/{n}">{words(1)}</a></li>' for n in range(40))
    with open(path, "wb") as file:
        for number in range(800):
            text = "".join(f'<p class="a">{words(60)} <a href="/x">{words(2)}</a></p>\n' for _ in range(15))
            page = f"<html lang=en><head><title>{number}</title></head><body><ul>{menu}</ul><main>{text}</main></body></html>"
            answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page.encode()
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/{number}\r\n"
            head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
            file.write(gzip.compress(head.encode() + answer + b"\r\n\r\n"))
    return path


def wiki(folder: Path) -> Path:
    path = folder / "wiki.xml.bz2"
    with bz2.open(path, "wt", encoding="utf-8") as file:
        file.write("<mediawiki>\n")
        for number in range(2_000):
            text = "\n".join(
                f"== {words(2)} ==\n'''{words(3)}''' [[{words(1)}|{words(2)}]] {words(80)}&lt;ref&gt;{words(8)}&lt;/ref&gt; "
                f"{{{{cite|a={words(4)}}}}}"
                for _ in range(8)
            )
            file.write(
                f"<page><title>{number}</title><ns>0</ns><id>{number}</id><revision><text>{text}</text></revision></page>\n"
            )
        file.write("</mediawiki>\n")
    return path


def reddit(folder: Path) -> Path:
    path = folder / "RC_2019-04.zst"
    posts = (
        json.dumps(
            {"id": str(n), "author": words(1), "subreddit": words(1), "created_utc": n, "score": n, "body": words(60)}
        )
        for n in range(40_000)
    )
    path.write_bytes(zstandard.compress("\n".join(posts).encode()))
    return path


def crawl_alone(path: Path) -> None:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with open(path, "rb") as raw:
        for record in ArchiveIterator(raw, record_types=WarcRecordType.response):
            record.reader.read()


def own_alone(path: Path) -> None:
    from explorer.documents.web.crawl_records import crawl_records

    with open(path, "rb") as raw:
        for _ in crawl_records(unpacked(raw)):
            pass


def crawl_loop(path: Path) -> None:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with open(path, "rb") as raw:
        for record in ArchiveIterator(raw, record_types=WarcRecordType.response):
            page_document(record.reader.read().decode())


def wiki_loop(path: Path) -> None:
    with bz2.open(path) as file:
        for _, element in ElementTree.iterparse(file):
            if element.tag == "text":
                plain_text(element.text or "")
            elif element.tag == "page":
                element.clear()


def reddit_loop(path: Path) -> None:
    with open(path, "rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as stream:
        for line in io.TextIOWrapper(stream, encoding="utf-8"):
            json.loads(line)["body"]


@dataclass(frozen=True)
class Measured:
    """A kind, its file, the bare loop, and what the tests have of it."""

    kind: str
    make: Callable[[Path], Path]
    loop: Callable[[Path], None]
    gold: int
    damaged: int


MEASURED = (
    Measured("warc", crawl, crawl_loop, 5, 2_000),
    Measured("wiki", wiki, wiki_loop, 16, 2_000),
    Measured("reddit", reddit, reddit_loop, 6, 2_000),
)


def read(kind: str, path: Path) -> int:
    """The number of documents of a file."""
    with open(path, "rb") as raw:
        found = kind_named(kind).read(
            Content(path.name.lower(), path.name, raw, unpacked(raw), path, path.stat().st_size)
        )
        assert not isinstance(found, Records)
        return sum(1 for each in found if not each.problem)


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def memory(kind: str, path: Path) -> float:
    """The peak in megabytes of a process that reads the file."""
    command = [sys.executable, __file__, "--read", kind, str(path)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def row(measured: Measured, path: Path) -> str:
    times = [(seconds(lambda: measured.loop(path)), seconds(lambda: read(measured.kind, path))) for _ in range(RUNS)]
    with open(path, "rb") as raw:
        content = sum(map(len, unpacked(raw)))
    reader = statistics.median(time for _, time in times)
    cells = (
        f"`{measured.kind}`", measured.gold, f"{path.stat().st_size / 1e6:.1f} MB", f"{content / 1e6:.1f} MB",
        f"{read(measured.kind, path):,}", f"{content / 1e6 / reader:.1f} MB/s",
        f"{statistics.median(loop / own for loop, own in times):.2f}", f"{measured.damaged:,}",
        f"{memory(measured.kind, path):.0f} MB",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def footer(path: Path) -> str:
    whole = seconds(lambda: read("warc", path))
    alone, own = seconds(lambda: crawl_alone(path)), seconds(lambda: own_alone(path))
    return FOOTER.format(alone=alone / whole, own=own / whole, gain=whole / (whole - own + alone))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--read", nargs=2)
    args = parser.parse_args()
    if args.read:
        read(args.read[0], Path(args.read[1]))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
        return
    with tempfile.TemporaryDirectory() as folder:
        files = {measured.kind: measured.make(Path(folder)) for measured in MEASURED}
        rows = [row(measured, files[measured.kind]) for measured in MEASURED]
        page = HEADER + "\n".join(rows) + "\n" + footer(files["warc"])
    if args.out is None:
        print(page)
    else:
        args.out.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
