"""What the form for builds shows. No Qt."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from explorer.building.estimate import BuildEstimate, size_text
from explorer.building.request import BuildRequest
from explorer.building.source import noticed_lines
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.cells import Cell
from explorer.gui.hints import offers, told
from explorer.gui.text_positions import cell_text
from explorer.i18n import counted, tr
from explorer.jobs import Progress

REMEDIES = ("skip_bad", "text_field", "restart")
"""What the form can do about errors, by the names in `explorer.gui.hints`."""
_TEXT_FIELD = "text"


class Tokenizers(IntEnum):
    """The choices of a tokenizer, in their order."""

    TRAIN = 0
    BYTES = 1
    FILE = 2


@dataclass(frozen=True)
class Entries:
    """What is entered in the form.

    Attributes
    ----------
    sources
        Files and folders, each once.
    out
        The folder of the index, as it was typed.
    tokenizer
        Which tokenizer.
    vocabulary
        Entries of a tokenizer that is trained.
    tokenizer_file
        The path of a tokenizer that is read.
    text_field
        The field or column that contains the text.
    shards
        The minimum number of shards.
    skip_bad
        Whether bad lines are left out.
    """

    sources: tuple[str, ...] = ()
    out: str = ""
    tokenizer: Tokenizers = Tokenizers.TRAIN
    vocabulary: int = 16_384
    tokenizer_file: str = ""
    text_field: str = _TEXT_FIELD
    shards: int = 1
    skip_bad: bool = False

    @property
    def complete(self) -> bool:
        """Whether they describe a build."""
        file = self.tokenizer is not Tokenizers.FILE or bool(self.tokenizer_file.strip())
        return bool(self.sources and self.out.strip()) and file

    @property
    def target(self) -> Path:
        """The new index's folder; a bare name is placed next to the first source, not in the working directory."""
        # Path.expanduser would fail for the home of nobody.
        path = Path(os.path.expanduser(self.out.strip()))  # noqa: PTH111
        return Path(self.sources[0]).parent / path if self.sources else path

    @property
    def proposed(self) -> str:
        """Where to build from the first source."""
        first = Path(self.sources[0])
        return str(first.with_name(f"{first.name.split('.')[0]}-index"))

    def request(self) -> BuildRequest:
        """The build that they describe."""
        names = {
            Tokenizers.TRAIN: f"train:{self.vocabulary}",
            Tokenizers.BYTES: "bytes",
            Tokenizers.FILE: self.tokenizer_file.strip(),
        }
        return BuildRequest(
            sources=tuple(map(Path, self.sources)),
            out=self.target,
            tokenizer=names[self.tokenizer],
            text_field=self.text_field.strip() or _TEXT_FIELD,
            shards=self.shards,
            skip_bad=self.skip_bad,
        )


def entries_of(request: BuildRequest) -> Entries:
    """What to enter for a build."""
    choice, _, vocabulary = request.tokenizer.partition(":")
    kinds = {"train": Tokenizers.TRAIN, "bytes": Tokenizers.BYTES}
    kind = kinds.get(choice, Tokenizers.FILE)
    trained = kind is Tokenizers.TRAIN and vocabulary.isdecimal()
    return Entries(
        sources=tuple(map(str, request.sources)),
        out=str(request.out),
        tokenizer=kind,
        vocabulary=int(vocabulary) if trained else Entries.vocabulary,
        tokenizer_file=request.tokenizer if kind is Tokenizers.FILE else "",
        text_field=request.text_field,
        shards=request.shards,
        skip_bad=request.skip_bad,
    )


@dataclass(frozen=True)
class Estimated:
    """What a build would need, and whether an interrupted one in its folder can be resumed."""

    estimate: BuildEstimate
    resumable: bool


@dataclass(frozen=True)
class Built:
    """An index that was built. left_out: whether anything was left out of it, or changed."""

    left_out: bool


@dataclass(frozen=True, eq=False)
class BuildState:
    """The form, the estimate of its build, and the build that runs or ran last.

    Attributes
    ----------
    entries
        What is entered.
    estimate
        What the build would need.
    begun
        The build that was started last; None before the first one.
    build
        What became of it.
    pausing
        Whether it was asked to pause.
    progress
        How far it is; None before its first report.
    """

    entries: Entries = field(default_factory=Entries)
    estimate: Answer[Estimated] = field(default_factory=Answer)
    begun: BuildRequest | None = None
    build: Answer[Built] = field(default_factory=Answer)
    pausing: bool = False
    progress: Progress | None = None

    @property
    def building(self) -> bool:
        """Whether a build runs."""
        return self.build.awaited

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
        """The error and what to do, or what to know before the build."""
        if self.error is not None:
            return told(self.error)
        if self.building or self.estimate.value is None:
            return ""
        return " ".join(self.estimate.value.estimate.warnings)

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about the error, of `REMEDIES`."""
        found = offers(self.error) if self.error is not None else ()
        return tuple(name for name in REMEDIES if name in found)

    @property
    def estimated(self) -> str:
        """The estimate in a sentence or two, or what to do for one."""
        if self.estimate.value is not None:
            return describe_estimate(self.estimate.value.estimate)
        # The notice reports problems of sources that exist.
        if self.entries.sources:
            return ""
        return tr("Add sources to see an estimate of the index and of the disk space, memory and time it needs.")

    @property
    def left_out(self) -> int:
        """How much the build would leave out or change, as far as it is known in advance."""
        return sum(self.estimate.value.estimate.skipped.values()) if self.estimate.value is not None else 0

    @property
    def samples(self) -> tuple[tuple[Cell, ...], ...]:
        """Documents as the build would read them."""
        if self.estimate.value is None:
            return ()
        return tuple(
            (
                Cell(cell_text(sample.path), tip=sample.path),
                Cell(cell_text(", ".join(sample.fields)) or tr("none"), muted=True),
                Cell(cell_text(sample.beginning), tip=sample.beginning),
            )
            for sample in self.estimate.value.estimate.samples
        )


def describe_estimate(estimate: BuildEstimate) -> str:
    """The estimate in a sentence or two."""
    documents, tokens = counted("document", estimate.documents), counted("token", estimate.tokens)
    skipped = "".join(f"\n{line}" for line in noticed_lines(estimate.skipped, estimate.noticed))
    sentence = tr(
        "{files}, {documents}, ≈ {tokens} · needs ≈ {disk} of disk space and ≈ {memory} of memory · ≈ "
        "{seconds:,} s{skipped}",
        files=counted("file", estimate.files),
        documents=documents if estimate.exact else tr("≈ {documents}", documents=documents),
        tokens=tokens,
        disk=size_text(estimate.disk),
        memory=size_text(estimate.memory),
        seconds=max(1, round(estimate.seconds)),
        skipped=skipped,
    )
    # No line break between the sign and its number.
    return sentence.replace("≈ ", "≈\N{NO-BREAK SPACE}")
