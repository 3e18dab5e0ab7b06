"""The second half of a build: the suffix array of each shard."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from explorer.corpus.build_state import BuildState
from explorer.corpus.folders import sync_path
from explorer.corpus.writer import Written, write_table
from explorer.jobs import CancelToken, Progress, Report

_SORT_STEPS_A_TOKEN = 5


def sort_shards(partial: Path, state: BuildState, report: Report, cancel: CancelToken) -> BuildState:
    """Make the tables that the state does not have yet; each is declared as soon as the drive holds it."""
    done = 0
    since = time.monotonic()
    for number, shard in enumerate(state.shards):
        name = f"table.{number}"
        if name not in state.tables:
            table = _sort_shard(partial, number, state, done, report, cancel)
            sync_path(partial / name)
            spent, since = time.monotonic() - since, time.monotonic()
            state = replace(state, tables=state.tables | {name: table}, seconds=state.seconds + spent)
            state.write(partial)
        done += shard.token_count
        report(Progress("Sorting", done, state.token_count, "tokens"))
    return state


def _sort_shard(
    partial: Path, number: int, state: BuildState, done: int, report: Report, cancel: CancelToken
) -> Written:
    """Sort on a helper thread, and report from this one while it runs."""
    steps = np.zeros(1, dtype=np.int64)
    made: list[Written] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            made.append(write_table(partial, number, state.token_width, cancel, steps))
        except BaseException as error:  # noqa: BLE001 - raised again on the caller's thread
            errors.append(error)

    thread = threading.Thread(target=work, name="suffix-sort")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            share = min(state.shards[number].token_count, int(steps[0]) // _SORT_STEPS_A_TOKEN)
            report(Progress("Sorting", done + share, state.token_count, "tokens"))
    except BaseException:
        cancel.cancel()
        thread.join()
        raise
    if errors:
        raise errors[0]
    return made[0]
