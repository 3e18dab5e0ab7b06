# cython: language_level=3
"""Rows of n-grams that a walk found: all of them, or a heap of the most frequent."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport realloc


cdef enum:
    SIZES = 1 << 12     # one more than the largest count that has a column of its own in a spectrum
    LONGEST = 64        # tokens of the longest n-gram


cdef struct Row:
    int64_t count
    int64_t number      # of the first suffix of the group, in the order of the walk
    uint64_t pointer    # byte of that suffix in its text
    int64_t shard


cdef struct Rows:
    Row *rows
    int64_t size
    int64_t room


cdef inline bint less(const Row *a, const Row *b) noexcept nogil:
    """Whether `a` is to be dropped before `b`: it is less frequent, or comes later."""
    return a.count < b.count or (a.count == b.count and a.number > b.number)


cdef inline bint grown(Rows *rows) noexcept nogil:
    """Whether there is room for one row more."""
    cdef int64_t room
    cdef Row *more
    if rows.size < rows.room:
        return True
    room = max(<int64_t>1024, 2 * rows.room)
    more = <Row *>realloc(rows.rows, room * sizeof(Row))
    if more == NULL:
        return False
    rows.rows = more
    rows.room = room
    return True


cdef inline void sink(Rows *rows, int64_t at) noexcept nogil:
    """Restore the heap below a row that was replaced."""
    cdef int64_t child
    cdef Row moved = rows.rows[at]
    while True:
        child = 2 * at + 1
        if child >= rows.size:
            break
        if child + 1 < rows.size and less(&rows.rows[child + 1], &rows.rows[child]):
            child += 1
        if not less(&rows.rows[child], &moved):
            break
        rows.rows[at] = rows.rows[child]
        at = child
    rows.rows[at] = moved


cdef inline void rise(Rows *rows) noexcept nogil:
    """Restore the heap above its last row."""
    cdef int64_t at = rows.size - 1
    cdef int64_t parent
    cdef Row moved = rows.rows[at]
    while at and less(&moved, &rows.rows[(at - 1) // 2]):
        parent = (at - 1) // 2
        rows.rows[at] = rows.rows[parent]
        at = parent
    rows.rows[at] = moved


cdef inline bint put_row(Rows *found, int64_t top, const Row *row) noexcept nogil:
    """Add a row, or put it in the place of the least of `top`; False if memory ran out."""
    if not top or found.size < top:
        if not grown(found):
            return False
        found.rows[found.size] = row[0]
        found.size += 1
        if top:
            rise(found)
    elif less(&found.rows[0], row):
        found.rows[0] = row[0]
        sink(found, 0)
    return True
