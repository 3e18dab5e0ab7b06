"""Cutting ranges of tokens out of a corpus's texts: what `Corpus` has of it."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np

from explorer.analyses.search.limits import whole_number
from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend
from explorer.backends.ranges import Ranges
from explorer.building.merging import Manifest, MergeRequest, merge_folders
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.errors import QueryError
from explorer.export.cuts.cuts import CutExport, CutFormat, CutRequest, check_place, export_cuts
from explorer.export.cuts.files import CutStyle, table_columns, whole_files
from explorer.export.cuts.texts import CutDocument, Cuts, cut_documents
from explorer.i18n import mark


@checks_jobs
class CorpusCuts:
    """Cuts of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend

    def export_cuts(
        self,
        ranges: Ranges,
        folder: str | PathLike[str],
        *,
        format: CutFormat = "cleaned",
        packed: bool = False,
        parquet: bool = False,
        characters: bool = False,
        min_words: SupportsIndex = 1,
        sources_only: bool = False,
        about: Mapping[str, Any] | None = None,
        first: Places | None = None,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> CutExport:
        """Write the documents with ranges of tokens cut out, or marked, to a new folder.

        The originals are never changed. Where the source of a document is still as it was, its own text is cut;
        otherwise what its tokens spell.

        Parameters
        ----------
        ranges
            What is to be cut.
        folder
            The new folder, outside the index and its sources. It appears when it is complete.
        format
            "cleaned" for the rows without what is cut, "annotated" for whole rows with "sa_remove_ranges", "byterange"
            for the files of deduplicate-text-datasets, "ranges" for places in the index's files of tokens.
        packed
            Whether to compress files of JSON Lines by Zstandard.
        parquet
            Whether cleaned rows are a Parquet file, with the text and the metadata fields of the index as columns.
        characters
            Whether annotated rows have offsets of characters beside those of bytes.
        min_words
            The least words, between white space, that must be left of a document that is cut; otherwise it is listed in
            dropped.jsonl.
        sources_only
            Whether to refuse if the source of a document that is cut is gone or has changed.
        about
            What else manifest.json states, such as the rule that found the ranges.
        first
            Where each range occurs first, as `first` of the result of `duplicates`: annotated rows then have
            "sa_first_copies", a document and its token, or null, for each of their ranges.
        report
            Called with the documents that are done.
        cancel
            Stops the work; nothing is left then.

        Returns
        -------
        CutExport
            The folder, the files, and what was cut.

        Raises
        ------
        QueryError
            If the format is unknown or cannot be Parquet, or the ranges or their first places are not of this corpus.
        ExportError
            If the folder exists, is inside the index or a source, or cannot be written.
        CapabilityError
            If places in files of tokens are asked for and the index has none, or documents are subtracted.
        TokenizerError
            If the index has no tokenizer.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A cut that begins or ends inside a character leaves the whole character. Cost: reading all documents, and their
        sources.

        Examples
        --------
        >>> from explorer import ranges_of
        >>> made = corpus.export_cuts(ranges_of([0], [2], [4]), folder.with_name("cleaned"))
        >>> made.counts.tokens_removed, sorted(made.files)
        (2, ['cleaned.jsonl', 'dropped.jsonl'])
        """
        if parquet and format != "cleaned":
            raise QueryError(mark("Only cleaned rows can be a Parquet file."), reason="wrong-argument")
        columns = table_columns(self.index) if parquet else ()
        style = CutStyle(packed, characters, whole_number(min_words, "min_words", 0), columns)
        request = CutRequest(ranges, Path(folder), format, style, sources_only, dict(about or {}), first)
        return export_cuts(self.index, request, report, cancel)

    def preview_cuts(self, ranges: Ranges, number: SupportsIndex, *, first: Places | None = None) -> CutDocument:
        """Show one document with what is to be cut of it, before anything is written.

        Parameters
        ----------
        ranges
            What is to be cut.
        number
            The number of the document.
        first
            As for `export_cuts`.

        Returns
        -------
        CutDocument
            Its text, the characters to cut, what is left, and the first copies, as the export has them.

        Raises
        ------
        QueryError
            If the corpus has no such document.
        TokenizerError
            If the index has no tokenizer.

        Examples
        --------
        >>> from explorer import ranges_of
        >>> seen = corpus.preview_cuts(ranges_of([0], [2], [4]), 0)
        >>> seen.text, seen.spans, seen.kept
        ('the cat sat on the mat', ((7, 14),), 'the cat the mat')
        """
        chosen = np.array([whole_number(number, "number", 0)], np.int64)
        self.index.documents.check(int(chosen[0]))
        return next(cut_documents(self.index, Cuts(ranges, first), chosen))

    def removal_index(
        self,
        ranges: Ranges,
        out: str | PathLike[str],
        *,
        name: str = "",
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Manifest:
        """Write the documents that are cut as an index, which `open_index` subtracts with `minus`.

        What is left is then counted as in an index that was built without them.

        Parameters
        ----------
        ranges
            What is cut: whole documents.
        out
            The new folder, outside the index and its sources.
        name
            What to call the index; "" for the name of its folder.
        report
            Called with the progress.
        cancel
            Stops the work; nothing is left then.

        Returns
        -------
        Manifest
            The contents of the new "index.json".

        Raises
        ------
        QueryError
            If a range is only a part of a document, or there is none.
        ExportError
            If the folder exists, or is inside the index or a source.
        BuildError
            If it cannot be written.
        CapabilityError
            If the corpus is not in folders on this machine.
        Cancelled
            If it was cancelled.

        Examples
        --------
        >>> from explorer import open_index, ranges_of
        >>> place = folder.with_name("removed")
        >>> made = corpus.removal_index(ranges_of([1], [0], [corpus.document(1).token_count]), place)
        >>> open_index(folder, minus=place).document_count
        3
        """
        local = whole_files(self.index)
        check_place(self.index, Path(out))
        whole = (ranges.starts == 0) & (ranges.ends == self.index.documents.lengths(ranges.documents))
        if not len(ranges) or not whole.all():
            raise QueryError(
                mark("Only whole documents can be subtracted from an index: export the texts instead.")
                if len(ranges)
                else mark("Nothing is cut, so no document can be subtracted."),
                reason="not-whole-documents",
            )
        kept = np.zeros(self.index.document_slots, np.bool_)
        kept[ranges.documents] = True
        request = MergeRequest(local.folders, Path(out), lambda *_: kept, ("documents that are cut",), name=name)
        return merge_folders(request, report, cancel)
