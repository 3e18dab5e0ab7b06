"""Indexes beside the open one, which a screen compares with it: opened, or kept although they are missing. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from explorer.core.jobs import CancelToken
from explorer.corpus import Corpus, open_index
from explorer.errors import Cancelled, CorpusError, QueryError
from explorer.gui.presenting.hints import told
from explorer.i18n import mark, tr

MOST = 100
"""Indexes that are read from a session, which anybody may have written."""
Remedy = Literal["locate", "again", "use_anyway", "leave_out"]
REMEDIES: dict[Remedy, str] = {
    "locate": mark("Locate …"),
    "again": mark("Try again"),
    "use_anyway": mark("Use it anyway"),
    "leave_out": mark("Leave it out"),
}
"""What can be done about an index, and the text of its button."""


@dataclass(frozen=True, eq=False)
class Beside:
    """An index beside the open one.

    path: Its folder or address, absolute.
    fingerprint: Of its contents when it was opened last, by which it is recognized; "" if that is not known.
    kept: Whether it comes from a session: it stays, and is saved again, also while it does not open.
    corpus: The index; None until it is open.
    changed: Whether it has other contents than when it was kept, and the user has not accepted that.
    error: Why it does not open.
    """

    path: str
    fingerprint: str = ""
    kept: bool = False
    corpus: Corpus | None = None
    changed: bool = False
    error: CorpusError | None = None

    @property
    def waits(self) -> bool:
        """Whether it is still to be opened."""
        return self.corpus is None and self.error is None

    @property
    def said(self) -> str:
        """What is wrong with it; "" for nothing."""
        if self.error is not None:
            return tr("An index is not compared. {why}", why=told(self.error))
        if self.corpus is None:
            return tr("An index is not compared: {path} was not opened.", path=self.path)
        if self.changed:
            return tr("{path} has other contents than when it was saved.", path=self.path)
        return ""

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What can be done about it; nothing if nothing is wrong."""
        if not self.said:
            return ()
        return ("locate", "use_anyway" if self.changed else "again", "leave_out")

    @property
    def session(self) -> dict[str, Any]:
        """Where it is, and by what it is recognized, as JSON values."""
        return {"path": self.path, "fingerprint": self.fingerprint}

    def to_open(self) -> Beside:
        """Give the same index, to be opened once more."""
        return replace(self, corpus=None, changed=False, error=None)

    def at(self, path: str) -> Beside:
        """Give the same index in another place; what is there is compared with its fingerprint."""
        return replace(self.to_open(), path=path)


def read_beside(found: Any, known: Iterable[Beside] = ()) -> tuple[Beside, ...] | None:
    """Read the indexes of a session.

    found: A list of what `Beside.session` gave, perhaps edited.
    known: Indexes that are open: the same ones are not opened again.
    Returns: The indexes, to be opened; None without a list. What is not valid in it is left out.
    """
    if not isinstance(found, list):
        return None
    opened = {(each.path, each.fingerprint): each for each in known if each.corpus is not None}
    read: list[Beside] = []
    for row in found[:MOST]:
        path, fingerprint = (row.get("path"), row.get("fingerprint")) if isinstance(row, dict) else ("", "")
        if isinstance(path, str) and path and isinstance(fingerprint, str):
            read.append(opened.get((path, fingerprint)) or Beside(path, fingerprint, kept=True))
    return tuple(read)


def open_waiting(entries: Sequence[Beside], corpus: Corpus | None, cancel: CancelToken) -> tuple[Beside, ...]:
    """Open the indexes that wait. Runs off the interface thread.

    corpus: The open index, which is not opened once more; None if it may be.
    Returns: The same indexes, open or with the reason why not.
    """
    taken = {place for each in (corpus, *(each.corpus for each in entries)) if each is not None for place in _at(each)}
    done: list[Beside] = []
    for each in entries:
        done.append(_opened(each, taken, cancel) if each.waits else each)
        if each.waits and (found := done[-1].corpus) is not None:
            taken |= _at(found)
    return tuple(done)


def _opened(entry: Beside, taken: set[str], cancel: CancelToken) -> Beside:
    cancel.check()
    try:
        corpus = open_index(entry.path, cancel=cancel)
        # Links to one folder are the same index.
        if not taken.isdisjoint(_at(corpus)):
            raise QueryError(mark("{path} is already in the comparison."), reason="compared-twice", path=entry.path)
        # Read here and not by whoever saves a session: it takes several reads of each file.
        fingerprint, place = corpus.index.fingerprint, corpus.index.sources[0]
    except Cancelled:
        raise
    except CorpusError as error:
        return replace(entry, error=error)
    changed = bool(entry.fingerprint) and entry.fingerprint != fingerprint
    return replace(entry, path=place, fingerprint=fingerprint, kept=True, corpus=corpus, changed=changed)


def _at(corpus: Corpus) -> set[str]:
    """Where an index is, without links."""
    folders = corpus.folders
    return {str(folder.resolve()) for folder in folders} or {str(Path(source)) for source in corpus.index.sources}
