"""Arranges the columns of the lines, and remembers them for each index. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.backends.metadata import texts_first
from explorer.corpus import Corpus
from explorer.gui.presenting.presenter import Presenter
from explorer.gui.screens.search.lines.column_layout import ColumnLayout, read_layout

_MOST_REMEMBERED = 20


@dataclass(frozen=True, eq=False)
class ColumnsState:
    """The columns.

    without_room: Columns that are wanted, but for which the window is too narrow.
    remembered: The columns of other indexes by their folders, as a session stores them; the last one used last.
    """

    corpus: Corpus | None = None
    layout: ColumnLayout = field(default_factory=ColumnLayout)
    without_room: tuple[str, ...] = ()
    remembered: Mapping[str, Any] = field(default_factory=dict)

    @property
    def index(self) -> str:
        """The open index for `remembered`; "" if none is open."""
        return "" if self.corpus is None else "\n".join(map(str, self.corpus.folders))

    @property
    def fields(self) -> tuple[str, ...]:
        """The metadata fields of the index, those of the texts first."""
        return () if self.corpus is None else texts_first(self.corpus.metadata_fields)

    @property
    def current(self) -> dict[str, Any] | None:
        """The columns of the open index, as JSON values, wherever its folder is; None if none is open."""
        return None if self.corpus is None else self.layout.as_json()

    @property
    def session(self) -> dict[str, Any]:
        """The columns of all indexes, as JSON values."""
        # Taken out and put in at the end: those that were used longest ago are forgotten first.
        found = {index: layout for index, layout in self.remembered.items() if index != self.index}
        if self.corpus is not None and self.layout != ColumnLayout():
            found[self.index] = self.layout.as_json()
        return dict(list(found.items())[-_MOST_REMEMBERED:])


class ColumnsPresenter(Presenter[ColumnsState]):
    """The columns.

    fields_changed: Called with the metadata fields that are columns now.
    """

    def __init__(self, fields_changed: Callable[[tuple[str, ...]], None]) -> None:
        super().__init__(ColumnsState())
        self._fields_changed = fields_changed

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Arrange the columns as they were when this index was open before."""
        # Before the new index takes its place: its columns are those of the old one until `_recall`.
        self.change(corpus=corpus, remembered=self.state.session)
        self._recall()

    def restore(self, found: Any, current: Any) -> None:
        """Take the columns of a session; what is not valid is left out.

        found: The columns of all indexes, by their folders.
        current: Those of the index that was open. It is open again, perhaps from another folder.
        """
        if isinstance(found, dict):
            # The session is read after the index was opened, whose columns may be among these.
            self.change(remembered=dict(self.state.remembered) | found)
            self._recall()
        layout = read_layout(current)
        if layout is not None:
            self._arrange(layout.within(self.state.fields))

    def show(self, key: str, shown: bool) -> None:
        """Show a column, or hide it."""
        self._arrange(self.state.layout.showing(key, shown))

    def move(self, key: str, to: int) -> None:
        """Put a column at another place.

        to: Its place among all columns, from 0.
        """
        self._arrange(self.state.layout.moved(key, to))

    def step(self, key: str, by: int) -> None:
        """Move a column past its neighbor.

        by: 1: to the right; -1: to the left.
        """
        self._arrange(self.state.layout.stepped(key, by))

    def leave_out(self, keys: tuple[str, ...]) -> None:
        """Note the columns for which the window is too narrow, so that the form of the columns can explain it."""
        if keys != self.state.without_room:
            self.change(without_room=keys)

    def resize(self, widths: Mapping[str, float]) -> None:
        """Give columns these widths, in sizes of the text."""
        self._arrange(self.state.layout.resized(widths))

    def fit(self, key: str) -> None:
        """Let the width of a column follow from its content again."""
        self._arrange(self.state.layout.fitted(key))

    def reset(self) -> None:
        """Show the usual columns in their usual order and widths."""
        self._arrange(ColumnLayout())

    def _recall(self) -> None:
        known = read_layout(self.state.remembered.get(self.state.index)) or ColumnLayout()
        self._arrange(known.within(self.state.fields))

    def _arrange(self, layout: ColumnLayout) -> None:
        before = self.state.layout
        if layout != before:
            self.change(layout=layout)
            # Widths and order concern the table alone; a field has to be read with the lines.
            if layout.fields != before.fields:
                self._fields_changed(layout.fields)
