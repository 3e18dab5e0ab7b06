"""What the Agreement screen shows of its sources. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from explorer.analyses.agreement.analysis import AgreementAnalysis, TextAgreement
from explorer.analyses.agreement.figure import AgreementFigure
from explorer.analyses.agreement.neural import NeuralFigure
from explorer.analyses.agreement.sources import InputFields
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import no_index, offers, told
from explorer.gui.screens.agreement.inputs import Inputs
from explorer.gui.screens.agreement.sentences import facts, how_sure, interval, percent, remarks
from explorer.gui.screens.agreement.work import BY_COUNT, BY_N, BY_PROBABILITY, ChartsRequest
from explorer.gui.sources.inputs import ALL, REMEDIES, SourceRow, is_source, source_key, source_name, source_rows
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import tr, trn

EXCLUDE = "exclude"
"""The remedy of texts that are in the corpus: their documents are left out."""
AGAIN = "again"
"""The remedy of an analysis that was stopped: it is made after all."""
OTHER_NEURAL, NO_NEURAL = "other neural", "no neural"
"""The remedies of a model's file that cannot be read: to open another one, or to do without."""


class View(IntEnum):
    """The tabs, in their order."""

    EFFECTIVE_N = 0
    SOURCES = 1
    COUNT = 2
    NEURAL = 3


_CHARTS = {View.EFFECTIVE_N: BY_N, View.SOURCES: BY_N, View.COUNT: BY_COUNT, View.NEURAL: BY_PROBABILITY}


@dataclass(frozen=True)
class Look:
    """What the plot shows beside the ∞-gram, and how.

    ngram: Whether the n-gram model is drawn as a dashed line.
    sparse: Whether only tokens are counted whose context is always followed by the same token.
    logarithmic: Whether the axis of token numbers is logarithmic.
    """

    ngram: bool = True
    sparse: bool = False
    logarithmic: bool = False


# Compared by identity: analyses hold numpy arrays, whose comparison has no single truth value.
@dataclass(frozen=True, eq=False)
class AgreementState:
    """Inputs, their analysis, and how it is shown.

    source: The source that was chosen last, as a key of `choices`; "" for the first. `chosen` is the one that is shown.
    answer, neural: The analysis, and the comparison with a neural model.
    analyzed: The inputs of the analysis that is shown.
    stopped: Whether the user stopped the newest analysis.
    neural_file: The file of the model's probabilities, which is saved; None for none.
    error: Why something beside the analysis failed.
    unread: The problems of lines that were skipped.
    compared: The name of the source that the others are compared with, as it was chosen last.
    look: What the plot shows.
    """

    corpus: Corpus | None = None
    inputs: Inputs = field(default_factory=Inputs)
    view: View = View.EFFECTIVE_N
    source: str = ""
    answer: Answer[AgreementAnalysis] = field(default_factory=Answer)
    analyzed: Inputs = field(default_factory=Inputs)
    stopped: bool = False
    # A model's file is compared with the corpus, not with the texts: new inputs leave it as it is.
    neural: Answer[NeuralFigure] = field(default_factory=Answer)
    neural_file: Path | None = None
    error: CorpusError | None = None
    unread: tuple[str, ...] = ()
    compared: str = ""
    fields: InputFields = field(default_factory=InputFields)
    look: Look = field(default_factory=Look)

    @property
    def why_not_subtract(self) -> str:
        """Why documents cannot be left out; "" if they can, or if no index is open."""
        return "" if self.corpus is None else self.corpus.index.capabilities.missing("subtraction")

    @property
    def sampling(self) -> str:
        """How much is analyzed: of what is shown, or of what is about to be shown."""
        return (self.analyzed if self._left else self.inputs).sampling

    @property
    def _left(self) -> bool:
        """Whether an analysis was stopped, and the one before it, or a part of it, is shown."""
        return self.stopped and self.answer.value is not None

    @property
    def dimmed(self) -> bool:
        """Whether what is shown is about to be replaced, or could not be; after a stop, the notice has its settings."""
        return self.answer.dimmed and not self._left

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What the plot can show: key and label; all sources together after them, if there are several."""
        sources = self.answer.value.sources if self.answer.value is not None else ()
        named = tuple((source_key(each.name), cell_text(each.name) or tr("text")) for each in sources)
        return named if len(named) < 2 else (*named, (ALL, tr("All sources")))

    @property
    def chosen(self) -> str:
        """The source that is shown; the first if the chosen one is not there. "" if there is none."""
        keys = [key for key, _ in self.choices]
        return self.source if self.source in keys else keys[0] if keys else ""

    @property
    def group(self) -> str | None:
        """The name of the source that is shown; None for all."""
        return source_name(self.chosen) if is_source(self.chosen) else None

    @property
    def rows(self) -> tuple[SourceRow, ...]:
        """The sources, with files that are not read yet, and the pasted text at the end even if there is none."""
        sources = self.answer.value.sources if self.answer.value is not None else ()
        return source_rows(self.inputs, ((each.name, each.texts) for each in sources))

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
        # `chosen` is a source of this very answer, so the group is known to it.
        return found.figure if self.group is None else found.groups[self.group]

    @property
    def others(self) -> tuple[tuple[int, str, AgreementFigure], ...]:
        """The other sources: place, name and figure; none while all are shown together."""
        found = self.answer.value
        if found is None or self.group is None:
            return ()
        named = enumerate(found.groups.items())
        return tuple((place, name, figure) for place, (name, figure) in named if name != self.group)

    @property
    def place(self) -> int:
        """The place of the chosen source, which gives the shape of its marks; 0 for all together."""
        names = list(self.answer.value.groups) if self.answer.value is not None else []
        return names.index(self.group) if self.group in names else 0

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
    def headline(self) -> tuple[str, str, str]:
        """The answer: the share, its interval, and where the interval comes from; "" without an answer."""
        figure = self.figure
        if figure is None or not figure.infgram.tokens:
            return ("", "", "")
        return percent(figure.share.share), interval(figure.share), how_sure(figure.share)

    @property
    def facts(self) -> str:
        """The figures of the answer, in one line; "" without one."""
        return "" if self.answer.value is None else facts(self.answer.value, self.group)

    @property
    def failed(self) -> CorpusError | None:
        """What went wrong last."""
        return self.answer.error or self.neural.error or self.error

    @property
    def notice(self) -> str:
        """What went wrong last; otherwise what one should know of the analysis."""
        if self.failed is not None:
            return told(self.failed)
        parts = [] if self.answer.value is None else [*remarks(self.answer.value)]
        if self._left:
            parts.insert(0, self._stopped)
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
    def _stopped(self) -> str:
        if self.analyzed == self.inputs:
            return tr("The analysis was stopped before all sources were read.")
        return tr(
            "The new analysis was stopped: what is shown has the settings before ({sampling}).", sampling=self.sampling
        )

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about what the notice tells: keys of `REMEDIES`, or names of this module."""
        if self.answer.error is not None:
            # Of what the hints offer, only these have a button on this screen.
            return tuple(name for name in offers(self.answer.error) if name in REMEDIES)
        if self.neural.error is not None:
            # Of a session: one that was just chosen in vain is not kept.
            return (OTHER_NEURAL, NO_NEURAL) if self.neural_file is not None and self.neural.value is None else ()
        if self._left and self.failed is None:
            return (AGAIN,)
        found = self.answer.value
        # Not beside an error: its sentence takes the place of the remark that this remedy belongs to.
        in_corpus = found is not None and found.self_matched and not found.left_out
        return (EXCLUDE,) if in_corpus and self.failed is None and not self.why_not_subtract else ()

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        # After an error nothing is under way; the notice has its reason.
        if not self.inputs.empty and not self.answer.error:
            return tr("Analyzing …"), ""
        return tr("How predictable is a text from this corpus?"), tr(
            "Paste a text, or drop files here. Each token is predicted from the longest context that occurs in the "
            "corpus. The plot shows how often the prediction agrees with the text."
        )

    @property
    def charts(self) -> ChartsRequest | None:
        """The charts of what is shown; None without an index."""
        if self.corpus is None:
            return None
        found, neural = self.answer.value, self.neural.value
        # All that the charts need, as a value: they are made on another thread while this state may be replaced.
        return ChartsRequest(self.corpus, _CHARTS[self.view], found, neural, self.group, self.neural_file)
