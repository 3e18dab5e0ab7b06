"""What the Index screen does off the interface thread. No Qt."""

from __future__ import annotations

from explorer.api import Corpus
from explorer.building.process import build_in_process, estimate_in_process
from explorer.building.request import BuildRequest
from explorer.building.state import can_resume
from explorer.checking.verify import VerifyReport, verify_index
from explorer.errors import Cancelled
from explorer.gui.screens.index.build_state import Built, Estimated
from explorer.jobs import CancelToken, Report


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
