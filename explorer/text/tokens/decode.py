"""From token ids back to text: bytes joined, decoded once, with character offsets kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue
from explorer.text.tokens.tokenizer import TextTokenizer


@dataclass(frozen=True, eq=False)
class DecodedText(ArrayValue):
    """Text of some tokens, with the place of each.

    Of several tokens inside one character, all but the first begin at that character's end.

    Attributes
    ----------
    text
        The text.
    starts
        The character at which each token begins, and the length of the text; int64 of shape (tokens + 1,).
    """

    text: str
    starts: NDArray[np.int64]

    def slice(self, first: int, last: int) -> str:
        """Take the characters of some tokens.

        Parameters
        ----------
        first
            The first token, from 0.
        last
            One past the last token.

        Returns
        -------
        str
            Their text; "" if first equals last.
        """
        return self.text[int(self.starts[first]) : int(self.starts[last])]


def decode(
    tokenizer: TextTokenizer, ids: Iterable[int], separator: int | None = None, begins: bool = False
) -> DecodedText:
    """Decode a run of tokens, with the place of each token in the text.

    ids: Token ids in reading order.
    separator: The id that ends a document, which becomes a line feed; None if there is none.
    begins: Whether the first token begins a text, so that the space that some tokenizers put there is left out.
    Returns: The text and the character at which each token begins. Bytes that are not UTF-8 become U+FFFD; where the
        run was cut inside a character at either end, its stray bytes are left out.
    """
    tokens = ids.tolist() if isinstance(ids, np.ndarray) else list(map(int, ids))
    known = tokenizer.bytes_of
    # Bytes are joined before they are decoded: a character may be cut across several tokens.
    if separator in tokens:
        pieces = [b"\n" if token == separator else known[token] for token in tokens]
    else:
        pieces = [known[token] for token in tokens]
    if begins and tokens:
        pieces[0] = pieces[0][tokenizer.artificial_bytes(tokens[0]) :]
    data = b"".join(pieces)
    byte_starts = np.cumsum([0, *map(len, pieces)])
    text, char_bytes = _decode_utf8(data)
    # "left": a token that begins inside a character is placed at the end of that character.
    starts = np.searchsorted(char_bytes, byte_starts, side="left")
    # Counted in characters: each stray byte is one lone surrogate here.
    lead, tail = _cut_characters(text)
    text = text[lead : len(text) - tail]
    # Tokens that consist of dropped bytes only become empty at either end.
    starts = np.clip(starts - lead, 0, len(text)).astype(np.int64)
    # Last, since it replaces one character by one: the places stay valid.
    return DecodedText(text.translate(_STRAY_BYTES), starts)


def decode_rows(
    tokenizer: TextTokenizer, rows: NDArray[np.integer], separator: int | None = None, begins: bool = False
) -> list[str]:
    """Decode many short runs of tokens, without the places of the tokens.

    rows: Token ids in reading order, one run per row.
    Returns: The text of each run, as `decode` gives it; about a microsecond each.

    Examples
    --------
    >>> decode_rows(TextTokenizer.raw_bytes(), np.array([[97, 98], [195, 169]]))
    ['ab', 'é']
    """
    return list(_texts(tokenizer, rows, separator, begins))


def _texts(tokenizer: TextTokenizer, rows: NDArray[np.integer], separator: int | None, begins: bool) -> Iterator[str]:
    known = tokenizer.bytes_of
    drops_space = begins and tokenizer.adds_space
    is_plain = separator is None or not (rows == separator).any()
    for row in rows.tolist():
        try:
            text = b"".join([known[token] for token in row]).decode("utf-8") if is_plain else None
        except UnicodeDecodeError:
            text = None
        if text is None:
            yield decode(tokenizer, row, separator, begins).text
        else:
            yield text[1:] if drops_space and row and known[row[0]].startswith(b" ") else text


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out white space at either end of a part of a text.

    end: One past its last character.
    Returns: The narrower [start, end); unchanged if the part contains only white space.

    Examples
    --------
    >>> trim("one  two ", 3, 9)
    (5, 8)
    """
    inner = text[start:end].strip()
    if not inner:
        return start, end
    start += text[start:end].index(inner[0])
    return start, start + len(inner)


def character_starts(data: bytes) -> NDArray[np.int64]:
    """Find where characters begin.

    data: UTF-8; a byte that is not part of a character counts as one.
    Returns: The byte at which each character begins, int64.

    Examples
    --------
    >>> character_starts("né!".encode()).tolist()
    [0, 1, 3]
    """
    return _decode_utf8(data)[1][:-1]


_STRAY_BYTES = dict.fromkeys(range(56448, 56576), 65533)


def _decode_utf8(data: bytes) -> tuple[str, NDArray[np.int64]]:
    """Text, with stray bytes as lone surrogates, and the byte at which each character begins."""
    text = data.decode("utf-8", "surrogateescape")
    if text.isascii():
        return text, np.arange(len(text) + 1)
    # Four bytes per character, so that the sizes of all of them are a few operations on an array.
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    stray = (codes >= 0xDC80) & (codes < 0xDD00)
    # Bytes of each character in UTF-8: one, and one more from each of these code points on.
    sizes = 1 + (codes >= 0x80).astype(np.int64) + (codes >= 0x800) + (codes >= 0x10000)
    return text, np.concatenate([[0], np.cumsum(np.where(stray, 1, sizes))])


def _cut_characters(text: str) -> tuple[int, int]:
    """Stray bytes (at most 3) that a cut left at the beginning and at the end."""
    lead = 0
    # Only continuation bytes (0x80 to 0xBF) can be the rest of a character that was cut before. A character has four
    # bytes at most, so three are the most that a cut can leave.
    while lead < min(3, len(text)) and 0xDC80 <= ord(text[lead]) < 0xDCC0:
        lead += 1
    tail = 0
    # At the end, the first bytes of a character are stray as well.
    while tail < min(3, len(text) - lead) and 0xDC80 <= ord(text[-1 - tail]) < 0xDD00:
        tail += 1
    return lead, tail
