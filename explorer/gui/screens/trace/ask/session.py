"""What the tab that asks models keeps in a session, and reads from it: nothing of it is trusted. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from explorer.analyses.trace.conversation import Turn
from explorer.gui.screens.trace.ask.state import USUAL_URL, AskState, Seat
from explorer.gui.screens.trace.ask.work import Manner

_MOST_STORED = 200_000
"""Characters of a conversation that are kept in the session."""
_HOTTEST, _MOST_TOKENS = 2.0, 32_768


@dataclass(frozen=True)
class Kept:
    """What a session had.

    manner: Temperature, length and system prompt.
    two: Whether two models were asked.
    sides: The model of each side, and its conversation.
    """

    manner: Manner
    two: bool
    sides: tuple[tuple[Seat, tuple[Turn, ...]], ...]


def session_of(state: AskState, sides: Sequence[tuple[Seat, tuple[Turn, ...]]]) -> dict[str, Any]:
    """Give what is kept, as JSON values.

    sides: The model of each side, and its conversation. A very long conversation is not kept.
    """
    return {
        "temperature": state.manner.temperature,
        "most_tokens": state.manner.most_tokens,
        "system": state.manner.system,
        "two": state.two,
        "sides": [
            {"url": seat.url, "model": seat.model, "turns": [[turn.role, turn.content] for turn in _short(turns)]}
            for seat, turns in sides
        ],
    }


def turns_of(values: dict[str, Any]) -> Kept:
    """Read what was kept; what is missing or wrong has its default."""
    usual = Manner()
    temperature, most = values.get("temperature"), values.get("most_tokens")
    system, sides = values.get("system"), values.get("sides")
    rows = sides if isinstance(sides, list) else []
    manner = Manner(
        float(temperature) if _is_number(temperature) and 0 <= temperature <= _HOTTEST else usual.temperature,
        most if type(most) is int and 1 <= most <= _MOST_TOKENS else usual.most_tokens,
        system if isinstance(system, str) else "",
    )
    return Kept(manner, values.get("two") is True, (_side(rows, 0), _side(rows, 1)))


def _side(rows: list[Any], number: int) -> tuple[Seat, tuple[Turn, ...]]:
    row = rows[number] if number < len(rows) and isinstance(rows[number], dict) else {}
    url, model, turns = row.get("url"), row.get("model"), row.get("turns")
    address = url if isinstance(url, str) and not Seat(url).problem else USUAL_URL
    seat = Seat(address, model if isinstance(model, str) else "")
    return seat, tuple(
        Turn(pair[0], pair[1])
        for pair in (turns if isinstance(turns, list) else [])
        if isinstance(pair, list) and len(pair) == 2 and pair[0] in ("user", "assistant") and isinstance(pair[1], str)
    )


def _is_number(value: Any) -> TypeGuard[float]:
    # True is a whole number to Python.
    return type(value) in (int, float)


def _short(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    return turns if sum(len(turn.content) for turn in turns) <= _MOST_STORED else ()
