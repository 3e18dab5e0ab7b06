"""What a project keeps, as values: indexes, queries, sets of lines, views and notes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.project.lines import Extra, KeptLine, KeptLines

if TYPE_CHECKING:
    from explorer.analyses.search.arrange import Filter, LineSettings, SortLevel
    from explorer.analyses.search.find import Match, QueryOptions
    from explorer.text.patterns.equates import Equate

__all__ = ["Index", "KeptLine", "KeptLines", "LineSet", "Origin", "Project", "Query", "SavedQuery"]

SUFFIX = ".cxproj"
"""The ending of project files."""
VERSION = 1
"""The newest format of project files that this version writes."""


@dataclass(frozen=True)
class Index:
    """An index as a project names it.

    id: By which queries and sets name it; unique in the project.
    paths: Its folders or addresses. Relative ones are relative to the project file, with / between their parts.
    minus: Indexes whose documents are subtracted, as `paths`.
    tokenizer: A tokenizer.json, as `paths`, "bytes", or None for the index's own.
    check_fit: Whether a tokenizer that does not fit is refused.
    fingerprint: Of its contents, see `Backend.fingerprint`; "" if it was never opened.
    documents, tokens: Its sizes when it was saved, -1 if they are not known.
    extra: Keys that this version does not know.
    """

    id: str
    name: str = ""
    paths: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    tokenizer: str | None = None
    check_fit: bool = True
    fingerprint: str = ""
    documents: int = -1
    tokens: int = -1
    extra: Extra = ()


@dataclass(frozen=True)
class Query:
    """A query with everything that decides about its lines.

    distance: The most tokens between what AND joins.
    node: The clause whose occurrences are hits, from 0; None for the rarest.
    literal: Whether the text is one phrase, whatever words it contains.
    filters: Conditions on the lines; those on words nearby are stored without what the index found for them.
    sort: The order, as `parse_sort` takes it.
    extra: Keys that this version does not know.
    """

    text: str
    match: Match = "text"
    ignore_case: bool = False
    whole_words: bool = False
    variants: tuple[str, ...] = ()
    distance: int = 100
    node: int | None = 0
    literal: bool = False
    filters: tuple[Filter, ...] = ()
    sort: str = "right"
    sample: int = 0
    collapse: int = 0
    seed: int = 0
    extra: Extra = ()
    equate: tuple[Equate, ...] = ()

    @classmethod
    def of(cls, text: str, options: QueryOptions, view: LineSettings | None = None) -> Query:
        """Make it from what was asked.

        view: How its lines were chosen and ordered; None for the defaults.
        Returns: The query. The n-grams of conditions on words nearby are left out, since they belong to one index.
        """
        from explorer.analyses.search.arrange import LineSettings

        view = view or LineSettings()
        return cls(
            text,
            options.match,
            options.ignore_case,
            options.whole_words,
            options.variants,
            options.max_distance,
            options.node,
            options.literal,
            tuple(_without_parts(condition) for condition in view.filters),
            # As text, which `view` parses again: a file then has one short value for any number of levels.
            sort_text(view),
            view.sample,
            view.collapse,
            view.seed,
            equate=options.equate,
        )

    @property
    def options(self) -> QueryOptions:
        """How it is matched."""
        from explorer.analyses.search.find import QueryOptions

        return QueryOptions(
            self.variants,
            self.distance,
            node=self.node,
            match=self.match,
            ignore_case=self.ignore_case,
            whole_words=self.whole_words,
            literal=self.literal,
            equate=self.equate,
        )

    @property
    def hits(self) -> Query:
        """What decides about its hits: without filters, order and sample."""
        # One value for everything that does not matter, so that `==` tells whether two queries have the same hits.
        return replace(self, filters=(), sort="index", sample=0, collapse=0, seed=0, extra=())

    @property
    def view(self) -> LineSettings:
        """How its lines are chosen and ordered; words nearby must still be looked up, see `near_filter`."""
        from explorer.analyses.search.arrange import LineSettings, merge_views, parse_sort

        rest = LineSettings(filters=self.filters, sample=self.sample, collapse=self.collapse, seed=self.seed)
        return merge_views(parse_sort(self.sort), rest)


def sort_text(view: LineSettings) -> str:
    """Write an order as `parse_sort` reads it."""
    # A shuffled view may still have levels; they have no effect then.
    if view.shuffle:
        return "random"
    return ",".join(_level(level) for level in view.sort) or "index"


def _level(level: SortLevel) -> str:
    return f"-{level.key}" if level.descending else level.key


def _without_parts(condition: Filter) -> Filter:
    # Tokens of one index: the query may be asked in another one, which has other numbers for its tokens.
    from explorer.analyses.search.arrange import NearFilter

    return replace(condition, parts=()) if isinstance(condition, NearFilter) else condition


@dataclass(frozen=True)
class SavedQuery:
    """A query that is kept, with what was done with its lines.

    index: The id of its index; "" for any.
    note: A note; "" for none.
    lines: Lines that were marked, annotated or deleted.
    extra: Keys that this version does not know.
    """

    index: str
    query: Query
    note: str = ""
    lines: KeptLines = field(default_factory=KeptLines)
    extra: Extra = ()


@dataclass(frozen=True)
class LineSet:
    """A saved set: exactly these lines.

    name: What it is called; unique in the project.
    index: The id of the index that the lines are from.
    query: The query that found them.
    note: A note; "" for none.
    fingerprint: Of the index when the set was saved: places in another index would be other lines.
    lines: The lines; those that were deleted from the set stay in it as deleted ones.
    extra: Keys that this version does not know.
    """

    name: str
    index: str
    query: Query
    note: str = ""
    fingerprint: str = ""
    lines: KeptLines = field(default_factory=KeptLines)
    extra: Extra = ()


@dataclass(frozen=True)
class Origin:
    """The file that a project was read from or written to.

    digest: SHA-256 of its bytes, by which a change by others is recognized.
    skipped: What a newer version wrote and this one did not understand, one sentence each.
    """

    path: Path
    # Not the time of the file: copying and synchronizing change it, and a clock may be wrong.
    digest: str
    version: int = VERSION
    skipped: tuple[str, ...] = ()

    @property
    def newer(self) -> bool:
        """Whether a newer version wrote it."""
        return self.version > VERSION


@dataclass(frozen=True)
class Project:
    """What a user keeps. A value: every change makes a new one.

    Attributes
    ----------
    indexes
        The indexes that the rest names.
    queries
        Queries, with marks, notes and deletions of their lines.
    sets
        Saved sets of lines.
    views
        What was typed and chosen on each screen: the screen's id, and the JSON text of its session.
    screen
        The id of the screen that was shown; "" for none.
    opened
        The id of the index that was open; "" for none.
    notes
        Notes about the project.
    extra
        Keys that this version does not know.
    origin
        Its file; None for a new project. Not part of the value: two files can hold equal projects.

    Examples
    --------
    >>> Project(notes="Start with the letters.").read_only
    False
    """

    indexes: tuple[Index, ...] = ()
    queries: tuple[SavedQuery, ...] = ()
    sets: tuple[LineSet, ...] = ()
    # As text, since a dictionary could be changed; only a screen knows the meaning of its session.
    views: tuple[tuple[str, str], ...] = ()
    screen: str = ""
    opened: str = ""
    notes: str = ""
    extra: Extra = ()
    origin: Origin | None = field(default=None, compare=False)

    @property
    def read_only(self) -> bool:
        """Whether a newer version wrote it, so that saving it would lose what this version does not understand."""
        return self.origin is not None and self.origin.newer

    @property
    def name(self) -> str:
        """The name of its file without the ending; "" for a new project."""
        return "" if self.origin is None else self.origin.path.stem

    @property
    def skipped(self) -> tuple[str, ...]:
        """What was not understood, one sentence each."""
        return () if self.origin is None else self.origin.skipped

    @property
    def file(self) -> Path:
        """The file from which paths are relative; those of a new project are absolute."""
        # An absolute path stays as it is, whatever it is relative to.
        return Path(Path.cwd().anchor, "new.cxproj") if self.origin is None else self.origin.path

    def index(self, id: str) -> Index | None:
        """The index with an id; None if there is none."""
        return next((index for index in self.indexes if index.id == id), None)

    def line_set(self, name: str) -> LineSet | None:
        """The set with a name; None if there is none."""
        return next((kept for kept in self.sets if kept.name == name), None)

    def with_index(self, index: Index) -> tuple[Project, Index]:
        """Add an index, unless one with the same fingerprint and sources is there.

        Parameters
        ----------
        index
            The index; its id is replaced by a new one.

        Returns
        -------
        tuple[Project, Index]
            The project, and the index as it is named in it.
        """
        # Not by the fingerprint alone: a copy in another folder stays when the first one is moved away.
        for known in self.indexes:
            if known.fingerprint == index.fingerprint and _same_place(known, index):
                return self, known
        taken = {known.id for known in self.indexes}
        # The least number that is free: ids of indexes that were removed may still be named by sets.
        number = next(n for n in range(1, len(taken) + 2) if str(n) not in taken)
        added = replace(index, id=str(number))
        return replace(self, indexes=(*self.indexes, added)), added

    def with_lines(self, index: str, query: Query, lines: KeptLines) -> Project:
        """Keep marks, notes and deletions of the lines of a query, in place of those that were kept for it.

        Parameters
        ----------
        index
            The id of the index.
        query
            The query; its filters and order are kept too, but do not decide whether it is the same one.
        lines
            The lines; without any that were touched, a query without a note is not kept at all.

        Returns
        -------
        Project
            The project.
        """
        # The same hits with other filters or another order are the same query, so their marks are found again.
        before = self.lines_of(index, query)
        # A query may have millions of lines; only those that the user changed are kept.
        touched = lines.touched
        others = tuple(saved for saved in self.queries if saved is not before)
        if before is None:
            return replace(self, queries=(*others, SavedQuery(index, query, lines=touched))) if len(touched) else self
        # Nothing is left to keep, and an empty entry would stay in the file.
        if not len(touched) and not before.note:
            return replace(self, queries=others)
        # What another version wrote about the query belongs to the entry, not to what was asked now.
        changed = replace(before, query=replace(query, extra=before.query.extra), lines=touched)
        # At its old place: a file under version control then shows one changed entry, not two.
        return replace(self, queries=tuple(changed if saved is before else saved for saved in self.queries))

    def lines_of(self, index: str, query: Query) -> SavedQuery | None:
        """What is kept of the lines of a query.

        Parameters
        ----------
        index
            The id of the index.
        query
            The query.

        Returns
        -------
        SavedQuery | None
            The query with its lines; None if nothing is kept.
        """
        same = (saved for saved in self.queries if saved.index == index and saved.query.hits == query.hits)
        return next(same, None)

    def with_set(self, kept: LineSet) -> Project:
        """Add a set, or replace the one with its name."""
        if self.line_set(kept.name) is None:
            return replace(self, sets=(*self.sets, kept))
        # In its place, so that the order of the sets stays as the user knows it.
        return replace(self, sets=tuple(kept if known.name == kept.name else known for known in self.sets))

    def without_set(self, name: str) -> Project:
        """Remove a set."""
        return replace(self, sets=tuple(known for known in self.sets if known.name != name))

    def with_renamed_set(self, name: str, new: str) -> Project:
        """Give a set another name; nothing changes if that is taken.

        Parameters
        ----------
        name, new
            The name that it has, and the new one.

        Returns
        -------
        Project
            The project.
        """
        if self.line_set(new) is not None:
            return self
        renamed = (replace(known, name=new) if known.name == name else known for known in self.sets)
        return replace(self, sets=tuple(renamed))


def _same_place(one: Index, other: Index) -> bool:
    # Whatever it is called: these decide which documents are opened.
    return (one.paths, one.minus, one.tokenizer) == (other.paths, other.minus, other.tokenizer)
