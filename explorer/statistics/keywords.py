"""Which words are more frequent, or rarer, than in a reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.search.limits import whole_number
from explorer.statistics.keyness import KEYNESS, Floats, Frequencies
from explorer.statistics.likelihood import false_discovery, holm, significance
from explorer.statistics.word_lists import WordList

CORRECTIONS: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType({"holm": holm, "fdr": false_discovery})
"""The corrections for many tests by name."""


@dataclass(frozen=True)
class KeywordRequest:
    """What a caller asks for; `checked` tests it.

    Attributes
    ----------
    measure
        The id of the measure that ranks, one of `KEYNESS`.
    min_count
        The least count of a word, in the corpus or in the reference.
    top
        How many keywords and how many negative keywords; None for all.
    correction
        One of `CORRECTIONS`; None for none.
    """

    measure: str = "g2"
    min_count: SupportsIndex = 5
    top: SupportsIndex | None = None
    correction: str | None = "holm"

    def checked(self) -> tuple[int, int | None]:
        """Check what was asked.

        Returns
        -------
        tuple of int and int | None
            The least count and how many.

        Raises
        ------
        QueryError
            If a number is out of range, or a name is unknown.
        """
        names: list[tuple[str, str, Mapping[str, object]]] = [("measure", self.measure, KEYNESS)]
        if self.correction is not None:
            names.append(("correction", self.correction, CORRECTIONS))
        for kind, given, known in names:
            if given not in known:
                raise QueryError(
                    mark("There is no {kind} “{given}”; there are {known}."),
                    reason="unknown-name",
                    kind=kind,
                    given=given,
                    known=", ".join(known),
                )
        top = None if self.top is None else whole_number(self.top, "top", 1)
        return whole_number(self.min_count, "min_count", 1), top


@dataclass(frozen=True, eq=False)
class KeywordTable(ArrayValue):
    """Keywords, the strongest first, then negative keywords, the strongest first.

    Attributes
    ----------
    forms
        The words.
    pair
        How often they occur.
    positive
        Whether each is at least as frequent as in the reference, bool.
    measures
        Each measure of `KEYNESS` by its id, float64; nan where it is unknown.
    p, p_corrected
        The level of significance by G² of four cells, and the corrected one, which is None without a correction. All
        words of the least count were tested, those without a row included.
    """

    forms: tuple[str, ...]
    pair: Frequencies
    positive: NDArray[np.bool_]
    measures: Mapping[str, Floats]
    p: Floats
    p_corrected: Floats | None


def find_keywords(corpus: WordList, reference: WordList, request: KeywordRequest) -> KeywordTable:
    """Compare the words of a corpus with those of a reference; forms are matched.

    Parameters
    ----------
    corpus, reference
        How often each form occurs in either.
    request
        What is asked.

    Returns
    -------
    KeywordTable
        The keywords.

    Raises
    ------
    QueryError
        If either has no words, a number is out of range, or a name is unknown.

    Notes
    -----
    One step per form and a sort of those of the least count.
    """
    least, top = request.checked()
    for side in (corpus, reference):
        if not side.counts:
            raise QueryError(
                mark("{name} has no words, so there is nothing to compare."), reason="no-words", name=side.name
            )
    forms = sorted(
        {form for side in (corpus, reference) for form, count in side.counts.items() if count >= least},
        key=lambda form: form.encode("utf-8", "surrogatepass"),
    )
    pair = Frequencies.of(
        [corpus.counts.get(form, 0) for form in forms],
        corpus.total,
        [reference.counts.get(form, 0) for form in forms],
        reference.total,
    )
    measures = {name: row.compute(pair) for name, row in KEYNESS.items()}
    p = significance(measures["g2"])
    corrected = None if request.correction is None else CORRECTIONS[request.correction](p)
    positive = pair.shares[0] >= pair.shares[1]
    rows = _ranked(measures[request.measure], positive, request.measure, top)
    return KeywordTable(
        tuple(forms[row] for row in rows.tolist()),
        Frequencies(pair.count[rows], pair.size, pair.reference[rows], pair.reference_size),
        positive[rows],
        {name: values[rows] for name, values in measures.items()},
        p[rows],
        None if corrected is None else corrected[rows],
    )


def _ranked(values: Floats, positive: NDArray[np.bool_], measure: str, top: int | None) -> NDArray[np.intp]:
    # BIC has no sign: the strongest negative keywords have the greatest values, too.
    parts = ((np.flatnonzero(positive), -1), (np.flatnonzero(~positive), -1 if measure == "bic" else 1))
    # Stable, over forms in the order of their bytes; nan comes last.
    ranked = [part[np.argsort(sign * values[part], kind="stable")][:top] for part, sign in parts]
    return np.concatenate(ranked)
