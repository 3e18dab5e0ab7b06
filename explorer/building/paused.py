"""Unfinished builds of the window: each is recorded in a small file in the user's data folder.

The file is written before the work starts and removed when nothing is left to resume, so that a build is found again
however the window ended.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.building.lock import build_lock
from explorer.building.own_places import build_records, records_folder
from explorer.building.request import BuildRequest, named_folder, partial_folder
from explorer.building.run import discard
from explorer.building.state import can_resume, read_state
from explorer.core.files.json_text import own_json_text
from explorer.core.files.paths import exists, write_whole
from explorer.derive.question import settings_of
from explorer.documents.read_settings import ReadSettings
from explorer.errors import BuildError, CorpusError
from explorer.http.wire.hub import absolute_source
from explorer.i18n import mark
from explorer.text.special_tokens import AS_TOKENS

_LOG = logging.getLogger("explorer.building")


@dataclass(frozen=True)
class PausedBuild:
    """A build that can be resumed.

    sample: Whether it is the sample index.
    read: The share of the sources that is tokenized, 0 to 1.
    sorted: The share of the tokens that is sorted, 0 to 1.
    """

    request: BuildRequest
    sample: bool
    read: float
    sorted: float

    @property
    def name(self) -> str:
        """The name to show."""
        return self.request.name or self.request.out.name


def remember(request: BuildRequest, sample: bool = False) -> None:
    """Record a build before it starts; if that fails, the log reports it and the build continues."""
    value = {**request.parameters, "out": str(request.out.absolute()), "name": request.name, "sample": sample}
    # Absolute, since the build may be resumed from another working folder.
    value["sources"] = [str(absolute_source(source)) for source in request.sources]
    try:
        path = _record(request.out)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, own_json_text(value))
    except OSError as error:
        _LOG.warning("the build into %s could not be recorded: %s", request.out, error)


def forget(out: Path) -> None:
    """Stop offering a build."""
    try:
        _record(out).unlink(missing_ok=True)
    except OSError as error:
        _LOG.warning("the record of the build into %s could not be removed: %s", out, error)


def discard_build(out: Path) -> None:
    """Remove the files of a build, and stop offering it.

    Raises `OSError` if a file cannot be removed.
    """
    forget(out)
    discard(out)


def discard_builds(outs: Sequence[Path]) -> None:
    """Remove the files of some builds, and stop offering them.

    outs: The folders of their indexes.
    Raises `BuildError` if a file cannot be removed; the other builds are removed all the same.
    """
    kept: list[BuildError] = []
    for out in outs:
        try:
            discard_build(out)
        except OSError as error:
            kept.append(
                BuildError(
                    mark("The paused build {path} cannot be removed ({cause})."),
                    reason="not-removed",
                    path=out,
                    cause=error,
                )
            )
    if kept:
        raise kept[0]


def paused_builds() -> tuple[PausedBuild, ...]:
    """The builds that can be resumed, except those that another window is running. Reads a few small files."""
    try:
        records = build_records()
    except OSError:
        return ()
    return tuple(found for record in records if (found := _look(record)) is not None)


def _look(record: Path) -> PausedBuild | None:
    try:
        value = json.loads(record.read_text(encoding="utf-8"))
        sample = value.pop("sample") is True
        sources = tuple(Path(source) for source in value.pop("sources"))
        # The record is as untrusted as any file: unknown fields and impossible values are refused here. Builds that an
        # older version began encode special tokens as such.
        reading = ReadSettings.of(**{name: value.pop(name) for name in settings_of(ReadSettings) if name in value})
        kept = {"sources": sources, "out": Path(value.pop("out")), "reading": reading}
        request = BuildRequest(**{"special_tokens": AS_TOKENS, **value, **kept})
        request.check()
        partial = partial_folder(request.out)
    except FileNotFoundError:
        # The build ended, or another window discarded it, after the folder was listed.
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, CorpusError) as error:
        _LOG.warning("%s is not the record of a build: %s", record, error)
        return None
    # Taken for a moment only, to learn whether another process is building there.
    with build_lock(partial) as free:
        if not free:
            return None
        # Finished in the meantime, for example on the command line, which has no records.
        if exists(named_folder(request.out)) and not can_resume(request.out):
            forget(request.out)
            return None
    return _paused(request, partial, sample)


def _paused(request: BuildRequest, partial: Path, sample: bool) -> PausedBuild:
    paused = PausedBuild(replace(request, resume=True), sample, 0.0, 0.0)
    try:
        state = read_state(partial)
    except (OSError, ValueError):
        # Nothing was kept yet, or it is damaged; resuming reports the damage.
        return paused
    return replace(paused, read=state.read_share, sorted=state.sorted_share)


def _record(out: Path) -> Path:
    # By a hash: a path may be longer than a file name can be. Its first 128 bits are enough to tell builds apart.
    return records_folder() / f"{hashlib.sha256(os.fsencode(named_folder(out).absolute())).hexdigest()[:32]}.json"
