# cython: language_level=3
"""N-grams extended by one token before or after, for many at once."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcmp

from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport SuffixArray, give_up, pointer_at, points_to_token, token_after


cdef struct Query:
    uint64_t pointer     # where in the text the n-gram is
    uint64_t size        # its bytes
    uint64_t skipped     # bytes of a suffix that precede the compared ones


cdef inline int compare(const SuffixArray *array, int64_t rank, const Query *query, int64_t *damaged) noexcept nogil:
    """A suffix, from its second token on, and an n-gram of the text: -1, 0 (the suffix begins with it) or 1."""
    cdef uint64_t pointer = pointer_at(array, <uint64_t>rank)
    cdef uint64_t room
    cdef int order
    if not points_to_token(array, pointer):
        damaged[0] = rank
        return 1
    room = array.token_bytes - pointer
    room = room - query.skipped if room > query.skipped else 0
    order = memcmp(array.tokens + pointer + query.skipped, array.tokens + query.pointer, min(room, query.size)) \
        if room else 0
    # A suffix that ends inside the n-gram comes before it.
    return order if order else (-1 if room < query.size else 0)


cdef inline int64_t first_not(const SuffixArray *array, int64_t low, int64_t high, const Query *query, int limit,
                              int64_t *damaged) noexcept nogil:
    """First rank of [low, high) that compares as more than `limit` (or at which the table is damaged)."""
    cdef int64_t middle
    while low < high:
        middle = low + (high - low) // 2
        # A damaged entry compares as larger, so the loop still ends; the caller looks at `damaged` then.
        if compare(array, middle, query, damaged) <= limit:
            low = middle + 1
        else:
            high = middle
    return low


def ranges_before(Shard shard not None, const int64_t[::1] lows not None, const int64_t[::1] highs not None,
                  const int64_t[::1] ranks not None, const int64_t[::1] lengths not None,
                  const uint8_t[::1] stop=None):
    """Rank ranges of n-grams with a token before them: in [lows[i], highs[i]), whose suffixes all begin with that
    token, those that continue with the first lengths[i] tokens of the suffix of ranks[i].

    Returns two int64 arrays, first ranks and one past the last ranks; equal if there is none. An n-gram that
    reaches beyond the text is in no range. Cost: O(log(highs[i] - lows[i])) probes each.
    """
    cdef Py_ssize_t i
    cdef Py_ssize_t n = lows.shape[0]
    cdef int64_t count = <int64_t>shard.array.ranks
    cdef int64_t damaged = -1
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    cdef Query query
    if highs.shape[0] != n or ranks.shape[0] != n or lengths.shape[0] != n:
        raise ValueError("ranges, ranks and lengths must be of one length")
    for i in range(n):
        shard.check_range(lows[i], highs[i])
        if not (0 <= ranks[i] < count and 0 <= lengths[i]):
            raise IndexError(f"{lengths[i]} tokens at rank {ranks[i]} are outside of the text")
    firsts, lasts = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    cdef int64_t[::1] out_first = firsts
    cdef int64_t[::1] out_last = lasts
    query.skipped = shard.array.width
    with nogil:
        for i in range(n):
            if give_up(flag, i):
                stopped = True
                break
            if lows[i] == highs[i]:
                continue
            query.pointer = pointer_at(&shard.array, <uint64_t>ranks[i])
            if not points_to_token(&shard.array, query.pointer):
                damaged = ranks[i]
                break
            query.size = <uint64_t>min(lengths[i], count) * shard.array.width
            if query.size > shard.array.token_bytes - query.pointer:
                continue
            out_first[i] = out_last[i] = first_not(&shard.array, lows[i], highs[i], &query, -1, &damaged)
            if damaged < 0 and out_first[i] < highs[i] and not compare(&shard.array, out_first[i], &query, &damaged):
                out_last[i] = first_not(&shard.array, out_first[i] + 1, highs[i], &query, 0, &damaged)
            if damaged >= 0:
                break
    return shard.settled((firsts, lasts), damaged, stopped)


def ranges_to_end(Shard shard not None, const int64_t[::1] firsts not None, const int64_t[::1] lasts not None,
                  const int64_t[::1] lengths not None, int64_t separator, const uint8_t[::1] stop=None):
    """How many suffixes of each [firsts[i], lasts[i]), which all begin with lengths[i] tokens, continue with the
    separator or end there. The separator must be the largest of all tokens. Cost: O(log(lasts[i] - firsts[i])) probes.
    """
    cdef Py_ssize_t i
    cdef int64_t damaged = -1
    cdef int64_t low, high, middle, token
    cdef int64_t ranks = <int64_t>shard.array.ranks
    cdef uint64_t depth
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    if lasts.shape[0] != firsts.shape[0] or lengths.shape[0] != firsts.shape[0]:
        raise ValueError("ranges and lengths must be of one length")
    for i in range(firsts.shape[0]):
        shard.check_range(firsts[i], lasts[i])
        shard.depth_bytes(lengths[i])
    result = np.zeros(firsts.shape[0], dtype=np.int64)
    cdef int64_t[::1] out = result
    with nogil:
        for i in range(firsts.shape[0]):
            if give_up(flag, i):
                stopped = True
                break
            low, high = firsts[i], lasts[i]
            if low == high:
                continue
            depth = <uint64_t>min(lengths[i], ranks) * shard.array.width
            # The text ends after one suffix at most, which is the first of them.
            out[i] = token_after(&shard.array, low, depth, &damaged) < 0
            low += out[i]
            while low < high and damaged < 0:
                middle = low + (high - low) // 2
                token = token_after(&shard.array, middle, depth, &damaged)
                # The largest token of all, so the suffixes that continue with it are the last ones.
                if token == separator:
                    high = middle
                else:
                    low = middle + 1
            out[i] += lasts[i] - low
            if damaged >= 0:
                break
    return shard.settled(result, damaged, stopped)
