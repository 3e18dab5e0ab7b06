"""Copies in a corpus: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex

from explorer.analyses.duplicates.compute import Spared, find_duplicates, removed_curve
from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.search.find import QueryOptions
from explorer.analyses.search.hits import Hits
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.curation.second_pass import tokens_left
from explorer.corpus.results.curation.duplicates import DuplicateTable
from explorer.corpus.results.origin import Origin
from explorer.corpus.search import queries
from explorer.corpus.search.where import Where, some_documents
from explorer.corpus.types import Query
from explorer.derive.question import settings_of
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import BYTES_NAME

_USUAL = DuplicatesQuestion()


@checks_jobs
class CorpusDuplicates:
    """Duplicates of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def duplicates(
        self,
        length: SupportsIndex,
        rule: Literal["separate", "first", "all"] = _USUAL.rule,
        *,
        unit: Literal["tokens", "bytes"] = _USUAL.unit,
        gap: SupportsIndex = _USUAL.gap,
        across: bool = _USUAL.across,
        prefer: Where = (),
        never: Sequence[Query] = (),
        borders: Literal["tokens", "characters", "words", "lines"] = _USUAL.borders,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> DuplicateTable:
        """Find the tokens to cut so that no passage of a length is left twice.

        Parameters
        ----------
        length
            Length of the windows that are compared, in tokens, 1 to 65,535.
        rule
            Which windows are cut. "separate": those that are equal to an earlier one, but for those that overlap with
            the first of them, so that text which repeats itself keeps one whole window. "first": also these, as bsade
            does. "all": every window that occurs twice, the first one included, as Lee et al. (2022).
        unit
            What the length counts: "tokens", or "bytes" for an index of bytes.
        gap
            Also cut up to this many tokens between two cuts of a document.
        across
            Only cut what occurs first in another document; repeats within one document stay.
        prefer
            Conditions on metadata, such as "source=wiki". Documents that meet them come before all others in what
            "first" means, so theirs are the copies that are kept.
        never
            Passages that are not cut wherever they occur, as texts or token ids, such as the header of a license.
        borders
            Where a cut begins and ends: at any token, or only where no character, no word or no line is cut in two.
            Cuts become shorter for it, never longer.
        report
            Called with the progress of the repeat profile, and of counting bytes.
        cancel
            Stops the work.

        Returns
        -------
        DuplicateTable
            The ranges, which `export_cuts` takes, and what cutting them comes to.

        Raises
        ------
        QueryError
            If a number is out of range, the rule or the unit is not known, "bytes" is asked for and a token has
            several, the rule "all" across documents only or with `prefer`, a condition cannot be read, or no document
            meets it.
        CapabilityError
            If documents are subtracted from the index, or its parts are stored in different directions.
        TokenizerError
            If the index has no tokenizer, and `never` or `borders` needs one.
        Cancelled
            If it was cancelled.

        Notes
        -----
        First is in the order of documents, then within a document. A window is within one document. A token is cut if
        a window that is cut has it. Where two texts meet at a cut, a passage may arise that occurs elsewhere: a second
        pass over the texts that are left finds it.

        Cost: the repeat profile, which is made once (as `repeats`) and then kept in the cache folder for lengths of 16
        and more: 24 bytes for each stretch of 16 tokens that occurs elsewhere. Then a tenth of a second for some
        million of them. With `prefer`, the profile is made again, and kept in memory.

        Examples
        --------
        >>> corpus.duplicates(4).tokens_removed
        9
        >>> corpus.duplicates(4, "all").tokens_removed
        15
        """
        question = DuplicatesQuestion.of(
            length=length, rule=rule, unit=unit, gap=gap, across=across, prefer=prefer, never=never, borders=borders
        )
        if question.unit == "bytes":
            require_bytes(self.index)
        spared = Spared(
            some_documents(self.index, self.columns, question.prefer, report, cancel),
            _places(self.index, question.never, cancel) if question.never else None,
            question.borders,
        )
        found = find_duplicates(
            self.index, question.length, question.rule, question.gap, question.across, report, cancel, spared
        )
        return DuplicateTable(found, Origin(self.index, question.facts))

    def duplicates_left(
        self,
        ranges: Ranges,
        length: SupportsIndex,
        rule: Literal["separate", "first", "all"] = _USUAL.rule,
        *,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> int:
        """Count the tokens that a second pass would cut, after some were.

        Parameters
        ----------
        ranges
            What is cut first, such as `duplicates(…).ranges`.
        length, rule
            As for `duplicates`.
        report
            Called with the progress of writing, sorting and comparing what is left.
        cancel
            Stops the work.

        Returns
        -------
        int
            The tokens. More than 0 where texts that meet at a cut make a passage that occurs elsewhere.

        Raises
        ------
        QueryError
            If the length is out of range, or the rule is not known.
        Cancelled
            If it was cancelled.

        Notes
        -----
        An index of what is left is made in a temporary folder, which takes about 8 bytes per token and the time of a
        build without its tokenizer. A text that is tokenized again can have other tokens at a cut.

        Examples
        --------
        >>> corpus.duplicates_left(corpus.duplicates(4).ranges, 4)
        0
        """
        question = DuplicatesQuestion.of(length=length, rule=rule)
        return tokens_left(self.index, ranges, question.length, question.rule, report, cancel or CancelToken())

    def duplicates_curve(
        self,
        lengths: Sequence[SupportsIndex],
        rule: Literal["separate", "first", "all"] = _USUAL.rule,
        *,
        across: bool = _USUAL.across,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Numbers:
        """Count the tokens that `duplicates` would cut, for many lengths.

        Parameters
        ----------
        lengths
            The lengths, each 1 to 65,535.
        rule, across
            As for `duplicates`.
        report
            Called with the progress of the repeat profile, then with the lengths that are done.
        cancel
            Stops the work.

        Returns
        -------
        numpy.ndarray
            Tokens for each length, int64.

        Raises
        ------
        QueryError
            As from `duplicates`.
        CapabilityError
            As from `duplicates`.
        Cancelled
            If it was cancelled.

        Examples
        --------
        >>> corpus.duplicates_curve([3, 4, 9]).tolist()
        [9, 9, 0]
        """
        question = DuplicatesQuestion.of(rule=rule, across=across)
        kind = settings_of(DuplicatesQuestion)["length"].kind
        sizes = [kind.check("lengths", length) for length in lengths]
        profile = self.index.lists.repeat_profile(min(sizes, default=1), report, cancel)
        return removed_curve(profile, sizes, question.rule, question.across, report, cancel)


def _places(index: Backend, passages: Sequence[Query], cancel: CancelToken | None) -> Ranges:
    """The tokens of all occurrences of some passages."""
    found = ranges_of([], [], [])
    for passage in passages:
        hits = Hits(index, queries.parts(index, passage, QueryOptions(match="text")))
        for _, places in hits.chunks(cancel=cancel):
            whole = hits.measured(places, cancel)
            found = found.union(ranges_of(whole.documents, whole.offsets, whole.offsets + whole.lengths))
    return found


def require_bytes(index: Backend) -> None:
    """Raise QueryError unless the tokens of an index are bytes."""
    if not (index.has_tokenizer and index.tokenizer.style == BYTES_NAME):
        raise QueryError(
            mark("Lengths in bytes need an index whose tokens are bytes, and those of {name} are not."),
            reason="unit-bytes",
            name=index.name,
        )
