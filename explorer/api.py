"""The library's face: a `Corpus` and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.agreement.tokens import Agreement, agreement
from explorer.backends.open import Paths, open_folders
from explorer.backends.protocol import Backend, Ids, Matches, NextTokens, Part
from explorer.documents.document import Document
from explorer.documents.reading import decode_ids
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.search import cnf as _cnf
from explorer.search import counts
from explorer.search.arrange import LineSettings
from explorer.search.concordance import Concordance, concordance, count_documents
from explorer.search.fields import FieldColumns
from explorer.search.find import Match, QueryOptions, QueryResult, find_query
from explorer.search.limits import whole_number
from explorer.search.query import find_phrase
from explorer.trace.settings import TraceSettings
from explorer.trace.trace import Trace, trace_text


class Corpus:
    """An opened corpus: one or several index folders that answer as one. `open_index` makes it.

    Every method raises a `CorpusError` that tells what is wrong if the input or the index is.

    Parameters
    ----------
    index
        The opened index.

    Notes
    -----
    The files of the index stay mapped as long as the corpus is in use. Several threads may ask at the same time.

    Examples
    --------
    >>> corpus.document_count, corpus.token_count
    (4, 27)
    >>> corpus.count("cat")
    3
    """

    def __init__(self, index: Backend) -> None:
        self.index = index
        self.columns = FieldColumns(index)

    @property
    def token_count(self) -> int:
        """Tokens, separators included: one per document."""
        return self.index.token_count

    @property
    def document_count(self) -> int:
        """Number of documents, without those that are subtracted."""
        return self.index.document_count

    @property
    def minus_unmatched(self) -> int:
        """Number of documents to subtract that are not in this index; nothing was subtracted for them."""
        return self.index.local.not_found if self.index.local else 0

    @property
    def shard_count(self) -> int:
        """Shards of all folders.

        Examples
        --------
        >>> corpus.shard_count
        1
        """
        return len(self.index.local.parts) if self.index.local else 0

    @property
    def folders(self) -> tuple[Path, ...]:
        """Index folders, in the order in which they were given; () for an index that is not on this machine."""
        return self.index.local.folders if self.index.local else ()

    @property
    def metadata_fields(self) -> tuple[str, ...]:
        """Names of the metadata fields of all folders; see `metadata_fields_complete`.

        Examples
        --------
        >>> corpus.metadata_fields
        ('path', 'linenum', 'author', 'year')
        """
        return self.columns.known.names

    @property
    def metadata_fields_complete(self) -> bool:
        """Whether the list of fields is complete.

        True if every folder lists its fields in `index.json`. In other folders, the first, middle and last documents of
        each shard are read.
        """
        return self.columns.known.complete

    def encode(self, text: str) -> NDArray[np.int64]:
        """Tokenize a text exactly as it is written; no special tokens are added.

        Parameters
        ----------
        text
            Any text.

        Returns
        -------
        NDArray[np.int64]
            Token ids, int64 of shape (tokens,).

        Examples
        --------
        >>> len(corpus.encode("the cat sat"))
        3
        """
        return self.index.tokenizer.encode(text)

    def decode(self, ids: Ids) -> str:
        """Write token ids as text; the space that some tokenizers put before a text is removed.

        Parameters
        ----------
        ids
            Token ids; may be empty.

        Returns
        -------
        str
            The text. Bytes that are not UTF-8 become U+FFFD.

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Examples
        --------
        >>> corpus.decode(corpus.encode("the cat sat"))
        'the cat sat'
        """
        return decode_ids(self.index, self.index.counts.check_ids(ids, allow_empty=True), begins=True).text

    def count(
        self,
        query: str | Ids,
        variants: Sequence[str] = (),
        *,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
    ) -> int:
        """Count the occurrences of a literal text, of a regular expression, or of token ids.

        The text is literal: AND, OR, NOT, quotes and parentheses have no special meaning. For the query language use
        `search(query).count`, as the command `count` does without --literal.

        Parameters
        ----------
        query
            A text, a regular expression (with match="regex"), or token ids, which are an n-gram whatever `match` is.
        variants
            With match="tokens", other spellings to include: "space", "lower", "upper", "title".
        match
            "text": every occurrence of these characters, however the tokenizer split them; overlapping ones count each.
            "regex": the places at which a match begins. "tokens": the text as the tokenizer splits it by itself, which
            misses occurrences that are split in another way, and includes beginnings of longer words.
        ignore_case
            Whether characters that differ in case only are equal (Unicode's simple folding, so "ß" is not "ss").
        whole_words
            Whether there must be no letter, mark, digit or connector directly before and after, except next to a letter
            of a script that is written without spaces, such as Chinese or Thai.

        Returns
        -------
        int
            The number of occurrences.

        Raises
        ------
        QueryError
            If the query is empty, too broad or not understood, or an id is not one of this index.

        Notes
        -----
        Cost: for ids and tokens one search per shard and spelling, some microseconds. For texts some milliseconds,
        which grow with the vocabulary and hardly with the corpus; the first text takes a second or less more, once per
        tokenizer.

        Examples
        --------
        >>> corpus.count("at")
        8
        >>> corpus.count("at", whole_words=True)
        0
        >>> corpus.count("[cm]at", match="regex")
        5
        >>> corpus.count(corpus.encode("the cat"))
        2
        """
        if not isinstance(query, str):
            _refuse_for_ids(match, variants, ignore_case, whole_words)
            return self.index.counts.count(query if len(query) else _ids(self.index, query))
        options = _options(variants, match, ignore_case, whole_words)
        if match != "tokens":
            return self.index.hits.find_text(options.pattern(query)).count
        return (
            find_phrase(self.index, query, variants).count
            if variants
            else self.index.counts.count(_ids(self.index, query))
        )

    def find(self, ids: Ids) -> Matches:
        """Find the occurrences of an n-gram.

        Parameters
        ----------
        ids
            Token ids; the empty n-gram occurs at every token.

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
        >>> corpus.find(corpus.encode("the cat sat")).count
        2
        """
        return self.index.hits.find(ids)

    def prob(self, context: Ids, token: int) -> counts.Probability:
        """Give the probability of a token after exactly this context.

        Parameters
        ----------
        context
            Token ids; may be empty.
        token
            The id of the token that follows.

        Returns
        -------
        counts.Probability
            The counts of the context, and of the context with the token; their ratio is nan if the context does not
            occur.

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Notes
        -----
        Two binary searches per shard.

        Examples
        --------
        >>> *context, token = corpus.encode("the cat sat").tolist()
        >>> corpus.prob(context, token)
        Probability(context_count=2, continuation_count=2, probability=1.0, context_length=2)
        """
        return counts.prob(self.index, context, token)

    def infgram_prob(self, context: Ids, token: int) -> counts.Probability:
        """Give the probability of a token after the longest suffix of the context that occurs.

        Parameters
        ----------
        context
            Token ids; may be empty.
        token
            The id of the token that follows.

        Returns
        -------
        counts.Probability
            As from `prob`; `context_length` is the length of the suffix.

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Notes
        -----
        The ∞-gram model of J. Liu et al., "Infini-gram: Scaling unbounded n-gram language models to a trillion tokens",
        2024.

        Examples
        --------
        >>> *context, token = corpus.encode("a dog saw the cat sat on").tolist()
        >>> found = corpus.infgram_prob(context, token)
        >>> found.context_length, found.probability
        (2, 1.0)
        """
        return counts.infgram_prob(self.index, context, token)

    def next_tokens(self, context: Ids, limit: int | None = None) -> NextTokens:
        """Count the tokens after exactly this context.

        Parameters
        ----------
        context
            Token ids; may be empty.
        limit
            Occurrences to look at for an estimate, 1 or more; None for an exact answer.

        Returns
        -------
        NextTokens
            Ids and counts, most frequent first; the separator is the end of a document.

        Raises
        ------
        QueryError
            If an id is not one of this index, or the limit is out of range.

        Notes
        -----
        The cost grows with the number of distinct tokens, or with the limit.

        Examples
        --------
        >>> found = corpus.next_tokens(corpus.encode("the cat sat on the"))
        >>> [corpus.decode([token]) for token in found.tokens], found.counts.tolist()
        ([' mat', ' rug'], [1, 1])
        """
        return counts.next_tokens(self.index, context, limit)

    def infgram_next_tokens(self, context: Ids, limit: int | None = None) -> NextTokens:
        """Count the tokens after the longest suffix of the context that occurs.

        Parameters
        ----------
        context
            Token ids; may be empty.
        limit
            As in `next_tokens`.

        Returns
        -------
        NextTokens
            As from `next_tokens`; `context_length` is the length of the suffix.

        Raises
        ------
        QueryError
            As from `next_tokens`.

        Notes
        -----
        As for `next_tokens`; the model is that of `infgram_prob`.

        Examples
        --------
        >>> found = corpus.infgram_next_tokens(corpus.encode("no bird sat on"))
        >>> found.context_length, corpus.decode(found.tokens[:1])
        (2, ' the')
        """
        return counts.infgram_next_tokens(self.index, context, limit)

    def cnf(
        self, clauses: Sequence[Sequence[Ids]], max_distance: int = 100, exact: bool | None = None
    ) -> _cnf.CnfMatches:
        """Find an AND of OR-clauses of n-grams.

        Parameters
        ----------
        clauses
            The clauses; each is a sequence of n-grams as token ids.
        max_distance
            The most tokens between the beginnings of n-grams of different clauses, in one document.
        exact
            True checks every occurrence of the rarest clause. Otherwise, if there are more than 1,000,000, a sample of
            that size is checked.

        Returns
        -------
        _cnf.CnfMatches
            The occurrences of the rarest clause with the others nearby; an estimate has `exact` False.

        Raises
        ------
        QueryError
            If a clause is empty, an id is not one of this index, or the distance is out of range.

        Notes
        -----
        The text around each occurrence of the rarest clause is read.

        Examples
        --------
        >>> cat, mat, rug = (corpus.encode(word) for word in (" cat", " mat", " rug"))
        >>> corpus.cnf([[cat], [mat, rug]]).count
        2
        """
        return _cnf.cnf(self.index, clauses, max_distance, exact)

    def count_documents(
        self,
        query: str | Ids,
        *,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
    ) -> int:
        """Count the documents with a literal text, a regular expression or an n-gram.

        Parameters
        ----------
        query
            As in `count`.
        match
            As in `count`.
        ignore_case
            As in `count`.
        whole_words
            As in `count`.

        Returns
        -------
        int
            The number of documents.

        Raises
        ------
        QueryError
            As from `count`.

        Notes
        -----
        Every occurrence is looked up.

        Examples
        --------
        >>> corpus.count_documents("the")
        4
        """
        return count_documents(self.index, _parts(self.index, query, (), match, ignore_case, whole_words))

    def agreement(self, ids: Ids, max_n: int | None = None) -> Agreement:
        """Compute how every token of a text agrees with the corpus: how long a context occurs, and what follows it.

        Parameters
        ----------
        ids
            The text's token ids; may be empty.
        max_n
            The most tokens of an n-gram, with backoff (5: a 5-gram model); None for the longest context that occurs.

        Returns
        -------
        Agreement
            One entry per token: effective n, counts, probability, and whether only one token ever follows.

        Raises
        ------
        QueryError
            If an id is not one of this index, or `max_n` is less than 1.

        Notes
        -----
        A few searches per token.

        Examples
        --------
        >>> found = corpus.agreement(corpus.encode("the cat sat on the rug"))
        >>> found.effective_n.tolist()
        [1, 2, 3, 4, 5, 6]
        >>> found.agrees.tolist()
        [False, True, True, True, True, False]
        """
        return agreement(self.index, ids, max_n)

    def longest_matches(self, ids: Ids) -> NDArray[np.int64]:
        """Find the longest n-gram from each token of a text on that occurs.

        Parameters
        ----------
        ids
            The text's token ids; may be empty.

        Returns
        -------
        NDArray[np.int64]
            Its length in tokens, int64 of the text's length; 0 for a token that does not occur.

        Raises
        ------
        QueryError
            If an id is not one of this index.

        Notes
        -----
        The cost grows with the text's length, also where matches are long.

        Examples
        --------
        >>> corpus.longest_matches(corpus.encode("the cat sat on a mat")).tolist()
        [4, 3, 2, 1, 0, 1, 1]
        """
        return self.index.counts.longest_matches(ids)

    def trace(self, text: str, prompt: str = "", settings: TraceSettings | None = None) -> Trace:
        """Find the parts of a text that occur in the corpus, and documents that contain them.

        Parameters
        ----------
        text
            The text.
        prompt
            The prompt that it answers; documents are compared with both.
        settings
            How spans are found and documents ranked; None for the defaults.

        Returns
        -------
        Trace
            Spans, documents, the longest passage and novelty.

        Raises
        ------
        QueryError
            If the text contains no tokens.

        Notes
        -----
        A pass over the text for the longest matches, and a read of every listed document.

        Examples
        --------
        >>> found = corpus.trace("we think that the cat sat on the mat")
        >>> passage = found.longest_passage
        >>> found.text[passage.start : passage.end]
        'cat sat on the mat'
        """
        return trace_text(self.index, text, prompt, settings)

    def search(
        self,
        query: str,
        *,
        variants: Sequence[str] = (),
        max_distance: int = 100,
        exact: bool | None = None,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
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
        match
            As in `count`, for every phrase.
        ignore_case
            As in `count`, for every phrase.
        whole_words
            As in `count`, for every phrase.

        Returns
        -------
        QueryResult
            The hits, their number, and how the query was read.

        Raises
        ------
        QuerySyntaxError
            If the query cannot be parsed; it carries the position.
        QueryError
            If the query is empty or a number is out of range.

        Notes
        -----
        For one phrase as `count`; for AND, the text around each occurrence of the rarest clause is read.

        Examples
        --------
        >>> corpus.search("cat AND (mat OR rug)").count
        2
        >>> corpus.search("sat AND NOT rug").count
        2
        """
        options = _options(variants, match, ignore_case, whole_words)
        return find_query(self.index, query, replace(options, max_distance=max_distance, exact=exact))

    def concordance(
        self,
        query: str | Ids | QueryResult,
        *,
        variants: Sequence[str] = (),
        sort: str | None = None,
        seed: int = 0,
        view: LineSettings | None = None,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
    ) -> Concordance:
        """Make the lines of a keyword in context.

        Parameters
        ----------
        query
            A literal text, a regular expression or token ids, as in `count`; or what `search` found.
        variants
            As in `count`.
        sort
            "right" or "left" (alphabetical), "random", "index" (the order of the index, which costs nothing), or up to
            three of 5L … 1L, M, 1R … 5R, document and field:NAME, separated by commas. None: the order of the view,
            without a view "right".
        seed
            Decides the random order and samples, if there is no `view`.
        view
            Filters, sample, order and merging of lines.
        match
            As in `count`.
        ignore_case
            As in `count`.
        whole_words
            As in `count`.

        Returns
        -------
        Concordance
            The lines; their texts are read page by page, by `lines`.

        Raises
        ------
        QueryError
            As from `count`; also if the order is not valid, or a field does not exist.

        Notes
        -----
        Every order except "index" reads all hits, or a sample of 2,000,000 that `arranged` reports. More than 1,000,000
        lines are not sorted by "right" but stay in the order of the index; `arranged.unsorted` reports it.

        Examples
        --------
        >>> for line in corpus.concordance("sat", sort="document").lines(0, 2, width=2):
        ...     print(line.left, "|", line.match, "|", line.right)
        the cat | sat |  on the
        the cat | sat |  on the
        """
        order = sort or ("right" if view is None else "index")
        if isinstance(query, QueryResult):
            parts, numbers = query.parts, query.numbers
        else:
            parts, numbers = _parts(self.index, query, variants, match, ignore_case, whole_words), None
        return concordance(self.index, parts, order, seed, numbers=numbers, view=view, columns=self.columns)

    def document(self, number: int) -> Document:
        """Open a document by its number.

        Parameters
        ----------
        number
            From 0 to `index.document_slots` - 1, through all folders. A subtracted document keeps its number but cannot
            be read, so with `minus` there are more numbers than documents: see `documents`.

        Returns
        -------
        Document
            The document; its text is read when it is used.

        Raises
        ------
        QueryError
            If there is no such document, it is subtracted, or the number is not a whole number.

        Examples
        --------
        >>> corpus.document(2).text
        'a dog sat on the mat'
        >>> corpus.document(2).metadata["metadata"]["author"]
        'Bob'
        """
        whole = whole_number(number, "number")
        self.index.documents.check(whole)
        return Document(self.index, whole)

    def documents(self) -> Iterator[Document]:
        """Go through all documents that are not subtracted, in the order of their numbers.

        Yields
        ------
        Document
            A document; its text is read when it is used.

        Examples
        --------
        >>> [document.token_count for document in corpus.documents()]
        [6, 6, 6, 5]
        """
        for number in self.index.documents.numbers().tolist():
            yield Document(self.index, number)


def _ids(index: Backend, query: str | Ids) -> NDArray[np.int64]:
    """The ids of a text or an n-gram; raises QueryError for what is not one of the index."""
    return index.counts.check_ids(index.tokenizer.encode(query) if isinstance(query, str) else query)


def _parts(
    index: Backend, query: str | Ids, variants: Sequence[str], match: Match, ignore_case: bool, whole_words: bool
) -> tuple[Part, ...]:
    """What a literal text or token ids are occurrences of."""
    if not isinstance(query, str):
        _refuse_for_ids(match, variants, ignore_case, whole_words)
        return (index.hits.find(_ids(index, query)),)
    options = _options(variants, match, ignore_case, whole_words)
    if match != "tokens":
        return (index.hits.find_text(options.pattern(query)),)
    return find_phrase(index, query, variants).parts if variants else (index.hits.find(_ids(index, query)),)


def _options(variants: Sequence[str], match: Match, ignore_case: bool, whole_words: bool) -> QueryOptions:
    options = QueryOptions(tuple(variants), match=match, ignore_case=ignore_case, whole_words=whole_words)
    options.check()
    return options


def _refuse_for_ids(match: Match, variants: Sequence[str], ignore_case: bool, whole_words: bool) -> None:
    """Token ids are an n-gram: nothing else can be asked of them."""
    if match == "regex" or variants or ignore_case or whole_words:
        raise QueryError(
            mark("Token ids are searched for as they are: match, variants and case apply to a text."),
            reason="ids-have-no-match",
        )


def open_index(
    path_or_paths: Paths,
    tokenizer: str | PathLike[str] | None = None,
    minus: Paths | None = None,
    *,
    check_fit: bool = True,
    reversed_text: bool | None = None,
    allow_same: bool = False,
) -> Corpus:
    """Open infini-gram index folders; several are combined, and the documents of `minus` are subtracted.

    Parameters
    ----------
    path_or_paths
        One index folder or several.
    tokenizer
        A tokenizer.json, "bytes", or None for the folder's own.
    minus
        Folders of documents to subtract. Each document removes one document with the same tokens, the first that is
        still left, from every answer. `Corpus.minus_unmatched` counts those that are not in the index.
    check_fit
        Whether to refuse a tokenizer that does not fit the index.
    reversed_text
        Whether documents are stored backwards (version 5). None: as in the manifest, or else detected with the
        tokenizer.
    allow_same
        Whether to count a folder, or a copy of it, once for each time it is given. Otherwise this is an error.

    Returns
    -------
    Corpus
        The opened corpus.

    Raises
    ------
    CorpusError
        If a folder is not an index, is damaged, or does not fit the others or the tokenizer.
    QueryError
        If one index is given twice and not `allow_same`.

    Notes
    -----
    Cost: with `minus`, one search for each of its documents; if only some of them are in the index, the tokens of the
    smaller part are sorted.

    Files are mapped, and their sizes are checked before queries, at most twice a second. A drive that fails in the
    middle of a query ends the process with SIGBUS, unless `explorer.enable_fault_guard()` was called: then the query
    raises DamagedIndexError.

    Examples
    --------
    >>> open_index(folder).count("cat sat")
    2
    """
    return Corpus(open_folders(path_or_paths, tokenizer, minus, check_fit, reversed_text, allow_same))
