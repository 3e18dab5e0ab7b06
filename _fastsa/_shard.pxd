# cython: language_level=3
"""The C side of a shard, for engine modules that cimport it."""

from libc.stdint cimport int64_t, uint8_t

from _fastsa._suffixes cimport SuffixArray


cdef class Shard:
    cdef SuffixArray array
    cdef object owners
    cdef readonly str name
    cdef int check(self, int64_t damaged) except -1
    cdef int check_range(self, int64_t first, int64_t last) except -1
    cdef int64_t check_step(self, int64_t step) except -1
    cdef int64_t check_query(self, const uint8_t[::1] query) except -1
    cdef int check_needles(self, const uint8_t[::1] needles, const int64_t[::1] lengths) except -1
    cdef int64_t depth_bytes(self, int64_t depth) except -1
    cdef object settled(self, object result, int64_t damaged, bint stopped)


cdef const uint8_t *flag_of(const uint8_t[::1] stop) except? NULL
