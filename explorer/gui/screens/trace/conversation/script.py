"""A conversation as one text, in which each turn has its place. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.analyses.trace.conversation import Turn
from explorer.i18n import tr
from explorer.text.reading import ReadingText, read_text

MOST_CHARACTERS = 250_000
"""A conversation is shown up to the turn that reaches this length."""


@dataclass(frozen=True)
class Placed:
    """A turn in the text of the whole conversation.

    name: Who wrote it, as its heading.
    start: The first character of the heading.
    body: The first character of what was written.
    end: One past its last character.
    answers: Whether a model wrote it: then it is traced.
    prompt: What it answers; "" for a turn that is not traced.
    reading: How it is read, if it was read as Markdown; None if it is shown as it was written.
    """

    name: str
    start: int
    body: int
    end: int
    answers: bool
    prompt: str = ""
    reading: ReadingText | None = None


@dataclass(frozen=True)
class Script:
    """A conversation as one text: a heading above each turn, and an empty line between two.

    turns: The place of each turn in it, in order.
    left_out: Turns that are not shown, since the conversation is very long.
    """

    text: str = ""
    turns: tuple[Placed, ...] = ()
    left_out: int = 0

    def body(self, number: int) -> str:
        """What was written in a turn."""
        turn = self.turns[number]
        return self.text[turn.body : turn.end] if turn.reading is None else turn.reading.source

    @property
    def answers(self) -> tuple[int, ...]:
        """The numbers of the turns that a model wrote."""
        return tuple(number for number, turn in enumerate(self.turns) if turn.answers)

    def grown(self, content: str) -> Script:
        """Let the last turn be longer.

        content: All that was written in it so far.
        """
        *before, last = self.turns
        text = self.text[: last.body] + content
        return replace(self, text=text, turns=(*before, replace(last, end=len(text))))

    def added(self, turn: Turn, prompt: str = "") -> Script:
        """Add a turn as it is written; the turns before it stay as they are.

        turn: The turn, which is not empty.
        """
        start = len(self.text) + 2 if self.turns else 0
        name = tr("Answer {count:,}", count=len(self.answers) + 1) if turn.answers else _name(turn.role)
        body = start + len(name) + 1
        placed = Placed(name, start, body, body + len(turn.content), turn.answers, prompt)
        between = "\n\n" if self.turns else ""
        return replace(self, text=f"{self.text}{between}{name}\n{turn.content}", turns=(*self.turns, placed))

    def without_last(self) -> Script:
        """Leave the last turn out."""
        turns = self.turns[:-1]
        return replace(self, text=self.text[: turns[-1].end] if turns else "", turns=turns)

    def turn_at(self, character: int) -> int:
        """The number of the turn with this character; -1 before the first."""
        return sum(turn.start <= character for turn in self.turns) - 1


def script_of(turns: tuple[Turn, ...], read: str = "plain") -> Script:
    """Write a conversation as one text.

    read: How its answers are read: "plain", "markdown", or "auto" for whatever each of them is.
    """
    parts: list[str] = []
    placed: list[Placed] = []
    at, answered = 0, 0
    asked: list[str] = []
    for turn in turns:
        if at >= MOST_CHARACTERS:
            break
        answered += turn.answers
        name = tr("Answer {count:,}", count=answered) if turn.answers else _name(turn.role)
        # Never empty: each turn needs a paragraph of its own, to which its place and its bubble belong.
        content = turn.content.strip("\n") or " "
        prompt = "\n\n".join(asked) if turn.answers else ""
        reading = _reading(content, read) if turn.answers else None
        content = content if reading is None else reading.text
        # All turns since the last answer are the prompt of the next: a question may be split, or follow a system turn.
        asked = [] if turn.answers else [*asked, turn.content]
        # Places are counted while the text is written: one line end after the heading, two after the turn.
        body = at + len(name) + 1
        placed.append(Placed(name, at, body, body + len(content), turn.answers, prompt, reading))
        parts.append(f"{name}\n{content}")
        at = body + len(content) + 2
    return Script("\n\n".join(parts), tuple(placed), len(turns) - len(placed))


def _reading(content: str, read: str) -> ReadingText | None:
    reading = read_text(content, read)
    # Nothing but marks, such as a rule: it is shown as it was written, since each turn needs a paragraph.
    return reading if reading.mode != "plain" and reading.text.strip() else None


def _name(role: str) -> str:
    known = {"user": tr("User"), "human": tr("User"), "system": tr("System"), "tool": tr("Tool")}
    return known.get(role.lower(), role)
