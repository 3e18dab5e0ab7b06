"""A piece of the sources as tokens: how a worker writes it, and what the head reads of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from explorer.building.cluster.jobs import PIECES, PieceJob
from explorer.building.sources.file_source import FileSource, Place
from explorer.building.sources.source import Problem, ReadState, SourceFile
from explorer.building.steps.tokenize import batches, encode_ahead
from explorer.core.arrays import ArrayValue
from explorer.core.files.json_text import own_json_text
from explorer.core.files.paths import sync_folder, sync_path, write_whole
from explorer.core.jobs import CancelToken
from explorer.errors import SourceError, TokenizerError
from explorer.i18n import mark
from explorer.index.layout import TOKENIZER_NAME
from explorer.index.writer import ShardWriter, written_of
from explorer.text.special_tokens import AS_TEXT
from explorer.text.tokens.tokenizer import TextTokenizer

_FACTS, _PLACES = "piece.json", "places.npy"


@dataclass(frozen=True)
class Note:
    """What had been left out or changed from a document on.

    document: The number of the document in the piece.
    skipped: The number of cases per reason, in the order in which they first occurred.
    problems: How many were noted.
    """

    document: int
    skipped: tuple[tuple[str, int], ...]
    problems: int


@dataclass(frozen=True, eq=False)
class Piece(ArrayValue):
    """What the head needs to know of a piece.

    tokens: Tokens of each document, without its separator, int64.
    places: For each document the place after it: files, documents of the next file, and bytes read, int64, n x 3.
    notes: Where something was left out or changed.
    end: The notes after its last file.
    problems: The first 1,000 problems.
    """

    tokens: NDArray[np.int64]
    places: NDArray[np.int64]
    notes: tuple[Note, ...]
    end: Note
    problems: tuple[Problem, ...]

    def note_after(self, document: int) -> Note:
        """What had been noted when a document was read."""
        known = [note for note in self.notes if note.document <= document]
        return known[-1] if known else Note(0, (), 0)


def write_piece(job: PieceJob, cancel: CancelToken) -> None:
    """Tokenize the files of a piece, unless that was done.

    Raises `SourceError` if a file cannot be read, or is another one than the head listed.
    Raises `TokenizerError` if the tokenizer in the folder is another one than that of the build.
    Raises `OSError` if the folder cannot be written.
    """
    place = job.partial / PIECES / job.name
    if _is_sound(place):
        return
    with work_folder(place) as work:
        _write(job, work, cancel)
        for path in work.iterdir():
            sync_path(path)
        _put(work, place)


@contextmanager
def work_folder(place: Path) -> Iterator[Path]:
    """Make a folder beside a place for one attempt: another worker may be at the same work."""
    # The folder above is the head's: if it removed it, nobody wants the work.
    work = place.with_name(f"{place.name}-{uuid4().hex[:8]}")
    work.mkdir()
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _put(work: Path, place: Path) -> None:
    """Give a finished piece its name: the first attempt wins."""
    try:
        work.rename(place)
    except OSError:
        if _is_sound(place):
            return
        # What is there is damaged.
        shutil.rmtree(place)
        work.rename(place)
    sync_folder(place.parent)


def _write(job: PieceJob, work: Path, cancel: CancelToken) -> None:
    for file in job.files:
        _check_same(file)
    tokenizer = _tokenizer(job).treating_special(job.request.special_tokens == AS_TEXT)
    # What a document with token ids is compared with.
    request = replace(job.request, given=tokenizer)
    source = FileSource(job.files, request.options(job.side), ReadState())
    writer = ShardWriter(work, 0, job.token_width)
    places: list[tuple[int, int, int]] = []
    notes: list[Note] = []
    try:
        for batch, encoded in encode_ahead(tokenizer, job.token_width, batches(source.documents())):
            cancel.check()
            for (document, place), ids in zip(batch, encoded, strict=True):
                note = Note(len(places), place.skipped, place.problems)
                if (note.skipped, note.problems) != ((notes[-1].skipped, notes[-1].problems) if notes else ((), 0)):
                    notes.append(note)
                writer.add(document, ids)
                places.append((place.file, place.documents, place.read))
        files = writer.finish().files
    finally:
        writer.close()
    np.save(work / _PLACES, np.array(places, dtype=np.int64).reshape(-1, 3))
    end = source.end()
    facts = {
        "files": {name: asdict(written) for name, written in files.items()},
        "places": asdict(written_of(work / _PLACES)),
        "notes": [[note.document, note.skipped, note.problems] for note in notes],
        "end": [len(places), end.skipped, end.problems],
        "problems": [[each.path, each.place, each.reason, each.kind] for each in source.state.problems],
    }
    write_whole(work / _FACTS, own_json_text(facts))


def _check_same(file: SourceFile) -> None:
    """Require a file as the head listed it: a worker may have another one under the same path, or none."""
    if file.far is not None:
        return  # the commit in its address identifies the file
    try:
        found = file.path.stat()
    except OSError as error:
        raise SourceError(
            mark("{path} cannot be read by this worker: {cause}."),
            reason="source-not-on-worker",
            path=file.path,
            cause=error.strerror or error,
        ) from error
    if not file.is_as(found):
        raise SourceError(
            mark("{path} is another file on this worker, or has changed since the build began."),
            reason="source-changed",
            path=file.path,
        )


def _tokenizer(job: PieceJob) -> TextTokenizer:
    if not job.tokenizer_sha256:
        return TextTokenizer.raw_bytes()
    tokenizer = TextTokenizer.from_file(job.partial / TOKENIZER_NAME)
    if tokenizer.fingerprint != job.tokenizer_sha256:
        raise TokenizerError(
            mark("{path} is another tokenizer on this worker: {found} instead of {expected}."),
            reason="other-tokenizer",
            path=job.partial / TOKENIZER_NAME,
            found=tokenizer.fingerprint[:12],
            expected=job.tokenizer_sha256[:12],
        )
    return tokenizer


def _is_sound(place: Path) -> bool:
    """Whether a piece is there, and every byte of it is as it was written."""
    try:
        facts = json.loads((place / _FACTS).read_text(encoding="utf-8"))
        known = {**facts["files"], _PLACES: facts["places"]}
        return all(asdict(written_of(place / Path(name).name)) == written for name, written in known.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def read_piece(partial: Path, name: str, token_width: int) -> Piece:
    """Read what the head needs to know of a piece that a worker has written.

    Returns: Its facts: about 32 bytes of memory per document.
    Raises `OSError` if a file cannot be read.
    """
    place = partial / PIECES / name
    facts: dict[str, Any] = json.loads((place / _FACTS).read_text(encoding="utf-8"))
    begins = np.fromfile(place / "offset.0", dtype="<u8").astype(np.int64)
    ends = np.append(begins, (place / "tokenized.0").stat().st_size)[1:]
    return Piece(
        (ends - begins) // token_width - 1,
        np.load(place / _PLACES, allow_pickle=False),
        tuple(map(_note, facts["notes"])),
        _note(facts["end"]),
        tuple(Problem(*each) for each in facts["problems"]),
    )


def _note(value: list[Any]) -> Note:
    document, skipped, problems = value
    return Note(document, tuple((kind, number) for kind, number in skipped), problems)


def place_of(piece: Piece, document: int, files: int, read: int) -> Place:
    """The place after a document, without notes; `files` and `read` are those of the pieces before it."""
    file, documents, done = piece.places[document].tolist()
    return Place(files + file, documents, read + done)
