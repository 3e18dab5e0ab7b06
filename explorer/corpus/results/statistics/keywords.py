"""Keywords, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from explorer.analyses.keywords.compute import KeywordTable
from explorer.analyses.keywords.table import KeywordRecord
from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import known
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RowsResult
from explorer.corpus.results.statistics.ngrams import form_of
from explorer.words.tokenizer import WordTokenizer


class Keywords(RowsResult[KeywordRecord]):
    """Keywords, the strongest first, then negative keywords, the strongest first; also a table with one row per word.

    Examples
    --------
    >>> found = corpus.keywords({"the": 1, "dog": 5}, min_count=1)
    >>> found.total > found.reference_total, found.reference
    (True, 'word list')
    """

    _record = KeywordRecord

    def __init__(self, found: KeywordTable, reference: str, counted: Backend, origin: Origin) -> None:
        super().__init__(origin)
        self._found = found
        self._reference = reference
        self._rows = tuple(_records(found, counted))

    @property
    def reference(self) -> str:
        """What was compared with."""
        return self._reference

    @property
    def total(self) -> int:
        """The words or tokens of the corpus."""
        return self._found.pair.size

    @property
    def reference_total(self) -> int:
        """The words or tokens of the reference."""
        return self._found.pair.reference_size

    @property
    def tested(self) -> int:
        """Words of the least count in either, those without a row included: as many tests were made."""
        return self._found.tested

    def __repr__(self) -> str:
        return f"Keywords({len(self):,} of {self.tested:,}, against {self.reference})"


def _records(found: KeywordTable, counted: Backend) -> Iterator[KeywordRecord]:
    pair = found.pair
    measures = {name: values.tolist() for name, values in found.measures.items()}
    rates = [(1e6 * shares).tolist() for shares in pair.shares]
    homes = [None if each is None else each.tolist() for each in (found.documents, found.reference_documents)]
    even = [None if each is None else each.tolist() for each in (found.d_a, found.reference_d_a)]
    for row, word in enumerate(_shown(counted, found.forms)):
        values: dict[str, Any] = {name: known(each[row]) for name, each in measures.items()}
        yield KeywordRecord(
            word,
            bool(found.positive[row]),
            int(pair.count[row]),
            int(pair.reference[row]),
            rates[0][row],
            rates[1][row],
            homes[0][row] if homes[0] is not None else 0,
            None if homes[1] is None else homes[1][row],
            None if even[0] is None else known(even[0][row]),
            None if even[1] is None else known(even[1][row]),
            **values,
            p=float(found.p[row]),
            p_corrected=None if found.p_corrected is None else float(found.p_corrected[row]),
        )


def _shown(counted: Backend, forms: Sequence[Any]) -> list[str | None]:
    """Words as the corpus shows them, and words that only the reference has as their forms; tokens as their texts."""
    if not forms or not isinstance(forms[0], str):
        return [form_of(counted, np.array([token], dtype=np.int64)) for token in forms]
    if not counted.has_tokenizer or not isinstance(counted.tokenizer, WordTokenizer):
        return list(forms)
    import pyarrow as pa
    import pyarrow.compute as pc

    words = counted.tokenizer.vocabulary
    found = pc.index_in(pa.array(forms, pa.large_string()), value_set=words.arrow_forms()).to_pylist()
    return [form if word is None else words.shown(word) for form, word in zip(forms, found, strict=True)]
