"""What the Next token screen shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.hints import told
from explorer.gui.screens.next_token.work import MAX_ROWS, LadderAnswer, NextAnswer
from explorer.i18n import counted, tr, trn


class View(IntEnum):
    """The tabs, in their order. The numbers are part of saved sessions."""

    TOKENS = 0
    LADDER = 1
    TREE = 2


@dataclass(frozen=True, eq=False)
class NextTokenState:
    """A prompt, what follows it, and how that is shown.

    Attributes
    ----------
    corpus
        The open index.
    prompt
        As typed.
    n
        Of the n-gram model, 0 for ∞.
    view
        The tab.
    answer, ladder
        What follows the prompt, and how often each of its endings occurs.
    beside, beside_answer
        Another index to compare with, and what follows the prompt there.
    beside_error
        Why the other index cannot be opened.
    error
        Why something else that was asked for failed: lines, a figure.
    refused
        Why a token cannot be appended.
    """

    corpus: Corpus | None = None
    prompt: str = ""
    n: int = 0
    view: View = View.TOKENS
    answer: Answer[NextAnswer] = field(default_factory=Answer)
    ladder: Answer[LadderAnswer] = field(default_factory=Answer)
    beside: Corpus | None = None
    beside_answer: Answer[NextAnswer] = field(default_factory=Answer)
    beside_error: CorpusError | None = None
    error: CorpusError | None = None
    refused: str = ""

    @property
    def why_not(self) -> str:
        """Why the open index cannot answer; "" if it can, or if none is open."""
        return "" if self.corpus is None else self.corpus.index.capabilities.missing("next_tokens")

    @property
    def asks(self) -> bool:
        """Whether there is something to ask."""
        return self.corpus is not None and self.prompt != "" and not self.why_not

    @property
    def page(self) -> View | None:
        """What is shown below the tabs; None for a sentence in place of an answer."""
        answer = self.answer.value
        # A dimmed answer keeps its page, so that nothing jumps while the user types.
        return self.view if answer is not None and answer.seen else None

    @property
    def summary(self) -> str:
        """The answer in a sentence; "" without one."""
        return "" if self.answer.value is None else summary(self.answer.value)

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        # An error of the answer hides what failed beside it.
        error = self.answer.error or self.error or self.ladder.error or self.beside_answer.error
        return told(error) if error is not None else self.refused

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if self.corpus is None:
            return tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
        if self.why_not:
            return tr("This index does not give next tokens"), self.why_not
        # Asked and answered, but nothing follows: `page` is None only then.
        if self.answer.value is not None:
            hint = tr("This context never occurs. Choose ∞ or a smaller n to back off to a shorter one.")
            return tr("Unseen context"), hint
        return tr("What comes next?"), tr(
            "Type the beginning of a text. The longest ending that occurs in the corpus determines the prediction."
        )

    @property
    def beside_caption(self) -> str:
        """The other index, and what it knows of the prompt; "" for no other index."""
        if self.beside is None:
            return ""
        answer = self.beside_answer.value
        if answer is None:
            return tr("right: {name}", name=self.beside.index.name)
        return tr(
            "right: {name}, {context_length} of context, occurs {context_count}",
            name=self.beside.index.name,
            context_length=counted("token", answer.result.context_length),
            context_count=counted("time", answer.result.context_count),
        )


def summary(answer: NextAnswer) -> str:
    """Describe a distribution: how much of the prompt was used, how often that occurs, and how sure the figures are."""
    result = answer.result
    manner = (
        tr("exact count")
        if result.exact
        else trn("estimated from {n:,} occurrence", "estimated from {n:,} occurrences", result.sample_size)
    )
    text = trn(
        "The last {n:,} of {count:,} tokens occurs {times}; {different} ({manner}).",
        "The last {n:,} of {count:,} tokens occur {times}; {different} ({manner}).",
        result.context_length,
        count=len(answer.ids),
        times=counted("time", result.context_count),
        different=trn("{n:,} different token follows", "{n:,} different tokens follow", len(result.tokens)),
        manner=manner,
    )
    if len(result.tokens) > MAX_ROWS:
        text += tr(" The first {max_rows:,} are listed.", max_rows=MAX_ROWS)
    if answer.request.prompt.endswith(" "):
        text += tr(" Note: the prompt ends with a space, which most vocabularies join to the next word.")
    return text
