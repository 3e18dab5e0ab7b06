"""Rows and sentences about the machines that have the folders of an index. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.gui.presenting.cells import Cell, short
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, numeral, tr, trn

if TYPE_CHECKING:
    from explorer.backends.protocol.locations import Holding


def missing(folders: Sequence[Holding]) -> int:
    """Count the folders that no machine has now.

    Examples
    --------
    >>> missing([])
    0
    """
    return sum(not folder.machines for folder in folders)


def machine_rows(folders: Sequence[Holding]) -> tuple[tuple[Cell, ...], ...]:
    """Write a row per folder, those that are missing first, and of the others those with the fewest copies.

    Returns: Folder, shards, tokens, copies and machines.
    """
    return tuple(map(_row, sorted(folders, key=lambda folder: len(folder.machines))))


def _row(folder: Holding) -> tuple[Cell, ...]:
    machines = ", ".join(folder.machines)
    return (
        Cell(cell_text(folder.folder), tip=folder.folder),
        Cell(numeral(folder.shard_count), right=True),
        Cell(short(folder.token_count), right=True),
        Cell(numeral(len(folder.machines)), right=True),
        Cell(cell_text(machines) if machines else tr("missing"), tip=machines, code=bool(machines)),
    )


def completeness(folders: Sequence[Holding]) -> str:
    """State in a sentence whether all folders are there; "" if there are none."""
    if not folders:
        return ""
    machines = counted("machine", len({machine for folder in folders for machine in folder.machines}))
    lost, every = missing(folders), counted("folder", len(folders))
    if not lost:
        return tr("Nothing is missing: {folders} on {machines}.", folders=every, machines=machines)
    return trn(
        "{n:,} of {folders} is missing. The others are on {machines}.",
        "{n:,} of {folders} are missing. The others are on {machines}.",
        lost,
        folders=every,
        machines=machines,
    )
