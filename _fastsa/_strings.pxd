# cython: language_level=3
"""Sorting of some suffixes of a text by comparing them, to a depth at which ties may stay."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t


cdef struct Strings:
    const uint8_t *text      # n symbols of `width` bytes, all at least 1
    int64_t n
    int width                # 1, 2 or 4
    uint64_t *keys           # scratch, one per entry of `order`
    int32_t *order           # positions of the suffixes to be sorted
    int64_t depth            # symbols from which on suffixes that agree may stay tied
    const uint8_t *stop      # not zero: give up; may be NULL


cdef enum Sorted:
    SORTED = 0
    SORT_STOPPED = 1
    SORT_NO_MEMORY = 2


cdef Sorted sort_range(const Strings *strings, int64_t low, int64_t high) noexcept nogil
