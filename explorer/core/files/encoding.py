"""Decodes the bytes of a file: a declared character set wins, and only without one it is detected.

The order of precedence:

1. a byte order mark;
2. the character set that the user names (`--encoding`);
3. the character set that the file itself declares (XML declaration, `meta charset`, the cookie of Python source code);
4. detection: UTF-16 or UTF-32 by a regular pattern of null bytes; UTF-8; UTF-8 with some damage, if at least as many of
   its characters beyond ASCII are valid as invalid; the user's `auto:NAME`; windows-1252, if there are no control
   characters and few letters beyond ASCII, as in Western languages. Everything else is not text, or in a character set
   that cannot be detected: guessing would fill an index with wrong letters.

Formats that are not text are recognized by their first bytes before all of this.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass, replace

from explorer.core.files.signatures import FOREIGN, foreign_kind
from explorer.i18n import mark, tr

UTF8 = "utf-8"
AUTO = "auto"
"""Names no character set: it is detected; "auto:NAME" names one for texts in which nothing is detected."""
_HEAD = 8_192
"""Bytes at the start that decide whether a file is text."""
_MARKS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE_NAMES = ("utf-16", "utf-32")
_WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_NOT_1252 = re.compile(rb"[\x01-\x08\x0b\x0e-\x19\x1b-\x1f\x7f\x81\x8d\x8f\x90\x9d]")
"""Control characters, and bytes that windows-1252 does not use. Ctrl-Z ends texts of old systems."""
_CONTROLS = bytes((*range(9), 0x0B, *range(0x0E, 0x1A), *range(0x1C, 0x20), 0x7F))
"""Control characters that are rare in text; not Escape, which is part of ISO 2022."""
_C1 = re.compile(rb"[\x80-\x9f]")
_ASCII = bytes(range(128))
_NO_LETTERS = {"Cc", "Cn", "Co", "Cs"}
_LINE_ENDS = "\t\n\f\r"
_MOST_WRONG = 0.02
"""The maximum share of such characters in a text with a byte order mark. In random bytes it was at least 0.06 (2,000
trials of 200 bytes)."""
_FEW, _MOST_RARE = 3, 0.05
"""Null bytes, or control characters, that a text may have: this many, or this share. Random bytes have 0.11."""
_MANY_NULLS = 4
"""Text in UTF-16 that is mostly Latin has a null byte in at least one of this many bytes."""
_SHORT = 16
"""In so few bytes, only Latin text in UTF-16 is recognized, in which nearly every other byte is null."""
_LARGER = {
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "cp950",
}
"""What browsers read in place of a declared set: the set of the same system that has more characters."""
_ALIASES = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "x-gbk": "gb18030",
    "x-mac-roman": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "ks_c_5601-1987": "cp949",
    "iso-8859-8-i": "iso8859-8",
    "unicode-1-1-utf-8": UTF8,
    "windows-874": "cp874",
    "dos-874": "cp874",
}
"""Names on web pages that Python does not know."""


class NotTextError(ValueError):
    """Bytes that are not text, or not in an encoding that can be detected; `kind` for counting."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


class UnfitError(NotTextError):
    """Bytes that are not in the character set that the user or the file declares."""

    def __init__(self, reason: str) -> None:
        super().__init__(UNFIT, reason)


BINARY = "binary files"
UNKNOWN = "files in an unknown encoding"
UNFIT = mark("files that are not in the declared character set")
READ_AS = "files read as "
"""The kind of a note about the encoding of a file, which follows it."""
WRONG_DECLARATION = mark("files that declare a wrong character set (read as UTF-8)")
WITH_NULLS = mark("files with null bytes (kept)")
BYTES_REPLACED = mark("files with bytes that are not UTF-8 (replaced)")


@dataclass(frozen=True)
class Decoded:
    """A text that was decoded.

    text: The text, without a byte order mark.
    broken: The number of invalid sequences that were replaced by U+FFFD.
    note: What to know about a declaration that was not followed, or that hides another reading; "" for nothing.
    """

    text: str
    encoding: str
    broken: int = 0
    note: str = ""


def named_set(encoding: str) -> str:
    """The character set that a user names for all texts.

    Returns: The name; "" for detection.

    Examples
    --------
    >>> named_set("cp850"), named_set("auto:koi8-r")
    ('cp850', '')
    """
    return "" if encoding.partition(":")[0] == AUTO else encoding


def otherwise_set(encoding: str) -> str:
    """The character set that a user names for texts in which none is detected; "" for none."""
    first, _, other = encoding.partition(":")
    return other if first == AUTO else ""


def check_encoding(encoding: str) -> None:
    """Require the name of a character set, "auto", or "auto:NAME"; raises LookupError or ValueError otherwise.

    encoding: The name of a character set, "auto", or "auto:NAME"; anything else raises LookupError or ValueError.
    """
    if encoding in ("", AUTO):
        return
    # Python has other codecs, which make bytes of bytes.
    "".encode(otherwise_set(encoding) if encoding.startswith(f"{AUTO}:") else encoding)


def marked_set(head: bytes) -> str:
    """The encoding that a byte order mark names.

    head: The first bytes of a text.
    Returns: The name; "" without a mark.

    Examples
    --------
    >>> marked_set("naïve".encode("utf-8-sig"))
    'utf-8'
    """
    # UTF-32 before UTF-16: the mark of UTF-16-LE is also the beginning of that of UTF-32-LE.
    for sign, name in _MARKS:
        if head.startswith(sign) and (name == UTF8 or _wrong_share(head, name) < _MOST_WRONG):
            return name
    return ""


def wide_encoding(head: bytes) -> str | None:
    """Tell whether a text is in UTF-16 or UTF-32.

    Returns: The name of the encoding, if the beginning shows it with or without a byte order mark; otherwise None.

    Examples
    --------
    >>> wide_encoding("naïve".encode("utf-16-le"))
    'utf-16-le'
    """
    sign = marked_set(head)
    if sign:
        return sign if sign != UTF8 else None
    head = head[:_HEAD]
    nulls = head.count(0)
    if not nulls:
        return None
    # A text of few null bytes, and no pair of bytes for each character.
    if nulls * _MANY_NULLS < len(head) and _is_plain_with_nulls(head):
        return None
    if len(head) < _SHORT and 5 * nulls < 2 * len(head):
        return None
    # Text in Latin letters has a null byte in every other place, on one side or the other. The decoding shows which.
    return next((name for name in _WIDE if _is_surely(head, name)), None)


def _is_plain_with_nulls(head: bytes) -> bool:
    """Whether a beginning is UTF-8 without control characters, but for null bytes."""
    rest = head.replace(b"\0", b"")
    return len(rest) == len(rest.translate(None, _CONTROLS)) and _is_utf8(rest)


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder(UTF8)("strict").decode(head)
    except UnicodeDecodeError:
        return False
    return True


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


def decode_text(data: bytes, encoding: str = "", declared: str = "", whole: bool = True) -> Decoded:
    """Decode the text of a whole file, by the rule at the top of this module.

    encoding: The character set that the user names, by its name in Python; "" to detect it; "auto:NAME" names one only
        for texts in which none is detected.
    declared: The character set that the file itself declares; "" for none.
    whole: Whether this is all of the file; otherwise its last character may be cut.
    Returns: The text, its encoding, and the number of replaced sequences.
    Raises `NotTextError` if this is not text, or its encoding cannot be detected.
    Raises `UnfitError` if the text is not in the declared character set.

    Examples
    --------
    >>> decode_text("naïve".encode("cp1252"))
    Decoded(text='naïve', encoding='windows-1252', broken=0, note='')
    >>> decode_text("café".encode("cp850"), "cp850").text
    'café'
    """
    if found := _marked(data):
        return found
    _check_format(data)
    if name := named_set(encoding):
        return _as_named(data, name, whole)
    wide = wide_encoding(data)
    if wide is not None:
        text = data.decode(wide, "replace")
        return Decoded(text, wide, text.count("\ufffd"))
    if declared:
        _check_controls(data)
        return _as_declared(data, declared, encoding, whole)
    _check_nulls(data)
    return _detected(data, otherwise_set(encoding), whole)


def _marked(data: bytes) -> Decoded | None:
    """The text after a byte order mark; None without one."""
    sign = marked_set(data)
    if not sign:
        return None
    # The decoders with a byte order in their name keep the mark as a character.
    text = data.decode(sign, "replace").removeprefix("\ufeff")
    return Decoded(text, sign, text.count("\ufffd"))


def _check_format(data: bytes) -> None:
    kind = foreign_kind(data[:_HEAD])
    if kind is not None:
        raise NotTextError(FOREIGN if kind.has_text else BINARY, kind.sentence)


def _check_nulls(data: bytes) -> None:
    """Require no more than a few null bytes, in what else is text: others are binary data."""
    head = data[:_HEAD]
    nulls = head.count(0)
    few = nulls <= max(_FEW, _MOST_RARE * len(head)) and nulls * _MANY_NULLS < len(head)
    if nulls and not (few and _is_plain_with_nulls(head)):
        at = data.index(b"\0")
        raise NotTextError(BINARY, tr("byte {at:,} is a null byte, which text never contains", at=at + 1))


def _check_controls(data: bytes) -> None:
    """Require few control characters: most sets have a character for nearly every byte, also for those of a picture."""
    head = data[:_HEAD]
    rare = len(head) - len(head.translate(None, _CONTROLS))
    if rare > max(_FEW, _MOST_RARE * len(head)) or rare * _MANY_NULLS > len(head):
        at = next(number for number, byte in enumerate(data) if byte in _CONTROLS)
        byte = f"0x{data[at]:02X}"
        raise NotTextError(BINARY, tr("byte {at:,} ({byte}) never occurs in text", at=at + 1, byte=byte))


def _as_named(data: bytes, name: str, whole: bool) -> Decoded:
    """The text in the character set that the user names."""
    proper = codecs.lookup(name).name
    wide = proper.startswith(_WIDE_NAMES)
    if not wide:
        _check_controls(data)
    text, problem = _strictly(data, name, whole)
    if problem:
        raise UnfitError(problem)
    # Without this, a folder in two character sets would be read wrongly in silence.
    other = not wide and proper != UTF8 and not data.isascii() and _is_utf8(data)
    note = tr('it is valid UTF-8, too; with "auto:{name}" it would be read as UTF-8', name=name) if other else ""
    return Decoded(text.removeprefix("\ufeff"), name, note=note)


def _strictly(data: bytes, name: str, whole: bool) -> tuple[str, str]:
    """The text in a character set, and why it is not one; one of the two is \"\"."""
    try:
        return codecs.getincrementaldecoder(name)("strict").decode(data, whole), ""
    except UnicodeError as error:
        if not isinstance(error, UnicodeDecodeError):
            return "", str(error)
        byte = f"0x{error.object[error.start]:02X}"
        return "", tr("byte {at:,} ({byte}) does not fit {name}", at=error.start + 1, byte=byte, name=name)


def _as_declared(data: bytes, declared: str, encoding: str, whole: bool) -> Decoded:
    """The text in the character set that the file declares; where that is wrong, UTF-8 if it is valid."""
    name, larger = _sets_of(declared)
    if larger == "cp1252" and _C1.search(data):
        # As in browsers: the letters of Windows are meant, and not control characters.
        name = larger
    text, problem = _strictly(data, name, whole) if name else ("", tr("{name} is not a character set", name=declared))
    if not problem:
        return Decoded(text, name)
    note = tr('it declares "{declared}", but {problem}', declared=declared, problem=problem)
    for other in filter(None, (UTF8, larger)):
        text, why_not = _strictly(data, other, whole)
        if not why_not:
            return Decoded(text, other, note=note)
    if otherwise := otherwise_set(encoding):
        return replace(_otherwise(data, otherwise, whole), note=note)
    raise UnfitError(note)


def _sets_of(declared: str) -> tuple[str, str]:
    """The set of a declared name, and the larger one that browsers read in its place; "" for none."""
    name = _ALIASES.get(declared.lower(), declared.lower())
    try:
        "".encode(name)
        proper = codecs.lookup(name).name
    except (LookupError, ValueError):
        return "", ""
    # Whoever could read the declaration as ASCII has no text of pairs of bytes.
    if proper == UTF8 or proper.startswith(_WIDE_NAMES):
        return UTF8, ""
    return name, _LARGER.get(proper, "")


def _detected(data: bytes, otherwise: str, whole: bool) -> Decoded:
    """Decode bytes without a mark, a declaration or many null bytes."""
    text, why_not = _strictly(data, UTF8, whole)
    if not why_not:
        return Decoded(text, UTF8)
    text = codecs.getincrementaldecoder(UTF8)("replace").decode(data, whole)
    broken = text.count("\ufffd")
    # Valid characters beyond ASCII. windows-1252 would hardly form one by chance, so one per broken sequence is enough.
    good = len(text) - len(text.encode("ascii", "ignore")) - broken
    if good >= max(1, broken):
        return Decoded(text, UTF8, broken)
    if otherwise:
        return _otherwise(data, otherwise, whole)
    if wrong := _NOT_1252.search(data):
        byte = f"0x{wrong.group()[0]:02X}"
        raise NotTextError(BINARY, tr("byte {at:,} ({byte}) never occurs in text", at=wrong.start() + 1, byte=byte))
    # More than a quarter beyond ASCII: a Western language has a few percent, Cyrillic or Greek in an old code page
    # most.
    if len(data.translate(None, _ASCII)) > 2 + len(data) // 4:
        reason = tr("it is not UTF-8, UTF-16 or windows-1252; name its character set, or convert it to UTF-8")
        raise NotTextError(UNKNOWN, reason)
    return Decoded(data.decode("cp1252"), "windows-1252")


def _otherwise(data: bytes, name: str, whole: bool) -> Decoded:
    """The text in the set of "auto:NAME", which is no more than a proposal: what does not fit is left out."""
    try:
        return _as_named(data, name, whole)
    except UnfitError as error:
        raise NotTextError(UNKNOWN, str(error)) from error


def line_set(head: bytes, encoding: str) -> str:
    """Find the character set in which the lines of a file are decoded one by one.

    Returns: The set: UTF-8 unless the user names another one; "" if lines can be found only in the decoded text, as in
        UTF-16.
    """
    sign = marked_set(head)
    if sign:
        return UTF8 if sign == UTF8 else ""
    if name := named_set(encoding):
        return "" if codecs.lookup(name).name.startswith(_WIDE_NAMES) else name
    return "" if wide_encoding(head) is not None else UTF8


def check_head(head: bytes, encoding: str = "", declared: str = "") -> None:
    """Check the beginning of a file before it is read.

    head: Its first bytes, at least 8,192 unless the file is shorter; the last character may be cut.
    Raises `NotTextError` if it shows that the file must be left out.
    """
    decode_text(head, encoding, declared, whole=len(head) < _HEAD)


def replace_surrogates(text: str) -> str:
    """Replace unpaired surrogates, which no encoding can hold.

    Returns: The text with U+FFFD for each of them; the text itself if there is none.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text
