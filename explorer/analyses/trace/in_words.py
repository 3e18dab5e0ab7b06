"""A trace in words: what is looked up are the words of the text, and documents are quoted as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.verbatim import Passage
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.occurrences import DocumentTokens, Part
from explorer.backends.documents.reading import decode_ids, length_of, tokens_of
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import DamagedIndexError
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import Encoded
from explorer.words.index import WordIndex, open_words, word_index, words_are_made

_BEFORE = 8
"""Tokens before a word that are read with it: they tell whether its token begins with the end of another word."""
Numbers = NDArray[np.int64]


def words_for(index: Backend, report: Report = no_report, cancel: CancelToken | None = None) -> Backend:
    """Open the words in which texts are traced, and make their index if the cache does not have it.

    cancel: Stops the work; nothing is left of it then.
    Returns: The words, without the documents that are left out of `index`.
    Raises `CapabilityError` if the index is not in folders on this machine.
    Raises `CorpusError` if no tokenizer is known, the index is damaged, or the cache folder cannot be written.
    """
    return open_words(index, None, report, cancel).backend


def has_words(index: Backend) -> bool:
    """Whether texts can be traced in words at once: their index is in the cache.

    Raises `CapabilityError` if the index is not in folders on this machine.
    """
    return words_are_made(index)


@dataclass(frozen=True, eq=False)
class InWords:
    """Reads documents in which words were found.

    origin: The index with the documents as they are written.
    words: The words that were looked in.
    """

    origin: Backend
    words: WordIndex

    @staticmethod
    def of(origin: Backend, words: Backend) -> InWords:
        """Read documents of an index in which its words were looked up.

        words: Its words, from `words_for`, perhaps without some documents.
        """
        return InWords(origin, word_index(words))

    def open(self, index: Backend, number: int, ids: Numbers) -> DocumentTokens:
        """Open a document.

        Returns: The document, whose parts are as they are written.
        """
        return WordDocument(index, number, ids, self)

    def only_words(self, text: str, encoded: Encoded) -> str:
        """Give a text as it is compared in words: with white space in the place of everything between words.

        Examples
        --------
        >>> words = corpus.words().index
        >>> text = "“The CAT,” he saw."
        >>> InWords.of(corpus.index, words).only_words(text, words.tokenizer.encode_with_offsets(text))
        ' the cat   he saw  '
        """
        parts, at = [], 0
        for word, start, end in zip(encoded.ids.tolist(), encoded.starts.tolist(), encoded.ends.tolist(), strict=True):
            form = self._form(word)
            # Places in the text stay what they are, so a form that is longer than its spelling is not put there.
            if word in self.words.tokenizer.unknown or len(form) > end - start:
                form = text[start:end]
            parts += [" " * (start - at), form.ljust(end - start)]
            at = end
        return "".join(parts) + " " * (len(text) - at)

    def _form(self, word: int) -> str:
        return self.words.tokenizer.token_bytes(word).decode("utf-8").strip()

    def query(self, prompt: str) -> str:
        """Give a prompt as it is compared."""
        return " ".join(map(self._form, self.words.tokenizer.encode(prompt).tolist()))

    def with_tokens(self, documents: Sequence[TraceDocument]) -> tuple[TraceDocument, ...]:
        """Give documents with the first token of each of their passages.

        documents: Documents whose passages have the number of their first word.
        """
        return tuple(
            replace(document, passages=self._placed(document.number, document.passages)) for document in documents
        )

    def _placed(self, number: int, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        at = self.token_places(number, np.array([passage.offset for passage in passages], dtype=np.int64))
        return tuple(replace(passage, offset=place) for passage, place in zip(passages, at.tolist(), strict=True))

    def token_places(self, number: int, words: Numbers) -> Numbers:
        """Find the tokens with which words begin.

        words: Words of the document, int64.
        Returns: A token of the document as it is written for each, int64.
        """
        return self.words.tokens_at(np.full(len(words), number, dtype=np.int64), words)


class WordDocument(DocumentTokens):
    """The words of a document, of which parts are read as they are written.

    found: The words with their way back to the tokens.
    """

    def __init__(self, index: Backend, number: int, ids: Numbers, found: InWords) -> None:
        super().__init__(index, ids)
        self._number, self._found = number, found

    def part(self, first: int, last: int) -> Part:
        """Read some words of the document as they are written.

        first: The first word, not negative.
        last: One past the last word; what is outside is cut off.
        Raises `DamagedIndexError` if the document does not have these words where they should be.
        """
        first, last = max(0, first), min(last, len(self.ids))
        # From the document's beginning if its words are not clear without it, such as after a run of accents.
        found = self._read(first, last, _BEFORE) or self._read(first, last, None)
        if found is None:
            raise DamagedIndexError(
                mark("Document {document:,} does not have the words that the word index lists."),
                reason="wrong-words",
                document=self._number,
            )
        return found

    def _read(self, first: int, last: int, before: int | None) -> Part | None:
        """The words, read with some tokens before them, or with all; None if others are read."""
        origin, document = self._found.origin, self._number
        at = int(self._found.token_places(document, np.array([first]))[0])
        begin = 0 if before is None else max(0, at - before)
        end = self._after(last)
        decoded = decode_ids(origin, tokens_of(origin, document, begin, end), begins=begin == 0)
        read = self._index.tokenizer.encode_with_offsets(decoded.text)
        # The token of each word that is read: of tokens that begin at one character, the last has its characters.
        tokens = np.searchsorted(decoded.starts[:-1], read.starts, side="right") - 1
        skipped = int(np.searchsorted(tokens, at - begin)) + self._beside(first, at) if begin else first
        chosen = slice(skipped, skipped + last - first)
        if not np.array_equal(read.ids[chosen], self.ids[first:last]):
            return None
        starts, ends = read.starts[chosen], read.ends[chosen]
        # What is beside the first or the last word of the document belongs to the part; otherwise it is cut at words.
        left = 0 if first == 0 else int(starts[0])
        right = len(decoded.text) if last == len(self.ids) else int(ends[-1])
        # With nothing of its text left, the token of the next word is only a part of a character.
        stop = 1 if last < len(self.ids) and decoded.starts[-2] == len(decoded.text) else 0
        token_ends = _tokens_before(decoded.starts[: len(decoded.starts) - stop], ends) + begin
        tokens = self._found.token_places(document, np.arange(first, last))
        return Part(decoded.text[left:right], starts - left, ends - left, tokens, np.maximum(token_ends, tokens + 1))

    def _after(self, last: int) -> int:
        """One past the token with which the word after some begins; the document's end if they are its last."""
        if last < len(self.ids):
            return int(self._found.token_places(self._number, np.array([last]))[0]) + 1
        return length_of(self._found.origin, self._number)

    def _beside(self, first: int, at: int) -> int:
        """Words that begin in the same token as this one, before it."""
        count = 0
        while first - count > 0:
            before = np.array([first - count - 1])
            if int(self._found.token_places(self._number, before)[0]) != at:
                break
            count += 1
        return count


def _tokens_before(starts: Numbers, ends: Numbers) -> Numbers:
    """How many tokens have a part of the text before each of some characters.

    `starts`: the first character of each token and, as its last entry, the length of the text.
    """
    at = np.searchsorted(starts, ends, side="right") - 1
    # A token that continues after the character is counted, one that begins there is not.
    return np.where(starts[at] == ends, at, at + 1)
