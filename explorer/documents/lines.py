"""The lines of a stream, in any character set."""

from __future__ import annotations

import io
from collections.abc import Iterator

from explorer.core.files.encoding import decode_text, line_set
from explorer.core.files.streams import MAX_LINE, chunks
from explorer.errors import SourceError
from explorer.i18n import mark

_PEEKED = 1 << 12


def lines_of(stream: io.BufferedReader, name: str, encoding: str = "") -> Iterator[bytes | str]:
    """Yield the lines of a stream, which may be in UTF-16.

    stream: The content, decompressed, from its beginning.
    name: The file's name, for the message.
    Yields: A line with its line feed: text if the stream is UTF-16 or UTF-32, else bytes.
    Raises `SourceError` if a line has more than 1 GiB.
    """
    # A line feed of UTF-16 is two bytes, so lines of bytes would be cut inside characters. Such files are decoded as a
    # whole.
    if not line_set(stream.peek(_PEEKED), encoding):
        yield from io.StringIO(decode_text(b"".join(chunks(stream)), encoding).text, newline="\n")
        return
    # With a limit, since a file without line feeds would be read into memory as one line.
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE:
            raise SourceError(
                mark("{path} has a line of more than 1 GiB, which is too long for a document."),
                reason="line-too-long",
                path=name,
            )
        yield line
