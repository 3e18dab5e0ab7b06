"""The one place where the engine's errors become the user's."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any, Protocol

import _fastsa
from explorer.errors import Cancelled, DamagedIndexError, QueryError
from explorer.i18n import tr


class Watched(Protocol):
    """Something whose files can be checked."""

    def check_files(self) -> None:
        """Raise where a file is not as it was."""

    def check_read(self) -> None:
        """Raise where a file could not be read."""


class Guard:
    """A context for whatever reads mapped files, the engine's calls above all.

    It checks the files before and after, and turns the engine's errors into the program's.

    Parameters
    ----------
    shards
        What is read inside the context.

    Raises
    ------
    DamagedIndexError
        If a file changed or could not be read, or the engine met an entry that makes no sense. What was read is then
        worthless.
    QueryError
        If the engine was given something that is not a sequence of the index's ids.
    Cancelled
        If the engine was stopped.
    """

    def __init__(self, shards: Sequence[Watched]) -> None:
        self._shards = shards

    def __enter__(self) -> None:
        for shard in self._shards:
            shard.check_files()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if _fastsa.any_broken():
            for shard in self._shards:
                shard.check_read()
        if error is None:
            return
        if isinstance(error, _fastsa.BadIds):
            raise refusal(error) from error
        if isinstance(error, _fastsa.Stopped):
            raise Cancelled from error
        if isinstance(error, _fastsa.DamagedTable):
            raise DamagedIndexError(
                tr(
                    "{name} is damaged at byte {byte_offset:,}: the entry does not point to a token. Copy the index "
                    "again, or rebuild it.",
                    name=error.name,
                    byte_offset=error.byte_offset,
                )
            ) from error


def refusal(error: _fastsa.BadIds) -> QueryError:
    """The error message for something that is not a sequence of ids of the index."""
    if error.kind == "range":
        return QueryError(
            tr(
                "Token id {wrong} is out of range: the ids of this index are 0 to {separator}.",
                wrong=_shown(error.value),
                separator=error.largest,
            )
        )
    if error.kind == "dtype":
        return QueryError(
            tr("A query must be a sequence of whole numbers (token ids), not {dtype} values.", dtype=error.value)
        )
    return QueryError(
        tr("A query must be a sequence of whole numbers (token ids), not {value}.", value=_shown(error.value))
    )


def _shown(value: Any) -> str:
    """Any value as one short line."""
    try:
        return reprlib.repr(value if not hasattr(value, "item") or getattr(value, "size", 2) != 1 else value.item())
    except ValueError:
        # Python does not print numbers of more than 4,300 digits.
        return f"{value:#x}"[:16] + "…"
