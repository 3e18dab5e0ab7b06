"""Building, and looking at sources, in a process of its own, which the window does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from explorer.building.paused import forget, remember
from explorer.building.request import BuildRequest
from explorer.building.run import build_requested, discard_unless_resumable
from explorer.building.sample_corpus import build_sample, sample_request
from explorer.building.sources.recognized import Recognized, recognize
from explorer.building.state import can_resume
from explorer.core.files.paths import exists
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.cancel import ASKED
from explorer.core.jobs.child import ChildEndedError, run_in_child
from explorer.errors import BuildError
from explorer.http.wire.hub import absolute_source
from explorer.i18n import mark
from explorer.index.manifest import Manifest


def build_in_process(request: BuildRequest, report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """Build an index in another process, as `build_index` does in this one.

    A cancelled build leaves what can be resumed, or nothing. It is recorded (see `paused`) as long as it can be
    resumed, and while it is paused.

    request: The build; relative paths are those of the current folder.
    Raises `CorpusError` its subclasses, as from `build_index`; `ChildEndedError` if the process ended without an
        answer.
    """
    cancel = cancel or CancelToken()
    # It may be resumed from another folder.
    sources = tuple(map(absolute_source, request.sources))
    request = replace(request, sources=sources, out=request.out.absolute())
    with _remembered(request, cancel):
        return run_in_child(_build, request, report, cancel)


def build_sample_in_process(report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """Build the sample index in another process, as `build_sample` does in this one.

    Raises `CorpusError` its subclasses, as from `build_sample`; `ChildEndedError` if the process ended without an
        answer.
    """
    cancel = cancel or CancelToken()
    with _remembered(sample_request(), cancel, sample=True):
        return run_in_child(_sample, None, report, cancel)


@contextmanager
def _remembered(request: BuildRequest, cancel: CancelToken, sample: bool = False) -> Iterator[None]:
    # In this process and before the child starts: the child may be killed at any moment.
    remember(request, sample)
    try:
        yield
    except ChildEndedError as error:
        raise BuildError(
            mark("{error} The build may have run out of memory."), reason="process-ended", error=error, option="memory"
        ) from error
    finally:
        # A killed child cannot clean up. Files of a build that had no checkpoint are of no use to anybody.
        if not exists(request.out):
            discard_unless_resumable(request.out)
        # A build that is paused before its first checkpoint has nothing to resume, but stays listed: the user asked for
        # that.
        if not can_resume(request.out) and not cancel.paused:
            forget(request.out)


def recognize_in_process(request: BuildRequest, cancel: CancelToken | None = None) -> Recognized:
    """Find out in another process what the sources of a build are, as `recognize` does in this one.

    Raises `CorpusError` `ChildEndedError` if the process ended without an answer.
    """
    # Nothing is recorded: this writes nothing that could be resumed.
    # A person waits for it: on two cores with three busy processes, it took 15 s at the priority of a build, and 3 s at
    # that of the thread that asks.
    return run_in_child(_recognize, request, cancel=cancel, is_awaited=True)


def _build(request: BuildRequest, report: Report) -> Manifest:
    # Not a token of the argument: what the parent asks for arrives in this process as `ASKED`.
    return build_requested(request, report, ASKED)


def _sample(_: None, report: Report) -> Manifest:
    return build_sample(report, ASKED)


def _recognize(request: BuildRequest, _: Report) -> Recognized:
    return recognize(request)
