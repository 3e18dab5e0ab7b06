"""`build.json`: what an interrupted build has safely on disk, and where it continues.

It is written as a whole, after the drive holds the files that it describes. A file may be longer than recorded: the
rest is cut off. Nothing else in the folder counts.
"""

from __future__ import annotations

import json
import logging
import os
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from explorer.building.request import FM, BuildRequest, partial_folder
from explorer.building.sources.file_source import DocumentSource, Place
from explorer.building.sources.readers import Problem
from explorer.core.files.json_text import own_json_text
from explorer.core.files.paths import is_file, write_whole
from explorer.errors import BuildError, TokenizerError
from explorer.i18n import mark, tr
from explorer.index.layout import MANIFEST_NAME, STATE_NAME, TOKENIZER_NAME
from explorer.index.writer import ShardState, Written
from explorer.text.special_tokens import AS_TOKENS
from explorer.text.tokens.tokenizer import BYTES_NAME, TextTokenizer

_LOG = logging.getLogger("explorer.building")
SOURCES_NAME = "sources.json"
# Raised when a field changes its meaning: a state in another format is refused, not interpreted.
_FORMAT = 2
_CHUNK = 1 << 22


@dataclass(frozen=True)
class BuildState:
    """A build in progress, as it is recorded in `build.json`.

    parameters: The parameters that determine the content of the files.
    tokenizer_sha256: SHA-256 of the tokenizer's file; "" for bytes.
    files: The size and checksum of files that belong to no shard.
    shards: The shards that were started, in order.
    ends: The place in the sources at which each shard stops.
    tables: The files that are made of the shards: suffix arrays, or those of a compressed index.
    problems: What was left out or changed so far.
    complete: Whether every document was tokenized.
    seconds: The time that the build has taken so far.
    """

    parameters: dict[str, Any]
    token_width: int
    tokenizer: str
    tokenizer_sha256: str
    total_bytes: int
    files: dict[str, Written]
    shards: tuple[ShardState, ...] = ()
    ends: tuple[Place, ...] = ()
    tables: dict[str, Written] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    complete: bool = False
    seconds: float = 0.0

    @property
    def token_count(self) -> int:
        """Tokens on disk, separators included."""
        return sum(shard.token_count for shard in self.shards)

    @property
    def document_count(self) -> int:
        """Documents on disk."""
        return sum(shard.document_count for shard in self.shards)

    @property
    def read_share(self) -> float:
        """The share of the sources that is tokenized, from 0 to 1."""
        if self.complete:
            return 1.0
        return min(1.0, self.ends[-1].read / max(1, self.total_bytes)) if self.ends else 0.0

    @property
    def sorted_share(self) -> float:
        """The share of the tokens that is sorted, from 0 to 1; 0 until the sources have been read to the end."""
        name = "fm" if self.parameters.get("format") == FM else "table"
        names = [f"{name}.{number}" in self.tables for number in range(len(self.shards))]
        done = sum(shard.token_count for shard, known in zip(self.shards, names, strict=True) if known)
        return done / max(1, self.token_count) if self.complete else 0.0

    def write(self, partial: Path) -> None:
        """Replace `build.json`; the files that it describes must be on the drive already.

        Raises `OSError` if it cannot be written; the old one then stays.
        """
        # The order is the promise: data, then sync, then this file under another name, then the rename. A loss of power
        # at any moment leaves the old file or the new one, and what either describes is on the drive.
        value = {"format": _FORMAT, **asdict(self)}
        write_whole(partial / STATE_NAME, own_json_text({"checksum": _checksum_of(value), **value}))


def can_resume(out: Path) -> bool:
    """Whether an interrupted build into `out` can be resumed."""
    partial = partial_folder(out)
    # A manifest alone: the index is complete, and was not moved yet.
    return is_file(partial / STATE_NAME) or is_file(partial / MANIFEST_NAME)


def read_state(partial: Path) -> BuildState:
    """Read `build.json`.

    Raises `ValueError` if it has content that this program does not write.
    """
    try:
        return _state_of(json.loads((partial / STATE_NAME).read_text(encoding="utf-8")))
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def _checksum_of(value: dict[str, Any]) -> int:
    # Of the value in a fixed order, not of the text of the file.
    return zlib.crc32(json.dumps(value, sort_keys=True).encode("ascii"))


def _state_of(value: dict[str, Any]) -> BuildState:
    if value.pop("checksum") != _checksum_of(value) or value["format"] != _FORMAT:
        raise ValueError(tr("it is damaged, or was written by another version of this program"))
    # Every field is checked here, so that a damaged state ends in one error and not in a wrong index.
    shards = tuple(_shard_of(shard) for shard in value["shards"])
    ends = tuple(_place_of(place) for place in value["ends"])
    # Each shard ends at a place in the sources, where reading continues if the shards after it are dropped.
    if len(shards) != len(ends):
        raise ValueError("the numbers of shards and ends differ")
    return BuildState(
        parameters=_of(dict, value["parameters"]),
        token_width=_one_of((1, 2, 4), value["token_width"]),
        tokenizer=_of(str, value["tokenizer"]),
        tokenizer_sha256=_of(str, value["tokenizer_sha256"]),
        total_bytes=_count(value["total_bytes"]),
        files=_files_of(value["files"]),
        shards=shards,
        ends=ends,
        tables=_files_of(value["tables"]),
        problems=tuple(_problem_of(problem) for problem in value["problems"]),
        complete=_of(bool, value["complete"]),
        seconds=float(value["seconds"]),
    )


def _shard_of(value: dict[str, Any]) -> ShardState:
    return ShardState(_count(value["token_count"]), _count(value["document_count"]), _files_of(value["files"]))


def _place_of(value: dict[str, Any]) -> Place:
    skipped = tuple((_of(str, reason), _count(number)) for reason, number in value["skipped"])
    return Place(
        _count(value["file"]), _count(value["documents"]), _count(value["read"]), skipped, _count(value["problems"])
    )


def _problem_of(value: dict[str, Any]) -> Problem:
    kind = _of(str, value.get("kind", ""))
    return Problem(_of(str, value["path"]), _count(value["place"]), _of(str, value["reason"]), kind)


def _files_of(value: dict[str, Any]) -> dict[str, Written]:
    found = {name: Written(_count(file["size"]), _count(file["checksum"])) for name, file in value.items()}
    # Files are cut and removed by these names: nobody's file elsewhere may be named in a damaged or forged state.
    if any(Path(name).name != name for name in found):
        raise ValueError("a file outside the folder")
    return found


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"{value!r:.50} instead of {kind.__name__}")
    return value


def _one_of(values: tuple[int, ...], value: Any) -> int:
    if _count(value) not in values:
        raise ValueError(f"{value!r:.50} instead of one of {values}")
    return int(value)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r:.50} instead of a number from 0")
    return value


def state_to_resume(
    request: BuildRequest, partial: Path, source: DocumentSource, check: Callable[[], None]
) -> BuildState | None:
    """Read the state of an interrupted build, as far as its files are sound.

    request: The build to resume; its parameters must be the same.
    source: The documents; the sources must be unchanged.
    check: Called between files while they are verified; it raises to stop.
    Returns: The state; None if nothing was begun. Damaged tokens are dropped, so that they are made again, and the log
        records it.
    Raises `BuildError` if the build cannot be resumed: other parameters, other sources, another tokenizer, or damage.

    Notes
    -----
    Reads all files of the build once, for their checksums.
    """
    if not (partial / STATE_NAME).is_file():
        return None
    try:
        state = read_state(partial)
        listing = json.loads(_sound_text(partial / SOURCES_NAME, state))
    except (OSError, ValueError, RecursionError) as error:
        raise BuildError(
            mark("{path} cannot be read ({cause}). Nothing was changed."),
            reason="state-unreadable",
            option="restart",
            path=partial / STATE_NAME,
            cause=error,
        ) from error
    # What is quickly refused comes first: the checksums read all files of the build.
    _check_wishes(request, state, partial)
    if changed := source.changed_since(listing):
        raise BuildError(
            mark("The source {path} has changed since the build in {partial} started. Nothing was changed."),
            reason="source-changed",
            option="restart",
            path=changed,
            partial=partial,
        )
    _check_tokenizer(request, state, partial)
    # The new parameters: they may add `skip_bad`, which the manifest then states.
    return _sound_part(partial, replace(state, parameters=request.parameters), check)


def _sound_text(path: Path, state: BuildState) -> str:
    known = state.files[path.name] if path.name in state.files else Written()
    if problem := what_is_wrong(path, known):
        raise ValueError(problem)
    return path.read_text(encoding="utf-8")


def _check_wishes(request: BuildRequest, state: BuildState, partial: Path) -> None:
    """Require the same parameters, except for skip_bad: lines may be left out from the one that stopped the build."""
    # Builds that an older version began encode special tokens as such.
    wished, begun = request.parameters, {"special_tokens": AS_TOKENS, **state.parameters}
    # The format is stated only where it is not the usual one, so that of the build may be missing in the wishes.
    names = dict.fromkeys([*wished, "format"])
    differ = [name for name in names if begun.get(name) != wished.get(name)]
    if differ and not (differ == ["skip_bad"] and request.skip_bad):
        raise BuildError(
            mark("The build in {path} was started with other parameters ({names}). Nothing was changed."),
            reason="other-parameters",
            option="restart",
            path=partial,
            names=", ".join(f"{name}: {begun.get(name)}" for name in differ),
        )


def _check_tokenizer(request: BuildRequest, state: BuildState, partial: Path) -> None:
    """Require that the build's tokenizer is still there, and that the user's file has not changed."""
    if state.token_width == 1 and request.tokenizer == BYTES_NAME:
        return
    try:
        _sound_text(partial / TOKENIZER_NAME, state)
    except (OSError, ValueError) as error:
        raise BuildError(
            mark("{path} can no longer be used ({cause}). Nothing was changed."),
            reason="tokenizer-damaged",
            option="restart",
            path=partial / TOKENIZER_NAME,
            cause=error,
        ) from error
    # A trained tokenizer exists only in this folder; there is no file of the user to compare it with.
    if not request.trains:
        try:
            chosen = request.given or TextTokenizer.from_file(tokenizer_path(request.tokenizer))
            same = chosen.fingerprint == state.tokenizer_sha256
        except TokenizerError:
            # The copy in the folder is used.
            return
        if not same:
            raise BuildError(
                mark("{path} is not the tokenizer with which the build in {partial} was started. Nothing was changed."),
                reason="other-tokenizer",
                option="restart",
                path=request.tokenizer,
                partial=partial,
            )


def tokenizer_path(choice: str) -> Path:
    """The file that the user named, or the one in the folder that the user named."""
    return Path(choice) / TOKENIZER_NAME if Path(choice).is_dir() else Path(choice)


def _sound_part(partial: Path, state: BuildState, check: Callable[[], None]) -> BuildState:
    """The state up to the first damaged shard, and its sound tables."""
    # Shards are contiguous parts of the sources: what follows a damaged one is dropped with it, since reading can only
    # continue where the last sound shard ends.
    for number, shard in enumerate(state.shards):
        check()
        problems = [_cut_to(partial / name, known) for name, known in shard.files.items()]
        if problem := next(filter(None, problems), ""):
            _LOG.warning("%s. The texts are tokenized again, starting with shard %d.", problem, number)
            state = replace(state, shards=state.shards[:number], ends=state.ends[:number], complete=False)
            break
    sound = {}
    for name, known in state.tables.items():
        # Of a shard that was dropped, nothing is kept.
        if int(name.rpartition(".")[2]) >= len(state.shards):
            continue
        check()
        if problem := _cut_to(partial / name, known):
            _LOG.warning("%s. It is made again.", problem)
        else:
            sound[name] = known
    return replace(state, tables=sound)


def _cut_to(path: Path, known: Written) -> str:
    """Cut off what was not declared; returns what is wrong with the rest."""
    # Compared before it is cut: a file that is damaged is left as it is.
    problem = what_is_wrong(path, known)
    # What follows was written after the last checkpoint; its documents are tokenized again.
    if not problem and path.stat().st_size > known.size:
        os.truncate(path, known.size)
    return problem


def what_is_wrong(path: Path, known: Written) -> str:
    """Compare a file with the record of what was written to it.

    known: The size and checksum of what was written; the file may be longer.
    Returns: Why the file does not begin with that; "" if it does.

    Notes
    -----
    Reads the file once.
    """
    try:
        # A file that is too short is damaged, which shows without reading it.
        size = path.stat().st_size
        if size < known.size:
            return tr("{path} has {size:,} bytes instead of {known:,}", path=path, size=size, known=known.size)
        found = _checksum(path, known.size)
    except OSError as error:
        return tr("{path} cannot be read: {reason}", path=path, reason=error.strerror)
    return "" if found == known.checksum else tr("{path} is damaged: its content has changed", path=path)


def _checksum(path: Path, size: int) -> int:
    checksum = 0
    with open(path, "rb") as file:
        while size > 0 and (data := file.read(min(size, _CHUNK))):
            checksum = zlib.crc32(data, checksum)
            size -= len(data)
    return checksum
