"""Texts to analyse from files: one a file, or one a line of JSONL."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from explorer.corpus.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.errors import QueryError
from explorer.words import tr


def read_texts(
    paths: Sequence[Path], text_field: str = "text", group_field: str | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Texts of the files, and the group of each: the value of `group_field`, else the file's name.

    Raises SourceError for a file that cannot be read, QueryError for a line without the group field.
    """
    texts, groups = [], []
    for path in paths:
        state = ReadState()
        for document in read_documents(list_files([path], state), ReadOptions(text_field), state):
            if group_field is not None and group_field not in document.metadata:
                raise QueryError(
                    tr(
                        '{path}, line {linenum}: the field "{group_field}" is missing. Choose another field.',
                        path=path,
                        linenum=document.linenum + 1,
                        group_field=group_field,
                    )
                )
            texts.append(document.text)
            groups.append(path.name if group_field is None else str(document.metadata[group_field]))
    return tuple(texts), tuple(groups)
