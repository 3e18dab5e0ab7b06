"""One flag that Python code and the compiled engine both read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.errors import Cancelled


class CancelToken:
    """A request to stop running work; safe to set from any thread.

    Once set, it stays set.

    Attributes
    ----------
    flag
        One byte, uint8 of shape (1,), which engine calls poll while they hold no lock.
    paused
        Whether the work should keep what it has done, if it can resume from there.

    Examples
    --------
    >>> token = CancelToken()
    >>> token.cancel()
    >>> token.cancelled
    True
    """

    def __init__(self) -> None:
        self.flag: NDArray[np.uint8] = np.zeros(1, dtype=np.uint8)
        self.paused = False

    def cancel(self) -> None:
        """Ask the work to stop; it does so at its next look at the flag."""
        self.flag[0] = 1

    def pause(self) -> None:
        """Ask the work to stop and to keep what it has done."""
        self.paused = True
        self.cancel()

    @property
    def cancelled(self) -> bool:
        """Whether the work was asked to stop."""
        return bool(self.flag[0])

    def check(self) -> None:
        """Raise if the work was asked to stop; long work calls this often.

        Raises
        ------
        Cancelled
            If it was asked to stop.
        """
        if self.flag[0]:
            raise Cancelled


ASKED = CancelToken()
"""The request of the program that started this process; never set in a process that was not started as a worker."""
