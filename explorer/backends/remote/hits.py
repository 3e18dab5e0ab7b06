"""Where n-grams occur, from an index of infini-gram's protocol: one request for each hit that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.ids import checked_ids
from explorer.backends.ngrams import distinct_parts, occurs_in
from explorer.backends.places import Located, Places, drawn
from explorer.backends.protocol import Capabilities, Cut, Ids, Matches, Numbers, Part, TextMatches
from explorer.backends.remote.service import Answer, Service
from explorer.backends.remote.views import Rank, Views
from explorer.errors import CapabilityError
from explorer.i18n import tr
from explorer.jobs import CancelToken
from explorer.patterns.pattern import Pattern


@dataclass(frozen=True)
class RemoteMatches(Matches):
    """An n-gram with its ranks (first, one past the last) in each shard."""

    ranges: tuple[tuple[int, int], ...] = ()

    def ranks(self, numbers: Sequence[int]) -> list[Rank]:
        """Shards and ranks of some of its occurrences, which are numbered from the first shard on."""
        ends = np.cumsum([last - first for first, last in self.ranges])
        shards = np.searchsorted(ends, numbers, side="right").tolist()
        return [
            (shard, self.ranges[shard][1] - int(ends[shard]) + number)
            for shard, number in zip(shards, numbers, strict=True)
        ]


class RemoteHits:
    """Answers `explorer.backends.protocol.HitQuestions`.

    Parameters
    ----------
    service
        The index.
    views
        Reads its documents.
    separator
        The token before each document.
    capabilities
        What is missing, and why.
    """

    def __init__(self, service: Service, views: Views, separator: int, capabilities: Capabilities) -> None:
        self._service, self._views, self._separator = service, views, separator
        self._capabilities = capabilities

    def find(self, ids: Ids) -> RemoteMatches:
        """An n-gram's occurrences; the empty one occurs at every token. One request."""
        checked = checked_ids(ids, self._separator, allow_empty=True)
        return self._found(checked, self._service.ask("find", checked))

    def _found(self, ids: Numbers, answer: Answer) -> RemoteMatches:
        ranges = tuple((first, last) for first, last in answer["segment_by_shard"])
        return RemoteMatches(tuple(ids.tolist()), answer["cnt"], ranges)

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> TextMatches:
        """Not answered.

        Parameters
        ----------
        patterns, cancel
            As in the protocol.

        Raises
        ------
        CapabilityError
            Always.
        """
        raise self._no_texts()

    def occurrences(self, parts: Sequence[Part]) -> RemoteOccurrences:
        """The hits of n-grams; one that extends another adds none.

        Raises
        ------
        CapabilityError
            If a part is a text pattern.
        """
        if any(isinstance(part, TextMatches) for part in parts):
            raise self._no_texts()
        # An n-gram that was found by another backend, or only counted, has no ranks.
        found = [part if isinstance(part, RemoteMatches) else self.find(part.ids) for part in _ngrams(parts)]
        return RemoteOccurrences(found, self._views)

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """Some places of each of many n-grams of one text. One request per n-gram and place.

        Parameters
        ----------
        ids, starts, ends, most, seed, cancel
            As in the protocol.
        """
        parts = [ids[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        answers = self._service.ask_many([self._service.question("find", part) for part in parts], cancel)
        found = [self._found(part, answer) for part, answer in zip(parts, answers, strict=True)]
        chosen = [(number, match, drawn(match.count, most, seed)) for number, match in enumerate(found)]
        which = [number for number, _, some in chosen for _ in some]
        ranks = [rank for _, match, some in chosen for rank in match.ranks(some.tolist())]
        # As many as there are spans: whoever traces a long text knows that it takes long.
        places = self._views.places(ranks, [parts[number] for number in which], limited=False, cancel=cancel)
        return np.array(which, dtype=np.int64), Places(places.documents, places.offsets)

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Which places have one of some n-grams nearby; no request for places that were just located.

        Parameters
        ----------
        places, ngrams, distance, cancel
            As in the protocol.

        Raises
        ------
        CapabilityError
            If the service gives too little text around a place.
        """
        if cancel is not None:
            cancel.check()
        found = np.zeros(len(places), dtype=np.bool_)
        views = self._views.of(places.documents)
        for number, (view, offset) in enumerate(zip(views, places.offsets.tolist(), strict=True)):
            longest = max((len(ngram) for ngram in ngrams), default=0)
            first, last = offset - distance, offset + distance + longest
            if not view.whole and (first < 0 or last > len(view.tokens)):
                raise CapabilityError(
                    tr(
                        "{host} gives {most:,} tokens around a hit, which is not enough to look {distance:,} tokens "
                        "away.",
                        host=self._service.host,
                        most=self._service.limits.max_disp_len // 2,
                        distance=distance,
                    )
                )
            text = view.tokens[max(0, first) : max(0, last)].tolist()
            begins = min(offset + distance, len(view.tokens)) - max(0, first)
            found[number] = any(occurs_in(text, list(ngram), begins) for ngram in ngrams)
        return found

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> Numbers:
        """Not answered.

        Parameters
        ----------
        located, number, cancel
            As in the protocol.

        Raises
        ------
        CapabilityError
            Always.
        """
        raise self._missing("sorting")

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NDArray[np.uint64]:
        """Not answered.

        Parameters
        ----------
        located, width, cancel
            As in the protocol.

        Raises
        ------
        CapabilityError
            Always.
        """
        raise self._missing("sorting")

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """Not answered.

        Parameters
        ----------
        matches, cancel
            As in the protocol.

        Raises
        ------
        CapabilityError
            Always.
        """
        raise self._no_texts()

    def _no_texts(self) -> CapabilityError:
        why_not = tr(
            "{host} finds n-grams of tokens, not texts that may be split differently.", host=self._service.host
        )
        return CapabilityError(why_not, capability="text_patterns", option="match")

    def _missing(self, capability: str) -> CapabilityError:
        return CapabilityError(self._capabilities.missing(capability), capability=capability)


class RemoteOccurrences:
    """The hits of some n-grams, numbered by n-gram, shard and rank."""

    def __init__(self, parts: Sequence[RemoteMatches], views: Views) -> None:
        self._parts, self._views = parts, views
        self._ends = np.cumsum([part.count for part in parts], dtype=np.int64)

    @property
    def total(self) -> int:
        """Number of numbers."""
        return int(self._ends[-1]) if len(self._ends) else 0

    @property
    def count(self) -> int:
        """All of them."""
        return self.total

    @property
    def sieved(self) -> bool:
        """None is hidden."""
        return False

    def locate(self, numbers: Numbers) -> Located:
        """Where some hits are. One request each, if their documents were not read before."""
        which = np.searchsorted(self._ends, numbers, side="right").tolist()
        parts = [self._parts[part] for part in which]
        within = [
            number - int(self._ends[part]) + self._parts[part].count
            for number, part in zip(numbers.tolist(), which, strict=True)
        ]
        ranks = [part.ranks([number])[0] for part, number in zip(parts, within, strict=True)]
        ngrams = [np.array(part.ids, dtype=np.int64) for part in parts]
        return self._views.places(ranks, ngrams)

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """All of them."""
        return np.ones(len(located), dtype=np.bool_)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """The same: n-grams have their length.

        Parameters
        ----------
        located, cancel
            As in the protocol.
        """
        return located


def _ngrams(parts: Sequence[Part]) -> tuple[Matches, ...]:
    return distinct_parts([part for part in parts if isinstance(part, Matches)])
