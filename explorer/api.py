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
from explorer.i18n import tr
from explorer.search import cnf as _cnf
from explorer.search import counts
from explorer.search.arrange import View
from explorer.search.concordance import Concordance, concordance, count_documents
from explorer.search.fields import FieldColumns
from explorer.search.find import Match, QueryOptions, QueryResult, find_query
from explorer.search.limits import whole_number
from explorer.search.query import find_phrase
from explorer.trace.settings import TraceSettings
from explorer.trace.trace import Trace, trace_text


class Corpus:
    """An opened corpus: one or several index folders that answer as one.

    Every method raises a `CorpusError` that states what is wrong with the input or the index.
    """

    def __init__(self, index: Backend) -> None:
        self.index = index
        self.columns = FieldColumns(index)

    @property
    def token_count(self) -> int:
        """Tokens, separators included."""
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
        """Shards of all folders; 0 for an index that is not in folders on this machine."""
        return len(self.index.local.parts) if self.index.local else 0

    @property
    def folders(self) -> tuple[Path, ...]:
        """Index folders, in the order in which they were given; () for an index that is not on this machine."""
        return self.index.local.folders if self.index.local else ()

    @property
    def metadata_fields(self) -> tuple[str, ...]:
        """Names of the metadata fields of all folders; see `metadata_fields_complete`."""
        return self.columns.known.names

    @property
    def metadata_fields_complete(self) -> bool:
        """Whether the list of fields is complete.

        True if every folder lists its fields in `index.json`. In other folders, the first, middle and last documents of
        each shard are read.
        """
        return self.columns.known.complete

    def encode(self, text: str) -> NDArray[np.int64]:
        """Token ids of a text, exactly as it is written; no special tokens."""
        return self.index.tokenizer.encode(text)

    def decode(self, ids: Ids) -> str:
        """Text of token ids; without the space that some tokenizers put before a text."""
        return decode_ids(self.index, self.index.check_ids(ids, allow_empty=True), begins=True).text

    def _ids(self, query: str | Ids) -> NDArray[np.int64]:
        return self.index.check_ids(self.encode(query) if isinstance(query, str) else query)

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
            "text": every occurrence of these characters, however the tokenizer split them; overlapping ones count
            each. "regex": the places at which a match begins. "tokens": the text as the tokenizer splits it by itself,
            which misses occurrences that are split in another way, and includes beginnings of longer words.
        ignore_case
            Characters that differ in case only are equal (Unicode's simple folding, so "ß" is not "ss").
        whole_words
            No letter, mark, digit or connector directly before or after, except next to a letter of a script that is
            written without spaces, such as Chinese or Thai.

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
        """
        if not isinstance(query, str):
            _refuse_for_ids(match, variants, ignore_case, whole_words)
            return self.index.count(query if len(query) else self._ids(query))
        options = _options(variants, match, ignore_case, whole_words)
        if match != "tokens":
            return self.index.find_text(options.pattern(query)).count
        return find_phrase(self.index, query, variants).count if variants else self.index.count(self._ids(query))

    def find(self, ids: Ids) -> Matches:
        """Occurrences of an n-gram as rank ranges, one (first, one past last) a shard."""
        return self.index.find(ids)

    def prob(self, context: Ids, token: int) -> counts.Probability:
        """Probability of a token after exactly this context."""
        return counts.prob(self.index, context, token)

    def infgram_prob(self, context: Ids, token: int) -> counts.Probability:
        """Probability of a token after the longest suffix of the context that occurs."""
        return counts.infgram_prob(self.index, context, token)

    def next_tokens(self, context: Ids, limit: int | None = None) -> NextTokens:
        """Tokens after exactly this context; exact unless a `limit` of occurrences is given."""
        return counts.next_tokens(self.index, context, limit)

    def infgram_next_tokens(self, context: Ids, limit: int | None = None) -> NextTokens:
        """Tokens after the longest suffix of the context that occurs."""
        return counts.infgram_next_tokens(self.index, context, limit)

    def cnf(
        self, clauses: Sequence[Sequence[Ids]], max_distance: int = 100, exact: bool | None = None
    ) -> _cnf.CnfMatches:
        """AND of OR-clauses of n-grams within `max_distance` tokens in one document.

        Exact where the rarest clause occurs up to a million times, else an estimate that is marked as one;
        `exact=True` walks them all.
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
        """Count the distinct documents with a literal text, a regular expression or an n-gram.

        The parameters are those of `count`. Cost: every occurrence is looked up.
        """
        return count_documents(self.index, self._parts(query, (), match, ignore_case, whole_words))

    def _parts(
        self, query: str | Ids, variants: Sequence[str], match: Match, ignore_case: bool, whole_words: bool
    ) -> tuple[Part, ...]:
        """What a literal text or token ids are occurrences of."""
        if not isinstance(query, str):
            _refuse_for_ids(match, variants, ignore_case, whole_words)
            return (self.index.find(self._ids(query)),)
        options = _options(variants, match, ignore_case, whole_words)
        if match != "tokens":
            return (self.index.find_text(options.pattern(query)),)
        return find_phrase(self.index, query, variants).parts if variants else (self.index.find(self._ids(query)),)

    def agreement(self, ids: Ids, max_n: int | None = None) -> Agreement:
        """Effective n, counts, probability and sparsity of every token; `max_n`: of an n-gram model."""
        return agreement(self.index, ids, max_n)

    def longest_matches(self, ids: Ids) -> NDArray[np.int64]:
        """For each start: length in tokens of the longest n-gram from there that occurs."""
        return self.index.longest_matches(ids)

    def trace(self, text: str, prompt: str = "", settings: TraceSettings | None = None) -> Trace:
        """Parts of a text that occur in the corpus, and the documents that contain them."""
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
        variants, match, ignore_case, whole_words
            As in `count`, for every phrase.
        max_distance
            Tokens between the beginnings of what AND joins, in one document.
        exact
            True: check every occurrence of the rarest clause. Otherwise, if there are more than 1,000,000, check a
            sample of that size.

        Raises
        ------
        QuerySyntaxError
            If the query cannot be parsed; it carries the position.
        QueryError
            If the query is empty or a number is out of range.
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
        view: View | None = None,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
    ) -> Concordance:
        """KWIC lines of a literal text, a regular expression or token ids (as in `count`), or of what `search` found.

        sort: "right" or "left" (alphabetical), "random", "index" (the order of the index, which costs nothing), or
        up to three of 5L … 1L, M, 1R … 5R, document and field:NAME, separated by commas. None: the order of the
        view, without a view "right". More than 1,000,000 lines are not sorted by "right" but stay in the order of
        the index; `arranged.unsorted` reports it. view: filters, samples and collapsing.
        """
        order = sort or ("right" if view is None else "index")
        if isinstance(query, QueryResult):
            parts, numbers = query.parts, query.numbers
        else:
            parts, numbers = self._parts(query, variants, match, ignore_case, whole_words), None
        return concordance(self.index, parts, order, seed, numbers=numbers, view=view, columns=self.columns)

    def document(self, number: int) -> Document:
        """A document by its number.

        Numbers run from 0 to `index.document_slots` - 1 through all folders. A subtracted document keeps its number but
        cannot be read, so with `minus` there are more numbers than documents: see `documents`.

        Raises
        ------
        QueryError
            If there is no such document, it is subtracted, or the number is not a whole number.
        """
        whole = whole_number(number, "number")
        self.index.check_document(whole)
        return Document(self.index, whole)

    def documents(self) -> Iterator[Document]:
        """All documents that are not subtracted, in the order of their numbers; each is read only when it is used."""
        for number in self.index.document_numbers().tolist():
            yield Document(self.index, number)


def _options(variants: Sequence[str], match: Match, ignore_case: bool, whole_words: bool) -> QueryOptions:
    options = QueryOptions(tuple(variants), match=match, ignore_case=ignore_case, whole_words=whole_words)
    options.check()
    return options


def _refuse_for_ids(match: Match, variants: Sequence[str], ignore_case: bool, whole_words: bool) -> None:
    """Token ids are an n-gram: nothing else can be asked of them."""
    if match == "regex" or variants or ignore_case or whole_words:
        raise QueryError(tr("Token ids are looked up as they are. Give a text to use a match, variants or case."))


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
        Refuse a tokenizer that does not fit the index.
    reversed_text
        Whether documents are stored backwards (version 5). None: as in the manifest, or else detected with the
        tokenizer.
    allow_same
        Count a folder, or a copy of it, once for each time it is given. Otherwise this is an error.

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
    """
    return Corpus(open_folders(path_or_paths, tokenizer, minus, check_fit, reversed_text, allow_same))
