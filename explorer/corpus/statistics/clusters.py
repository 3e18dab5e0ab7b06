"""The n-grams that contain a query: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex

from explorer.analyses.clusters.compute import find_clusters, require_room
from explorer.analyses.clusters.question import ClustersQuestion, Side
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.limits import whole_number
from explorer.analyses.search.whole import require_whole
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.statistics.clusters import ClusterTable
from explorer.corpus.search.where import Where, conditions
from explorer.corpus.statistics.around import AnyQuery, Around, find_around

_USUAL = ClustersQuestion()


@checks_jobs
class CorpusClusters:
    """Clusters of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def clusters(
        self,
        query: AnyQuery,
        size: tuple[SupportsIndex, SupportsIndex] = _USUAL.size,
        side: Side = _USUAL.side,
        unit: Literal["words", "tokens"] = _USUAL.unit,
        *,
        min_count: SupportsIndex = _USUAL.min_count,
        min_documents: SupportsIndex = _USUAL.min_documents,
        top: SupportsIndex | None = None,
        where: Where = (),
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> ClusterTable:
        """List the n-grams that contain a query, with exact counts and numbers of documents.

        Parameters
        ----------
        query
            As in `collocates`: a text or ids, what `search` found, or the lines of a concordance.
        size
            Words or tokens of the shortest and of the longest clusters, 2 to 8 each.
        side
            The place of the query: clusters begin with it (left), end with it (right), or contain it (any).
        unit
            Count words, in lower case, or tokens: "words" or "tokens". The tokens of a corpus of words are words.
        min_count
            Minimum number of occurrences, from 1.
        min_documents
            Minimum number of documents, from 1.
        top
            How many, the most frequent ones; None for all.
        where
            Conditions on the metadata of the documents that count, as `subset` takes them.
        report
            Called with the progress of making the index of words, of reading metadata, and of reading hits.
        cancel
            Stops the work.

        Returns
        -------
        ClusterTable
            The n-grams of all sizes together, the most frequent first. None if the query does not occur.

        Raises
        ------
        QueryError
            If the query is empty or longer than the n-grams, a setting is out of range, a condition cannot be read, or
            there are more than 16,777,216 distinct n-grams.
        TokenizerError
            If a text is given and the index has no tokenizer.
        CapabilityError
            If words are asked for and the index is not in folders on this machine.
        Cancelled
            If it was cancelled.

        Notes
        -----
        N-grams end where documents do. One that contains the query twice counts once at each place, so without
        `where`, counts are those of `ngrams` with `contains`. That walks over the whole suffix array, which takes the
        same time for any query; this method reads what is around the hits, and takes time for each of them.

        Cost: as for `words`, then the hits are sorted, and what is around them is read and sorted: about a second per
        million hits and size. With `where`, all metadata are read once.

        Examples
        --------
        >>> [(row.form, row.count) for row in corpus.clusters("cat", size=(2, 2), side="left", min_count=2)]
        [('cat sat', 2)]
        """
        question = ClustersQuestion.of(
            size=size, side=side, unit=unit, min_count=min_count, min_documents=min_documents
        )
        around = find_around(self.index, self.columns, query, question.unit, where, report, cancel)
        most = None if top is None else whole_number(top, "top", 1)
        return clusters_around(around, question, conditions(where), most, report, cancel)


def clusters_around(
    around: Around,
    question: ClustersQuestion,
    where: Sequence[FieldFilter] = (),
    top: int | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> ClusterTable:
    """List the n-grams that contain hits that were found; `where` states how documents were chosen."""
    # Also where the query does not occur.
    require_room(question.size[1], around.phrase)
    found = find_clusters(around.counted, around.nodes, question, top, around.chosen, report, cancel)
    require_whole(around.index)
    asked = (
        *around.facts,
        *question.facts,
        ("top", "all" if top is None else str(top)),
        *(("condition", str(condition)) for condition in where),
        *((("hits without a word, left out", str(around.left_out)),) if around.left_out else ()),
        ("hits counted around", str(found.node)),
    )
    return ClusterTable(found, around.counted, Origin(around.index, asked), around.left_out)
