"""What a result knows of the corpus that gave it, and how a value of the rooms below becomes a result."""

from __future__ import annotations

import pickle
from typing import Any, TypeVar, cast

from explorer.backends.made_of import made_of, note_made_of
from explorer.backends.protocol.protocol import Backend
from explorer.errors import CorpusError
from explorer.export.provenance import Facts, index_facts
from explorer.i18n import mark

R = TypeVar("R", bound="Result")


class Origin:
    """The index that gave a result, and what it was asked.

    Parameters
    ----------
    index
        The index.
    asked
        Names and values, in the order in which they are written beside a table.

    Notes
    -----
    In another process, the index is opened only when a result needs it.
    """

    def __init__(self, index: Backend, asked: Facts = ()) -> None:
        self.asked = asked
        self._index: Backend | None = index
        self._packed = b""

    @property
    def index(self) -> Backend:
        """The index, opened again in another process."""
        if self._index is None:
            index, made = pickle.loads(self._packed)
            note_made_of(index, made)
            self._index = index
        return cast(Backend, self._index)

    @property
    def facts(self) -> Facts:
        """What is written about a table."""
        return (*index_facts(self.index), *self.asked)

    def __getstate__(self) -> dict[str, Any]:
        # As bytes: a plain pickle would open the index at once, also for a result of which only the counts are read.
        packed = self._packed if self._index is None else pickle.dumps((self._index, made_of(self._index)))
        return {"asked": self.asked, "_index": None, "_packed": packed}


class Result:
    """The base of results: values of the rooms below that also know their corpus."""

    _origin: Origin | None = None

    def _known(self) -> Origin:
        """The corpus; raises CorpusError for a result that was not made by one."""
        if self._origin is None:
            raise CorpusError(
                mark("This result was not made by a corpus, so it has no texts."), reason="result-without-corpus"
            )
        return self._origin

    @property
    def provenance(self) -> Facts:
        """What the rows were computed from, by name; see `Tabular.provenance`."""
        return () if self._origin is None else self._origin.facts


def asked_of(result: object) -> Facts:
    """The settings by which a result was computed, by name; empty for a value that no corpus returned."""
    origin = getattr(result, "_origin", None)
    return origin.asked if isinstance(origin, Origin) else ()


def as_result(kind: type[R], found: object, origin: Origin | None) -> R:
    """Make a result of a value.

    Parameters
    ----------
    kind
        The class of the result, a subclass of the value's class without fields of its own.
    found
        The value, a dataclass.
    origin
        Where it comes from.

    Returns
    -------
    R
        The same value, as a result.
    """
    made = object.__new__(kind)
    # Nothing is copied or checked again: the value is finished, and its arrays are read-only.
    vars(made).update(vars(found), _origin=origin)
    return made
