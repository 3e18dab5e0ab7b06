# cython: language_level=3
"""One shard: a text of fixed-width tokens and its suffix array.

No function trusts the table: an entry that does not point to a token raises `DamagedTable`. Nor are arguments trusted:
numbers out of range raise IndexError or ValueError before anything is read, and arrays of another type, byte order or
layout raise ValueError.

An argument `stop` is an array of at least one byte; if another thread sets the first byte, the call raises `Stopped`
within a few hundred steps. Arrays must not be changed while a call reads them.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp

from _fastsa._suffixes cimport (
    AHEAD,
    KEY_BYTES,
    TOP_STEP,
    Found,
    Key,
    SuffixArray,
    fetch_ahead,
    find_extended,
    find_query,
    find_range,
    give_up,
    key_of,
    longest_prefix,
    pointer_at,
    points_to_token,
    run_end,
    token_after,
)


class DamagedTable(ValueError):
    """An entry of the suffix array points outside of the text, or into the middle of a token.

    Attributes: `rank`, the entry's number, `byte_offset`, its offset in the table, and `name`,
    that of the shard.
    """

    def __init__(self, rank, pointer_width, name=""):
        self.name = name
        self.rank = int(rank)
        self.byte_offset = int(rank) * int(pointer_width)
        super().__init__(f"suffix array entry {self.rank} points to no token")


class Stopped(Exception):
    """A long engine call was stopped by its stop flag."""


cdef const uint8_t *flag_of(const uint8_t[::1] stop) except? NULL:
    """The flag's address; NULL if there is none."""
    if stop is None:
        return NULL
    if not stop.shape[0]:
        raise ValueError("a stop flag must have a byte")
    return &stop[0]


cdef class Shard:
    """One shard's text and suffix array, held by reference and never written.

    tokens, table: the contents of the files, as buffers of bytes.
    token_width: 1, 2 or 4. pointer_width: 1 to 8.
    Raises ValueError if the sizes do not match.
    """

    def __cinit__(self, const uint8_t[::1] tokens not None, const uint8_t[::1] table not None, int token_width,
                  int pointer_width, str name not None=""):
        if token_width not in (1, 2, 4):
            raise ValueError(f"token width must be 1, 2 or 4, not {token_width}")
        if not 1 <= pointer_width <= 8:
            raise ValueError(f"pointer width must be 1 to 8, not {pointer_width}")
        if tokens.shape[0] % token_width or table.shape[0] % pointer_width:
            raise ValueError("sizes of text and table must be multiples of their widths")
        if tokens.shape[0] // token_width != table.shape[0] // pointer_width:
            raise ValueError("text and table must have as many entries as each other")
        # The addresses below point into these buffers, so they must exist as long as the shard, mapped files included.
        self.owners = (tokens, table)
        self.name = name
        self.array.tokens = &tokens[0] if tokens.shape[0] else NULL
        self.array.token_bytes = tokens.shape[0]
        self.array.table = &table[0] if table.shape[0] else NULL
        self.array.table_bytes = table.shape[0]
        self.array.ranks = tokens.shape[0] // token_width
        self.array.width = token_width
        self.array.pointer_width = pointer_width
        self.array.keys = NULL
        self.array.top = NULL

    def __dealloc__(self):
        free(self.array.top)

    def sample_keys(self, int64_t step, const uint8_t[::1] stop=None):
        """First 16 bytes of every `step`-th suffix, for `use_keys`: uint64 array of two numbers per key.

        Cost: ranks / step reads of table and text.
        """
        cdef int64_t n, i
        cdef int64_t damaged = -1
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef uint64_t pointer
        cdef Key key
        step = self.check_step(step)
        # Here, as in every call below, nothing is raised while the interpreter's lock is given up: what went wrong is
        # noted, the loop ends, and `settled` raises it.
        n = (<int64_t>self.array.ranks + step - 1) // step
        result = np.empty(2 * n, dtype=np.uint64)
        cdef uint64_t[::1] out = result
        with nogil:
            for i in range(n):
                if give_up(flag, i):
                    stopped = True
                    break
                fetch_ahead(&self.array, (i + AHEAD) * step, <int64_t>self.array.ranks, 0)
                pointer = pointer_at(&self.array, <uint64_t>(i * step))
                if not points_to_token(&self.array, pointer):
                    damaged = i * step
                    break
                key = key_of(self.array.tokens + pointer, self.array.token_bytes - pointer, 0)
                out[2 * i] = key.high
                out[2 * i + 1] = key.low
        return self.settled(result, damaged, stopped)

    def use_keys(self, const uint64_t[::1] keys not None, int64_t step):
        """Start searches with these keys from `sample_keys` (which may be mapped from a file).

        Raises ValueError if their number does not fit. The keys must be those of this table: wrong keys give wrong
        answers, but never a read outside the text. No other thread may search during the call.
        """
        cdef uint64_t count = keys.shape[0] // 2
        cdef uint64_t i
        step = self.check_step(step)
        if keys.shape[0] % 2 or count != (self.array.ranks + step - 1) // step:
            raise ValueError("the keys are not those of this table")
        if not count:
            return
        self.array.keys = NULL
        free(self.array.top)
        # Without `keys`, searches do not look at the rest: the shard stays usable if memory runs out here.
        self.array.top_count = (count + TOP_STEP - 1) // TOP_STEP
        self.array.top = <uint64_t *>malloc(self.array.top_count * KEY_BYTES)
        if self.array.top == NULL:
            raise MemoryError
        for i in range(self.array.top_count):
            self.array.top[2 * i] = keys[2 * i * TOP_STEP]
            self.array.top[2 * i + 1] = keys[2 * i * TOP_STEP + 1]
        self.owners = (*self.owners[:2], keys)
        self.array.key_count = count
        self.array.key_step = step
        # Last, since from here on searches use all of them together.
        self.array.keys = &keys[0]

    @property
    def token_count(self):
        """Number of tokens, separators included; also the number of ranks."""
        return self.array.ranks

    @property
    def token_width(self):
        """Bytes per token."""
        return self.array.width

    cdef int check(self, int64_t damaged) except -1:
        if damaged >= 0:
            raise DamagedTable(damaged, self.array.pointer_width, self.name)
        return 0

    cdef int check_range(self, int64_t first, int64_t last) except -1:
        if not 0 <= first <= last <= <int64_t>self.array.ranks:
            raise IndexError(f"ranks {first} to {last} are outside of 0 to {self.array.ranks}")
        return 0

    cdef int64_t check_step(self, int64_t step) except -1:
        """The step, limited to a value that skips everything, so that its multiples fit into 64 bits."""
        if step < 1:
            raise ValueError(f"step must be at least 1, not {step}")
        return min(step, max(<int64_t>self.array.ranks, 1))

    cdef int64_t check_query(self, const uint8_t[::1] query) except -1:
        """Number of tokens of a query."""
        if query.shape[0] % self.array.width:
            raise ValueError("a query must be whole tokens")
        return query.shape[0] // self.array.width

    cdef object settled(self, object result, int64_t damaged, bint stopped):
        """The result, unless the call met a damaged entry or was stopped."""
        self.check(damaged)
        if stopped:
            raise Stopped
        return result

    def find(self, const uint8_t[::1] query not None, int64_t first=0, int64_t last=-1):
        """Rank range (first, one past last) of the suffixes that begin with the query's bytes.

        `first`, `last`: search only inside this range, for a query that extends the one that gave it; -1: to
        the last rank. Cost: O(len(query) + log(last - first)). An empty query gives the whole range.
        """
        cdef Found found
        if last == -1:
            last = <int64_t>self.array.ranks
        self.check_range(first, last)
        if self.check_query(query) == 0:
            return first, last
        with nogil:
            if first == 0 and last == <int64_t>self.array.ranks:
                found = find_query(&self.array, &query[0], query.shape[0])
            else:
                found = find_range(&self.array, &query[0], query.shape[0], first, last)
        self.check(found.damaged)
        return found.first, found.last

    def find_many(self, const uint8_t[::1] query not None, const int64_t[::1] starts not None,
                  const int64_t[::1] ends not None, const uint8_t[::1] stop=None):
        """Rank ranges of many n-grams of one text at once: query[starts[i]:ends[i]], in tokens.

        Returns two int64 arrays, first ranks and one past the last ranks. An n-gram that extends the previous one is
        searched for in that one's range, comparing only the additional tokens.
        """
        cdef Py_ssize_t i
        cdef Py_ssize_t n = starts.shape[0]
        cdef uint64_t width = self.array.width
        cdef int64_t tokens = self.check_query(query)
        cdef int64_t start, end
        cdef Py_ssize_t outside = -1
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef Found found
        if ends.shape[0] != n:
            raise ValueError("starts and ends must be of one length")
        firsts = np.zeros(n, dtype=np.int64)
        lasts = np.zeros(n, dtype=np.int64)
        cdef int64_t[::1] out_first = firsts
        cdef int64_t[::1] out_last = lasts
        found.damaged = -1
        with nogil:
            for i in range(n):
                if give_up(flag, i):
                    stopped = True
                    break
                start, end = starts[i], ends[i]
                if not 0 <= start <= end <= tokens:
                    outside = i
                    break
                if start == end:
                    out_first[i] = 0
                    out_last[i] = <int64_t>self.array.ranks
                    continue
                # The same beginning, and at least as long: its occurrences are among those of the previous one.
                if i and start == starts[i - 1] < ends[i - 1] <= end:
                    found = find_extended(&self.array, &query[start * width], (end - start) * width,
                                          out_first[i - 1], out_last[i - 1], (ends[i - 1] - start) * width)
                else:
                    found = find_query(&self.array, &query[start * width], (end - start) * width)
                if found.damaged >= 0:
                    break
                out_first[i] = found.first
                out_last[i] = found.last
        if outside >= 0:
            raise IndexError(f"n-gram {outside} lies outside of the query")
        return self.settled((firsts, lasts), found.damaged, stopped)

    def longest_matches(self, const uint8_t[::1] query not None, const uint8_t[::1] stop=None):
        """For each token of the query: length in tokens of the longest n-gram from there that occurs.

        These are the matching statistics of the query. Cost: O(log ranks) probes per token.
        """
        cdef uint64_t width = self.array.width
        cdef Py_ssize_t n = self.check_query(query)
        cdef Py_ssize_t i
        cdef int64_t damaged = -1
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        lengths = np.zeros(n, dtype=np.int64)
        cdef int64_t[::1] out = lengths
        with nogil:
            for i in range(n):
                # A step may compare a whole text, so the flag is checked every time.
                if give_up(flag, 0):
                    stopped = True
                    break
                out[i] = longest_prefix(&self.array, &query[i * width], query.shape[0] - i * width, &damaged) // width
                if damaged >= 0:
                    break
        return self.settled(lengths, damaged, stopped)

    def next_tokens(self, int64_t first, int64_t last, int64_t depth, const uint8_t[::1] stop=None):
        """Distinct tokens that follow the first `depth` tokens of the ranks [first, last), with counts.

        Returns (tokens: uint32, counts: int64) in the table's order. An occurrence at the very end
        of the text has no next token and is not counted. Exact for a range of any size:
        O(distinct tokens × log(last - first)) probes. Raises IndexError for a negative depth.
        """
        cdef int64_t damaged = -1
        cdef int64_t rank = first
        cdef int64_t token, end
        cdef Py_ssize_t filled
        cdef Py_ssize_t room = 4096
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef uint64_t depth_bytes = self.depth_bytes(depth)
        cdef uint32_t[::1] out_token
        cdef int64_t[::1] out_count
        self.check_range(first, last)
        tokens, counts = [np.empty(0, dtype=np.uint32)], [np.empty(0, dtype=np.int64)]
        while rank < last:
            # How many tokens there will be is not known, and arrays are made with the lock: so they come in chunks.
            chunk_tokens = np.empty(room, dtype=np.uint32)
            chunk_counts = np.empty(room, dtype=np.int64)
            out_token = chunk_tokens
            out_count = chunk_counts
            filled = 0
            with nogil:
                while rank < last and filled < room and damaged < 0:
                    if give_up(flag, filled):
                        stopped = True
                        break
                    token = token_after(&self.array, rank, depth_bytes, &damaged)
                    end = run_end(&self.array, rank, last, depth_bytes, token, &damaged)
                    if token >= 0:
                        out_token[filled] = <uint32_t>token
                        out_count[filled] = end - rank
                        filled += 1
                    rank = end
            self.settled(None, damaged, stopped)
            tokens.append(chunk_tokens[:filled])
            counts.append(chunk_counts[:filled])
        return np.concatenate(tokens), np.concatenate(counts)

    cdef int64_t depth_bytes(self, int64_t depth) except -1:
        """A number of tokens as bytes, limited to the size of the text."""
        if depth < 0:
            raise IndexError(f"depth {depth} is negative")
        return min(depth, <int64_t>self.array.ranks) * self.array.width

    def tokens_after(self, const int64_t[::1] ranks not None, const int64_t[::1] depths not None,
                     const uint8_t[::1] stop=None):
        """Token depths[i] tokens into the suffix of ranks[i], as int64; -1 if the text ends before it.

        A rank may be one past the last; it has no suffix.
        """
        cdef Py_ssize_t i
        cdef int64_t damaged = -1
        cdef int64_t count = <int64_t>self.array.ranks
        cdef int64_t rank, depth
        cdef Py_ssize_t outside = -1
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        if depths.shape[0] != ranks.shape[0]:
            raise ValueError("ranks and depths must be of one length")
        result = np.empty(ranks.shape[0], dtype=np.int64)
        cdef int64_t[::1] out = result
        with nogil:
            for i in range(ranks.shape[0]):
                if give_up(flag, i):
                    stopped = True
                    break
                rank, depth = ranks[i], depths[i]
                if not 0 <= rank <= count or depth < 0:
                    outside = i
                    break
                out[i] = -1
                # Compared before it is multiplied: a depth beyond the text could overflow as a number of bytes.
                if rank < count and depth < count:
                    out[i] = token_after(&self.array, rank, <uint64_t>depth * self.array.width, &damaged)
                if damaged >= 0:
                    break
        if outside >= 0:
            self.check_range(ranks[outside], count)
            self.depth_bytes(depths[outside])
        return self.settled(result, damaged, stopped)

    def positions(self, const int64_t[::1] ranks not None, const uint8_t[::1] stop=None):
        """Positions in the text, in tokens, of the suffixes of these ranks (int64)."""
        cdef Py_ssize_t i
        cdef int64_t damaged = -1
        cdef int64_t rank
        cdef Py_ssize_t outside = -1
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef uint64_t pointer
        result = np.empty(ranks.shape[0], dtype=np.int64)
        cdef int64_t[::1] out = result
        with nogil:
            for i in range(ranks.shape[0]):
                if give_up(flag, i):
                    stopped = True
                    break
                rank = ranks[i]
                if not 0 <= rank < <int64_t>self.array.ranks:
                    outside = i
                    break
                pointer = pointer_at(&self.array, <uint64_t>rank)
                if not points_to_token(&self.array, pointer):
                    damaged = rank
                    break
                out[i] = <int64_t>(pointer // self.array.width)
        if outside >= 0:
            raise IndexError(f"rank {ranks[outside]} is outside of 0 to {self.array.ranks}")
        return self.settled(result, damaged, stopped)

    def near(self, const int64_t[::1] lows not None, const int64_t[::1] highs not None,
             const uint8_t[::1] needles not None, const int64_t[::1] lengths not None, const uint8_t[::1] stop=None):
        """Whether any of some n-grams begins in each of the position ranges [lows[i], highs[i]).

        needles: the n-grams' bytes one after the other; lengths: their tokens. An n-gram may reach beyond
        its range, not beyond the text. Cost: the tokens of all ranges times the n-grams.
        """
        cdef Py_ssize_t i
        cdef int64_t count = <int64_t>self.array.ranks
        cdef Py_ssize_t outside = -1
        cdef int hit = 0
        cdef const uint8_t *flag = flag_of(stop)
        self.check_needles(needles, lengths)
        if highs.shape[0] != lows.shape[0]:
            raise ValueError("lengths do not agree with what they measure")
        result = np.zeros(lows.shape[0], dtype=np.bool_)
        cdef uint8_t[::1] out = result.view(np.uint8)
        with nogil:
            for i in range(lows.shape[0]):
                if give_up(flag, i):
                    hit = STOP_SEEN
                    break
                if lows[i] < 0 or highs[i] > count:
                    outside = i
                    break
                hit = any_within(&self.array, lows[i], highs[i], needles, lengths, flag)
                if hit == STOP_SEEN:
                    break
                out[i] = hit
        if outside >= 0:
            raise IndexError(f"range {outside} lies outside of the text")
        return self.settled(result, -1, hit == STOP_SEEN)

    cdef int check_needles(self, const uint8_t[::1] needles, const int64_t[::1] lengths) except -1:
        """N-grams of at least one token whose lengths add up to the number of bytes."""
        cdef Py_ssize_t k
        cdef int64_t left = self.check_query(needles)
        for k in range(lengths.shape[0]):
            if lengths[k] < 1:
                raise ValueError("an n-gram must have at least one token")
            if lengths[k] > left:
                raise ValueError("lengths do not agree with what they measure")
            left -= lengths[k]
        if left:
            raise ValueError("lengths do not agree with what they measure")
        return 0


cdef enum:
    STOP_SEEN = -1


cdef int any_within(const SuffixArray *array, int64_t low, int64_t high, const uint8_t[::1] needles,
                    const int64_t[::1] lengths, const uint8_t *flag) noexcept nogil:
    """Whether one of the n-grams begins in [low, high); STOP_SEEN if the flag was set."""
    cdef Py_ssize_t k
    cdef int64_t place
    cdef int64_t width = array.width
    cdef int64_t start = 0
    for k in range(lengths.shape[0]):
        for place in range(low, min(high, <int64_t>array.ranks - lengths[k] + 1)):
            # Step 0 always looks at the flag. Counting from 1 spares most short ranges that look.
            if give_up(flag, <uint64_t>(place - low) + 1):
                return STOP_SEEN
            if memcmp(array.tokens + place * width, &needles[start], lengths[k] * width) == 0:
                return 1
        start += lengths[k] * width
    return 0
