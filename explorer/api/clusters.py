"""The n-grams that contain a query: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, SupportsIndex

from explorer.analyses.clusters.compute import ClusterRequest, checked_size, find_clusters
from explorer.api.around import AnyQuery, Around, find_around
from explorer.api.results.clusters import ClusterTable
from explorer.api.results.origin import Origin
from explorer.api.where import Where, conditions
from explorer.backends.protocol import Backend
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.asked import checks_jobs
from explorer.search.fields import FieldColumns
from explorer.search.values import FieldFilter
from explorer.search.whole import require_whole


@checks_jobs
class CorpusClusters:
    """Clusters of a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def clusters(
        self,
        query: AnyQuery,
        size: tuple[SupportsIndex, SupportsIndex] = (2, 4),
        side: Literal["left", "right", "any"] = "any",
        unit: Literal["words", "tokens"] = "words",
        *,
        min_count: SupportsIndex = 1,
        min_documents: SupportsIndex = 1,
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
            Words or tokens of the shortest and of the longest n-grams, 2 to 8.
        side
            Where the query is: "left" for n-grams that begin with it, "right" for those that end with it, "any" for all
            that contain it.
        unit
            "words" to count words, in lower case; "tokens" to count tokens of this corpus, as in a corpus of words.
        min_count
            Their least count.
        min_documents
            The least number of documents that they are in.
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
        around = find_around(self.index, self.columns, query, unit, where, report, cancel)
        asked = ClusterRequest(size, side, min_count, min_documents, top)
        return clusters_around(around, asked, conditions(where), report, cancel)


def clusters_around(
    around: Around,
    request: ClusterRequest,
    where: Sequence[FieldFilter] = (),
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> ClusterTable:
    """List the n-grams that contain hits that were found; `where` states how documents were chosen."""
    # Also where the query does not occur.
    checked_size(request.size, max(1, around.phrase))
    found = find_clusters(around.counted, around.nodes, request, around.chosen, report, cancel)
    require_whole(around.index)
    asked = (
        *around.facts,
        ("size", f"{request.size[0]},{request.size[1]}"),
        ("side", request.side),
        ("least count", str(request.min_count)),
        ("least documents", str(request.min_documents)),
        ("top", "all" if request.top is None else str(request.top)),
        ("unit", "tokens" if around.counted is around.index else "words"),
        *(("condition", str(condition)) for condition in where),
        *((("hits without a word, left out", str(around.left_out)),) if around.left_out else ()),
        ("hits counted around", str(found.node)),
    )
    return ClusterTable(found, around.counted, Origin(around.index, asked), around.left_out)
