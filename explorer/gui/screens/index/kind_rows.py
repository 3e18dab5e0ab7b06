"""The files of a build by kind, as rows of a table: before the build and in the index. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.files.sizes import size_text
from explorer.gui.cells import Cell
from explorer.i18n import numeral, tr

if TYPE_CHECKING:
    from explorer.building.source import KindCount


@dataclass(frozen=True)
class KindRow:
    """A row: the name of the kind, None for all of them, whether these files are skipped, and what is shown."""

    kind: str | None
    is_skipped: bool
    cells: tuple[Cell, ...]


def kind_rows(kinds: Sequence[KindCount], skipped: int, with_sizes: bool = True) -> tuple[KindRow, ...]:
    """List the kinds after a row for all of them, and the number of skipped files last, if there are any."""

    def row(name: str, files: int, size: int | None, kind: str | None = None, is_skipped: bool = False) -> KindRow:
        # The size of skipped files is not known.
        sizes = [Cell(size_text(size) if size is not None else "–", right=True, muted=is_skipped)] if with_sizes else []
        count = Cell(numeral(files), right=True, muted=is_skipped)
        about = tr("Listed with reasons under “Left out”") if is_skipped else name
        return KindRow(kind, is_skipped, (Cell(name, tip=about, muted=is_skipped), count, *sizes))

    rows = [row(each.label[:1].upper() + each.label[1:], each.files, each.bytes, each.kind) for each in kinds]
    if len(kinds) > 1:
        files, size = sum(each.files for each in kinds), sum(each.bytes for each in kinds)
        rows.insert(0, row(tr("All files that are read"), files, size))
    if skipped:
        rows.append(row(tr("Not read"), skipped, None, is_skipped=True))
    return tuple(rows)
