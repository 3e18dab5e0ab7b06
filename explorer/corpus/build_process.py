"""Building and estimating in a process of its own, which the window does."""

from __future__ import annotations

from explorer.corpus.build import build_index, discard_unless_resumable
from explorer.corpus.build_request import BuildRequest
from explorer.corpus.estimate import BuildEstimate, estimate_build
from explorer.corpus.folders import exists
from explorer.corpus.manifest import Manifest
from explorer.corpus.sample import build_sample, sample_folder
from explorer.errors import BuildError
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.cancel import ASKED
from explorer.jobs.child import ChildEndedError, run_in_child
from explorer.words import tr


def build_in_process(request: BuildRequest, report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """As `build_index`, in another process. A cancelled build leaves what can be resumed, or nothing."""
    try:
        return run_in_child(_build, request, report, cancel)
    except ChildEndedError as error:
        raise BuildError(
            tr(
                "{error} Building was perhaps short of memory. Set a memory limit or more shards, and resume it.",
                error=error,
            )
        ) from error
    finally:
        if not exists(request.out):
            discard_unless_resumable(request.out)


def build_sample_in_process(report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """As `build_sample`, in another process."""
    try:
        return run_in_child(_sample, None, report, cancel)
    finally:
        if not exists(sample_folder()):
            discard_unless_resumable(sample_folder())


def estimate_in_process(request: BuildRequest, cancel: CancelToken | None = None) -> BuildEstimate:
    """As `estimate_build`, in another process."""
    return run_in_child(_estimate, request, cancel=cancel)


def _build(request: BuildRequest, report: Report) -> Manifest:
    wishes = {name: value for name, value in vars(request).items() if name not in ("sources", "out")}
    return build_index(request.sources, request.out, report=report, cancel=ASKED, **wishes)


def _sample(_: None, report: Report) -> Manifest:
    return build_sample(report, ASKED)


def _estimate(request: BuildRequest, _: Report) -> BuildEstimate:
    return estimate_build(request)
