"""The one place where the engine's errors, which are data, become the user's."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any, Protocol

import _fastsa
from _fastsa import fm
from explorer.errors import Cancelled, CorpusError, DamagedIndexError, QueryError
from explorer.i18n import mark


class Watched(Protocol):
    """Something whose files can be checked."""

    def check_files(self) -> None:
        """Raise where a file is not as it was."""

    def check_read(self) -> None:
        """Raise where a file could not be read."""


class Guard:
    """A context for whatever reads mapped files, the engine's calls above all.

    It checks the files before and after, and turns the engine's errors into the program's.

    shards: What is read inside the context.
    Raises `DamagedIndexError` if a file changed or could not be read, or the engine met an entry that makes no sense.
        What was read is then worthless.
    Raises `QueryError` if the engine was given something that is not a sequence of the index's ids.
    """

    def __init__(self, shards: Sequence[Watched]) -> None:
        self._shards = shards

    def __enter__(self) -> None:
        for shard in self._shards:
            shard.check_files()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        # Before the error is looked at: with zeros in place of bytes the engine may have met entries that make no
        # sense, or nothing unusual. Both come from the drive, and that is what the user should read.
        # One test for the whole process: usually no file was ever broken, and no shard has to be asked.
        if _fastsa.any_broken():
            for shard in self._shards:
                shard.check_read()
        if error is None:
            return
        if (told := told_as(error)) is not None:
            # The engine's error stays as the cause, for bug reports.
            raise told from error


def told_as(error: BaseException) -> CorpusError | None:
    """The user's error for one of the engine's; None if it is not of the engine."""
    if isinstance(error, _fastsa.BadIds):
        return refusal(error)
    if isinstance(error, _fastsa.Stopped):
        return Cancelled()
    if isinstance(error, _fastsa.TooBroad):
        return too_broad(error)
    if isinstance(error, fm.DamagedPart):
        return damaged_part(error)
    if isinstance(error, _fastsa.DamagedTable):
        return DamagedIndexError(
            mark("{path} is damaged at byte {byte:,}: the entry does not point to a token."),
            reason="entry-points-nowhere",
            path=error.name,
            byte=error.byte_offset,
            entry=error.rank,
        )
    return None


def damaged_part(error: fm.DamagedPart) -> DamagedIndexError:
    """Make the error for bytes of a compressed index that are not those that were written."""
    return DamagedIndexError(
        mark("{path} is damaged at byte {byte:,}: it is not as it was written."),
        reason="not-as-written",
        path=error.name,
        byte=error.byte_offset,
    )


def too_broad(error: _fastsa.TooBroad) -> QueryError:
    """The error for a pattern with more n-grams than a search walks."""
    return QueryError(
        mark(
            "This pattern is too broad: the search ended after {done:,} of {groups:,} tokens in which it can begin, "
            "with {count:,} occurrences so far."
        ),
        reason="too-broad",
        done=error.done,
        groups=error.groups,
        count=error.occurrences,
    )


def refusal(error: _fastsa.BadIds) -> QueryError:
    """The error for something that is not a sequence of ids of the index."""
    if error.kind == "range":
        return QueryError(
            mark("Token id {id} is out of range: the ids of this index are 0 to {largest}."),
            reason="id-out-of-range",
            id=_shown(error.value),
            largest=error.largest,
        )
    return QueryError(
        mark("A query must be a sequence of whole numbers (token ids), not {value}.")
        if error.kind == "type"
        else mark("A query must be a sequence of whole numbers (token ids), not {value} values."),
        reason="not-token-ids",
        value=_shown(error.value) if error.kind == "type" else error.value,
    )


def _shown(value: Any) -> str:
    """Any value as one short line."""
    try:
        # An array of one number is shown as the number.
        return reprlib.repr(value if not hasattr(value, "item") or getattr(value, "size", 2) != 1 else value.item())
    except ValueError:
        # Python does not print numbers of more than 4,300 digits.
        return f"{value:#x}"[:16] + "…"
