# cython: language_level=3
"""The common prefix of each suffix with the one before it in the order (LCP), in linear time and bounded memory.

Kärkkäinen, Manzini, Puglisi: "Permuted Longest-Common-Prefix Array" (2009). The suffix that comes before the suffix of
position i in the order is written to the place i. In the order of the text, a common prefix is at most one token
shorter than that of the position before it, so it is never compared twice. The places of one block of positions are in
memory at a time; the table is read twice per block.
"""

import numpy as np

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport (
    AHEAD,
    SuffixArray,
    common_prefix,
    fastsa_prefetch,
    give_up,
    pointer_at,
    points_to_token,
)


cdef enum:
    MOST_LENGTH = 0xFFFF    # of a common prefix, as it is stored
    MOST_ROOM = 0xFF        # of what is left of a document


LONGEST_PREFIX = MOST_LENGTH
LARGEST_ROOM = MOST_ROOM

cdef enum Phase:
    COLLECT     # from the table: which suffix comes before that of each position
    COMPARE     # in the order of the text: how much they share
    DELIVER     # from the table: to the ranks


@cython.final
cdef class LcpPass:
    """Finds, for each rank of a shard, the tokens that its suffix shares with the one before it.

    separator: a common prefix ends before it, so it is within one document. lengths: where the common prefixes are
    written, uint16, one for each rank, at most 65,535. rooms: where the tokens up to the next separator or the end of
    the text are written, uint8, at most 255. block: positions whose places are in memory at once; entry: bytes of a
    place, 4 or 8, of which 4 are enough below 2**32 - 1 tokens.

    Cost: two reads of the table per block and one comparison per token; `block` times `entry` bytes.
    """

    cdef Shard shard
    cdef uint32_t separator
    cdef uint16_t[::1] lengths
    cdef uint8_t[::1] rooms
    cdef object owner           # of the places
    cdef uint8_t[::1] places
    cdef int entry
    cdef int64_t tokens
    cdef int64_t block
    cdef int64_t first          # positions of the present block
    cdef int64_t last
    cdef Phase phase
    cdef int64_t at             # rank or position
    cdef uint64_t previous      # the position at the rank before, in the first phase
    cdef int64_t border         # the next separator, in the second
    cdef int64_t carried        # tokens that are known to agree
    cdef int64_t steps

    def __cinit__(self, Shard shard not None, int64_t separator, uint16_t[::1] lengths not None,
                  uint8_t[::1] rooms not None, int64_t block, int entry):
        self.tokens = <int64_t>shard.array.ranks
        if not lengths.shape[0] == rooms.shape[0] == self.tokens:
            raise ValueError("every rank needs a length and a room")
        if not 0 <= separator < <int64_t>1 << (8 * shard.array.width):
            raise ValueError(f"{separator} is no token")
        if block < 1:
            raise ValueError(f"block must be at least 1, not {block}")
        if entry not in (4, 8) or (entry == 4 and self.tokens >= <int64_t>0xFFFFFFFF):
            raise ValueError(f"entry must be 4 or 8, and hold a position, not {entry}")
        self.shard, self.separator, self.lengths, self.rooms = shard, <uint32_t>separator, lengths, rooms
        self.block, self.entry = max(1, min(block, self.tokens)), entry
        self.owner = np.empty(self.block * entry, dtype=np.uint8)
        self.places = self.owner
        self.begin(0)

    @property
    def done(self):
        """The number of steps that were made."""
        return self.steps

    @property
    def total(self):
        """The number of steps of the whole pass."""
        return self.tokens + 2 * self.tokens * ((self.tokens + self.block - 1) // self.block)

    def advance(self, int64_t steps, const uint8_t[::1] stop=None):
        """Make this many more steps. A pass that was stopped continues where it was.

        Raises DamagedTable for an entry that does not point to a token.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t damaged = -1
        cdef int64_t left = steps
        cdef int64_t most
        if steps < 0:
            raise ValueError(f"steps must be at least 0, not {steps}")
        with nogil:
            while left > 0 and self.first < self.tokens and damaged < 0:
                most = min(left, (self.last if self.phase == COMPARE else self.tokens) - self.at)
                if give_up(flag, 0):
                    stopped = True
                    break
                # In runs of a few thousand steps: one look at the flag for each.
                most = min(most, <int64_t>4096)
                if self.phase == COLLECT:
                    damaged = self.collect(self.at + most)
                elif self.phase == COMPARE:
                    self.compare(self.at + most)
                else:
                    self.deliver(self.at + most)
                self.at += most
                self.steps += most
                left -= most
                self.turn()
        if damaged >= 0:
            # Lengths would be wrong from here on: a second try must not continue.
            self.first = self.tokens
        self.shard.settled(None, damaged, stopped)

    cdef void begin(self, int64_t first) noexcept nogil:
        self.first, self.last = first, min(self.tokens, first + self.block)
        self.phase, self.at = COLLECT, 0
        # All bits set: no suffix comes before it.
        memset(&self.places[0], 0xFF, self.places.shape[0])

    cdef void turn(self) noexcept nogil:
        """Begin the next phase where one has ended."""
        if self.at < (self.last if self.phase == COMPARE else self.tokens):
            return
        if self.phase == COLLECT:
            self.phase, self.at = COMPARE, self.first
            self.border, self.carried = -1, 0
        elif self.phase == COMPARE:
            self.phase, self.at = DELIVER, 0
        elif self.last < self.tokens:
            self.begin(self.last)
        else:
            self.first = self.tokens

    cdef inline uint64_t place(self, int64_t number) noexcept nogil:
        cdef uint32_t small = 0
        cdef uint64_t large = 0
        if self.entry == 4:
            memcpy(&small, &self.places[4 * number], 4)
            return <uint64_t>-1 if small == <uint32_t>0xFFFFFFFF else small
        memcpy(&large, &self.places[8 * number], 8)
        return large

    cdef inline void put(self, int64_t number, uint64_t value) noexcept nogil:
        cdef uint32_t small = <uint32_t>value
        if self.entry == 4:
            memcpy(&self.places[4 * number], &small, 4)
        else:
            memcpy(&self.places[8 * number], &value, 8)

    cdef inline void expect(self, int64_t rank) noexcept nogil:
        """Bring the place of a rank into the cache that will be needed soon."""
        cdef uint64_t position
        if rank < self.tokens:
            position = pointer_at(&self.shard.array, <uint64_t>rank) // <uint64_t>self.shard.array.width
            if <uint64_t>self.first <= position < <uint64_t>self.last:
                fastsa_prefetch(&self.places[self.entry * (<int64_t>position - self.first)])

    cdef int64_t collect(self, int64_t last) noexcept nogil:
        """Write the position before each; returns the rank of a damaged entry, or -1."""
        cdef const SuffixArray *array = &self.shard.array
        cdef int64_t rank
        cdef uint64_t pointer
        cdef uint64_t before = self.previous if self.at else <uint64_t>-1
        for rank in range(self.at, last):
            self.expect(rank + 2 * AHEAD)
            pointer = pointer_at(array, <uint64_t>rank)
            if not points_to_token(array, pointer):
                return rank
            pointer //= <uint64_t>array.width
            if <uint64_t>self.first <= pointer < <uint64_t>self.last:
                self.put(<int64_t>pointer - self.first, before)
            before = pointer
        self.previous = before
        return -1

    cdef void compare(self, int64_t last) noexcept nogil:
        """Replace the position before each by what both share, and by the room."""
        cdef const SuffixArray *array = &self.shard.array
        cdef uint64_t width = <uint64_t>array.width
        cdef int64_t position, room
        cdef int64_t length = self.carried
        cdef uint64_t other, ahead
        for position in range(self.at, last):
            if position + AHEAD < self.last:
                ahead = self.place(position + AHEAD - self.first)
                if ahead < <uint64_t>self.tokens:
                    fastsa_prefetch(array.tokens + ahead * width)
            if position > self.border:
                self.border = self.border_from(position)
            room = self.border - position
            other = self.place(position - self.first)
            if other >= <uint64_t>self.tokens:
                length = 0
            else:
                room = min(room, self.tokens - <int64_t>other)
                # A shorter one is known from the position before.
                length = <int64_t>(common_prefix(
                    array.tokens + <uint64_t>position * width, array.tokens + other * width,
                    <uint64_t>min(length, room) * width, <uint64_t>room * width) // width)
                room = self.border - position
            self.put(position - self.first,
                     <uint64_t>min(length, <int64_t>MOST_LENGTH) | <uint64_t>min(room, <int64_t>MOST_ROOM) << 16)
            if length:
                length -= 1
        self.carried = length

    cdef int64_t border_from(self, int64_t position) noexcept nogil:
        """The first separator from a position on, or the end of the text."""
        cdef const SuffixArray *array = &self.shard.array
        cdef uint32_t token = 0
        while position < self.tokens:
            memcpy(&token, array.tokens + <uint64_t>position * <uint64_t>array.width, array.width)
            if token == self.separator:
                break
            position += 1
        return position

    cdef void deliver(self, int64_t last) noexcept nogil:
        """Write what was found for this block's positions to their ranks; the first phase checked the entries."""
        cdef const SuffixArray *array = &self.shard.array
        cdef int64_t rank
        cdef uint64_t position, value
        for rank in range(self.at, last):
            self.expect(rank + 2 * AHEAD)
            position = pointer_at(array, <uint64_t>rank) // <uint64_t>array.width
            if <uint64_t>self.first <= position < <uint64_t>self.last:
                value = self.place(<int64_t>position - self.first)
                self.lengths[rank] = <uint16_t>(value & MOST_LENGTH)
                self.rooms[rank] = <uint8_t>(value >> 16)
