"""The vocabulary of a word index: its forms by id, how they are mostly written, and how often they occur."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.words.rule import WordRule

# The first number of a file; another layout gets another one.
_KIND = 0x3153_4452_4F57
# Forms between two looks at `cancel`, and bytes by which forms are divided before they are sorted.
_STEPS = 1 << 14
_FIRST_BYTES = 3


@dataclass(frozen=True, eq=False)
class WordVocabulary(ArrayValue):
    """The words of a corpus. Ids go by count, the most frequent first, then by the forms' bytes.

    rule: The rule that gave the forms.
    counts: How often each form occurs, int64.
    starts: Where each form begins in `forms`, and the end of the last, int64.
    forms: The forms as UTF-8, one after another, uint8.
    spelling_starts, spellings: The same for the most frequent spelling of each.
    order: The ids in the order of their forms' bytes, int64.
    """

    rule: WordRule
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    forms: NDArray[np.uint8]
    spelling_starts: NDArray[np.int64]
    spellings: NDArray[np.uint8]
    order: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def total(self) -> int:
        """Number of words: the sum of all counts."""
        return int(self.counts.sum())

    @property
    def hapaxes(self) -> int:
        """Number of forms that occur once."""
        return int((self.counts == 1).sum())

    def form(self, word: int) -> str:
        """Give the form of an id."""
        return self.form_bytes(word).decode("utf-8")

    def form_bytes(self, word: int) -> bytes:
        """Give the form of an id as UTF-8."""
        return self.forms[self.starts[word] : self.starts[word + 1]].tobytes()

    def arrow_forms(self) -> Any:
        """Give all forms as a `pyarrow.LargeStringArray` over the same memory."""
        # Loaded where it is needed: it takes as long to import as all of the library.
        import pyarrow as pa

        return pa.LargeStringArray.from_buffers(len(self), pa.py_buffer(self.starts), pa.py_buffer(self.forms))

    def shown(self, word: int) -> str:
        """Give an id as lists show it: readable, of its most frequent spelling."""
        return self.rule.shown(self.spelling(word))

    def spelling(self, word: int) -> str:
        """Give the most frequent spelling of an id; of several, the first by bytes."""
        return self.spellings[self.spelling_starts[word] : self.spelling_starts[word + 1]].tobytes().decode("utf-8")

    def find(self, form: str) -> int | None:
        """Find the id of a form.

        Returns: The id; None if no word has this form.
        """
        wanted = form.encode("utf-8")
        # Halving over the bytes: a dictionary of a million forms would take 100 MB.
        low, high = 0, len(self.order)
        while low < high:
            middle = (low + high) // 2
            if self.form_bytes(int(self.order[middle])) < wanted:
                low = middle + 1
            else:
                high = middle
        if low == len(self.order):
            return None
        found = int(self.order[low])
        return found if self.form_bytes(found) == wanted else None

    def write(self, path: Path) -> None:
        """Write the vocabulary into a file."""
        head = np.array([_KIND, len(self), len(self.forms), len(self.spellings)], dtype="<i8")
        with open(path, "wb") as file:
            for numbers in (head, self.counts, self.starts, self.spelling_starts, self.order):
                file.write(numbers.astype("<i8").tobytes())
            file.write(self.forms.tobytes())
            file.write(self.spellings.tobytes())


def read_vocabulary(path: Path, rule: WordRule) -> WordVocabulary:
    """Read a vocabulary that was written.

    Raises `ValueError` if the file is not a whole vocabulary.
    """
    # Read, not mapped: the file may be replaced while the vocabulary is in use.
    data = np.fromfile(path, dtype=np.uint8)
    kind, size, forms, spellings = data[:32].view("<i8").tolist() if len(data) >= 32 else (0, 0, 0, 0)
    numbers = 8 * (4 + 4 * size + 2)
    if kind != _KIND or min(size, forms, spellings) < 0 or len(data) != numbers + forms + spellings:
        raise ValueError(f"{path} is not a vocabulary of words")
    counts, starts, spelling_starts, order = np.split(
        data[32:numbers].view("<i8"), np.cumsum([size, size + 1, size + 1])
    )
    return WordVocabulary(
        rule, counts, starts, data[numbers : numbers + forms], spelling_starts, data[numbers + forms :], order
    )


def number_forms(
    spellings: Iterable[str], counts: NDArray[np.int64], rule: WordRule, cancel: CancelToken | None = None
) -> tuple[WordVocabulary, NDArray[np.int64]]:
    """Give every form that the spellings of a corpus have an id.

    counts: How often each occurs.
    Returns: The vocabulary, and the id of each spelling; -1 for those that the rule drops.
    """
    numbers: dict[str, int] = {}
    owners = np.full(len(counts), -1, dtype=np.int64)
    written: list[bytes] = []
    for place, spelling in enumerate(spellings):
        _look(place, cancel)
        form = rule.form(spelling)
        written.append(spelling.encode("utf-8"))
        if form is not None:
            owners[place] = numbers.setdefault(form, len(numbers))
    forms = [form.encode("utf-8") for form in numbers]
    totals = np.zeros(len(forms), dtype=np.int64)
    # Several spellings have one form, and each of them counts.
    np.add.at(totals, owners[owners >= 0], counts[owners >= 0])
    # Of forms as frequent, the first by bytes: every list of words is then in the same order.
    by_bytes = _order(forms, cancel)
    ranking = by_bytes[np.argsort(-totals[by_bytes], kind="stable")]
    ids = np.empty(len(forms) + 1, dtype=np.int64)
    ids[ranking] = np.arange(len(forms))
    # The last entry is for spellings without a form, whose number is -1.
    ids[-1] = -1
    words = ids[owners]
    best = _most_frequent(words, counts, written, len(forms), cancel)
    ranked = [forms[number] for number in ranking.tolist()]
    vocabulary = WordVocabulary(
        rule,
        totals[ranking],
        *_joined(ranked),
        *_joined([written[place] for place in best]),
        ids[by_bytes],
    )
    return vocabulary, words


def _look(step: int, cancel: CancelToken | None) -> None:
    """See a cancel every few thousand steps: a look takes as long as a step."""
    if cancel is not None and not step % _STEPS:
        cancel.check()


def _order(forms: list[bytes], cancel: CancelToken | None) -> NDArray[np.int64]:
    """The places of some forms in the order of their bytes."""
    # By their first bytes first: a sort of millions at once could not be cancelled.
    places: dict[bytes, list[int]] = {}
    for place, form in enumerate(forms):
        _look(place, cancel)
        places.setdefault(form[:_FIRST_BYTES], []).append(place)
    order: list[int] = []
    for first in sorted(places):
        if cancel is not None:
            cancel.check()
        order += sorted(places[first], key=forms.__getitem__)
    return np.array(order, dtype=np.int64)


def _most_frequent(
    words: NDArray[np.int64],
    counts: NDArray[np.int64],
    written: list[bytes],
    size: int,
    cancel: CancelToken | None,
) -> NDArray[np.int64]:
    """The most frequent spelling of each word, by its place."""
    best = np.full(size, -1, dtype=np.int64)
    for place, word in enumerate(words.tolist()):
        _look(place, cancel)
        if word < 0:
            continue
        other = best[word]
        if other < 0 or (-counts[place], written[place]) < (-counts[other], written[other]):
            best[word] = place
    return best


def _joined(parts: list[bytes]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return starts, np.frombuffer(b"".join(parts), dtype=np.uint8)
