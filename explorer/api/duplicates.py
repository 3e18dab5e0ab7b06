"""Copies in a corpus: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex

from explorer.api.results.duplicates import DuplicateTable
from explorer.api.results.origin import Origin
from explorer.backends.protocol import Backend, Numbers
from explorer.curation.duplicates import find_duplicates, removed_curve
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.asked import checks_jobs
from explorer.search.limits import whole_number
from explorer.tokens.tokenizer import BYTES_NAME


@checks_jobs
class CorpusDuplicates:
    """Duplicates of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def duplicates(
        self,
        length: SupportsIndex,
        rule: Literal["separate", "first", "all"] = "separate",
        *,
        unit: Literal["tokens", "bytes"] = "tokens",
        gap: SupportsIndex = 0,
        across: bool = False,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> DuplicateTable:
        """Find the tokens to cut so that no passage of a length is left twice.

        Parameters
        ----------
        length
            Tokens of a window that is compared, 1 to 65,535.
        rule
            Which windows are cut. "separate": those that are equal to an earlier one, but for those that overlap with
            the first of them, so that text which repeats itself keeps one whole window. "first": also these, as bsade
            does. "all": every window that occurs twice, the first one included, as Lee et al. (2022).
        unit
            What `length` counts. "bytes" for indexes of bytes, whose tokens they are.
        gap
            The most tokens between two ranges of a document that are cut with them.
        across
            Whether only windows are cut whose first equal one is in another document.
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
            several, or the rule "all" across documents only.
        CapabilityError
            If documents are subtracted from the index, or its parts are stored in different directions.
        Cancelled
            If it was cancelled.

        Notes
        -----
        First is in the order of documents, then within a document. A window is within one document. A token is cut if
        a window that is cut has it. Where two texts meet at a cut, a passage may arise that occurs elsewhere: a second
        pass over the texts that are left finds it.

        Cost: the repeat profile, which is made once (as `repeats`) and then kept in the cache folder for lengths of 16
        and more: 28 bytes for each place from which 16 tokens occur elsewhere, in most corpora 5 percent of all. Then a
        tenth of a second for some million such places.

        Examples
        --------
        >>> corpus.duplicates(4).tokens_removed
        9
        >>> corpus.duplicates(4, "all").tokens_removed
        15
        """
        check_length_unit(self.index, unit)
        found = find_duplicates(self.index, length, rule, gap, across, report, cancel)
        told = (
            ("length", str(length)),
            ("unit", unit),
            ("rule", rule),
            ("gap", str(gap)),
            ("only copies of another document", "yes" if across else "no"),
        )
        return DuplicateTable(found, Origin(self.index, told))

    def duplicates_curve(
        self,
        lengths: Sequence[SupportsIndex],
        rule: Literal["separate", "first", "all"] = "separate",
        *,
        across: bool = False,
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
        sizes = [whole_number(length, "lengths", 1) for length in lengths]
        profile = self.index.lists.repeat_profile(min(sizes, default=1), report, cancel)
        return removed_curve(profile, sizes, rule, across, report, cancel)


def check_length_unit(index: Backend, unit: str) -> None:
    """Raise QueryError unless lengths can be counted in a unit."""
    if unit not in ("tokens", "bytes"):
        raise QueryError(mark("unit must be tokens or bytes."), reason="wrong-argument")
    if unit == "bytes" and not (index.has_tokenizer and index.tokenizer.style == BYTES_NAME):
        raise QueryError(
            mark(
                "Lengths in bytes need an index whose tokens are bytes, and those of {name} are not. Give the length "
                "in tokens, or build an index of the same texts with --tokenizer bytes."
            ),
            reason="unit-bytes",
            name=index.name,
            option="--unit",
        )
