"""A long request as the user sees it: what it is called, how far it is, how to stop it. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from explorer.core.jobs import Progress
from explorer.i18n import numeral, tr

# The time left is told after 3 seconds and 2 % of the work: earlier guesses jump by minutes.
_KNOWN_AFTER, _KNOWN_SHARE, _LONG = 3.0, 0.02, 90


@dataclass(frozen=True)
class Job:
    """A request that is worth naming. The window lists it while it runs, and asks before it closes.

    title: What it is, such as "Trace of answers.jsonl".
    stop: Stops it; what it has done is lost.
    pause: Stops it at a point from which it can be resumed; None if it cannot.
    folder: The index that it builds, whose unfinished files can be discarded; None for all other work.
    """

    # In the user's language already: it is made together with the request, and may name a file.
    title: str
    stop: Callable[[], object]
    pause: Callable[[], object] | None = None
    folder: Path | None = None


class Working(Protocol):
    """A lane that may be at work on a job; a `Runner` is one."""

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""

    @property
    def job(self) -> Job | None:
        """What is running, if it is worth naming."""

    @property
    def clock(self) -> JobClock:
        """How far it is."""

    def end(self, keep: bool) -> None:
        """Ask it to stop, and whether to keep what it has done; `busy` until it has stopped."""


class JobClock:
    """How far a job is, from its reports.

    now: The time in seconds, from any beginning.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        # None while nothing runs: a clock lives as long as its lane, over many requests.
        self._began: float | None = None
        self._stage = ""
        # When the first report with a share came, and that share.
        self._first: tuple[float, float] | None = None
        self.overall = 0.0

    def begin(self) -> None:
        """A job begins."""
        self.end()
        self._began = self._now()

    def end(self) -> None:
        """It has ended, or there is none."""
        self._began, self._stage, self._first, self.overall = None, "", None, 0.0

    def note(self, progress: Progress) -> None:
        """Take a report."""
        if progress.stage != self._stage:
            if progress.share == 1.0:
                # A stage without shares starts again from 0.
                self._first, self.overall = None, 0.0
            self._stage = progress.stage
        # A bar that goes back would look like lost work.
        self.overall = max(self.overall, progress.overall)
        # Time is counted from the first report: a resumed build begins with a share that took no time now.
        if self._first is None and progress.total > 0:
            self._first = self._now(), self.overall

    @property
    def seconds(self) -> float:
        """Since the job began; 0 if there is none."""
        return 0.0 if self._began is None else self._now() - self._began

    @property
    def share(self) -> float | None:
        """Of the whole job, 0 to 1; None while it is unknown."""
        return None if self._first is None else self.overall

    @property
    def left(self) -> float | None:
        """The estimated remaining seconds; None while they are unknown."""
        if self._first is None:
            return None
        # By the average speed since the first report. The speed of the last seconds would follow every pause of a disk.
        seconds, done = self._now() - self._first[0], self.overall - self._first[1]
        if seconds < _KNOWN_AFTER or done < _KNOWN_SHARE:
            return None
        return seconds * (1 - self.overall) / done


def time_left(seconds: float | None) -> str:
    """Remaining seconds in words; "" for None."""
    if seconds is None:
        return ""
    if seconds < _LONG:
        return tr("≈ {seconds:,} s left", seconds=max(1, round(seconds)))
    return tr("≈ {minutes:,} min left", minutes=round(seconds / 60))


def progress_said(clock: JobClock) -> str:
    """How far a job is, in words: "62%, ≈ 20 s left"."""
    if clock.share is None:
        return tr("working")
    # Whole per cent: a bar beside it shows that something moves.
    share, left = numeral(100 * clock.share, ".0f"), time_left(clock.left)
    return tr("{share}%, {left}", share=share, left=left) if left else tr("{share}%", share=share)


def at_work(lanes: Iterable[Working]) -> list[Working]:
    """The lanes with a job that runs."""
    return [lane for lane in lanes if lane.busy and lane.job is not None]
