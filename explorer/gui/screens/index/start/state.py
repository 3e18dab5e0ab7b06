"""What the first page shows: indexes that were opened before, paused builds, and examples on the sample. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING

from explorer.analyses.trace.example import example_answer, example_prompt
from explorer.core.files.sizes import size_text
from explorer.gui.presenting.cells import short
from explorer.gui.presenting.requests import ContinueText, Request, SearchText, TraceText
from explorer.gui.remote.hosts import host_of
from explorer.i18n import counted, mark, numeral, tr

if TYPE_CHECKING:
    from explorer.backends.summary import IndexSummary
    from explorer.building.paused import PausedBuild
    from explorer.gui.index.recents import RecentIndex

_WEEK = 7
_WEEKDAYS = (
    mark("Monday"),
    mark("Tuesday"),
    mark("Wednesday"),
    mark("Thursday"),
    mark("Friday"),
    mark("Saturday"),
    mark("Sunday"),
)


@dataclass(frozen=True)
class RecentRow:
    """An index of the list, as it is shown.

    path: Its folder or address.
    facts: Tokens, documents, size, and when it was opened last.
    pinned: Whether it is kept at the top.
    missing: Whether its folder holds no index any more.
    is_elsewhere: Whether it is asked by an address.
    """

    path: str
    name: str
    facts: str
    pinned: bool
    missing: bool
    is_elsewhere: bool = False


@dataclass(frozen=True)
class Example:
    """A question to the sample.

    request: Makes what is asked of that screen.
    """

    picture: str
    title: str
    screen: str
    request: Callable[[], Request]


def _trace_example() -> Request:
    return TraceText(example_answer(), example_prompt())


def _search_example() -> Request:
    return SearchText("raise ValueError")


def _next_example() -> Request:
    return ContinueText("os.path.join(")


EXAMPLES = (
    Example("search", mark("How often is “raise ValueError” written?"), mark("Search"), _search_example),
    Example("next", mark("What comes after “os.path.join(”?"), mark("Next token"), _next_example),
    Example("trace", mark("Trace an answer about heaps"), mark("Trace"), _trace_example),
)


@dataclass(frozen=True, eq=False)
class StartState:
    """What can be opened.

    recent: Indexes that were opened before.
    summaries: What their folders show of them; a folder that was not looked at yet is not in it.
    today: The day for which times are written.
    paused: Builds that can be resumed.
    sample_built: Whether the sample index is there.
    """

    recent: tuple[RecentIndex, ...] = ()
    summaries: Mapping[str, IndexSummary] = field(default_factory=dict)
    today: date = date.min
    paused: tuple[PausedBuild, ...] = ()
    sample_built: bool = False

    @property
    def rows(self) -> tuple[RecentRow, ...]:
        """The list, pinned ones first."""
        return tuple(_row(recent, self.summaries.get(recent.path), self.today) for recent in self.recent)

    @property
    def sample_title(self) -> str:
        """What the sample is."""
        if self.sample_built:
            return tr("Try the sample: the Python standard library")
        return tr("Try the sample: the Python standard library, built once in about a minute")

    @property
    def sample_action(self) -> str:
        """What else can be done with the sample."""
        return tr("Only open the sample") if self.sample_built else tr("Only build the sample")


def _row(recent: RecentIndex, summary: IndexSummary | None, today: date) -> RecentRow:
    own = summary.name if summary is not None else ""
    # The user's name first, then the build's: another program may have changed it since the index was opened.
    name = recent.name or own or recent.shown
    if host := host_of(recent.path):
        # Nobody is asked for a list: what is known is from the last time.
        tokens = "" if recent.tokens is None else tr("{tokens} tokens", tokens=short(recent.tokens))
        facts = "  ·  ".join(part for part in (host, tokens, day_text(recent.opened, today)) if part)
        return RecentRow(recent.path, name, facts, recent.pinned, missing=False, is_elsewhere=True)
    if summary is not None and not summary.found:
        return RecentRow(recent.path, name, tr("folder not found"), recent.pinned, missing=True)
    # Until its folder was looked at, nothing is known of an index but its path.
    parts = [*_figures(summary), day_text(recent.opened, today)] if summary is not None else [""]
    facts = "  ·  ".join(part for part in parts if part)
    return RecentRow(recent.path, name, facts or recent.path, recent.pinned, missing=False)


def _figures(summary: IndexSummary) -> list[str]:
    """Tokens, documents and size, where they are known."""
    found = []
    if summary.tokens is not None:
        # Where a token is one byte, "tokens" would suggest words.
        unit = tr("bytes") if summary.by_bytes else tr("tokens")
        found.append(f"{short(summary.tokens)} {unit}")
    if summary.documents is not None:
        found.append(counted("document", summary.documents))
    if summary.size is not None:
        found.append(size_text(summary.size))
    return found


def day_text(moment: str, today: date) -> str:
    """Write the day of a moment: today, yesterday, a weekday of the last week, or the date.

    moment: A time in ISO 8601; without a time zone it is local time.
    today: The day on which it is written, in local time.
    Returns: The day in words; "" for what is not a time.

    Examples
    --------
    >>> day_text("2026-03-03T12:00:00", date(2026, 3, 4)), day_text("2026-02-01T12:00:00", date(2026, 3, 4))
    ('yesterday', '2026-02-01')
    """
    try:
        found = datetime.fromisoformat(moment)
    except ValueError:
        return ""
    day = found.astimezone().date()
    days = (today - day).days
    if days == 0:
        return tr("today")
    if days == 1:
        return tr("yesterday")
    # A day in the future, after a clock was set back, is written as a date.
    return tr(_WEEKDAYS[day.weekday()]) if 0 < days < _WEEK else day.isoformat()


def describe_paused(build: PausedBuild) -> str:
    """What is finished and what is left."""
    if build.read <= 0:
        return tr("Nothing has been saved yet, so the build will start over. {out}", out=build.request.out)
    if build.read < 1:
        return tr(
            "{read} of the texts have been read; sorting has not started. {out}",
            read=_share(build.read),
            out=build.request.out,
        )
    return tr(
        "All texts have been read; {sorted} have been sorted. {out}", sorted=_share(build.sorted), out=build.request.out
    )


def _share(value: float) -> str:
    return numeral(100 * value, ".0f") + "%"
