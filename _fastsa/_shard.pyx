# cython: language_level=3
"""Search in one shard: a text of fixed-width tokens and its suffix array.

Everything here works on the bytes of the two files, wherever they are (usually memory-mapped).
Suffixes compare as bytes, past document separators and to the end of the text; a suffix that
ends first is the smaller one. No function trusts the table: an entry beyond the text, or not on a
token's first byte, ends the search and is raised as `DamagedTable`.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy


class DamagedTable(ValueError):
    """An entry of the suffix array points outside of the text, or into the middle of a token.

    Attributes: `rank`, the entry's number, `byte_offset`, where it stands in the table, and `name`,
    that of the shard.
    """

    def __init__(self, rank, pointer_width, name=""):
        self.name = name
        self.rank = int(rank)
        self.byte_offset = int(rank) * int(pointer_width)
        super().__init__(f"suffix array entry {self.rank} points to no token")


class Stopped(Exception):
    """A long engine call saw its stop flag and gave up."""


cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__GNUC__)
    #define fastsa_prefetch(p) __builtin_prefetch(p)
    #else
    #define fastsa_prefetch(p) ((void)(p))
    #endif
    #if defined(_MSC_VER)
    #include <stdlib.h>
    #define fastsa_swap64(x) _byteswap_uint64(x)
    #else
    #define fastsa_swap64(x) __builtin_bswap64(x)
    #endif
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #error "the index files are little-endian and are read in place"
    #endif
    """
    uint64_t fastsa_swap64(uint64_t x) noexcept nogil
    void fastsa_prefetch(const void *p) noexcept nogil


cdef enum:
    KEY_BYTES = 16
    TOP_STEP = 256      # keys a memory page of 4 KiB
    FEW = 8             # ranks that are looked at one by one before galloping
    AHEAD = 12          # ranks whose text is fetched before it is looked at


cdef struct Key:
    uint64_t high
    uint64_t low


cdef inline bint key_less(uint64_t high, uint64_t low, Key key) noexcept nogil:
    return high < key.high or (high == key.high and low < key.low)


cdef Key key_of(const uint8_t *data, uint64_t size, uint8_t fill) noexcept nogil:
    """The first 16 bytes as two numbers that compare as the bytes do; missing ones are `fill`."""
    cdef uint8_t[16] padded
    cdef uint64_t word
    cdef Key key
    cdef uint64_t i
    if size >= KEY_BYTES:
        memcpy(padded, data, KEY_BYTES)
    else:
        for i in range(KEY_BYTES):
            padded[i] = data[i] if i < size else fill
    memcpy(&word, padded, 8)
    key.high = fastsa_swap64(word)
    memcpy(&word, padded + 8, 8)
    key.low = fastsa_swap64(word)
    return key


cdef uint64_t count_keys(const uint64_t *keys, uint64_t low, uint64_t high, Key key, bint upper) noexcept nogil:
    """Number of sorted keys below `high` that are less than the key (`upper`: not greater)."""
    cdef uint64_t middle
    cdef bint goes_right
    while low < high:
        middle = low + (high - low) // 2
        if upper:
            goes_right = not (keys[2 * middle] > key.high
                              or (keys[2 * middle] == key.high and keys[2 * middle + 1] > key.low))
        else:
            goes_right = key_less(keys[2 * middle], keys[2 * middle + 1], key)
        if goes_right:
            low = middle + 1
        else:
            high = middle
    return low


cdef uint64_t place_key(const Arrays *arrays, Key key, bint upper) noexcept nogil:
    """As count_keys over all keys, through the small copy first: one page of the keys is read."""
    cdef uint64_t block = count_keys(arrays.top, 0, arrays.top_count, key, upper)
    cdef uint64_t first = (block - 1) * TOP_STEP if block else 0
    return count_keys(arrays.keys, first, min(arrays.key_count, block * TOP_STEP), key, upper)


cdef uint64_t pointer_at(const Arrays *arrays, uint64_t rank) noexcept nogil:
    """The table's entry number `rank`, which must be less than `arrays.ranks`."""
    cdef uint64_t at = rank * <uint64_t>arrays.pointer_width
    cdef uint64_t value = 0
    cdef int i
    if at + 8 <= arrays.table_bytes:
        memcpy(&value, arrays.table + at, 8)
        if arrays.pointer_width < 8:
            value &= ((<uint64_t>1) << (8 * arrays.pointer_width)) - 1
        return value
    for i in range(arrays.pointer_width):
        value |= (<uint64_t>arrays.table[at + i]) << (8 * i)
    return value


cdef inline bint points_to_token(const Arrays *arrays, uint64_t pointer) noexcept nogil:
    return (pointer & <uint64_t>(arrays.width - 1)) == 0 and pointer + arrays.width <= arrays.token_bytes


cdef inline uint64_t common_prefix(const uint8_t *a, const uint8_t *b, uint64_t start, uint64_t size) noexcept nogil:
    """Length of the common prefix of a[:size] and b[:size], of which `start` bytes are known to agree."""
    cdef uint64_t x, y
    cdef uint64_t i = start
    while i + 8 <= size:
        memcpy(&x, a + i, 8)
        memcpy(&y, b + i, 8)
        if x != y:
            break
        i += 8
    while i < size and a[i] == b[i]:
        i += 1
    return i


cdef struct Probe:
    int order          # suffix less (-1), equal over the query's length (0) or greater (1) than the query
    uint64_t common    # bytes that agree
    bint damaged


cdef inline Probe probe(const Arrays *arrays, int64_t rank, const uint8_t *query, uint64_t size,
                        uint64_t known) noexcept nogil:
    cdef Probe result
    cdef uint64_t pointer = pointer_at(arrays, <uint64_t>rank)
    cdef uint64_t room
    result.order = 0
    result.common = 0
    result.damaged = not points_to_token(arrays, pointer)
    if result.damaged:
        return result
    room = arrays.token_bytes - pointer
    if room > size:
        room = size
    # An unsorted table could make `known` a lie; it must never lead beyond the text.
    if known > room:
        known = room
    result.common = common_prefix(arrays.tokens + pointer, query, known, room)
    if result.common == size:
        result.order = 0
    elif result.common == room:
        result.order = -1
    else:
        result.order = -1 if arrays.tokens[pointer + result.common] < query[result.common] else 1
    return result


cdef int64_t bound(const Arrays *arrays, const uint8_t *query, uint64_t size, int64_t low, int64_t high,
                   uint64_t low_common, uint64_t high_common, bint upper, int64_t *damaged) noexcept nogil:
    """First rank in [low, high) whose suffix is not less than the query (`upper`: is greater)."""
    cdef int64_t middle
    cdef Probe p
    while low < high:
        middle = low + (high - low) // 2
        p = probe(arrays, middle, query, size, min(low_common, high_common))
        if p.damaged:
            damaged[0] = middle
            return low
        if p.order < 0 or (upper and p.order == 0):
            low = middle + 1
            low_common = p.common
        else:
            high = middle
            high_common = p.common
    return low


cdef Found find_range(const Arrays *arrays, const uint8_t *query, uint64_t size,
                      int64_t low, int64_t high) noexcept nogil:
    """Ranks in [low, high) whose suffixes begin with the query: O(log(high - low)) probes."""
    cdef Found found
    cdef uint64_t low_common = 0
    cdef uint64_t high_common = 0
    cdef int64_t middle
    cdef Probe p
    found.damaged = -1
    while low < high:
        middle = low + (high - low) // 2
        p = probe(arrays, middle, query, size, min(low_common, high_common))
        if p.damaged:
            found.damaged = middle
            break
        if p.order < 0:
            low = middle + 1
            low_common = p.common
        elif p.order > 0:
            high = middle
            high_common = p.common
        else:
            found.first = bound(arrays, query, size, low, middle, low_common, size, False, &found.damaged)
            found.last = bound(arrays, query, size, middle + 1, high, size, high_common, True, &found.damaged)
            return found
    found.first = low
    found.last = low
    return found


cdef Found find_query(const Arrays *arrays, const uint8_t *query, uint64_t size) noexcept nogil:
    """Ranks of all suffixes that begin with the query, by the sampled keys where there are any.

    Key number i is that of rank i * key_step. A key less than the query's first 16 bytes bounds the
    range from below, a greater one from above; equal ones decide nothing unless the query ends there.
    """
    cdef Found found
    cdef uint64_t below, upto
    cdef int64_t low, high, step
    if arrays.keys == NULL:
        return find_range(arrays, query, size, 0, <int64_t>arrays.ranks)
    step = <int64_t>arrays.key_step
    below = place_key(arrays, key_of(query, size, 0), False)
    upto = place_key(arrays, key_of(query, size, 0xFF), True)
    low = (<int64_t>below - 1) * step + 1 if below else 0
    high = min(<int64_t>upto * step, <int64_t>arrays.ranks)
    if size > KEY_BYTES or upto <= below + 1:
        return find_range(arrays, query, size, low, high)
    # The keys between are all of the query: only the two ends are still open.
    found.damaged = -1
    found.first = bound(arrays, query, size, low, <int64_t>below * step, 0, 0, False, &found.damaged)
    found.last = bound(arrays, query, size, (<int64_t>upto - 1) * step + 1, high, 0, 0, True, &found.damaged)
    # A suffix that ends with the text inside of its key has zeros there, and can look like the query.
    if found.damaged < 0 and probe(arrays, found.first, query, size, 0).order != 0:
        return find_range(arrays, query, size, low, high)
    return found


cdef uint64_t longest_prefix(const Arrays *arrays, const uint8_t *query, uint64_t size,
                             int64_t *damaged) noexcept nogil:
    """Bytes of the longest prefix of the query that some suffix begins with."""
    cdef int64_t low = 0
    cdef int64_t high = <int64_t>arrays.ranks
    cdef int64_t middle
    cdef uint64_t low_common = 0
    cdef uint64_t high_common = 0
    cdef uint64_t below
    cdef Probe p
    if arrays.keys != NULL:
        # The query's place, and both of its neighbours, lie between two sampled ranks.
        below = place_key(arrays, key_of(query, size, 0), False)
        low = (<int64_t>below - 1) * <int64_t>arrays.key_step if below else 0
        below = place_key(arrays, key_of(query, size, 0xFF), True)
        high = min(high, <int64_t>(below * arrays.key_step) + 1)
    # The last probes below and above the query's place are its neighbours in the order.
    while low < high:
        middle = low + (high - low) // 2
        p = probe(arrays, middle, query, size, min(low_common, high_common))
        if p.damaged:
            damaged[0] = middle
            return 0
        if p.order == 0:
            return size
        if p.order < 0:
            low = middle + 1
            low_common = p.common
        else:
            high = middle
            high_common = p.common
    return max(low_common, high_common)


cdef int64_t token_after(const Arrays *arrays, int64_t rank, uint64_t depth, int64_t *damaged) noexcept nogil:
    """Token `depth` bytes into the suffix of `rank`; -1 where the text ends before it."""
    cdef uint64_t pointer = pointer_at(arrays, <uint64_t>rank)
    cdef uint32_t token = 0
    if not points_to_token(arrays, pointer):
        damaged[0] = rank
        return -1
    pointer += depth
    if pointer + arrays.width > arrays.token_bytes:
        return -1
    memcpy(&token, arrays.tokens + pointer, arrays.width)
    return <int64_t>token


cdef inline void fetch_ahead(const Arrays *arrays, int64_t rank, int64_t last, uint64_t depth) noexcept nogil:
    cdef uint64_t pointer
    if rank < last:
        pointer = pointer_at(arrays, <uint64_t>rank) + depth
        if pointer < arrays.token_bytes:
            fastsa_prefetch(arrays.tokens + pointer)


cdef int64_t run_end(const Arrays *arrays, int64_t first, int64_t last, uint64_t depth, int64_t token,
                     int64_t *damaged) noexcept nogil:
    """One past the last rank of [first, last) followed by `token`: a few steps, then galloping and halving.

    Most runs are short, and their neighbours' text is fetched while they are looked at.
    """
    cdef int64_t step = 1
    cdef int64_t low = first
    cdef int64_t high
    cdef int64_t middle
    while low - first < FEW:
        fetch_ahead(arrays, low + AHEAD, last, depth)
        if low + 1 >= last or token_after(arrays, low + 1, depth, damaged) != token:
            return low + 1
        low += 1
    while low + step < last and token_after(arrays, low + step, depth, damaged) == token:
        low += step
        step *= 2
    high = min(low + step, last)
    low += 1
    while low < high:
        middle = low + (high - low) // 2
        if token_after(arrays, middle, depth, damaged) == token:
            low = middle + 1
        else:
            high = middle
    return low


cdef class Shard:
    """One shard's text and suffix array, held by reference and never written.

    tokens, table: buffers of bytes, as the files hold them.
    token_width: 1, 2 or 4. pointer_width: 1 to 8.
    Raises ValueError where the sizes do not agree with each other.
    """

    def __init__(self, const uint8_t[::1] tokens, const uint8_t[::1] table, int token_width, int pointer_width,
                 str name=""):
        if token_width not in (1, 2, 4):
            raise ValueError(f"token width must be 1, 2 or 4, not {token_width}")
        if not 1 <= pointer_width <= 8:
            raise ValueError(f"pointer width must be 1 to 8, not {pointer_width}")
        if tokens.shape[0] % token_width or table.shape[0] % pointer_width:
            raise ValueError("sizes of text and table must be multiples of their widths")
        if tokens.shape[0] // token_width != table.shape[0] // pointer_width:
            raise ValueError("text and table must have as many entries as each other")
        self.owners = (tokens, table)
        self.name = name
        self.arrays.tokens = &tokens[0] if tokens.shape[0] else NULL
        self.arrays.token_bytes = tokens.shape[0]
        self.arrays.table = &table[0] if table.shape[0] else NULL
        self.arrays.table_bytes = table.shape[0]
        self.arrays.ranks = tokens.shape[0] // token_width
        self.arrays.width = token_width
        self.arrays.pointer_width = pointer_width
        self.arrays.keys = NULL
        self.arrays.top = NULL

    def __dealloc__(self):
        free(self.arrays.top)

    def sample_keys(self, int64_t step, const uint8_t[::1] stop=None):
        """First 16 bytes of every `step`-th suffix, for `use_keys`: uint64 array of two numbers a key.

        Cost: ranks / step reads of table and text.
        """
        cdef int64_t n, i
        cdef int64_t damaged = -1
        cdef bint stopped = False
        cdef uint64_t pointer
        cdef Key key
        if step < 1:
            raise ValueError(f"step must be at least 1, not {step}")
        n = (<int64_t>self.arrays.ranks + step - 1) // step
        result = np.empty(2 * n, dtype=np.uint64)
        cdef uint64_t[::1] out = result
        with nogil:
            for i in range(n):
                if stop is not None and (i & 1023) == 0 and stop[0]:
                    stopped = True
                    break
                fetch_ahead(&self.arrays, (i + AHEAD) * step, <int64_t>self.arrays.ranks, 0)
                pointer = pointer_at(&self.arrays, <uint64_t>(i * step))
                if not points_to_token(&self.arrays, pointer):
                    damaged = i * step
                    break
                key = key_of(self.arrays.tokens + pointer, self.arrays.token_bytes - pointer, 0)
                out[2 * i] = key.high
                out[2 * i + 1] = key.low
        self.check(damaged)
        if stopped:
            raise Stopped
        return result

    def use_keys(self, const uint64_t[::1] keys, int64_t step):
        """Let searches begin with these keys of `sample_keys` (which may be mapped from a file).

        Raises ValueError where their number does not fit. The keys must be those of this table:
        wrong ones give wrong answers, though never a read outside of the text.
        """
        cdef uint64_t count = keys.shape[0] // 2
        cdef uint64_t i
        if step < 1 or keys.shape[0] % 2 or count != (self.arrays.ranks + step - 1) // step:
            raise ValueError("the keys are not those of this table")
        if not count:
            return
        free(self.arrays.top)
        self.arrays.top_count = (count + TOP_STEP - 1) // TOP_STEP
        self.arrays.top = <uint64_t *>malloc(self.arrays.top_count * KEY_BYTES)
        if self.arrays.top == NULL:
            raise MemoryError
        for i in range(self.arrays.top_count):
            self.arrays.top[2 * i] = keys[2 * i * TOP_STEP]
            self.arrays.top[2 * i + 1] = keys[2 * i * TOP_STEP + 1]
        self.owners = (*self.owners[:2], keys)
        self.arrays.key_count = count
        self.arrays.key_step = step
        self.arrays.keys = &keys[0]

    @property
    def token_count(self):
        """Number of tokens, separators included; also the number of ranks."""
        return self.arrays.ranks

    @property
    def token_width(self):
        """Bytes a token."""
        return self.arrays.width

    cdef int check(self, int64_t damaged) except -1:
        if damaged >= 0:
            raise DamagedTable(damaged, self.arrays.pointer_width, self.name)
        return 0

    cdef int check_range(self, int64_t first, int64_t last) except -1:
        if not 0 <= first <= last <= <int64_t>self.arrays.ranks:
            raise IndexError(f"ranks {first} to {last} are outside of 0 to {self.arrays.ranks}")
        return 0

    def find(self, const uint8_t[::1] query, int64_t first=0, int64_t last=-1):
        """Rank range (first, one past last) of the suffixes that begin with the query's bytes.

        `first`, `last`: search inside this range only, for a query that extends the one that gave it.
        Cost: O(len(query) + log(last - first)). An empty query gives the whole range.
        """
        cdef Found found
        if last < 0:
            last = <int64_t>self.arrays.ranks
        self.check_range(first, last)
        if query.shape[0] == 0:
            return first, last
        with nogil:
            if first == 0 and last == <int64_t>self.arrays.ranks:
                found = find_query(&self.arrays, &query[0], query.shape[0])
            else:
                found = find_range(&self.arrays, &query[0], query.shape[0], first, last)
        self.check(found.damaged)
        return found.first, found.last

    def find_many(self, const uint8_t[::1] query, const int64_t[::1] starts, const int64_t[::1] ends,
                  const uint8_t[::1] stop=None):
        """Rank ranges of many n-grams of one text at once: query[starts[i]:ends[i]], in tokens.

        Returns two int64 arrays, first ranks and one past the last ranks.
        """
        cdef Py_ssize_t i
        cdef Py_ssize_t n = starts.shape[0]
        cdef uint64_t width = self.arrays.width
        cdef int64_t damaged = -1
        cdef bint stopped = False
        cdef Found found
        firsts = np.zeros(n, dtype=np.int64)
        lasts = np.zeros(n, dtype=np.int64)
        cdef int64_t[::1] out_first = firsts
        cdef int64_t[::1] out_last = lasts
        cdef int64_t tokens = query.shape[0] // <int64_t>width
        if ends.shape[0] != n:
            raise ValueError("starts and ends must be of one length")
        for i in range(n):
            if not 0 <= starts[i] <= ends[i] <= tokens:
                raise IndexError(f"n-gram {i} lies outside of the query")
        with nogil:
            for i in range(n):
                if stop is not None and stop[0]:
                    stopped = True
                    break
                if starts[i] == ends[i]:
                    out_first[i] = 0
                    out_last[i] = <int64_t>self.arrays.ranks
                    continue
                found = find_query(&self.arrays, &query[starts[i] * width], (ends[i] - starts[i]) * width)
                if found.damaged >= 0:
                    damaged = found.damaged
                    break
                out_first[i] = found.first
                out_last[i] = found.last
        self.check(damaged)
        if stopped:
            raise Stopped
        return firsts, lasts

    def longest_matches(self, const uint8_t[::1] query, const uint8_t[::1] stop=None):
        """For each token of the query: length in tokens of the longest n-gram from there that occurs.

        These are the matching statistics of the query. Cost: O(log ranks) probes a token.
        """
        cdef uint64_t width = self.arrays.width
        cdef Py_ssize_t n = query.shape[0] // <Py_ssize_t>width
        cdef Py_ssize_t i
        cdef int64_t damaged = -1
        cdef bint stopped = False
        lengths = np.zeros(n, dtype=np.int64)
        cdef int64_t[::1] out = lengths
        with nogil:
            for i in range(n):
                if stop is not None and stop[0]:
                    stopped = True
                    break
                out[i] = longest_prefix(&self.arrays, &query[i * width], query.shape[0] - i * width, &damaged) // width
                if damaged >= 0:
                    break
        self.check(damaged)
        if stopped:
            raise Stopped
        return lengths

    def next_tokens(self, int64_t first, int64_t last, int64_t depth, const uint8_t[::1] stop=None):
        """Distinct tokens that follow the first `depth` tokens of the ranks [first, last), with counts.

        Returns (tokens: uint32, counts: int64) in the table's order. An occurrence at the very end
        of the text has no next token and is not counted. Exact whatever the size of the range:
        O(distinct tokens × log(last - first)) probes.
        """
        cdef int64_t damaged = -1
        cdef int64_t rank = first
        cdef int64_t token, end
        cdef Py_ssize_t filled
        cdef Py_ssize_t room = 4096
        cdef uint64_t depth_bytes = <uint64_t>depth * <uint64_t>self.arrays.width
        cdef uint32_t[::1] out_token
        cdef int64_t[::1] out_count
        self.check_range(first, last)
        tokens, counts = [], []
        while rank < last:
            chunk_tokens = np.empty(room, dtype=np.uint32)
            chunk_counts = np.empty(room, dtype=np.int64)
            out_token = chunk_tokens
            out_count = chunk_counts
            filled = 0
            with nogil:
                while rank < last and filled < room and damaged < 0:
                    token = token_after(&self.arrays, rank, depth_bytes, &damaged)
                    end = run_end(&self.arrays, rank, last, depth_bytes, token, &damaged)
                    if token >= 0:
                        out_token[filled] = <uint32_t>token
                        out_count[filled] = end - rank
                        filled += 1
                    rank = end
            self.check(damaged)
            if stop is not None and stop[0]:
                raise Stopped
            tokens.append(chunk_tokens[:filled])
            counts.append(chunk_counts[:filled])
        if not tokens:
            return np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.int64)
        return np.concatenate(tokens), np.concatenate(counts)

    def tokens_after(self, const int64_t[::1] ranks, const int64_t[::1] depths):
        """Token depths[i] tokens into the suffix of ranks[i], as int64; -1 where the text ends before it."""
        cdef Py_ssize_t i
        cdef int64_t damaged = -1
        cdef uint64_t width = self.arrays.width
        result = np.empty(ranks.shape[0], dtype=np.int64)
        cdef int64_t[::1] out = result
        if depths.shape[0] != ranks.shape[0]:
            raise ValueError("ranks and depths must be of one length")
        for i in range(ranks.shape[0]):
            self.check_range(ranks[i], <int64_t>self.arrays.ranks)
            if depths[i] < 0:
                raise IndexError(f"depth {depths[i]} is negative")
        with nogil:
            for i in range(ranks.shape[0]):
                out[i] = -1
                if ranks[i] < <int64_t>self.arrays.ranks:
                    out[i] = token_after(&self.arrays, ranks[i], <uint64_t>depths[i] * width, &damaged)
        self.check(damaged)
        return result

    def positions(self, const int64_t[::1] ranks):
        """Positions in the text, in tokens, of the suffixes of these ranks (int64)."""
        cdef Py_ssize_t i
        cdef int64_t damaged = -1
        cdef uint64_t pointer
        result = np.empty(ranks.shape[0], dtype=np.int64)
        cdef int64_t[::1] out = result
        for i in range(ranks.shape[0]):
            self.check_range(ranks[i], ranks[i])
            if ranks[i] == <int64_t>self.arrays.ranks:
                raise IndexError(f"rank {ranks[i]} is outside of 0 to {self.arrays.ranks}")
        with nogil:
            for i in range(ranks.shape[0]):
                pointer = pointer_at(&self.arrays, <uint64_t>ranks[i])
                if not points_to_token(&self.arrays, pointer):
                    damaged = ranks[i]
                    break
                out[i] = <int64_t>(pointer // self.arrays.width)
        self.check(damaged)
        return result

    def first_disorder(self, int64_t first, int64_t last):
        """First rank of [first, last - 1) whose suffix is not less than the next rank's; -1 if none."""
        cdef int64_t rank
        cdef int64_t wrong = -1
        cdef int64_t damaged = -1
        cdef uint64_t a, b, room, common
        cdef const uint8_t *text = self.arrays.tokens
        self.check_range(first, last)
        with nogil:
            for rank in range(first, last - 1):
                a = pointer_at(&self.arrays, <uint64_t>rank)
                b = pointer_at(&self.arrays, <uint64_t>rank + 1)
                if not points_to_token(&self.arrays, a) or not points_to_token(&self.arrays, b):
                    damaged = rank if not points_to_token(&self.arrays, a) else rank + 1
                    break
                room = self.arrays.token_bytes - max(a, b)
                common = common_prefix(text + a, text + b, 0, room)
                if (common == room and a < b) or a == b or (common < room and text[a + common] > text[b + common]):
                    wrong = rank
                    break
        self.check(damaged)
        return wrong

    def near(self, const int64_t[::1] lows, const int64_t[::1] highs, const uint8_t[::1] needles,
             const int64_t[::1] lengths, const uint8_t[::1] stop=None):
        """Whether any of some n-grams begins in each of the position ranges [lows[i], highs[i]).

        needles: the n-grams' bytes one after the other; lengths: their tokens. An n-gram may reach beyond
        its range, not beyond the text. Cost: the tokens of all ranges times the n-grams.
        """
        cdef Py_ssize_t i, k, start
        cdef int64_t place
        cdef int64_t width = self.arrays.width
        cdef bint stopped = False
        cdef bint hit
        result = np.zeros(lows.shape[0], dtype=np.bool_)
        cdef uint8_t[::1] out = result.view(np.uint8)
        cdef int64_t total = 0
        for k in range(lengths.shape[0]):
            if lengths[k] < 1:
                raise ValueError("an n-gram must have at least one token")
            total += lengths[k] * width
        if total != needles.shape[0] or highs.shape[0] != lows.shape[0]:
            raise ValueError("lengths do not agree with what they measure")
        for i in range(lows.shape[0]):
            if lows[i] < 0 or highs[i] > <int64_t>self.arrays.ranks:
                raise IndexError(f"range {i} lies outside of the text")
        with nogil:
            for i in range(lows.shape[0]):
                if stop is not None and (i & 1023) == 0 and stop[0]:
                    stopped = True
                    break
                start = 0
                hit = False
                for k in range(lengths.shape[0]):
                    for place in range(lows[i], highs[i]):
                        if place + lengths[k] > <int64_t>self.arrays.ranks:
                            break
                        if memcmp(self.arrays.tokens + place * width, &needles[start], lengths[k] * width) == 0:
                            hit = True
                            break
                    if hit:
                        break
                    start += lengths[k] * width
                out[i] = hit
        if stopped:
            raise Stopped
        return result
