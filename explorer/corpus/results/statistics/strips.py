"""Where words are in the parts of a corpus, as the library returns it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.analyses.dispersion.spreads import Numbers
from explorer.analyses.dispersion.strips import Strip, Strips
from explorer.analyses.dispersion.table import DispersionRecord, StripRecord
from explorer.backends.documents.document import document_title
from explorer.backends.documents.reading import records_of
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.corpus.results.statistics.dispersion import DispersionTable
from explorer.i18n import tr


class DispersionStrips(RecordsResult):
    """Where some words are; also a table with one row per part and word, of the parts with a hit.

    Examples
    --------
    >>> from explorer import dispersion_strips
    >>> found = dispersion_strips(corpus, ["cat"])
    >>> found.parts, found.measures[0].range, [(row.part, row.count) for row in found]
    (4, 3, [('3', 1), ('0', 1), ('1', 1)])
    """

    _record = StripRecord

    def __init__(
        self,
        forms: Sequence[str],
        strips: Strips,
        labels: Sequence[str] | None,
        origin: Origin,
    ) -> None:
        super().__init__(origin)
        self._forms, self._strips = tuple(forms), strips
        # Of values of a field; None for documents and slices.
        self._labels = None if labels is None else tuple(labels)
        self._order = strips.order()

    def __len__(self) -> int:
        return int(sum((self._strips.counts(word) > 0).sum() for word in range(len(self._forms))))

    @property
    def forms(self) -> tuple[str, ...]:
        """The words, as they were asked for."""
        return self._forms

    @property
    def parts(self) -> int:
        """The number of parts; documents without words are left out."""
        return self._strips.parts.count

    @property
    def met(self) -> int:
        """Parts with a hit of any word."""
        return len(self._order)

    @property
    def total(self) -> int:
        """All words of the parts."""
        return self._strips.parts.total

    @property
    def measures(self) -> tuple[DispersionRecord, ...]:
        """How evenly each word is spread; words that do not occur have no row."""
        return tuple(self.table)

    @property
    def table(self) -> DispersionTable:
        """The measures as a table, which can be written to a file."""
        met = [word for word in range(len(self._forms)) if len(self._strips.hits[word])]
        counts = np.array([len(self._strips.hits[word]) for word in met], np.int64)
        found = self._strips.measures(met) if met else {}
        return DispersionTable([self._forms[word] for word in met], counts, found, self._strips.parts, self._origin)

    def counts(self, form: str) -> Numbers:
        """How often a word is in each part.

        Parameters
        ----------
        form
            One of `forms`.

        Returns
        -------
        Numbers
            In the order of the parts, those without a hit included, int64 [parts].

        Examples
        --------
        >>> from explorer import dispersion_strips
        >>> dispersion_strips(corpus, ["cat"], slices=2).counts("cat").tolist()
        [2, 1]
        """
        return self._strips.counts(self._forms.index(form))

    def strips(self, top: int = 50, *, by_rate: bool = True) -> tuple[Strip, ...]:
        """List the parts with a hit, with the places of all hits in them.

        Parameters
        ----------
        top
            How many at most.
        by_rate
            Whether those with most hits per word come first; otherwise in the order of the corpus.

        Returns
        -------
        tuple of Strip
            The parts. Titles of documents are read from their metadata.
        """
        chosen = self._strips.order(by_rate)[:top].tolist()
        parts, sizes = self._strips.parts, self._strips.sizes.tolist()
        documents = parts.documents[chosen].tolist() if self._of_documents else [None] * len(chosen)
        return tuple(
            Strip(
                title,
                part,
                document,
                int(sizes[part]),
                tuple(tuple(each.of_part(part, sizes[part]).tolist()) for each in self._strips.hits),
            )
            for part, title, document in zip(chosen, self._titles(chosen), documents, strict=True)
        )

    @property
    def _of_documents(self) -> bool:
        return self._labels is None and self._strips.parts.part_of is not None

    def _titles(self, parts: Sequence[int]) -> list[str]:
        if not self._of_documents:
            return (
                [tr("Slice {number}", number=part + 1) for part in parts]
                if self._labels is None
                else [self._labels[part] for part in parts]
            )
        numbers = self._strips.parts.documents[list(parts)]
        records = records_of(self._origin.index, numbers)
        return [document_title(record, number) for record, number in zip(records, numbers.tolist(), strict=True)]

    def _name(self, part: int) -> str:
        if self._labels is not None:
            return self._labels[part]
        return str(int(self._strips.parts.documents[part])) if self._of_documents else str(part)

    def _made(self) -> Iterator[StripRecord]:
        counts = [self._strips.counts(word)[self._order].tolist() for word in range(len(self._forms))]
        for place, part in enumerate(self._order.tolist()):
            size = int(self._strips.sizes[part])
            for form, found in zip(self._forms, counts, strict=True):
                if found[place]:
                    yield StripRecord(self._name(part), size, form, found[place], 1e6 * found[place] / size)

    def __iter__(self) -> Iterator[StripRecord]:
        return self._made()

    def __repr__(self) -> str:
        return f"DispersionStrips({', '.join(self._forms)}: {self.met:,} of {self.parts:,} parts)"
