"""What the tab for a conversation shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from explorer.analyses.trace.as_read import as_read
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.summary import totals_of
from explorer.analyses.trace.trace import Trace
from explorer.backends.protocol.protocol import Backend
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.screens.trace.conversation.script import Script
from explorer.gui.screens.trace.documents.choice import Choice, Filter, Mark, Show, marks_of, quotation
from explorer.gui.screens.trace.documents.choice_state import ChoiceState
from explorer.gui.screens.trace.figures import Figure, Jump, figures_of
from explorer.gui.screens.trace.text.read_marks import reading_marks, source_marks
from explorer.gui.screens.trace.work import TraceAnswer
from explorer.i18n import counted, tr, trn
from explorer.text.reading import ReadingText


@dataclass(frozen=True, eq=False)
class ConversationState:
    """A conversation, and what its answers have from the corpus.

    source: The conversation as it was pasted or read, for the session.
    current: The number of the turn whose documents are listed; -1 for none.
    traced: The traces of its turns by their numbers; they arrive one by one.
    error: Why something else failed: a file, a setting.
    words: The words of the index; None while they are not open.
    growing: Whether the last turn is an answer that is still being written.
    """

    corpus: Corpus | None = None
    settings: TraceSettings = field(default_factory=TraceSettings)
    source: str = ""
    script: Answer[Script] = field(default_factory=Answer)
    current: int = -1
    traced: Answer[dict[int, TraceAnswer]] = field(default_factory=Answer)
    error: CorpusError | None = None
    words: Backend | None = None
    growing: bool = False

    @property
    def shown(self) -> Script:
        """The conversation; an empty one if there is none."""
        return self.script.value or Script()

    @property
    def answers(self) -> dict[int, TraceAnswer]:
        """The traces that have arrived, by the numbers of their turns."""
        return self.traced.value or {}

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        # Reading comes before tracing: without a conversation, an older error of its traces explains nothing.
        error = self.script.error or self.traced.error or self.error
        return "" if error is None else told(error)

    @property
    def note(self) -> str:
        """How many answers there are, and how many of them are traced."""
        count = len(self.shown.answers)
        if not count:
            return ""
        text = counted("answer", count)
        if self.traced.awaited:
            text = tr("{done:,} of {answers} traced", done=len(self.answers), answers=text)
        if self.shown.left_out:
            more = trn("{n:,} more turn is not shown", "{n:,} more turns are not shown", self.shown.left_out)
            text = f"{text} · {more}"
        return text

    def figures(self, show: Show) -> tuple[Figure, ...]:
        """The numbers of all traced answers together; none before the first."""
        if not self.answers:
            return ()
        answers = self.answers.values()
        totals = totals_of([answer.trace for answer in answers], [answer.passages for answer in answers])
        found = figures_of(totals, show)
        if not self.lacks_documents:
            return found
        # Documents are looked up when an answer is complete: until then their number is unknown, and not 0.
        known = (figure for figure in found if figure.target not in (Show.HIGH, Jump.DOCUMENTS))
        words = trn("passage so far", "passages so far", totals.passages)
        return tuple(replace(figure, words=words) if figure.target is Show.ALL else figure for figure in known)

    @property
    def lacks_documents(self) -> bool:
        """Whether the passages of some answer are known, but not yet their documents."""
        wanted = self.settings.documents_per_span > 0
        return wanted and any(not answer.request.settings.documents_per_span for answer in self.answers.values())

    def marks(self, chosen: ChoiceState) -> tuple[Mark, ...]:
        """The marks of all answers, as characters of the conversation; passages are counted through it."""
        found: list[Mark] = []
        for number, first in self.bases().items():
            # The choice and what is hidden are of the current answer alone; the filter holds for all of them.
            answer = self.answers[number]
            # The choice follows a little later when the answer is traced again: its numbers are of the former trace.
            here = number == self.current and chosen.answer.value is answer
            turn = self.shown.turns[number]
            shown = chosen.filter if here else Filter(chosen.filter.show)
            marks = marks_of(answer, chosen.choice if here else Choice(), shown)
            if turn.reading is not None:
                marks = reading_marks(marks, turn.reading)
            elif answer.trace.reading is not None:
                # Shown as it was written, with the marks of Markdown, which belong to no passage.
                marks = source_marks(marks, answer.trace.reading)
            for mark in marks:
                # A click gives only a number: counted through all answers, it names the answer, too.
                passage = mark.passage + first if mark.passage >= 0 else -1
                found.append(replace(mark, start=mark.start + turn.body, end=mark.end + turn.body, passage=passage))
        return tuple(found)

    @property
    def traces(self) -> tuple[tuple[int, Trace], ...]:
        """The traces of all answers as they are shown, each with its first character, in the order of the turns."""
        return tuple(
            (turn.body, _in_turn(answer.trace, turn.reading))
            for number, turn in enumerate(self.shown.turns)
            if (answer := self.answers.get(number)) is not None
        )

    def bases(self) -> dict[int, int]:
        """For each traced turn, the number of passages before it in the conversation."""
        found, count = {}, 0
        # In the order of the conversation, in which answers arrive: a later one does not shift the numbers before it.
        for number in self.shown.answers:
            if number in self.answers:
                found[number] = count
                count += len(self.answers[number].passages)
        return found

    def place_of(self, passage: int) -> tuple[int, int] | None:
        """Find a passage that is counted through the conversation.

        Returns: Its turn, and its number in this turn; None if it is gone.
        """
        # Bases ascend with the turns. A turn without passages has the base of the next one, which is the larger number.
        found = [(number, first) for number, first in self.bases().items() if first <= passage]
        if not found:
            return None
        number, first = max(found)
        # A menu may be open while the answers are traced again, with fewer passages.
        return (number, passage - first) if passage - first < len(self.answers[number].passages) else None

    def quoted(self, passage: int, text: str) -> str:
        """Quote a passage with its best document.

        passage: Its number, counted through the whole conversation.
        """
        place = self.place_of(passage)
        return text if place is None else quotation(self.answers[place[0]], place[1], text)


def _in_turn(trace: Trace, reading: ReadingText | None) -> Trace:
    """A trace whose tokens are at the characters of its turn as it is shown: the source, or what is read of it."""
    if reading is None:
        return trace
    if trace.reading is not None and trace.reading.text == reading.text:
        return as_read(trace)
    # Lines that the index holds with their marks are looked up with them, and shown without.
    starts, ends = reading.read_before(trace.token_starts), reading.read_before(trace.token_ends)
    return replace(trace, text=reading.text, token_starts=starts, token_ends=ends)
