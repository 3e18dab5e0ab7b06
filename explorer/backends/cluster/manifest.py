"""The folders that a cluster has when it is complete, as a file: what is missing later is missed, and named.

Documents are numbered by the order of the file, so that their numbers stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from explorer.backends.cluster.directory import ClusterError, Directory, Group, Sizes, shown_names
from explorer.core.files.json_text import parse_json, write_json
from explorer.i18n import mark, tr

SUFFIX = ".cluster.json"
"""How the name of such a file ends."""
_FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """What a cluster has when it is complete.

    groups: Folders that are asked together, in the order of their documents; without workers, which may change.
    """

    address: str
    groups: tuple[Group, ...]


def write_manifest(path: Path, address: str, directory: Directory) -> Manifest:
    """Write the folders that a cluster has now.

    path: The file; its name must end in ".cluster.json".
    Raises `ClusterError` if the name ends otherwise.
    Raises `OSError` if the file cannot be written.
    """
    if not path.name.lower().endswith(SUFFIX):
        raise ClusterError(
            mark('The name of {path} must end in "{suffix}", by which such a file is known.'),
            reason="manifest-name",
            path=str(path),
            suffix=SUFFIX,
        )
    groups = tuple(replace(group, workers=()) for group in directory.groups)
    rows = [[_row(group[number]) for number in range(len(group.names))] for group in groups]
    path.write_text(write_json({"format": _FORMAT, "cluster": address, "groups": rows}) + "\n", encoding="utf-8")
    return Manifest(address, groups)


def _row(folder: Group) -> dict[str, Any]:
    return {"fingerprint": folder.fingerprints[0], "name": folder.names[0], **asdict(folder.sizes[0])}


def read_manifest(path: Path) -> Manifest:
    """Read such a file.

    Raises `ClusterError` if it cannot be read, or holds something else.
    """
    try:
        value = parse_json(path.read_bytes())
        return _manifest_of(value)
    except OSError as error:
        cause = error.strerror or str(error)
    except (ValueError, KeyError, TypeError) as error:
        cause = str(error) if isinstance(error, ValueError) else tr("a field is missing, or of another type")
    raise ClusterError(
        mark("{path} does not tell the folders of a cluster: {cause}."),
        reason="bad-manifest",
        path=str(path),
        cause=cause,
    )


def _manifest_of(value: Any) -> Manifest:
    if value["format"] != _FORMAT:
        raise ValueError(tr("it is of another version of this program"))
    groups = tuple(
        Group(
            tuple(_text(row["fingerprint"]) for row in rows),
            tuple(_text(row["name"]) for row in rows),
            (),
            tuple(Sizes(_size(row["tokens"]), _size(row["documents"]), _size(row["shards"])) for row in rows),
        )
        for rows in value["groups"]
    )
    known = [each for group in groups for each in group.fingerprints]
    if not all(group.fingerprints for group in groups) or not known or len(set(known)) < len(known):
        raise ValueError(tr("a folder is listed twice, or none is"))
    return Manifest(_text(value["cluster"]), groups)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _size(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


def placed(manifest: Manifest, directory: Directory) -> tuple[Group, ...]:
    """Find the workers of each folder of a manifest.

    Returns: All folders in the order of the manifest. A group whose folders are not on one worker any more is several;
        missing folders are groups without workers.
    """
    found: list[Group] = []
    for group in manifest.groups:
        workers = directory.workers_of(group.fingerprints)
        found += [replace(group, workers=workers)] if workers else _apart(group, directory)
    return tuple(found)


def _apart(group: Group, directory: Directory) -> list[Group]:
    """Folders of a group that is not on one worker any more: neighbors that are on the same workers together."""
    workers = [directory.workers_of([one]) for one in group.fingerprints]
    each = [replace(group[number], workers=some) for number, some in enumerate(workers)]
    return [_joined(tuple(some)) for _, some in groupby(each, key=lambda one: one.workers)]


def _joined(groups: tuple[Group, ...]) -> Group:
    return Group(
        tuple(group.fingerprints[0] for group in groups),
        tuple(group.names[0] for group in groups),
        groups[0].workers,
        tuple(group.sizes[0] for group in groups),
    )


def check_complete(groups: Sequence[Group]) -> None:
    """Check that no folder is missing."""
    missing = [name for group in groups if not group.workers for name in group.names]
    if missing:
        raise ClusterError(
            mark("{missing:,} of {n:,} folders of the cluster are on no worker now: {names}."),
            reason="shards-missing",
            missing=len(missing),
            n=sum(len(group.names) for group in groups),
            names=shown_names(missing),
        )
