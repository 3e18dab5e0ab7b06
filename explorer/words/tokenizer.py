"""The tokenizer of a word index: a text becomes the ids of its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.tokens.spelling import Spelling
from explorer.tokens.tokenizer import Encoded, TextTokenizer
from explorer.words.rule import WordRule, spans
from explorer.words.vocabulary import WordVocabulary


class WordTokenizer(TextTokenizer):
    """Words by the rule of an index; its one id more than words is that of words that the index lacks.

    Parameters
    ----------
    vocabulary
        The words.
    rule
        The rule that cuts and folds texts.
    fingerprint
        Names the vocabulary.
    """

    def __init__(self, vocabulary: WordVocabulary, rule: WordRule, fingerprint: str) -> None:
        super().__init__(None, "words", fingerprint)
        # A space precedes each word, as in other vocabularies of whole words.
        self.spelling = Spelling("words")
        self.vocabulary, self.rule = vocabulary, rule
        self._known: dict[str, int | None] = {}

    def __reduce__(self) -> tuple[Callable[..., WordTokenizer], tuple[WordVocabulary, WordRule, str]]:
        return WordTokenizer, (self.vocabulary, self.rule, self.fingerprint)

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

        Parameters
        ----------
        text
            Any text.

        Returns
        -------
        NDArray[np.int64]
            The ids of its words, int64.
        """
        return self.encode_with_offsets(text).ids

    def encode_batch(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Cut many texts into words."""
        return [self.encode(text) for text in texts]

    def encode_with_offsets(self, text: str) -> Encoded:
        """Cut a text into words, with the characters of each.

        Parameters
        ----------
        text
            Any text.

        Returns
        -------
        Encoded
            The ids of its words and their places.
        """
        found = [(start, end, self._id_of(text[start:end])) for start, end in spans(text, self.rule.signs)]
        rows = [(word, start, end) for start, end, word in found if word is not None]
        ids, starts, ends = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
        return Encoded(ids, starts, ends)

    def _id_of(self, spelling: str) -> int | None:
        """The id of a word; None if the rule drops it."""
        if spelling not in self._known:
            # The words of a few texts, not of a whole corpus.
            if len(self._known) > 1 << 16:
                self._known.clear()
            self._known[spelling] = self._look_up(spelling)
        return self._known[spelling]

    def _look_up(self, spelling: str) -> int | None:
        form = self.rule.form(spelling)
        if form is None:
            return None
        found = self.vocabulary.find(form)
        return len(self.vocabulary) if found is None else found

    def _spell_bytes(self, token: int) -> bytes:
        if not 0 <= token < len(self.vocabulary):
            return " \ufffd".encode()
        return b" " + self.vocabulary.form_bytes(token)

    @cached_property
    def _word_starts(self) -> NDArray[np.bool_]:
        starts = np.ones(self.vocabulary_size + 1, dtype=np.bool_)
        starts[-1] = False
        return starts
