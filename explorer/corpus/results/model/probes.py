"""Fill-in probes, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from explorer.analyses.probe.probing import Probed
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.export.records.probe import ProbeFacts, ProbeRecord, probe_facts
from explorer.i18n import counted


class Probes(RecordsResult):
    """How a model completes prompts; also a table with one row per prompt.

    Notes
    -----
    The columns of the table are those of `probe --format jsonl`.

    Examples
    --------
    >>> found = corpus.model("infgram").probe(["the cat sat on the"], ["mat"])
    >>> found.texts[0].rank, found.texts[0].best, found.facts().accuracy
    (0, ' mat', 1.0)
    """

    _record = ProbeRecord

    def __init__(self, found: Sequence[Probed], normalised: bool, tuned_on: str | None, origin: Origin) -> None:
        super().__init__(origin)
        self._found, self._normalised, self._tuned_on = found, normalised, tuned_on

    def __len__(self) -> int:
        return len(self._found)

    @cached_property
    def texts(self) -> tuple[ProbeRecord, ...]:
        """The rows of the table."""
        return tuple(self._made())

    def facts(self) -> ProbeFacts:
        """Give the figures of all probes.

        Returns
        -------
        ProbeFacts
            What `probe --json` states of the whole.
        """
        return probe_facts(self.texts, self._normalised, self._tuned_on)

    def _made(self) -> Iterator[ProbeRecord]:
        for number, each in enumerate(self._found):
            first = each.tokens[0]
            yield ProbeRecord(
                text=number,
                prompt=each.prompt,
                ending=each.ending,
                token_count=len(each.tokens),
                probability=float(np.prod([one.share for one in each.tokens])),
                rank=first.rank,
                ranks=tuple(one.rank for one in each.tokens),
                correct=first.is_best,
                best=each.best,
                context_length=each.context_length,
                count=each.count,
                document=each.document,
                offset=each.offset,
            )

    def __repr__(self) -> str:
        return f"Probes({counted('text', len(self))}, accuracy {self.facts().accuracy:.1%})"
