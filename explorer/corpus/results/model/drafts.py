"""What drafts from a corpus would save, as the library returns it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, reduce

from explorer.analyses.drafts.compute import DraftFigures
from explorer.analyses.drafts.table import DraftFacts, DraftRecord, draft_record, named_figures
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.i18n import counted


class DraftBench(RecordsResult):
    """What drafts from a corpus would save a model that writes some texts; also a table with one row per text.

    Notes
    -----
    The columns of the table are those of `draft --format jsonl`.

    Examples
    --------
    >>> found = corpus.draft_bench(["the cat sat on the mat"])
    >>> found.total.steps, found.total.tokens_per_step
    (2, 2.5)
    """

    _record = DraftRecord

    def __init__(self, found: list[DraftFigures], sources: tuple[str, ...], origin: Origin) -> None:
        super().__init__(origin)
        self._found, self._sources = found, sources

    def __len__(self) -> int:
        return len(self._found)

    @cached_property
    def total(self) -> DraftFigures:
        """The figures of all texts."""
        return reduce(DraftFigures.plus, self._found, DraftFigures())

    @property
    def texts(self) -> tuple[DraftRecord, ...]:
        """The rows of the table."""
        return tuple(self._made())

    @cached_property
    def sources(self) -> tuple[DraftRecord, ...]:
        """One entry per source, in the order in which they occur; `text` is its number."""
        sums: dict[str, DraftFigures] = {}
        for one, name in zip(self._found, self._sources, strict=True):
            sums[name] = sums.get(name, DraftFigures()).plus(one)
        return tuple(draft_record(number, name, found) for number, (name, found) in enumerate(sums.items()))

    def facts(
        self, draft_cost: float, cached_pairs: int | None = None, cached_followers: int | None = None
    ) -> DraftFacts:
        """Give the figures of all texts as a record.

        Parameters
        ----------
        draft_cost
            What it costs to draft for a step and to check the draft, as a part of a call of the model.
        cached_pairs
            Pairs of tokens in a cache that was written.
        cached_followers
            Their followers in it.

        Returns
        -------
        DraftFacts
            What `draft --json` states of the whole.
        """
        speed_up = self.total.speed_up(draft_cost)
        return DraftFacts(
            **named_figures(self.total),
            speed_up=speed_up,
            sources=self.sources,
            cached_pairs=cached_pairs,
            cached_followers=cached_followers,
        )

    def _made(self) -> Iterator[DraftRecord]:
        for number, (found, source) in enumerate(zip(self._found, self._sources, strict=True)):
            yield draft_record(number, source, found)

    def __repr__(self) -> str:
        per_step = "" if self.total.tokens_per_step is None else f", {self.total.tokens_per_step:.3f} tokens per step"
        return f"DraftBench({counted('text', len(self))}{per_step})"
