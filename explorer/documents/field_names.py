"""Which metadata fields the documents of an index have.

Indexes built by this program list them in `index.json`. For others, some documents of every shard are read, and the
list may be incomplete. A field that is not in an incomplete list is searched for in all documents before it is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.backends.shards import Index
from explorer.documents.document import flat_metadata
from explorer.errors import DamagedIndexError, QueryError
from explorer.files.text_field import nearest_name
from explorer.i18n import tr
from explorer.index.manifest import Manifest
from explorer.index.shard import MappedShard
from explorer.jobs import CancelToken

MOST_FIELDS = 10_000
"""The most field names that `index.json` lists; if the documents have more, none are listed."""
_SAMPLED = 20
"""Number of documents read at the beginning, in the middle and at the end of each shard."""
_SAMPLED_IN_ALL = 3_000
_NAMED = 12


@dataclass(frozen=True)
class FieldNames:
    """Names of metadata fields; complete: whether no document has any other."""

    names: tuple[str, ...]
    complete: bool


def count_fields(folder: Path, cancel: CancelToken) -> dict[str, int] | None:
    """The number of documents with each field, in a folder that is being built; None if there are too many names.

    Cost: parsing all metadata once.
    """
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("metadata.*")):
        with open(path, "rb") as file:
            for number, line in enumerate(file):
                if number % 1024 == 0:
                    cancel.check()
                counts.update(flat_metadata(json.loads(line)).keys())
                if len(counts) > MOST_FIELDS:
                    return None
    return dict(counts)


def field_names(index: Index) -> FieldNames:
    """The names from all folders, in the order in which they were found."""
    listed = [_listed(manifest) for manifest in index.manifests]
    names = dict.fromkeys(name for counts in listed for name in counts or ())
    complete = all(counts is not None for counts in listed)
    if not complete:
        names |= dict.fromkeys(_sampled(index))
    return FieldNames(tuple(names), complete)


def _listed(manifest: Manifest | None) -> dict[str, int] | None:
    # `index.json` may have been written by another program.
    counts = manifest.metadata_fields if manifest else None
    return counts if isinstance(counts, dict) else None


def _sampled(index: Index) -> Iterator[str]:
    part = max(1, min(_SAMPLED, _SAMPLED_IN_ALL // (3 * index.shard_count)))
    for shard in index.shards:
        total = shard.document_count
        starts = (0, total // 2, total - part)
        for number in sorted({n for start in starts for n in range(max(0, start), min(total, start + part))}):
            try:
                yield from flat_metadata(shard.metadata(number))
            except DamagedIndexError:
                # Reading this document raises the error; the others can still be read.
                continue


def require_field(index: Index, known: FieldNames, name: str, cancel: CancelToken | None = None) -> None:
    """Raise QueryError for a field that no document has. Cost: none for a known name or a complete list; otherwise the
    metadata files are searched for the name.
    """
    if name in known.names or (not known.complete and _any_document_has(index, name, cancel)):
        return
    raise unknown_field(name, known.names)


def unknown_field(name: str, names: Iterable[str]) -> QueryError:
    """The error for a field that no document has, with the nearest existing name."""
    known = tuple(names)
    if near := nearest_name(name, known):
        return QueryError(tr('No document has the field "{name}". Did you mean {near}?', name=name, near=near))
    if not known:
        return QueryError(tr('No document has the field "{name}": this index has no metadata.', name=name))
    return QueryError(
        tr(
            'No document has the field "{name}". The fields are: {names}.',
            name=name,
            names=", ".join(known[:_NAMED]) + (" …" if len(known) > _NAMED else ""),
        )
    )


def _any_document_has(index: Index, name: str, cancel: CancelToken | None) -> bool:
    return any(_has(shard, name, cancel) for shard in index.shards)


def _has(shard: MappedShard, name: str, cancel: CancelToken | None) -> bool:
    # JSON writers may or may not escape letters beyond ASCII, and the slash.
    plain, escaped = json.dumps(name, ensure_ascii=False), json.dumps(name)
    needles = {form.encode("utf-8", "surrogatepass") for form in (plain, escaped, plain.replace("/", "\\/"))}
    for needle in needles:
        for number in shard.lines_with(needle, cancel):
            if name in flat_metadata(shard.metadata(number)):
                return True
    return False
