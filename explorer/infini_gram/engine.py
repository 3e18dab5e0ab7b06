"""The engine as scripts of the package construct it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Self

import numpy as np

from explorer.analyses.search.limits import whole_number
from explorer.backends.local.shards import ShardBackend
from explorer.backends.protocol.protocol import Backend
from explorer.corpus import Corpus, open_index
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.infini_gram.counts import EngineCounts, SeamCounts
from explorer.infini_gram.documents import EngineDocuments
from explorer.infini_gram.occurrences import EngineOccurrences

TOKEN_WIDTHS = {"u8": 1, "u16": 2, "u32": 4}
"""Bytes per token, by the name of the type."""


# One class for the user, several files for the reader, as `Corpus` is.
class Engine(EngineCounts, EngineOccurrences, EngineDocuments):
    """An infini-gram index with the methods, parameters and dictionaries of the package infini-gram 2.6.

    A call with a wrong argument answers `{"error": "…"}`. Counts are exact: `approx` is always False.

    Parameters
    ----------
    index_dir
        One index folder or several. A folder that is given twice counts twice.
    eos_token_id
        The id under which `ntd` and `infgram_ntd` give the end of a document.
    vocab_size
        One more than the largest id that `eos_token_id` may have.
    version
        4, 5 (documents are stored backwards) or 6 (files without the number of a shard).
    token_dtype
        "u8", "u16" or "u32"; must be that of the index.
    load_to_ram, ds_prefetch_depth, sa_prefetch_depth, od_prefetch_depth
        Of no effect: files are mapped, and nothing is read ahead.
    bow_ids_path
        A file of the ids that begin a word, one per line, for `attribute`.
    attribution_block_size, precompute_unigram_logprobs, prev_shards_by_index_dir
        Of no effect.
    max_support, max_clause_freq, max_diff_tokens, maxnum, max_disp_len
        Defaults of the parameters of the same names. The first two have no effect: see `ntd` and `find_cnf`.
    seed
        Decides what `search_docs` and `search_docs_cnf` draw; None for other occurrences each time.

    Raises
    ------
    CorpusError
        If a folder is not an index or is damaged.
    QueryError
        If the type of the tokens is not that of the index, or a parameter is out of range.

    Examples
    --------
    >>> engine = Engine(str(folder), eos_token_id=0)
    >>> engine.count(engine.corpus.encode("the cat").tolist())
    {'count': 2, 'approx': False}
    >>> engine.count("the cat")
    {'error': 'input_ids must be a list of integers in range [0, 65535]'}
    """

    def __init__(
        self,
        index_dir: str | PathLike[str] | Sequence[str | PathLike[str]],
        eos_token_id: int,
        vocab_size: int = 65535,
        version: int = 4,
        token_dtype: str = "u16",
        load_to_ram: bool = False,
        ds_prefetch_depth: int = 1,
        sa_prefetch_depth: int = 3,
        od_prefetch_depth: int = 3,
        bow_ids_path: str | PathLike[str] | None = None,
        attribution_block_size: int = 512,
        precompute_unigram_logprobs: bool = False,
        prev_shards_by_index_dir: Mapping[str, object] | None = None,
        max_support: int = 1000,
        max_clause_freq: int = 50000,
        max_diff_tokens: int = 100,
        maxnum: int = 1,
        max_disp_len: int = 1000,
        *,
        seed: int | None = None,
    ) -> None:
        whole_number(eos_token_id, "eos_token_id", 0, vocab_size - 1)
        whole_number(version, "version", 4, 6)
        self.max_support = whole_number(max_support, "max_support", 1)
        self.max_clause_freq = whole_number(max_clause_freq, "max_clause_freq", 1)
        self.max_diff_tokens = whole_number(max_diff_tokens, "max_diff_tokens", 1)
        self.maxnum = whole_number(maxnum, "maxnum", 1)
        self.max_disp_len = whole_number(max_disp_len, "max_disp_len", 1)
        corpus = open_index(index_dir, check_fit=False, reversed_text=version == 5, allow_same=True)
        self._answer_of(corpus, token_dtype, eos_token_id, bow_ids_path, seed)

    @classmethod
    def of_corpus(cls, corpus: Corpus, eos_token_id: int, *, seed: int | None = None) -> Self:
        """Give an open corpus these methods, with the defaults of all other parameters.

        Parameters
        ----------
        corpus
            A corpus of index folders.
        eos_token_id, seed
            As for the class; the end of a document may have any id.

        Returns
        -------
        Engine
            The engine.

        Raises
        ------
        QueryError
            If the corpus is not in folders on this machine.

        Examples
        --------
        >>> Engine.of_corpus(corpus, 0).get_total_doc_cnt()
        4
        """
        made = cls.__new__(cls)
        made._answer_of(corpus, None, eos_token_id, None, seed)
        made.max_support, made.max_clause_freq, made.max_diff_tokens = 1_000, 50_000, 100
        made.maxnum, made.max_disp_len = 1, 1_000
        return made

    def _answer_of(
        self,
        corpus: Corpus,
        token_dtype: str | None,
        eos_token_id: int,
        bow_ids_path: str | PathLike[str] | None,
        seed: int | None,
    ) -> None:
        self.corpus = corpus
        self.index = _local(corpus.index, token_dtype)
        self.eos_token_id, self.token_id_max = eos_token_id, self.index.separator
        self.bow_ids = _read_ids(bow_ids_path)
        self.random = np.random.default_rng(seed)


class CountEngine(SeamCounts):
    """The calls for counts, of an index that is not in folders on this machine: it has no ranks and no pointers.

    Parameters
    ----------
    index
        The index.
    eos_token_id
        As for `Engine`; any id.
    """

    def __init__(self, index: Backend, eos_token_id: int) -> None:
        self.index = index
        self.eos_token_id, self.token_id_max, self.max_support = eos_token_id, index.separator, 1_000


def engine_of(corpus: Corpus, eos_token_id: int) -> Engine | CountEngine:
    """Give a corpus the calls of infini-gram: all of them if it is in folders of suffix arrays, else those for counts.

    Parameters
    ----------
    corpus
        A corpus.
    eos_token_id
        As for `Engine`; any id.

    Returns
    -------
    Engine or CountEngine
        The engine.

    Examples
    --------
    >>> engine_of(corpus, 0).count([])
    {'count': 27, 'approx': False}
    """
    if isinstance(corpus.index, ShardBackend):
        return Engine.of_corpus(corpus, eos_token_id)
    return CountEngine(corpus.index, eos_token_id)


InfiniGramEngine = Engine
"""The name of the class in the package."""


def _local(index: object, token_dtype: str | None) -> ShardBackend:
    """The shards of an index with tokens of this type, None for any; raises QueryError for another one."""
    if token_dtype is not None and token_dtype not in TOKEN_WIDTHS:
        raise QueryError(
            mark('There is no type of tokens "{dtype}"; the types are u8, u16 and u32.'),
            reason="token-type-unknown",
            dtype=token_dtype,
        )
    if not isinstance(index, ShardBackend):
        raise QueryError(mark("The calls of infini-gram need an index folder."), reason="not-local")
    width = index.local.token_width
    if token_dtype is not None and width != TOKEN_WIDTHS[token_dtype]:
        found = next(name for name, known in TOKEN_WIDTHS.items() if known == width)
        raise QueryError(
            mark("The tokens of this index are {found}, not {dtype}."),
            reason="token-type-differs",
            found=found,
            dtype=token_dtype,
        )
    return index


def _read_ids(path: str | PathLike[str] | None) -> frozenset[int]:
    """The ids that a file lists; none without one."""
    if path is None:
        return frozenset()
    try:
        return frozenset(int(line) for line in Path(path).read_text(encoding="utf-8").split())
    except (OSError, ValueError) as error:
        raise QueryError(
            mark("{path} cannot be read as a list of token ids: {cause}."),
            reason="ids-unreadable",
            path=path,
            cause=str(error),
        ) from error
