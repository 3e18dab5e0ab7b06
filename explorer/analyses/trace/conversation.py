"""Conversations: what was asked and answered, turn by turn.

Read from JSON as chat programs write it: a list of {"role", "content"}, or an object with such a list under
"messages". Content is a text, or a list of parts of which those with a "text" count. Or marked by hand: a line
that begins with "User:" or "Assistant:" (or "System:", "Human:", "AI:") begins a turn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from explorer.core.files.json_text import parse_json
from explorer.errors import QueryError
from explorer.i18n import mark, tr

ANSWERING = ("assistant", "model", "bot", "ai", "gpt")


@dataclass(frozen=True)
class Turn:
    """One message of a conversation."""

    role: str
    content: str

    @property
    def answers(self) -> bool:
        """Whether a model wrote it."""
        return self.role.lower() in ANSWERING


@dataclass(frozen=True)
class Piece:
    """Something to trace."""

    name: str
    text: str
    prompt: str = ""


_MARK = re.compile(r"^(User|Human|System|Assistant|AI):[ \t]*", re.M)


def looks_like_conversation(text: str) -> bool:
    """Tell whether a text is surely a conversation: JSON with roles, or turns marked by hand."""
    stripped = text.lstrip()
    # Only looked at, not parsed: what is wrong with the JSON is reported by `parse_conversation`.
    if stripped[:1] in ("[", "{"):
        return '"role"' in stripped and '"content"' in stripped
    # Both sides have to speak, so that a play or a form with "User:" in it stays a text.
    marks = {match.group(1) for match in _MARK.finditer(text)}
    return bool(_MARK.match(stripped)) and bool(marks & {"User", "Human"}) and bool(marks & {"Assistant", "AI"})


def parse_conversation(text: str) -> tuple[Turn, ...]:
    r"""Read a conversation.

    text: JSON with roles, or turns marked by hand.
    Raises `QueryError` if it cannot be read; the message names the place and the reason.

    Examples
    --------
    >>> parse_conversation("User: why?\nAssistant: because.")[1]
    Turn(role='assistant', content='because.')
    """
    # JSON that quotes a conversation with marks is JSON.
    if text.lstrip()[:1] not in ("[", "{") and _MARK.match(text.lstrip()):
        return _marked_turns(text)
    try:
        value = parse_json(text)
    except ValueError as error:
        raise QueryError(mark("The conversation cannot be read: {cause}."), reason="not-json", cause=error) from error
    if isinstance(value, dict):
        value = value.get("messages")
    if not isinstance(value, list) or not value:
        raise QueryError(
            mark('A conversation is a list of {"role": …, "content": …}, or has one under "messages".'),
            reason="not-a-conversation",
        )
    return tuple(_turn(number, message) for number, message in enumerate(value, start=1))


def _marked_turns(text: str) -> tuple[Turn, ...]:
    marks = list(_MARK.finditer(text))
    # A turn ends where the next one begins. Text before the first mark does not exist, by the check of the caller.
    ends = [match.start() for match in marks[1:]] + [len(text)]
    # In lower case, as JSON writes roles.
    return tuple(Turn(m.group(1).lower(), text[m.end() : end].strip()) for m, end in zip(marks, ends, strict=True))


def _turn(number: int, message: Any) -> Turn:
    if not isinstance(message, dict):
        raise QueryError(
            mark("Message {message} of the conversation is not an object with a role and a content."),
            reason="bad-message",
            message=number,
        )
    role, content = message.get("role"), message.get("content")
    if not isinstance(role, str) or not role:
        raise QueryError(
            mark('Message {message} of the conversation has no "role".'), reason="bad-message", message=number
        )
    if isinstance(content, list):
        # Parts without a text, such as images, are left out.
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        raise QueryError(
            mark('Message {message} of the conversation has no "content" that is a text.'),
            reason="bad-message",
            message=number,
        )
    return Turn(role, content)


def answers(turns: tuple[Turn, ...]) -> tuple[Piece, ...]:
    """Take the model's messages of a conversation.

    Returns: The model's, each with the messages since its last one as its prompt.
    Raises `QueryError` if no message is a model's.
    """
    pieces: list[Piece] = []
    before: list[str] = []
    for turn in turns:
        if turn.answers:
            pieces.append(Piece(tr("Answer {count}", count=len(pieces) + 1), turn.content, "\n\n".join(before)))
            before = []
        else:
            # System messages and tool results count as part of the prompt: the model has seen them.
            before.append(turn.content)
    if not pieces:
        roles = ", ".join(dict.fromkeys(turn.role for turn in turns))
        raise QueryError(
            mark("No message of the conversation is from a model (roles: {roles}; expected: assistant)."),
            reason="no-answers",
            roles=roles,
        )
    return tuple(pieces)


def parts_of(text: str, most: int) -> tuple[Piece, ...]:
    """Divide a long text.

    Returns: The parts, cut at line ends where there are any in the second half of a part.
    """
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = min(len(text), at + most)
        if end < len(text):
            # Only in the second half, so that no part is less than half as long as it may be.
            line = text.rfind("\n", at + most // 2, end)
            end = line + 1 if line >= 0 else end
        pieces.append(text[at:end])
        at = end
    return tuple(
        Piece(tr("Part {number} of {count}", number=number, count=len(pieces)), part)
        for number, part in enumerate(pieces, start=1)
    )
