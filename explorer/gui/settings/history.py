"""Earlier queries with their results and options, as stored in the settings file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeGuard

from explorer.analyses.metadata.values import OPERATORS, FieldFilter
from explorer.gui.settings.matching import Matching, read_matching

if TYPE_CHECKING:
    from explorer.analyses.search.arrange import Filter

MOST_FILTERS = 20


@dataclass(frozen=True)
class PastQuery:
    """An earlier query.

    count: number of listed hits, None if unknown; exact: False for an estimate. time: ISO 8601, "" if not known.
    matching, distance: its options, None if unknown. filters: its conditions. The n-grams of conditions by words nearby
    may belong to another index, so they are left out and looked up again.
    """

    text: str
    count: int | None = None
    exact: bool = True
    time: str = ""
    matching: Matching | None = None
    distance: int | None = None
    filters: tuple[Filter, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The data in the settings file besides the text."""
        return {
            "count": self.count,
            "exact": self.exact,
            "time": self.time,
            **({} if self.matching is None else self.matching.as_json()),
            "distance": self.distance,
            "filters": written_filters(self.filters[:MOST_FILTERS]),
        }


def now() -> str:
    """The current time, in the format of a past query."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def past_query(text: str, found: Any) -> PastQuery:
    """Make a query of the history from its data in the settings file; invalid values are left out.

    found: What the file has about it; anything but an object counts as nothing.
    """
    if not isinstance(found, dict):
        return PastQuery(text)
    from explorer.analyses.search.find import MAX_DISTANCE

    # The file may have been edited by hand or by a newer version: each value is checked on its own.
    count, distance = found.get("count"), found.get("distance")
    filters = found.get("filters")
    return PastQuery(
        text,
        count if is_whole(count) and count >= 0 else None,
        # Missing means exact: estimates were always marked.
        found.get("exact") is not False,
        found["time"] if isinstance(found.get("time"), str) else "",
        read_matching(found),
        distance if is_whole(distance) and 0 <= distance <= MAX_DISTANCE else None,
        read_filters(filters[:MOST_FILTERS]) if isinstance(filters, list) else (),
    )


def written_filters(filters: Iterable[Filter]) -> list[dict[str, Any]]:
    """Conditions as JSON values, without the n-grams of words nearby, which belong to one index."""
    return [_filter_json(condition) for condition in filters]


def read_filters(found: Iterable[Any]) -> tuple[Filter, ...]:
    """Read conditions that `written_filters` gave; what is not one is left out."""
    known = map(_read_filter, found)
    return tuple(condition for condition in known if condition is not None)


def _filter_json(condition: Filter) -> dict[str, Any]:
    if isinstance(condition, FieldFilter):
        return {"field": condition.field, "operator": condition.operator, "value": condition.value}
    return {"near": condition.text, "distance": condition.distance, "wanted": condition.wanted}


def _read_filter(found: Any) -> Filter | None:
    if not isinstance(found, dict):
        return None
    if isinstance(text := found.get("near"), str) and text.strip():
        from explorer.analyses.search.arrange import NearFilter
        from explorer.analyses.search.find import MAX_DISTANCE

        distance = found.get("distance")
        if is_whole(distance) and 0 <= distance <= MAX_DISTANCE:
            return NearFilter(text, (), distance, found.get("wanted") is not False)
        return None
    field, operator, value = (found.get(name) for name in ("field", "operator", "value"))
    if isinstance(field, str) and isinstance(value, str) and isinstance(operator, str) and operator in OPERATORS:
        return FieldFilter(field, operator, value)
    return None


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value of a file is a whole number."""
    # In Python `True` is an `int`; in the settings file it is not a number.
    return isinstance(value, int) and not isinstance(value, bool)
