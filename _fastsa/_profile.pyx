# cython: language_level=3
"""How far a text repeats itself: the longest stretches that occur elsewhere, and those that occur earlier.

The suffixes are met in the order of the table. Of those that begin earlier in the text, the nearest neighbors in the
table on either side share most with a suffix, so a stack of suffixes with ascending places finds both: Crochemore and
Ilie, "Computing longest previous factor in linear time and applications" (2008).

A match at one place implies a shorter one at the next, so only places are listed whose match cannot be made longer
towards the place before: in most texts one of ten or fewer.
"""

import numpy as np

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, realloc

from _fastsa._shard cimport flag_of
from _fastsa._spans cimport COLUMNS, Span, Spans, move, put
from _fastsa._suffixes cimport give_up

from _fastsa._shard import Stopped


cdef enum:
    CAP = 0xFFFF        # the longest match that is told from longer ones is one less
    ROOM_CAP = 0xFF     # the same of rooms


cdef struct Suffix:
    int64_t key         # earlier ones have smaller keys
    int64_t place
    int64_t before      # the token before it, or less than 0 at the start of a document


cdef struct Entry:
    Suffix suffix
    Suffix like         # the last that shares as much with any other as this one does; a key of -1: none
    int64_t shared      # tokens that it shares with the suffix below it in the stack


cdef inline void put_match(Spans *spans, int64_t start, int64_t end, int64_t other) noexcept nogil:
    """Add a match; one that continues the last one, as in text that repeats itself, makes that longer."""
    cdef Span *last
    if spans.size:
        last = &spans.items[spans.size - 1]
        if last.start - last.other == start - other and start <= last.end and end >= last.start:
            if start < last.start:
                last.start, last.other = start, other
            last.end = max(last.end, end)
            return
    put(spans, start, end, other)


cdef inline bint follow_one(Suffix one, Suffix other) noexcept nogil:
    """Whether two suffixes follow the same token, so that what they share is part of a longer match."""
    return one.before >= 0 and one.before == other.before


cdef inline Suffix earlier_one(const Entry *entry, Suffix suffix) noexcept nogil:
    """The nearest suffix before another one of those that an entry of the stack is for.

    Text that repeats itself is then always as far from its copy.
    """
    return entry.like if 0 <= entry.like.key < suffix.key else entry.suffix


@cython.final
cdef class ProfileWalk:
    """One walk over all suffixes, which tells how far each place of a text repeats others.

    least: the shortest matches that are listed, 1 or more. to_left: whether a match extends to the left of its place,
    as where documents are stored backwards. preferred: whether each place comes before all others that are not, in what
    "earlier" means; None if earlier is what has a smaller place.

    Suffixes are fed in the order of the table. Memory: 56 bytes for each suffix of the stack, usually some thousands,
    and 24 for each match that is listed, until it is taken. Cost: a few steps per suffix.
    """

    cdef int64_t least
    cdef bint to_left
    cdef int64_t depth
    cdef int64_t depth_room
    cdef bint full          # memory ran out
    cdef Entry *stack
    cdef Spans elsewhere
    cdef Spans earlier
    # The last suffix; what it shares with the one before it, and where that one is.
    cdef Suffix last
    cdef int64_t shared
    cdef int64_t neighbor
    cdef bint extends       # whether the tokens before both are equal
    cdef object all_counts
    cdef int64_t[:, ::1] counts
    cdef object preferred_places
    cdef const uint8_t[::1] preferred

    def __cinit__(self, int64_t least, bint to_left=False, const uint8_t[::1] preferred=None):
        if least < 1:
            raise ValueError(f"least must be at least 1, not {least}")
        self.least = least
        self.to_left = to_left
        self.preferred = preferred
        self.last = Suffix(-1, -1, -1)
        self.all_counts = np.zeros((2, CAP + 1), dtype=np.int64)
        self.counts = self.all_counts

    def __dealloc__(self):
        free(self.stack)
        free(self.elsewhere.items)
        free(self.earlier.items)

    def feed(self, const int64_t[::1] places not None, const uint16_t[::1] lengths not None,
             const uint8_t[::1] rooms not None, const int64_t[::1] befores not None, const uint8_t[::1] stop=None):
        """Add the next suffixes.

        For each: where it begins in the text, what it shares with the one before it in the table, the tokens up to its
        document's end, and the token before it, less than 0 at the start of a document. The last is not asked of those
        that share less than `least` with both neighbors. Raises Stopped; the walk is worthless then.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t i, key
        cdef int64_t size = places.shape[0]
        if lengths.shape[0] != size or rooms.shape[0] != size or befores.shape[0] != size:
            raise ValueError("every suffix needs a place, a length, a room and a token before it")
        if self.preferred is not None:
            for i in range(size):
                if not 0 <= places[i] < self.preferred.shape[0]:
                    raise ValueError("a place is outside of the text")
        with nogil:
            for i in range(size):
                if give_up(flag, i) or self.out_of_memory():
                    stopped = True
                    break
                key = places[i]
                if self.preferred is not None and not self.preferred[places[i]]:
                    key += self.preferred.shape[0]
                self.meet(Suffix(key, places[i], befores[i]), lengths[i], rooms[i])
        if self.out_of_memory():
            raise MemoryError
        if stopped:
            raise Stopped

    def end(self):
        """List what is left after the last suffix."""
        cdef Suffix none = Suffix(-1, -1, -1)
        with nogil:
            if self.last.key >= 0:
                self.compare(none, 0)
            while self.depth:
                self.leave(none, 0)
        if self.out_of_memory():
            raise MemoryError

    def taken(self):
        """What was found since the last call, in no order: matches elsewhere, and matches that begin earlier.

        Each int64 [matches, 3]: where it begins and ends, and where the same tokens begin. Some lie within others.
        """
        elsewhere = np.empty((self.elsewhere.size, COLUMNS), dtype=np.int64)
        earlier = np.empty((self.earlier.size, COLUMNS), dtype=np.int64)
        move(&self.elsewhere, elsewhere)
        move(&self.earlier, earlier)
        return elsewhere, earlier

    @property
    def spectrum(self):
        """How many places have a longest match of each length: elsewhere, and earlier; int64 [2, 65,536].

        The last is for that many tokens and more. A copy, complete after `end`.
        """
        return self.all_counts.copy()

    cdef inline bint out_of_memory(self) noexcept nogil:
        return self.full or self.elsewhere.full or self.earlier.full

    cdef inline void meet(self, Suffix new, int64_t shared, int64_t space) noexcept nogil:
        """Put the next suffix on the stack in the place of those that begin later."""
        cdef int64_t below
        if self.last.key >= 0:
            self.compare(new, shared)
            self.neighbor = self.last.place
            self.extends = follow_one(new, self.last)
        self.last, self.shared = new, shared
        while self.depth and self.stack[self.depth - 1].suffix.key > new.key:
            below = self.stack[self.depth - 1].shared
            self.leave(new, shared)
            shared = min(shared, below)
        if not self.depth:
            shared = 0
        elif shared == CAP or (space < ROOM_CAP and shared == space):
            # No match can be longer. Whatever shares that much with it shares as much with the one below.
            self.list_earlier(new, earlier_one(&self.stack[self.depth - 1], new), shared, False)
            self.stack[self.depth - 1].like = new
            return
        if self.depth == self.depth_room and not self.grown():
            return
        self.stack[self.depth] = Entry(new, Suffix(-1, -1, -1), shared)
        self.depth += 1

    cdef inline void compare(self, Suffix new, int64_t shared) noexcept nogil:
        """List the last suffix's longest match elsewhere: with one of its two neighbors in the table."""
        cdef int64_t most = max(self.shared, shared)
        cdef bint extends
        self.counts[0, most] += 1
        if most < self.least:
            return
        extends = (self.shared == most and self.extends) or (shared == most and follow_one(new, self.last))
        if most == CAP or not extends:
            self.put_of(&self.elsewhere, self.last.place, most, self.neighbor if self.shared == most else new.place)

    cdef inline void leave(self, Suffix new, int64_t shared) noexcept nogil:
        """Remove the last suffix of the stack, of which the next earlier one shares `shared` tokens."""
        cdef Entry *last
        self.depth -= 1
        last = &self.stack[self.depth]
        if self.depth and last.shared >= shared:
            self.list_earlier(last.suffix, earlier_one(last - 1, last.suffix), last.shared,
                              last.shared == shared and follow_one(new, last.suffix))
        else:
            self.list_earlier(last.suffix, new, shared, False)

    cdef inline void list_earlier(self, Suffix one, Suffix source, int64_t length, bint extends) noexcept nogil:
        """List the longest match of a suffix that begins earlier, unless one from the place before has it."""
        self.counts[1, length] += 1
        if length >= self.least and (length == CAP or not (extends or follow_one(one, source))):
            self.put_of(&self.earlier, one.place, length, source.place)

    cdef inline void put_of(self, Spans *spans, int64_t place, int64_t length, int64_t other) noexcept nogil:
        cdef int64_t moved = 1 - length if self.to_left else 0
        put_match(spans, place + moved, place + moved + length, other + moved)

    cdef inline bint grown(self) noexcept nogil:
        cdef int64_t room = 2 * self.depth_room + 1024
        cdef Entry *more = <Entry *>realloc(self.stack, room * sizeof(Entry))
        if more == NULL:
            self.full = True
            return False
        self.stack, self.depth_room = more, room
        return True


def longest_spans(int64_t[:, ::1] spans not None):
    """Move the spans that lie within no other to the front, with starts and ends ascending; tells how many there are.

    spans: as `ProfileWalk.taken` has them, sorted by where they begin. Spans that overlap and whose tokens are as far
    from their copies become one.
    """
    cdef int64_t i, start, end, other
    cdef int64_t kept = 0
    if spans.shape[1] != COLUMNS:
        raise ValueError("spans have three columns")
    with nogil:
        for i in range(spans.shape[0]):
            start, end, other = spans[i, 0], spans[i, 1], spans[i, 2]
            if kept and end <= spans[kept - 1, 1]:
                continue
            if kept and start <= spans[kept - 1, 1] and start - other == spans[kept - 1, 0] - spans[kept - 1, 2]:
                spans[kept - 1, 1] = end
                continue
            if not kept or start != spans[kept - 1, 0]:
                kept += 1
            spans[kept - 1, 0], spans[kept - 1, 1], spans[kept - 1, 2] = start, end, other
    return kept
