"""Answers of servers as crawls keep them: status, header, and the body without its encodings."""

from __future__ import annotations

import importlib.util
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import zstandard

from explorer.documents.web.crawl_records import MOST_BYTES, header_fields
from explorer.i18n import tr

_STATUS = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})\b")
_CHUNK = re.compile(rb"\s*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]{0,1000})?\r?\n")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_MOST_ENCODINGS = 4


class EncodedError(ValueError):
    """A body whose encoding cannot be undone; the text gives the reason."""


@dataclass(frozen=True)
class HttpAnswer:
    """The answer of a server.

    status: Its number; 0 for an answer without one, as of HTTP 0.9.
    headers: Its fields, by names in lower case.
    body: Its content as it was sent.
    """

    status: int
    headers: dict[str, str]
    body: bytes

    @classmethod
    def of(cls, data: bytes) -> HttpAnswer:
        """Take the answer of a record apart."""
        found = _STATUS.match(data)
        if found is None:
            return cls(0, {}, data)
        lines, end = [], data.find(b"\n") + 1
        while end and (line := data[end : data.find(b"\n", end) + 1 or len(data)]):
            end += len(line)
            if not line.strip():
                break
            lines.append(line)
        return cls(int(found[1]), header_fields(iter(lines)), data[end:] if end else b"")

    def content(self) -> bytes:
        """The body as the page that was sent; raises EncodedError."""
        data = self.body
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            data = without_chunks(data)
        names = [name.strip().lower() for name in self.headers.get("content-encoding", "").split(",")]
        if len(names) > _MOST_ENCODINGS:
            raise EncodedError(tr("it has more than {most} encodings", most=_MOST_ENCODINGS))
        for name in reversed(names):
            data = _decoded(data, name.removeprefix("x-"))
        return data


def mime_of(content_type: str) -> str:
    """The MIME type of a Content-Type field, without parameters.

    Examples
    --------
    >>> mime_of("Text/HTML; charset=utf-8")
    'text/html'
    """
    return content_type.partition(";")[0].strip().lower()


def charset_of(content_type: str) -> str:
    """The character set of a Content-Type field; "" without one."""
    found = _CHARSET.search(content_type)
    return found[1] if found is not None else ""


def without_chunks(data: bytes) -> bytes:
    """Join the chunks of a body; one that does not begin with a chunk is whole already, as some crawlers store it."""
    if _CHUNK.match(data) is None:
        return data
    return b"".join(_chunks(data))


def _chunks(data: bytes) -> Iterator[bytes]:
    at = 0
    while found := _CHUNK.match(data, at):
        size = int(found[1], 16)
        if not size:
            return
        yield data[found.end() : found.end() + size]
        at = found.end() + size


def _decoded(data: bytes, name: str) -> bytes:
    if name in ("", "identity", "none") or not data:
        return data
    decode = _DECODERS.get(name)
    if decode is None:
        # Servers send the names of character sets here, too.
        raise EncodedError(tr('its content encoding "{name}" is unknown', name=name[:40]))
    found = decode(data)
    if len(found) > MOST_BYTES:
        raise EncodedError(tr("it has more than {most} MB", most=MOST_BYTES >> 20))
    return found


def _gunzipped(data: bytes) -> bytes:
    # Without the sign of gzip, the crawler has stored the page without its encoding.
    return _inflated(data, 31) if data.startswith(b"\x1f\x8b") else data


def _deflated(data: bytes) -> bytes:
    # Some servers send the data without the header of zlib.
    return _inflated(data, 15 if data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0 else -15)


def _inflated(data: bytes, bits: int) -> bytes:
    try:
        # What precedes the end of a body that is cut is kept, as browsers show it.
        return zlib.decompressobj(bits).decompress(data, MOST_BYTES + 1)
    except zlib.error as error:
        raise EncodedError(tr("it cannot be decompressed ({error})", error=error)) from error


def _from_zstd(data: bytes) -> bytes:
    try:
        with zstandard.ZstdDecompressor(max_window_size=MOST_BYTES).stream_reader(data) as reader:
            return reader.read(MOST_BYTES + 1)
    except zstandard.ZstdError as error:
        raise EncodedError(tr("it cannot be decompressed ({error})", error=error)) from error


def _from_brotli(data: bytes) -> bytes:
    if importlib.util.find_spec("brotli") is None:
        raise EncodedError(tr("its content encoding br is read with the package brotli, which is not installed"))
    # Imported here: few crawls keep this encoding.
    import brotli

    unpacker = brotli.Decompressor()
    parts, left = [], MOST_BYTES + 1
    try:
        while left > 0 and not unpacker.is_finished():
            found = unpacker.process(data, output_buffer_limit=left)
            if not found and unpacker.can_accept_more_data():
                break
            parts.append(found)
            left -= len(found)
            data = b""
    except brotli.error as error:
        raise EncodedError(tr("it cannot be decompressed ({error})", error=error)) from error
    return b"".join(parts)


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": _gunzipped,
    "deflate": _deflated,
    "br": _from_brotli,
    "zstd": _from_zstd,
}
