# cython: language_level=3
"""Runs of positions of a text, as callers give them."""

from libc.stdint cimport int64_t

from _fastsa._shard cimport Shard


cdef inline int check_runs(Shard shard, const int64_t[::1] firsts, const int64_t[::1] limits, int step) except -1:
    cdef Py_ssize_t i
    cdef int64_t low, high
    cdef int64_t ranks = <int64_t>shard.array.ranks
    if step != 1 and step != -1:
        raise ValueError(f"step must be 1 or -1, not {step}")
    if limits.shape[0] != firsts.shape[0]:
        raise ValueError("limits must be as many as the places")
    for i in range(firsts.shape[0]):
        # With steps of -1, a run ends one before its first token; nothing is added before the end is known to be near
        # the text.
        low = firsts[i] if step == 1 else limits[i]
        high = limits[i] if step == 1 else firsts[i]
        if low < (0 if step == 1 else -1) or low > high or high > ranks - (0 if step == 1 else 1):
            raise IndexError(f"run {i} lies outside of the text")
    return 0
