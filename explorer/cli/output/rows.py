"""Tables that the commands print.

Apart from `terminal`, which every command line imports: the formats of tables are those of the exports, and these take
ten times as long to import as the rest of a command line without a command, which opens the window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, cast

from explorer.cli.output.terminal import flush, put_as_is
from explorer.core.visible import visible, visible_json
from explorer.export.registry import TABLES


def put_rows(header: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> None:
    """Print a table, each row as soon as it is known.

    form: An id of `registry.TABLES`. In "tsv" and "csv" a row is one line, whatever its texts contain; "jsonl"
        preserves the texts.
    """
    exporter = TABLES.named(form)
    # JSON has escapes of its own, which a reader undoes. Other formats have none, so texts are changed before they are
    # written.
    if exporter.is_json:
        # `write` is all that a format calls of its file.
        exporter.write(cast(IO[str], _Printed(visible_json)), header, _flushed(rows))
    else:
        exporter.write(cast(IO[str], _Printed()), list(map(visible, header)), _flushed(_one_line_each(rows)))
    flush()


class _Printed:
    """Standard output for a table's writer: only faults of writing become its errors, not those of the rows."""

    def __init__(self, shown: Callable[[str], str] = str) -> None:
        self._shown = shown

    def write(self, text: str) -> int:
        """Print a piece of text."""
        put_as_is(self._shown(text))
        return len(text)


def _one_line_each(rows: Iterable[Sequence[Any]]) -> Iterator[list[Any]]:
    for row in rows:
        yield [visible(cell) if isinstance(cell, str) else cell for cell in row]


def _flushed(rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    for row in rows:
        yield row
        # The previous row is complete; flush it, so that the reader of a pipe does not wait for the next.
        flush()
