"""The context on one side of a match: its text for a cell, and how it is cut to the cell's width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.analyses.search.nearby import Mark
from explorer.gui.screens.search.work import Row
from explorer.gui.style.text_positions import cell_text, flowing
from explorer.text.graphemes import beginning, ending

GAP = " … "
_BEGIN, _END = "\ufdd0", "\ufdd1"
"""Characters that no text has: Unicode reserves them for internal use."""
_MOST_BACK = 16
"""The most characters to omit so that a word is not cut."""
_MOST_READ = 4_000
"""The most characters of a context that are processed."""


@dataclass(frozen=True, slots=True)
class Context:
    """One side of a line.

    text: as the cell shows it in full. following: it follows the match in reading order, so its beginning is next to
    the match; otherwise its end is. right_to_left: the direction of the line. marks: the other phrases of the query in
    it. joined: the rest of a word, which is shown with the match instead. edge: the document has nothing more there.
    """

    text: str
    following: bool
    right_to_left: bool
    marks: tuple[Mark, ...] = ()
    joined: str = ""
    edge: bool = False

    @property
    def words(self) -> str:
        """The text with what is joined to the match, so that words can be counted from the match."""
        return self.joined + self.text if self.following else self.text + self.joined


def context_of(row: Row, following: bool) -> Context:
    """Give the context on one side of a row's match, without the rest of a word that is joined to the match.

    following: Whether to give what follows the match; otherwise what precedes it.
    Returns: The context, cut to what a cell can hold, with the marks in it.
    """
    raw, marks = (row.line.right, row.after) if following else (row.line.left, row.before)
    rest = raw[len(row.tail) :] if following else raw[: len(raw) - len(row.head)]
    text = rest.lstrip() if following else rest.rstrip()
    joined = _joined(row.tail if following else row.head, len(text) < len(rest), following)
    edge = not text and (row.last if following else row.first)
    if not marks:
        shown_text = cell_text(flowing(text), ending=not following, most=_MOST_READ)
        return Context(shown_text, following, row.right_to_left, (), joined, edge)
    text, shown = _with_marks(text, marks, raw, following)
    return Context(text, following, row.right_to_left, shown, joined)


def _joined(word: str, spaced: bool, following: bool) -> str:
    """The rest of a word with the space that separates it from the context."""
    space = " " if word and spaced else ""
    return word + space if following else space + word


def fit_match(parts: tuple[str, str, str], width: int, measure: Callable[[str], int]) -> tuple[str, str, str]:
    """Cut the rests of a word before and after a match at their far ends, until all has room.

    measure: Gives the width of a text in pixels.
    Returns: The three parts with ellipses; the match is never cut.
    """
    head, match, tail = parts
    shown = parts
    # One character at a time, from the longer of the two.
    while (head or tail) and measure("".join(shown)) > width:
        head, tail = (head[1:], tail) if len(head) > len(tail) else (head, tail[:-1])
        shown = ("…" + head if head != parts[0] else head, match, tail + "…" if tail != parts[2] else tail)
    return shown


def _with_marks(text: str, marks: Sequence[Mark], raw: str, following: bool) -> tuple[str, tuple[Mark, ...]]:
    """A text as a cell shows it, and the positions of the marks: marker characters are inserted and removed again."""
    shift = len(raw) - len(text) if following else 0
    # At one place, ends (0) come before beginnings (1), so that marks that touch do not cross.
    edges = [(_within(mark.start - shift, text), 1, _BEGIN, mark) for mark in marks]
    edges += [(_within(mark.end - shift, text), 0, _END, mark) for mark in marks]
    pieces, last, order = [], 0, []
    for place, _, sign, mark in sorted(edges, key=lambda edge: edge[:2]):
        # A sign that is in the text itself would be taken for that of a mark.
        pieces += [text[last:place].replace(_BEGIN, "\ufffd").replace(_END, "\ufffd"), sign]
        order.append(mark)
        last = place
    pieces.append(text[last:].replace(_BEGIN, "\ufffd").replace(_END, "\ufffd"))
    signed = cell_text(flowing("".join(pieces)), ending=not following, most=_MOST_READ)
    return _taken_out(signed, order if following else _kept_at_end(signed, order))


def _within(place: int, text: str) -> int:
    return max(0, min(place, len(text)))


def _kept_at_end(signed: str, order: list[Mark]) -> list[Mark]:
    """The marks that remain after the beginning was cut off."""
    left = signed.count(_BEGIN) + signed.count(_END)
    # The beginning of the text was cut off, so the signs that are left are the last ones.
    return order[len(order) - left :]


def _taken_out(signed: str, order: list[Mark]) -> tuple[str, tuple[Mark, ...]]:
    plain: list[str] = []
    begun: dict[int, int] = {}
    found: list[Mark] = []
    size, signs = 0, iter(order)
    for char in signed:
        if char not in (_BEGIN, _END):
            plain.append(char)
            size += 1
            continue
        mark = next(signs)
        if char == _BEGIN:
            begun[id(mark)] = size
        # Its beginning may have been cut off with the text before it.
        elif id(mark) in begun:
            found.append(Mark(mark.clause, begun[id(mark)], size))
    return "".join(plain), tuple(found)


def fit(context: Context, words: Sequence[Mark], width: int, measure: Callable[[str], int]) -> tuple[str, list[Mark]]:
    """Cut a context to a width, with its marks and those of some words.

    The end next to the match is kept. If a phrase of the query is too far away to fit, its nearest occurrence is shown
    after a gap at the far end, so that each phrase is visible.
    """
    text = context.text
    near = _nearest_part(text, context.following, width, measure)
    if near == len(text):
        return text, [*words, *context.marks]
    hidden = _hidden(context, near)
    snippets: list[tuple[str, int]] = []
    for mark in hidden:
        piece = GAP + text[mark.start : mark.end]
        # At most three fifths of the room are for what is far from the match.
        if measure("".join(part for part, _ in snippets) + piece) < width * 3 // 5:
            snippets.append((piece, mark.clause))
    room = width - measure("".join(part for part, _ in snippets)) - measure("…")
    near = _nearest_part(text, context.following, room, measure)
    kept = [mark for mark in (*words, *context.marks) if _is_inside(mark, text, near, context.following)]
    if context.following:
        return _append(text[:near], kept, snippets)
    shift = near - len(text)
    moved = [Mark(mark.clause, mark.start + shift, mark.end + shift) for mark in kept]
    return _prepend(text[len(text) - near :], moved, snippets)


def cut_between_words(context: Context, words: Sequence[Mark], elided: str) -> tuple[str, list[Mark]]:
    """Cut a context where an elided text was cut, or a few characters before, so that no word is cut.

    context: The context, without marks of phrases.
    elided: Its text cut to a width, with an ellipsis at the far end; the whole text if all has room.
    """
    text = context.text
    if elided == text:
        return text, list(words)
    near = _whole_words(text, min(len(text), max(0, len(elided) - 1)), context.following)
    kept = [mark for mark in words if _is_inside(mark, text, near, context.following)]
    if context.following:
        return text[:near] + "…", kept
    # The ellipsis takes one character before the marks.
    shift = near - len(text) + 1
    return "…" + text[len(text) - near :], [Mark(m.clause, m.start + shift, m.end + shift) for m in kept]


def _nearest_part(text: str, following: bool, width: int, measure: Callable[[str], int]) -> int:
    """How many characters next to the match fit into a width: all, or as many as keep words intact."""
    size = measure(text)
    if size <= width:
        return len(text)
    # The mean width of a character, from which the number that fits is guessed: measuring is what takes time.
    each = size / len(text)
    low, high, guess = 0, len(text) - 1, int(width / each)
    while low < high:
        middle = min(max(guess, low + 1), high)
        over = measure(text[:middle] if following else text[len(text) - middle :]) - width
        low, high = (middle, high) if over <= 0 else (low, middle - 1)
        # An estimate of the number of characters that fit, starting from the previous one.
        guess = middle - max(1, int(over / each)) if over > 0 else middle + max(1, int(-over / each))
    return _whole_words(text, low, following)


def _whole_words(text: str, near: int, following: bool) -> int:
    """The same number of characters or fewer, so that a word is not cut if it ends within the last few."""
    for back in range(min(near, _MOST_BACK)):
        edge = near - back if following else len(text) - near + back
        if text[edge - 1 : edge].isspace() or text[edge : edge + 1].isspace():
            return near - back
    return len(beginning(text, near)) if following else len(ending(text, near))


def _is_inside(mark: Mark, text: str, near: int, following: bool) -> bool:
    return mark.end <= near if following else mark.start >= len(text) - near


def _hidden(context: Context, near: int) -> list[Mark]:
    """The nearest mark of each phrase that has none in the part that is shown, the nearest first."""
    shown = {m.clause for m in context.marks if _is_inside(m, context.text, near, context.following)}
    order = sorted(context.marks, key=lambda mark: mark.start if context.following else -mark.end)
    nearest: dict[int, Mark] = {}
    for mark in order:
        if mark.clause not in shown:
            nearest.setdefault(mark.clause, mark)
    return list(nearest.values())


def _append(text: str, marks: list[Mark], snippets: Sequence[tuple[str, int]]) -> tuple[str, list[Mark]]:
    text = text.rstrip() if snippets else text
    for piece, clause in snippets:
        marks.append(Mark(clause, len(text) + len(GAP), len(text) + len(piece)))
        text += piece
    return text + "…", marks


def _prepend(text: str, marks: list[Mark], snippets: Sequence[tuple[str, int]]) -> tuple[str, list[Mark]]:
    if snippets:
        spaces = len(text) - len(text.lstrip())
        text, marks = text[spaces:], [Mark(m.clause, m.start - spaces, m.end - spaces) for m in marks]
    for piece, clause in snippets:
        phrase = piece[len(GAP) :]
        marks = [Mark(m.clause, m.start + len(piece), m.end + len(piece)) for m in marks]
        marks.append(Mark(clause, 0, len(phrase)))
        text = phrase + GAP + text
    return "…" + text, [Mark(m.clause, m.start + 1, m.end + 1) for m in marks]
