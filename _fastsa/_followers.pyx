# cython: language_level=3
"""How many tokens, and how many distinct ones, follow many n-grams at once."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint64_t

from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport give_up, run_end, token_after


def followers(Shard shard not None, const int64_t[::1] firsts not None, const int64_t[::1] lasts not None,
              const int64_t[::1] lengths not None, int64_t separator, const uint8_t[::1] stop=None):
    """What follows the first lengths[i] tokens of the suffixes of [firsts[i], lasts[i]), which all begin with them.

    Returns two int64 arrays: how many of the suffixes continue with a token that is not the separator, and how many
    distinct tokens these are. Cost: O(distinct tokens × log(lasts[i] - firsts[i])) probes each.
    """
    cdef Py_ssize_t i
    cdef Py_ssize_t n = firsts.shape[0]
    cdef int64_t damaged = -1
    cdef int64_t rank, token, end, steps
    cdef uint64_t depth
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    if lasts.shape[0] != n or lengths.shape[0] != n:
        raise ValueError("ranges and lengths must be of one length")
    for i in range(n):
        shard.check_range(firsts[i], lasts[i])
        shard.depth_bytes(lengths[i])
    followed, distinct = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    cdef int64_t[::1] out_followed = followed
    cdef int64_t[::1] out_distinct = distinct
    steps = 0
    with nogil:
        for i in range(n):
            rank = firsts[i]
            depth = <uint64_t>min(lengths[i], <int64_t>shard.array.ranks) * shard.array.width
            while rank < lasts[i]:
                # Steps, not n-grams: those of a single token have thousands of runs.
                if give_up(flag, steps):
                    stopped = True
                    break
                steps += 1
                token = token_after(&shard.array, rank, depth, &damaged)
                end = run_end(&shard.array, rank, lasts[i], depth, token, &damaged)
                if damaged >= 0:
                    break
                if token >= 0 and token != separator:
                    out_followed[i] += end - rank
                    out_distinct[i] += 1
                rank = end
            if stopped or damaged >= 0:
                break
    return shard.settled((followed, distinct), damaged, stopped)
