"""Errors that a user can cause or fix, as data: what is wrong, where, and the sentence about it.

An error does not know who shows it. Its sentence reports facts; what to do with the means of one surface (an option of
the command line, a button of the window) is a hint that this surface adds: see `explorer.core.hints`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Self, TypeVar

from explorer.i18n import tr

E = TypeVar("E", bound="CorpusError")


class CorpusError(Exception):
    """Base class of all expected errors with files, input or settings.

    The command line prints it as one line and exits with 2; the window shows it as a notice.

    The sentence is a format in English, marked for translation, and the fields are its values. It is
    translated and filled in whenever the error is shown, so an error from another process is shown in the language of
    this one. A sentence without fields is not a format: it is shown as it is, braces included.

    Parameters
    ----------
    sentence
        What is wrong, and where.
    reason
        A stable name for programs, such as "offset-out-of-order".
    option
        The parameter that would let the work continue, such as "skip_bad", "text_field" or "resume"; "" for none.
    fields
        Values, in the sentence or beside it. They are kept as text, numbers or tuples of these, and survive pickling.
        Names with a meaning of their own: `path` (the file or folder), `byte` (an offset in it), `line` (from 1),
        `document` (its number in the file, from 0), `item` (the number of a query or row among those given, from 0).
    """

    def __init__(self, sentence: str = "", /, *, reason: str = "", option: str = "", **fields: object) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.option = option
        self.outcome = ""
        # What is wrong and, from `followed_by`, what came of it.
        self._sentences: tuple[str, ...] = (sentence,)
        self._fields = {name: _plain(value) for name, value in fields.items()}

    @property
    def fields(self) -> Mapping[str, Any]:
        """All values by name, read-only."""
        # Read-only: surfaces read the fields of one error several times.
        return MappingProxyType(self._fields)

    @property
    def path(self) -> str:
        """The file or folder that is to blame; "" if none is known."""
        return str(self._fields.get("path", ""))

    @property
    def byte(self) -> int | None:
        """The offset in the file."""
        return self._fields.get("byte")

    @property
    def line(self) -> int | None:
        """The line, row or record, counted from 1."""
        return self._fields.get("line")

    @property
    def document(self) -> int | None:
        """The document's number in the file or index that the sentence names, counted from 0."""
        return self._fields.get("document")

    @property
    def item(self) -> int | None:
        """The number of the query, text or row among those that were given, counted from 0."""
        return self._fields.get("item")

    def followed_by(self, sentence: str, outcome: str, **fields: object) -> Self:
        """Give the same error with what came of it.

        Parameters
        ----------
        sentence
            A further sentence, marked for translation; it may use all fields.
        outcome
            A name that hints may refer to.
        fields
            Further values, as for the error itself.

        Returns
        -------
        Self
            A new error; this one stays as it is.
        """
        made = self.with_fields(**fields)
        made.outcome = outcome
        # A sentence without fields was not a format; beside one with fields it is filled in, so its braces are escaped.
        is_literal = bool(made._fields) and not self._fields
        before = tuple(map(_escaped, self._sentences)) if is_literal else self._sentences
        made._sentences = (*before, sentence)
        return made

    def with_fields(self, **fields: object) -> Self:
        """Give the same error with other values of some fields, or further ones."""
        made = _restored(type(self), self.args, self.__dict__)
        made._fields = {**self._fields, **{name: _plain(value) for name, value in fields.items()}}
        return made

    def __str__(self) -> str:
        return " ".join(tr(sentence, **self._fields) for sentence in self._sentences if sentence)

    def __repr__(self) -> str:
        # The exception's own form shows its arguments, which are the sentence with its fields unfilled.
        return f"{type(self).__name__}({str(self)!r}, reason={self.reason!r})"

    def __reduce__(self) -> tuple[Callable[..., CorpusError], tuple[Any, ...]]:
        # The constructors of subclasses differ.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[E], args: tuple[Any, ...], state: Mapping[str, Any]) -> E:
    # Without __init__, whose parameters differ; `state` has everything that it would set.
    made = kind.__new__(kind, *args)
    made.__dict__.update(state)
    return made


def _escaped(sentence: str) -> str:
    """A sentence as a format that gives it unchanged."""
    return sentence.replace("{", "{{").replace("}", "}}")


def _plain(value: object) -> Any:
    """A value that can be pickled and compared: paths and errors become text, numpy's numbers Python's."""
    if value is None or isinstance(value, str | int | float):
        return str(value) if isinstance(value, str) else value
    # Whatever a field holds goes to another process and into JSON.
    if isinstance(value, tuple | list):
        return tuple(map(_plain, value))
    # A number of numpy, or an array of one element; larger arrays become their text.
    number = getattr(value, "item", None)
    return _plain(number()) if callable(number) and getattr(value, "size", 0) == 1 else str(value)


class NotAnIndexError(CorpusError):
    """A folder does not hold an infini-gram index."""


class IndexNotFoundError(NotAnIndexError, FileNotFoundError):
    """There is no folder where an index should be."""


class DamagedIndexError(CorpusError):
    """An index is there, but its files are missing, cut short or disagree with each other."""


class TokenizerError(CorpusError):
    """A tokenizer is missing, unreadable, or does not fit the index."""


class QueryError(CorpusError, ValueError):
    """A query cannot be answered as it was asked."""


class UnavailableError(CorpusError):
    """A part of an index on other machines does not answer now; it may do so later.

    Its sentence names machines and parts of the index, and no files of this machine: a server may pass it on.
    """


class CapabilityError(CorpusError):
    """An index cannot answer a question that others can.

    Parameters
    ----------
    message
        What is missing, in one sentence.
    capability
        What the index cannot do, such as "sorting".
    option
        As for `CorpusError`.
    """

    def __init__(self, message: str = "", *, capability: str = "", option: str = "") -> None:
        super().__init__("{why_not}", reason="no-capability", option=option, why_not=message, capability=capability)
        self.capability = capability


class SourceError(CorpusError):
    """A source of a build, or an input of texts, cannot be read."""


class BuildError(CorpusError):
    """An index cannot be written."""


class Cancelled(CorpusError):  # noqa: N818 - not a fault
    """The work was cancelled on request; nothing was changed."""

    def __init__(self, sentence: str = "Cancelled.") -> None:
        super().__init__(sentence, reason="cancelled")
