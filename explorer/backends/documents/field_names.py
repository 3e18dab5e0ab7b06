"""Metadata fields by name: counted for a new index, and refused if no document has them.

A field that is not in an incomplete list of names is searched for in all documents before it is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from explorer.backends.metadata import flat_metadata
from explorer.backends.protocol.protocol import Backend, FieldNames
from explorer.core.files.text_field import nearest_name, shown_names
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark

MOST_FIELDS = 10_000
"""The most field names that `index.json` lists; if the documents have more, none are listed."""


def count_fields(folder: Path, cancel: CancelToken, paths: Counter[str] | None = None) -> dict[str, int] | None:
    """Count the documents with each metadata field, in a folder that is being built.

    paths: Receives the number of documents of each file, by its path in the metadata; None to count fields only.
    Returns: The number of documents by field; None if there are more than `MOST_FIELDS` names.

    Notes
    -----
    Parses all metadata once.
    """
    counts: Counter[str] = Counter()
    is_too_many = False
    # Sorted, since the order of names in a folder differs between systems, and fields are listed in the order in which
    # they are found.
    for path in sorted(folder.glob("metadata.*")):
        with open(path, "rb") as file:
            for number, line in enumerate(file):
                if number % 1024 == 0:
                    cancel.check()
                fields = flat_metadata(json.loads(line))
                if paths is not None:
                    paths[str(fields.get("path", ""))] += 1
                if not is_too_many:
                    # By their names: a field counts once per document, whatever its value is.
                    counts.update(fields.keys())
                    # Fields made from data, such as one per user, could make `index.json` as large as the metadata.
                    is_too_many = len(counts) > MOST_FIELDS
                if is_too_many and paths is None:
                    return None
    return None if is_too_many else dict(counts)


def require_field(index: Backend, known: FieldNames, name: str, cancel: CancelToken | None = None) -> None:
    """Check that some document has a metadata field.

    Notes
    -----
    Costs nothing for a known name or a complete list; otherwise the metadata files are searched for the name.
    """
    # The list of another program's index is of a sample, so its silence proves nothing.
    if name in known.names or (not known.complete and index.documents.has_field(name, cancel)):
        return
    raise unknown_field(name, known.names)


def unknown_field(name: str, names: Iterable[str]) -> QueryError:
    """Make the error for a field that no document has.

    Returns: The error, with the nearest existing name, or a list of them.
    """
    known = tuple(names)
    # A likely slip of the keyboard is answered by one name, not by all.
    if near := nearest_name(name, known):
        return QueryError(
            mark('No document has the field "{name}". Did you mean {near}?'),
            reason="unknown-field",
            name=name,
            near=near,
        )
    if not known:
        return QueryError(
            mark('No document has the field "{name}": this index has no metadata.'), reason="unknown-field", name=name
        )
    return QueryError(
        mark('No document has the field "{name}". The fields are: {names}.'),
        reason="unknown-field",
        name=name,
        names=shown_names(known),
    )
