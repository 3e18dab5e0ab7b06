"""One flag that Python code and the compiled engine both read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.errors import Cancelled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CancelToken:
    """A request to stop running work; safe to set from any thread.

    Once set, it stays set.

    Attributes
    ----------
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
        self._byte = bytearray(1)
        self.paused = False

    @property
    def flag(self) -> NDArray[np.uint8]:
        """One byte, uint8 of shape (1,), which engine calls poll while they hold no lock."""
        # Here and not at the top: the window makes tokens before it needs arrays.
        import numpy as np

        return np.frombuffer(self._byte, dtype=np.uint8)

    def cancel(self) -> None:
        """Ask the work to stop; it does so at its next look at the flag."""
        self._byte[0] = 1

    def pause(self) -> None:
        """Ask the work to stop and to keep what it has done."""
        self.paused = True
        self.cancel()

    @property
    def cancelled(self) -> bool:
        """Whether the work was asked to stop."""
        return bool(self._byte[0])

    def check(self) -> None:
        """Raise if the work was asked to stop; long work calls this often.

        Raises
        ------
        Cancelled
            If it was asked to stop.
        """
        if self._byte[0]:
            raise Cancelled


ASKED = CancelToken()
"""The request of the program that started this process; never set in a process that was not started as a worker."""
