"""What was done with the lines of each query and set: steps, their undo, and what the project keeps of them. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from explorer.analyses.search.arrange import Filter
from explorer.backends.places import HitPlace
from explorer.corpus import Corpus
from explorer.gui.presenting.presenter import Presenter
from explorer.gui.screens.search.marks.state import Handling, MarksState, Subject
from explorer.gui.screens.search.work import Handled, LinesAnswer
from explorer.i18n import tr
from explorer.project import Index, KeptLines, LineSet, Project, Query
from explorer.project.undo import Steps

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
        """Give a set another name."""


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
    """Keeps what is done with lines; what is done with them is asked for in `line_edits` and `sets_presenter`.

    relist: Lists the lines again, without those that are deleted.
    set_filters: Sets the conditions on the lines.
    """

    def __init__(
        self,
        relist: Callable[[Handled], None],
        set_filters: Callable[[tuple[Filter, ...]], None],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(MarksState(why_not=tr("Open an index first.")))
        self._relist, self._set_filters, self._say = relist, set_filters, say
        self._store: Store | None = None
        self._shelf = Shelf(Project(), None)
        # What can be undone, by query; the newest last.
        self._steps: dict[Query, tuple[Steps[Handling], dict[HitPlace, int]]] = {}

    def use_store(self, store: Store) -> None:
        """Keep sets and marks there."""
        self._store = store

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Take another index: without lines, and without steps of the old one."""
        self._steps.clear()
        self.change(answer=None, query=None, opened=None, steps=Steps(Handling()), numbers={}, unlisted=frozenset())

    def use_project(self, project: Project, index: Index | None) -> None:
        """Take what the project keeps.

        index: The open index as the project names it; None until its fingerprint is known.
        """
        self._shelf = Shelf(project, index)
        why_not = ""
        if index is None:
            why_not = tr("The index is not read yet.")
        elif project.read_only:
            why_not = tr("This project is read-only, because a newer version wrote it.")
        self.change(why_not=why_not)
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
            self._take_steps(query, self.state.answer)

    def found(self, query: Query) -> None:
        """The hits of a query are known, and its lines are asked for next.

        query: The query without filters and order.
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
        # Conditions stay when another query is asked, and can be undone there, too.
        if steps is None:
            steps = Steps(Handling(filters, lines), _filters_before(self.state.steps, lines))
        else:
            steps = steps.to(replace(steps.now, filters=filters))
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
        self.change(answer=answer, unlisted=answer.unlisted, merged=bool(answer.request.view.collapse))

    def cleared(self) -> None:
        """There is no query any more."""
        self._keep_steps()
        self.change(answer=None, query=None, opened=None, unlisted=frozenset(), stay=-1)

    def filters_changed(self, filters: tuple[Filter, ...]) -> None:
        """Other conditions were set, which can be undone."""
        if filters != self.state.steps.now.filters:
            self.change(steps=self.state.steps.to(replace(self.state.steps.now, filters=filters)))

    def do(self, subject: Subject, placed: Placed, change: Change, stay: int = -1) -> None:
        """Change lines, as one step.

        subject: What the lines were listed for when this was asked.
        change: Makes the new lines from those so far and the places.
        stay: The line to choose once these are deleted; -1 for none.
        """
        state = self.state
        places = [place for place, _ in placed]
        if (subject.query, subject.set_name) != (state.subject.query, state.subject.set_name):
            self._do_elsewhere(subject, places, change)
            return
        # In another order, the number is that of another line.
        if stay >= 0 and subject.answer is not None and subject.answer is state.answer:
            # The lines after the deleted ones move up; after the last line, the new last one is chosen.
            self.change(stay=min(stay, len(subject.answer.lines) - len(placed) - 1))
        # The numbers are hints for the next list: with its number, a hit is found again without a search.
        self.change(numbers={**state.numbers, **dict(placed)})
        self._go(state.steps.to(replace(state.steps.now, lines=change(state.lines, places))))

    def _do_elsewhere(self, subject: Subject, places: Sequence[HitPlace], change: Change) -> None:
        """Change lines of a query or a set that is not shown any more."""
        query, name = subject.query, subject.set_name
        if self._store is None or query is None:
            return

        def edit(project: Project, index: Index) -> Project:
            if not name:
                lines = Shelf(project, index).lines_of(query)
                return project.with_lines(index.id, query, change(lines, places))
            kept = project.line_set(name)
            return project if kept is None else project.with_set(replace(kept, lines=change(kept.lines, places)))

        self._store.edit(edit)
        if not name and query in self._steps:
            steps, numbers = self._steps[query]
            lines = change(steps.now.lines, places)
            self._steps[query] = (steps.to(replace(steps.now, lines=lines)), numbers)

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

    def show_set(self, kept: LineSet, filters: tuple[Filter, ...] = ()) -> None:
        """Take the lines of a saved set, whose query is asked next.

        filters: Conditions that hold already.
        """
        # The steps of the query are kept apart: a set begins with a history of its own.
        self._keep_steps()
        now = Handling(filters, kept.lines)
        self.change(opened=kept, query=kept.query.hits, steps=Steps(now), numbers={}, unlisted=frozenset(), stay=-1)

    def leave_set(self) -> None:
        """Show no set any more; another query is asked next."""
        if self.state.opened is not None:
            # Without a query, the steps of the set are not kept as those of the query.
            self.change(opened=None, query=None)

    def show_set_late(self, kept: LineSet) -> None:
        """Show a set that a session had open, with the conditions that hold; not if another query was asked since."""
        listed = self.state.query
        if listed not in (None, kept.query.hits) or self.state.opened is not None:
            return
        self.show_set(kept, self.state.steps.now.filters)
        # Lines that were listed before the set was known are arranged again: those of the set are others.
        if listed is not None:
            self._set_filters(self.state.steps.now.filters)

    def close_set(self) -> None:
        """Show all lines of the query again."""
        query = self.state.query
        if query is not None and self.state.opened is not None:
            self.leave_set()
            self._take_steps(query, None)
            self._set_filters(self.state.steps.now.filters)


def _filters_before(steps: Steps[Handling], lines: KeptLines) -> tuple[Handling, ...]:
    """The conditions before those of now, as steps of a query with these lines."""
    # Steps that changed lines are those of another query.
    pairs = pairwise((*steps.before, steps.now))
    return tuple(Handling(step.filters, lines) for step, after in pairs if step.filters != after.filters)
