"""Server-sent events, from bytes that arrive in any parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_MOST_BYTES = 4 << 20
"""Most bytes of one event: a server that never ends a line must not fill the memory."""


class EventTooLongError(ValueError):
    """An event does not end."""


def data_of_events(parts: Iterable[bytes]) -> Iterator[str]:
    r"""Give the data of each event, as soon as it is complete.

    parts: What arrives; a part may end within a line or a character.
    Yields: The data of an event, its lines joined. Comments, by which servers keep a connection open, and events
        without data give nothing.
    Raises `EventTooLongError` if an event has more than four million bytes.

    Notes
    -----
    As WHATWG's standard of HTML has it, with one exception: the last event counts even without the empty line that
    ends an event, since some servers leave it out.

    Examples
    --------
    >>> list(data_of_events([b"data: on", b"e\n\n: a comment\n\ndata: two\n"]))
    ['one', 'two']
    """
    data: list[str] = []
    size = 0
    for line in _lines(parts):
        size += len(line)
        if size > _MOST_BYTES:
            raise EventTooLongError
        if not line:
            if data:
                yield "\n".join(data)
            data, size = [], 0
            continue
        # A line is decoded as a whole, so no character is ever cut.
        name, _, value = line.decode("utf-8", "replace").partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
    if data:
        yield "\n".join(data)


def _lines(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Lines that end with CR, LF or both, without their ends."""
    rest, after_return, begun = bytearray(), False, False
    for part in parts:
        for piece in part.splitlines(keepends=True):
            # The end of a line may be divided between two parts.
            if after_return and piece == b"\n" and not rest:
                after_return = False
                continue
            after_return = False
            rest += piece
            if len(rest) > _MOST_BYTES:
                raise EventTooLongError
            if piece.endswith((b"\n", b"\r")):
                after_return = piece.endswith(b"\r")
                yield _without_mark(bytes(rest.rstrip(b"\r\n")), begun)
                begun = True
                rest.clear()
    if rest:
        yield _without_mark(bytes(rest), begun)


def _without_mark(line: bytes, begun: bool) -> bytes:
    # A byte order mark may precede the first line.
    return line if begun else line.removeprefix(b"\xef\xbb\xbf")
