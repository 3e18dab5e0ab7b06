"""Character positions of Python strings in Qt's documents, which count UTF-16 units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.text import graphemes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Utf16Map:
    """Maps a text's character positions to Qt's, whose documents have one unit for the two characters of a "\\r\\n"."""

    def __init__(self, text: str) -> None:
        self._starts: NDArray[np.int64] | None = None
        # Most texts have one unit per character, and need no table.
        if "\r\n" in text or (not text.isascii() and max(text) > "\uffff"):
            import numpy as np

            codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
            units = 1 + (codes > 0xFFFF).astype(np.int64)
            units[:-1][(codes[:-1] == 0x0D) & (codes[1:] == 0x0A)] = 0
            self._starts = np.concatenate([[0], np.cumsum(units)])

    def to_qt(self, position: int) -> int:
        """Qt's position of a character."""
        return position if self._starts is None else int(self._starts[position])

    def all_to_qt(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Qt's positions of characters, of the same shape."""
        return positions if self._starts is None else self._starts[positions]

    def from_qt(self, position: int) -> int:
        """The character at Qt's position."""
        if self._starts is None:
            return position
        import numpy as np

        # A position inside a surrogate pair is that of the pair's character, one before "\r\n" that of "\r".
        place = int(np.searchsorted(self._starts, position, side="right")) - 1
        return int(np.searchsorted(self._starts, self._starts[place], side="left"))


# U+2400 to U+241F picture the control characters. Tabs and separators of lines and paragraphs become spaces.
_PICTURES: dict[int, str] = (
    {code: chr(0x2400 + code) for code in range(0x20)}
    | {ord(char): " " for char in "\t\v\f\u2028\u2029"}
    | {0x0A: " ⏎ ", 0x7F: "␡"}
)


def one_line(text: str) -> str:
    """A text for a table's cell: line feeds are shown, runs of spaces joined, control characters made visible."""
    shown = text.replace("\r\n", "\n").translate(_PICTURES)
    # Most texts have none, and every context of a page comes here.
    if "  " not in shown:
        return shown
    return " ".join(part for part in shown.split(" ") if part).join(
        (" " if shown.startswith(" ") else "", " " if shown.endswith(" ") else "")
    )


def flowing(text: str) -> str:
    """A part of a running text without its line breaks, which tell nothing where it was wrapped at a width."""
    return text.replace("\r\n", " ").replace("\n", " ")


SHORT = 60
CELL = 400
"""Characters of a cell at most: more than any screen shows, few enough to be laid out repeatedly."""


def cell_text(text: str, ending: bool = False, most: int = CELL) -> str:
    """Make a text fit for a table's cell: on one line, a long one cut.

    ending: Whether to keep the end of a long text instead of its beginning.
    """
    if len(text) <= most:
        return one_line(text)
    return "…" + one_line(graphemes.ending(text, most)) if ending else one_line(graphemes.beginning(text, most)) + "…"


def short_text(text: str, most: int = SHORT) -> str:
    """Make somebody's text fit for a sentence, a name or a menu, where many lines or letters would stretch the window.

    Returns: The beginning of the text on one line, with an ellipsis if it was cut.
    """
    return cell_text(text, most=most)
