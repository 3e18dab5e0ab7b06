"""The text of a document while its parts are met: paragraphs are lines, and tabs separate the cells of a row."""

from __future__ import annotations

import io

_EMPTY_LINE = "\n\n"


class RunningText:
    r"""A text that grows by words, ends of paragraphs, cells and rows.

    Lines without text are not written, nor are the tabs after the last cell of a row that has text.

    Examples
    --------
    >>> text = RunningText()
    >>> for cells in (["a", "b"], ["", "c"]):
    ...     text.row()
    ...     for cell in cells:
    ...         text.add(cell)
    ...         text.cell()
    >>> text.value()
    'a\tb\n\tc'
    """

    def __init__(self) -> None:
        self._out = io.StringIO()
        self._has_text = False
        self._break = ""
        self._tabs = 0
        self._is_soft = False
        self._held: list[str] = []

    def add(self, text: str) -> None:
        """Add words to the paragraph.

        text: The words. White space at the beginning of a paragraph is written only if words follow.
        """
        if self._break or self._tabs or self._held or not self._has_text:
            if not text or text.isspace():
                self._held.append(text)
                return
            self._begin()
        self._out.write(text)

    def _begin(self) -> None:
        if self._has_text:
            self._out.write(self._break)
        self._out.write("\t" * self._tabs)
        self._out.write("".join(self._held))
        self._has_text, self._break, self._tabs = True, "", 0
        self._held.clear()

    def line(self) -> None:
        """End a line or a paragraph."""
        self._held.clear()
        if not self._break and not self._tabs:
            self._break, self._is_soft = "\n", True

    def cell(self) -> None:
        """End a cell of a table."""
        self._held.clear()
        if self._is_soft:
            # The end of the cell's last paragraph.
            self._break, self._is_soft = "", False
        self._tabs += 1

    def row(self) -> None:
        """Begin or end a row of a table."""
        self._held.clear()
        if self._break != _EMPTY_LINE:
            self._break = "\n"
        self._tabs, self._is_soft = 0, False

    def end_table(self) -> None:
        """End a table, which may be in a cell of another table."""
        self._is_soft = True

    def gap(self) -> None:
        """Separate what follows by an empty line."""
        self._held.clear()
        self._break, self._tabs, self._is_soft = _EMPTY_LINE, 0, False

    @property
    def place(self) -> int:
        """The place in `whole` at which the next words are written, or the break before them."""
        return self._out.tell()

    def between(self, begin: int, end: int) -> str:
        """The words between two places, with single spaces."""
        return " ".join(self.whole[begin:end].split())

    @property
    def whole(self) -> str:
        """The text as it was written, with white space at its beginning and end."""
        return self._out.getvalue()

    def value(self) -> str:
        """The text.

        Returns: The text without white space at its beginning and end, except the tabs of empty cells at its beginning.
        """
        return self.whole.strip(" \n\r")
