"""The commands of the Trace screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.gui.chrome.actions import GO, CommandSpec, OnScreen

if TYPE_CHECKING:
    from explorer.gui.screens.trace.screen import TraceScreen


def _trace(act: Callable[[TraceScreen], object]) -> OnScreen:
    return OnScreen("trace", act)


COMMANDS = (
    CommandSpec(
        "next_passage",
        GO,
        "Next &passage",
        "Choose the next passage of the traced text",
        _trace(lambda s: s.step(1)),
        "F7",
        group=5,
    ),
    CommandSpec(
        "previous_passage",
        GO,
        "Previous p&assage",
        "Choose the previous passage of the traced text",
        _trace(lambda s: s.step(-1)),
        "Shift+F7",
        group=5,
    ),
    CommandSpec(
        "longest_match",
        GO,
        "&Longest match",
        "Choose the longest match of the traced text",
        _trace(lambda s: s.go_to_longest()),
        "Ctrl+Shift+L",
        group=5,
    ),
    CommandSpec(
        "copy_with_source",
        GO,
        "&Copy with source",
        "Copy what the chosen card shows, with its document",
        _trace(lambda s: s.copy_with_source()),
        "Ctrl+Shift+C",
        group=5,
        picture="copy",
    ),
    CommandSpec(
        "side_by_side",
        GO,
        "Side &by side",
        "Compare the traced text with the document of the chosen card",
        _trace(lambda s: s.compare()),
        "F8",
        group=5,
    ),
    CommandSpec(
        "next_answer",
        GO,
        "Next a&nswer",
        "Show the next answer of the conversation or of the file",
        _trace(lambda s: s.step_answer(1)),
        "Alt+PgDown",
        group=5,
    ),
    CommandSpec(
        "previous_answer",
        GO,
        "Previous ans&wer",
        "Show the previous answer of the conversation or of the file",
        _trace(lambda s: s.step_answer(-1)),
        "Alt+PgUp",
        group=5,
    ),
)
