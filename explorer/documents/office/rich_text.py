"""Rich Text Format (RTF): text, tables and footnotes, in the character sets of the fonts."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from explorer.core.files.encoding import replace_surrogates
from explorer.core.files.signatures import RICH_TEXT, foreign_kind
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.content import Content
from explorer.documents.office.running_text import RunningText
from explorer.documents.record import Document
from explorer.i18n import mark, tr

ENDINGS = (".rtf",)
_TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z'])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\"
)
_SKIPPED = frozenset(
    [
        *("fonttbl", "colortbl", "stylesheet", "info", "pict", "nonshppict", "shprslt", "sp", "do", "objdata"),
        *("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "listtext", "pntext"),
        *("xe", "tc", "rxe", "txe", "nonesttables", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn"),
    ]
)
"""Groups whose text is not read: tables of fonts, pictures, headers, automatic numbers."""
_READ = frozenset(["shpinst", "shptxt", "ud", "footnote", "nesttableprops"])
"""Groups that are read though older programs skip them."""
_SIGNS = {
    "tab": "\t",
    "emdash": "\N{EM DASH}",
    "endash": "\N{EN DASH}",
    "lquote": "\N{LEFT SINGLE QUOTATION MARK}",
    "rquote": "\N{RIGHT SINGLE QUOTATION MARK}",
    "ldblquote": "\N{LEFT DOUBLE QUOTATION MARK}",
    "rdblquote": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "bullet": "\N{BULLET}",
    "emspace": "\N{EM SPACE}",
    "enspace": "\N{EN SPACE}",
    "qmspace": "\N{FOUR-PER-EM SPACE}",
    "zwj": "\N{ZERO WIDTH JOINER}",
    "zwnj": "\N{ZERO WIDTH NON-JOINER}",
    "~": "\N{NO-BREAK SPACE}",
    "_": "\N{NON-BREAKING HYPHEN}",
    "\\": "\\",
    "{": "{",
    "}": "}",
}
_WORD, _NUMBER, _HEX, _SIGN, _BRACE, _TEXT = range(1, 7)
"""The groups of `_TOKEN`."""
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "cp936", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
_SETS = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_PARAGRAPHS = frozenset(["par", "sect", "\r", "\n"])
_LINES = frozenset(["line", "page", "column", "softline"])
_ROWS = frozenset(["row", "nestrow", "trowd"])
_CELLS = frozenset(["cell", "nestcell"])
_INFO = {"title": "title", "author": "author", "creatim": "date"}
_OF_DATE = ("yr", "mo", "dy", "hr", "min")
_ASIDES = ("footnote", "shptxt")
_MOST_OPEN = 100_000
_MOST_INFO = 1 << 12
REPLACED = mark("files with characters that their character set does not have (replaced)")


def is_rtf(head: bytes, _: str) -> bool:
    """Whether a file is RTF, by its first bytes. White space may precede them, as editors leave it."""
    return foreign_kind(head) is RICH_TEXT


def read(content: Content) -> Iterator[Document]:
    """Read the text of a document."""
    whole = content.whole()
    if whole.broken is None or (content.skip_bad and whole.data):
        words = _Words(whole.data)
        text = words.read()
        if lost := text.count("\ufffd"):
            content.note(REPLACED, tr("characters replaced by U+FFFD: {lost:,}", lost=lost))
        yield Document(text, words.metadata())
    whole.end()


@dataclass(frozen=True)
class _Group:
    """What holds until the end of a group: whether its text is read, in which set, and what it is part of."""

    is_read: bool = True
    is_hidden: bool = False
    encoding: str = "cp1252"
    after_unicode: int = 1
    part: str = ""
    aside: str = ""
    in_variants: bool = False


class _Words:
    """The words of a document while its signs are read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._flow = RunningText()
        self._outer: RunningText | None = None
        self._boxes: list[str] = []
        self._notes: list[str] = []
        self._now = _Group()
        self._open: list[_Group] = []
        self._bytes: list[bytes] = []
        self._letters: list[str] = []
        self._skip = 0
        self._is_optional = False
        self._aside = ""
        self._font = 0
        self._fonts: dict[int, str] = {}
        self._usual = "cp1252"
        self._info: dict[str, list[str]] = {}
        self._date: dict[str, int] = {}

    def read(self) -> str:
        """Read all signs; returns the text with its notes after it."""
        at, size = 0, len(self._data)
        match = _TOKEN.match
        while at < size:
            found = match(self._data, at)
            if found is None:
                break
            at = found.end() + self._take(found)
        self._flush()
        self._end_aside()
        self._flush_boxes()
        return replace_surrogates("\n".join(filter(None, [self._flow.value(), *self._notes])))

    def metadata(self) -> dict[str, str]:
        """What the document states about itself."""
        stated = {name: " ".join("".join(parts).split()) for name, parts in self._info.items()}
        numbers = [self._date.get(name, 0) for name in _OF_DATE]
        if numbers[0] and all(0 <= number <= 9_999 for number in numbers):
            stated["date"] = "{:04}-{:02}-{:02}T{:02}:{:02}".format(*numbers)
        return {name: stated[name] for name in ("title", "author", "date") if stated.get(name)}

    def _take(self, found: re.Match[bytes]) -> int:
        """Take a sign; returns the number of bytes after it that are not text."""
        kind = found.lastindex
        if kind == _TEXT:
            self._raw(found[_TEXT])
        elif kind == _HEX:
            if self._skip:
                self._skip -= 1
            elif self._hears:
                self._bytes.append(bytes([int(found[_HEX], 16)]))
        elif kind == _BRACE:
            self._skip = 0
            if found[_BRACE] == b"{":
                self._begin()
            else:
                self._end()
        elif kind is not None:
            name = (found[_WORD] or found[_SIGN]).decode("ascii", "replace")
            number = int(found[_NUMBER]) if found[_NUMBER] else None
            return self._control(name, number)
        return 0

    @property
    def _hears(self) -> bool:
        return (self._now.is_read and not self._now.is_hidden) or self._now.part in ("title", "author")

    def _raw(self, text: bytes) -> None:
        self._is_optional = False
        if self._skip:
            left = text[self._skip :]
            self._skip = max(0, self._skip - len(text))
            text = left
        if text and self._hears:
            self._bytes.append(text)

    def _begin(self) -> None:
        self._settle()
        if len(self._open) >= _MOST_OPEN:
            raise BrokenStreamError(
                tr("is damaged: more than {most:,} groups are open in its RTF", most=_MOST_OPEN), False
            )
        self._open.append(self._now)
        self._is_optional = False

    def _end(self) -> None:
        self._flush()
        if self._open:
            before, self._now = self._now, self._open.pop()
            if before.aside and not self._now.aside:
                self._end_aside()

    def _control(self, name: str, number: int | None) -> int:
        if name == "bin":
            return max(0, number or 0)
        if self._skip and name != "u":
            self._skip -= 1
            return 0
        if name == "*":
            self._is_optional = True
            return 0
        is_optional, self._is_optional = self._is_optional, False
        if name in _SKIPPED or (is_optional and name not in _READ):
            self._change(is_read=False, part=name)
        else:
            self._word(name, number)
        return 0

    def _word(self, name: str, number: int | None) -> None:
        if name == "u":
            self._unicode(number or 0)
        elif name in _SIGNS:
            self._letter(_SIGNS[name])
        elif name in _BREAKS:
            self._break(name)
        elif name in _SETTINGS:
            _SETTINGS[name](self, number)
        elif name in _INFO and self._now.part == "info":
            self._change(part=_INFO[name])
        elif name in _OF_DATE and self._now.part == "date":
            self._date.setdefault(name, number or 0)
        elif name in _ASIDES and not self._now.aside and self._now.is_read:
            self._flush()
            self._change(aside=name)
            self._outer, self._flow = self._flow, RunningText()
        elif name in _SETS:
            self._set_usual(_SETS[name])

    def _unicode(self, number: int) -> None:
        self._skip = 0
        self._letter(chr(number & 0xFFFF))
        self._skip = self._now.after_unicode

    def _letter(self, letter: str) -> None:
        if self._hears:
            self._settle()
            self._letters.append(letter)

    def _break(self, name: str) -> None:
        self._flush()
        if not self._now.is_read or self._now.is_hidden:
            return
        if name in _CELLS:
            self._flow.cell()
        elif name in _ROWS:
            self._flow.row()
        else:
            self._flow.line()
            if name in _PARAGRAPHS:
                self._flush_boxes()

    def _flush_boxes(self) -> None:
        if self._outer is None:
            for box in self._boxes:
                self._flow.add(box)
                self._flow.line()
            self._boxes.clear()

    def _end_aside(self) -> None:
        """Return from a note or a box to the text."""
        if self._outer is None:
            return
        text, self._flow, self._outer = self._flow.value().strip(), self._outer, None
        (self._notes if self._aside == "footnote" else self._boxes).append(text)

    def _settle(self) -> None:
        """Decode the bytes so far, before the set changes or other letters follow."""
        if self._bytes:
            self._letters.append(b"".join(self._bytes).decode(self._now.encoding, "replace"))
            self._bytes.clear()

    def _flush(self) -> None:
        self._settle()
        if not self._letters:
            return
        text = "".join(self._letters)
        self._letters.clear()
        if not text.isascii():
            # Characters beyond U+FFFF are written as two halves.
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if self._now.part in _INFO.values():
            self._info.setdefault(self._now.part, []).append(text[:_MOST_INFO])
        else:
            self._flow.add(text)

    def _change(self, **how: Any) -> None:
        self._flush()
        self._now = replace(self._now, **how)
        self._aside = self._now.aside or self._aside

    def _set_usual(self, encoding: str) -> None:
        self._usual = encoding
        self._change(encoding=encoding)

    def _set_page(self, number: int | None) -> None:
        self._set_usual(_page(number) or self._usual)

    def _set_font(self, number: int | None) -> None:
        self._font = number or 0
        if self._now.part != "fonttbl":
            self._change(encoding=self._fonts.get(self._font, self._usual))

    def _set_font_set(self, number: int | None) -> None:
        if encoding := _CHARSETS.get(number or 0):
            self._fonts[self._font] = encoding

    def _set_font_page(self, number: int | None) -> None:
        if encoding := _page(number):
            self._fonts[self._font] = encoding

    def _set_plain(self, _: int | None) -> None:
        self._change(is_hidden=False, encoding=self._usual)

    def _set_hidden(self, number: int | None) -> None:
        self._change(is_hidden=number != 0)

    def _set_after_unicode(self, number: int | None) -> None:
        self._now = replace(self._now, after_unicode=max(0, min(number if number is not None else 1, 100)))

    def _set_variants(self, _: int | None) -> None:
        """A group in two forms follows: the one for older programs is not read."""
        self._change(is_read=False, in_variants=self._now.is_read)

    def _set_unicode_form(self, _: int | None) -> None:
        if self._now.in_variants:
            self._change(is_read=True, in_variants=False)


def _page(number: int | None) -> str:
    """The name of a code page; "" if it is unknown."""
    name = {65001: "utf-8", 10000: "mac_roman"}.get(number or 0, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


_BREAKS = _PARAGRAPHS | _LINES | _ROWS | _CELLS
_SETTINGS: dict[str, Callable[[_Words, int | None], None]] = {
    "ansicpg": _Words._set_page,
    "f": _Words._set_font,
    "fcharset": _Words._set_font_set,
    "cpg": _Words._set_font_page,
    "plain": _Words._set_plain,
    "v": _Words._set_hidden,
    "deleted": _Words._set_hidden,
    "uc": _Words._set_after_unicode,
    "upr": _Words._set_variants,
    "ud": _Words._set_unicode_form,
}
