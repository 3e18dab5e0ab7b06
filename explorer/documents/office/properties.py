"""What a document states about itself in the elements of a part: title, author, date, language."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.documents.office.xml_parts import Begin, PartReader

AUTHOR = "author"
_MOST = 1 << 14
"""Characters of all values, so that no damaged part makes a text one of them."""


class Properties(PartReader):
    """Takes the texts of some elements.

    fields: The name of the field for each element. If several elements are for one field, the first of them that is
        stated wins.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__()
        self._fields = fields
        self._found: dict[str, list[list[str]]] = {element: [] for element in fields}
        self._size = 0
        self.begins = {element: self._taker(element) for element in fields}
        self.ends = dict.fromkeys(fields, Properties._end)

    @staticmethod
    def _taker(element: str) -> Begin:
        return lambda reader, _: reader.take(element)

    def take(self, element: str) -> None:
        """Take the text that follows as a value of an element."""
        self._parts: list[str] = []
        self._found[element].append(self._parts)
        self.takes_text = True

    def _end(self) -> None:
        self.takes_text = False

    def text(self, text: str) -> None:
        """Take a piece of a value."""
        self._size += len(text)
        if self._size <= _MOST:
            self._parts.append(text)

    def stated(self) -> dict[str, str]:
        """Return what is stated.

        Returns: The values by field, with single spaces between words: all authors, and the first of other values. A
            field that is not stated is missing.
        """
        found: dict[str, str] = {}
        for element, field in self._fields.items():
            values = [" ".join("".join(parts).split()) for parts in self._found[element]]
            stated = list(filter(None, values))[: None if field == AUTHOR else 1]
            if stated and field not in found:
                found[field] = "; ".join(stated)
        return found
