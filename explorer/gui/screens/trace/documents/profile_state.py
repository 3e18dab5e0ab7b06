"""The n-gram profile of one token of the traced text: what is shown, and what is asked. No Qt."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from explorer.analyses.ngram_profile.compute import NgramProfile, ngram_profile
from explorer.analyses.trace.as_read import as_read
from explorer.chart import Chart
from explorer.core.jobs import CancelToken
from explorer.errors import CorpusError
from explorer.export.charts.profile_chart import profile_chart
from explorer.export.provenance import index_facts, with_facts
from explorer.export.reports.trace_html import trace_facts
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.screens.trace.work import TraceAnswer, evidence_of
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, numeral, tr

_LONG = 8
"""Rows with the same numbers from which the middle ones are drawn as one."""


@dataclass(frozen=True)
class ProfileRow:
    """One length, or several with the same numbers.

    n: The length, or the first and the last one.
    count, agreeing: Occurrences of the context, and those that the token follows.
    whole, part: Lengths of the two bars on a logarithmic scale, 0 to 1.
    plateau: Whether the length is one of five or more with the same count.
    share: The part of the occurrences that the token follows, as it is written.
    """

    n: str
    count: int
    agreeing: int
    whole: float
    part: float
    plateau: bool
    share: str


@dataclass(frozen=True, eq=False)
class ProfileAnswer:
    """A profile, and the trace with the token."""

    traced: TraceAnswer
    profile: NgramProfile


def token_text(traced: TraceAnswer, token: int) -> str:
    """Give the characters of a token, as they are read.

    token: The number of the token, from 0.
    """
    trace = as_read(traced.trace)
    return cell_text(trace.text[int(trace.token_starts[token]) : int(trace.token_ends[token])])


def rows_of(profile: NgramProfile) -> tuple[ProfileRow, ...]:
    """Make the rows of a profile.

    Returns: One row per length; of eight or more lengths with the same numbers, the middle ones share a row.
    """
    # The empty context comes first and occurs most often, so no bar is longer than 1. In an index without tokens it
    # occurs nowhere, and 0 has no logarithm.
    top = math.log10(max(1, int(profile.count[0]))) + 1

    def bar(count: int) -> float:
        # A count of 1 has a bar, too: its logarithm is 0.
        return (math.log10(count) + 1) / top if count else 0.0

    found = []
    for first, last in _parts(profile):
        # Lengths that share a row have equal numbers, so those of the first hold for all of them.
        count, agreeing = int(profile.count[first]), int(profile.agreeing[first])
        n = numeral(first + 1) if first == last else tr("{first:,}–{last:,}", first=first + 1, last=last + 1)
        share = _share(float(profile.share[first]))
        found.append(ProfileRow(n, count, agreeing, bar(count), bar(agreeing), bool(profile.plateau[first]), share))
    return tuple(found)


def _share(share: float) -> str:
    """A share in percent; only nothing is 0 %, and only all is 100 %."""
    if 0 < share < 0.005:
        return tr("< 1%")
    return tr("> 99%") if 0.995 <= share < 1 else numeral(share, ".0%")


def _parts(profile: NgramProfile) -> Iterator[tuple[int, int]]:
    """First and last place of each row."""
    # A row ends where either number changes. A plateau is of counts alone, but a row shows both numbers.
    pairs = np.stack([profile.count, profile.agreeing])
    starts = [0, *(np.flatnonzero((np.diff(pairs, axis=1) != 0).any(axis=0)) + 1).tolist(), len(profile)]
    for first, end in itertools.pairwise(starts):
        if end - first < _LONG:
            yield from ((place, place) for place in range(first, end))
        else:
            # Both ends keep rows of their own: they show from which length to which nothing changes.
            yield from ((first, first), (first + 1, end - 2), (end - 1, end - 1))


@dataclass(frozen=True, eq=False)
class ProfileState:
    """The profile of one token.

    shown: Whether the tab is shown.
    traced: The trace that is shown; None without one.
    token: The number of the token, from 0; -1 for none.
    """

    shown: bool = False
    traced: TraceAnswer | None = None
    token: int = -1
    answer: Answer[ProfileAnswer] = field(default_factory=Answer)

    @property
    def of_words(self) -> bool:
        """Whether the text was traced in words: it has no profile then."""
        return self.traced is not None and self.traced.trace.unit == "words"

    @property
    def heading(self) -> str:
        """The token and its place."""
        if self.traced is None or self.token < 0 or self.of_words:
            return tr("N-gram profile")
        return tr(
            "Token {token:,} of {tokens:,}: {text}",
            token=self.token + 1,
            tokens=self.traced.trace.token_count,
            text=token_text(self.traced, self.token),
        )

    @property
    def rows(self) -> tuple[ProfileRow, ...]:
        """The rows of the profile."""
        return () if self.answer.value is None else rows_of(self.answer.value.profile)

    @property
    def sentence(self) -> str:
        """The longest context in a sentence, or what to do; why it failed."""
        if self.answer.error is not None:
            return told(self.answer.error)
        found = self.answer.value
        if self.of_words:
            return tr("The profile is one of tokens. To see it, choose “tokens” as Match in the settings.")
        if found is None:
            return tr("Click a word in the text: its profile shows how often each context before it occurs.")
        profile = found.profile
        said = tr(
            "The longest context that occurs has {tokens} and occurs {times}; this token follows it {follows}.",
            tokens=counted("token", len(profile) - 1),
            times=counted("time", int(profile.count[-1])),
            follows=counted("time", int(profile.agreeing[-1])),
        )
        if profile.plateau.any():
            said += " " + tr(
                "Hatched bars are a plateau: five or more lengths with one count. The corpus has the passage itself "
                "that often, and longer contexts only count its copies."
            )
        return said

    @property
    def dimmed(self) -> bool:
        """Whether the profile is that of another token."""
        return self.answer.dimmed


class ProfilePresenter(Presenter[ProfileState]):
    """Counts the contexts of the token that was chosen last, while its tab is shown."""

    def __init__(self, slot: Slot) -> None:
        super().__init__(ProfileState())
        self._slot = slot
        # A character of the source of the next trace, whose token is to be chosen.
        self._wanted: int | None = None

    def want(self, character: int) -> None:
        """Choose the token with this character of the source in the next trace."""
        self._wanted = character

    def follow(self, traced: TraceAnswer | None) -> None:
        """Take another trace; its last token is chosen unless another one is wanted."""
        if traced is not self.state.traced:
            # Tokens are counted from 0 in each trace, so a late profile of the earlier one would pass for one of this
            # one.
            self._slot.cancel()
            token = -1
            if traced is not None and self._wanted is not None:
                # In characters of the source, unlike in `choose_character`. Used once, and kept while nothing is
                # traced: a screen may be cleared before the wanted trace arrives.
                starts = traced.trace.token_starts
                token, self._wanted = max(0, int(np.searchsorted(starts, self._wanted, side="right")) - 1), None
            self.change(traced=traced, token=token, answer=Answer())
            self._run()

    def show(self, shown: bool) -> None:
        """Show or hide the tab."""
        if shown != self.state.shown:
            self.change(shown=shown)
            self._run()

    def choose_character(self, character: int) -> None:
        """Choose the token with this character of the text as it is read."""
        traced = self.state.traced
        if traced is not None and self.state.shown:
            # The last token that begins at the character or before it. White space before the first token means the
            # first one.
            starts = as_read(traced.trace).token_starts
            self.choose(max(0, int(np.searchsorted(starts, character, side="right")) - 1))

    def choose(self, token: int) -> None:
        """Choose a token by its number."""
        traced = self.state.traced
        if traced is not None and 0 <= token < traced.trace.token_count and token != self.state.token:
            self.change(token=token)
            self._run()

    def step(self, by: int) -> None:
        """Choose the next token (1) or the previous one (-1)."""
        self.choose(self.state.token + by)

    def fail(self, error: CorpusError) -> None:
        """Show why a figure could not be made."""
        self.change(answer=self.state.answer.failed(error))

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the chart of the profile; None if nothing is shown."""
        found = self.state.answer.value
        # Bound to the profile that is shown: the chart is made on another thread, which must not read the state.
        return None if found is None else partial(make_charts, found)

    def _run(self) -> None:
        traced, state = self.state.traced, self.state
        # A hidden profile is not counted; `show` asks for it when its tab is opened.
        if traced is None or not state.shown or state.of_words:
            return
        # Unless one was chosen, the last token: it has the most text before it.
        token = state.token if state.token >= 0 else traced.trace.token_count - 1
        self.change(token=token, answer=state.answer.asked())
        self._slot.run(lambda cancel: profile(traced, token, cancel), self._take, self.fail)

    def _take(self, found: ProfileAnswer) -> None:
        # The slot delivers only the newest request, and `follow` cancels it: this profile is of the trace that is
        # shown.
        self.change(answer=self.state.answer.arrived(found))


def profile(traced: TraceAnswer, token: int, cancel: CancelToken) -> ProfileAnswer:
    """Count the contexts of a token. Runs off the interface thread."""
    return ProfileAnswer(traced, ngram_profile(traced.request.index, traced.trace.token_ids, token, cancel=cancel))


def make_charts(found: ProfileAnswer) -> tuple[Chart, ...]:
    """Make the chart of a profile. Reads the index's fingerprint."""
    evidence = evidence_of([found.traced])
    index = found.traced.request.index
    text = token_text(found.traced, found.profile.position)
    title = tr("Contexts of “{token}” in {name}", token=text, name=index.name)
    facts = (*index_facts(evidence.index), *trace_facts(evidence.traces, evidence.without_self))
    token = (("token", text), ("number of the token, from 1", str(found.profile.position + 1)))
    return with_facts((profile_chart(title, text, found.profile),), (*facts, *token))
