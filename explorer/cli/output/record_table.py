"""Rows as a table on the terminal, from the declarations of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from explorer.cli.output.terminal import put
from explorer.derive.table import columns_of


def put_table(record: type, rows: Sequence[Any], names: Sequence[str] = ()) -> None:
    """Print rows under the names of their columns: first the numbers, then the texts, whose width is not known.

    names: The columns; none for all.
    """
    if not rows:
        put("No row meets the conditions.")
        return
    columns = columns_of(record)
    lines = [[columns[name].text(getattr(row, name)) for row in rows] for name in names or columns]
    cells = dict(zip(names or columns, lines, strict=True))
    # A font may have wide letters, so that no column is right of a text.
    texts = {name for name in cells if any(isinstance(getattr(row, name), str | tuple) for row in rows)}
    order = sorted(cells, key=lambda name: name in texts)
    widths = {name: max(len(name), *map(len, cells[name])) for name in order}
    for at in (None, *range(len(rows))):
        shown = ((name, name.replace("_", " ") if at is None else cells[name][at]) for name in order)
        put("  ".join(text if name in texts else f"{text:>{widths[name]}}" for name, text in shown))


def facts_told(kind: type, facts: Any) -> str:
    """What describes all rows, in one line: the columns with a label."""
    labeled = ((name, each) for name, each in columns_of(kind).items() if each.label)
    return "; ".join(f"{each.label.lower()}: {each.text(getattr(facts, name))}" for name, each in labeled)
