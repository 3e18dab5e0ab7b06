"""Estimates, builds, pauses and resumes what is entered in the form. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.index.build.state import BuildState, Built, Entries, Estimated, Looked, entries_of
from explorer.gui.screens.index.work import build_or_stop, discard_builds, look_at_sources, read_line
from explorer.i18n import tr
from explorer.core.jobs import Kind, Progress

if TYPE_CHECKING:
    from explorer.building.request import BuildRequest
    from explorer.errors import CorpusError

_ESTIMATE_MS = 400
_NOTHING: dict[str, Any] = {"found": None, "left_out": (), "kind": None}
"""The fields of the state before anything was found."""


class BuildPresenter(Presenter[BuildState]):
    """The form for builds.

    built: Called with the folder of a new index, and what it is.
    ended: Called when a build has ended, however it did: there may be one to resume, or one less.
    """

    def __init__(self, services: Services, built: Callable[[Path, Built], None], ended: Callable[[], None]) -> None:
        super().__init__(BuildState())
        self._built, self._ended = built, ended
        # A slot each: a line that is read or an estimate must never end a build.
        self._builder = services.slot("build", kind=Kind.APART)
        self._estimator = services.slot("estimate", kind=Kind.APART)
        self._line_reader = services.slot("bad line", timed=False)
        self._discarder = services.slot("discarded build", timed=False, kind=Kind.APART)
        self._typing = services.delay(_ESTIMATE_MS, self.estimate)

    def enter(self, **entries: Any) -> None:
        """Change some of the entries, by their names in `Entries`; they are estimated after a moment."""
        changed = replace(self.state.entries, **entries)
        if changed == self.state.entries:
            return
        # What failed was another build. While one runs, its outcome is still to come.
        build = self.state.build if self.state.building else Answer[Built]()
        self.change(entries=changed, build=build, bad_line=Answer())
        self._estimate_soon()

    def _estimate_soon(self) -> None:
        # The answer on its way is about other entries, and so is a line that was read.
        self._estimator.cancel()
        self._line_reader.cancel()
        asked = self.state.estimate.asked()
        self.change(estimate=asked if self.state.can_build else asked.stopped())
        self._typing.start()

    def clear(self) -> None:
        """Forget what is entered, and go back to the beginning. A build that runs is not affected."""
        if not self.state.building:
            self._typing.stop()
            self._estimator.cancel()
            self._line_reader.cancel()
            self.change(entries=Entries(), estimate=Answer(), build=Answer(), bad_line=Answer(), **_NOTHING)

    def add_sources(self, paths: Sequence[str]) -> None:
        """Add files or folders, each once; proposes where to build."""
        entries = self.state.entries
        # A dialog that is canceled returns an empty path.
        sources = tuple(dict.fromkeys([*entries.sources, *filter(None, paths)]))
        changed = replace(entries, sources=sources)
        self.enter(sources=sources, out=entries.out or (changed.proposed if sources else ""))

    def remove_source(self, number: int) -> None:
        """Take a source off the list."""
        sources = self.state.entries.sources
        if 0 <= number < len(sources):
            self.enter(sources=(*sources[:number], *sources[number + 1 :]))

    def choose_kind(self, kind: str | None) -> None:
        """Show the first documents of one kind of files; None for all."""
        self.change(kind=kind)

    def settle_target(self) -> None:
        """Write the folder in full, once it is typed."""
        entries = self.state.entries
        if entries.out.strip() and entries.sources:
            self.enter(out=str(entries.target))

    def show_request(self, request: BuildRequest) -> None:
        """Enter a build."""
        self.enter(**vars(entries_of(request)))

    def estimate(self) -> None:
        """Find what the build would need, and documents as it would read them."""
        self._typing.stop()
        if self.state.building:
            return
        if not self.state.can_build:
            self._estimator.cancel()
            # Without a folder nothing can be estimated, but what the sources are is still true.
            self.change(estimate=Answer(), **({} if self.state.entries.sources else _NOTHING))
            return
        request = self.state.entries.request()
        self.change(estimate=self.state.estimate.asked())
        self._estimator.run(lambda cancel: look_at_sources(request, cancel), self._take_estimate, self._no_estimate)

    def _take_estimate(self, looked: Looked) -> None:
        found = looked.found
        # An error that would prevent the build is part of the answer, beside the fields that were found before it.
        if found.estimate is not None:
            estimate = self.state.estimate.arrived(Estimated(found.estimate, looked.resumable))
        else:
            assert found.problem is not None
            estimate = self.state.estimate.failed(found.problem)
        self.change(found=found, left_out=looked.left_out, estimate=estimate)

    def _no_estimate(self, error: CorpusError) -> None:
        self.change(estimate=self.state.estimate.failed(error))

    def start(self, resume: bool = False) -> None:
        """Start the build that is entered."""
        if self.state.can_build:
            # The field that is shown, if it was only proposed: it must not change when the build is resumed.
            request = replace(self.state.entries.request(), text_field=self.state.text_field)
            self.start_request(replace(request, resume=resume))

    def start_request(self, request: BuildRequest) -> None:
        """Build in a separate process; a build that runs is not replaced."""
        if self.state.building:
            return
        self._typing.stop()
        self._estimator.cancel()
        # Made before the request: it belongs to the one that is made next.
        report = self._builder.reporter(self._report)
        self.change(
            estimate=self.state.estimate.stopped(),
            begun=request,
            build=Answer[Built]().asked(),
            pausing=False,
            discarding=False,
            progress=None,
        )
        # Both ways to stop it from the window pause it; what is done can be discarded later, by its folder.
        job = Job(tr("Build of {name}", name=request.name or request.out.name), self.pause, self.pause, request.out)
        self._builder.run(lambda cancel: build_or_stop(request, report, cancel), self._take, self._fail, job)

    def pause(self) -> None:
        """Pause the build at a safe point, and keep what it has done."""
        if self.state.building and not self.state.stopping:
            self.change(pausing=True)
            # Not the slot's `cancel`: the build runs to a safe point, and `_take` is still called.
            self._builder.end(keep=True)

    def cancel(self) -> None:
        """Stop the build, and remove what it has done."""
        if self.state.building and not self.state.stopping:
            self.change(discarding=True)
            self._builder.end(keep=False)

    def show_line(self) -> None:
        """Read the line at which the build stops, as it is in its file."""
        place = self.state.bad_place
        if place is not None:
            path, line = place
            self.change(bad_line=self.state.bad_line.asked())
            self._line_reader.run(
                lambda _: read_line(path, line),
                lambda text: self.change(bad_line=self.state.bad_line.arrived(text)),
                lambda error: self.change(bad_line=self.state.bad_line.failed(error)),
            )

    def remedy(self, name: str) -> None:
        """Do something about the error, one of `REMEDIES`."""
        # Only the build that failed is continued: an estimate may have found the same in sources that are new.
        failed = self.state.begun if self.state.build.error is not None else None
        # `text_field` is not here: the page itself lets the user choose another one.
        if name == "metadata" and self.state.proposal is not None:
            self.enter(metadata=str(self.state.proposal.path), text_field="")
        elif name == "exclude" and self.state.bad_file:
            self.enter(exclude=(*self.state.entries.exclude, self.state.bad_file), text_field="")
        elif name == "skip_bad":
            self.enter(skip_bad=True)
            if failed is not None:
                self.start_request(replace(failed, skip_bad=True, resume=True))
        elif name == "restart":
            entered = replace(self.state.entries.request(), text_field=self.state.text_field)
            self.start_request(replace(failed or entered, resume=False))

    def _report(self, progress: Progress) -> None:
        self.change(progress=progress)

    def _take(self, built: Built | None) -> None:
        """Open the new index; None: the build was paused, or is to be discarded."""
        assert self.state.begun is not None
        out = self.state.begun.out
        if built is not None:
            # Before `built`, which clears the form; that does nothing while a build runs.
            self._end(self.state.build.arrived(built))
            self._built(out, built)
        elif self.state.discarding:
            self._discarder.run(lambda _: discard_builds([out]), lambda _: self._end_stopped(), self._fail)
        else:
            # A paused build is offered on the first page; in the form it would be a second time.
            paused = self.state.pausing
            self._end_stopped()
            if paused:
                self.clear()

    def _end_stopped(self) -> None:
        self._end(self.state.build.stopped())

    def _fail(self, error: CorpusError) -> None:
        self._end(self.state.build.failed(error))

    def _end(self, build: Answer[Built]) -> None:
        self.change(build=build, pausing=False, discarding=False)
        self._ended()
        # There may be something to resume now, and there is less room on the drive.
        self._estimate_soon()
