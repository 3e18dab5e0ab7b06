"""Python's search for garbage, on the interface thread only.

Python searches on whichever thread allocates. Widgets often refer to each other in circles, so a search finds those
that were closed; on another thread, it would destroy them while Qt works on this one, and the program ends without a
word.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

SOON_MS, LATER_MS = 50, 400
"""Pauses between two looks: while garbage comes, and the longest one while none does. What threads allocate in the
meantime is searched at once, so the pause is short."""


class GarbageSearch(QObject):
    """Searches on the thread of its parent, as often as Python would.

    parent: What lives as long as the searches are wanted.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self.timer = QTimer(self, interval=SOON_MS)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self) -> None:
        """Search one generation, if it is time."""
        generation = due(gc.get_count(), gc.get_threshold())
        if generation is not None:
            gc.collect(generation)
        self.timer.setInterval(SOON_MS if generation is not None else min(LATER_MS, 2 * self.timer.interval()))


def due(counts: tuple[int, int, int], limits: tuple[int, int, int]) -> int | None:
    """Decide what to search.

    counts: As `gc.get_count` gives them: objects of the youngest generation, and searches of each younger one.
    limits: As `gc.get_threshold` gives them.
    Returns: The oldest generation whose turn it is; None for none.

    Examples
    --------
    >>> due((701, 3, 2), (700, 10, 10)), due((10, 11, 2), (700, 10, 10)), due((10, 3, 2), (700, 10, 10))
    (0, 1, None)
    """
    turns = [number for number, (count, limit) in enumerate(zip(counts, limits, strict=True)) if count > limit]
    return turns[-1] if turns else None


def search_here(application: QObject) -> None:
    """Search for garbage on this thread from now on, and not again what there is already.

    application: The application; a second call for it does nothing.
    """
    if application.findChild(GarbageSearch) is None:
        # Without this, the first search would visit all that was imported and made, which takes 40 ms.
        gc.freeze()
        GarbageSearch(application)
