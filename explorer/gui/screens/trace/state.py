"""What the Trace screen shows of a text and its trace. No Qt."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum

from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.summary import summary
from explorer.analyses.trace.trace import Trace
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.screens.trace.describe import held_by_one, scale_hint, self_match_text
from explorer.gui.screens.trace.documents.own_documents import LeftOut
from explorer.gui.screens.trace.words_desk import TracedWords
from explorer.gui.screens.trace.work import TraceAnswer
from explorer.i18n import tr
from explorer.text.reading import ReadingText

OLMOTRACE = asdict(TraceSettings(relevance="olmotrace"))
"""All settings as OLMoTrace has them."""
# How a text is read is not one of them: it has a switch of its own.
del OLMOTRACE["read"]


class View(IntEnum):
    """The tabs, in their order."""

    TEXT = 0
    CONVERSATION = 1
    FILE = 2
    ASK = 3


class Part(IntEnum):
    """What is shown on request."""

    SETTINGS = 0
    PROMPT = 1
    SOURCE = 2


@dataclass(frozen=True, eq=False)
class TraceState:
    """A text and its trace.

    parts: What is shown on request.
    own: What is left out of the index, since it contains most of a text.
    error: Why something else that was asked for failed: a conversation, a setting, a report, a figure.
    words: The words of the index, in which texts are traced if the settings want it.
    """

    corpus: Corpus | None = None
    view: View = View.TEXT
    parts: frozenset[Part] = frozenset()
    text: str = ""
    prompt: str = ""
    settings: TraceSettings = field(default_factory=TraceSettings)
    answer: Answer[TraceAnswer] = field(default_factory=Answer)
    own: LeftOut = field(default_factory=LeftOut)
    error: CorpusError | None = None
    words: TracedWords = field(default_factory=TracedWords)

    @property
    def in_words(self) -> bool:
        """Whether texts are traced in words."""
        return self.settings.match == "words"

    @property
    def effective(self) -> TraceSettings:
        """The settings that are in force: in tokens while the words are not open."""
        lacking = self.in_words and self.words.backend is None
        return replace(self.settings, match="tokens") if lacking else self.settings

    @property
    def offered_words(self) -> tuple[str, str]:
        """The offer to make the word index; empty where it is not needed."""
        return self.words.offered if self.in_words else ("", "")

    @property
    def source_shown(self) -> bool:
        """Whether a text that was read as Markdown is shown as it is written."""
        return Part.SOURCE in self.parts

    @property
    def reading(self) -> ReadingText | None:
        """The text as it was read, while it is the one in the editor; None if it was traced as it is written."""
        trace = self.trace
        return None if trace is None or trace.text != self.text else trace.reading

    @property
    def rendered(self) -> ReadingText | None:
        """The text as it is read, if that is shown; None: the editor."""
        return None if self.source_shown else self.reading

    @property
    def asks(self) -> bool:
        """Whether there is something to trace."""
        return self.corpus is not None and self.text.strip() != ""

    @property
    def trace(self) -> Trace | None:
        """The trace that is shown."""
        return None if self.answer.value is None else self.answer.value.trace

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        # One line for both: the reason about the trace is the one that explains what is missing on the screen.
        error = self.answer.error or self.error
        if error is None and self.own.failed is not None:
            return tr("No documents are excluded. {why}", why=told(self.own.failed))
        return "" if error is None else told(error)

    @property
    def summary(self) -> str:
        """The trace and its measures in a line; "" without one."""
        return "" if self.trace is None else summary(self.trace)

    @property
    def verdict(self) -> str:
        """How much of the text one document contains; "" if that is next to nothing, or told beside it."""
        found = "" if self.answer.value is None else self.answer.value.verdict
        return "" if found in self.self_match else found

    @property
    def self_match(self) -> str:
        """That the text itself is in the corpus, and what was left out; "" for nothing."""
        if self.trace is None:
            return ""
        # Documents stay left out while other texts are traced; the note tells for which text they were.
        text = self_match_text(self.trace, self.own.less, self.trace.text == self.own.text)
        # The button beside it needs a reason in any case.
        verdict = "" if self.answer.value is None else self.answer.value.verdict
        reason = verdict or tr("A document contains most of this text.")
        return text or (reason if self.offers_leaving_out else "")

    @property
    def offers_leaving_out(self) -> bool:
        """Whether there are documents with most of the text."""
        return self.trace is not None and held_by_one(self.trace)

    @property
    def offers_putting_back(self) -> bool:
        """Whether documents were left out."""
        return self.trace is not None and self.own.less is not None

    @property
    def why_not_leave_out(self) -> str:
        """Why the open index cannot leave documents out; "" if it can, or if none is open."""
        return "" if self.corpus is None else self.corpus.index.capabilities.missing("subtraction")

    @property
    def prompt_shown(self) -> bool:
        """Whether the prompt has a line."""
        return self.prompt != "" or Part.PROMPT in self.parts

    @property
    def legend_hint(self) -> str:
        """What the levels of relevance mean, and where marks begin; "" without a trace."""
        if self.trace is None:
            return ""
        if self.trace.unit == "words":
            return scale_hint(self.trace.settings.relevance)
        edges = tr("Marks cover whole tokens, so one may begin with the full stop before a word.")
        return f"{scale_hint(self.trace.settings.relevance)}\n{edges}"
