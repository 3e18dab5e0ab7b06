"""The settings of a trace, as JSON values of a session. No Qt."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from explorer.trace.settings import TraceSettings

_MOST = {
    "min_length": 1_000,
    "max_count": 2_000_000_000,
    "documents_per_span": 100,
    "context": 10_000,
    "snippet": 10_000,
    "seed": 999_999,
}
"""The greatest numbers that are restored: those of the form, since a session may have any."""


def written_settings(settings: TraceSettings) -> dict[str, Any]:
    """Give the settings, as JSON values."""
    return asdict(settings) | {"delimiters": list(settings.delimiters)}


def read_settings(found: Any, now: TraceSettings) -> dict[str, Any]:
    """Read the settings of a session.

    found: What `written_settings` gave, perhaps of another version, or edited.
    now: The settings before, whose values have the types that fit.
    Returns: The values of the right type, by their names; whether they go together is for `TraceSettings` to tell.
    """
    values = found if isinstance(found, dict) else {}
    fits = {name: values[name] for name, usual in asdict(now).items() if _fits(values.get(name), usual)}
    # A share, whose usual value is a whole number.
    if type(density := values.get("density")) in (int, float):
        fits["density"] = density
    small = {name: value for name, value in fits.items() if name not in _MOST or value <= _MOST[name]}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in small.items()}


def _fits(value: Any, usual: Any) -> bool:
    if isinstance(usual, tuple):
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    # A truth value would pass for a number.
    return type(value) is type(usual)
