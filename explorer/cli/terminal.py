"""Everything that the commands print: what is read by people passes `visible`, JSON is escaped.

No other module of the commands prints. Faults of standard output are errors, faults of standard error are not:
an answer must not get lost, a remark may.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, cast

from explorer.errors import CorpusError
from explorer.export.jsonable import to_json, to_plain
from explorer.export.tables import write_rows
from explorer.jobs import Progress, Report, no_report
from explorer.visible import visible, visible_json

_BAR = 30
_SECONDS_BETWEEN = 0.1


class OutputError(CorpusError):
    """Standard output cannot be written."""


@contextmanager
def output() -> Iterator[IO[str]]:
    """Standard output; its faults become an OutputError, but for a reader that has gone (BrokenPipeError)."""
    if sys.stdout is None:
        raise OutputError("Standard output is closed. Open it, or send it to a file.")
    try:
        yield sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"Standard output cannot be written: {error.strerror or error}.") from error


def put(line: str = "", keep: str = "", end: str = "\n") -> None:
    """A line for people. keep: control characters that belong to the layout, such as line feeds of a text."""
    put_as_is(visible(line, keep) + end)


def put_cells(*cells: object) -> None:
    """A line of cells with tabs between them, which is on its way at once."""
    put_as_is("\t".join(visible(str(cell)) for cell in cells) + "\n")
    flush()


def put_as_is(text: str) -> None:
    """Text that has passed `visible` or `visible_json`, on standard output."""
    with output() as out:
        out.write(text)


def put_json(value: object) -> None:
    """A result as JSON."""
    put_as_is(visible_json(to_json(value)) + "\n")


def put_json_line(value: object) -> None:
    """A result as one line of JSON, which is on its way at once."""
    put_as_is(visible_json(json.dumps(to_plain(value), ensure_ascii=False)) + "\n")
    flush()


def put_json_array(values: Iterable[object]) -> None:
    """Results as one JSON array, each on its way as soon as it is known."""
    before = "[\n"
    for value in values:
        put_as_is(before + visible_json(to_json(value)))
        flush()
        before = ",\n"
    put_as_is("[]\n" if before == "[\n" else "\n]\n")


def put_rows(header: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> None:
    """A table in one of FORMATS, each row on its way as soon as it is known.

    In TSV and CSV a row is one line, whatever its texts hold. JSON lines keep them as they are.
    """
    if form == "jsonl":
        for row in rows:
            put_json_line(dict(zip(header, row, strict=True)))
        return
    write_rows(cast(IO[str], _Printed()), list(map(visible, header)), _one_line_each(rows), form)
    flush()


class _Printed:
    """Standard output as `write_rows` wants it: only faults of writing are its faults, not those of the rows."""

    def write(self, text: str) -> int:
        """Print a piece of text."""
        put_as_is(text)
        return len(text)


def _one_line_each(rows: Iterable[Sequence[Any]]) -> Iterator[list[Any]]:
    for row in rows:
        yield [visible(cell) if isinstance(cell, str) else cell for cell in row]
        # The row before has been written by now; whoever reads a pipe need not wait for the next.
        flush()


def flush() -> None:
    """Send what was printed on its way."""
    if sys.stdout is not None:
        with output() as out:
            out.flush()


def colours() -> bool:
    """Whether standard output is a terminal that shows colours."""
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return sys.stdout is not None and sys.stdout.isatty() and not plain


def remark(text: str) -> None:
    """A line on standard error that begins with "#": what was chosen, left out or found beside the answer."""
    complain(f"# {text}")


def complain(text: str) -> None:
    """A line on standard error, whatever line breaks the text has."""
    _to_stderr(visible(" ".join(text.split())) + "\n")


def complain_at_length(text: str) -> None:
    """Several lines on standard error."""
    _to_stderr(visible(text, keep="\n"))


def _to_stderr(text: str) -> None:
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str] | None) -> None:
    """Send to nowhere what the stream still holds, so that Python does not stumble over it at its end."""
    try:
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return


def progress_bar() -> Report:
    """A line on standard error that shows how far work is; silent where that is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return no_report
    last = [0.0]

    def show(progress: Progress) -> None:
        finished = progress.total > 0 and progress.done >= progress.total
        if time.monotonic() - last[0] < _SECONDS_BETWEEN and not finished:
            return
        last[0] = time.monotonic()
        filled = int(_BAR * progress.fraction)
        share = f"{progress.fraction:4.0%}" if progress.total else "  …"
        bar = f"{visible(progress.stage):<24} [{'#' * filled}{'.' * (_BAR - filled)}] {share}"
        _to_stderr(f"\r\033[K{bar}" + ("\n" if finished else ""))

    return show
