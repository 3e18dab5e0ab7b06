"""What gives an f-gram its embedding: the mean of its tokens' rows, or a model in ONNX."""

from __future__ import annotations

import hashlib
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.core.files.matrices import Matrix, open_matrix
from explorer.core.jobs import CancelToken
from explorer.errors import CorpusError, QueryError
from explorer.i18n import mark
from explorer.version import install_command

Values = NDArray[np.float32]
_PIECE = 1 << 24


class Embedder(Protocol):
    """Gives embeddings of f-grams of one length at a time."""

    @property
    def dimension(self) -> int:
        """Values of an embedding."""
        ...

    @property
    def name(self) -> str:
        """What to call it in facts."""
        ...

    @property
    def path(self) -> Path:
        """Its file."""
        ...

    @property
    def vocabulary(self) -> int | None:
        """Ids must be below this number; None if it is unknown."""
        ...

    def embed(self, ids: NDArray[Any]) -> Values:
        """Embed f-grams [rows, n]: float32 [rows, dimension]."""
        ...


@dataclass(frozen=True, eq=False)
class TokenMean:
    """The mean of the rows of the tokens."""

    matrix: Matrix

    @property
    def dimension(self) -> int:
        """Columns of the matrix."""
        return self.matrix.shape[1]

    @property
    def name(self) -> str:
        """The file, and the tensor in it."""
        of = f" ({self.matrix.name})" if self.matrix.name else ""
        return f"mean of the rows of {self.matrix.path.name}{of}"

    @property
    def path(self) -> Path:
        """The file of the matrix."""
        return self.matrix.path

    @property
    def vocabulary(self) -> int | None:
        """Rows of the matrix."""
        return self.matrix.shape[0]

    def embed(self, ids: NDArray[Any]) -> Values:
        """Embed f-grams [rows, n]."""
        # Column by column: n times less memory than the rows of all tokens at once.
        made = np.zeros((len(ids), self.dimension), dtype=np.float32)
        for column in ids.T:
            made += self.matrix.rows(column)
        made /= np.float32(ids.shape[1])
        return made


class OnnxModel:
    """A model in ONNX, run on the processor by the package onnxruntime.

    Its first input takes ids [rows, n], int64 or int32; an input called attention_mask gets ones. Its first output is
    [rows, dimension], or [rows, n, dimension], of which the last token counts.

    Raises `QueryError` if onnxruntime is not installed.
    Raises `CorpusError` if the file is not such a model.
    """

    vocabulary: int | None = None

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = f"model {path.name}"
        self._runtime = _runtime()
        try:
            self._session = self._runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
            # A pair, to learn how many values an embedding has; models often leave the size of an output open.
            self.dimension = int(self.embed(np.zeros((1, 2), dtype=np.int64)).shape[1])
        except CorpusError:
            raise
        # The runtime raises exceptions of its own kinds, which derive from Exception directly.
        except Exception as error:
            raise self._unfit(error) from error

    def embed(self, ids: NDArray[Any]) -> Values:
        """Embed f-grams [rows, n].

        Raises `CorpusError` if the model refuses them, or gives something else.
        """
        first, *others = self._session.get_inputs()
        kind = np.int32 if first.type == "tensor(int32)" else np.int64
        given = {first.name: np.ascontiguousarray(ids, dtype=kind)}
        for other in others:
            if other.name == "attention_mask":
                given[other.name] = np.ones(ids.shape, dtype=np.int32 if "int32" in other.type else np.int64)
        try:
            found = self._session.run([self._session.get_outputs()[0].name], given)[0]
        except Exception as error:
            raise self._unfit(error) from error
        if found.ndim == 3 and found.shape[1] == ids.shape[1]:
            found = found[:, -1]
        if found.ndim != 2 or len(found) != len(ids) or found.dtype.kind != "f":
            raise self._unfit(f"output {found.dtype} {found.shape}")
        made: Values = found.astype(np.float32, copy=False)
        return made

    def _unfit(self, cause: object) -> CorpusError:
        # One line: the runtime's messages contain file names of its source and line feeds.
        return CorpusError(
            mark("{path} cannot embed f-grams: {cause}."),
            reason="unfit-model",
            path=self.path,
            cause=" ".join(str(cause).split())[:300].rstrip("."),
        )


def _runtime() -> Any:
    try:
        # Here: it takes a second to import, and no other command needs it.
        runtime: Any = importlib.import_module("onnxruntime")
    except ImportError as error:
        raise QueryError(
            mark("A model in ONNX needs the package onnxruntime, which is not installed: {command}"),
            reason="no-onnxruntime",
            command=install_command("onnx"),
        ) from error
    # Builds for Windows would send events to their maker.
    runtime.disable_telemetry_events()
    # Errors are raised; whatever else it prints to the terminal is not ours to show.
    runtime.set_default_logger_severity(4)
    return runtime


def token_mean(path: Path, tensor: str = "") -> TokenMean:
    """Open the embeddings of tokens; see `open_matrix`."""
    return TokenMean(open_matrix(path, tensor))


def contents_of(path: Path, cancel: CancelToken | None = None) -> str:
    """Give the SHA-256 of a file.

    Raises `CorpusError` if it cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                if cancel is not None:
                    cancel.check()
                digest.update(piece)
    except OSError as error:
        raise CorpusError(
            mark("{path} cannot be read: {cause}."), reason="unreadable", path=path, cause=error.strerror or error
        ) from error
    return digest.hexdigest()
