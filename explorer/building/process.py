"""Building and estimating in a process of its own, which the window does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from explorer.building.estimate import BuildEstimate, estimate_build
from explorer.building.paused import forget, remember
from explorer.building.request import BuildRequest
from explorer.building.run import build_index, discard_unless_resumable
from explorer.building.sample_corpus import build_sample, sample_request
from explorer.building.state import can_resume
from explorer.errors import BuildError
from explorer.files.paths import exists
from explorer.i18n import tr
from explorer.index.manifest import Manifest
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.cancel import ASKED
from explorer.jobs.child import ChildEndedError, run_in_child


def build_in_process(request: BuildRequest, report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """As `build_index`, in another process. A cancelled build leaves what can be resumed, or nothing.

    It is recorded (see `paused`) as long as it can be resumed, and while it is paused.
    """
    cancel = cancel or CancelToken()
    # It may be resumed from another folder.
    sources = tuple(source.absolute() for source in request.sources)
    request = replace(request, sources=sources, out=request.out.absolute())
    with _remembered(request, cancel):
        return run_in_child(_build, request, report, cancel)


def build_sample_in_process(report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """As `build_sample`, in another process."""
    cancel = cancel or CancelToken()
    with _remembered(sample_request(), cancel, sample=True):
        return run_in_child(_sample, None, report, cancel)


@contextmanager
def _remembered(request: BuildRequest, cancel: CancelToken, sample: bool = False) -> Iterator[None]:
    remember(request, sample)
    try:
        yield
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
        if not can_resume(request.out) and not cancel.paused:
            forget(request.out)


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
