"""`index.json`: the facts that a build records about its index."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from explorer.core.files.json_text import parse_json, write_json
from explorer.core.files.paths import write_whole
from explorer.errors import DamagedIndexError
from explorer.i18n import counted, mark, tr
from explorer.index.layout import MANIFEST_NAME, REPORT_NAME
from explorer.text.special_tokens import AS_TOKENS, TREATMENTS

FORMAT_VERSION = 1


@dataclass(frozen=True)
class Manifest:
    """Facts of a build, as they are in `index.json`.

    Attributes
    ----------
    token_width
        Bytes per token: 1, 2 or 4.
    token_count
        Tokens, separators included.
    document_count
        Documents.
    shard_count
        Shards.
    tokenizer
        The file of the tokenizer, or "bytes".
    tokenizer_sha256
        SHA-256 of that file; "" for bytes.
    reversed_text
        Whether documents are stored backwards.
    name
        The name of the index.
    sources
        The paths that it was built from.
    parameters
        The parameters of the build.
    skipped
        How often something was left out or changed, by kind.
    created
        When the build ended, in ISO 8601.
    changed
        When documents were last added, in ISO 8601; "" if never.
    seconds
        How long it took, which is in `report.json`, so that equal builds have equal manifests; None if unknown.
    program
        The program that built it, with its version.
    files
        The size of each file in bytes, by name.
    noticed
        The first 20 files of each kind in `skipped`.
    metadata_fields
        The number of documents with each metadata field; None if they were not counted.
    read
        How many files and documents the sources had, and how many of them were skipped, by the names of
        `explorer.building.sources.source.Tally`; empty if that is unknown.
    kinds
        The number of files of each kind, by its name; empty if that is unknown.
    runs
        Of a compressed index: the runs of equal bytes in its transform; 0 for others.
    format_version
        The version of this record.
    special_tokens
        How special tokens of the tokenizer in texts were encoded, and are in queries: "text" or "tokens".
    """

    token_width: int
    token_count: int
    document_count: int
    shard_count: int
    tokenizer: str
    tokenizer_sha256: str
    reversed_text: bool = False
    name: str = ""
    sources: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    created: str = ""
    changed: str = ""
    seconds: float | None = None
    program: str = ""
    files: dict[str, int] = field(default_factory=dict)
    noticed: dict[str, list[str]] = field(default_factory=dict)
    metadata_fields: dict[str, int] | None = None
    read: dict[str, int | None] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    runs: int = 0
    format_version: int = FORMAT_VERSION
    special_tokens: str = AS_TOKENS

    @property
    def repetition(self) -> float | None:
        """Bytes per run of a compressed index (n/r): 2 to 4 for most texts, and far more where it repeats itself."""
        return self.token_count / self.runs if self.runs else None

    def __repr__(self) -> str:
        sizes = (("token", self.token_count), ("document", self.document_count), ("shard", self.shard_count))
        # What a build left out or changed is to be seen wherever its manifest is.
        skipped = f", skipped {self.skipped}" if self.skipped else ""
        return f"Manifest({self.name!r}, {', '.join(counted(unit, size) for unit, size in sizes)}{skipped})"

    def write(self, folder: Path) -> None:
        """Write `index.json` into the folder."""
        value = asdict(self)
        del value["seconds"]
        if not self.runs:
            del value["runs"]
        if self.special_tokens == AS_TOKENS:
            del value["special_tokens"]
        write_whole(folder / MANIFEST_NAME, write_json(value, indent=2) + "\n")


def read_manifest(folder: Path) -> Manifest | None:
    """Read the manifest of an index folder.

    Returns: The manifest; None if there is none, as in an index of another program.
    Raises `DamagedIndexError` if it has content that this program does not write.
    """
    path = folder / MANIFEST_NAME
    if not path.is_file():
        return None
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    # Manifests of earlier versions have the seconds themselves.
    return manifest_from(text, path, _seconds(folder))


def manifest_from(text: str | bytes, path: Path | str, seconds: float | None = None) -> Manifest:
    """Read the text of a manifest, wherever it is from.

    path: What errors call the file: its path or its address.
    seconds: How long the build took, unless the text states it.
    Raises `DamagedIndexError` if it has content that this program does not write.
    """
    try:
        value = parse_json(text)
        _check_keys(value)
        # Keys that this version does not know are ignored, as long as the format has the same number.
        known = {key: value[key] for key in Manifest.__dataclass_fields__ if key in value}
        known.setdefault("seconds", seconds)
        manifest = Manifest(**{**known, "sources": tuple(known.get("sources", ()))})
        version = int(manifest.format_version)
        if version <= FORMAT_VERSION:
            _check_values(manifest)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise _unreadable(path, error) from error
    if version > FORMAT_VERSION:
        raise DamagedIndexError(
            mark("{path} was written by a newer version of this program (format {version}, known {known})."),
            reason="newer-format",
            path=path,
            version=version,
            known=FORMAT_VERSION,
        )
    return manifest


def _check_keys(value: Any) -> None:
    if not isinstance(value, dict):
        raise ValueError(tr("it does not hold keys and values"))
    needed = [each.name for each in fields(Manifest) if each.default is MISSING and each.default_factory is MISSING]
    if missing := [name for name in needed if name not in value]:
        raise ValueError(tr("{names} is missing", names=", ".join(missing)))


def _check_values(manifest: Manifest) -> None:
    """Raise ValueError for a value of a wrong type: wrong facts would make wrong answers."""
    for each in fields(Manifest):
        value = getattr(manifest, each.name)
        if not _KINDS[each.name](value):
            raise ValueError(tr("{name} cannot be {value}", name=each.name, value=write_json(value)[:40]))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """What checks a mapping of valid values."""
    return lambda value: isinstance(value, dict) and all(map(valid, value.values()))


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


_KINDS: dict[str, Callable[[Any], bool]] = {
    "token_width": lambda value: _is_count(value) and value in (1, 2, 4),
    "token_count": _is_count,
    "document_count": _is_count,
    "shard_count": _is_count,
    "tokenizer": _is_text,
    "tokenizer_sha256": _is_text,
    "reversed_text": lambda value: isinstance(value, bool),
    "name": _is_text,
    "sources": _is_list,
    "parameters": lambda value: isinstance(value, dict),
    "skipped": _is_table(_is_count),
    "created": _is_text,
    "changed": _is_text,
    "seconds": lambda value: value is None or isinstance(value, int | float),
    "program": _is_text,
    "files": _is_table(_is_count),
    "noticed": _is_table(_is_list),
    "metadata_fields": lambda value: value is None or _is_table(_is_count)(value),
    "read": _is_table(lambda value: value is None or _is_count(value)),
    "kinds": _is_table(_is_count),
    "special_tokens": lambda value: value in TREATMENTS,
    "runs": _is_count,
    "format_version": _is_count,
}
"""Which values each fact may have."""


def _unreadable(path: Path | str, cause: Exception) -> DamagedIndexError:
    return DamagedIndexError(
        mark("{path} cannot be read ({cause})."),
        reason="manifest-unreadable",
        path=path,
        cause=cause,
    )


def _seconds(folder: Path) -> float | None:
    """How long the build took, as its report states; None if it does not, since no answer depends on it."""
    try:
        found = json.loads((folder / REPORT_NAME).read_text(encoding="utf-8"))["seconds"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return float(found) if isinstance(found, int | float) else None


def check_sizes(folder: Path, manifest: Manifest) -> None:
    """Check that every file of an index is as long as its manifest records.

    Raises `DamagedIndexError` if a file is missing or has another size.
    """
    for name, size in manifest.files.items():
        # Only the name: a manifest must not make the program look at files outside of its folder.
        path = folder / Path(name).name
        if not path.is_file():
            raise DamagedIndexError(mark("{path} is missing."), reason="file-missing", path=path)
        # Sizes only: checksums would read the whole index at every opening. `verify` does more.
        found = path.stat().st_size
        if found != size:
            raise DamagedIndexError(
                mark("{path} has {found:,} bytes, but {manifest} records {size:,}: it was cut short or replaced."),
                reason="cut-short",
                path=path,
                found=found,
                manifest=MANIFEST_NAME,
                size=size,
            )
