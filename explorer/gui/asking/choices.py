"""What a user chose in a tab that asks: fields of its state, and of what is beside it. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.gui.presenting.choices import Choices
from explorer.gui.presenting.presenter import Presenter, Services

Chosen = tuple[tuple[Any, ...], ...]
"""The values of the fields of each presenter."""


class TabChoices(Choices[Chosen]):
    """The choices of a tab.

    asked: The fields of its state that it asks for.
    """

    def __init__(
        self, services: Services, tab: Presenter[Any], asked: tuple[str, ...], ask: Callable[[], None]
    ) -> None:
        super().__init__(services, self._read, self._put)
        self._parts = [(tab, asked)]
        self._ask = ask

    def include(self, presenter: Presenter[Any], *names: str) -> None:
        """Undo more than what is asked for.

        presenter: Has the state: that of the tab, or of a part of it.
        names: The fields that the user chooses, such as marks. They are shown again, and nothing is asked.
        """
        self._parts.append((presenter, names))

    def _read(self) -> Chosen:
        return tuple(tuple(getattr(part.state, name) for name in names) for part, names in self._parts)

    def _put(self, chosen: Chosen) -> None:
        asked = self._read()[0]
        for (part, names), values in zip(self._parts, chosen, strict=True):
            part.change(**dict(zip(names, values, strict=True)))
        if asked != chosen[0]:
            self._ask()
