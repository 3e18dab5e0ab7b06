# cython: language_level=3
"""Which tokens of a text are copies, at one length, and where the first copy is: from the spans that occur earlier.

Spans begin and end in ascending order, none within another, as `longest_spans` gives them. All windows of `length`
tokens of a span occur as far before as the span's own copy does. Where this copy is itself one of others, what it is a
copy of is known already: spans are met in the order of the text, and a window's copy is before it, if both are in one
document.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int64_t, uint8_t
from libc.stdlib cimport free

from _fastsa._shard cimport flag_of
from _fastsa._spans cimport COLUMNS, Span, Spans, move, put
from _fastsa._suffixes cimport give_up

from _fastsa._shard import Stopped


cdef enum:
    FAR = 0             # of windows whose first copy is in another document, or far enough before


cdef struct Text:
    Spans windows       # of this document: where windows begin and end to begin, and how far before their first copy is
    Spans cut           # documents, and tokens of them
    int64_t length
    int64_t apart       # how far before a copy in the same document counts; INT64_MAX: it never does
    int64_t document
    int64_t first       # place of the document's first token


cdef inline void tell(Text *text, int64_t start, int64_t end, int64_t distance) noexcept nogil:
    """Note how far before the first copy is of windows that begin in a range."""
    cdef Span *last
    if distance >= text.apart:
        distance = FAR
    elif text.apart == INT64_MAX and distance != FAR:
        # No distance counts, so none is told from others.
        distance = 1
    last = text.windows.items + text.windows.size - 1 if text.windows.size else NULL
    if last != NULL and last.end == start and last.other == distance:
        last.end = end
    elif not put(&text.windows, start, end, distance):
        return
    if distance == FAR:
        cut_windows(text, start, end)


cdef inline void cut_windows(Text *text, int64_t start, int64_t end) noexcept nogil:
    """Cut the tokens of windows that begin in a range."""
    cdef Span *last = text.cut.items + text.cut.size - 1 if text.cut.size else NULL
    start -= text.first
    end += text.length - 1 - text.first
    if last != NULL and last.start == text.document and start <= last.other:
        last.other = end
    else:
        put(&text.cut, text.document, start, end)


cdef void follow(Text *text, int64_t start, int64_t end, int64_t distance) noexcept nogil:
    """Note where the first copies are of windows that begin in a range, by those of the same windows before them."""
    cdef int64_t low = 0
    cdef int64_t high = text.windows.size
    cdef int64_t middle, until
    cdef int64_t at = start - distance
    cdef int64_t last = end - distance
    cdef Span known
    while low < high:
        middle = (low + high) // 2
        if text.windows.items[middle].end <= at:
            low = middle + 1
        else:
            high = middle
    while at < last and not text.windows.full:
        # One that is noted meanwhile may be beyond, and is not met: all of these windows begin before `start`.
        known = text.windows.items[low] if low < text.windows.size else Span(last, last, 0)
        if known.start > at:
            # These are not copies of others.
            until = min(known.start, last)
            tell(text, at + distance, until + distance, distance)
        else:
            until = min(known.end, last)
            tell(text, at + distance, until + distance, FAR if known.other == FAR else known.other + distance)
            low += 1
        at = until


cdef void meet(Text *text, int64_t start, int64_t end, int64_t distance) noexcept nogil:
    """Note where the first copies are of windows of one span, which are `distance` after others of the document."""
    # What repeats itself is as well two, four … distances after others.
    while start < end and not text.windows.full:
        if distance >= text.apart:
            tell(text, start, end, distance)
            return
        follow(text, start, min(end, start + distance), distance)
        start += distance
        distance *= 2


def copied_ranges(const int64_t[::1] starts not None, const int64_t[::1] ends not None, const int64_t[::1] others,
                  const int64_t[::1] firsts not None, int64_t length, int64_t apart, const uint8_t[::1] stop=None):
    """The tokens of windows of `length` tokens that lie in spans: int64 [ranges, 3], documents, starts and ends.

    starts, ends: the spans. others: where the copy of each begins; None if all windows count. firsts: the place of the
    first token of each document, and one more beyond the last. apart: how far a window must begin after its first copy
    to count; 0: this must be in another document. Raises Stopped.
    """
    cdef const uint8_t *flag = flag_of(stop)
    cdef Text text
    cdef bint stopped = False
    cdef int64_t i = 0
    cdef int64_t size = starts.shape[0]
    cdef int64_t following, end, distance
    if ends.shape[0] != size or (others is not None and others.shape[0] != size):
        raise ValueError("every span needs an end and a copy")
    if length < 1 or apart < 0:
        raise ValueError("length must be at least 1, and apart 0 or more")
    if size and (firsts.shape[0] < 2 or starts[0] < firsts[0] or starts[size - 1] >= firsts[firsts.shape[0] - 1]):
        raise ValueError("a span is in no document")
    text.windows = text.cut = Spans(NULL, 0, 0, False)
    text.length, text.apart, text.document = length, apart if apart else INT64_MAX, 0
    text.first = firsts[0] if size else 0
    try:
        with nogil:
            while i < size and ends[i] - starts[i] < length:
                i += 1
            while i < size and not text.windows.full and not text.cut.full:
                if give_up(flag, i):
                    stopped = True
                    break
                following = i + 1
                while following < size and ends[following] - starts[following] < length:
                    following += 1
                # Windows that the next span has as well are its own.
                end = ends[i] - length + 1
                if following < size:
                    end = min(end, starts[following])
                while text.document + 2 < firsts.shape[0] and firsts[text.document + 1] <= starts[i]:
                    text.document += 1
                    text.first = firsts[text.document]
                    # Of other documents, no more is asked than that they are others.
                    text.windows.size = 0
                if others is None:
                    cut_windows(&text, starts[i], end)
                else:
                    distance = starts[i] - others[i]
                    if others[i] < text.first or others[i] >= firsts[text.document + 1]:
                        tell(&text, starts[i], end, FAR)
                    elif distance > 0:
                        meet(&text, starts[i], end, distance)
                i = following
        if text.windows.full or text.cut.full:
            raise MemoryError
        if stopped:
            raise Stopped
        found = np.empty((text.cut.size, COLUMNS), dtype=np.int64)
        move(&text.cut, found)
        return found
    finally:
        free(text.windows.items)
        free(text.cut.items)


def first_copies(const int64_t[::1] starts not None, const int64_t[::1] ends not None,
                 const int64_t[::1] others not None, int64_t length, int64_t[::1] places not None,
                 const uint8_t[::1] stop=None):
    """Move each of `places`, where a window of `length` tokens begins, to where the first with the same tokens does.

    starts, ends, others: the spans with at least `length` tokens, and where the copy of each begins, in another
    document or before it. Raises Stopped; the places are worthless then.
    """
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    cdef int64_t i, low, high, middle, distance
    cdef int64_t size = starts.shape[0]
    cdef int64_t steps = 0
    cdef int64_t most
    cdef bint circle = False
    if ends.shape[0] != size or others.shape[0] != size:
        raise ValueError("every span needs an end and a copy")
    if length < 1:
        raise ValueError("length must be at least 1")
    with nogil:
        for i in range(places.shape[0]):
            # What is before a span, or in an earlier document, has its first copy there: each span is met once.
            most = steps + size
            while True:
                stopped = give_up(flag, steps)
                circle = steps > most
                if stopped or circle:
                    break
                steps += 1
                low, high = 0, size
                while low < high:
                    middle = (low + high) // 2
                    if starts[middle] <= places[i]:
                        low = middle + 1
                    else:
                        high = middle
                if not low or ends[low - 1] - places[i] < length:
                    break
                distance = starts[low - 1] - others[low - 1]
                # What repeats itself is met repeatedly in one span.
                if 0 < distance <= places[i] - starts[low - 1]:
                    distance *= (places[i] - starts[low - 1]) // distance + 1
                places[i] -= distance
            if stopped or circle:
                break
    if stopped:
        raise Stopped
    if circle:
        raise ValueError("the copies of spans go around in circles")
    return places
