"""What the Next token screen shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.next_tokens.question import NextTokensQuestion
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import no_index, told
from explorer.gui.screens.next_token.work import MAX_ROWS, LadderAnswer, NextAnswer
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, tr, trn

_SHOWN_CONTEXT = 40
_USUAL = NextTokensQuestion(words=True)


@dataclass(frozen=True, eq=False)
class NextTokenState:
    """A prompt, what follows it, and how that is shown.

    row: The number of the row that is chosen, from 0; -1 for none.
    answer, ladder: What follows the prompt, and how often each of its endings occurs.
    error: Why something else that was asked for failed: lines, a figure.
    refused: Why a row cannot be appended.
    """

    corpus: Corpus | None = None
    prompt: str = ""
    question: NextTokensQuestion = _USUAL
    row: int = -1
    answer: Answer[NextAnswer] = field(default_factory=Answer)
    ladder: Answer[LadderAnswer] = field(default_factory=Answer)
    error: CorpusError | None = None
    refused: str = ""

    @property
    def why_no_words(self) -> str:
        """Why whole words cannot be listed, and no tree be grown; "" if they can, or if no index is open."""
        # Each word takes many look-ups, and each of these would be an estimate.
        return "" if self.corpus is None else self.corpus.index.capabilities.missing("next_tokens")

    @property
    def lists_words(self) -> bool:
        """Whether words are listed, as was chosen, and the index gives them."""
        return self.question.words and not self.why_no_words

    @property
    def why_estimated(self) -> str:
        """Why the figures are estimates, and how good they are; "" if they are exact."""
        answer = self.answer.value
        if answer is None or not answer.sample:
            return ""
        return tr(
            "Estimated from a sample of {sample:,} of {total:,} hits. In 95 of 100 samples, the interval in "
            "parentheses has the true share. Counts are the share of all hits. Tokens that follow seldom may be "
            "missing.",
            sample=answer.sample,
            total=answer.total,
        )

    @property
    def asks(self) -> bool:
        """Whether there is something to ask."""
        return self.corpus is not None and self.prompt != ""

    @property
    def has_page(self) -> bool:
        """Whether an answer is shown; otherwise a sentence in its place."""
        # A dimmed answer keeps its place, so that nothing jumps while the user types.
        return self.answer.value is not None and self.answer.value.seen

    @property
    def summary(self) -> str:
        """How much of the prompt was found, in a sentence; "" without an answer."""
        return "" if self.answer.value is None else summary(self.answer.value)

    @property
    def brief(self) -> str:
        """The same in a few words, for a narrow window."""
        return "" if self.answer.value is None else brief(self.answer.value)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The texts of the prompt's tokens."""
        return () if self.answer.value is None else tuple(token.text for token in self.answer.value.context)

    @property
    def heading(self) -> str:
        """What is listed."""
        return tr("Next word") if self.lists_words else tr("Next token")

    @property
    def subtitle(self) -> str:
        """Of which context, how often that occurs, and how sure the figures are; "" without an answer."""
        return "" if self.answer.value is None else subtitle(self.answer.value)

    @property
    def facts(self) -> str:
        """The same without the context, which is marked in the list of endings."""
        return "" if self.answer.value is None else facts(self.answer.value)

    @property
    def chosen_rung(self) -> int:
        """The row of the ladder whose context is used, from 0; -1 if it has none."""
        ladder, answer = self.ladder.value, self.answer.value
        if ladder is None or answer is None:
            return -1
        lengths = [row.rung.n - 1 for row in ladder.rows]
        return lengths.index(answer.context_length) if answer.context_length in lengths else -1

    @property
    def why_this_ending(self) -> str:
        """Why this ending is the context."""
        return tr("You chose the length") if self.question.n is not None else tr("The longest ending is the default")

    @property
    def lines_caption(self) -> str:
        """The button that shows the lines of the context; "" without one."""
        answer = self.answer.value
        if answer is None or not answer.context_length:
            return ""
        return trn("Show {n:,} line", "Show {n:,} lines", answer.context_count)

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        # An error of the answer hides what failed beside it.
        error = self.answer.error or self.error or self.ladder.error
        return told(error) if error is not None else self.refused

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        # Asked and answered, but nothing follows: `has_page` is False only then.
        if self.answer.value is not None:
            return tr("Not found in this corpus"), self._unseen(self.answer.value)
        return tr("What comes next?"), tr(
            "Type the beginning of a text. The longest ending found in the corpus gives the prediction."
        )

    def _unseen(self, answer: NextAnswer) -> str:
        return trn(
            "The last {n:,} token of your text does not occur.",
            "The last {n:,} tokens of your text do not occur together.",
            answer.context_length,
        )


def summary(answer: NextAnswer) -> str:
    """Describe how much of the prompt was used."""
    times = counted("time", answer.context_count)
    if answer.request.question.n is not None:
        return trn(
            "The last {n:,} token of your text occurs {times}",
            "The last {n:,} tokens of your text occur {times}",
            answer.context_length,
            times=times,
        )
    if not answer.context_length:
        return tr("No ending of this text occurs in the corpus")
    return trn(
        "The longest ending found in the corpus has {n:,} token and occurs {times}",
        "The longest ending found in the corpus has {n:,} tokens and occurs {times}",
        answer.context_length,
        times=times,
    )


def brief(answer: NextAnswer) -> str:
    """Describe how much of the prompt was used, in a few words."""
    n = answer.request.question.n
    if not answer.context_length and n is None:
        return tr("No ending occurs")
    tokens, hits = counted("token", answer.context_length), counted("hit", answer.context_count)
    if n is not None:
        return tr("Last {tokens}: {hits}", tokens=tokens, hits=hits)
    return tr("Longest ending: {tokens}, {hits}", tokens=tokens, hits=hits)


def facts(answer: NextAnswer) -> str:
    """Describe a distribution: how often its context occurs, and how sure the figures are."""
    kind = "different word" if answer.request.question.words else "different token"
    parts = [counted("hit", answer.total), counted(kind, answer.different)]
    if answer.sample:
        parts[1] = tr("at least {tokens}", tokens=parts[1])
    # Of what was not read nothing is known: rare words are missing, and counts may be too low.
    parts.append(_manner(answer))
    if answer.different > MAX_ROWS:
        parts.append(tr("the first {max_rows:,} listed", max_rows=MAX_ROWS))
    # Search, which looks for the text, finds them too.
    if answer.spaced:
        parts.append(tr("{n:,} more after a space", n=answer.spaced))
    return " · ".join(parts)


def _manner(answer: NextAnswer) -> str:
    if answer.sample:
        return tr("≈ from a sample of {sample:,} hits", sample=answer.sample)
    return tr("exact") if answer.exact else tr("lower bounds, {read:.1%} read", read=answer.read / answer.total)


def subtitle(answer: NextAnswer) -> str:
    """Describe a distribution with its context."""
    context = cell_text(answer.context_text, ending=True, most=_SHOWN_CONTEXT)
    return tr("after “{context}” · {facts}", context=context, facts=facts(answer)) if context else facts(answer)
