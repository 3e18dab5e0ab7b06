# cython: language_level=3
"""Lists of spans of a text: stretches of tokens, each with a number."""

from libc.stdint cimport int64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy


cdef enum:
    COLUMNS = 3


cdef struct Span:
    int64_t start
    int64_t end
    int64_t other       # of a match: where the same tokens begin


cdef struct Spans:
    Span *items
    int64_t size
    int64_t room
    bint full           # memory ran out


cdef inline bint put(Spans *spans, int64_t start, int64_t end, int64_t other) noexcept nogil:
    """Add a span; False if there is no memory for it."""
    cdef int64_t room
    cdef Span *more
    if spans.size == spans.room:
        room = 2 * spans.room + 1024
        more = <Span *>realloc(spans.items, room * sizeof(Span))
        if more == NULL:
            spans.full = True
            return False
        spans.items, spans.room = more, room
    spans.items[spans.size] = Span(start, end, other)
    spans.size += 1
    return True


cdef inline void move(Spans *spans, int64_t[:, ::1] out) noexcept nogil:
    """Write all spans to an array of as many rows; none is left."""
    if spans.size:
        memcpy(&out[0, 0], spans.items, spans.size * sizeof(Span))
    spans.size = 0
