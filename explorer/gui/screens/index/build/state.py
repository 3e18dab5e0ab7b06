"""What the page that prepares a build shows. No Qt."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.building.sources.source import COPIES, COPIES_READ, found_lines, noticed_lines
from explorer.core.files.json_text import write_json
from explorer.core.files.sizes import size_text
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import offers, told
from explorer.gui.screens.index.build.kind_rows import KindRow, kind_rows
from explorer.gui.screens.index.build.problems import ProblemRow, commands_of, left_out_title
from explorer.i18n import mark, numeral, tr, trn
from explorer.documents.read_settings import AS_USUAL, ReadSettings
from explorer.http.wire.hub import is_hub, shown_source

if TYPE_CHECKING:
    from explorer.building.estimate.estimate import BuildEstimate, FormatEstimate, SampleText
    from explorer.building.sources.recognized import Recognized, SeenField
    from explorer.building.request import BuildRequest
    from explorer.building.sources.side_metadata import Proposal
    from explorer.errors import CorpusError
    from explorer.core.jobs import Progress

REMEDIES = ("skip_bad", "metadata", "exclude", "text_field", "restart")
"""What the form can do about errors, by the names in `explorer.gui.presenting.hints`."""


class Tokenizers(IntEnum):
    """The choices of a tokenizer, in their order."""

    TRAIN = 0
    BYTES = 1
    FILE = 2


class Formats(IntEnum):
    """The stops of the slider, the largest index first, in the order of an estimate's formats."""

    FAST = 0
    WITH_TEXT = 1
    SMALLEST = 2


FORMAT_TITLES = (mark("Fast"), mark("Compact, with text"), mark("Smallest"))
"""What the stops are called, in the order of `Formats`."""

ENCODINGS = (
    ("auto:windows-1252", mark("Windows-1252 (Western)")),
    ("auto:windows-1250", mark("Windows-1250 (Central European)")),
    ("auto:windows-1251", mark("Windows-1251 (Cyrillic)")),
    ("auto:koi8-r", mark("KOI8-R (Cyrillic)")),
    ("auto:windows-1253", mark("Windows-1253 (Greek)")),
    ("auto:windows-1254", mark("Windows-1254 (Turkish)")),
    ("auto:windows-1255", mark("Windows-1255 (Hebrew)")),
    ("auto:windows-1256", mark("Windows-1256 (Arabic)")),
    ("auto:gb18030", mark("GB 18030 (Chinese)")),
    ("auto:big5", mark("Big5 (Chinese)")),
    ("auto:shift_jis", mark("Shift JIS (Japanese)")),
    ("auto:euc-kr", mark("EUC-KR (Korean)")),
)
"""Encodings that are offered for texts in which none is declared or detected, and what they are called."""


@dataclass(frozen=True)
class Entries:
    """What is entered in the form.

    sources: Files and folders, each once.
    out: The folder of the index, as it was typed.
    name: What to call the index; "" for the name of its folder.
    vocabulary: Entries of a tokenizer that is trained.
    tokenizer_file: The path of a tokenizer that is read.
    text_field: The field or column that contains the text; "" for the one that is proposed.
    shards: The minimum number of shards.
    skip_bad: Whether bad lines are left out.
    encoding: The encoding of texts whose encoding is not detected, one of `ENCODINGS`; "" to leave them out.
    format: How large the index is, and how fast; a compressed one is of bytes, whatever the tokenizer.
    metadata: A table with a row for each file; "" for none.
    exclude: Files of the sources that are not read.
    skip_duplicates: Whether files with the content of another one are skipped.
    reading: How files become texts.
    """

    sources: tuple[str, ...] = ()
    out: str = ""
    name: str = ""
    tokenizer: Tokenizers = Tokenizers.TRAIN
    vocabulary: int = 16_384
    tokenizer_file: str = ""
    text_field: str = ""
    shards: int = 1
    skip_bad: bool = False
    encoding: str = ""
    format: Formats = Formats.FAST
    metadata: str = ""
    exclude: tuple[str, ...] = ()
    skip_duplicates: bool = False
    reading: ReadSettings = AS_USUAL

    @property
    def used_tokenizer(self) -> Tokenizers:
        """The tokenizer of the build: a compressed index is of bytes."""
        return self.tokenizer if self.format is Formats.FAST else Tokenizers.BYTES

    @property
    def complete(self) -> bool:
        """Whether they describe a build."""
        file = self.used_tokenizer is not Tokenizers.FILE or bool(self.tokenizer_file.strip())
        return bool(self.sources and self.out.strip()) and file

    @property
    def target(self) -> Path:
        """The new index's folder; a bare name is placed next to the first source, not in the working directory."""
        # Path.expanduser would fail for the home of nobody.
        path = Path(os.path.expanduser(self.out.strip()))  # noqa: PTH111
        # An absolute path replaces what is before it.
        return self._beside / path if self.sources else path

    @property
    def _beside(self) -> Path:
        """The folder for the index of the first source: its own, or that of the user for what is elsewhere."""
        return Path.home() if is_hub(self.sources[0]) else Path(self.sources[0]).parent

    @property
    def proposed(self) -> str:
        """Where to build from the first source."""
        first = Path(self.sources[0])
        # All endings go: the name of texts.jsonl.gz becomes texts-index.
        return str(self._beside / f"{first.name.split('.')[0]}-index")

    def request(self) -> BuildRequest:
        """The build that they describe; with "" as its text field, the proposed one is to be read."""
        names = {
            Tokenizers.TRAIN: f"train:{self.vocabulary}",
            Tokenizers.BYTES: "bytes",
            Tokenizers.FILE: self.tokenizer_file.strip(),
        }
        from explorer.building.request import FM, SUFFIX_ARRAY, BuildRequest

        return BuildRequest(
            sources=tuple(map(Path, self.sources)),
            out=self.target,
            tokenizer=names[self.used_tokenizer],
            text_field=self.text_field.strip(),
            shards=self.shards,
            skip_bad=self.skip_bad,
            name=self.name.strip(),
            encoding=self.encoding,
            metadata=self.metadata,
            exclude=self.exclude,
            skip_duplicates=self.skip_duplicates,
            reading=self.reading,
            format=SUFFIX_ARRAY if self.format is Formats.FAST else FM,
            keep_text=self.format is Formats.WITH_TEXT,
        )


def entries_of(request: BuildRequest) -> Entries:
    """What to enter for a build."""
    choice, _, vocabulary = request.tokenizer.partition(":")
    kinds = {"train": Tokenizers.TRAIN, "bytes": Tokenizers.BYTES}
    kind = kinds.get(choice, Tokenizers.FILE)
    trained = kind is Tokenizers.TRAIN and vocabulary.isdecimal()
    return Entries(
        sources=tuple(map(shown_source, request.sources)),
        out=str(request.out),
        name=request.name,
        tokenizer=kind,
        vocabulary=int(vocabulary) if trained else Entries.vocabulary,
        tokenizer_file=request.tokenizer if kind is Tokenizers.FILE else "",
        text_field=request.text_field,
        shards=request.shards,
        skip_bad=request.skip_bad,
        encoding=request.encoding,
        metadata=request.metadata,
        exclude=request.exclude,
        skip_duplicates=request.skip_duplicates,
        reading=request.reading,
        format=_format_of(request),
    )


def _format_of(request: BuildRequest) -> Formats:
    from explorer.building.request import FM

    if request.format != FM:
        return Formats.FAST
    return Formats.WITH_TEXT if request.keep_text else Formats.SMALLEST


@dataclass(frozen=True)
class SeenDocument:
    """A document before the build.

    facts: What else is known of it, in a line.
    """

    title: str
    facts: str
    text: str


@dataclass(frozen=True)
class Looked:
    """What was found in the sources, also as rows, and whether an interrupted build in the folder can be resumed."""

    found: Recognized
    left_out: tuple[ProblemRow, ...]
    resumable: bool


@dataclass(frozen=True)
class Estimated:
    """What a build would need, and whether an interrupted one in its folder can be resumed."""

    estimate: BuildEstimate
    resumable: bool


@dataclass(frozen=True)
class Built:
    """An index that was built: its own name, "" if it has none, and its tokens."""

    name: str
    tokens: int


@dataclass(frozen=True, eq=False)
class BuildState:
    """The form, what was found in its sources, and the build that runs or ran last.

    found: What the sources are; None before anything was found. It may belong to earlier entries, see `estimate`.
    left_out: What the build would leave out or change.
    estimate: What the build would need.
    begun: The build that was started last; None before the first one.
    pausing: Whether it was asked to pause.
    discarding: Whether it was asked to stop and to remove what it has done.
    progress: How far it is; None before its first report.
    bad_line: A line that cannot be read, as it is in its file, once the user asked for it.
    kind: The kind of files whose first documents are shown; None for all.
    """

    entries: Entries = field(default_factory=Entries)
    found: Recognized | None = None
    left_out: tuple[ProblemRow, ...] = ()
    estimate: Answer[Estimated] = field(default_factory=Answer)
    begun: BuildRequest | None = None
    build: Answer[Built] = field(default_factory=Answer)
    pausing: bool = False
    discarding: bool = False
    progress: Progress | None = None
    bad_line: Answer[str] = field(default_factory=Answer)
    kind: str | None = None

    @property
    def building(self) -> bool:
        """Whether a build runs."""
        return self.build.awaited

    @property
    def stopping(self) -> bool:
        """Whether the build was asked to end before it is complete."""
        return self.building and (self.pausing or self.discarding)

    @property
    def can_build(self) -> bool:
        """Whether a build can start."""
        return self.entries.complete and not self.building

    @property
    def can_resume(self) -> bool:
        """Whether the build in the folder that is entered can be resumed."""
        # An old estimate looked into another folder, or at other settings, with which nothing can be resumed.
        found = self.estimate.current
        return self.can_build and found is not None and found.resumable

    @property
    def target(self) -> Path | None:
        """The folder of the build that runs; None if none does."""
        return self.begun.out if self.building and self.begun is not None else None

    @property
    def building_title(self) -> str:
        """The build that runs, in words."""
        if self.begun is None:
            return ""
        return tr("Building “{name}”", name=self.begun.name or self.begun.out.name)

    @property
    def error(self) -> CorpusError | None:
        """Why the last build failed, or why one would."""
        # While a build runs, nobody needs to know why another would fail. After it, its own error comes first: the
        # estimate that follows its end knows nothing of it.
        if self.build.error is not None or self.building:
            return self.build.error
        if self.estimate.error is not None:
            return self.estimate.error
        return self.estimate.value.estimate.stops_at if self.estimate.value is not None else None

    @property
    def notice(self) -> str:
        """The error and what to do; "" if there is none."""
        return told(self.error) if self.error is not None else ""

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that install what is missing to read more files, each once."""
        return commands_of(self.found.left_out) if self.found is not None else ()

    @property
    def warning(self) -> str:
        """What to know before the build; "" for nothing."""
        # What does not fit matters only to a build that can start.
        if self.building or self.error is not None or self.estimate.value is None:
            return ""
        return " ".join(self.estimate.value.estimate.warnings)

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about the error, of `REMEDIES`."""
        found = offers(self.error) if self.error is not None else ()
        able = {"metadata": self.proposal is not None, "exclude": bool(self.bad_file)}
        # Where no field can be the text, there is nothing to choose.
        able["text_field"] = bool(self.text_fields)
        return tuple(name for name in REMEDIES if name in found and able.get(name, True))

    @property
    def bad_file(self) -> str:
        """The file at which the build stops, if others would be left; "" if there is none."""
        path = self.error.fields.get("path") if self.error is not None else None
        files = sum(each.files for each in self.found.kinds) if self.found is not None else 0
        return str(path) if isinstance(path, str | Path) and files > 1 else ""

    @property
    def proposal(self) -> Proposal | None:
        """The table at which the build stops, if it names files; None if it does not."""
        tables = self.found.tables if self.found is not None else ()
        return next((table for table in tables if str(table.path) == self.bad_file), None)

    @property
    def why_not_build(self) -> str:
        """Why a build cannot start; "" if it can."""
        if not self.entries.complete:
            return tr("Choose files and a folder for the index first")
        if self.building:
            return tr("A build is running")
        # What an estimate found would stop the build as well. What stopped the last build may be settled by now.
        stops = self.estimate.current is None and self.estimate.error is not None
        if stops or (self.estimate.current is not None and self.estimate.current.estimate.stops_at is not None):
            return self.notice
        return ""

    @property
    def choices(self) -> str:
        """The table of metadata and the files that are excluded, in words; "" for neither."""
        parts = []
        if self.entries.metadata:
            parts.append(tr("Metadata from {name}", name=Path(self.entries.metadata).name))
        if self.entries.exclude:
            names = ", ".join(Path(path).name for path in self.entries.exclude)
            parts.append(tr("Excluded: {names}", names=names))
        return "  ·  ".join(parts)

    @property
    def bad_place(self) -> tuple[Path, int] | None:
        """The file and the line, counted from 1, at which the build stops; None if it is not at a line."""
        fields = self.error.fields if self.error is not None else {}
        path, line = fields.get("path"), fields.get("line")
        # An error that comes from another process has texts for its paths.
        return (Path(path), line) if isinstance(line, int) and isinstance(path, str | Path) else None

    @property
    def summary(self) -> str:
        """What the sources are, in a line: what is read and what is skipped add up to what was found."""
        if self.found is None:
            return tr("Reading the files …") if self.estimate.awaited else ""
        if not self.found.kinds:
            return tr("No file with text was found")
        counts = {"files_found": self.found.files_found, "files_skipped": self.skipped_files}
        return "  ·  ".join([*found_lines(counts), size_text(sum(each.bytes for each in self.found.kinds))])

    @property
    def skipped_files(self) -> int:
        """The number of files that will not be read."""
        found = self.found
        if found is None or found.files_found is None:
            return 0
        return found.files_found - sum(each.files for each in found.kinds)

    @property
    def copies(self) -> str:
        """What can be done about files that are copies of others; "" if there are none."""
        skipped = self.found.skipped if self.found is not None else {}
        number = skipped.get(COPIES_READ, 0) + skipped.get(COPIES, 0)
        if not number:
            return ""
        return trn("Skip {n:,} file that is a copy of another", "Skip {n:,} files that are copies of others", number)

    @property
    def kinds(self) -> tuple[KindRow, ...]:
        """The files by kind, and those that will not be read."""
        return kind_rows(self.found.kinds, self.skipped_files) if self.found is not None and self.found.kinds else ()

    @property
    def estimated(self) -> tuple[tuple[str, str], ...]:
        """The estimate as names and figures; () without one."""
        if self.estimate.value is None:
            return ()
        return estimate_figures(self.estimate.value.estimate)

    @property
    def format_sizes(self) -> tuple[str, ...]:
        """What an index of each format takes on disk, in the order of `Formats`; () without an estimate."""
        if self.estimate.value is None:
            return ()
        return format_sizes(self.estimate.value.estimate, self.entries)

    @property
    def format_note(self) -> str:
        """What the chosen format means for searches."""
        found = self.estimate.value.estimate.formats if self.estimate.value is not None else ()
        return format_note(found[self.entries.format] if found else None, self.entries.format)

    @property
    def left_out_title(self) -> str:
        """How much the build would leave out, as far as it is known in advance; "" for nothing."""
        return left_out_title(self.found.skipped) if self.found is not None else ""

    @property
    def text_field(self) -> str:
        """The field that is read as the text: the chosen one, or the one that is proposed."""
        return self.entries.text_field or (self.found.text_field if self.found is not None else "")

    @property
    def text_fields(self) -> tuple[str, ...]:
        """Fields that may be the text, the most likely first; () if the sources have no records."""
        return self.found.fields.texts if self.found is not None else ()

    @property
    def metadata(self) -> tuple[SeenField, ...]:
        """The fields that are kept as metadata."""
        if self.found is None:
            return ()
        return tuple(each for each in self.found.fields.fields if each.path != self.text_field)

    @property
    def documents(self) -> tuple[SeenDocument, ...]:
        """The first documents of all files or of the chosen kind, as the build would read them."""
        if self.estimate.value is None:
            return ()
        estimate = self.estimate.value.estimate
        found: tuple[SampleText, ...] = estimate.samples
        if any(each.kind == self.kind for each in estimate.examples):
            found = tuple(each for each in estimate.examples if each.kind == self.kind)
        elif self.entries.encoding:
            # Who chooses a character set wants to see the texts that are read in it.
            first = [each for each in estimate.examples if each.encoding]
            found = (*first, *(each for each in found if each not in first))
        return tuple(map(_seen_document, found[: len(estimate.samples)]))

    @property
    def changes(self) -> str:
        """What was changed in the files that were looked at; "" for nothing."""
        if self.estimate.value is None or not self.estimate.value.estimate.changed:
            return ""
        lines = noticed_lines(self.estimate.value.estimate.changed, {})
        return tr("In the files that were looked at: {changes}", changes="; ".join(lines))


def _seen_document(sample: SampleText) -> SeenDocument:
    name = tr("{name}, {place:,}", name=sample.path, place=sample.place + 1) if sample.place else sample.path
    metadata = {key: value for key, value in sample.metadata.items() if value not in (None, "")}
    title = metadata.pop("title", None)
    facts = [f"{key}: {value if isinstance(value, str) else write_json(value)}" for key, value in metadata.items()]
    if sample.encoding:
        facts.insert(0, tr("read as {encoding}", encoding=sample.encoding))
    if title is not None:
        facts.insert(0, name)
    return SeenDocument(str(title) if title is not None else name, "  ·  ".join(facts), sample.excerpt)


def estimate_figures(estimate: BuildEstimate) -> tuple[tuple[str, str], ...]:
    """The estimate as names and figures; all but what was counted carry the sign of an estimate."""
    documents = numeral(estimate.documents)
    seconds = max(1, round(estimate.seconds))
    time = (
        tr("{minutes:,} min", minutes=round(seconds / 60)) if seconds >= _LONG else tr("{seconds:,} s", seconds=seconds)
    )
    return (
        (tr("Documents"), documents if estimate.exact else _about(documents)),
        (tr("Tokens"), _about(numeral(estimate.tokens))),
        (tr("On disk"), _about(size_text(estimate.disk))),
        (tr("Memory"), _about(size_text(estimate.memory))),
        (tr("Time"), _about(time)),
    )


def format_sizes(estimate: BuildEstimate, entries: Entries) -> tuple[str, ...]:
    """What an index takes on disk, by format; "" for the fast one of a tokenizer with which nothing was estimated."""
    sizes = [_about(size_text(choice.disk)) for choice in estimate.formats]
    if sizes and entries.format is Formats.FAST:
        # The estimate is of this build, also with another tokenizer than bytes.
        sizes[Formats.FAST] = _about(size_text(estimate.disk))
    elif sizes and entries.tokenizer is not Tokenizers.BYTES:
        sizes[Formats.FAST] = ""
    return tuple(sizes)


def format_note(choice: FormatEstimate | None, chosen: Formats) -> str:
    """What a format is good for, with about how long a search and a page of lines take."""
    told_of = {
        Formats.FAST: tr("Answers every question. The tokenizer is chosen below."),
        Formats.WITH_TEXT: tr("Bytes, compressed. No lists, no sorted lines, no subtraction."),
        Formats.SMALLEST: tr("Bytes, compressed, without the text. No lists, no sorted lines, no subtraction."),
    }[chosen]
    if choice is None:
        return told_of
    times = tr(
        "A search takes about {search:,} µs, 50 lines about {lines} ms.",
        search=round(choice.search * 1e6),
        lines=numeral(max(1, round(choice.lines * 1e3))),
    )
    return f"{told_of} {times}"


_LONG = 120


def _about(figure: str) -> str:
    # No line break between the sign and its number.
    return f"≈\N{NO-BREAK SPACE}{figure}"
