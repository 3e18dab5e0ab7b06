"""Where the words of a text are: classes of characters, and rule R in plain Python. The engine has the same rule.

Unicode's text segmentation (annex 29) with the exceptions that `docs/words.md` lists. A word is a run of letters,
numbers and connectors (general categories L, N and Pc) with the marks and joiners after them, which never begin a word.
An apostrophe joins between letters and between digits, a middle dot between letters, a point or comma between digits;
everything else separates. Each letter of Han, Hiragana, Katakana and Bopomofo is a word of its own. Thai, Lao, Khmer
and Myanmar stay runs, since no dictionary is used.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from explorer.core.categories import by_category

# The engine knows the same numbers.
OTHER, LETTER, DIGIT, CONNECTOR, SINGLE, MARK, JOINER, APOSTROPHE, MIDDLE, POINT, SIGN = range(11)
_SINGLE_RANGES = (
    # Bopomofo, and Hiragana and Katakana with the marks of length and repetition.
    (0x02EA, 0x02EB), (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x3105, 0x312F),
    (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1AFFE), (0x1B000, 0x1B167),
    # Han, with its numerals and marks of repetition.
    (0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035), (0x3038, 0x303C), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x3FFFD),
)  # fmt: skip
APOSTROPHES = "'\u2018\u2019\uff07"
"""Straight, both single quotation marks, and fullwidth."""
_MIDDLE_DOTS = "\u00b7\u0387\u055f\u05f4\u2027"
"""Of Catalan, Greek, Armenian (an abbreviation mark), Hebrew (gershayim) and of dictionaries."""
_POINTS = ".,\u066b\u066c"
# Format characters that do not join: the space without a width, and signs of Arabic and others before numbers.
_SEPARATING = (0x200B, *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)


@lru_cache(maxsize=1)
def classes() -> NDArray[np.uint8]:
    """Give the class of every character: one of the numbers of this module, uint8 of shape (0x110000,).

    Returns: The table, made at the first call: some tens of milliseconds.
    """
    known = {
        "Pc": CONNECTOR, "Nd": DIGIT, "L": LETTER, "M": MARK, "N": CONNECTOR, "P": SIGN, "S": SIGN, "Cf": JOINER,
    }  # fmt: skip
    table = by_category(lambda name: known.get(name, known.get(name[0], OTHER)), np.uint8)
    for first, last in _SINGLE_RANGES:
        part = table[first : last + 1]
        # Only letters and letter numbers: these blocks hold signs and unassigned characters, too.
        numerals = [unicodedata.category(chr(code)) == "Nl" for code in range(first, last + 1)]
        part[(part == LETTER) | np.array(numerals)] = SINGLE
    table[list(_SEPARATING)] = OTHER
    for kind, characters in ((APOSTROPHE, APOSTROPHES), (MIDDLE, _MIDDLE_DOTS), (POINT, _POINTS)):
        table[list(map(ord, characters))] = kind
    # It replaces bytes that are not a text, so it is not a sign of the text.
    table[0xFFFD] = OTHER
    # Shared by all callers.
    table.setflags(write=False)
    return table


def class_of(char: str) -> int:
    """Give the class of one character."""
    return int(classes()[ord(char)])


def spans(text: str, signs: bool = False) -> list[tuple[int, int]]:
    """Find the words of a text.

    text: Any text; unpaired surrogates separate words.
    Returns: The first character of each word, and one past its last.

    Examples
    --------
    >>> spans("it's 3.14.")
    [(0, 4), (5, 9)]
    """
    kinds = classes()[np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")].tolist()
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(kinds):
        end = at + 1
        if LETTER <= kinds[at] <= SINGLE:
            end, _, _ = read_on(kinds, end, Reading(kinds[at]))
            found.append((at, end))
        elif signs and kinds[at] >= APOSTROPHE:
            found.append((at, end))
        at = end
    return found


def inside_words(text: str) -> NDArray[np.bool_]:
    """Tell where a word would be cut.

    Returns: Whether a word reaches over the place before each character, and after the last: one entry more.

    Examples
    --------
    >>> inside_words("it's").tolist()
    [False, True, True, True, False]
    """
    found = np.array(spans(text), dtype=np.int64).reshape(-1, 2)
    # One more from the second character of a word on, one less from its end on.
    steps = np.zeros(len(text) + 1, dtype=np.int8)
    steps[found[:, 0] + 1] += 1
    steps[found[:, 1]] -= 1
    return np.cumsum(steps, dtype=np.int8).astype(np.bool_)


@dataclass(frozen=True)
class Reading:
    """How far a word was read.

    last: The class of its last character that is neither mark nor joiner.
    waiting: Whether a sign follows that joins it with a character of the same class.
    """

    last: int
    waiting: bool = False


def read_on(kinds: Sequence[int], at: int, reading: Reading) -> tuple[int, Reading, bool]:
    """Read the rest of a word.

    reading: How far the word was read before.
    Returns: One past the last character that belongs to the word, how far it was read, and whether it has ended:
        otherwise what follows may continue it.
    """
    last, waiting, end = reading.last, reading.waiting, at
    for place in range(at, len(kinds)):
        kind = kinds[place]
        if kind in (MARK, JOINER):
            # They belong to what precedes; a joiner at the end of a word does not count.
            end = place + 1 if kind == MARK and not waiting else end
        elif last != SINGLE and LETTER <= kind < SINGLE and (not waiting or kind == last):
            last, waiting, end = kind, False, place + 1
        elif not waiting and kind in _JOINING.get(last, ()):
            waiting = True
        else:
            return end, Reading(last, waiting), True
    return end, Reading(last, waiting), False


def continues(reading: Reading | None, kind: int) -> bool:
    """Whether a character may belong to what was read.

    reading: How far a word was read; None for any other character, to which marks belong.
    Returns: Whether it does, if no other sign follows.
    """
    return kind in (MARK, JOINER) if reading is None else not read_on((kind,), 0, reading)[2]


def reading_at_end(text: str) -> Reading | None:
    """Find how far the word was read with which a text ends.

    Returns: None if it does not end in a word.
    """
    last = _last_base(text, len(text))
    if last < 0:
        return None
    kind = class_of(text[last])
    if LETTER <= kind <= SINGLE:
        return Reading(kind)
    before = _last_base(text, last)
    joined = before >= 0 and kind in _JOINING.get(class_of(text[before]), ())
    return Reading(class_of(text[before]), True) if joined else None


def _last_base(text: str, end: int) -> int:
    """The last character before a place that is neither mark nor joiner; -1 if there is none."""
    at = end - 1
    while at >= 0 and class_of(text[at]) in (MARK, JOINER):
        at -= 1
    return at


_JOINING = {LETTER: (APOSTROPHE, MIDDLE), DIGIT: (APOSTROPHE, POINT)}
"""The signs that join two letters, or two digits."""
