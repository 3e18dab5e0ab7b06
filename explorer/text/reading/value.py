"""The text as it is read, its styles, and the map to the source."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue

Offsets = NDArray[np.int64]


@dataclass(frozen=True)
class StyledRun:
    """A part of a reading text that looks or means something special.

    Attributes
    ----------
    start
        Its first character in the reading text.
    end
        One past its last character; equal to `start` only for a rule.
    style
        "heading", "bold", "italic", "strike", "code", "code_block", "item", "quote", "link", "image", "table", "row",
        "cell", "math" or "rule".
    level
        Of a heading, 1 to 6; of an item or a quote, how deeply it is nested, from 1; of a row, 0 for the header; of a
        cell, its column from 0; of math, 1 if it is displayed on lines of its own.
    note
        The marker of an item, the language of a code block, the address of a link or image; otherwise "".
    """

    start: int
    end: int
    style: str
    level: int = 0
    note: str = ""


@dataclass(frozen=True, eq=False)
class ReadingText(ArrayValue):
    """A text as a person reads it.

    Attributes
    ----------
    source
        The text as it was written.
    text
        The text as it is read.
    mode
        How it was read: "plain" (the source itself), "markdown", or "mixed" (some lines as they are written).
    pieces
        The map, int64 of shape (pieces, 4): first character and end in the reading text, first character and end in the
        source. A piece of equal lengths is mapped character by character; any other represents its part of the source
        as a whole, as an entity does. Pieces ascend in both texts and cover the reading text.
    runs
        Its styles, by start; an outer run comes before the runs inside it.
    written
        With the mode "mixed", the parts of the reading text that are read as they are written, by start.
    """

    source: str
    text: str
    mode: str
    pieces: Offsets
    runs: tuple[StyledRun, ...] = field(default=())
    written: tuple[tuple[int, int], ...] = field(default=())

    def source_starts(self, places: Offsets) -> Offsets:
        """Find where characters of the reading text begin in the source.

        Parameters
        ----------
        places
            Characters of the reading text, int64 of any shape, 0 to its length.

        Returns
        -------
        Offsets
            The first character of the source that each represents; the source's end for the end of the text.

        Notes
        -----
        A binary search per place.
        """
        return self._mapped(places, ends=False)

    def source_ends(self, places: Offsets) -> Offsets:
        """Find where characters of the reading text end in the source.

        Parameters
        ----------
        places
            Ends in the reading text: one past a character, int64 of any shape; 0 gives 0.

        Returns
        -------
        Offsets
            One past the last character of the source that the character before each place represents.
        """
        return self._mapped(places, ends=True)

    def source_range(self, start: int, end: int) -> tuple[int, int]:
        """Give the part of the source that a part of the reading text represents, with the marks inside it.

        Parameters
        ----------
        start
            The first character in the reading text.
        end
            One past the last; `start` for an empty part.

        Returns
        -------
        tuple[int, int]
            The first character in the source, and one past the last.

        Examples
        --------
        >>> from explorer.text.reading import read_text
        >>> reading = read_text("a **bold** word", "markdown")
        >>> reading.text, reading.source_range(2, 6)
        ('a bold word', (4, 8))
        """
        first = int(self.source_starts(np.array([start], dtype=np.int64))[0])
        return first, max(first, int(self.source_ends(np.array([end], dtype=np.int64))[0])) if end > start else first

    def reading_range(self, start: int, end: int) -> tuple[int, int]:
        """Give the part of the reading text that is in a part of the source.

        Parameters
        ----------
        start
            The first character in the source.
        end
            One past the last.

        Returns
        -------
        tuple[int, int]
            The first character in the reading text, and one past the last; equal if the part is only marks.
        """
        first = self._reading_place(start, of_end=False)
        return first, max(first, self._reading_place(end, of_end=True))

    def read_before(self, places: Offsets) -> Offsets:
        """Count the characters of the reading text before places in the source.

        Parameters
        ----------
        places
            Characters of the source, int64 of any shape, 0 to its length.

        Returns
        -------
        Offsets
            The place of each in the reading text; within a part that is read as a whole, somewhere in it.

        Notes
        -----
        A binary search per place.
        """
        if not len(self.pieces):
            return np.zeros_like(places)
        start, end, begin, after = self.pieces.T
        which = np.searchsorted(after, places, side="right")
        piece = np.minimum(which, len(start) - 1)
        found = start[piece] + np.clip(places - begin[piece], 0, end[piece] - start[piece])
        return np.where(which == len(start), len(self.text), found)

    def source_parts(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Give the characters of the source that a part of the reading text represents, without the marks among them.

        Parameters
        ----------
        start
            The first character in the reading text.
        end
            One past the last.

        Returns
        -------
        tuple[tuple[int, int], ...]
            Parts of the source, ascending.
        """
        found: list[tuple[int, int]] = []
        # From the piece that contains the first character; the pieces before it are not looked at.
        first = max(0, int(np.searchsorted(self.pieces[:, 0], start, side="right")) - 1)
        for piece_start, piece_end, *whole in self.pieces[first:].tolist():
            if piece_start >= end:
                break
            begin, after = whole
            if piece_end - piece_start == after - begin:
                shift = begin - piece_start
                begin, after = max(start, piece_start) + shift, min(end, piece_end) + shift
            # A substitution may have no source of its own, as the slash of a fraction.
            if found and found[-1][1] == begin:
                found[-1] = (found[-1][0], after)
            elif begin < after:
                found.append((begin, after))
        return tuple(found)

    def mode_of(self, start: int, end: int) -> str:
        """Tell how a part of the reading text was read.

        Parameters
        ----------
        start
            Its first character.
        end
            One past its last character.

        Returns
        -------
        str
            "plain", "markdown", or "mixed" if it has lines of both.
        """
        if self.mode != "mixed":
            return self.mode
        plain = sum(max(0, min(end, last) - max(start, first)) for first, last in self.written)
        return "markdown" if not plain else "plain" if plain == end - start else "mixed"

    def json_fields(self) -> dict[str, Any]:
        """Give the fields of JSON: all but the source, which is beside it."""
        fields = {"text": self.text, "mode": self.mode, "pieces": self.pieces, "runs": self.runs}
        return {**fields, "written": self.written}

    def _mapped(self, places: Offsets, ends: bool) -> Offsets:
        # An array at a time: a trace maps the places of all its tokens.
        wanted = np.asarray(places, dtype=np.int64)
        if not len(self.pieces):
            return np.full_like(wanted, 0 if ends else len(self.source))
        start, end, source_start, source_end = self.pieces.T
        # The piece with the character at the place, or, for an end, with the character before it.
        which = np.searchsorted(end if ends else start, wanted, side="left" if ends else "right") - (not ends)
        # The ends of the text are outside of all pieces.
        which = np.clip(which, 0, len(start) - 1)
        same = (end - start)[which] == (source_end - source_start)[which]
        whole = source_end[which] if ends else source_start[which]
        found = np.where(same, source_start[which] + wanted - start[which], whole)
        if ends:
            return np.where(wanted <= 0, 0, found)
        return np.where(wanted >= len(self.text), len(self.source), found)

    def _reading_place(self, place: int, of_end: bool) -> int:
        if not len(self.pieces):
            return 0
        start, end, source_start, source_end = self.pieces.T
        # The first piece that ends after the place, or contains it.
        which = int(np.searchsorted(source_end, place, side="left" if of_end else "right"))
        if which == len(start):
            return len(self.text)
        if place <= source_start[which]:
            return int(start[which])
        if end[which] - start[which] == source_end[which] - source_start[which]:
            return int(start[which] + place - source_start[which])
        # Inside what a piece represents as a whole: the whole piece is part of it.
        return int(end[which] if of_end else start[which])


def plain_reading(text: str) -> ReadingText:
    """Make the reading of a text that is read as it is written."""
    pieces = np.array([[0, len(text), 0, len(text)]] if text else [], dtype=np.int64).reshape(-1, 4)
    return ReadingText(text, text, "plain", pieces)
