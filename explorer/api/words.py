"""The words of a corpus, whatever its tokens are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.backends.protocol import Backend
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.asked import checks_jobs
from explorer.words.index import open_words
from explorer.words.rule import WordRule

if TYPE_CHECKING:
    from explorer.api.word_corpus import WordCorpus


@checks_jobs
class CorpusWords:
    """The words of a `Corpus`, which inherits this method."""

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
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> WordCorpus:
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
        report
            Called with the progress.
        cancel
            Stops the work; nothing is left of it then.

        Returns
        -------
        WordCorpus
            The words. Documents keep their numbers and metadata; subtracted ones are left out.

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
        (`CORPUS_EXPLORER_CACHE`), under a name for the content of this index and the settings.

        Examples
        --------
        >>> words = corpus.words()
        >>> words.word_count, words.type_count
        (23, 7)
        >>> words.count("The Cat", match="tokens"), words.form(0)
        (3, 'the')
        """
        # `WordCorpus` is a `Corpus`, which is made with this class.
        from explorer.api.word_corpus import WordCorpus

        rule = WordRule(fold, accents, numbers, signs, shortest)
        return WordCorpus(open_words(self.index, rule, report, cancel).backend)
