"""The corpus as a back-off model in the ARPA format, which programs for n-grams read, such as KenLM and SRILM.

A back-off model lists n-grams with log10 probabilities. An n-gram that is not listed has the probability of the n-gram
without its first token, times the back-off weight of its context. Methods that mix a context with shorter ones have
this form: a token that never follows a context gets a part of its probability after the shorter one, and this part is
the same for all such tokens. Words are the ids of tokens: a token may be white space, which no word can have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analyses.model.levels import Levels, kept
from explorer.analyses.model.method import Method, Shares
from explorer.analyses.model.methods import Discount, WittenBell
from explorer.analyses.model.trust import Learned
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark

BACKOFF_METHODS = (WittenBell.name, Discount.name, Learned.name)
"""The methods that have this form."""
MOST_CONTEXT = 4
"""Tokens of the longest context: an n-gram has one more."""
MOST_TOKENS = 50_000_000
"""Tokens of the largest corpus: 40 bytes of memory for each."""
_NEVER = -99.0
"""What the format has for the logarithm of 0."""
_ROWS, _BATCH = 65_536, 4_000_000


@dataclass(frozen=True, eq=False)
class _Grams(ArrayValue):
    """The n-grams of one length in the order of their tokens, int64 each.

    last: their last tokens; prefix, suffix: the rows of the n-grams without the last and without the first token, among
    those with one token less; times: how often each occurs; followed, distinct: how often a token follows, and how many
    different ones.
    """

    last: Numbers
    prefix: Numbers
    suffix: Numbers
    times: Numbers
    followed: Numbers
    distinct: Numbers

    def __len__(self) -> int:
        return len(self.last)


class BackoffModel:
    """A method over an index, as probabilities and back-off weights of n-grams.

    method: One of `BACKOFF_METHODS`, with at most `MOST_CONTEXT` tokens of context.
    vocabulary: Ids of the tokens that there may be, int64.
    kinds: How many these are for the method.
    Raises `QueryError` if the method has no such form, its contexts are longer, or the corpus is too large.

    Notes
    -----
    Cost: one sort of the corpus's tokens for each length.
    """

    def __init__(
        self, index: Backend, method: Method, vocabulary: Numbers, kinds: int, cancel: CancelToken | None = None
    ) -> None:
        _check(index, method)
        self._method, self._cancel = method, cancel
        context = method.reach.context
        ids, places = _corpus(index, cancel)
        self._grams = _counted(ids, places, context + 1, cancel)
        # Tokens that never occur are n-grams of the vocabulary only.
        self._unseen = np.setdiff1d(vocabulary, self._grams[1].last)
        self._kinds = kinds
        # What each context leaves to a token that never follows it; each needs that of its suffix.
        self._left = [self._after(np.zeros(1, dtype=np.int64), 0)]
        for length in range(1, context + 1):
            self._left.append(self._lefts(length))

    @property
    def sizes(self) -> tuple[int, ...]:
        """N-grams of 1 token, 2 tokens, …; the three words that every such file has are not counted."""
        return len(self._grams[1]) + len(self._unseen), *(len(grams) for grams in self._grams[2:])

    def lines(self, report: Report = no_report) -> Iterator[str]:
        """Write the file."""
        first, *others = self.sizes
        # A word for unknown tokens, and those for both ends of a sentence, must be there: none ever comes.
        named = [f"ngram 1={first + 3}", *(f"ngram {n}={size}" for n, size in enumerate(others, start=2))]
        yield "\n".join(["\\data\\", *named, "", ""])
        done = 0
        for length in range(1, len(self._grams)):
            yield f"\\{length}-grams:\n"
            if length == 1:
                yield "".join(f"{_NEVER:g}\t{word}\n" for word in ("<unk>", "<s>", "</s>"))
                # They are alike: nothing is known of them.
                rest = _log10(self._left[0]).item()
                yield "".join(f"{rest:.9g}\t{token}\n" for token in self._unseen.tolist())
            for begin in range(0, len(self._grams[length]), _ROWS):
                rows = np.arange(begin, min(begin + _ROWS, len(self._grams[length])))
                yield self._section(rows, length)
                done += len(rows)
                report(Progress("Writing n-grams", done, sum(self.sizes) - len(self._unseen), "n-grams"))
            yield "\n"
        yield "\\end\\\n"

    def _section(self, rows: Numbers, length: int) -> str:
        """Lines of some n-grams of one length."""
        self._go_on()
        words, logs = self._words(rows, length).tolist(), _log10(self._shares(rows, length)).tolist()
        heads = [f"{log:.9g}\t{' '.join(map(str, ids))}" for log, ids in zip(logs, words, strict=True)]
        # The format has no such column for the longest n-grams, since they are never contexts.
        if length == len(self._grams) - 1:
            return "\n".join([*heads, ""])
        grams = self._grams[length]
        shorter = self._left[length - 1][grams.suffix[rows]]
        here = self._left[length][rows]
        weights = _log10(np.divide(here, shorter, out=np.zeros(len(rows)), where=shorter > 0)).tolist()
        # Without a weight, it is 1: nothing follows these.
        tails = [f"\t{weight:.9g}" if some else "" for weight, some in zip(weights, grams.followed[rows], strict=True)]
        return "\n".join([*map(str.__add__, heads, tails), ""])

    def _words(self, rows: Numbers, length: int) -> Numbers:
        """The ids of n-grams, [rows, length]."""
        # Only last tokens are kept: the others are those of the prefixes.
        words = np.empty((len(rows), length), dtype=np.int64)
        for place in reversed(range(length)):
            words[:, place] = self._grams[place + 1].last[rows]
            rows = self._grams[place + 1].prefix[rows]
        return words

    def _shares(self, rows: Numbers, length: int) -> Shares:
        """The probability of the last token of n-grams after the others."""
        columns: list[tuple[Numbers, Numbers, Numbers]] = []
        for each in reversed(range(1, length + 1)):
            grams, contexts = self._grams[each], self._grams[each - 1]
            before = grams.prefix[rows]
            # One token less of context on the left, the same token at the end.
            columns.append((contexts.followed[before], contexts.distinct[before], grams.times[rows]))
            rows = grams.suffix[rows]
        return self._weighed(columns)

    def _after(self, rows: Numbers, length: int) -> Shares:
        """The probability, after n-grams, of a token that occurs nowhere."""
        columns: list[tuple[Numbers, Numbers, Numbers]] = []
        for each in reversed(range(length + 1)):
            grams = self._grams[each]
            columns.append((grams.followed[rows], grams.distinct[rows], np.zeros_like(rows)))
            rows = grams.suffix[rows]
        return self._weighed(columns)

    def _lefts(self, length: int) -> Shares:
        """The same of all n-grams of one length; what nothing follows has that of its suffix."""
        grams = self._grams[length]
        found: Shares = self._left[length - 1][grams.suffix]
        followed = np.flatnonzero(grams.followed)
        for begin in range(0, len(followed), _ROWS):
            self._go_on()
            rows = followed[begin : begin + _ROWS]
            found[rows] = self._after(rows, length)
        return found

    def _weighed(self, columns: list[tuple[Numbers, Numbers, Numbers]]) -> Shares:
        """What the method makes of levels, longest first: followed, distinct and times of each."""
        # Levels come from the shortest.
        followed, distinct, times = (np.stack(each, axis=1) for each in zip(*columns[::-1], strict=True))
        lengths = np.where(followed > 0, np.arange(len(columns), dtype=np.int64), 0)
        levels = Levels(lengths, followed, distinct, times, np.ones(len(followed), dtype=np.bool_))
        return self._method.shares(kept(levels, self._method.reach), self._kinds)

    def _go_on(self) -> None:
        if self._cancel is not None:
            self._cancel.check()


def _check(index: Backend, method: Method) -> None:
    """Refuse what cannot be a file."""
    if not isinstance(method, WittenBell | Discount | Learned):
        raise QueryError(
            mark("The method {name} has no back-off weights, so it cannot be an ARPA file. These can: {known}."),
            reason="no-backoff-form",
            name=method.name + (" with transforms" if method.reach.transforms else ""),
            known=", ".join(BACKOFF_METHODS),
        )
    if method.reach.context > MOST_CONTEXT:
        raise QueryError(
            mark("An ARPA file can have contexts of at most {most} tokens, and this model has {given}."),
            reason="context-too-long",
            most=MOST_CONTEXT,
            given=method.reach.context,
        )
    tokens = int(np.maximum(index.documents.sizes() - 1, 0).sum())
    if tokens > MOST_TOKENS:
        raise QueryError(
            mark("An ARPA file can be made of at most {most} tokens, and this corpus has {given}."),
            reason="too-many-tokens",
            most=MOST_TOKENS,
            given=tokens,
        )


def _corpus(index: Backend, cancel: CancelToken | None) -> tuple[Numbers, Numbers]:
    """The tokens of all documents, and the place of each in its document."""
    numbers = index.documents.numbers()
    lengths = index.documents.lengths(numbers)
    texts: list[Numbers] = []
    # Documents are read in batches, so that a cancelled export ends soon.
    batches = np.cumsum(lengths) // _BATCH
    for number in np.unique(batches).tolist():
        if cancel is not None:
            cancel.check()
        here = batches == number
        texts += index.documents.windows(numbers[here], np.zeros_like(numbers[here]), lengths[here])
    ids: Numbers = np.concatenate([np.empty(0, dtype=np.int64), *texts]).astype(np.int64)
    begins = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return ids, np.arange(len(ids)) - begins


def _counted(ids: Numbers, places: Numbers, longest: int, cancel: CancelToken | None) -> list[_Grams]:
    """N-grams of 0 tokens, 1 token, … that are in one document."""
    none = np.zeros(1, dtype=np.int64)
    made = [_Grams(none, none, none, np.array([len(ids)]), none, none)]
    # The row of the n-gram that ends with each token.
    names = np.zeros(len(ids), dtype=np.int64)
    for length in range(1, longest + 1):
        if cancel is not None:
            cancel.check()
        ends = np.flatnonzero(places >= length - 1)
        # Both parts of a key are below 2^32: there are fewer rows than tokens, and ids have four bytes at most.
        before = names[ends - 1] if length > 1 else np.zeros_like(ends)
        keys, shown, rows, times = np.unique(
            before << 32 | ids[ends], return_index=True, return_inverse=True, return_counts=True
        )
        prefix, suffix = keys >> 32, names[ends[shown]]
        followed = np.bincount(prefix, times, len(made[-1])).astype(np.int64)
        distinct = np.bincount(prefix, minlength=len(made[-1])).astype(np.int64)
        # The contexts of these are the n-grams before them, which are complete only now.
        shorter = made.pop()
        made.append(_Grams(shorter.last, shorter.prefix, shorter.suffix, shorter.times, followed, distinct))
        # What follows the longest ones is not asked.
        nothing = np.zeros(len(keys), dtype=np.int64)
        made.append(_Grams(keys & 0xFFFFFFFF, prefix, suffix, times.astype(np.int64), nothing, nothing))
        names[ends] = rows
    return made


def _log10(shares: Shares) -> Shares:
    """Logarithms as the format has them."""
    logs: Shares = np.log10(shares, out=np.full(len(shares), _NEVER), where=shares > 0)
    return logs
