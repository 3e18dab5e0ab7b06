"""The records of WARC and ARC files, in which crawlers keep the answers of servers."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.core.files.streams import CHUNK, BrokenStreamError
from explorer.i18n import tr

MOST_BYTES = 1 << 26
"""Bytes of a record that are read, at most: a larger one is skipped without being held in memory."""
_MOST_HEADER = 1 << 16
_ARC_LINE = re.compile(rb"(\S.*?) (\S+) (\d{8,14}) (\S*) (?:.* )?(\d+)\s*")
_CRAWL_ARC = b"filedesc://"
_WARC = b"WARC/"


@dataclass(frozen=True)
class CrawlRecord:
    """A record.

    kind: Its type as of WARC, in lower case; "response" for an answer in ARC; "" if it has a problem.
    headers: Its named fields, by names in lower case.
    body: Its content; empty if it has more than `MOST_BYTES`.
    size: The number of bytes of its content.
    problem: Why it cannot be read, as a message that can follow "document N:"; "" if it can.
    """

    kind: str
    headers: dict[str, str]
    body: bytes = b""
    size: int = 0
    problem: str = ""


def is_warc(head: bytes) -> bool:
    """Whether a file begins with a record of WARC."""
    return re.match(rb"WARC/\d\.\d+\r?\n", head) is not None


def is_arc(head: bytes) -> bool:
    """Whether a file begins with the description of an ARC file."""
    return head.startswith(_CRAWL_ARC) and _ARC_LINE.fullmatch(head.partition(b"\n")[0]) is not None


def crawl_records(stream: io.BufferedReader) -> Iterator[CrawlRecord]:
    """Yield the records of a WARC or ARC file.

    stream: The content without packing, from its beginning.
    Yields: A record; bytes that belong to no record are one with a problem.
    Raises `BrokenStreamError` if the file ends within a record, after the records before it were yielded.
    """
    is_lost = False
    while line := stream.readline(_MOST_HEADER):
        if not line.strip():
            continue
        found = _record(stream, line)
        # One problem for all bytes up to the next record.
        if found is not None and not (found.problem and is_lost):
            yield found
        is_lost = found is not None and bool(found.problem)


def _record(stream: io.BufferedReader, line: bytes) -> CrawlRecord | None:
    """The record that begins with a line; None for the description of an ARC file."""
    if line.startswith(_WARC):
        headers = header_fields(_header_lines(stream))
        size = headers.get("content-length", "")
        if not (size.isascii() and size.isdigit()):
            return _lost(tr("its record has no length"))
        kind = headers.get("warc-type", "").lower()
    else:
        found = _ARC_LINE.fullmatch(line)
        if found is None:
            return _lost(tr("these bytes are not a record of WARC or ARC"))
        url, _, date, mime, size = (part.decode("utf-8", "replace") for part in found.groups())
        headers = {"warc-target-uri": url, "warc-date": _moment(date), "content-type": mime}
        kind = "" if url.startswith(_CRAWL_ARC.decode()) else "response"
    # A number of 18 digits is beyond every file.
    body, whole = _content(stream, int(size[:18]))
    return CrawlRecord(kind, headers, body, whole) if kind else None


def _lost(problem: str) -> CrawlRecord:
    return CrawlRecord("", {}, problem=problem)


def _header_lines(stream: io.BufferedReader) -> Iterator[bytes]:
    left = _MOST_HEADER
    while left > 0 and (line := stream.readline(left)).strip():
        left -= len(line)
        yield line


def header_fields(lines: Iterator[bytes]) -> dict[str, str]:
    """Read the fields of a header, as WARC and HTTP have them.

    lines: The lines up to the empty one.
    Returns: The first value of each field, by its name in lower case; a line that begins with a space continues the
        value.
    """
    fields: dict[str, str] = {}
    last = ""
    for line in lines:
        text = line.decode("utf-8", "replace")
        if text[:1] in (" ", "\t") and last:
            fields[last] = f"{fields[last]} {text.strip()}"
            continue
        name, _, value = text.partition(":")
        name = name.strip().lower()
        last = "" if name in fields else name
        fields.setdefault(name, value.strip())
    return fields


def _content(stream: io.BufferedReader, size: int) -> tuple[bytes, int]:
    """The content of a record and its size; content that is too large is passed over."""
    if size <= MOST_BYTES:
        data = stream.read(size)
        _require(len(data) == size)
        return data, size
    left = size
    while left:
        data = stream.read(min(left, CHUNK))
        _require(bool(data))
        left -= len(data)
    return b"", size


def _require(is_whole: bool) -> None:
    if not is_whole:
        raise BrokenStreamError(tr("is cut short: it ends within a record"), cut=True)


def _moment(digits: str) -> str:
    """The date of ARC, as YYYYMMDDhhmmss, in the form of WARC."""
    day = "-".join((digits[:4], digits[4:6], digits[6:8]))
    time = digits[8:].ljust(6, "0")
    return f"{day}T{time[:2]}:{time[2:4]}:{time[4:6]}Z" if len(digits) > 8 else day
