"""Quality, speed and safety of the readers of documents, as a table.

usage: python tests/benchmarks/readers.py [KIND ...] [--out docs/benchmarks/readers.md]

Quality is the least similarity of the words of a document with its text in tests/data/kinds. Speed is that of the
reader by that of the library's own loop, which extracts and does nothing else: the median of eleven runs, in each of
which both read the same files. Damaged files have some bytes changed, removed or doubled. Memory is the peak of the
process that reads them. To add a kind, add a row to `MEASURED`.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import random
import re
import resource
import statistics
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from difflib import SequenceMatcher
from email import message_from_bytes
from html.parser import HTMLParser
from pathlib import Path
from xml.parsers import expat

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "building"))
from test_mutated_readers import mutated

from explorer.core.files.encoding import NotTextError
from explorer.core.files.streams import BrokenStreamError
from explorer.documents import library_process
from explorer.documents.content import Content
from explorer.documents.kinds import kind_named
from explorer.documents.office import rich_text
from explorer.documents.record import Records
from explorer.documents.skipped import NO_TEXT_LAYER

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
RUNS, DAMAGED = 11, 400
HEADER = """\
# Readers of documents

Written by `python tests/benchmarks/readers.py`, which explains the columns. The gold texts are in `tests/data/kinds`. The speed
includes the process apart, which costs the copy of every text between two processes, and the joining of lines to paragraphs
or of cells to records; it was measured on two cores that had other work as well. `make test-all` reads 2,000 damaged files
of each of these kinds.

Office documents and e-books are read in the program's own process. Their loop is the parser (Expat, `html.parser`, the
signs of RTF) with one function that collects all text, without the rules about paragraphs, tables, notes, boxes and changes: it runs
no Python for a tag. Their memory includes the interpreter and the modules of the program.

| kind | gold texts | similarity of words | speed by the library's own loop | damaged files | of these read | crashes | memory |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def pdf_loop(path: Path) -> None:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            text = page.get_textpage()
            text.get_text_range()
            text.close()
            page.close()


def sheet_loop(path: Path) -> None:
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_path(path)
    for name in book.sheet_names:
        book.get_sheet_by_name(name).to_python()


def large_sheet(folder: Path) -> list[Path]:
    import xlsxwriter

    words = (KINDS / "two-columns.txt").read_text(encoding="utf-8").split()
    book = xlsxwriter.Workbook(folder / "rows.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["id", "text", "year", "score"])
    for row in range(1, 20_001):
        at = row % 400
        sheet.write_row(row, 0, [row, " ".join(words[at : at + 30]), 1900 + row % 100, row / 7])
    book.close()
    return [folder / "rows.xlsx"]


def expat_loop(member: str) -> Callable[[Path], None]:
    """Unpack a member and take all text between its tags."""

    def loop(path: Path) -> None:
        data = zipfile.ZipFile(path).read(member) if member else path.read_bytes()
        parser, parts = expat.ParserCreate(), list[str]()
        parser.buffer_text = True
        parser.CharacterDataHandler = parts.append
        parser.Parse(data, True)
        "".join(parts)

    return loop


class Letters(HTMLParser):
    """Takes all text between tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def book_loop(path: Path) -> None:
    Letters(zipfile.ZipFile(path).read("OEBPS/text/teil1.xhtml").decode())


def rich_loop(path: Path) -> None:
    b"".join(found[6] or b"" for found in rich_text._TOKEN.finditer(path.read_bytes()))


def saved_loop(path: Path) -> None:
    part = next(part for part in message_from_bytes(path.read_bytes()).walk() if part.get_content_type() == "text/html")
    Letters(part.get_payload(decode=True).decode())


def repeated(name: str, member: str, begin: bytes, end: bytes, times: int) -> Callable[[Path], Sequence[Path]]:
    """A gold text whose content is repeated."""

    def large(folder: Path) -> Sequence[Path]:
        made, source = folder / name, KINDS / name
        members = {"": source.read_bytes()}
        if member:
            with zipfile.ZipFile(source) as package:
                members = {part: package.read(part) for part in package.namelist()}
        data = members[member]
        start = data.index(begin) + len(begin)
        stop = data.rindex(end)
        members[member] = data[:start] + data[start:stop] * times + data[stop:]
        if not member:
            made.write_bytes(members[""])
            return [made]
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
            for part, content in members.items():
                package.writestr(part, content)
        return [made]

    return large


def beside(path: Path) -> str:
    return path.with_name(f"{path.name}.txt").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Measured:
    """A kind, the files that are read, and the loop of its library; `text`: the words of what a document should be."""

    kind: str
    files: tuple[str, ...]
    loop: Callable[[Path], None]
    text: Callable[[Path], str]
    large: Callable[[Path], Sequence[Path]] | None = None
    is_apart: bool = True


WORDS = ("libreoffice.docx", "word/document.xml", b"<w:body>", b"<w:sectPr")
TEXT = ("libreoffice.odt", "content.xml", b"</text:tracked-changes>", b"</office:text>")
SLIDE = ("powerpoint.pptx", "ppt/slides/slide1.xml", b"<p:spTree>", b"</p:spTree>")
PAGE = ("impress.odp", "content.xml", b"</presentation:date-time-decl>", b"</office:presentation>")
CHAPTER = ("calibre.epub", "OEBPS/text/teil1.xhtml", b"<body>", b"</body>")
RICH = ("wordpad.rtf", "", b"\\viewkind4\\uc1", b"}")
SECTION = ("poem.fb2", "", b"<body>", b"</body>\n<body")
SAVED = ("chrome.mhtml", "", b"<body>", b"</body>")
MEASURED = (
    Measured("pdf", ("*.pdf",), pdf_loop, lambda path: path.with_suffix(".txt").read_text(encoding="utf-8")),
    Measured(
        "spreadsheet",
        ("*.xls*", "*.ods"),
        sheet_loop,
        lambda _: (
            "The ship has arrived. Größe & Maß: naïve <b>façade</b> Привет, мир — γειά σου 😀 1914 An island. "
            "A town on the Danube."
        ),
        large_sheet,
    ),
    *(
        Measured(kind, patterns, loop, beside, repeated(name, member, begin, end, times), is_apart=False)
        for kind, patterns, loop, (name, member, begin, end), times in (
            ("docx", ("*.docx",), expat_loop(WORDS[1]), WORDS, 500),
            ("odt", ("*.odt",), expat_loop(TEXT[1]), TEXT, 500),
            ("pptx", ("*.pptx",), expat_loop(SLIDE[1]), SLIDE, 1_000),
            ("odp", ("*.odp",), expat_loop(PAGE[1]), PAGE, 1_000),
            ("epub", ("[!l]*.epub",), book_loop, CHAPTER, 3_000),
            ("rtf", ("*.rtf",), rich_loop, RICH, 300),
            ("fb2", ("*.fb2",), expat_loop(""), SECTION, 2_000),
            ("mhtml", ("*.mht", "*.mhtml"), saved_loop, SAVED, 3_000),
        )
    ),
)


def texts_of(kind: str, path: Path, data: bytes | None = None) -> list[str]:
    """The texts of a file, or of other bytes in its place."""
    with open(path, "rb") if data is None else io.BufferedReader(io.BytesIO(data)) as raw:
        content = Content(path.name, path.name, raw, raw, path=path if data is None else None)
        found = kind_named(kind).read(content)
        documents = found.records if isinstance(found, Records) else found
        return [each.fields["text"] if hasattr(each, "fields") else each.text for each in documents]


def similarity(one: Iterable[str], other: Iterable[str]) -> float:
    return SequenceMatcher(None, list(one), list(other), autojunk=False).ratio()


def speed(measured: Measured, files: Sequence[Path]) -> float:
    ratios = []
    for _ in range(RUNS):
        start = time.perf_counter()
        for path in files:
            measured.loop(path)
        middle = time.perf_counter()
        for path in files:
            texts_of(measured.kind, path)
        ratios.append((middle - start) / (time.perf_counter() - middle))
    return statistics.median(ratios)


def damaged_apart(kind: str, files: Sequence[Path]) -> tuple[Counter[str], float]:
    """What became of damaged files, and the peak in megabytes of the process that read them and one large file."""
    measured = next(each for each in MEASURED if each.kind == kind)
    with tempfile.TemporaryDirectory() as folder:
        for path in measured.large(Path(folder)) if measured.large is not None else ():
            texts_of(kind, path)
    return damaged(measured, files), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def damaged(measured: Measured, files: Sequence[Path]) -> Counter[str]:
    """What became of damaged files."""
    outcomes: Counter[str] = Counter()
    for seed in range(DAMAGED):
        path = files[seed % len(files)]
        try:
            texts_of(measured.kind, path, mutated(path.read_bytes(), random.Random(seed)))
        except NotTextError as error:
            ended = error.kind != NO_TEXT_LAYER and re.search("^(ends|has a page)", str(error))
            outcomes["crash" if ended else "refused"] += 1
        except BrokenStreamError:
            outcomes["refused"] += 1
        else:
            outcomes["read"] += 1
    return outcomes


def memory() -> float:
    """The peak in megabytes of the processes in which libraries read, up to now."""
    library_process._end()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3


def row(measured: Measured) -> str:
    files = sorted(path for pattern in measured.files for path in KINDS.glob(pattern))
    worst = min(
        similarity(measured.text(path).split(), " ".join(texts_of(measured.kind, path)).split()) for path in files
    )
    with tempfile.TemporaryDirectory() as folder:
        ratio = speed(measured, measured.large(Path(folder)) if measured.large is not None else files)
    if measured.is_apart:
        outcomes, peak = damaged(measured, files), memory()
    else:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            outcomes, peak = pool.submit(damaged_apart, measured.kind, files).result()
    cells = (
        f"`{measured.kind}`", len(files), f"{worst:.4f}", f"{ratio:.2f}", outcomes.total(), outcomes["read"],
        outcomes["crash"], f"{peak:.0f} MB",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    rows = [row(measured) for measured in MEASURED if not args.kinds or measured.kind in args.kinds]
    page = HEADER + "\n".join(rows) + "\n"
    if args.out is None:
        print(page)
    else:
        args.out.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
