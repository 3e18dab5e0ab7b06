"""What a project keeps, and whether its indexes are there, as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.arrange import Filter
from explorer.project.checking import IndexCheck
from explorer.project.values import LineSet, Project, Query, SavedQuery


@dataclass(frozen=True)
class FilterRecord:
    """A condition on the lines of a query: on a metadata field, or on a text nearby.

    Attributes
    ----------
    field
        The metadata field; None for a text nearby.
    operator
        How its value is compared, as in `--where`; None for a text nearby.
    value
        The value as it was typed; None for a text nearby.
    near
        The text nearby; None for a metadata field.
    distance
        The most tokens between the match and this text; None for a metadata field.
    wanted
        Whether the text must occur there; otherwise it must not. True for a metadata field.
    """

    field: str | None = None
    operator: str | None = None
    value: str | None = None
    near: str | None = None
    distance: int | None = None
    wanted: bool = True


@dataclass(frozen=True)
class QueryRecord:
    """A query with everything that decides about its lines.

    Attributes
    ----------
    text
        As it was typed.
    match
        How it is matched: "text", "tokens" or "regex".
    ignore_case
        Whether case is ignored.
    whole_words
        Whether only whole words match.
    equate
        What else counts as the same: "spacing", "quotes", "forms".
    variants
        Spellings of tokens.
    distance
        The most tokens between what AND joins.
    node
        The phrase of an AND whose occurrences are hits, from 0; None for the rarest.
    literal
        Whether the text is one phrase, whatever words it contains.
    filters
        Conditions on the lines, all of which hold.
    sort
        The order of the lines.
    sample
        Lines that are drawn; 0 for all.
    collapse
        Tokens on each side that must be equal for lines to be merged; 0 for no merging.
    seed
        The seed of all random choices.
    """

    text: str
    match: str
    ignore_case: bool
    whole_words: bool
    equate: tuple[str, ...]
    variants: tuple[str, ...]
    distance: int
    node: int | None
    literal: bool
    filters: tuple[FilterRecord, ...]
    sort: str
    sample: int
    collapse: int
    seed: int


@dataclass(frozen=True)
class ProjectIndexRecord:
    """An index as a project names it.

    Attributes
    ----------
    id
        By which queries and sets name it.
    name
        What to call it.
    paths
        Its folders or addresses; relative ones are relative to the project file.
    minus
        Indexes whose documents are subtracted.
    tokenizer
        A tokenizer.json or "bytes"; None for the index's own.
    fingerprint
        Of its contents; None if it was never opened.
    token_count
        Its tokens when it was saved; None if unknown.
    document_count
        Its documents when it was saved; None if unknown.
    """

    id: str
    name: str
    paths: tuple[str, ...]
    minus: tuple[str, ...]
    tokenizer: str | None
    fingerprint: str | None
    token_count: int | None
    document_count: int | None


@dataclass(frozen=True)
class SavedQueryRecord:
    """A query that a project keeps.

    Attributes
    ----------
    index
        The id of its index; "" for any.
    query
        The query.
    note
        A note; "" for none.
    marked_count
        Lines that were marked.
    noted_count
        Lines with notes.
    deleted_count
        Lines that were deleted.
    """

    index: str
    query: QueryRecord
    note: str
    marked_count: int
    noted_count: int
    deleted_count: int


@dataclass(frozen=True)
class SetRecord:
    """A saved set of lines.

    Attributes
    ----------
    name
        What it is called.
    index
        The id of the index that the lines are from.
    query
        The query that found them.
    note
        A note; "" for none.
    line_count
        Its lines, without those that were deleted.
    marked_count
        Lines that were marked.
    noted_count
        Lines with notes.
    deleted_count
        Lines that were deleted.
    """

    name: str
    index: str
    query: QueryRecord
    note: str
    line_count: int
    marked_count: int
    noted_count: int
    deleted_count: int


@dataclass(frozen=True)
class ProjectRecord:
    """A project file.

    Attributes
    ----------
    path
        The file.
    version
        The version of its format; None for a new project.
    read_only
        Whether a newer version of the program wrote it.
    notes
        Notes on the project; "" for none.
    indexes
        The indexes that it names.
    queries
        The queries that it keeps.
    sets
        The saved sets of lines.
    views
        The names of the screens whose state it keeps.
    """

    path: str
    version: int | None
    read_only: bool
    notes: str
    indexes: tuple[ProjectIndexRecord, ...]
    queries: tuple[SavedQueryRecord, ...]
    sets: tuple[SetRecord, ...]
    views: tuple[str, ...]


@dataclass(frozen=True)
class CheckRecord:
    """Whether an index of a project is there.

    Attributes
    ----------
    id
        By which the project names it.
    name
        What the project calls it.
    state
        "found", "changed", "missing", "unreadable" or "unknown" (found, but the project does not state its contents).
    paths
        The folders that were looked for; of a missing index those that are missing.
    inside
        Whether all of it is in the folder of the project file.
    cause
        Why it does not open; None if it does, or was not opened.
    """

    id: str
    name: str
    state: str
    paths: tuple[str, ...]
    inside: bool
    cause: str | None


@dataclass(frozen=True)
class MarkedLine:
    """What the lines of a set have besides the columns of a line.

    Attributes
    ----------
    mark
        "marked", or "" if the line was not marked.
    note
        The note on the line; "" for none.
    """

    mark: str
    note: str


@dataclass(frozen=True)
class SetFacts:
    """What `project lines` states about a set.

    Attributes
    ----------
    set
        The saved set.
    """

    set: SetRecord


def project_record(project: Project) -> ProjectRecord:
    """Give a project as a record, without what its file repeats for each line."""
    origin = project.origin
    return ProjectRecord(
        path=str(project.file),
        version=None if origin is None else origin.version,
        read_only=project.read_only,
        notes=project.notes,
        indexes=tuple(
            ProjectIndexRecord(
                each.id, each.name, each.paths, each.minus, each.tokenizer, each.fingerprint or None,
                _known(each.tokens), _known(each.documents),
            )
            for each in project.indexes
        ),
        queries=tuple(map(_saved_query, project.queries)),
        sets=tuple(map(set_record, project.sets)),
        # Names only: the session of a screen has a meaning for this screen alone.
        views=tuple(name for name, _ in project.views),
    )  # fmt: skip


def set_record(kept: LineSet) -> SetRecord:
    """A saved set without its lines."""
    lines = kept.lines
    counts = (len(lines.listed), len(lines.marked), len(lines.noted), len(lines.deleted))
    return SetRecord(kept.name, kept.index, _query(kept.query), kept.note, *counts)


def check_records(checks: Sequence[IndexCheck]) -> tuple[CheckRecord, ...]:
    """Give what was found out about the indexes of a project as records."""
    return tuple(
        CheckRecord(
            check.index.id, check.index.name, check.state, check.paths, check.inside,
            None if check.cause is None else str(check.cause),
        )
        for check in checks
    )  # fmt: skip


def _saved_query(saved: SavedQuery) -> SavedQueryRecord:
    lines = saved.lines
    counts = (len(lines.marked), len(lines.noted), len(lines.deleted))
    return SavedQueryRecord(saved.index, _query(saved.query), saved.note, *counts)


def _query(query: Query) -> QueryRecord:
    return QueryRecord(
        text=query.text,
        match=query.match,
        ignore_case=query.ignore_case,
        whole_words=query.whole_words,
        equate=query.equate,
        variants=query.variants,
        distance=query.distance,
        node=query.node,
        literal=query.literal,
        filters=tuple(map(_filter, query.filters)),
        sort=query.sort,
        sample=query.sample,
        collapse=query.collapse,
        seed=query.seed,
    )


def _filter(condition: Filter) -> FilterRecord:
    if isinstance(condition, FieldFilter):
        return FilterRecord(condition.field, condition.operator, condition.value)
    return FilterRecord(near=condition.text, distance=condition.distance, wanted=condition.wanted)


def _known(count: int) -> int | None:
    # -1 of a project is unknown.
    return None if count < 0 else count
