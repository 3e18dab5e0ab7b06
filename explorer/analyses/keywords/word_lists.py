"""Word lists: what words occur how often. Those of other programs are read in `list_files`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.wordlist.ngram_lists import list_ngrams
from explorer.backends.protocol.protocol import Backend, NgramRule
from explorer.core.arrays import ArrayValue
from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.words.tokenizer import WordTokenizer


@dataclass(frozen=True, eq=False)
class WordList(ArrayValue):
    """How often each form occurs somewhere.

    forms: The forms, each once: an array of Arrow, of texts, or of token ids.
    counts: The count of each form, 1 or more, int64.
    documents: The number of documents that each is in, int64; None if it is unknown.
    ids: The id of each in the index whose words were counted, int64; None for other lists.
    """

    name: str
    forms: Any
    counts: NDArray[np.int64]
    documents: NDArray[np.int64] | None = None
    ids: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, name: str, counts: Mapping[str, int]) -> WordList:
        """Take counts by form.

        counts: The count of each form, 1 or more.
        """
        # Loaded where it is needed: it takes as long to import as all of the library.
        import pyarrow as pa

        # A corpus has only forms that UTF-8 can hold.
        forms = pa.array([replace_surrogates(form) for form in counts], pa.large_string())
        return cls(name, forms, np.fromiter(counts.values(), np.int64, len(counts)))

    @property
    def total(self) -> int:
        """Number of words: the sum of all counts."""
        return int(self.counts.sum())


def count_words(index: Backend, name: str, report: Report = no_report, cancel: CancelToken | None = None) -> WordList:
    """Count the words of a word index, or the tokens of another one.

    Returns: Every form that occurs: texts for words, ids for tokens. With the number of documents of each.
    Raises `CapabilityError` if the index cannot list n-grams.

    Notes
    -----
    Cost: a walk over the suffix array, and one step per token for the documents.
    """
    import pyarrow as pa

    [found] = list_ngrams(index, NgramRule(1, 1), report, cancel)
    ids = found.ids[:, 0].astype(np.int64)
    forms = pa.array(ids)
    if index.has_tokenizer and isinstance(index.tokenizer, WordTokenizer):
        forms = index.tokenizer.vocabulary.arrow_forms().take(forms)
    return WordList(name, forms, found.counts, found.documents, ids)


def without_part(whole: WordList, part: WordList, name: str) -> WordList:
    """Count what is left of a list without a part of it.

    part: Some of its forms, with counts and documents that are a part of theirs.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    places = pc.index_in(part.forms, value_set=whole.forms).to_numpy(zero_copy_only=False)
    counts = whole.counts.copy()
    counts[places] -= part.counts
    documents = None
    if whole.documents is not None and part.documents is not None:
        documents = whole.documents.copy()
        documents[places] -= part.documents
    left = np.flatnonzero(counts)
    homes, ids = (None if each is None else each[left] for each in (documents, whole.ids))
    return WordList(name, whole.forms.take(pa.array(left)), counts[left], homes, ids)
