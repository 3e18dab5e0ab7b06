# cython: language_level=3
"""The C side of a shard: plain structs and nogil functions that other engine modules may cimport."""

from libc.stdint cimport int64_t, uint8_t, uint64_t


cdef struct Arrays:
    const uint8_t *tokens    # the whole `tokenized` file
    uint64_t token_bytes     # its size
    const uint8_t *table     # the whole `table` file
    uint64_t table_bytes     # its size
    uint64_t ranks           # number of entries of the table = number of tokens
    int width                # bytes a token: 1, 2 or 4
    int pointer_width        # bytes an entry of the table: 1 to 8
    const uint64_t *keys     # first 16 bytes of every key_step-th suffix, as two numbers; NULL: none
    uint64_t key_count
    uint64_t key_step
    uint64_t *top            # every TOP_STEP-th key, in memory of our own
    uint64_t top_count


cdef struct Found:
    int64_t first            # first rank of the range
    int64_t last             # one past its last rank; first == last: nothing found
    int64_t damaged          # rank whose table entry points nowhere, or -1


cdef class Shard:
    cdef Arrays arrays
    cdef object owners
    cdef readonly str name
    cdef int check(self, int64_t damaged) except -1
    cdef int check_range(self, int64_t first, int64_t last) except -1


cdef uint64_t pointer_at(const Arrays *arrays, uint64_t rank) noexcept nogil
cdef Found find_range(const Arrays *arrays, const uint8_t *query, uint64_t size,
                      int64_t low, int64_t high) noexcept nogil
cdef Found find_query(const Arrays *arrays, const uint8_t *query, uint64_t size) noexcept nogil
cdef int64_t token_after(const Arrays *arrays, int64_t rank, uint64_t depth, int64_t *damaged) noexcept nogil
cdef int64_t run_end(const Arrays *arrays, int64_t first, int64_t last, uint64_t depth, int64_t token,
                     int64_t *damaged) noexcept nogil
