"""Collects a reading text piece by piece, with the styles that are open."""

from __future__ import annotations

import numpy as np

from explorer.text.reading.value import ReadingText, StyledRun

DEEPEST = 32
"""Styles that may be open at once; deeper ones are left out, since nobody can see them."""


class Writer:
    """Builds a `ReadingText` from its beginning to its end."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.length = 0
        self.source_end = 0
        self._parts: list[str] = []
        self._pieces: list[list[int]] = []
        # With the number of its opening: an outer run is opened before the runs inside it.
        self._runs: list[tuple[int, StyledRun]] = []
        self._opened = 0
        # Style, level, note, first character (-1 until one is written), and the number of its opening.
        self._open: list[list[int | str]] = []
        self._begun = 0
        self._too_deep = 0

    def same(self, start: int, end: int) -> None:
        """Write characters of the source as they are."""
        if start < end:
            self._begin()
            self._write(self.source[start:end], start, end)

    def instead(self, text: str, start: int, end: int) -> None:
        """Write other text in the place of a part of the source.

        start: The first character of the part of the source that it represents.
        end: One past its last character.
        """
        if text:
            self._begin()
            self._write(text, start, end)

    def between(self, text: str, start: int, end: int) -> None:
        """Write what is between two blocks; styles without a character yet begin after it.

        start: The first character of the part of the source that it represents.
        """
        self._write(text, start, end)

    def _begin(self) -> None:
        # Each style once, so that a thousand quotes in one another cost no more than their number.
        for style in self._open[self._begun :]:
            style[3] = self.length
        self._begun = len(self._open)

    def _write(self, text: str, start: int, end: int) -> None:
        # Neighbors in both texts share a piece, which keeps the map small.
        last = self._pieces[-1] if self._pieces else None
        after = self.length + len(text)
        equal = len(text) == end - start
        if last is not None and equal and last[3] == start and last[1] - last[0] == last[3] - last[2]:
            last[1], last[3] = after, end
        else:
            self._pieces.append([self.length, after, start, end])
        self._parts.append(text)
        self.length, self.source_end = after, end

    def open(self, style: str, level: int = 0, note: str = "") -> None:
        """Begin a style, which holds from the next character on."""
        if len(self._open) >= DEEPEST:
            self._too_deep += 1
        else:
            self._open.append([style, level, note, -1, self._opened])
            self._opened += 1

    def close(self) -> None:
        """End the style that was begun last; without a character in between, nothing has it."""
        if self._too_deep:
            self._too_deep -= 1
            return
        style, level, note, start, number = self._open.pop()
        self._begun = min(self._begun, len(self._open))
        if int(start) >= 0:
            run = StyledRun(int(start), self.length, str(style), int(level), str(note))
            self._runs.append((int(number), run))

    def note(self, note: str) -> None:
        """Change the note of the style that was begun last."""
        if self._open and not self._too_deep:
            self._open[-1][2] = note

    def point(self, style: str) -> None:
        """Add a style of no characters at the end of what was written."""
        self._runs.append((self._opened, StyledRun(self.length, self.length, style)))

    def drop_last(self, character: str) -> None:
        """Take back the last character, if it is this one."""
        if not self._parts or not self._parts[-1].endswith(character):
            return
        last = self._pieces[-1]
        # Only of characters that are mapped one by one.
        if last[1] - last[0] != last[3] - last[2]:
            return
        self._parts[-1] = self._parts[-1][:-1]
        last[1] -= 1
        last[3] -= 1
        if last[0] == last[1]:
            self._pieces.pop()
        self.length -= 1
        self.source_end = self._pieces[-1][3] if self._pieces else 0

    def done(self) -> ReadingText:
        """Give what was written."""
        pieces = np.array(self._pieces, dtype=np.int64).reshape(-1, 4)
        # Taking back a character may have emptied a run.
        kept = (pair for pair in self._runs if pair[1].start < pair[1].end or pair[1].style == "rule")
        ordered = sorted(kept, key=lambda pair: (pair[1].start, -pair[1].end, pair[0]))
        return ReadingText(self.source, "".join(self._parts), "markdown", pieces, tuple(run for _, run in ordered))
