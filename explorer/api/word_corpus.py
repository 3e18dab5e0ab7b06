"""A corpus whose tokens are words; `Corpus.words` makes it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.api.corpus import Corpus
from explorer.backends.protocol import Ids
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.index import WordIndex, word_index
from explorer.words.rule import WordRule
from explorer.words.vocabulary import WordVocabulary


class WordCorpus(Corpus):
    """The words of a corpus. Ids go by frequency: 0 is the most frequent word.

    Everything that a `Corpus` can be asked is asked about words. A text is cut by the same rule, so that line breaks,
    case and punctuation do not matter with `match="tokens"`. A word that the corpus lacks has an id that never occurs.

    Examples
    --------
    >>> words = corpus.words()
    >>> words.count("the cat,\\nSAT", match="tokens")
    2
    >>> words.tokens_at([2], [1]).tolist()
    [1]
    """

    @cached_property
    def _words(self) -> WordIndex:
        return word_index(self.index)

    @property
    def rule(self) -> WordRule:
        """The rule by which words are cut and compared."""
        return self._words.rule

    @property
    def vocabulary(self) -> WordVocabulary:
        """The forms by id, with counts and spellings: of the whole index, also where this is a part of it."""
        return self._words.vocabulary

    @property
    def word_count(self) -> int:
        """Number of words: tokens without the separators."""
        return self.token_count - self.document_count

    @property
    def type_count(self) -> int:
        """Number of different words of the whole index."""
        return len(self.vocabulary)

    def form(self, word: int) -> str:
        """Give the form of a word.

        Parameters
        ----------
        word
            Its id.

        Returns
        -------
        str
            The form: the word as it is compared.

        Raises
        ------
        QueryError
            If there is no such word.

        Examples
        --------
        >>> corpus.words().form(1)
        'cat'
        """
        return self.vocabulary.form(self._checked(word))

    def spelling(self, word: int) -> str:
        """Give the most frequent spelling of a word.

        Parameters
        ----------
        word
            Its id.

        Returns
        -------
        str
            The spelling; of several as frequent, the first by bytes.

        Raises
        ------
        QueryError
            If there is no such word.
        """
        return self.vocabulary.spelling(self._checked(word))

    def tokens_at(self, documents: Ids, words: Ids) -> NDArray[np.int64]:
        """Find the tokens with which words begin in the corpus that these are the words of.

        Parameters
        ----------
        documents
            Numbers of documents.
        words
            The offset of a word in each of them.

        Returns
        -------
        NDArray[np.int64]
            The offset of a token in each document, int64. The word may begin inside it.

        Raises
        ------
        QueryError
            If there is no such document, or it has fewer words.
        """
        numbers, offsets = np.asarray(documents, dtype=np.int64), np.asarray(words, dtype=np.int64)
        if numbers.shape != offsets.shape:
            raise QueryError(mark("Documents and words must be as many."), reason="wrong-argument")
        outside = (offsets < 0) | (offsets >= self.index.documents.lengths(numbers))
        if outside.any():
            place = int(np.flatnonzero(outside)[0])
            raise QueryError(
                mark("Document {document:,} has no word {word:,}."),
                reason="no-word",
                document=int(numbers[place]),
                word=int(offsets[place]),
            )
        return self._words.tokens_at(numbers, offsets)

    def _checked(self, word: int) -> int:
        if isinstance(word, bool) or not isinstance(word, int | np.integer) or not 0 <= word < self.type_count:
            raise QueryError(mark("There is no word with the id {word}."), reason="no-word", word=repr(word))
        return int(word)
