"""The folders that a cluster has when it is complete, as a file: what is missing later is missed, and named.

Documents are numbered by the order of the file, so that their numbers stay.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.backends.cluster.directory import ClusterError, Directory, Group
from explorer.files.json_text import parse_json, write_json
from explorer.i18n import mark, tr

SUFFIX = ".cluster.json"
"""How the name of such a file ends."""
_FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """What a cluster has when it is complete.

    Attributes
    ----------
    address
        The address of its scheduler.
    groups
        Folders that are asked together, in the order of their documents; without workers, which may change.
    """

    address: str
    groups: tuple[Group, ...]


def write_manifest(path: Path, address: str, directory: Directory) -> Manifest:
    """Write the folders that a cluster has now.

    Parameters
    ----------
    path
        The file; its name must end in ".cluster.json".
    address
        The address of the scheduler.
    directory
        The folders.

    Returns
    -------
    Manifest
        What was written.

    Raises
    ------
    ClusterError
        If the name ends otherwise.
    OSError
        If the file cannot be written.
    """
    if not path.name.lower().endswith(SUFFIX):
        raise ClusterError(
            mark('The name of {path} must end in "{suffix}", by which such a file is known.'),
            reason="manifest-name",
            path=str(path),
            suffix=SUFFIX,
        )
    groups = tuple(Group(group.fingerprints, group.names, ()) for group in directory.groups)
    rows = [
        [{"fingerprint": one, "name": name} for one, name in zip(group.fingerprints, group.names, strict=True)]
        for group in groups
    ]
    path.write_text(write_json({"format": _FORMAT, "cluster": address, "groups": rows}) + "\n", encoding="utf-8")
    return Manifest(address, groups)


def read_manifest(path: Path) -> Manifest:
    """Read such a file.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Manifest
        What it holds.

    Raises
    ------
    ClusterError
        If it cannot be read, or holds something else.
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
        Group(tuple(_text(row["fingerprint"]) for row in rows), tuple(_text(row["name"]) for row in rows), ())
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


def complete(manifest: Manifest, directory: Directory) -> tuple[Group, ...]:
    """Find the workers of each group of a manifest.

    Parameters
    ----------
    manifest
        What there must be.
    directory
        What there is.

    Returns
    -------
    tuple of Group
        The groups in the order of the manifest, with their workers.

    Raises
    ------
    ClusterError
        If a folder is on no worker, or the folders of a group are on no worker together.
    """
    there = {each for group in directory.groups for each in group.fingerprints}
    rows = [row for group in manifest.groups for row in zip(group.fingerprints, group.names, strict=True)]
    missing = [name for fingerprint, name in rows if fingerprint not in there]
    if missing:
        raise ClusterError(
            mark("{missing:,} of {n:,} folders of the cluster are on no worker now: {names}."),
            reason="shards-missing",
            missing=len(missing),
            n=len(rows),
            names=", ".join(missing[:5]) + (" …" if len(missing) > 5 else ""),
        )
    workers = [directory.workers_of(group.fingerprints) for group in manifest.groups]
    found = tuple(replace(group, workers=some) for group, some in zip(manifest.groups, workers, strict=True))
    for group in found:
        if not group.workers:
            raise ClusterError(
                mark("{names} were on one worker when {address} was listed, and are not now. List its folders again."),
                reason="shards-moved",
                names=", ".join(group.names[:5]) + (" …" if len(group.names) > 5 else ""),
                address=manifest.address,
            )
    return found
