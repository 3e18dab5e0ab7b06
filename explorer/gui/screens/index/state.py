"""What the Index screen shows beside the form and the check. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from explorer.api import Corpus
from explorer.building.paused import PausedBuild
from explorer.building.source import Problem
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.hints import offers, told
from explorer.gui.indexes import IndexState
from explorer.gui.requests import OpenRequest
from explorer.gui.screens.index.facts import manifest_of
from explorer.i18n import numeral, tr


class Page(IntEnum):
    """The tabs, in their order."""

    BUILD = 0
    CHECK = 1


@dataclass(frozen=True, eq=False)
class IndexScreenState:
    """The open index, recent ones, builds that can be resumed, and what went wrong.

    Attributes
    ----------
    corpus
        The open index.
    indexes
        What the window knows of it, of the one that is opening, and of recent ones.
    page
        The tab.
    paused
        Builds that can be resumed.
    problem
        What went wrong last.
    refused
        What was to be opened, if that is what failed.
    remark
        A sentence that is shown while nothing is wrong.
    left_out
        What the build of the open index left out or changed, once the user asked for it.
    """

    corpus: Corpus | None = None
    indexes: IndexState = field(default_factory=IndexState)
    page: Page = Page.BUILD
    paused: tuple[PausedBuild, ...] = ()
    problem: CorpusError | None = None
    refused: OpenRequest | None = None
    remark: str = ""
    left_out: Answer[tuple[Problem, ...]] = field(default_factory=Answer)

    @property
    def notice(self) -> str:
        """What went wrong, or the remark."""
        return self.remark if self.problem is None else told(self.problem)

    @property
    def unchecked(self) -> OpenRequest | None:
        """What can be opened in spite of the error; None if nothing can."""
        return self.refused if self.problem is not None and "check_fit" in offers(self.problem) else None

    @property
    def builds_sample(self) -> bool:
        """Whether the sample index is being built."""
        return self.indexes.builds_sample

    @property
    def title(self) -> str:
        """The open index, or what is done to open one."""
        if self.builds_sample:
            return tr("Building the sample index …")
        return tr("No index is open") if self.corpus is None else self.corpus.index.name

    @property
    def subtitle(self) -> str:
        """Where the index is, or what to do."""
        if self.builds_sample:
            return tr("It is built once from the Python standard library, then opened.")
        if self.corpus is None:
            return tr("Open an infini-gram index folder, build one from your files, or try the sample.")
        return "\n".join(self.corpus.index.sources)

    @property
    def counts(self) -> Mapping[str, int]:
        """How much the build of the open index left out or changed, by reason."""
        manifest = manifest_of(self.corpus)
        return manifest.skipped if manifest is not None else {}


def describe_paused(build: PausedBuild) -> str:
    """What is finished and what is left."""
    if build.read <= 0:
        return tr("Nothing has been saved yet, so the build will start over. {out}", out=build.request.out)
    if build.read < 1:
        return tr(
            "{read} of the texts have been read; sorting has not started. {out}",
            read=_share(build.read),
            out=build.request.out,
        )
    return tr(
        "All texts have been read; {sorted} have been sorted. {out}", sorted=_share(build.sorted), out=build.request.out
    )


def _share(value: float) -> str:
    return numeral(100 * value, ".0f") + " %"
