# cython: language_level=3
"""Hashes of the tokens around many positions of a text: contexts that read alike have equal hashes."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from _fastsa._runs cimport check_runs
from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport give_up

from _fastsa._shard import Stopped


def run_hashes(Shard shard not None, const int64_t[::1] firsts not None, const int64_t[::1] lasts not None,
               const int64_t[::1] marks not None, const uint8_t[::1] stop=None):
    """A 64-bit hash of the tokens [firsts[i], lasts[i]) and of marks[i]; equal runs have equal hashes.

    The hash is FNV-1a over tokens (Fowler, Noll, Vo), with a final mix.
    """
    cdef Py_ssize_t i
    cdef int64_t at
    cdef int64_t width = shard.array.width
    cdef uint64_t state
    cdef uint64_t done = 0
    cdef uint32_t token
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    result = np.zeros(firsts.shape[0], dtype=np.uint64)
    cdef uint64_t[::1] out = result
    if marks.shape[0] != firsts.shape[0]:
        raise ValueError("marks must be as many as the runs")
    check_runs(shard, firsts, lasts, 1)
    with nogil:
        for i in range(firsts.shape[0]):
            if stopped or give_up(flag, i):
                stopped = True
                break
            # The offset basis and the prime of FNV-1a with 64 bits.
            state = (<uint64_t>0xCBF29CE484222325 ^ <uint64_t>marks[i]) * <uint64_t>0x100000001B3
            for at in range(firsts[i], lasts[i]):
                done += 1
                if give_up(flag, done):
                    stopped = True
                    break
                token = 0
                memcpy(&token, shard.array.tokens + at * width, width)
                state = (state ^ token) * <uint64_t>0x100000001B3
                state ^= state >> 29
            out[i] = state
    if stopped:
        raise Stopped
    return result
