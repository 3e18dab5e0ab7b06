"""Where n-grams occur, from an index of infini-gram's protocol: one request for each hit that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.backends.defaults.ids import checked_ids
from explorer.backends.defaults.ranked import RankedHits, RankedMatches, RankedOccurrences, parts_of, ranks_of
from explorer.backends.ngrams import occurs_in
from explorer.backends.places import Located, Places, drawn
from explorer.backends.protocol.protocol import Capabilities, Ids, Numbers, Part
from explorer.backends.remote.service import Answer, Service
from explorer.backends.remote.views import Views
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.i18n import tr


class RemoteHits(RankedHits):
    """Answers `explorer.backends.protocol.protocol.HitQuestions`.

    separator: The token before each document.
    capabilities: What is missing, and why.
    """

    def __init__(self, service: Service, views: Views, separator: int, capabilities: Capabilities) -> None:
        super().__init__(capabilities)
        self._service, self._views, self._separator = service, views, separator

    def find(self, ids: Ids) -> RankedMatches:
        """An n-gram's occurrences; the empty one occurs at every token. One request."""
        checked = checked_ids(ids, self._separator, allow_empty=True)
        return self._found(checked, self._service.ask("find", checked))

    def _found(self, ids: Numbers, answer: Answer) -> RankedMatches:
        ranges = tuple((first, last) for first, last in answer["segment_by_shard"])
        return RankedMatches(tuple(ids.tolist()), answer["cnt"], ranges)

    def occurrences(self, parts: Sequence[Part]) -> RemoteOccurrences:
        """The hits of n-grams; one that extends another adds none.

        Raises `CapabilityError` if a part is a text pattern.
        """
        return RemoteOccurrences(self.ranked(parts), self._views)

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """Some places of each of many n-grams of one text. One request per n-gram and place."""
        parts = parts_of(ids, starts, ends)
        answers = self._service.ask_many([self._service.question("find", part) for part in parts], cancel)
        found = [self._found(part, answer) for part, answer in zip(parts, answers, strict=True)]
        chosen = [(number, match, drawn(match.count, most, seed)) for number, match in enumerate(found)]
        which = [number for number, _, some in chosen for _ in some]
        ranks = [rank for _, match, some in chosen for rank in ranks_of(match.ranges, some.tolist())]
        # As many as there are spans: whoever traces a long text knows that it takes long.
        places = self._views.places(ranks, [parts[number] for number in which], limited=False, cancel=cancel)
        return np.array(which, dtype=np.int64), Places(places.documents, places.offsets)

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Which places have one of some n-grams nearby; no request for places that were just located.

        Raises `CapabilityError` if the service gives too little text around a place.
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

    def _refuse_texts(self) -> NoReturn:
        why_not = tr(
            "{host} finds n-grams of tokens, not texts that may be split differently.", host=self._service.host
        )
        raise CapabilityError(why_not, capability="text_patterns", option="match")


class RemoteOccurrences(RankedOccurrences):
    """The hits of some n-grams."""

    def __init__(self, parts: Sequence[RankedMatches], views: Views) -> None:
        super().__init__(parts)
        self._views = views

    def locate(self, numbers: Numbers) -> Located:
        """Where some hits are. One request each, if their documents were not read before."""
        parts, ranks = self.chosen(numbers)
        return self._views.places(ranks, [np.array(part.ids, dtype=np.int64) for part in parts])
