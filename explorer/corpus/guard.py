"""The one place where the engine's errors become the user's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import _fastsa
from explorer.errors import Cancelled, DamagedIndexError, QueryError
from explorer.words import tr


class Watched(Protocol):
    """Something whose files can be looked after."""

    def check_files(self) -> None:
        """Raise where a file is not as it was."""

    def check_read(self) -> None:
        """Raise where a file could not be read."""


class Guard:
    """A context for whatever reads mapped files, the engine's calls above all.

    Looks after the files before and after, and tells the engine's errors as a user needs them.
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
            raise QueryError(str(error)) from error
        if isinstance(error, _fastsa.Stopped):
            raise Cancelled from error
        if isinstance(error, _fastsa.DamagedTable):
            raise DamagedIndexError(
                tr(
                    "{name} is damaged at byte {byte_offset:,}: the entry points to no token. Copy the index "
                    "again, or rebuild it.",
                    name=error.name,
                    byte_offset=error.byte_offset,
                )
            ) from error
