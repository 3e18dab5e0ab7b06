# cython: language_level=3
"""Every n-gram of one text, counted from the common prefixes of its suffixes alone.

As `NgramWalk`, but neither the text nor the table is read: a group of equal n-grams ends where a common prefix is
shorter than n. Most long n-grams occur once. These are never written down one by one: each rank adds one to a range
of n.
"""

import numpy as np

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free

from _fastsa._rows cimport LONGEST, SIZES, Row, Rows, put_row
from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport SuffixArray, give_up, pointer_at, points_to_token


@cython.final
cdef class LcpWalk:
    """One walk over all ranks of a shard, which closes the groups of all n at once.

    lengths, rooms: of each rank, as `LcpPass` writes them. min_n, max_n, top, min_count: as for `NgramWalk`. max_count:
    the greatest count of a row.

    Cost: three bytes are read per rank. Lengths and rooms of another shard give wrong counts, but nothing is read
    outside of the arrays.
    """

    cdef Shard shard
    cdef const uint16_t[::1] lengths
    cdef const uint8_t[::1] rooms
    cdef int64_t ranks
    cdef int64_t walked
    cdef int64_t min_n
    cdef int64_t max_n
    cdef int64_t top
    cdef int64_t max_count
    cdef int64_t common             # of the last rank with the one before it, at most `max_n`
    cdef int64_t size               # tokens of the last rank up to a separator, at most `max_n`
    cdef bint full                  # memory ran out
    cdef bint wants_single          # whether n-grams that occur once are rows
    cdef int64_t[LONGEST] begins    # first rank of the open group of each n that has two ranks or more
    cdef int64_t[LONGEST] least     # of the count of a row
    cdef int64_t[LONGEST + 1] single    # changes, from n - 1 to n, of how many n-grams occur once
    cdef Rows[LONGEST] found
    cdef object all_totals
    cdef object all_sizes
    cdef int64_t[::1] sums          # the same arrays
    cdef int64_t[:, ::1] sizes

    def __cinit__(self, Shard shard not None, const uint16_t[::1] lengths not None,
                  const uint8_t[::1] rooms not None, int64_t min_n, int64_t max_n, int64_t top, int64_t min_count,
                  int64_t max_count):
        cdef int64_t n
        self.ranks = <int64_t>shard.array.ranks
        if not lengths.shape[0] == rooms.shape[0] == self.ranks:
            raise ValueError("every rank needs a length and a room")
        if not 1 <= min_n <= max_n <= LONGEST:
            raise ValueError(f"n must be 1 to {LONGEST}, not {min_n} to {max_n}")
        if top < 0 or min_count < 1 or max_count < min_count:
            raise ValueError("top must be at least 0, min_count at least 1, and max_count not less")
        self.shard, self.lengths, self.rooms = shard, lengths, rooms
        self.min_n, self.max_n, self.top, self.max_count = min_n, max_n, top, max_count
        for n in range(LONGEST):
            self.least[n] = min_count
        self.wants_single = min_count == 1
        self.all_totals = np.zeros(max_n, dtype=np.int64)
        self.all_sizes = np.zeros((max_n, SIZES), dtype=np.int64)
        self.sums, self.sizes = self.all_totals, self.all_sizes

    def __dealloc__(self):
        cdef int64_t n
        for n in range(LONGEST):
            free(self.found[n].rows)

    @property
    def done(self):
        """The number of ranks that were walked."""
        return self.walked

    @property
    def total(self):
        """The number of ranks of the walk."""
        return self.ranks

    @property
    def waiting(self):
        """The number of rows that `rows` would give."""
        cdef int64_t n
        cdef int64_t size = 0
        for n in range(self.max_n):
            size += self.found[n].size
        return size

    @property
    def totals(self):
        """Occurrences of the n-grams of each n from 1, int64, of the groups that are closed."""
        return self.all_totals + self.singles()

    @property
    def spectrum(self):
        """How many n-grams of each n from 1 have each count, int64; the last column is for all greater counts."""
        result = self.all_sizes.copy()
        result[:, 1] += self.singles()
        return result

    def advance(self, int64_t ranks, const uint8_t[::1] stop=None):
        """Walk this many more ranks; after the last one, the open groups are closed.

        A walk that was stopped continues where it was.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t last, common, size
        if ranks < 0:
            raise ValueError(f"ranks must be at least 0, not {ranks}")
        if self.full:
            raise MemoryError
        last = self.walked + min(ranks, self.ranks - self.walked)
        with nogil:
            while self.walked < last and not self.full:
                if give_up(flag, self.walked):
                    stopped = True
                    break
                size = min(<int64_t>self.rooms[self.walked], self.max_n)
                # Whatever the arrays are: no group is longer than a suffix that is in it.
                common = min(<int64_t>self.lengths[self.walked], min(size, self.size))
                self.close(common)
                self.common, self.size = common, size
                self.walked += 1
            if self.walked == self.ranks and not stopped:
                self.close(0)
                self.common = self.size = 0
        if self.full:
            raise MemoryError
        self.shard.settled(None, -1, stopped)

    def rows(self, int64_t n):
        """The n-grams of `n` tokens that were found since the last call: (counts, positions, shards).

        As `NgramWalk.rows`; the shard is always 0. Raises DamagedTable if the table's entry of a row points nowhere.
        """
        cdef const SuffixArray *array = &self.shard.array
        cdef int64_t i
        cdef int64_t damaged = -1
        cdef uint64_t pointer
        cdef Rows *found
        if not 1 <= n <= self.max_n:
            raise IndexError(f"n is 1 to {self.max_n}, not {n}")
        found = &self.found[n - 1]
        counts, numbers, places = (np.empty(found.size, dtype=np.int64) for _ in range(3))
        cdef int64_t[::1] out_counts = counts
        cdef int64_t[::1] out_numbers = numbers
        cdef int64_t[::1] out_places = places
        for i in range(found.size):
            pointer = pointer_at(array, <uint64_t>found.rows[i].number)
            # The n-gram is read there by whoever asked.
            if not points_to_token(array, pointer) or array.token_bytes - pointer < <uint64_t>(n * array.width):
                damaged = found.rows[i].number
                break
            out_counts[i] = found.rows[i].count
            out_numbers[i] = found.rows[i].number
            out_places[i] = <int64_t>(pointer // <uint64_t>array.width)
        which = np.zeros(found.size, dtype=np.int64)
        self.shard.settled(None, damaged, False)
        if self.top:
            order = np.lexsort((numbers, -counts))
            return counts[order], places[order], which
        found.size = 0
        return counts, places, which

    cdef singles(self):
        """How many n-grams of each n from 1 occur once."""
        return np.cumsum([self.single[n] for n in range(self.max_n)], dtype=np.int64)

    cdef inline void close(self, int64_t common) noexcept nogil:
        """Close the groups of all n greater than `common`, and note where those began that the next rank is in."""
        cdef int64_t n
        cdef int64_t rank = self.walked
        cdef int64_t low = max(common, self.min_n - 1)
        # Those that the last rank was not alone in.
        for n in range(low, self.common):
            self.meet(n, rank - self.begins[n], self.begins[n])
        low = max(low, self.common)
        if low < self.size:
            self.single[low] += 1
            self.single[self.size] -= 1
            if self.wants_single:
                for n in range(low, self.size):
                    if self.least[n] <= 1:
                        self.put(n, 1, rank - 1)
        for n in range(self.common, common):
            self.begins[n] = rank - 1

    cdef inline void meet(self, int64_t n, int64_t count, int64_t first) noexcept nogil:
        self.sums[n] += count
        self.sizes[n, min(count, <int64_t>(SIZES - 1))] += 1
        if self.least[n] <= count <= self.max_count:
            self.put(n, count, first)

    cdef void put(self, int64_t n, int64_t count, int64_t first) noexcept nogil:
        cdef Row row
        cdef int64_t i
        row.count, row.number, row.pointer, row.shard = count, first, 0, 0
        if not put_row(&self.found[n], self.top, &row):
            self.full = True
        if self.top and self.found[n].size == self.top:
            # What is as frequent as the last of them comes later in the order.
            self.least[n] = max(self.least[n], self.found[n].rows[0].count + 1)
            self.wants_single = False
            for i in range(self.min_n - 1, self.max_n):
                if self.least[i] <= 1:
                    self.wants_single = True
