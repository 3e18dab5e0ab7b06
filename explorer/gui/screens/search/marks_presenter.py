"""Marks, annotates and deletes lines, undoes it, and saves and opens sets of lines. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from explorer.api import Corpus
from explorer.backends.places import HitPlace
from explorer.errors import CorpusError
from explorer.gui.presenter import Presenter, Services
from explorer.gui.screens.search.marks_state import MOST_LINES, Handling, MarksState
from explorer.gui.screens.search.work import Handled, LinesAnswer, places_of
from explorer.i18n import mark, tr, trn
from explorer.jobs import Kind
from explorer.project import Index, KeptLine, KeptLines, LineSet, Project, Query
from explorer.project.tables import ChangedIndexError
from explorer.project.undo import Steps
from explorer.search.arrange import Filter

_MOST_QUERIES = 50
"""Queries whose steps can be undone; older ones keep their marks, but not their steps."""
Placed = tuple[tuple[HitPlace, int], ...]
"""Lines: the place of each, and the number of its hit."""
Change = Callable[[KeptLines, Sequence[HitPlace]], KeptLines]


class Store(Protocol):
    """The project, as far as Search knows it."""

    def edit(self, change: Callable[[Project, Index], Project]) -> bool:
        """Change what the project keeps about the open index; False if it cannot be changed."""

    def remove_set(self, name: str) -> None:
        """Remove a set."""

    def rename_set(self, name: str, new: str) -> None:
        """Give a set another name.

        Parameters
        ----------
        name
            The name that it has.
        new
            The new one.
        """


@dataclass(frozen=True)
class Shelf:
    """What a project has for the open index. index: as the project names it; None until it is known."""

    project: Project
    index: Index | None

    def fits(self, kept: LineSet) -> bool:
        """Whether a set is from the contents of the open index."""
        return self.index is not None and kept.fingerprint == self.index.fingerprint

    def lines_of(self, query: Query) -> KeptLines:
        """What was done with the lines of a query before."""
        saved = None if self.index is None else self.project.lines_of(self.index.id, query)
        return KeptLines() if saved is None else saved.lines


class MarksPresenter(Presenter[MarksState]):
    """Keeps what the user does with lines.

    Parameters
    ----------
    services
        Slots.
    relist
        Lists the lines again, without those that are deleted.
    set_filters
        Sets the conditions on the lines.
    open_query
        Asks the query of a saved set.
    say, failed
        Shows a message, or why something failed.
    """

    def __init__(
        self,
        services: Services,
        relist: Callable[[Handled], None],
        set_filters: Callable[[tuple[Filter, ...]], None],
        open_query: Callable[[Query], None],
        say: Callable[[str], None],
        failed: Callable[[CorpusError], None],
    ) -> None:
        super().__init__(MarksState(why_not=tr("Open an index first.")))
        self._finder = services.slot("marks", timed=False, kind=Kind.QUICK)
        self._relist, self._set_filters, self._open_query = relist, set_filters, open_query
        self._say, self._failed = say, failed
        self._store: Store | None = None
        self._shelf = Shelf(Project(), None)
        self._answer: LinesAnswer | None = None
        # What can be undone, by query; the newest last.
        self._steps: dict[Query, tuple[Steps[Handling], dict[HitPlace, int]]] = {}
        # Lines whose places are being looked up, and what is to be done with them, in the order in which it was asked.
        self._waiting: list[tuple[tuple[int, ...], Callable[[Placed], None]]] = []

    def use_store(self, store: Store) -> None:
        """Keep sets and marks there."""
        self._store = store

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Take another index: without lines, and without steps of the old one."""
        # Places are those of an index: what was looked up in the old one means other lines in the new one.
        self._finder.cancel()
        self._waiting.clear()
        self._steps.clear()
        self._answer = None
        self.change(query=None, opened=None, steps=Steps(Handling()), numbers={}, unlisted=frozenset())

    def use_project(self, project: Project, index: Index | None) -> None:
        """Take what the project keeps.

        Parameters
        ----------
        project
            The project.
        index
            The open index as the project names it; None until its fingerprint is known.
        """
        self._shelf = Shelf(project, index)
        why_not = ""
        if index is None:
            why_not = tr("The index is not read yet.")
        elif project.read_only:
            why_not = tr("This project is read-only, because a newer version wrote it.")
        sets = tuple((kept, self._shelf.fits(kept)) for kept in project.sets)
        self.change(sets=sets, why_not=why_not)
        self._follow(project)

    def _follow(self, project: Project) -> None:
        """Show the marks of another project, or of an index that is known only now."""
        query, opened = self.state.query, self.state.opened
        if query is None:
            return
        if opened is not None:
            if project.line_set(opened.name) is None:
                self.close_set()
        # What was done here is in the project already.
        elif self._shelf.index is not None and self._shelf.lines_of(query) != self.state.lines.touched:
            # Without a query, the steps so far are not kept: they are of another project.
            self.change(query=None)
            self._steps.clear()
            self._take_steps(query, self._answer)

    def found(self, query: Query) -> None:
        """The hits of a query are known, and its lines are asked for next.

        Parameters
        ----------
        query
            The query without filters and order.
        """
        if self.state.opened is not None and self.state.opened.query.hits != query:
            self.change(opened=None, query=None)
        if query != self.state.query:
            self._take_steps(query, None)

    def _take_steps(self, query: Query, answer: LinesAnswer | None) -> None:
        """Show what was done with the lines of a query."""
        self._keep_steps()
        filters = self.state.steps.now.filters
        opened = self.state.opened
        # Taken out, so that `_keep_steps` puts it in as the newest. Steps of a set are not kept: see `_keep_steps`.
        steps, numbers = self._steps.pop(query, (None, {})) if opened is None else (None, {})
        lines = self._shelf.lines_of(query) if opened is None else opened.lines
        # Conditions stay when another query is asked, so the first state of its steps has them.
        now = Handling(filters, lines)
        steps = Steps(now) if steps is None else replace(steps, now=replace(steps.now, filters=filters))
        self.change(query=query, steps=steps, numbers=numbers, unlisted=frozenset(), stay=-1)
        if answer is not None:
            self._relist(self.state.handled)

    def _keep_steps(self) -> None:
        state = self.state
        if state.query is not None and state.opened is None:
            self._steps[state.query] = (state.steps, dict(state.numbers))
            while len(self._steps) > _MOST_QUERIES:
                del self._steps[next(iter(self._steps))]

    def listed(self, answer: LinesAnswer) -> None:
        """Lines were listed."""
        self._answer = answer
        self.change(unlisted=answer.unlisted, merged=bool(answer.request.view.collapse))

    def cleared(self) -> None:
        """There is no query any more."""
        self._keep_steps()
        self._answer = None
        self.change(query=None, opened=None, unlisted=frozenset(), stay=-1)

    def filters_changed(self, filters: tuple[Filter, ...]) -> None:
        """Other conditions were set, which can be undone."""
        if filters != self.state.steps.now.filters:
            self.change(steps=self.state.steps.to(replace(self.state.steps.now, filters=filters)))

    def toggle_mark(self, lines: Sequence[int]) -> None:
        """Mark lines; if all of them are marked, remove their marks."""

        def done(placed: Placed) -> None:
            # Read when the places are known: what was asked before this may have marked some of them.
            known = self.state.lines
            marked = not all(known.at(place).marked for place, _ in placed)
            self._do(placed, lambda kept, places: kept.with_mark(places, marked))

        self._with_places(lines, done)

    def note(self, lines: Sequence[int], text: str) -> None:
        """Write a note on lines.

        Parameters
        ----------
        lines
            Their numbers, from 0.
        text
            The note, which is stripped; "" removes it.
        """
        self._with_places(
            lines, lambda placed: self._do(placed, lambda kept, places: kept.with_note(places, text.strip()))
        )

    def delete(self, lines: Sequence[int]) -> None:
        """Delete lines from the list. Marks and notes on them come back if it is undone."""
        if self.state.why_not_delete:
            self._say(self.state.why_not_delete)
            return
        first = min(lines, default=-1)

        def done(placed: Placed) -> None:
            # The lines after the deleted ones move up; after the last line, the new last one is chosen.
            total = 0 if self._answer is None else len(self._answer.lines) - len(placed)
            self.change(stay=min(first, total - 1))
            self._do(placed, KeptLines.without)

        self._with_places(lines, done)

    def note_on(self, place: HitPlace) -> str:
        """The note on a line; "" for none."""
        return self.state.lines.at(place).note

    def _with_places(self, lines: Sequence[int], then: Callable[[Placed], None]) -> None:
        """Look up where lines are, then do something with them. What was asked first is done first."""
        answer = self._answer
        if answer is None or not lines:
            self._say(tr("Select lines first."))
        elif self.state.why_not:
            self._say(self.state.why_not)
        elif len(lines) > MOST_LINES:
            self._say(tr("Select at most {most:,} lines.", most=MOST_LINES))
        else:
            self._waiting.append((tuple(lines), then))
            found = answer.lines
            asked = tuple(numbers for numbers, _ in self._waiting)
            # One request for all that waits: a newer one takes the place of the older.
            self._finder.run(
                lambda cancel: tuple(places_of(found, numbers) for numbers in asked), self._take_places, self._fail
            )

    def _take_places(self, found: tuple[Placed, ...]) -> None:
        # Each request includes all that waited before it, so the newest answer is about the first of the list.
        waiting, self._waiting = self._waiting[: len(found)], self._waiting[len(found) :]
        for placed, (_, then) in zip(found, waiting, strict=True):
            then(placed)

    def _fail(self, error: CorpusError) -> None:
        self._waiting.clear()
        self._failed(error)

    def _do(self, placed: Placed, change: Change) -> None:
        """Change lines, as one step."""
        state = self.state
        # The numbers are hints for the next list: with its number, a hit is found again without a search.
        lines = change(state.lines, [place for place, _ in placed])
        self.change(numbers={**state.numbers, **dict(placed)})
        self._go(state.steps.to(replace(state.steps.now, lines=lines)))

    def undo(self) -> None:
        """Undo the last step."""
        if not self.state.can_undo:
            self._say(tr("Nothing to undo."))
        self._go(self.state.steps.undone())

    def redo(self) -> None:
        """Do again what was undone last."""
        if not self.state.can_redo:
            self._say(tr("Nothing to redo."))
        self._go(self.state.steps.redone())

    def _go(self, steps: Steps[Handling]) -> None:
        """Go to another step, and show what differs."""
        before, now = self.state.steps.now, steps.now
        # First, so that setting the filters of a step is not a step of its own.
        self.change(steps=steps)
        if now.lines != before.lines:
            self._keep()
        if now.filters != before.filters:
            self._set_filters(now.filters)
        elif now.lines.deleted != before.lines.deleted:
            self._relist(self.state.handled)

    def _keep(self) -> None:
        """Keep the lines in the project: in the set that is shown, or with the query."""
        state = self.state
        query, opened, lines = state.query, state.opened, state.lines
        if self._store is None or query is None:
            return
        if opened is not None:
            changed = replace(opened, lines=lines)
            self.change(opened=changed)
            self._store.edit(lambda project, index: project.with_set(changed))
        else:
            self._store.edit(lambda project, index: project.with_lines(index.id, query, lines))

    def save_set(self, name: str) -> None:
        """Save the marked lines as a set; without any, all lines.

        Parameters
        ----------
        name
            Its name. A set of this name is replaced.
        """
        answer, name = self._answer, name.strip()
        if answer is None or not name:
            return
        # Marks that filters leave out are not saved: the button promises the marked lines that are listed.
        marked = [line for line in self.state.lines.marked if line.place not in self.state.unlisted]
        if marked:
            self._save(name, answer, tuple(marked))
        else:
            # Their places are not known yet, unlike those of marked lines. `_with_places` limits their number.
            numbers = range(len(answer.lines))
            self._with_places(
                numbers,
                lambda placed: self._save(name, answer, tuple(self.state.lines.at(place) for place, _ in placed)),
            )

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
            self._say(self.state.why_not)

    def open_set(self, name: str) -> None:
        """Show exactly the lines of a saved set."""
        found = next(((kept, fits) for kept, fits in self.state.sets if kept.name == name), None)
        if found is None:
            return
        kept, fits = found
        if not fits:
            sentence = mark("The set “{name}” was saved from other contents than the open index has.")
            self._failed(ChangedIndexError(sentence, reason="index-changed", name=name))
            return
        # The steps of the query are kept apart: a set begins with a history of its own.
        self._keep_steps()
        now = Handling((), kept.lines)
        self.change(opened=kept, query=kept.query.hits, steps=Steps(now), numbers={}, unlisted=frozenset(), stay=-1)
        self._open_query(kept.query)

    def close_set(self) -> None:
        """Show all lines of the query again."""
        query = self.state.query
        if query is not None and self.state.opened is not None:
            self.change(opened=None)
            self._take_steps(query, None)
            self._set_filters(self.state.steps.now.filters)

    def rename_set(self, name: str, new: str) -> None:
        """Give a set another name.

        Parameters
        ----------
        name
            The name that it has.
        new
            The new one, which is stripped. If another set has it, nothing changes, and a message tells why.
        """
        new = new.strip()
        if self._store is None or not new or new == name:
            return
        if any(kept.name == new for kept, _ in self.state.sets):
            self._say(tr("There is a set “{name}” already.", name=new))
            return
        opened = self.state.opened
        # First: a set that the project does not have is closed.
        if opened is not None and opened.name == name:
            self.change(opened=replace(opened, name=new))
        self._store.rename_set(name, new)

    def remove_set(self, name: str) -> None:
        """Remove a set; if it is shown, all lines of its query are shown."""
        opened = self.state.opened
        if opened is not None and opened.name == name:
            self.close_set()
        if self._store is not None:
            self._store.remove_set(name)
