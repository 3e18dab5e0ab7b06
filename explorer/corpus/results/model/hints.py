"""Hints as the library returns them."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue
from explorer.export.fgrams.hint_files import hint_files


@dataclass(frozen=True, eq=False)
class Hints(ArrayValue):
    """For each token of a text, samples of what follows its context elsewhere in the corpus.

    Row i tells what the corpus expects at token i from the tokens before it: an extra input for the position before.

    Attributes
    ----------
    tokens
        The tokens of the text, int64.
    samples
        Up to the number of samples that were asked for, int32 [tokens, samples]; -1 where there are fewer.
    lengths
        How many there are, uint8.
    context_lengths
        Tokens of the context that was chosen, int32; 0 for the empty context, whose samples are tokens of the corpus.
    counts
        How often a token follows that context, int64, without the occurrence that is left out.
    document
        The number of the document; None for a text that was given.
    first
        The first of these tokens in the document: long ones come in parts.

    Examples
    --------
    >>> found = corpus.hints("the cat sat on the mat", samples=3)
    >>> found.samples.shape, int(found.lengths.max())
    ((6, 3), 3)
    """

    tokens: NDArray[np.int64]
    samples: NDArray[np.int32]
    lengths: NDArray[np.uint8]
    context_lengths: NDArray[np.int32]
    counts: NDArray[np.int64]
    document: int | None = None
    first: int = 0

    def __len__(self) -> int:
        return len(self.tokens)

    def write(self, path: str | PathLike[str]) -> None:
        """Write the arrays, and `starts`, which is 0 and the number of tokens.

        Parameters
        ----------
        path
            A file whose name ends with .safetensors, or else a new folder for .npy files.

        Raises
        ------
        ExportError
            If it cannot be written.
        QueryError
            If there are no tokens.
        """
        with hint_files(Path(path), len(self), self.samples.shape[1], 1) as arrays:
            arrays["starts"][1] = len(self)
            for name in ("tokens", "samples", "lengths", "context_lengths", "counts"):
                arrays[name][:] = getattr(self, name)
