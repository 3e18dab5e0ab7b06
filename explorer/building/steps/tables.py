"""The second half of a build: the suffix array of each shard."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from explorer.building.state import BuildState
from explorer.core.files.paths import sync_path
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.index.writer import Written, write_table

# The engine counts 4 to 6 steps per token; the bar takes the middle, and waits at the end of the shard.
_SORT_STEPS_A_TOKEN = 5
_DECLARE_SECONDS = 5.0


def sort_shards(partial: Path, state: BuildState, report: Report, cancel: CancelToken) -> BuildState:
    """Make the suffix arrays that a build does not have yet; finished ones are recorded every few seconds.

    Raises `Cancelled` if it was cancelled; finished tables are recorded before.
    Raises `OSError` if the drive is full or cannot be written.
    """
    with Tables(partial, state) as tables:
        done = 0
        for number, shard in enumerate(state.shards):
            if f"table.{number}" not in state.tables:

                def sorted_so_far(share: int, before: int = done) -> None:
                    report(Progress("Sorting", before + share, state.token_count, "tokens"))

                count = shard.token_count
                made = sort_table(partial, number, state.token_width, count, sorted_so_far, cancel)
                tables.add(f"table.{number}", made)
            done += shard.token_count
            report(Progress("Sorting", done, state.token_count, "tokens"))
    return tables.state


class Tables:
    """The files that were made of shards, and the state that lists those that the drive holds.

    A context: at its end, also after an error, the drive holds all of them, and the state lists them.

    partial: The folder of the build.
    state: The build so far.
    """

    def __init__(self, partial: Path, state: BuildState) -> None:
        self._partial = partial
        self._since = time.monotonic()
        self._made: dict[str, Written] = {}
        self.state = state

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        # Report what stopped the work, not that a full disk cannot record it either.
        with suppress(OSError) if error is not None else nullcontext():
            self.declare()

    def add(self, name: str, made: Written) -> None:
        """Add a file; it is declared together with the others of the last seconds."""
        self._made[name] = made
        # Waiting for the drive after each of a thousand small tables would take longer than sorting them.
        if time.monotonic() - self._since >= _DECLARE_SECONDS:
            self.declare()

    def declare(self) -> None:
        """Wait until the drive holds the new tables, and declare them."""
        if not self._made:
            return
        # The drive must hold a table before the state names it.
        for name in self._made:
            sync_path(self._partial / name)
        spent, self._since = time.monotonic() - self._since, time.monotonic()
        tables = self.state.tables | self._made
        self.state = replace(self.state, tables=tables, seconds=self.state.seconds + spent)
        self.state.write(self._partial)
        self._made = {}


def sort_table(
    partial: Path, number: int, token_width: int, tokens: int, report: Callable[[int], None], cancel: CancelToken
) -> Written:
    """Sort one shard on a helper thread, and report from this one while it runs.

    partial: The folder with the shard's tokens.
    token_width: Bytes per token: 1, 2 or 4.
    report: Called ten times a second with the tokens sorted.
    cancel: Stops the sort; an error of `report` sets it.
    Raises `OSError` if the drive is full or cannot be written.
    """
    return on_a_thread(
        lambda stop, steps: write_table(partial, number, token_width, stop, steps),
        lambda steps: report(min(tokens, steps // _SORT_STEPS_A_TOKEN)),
        cancel,
    )


def on_a_thread(
    make: Callable[[CancelToken, NDArray[np.int64]], Written], report: Callable[[int], None], cancel: CancelToken
) -> Written:
    """Make a file on a helper thread, and report from this one while it runs.

    make: Makes the file; it is given what stops it, and one int64 that it lets grow.
    report: Called ten times a second with that number.
    cancel: Stops the work; an error of `report` sets it.
    Raises `OSError` if the drive is full or cannot be written.
    """
    steps = np.zeros(1, dtype=np.int64)
    made: list[Written] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            made.append(make(cancel, steps))
        except BaseException as error:  # noqa: BLE001 - raised again on the caller's thread
            errors.append(error)

    # On a thread of its own, since Ctrl-C and progress belong to the caller's: a call of the engine would hold up both
    # until the shard is sorted.
    thread = threading.Thread(target=work, name="suffix-sort")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            report(int(steps[0]))
    except BaseException:
        # The work reads a mapped file and writes into the folder that the caller may now remove, so it ends first.
        cancel.cancel()
        thread.join()
        raise
    if errors:
        raise errors[0]
    return made[0]
