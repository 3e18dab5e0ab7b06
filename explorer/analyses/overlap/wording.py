"""Where the words of a text begin and end, and how many there are; also in scripts without spaces between words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue
from explorer.core.files.encoding import replace_surrogates
from explorer.text.segments import JOINER, LETTER, MARK, SINGLE, classes, inside_words
from explorer.text.tokens.tokenizer import Encoded

_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0xA4CF),  # Chinese, Japanese, Yi
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
"""Code points of scripts that are written without spaces. Korean has spaces."""
UNSPACED_WEIGHT = 0.5
"""A character of such a script counts as half a word."""
_LONGEST_WORD = 1_000


@dataclass(frozen=True, eq=False)
class Characters(ArrayValue):
    """What each character of a text is; all arrays are bool.

    in_word: Whether it is part of a word by the rule of the word list.
    unspaced: Whether it is of a script without spaces.
    visible: Whether it is not white space.
    boundary: Whether a word may end before it, or begin there; one entry more, for the end of the text.
    """

    in_word: NDArray[np.bool_]
    unspaced: NDArray[np.bool_]
    visible: NDArray[np.bool_]
    boundary: NDArray[np.bool_]


def characters(text: str) -> Characters:
    """Classify every character of a text.

    text: A text without unpaired surrogates.

    Notes
    -----
    Linear in the characters.
    """
    # One number per character, so that arrays have the indexes of the text.
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    kinds = classes()[codes]
    distinct, where = np.unique(codes, return_inverse=True)
    # Questions to Python are per distinct character, not per character.
    names = [chr(code) for code in distinct.tolist()]
    visible = np.array([not char.isspace() for char in names], dtype=np.bool_)[where]
    among = np.array([any(low <= ord(char) <= high for low, high in _UNSPACED) for char in names], dtype=np.bool_)[
        where
    ]
    inside = inside_words(text)
    # A character is in a word if the word reaches over one of its ends, or if it begins one.
    in_word = inside[:-1] | ((kinds >= LETTER) & (kinds <= SINGLE))
    unspaced = among & in_word
    boundary = ~inside
    # Words of scripts without spaces may end at each character, but marks belong to theirs.
    attached = (kinds[1:] == MARK) | (kinds[1:] == JOINER)
    boundary[1:-1] |= (unspaced[:-1] | unspaced[1:]) & ~attached
    return Characters(in_word, unspaced, visible, boundary)


@dataclass(frozen=True, eq=False)
class Wording(ArrayValue):
    """Words of a text at each border between its tokens: entry i is before token i, the last one the text's end.

    boundary: Whether no word continues across the border, bool.
    words: Words before it, not counting one that begins there, float64.
    visible_before: Characters that are not white space, before each character and at the end, int64.
    word_places: Characters at which words begin, ascending, int64.
    word_counts: The words up to each of them, float64.
    """

    boundary: NDArray[np.bool_]
    words: NDArray[np.float64]
    visible_before: NDArray[np.int64]
    word_places: NDArray[np.int64]
    word_counts: NDArray[np.float64]

    @property
    def total(self) -> float:
        """Words of the whole text."""
        return float(self.words[-1])


def wording(text: str, encoded: Encoded) -> Wording:
    """Find the words of a text.

    Returns: Words and their borders, by character and by token.

    Notes
    -----
    Linear in the characters.
    """
    chars = characters(text)
    begins = chars.in_word & chars.boundary[:-1]
    weights = np.where(begins, np.where(chars.unspaced, UNSPACED_WEIGHT, 1.0), 0.0)
    # before[i]: words that begin before character i.
    before = np.concatenate([[0.0], np.cumsum(weights)])
    places = np.append(encoded.starts, len(text))
    # By token from here on: one entry per border between tokens.
    boundary = chars.boundary[places]
    # Some tokens begin inside a character; if that is white space, no word is cut.
    begun = encoded.starts[1:] < encoded.ends[:-1]
    # A tokenizer that trims white space puts a last token of it at the end of the text, where no character is.
    visible = np.append(chars.visible, False)
    boundary[1:-1] &= ~(begun & visible[encoded.starts[1:]])
    word_places = np.flatnonzero(begins)
    return Wording(
        boundary=boundary,
        words=before[places],
        visible_before=np.concatenate([[0], np.cumsum(chars.visible)]).astype(np.int64),
        word_places=word_places,
        word_counts=before[word_places],
    )


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a part of a text to the words that it cuts.

    end: One past its last character.
    Returns: The first character and one past the last, without white space at either end.

    Examples
    --------
    >>> whole_words("the cat sat", 5, 8)
    (4, 7)
    """
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end:
        return start, end
    # Only nearby characters can belong to the same word.
    first, last = max(0, start - _LONGEST_WORD), min(len(text), end + _LONGEST_WORD)
    boundary = characters(replace_surrogates(text[first:last])).boundary
    while start > first and not boundary[start - first]:
        start -= 1
    while end < last and not boundary[end - first]:
        end += 1
    return start, end
