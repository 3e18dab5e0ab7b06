# cython: language_level=3
"""Every passage that occurs more than once and cannot be made longer, from what neighbors in the suffix array share.

The suffixes that begin with a passage are neighbors. A group of them is open from the first that shares its tokens with
the one before it up to the first that does not; groups lie within each other, so the open ones are a stack (Abouelhoda,
Kurtz and Ohlebusch, "Replacing suffix trees with enhanced suffix arrays", 2004). That a passage cannot be made longer
to the right is what a group means; to the left it cannot if the tokens before its occurrences differ.
"""

import numpy as np

cimport cython
from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, qsort, realloc
from libc.string cimport memcpy

from _fastsa._shard cimport flag_of
from _fastsa._suffixes cimport give_up

from _fastsa._shard import Stopped


cdef enum:
    DIFFERENT = -2      # of the tokens before the suffixes of a group


cdef struct Group:
    int64_t length      # tokens that its suffixes share
    int64_t begin       # its first suffix, in `Numbers` of the places
    int64_t before      # the token before all of them, or DIFFERENT
    int64_t lowest      # place of the first of them in the text
    int64_t nearest     # the least distance of two that is known, or INT64_MAX


cdef struct Numbers:
    int64_t *items
    int64_t size
    int64_t room


cdef inline bint put(Numbers *numbers, int64_t item) noexcept nogil:
    """Whether there was memory for one number more."""
    cdef int64_t *more
    if numbers.size == numbers.room:
        more = <int64_t *>realloc(numbers.items, max(<int64_t>1024, 2 * numbers.room) * sizeof(int64_t))
        if more == NULL:
            return False
        numbers.items = more
        numbers.room = max(<int64_t>1024, 2 * numbers.room)
    numbers.items[numbers.size] = item
    numbers.size += 1
    return True


cdef int by_size(const void *one, const void *other) noexcept nogil:
    cdef int64_t a = (<const int64_t *>one)[0]
    cdef int64_t b = (<const int64_t *>other)[0]
    return (a > b) - (a < b)


cdef inline int64_t joined(int64_t one, int64_t other) noexcept nogil:
    """The token before two suffixes; at a document's start there is none, which equals no other."""
    return one if one == other and one >= 0 else DIFFERENT


@cython.final
cdef class RepeatWalk:
    """One walk over all suffixes, which finds the passages that occur twice or more and cannot be made longer.

    least: the tokens of the shortest passage, 1 or more.

    Suffixes are fed in the order of the table. Memory: 8 bytes for each suffix of the largest group of passages that
    share their first `least` tokens. Cost: a few steps per suffix. A group whose occurrences may overlap is sorted by
    place, unless a group within it tells; a text of n tokens has at most 2 * sqrt(n) such groups in each other.
    """

    cdef int64_t least
    cdef int64_t last_before
    cdef int64_t depth
    cdef int64_t depth_room
    cdef bint full          # memory ran out
    cdef Group *groups
    cdef Numbers places     # of the suffixes since the outermost open group began, and of the last one
    cdef Numbers sorted
    cdef Numbers found      # four numbers per passage
    cdef Numbers near       # two numbers per pair

    def __cinit__(self, int64_t least):
        if least < 1:
            raise ValueError(f"least must be at least 1, not {least}")
        self.least = least

    def __dealloc__(self):
        free(self.groups)
        free(self.places.items)
        free(self.sorted.items)
        free(self.found.items)
        free(self.near.items)

    def feed(self, const int64_t[::1] places not None, const uint16_t[::1] lengths not None,
             const int64_t[::1] befores not None, const uint8_t[::1] stop=None):
        """Add the next suffixes: where each begins in the text, what it shares with the one before it in the table, and
        the token before it in the text, negative at the start of a document.

        The token is read only of suffixes that share `least` tokens with a neighbor. Raises Stopped; the walk is
        worthless then.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t i, common
        if not places.shape[0] == lengths.shape[0] == befores.shape[0]:
            raise ValueError("every suffix needs a place, a length and the token before it")
        with nogil:
            for i in range(places.shape[0]):
                if give_up(flag, i) or self.full:
                    stopped = True
                    break
                common = <int64_t>lengths[i]
                self.meet(common if common >= self.least else 0, places[i], befores[i])
        if self.full:
            raise MemoryError
        if stopped:
            raise Stopped

    def end(self):
        """Close the groups that are open after the last suffix."""
        self.meet(0, 0, DIFFERENT)
        if self.full:
            raise MemoryError

    def taken(self):
        """What was found since the last call.

        Two int64 arrays. The first has a row for each passage: its tokens, its occurrences, the place of the first of
        them in the text, and 1 if two of them overlap. The second has pairs: a place, and the distance to a second
        occurrence of the tokens there that overlaps with it.
        """
        found = np.empty((self.found.size // 4, 4), dtype=np.int64)
        near = np.empty((self.near.size // 2, 2), dtype=np.int64)
        copy(&self.found, found.reshape(-1))
        copy(&self.near, near.reshape(-1))
        return found, near

    cdef inline void meet(self, int64_t common, int64_t place, int64_t before) noexcept nogil:
        """Close the groups that share more than `common` tokens, and put the next suffix into the others."""
        cdef Group closed
        if not self.places.size:
            # There is none before the first suffix.
            common = 0
        # Of the last suffix alone.
        closed.begin = self.places.size - 1
        closed.before, closed.nearest = self.last_before, INT64_MAX
        closed.lowest = self.places.items[closed.begin] if self.places.size else 0
        while self.depth and self.groups[self.depth - 1].length > common:
            self.depth -= 1
            self.close(&self.groups[self.depth])
            closed = self.groups[self.depth]
            if self.depth and self.groups[self.depth - 1].length >= common:
                self.join(&self.groups[self.depth - 1], &closed)
        if common and (not self.depth or self.groups[self.depth - 1].length < common):
            closed.length = common
            self.open(&closed)
        if not self.depth:
            self.places.size = 0
        else:
            self.groups[self.depth - 1].before = joined(self.groups[self.depth - 1].before, before)
            self.groups[self.depth - 1].lowest = min(self.groups[self.depth - 1].lowest, place)
        self.last_before = before
        if not put(&self.places, place):
            self.full = True

    cdef inline void join(self, Group *outer, const Group *inner) noexcept nogil:
        outer.before = joined(outer.before, inner.before)
        outer.lowest = min(outer.lowest, inner.lowest)
        outer.nearest = min(outer.nearest, inner.nearest)

    cdef inline void open(self, const Group *group) noexcept nogil:
        cdef Group *more
        if self.depth == self.depth_room:
            more = <Group *>realloc(self.groups, (2 * self.depth_room + 64) * sizeof(Group))
            if more == NULL:
                self.full = True
                return
            self.groups = more
            self.depth_room = 2 * self.depth_room + 64
        self.groups[self.depth] = group[0]
        self.depth += 1

    cdef inline void close(self, Group *group) noexcept nogil:
        """Note a group that ends with the last suffix, if it cannot be made longer to the left."""
        cdef int64_t count = self.places.size - group.begin
        # The outermost are looked at in any case: they hold all pairs that are nearer than their length.
        if group.before == DIFFERENT and group.nearest >= group.length or not self.depth:
            self.look(group, count)
        if group.before == DIFFERENT:
            self.full = self.full or not (
                put(&self.found, group.length) and put(&self.found, count)
                and put(&self.found, group.lowest) and put(&self.found, group.nearest < group.length)
            )

    cdef inline void look(self, Group *group, int64_t count) noexcept nogil:
        """Find the nearest occurrences of a group, and note those that overlap, once where they follow each other."""
        cdef int64_t i, distance
        cdef int64_t last = 0
        self.sorted.size = 0
        for i in range(count):
            if not put(&self.sorted, self.places.items[group.begin + i]):
                self.full = True
                return
        qsort(self.sorted.items, count, sizeof(int64_t), by_size)
        for i in range(1, count):
            distance = self.sorted.items[i] - self.sorted.items[i - 1]
            group.nearest = min(group.nearest, distance)
            if distance < group.length and distance != last:
                if not (put(&self.near, self.sorted.items[i - 1]) and put(&self.near, distance)):
                    self.full = True
            last = distance


cdef copy(Numbers *numbers, int64_t[::1] out):
    if numbers.size:
        memcpy(&out[0], numbers.items, numbers.size * sizeof(int64_t))
    numbers.size = 0
