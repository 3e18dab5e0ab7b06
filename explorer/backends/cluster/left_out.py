"""Documents that are left out of a cluster: told to each worker once, and named by a short key from then on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from explorer.backends.protocol.values import Numbers

_STORED = np.dtype("<i8")


@dataclass(frozen=True)
class LeftOut:
    """Documents of a group of folders that are left out of its answers.

    key: Equal for the same numbers. A question carries it in place of them: there may be millions.
    stored: The numbers as bytes, which go through the scheduler unchanged.
    """

    key: str
    stored: bytes

    @property
    def numbers(self) -> Numbers:
        """The numbers of the documents in the group, ascending."""
        return np.frombuffer(self.stored, _STORED).astype(np.int64)


NOTHING = LeftOut("", b"")
"""No document is left out."""


def left_out_of(numbers: Numbers) -> LeftOut:
    """Leave out documents of a group of folders.

    numbers: Their numbers in the group, int64, in any order.

    Examples
    --------
    >>> left_out_of(np.array([5, 2, 5])).numbers.tolist()
    [2, 5]
    >>> left_out_of(np.array([], dtype=np.int64)) == NOTHING
    True
    """
    if not len(numbers):
        return NOTHING
    stored = np.unique(numbers).astype(_STORED).tobytes()
    return LeftOut(hashlib.sha256(stored).hexdigest()[:32], stored)
