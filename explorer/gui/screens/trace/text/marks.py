"""The marks of a traced text: where they are, what is under the pointer, which are chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from PySide6.QtCore import QPoint, Qt

from explorer.gui.screens.trace.documents.choice import Mark
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.theme import RELEVANCE
from explorer.gui.widgets.texts.painted_runs import Look, Painted, position_under, scroll_to, visible_positions
from explorer.gui.widgets.texts.prose_edit import ProseEdit

LINES = {"high": Qt.PenStyle.SolidLine, "medium": Qt.PenStyle.DashLine, "low": Qt.PenStyle.DotLine}
"""The underline of each level of relevance."""


@dataclass(frozen=True)
class Pick:
    """A passage that is meant by a click, and the text of its mark."""

    passage: int
    text: str


class TextMarks:
    """The marks of one text, which are painted as runs: an edit moves them, another text has none of them."""

    def __init__(self, edit: ProseEdit) -> None:
        self._edit = edit

    def show(self, marks: tuple[Mark, ...], text: str) -> None:
        """Mark runs of the text.

        text: The text that they are runs of. If another one is shown, nothing is marked.
        """
        if text != self._edit.written:
            marks = ()
        # Marks are in characters, Qt counts UTF-16 units; they differ after the first emoji.
        positions = Utf16Map(text)
        places = [(positions.to_qt(mark.start), positions.to_qt(mark.end)) for mark in marks]
        self._edit.runs.paint(Painted(np.array(places, np.int64).reshape(-1, 2), tuple(map(_look, marks)), marks))

    @property
    def shown(self) -> tuple[Mark, ...]:
        """The marks, in the order in which they are painted."""
        # Nothing else paints runs of this text.
        return cast("tuple[Mark, ...]", self._edit.runs.painted.meanings)

    def parts(self) -> tuple[tuple[str, Mark], ...]:
        """The marks with the text under each as it is now."""
        # By the places of the painted runs, which edits have moved: the trace's characters are those of an older text.
        # Two bytes per UTF-16 unit, since Qt counts those.
        units = self._edit.document().toRawText().encode("utf-16-le", "surrogatepass")
        parts = (units[2 * start : 2 * end] for start, end in self._edit.runs.painted.places.tolist())
        texts = (part.decode("utf-16-le", "replace").replace("\u2029", "\n") for part in parts)
        return tuple(zip(texts, self.shown, strict=True))

    def under(self, point: QPoint) -> Mark | None:
        """The topmost mark under a point of the viewport."""
        position = position_under(self._edit, point)
        found = self._edit.runs.at(position) if position >= 0 else []
        return self.shown[found[0]] if found else None

    def pick(self, point: QPoint) -> Pick | None:
        """The passage under a point of the viewport; None outside of all."""
        position = position_under(self._edit, point)
        if position < 0:
            return None
        texts = self.parts()
        # From the lowest mark up: a passage is below the frames of its spans, and all of it is meant.
        picks = (Pick(texts[number][1].passage, texts[number][0]) for number in reversed(self._edit.runs.at(position)))
        return next((one for one in picks if one.passage >= 0), None)

    def chosen(self) -> list[tuple[int, int]]:
        """The places of the chosen marks, as Qt counts."""
        marks = zip(self._edit.runs.painted.places.tolist(), self.shown, strict=True)
        return [(start, end) for (start, end), mark in marks if mark.chosen]

    def reveal_chosen(self) -> None:
        """Scroll to the first chosen mark, unless one of them is visible."""
        places = self.chosen()
        first, last = visible_positions(self._edit)
        # A visible one is enough: a text that scrolls under the pointer loses the word that was just clicked.
        if places and not any(start < last and end > first for start, end in places):
            scroll_to(self._edit, places[0][0])


def _look(mark: Mark) -> Look:
    """Fill and underline by relevance, so that the levels differ without color too."""
    level = mark.level or "low"
    if mark.outlined:
        return Look(frame="accent")
    if mark.gray:
        return Look(fill="skeleton", line="muted")
    if mark.chosen:
        return Look(fill="mark", line="on_mark", text="on_mark", style=LINES[level])
    return Look(fill=RELEVANCE[level], line="accent", style=LINES[level])
