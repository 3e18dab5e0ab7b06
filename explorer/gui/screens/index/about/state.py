"""What the page about the open index shows. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.building.sources.source import KindCount, found_lines
from explorer.core.files.sizes import size_text
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell, short
from explorer.gui.presenting.hints import why_no_fields
from explorer.gui.screens.index.about.facts import again_of, manifest_of
from explorer.gui.screens.index.build.kind_rows import KindRow, kind_rows
from explorer.gui.screens.index.build.problems import ProblemRow, left_out_title, problem_rows
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr, trn

if TYPE_CHECKING:
    from explorer.analyses.metadata.field_counts import FieldCount
    from explorer.analyses.search.query import TokenView
    from explorer.backends.protocol.locations import Holding
    from explorer.building.request import BuildRequest
    from explorer.building.sources.source import Problem
    from explorer.core.jobs import Progress
    from explorer.corpus import Corpus

AT_ONCE = 50_000
"""Documents whose values are counted without being asked for; that takes a second."""
_SHOWN = 6
"""Values that are listed beside a field."""
_PARTS = {
    "tokenized": mark("Tokens"),
    "table": mark("Suffix array"),
    "metadata": mark("Metadata"),
    "metaoff": mark("Offsets of the metadata"),
    "offset": mark("Offsets of the documents"),
    "unigram": mark("Counts of single tokens"),
    "fm": mark("Compressed index"),
    "lines": mark("Metadata, compressed"),
    "text": mark("Text, compressed"),
    "": mark("Tokenizer and records"),
}


@dataclass(frozen=True)
class Details:
    """What is read of the index to describe it.

    sizes: Bytes of all folders by the part of the index.
    tokens: The first tokens of a document; () without a tokenizer.
    """

    sizes: Mapping[str, int]
    tokens: tuple[TokenView, ...]

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(self.sizes.values())


@dataclass(frozen=True, eq=False)
class AboutState:
    """The open index as facts.

    seconds: How long its build took, if it was built just now; None otherwise.
    details: Its sizes, and how its text is cut.
    progress: How far counting them is.
    left_out: What its build left out or changed.
    chosen: The field whose values are listed; "" for none.
    bad_line: A line that was left out, once the user asked for it.
    machines: The folders of an index on several machines, and who has each; empty for one in one place.
    """

    corpus: Corpus | None = None
    seconds: float | None = None
    details: Answer[Details] = field(default_factory=Answer)
    values: Answer[tuple[FieldCount, ...]] = field(default_factory=Answer)
    progress: Progress | None = None
    left_out: Answer[tuple[Problem, ...]] = field(default_factory=Answer)
    chosen: str = ""
    bad_line: Answer[tuple[ProblemRow, str]] = field(default_factory=Answer)
    machines: Answer[tuple[Holding, ...]] = field(default_factory=Answer)

    @property
    def fresh(self) -> bool:
        """Whether the index was built just now."""
        return self.seconds is not None

    @property
    def tiles(self) -> tuple[tuple[str, str], ...]:
        """Names and figures; what is not known is left out."""
        if self.corpus is None:
            return ()
        found = [(tr("Documents"), numeral(self.corpus.document_count)), (tr("Tokens"), short(self.corpus.token_count))]
        # Known only once values are counted, so this tile may come later than the others.
        files = next((each.different for each in self.values.value or () if each.name == "path"), None)
        if files is not None:
            found.append((tr("Files"), numeral(files)))
        if self.details.value is not None and self.details.value.size:
            found.append((tr("On disk"), size_text(self.details.value.size)))
        if self.corpus.index.has_tokenizer:
            found.append((tr("Vocabulary"), numeral(self.corpus.index.tokenizer.vocabulary_size)))
        return tuple(found)

    @property
    def skipped(self) -> Mapping[str, int]:
        """How much the build left out or changed, by reason."""
        manifest = manifest_of(self.corpus)
        return manifest.skipped if manifest is not None else {}

    @property
    def read(self) -> str:
        """What the build found and read, in a line; "" if it is not known."""
        manifest = manifest_of(self.corpus)
        return "  ·  ".join(found_lines(manifest.read)) if manifest is not None else ""

    @property
    def kinds(self) -> tuple[KindRow, ...]:
        """The files by kind, and those that were skipped; () until the details are read."""
        manifest = manifest_of(self.corpus)
        if manifest is None or self.details.value is None:
            return ()
        kinds = [KindCount(kind, files, 0) for kind, files in manifest.kinds.items()]
        found, skipped = manifest.read.get("files_found"), manifest.read.get("files_skipped")
        return kind_rows(kinds, skipped, found - skipped) if found is not None and skipped is not None else ()

    @property
    def again(self) -> BuildRequest | None:
        """The build of this index once more, in a folder beside it; None if it is not known."""
        manifest = manifest_of(self.corpus)
        if self.corpus is None or manifest is None or len(self.corpus.folders) != 1:
            return None
        return again_of(manifest, self.corpus.folders[0])

    @property
    def left_out_title(self) -> str:
        """How much was left out or changed; "" for nothing."""
        return left_out_title(self.skipped)

    @property
    def problems(self) -> tuple[ProblemRow, ...]:
        """What was left out or changed."""
        return problem_rows(self.left_out.value or ())

    @property
    def more_left_out(self) -> str:
        """How much of it is not listed."""
        listed, total = len(self.left_out.value or ()), sum(self.skipped.values())
        # Every case is counted, but a report lists only the first ones.
        if self.left_out.value is None or listed >= total:
            return ""
        return trn("{n:,} more is not listed", "{n:,} more are not listed", total - listed)

    @property
    def why_no_values(self) -> str:
        """Why values cannot be counted; "" if they can."""
        return "" if self.corpus is None else self.corpus.index.capabilities.missing("metadata")

    @property
    def fields_notice(self) -> str:
        """Why values could not be counted, or why no field is listed although there may be some; "" for neither."""
        if self.values.error is not None:
            return str(self.values.error)
        return "" if self.corpus is None else why_no_fields(self.corpus, "")

    @property
    def offers_values(self) -> bool:
        """Whether counting the values is offered."""
        # Offered again after a failure or a stop: then there are no values, and none are awaited.
        has = self.corpus is not None and bool(self.corpus.metadata_fields) and not self.why_no_values
        return has and self.values.value is None and not self.values.awaited

    @property
    def fields(self) -> tuple[tuple[Cell, ...], ...]:
        """A row per field: its name, some values, different values and documents."""
        if self.corpus is None:
            return ()
        if self.values.value is not None:
            return tuple(map(_counted_row, self.values.value))
        counts = _counts_of_build(self.corpus)
        return tuple(
            (
                Cell(cell_text(name)),
                Cell(tr("…") if self.values.awaited else "", muted=True),
                Cell("", right=True),
                Cell(numeral(counts[name]) if name in counts else "", right=True),
            )
            for name in self.corpus.metadata_fields
        )

    @property
    def chosen_values(self) -> tuple[tuple[Cell, ...], ...]:
        """The values of the chosen field: value, bar and documents."""
        found = self._chosen
        if found is None or not found.values:
            return ()
        # Bars compare values with the most frequent one: of all documents, most values would be too few to be seen.
        most = max(count for _, count in found.values)
        return tuple(
            (Cell(cell_text(value), tip=value), Cell(numeral(count), right=True, bar=count / most))
            for value, count in found.values
        )

    @property
    def chosen_title(self) -> str:
        """The chosen field, and what is known of its values."""
        found = self._chosen
        if found is None:
            return ""
        if found.different is None:
            return tr("{field}: too many different values to list", field=found.name)
        values = trn("{field}: {n:,} value", "{field}: {n:,} values", found.different, field=found.name)
        if found.different > len(found.values):
            return tr("{values}, the {count:,} most frequent", values=values, count=len(found.values))
        return values

    @property
    def _chosen(self) -> FieldCount | None:
        # By name: the choice remains when the values are counted again.
        return next((each for each in self.values.value or () if each.name == self.chosen), None)

    @property
    def sizes(self) -> tuple[tuple[str, str], ...]:
        """The parts of the index with their sizes, the largest first."""
        sizes = self.details.value.sizes if self.details.value is not None else {}
        return tuple(
            (tr(_PARTS[part]), size_text(size))
            for part, size in sorted(sizes.items(), key=lambda each: -each[1])
            if size
        )


def _counts_of_build(corpus: Corpus) -> Mapping[str, int]:
    manifest = manifest_of(corpus)
    # Of several folders, each has counts of its own.
    alone = len(corpus.folders) == 1 and manifest is not None
    return (manifest.metadata_fields or {}) if alone and manifest is not None else {}


def _counted_row(found: FieldCount) -> tuple[Cell, ...]:
    shown = ", ".join(value for value, _ in found.values[:_SHOWN])
    if found.different is None or (found.different > _SHOWN and found.different == found.documents):
        shown = tr("(free text)") if found.different is None else tr("(all different)")
    return (
        Cell(cell_text(found.name)),
        Cell(cell_text(shown), tip=shown, muted=True),
        Cell("–" if found.different is None else numeral(found.different), right=True),
        Cell(numeral(found.documents), right=True),
    )
