"""What a corpus is asked for occurrences: n-grams, queries, AND of OR-clauses, and the lines of a concordance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.search.arrange import LineSettings, merge_views, parse_sort, usual_sort
from explorer.analyses.search.cnf import CnfMatches, CnfOptions, cnf
from explorer.analyses.search.concordance import ConcordanceRequest, concordance
from explorer.analyses.search.find import Match, QueryResult, find_query
from explorer.backends.protocol.protocol import Backend, Matches
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.search.concordance import Concordance, of_lines
from explorer.corpus.search import queries
from explorer.corpus.search.where import Where, chosen_documents, conditions, result_within
from explorer.corpus.types import Equate, Query, Variant
from explorer.errors import QueryError
from explorer.export.provenance import line_facts, query_facts
from explorer.i18n import mark


@checks_jobs
class CorpusHits:
    """Occurrences in a `Corpus`, which inherits these methods."""

    # `Corpus` sets both, once, and nobody replaces them: threads may share a corpus. The columns of fields are shared
    # by its concordances, so a field is read once for all of them.
    index: Backend
    columns: FieldColumns

    def find(self, ids: Query) -> Matches:
        """Find the occurrences of an n-gram.

        Parameters
        ----------
        ids
            A text, which is tokenized as it is, or token ids; the empty n-gram occurs at every token.

        Returns
        -------
        Matches
            The n-gram and its count. An index on this machine adds `ranges`: ranks in the suffix array of each shard,
            (first, one past the last).

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Notes
        -----
        A binary search per shard.

        Examples
        --------
        >>> corpus.find("the cat sat").count
        2
        """
        # Unlike in `count`, the empty n-gram is allowed: it is the context of length 0, which every token follows.
        return self.index.hits.find(queries.as_ids(self.index, ids))

    def cnf(
        self,
        clauses: Sequence[Sequence[Query]],
        max_distance: int = 100,
        exact: bool | None = None,
        *,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> CnfMatches:
        """Find an AND of OR-clauses of n-grams.

        Parameters
        ----------
        clauses
            The clauses; each is a sequence of n-grams: texts, which are tokenized as they are, or token ids.
        max_distance
            The most tokens between the beginnings of n-grams of different clauses, in one document.
        exact
            True checks every occurrence of the rarest clause. Otherwise, if there are more than 1,000,000, a sample of
            that size is checked.
        report
            Called with the progress.
        cancel
            Stops the work.

        Returns
        -------
        CnfMatches
            The occurrences of the rarest clause with the others nearby; an estimate has `exact` False.

        Raises
        ------
        QueryError
            If a clause is empty, an id is not one of this index, or the distance is out of range.
        Cancelled
            If it was cancelled.

        Notes
        -----
        The text around each occurrence of the rarest clause is read.

        Examples
        --------
        >>> corpus.cnf([[" cat"], [" mat", " rug"]]).count
        2
        """
        # The n-grams of a clause are alternatives and the clauses are joined by AND, as in `search`; only the phrases
        # are n-grams here.
        if any(isinstance(clause, str) for clause in clauses):
            # Its characters would each be taken for an n-gram.
            raise QueryError(mark("A clause is a list of n-grams, not one text."), reason="clause-is-text")
        ids = [[queries.as_ids(self.index, ngram) for ngram in clause] for clause in clauses]
        return cnf(self.index, ids, CnfOptions(max_distance, exact), report=report, cancel=cancel)

    def search(
        self,
        query: str,
        *,
        variants: Sequence[Variant] = (),
        max_distance: int = 100,
        exact: bool | None = None,
        node: int | None = None,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
        equate: Iterable[Equate] = (),
        where: Where | None = None,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> QueryResult:
        """Hits of a query in the query language: a phrase, or phrases joined by AND, OR and NOT.

        A phrase in quotes is literal; beside operators, /…/ is a regular expression (not with match="tokens"). In
        `count`, which takes literal texts, AND is a word like any other.

        Parameters
        ----------
        query
            A phrase such as `climate change`, or `"climate" AND (warming OR cooling) AND NOT model`.
        variants
            As in `count`, for every phrase.
        max_distance
            The most tokens between the beginnings of what AND joins, in one document.
        exact
            True checks every occurrence of the rarest clause. Otherwise, if there are more than 1,000,000, a sample of
            that size is checked.
        node
            The clause of an AND whose occurrences are hits, from 0; None for the rarest.
        match, ignore_case, whole_words, equate
            As in `count`, for every phrase.
        where
            Conditions on the metadata of documents, as in `count`.
        report
            Called with the progress.
        cancel
            Stops the work.

        Returns
        -------
        QueryResult
            The hits, their number, and how the query was read.

        Raises
        ------
        QuerySyntaxError
            If the query cannot be parsed; it carries the position.
        QueryError
            If the query is empty, a number is out of range, or no document has the field of a condition.
        Cancelled
            If it was cancelled.

        Notes
        -----
        For one phrase as `count`; for AND, the text around each occurrence of the rarest clause is read. With `where`,
        every hit is looked up; `per_million` then refers to the tokens of the documents that meet the conditions, and
        the counts of single clauses stay those of the whole index.

        Examples
        --------
        >>> corpus.search("cat AND (mat OR rug)").count
        2
        >>> corpus.search("sat AND NOT rug").count
        2
        """
        options = queries.checked_options(query, variants, match, ignore_case, whole_words, equate)
        # `exact` stays None unless it is given: exact for up to a million hits, and from there on an estimate that is
        # marked.
        asked = replace(options, max_distance=max_distance, exact=exact, node=node)
        found = find_query(self.index, query, asked, report, cancel)
        if where is None:
            return found
        chosen = chosen_documents(self.index, self.columns, where, report, cancel)
        return result_within(self.index, found, chosen, where, cancel)

    def concordance(
        self,
        query: Query | QueryResult,
        *,
        variants: Sequence[Variant] = (),
        sort: str | None = None,
        seed: int = 0,
        view: LineSettings | None = None,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
        equate: Iterable[Equate] = (),
        where: Where | None = None,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Concordance:
        """Make the lines of a keyword in context.

        Parameters
        ----------
        query
            A literal text, a regular expression or token ids, as in `count`; or what `search` found, which is matched
            already, so that `variants`, `match`, `ignore_case`, `whole_words` and
            `equate` have no effect.
        variants
            As in `count`.
        sort
            "right" or "left" (alphabetical), "random", "index" (the order of the index, which costs nothing), or up to
            three of 5L … 1L, M, 1R … 5R, document and field:NAME, separated by commas. None: the order of the view,
            without a view "right", or "index" where the index cannot sort.
        seed
            Decides the random order and samples, if there is no `view`.
        view
            Filters, sample, order and merging of lines.
        match, ignore_case, whole_words, equate
            As in `count`.
        where
            Conditions on the metadata of documents, as in `count`.
            They are added to the filters of the view.
        report
            Called with the progress.
        cancel
            Stops the work.

        Returns
        -------
        Concordance
            The lines, a sequence and a table; their texts are read page by page.

        Raises
        ------
        QueryError
            As from `count`; also if the order is not valid, or a field does not exist.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Every order except "index" reads all hits, or a sample of 2,000,000, which `repr` names. More than 1,000,000
        lines are not sorted by "right" but stay in the order of the index; `write` records the order beside the table.

        Examples
        --------
        >>> lines = corpus.concordance("sat", sort="document")
        >>> for line in lines.lines(0, 2, width=2):
        ...     print(line.left, "|", line.match, "|", line.right)
        the cat | sat |  on the
        the cat | sat |  on the
        """
        settings = _line_settings(self.index, sort, seed, view)
        if where is not None:
            settings = replace(settings, filters=(*settings.filters, *conditions(where)))
        if isinstance(query, QueryResult):
            # A selection of hits: those that AND and NOT left. None: all of them.
            parts, numbers, asked = query.parts, query.numbers, query_facts(query)
        else:
            options = queries.checked_options(query, variants, match, ignore_case, whole_words, equate)
            parts, numbers = queries.parts(self.index, query, options), None
            asked = queries.facts(query, options)
        found = concordance(self.index, ConcordanceRequest(parts, numbers, settings), self.columns, report, cancel)
        return of_lines(found, self.columns, Origin(self.index, (*asked, *line_facts(settings, found))))


def _line_settings(index: Backend, sort: str | None, seed: int, view: LineSettings | None) -> LineSettings:
    """The view in the order of `sort`. "index" leaves the view its order; None is the usual order without a view."""
    if view is not None and not isinstance(view, LineSettings):
        raise QueryError(
            mark("{name} must be {expected}, not {value}."),
            reason="wrong-argument",
            name="view",
            expected="LineSettings",
            value=repr(view),
        )
    settings = view or LineSettings(seed=seed)
    # A view has an order of its own, which "index" leaves alone; without one, lines are sorted as people read them.
    order = sort or (usual_sort(index) if view is None else "index")
    return settings if order == "index" else merge_views(parse_sort(order), settings)
