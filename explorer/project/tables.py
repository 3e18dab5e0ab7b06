"""Saved sets as lines, and as tables with their marks and notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from explorer.analyses.search.chosen import kept_lines
from explorer.analyses.search.concordance import Concordance, ConcordanceLine
from explorer.backends.places import HitPlace
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.export.provenance import match_facts
from explorer.export.records.line import LineTable
from explorer.i18n import mark
from explorer.project.lines import KeptLines
from explorer.project.values import LineSet, Project

MARK, NOTE = "mark", "note"
"""Names of the columns of exported lines."""


class ChangedIndexError(CorpusError):
    """A set was saved from an index with other contents: its places would be other lines."""


def lines_of_set(corpus: Corpus, kept: LineSet) -> Concordance:
    """Make the lines of a saved set, without searching for them.

    Returns: The lines that were not deleted, in the order of the set.
    Raises `ChangedIndexError` if the index has other contents than the set was saved from.
    Raises `QueryError` if a place is not in the index.
    """
    check_fingerprint(corpus, kept)
    # Not by asking the query again: a set is exactly its lines, even where another search would find others.
    return kept_lines(corpus.index, [line.place for line in kept.lines.listed], columns=corpus.columns)


def check_fingerprint(corpus: Corpus, kept: LineSet) -> None:
    """Check that an index has the contents that a set was saved from. Reads 64 blocks per shard.

    Raises `ChangedIndexError` if it has others. A set without a fingerprint passes.
    """
    # Sets of other programs may lack it. Each place is still checked when lines are made.
    if kept.fingerprint and corpus.index.fingerprint != kept.fingerprint:
        raise ChangedIndexError(
            mark("The set “{name}” was saved from other contents than the index {index} has now."),
            reason="index-changed",
            name=kept.name,
            index=corpus.index.name,
        )


def set_table(corpus: Corpus, kept: LineSet, width: int = 10) -> LineTable:
    """Make a table of a saved set for an export, with its marks and notes.

    width: Tokens of context on each side.
    """
    # Marks and notes are looked up line by line while the table is written, so it needs no second copy of them.
    return LineTable(lines_of_set(corpus, kept), width, more=MARKS, more_cells=cells_of(kept.lines))


# In the order of the cells that `cells_of` gives.
MARKS = (MARK, NOTE)


def cells_of(kept: KeptLines) -> Callable[[ConcordanceLine], Sequence[str]]:
    """Give the cells of marks and notes for the lines of a table.

    Returns: A function of a line: "marked" or "", and its note.
    """

    def cells(line: ConcordanceLine) -> Sequence[str]:
        found = kept.at(place_of(line))
        return ("marked" if found.marked else "", found.note)

    return cells


def place_of(line: ConcordanceLine) -> HitPlace:
    """Where a line's match is."""
    # All five numbers: marks are found by the whole place, not by its beginning alone.
    return HitPlace(line.document, line.offset, line.length, line.begin, line.rest)


def set_facts(kept: LineSet, project: Project) -> tuple[tuple[str, str], ...]:
    """What an export of a set states about it."""
    lines, query = kept.lines, kept.query
    numbers = (("sample", query.sample), ("collapsed within tokens", query.collapse), ("seed", query.seed))
    return (
        # A new project has a path that only serves to resolve others, and no file.
        ("project", str(project.file) if project.origin is not None else ""),
        ("set", kept.name),
        ("note on the set", kept.note),
        ("query", query.text),
        *match_facts(query.options),
        ("distance", str(query.distance)),
        *((("place of phrase", str(query.node + 1)),) if query.node else ()),
        *(("filter", str(condition)) for condition in query.filters),
        ("order of the query", query.sort),
        *((name, str(number)) for name, number in numbers if number),
        ("lines", str(len(lines.listed))),
        ("marked", str(len(lines.marked))),
        ("lines with notes", str(len(lines.noted))),
        # Named although these lines are not exported: a reader sees that the set was edited.
        ("deleted", str(len(lines.deleted))),
    )
