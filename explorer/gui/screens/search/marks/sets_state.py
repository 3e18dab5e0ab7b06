"""The saved sets that are offered. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.project import LineSet


@dataclass(frozen=True, eq=False)
class SetsState:
    """The saved sets of the project.

    kept: The sets, each with whether it is from the contents of the open index.
    index_names: What the indexes of the project are called, by their ids.
    """

    kept: tuple[tuple[LineSet, bool], ...] = ()
    index_names: Mapping[str, str] = field(default_factory=dict)

    def named(self, name: str) -> tuple[LineSet, bool] | None:
        """A set by its name, and whether it fits the open index; None if there is none."""
        return next((pair for pair in self.kept if pair[0].name == name), None)
