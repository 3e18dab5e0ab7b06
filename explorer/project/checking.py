"""Whether the indexes of a project are there, and are those that it was made with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from explorer.corpus import Corpus, open_index
from explorer.errors import CorpusError
from explorer.project.places import found, is_inside, missing, with_paths
from explorer.project.values import Index, Project

State = Literal["found", "changed", "missing", "unreadable", "unknown"]
"""found: there, with the same contents. changed: there, with other contents. missing: not there. unreadable: it does
not open. unknown: there, but the project has no fingerprint to compare."""


@dataclass(frozen=True)
class IndexCheck:
    """What was found out about an index of a project.

    paths: The folders that were looked for, absolute; of a missing index those that are missing.
    inside: Whether all of it is in the folder of the project file.
    cause: Why it does not open; None if it does, or was not opened.
    """

    index: Index
    state: State
    paths: tuple[str, ...]
    inside: bool
    cause: CorpusError | None = None


def check_indexes(project: Project) -> tuple[IndexCheck, ...]:
    """Open every index of a project, one after the other, and compare its fingerprint.

    Notes
    -----
    Cost: that of opening each index, which for large ones that were never opened includes reading their tables once.
    A fingerprint is of sizes and of 64 blocks of each shard: a change of a few bytes that keeps all sizes can go
    unnoticed, a rebuilt index does not.
    """
    return tuple(_check(project, index) for index in project.indexes)


def present(project: Project, index: Index) -> IndexCheck:
    """Find out whether an index is there, without opening it."""
    file = project.file
    inside = all(is_inside(text, file) for text in (*index.paths, *index.minus))
    # Not opened here: a project asks this of each index, and a large one can take seconds to open.
    if gone := missing(index, file):
        return IndexCheck(index, "missing", gone, inside)
    return IndexCheck(index, "unknown", tuple(found(text, file) for text in index.paths), inside)


def open_index_of(project: Project, index: Index) -> Corpus:
    """Open an index of a project.

    Returns: The opened corpus; compare `corpus.index.fingerprint` with that of the index, or see `check_indexes`.
    """
    whole = with_paths(index, lambda text: found(text, project.file))
    return open_index(whole.paths, whole.tokenizer, whole.minus or None, check_fit=whole.check_fit)


def _check(project: Project, index: Index) -> IndexCheck:
    # A folder that is not there has a clearer name than the error of opening it.
    before = present(project, index)
    if before.state == "missing":
        return before
    try:
        fingerprint = open_index_of(project, index).index.fingerprint
    except CorpusError as error:
        return IndexCheck(index, "unreadable", before.paths, before.inside, error)
    # Opened all the same: without a fingerprint it may still be unreadable.
    if not index.fingerprint:
        return before
    state: State = "found" if fingerprint == index.fingerprint else "changed"
    return IndexCheck(index, state, before.paths, before.inside)
