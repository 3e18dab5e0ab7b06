"""What the Agreement screen shows. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from explorer.agreement.analysis import AgreementAnalysis, AgreementRequest, TextAgreement
from explorer.agreement.brush import Brush, Marked
from explorer.agreement.figure import AgreementFigure
from explorer.agreement.neural import NeuralFigure
from explorer.agreement.sources import InputChoice
from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.hints import offers, told
from explorer.gui.screens.agreement.work import BY_COUNT, BY_N, BY_PROBABILITY, AnalysisRequest, ChartsRequest
from explorer.gui.text_positions import cell_text
from explorer.i18n import tr, trn

ALL, OVERLAID = "all", "overlaid"
"""Keys of the choices that are not one source."""
_SOURCE = "source:"
_MOSTLY_UNSEEN = 0.3
"""The share of tokens that never occur in the corpus from which a text is probably in another language."""


REMEDIES: Mapping[str, Mapping[str, str]] = {
    "field": {"group": ""},
    "format": {"format": "text"},
    "on_bad": {"on_bad": "skip"},
}
"""The inputs that a remedy of an error changes, by its name in `explorer.gui.hints`."""


class View(IntEnum):
    """The tabs, in their order."""

    EFFECTIVE_N = 0
    SOURCES = 1
    COUNT = 2
    NEURAL = 3


_CHARTS = {View.EFFECTIVE_N: BY_N, View.SOURCES: BY_N, View.COUNT: BY_COUNT, View.NEURAL: BY_PROBABILITY}


@dataclass(frozen=True)
class Inputs:
    """What is analyzed: pasted text, or files instead of it, and how much of them.

    Attributes
    ----------
    text
        The pasted text.
    files
        If there are any, they are analyzed and the text is not.
    group
        The field of JSON Lines that names each text's source; "" for the file.
    n
        Of the n-gram model that is compared with the ∞-gram.
    max_texts, max_tokens
        Texts per source and tokens per text; 0 for all.
    seed
        Chooses the texts of a source, where not all are taken.
    without_self
        Whether the texts' own documents are left out.
    format, on_bad
        How the files are read, and what is done about bad lines, as in `InputChoice`.
    """

    text: str = ""
    files: tuple[Path, ...] = ()
    group: str = ""
    n: int = 5
    max_texts: int = 0
    max_tokens: int = 0
    seed: int = 0
    without_self: bool = False
    format: str = "auto"
    on_bad: str = "fail"

    @property
    def empty(self) -> bool:
        """Whether there is nothing to analyze."""
        return not self.files and not self.text.strip()

    @property
    def title(self) -> str:
        """What the analysis of it is called."""
        match self.files:
            case ():
                return tr("Agreement of a text")
            case (path,):
                return tr("Agreement of {name}", name=path.name)
            case files:
                return trn("Agreement of {n:,} file", "Agreement of {n:,} files", len(files))

    def request(self, corpus: Corpus) -> AnalysisRequest:
        """What to ask of an index. Documents are left out only where the index can do that."""
        leave_out = self.without_self and corpus.index.capabilities.subtraction
        settings = AgreementRequest((), (), self.n, self.max_tokens, self.max_texts, self.seed, leave_out)
        # An empty field means that each file is a group, which is None in `InputChoice`.
        choice = InputChoice(self.format, group_field=self.group.strip() or None, on_bad=self.on_bad)
        return AnalysisRequest(corpus, self.text, self.files, choice, settings)


@dataclass(frozen=True, eq=False)
class Alternatives:
    """What else follows the context of a token of a text, in words."""

    found: TextAgreement
    token: int
    words: str


@dataclass(frozen=True, eq=False)
class AgreementState:
    """Inputs, their analysis, and how it is shown.

    Attributes
    ----------
    corpus
        The open index.
    inputs
        What is analyzed.
    view
        The tab.
    source
        The source that was chosen last, as a key of `choices`; `chosen` is the one that is shown.
    answer, neural
        The analysis, and the comparison with a neural model.
    brush, marked
        The tokens that are highlighted, and what they amount to; None until that is counted.
    alternatives
        What else follows the chosen token's context.
    error
        Why something beside the analysis failed.
    unread
        The problems of lines that were skipped.
    compared
        The name of the source that the others are compared with, as it was chosen last.
    """

    corpus: Corpus | None = None
    inputs: Inputs = field(default_factory=Inputs)
    view: View = View.EFFECTIVE_N
    source: str = ALL
    answer: Answer[AgreementAnalysis] = field(default_factory=Answer)
    # A model's file is compared with the corpus, not with the texts: new inputs leave it as it is.
    neural: Answer[NeuralFigure] = field(default_factory=Answer)
    brush: Brush = field(default_factory=Brush)
    marked: Marked | None = None
    alternatives: Alternatives | None = None
    error: CorpusError | None = None
    unread: tuple[str, ...] = ()
    compared: str = ""

    @property
    def why_not_subtract(self) -> str:
        """Why documents cannot be left out; "" if they can, or if no index is open."""
        return "" if self.corpus is None else self.corpus.index.capabilities.missing("subtraction")

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What a plot can show: key and label, all sources together first. One source leaves no choice."""
        if self.answer.value is None or len(self.answer.value.sources) < 2:
            return ((ALL, tr("All sources together")),)
        # With a prefix, since a source may be named like one of the other keys.
        named = [(_SOURCE + each.name, cell_text(each.name) or tr("text")) for each in self.answer.value.sources]
        return ((ALL, tr("All sources together")), (OVERLAID, tr("Sources overlaid")), *named)

    @property
    def chosen(self) -> str:
        """The source that is shown. While sources arrive one by one, the chosen one may not be there yet."""
        return self.source if self.source in {key for key, _ in self.choices} else ALL

    @property
    def group(self) -> str | None:
        """The name of the source that is shown; None for all."""
        return self.chosen.removeprefix(_SOURCE) if self.chosen.startswith(_SOURCE) else None

    @property
    def reference(self) -> int:
        """The place of the source to compare with; the first while the chosen one has not arrived."""
        sources = self.answer.value.sources if self.answer.value is not None else ()
        return next((place for place, source in enumerate(sources) if source.name == self.compared), 0)

    @property
    def figure(self) -> AgreementFigure | None:
        """Agreement by effective n of what is chosen."""
        found = self.answer.value
        if found is None:
            return None
        return found.figure if self.group is None else found.groups[self.group]

    @property
    def numbered(self) -> tuple[tuple[int, TextAgreement], ...]:
        """Texts of what is chosen, each with its number in the analysis."""
        # Numbers count all texts of the analysis, also while one source is shown: a brush names its text by them.
        texts = self.answer.value.texts if self.answer.value is not None else ()
        # Once, not per text: there may be thousands.
        group = self.group
        return tuple((number, text) for number, text in enumerate(texts) if group in (None, text.group))

    @property
    def page(self) -> View | None:
        """The plot or table that is shown; None for a sentence in its place."""
        # The tab of the neural model can be opened for its empty axes once there is an analysis beside it.
        shown = self.neural if self.view is View.NEURAL else self.answer
        return self.view if shown.value is not None or self.answer.value is not None else None

    @property
    def drawable(self) -> bool:
        """Whether the tab has something for a figure."""
        return (self.neural if self.view is View.NEURAL else self.answer).value is not None

    @property
    def notice(self) -> str:
        """What went wrong last; otherwise what one should know of the analysis."""
        error = self.answer.error or self.neural.error or self.error
        if error is not None:
            return told(error)
        parts = [] if self.answer.value is None else [*remarks(self.answer.value)]
        if self.unread:
            parts.append(
                trn(
                    "{n:,} line was skipped: {problem}.",
                    "{n:,} lines were skipped, the first: {problem}.",
                    len(self.unread),
                    problem=self.unread[0].rstrip("."),
                )
            )
        if self.neural.value is not None and self.neural.value.without and self.view is View.NEURAL:
            parts.append(
                trn(
                    "{n:,} of the model's tokens contains no complete token of this index.",
                    "{n:,} of the model's tokens contain no complete token of this index.",
                    self.neural.value.without,
                )
            )
        return " ".join(parts)

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about the error of the analysis, as keys of `REMEDIES`."""
        # Of what the hints offer, only these have a button on this screen.
        found = offers(self.answer.error) if self.answer.error is not None else ()
        return tuple(name for name in found if name in REMEDIES)

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if self.corpus is None:
            return tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
        return tr("How predictable is a text from this corpus?"), tr(
            "Paste a text or open files. Each token is predicted from the longest context that occurs in the "
            "corpus. The plot shows how often the prediction agrees with the text. A text that is in the "
            "corpus agrees with itself."
        )

    @property
    def charts(self) -> ChartsRequest | None:
        """The charts of what is shown; None without an index."""
        if self.corpus is None:
            return None
        overlaid = self.chosen == OVERLAID
        found, neural = self.answer.value, self.neural.value
        return ChartsRequest(self.corpus, _CHARTS[self.view], found, neural, self.group, overlaid)


def remarks(analysis: AgreementAnalysis) -> tuple[str, ...]:
    """Sentences on texts that are in the corpus (they agree with themselves) or in another script (with nothing)."""
    sentences = []
    if number := analysis.self_matched:
        if analysis.left_out:
            texts = trn("One text is in the corpus", "{n:,} texts are in the corpus", number)
            excluded = trn(
                "{n:,} document is excluded from all counts.",
                "{n:,} documents are excluded from all counts.",
                len(analysis.left_out),
            )
            sentences.append(tr("{texts}; {excluded}", texts=texts, excluded=excluded))
        else:
            agree = trn(
                "One text is in the corpus, so it agrees with itself.",
                "{n:,} texts are in the corpus, so they agree with themselves.",
                number,
            )
            tick = tr("Exclude the texts' own documents")
            sentences.append(tr("{agree} Select “{tick}” to leave their documents out.", agree=agree, tick=tick))
    if analysis.unseen > _MOSTLY_UNSEEN:
        sentences.append(
            tr(
                "{unseen:.0%} of the tokens never occur in the corpus. If the text is in another language or "
                "script, agreement means little.",
                unseen=analysis.unseen,
            )
        )
    return tuple(sentences)
