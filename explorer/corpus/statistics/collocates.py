"""The words near a query: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, SupportsIndex

from explorer.analyses.collocates.cells import find_collocates
from explorer.analyses.collocates.details import collocate_details
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.collocates.text_ends import Within
from explorer.analyses.collocates.windows import Windows
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.whole import require_whole
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.statistics.collocates import CollocateTable, Listed
from explorer.corpus.search.where import Where, conditions
from explorer.corpus.statistics.around import AnyQuery, Around, find_around
from explorer.words.stop_list import stop_ids

_USUAL = CollocatesQuestion()


@checks_jobs
class CorpusCollocates:
    """Collocates of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def collocates(
        self,
        query: AnyQuery,
        window: tuple[SupportsIndex, SupportsIndex] = _USUAL.window,
        min_count: SupportsIndex = _USUAL.min_count,
        unit: Literal["words", "tokens"] = _USUAL.unit,
        *,
        within: Within = _USUAL.within,
        min_documents: SupportsIndex = _USUAL.min_documents,
        stop: Iterable[str] = (),
        details: bool = _USUAL.details,
        where: Where = (),
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> CollocateTable:
        """List the words near a query, with how strongly it attracts them.

        Parameters
        ----------
        query
            A text, which is cut into words or tokens, or their ids; or what `search` found, or the lines of a
            concordance, whose hits are taken as they are: with AND, regular expressions and filters. In words, a hit is
            of the words that begin in it, and one without any is left out.
        window
            Words or tokens to the left and to the right of each hit, from 0 to 1,000 each, not both 0.
        min_count
            Minimum number of occurrences in the windows, from 1.
        unit
            Count words, in lower case, or tokens: "words" or "tokens". The tokens of a corpus of words are words.
        within
            The unit of text that a window does not extend beyond: "document", "sentence" or "line".
        min_documents
            Minimum number of documents with an occurrence in a window.
        stop
            Words that are not listed; they are counted like others. Each is cut and folded as texts are, and excluded
            if it is one word or token.
        details
            Count documents, pairs as AntConc does, and places in the window, for each word.
        where
            Conditions on the metadata of the documents that count, as `subset` takes them.
        report
            Called with the progress of making the index of words, and of reading metadata.
        cancel
            Stops the work.

        Returns
        -------
        CollocateTable
            The words, sorted by logDice. None if the query does not occur.

        Raises
        ------
        QueryError
            If the query is empty, a setting is out of range, or a condition cannot be read.
        TokenizerError
            If a text is given and the index has no tokenizer.
        CapabilityError
            If words are asked for and the index is not in folders on this machine.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Windows end where documents do. A sentence ends after `.`, `!`, `?`, `…` and closing quotes before a blank,
        after `。`, `！`, `？` and `।`, and at an empty line; no list of abbreviations is used. Each word of the text
        counts once, however many windows it is in, and those of the query's hits never do (S. Evert, "Corpora and
        collocations", 2008).

        Cost: as for `words`, then the hits are sorted, and their windows are read. With `where`, all metadata are read
        once, and the chosen documents or the others, whichever are shorter; nothing is sorted, as it is for `subset`.

        Examples
        --------
        >>> found = corpus.collocates("cat", window=(1, 0), min_count=2)
        >>> [(row.form, row.observed) for row in found]
        [('the', 3)]
        """
        question = CollocatesQuestion.of(
            window=window,
            min_count=min_count,
            unit=unit,
            within=within,
            min_documents=min_documents,
            stop=stop,
            details=details,
        )
        around = find_around(self.index, self.columns, query, question.unit, where, report, cancel)
        return collocates_around(around, question, conditions(where), cancel)[0]


def collocates_around(
    around: Around,
    question: CollocatesQuestion,
    where: Sequence[FieldFilter] = (),
    cancel: CancelToken | None = None,
    most_detailed: int = -1,
) -> tuple[CollocateTable, Windows]:
    """List the words near hits that were found; `where` states the conditions by which documents were chosen.

    Details are counted if the question or its minimum number of documents needs them, and for up to `most_detailed`
    hits. The windows are returned as well, since a caller may want to read the lines of a row.
    """
    # Provenance states the words of a file, which can change.
    question = replace(question, stop=question.stop_words)
    windows = around.windows(question.window, question.within, cancel)
    counted, chosen = around.counted, around.chosen
    found = find_collocates(counted, windows, question.min_count, cancel, chosen)
    require_whole(around.index)
    detailed = question.details or question.min_documents > 1 or len(windows) <= most_detailed
    more = collocate_details(counted, windows, found.ids, cancel) if detailed else None
    cells = found.cells
    asked = (
        *around.facts,
        *question.facts,
        *(("condition", str(condition)) for condition in where),
        *((("hits without a word, left out", str(around.left_out)),) if around.left_out else ()),
        ("hits counted around", str(cells.node)),
        ("in the windows", str(cells.window)),
        ("N", str(cells.total)),
    )
    listed = Listed(more, question.min_documents, stop_ids(counted, question.stop_words), around.left_out)
    table = CollocateTable(found, counted, Origin(around.index, asked), listed)
    return table.sorted_by(question.sort), windows
