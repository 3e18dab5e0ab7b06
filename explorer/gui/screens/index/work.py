"""What the Index screen does off the interface thread. No Qt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from explorer.api import Corpus
from explorer.building.paused import discard_build, paused_builds
from explorer.building.process import build_in_process, estimate_in_process
from explorer.building.request import BuildRequest
from explorer.building.run import REPORT_NAME
from explorer.building.source import Problem
from explorer.building.state import can_resume
from explorer.checking.verify import VerifyReport, verify_index
from explorer.errors import BuildError, Cancelled, DamagedIndexError
from explorer.gui.screens.index.build_state import Built, Estimated
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report

__all__ = [
    "build_or_pause",
    "discard_builds",
    "estimate_and_look",
    "paused_builds",
    "read_report",
    "verify_all",
]


def verify_all(corpus: Corpus, deep: bool, report: Report, cancel: CancelToken) -> tuple[VerifyReport, ...]:
    """Check every folder of an index.

    Parameters
    ----------
    corpus
        The index.
    deep
        Whether to check everything.
    report
        Called with the progress.
    cancel
        Stops the check.

    Returns
    -------
    tuple[VerifyReport, ...]
        One report per folder.
    """
    index = corpus.index
    tokenizer = index.tokenizer if index.has_tokenizer else None
    return tuple(verify_index(path, deep, tokenizer, report, cancel) for path in corpus.folders)


def estimate_and_look(request: BuildRequest, cancel: CancelToken) -> Estimated:
    """What a build would need, and whether there is one to resume in its folder."""
    return Estimated(estimate_in_process(request, cancel), can_resume(request.out))


def build_or_pause(request: BuildRequest, report: Report, cancel: CancelToken) -> Built | None:
    """Build in a process of its own; None if the build was asked to end before it was complete."""
    try:
        return Built(bool(build_in_process(request, report, cancel).skipped))
    except Cancelled:
        # A runner answers nobody about work that ended this way, and the form has to know that its build did.
        return None


def discard_builds(outs: Sequence[Path]) -> None:
    """Remove the files of paused builds; raises BuildError if some cannot be removed."""
    kept: list[BuildError] = []
    for out in outs:
        try:
            discard_build(out)
        except OSError as error:
            kept.append(
                BuildError(
                    mark("The paused build {path} cannot be removed ({cause})."),
                    reason="not-removed",
                    path=out,
                    cause=error,
                )
            )
    if kept:
        raise kept[0]


def read_report(folder: Path) -> tuple[Problem, ...]:
    """The problems of `report.json`; raises DamagedIndexError if it is not a report of a build."""
    path = folder / REPORT_NAME
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return tuple(Problem(str(row["path"]), int(row["place"]), str(row["reason"])) for row in rows)
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise DamagedIndexError(
            mark("{path} cannot be read ({cause})."), reason="unreadable", path=path, cause=error
        ) from error
