# cython: language_level=3
"""Sorting of some suffixes of a text by comparing them, with a limit on the work."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t


cdef struct Strings:
    const uint8_t *text      # n symbols of `width` bytes, all at least 1
    int64_t n
    int width                # 1, 2 or 4
    uint64_t *keys           # scratch, one per entry of `order`
    int32_t *order           # positions of the suffixes to be sorted
    const uint8_t *stop      # not zero: give up; may be NULL


cdef enum Sorted:
    SORTED = 0
    WORK_EXCEEDED = 1
    SORT_STOPPED = 2
    SORT_NO_MEMORY = 3


cdef Sorted sort_range(const Strings *strings, int64_t low, int64_t high, int64_t depth,
                       int64_t *work) noexcept nogil
