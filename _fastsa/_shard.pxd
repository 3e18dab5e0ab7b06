# cython: language_level=3
"""The C side of a shard, for engine modules that cimport it."""

from libc.stdint cimport int64_t

from _fastsa._suffixes cimport Arrays


cdef class Shard:
    cdef Arrays arrays
    cdef object owners
    cdef readonly str name
    cdef int check(self, int64_t damaged) except -1
    cdef int check_range(self, int64_t first, int64_t last) except -1
