"""Detects the encoding of a text by a short, deterministic rule.

In this order: a byte order mark; an early null byte, which means UTF-16 without a mark, or not text; UTF-8; UTF-8 with
some damage, if at least as many of its characters beyond ASCII are valid as invalid; windows-1252, if there are no
control characters and few letters beyond ASCII, as in Western languages. Everything else is not text, or in an encoding
that cannot be detected: guessing would fill an index with wrong letters.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

from explorer.i18n import tr

UTF8 = "utf-8"
_HEAD = 8_192
"""Bytes at the start in which a null byte means that a file is not text, as in git."""
_MARKS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NOT_1252 = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f\x81\x8d\x8f\x90\x9d]")
"""Control characters, and bytes that windows-1252 does not use. Ctrl-Z ends texts of old systems."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f]")
_ASCII = bytes(range(128))
_NO_LETTERS = {"Cc", "Cn", "Co", "Cs"}
_LINE_ENDS = "\t\n\f\r"
_MOST_WRONG = 0.02
"""The maximum share of such characters in a text with a byte order mark. In random bytes it was at least 0.06 (2,000
trials of 200 bytes)."""


class NotTextError(ValueError):
    """Bytes that are not text, or not in an encoding that can be detected; `kind` for counting."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


BINARY = "binary files"
UNKNOWN = "files in an unknown encoding"


@dataclass(frozen=True)
class Decoded:
    """A text that was decoded.

    Attributes
    ----------
    text
        The text, without a byte order mark.
    encoding
        Its original encoding.
    broken
        The number of invalid sequences that were replaced by U+FFFD.
    """

    text: str
    encoding: str
    broken: int = 0


def wide_encoding(head: bytes) -> str | None:
    """Tell whether a text is in UTF-16 or UTF-32.

    Parameters
    ----------
    head
        Its first bytes.

    Returns
    -------
    str | None
        The name of the encoding, if the beginning shows it with or without a byte order mark; otherwise None.

    Examples
    --------
    >>> wide_encoding("naïve".encode("utf-16-le"))
    'utf-16-le'
    """
    # Not the mark of UTF-8, and UTF-32 before UTF-16: the mark of UTF-16-LE is also the beginning of that of UTF-32-LE.
    for mark, name in _MARKS[1:]:
        if head.startswith(mark) and _wrong_share(head, name) < _MOST_WRONG:
            return name
    if b"\0" not in head[:_HEAD]:
        return None
    # Text in Latin letters has a null byte in every other place, on one side or the other. The decoding shows which.
    return next((name for name in ("utf-16-le", "utf-16-be") if _is_surely(head, name)), None)


def _wrong_share(head: bytes, encoding: str) -> float:
    """Share of characters of a beginning that never occur in text; the last one may be cut."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head[:_HEAD])
    # An incremental decoder keeps a cut character at the end to itself and does not count it as wrong.
    wrong = sum(char == "\ufffd" or unicodedata.category(char) in _NO_LETTERS for char in text)
    return (wrong - sum(map(text.count, _LINE_ENDS))) / max(1, len(text))


def _is_surely(head: bytes, encoding: str) -> bool:
    """Whether a beginning without a mark has only assigned characters, at least two, some of them ASCII."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head[:_HEAD])
    # Any two bytes may be an assigned character; only 99 of 65,536 pairs are a character of ASCII that occurs in text.
    plain = any(char in _LINE_ENDS or " " <= char <= "~" for char in text)
    return len(text) > 1 and plain and not _wrong_share(head, encoding)


def decode_text(data: bytes, otherwise: str = "") -> Decoded:
    """Decode the text of a whole file.

    Parameters
    ----------
    data
        The file's bytes.
    otherwise
        The encoding, by its name in Python, of a text whose encoding cannot be detected; "" for none.

    Returns
    -------
    Decoded
        The text, its encoding, and the number of replaced sequences.

    Raises
    ------
    NotTextError
        If this is not text, or its encoding cannot be detected.

    Examples
    --------
    >>> decode_text("naïve".encode("cp1252"))
    Decoded(text='naïve', encoding='windows-1252', broken=0)
    >>> decode_text("привет".encode("koi8-r"), otherwise="koi8-r").text
    'привет'
    """
    try:
        return _detected(data)
    except NotTextError:
        text = _as_told(data, otherwise)
        if text is None:
            raise
        return Decoded(text, otherwise)


def _as_told(data: bytes, encoding: str, whole: bool = True) -> str | None:
    """The text in an encoding that somebody named; None if these bytes cannot be one."""
    # A null byte first: a code page has a character for nearly every byte, and would make a text of any picture.
    if not encoding or b"\0" in data[:_HEAD]:
        return None
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(data, whole)
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else text


def _detected(data: bytes) -> Decoded:
    """Decode by the rule at the top of this module."""
    wide = wide_encoding(data)
    if wide is not None:
        # The decoders with a byte order in their name keep the mark as a character.
        text = data.decode(wide, "replace").removeprefix("\ufeff")
        return Decoded(text, wide, text.count("\ufffd"))
    if b"\0" in data[:_HEAD]:
        at = data.index(b"\0")
        raise NotTextError(BINARY, tr("byte {at:,} is a null byte, which text never contains", at=at + 1))
    try:
        return Decoded(data.decode("utf-8-sig"), UTF8)
    except UnicodeDecodeError:
        return _not_quite_utf8(data)


def _not_quite_utf8(data: bytes) -> Decoded:
    text = data.decode("utf-8-sig", "replace")
    broken = text.count("\ufffd")
    # Valid characters beyond ASCII. windows-1252 would hardly form one by chance, so one per broken sequence is enough.
    whole = len(text) - len(text.encode("ascii", "ignore")) - broken
    if data.startswith(codecs.BOM_UTF8) or whole >= max(1, broken):
        return Decoded(text, UTF8, broken)
    if wrong := _NOT_1252.search(data):
        byte = f"0x{wrong.group()[0]:02X}"
        raise NotTextError(BINARY, tr("byte {at:,} ({byte}) never occurs in text", at=wrong.start() + 1, byte=byte))
    # More than a quarter beyond ASCII: a Western language has a few percent, Cyrillic or Greek in an old code page
    # most.
    if len(data.translate(None, _ASCII)) > 2 + len(data) // 4:
        reason = tr("it is not UTF-8, UTF-16 or windows-1252; convert it to UTF-8")
        raise NotTextError(UNKNOWN, reason)
    return Decoded(data.decode("cp1252"), "windows-1252")


def check_head(head: bytes, otherwise: str = "") -> None:
    """Check the beginning of a file before it is read.

    Parameters
    ----------
    head
        Its first bytes, at least 8,192 unless the file is shorter; the last character may be cut.
    otherwise
        As of `decode_text`.

    Raises
    ------
    NotTextError
        If it shows that the file must be left out.
    """
    if wide_encoding(head) is None and _as_told(head, otherwise, whole=False) is None:
        # The last character may be cut: at most three of its bytes are present.
        head = head[:-4] + head[-4:].decode("ascii", "ignore").encode() if len(head) >= _HEAD else head
        decode_text(head)


def replace_surrogates(text: str) -> str:
    """Replace unpaired surrogates, which no encoding can hold.

    Parameters
    ----------
    text
        The text.

    Returns
    -------
    str
        The text with U+FFFD for each of them; the text itself if there is none.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text
