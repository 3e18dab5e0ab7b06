# cython: language_level=3
"""From every place of a text, the longest match that begins earlier, and the longest anywhere else.

The suffixes are met in the order of the table. Of those that begin earlier in the text, the nearest neighbors in the
table on either side share most with a suffix, so a stack of suffixes with ascending places finds both: Crochemore and
Ilie, "Computing longest previous factor in linear time and applications" (2008).
"""

import numpy as np

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from _fastsa._shard cimport flag_of
from _fastsa._suffixes cimport give_up

from _fastsa._shard import Stopped


cdef enum:
    LENGTHS = 0x10000   # one more than the longest that is told from longer ones
    COLUMNS = 4


cdef struct Suffix:
    int64_t place
    int64_t shared      # tokens that it shares with the suffix below it in the stack
    int64_t most        # tokens that it shares with a neighbor in the table


@cython.final
cdef class ProfileWalk:
    """One walk over all suffixes, which tells how far each place of a text repeats others.

    least: the shortest matches whose places are listed, 1 or more.

    Suffixes are fed in the order of the table. Memory: 24 bytes for each suffix of the stack, usually some thousands
    and at most all of the text, and 32 for each place that is listed, until it is taken. Cost: a few steps per suffix.
    """

    cdef int64_t least
    cdef int64_t depth
    cdef int64_t depth_room
    cdef int64_t listed
    cdef int64_t listed_room
    cdef bint full          # memory ran out
    cdef Suffix *stack
    cdef int64_t *rows
    cdef object all_counts
    cdef int64_t[:, ::1] counts

    def __cinit__(self, int64_t least):
        if least < 1:
            raise ValueError(f"least must be at least 1, not {least}")
        self.least = least
        self.all_counts = np.zeros((2, LENGTHS), dtype=np.int64)
        self.counts = self.all_counts

    def __dealloc__(self):
        free(self.stack)
        free(self.rows)

    def feed(self, const int64_t[::1] places not None, const uint16_t[::1] lengths not None,
             const uint8_t[::1] stop=None):
        """Add the next suffixes: where each begins in the text, and what it shares with the one before it in the table.

        Raises Stopped; the walk is worthless then.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t i
        if places.shape[0] != lengths.shape[0]:
            raise ValueError("every suffix needs a place and a length")
        with nogil:
            for i in range(places.shape[0]):
                if give_up(flag, i) or self.full:
                    stopped = True
                    break
                self.meet(places[i], <int64_t>lengths[i])
        if self.full:
            raise MemoryError
        if stopped:
            raise Stopped

    def end(self):
        """List the places that are left after the last suffix."""
        with nogil:
            while self.depth:
                self.leave(-1, 0)
        if self.full:
            raise MemoryError

    def taken(self):
        """The places that were found since the last call, in no order: int64, four numbers for each.

        The place; the tokens of the longest match elsewhere; those of the longest match that begins earlier; and the
        place of that, or -1 if there is none.
        """
        found = np.empty((self.listed, COLUMNS), dtype=np.int64)
        cdef int64_t[:, ::1] out = found
        if self.listed:
            memcpy(&out[0, 0], self.rows, self.listed * COLUMNS * sizeof(int64_t))
        self.listed = 0
        return found

    @property
    def spectrum(self):
        """How many places have a longest match of each length: elsewhere, and earlier; int64 [2, 65,536].

        The last is for that many tokens and more. A copy, complete after `end`.
        """
        return self.all_counts.copy()

    cdef inline void meet(self, int64_t place, int64_t common) noexcept nogil:
        """Put the next suffix on the stack in the place of those that begin later."""
        cdef int64_t shared = common
        cdef int64_t below
        if self.depth:
            self.stack[self.depth - 1].most = max(self.stack[self.depth - 1].most, common)
        while self.depth and self.stack[self.depth - 1].place > place:
            below = self.stack[self.depth - 1].shared
            self.leave(place, shared)
            shared = min(shared, below)
        if self.depth == self.depth_room and not self.grown():
            return
        self.stack[self.depth].place = place
        self.stack[self.depth].shared = shared if self.depth else 0
        self.stack[self.depth].most = common
        self.depth += 1

    cdef inline void leave(self, int64_t place, int64_t shared) noexcept nogil:
        """Remove the last suffix of the stack: the next earlier one is at `place` and shares `shared` tokens."""
        cdef Suffix *last
        cdef int64_t earlier, source
        self.depth -= 1
        last = &self.stack[self.depth]
        earlier = max(last.shared, shared)
        if last.shared >= shared and self.depth:
            source = self.stack[self.depth - 1].place
        else:
            source = place
        self.counts[0, last.most] += 1
        self.counts[1, earlier] += 1
        if last.most < self.least:
            return
        if self.listed == self.listed_room and not self.more_rows():
            return
        self.rows[COLUMNS * self.listed] = last.place
        self.rows[COLUMNS * self.listed + 1] = last.most
        self.rows[COLUMNS * self.listed + 2] = earlier
        self.rows[COLUMNS * self.listed + 3] = source if earlier else -1
        self.listed += 1

    cdef inline bint grown(self) noexcept nogil:
        cdef int64_t room = 2 * self.depth_room + 1024
        cdef Suffix *more = <Suffix *>realloc(self.stack, room * sizeof(Suffix))
        if more == NULL:
            self.full = True
            return False
        self.stack, self.depth_room = more, room
        return True

    cdef inline bint more_rows(self) noexcept nogil:
        cdef int64_t room = 2 * self.listed_room + 1024
        cdef int64_t *more = <int64_t *>realloc(self.rows, room * COLUMNS * sizeof(int64_t))
        if more == NULL:
            self.full = True
            return False
        self.rows, self.listed_room = more, room
        return True
