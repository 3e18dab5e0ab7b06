"""Formats that are ZIP archives, recognized by their first members: DOCX, PPTX, XLSX, ODT, ODS, ODP, EPUB."""

from __future__ import annotations

from collections.abc import Iterator

_MEMBER = b"PK\x03\x04"
_OF_OFFICE = ("[Content_Types].xml", "_rels/.rels")
_FOLDERS = {"word/": "docx", "ppt/": "pptx", "xl/": "xlsx"}
_TYPES = {
    b"application/epub+zip": "epub",
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
}
_OF_BOOKS = "META-INF/container.xml"


def packed_format(head: bytes) -> str:
    r"""Recognize the format of a document that is a ZIP archive.

    head: The first bytes of a file, about 8,000.
    Returns: The usual ending of its files, without the dot; "" for other files, and if the beginning does not show it.

    Examples
    --------
    >>> header = b"PK\3\4" + bytes(22) + b"\x08\0\0\0"
    >>> packed_format(header + b"mimetype" + b"application/epub+zip")
    'epub'
    """
    if not head.startswith(_MEMBER):
        return ""
    names = list(_member_names(head))
    if names[0] == "mimetype":
        # The types begin alike for templates and masters of documents.
        start = _content_of_first(head)
        return next((format for type, format in _TYPES.items() if head.startswith(type, start)), "")
    if any(name in names for name in _OF_OFFICE):
        return next((format for folder, format in _FOLDERS.items() if any(n.startswith(folder) for n in names)), "")
    return "epub" if _OF_BOOKS in names else ""


def _member_names(head: bytes) -> Iterator[str]:
    at = 0
    while at >= 0:
        size = int.from_bytes(head[at + 26 : at + 28], "little")
        yield head[at + 30 : at + 30 + size].decode("utf-8", "replace")
        at = head.find(_MEMBER, at + 4)


def _content_of_first(head: bytes) -> int:
    return 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
