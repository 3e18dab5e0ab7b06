"""JSON from a file that anybody may have written, read key by key: each value has the type that is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from explorer.core.files.encoding import replace_surrogates
from explorer.i18n import mark, tr
from explorer.project.lines import Extra
from explorer.project.positions import Path

T = TypeVar("T")
MOST_CHARACTERS = 100_000
"""Of one text of a project file."""
# Numbers of a file go into int64 arrays; a larger one would fail there, far from its line.
_LARGEST = 2**63 - 1


class Wrong(Exception):  # noqa: N818 - becomes a ProjectError, which also knows the file
    """A value is not what is expected. path: where it is; expected: what should be there, marked for translation."""

    def __init__(self, path: Path, expected: str) -> None:
        super().__init__(path, expected)
        self.path, self.expected = path, expected


class Node:
    """An object of the file. What was asked for counts as known; `extra` is the rest."""

    def __init__(self, value: Any, path: Path = ()) -> None:
        if not isinstance(value, dict):
            raise Wrong(path, mark("an object"))
        self._value: dict[str, Any] = value
        self._path = path
        # Filled while keys are read, so that no list of known keys must be kept in step with the code that reads them.
        self._known: set[str] = set()

    def _take(self, key: str, default: object) -> Any:
        self._known.add(key)
        return self._value.get(key, default)

    def wrong(self, key: str, expected: str) -> Wrong:
        """The error about a value.

        expected: What should be there, marked for translation.
        Returns: The error, to be raised.
        """
        return Wrong((*self._path, key), expected)

    def text(self, key: str, default: str | None = "", most: int = MOST_CHARACTERS) -> str:
        """A text; lone surrogates, which no encoding can hold, become U+FFFD.

        default: The text if there is none; None: there must be one.
        Raises `Wrong` if it is missing, too long or not a text.
        """
        found = self._take(key, default)
        if not isinstance(found, str) or len(found) > most:
            raise self.wrong(key, mark("a text") if not isinstance(found, str) else mark("a shorter text"))
        return replace_surrogates(found)

    def choice(self, key: str, default: T, choices: Sequence[T]) -> T:
        """One of some values.

        default: The value if there is none.
        """
        found = self._take(key, default)
        if not isinstance(found, str) or found not in choices:
            raise self.wrong(key, mark("a known name"))
        # The element of `choices`, whose type is narrower than that of a text.
        return choices[choices.index(found)]

    def flag(self, key: str, default: bool) -> bool:
        """True or false.

        default: The value if there is none.
        Raises `Wrong` if it is anything else.
        """
        found = self._take(key, default)
        if not isinstance(found, bool):
            raise self.wrong(key, mark("true or false"))
        return found

    def whole(self, key: str, default: int | None = None, least: int = 0, most: int = _LARGEST) -> int:
        """A whole number.

        default: The value if there is none; None: there must be one.
        Raises `Wrong` if it is missing, out of range or not a whole number.
        """
        found = self._take(key, default)
        # In Python `True` is an `int`; in the file it is not a number.
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise self.wrong(key, mark("a whole number within its range"))
        return found

    def is_null(self, key: str) -> bool:
        """Whether a value is null or missing."""
        return self._take(key, None) is None

    def has(self, key: str) -> bool:
        """Whether there is a value."""
        # Not counted as known: the caller has only looked.
        return key in self._value

    def texts(self, key: str, read: Callable[[str], str] = replace_surrogates) -> tuple[str, ...]:
        """A list of texts.

        read: Checks each text, and raises ValueError with what is expected.
        Returns: The texts; none if there is no list.
        """
        found = self._take(key, [])
        if not isinstance(found, list):
            raise self.wrong(key, mark("a list"))
        texts = []
        for number, item in enumerate(found):
            place = (*self._path, key, number)
            if not isinstance(item, str):
                raise Wrong(place, mark("a text"))
            try:
                texts.append(read(item))
            except ValueError as error:
                raise Wrong(place, str(error)) from error
        return tuple(texts)

    def node(self, key: str) -> Node:
        """An object; an empty one if there is none. Raises Wrong if it is not an object."""
        return Node(self._take(key, {}), (*self._path, key))

    def items(self, key: str) -> list[tuple[Any, Path]]:
        """The items of a list, each with its path; none if there is no list. Raises Wrong if it is not a list."""
        found = self._take(key, [])
        if not isinstance(found, list):
            raise self.wrong(key, mark("a list"))
        return [(item, (*self._path, key, number)) for number, item in enumerate(found)]

    def members(self) -> Iterable[tuple[str, Any, Path]]:
        """All keys with their values and paths."""
        # Whoever reads all keys leaves none for `extra`.
        self._known.update(self._value)
        return [(key, value, (*self._path, key)) for key, value in self._value.items()]

    @property
    def extra(self) -> Extra:
        """The keys that were not asked for, in alphabetical order, each with the JSON text of its value."""
        # Sorted, so that equal files have equal values whatever order their keys are in.
        rest = sorted(self._value.keys() - self._known)
        return tuple((key, json.dumps(self._value[key], ensure_ascii=False)) for key in rest)


def named(path: Path) -> str:
    """Write a path as programmers do: sets[2].lines[0].document."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or tr("the file")
