"""Tables of f-grams that were written: the embeddings of their f-grams, and of texts."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.fgrams.compute import FgramMatches, FgramTable
from explorer.analyses.fgrams.embedders import Embedder, OnnxModel, token_mean
from explorer.analyses.search.limits import whole_number
from explorer.core.files.matrices import Matrix, open_matrix
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job, checks_jobs
from explorer.corpus.corpus import Corpus
from explorer.corpus.types import Query
from explorer.errors import QueryError, TokenizerError
from explorer.export.fgrams.embeddings import EmbeddingFacts, EmbeddingRows, fill_embeddings, open_embeddings
from explorer.export.fgrams.files import StoredTable, read_fgrams
from explorer.export.fgrams.lmdb_files import write_lmdb
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import BYTES_NAME, TextTokenizer

PathOf = str | PathLike[str]


@checks_jobs
class StoredFgrams:
    """A table of f-grams that was written, with their embeddings once it is filled.

    Examples
    --------
    >>> corpus.fgrams(max_n=3, min_count=3).write_arrays(tables / "cats")
    >>> np.save(tables / "tokens.npy", np.eye(400, dtype=np.float32))
    >>> table = open_fgrams(tables / "cats", corpus)
    >>> len(table), table.fill_with_tokens(tables / "tokens.npy", value_type="float32")
    (3, 0)
    >>> table.embed("the cat sat on the mat", tables / "tokens.npy").shape
    (6, 400)
    """

    def __init__(self, stored: StoredTable, tokenizer: TextTokenizer | None) -> None:
        self._stored = stored
        self._tokenizer = tokenizer
        self._rows: EmbeddingRows | None = None
        self._matrices: dict[tuple[str, str], Matrix] = {}

    def __len__(self) -> int:
        return self._table.kept

    @property
    def max_n(self) -> int:
        """K: tokens of the longest f-grams."""
        return self._table.max_n

    @property
    def cutoff(self) -> int:
        """The least count of an f-gram."""
        return self._table.cutoff

    @property
    def fingerprint(self) -> str:
        """Of the index that the f-grams are of."""
        return self._stored.fingerprint

    @property
    def embeddings(self) -> EmbeddingFacts:
        """What the embeddings are; raises CorpusError if there are none."""
        return self._opened().facts

    def match(self, text: Query) -> FgramMatches:
        """Find the longest f-gram that ends at each token of a text; see `Fgrams.match`."""
        return self._table.matches(self._ids(text))

    def fill_with_tokens(
        self,
        matrix: PathOf,
        tensor: str = "",
        *,
        value_type: str = "float16",
        batch: SupportsIndex = 4096,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> int:
        """Give each f-gram the mean of the embeddings of its tokens, in `embeddings.npy` of the table's folder.

        Parameters
        ----------
        matrix
            A .npy or .safetensors file with one row per token of the vocabulary.
        tensor
            The name of the tensor; "" for the only matrix, or the one with a usual name.
        value_type
            The type of the values: "float32", "float16", "bfloat16" or "int8".
        batch
            F-grams that are embedded at once.
        report
            Called with the f-grams that are done.
        cancel
            Stops the work; what is done is kept, and the next call continues there.

        Returns
        -------
        int
            F-grams that an earlier call with the same settings had embedded; 0 if this one did all.

        Raises
        ------
        CorpusError
            If a file cannot be read or is damaged, or other embeddings exist or were begun with other settings.
        QueryError
            If the type or the tensor is unknown, or a token of an f-gram has no row.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Memory for a batch; the files are mapped. Every 64 MB, the rows are made sure to be on the drive, and counted:
        a program that is killed loses no more than these.
        """
        return self._fill(token_mean(Path(matrix), tensor), value_type, batch, report, cancel)

    def fill_with_model(
        self,
        model: PathOf,
        *,
        value_type: str = "float16",
        batch: SupportsIndex = 256,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> int:
        """Give each f-gram the output of an f-gram model in ONNX, by the package onnxruntime.

        Parameters
        ----------
        model
            The model. Its first input takes ids [rows, n]; an input called attention_mask gets ones. Its first output
            is [rows, dimension], or [rows, n, dimension], of which the last token counts.
        value_type
            The type of the values: "float32", "float16", "bfloat16" or "int8".
        batch
            F-grams that the model gets at once, all of one length.
        report
            Called with the f-grams that are done.
        cancel
            Stops the work between batches; what is done is kept, and the next call continues there.

        Returns
        -------
        int
            F-grams that an earlier call with the same settings had embedded; 0 if this one did all.

        Raises
        ------
        CorpusError
            If the file is not such a model, or other embeddings exist or were begun with other settings.
        QueryError
            If the type is unknown, or onnxruntime is not installed.
        Cancelled
            If it was cancelled.
        """
        return self._fill(OnnxModel(Path(model)), value_type, batch, report, cancel)

    def embed(self, text: Query, tokens: PathOf, tensor: str = "") -> NDArray[np.float32]:
        """Give the embedding of each token of a text: of the longest f-gram that ends there, or its own.

        Parameters
        ----------
        text
            A text, which is tokenized as it is, or token ids.
        tokens
            The embeddings of single tokens, for those at which no f-gram ends: a .npy or .safetensors file. It stays
            mapped.
        tensor
            The name of the tensor; "" for the only matrix, or the one with a usual name.

        Returns
        -------
        NDArray[np.float32]
            [tokens, dimension].

        Raises
        ------
        CorpusError
            If the table has no embeddings, or a file is damaged.
        QueryError
            If the dimensions differ, or a token has no row.
        TokenizerError
            If a text is given and the table was opened without a tokenizer.
        """
        return self.embed_many([text], tokens, tensor)[0]

    def embed_many(self, texts: Iterable[Query], tokens: PathOf, tensor: str = "") -> list[NDArray[np.float32]]:
        """Give the embeddings of several texts with one look-up; see `embed`.

        Parameters
        ----------
        texts
            Texts or token ids.
        tokens
            The embeddings of single tokens.
        tensor
            The name of the tensor.

        Returns
        -------
        list of NDArray[np.float32]
            For each text [tokens, dimension].

        Raises
        ------
        CorpusError
            As `embed`.
        QueryError
            As `embed`.
        TokenizerError
            As `embed`.

        Notes
        -----
        One binary search per token and n, and the rows that are read; memory for the result.
        """
        rows, matrix = self._opened(), self._matrix(tokens, tensor)
        if matrix.shape[1] != rows.facts.dimension:
            raise QueryError(
                mark("{path} has {columns:,} values per token, and the table of f-grams {dimension:,}."),
                reason="other-dimension",
                path=matrix.path,
                columns=matrix.shape[1],
                dimension=rows.facts.dimension,
            )
        ids = [self._ids(text) for text in texts]
        # One text of all; separators end every match.
        separator = np.array([self._table.separator], dtype=np.int64)
        joined = np.concatenate([separator, *(part for each in ids for part in (each, separator))])
        matches = self._table.matches(joined)
        made = np.zeros((len(joined), rows.facts.dimension), dtype=np.float32)
        at, alone = np.flatnonzero(matches.rows >= 0), np.flatnonzero(matches.rows < 0)
        alone = alone[joined[alone] != self._table.separator]
        self._refuse_without_row(joined[alone], matrix)
        made[at] = rows.take(matches.rows[at])
        made[alone] = matrix.rows(joined[alone])
        firsts = np.cumsum([1, *(len(each) + 1 for each in ids)])
        return [made[first : first + len(each)] for first, each in zip(firsts.tolist(), ids, strict=False)]

    def write_lmdb(self, folder: PathOf, *, report: Report = no_report, cancel: CancelToken | None = None) -> None:
        """Write the embeddings as a database, by the package lmdb, for programs that look f-grams up one by one.

        Parameters
        ----------
        folder
            A new folder. A key is the ids of an f-gram, four bytes each with the highest first; the value is its row as
            in `embeddings.npy`.
        report
            Called with the f-grams that are written.
        cancel
            Stops the work; nothing is left.

        Raises
        ------
        CorpusError
            If the table has no embeddings, or the folder exists or cannot be written.
        QueryError
            If lmdb is not installed.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Larger than the rows: values fill whole pages of 4,096 bytes if they do not fit into half of one.
        """
        write_lmdb(Path(folder), self._table, self._opened(), report, cancel)

    @property
    def _table(self) -> FgramTable:
        return self._stored.table

    def _fill(
        self, embedder: Embedder, values: str, batch: SupportsIndex, report: Report, cancel: CancelToken | None
    ) -> int:
        rows = whole_number(batch, "batch", 1)
        return fill_embeddings(self._stored.folder, self._table, embedder, values, rows, report, cancel)

    def _opened(self) -> EmbeddingRows:
        if self._rows is None:
            self._rows = open_embeddings(self._stored.folder, self._table.kept)
        return self._rows

    def _matrix(self, tokens: PathOf, tensor: str) -> Matrix:
        # Opening is slower than a look-up.
        key = str(tokens), tensor
        if key not in self._matrices:
            self._matrices[key] = open_matrix(Path(tokens), tensor)
        return self._matrices[key]

    def _refuse_without_row(self, ids: NDArray[np.int64], matrix: Matrix) -> None:
        if len(ids) and int(ids.max()) >= matrix.shape[0]:
            raise QueryError(
                mark("{path} has {rows:,} rows, and token {token} of the text has none."),
                reason="token-without-row",
                path=matrix.path,
                rows=matrix.shape[0],
                token=int(ids.max()),
            )

    def _ids(self, text: Query) -> NDArray[np.int64]:
        if isinstance(text, str):
            if self._tokenizer is None:
                raise TokenizerError(
                    mark("A text needs the tokenizer of the f-grams, and {path} was opened without one."),
                    reason="table-without-tokenizer",
                    path=self._stored.folder,
                )
            return self._tokenizer.encode(text)
        ids = np.asarray(text)
        if ids.ndim != 1 or (len(ids) and ids.dtype.kind not in "iu") or (len(ids) and int(ids.min()) < 0):
            raise QueryError(mark("Token ids are whole numbers of 0 or more in one row."), reason="not-token-ids")
        return ids.astype(np.int64)

    def __repr__(self) -> str:
        return f"StoredFgrams({len(self):,} of 2 to {self.max_n} tokens, cutoff {self.cutoff:,})"


@checks_job
def open_fgrams(folder: PathOf, tokenizer: PathOf | Corpus | None = None) -> StoredFgrams:
    """Open a table of f-grams that `Fgrams.write_arrays` or the command `fgrams` wrote.

    Parameters
    ----------
    folder
        The folder.
    tokenizer
        What texts are tokenized with: a tokenizer.json, "bytes", or a corpus, whose tokenizer is meant. None: texts are
        given as token ids.

    Returns
    -------
    StoredFgrams
        The table.

    Raises
    ------
    CorpusError
        If it is not such a folder, or a file is damaged.
    TokenizerError
        If the tokenizer is not the one of the f-grams, by its SHA-256, or cannot be read.

    Notes
    -----
    Ids and embeddings are mapped. Keys, eight bytes per f-gram, are made once and kept in memory.

    Examples
    --------
    >>> corpus.fgrams(max_n=3, min_count=3).write_arrays(tables / "dogs")
    >>> open_fgrams(tables / "dogs", corpus).match("a dog sat on the rug").lengths.tolist()
    [1, 1, 1, 2, 3, 1]
    """
    stored = read_fgrams(Path(folder))
    if tokenizer is None:
        return StoredFgrams(stored, None)
    if isinstance(tokenizer, Corpus):
        found = tokenizer.index.tokenizer
    else:
        found = TextTokenizer.raw_bytes() if tokenizer == BYTES_NAME else TextTokenizer.from_file(Path(tokenizer))
    if stored.tokenizer is not None and found.fingerprint != stored.tokenizer:
        raise TokenizerError(
            mark("The f-grams of {path} are of another tokenizer than {name}: its ids mean other texts."),
            reason="other-tokenizer",
            path=stored.folder,
            name=found.name,
        )
    return StoredFgrams(stored, found)
