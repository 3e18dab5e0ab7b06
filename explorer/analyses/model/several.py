"""Several methods on the same texts: the levels of each token are looked up once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from explorer.analyses.model.fallback import weighed
from explorer.analyses.model.levels import Levels, Places, Reach, levels_of, places_in
from explorer.analyses.model.method import Method
from explorer.analyses.model.scoring import Scorable, TextScores, Vocabulary
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report


def score_by_each(
    index: Backend,
    methods: Sequence[tuple[Method, Vocabulary]],
    texts: Sequence[Scorable],
    leave_one_out: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> list[list[TextScores]]:
    """Score the tokens of texts by several methods; for one method, see `explorer.analyses.model.scoring.score_texts`.

    leave_one_out: Whether each text is in the index, and its own occurrences do not count.
    report: Called with the tokens that are done, over all passes.

    Notes
    -----
    Cost: one search of levels for all methods that skip the same suffixes and have the same longest context. That
    search is nearly all of the cost, so six methods take little longer than one.
    """
    places = places_in([text.ids for text in texts], [text.first for text in texts])
    groups: dict[tuple[int, bool], list[int]] = {}
    for number, (method, _) in enumerate(methods):
        groups.setdefault((method.reach.context, method.reach.selective), []).append(number)
    # One pass per longest context and kind of level: what differs beyond that is chosen from the same levels.
    made = [_Scores(method, vocabulary, len(places)) for method, vocabulary in methods]
    done = 0
    for (context, selective), numbers in groups.items():
        here = [made[number] for number in numbers]
        for levels in levels_of(index, places, _widest(here, context, selective, leave_one_out), cancel):
            for each in here:
                each.take(levels)
            done += len(levels)
            report(Progress("Scoring", done, len(places) * len(groups), "tokens"))
    return [each.by_text(texts, places) for each in made]


def _widest(methods: Sequence[_Scores], context: int, selective: bool, leave_one_out: bool) -> Reach:
    """The levels that any of the methods needs."""
    reaches = [each.method.reach for each in methods]
    most = [reach.most for reach in reaches if reach.most is not None]
    # A method that wants all levels needs more than any number of them.
    widest = max(most) if len(most) == len(reaches) else None
    return Reach(context, selective, widest, any(reach.empty for reach in reaches), leave_one_out)


def part_of(levels: Levels, reach: Reach) -> Levels:
    """Choose from levels those of a narrower reach.

    levels: Levels of the same context, selective or not as in `reach`.
    reach: Which of them are wanted: as many from the longest as `most`, the empty context only with `empty`.
    """
    most = slice(0, reach.most)
    lengths, followed = levels.lengths[:, most], levels.followed[:, most]
    distinct, times = levels.distinct[:, most], levels.times[:, most]
    if not reach.empty:
        # The empty context is the last level of a token, so nothing comes after the gap.
        followed, distinct, times = (np.where(lengths > 0, each, 0) for each in (followed, distinct, times))
    return replace(levels, lengths=lengths, followed=followed, distinct=distinct, times=times)


class _Scores:
    """The scores of one method so far."""

    def __init__(self, method: Method, vocabulary: Vocabulary, tokens: int) -> None:
        self.method, self._vocabulary, self._done = method, vocabulary, 0
        self._shares, self._lengths = np.zeros(tokens), np.zeros(tokens, dtype=np.int64)
        self._known, self._fallbacks = np.zeros(tokens, dtype=np.bool_), np.zeros(tokens, dtype=np.int8)

    def take(self, every: Levels) -> None:
        """Score the next tokens."""
        levels = part_of(every, self.method.reach)
        here = slice(self._done, self._done + len(levels))
        possible = replace(levels, known=np.ones_like(levels.known)) if self._vocabulary.every else levels
        found = weighed(self.method, possible, self._vocabulary.size)
        self._shares[here], self._lengths[here], self._fallbacks[here] = found
        self._known[here] = levels.known
        self._done += len(levels)

    def by_text(self, texts: Sequence[Scorable], places: Places) -> list[TextScores]:
        """The scores of each text."""
        ends = np.cumsum([max(0, len(text.ids) - text.first) for text in texts]).tolist()
        starts = [0, *ends][: len(ends)]
        return [
            TextScores(
                text.first,
                self._shares[start:end],
                self._lengths[start:end],
                self._known[start:end],
                text.characters,
                text.bytes,
                self.method.floor,
                fallbacks=self._fallbacks[start:end],
            )
            for text, start, end in zip(texts, starts, ends, strict=True)
        ]
