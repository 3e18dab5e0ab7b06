"""Saves sets of lines, and opens, renames and removes them. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.errors import CorpusError
from explorer.gui.presenting.presenter import Presenter
from explorer.gui.screens.search.marks.line_edits import LineEdits
from explorer.gui.screens.search.marks.presenter import MarksPresenter, Placed, Shelf, Store
from explorer.gui.screens.search.marks.sets_state import SetsState
from explorer.gui.screens.search.work import LinesAnswer
from explorer.i18n import mark, tr, trn
from explorer.project import Index, KeptLine, KeptLines, LineSet, Project, Query
from explorer.project.tables import ChangedIndexError


class SetsPresenter(Presenter[SetsState]):
    """Keeps sets of lines.

    marks: What was done with the lines, and which set is shown.
    edits: Looks up the places of lines.
    open_query: Asks the query of a saved set.
    say, failed: Shows a message, or why something failed.
    """

    def __init__(
        self,
        marks: MarksPresenter,
        edits: LineEdits,
        open_query: Callable[[Query], None],
        say: Callable[[str], None],
        failed: Callable[[CorpusError], None],
    ) -> None:
        super().__init__(SetsState())
        self._marks, self._edits = marks, edits
        self._open_query, self._say, self._failed = open_query, say, failed
        self._store: Store | None = None
        # The set that a session has open, until the project is known that has it.
        self._awaited = ""

    def use_store(self, store: Store) -> None:
        """Keep sets there."""
        self._store = store

    def use_project(self, project: Project, index: Index | None) -> None:
        """Offer the sets of a project.

        index: The open index as the project names it; None until its fingerprint is known.
        """
        shelf = Shelf(project, index)
        self.change(
            kept=tuple((kept, shelf.fits(kept)) for kept in project.sets),
            index_names={index.id: index.name for index in project.indexes},
        )
        if (kept := self._take_awaited()) is not None:
            self._marks.show_set_late(kept)

    def save(self, name: str) -> None:
        """Save the marked lines as a set; without any, all lines."""
        state, name = self._marks.state, name.strip()
        answer = state.answer
        if answer is None or not name:
            return
        # Marks that filters leave out are not saved: the button promises the marked lines that are listed.
        marked = [line for line in state.lines.marked if line.place not in state.unlisted]
        if marked:
            self._save(name, answer, tuple(marked))
        else:
            # Their places are not known yet, unlike those of marked lines. `look_up` limits their number.
            self._edits.look_up(range(len(answer.lines)), lambda placed: self._save_all(name, answer, placed))

    def _save_all(self, name: str, answer: LinesAnswer, placed: Placed) -> None:
        # Read now: what was asked before this may have changed their notes.
        known = self._marks.state.lines
        self._save(name, answer, tuple(known.at(place) for place, _ in placed))

    def _save(self, name: str, answer: LinesAnswer, lines: tuple[KeptLine, ...]) -> None:
        request = answer.request
        # The query with its filters and its order, as a note of how the lines were chosen.
        query = Query.of(request.found.query, request.options, request.view)

        def change(project: Project, index: Index) -> Project:
            kept = LineSet(name, index.id, query, "", index.fingerprint, KeptLines(lines))
            return project.with_set(kept)

        if self._store is not None and self._store.edit(change):
            self._say(trn("Saved {n:,} line as “{name}”.", "Saved {n:,} lines as “{name}”.", len(lines), name=name))
        else:
            self._say(self._marks.state.why_not)

    def open(self, name: str) -> None:
        """Show exactly the lines of a saved set."""
        found = self.state.named(name)
        if found is None:
            return
        kept, fits = found
        if not fits:
            sentence = mark("The set “{name}” was saved from other contents than the open index has.")
            self._failed(ChangedIndexError(sentence, reason="index-changed", name=name))
            return
        self._awaited = ""
        self._marks.show_set(kept)
        self._open_query(kept.query)

    def restore(self, name: str) -> None:
        """Show a saved set, whose query is asked next: now, or once the project is known that has it.

        name: Its name; "" for none.
        """
        self._marks.leave_set()
        self._awaited = name
        if (kept := self._take_awaited()) is not None:
            self._marks.show_set(kept, self._marks.state.steps.now.filters)

    def _take_awaited(self) -> LineSet | None:
        kept, fits = self.state.named(self._awaited) or (None, False)
        if not self._awaited or not fits:
            return None
        self._awaited = ""
        return kept

    def close(self) -> None:
        """Show all lines of the query again."""
        self._marks.close_set()

    def rename(self, name: str, new: str) -> None:
        """Give a set another name.

        new: The new one, which is stripped. If another set has it, nothing changes, and a message tells why.
        """
        new = new.strip()
        if self._store is None or not new or new == name:
            return
        if self.state.named(new) is not None:
            self._say(tr("There is a set “{name}” already.", name=new))
            return
        opened = self._marks.state.opened
        # First: a set that the project does not have is closed.
        if opened is not None and opened.name == name:
            self._marks.change(opened=replace(opened, name=new))
        self._store.rename_set(name, new)

    def remove(self, name: str) -> None:
        """Remove a set; if it is shown, all lines of its query are shown."""
        opened = self._marks.state.opened
        if opened is not None and opened.name == name:
            self.close()
        if self._store is not None:
            self._store.remove_set(name)
