"""What the user did with the lines: marks, notes, deletions, saved sets, and how to undo it. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.analyses.search.arrange import Filter
from explorer.backends.places import HitPlace
from explorer.gui.screens.search.work import Handled, LinesAnswer
from explorer.i18n import counted, tr, trn
from explorer.project import KeptLines, LineSet, Query
from explorer.project.undo import Steps

MOST_LINES = 20_000
"""Lines that can be marked, annotated, deleted or saved at once."""


@dataclass(frozen=True)
class Handling:
    """What can be undone: the conditions on the lines, and what was done with the lines."""

    filters: tuple[Filter, ...] = ()
    lines: KeptLines = field(default_factory=KeptLines)


@dataclass(frozen=True, eq=False)
class Subject:
    """What lines are listed for when something is asked of them.

    set_name: The saved set that is shown; "" for the lines of the query.
    """

    query: Query | None
    set_name: str
    answer: LinesAnswer | None


@dataclass(frozen=True, eq=False)
class MarksState:
    """Marks, notes and deletions of the lines of one query, or of one saved set.

    query: The query whose lines are listed; None without lines.
    steps: What was done, and what can be undone and redone.
    opened: The saved set that is shown; None for the lines of the query.
    numbers: The numbers of the hits at places that were touched, as far as they are known.
    unlisted: Marked or annotated lines that filters or a sample leave out.
    answer: The lines as they are listed now; None before any are.
    why_not: Why nothing can be kept; "" if it can.
    merged: Whether lines are merged, so that one line is several.
    stay: The line that is to be chosen when the lines are listed again; -1 for none.
    """

    query: Query | None = None
    steps: Steps[Handling] = field(default_factory=lambda: Steps(Handling()))
    opened: LineSet | None = None
    numbers: Mapping[HitPlace, int] = field(default_factory=dict)
    unlisted: frozenset[HitPlace] = frozenset()
    answer: LinesAnswer | None = None
    why_not: str = ""
    merged: bool = False
    stay: int = -1

    @property
    def lines(self) -> KeptLines:
        """The lines that were touched; of a saved set, all of them."""
        return self.steps.now.lines

    @property
    def subject(self) -> Subject:
        """What the lines are listed for."""
        return Subject(self.query, "" if self.opened is None else self.opened.name, self.answer)

    @property
    def handled(self) -> Handled:
        """What listing the lines depends on."""
        lines = self.lines
        opened = self.opened
        # With the deleted lines, which are left out afterwards: an undo lists them without arranging again.
        kept = None if opened is None else tuple(line.place for line in lines)
        name = "" if opened is None else opened.name
        # Deleted lines are looked up by themselves; they are not reported as left out by a filter.
        touched = tuple(line.place for line in lines if (line.marked or line.note) and not line.deleted)
        return Handled(kept, name, tuple(line.place for line in lines.deleted), touched, self.numbers)

    @property
    def marked(self) -> int:
        """Marked lines that are listed."""
        # `unlisted` comes with the lines: a mark that was set since then is on a listed line.
        return sum(line.place not in self.unlisted for line in self.lines.marked)

    @property
    def notes(self) -> int:
        """Lines with a note that are listed."""
        return sum(line.place not in self.unlisted for line in self.lines.noted)

    @property
    def facts(self) -> tuple[str, str]:
        """Marked lines in words, and notes; "" for none."""
        marked, notes = self.marked, self.notes
        words = trn("{n:,} marked", "{n:,} marked", marked) if marked else ""
        more = counted("note", notes) if notes else ""
        hidden = len(self.unlisted)
        if hidden:
            more = " · ".join(filter(None, (more, trn("{n:,} not listed", "{n:,} not listed", hidden))))
        return words, more

    @property
    def why_not_delete(self) -> str:
        """Why lines cannot be deleted; "" if they can."""
        return self.why_not or (tr("Turn off merging to delete lines.") if self.merged else "")

    @property
    def delete_label(self) -> str:
        """The action that deletes lines: from the saved set that is shown, or from the list."""
        return tr("Delete from list") if self.opened is None else tr("Delete from set")

    @property
    def save_label(self) -> str:
        """The button that saves a set: the marked lines, or all of them."""
        return tr("Save marked as set …") if self.marked else tr("Save as set …")

    @property
    def can_undo(self) -> bool:
        """Whether anything can be undone."""
        return bool(self.steps.before)

    @property
    def can_redo(self) -> bool:
        """Whether anything that was undone can be done again."""
        return bool(self.steps.after)

    def note_on(self, place: HitPlace) -> str:
        """The note on a line; "" for none."""
        return self.lines.at(place).note

    def signs(self, place: HitPlace) -> tuple[str, ...]:
        """The icons of a line: a flag for a mark, a pencil for a note."""
        line = self.lines.at(place)
        return (*(["flag"] if line.marked else []), *(["pencil"] if line.note else []))
