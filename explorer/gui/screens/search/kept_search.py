"""All that decides about the number and the lines of the Search screen, as JSON values of a session. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.analyses.search.arrange import MAX_ARRANGED, MOST_LEVELS, Filter, NearFilter, SortLevel
from explorer.analyses.search.find import MAX_DISTANCE
from explorer.gui.screens.search.filters.presenter import FiltersState
from explorer.gui.screens.search.lines.column_layout import field_name
from explorer.gui.screens.search.lines.sorting import PRESETS, SortOrder
from explorer.gui.screens.search.lines.state import LinesState, ListOptions
from explorer.gui.screens.search.query.state import QueryState
from explorer.gui.settings.history import is_whole, read_filters, written_filters
from explorer.gui.settings.matching import Matching, read_matching

_MOST_CLAUSES = 1_000
_MOST = {"sample": MAX_ARRANGED, "collapse": 100, "seed": 999_999}
"""The greatest numbers that the form of the lines can show."""


@dataclass(frozen=True)
class KeptSearch:
    """What a session has of a search; None for what it does not have.

    text: The query; "" for none.
    exact: Whether every occurrence was checked.
    filters: Conditions on the lines; words nearby are still to be looked up.
    order: How the lines are sorted.
    drawn: Sample, merging and seed, by their names in `ListOptions`.
    opened: The name of the saved set that was shown; "" for none.
    """

    text: str = ""
    matching: Matching | None = None
    distance: int | None = None
    node: int = 0
    exact: bool = False
    filters: tuple[Filter, ...] | None = None
    order: SortOrder | None = None
    drawn: Mapping[str, int] | None = None
    opened: str = ""

    def arranged(self, lines: LinesState) -> tuple[SortOrder, ListOptions]:
        """Give order and options of the lines.

        lines: Those before, which stay where nothing is kept; only fields of its index are sorted by.
        Returns: The order and the options.
        """
        order = lines.order if self.order is None else self.order.within(lines.fields)
        options: dict[str, Any] = dict(self.drawn or {})
        return order, replace(lines.options, **options)


def written_search(query: QueryState, filters: FiltersState, lines: LinesState, opened: str) -> dict[str, Any]:
    """Give what decides about the number and the lines as JSON values; `opened` is the name of the saved set."""
    return {
        **_written_query(query),
        "filters": written_filters(_conditions(filters)),
        "sort": _written_order(lines.order),
        "drawn": {name: getattr(lines.options, name) for name in _MOST},
        "set": opened,
    }


def _written_query(query: QueryState) -> dict[str, Any]:
    found = query.current
    return {
        "query": query.text,
        "matching": query.matching.as_json(),
        "distance": query.distance,
        "node": query.node,
        "exact": found is not None and found.request.options.exact is True,
    }


def _conditions(state: FiltersState) -> tuple[Filter, ...]:
    # What is still being looked up was chosen, too.
    return (*state.filters, *(NearFilter(text, (), most, wanted) for text, most, wanted in state.pending))


def _written_order(order: SortOrder) -> dict[str, Any]:
    levels = [[level.key, level.descending] for level in order.levels]
    return {"preset": order.preset, "levels": levels, "descending": order.descending}


def read_search(values: Mapping[str, Any]) -> KeptSearch:
    """Read what a session has of a search; what is missing or has another type is left out.

    values: What `written_search` gave, perhaps of another version, or edited.
    """
    text, matching, distance, node = (values.get(name) for name in ("query", "matching", "distance", "node"))
    opened, filters = values.get("set"), values.get("filters")
    return KeptSearch(
        text if isinstance(text, str) else "",
        read_matching(matching) if isinstance(matching, dict) else None,
        distance if is_whole(distance) and 0 <= distance <= MAX_DISTANCE else None,
        node if is_whole(node) and 0 <= node < _MOST_CLAUSES else 0,
        values.get("exact") is True,
        read_filters(filters) if isinstance(filters, list) else None,
        _read_order(values.get("sort")),
        _read_drawn(values.get("drawn")),
        opened if isinstance(opened, str) else "",
    )


def _read_order(found: Any) -> SortOrder | None:
    preset = found.get("preset") if isinstance(found, dict) else None
    if not isinstance(preset, str) or not (field_name(preset) or preset in [known for _, known in PRESETS]):
        return None
    levels, fit = _read_levels(found.get("levels")), SortOrder(preset, descending=found.get("descending") is True)
    return fit if levels is None else replace(fit, levels=levels)


def _read_levels(found: Any) -> tuple[SortLevel, ...] | None:
    rows = found if isinstance(found, list) and len(found) == MOST_LEVELS else []
    if not rows or not all(isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) for row in rows):
        return None
    # Keys that no form offers are left out with the fields that an index lacks: see `SortOrder.within`.
    return tuple(SortLevel(key, descending is True) for key, descending in rows)


def _read_drawn(found: Any) -> dict[str, int] | None:
    if not isinstance(found, dict):
        return None
    fits: Callable[[str], bool] = lambda name: is_whole(found.get(name)) and 0 <= found[name] <= _MOST[name]  # noqa: E731
    return {name: found[name] for name in _MOST if fits(name)}
