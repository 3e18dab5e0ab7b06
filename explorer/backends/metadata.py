"""Metadata of the documents of some shards, and which fields they have.

Indexes built by this program list their fields in `index.json`. For others, some documents of every shard are read, and
the list may be incomplete.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from explorer.backends.protocol.protocol import FieldNames
from explorer.core.jobs import CancelToken
from explorer.errors import DamagedIndexError
from explorer.index.manifest import Manifest
from explorer.index.shard import MappedShard

_SAMPLED = 20
"""Number of documents read at the beginning, in the middle and at the end of each shard."""
_SAMPLED_IN_ALL = 3_000


OF_BUILDERS = ("path", "linenum")
"""The fields that a build adds: the place of each document, which is another one in each."""


def texts_first(names: Sequence[str]) -> tuple[str, ...]:
    """Order fields for people: those that the texts came with, then those of the builder."""
    return (*(name for name in names if name not in OF_BUILDERS), *(name for name in names if name in OF_BUILDERS))


def flat_metadata(record: dict[str, Any]) -> dict[str, Any]:
    """Bring a document's metadata on one level.

    Returns: `path`, `linenum`, and what is under `metadata`.
    """
    inner = record.get("metadata")
    outer = {key: value for key, value in record.items() if key != "metadata"}
    if isinstance(inner, dict):
        return {**outer, **inner}
    return outer if inner is None else {**outer, "metadata": inner}


def field_names(shards: Sequence[MappedShard], manifests: Sequence[Manifest | None]) -> FieldNames:
    """List the metadata fields of all folders.

    manifests: The manifest of each folder; None for a folder of another program, of which a few documents are read.
    Returns: The names in the order in which they were found.
    """
    listed = [_listed(manifest) for manifest in manifests]
    names = dict.fromkeys(name for counts in listed for name in counts or ())
    complete = all(counts is not None for counts in listed)
    if not complete:
        names |= dict.fromkeys(_sampled(shards))
    return FieldNames(tuple(names), complete)


def _listed(manifest: Manifest | None) -> dict[str, int] | None:
    # `index.json` may have been written by another program.
    counts = manifest.metadata_fields if manifest else None
    return counts if isinstance(counts, dict) else None


def _sampled(shards: Sequence[MappedShard]) -> Iterator[str]:
    part = max(1, min(_SAMPLED, _SAMPLED_IN_ALL // (3 * len(shards))))
    for shard in shards:
        total = shard.document_count
        # The ends and the middle: a shard may hold one source after the other, each with fields of its own.
        starts = (0, total // 2, total - part)
        for number in sorted({n for start in starts for n in range(max(0, start), min(total, start + part))}):
            try:
                yield from flat_metadata(shard.metadata.of(number))
            except DamagedIndexError:
                # Reading this document raises the error; the others can still be read.
                continue


def has_field(shard: MappedShard, name: str, cancel: CancelToken | None = None) -> bool:
    """Tell whether a document of a shard has a metadata field.

    Notes
    -----
    The metadata file is searched for the name; only lines that contain it are parsed.
    """
    # JSON writers may or may not escape letters beyond ASCII, and the slash.
    plain, escaped = json.dumps(name, ensure_ascii=False), json.dumps(name)
    needles = {form.encode("utf-8", "surrogatepass") for form in (plain, escaped, plain.replace("/", "\\/"))}
    for needle in needles:
        for number in shard.metadata.documents_with(needle, cancel):
            # The bytes may be part of a value, so the line is parsed.
            if name in flat_metadata(shard.metadata.of(number)):
                return True
    return False
