"""The files of a build by kind, as rows of a table: before the build and in the index. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.core.files.sizes import size_text
from explorer.gui.presenting.cells import Cell
from explorer.i18n import numeral, tr

if TYPE_CHECKING:
    from explorer.building.sources.source import KindCount


@dataclass(frozen=True)
class KindRow:
    """A row: the name of the kind, None for all of them, whether these files are skipped, and what is shown."""

    kind: str | None
    is_skipped: bool
    cells: tuple[Cell, ...]


def kind_rows(kinds: Sequence[KindCount], skipped: int, read: int | None = None) -> tuple[KindRow, ...]:
    """List the kinds after a row for all of them, and the number of skipped files last, if there are any.

    kinds: The files by kind: before a build those that will be read, and after it those that it began to read.
    skipped: The number of other files, and of those in which the build found nothing.
    read: The number of files with a document; None before a build, when sizes are shown in its place.
    """
    with_sizes, begun = read is None, sum(each.files for each in kinds)

    def row(name: str, files: int, size: int | None, kind: str | None = None, is_skipped: bool = False) -> KindRow:
        # The size of skipped files is not known.
        sizes = [Cell(size_text(size) if size is not None else "–", right=True, muted=is_skipped)] if with_sizes else []
        count = Cell(numeral(files), right=True, muted=is_skipped)
        about = why if is_skipped else name
        return KindRow(kind, is_skipped, (Cell(name, tip=about, muted=is_skipped), count, *sizes))

    why = tr("Listed with reasons under “Skipped”")
    if read is not None and begun > read:
        why = tr("{listed}; counted by kind, too: {n:,}", listed=why, n=begun - read)
    rows = [row(each.label[:1].upper() + each.label[1:], each.files, each.bytes, each.kind) for each in kinds]
    if len(kinds) > 1:
        files = begun if read is None else read
        rows.insert(0, row(tr("All files that are read"), files, sum(each.bytes for each in kinds)))
    if skipped:
        rows.append(row(tr("Skipped"), skipped, None, is_skipped=True))
    return tuple(rows)
