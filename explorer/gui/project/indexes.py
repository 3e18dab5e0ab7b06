"""An open index as a project names it, and an index of a project as it is opened. Without Qt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.gui.presenting.requests import OpenRequest
from explorer.project import Index, Project
from explorer.project.places import found, stored, with_paths

if TYPE_CHECKING:
    from explorer.corpus import Corpus


def described(corpus: Corpus, request: OpenRequest) -> Index:
    """Describe an open index as a project does. Runs off the interface thread, since its fingerprint is read.

    Returns: The index with absolute paths, and without an id.
    """
    index = corpus.index
    return Index(
        "",
        index.name,
        tuple(index.sources) or request.paths,
        tuple(str(Path(path).absolute()) for path in request.minus),
        request.tokenizer if _is_named(request.tokenizer) else str(Path(str(request.tokenizer)).absolute()),
        request.check_fit,
        index.fingerprint,
        index.document_count,
        index.token_count,
    )


def fingerprint_at(project: Project, index: Index) -> str:
    """Open an index of a project for its fingerprint. Runs off the interface thread.

    index: One of its indexes, perhaps in another place.
    Raises `CorpusError` if it does not open.
    """
    from explorer.core.files.mapped import enable_fault_guard
    from explorer.project.checking import open_index_of

    # As in `open_corpus`.
    enable_fault_guard()
    return open_index_of(project, index).index.fingerprint


def _is_named(tokenizer: str | None) -> bool:
    """Whether it is not a path but the tokenizer of that name, or the index's own."""
    return tokenizer is None or tokenizer == "bytes"


def relative_index(index: Index, project: Project) -> Index:
    """Give an index with absolute paths as a project names it."""
    if project.origin is None:
        return index
    return with_paths(index, lambda path: stored(path, project.file))


def absolute_index(index: Index, project: Project) -> Index:
    """Give an index of a project with absolute paths."""
    return with_paths(index, lambda path: found(path, project.file))


def with_changed_index(project: Project, index: Index) -> Project:
    """Put an index in the place of the one with its id."""
    return replace(project, indexes=tuple(index if known.id == index.id else known for known in project.indexes))


def request_for(project: Project, index: Index) -> OpenRequest:
    """Give what opens an index of a project."""
    whole = absolute_index(index, project)
    return OpenRequest(whole.paths, whole.minus, whole.tokenizer, check_fit=whole.check_fit)
