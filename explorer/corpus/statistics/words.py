"""The words of a corpus, whatever its tokens are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from explorer.backends.made_of import MadeOf, note_made_of
from explorer.backends.protocol.protocol import Backend, Ids
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.index import open_words, word_index
from explorer.words.rule import WordRule


@checks_jobs
class CorpusWords:
    """The words of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def words(
        self,
        *,
        fold: bool = True,
        accents: bool = True,
        numbers: bool = True,
        signs: bool = False,
        shortest: int = 1,
        apostrophes: bool = False,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Self:
        """Open the words of this corpus as a corpus: its tokens are words, its documents the same.

        Parameters
        ----------
        fold
            Whether words that differ in case only are one form.
        accents
            Whether accents are kept; otherwise é and e are one letter.
        numbers
            Whether words without a letter are kept.
        signs
            Whether each sign of punctuation and each symbol is a word of its own.
        shortest
            The fewest characters of a word, at least 1.
        apostrophes
            Whether straight and curly apostrophes, ' and ’, differ.
        report
            Called with the progress.
        cancel
            Stops the work; nothing is left of it then.

        Returns
        -------
        Corpus
            The words. With `match="tokens"`, line breaks, case and punctuation of a query do not matter. Ids go by
            frequency: 0 is the most frequent word. A word that the corpus lacks has an id that never occurs. Documents
            keep their numbers and metadata; subtracted ones are left out.

        Raises
        ------
        QueryError
            If `shortest` is not a whole number from 1.
        CapabilityError
            If the index is not in folders on this machine.
        CorpusError
            If no tokenizer is known, the index is damaged, or the cache folder cannot be written.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A word is a run of letters, marks, numbers and connectors. An apostrophe joins between letters; a point or comma
        joins between digits; each Chinese or Japanese letter is a word. `docs/words.md` has the whole rule.

        Cost: once a pass over all tokens and a sort of all words. The index of words is then kept in the cache folder
        (the variable CORPUS_EXPLORER_CACHE names it), under a name for the content of this index and the settings.

        Examples
        --------
        >>> words = corpus.words()
        >>> words.count("The Cat", match="tokens"), words.count("cat, SAT", match="tokens")
        (3, 2)
        >>> words.decode([0])
        'the'
        """
        rule = WordRule(fold, accents, numbers, signs, shortest, apostrophes)
        # The class is `Corpus`, which is made of a backend.
        make = cast(Callable[[Backend], Self], type(self))
        words = open_words(self.index, rule, report, cancel).backend
        usual = vars(WordRule())
        changed = {name: value for name, value in vars(rule).items() if value != usual[name]}
        how = (("unit", "words"), *((f"words: {name}", str(value).lower()) for name, value in changed.items()))
        note_made_of(words, MadeOf(self.index, how))
        return make(words)

    def word_origins(self, documents: Ids, words: Ids) -> NDArray[np.int64]:
        """Find where words begin in the corpus that this corpus of words was made of.

        Parameters
        ----------
        documents
            Numbers of documents.
        words
            The offset of a word in each of them.

        Returns
        -------
        NDArray[np.int64]
            The offset of a token in each document of the original, int64. The word may begin inside the token.

        Raises
        ------
        CapabilityError
            If this is not a corpus of words.
        QueryError
            If there is no such document, or it has fewer words.

        Examples
        --------
        >>> corpus.words().word_origins([2], [1]).tolist()
        [1]
        """
        made = word_index(self.index)
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
        return made.tokens_at(numbers, offsets)
