"""Which documents each shard gets: as a build in one process would deal them, one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.building.cluster.jobs import Slice
from explorer.building.cluster.pieces import Note, Piece, place_of
from explorer.building.sources.file_source import FileSource, Place
from explorer.building.sources.source import MOST_PROBLEMS, Problem, ReadState
from explorer.building.steps.tokenize import ShardRule


@dataclass(frozen=True)
class Dealt:
    """What a shard gets.

    token_count: Their tokens, separators included.
    end: The place in the sources after the last of them.
    """

    slices: tuple[Slice, ...]
    token_count: int
    document_count: int
    end: Place


@dataclass(frozen=True)
class NamedPiece:
    """A piece and where it is in the sources."""

    name: str
    files: int
    size: int
    piece: Piece


class _Sofar:
    """Where the pieces before the present one end."""

    def __init__(self, listed: ReadState) -> None:
        self.files = self.read = 0
        self.skipped = Counter(listed.skipped)
        self.problems = len(listed.problems)

    def place(self, named: NamedPiece, document: int) -> Place:
        """The place after a document of the present piece."""
        return self._noted(place_of(named.piece, document, self.files, self.read), named.piece.note_after(document))

    def end(self, total: int) -> Place:
        """The place after everything."""
        return self._noted(Place(self.files, 0, total), Note(0, (), 0))

    def _noted(self, place: Place, note: Note) -> Place:
        # In the order in which the reasons first occurred, as one reading would have counted them.
        skipped = Counter(self.skipped)
        for kind, number in note.skipped:
            skipped[kind] += number
        problems = min(MOST_PROBLEMS, self.problems + note.problems)
        return replace(place, skipped=tuple(skipped.items()), problems=problems)

    def leave(self, named: NamedPiece) -> None:
        """Go to the next piece."""
        after = self._noted(Place(), named.piece.end)
        self.skipped, self.problems = Counter(dict(after.skipped)), after.problems
        self.files += named.files
        self.read += named.size


def deal(pieces: Sequence[NamedPiece], rule: ShardRule, listed: ReadState) -> list[Dealt]:
    """Deal documents to shards.

    listed: What was noted while the sources were listed.
    Raises `SourceError` if a document fits into no shard.
    """
    sofar = _Sofar(listed)
    dealt: list[Dealt] = []
    slices: list[Slice] = []
    held_tokens = held_documents = 0
    last = sofar.end(0)
    for named in pieces:
        first = 0
        reads = (named.piece.places[:, 2] + sofar.read).tolist()
        for document, tokens in enumerate(named.piece.tokens.tolist()):
            if rule.begins(len(dealt) + 1, held_tokens, held_documents, tokens, reads[document]):
                slices += [Slice(named.name, first, document)] if document > first else []
                end = sofar.place(named, document - 1) if document else last
                dealt.append(Dealt(tuple(slices), held_tokens, held_documents, end))
                slices, first, held_tokens, held_documents = [], document, 0, 0
            held_tokens += tokens + 1
            held_documents += 1
        count = len(reads)
        slices += [Slice(named.name, first, count)] if count > first else []
        last = sofar.place(named, count - 1) if count else last
        sofar.leave(named)
    return [*dealt, Dealt(tuple(slices), held_tokens, held_documents, sofar.end(rule.total))]


def problems_of(pieces: Sequence[Piece], files: FileSource) -> tuple[Problem, ...]:
    """Put together what was left out or changed.

    files: The sources, with what was noted while they were listed.
    Returns: The first 1,000, with the paths by which the sources were named: workers have absolute ones.
    """
    names = {replace(file, path=file.path.absolute()).label: file.label for file in files.files}
    found = [
        replace(problem, path=names.get(problem.path, problem.path)) for piece in pieces for problem in piece.problems
    ]
    return tuple([*files.state.problems, *found][:MOST_PROBLEMS])
