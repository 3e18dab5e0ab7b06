"""What a document states about itself in the elements of a part: title, author, date, language."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.readers.xml_parts import Begin, PartReader

_MOST = 1 << 12
"""Characters of a value, so that a damaged part does not make it a text."""


class Properties(PartReader):
    """Takes the first text that each of some elements has.

    Parameters
    ----------
    fields
        The name of the field for each element. If several elements are for one field, the first of them that is stated
        wins.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__()
        self._fields = fields
        self._found: dict[str, list[str]] = {}
        self._parts: list[str] = []
        self.begins = {element: self._taker(element) for element in fields}
        self.ends = dict.fromkeys(fields, Properties._end)

    @staticmethod
    def _taker(element: str) -> Begin:
        return lambda reader, _: reader.take(element)

    def take(self, element: str) -> None:
        """Take the text that follows as the value of an element, unless it has one, as a book has a second author.

        Parameters
        ----------
        element
            The name of the element.
        """
        self._parts = self._found.setdefault(element, [])
        self.takes_text = not self._parts

    def _end(self) -> None:
        self.takes_text = False

    def text(self, text: str) -> None:
        """Take a piece of a value.

        Parameters
        ----------
        text
            The piece.
        """
        self._parts.append(text[:_MOST])

    def stated(self) -> dict[str, str]:
        """Return what is stated.

        Returns
        -------
        dict[str, str]
            The values by field, with single spaces between words; a field that is not stated is missing.
        """
        found: dict[str, str] = {}
        for element, field in self._fields.items():
            value = " ".join("".join(self._found.get(element, ())).split())[:_MOST]
            if value and field not in found:
                found[field] = value
        return found
