"""What follows a context, in words: pieces of words are followed until the word ends.

A word is a run of letters, marks, digits and connectors, as for "whole words"; a letter of a script without spaces, and
any other character, is one by itself. White space before a word does not count: " the" and "\\nthe" are the same word.

A trie of token sequences is walked from the most frequent branch on. A branch ends where its word certainly has ended:
a token begins with something else, or the document ends. One word may be cut into tokens in several ways, which are
added up.
"""

from __future__ import annotations

import codecs
import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.next_tokens.counts import next_tokens
from explorer.analyses.search.query import show_token
from explorer.backends.protocol.protocol import Backend, Ids, NextTokens
from explorer.core.jobs import CancelToken
from explorer.text.segments import (
    JOINER,
    LETTER,
    MARK,
    OTHER,
    SINGLE,
    Reading,
    class_of,
    continues,
    read_on,
    reading_at_end,
)
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.words.rule import WordRule

MOST_STEPS = 20_000
"""Token sequences that are looked up at most unless another limit is given."""
# Tokens at the end of a context that tell whether it ends in a word: a letter, an apostrophe, and marks and joiners.
_LAST_TOKENS = 16
_RULE = WordRule()

Numbers = NDArray[np.int64]


class WordKind(Enum):
    """What follows."""

    WORD = "word"
    REST = "rest"
    """The rest of a word that the context ends with."""
    OTHER = "other"
    """A character that is not part of a word."""
    TOKEN = "token"
    """A special token of the vocabulary."""
    END = "end"
    """The end of the document."""

    @property
    def named(self) -> bool:
        """Whether it is not a text of the document, and is shown by a name."""
        return self in (WordKind.TOKEN, WordKind.END)


@dataclass(frozen=True)
class Start:
    """A sequence of tokens after which a word is looked for.

    ids: The tokens, with the context.
    pending: Bytes of the last of them that belong to what follows.
    closed: Whether a word ends with the last token: what could continue it is another form or word, and not counted.
    final: Whether the document ends after the last token: where something else follows is not counted.
    """

    ids: tuple[int, ...]
    pending: bytes = b""
    closed: bool = False
    final: bool = False


@dataclass(frozen=True)
class NextWord:
    """A word that follows.

    text: The word, as it is mostly written; "" for the end of the document.
    insert: What it adds to the context in its most frequent form: with the white space before it.
    count: How often it follows.
    starts: Its forms, as tokens: where to look for the word after it, the most frequent one first. None after the end
        of a document, and none for a form that ends with half a character there.
    """

    text: str
    insert: str
    count: int
    kind: WordKind
    starts: tuple[Start, ...]


@dataclass(frozen=True)
class NextWords:
    """The words that follow a context.

    words: The most frequent first, then by text.
    total: Places after the context, which is the sum of the counts of all words.
    counted: Places whose word was read. The others belong to words that are rare, or listed with a count that is too
        low.
    """

    words: tuple[NextWord, ...]
    total: int
    counted: int

    @property
    def exact(self) -> bool:
        """Whether all places were read. Otherwise counts are lower bounds, and words may be missing."""
        return self.counted == self.total


def next_words(
    index: Backend, context: Ids, most_steps: int = MOST_STEPS, cancel: CancelToken | None = None
) -> NextWords:
    """Count the words after exactly this context.

    context: Token ids; may be empty. If it ends within a word, the rest of that word is what follows.
    most_steps: Token sequences to look up at most, the most frequent ones first; at least 1.
    Raises `QueryError` if an id is not one of the index.

    Notes
    -----
    Each step is one look-up of next tokens: some microseconds, and more after frequent contexts. The first of the
    vocabulary's tokens are classified once per tokenizer, which takes some tenths of a second.
    """
    ids = tuple(index.counts.check_ids(context, allow_empty=True).tolist())
    return words_after(index, (Start(ids, _open_end(index.tokenizer, ids)),), most_steps, cancel)


def words_after(
    index: Backend, starts: Sequence[Start], most_steps: int = MOST_STEPS, cancel: CancelToken | None = None
) -> NextWords:
    """Count the words after several sequences of tokens together; `NextWord.starts` are such sequences.

    starts: The sequences; none may begin with another one's places.
    """
    walk = _Walk(index, cancel)
    for start in starts:
        walk.begin(start)
    walk.run(most_steps)
    return walk.found()


@dataclass(order=True)
class _Branch:
    """A sequence of tokens whose word has not ended yet; the most frequent one is the smallest."""

    order: tuple[int, int]
    ids: tuple[int, ...] = field(compare=False)
    text: bytes = field(compare=False)
    joined: Reading | None = field(compare=False)

    @property
    def count(self) -> int:
        """Its occurrences."""
        return -self.order[0]


class _Walk:
    """One count: branches that wait, and words that were read."""

    def __init__(self, index: Backend, cancel: CancelToken | None) -> None:
        self._index, self._cancel = index, cancel
        self._known = _classes_of(index.tokenizer)
        self._waiting: list[_Branch] = []
        self._forms: dict[tuple[WordKind, str], _Forms] = {}
        self._made = 0
        self._total = self._counted = 0

    def begin(self, start: Start) -> None:
        """Take a sequence that was given."""
        followed = self._followed(start.ids)
        ended = _ended_in(self._index.tokenizer, start.ids)
        if start.closed:
            self._branch_out(_Branch((-int(followed.total), 0), start.ids, b"", None), followed, ended)
            return
        if start.final:
            ends = int(followed.counts[followed.tokens == self._index.separator].sum())
            self._total += ends
            self._end(_Branch((-ends, 0), start.ids, start.pending, None), WordKind.END, "", ends)
            return
        read = _read(start.pending, None)
        # Where nothing follows, nothing is counted, unless the sequence holds the word already.
        count = followed.context_count if read is not None and read.ended else followed.total
        self._total += count
        # Where half a character is pending, nobody knows yet whether it continues the word.
        joined = None if start.pending else ended
        self._put(_Branch((-count, 0), start.ids, start.pending, joined))

    def run(self, most_steps: int) -> None:
        """Follow the branches until none is left, or the limit is reached."""
        while self._waiting and most_steps > 0:
            if self._cancel is not None:
                self._cancel.check()
            # The most frequent first: when the steps are used up, only rare branches are left.
            self._follow(heapq.heappop(self._waiting))
            most_steps -= 1

    def found(self) -> NextWords:
        """The words so far."""
        words = [_word(kind, forms) for (kind, _), forms in self._forms.items()]
        words.sort(key=lambda word: (-word.count, word.text, word.kind.value))
        return NextWords(tuple(words), self._total, self._counted)

    def _followed(self, ids: tuple[int, ...]) -> NextTokens:
        return next_tokens(self._index, ids, cancel=self._cancel)

    def _classes(self, tokens: Numbers) -> NDArray[np.int8]:
        # An index may contain ids that its tokenizer lacks, if it is the wrong one. They are shown as a character.
        known = (tokens >= 0) & (tokens < len(self._known))
        classes = np.where(known, self._known[np.where(known, tokens, 0)], np.int8(OTHER))
        classes[tokens == self._index.separator] = _APART
        return classes

    def _ending(self, tokens: Numbers, reading: Reading | None) -> NDArray[np.bool_]:
        """Which tokens end the word that was read; None: a character that is not part of one."""
        ends = np.array([kind != _UNSURE and not continues(reading, kind) for kind in range(_APART + 1)])
        ending: NDArray[np.bool_] = ends[self._classes(tokens)]
        return ending

    def _follow(self, branch: _Branch) -> None:
        followed = self._followed(branch.ids)
        read = _read(branch.text, branch.joined)
        if read is None or read.tail:
            self._branch_out(branch, followed)
            return
        # A run of letters up to the end: what continues it is followed, and everything else ends it.
        goes_on = ~self._ending(followed.tokens, read.reading)
        ended = branch.count - int(followed.counts[goes_on].sum())
        # Closed: the same tokens also begin longer words, which a look from here must not count.
        self._keep(read, Start(branch.ids, closed=True), ended)
        self._push_tokens(branch, followed.tokens[goes_on], followed.counts[goes_on])

    def _branch_out(self, branch: _Branch, followed: NextTokens, *closed: Reading | None) -> None:
        """Follow all tokens; closed: only those that end the word before them."""
        tokens, counts = followed.tokens, followed.counts
        if closed:
            kept = self._ending(tokens, *closed)
            tokens, counts = tokens[kept], counts[kept]
            self._total += int(counts.sum())
        elif (missing := branch.count - int(counts.sum())) > 0:
            # The end of the text, without a separator after it.
            self._end(branch, WordKind.END, "", missing)
        apart = self._classes(tokens) == _APART
        for token, count in zip(tokens[apart].tolist(), counts[apart].tolist(), strict=True):
            if token == self._index.separator:
                self._end(branch, WordKind.END, "", count)
            else:
                self._end(branch, WordKind.TOKEN, show_token(self._index, token), count, token)
        self._push_tokens(branch, tokens[~apart], counts[~apart])

    def _end(self, branch: _Branch, kind: WordKind, text: str, count: int, *tokens: int) -> None:
        """What is not complete before the end of a document, or before a special token, is read as it is."""
        read = _read(branch.text, branch.joined, final=True)
        if read is None:
            start = Start((*branch.ids, *tokens)) if tokens else None
            self._keep(_Read(kind, "", text, 0, b"", True, None), start, count)
        else:
            # The same tokens also begin what completes the character or the word, unless the document ends here.
            start = None if tokens else Start(branch.ids, branch.text[read.size :], final=True)
            self._keep(read, start, count)

    def _push_tokens(self, branch: _Branch, tokens: Numbers, counts: Numbers) -> None:
        for token, count in zip(tokens.tolist(), counts.tolist(), strict=True):
            text = branch.text + self._index.tokenizer.token_bytes(token)
            self._put(_Branch((-count, 0), (*branch.ids, token), text, branch.joined))

    def _put(self, branch: _Branch) -> None:
        """Keep a branch whose word has ended; let any other one wait."""
        read = _read(branch.text, branch.joined)
        if read is not None and read.ended:
            self._keep(read, Start(branch.ids, branch.text[read.size :]), branch.count)
        elif branch.count:
            # By number, so that branches of one count are walked in the order in which they were found.
            self._made += 1
            branch.order = (branch.order[0], self._made)
            heapq.heappush(self._waiting, branch)

    def _keep(self, read: _Read, start: Start | None, count: int) -> None:
        # 0 where the word always continues: it is only the beginning of others.
        if count:
            word = _shown(read.word)
            forms = self._forms.setdefault((read.kind, word_key(read.kind, word)), {})
            form = (start, _shown(read.before), word)
            forms[form] = forms.get(form, 0) + count
            self._counted += count


def word_key(kind: WordKind, text: str) -> str:
    """Give what a word is compared by.

    Returns: Its form, or the text of what is not in a word.
    """
    return (_RULE.form(text) or text) if kind in (WordKind.WORD, WordKind.REST) else text


_Forms = dict[tuple[Start | None, str, str], int]
"""How often a word has each form: its tokens, the white space before it, and its spelling."""


def _word(kind: WordKind, forms: _Forms) -> NextWord:
    spellings = Counter[str]()
    for (_, _, spelling), count in forms.items():
        spellings[spelling] += count
    text = min(spellings, key=lambda spelling: (-spellings[spelling], spelling))
    ordered = sorted(forms.items(), key=lambda item: (item[0][2] != text, -item[1], item[0][1:]))
    (_, before, _), _ = ordered[0]
    ordered.sort(key=lambda item: (-item[1], item[0][1:]))
    starts = tuple(start for (start, _, _), _ in ordered if start is not None)
    # Names of tokens and ends are not text of the corpus, so they add nothing to the context.
    insert = before + text if kind in (WordKind.WORD, WordKind.REST, WordKind.OTHER) else ""
    return NextWord(text, insert, sum(forms.values()), kind, starts)


@dataclass(frozen=True)
class _Read:
    """What bytes begin with: the white space before a word, the word, and whether it has ended.

    size: bytes of both; tail: bytes after the word that may belong to it, such as an apostrophe or half a character;
    reading: how far the word was read, None for another character.
    """

    kind: WordKind
    before: str
    word: str
    size: int
    tail: bytes
    ended: bool
    reading: Reading | None


def _decoded(text: bytes, final: bool) -> tuple[str, bytes]:
    """The characters, and the bytes of an incomplete one at the end. Each invalid byte is a character."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    return decoder.decode(text, final), decoder.getstate()[0]


def _read(text: bytes, joined: Reading | None, final: bool = False) -> _Read | None:
    """Read a word from the beginning of a text; None while there is nothing but white space and half a character."""
    shown, tail = _decoded(text, final)
    kind, begin, end, reading, ended = _cut(shown, joined)
    if end == begin and not ended and not final:
        return None
    if end == begin:
        # What might have continued the word before did not.
        kind, begin, end, reading, ended = _cut(shown, None)
        if end == begin:
            return None
    before, word = shown[:begin], shown[begin:end]
    left = shown[end:].encode("utf-8", "surrogateescape") + tail
    # In bytes, as tokens are; with this error handler, invalid ones come back as they were.
    size = len(shown[:end].encode("utf-8", "surrogateescape"))
    return _Read(kind, before, word, size, b"" if ended else left, ended or final, reading)


def _cut(shown: str, joined: Reading | None) -> tuple[WordKind, int, int, Reading | None, bool]:
    """What a text begins with: its kind, its bounds, and whether it has ended; empty if there is nothing yet.

    joined: the word before, of which this may be the rest.
    """
    kinds = [class_of(char) for char in shown]
    if joined is not None:
        end, reading, ended = read_on(kinds, 0, joined)
        return WordKind.REST, 0, end, reading, ended
    begin = len(shown) - len(shown.lstrip())
    if begin == len(shown):
        return WordKind.OTHER, begin, begin, None, False
    if LETTER <= kinds[begin] <= SINGLE:
        end, reading, ended = read_on(kinds, begin + 1, Reading(kinds[begin]))
        return WordKind.WORD, begin, end, reading, ended
    end = begin + 1
    while end < len(shown) and kinds[end] in (MARK, JOINER):
        end += 1
    return WordKind.OTHER, begin, end, None, end < len(shown)


def _first(text: bytes) -> str:
    return _decoded(text, False)[0][:1]


def _shown(text: str) -> str:
    # All invalid bytes are shown alike, so words that differ only in these are one.
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _last_bytes(tokenizer: TextTokenizer, ids: Sequence[int]) -> bytes:
    return b"".join(tokenizer.token_bytes(token) for token in ids[-_LAST_TOKENS:])


def _open_end(tokenizer: TextTokenizer, ids: Sequence[int]) -> bytes:
    """The bytes of an incomplete character at the end."""
    return _decoded(_last_bytes(tokenizer, ids), False)[1]


def _ended_in(tokenizer: TextTokenizer, ids: Sequence[int]) -> Reading | None:
    """How far the word is read with which a context ends."""
    text, tail = _decoded(_last_bytes(tokenizer, ids), False)
    return None if tail else reading_at_end(text)


_UNSURE, _APART = 11, 12
"""Beside the classes of characters with which tokens begin: half a character or nothing, and no text at all."""


# Kept by tokenizer: a count takes milliseconds, and a walk through the vocabulary much longer.
@lru_cache(maxsize=4)
def _classes_of(tokenizer: TextTokenizer) -> NDArray[np.int8]:
    made = np.fromiter(
        (_class_of(tokenizer.token_bytes(token)) for token in range(tokenizer.vocabulary_size)),
        np.int8,
        tokenizer.vocabulary_size,
    )
    made[tokenizer.is_special(np.arange(len(made)))] = _APART
    return made


def _class_of(piece: bytes) -> int:
    first = _first(piece)
    # A token without text changes nothing, so what comes after it decides.
    return class_of(first) if first else _UNSURE
