"""Formats that are not text, by the first bytes of a file: what they are, and what to do with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from explorer.core.files.packed_formats import packed_format
from explorer.i18n import mark, tr

FOREIGN = mark("documents in formats that are not read")


@dataclass(frozen=True)
class ForeignKind:
    """A format that is recognized and not read.

    name: What it is called, with its article: it follows "this is".
    has_text: Whether people expect its text in the index.
    is_read: Whether a reader opens it, so that only who asks for its text as plain text meets it here.
    """

    name: str
    remedy: str = mark("it contains no text")
    has_text: bool = False
    is_read: bool = False

    @property
    def sentence(self) -> str:
        """What it is and what to do, as a reason that can follow the file's name."""
        return tr("this is {name}; {remedy}", name=tr(self.name), remedy=tr(self.remedy))


_CONVERT = mark("save it as plain text, for example with LibreOffice (soffice --convert-to txt) or pandoc")
_UNPACK = mark("unpack it, and name the files in it")
_AS_KIND = mark("read it as its own kind, not as plain text")
_PDF = ForeignKind(mark("a PDF document"), _AS_KIND, True, is_read=True)
WORD = ForeignKind(mark("a Word document (DOCX)"), _AS_KIND, True, is_read=True)
_EXCEL = ForeignKind(mark("an Excel spreadsheet (XLSX)"), _AS_KIND, True, is_read=True)
SLIDES = ForeignKind(mark("a PowerPoint presentation (PPTX)"), _AS_KIND, True, is_read=True)
OPEN_TEXT = ForeignKind(mark("an OpenDocument text (ODT)"), _AS_KIND, True, is_read=True)
_ODS = ForeignKind(mark("an OpenDocument spreadsheet (ODS)"), _AS_KIND, True, is_read=True)
OPEN_SLIDES = ForeignKind(mark("an OpenDocument presentation (ODP)"), _AS_KIND, True, is_read=True)
BOOK = ForeignKind(mark("an EPUB book"), _AS_KIND, True, is_read=True)
RICH_TEXT = ForeignKind(mark("an RTF document"), _AS_KIND, True, is_read=True)
_MOBI = ForeignKind(mark("a Kindle book"), mark("convert it to plain text with Calibre (ebook-convert)"), True)
ZIP = ForeignKind(mark("a ZIP archive"), _AS_KIND, True, is_read=True)
_ARCHIVE = ForeignKind(mark("an archive"), _AS_KIND, True, is_read=True)
_RAR = ForeignKind(mark("a RAR archive"), _UNPACK, True)
_OFFICE = ForeignKind(mark("a document of old Microsoft Office (DOC, PPT)"), _CONVERT, True)
_OUTLOOK = ForeignKind(
    mark("an Outlook message (MSG)"), mark("save it as EML, for example with msgconvert MESSAGE.msg"), True
)
_DATA = ForeignKind(mark("a data file (HDF5, SQLite, or Feather of version 1)"), mark("save it as Parquet"), True)
_LOCKED = ForeignKind(mark("a document of Microsoft Office with a password"), mark("save it without a password"), True)
_IMAGE = ForeignKind(mark("a picture"))
_MEDIA = ForeignKind(mark("a recording of sound or film"))
_PROGRAM = ForeignKind(mark("a program"))
_FONT = ForeignKind(mark("a font"))

ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
"""How ZIP archives begin, and the files of programs that are ZIP archives."""
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How documents of old Microsoft Office begin."""
_OF_MESSAGES = "__substg1.0_".encode("utf-16-le")
"""How the parts of an Outlook message are named in its directory, which is not always at the beginning."""
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_NEW_OFFICE = re.compile(r"\.(?:doc|dot|xls|ppt|pps|pot)[xmb]")
"""Endings of documents that are in the file of an old one only if they have a password."""
_STARTS: tuple[tuple[bytes, ForeignKind], ...] = (
    (b"{\\rtf", RICH_TEXT),
    (b"%!PS", ForeignKind(mark("a PostScript document"), mark("convert it to plain text with ps2ascii"), True)),
    (b"AT&TFORM", ForeignKind(mark("a DjVu document"), mark("convert it to plain text with djvutxt"), True)),
    (_COMPOUND, _OFFICE),
    (b"7z\xbc\xaf\x27\x1c", _ARCHIVE),
    (b"Rar!\x1a\x07", _RAR),
    (b"FEA1", _DATA),
    (
        b"MMIDIDX\0\0",
        ForeignKind(mark("an index of token ids (Megatron)"), mark("it is read with the .bin file beside it")),
    ),
    (b"\x89HDF\r\n\x1a\n", _DATA),
    (b"SQLite format 3\0", _DATA),
    (b"\x89PNG", _IMAGE),
    (b"\xff\xd8\xff", _IMAGE),
    (b"GIF87a", _IMAGE),
    (b"GIF89a", _IMAGE),
    (b"II*\0", _IMAGE),
    (b"MM\0*", _IMAGE),
    (b"\0\0\x01\0", _IMAGE),
    (b"ID3\x03\0", _MEDIA),
    (b"ID3\x04\0", _MEDIA),
    (b"OggS\0", _MEDIA),
    (b"fLaC\0", _MEDIA),
    (b"\x1a\x45\xdf\xa3", _MEDIA),
    (b"\x7fELF", _PROGRAM),
    (b"\xca\xfe\xba\xbe", _PROGRAM),
    (b"\xcf\xfa\xed\xfe", _PROGRAM),
    (b"wOFF", _FONT),
    (b"wOF2", _FONT),
    (b"OTTO\0", _FONT),
)
_PDF_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?[\0\s]*%PDF-\d", re.ASCII)
_MOST_BEFORE_PDF = 1_024
_PACKED = {
    "docx": WORD,
    "pptx": SLIDES,
    "xlsx": _EXCEL,
    "odt": OPEN_TEXT,
    "ods": _ODS,
    "odp": OPEN_SLIDES,
    "epub": BOOK,
}
"""Documents that are ZIP archives, by their format."""
FOREIGN_KINDS: tuple[ForeignKind, ...] = tuple(
    kind
    for kind in dict.fromkeys((*_PACKED.values(), _MOBI, _LOCKED, _OUTLOOK, *(kind for _, kind in _STARTS), _MEDIA))
    if not kind.is_read
)
"""Every format that is recognized and not read."""
OLD_EXCEL = (".xls",)
"""Endings of the names of spreadsheets that begin as any document of old Microsoft Office."""
_BY_ENDING = {".xlsx": _EXCEL, ".xlsm": _EXCEL}


def foreign_kind(head: bytes, name: str = "") -> ForeignKind | None:
    """Recognize a format that is not text.

    head: The first bytes of a file, about 8,000.
    name: The file's name in lower case, which decides between formats with the same beginning.
    Returns: The format; None if the beginning is of none of them, as a text is.

    Examples
    --------
    >>> foreign_kind(b"%PDF-1.7").name
    'a PDF document'
    """
    if is_pdf(head, name):
        return _PDF
    if head.startswith(ZIP_STARTS):
        return _in_zip(head, name)
    if head.startswith(_COMPOUND) and (_ENCRYPTED in head or _NEW_OFFICE.fullmatch(name[name.rfind(".") :])):
        return _LOCKED
    if head.startswith(_COMPOUND) and (_OF_MESSAGES in head or name.endswith(".msg")):
        return _OUTLOOK
    for start, kind in _STARTS:
        # RTF may begin with white space, as editors leave it.
        if head.startswith(start) or (start == b"{\\rtf" and head[:64].lstrip().startswith(start)):
            return kind
    return _further_on(head)


def is_pdf(head: bytes, name: str = "") -> bool:
    """Whether a file is a PDF document, by its first bytes; other bytes may precede the sign if it is named so."""
    return _PDF_HEAD.match(head) is not None or (name.endswith(".pdf") and b"%PDF-" in head[:_MOST_BEFORE_PDF])


def is_spreadsheet(head: bytes, name: str) -> bool:
    """Whether a file is a spreadsheet that is read: XLSX or ODS by its first bytes, old Excel by its name, too."""
    return foreign_kind(head, name) in (_EXCEL, _ODS) or (head.startswith(_COMPOUND) and name.endswith(OLD_EXCEL))


def is_format(kind: ForeignKind, endings: tuple[str, ...]) -> Callable[[bytes, str], bool]:
    """Return the test whether a file is of a format that is read.

    endings: The endings of the names of its files, which decide if the beginning does not show the format, as in a
        damaged file.
    Returns: Takes the first bytes of a file and its name in lower case.
    """

    def is_of_format(head: bytes, name: str) -> bool:
        found = foreign_kind(head, name)
        return found is kind or (found in (None, ZIP) and name.endswith(endings))

    return is_of_format


def _in_zip(head: bytes, name: str) -> ForeignKind:
    return _PACKED.get(packed_format(head)) or _BY_ENDING.get(name[name.rfind(".") :], ZIP)


def _further_on(head: bytes) -> ForeignKind | None:
    """Formats whose sign is not at the very beginning, or too short to be one alone."""
    if head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"AVI ", b"WEBP"):
        return _IMAGE if head[8:12] == b"WEBP" else _MEDIA
    if head[4:8] == b"ftyp" and head[:3] == b"\0\0\0":
        return _MEDIA
    if head[60:68] == b"BOOKMOBI":
        return _MOBI
    if head[257:262] == b"ustar":
        return _ARCHIVE
    return _PROGRAM if head[:2] == b"MZ" and head.count(0, 0, 256) > 64 else None
