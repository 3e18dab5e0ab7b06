# cython: language_level=3
"""Every n-gram of some texts in one walk over their suffix arrays, and how many documents have an n-gram.

Suffixes that begin with the same n tokens are neighbors in the table. So the common prefix of two neighbors, of which
only the first `max_n` tokens matter, decides for all n at once where a group of equal n-grams ends. Nothing is stored
per n-gram but what is asked for. The suffixes of several shards are met in the order in which one table of all their
texts would have them.
"""

import numpy as np

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from _fastsa._rows cimport LONGEST, SIZES, Row, Rows, put_row
from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport (
    AHEAD,
    SuffixArray,
    common_prefix,
    fetch_ahead,
    give_up,
    pointer_at,
    points_to_token,
)


cdef enum:
    BLOCK = 64          # tokens whose first document is known


LONGEST_NGRAM = LONGEST


cdef struct Head:
    const SuffixArray *array
    int64_t sign
    int64_t rank
    int64_t last
    uint64_t pointer
    uint64_t size       # bytes of the suffix that are compared
    int64_t shard


cdef inline uint32_t token_at(const uint8_t *data, int width) noexcept nogil:
    cdef uint32_t token = 0
    if width == 2:
        return data[0] | (<uint32_t>data[1]) << 8
    if width == 1:
        return data[0]
    memcpy(&token, data, 4)
    return token


@cython.final
cdef class NgramWalk:
    """One walk over the ranks [firsts[i], lasts[i]) of some shards, which closes the groups of all n at once.

    signs: 1 or -1 for each shard; a count is the sum of the signs of an n-gram's occurrences. max_n: tokens of the
    longest n-grams, 1 to 64; min_n: of the shortest. separator: n-grams that contain it are left out. top: how many
    rows to keep of each n, the most frequent ones, and of equal counts those that come first in the table's order;
    0: all. min_count: the least count of a row. needle: tokens that an n-gram must contain as they are stored; anchor:
    0: anywhere, 1: at its beginning, 2: at its end.

    All shards must be of one width. An n-gram of which fewer occurrences are added than taken away is left out.
    Cost: one read of the text per rank.
    """

    cdef tuple shards
    cdef Head *heads
    cdef int64_t *order         # the shards by their next suffix
    cdef int64_t shard_count
    cdef int64_t left           # shards that have a next suffix
    cdef int64_t walked
    cdef int64_t ranks
    cdef int width
    cdef int64_t min_n
    cdef int64_t max_n
    cdef int64_t top
    cdef int64_t min_count
    cdef uint32_t separator
    cdef const uint8_t[::1] needle
    cdef int anchor
    cdef Rows[LONGEST] found
    cdef Row[LONGEST] group     # the open group of each n
    cdef bint[LONGEST] is_open
    cdef uint8_t[4 * LONGEST] last_key
    cdef int64_t counted        # signs of all suffixes so far
    cdef int64_t last_size      # tokens of the last key up to a separator
    cdef bint full              # memory ran out
    cdef object all_totals
    cdef object all_sizes
    cdef int64_t[::1] sums      # the same arrays
    cdef int64_t[:, ::1] sizes

    def __cinit__(self, shards not None, const int64_t[::1] signs not None, const int64_t[::1] firsts not None,
                  const int64_t[::1] lasts not None, int64_t separator, int64_t min_n, int64_t max_n, int64_t top,
                  int64_t min_count, const uint8_t[::1] needle not None, int anchor):
        cdef Shard shard
        cdef int64_t i
        self.shards = tuple(shards)
        if not self.shards or not len(self.shards) == signs.shape[0] == firsts.shape[0] == lasts.shape[0]:
            raise ValueError("every shard needs a sign and a range")
        if not 1 <= min_n <= max_n <= LONGEST:
            raise ValueError(f"n must be 1 to {LONGEST}, not {min_n} to {max_n}")
        if top < 0 or min_count < 1:
            raise ValueError("top must be at least 0, and min_count at least 1")
        if anchor not in (0, 1, 2):
            raise ValueError(f"anchor must be 0, 1 or 2, not {anchor}")
        self.width = (<Shard?>self.shards[0]).array.width
        if needle.shape[0] % self.width or needle.shape[0] > max_n * self.width:
            raise ValueError("a needle must be whole tokens, and at most as many as an n-gram has")
        if not 0 <= separator < <int64_t>1 << (8 * self.width):
            raise ValueError(f"{separator} is no token")
        self.min_n, self.max_n, self.top, self.min_count = min_n, max_n, top, min_count
        self.separator, self.needle, self.anchor = <uint32_t>separator, needle, anchor
        self.all_totals = np.zeros(max_n, dtype=np.int64)
        self.all_sizes = np.zeros((max_n, SIZES), dtype=np.int64)
        self.sums, self.sizes = self.all_totals, self.all_sizes
        self.heads = <Head *>calloc(len(self.shards), sizeof(Head))
        self.order = <int64_t *>calloc(len(self.shards), sizeof(int64_t))
        if self.heads == NULL or self.order == NULL:
            raise MemoryError
        for i, shard in enumerate(self.shards):
            if shard.array.width != self.width:
                raise ValueError("all shards must be of one width")
            if signs[i] not in (-1, 1):
                raise ValueError(f"a sign must be 1 or -1, not {signs[i]}")
            shard.check_range(firsts[i], lasts[i])
            self.heads[i].array = &shard.array
            self.heads[i].sign = signs[i]
            # One before: `take` reads the next.
            self.heads[i].rank = firsts[i] - 1
            self.heads[i].last = lasts[i]
            self.heads[i].shard = i
            self.ranks += lasts[i] - firsts[i]
        self.left = -1
        self.shard_count = len(self.shards)

    def __dealloc__(self):
        cdef int64_t n
        free(self.heads)
        free(self.order)
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
        return self.all_totals.copy()

    @property
    def spectrum(self):
        """How many n-grams of each n from 1 have each count, int64; the last column is for all greater counts."""
        return self.all_sizes.copy()

    def advance(self, int64_t ranks, const uint8_t[::1] stop=None):
        """Walk this many more ranks; after the last one, the open groups are closed.

        A walk that was stopped continues where it was.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t damaged = -1
        cdef int64_t where = 0
        cdef int64_t last
        cdef int64_t i
        if ranks < 0:
            raise ValueError(f"ranks must be at least 0, not {ranks}")
        last = self.walked + min(ranks, self.ranks - self.walked)
        if self.full:
            raise MemoryError
        with nogil:
            if self.left < 0 and not give_up(flag, 0):
                self.left = 0
                for i in range(self.shard_count):
                    damaged = self.take(i)
                    if damaged >= 0:
                        where = i
                        self.left = -1
                        break
            while self.walked < last and damaged < 0 and not self.full:
                if give_up(flag, self.walked) or self.left < 0:
                    stopped = True
                    break
                where = self.order[0]
                self.meet(&self.heads[where])
                self.walked += 1
                damaged = self.next_of(where)
            if self.walked == self.ranks and damaged < 0 and not stopped:
                self.close(0)
        if self.full:
            raise MemoryError
        if damaged >= 0:
            # What was walked is worthless now, and a second try must not continue after the damaged entry.
            self.walked = self.ranks
        (<Shard>self.shards[where]).settled(None, damaged, stopped)

    def rows(self, int64_t n):
        """The n-grams of `n` tokens that were found since the last call: (counts, positions, shards).

        Three int64 arrays: counts, the position of one occurrence in tokens, and the number of its shard. In the order
        of the table; with `top`, the most frequent first, and complete after the last rank only.
        """
        cdef int64_t i
        cdef Rows *found
        if not 1 <= n <= self.max_n:
            raise IndexError(f"n is 1 to {self.max_n}, not {n}")
        found = &self.found[n - 1]
        counts, numbers, places, which = (np.empty(found.size, dtype=np.int64) for _ in range(4))
        cdef int64_t[::1] out_counts = counts
        cdef int64_t[::1] out_numbers = numbers
        cdef int64_t[::1] out_places = places
        cdef int64_t[::1] out_which = which
        for i in range(found.size):
            out_counts[i] = found.rows[i].count
            out_numbers[i] = found.rows[i].number
            out_places[i] = <int64_t>(found.rows[i].pointer // self.width)
            out_which[i] = found.rows[i].shard
        if self.top:
            order = np.lexsort((numbers, -counts))
            return counts[order], places[order], which[order]
        found.size = 0
        return counts, places, which

    cdef int64_t take(self, int64_t i) noexcept nogil:
        """Read the next suffix of a shard and put it in its place; returns the rank of a damaged entry, or -1."""
        cdef Head *head = &self.heads[i]
        cdef int64_t at
        head.rank += 1
        if head.rank >= head.last:
            return -1
        fetch_ahead(head.array, head.rank + AHEAD, head.last, 0)
        head.pointer = pointer_at(head.array, <uint64_t>head.rank)
        if not points_to_token(head.array, head.pointer):
            return head.rank
        head.size = min(head.array.token_bytes - head.pointer, <uint64_t>(self.max_n * self.width))
        at = self.left
        while at and self.before(head, &self.heads[self.order[at - 1]]):
            self.order[at] = self.order[at - 1]
            at -= 1
        self.order[at] = i
        self.left += 1
        return -1

    cdef int64_t next_of(self, int64_t i) noexcept nogil:
        """Replace the first shard's suffix by its next one; returns the rank of a damaged entry, or -1."""
        cdef Head *head = &self.heads[i]
        cdef int64_t at
        head.rank += 1
        if head.rank >= head.last:
            self.left -= 1
            for at in range(self.left):
                self.order[at] = self.order[at + 1]
            return -1
        fetch_ahead(head.array, head.rank + AHEAD, head.last, 0)
        head.pointer = pointer_at(head.array, <uint64_t>head.rank)
        if not points_to_token(head.array, head.pointer):
            return head.rank
        head.size = min(head.array.token_bytes - head.pointer, <uint64_t>(self.max_n * self.width))
        at = 0
        # Mostly it stays the first.
        while at + 1 < self.left and self.before(&self.heads[self.order[at + 1]], head):
            self.order[at] = self.order[at + 1]
            at += 1
        self.order[at] = i
        return -1

    cdef bint before(self, const Head *a, const Head *b) noexcept nogil:
        cdef int order = memcmp(a.array.tokens + a.pointer, b.array.tokens + b.pointer, min(a.size, b.size))
        if order:
            return order < 0
        return a.size < b.size or (a.size == b.size and a.shard < b.shard)

    cdef void meet(self, const Head *head) noexcept nogil:
        """Count one suffix in the groups of all n; those that it does not belong to are closed."""
        cdef const uint8_t *key = head.array.tokens + head.pointer
        cdef int64_t tokens = <int64_t>head.size // self.width
        # The last key ends before its separator, so what is equal to it has none.
        cdef int64_t common = <int64_t>common_prefix(
            key, self.last_key, 0, <uint64_t>(min(tokens, self.last_size) * self.width)) // self.width
        cdef int64_t size = common
        cdef int64_t n
        cdef Row *group
        while size < tokens and token_at(key + size * self.width, self.width) != self.separator:
            size += 1
        self.close(common)
        for n in range(max(common, self.min_n - 1), size):
            group = &self.group[n]
            # What was counted before it; the difference at its end is its count.
            group.count = self.counted
            group.number = self.walked
            group.pointer = head.pointer
            group.shard = head.shard
            self.is_open[n] = True
        self.counted += head.sign
        if common < size:
            memcpy(&self.last_key[common * self.width], key + common * self.width, (size - common) * self.width)
        self.last_size = size

    cdef void close(self, int64_t common) noexcept nogil:
        """Close the groups of all n greater than `common`."""
        cdef int64_t n
        cdef int64_t count
        for n in range(max(common, self.min_n - 1), self.max_n):
            if not self.is_open[n]:
                # Where n tokens were too many for the last suffix, more were as well.
                break
            self.is_open[n] = False
            count = self.counted - self.group[n].count
            self.group[n].count = count
            if count > 0 and self.matches(n + 1):
                self.sums[n] += count
                self.sizes[n, min(count, SIZES - 1)] += 1
                if count >= self.min_count and not put_row(&self.found[n], self.top, &self.group[n]):
                    self.full = True

    cdef bint matches(self, int64_t n) noexcept nogil:
        """Whether the last key's first n tokens contain the needle."""
        cdef int64_t size = self.needle.shape[0] // self.width
        cdef int64_t first = n - size if self.anchor == 2 else 0
        cdef int64_t last = 0 if self.anchor == 1 else n - size
        cdef int64_t at
        if not size:
            return True
        if size > n:
            return False
        for at in range(first, last + 1):
            if memcmp(&self.last_key[at * self.width], &self.needle[0], self.needle.shape[0]) == 0:
                return True
        return False


def document_counts(Shard shard not None, const uint64_t[::1] offsets not None, const int64_t[::1] firsts not None,
                    const int64_t[::1] lasts not None, const uint8_t[::1] stop=None):
    """How many documents the suffixes of each of the ranks [firsts[i], lasts[i]) begin in, int64.

    offsets: the byte at which each document begins, ascending. Cost: one step per rank, and four bytes per document and
    per 64 tokens of memory.
    """
    cdef const SuffixArray *array = &shard.array
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    cdef int64_t damaged = -1
    cdef int64_t documents = offsets.shape[0]
    cdef int64_t i, rank, count, block
    cdef int64_t document = 0
    cdef int64_t steps = 0
    cdef uint64_t pointer
    cdef uint64_t block_bytes = <uint64_t>(BLOCK * array.width)
    if lasts.shape[0] != firsts.shape[0]:
        raise ValueError("ranges must be of one length")
    if not documents or documents >= <int64_t>1 << 31:
        raise ValueError("there must be documents, and fewer than two billion")
    for i in range(firsts.shape[0]):
        shard.check_range(firsts[i], lasts[i])
    result = np.zeros(firsts.shape[0], dtype=np.int64)
    starts = np.zeros(array.token_bytes // block_bytes + 1, dtype=np.int32)
    seen = np.full(documents, -1, dtype=np.int64)
    cdef int64_t[::1] out = result
    cdef int32_t[::1] first_of = starts
    cdef int64_t[::1] stamps = seen
    with nogil:
        for block in range(first_of.shape[0]):
            if give_up(flag, block):
                stopped = True
                break
            while document + 1 < documents and offsets[document + 1] <= <uint64_t>block * block_bytes:
                document += 1
            first_of[block] = <int32_t>document
        for i in range(out.shape[0]):
            count = 0
            if stopped or damaged >= 0:
                break
            for rank in range(firsts[i], lasts[i]):
                if give_up(flag, steps):
                    stopped = True
                    break
                steps += 1
                pointer = pointer_at(array, <uint64_t>rank)
                if not points_to_token(array, pointer):
                    damaged = rank
                    break
                document = first_of[pointer // block_bytes]
                while document + 1 < documents and offsets[document + 1] <= pointer:
                    document += 1
                if stamps[document] != i:
                    stamps[document] = i
                    count += 1
            out[i] = count
    return shard.settled(result, damaged, stopped)
