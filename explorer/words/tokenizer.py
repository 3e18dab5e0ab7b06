"""The tokenizer of a word index: a text becomes the ids of its words."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.text.segments import spans
from explorer.text.tokens.spelling import Spelling
from explorer.text.tokens.tokenizer import Encoded, TextTokenizer
from explorer.words.rule import WordRule
from explorer.words.vocabulary import WordVocabulary

_MOST_KNOWN = 1 << 16


class _Ids(dict[str, int | None]):
    """The ids of spellings, each looked up when it is first asked for; None if the rule drops it."""

    def __init__(self, vocabulary: WordVocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, spelling: str) -> int | None:
        form = self._vocabulary.rule.form(spelling)
        found = None if form is None else self._vocabulary.find(form)
        # The words of a few texts, not of a whole corpus.
        if len(self) > _MOST_KNOWN:
            self.clear()
        # The one id more than words is that of words that the index lacks.
        self[spelling] = len(self._vocabulary) if form is not None and found is None else found
        return self[spelling]


class WordTokenizer(TextTokenizer):
    """Words by the rule of an index; its one id more than words is that of words that the index lacks."""

    def __init__(self, vocabulary: WordVocabulary, fingerprint: str) -> None:
        super().__init__(None, "words", fingerprint)
        # A space precedes each word, as in other vocabularies of whole words.
        self.spelling = Spelling("words")
        self.vocabulary = vocabulary
        self._ids = _Ids(vocabulary)

    @property
    def rule(self) -> WordRule:
        """The rule that cuts and folds texts."""
        return self.vocabulary.rule

    @cached_property
    def vocabulary_size(self) -> int:
        """One more than the largest id."""
        return len(self.vocabulary) + 1

    @cached_property
    def unknown(self) -> frozenset[int]:
        """The id of words that the index lacks."""
        return frozenset([len(self.vocabulary)])

    @cached_property
    def adds_space(self) -> bool:
        """Whether a space precedes the first word, too."""
        return True

    def encode(self, text: str) -> NDArray[np.int64]:
        """Cut a text into words; what the rule drops is left out.

        Returns: The ids of its words, int64.
        """
        return self.encode_with_offsets(text).ids

    def encode_batch(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Cut many texts into words."""
        return [self.encode(text) for text in texts]

    def encode_with_offsets(self, text: str) -> Encoded:
        """Cut a text into words, with the characters of each.

        Returns: The ids of its words and their places.
        """
        found = [(start, end, self._ids[text[start:end]]) for start, end in spans(text, self.rule.signs)]
        rows = [(word, start, end) for start, end, word in found if word is not None]
        ids, starts, ends = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
        return Encoded(ids, starts, ends)

    def _spell_bytes(self, token: int) -> bytes:
        if not 0 <= token < len(self.vocabulary):
            return " \ufffd".encode()
        return b" " + self.vocabulary.shown(token).encode("utf-8")

    @cached_property
    def _word_starts(self) -> NDArray[np.bool_]:
        starts = np.ones(self.vocabulary_size + 1, dtype=np.bool_)
        starts[-1] = False
        return starts


def _packed(tokenizer: WordTokenizer) -> tuple[Callable[..., WordTokenizer], tuple[WordVocabulary, str]]:
    """A tokenizer for a pickle."""
    return WordTokenizer, (tokenizer.vocabulary, tokenizer.fingerprint)


copyreg.pickle(WordTokenizer, _packed)
