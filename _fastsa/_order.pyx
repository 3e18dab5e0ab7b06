# cython: language_level=3
"""Whether a table is the suffix array of its text: sampled ranks by comparison, or the whole table in linear time."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport (
    AHEAD,
    SuffixArray,
    common_prefix,
    fastsa_prefetch,
    fastsa_swap32,
    fetch_ahead,
    give_up,
    pointer_at,
    points_to_token,
)


def first_disorder(Shard shard not None, int64_t first, int64_t last, int64_t most, const uint8_t[::1] stop=None):
    """First rank of [first, last - 1) whose suffix is not less than the next rank's; -1 if none.

    most: the maximum number of bytes compared of two neighbors; suffixes that agree in them count as in order.
    """
    cdef const SuffixArray *array = &shard.array
    cdef int64_t rank
    cdef int64_t wrong = -1
    cdef int64_t damaged = -1
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    cdef uint64_t a, b, room, common
    cdef const uint8_t *text = array.tokens
    shard.check_range(first, last)
    if most < 0:
        raise ValueError(f"most must be at least 0, not {most}")
    with nogil:
        for rank in range(first, last - 1):
            # A step may compare whole texts, so the flag is checked every time.
            if give_up(flag, 0):
                stopped = True
                break
            a = pointer_at(array, <uint64_t>rank)
            b = pointer_at(array, <uint64_t>rank + 1)
            if not points_to_token(array, a) or not points_to_token(array, b):
                damaged = rank if not points_to_token(array, a) else rank + 1
                break
            room = min(array.token_bytes - max(a, b), <uint64_t>most)
            common = common_prefix(text + a, text + b, 0, room)
            # Equal to the end of the text: the shorter suffix, which begins later, is the smaller one.
            if (a == b or (common < room and text[a + common] > text[b + common])
                    or (common == room and room < <uint64_t>most and a < b)):
                wrong = rank
                break
    return shard.settled(wrong, damaged, stopped)


cdef enum:
    SMALL_IDS = 1 << 20     # smaller ids have their bucket in an array; for others, it is searched for


cdef class OrderCheck:
    """Checks a whole table in one pass: linear time, and memory for the distinct tokens only.

    A bucket is the range of ranks of the suffixes that begin with one token; the buckets follow from how often
    each token occurs in the text. In a suffix array the suffixes of one bucket are in the order of what follows
    their first token: going over all suffixes in order, the left neighbor of each in the text is the next suffix of its
    own bucket. The empty suffix comes before all others. (Burkhardt, Kärkkäinen: "Fast Lightweight Suffix Array
    Construction and Checking", 2003, describes it with the inverse array.)

    If every rank of every bucket is reached in this way, exactly one entry is 0, since only position 0 has no left
    neighbor; following the neighbors from the end of the text then leads to every position once. So a table that passes
    contains each position once, and by induction over the suffixes' lengths it is sorted.

    tokens: the distinct tokens of the text (uint32) in the order of their stored bytes; starts: the first rank
    of each one's bucket (int64). They must be those of the text, or a correct table is reported as wrong.
    """

    cdef Shard shard
    cdef const uint32_t[::1] tokens
    cdef int64_t[::1] following     # the next rank of each bucket that has not been reached
    cdef int64_t[::1] ends
    cdef int32_t[::1] small         # bucket of an id below SMALL_IDS, or -1
    cdef int64_t at
    cdef bint begun                 # whether the empty suffix was checked

    def __cinit__(self, Shard shard not None, const uint32_t[::1] tokens not None, const int64_t[::1] starts not None):
        cdef int64_t i
        if starts.shape[0] != tokens.shape[0]:
            raise ValueError("every token needs a start")
        ends = np.append(np.asarray(starts)[1:], np.int64(shard.token_count))
        if starts.shape[0] and (starts[0] != 0 or (ends < np.asarray(starts)).any()):
            raise ValueError("the starts must ascend from 0 to the number of tokens")
        self.shard = shard
        self.tokens = tokens
        self.following = np.array(starts, dtype=np.int64)
        self.ends = ends
        small = np.full(SMALL_IDS, -1, dtype=np.int32)
        self.small = small
        for i in range(tokens.shape[0]):
            if tokens[i] < SMALL_IDS:
                self.small[tokens[i]] = <int32_t>i
        self.at = 0

    @property
    def done(self):
        """The number of ranks that were checked."""
        return self.at

    def advance(self, int64_t ranks, const uint8_t[::1] stop=None):
        """Check this many more ranks. Returns the rank of a wrong entry, or -1.

        Raises DamagedTable for an entry that does not point to a token.
        """
        cdef const SuffixArray *array = &self.shard.array
        cdef int64_t count = <int64_t>array.ranks
        cdef int64_t last
        cdef int64_t wrong = -1
        cdef int64_t damaged = -1
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef uint64_t pointer
        if ranks < 0:
            raise ValueError(f"ranks must be at least 0, not {ranks}")
        last = self.at + min(ranks, count - self.at)
        with nogil:
            if not self.begun and count:
                self.begun = True
                # The empty suffix, whose left neighbor is the last token of the text.
                wrong = self.meet(array.token_bytes)
            while self.at < last and wrong < 0:
                if give_up(flag, self.at):
                    stopped = True
                    break
                fetch_ahead(array, self.at + AHEAD, last, 0)
                pointer = pointer_at(array, <uint64_t>self.at)
                if not points_to_token(array, pointer):
                    damaged = self.at
                    break
                # Position 0 has no left neighbor.
                if pointer:
                    wrong = self.meet(pointer)
                self.at += 1
        return self.shard.settled(wrong, damaged, stopped)

    def unmet(self):
        """After the last rank: a rank that was never reached, or -1 if the table is the suffix array."""
        left = np.flatnonzero(np.asarray(self.following) < np.asarray(self.ends))
        return int(self.following[left[0]]) if len(left) else -1

    cdef int64_t meet(self, uint64_t pointer) noexcept nogil:
        """The suffix of `pointer` is the next in order: its left neighbor must be the next of its bucket.

        Returns the rank of another entry in its place, or -1.
        """
        cdef const SuffixArray *array = &self.shard.array
        cdef uint32_t token = 0
        cdef int64_t bucket, rank
        pointer -= array.width
        memcpy(&token, array.tokens + pointer, array.width)
        bucket = self.bucket_of(token)
        if bucket < 0 or self.following[bucket] >= self.ends[bucket]:
            # More suffixes belong to the bucket than it has ranks: some entry occurs twice.
            return self.at
        rank = self.following[bucket]
        self.following[bucket] = rank + 1
        if rank + 1 < self.ends[bucket]:
            fastsa_prefetch(array.table + (rank + 1) * array.pointer_width)
        return -1 if pointer_at(array, <uint64_t>rank) == pointer else rank

    cdef int64_t bucket_of(self, uint32_t token) noexcept nogil:
        cdef int64_t low = 0
        cdef int64_t high = self.tokens.shape[0]
        cdef int64_t middle
        if token < SMALL_IDS:
            return self.small[token]
        while low < high:
            middle = low + (high - low) // 2
            if fastsa_swap32(self.tokens[middle]) < fastsa_swap32(token):
                low = middle + 1
            else:
                high = middle
        return low if low < self.tokens.shape[0] and self.tokens[low] == token else -1
