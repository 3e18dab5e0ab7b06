# cython: language_level=3
"""Counts, probabilities and next tokens over several shards at once, for single calls from Python.

Ids are any sequence of Python integers, which is packed directly into the shards' bytes.
"""

import numpy as np

from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memcpy

from _fastsa._ids cimport id_of, listed
from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport (
    Found,
    SuffixArray,
    document_ends,
    find_query,
    give_up,
    run_end,
    run_start,
    token_after,
)

from _fastsa._shard import Stopped


cdef enum:
    MANY = 128      # number of pairs from which numpy's vectorized sort pays off
    SPREAD = 8      # runs that are looked at before the longest one is searched for


cdef struct Pair:
    int64_t token
    int64_t count


cdef int by_token(const void *a, const void *b) noexcept nogil:
    cdef int64_t x = (<const Pair *>a).token
    cdef int64_t y = (<const Pair *>b).token
    return (x > y) - (x < y)


cdef int by_count(const void *a, const void *b) noexcept nogil:
    cdef int64_t x = (<const Pair *>a).count
    cdef int64_t y = (<const Pair *>b).count
    if x != y:
        return (x < y) - (x > y)
    return by_token(a, b)


cdef class _Query:
    """Ids as stored bytes, forward and backward, with room for one more token after them.

    forward: token 0 … n-1, then the free place. backward: the free place, then token n-1 … 0.
    """

    cdef uint8_t *forward
    cdef uint8_t *backward
    cdef int64_t length
    cdef int width

    def __cinit__(self, int64_t length, int width):
        self.length = length
        self.width = width
        self.forward = <uint8_t *>malloc((length + 1) * width)
        self.backward = <uint8_t *>malloc((length + 1) * width)
        if self.forward == NULL or self.backward == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.forward)
        free(self.backward)

    cdef inline void put(self, int64_t place, uint32_t token) noexcept:
        store(self.forward, place, self.width, token)

    cdef void reverse(self) noexcept:
        """Fill `backward` from `forward`, including the free place."""
        cdef int64_t i
        for i in range(self.length + 1):
            memcpy(self.backward + (self.length - i) * self.width, self.forward + i * self.width, self.width)


cdef inline void store(uint8_t *buffer, int64_t place, int width, uint32_t token) noexcept nogil:
    if width == 2:
        (<uint16_t *>buffer)[place] = <uint16_t>token
    elif width == 1:
        buffer[place] = <uint8_t>token
    else:
        (<uint32_t *>buffer)[place] = token


cdef class Searcher:
    """Shards that are added, and others that are subtracted; `backward`: which of them are stored reversed.

    All shards must have one token width. Holds the shards; never writes.
    """

    cdef list shards
    cdef list backward
    cdef int added_count
    cdef int shard_count
    cdef int width
    cdef int64_t largest
    cdef bint any_backward

    def __cinit__(self, added, subtracted, backward):
        added = list(added)
        self.shards = [*added, *subtracted]
        self.added_count = len(added)
        self.shard_count = len(self.shards)
        self.backward = [bool(flag) for flag in backward]
        self.any_backward = any(self.backward)
        if len(self.backward) != len(self.shards) or not self.added_count:
            raise ValueError("every shard needs its direction")
        self.width = (<Shard?>self.shards[0]).array.width
        for shard in self.shards:
            if (<Shard?>shard).array.width != self.width:
                raise ValueError("all shards must have one token width")
        self.largest = (<int64_t>1 << (8 * self.width)) - 1

    cdef _Query load(self, object ids):
        """Check and pack ids."""
        cdef _Query query
        cdef int64_t i, value
        cdef int overflow = 0
        cdef object item
        cdef list items = <list>ids if type(ids) is list else listed(ids)
        query = _Query.__new__(_Query, len(items), self.width)
        for i in range(query.length):
            if i >= len(items):
                # The list is the caller's, and an item's own __index__ may have removed items.
                raise ValueError("the ids changed while they were read")
            item = items[i]
            # The fast path for nearly every id; everything else is checked in detail.
            value = PyLong_AsLongLongAndOverflow(item, &overflow) if PyLong_CheckExact(item) else -1
            if value < 0 or value > self.largest:
                value = id_of(item, self.largest)
            store(query.forward, i, self.width, <uint32_t>value)
        # The free place is copied by `reverse` whether or not a token is put there, so it must hold something.
        query.put(query.length, 0)
        if self.any_backward:
            query.reverse()
        return query

    cdef _Query load_with(self, object ids, object token):
        """Check and pack ids and one more token."""
        cdef _Query query = self.load(ids)
        query.put(query.length, <uint32_t>id_of(token, self.largest))
        if self.any_backward:
            query.reverse()
        return query

    cdef int find_suffix(self, int number, _Query query, int64_t taken, bint continued, Found *found) except -1:
        """Ranks in one shard of the last `taken` tokens; `continued`: with the token in the free place."""
        cdef Shard shard = <Shard>self.shards[number]
        cdef int64_t length = taken + continued
        cdef const uint8_t *start
        if not length:
            found.first, found.last, found.damaged = 0, <int64_t>shard.array.ranks, -1
            return 0
        # Both layouts let a suffix of the query be a slice of the same buffer, so nothing is packed again when the
        # suffix is made longer or shorter: forward, it begins later; backward, it begins at the same place and is
        # shorter, since the last token comes first.
        if self.any_backward and self.backward[number]:
            start = query.backward + (0 if continued else self.width)
        else:
            start = query.forward + (query.length - taken) * self.width
        # The interpreter's lock is given up even for a search of microseconds: cold pages make it milliseconds. The
        # query cannot change meanwhile, since nobody else has it, and the shard is held by this object.
        with nogil:
            found[0] = find_query(&shard.array, start, <uint64_t>(length * self.width))
        if found.damaged >= 0:
            shard.check(found.damaged)
        return 0

    cdef int64_t count_suffix(self, _Query query, int64_t taken, bint continued) except -1:
        """Occurrences of the last `taken` tokens in all shards; `continued`: with the token in the free place."""
        # Subtracted shards should be part of the others; if they are not, a count is still not below zero.
        cdef int64_t total = 0
        cdef int number
        cdef Found found
        for number in range(self.added_count):
            self.find_suffix(number, query, taken, continued, &found)
            total += found.last - found.first
        for number in range(self.added_count, self.shard_count):
            self.find_suffix(number, query, taken, continued, &found)
            total -= found.last - found.first
        return total if total > 0 else 0

    def count(self, ids):
        """Occurrences of an n-gram; of the empty one: tokens."""
        cdef _Query query = self.load(ids)
        return self.count_suffix(query, query.length, False)

    def prob(self, context, token):
        """(occurrences of the context, occurrences of the context followed by the token)."""
        cdef _Query query = self.load_with(context, token)
        cdef int64_t before = self.count_suffix(query, query.length, False)
        return before, self.count_suffix(query, query.length, True) if before else 0

    def infgram_prob(self, context, token):
        """(length of the longest suffix of the context that occurs, its count, its count with the token)."""
        cdef _Query query = self.load_with(context, token)
        cdef int64_t taken = self.longest_suffix(query)
        return taken, self.count_suffix(query, taken, False), self.count_suffix(query, taken, True)

    def longest_occurring_suffix(self, context):
        """Length of the longest suffix of the context that occurs."""
        return self.longest_suffix(self.load(context))

    cdef int64_t longest_suffix(self, _Query query) except -1:
        """By doubling and halving: every suffix of an n-gram that occurs also occurs."""
        cdef int64_t known = 0
        cdef int64_t high = 1
        cdef int64_t middle
        while high <= query.length and self.count_suffix(query, high, False):
            known = high
            high *= 2
        high = min(high, query.length + 1)
        while known + 1 < high:
            middle = (known + high) // 2
            if self.count_suffix(query, middle, False):
                known = middle
            else:
                high = middle
        return known

    def next_tokens(self, context, bint backoff, const uint8_t[::1] stop=None):
        """Tokens after a context, or (`backoff`) after its longest suffix that occurs.

        All shards must be stored forward. Returns (tokens of context used, its count, tokens: int64,
        counts: int64), most frequent first, then by id; exact.
        """
        cdef _Query query = self.load(context)
        cdef int64_t taken = self.longest_suffix(query) if backoff else query.length
        cdef int64_t total = 0
        cdef Pair *pairs = NULL
        cdef int64_t used = 0
        cdef int64_t room = 0
        cdef bint several = self.shard_count > 1
        cdef int number, sign
        cdef const uint8_t *flag = flag_of(stop)
        cdef Found found
        if self.any_backward:
            raise ValueError("next tokens of shards that are stored backwards are not contiguous")
        # `pairs` grows by realloc and belongs to this call; every way out leads through `finally`.
        try:
            for number in range(self.shard_count):
                sign = 1 if number < self.added_count else -1
                self.find_suffix(number, query, taken, False, &found)
                total += sign * (found.last - found.first)
                self.gather(<Shard>self.shards[number], found, taken, sign, &pairs, &used, &room, flag)
            with nogil:
                if several:
                    used = merge_pairs(pairs, used)
                if 1 < used <= MANY:
                    qsort(pairs, <size_t>used, sizeof(Pair), by_count)
            tokens = np.empty(used, dtype=np.int64)
            counts = np.empty(used, dtype=np.int64)
            if used > MANY:
                sort_many(pairs, used)
            fill(pairs, used, tokens, counts)
            return taken, total if total > 0 else 0, tokens, counts
        finally:
            free(pairs)

    def levels(self, context, int64_t least, int64_t most, bint selective, const uint8_t[::1] stop=None):
        """The suffixes of a context that a token follows, from the longest down to `least` tokens, at most `most`.

        selective: without those that are followed as often as a longer one. All shards must be stored forward. Returns
        (tokens of the longest suffix that occurs, whether a token follows that one, [(length, occurrences at the end of
        a document, tokens: int64, ascending, counts: int64)]). The separator is the largest id of the shards' width.
        """
        cdef _Query query = self.load(context)
        cdef int64_t longest = self.longest_suffix(query)
        cdef int64_t length = longest
        cdef int64_t ends, followed
        cdef int64_t before = 0
        cdef bint is_followed = False
        cdef const uint8_t *flag = flag_of(stop)
        cdef list found = []
        if self.any_backward:
            raise ValueError("next tokens of shards that are stored backwards are not contiguous")
        while length >= max(least, 0) and len(found) < most:
            if give_up(flag, 0):
                raise Stopped
            self.followed(query, length, &followed, &ends)
            is_followed = is_followed or (length == longest and followed > 0)
            # The empty context is a level of its own, however often the one before it is followed.
            if followed > before or (length == 0 and followed > 0):
                found.append((length, ends if length else 0, *self.by_id(query, length, flag)))
                before = followed if selective else 0
            if length and selective:
                length = max(self.next_level(query, length - 1, before), 0)
            else:
                length -= 1
        return longest, is_followed, found

    cdef int64_t next_level(self, _Query query, int64_t length, int64_t before) except -2:
        """The longest suffix of at most `length` tokens that is followed more than `before` times; -1 if none is."""
        # What follows a suffix follows every shorter one, so lengths can be galloped over and halved.
        cdef int64_t step = 1
        cdef int64_t high = length + 1
        cdef int64_t low = length
        cdef int64_t followed, ends, middle
        while low >= 0:
            self.followed(query, low, &followed, &ends)
            if followed > before:
                break
            high = low
            low = low - step if low > step or low == 0 else 0
            step *= 2
        low = max(low, -1)
        while high - low > 1:
            middle = low + (high - low) // 2
            self.followed(query, middle, &followed, &ends)
            if followed > before:
                low = middle
            else:
                high = middle
        return low

    cdef int followed(self, _Query query, int64_t taken, int64_t *followed, int64_t *ends) except -1:
        """How often a token follows the last `taken` tokens, and how often the end of a document or of a text."""
        cdef Shard shard
        cdef Found found
        cdef int number, sign
        cdef int64_t some
        cdef int64_t damaged = -1
        followed[0] = ends[0] = 0
        for number in range(self.shard_count):
            sign = 1 if number < self.added_count else -1
            shard = <Shard>self.shards[number]
            self.find_suffix(number, query, taken, False, &found)
            with nogil:
                some = document_ends(&shard.array, found.first, found.last, <uint64_t>(taken * self.width),
                                     self.largest, &damaged)
            shard.check(damaged)
            ends[0] += sign * some
            followed[0] += sign * (found.last - found.first - some)
        return 0

    cdef tuple by_id(self, _Query query, int64_t taken, const uint8_t *flag):
        """(tokens, counts) of what follows the last `taken` tokens, without separators, ascending."""
        cdef Pair *pairs = NULL
        cdef int64_t used = 0
        cdef int64_t room = 0
        cdef int number
        cdef Found found
        try:
            for number in range(self.shard_count):
                self.find_suffix(number, query, taken, False, &found)
                self.gather(<Shard>self.shards[number], found, taken, 1 if number < self.added_count else -1,
                            &pairs, &used, &room, flag)
            with nogil:
                used = merge_pairs(pairs, used)
            # The largest id is the last one.
            if used and pairs[used - 1].token == self.largest:
                used -= 1
            tokens = np.empty(used, dtype=np.int64)
            counts = np.empty(used, dtype=np.int64)
            fill(pairs, used, tokens, counts)
            return tokens, counts
        finally:
            free(pairs)

    def greedy(self, context, int64_t most, double least, const uint8_t[::1] stop=None):
        """Follow the longest suffix of a context that occurs, by the most frequent token each time.

        There must be one shard, stored forward. Returns (tokens of the suffix, list of tokens): at most `most` tokens
        and as many as the suffix has, but one at least; they end before the product of their shares is below `least`,
        and where the most frequent one is the separator. Equally frequent tokens: the smallest id.
        """
        cdef _Query query = self.load(context)
        cdef Shard shard = <Shard>self.shards[0]
        cdef const uint8_t *flag = flag_of(stop)
        cdef int64_t match, total
        cdef int64_t damaged = -1
        cdef double product = 1.0
        cdef Found found
        cdef Run best
        cdef list tokens = []
        cdef uint64_t depth
        if self.any_backward or self.shard_count != 1:
            raise ValueError("only one shard that is stored forward can be followed")
        match = self.longest_suffix(query)
        most = min(most, max(match, 1)) if match else 0
        self.find_suffix(0, query, match, False, &found)
        depth = <uint64_t>(match * self.width)
        while len(tokens) < most:
            with nogil:
                total = found.last - found.first
                # Only the suffix that the text ends with has no next token, and it comes first.
                if total and token_after(&shard.array, found.first, depth, &damaged) < 0:
                    found.first += 1
                    total -= 1
                best = longest_run(&shard.array, found.first, found.last, depth, flag, &damaged)
            shard.check(damaged)
            if best.stopped:
                raise Stopped
            if best.token < 0 or best.token == self.largest:
                break
            product *= <double>(best.last - best.first) / <double>total
            if product < least:
                break
            tokens.append(best.token)
            found.first, found.last = best.first, best.last
            depth += <uint64_t>self.width
        return match, tokens

    cdef int gather(self, Shard shard, Found found, int64_t length, int sign, Pair **pairs,
                    int64_t *used, int64_t *room, const uint8_t *flag) except -1:
        """Append one pair for each run of one next token."""
        cdef int64_t damaged = -1
        cdef int64_t rank = found.first
        cdef int64_t last = found.last
        cdef int64_t end, token
        cdef uint64_t depth = <uint64_t>(length * self.width)
        cdef bint stopped = False
        cdef bint full = False
        cdef Pair *larger
        with nogil:
            while rank < last and damaged < 0:
                # One step is one run of a token, which may be galloped over: so the steps are what takes time.
                if give_up(flag, used[0]):
                    stopped = True
                    break
                if used[0] == room[0]:
                    room[0] = 2 * room[0] + 256
                    larger = <Pair *>realloc(pairs[0], <size_t>room[0] * sizeof(Pair))
                    if larger == NULL:
                        full = True
                        break
                    pairs[0] = larger
                token = token_after(&shard.array, rank, depth, &damaged)
                end = run_end(&shard.array, rank, last, depth, token, &damaged)
                if token >= 0:
                    pairs[0][used[0]].token = token
                    pairs[0][used[0]].count = sign * (end - rank)
                    used[0] += 1
                rank = end
        # Errors are raised here, where the interpreter's lock is held again.
        if damaged >= 0:
            shard.check(damaged)
        if stopped:
            raise Stopped
        if full:
            raise MemoryError
        return 0


cdef struct Run:
    int64_t token       # the token of the run; -1: there is none
    int64_t first       # its first rank
    int64_t last        # one past its last rank
    bint stopped


cdef Run longest_run(const SuffixArray *array, int64_t first, int64_t last, uint64_t depth, const uint8_t *flag,
                     int64_t *damaged) noexcept nogil:
    """The most frequent token after the ranks [first, last), of which all have one; of equal ones, the smallest id.

    A run as long as the longest one so far cannot lie between two ranks at that distance. So the walk takes steps of
    that length, and few tokens of many are looked at.
    """
    cdef Run best
    cdef int64_t rank, high, i
    cdef uint64_t step = 0
    best.token, best.first, best.last, best.stopped = -1, first, first, False
    # A few runs spread over the range first, so that the steps are long from the beginning on.
    for i in range(SPREAD if last - first > 4 * SPREAD else 0):
        rank = first + (last - first) // SPREAD * i
        keep_longer(array, first, last, depth, rank, &best, damaged)
        if damaged[0] >= 0:
            return best
    rank = first + max(best.last - best.first, 1) - 1
    while rank < last and damaged[0] < 0:
        if give_up(flag, step):
            best.stopped = True
            break
        step += 1
        high = keep_longer(array, first, last, depth, rank, &best, damaged)
        # The next run begins at `high`: if it is as long as the best one, it has this rank.
        rank = max(high, rank + 1) + max(best.last - best.first, 1) - 1
    return best


cdef int64_t keep_longer(const SuffixArray *array, int64_t first, int64_t last, uint64_t depth, int64_t rank,
                         Run *best, int64_t *damaged) noexcept nogil:
    """Keep the run around a rank if it is longer, or as long and of a smaller id. Returns one past its last rank."""
    cdef int64_t token = token_after(array, rank, depth, damaged)
    cdef int64_t low = run_start(array, first, rank, depth, token, damaged)
    cdef int64_t high = run_end(array, rank, last, depth, token, damaged)
    cdef int64_t more = (high - low) - (best.last - best.first)
    if token >= 0 and damaged[0] < 0 and (more > 0 or (more == 0 and token < best.token)):
        best.token, best.first, best.last = token, low, high
    return high


cdef int64_t merge_pairs(Pair *pairs, int64_t used) noexcept nogil:
    """Add up the pairs of each token; those with a sum of 0 are dropped. Returns how many are left."""
    cdef int64_t kept = 0
    cdef int64_t i = 0
    cdef Pair sum
    qsort(pairs, <size_t>used, sizeof(Pair), by_token)
    while i < used:
        sum = pairs[i]
        i += 1
        while i < used and pairs[i].token == sum.token:
            sum.count += pairs[i].count
            i += 1
        if sum.count > 0:
            pairs[kept] = sum
            kept += 1
    return kept


cdef int sort_many(Pair *pairs, int64_t used) except -1:
    """Sort by count, largest first, then by token; both are packed into one number if they fit."""
    cdef int64_t i
    cdef int64_t most = 0
    for i in range(used):
        most = max(most, pairs[i].count)
    if most >= (<int64_t>1 << 31):
        qsort(pairs, <size_t>used, sizeof(Pair), by_count)
        return 0
    array = np.empty(used, dtype=np.uint64)
    cdef uint64_t[::1] keys = array
    for i in range(used):
        keys[i] = (<uint64_t>(most - pairs[i].count) << 32) | <uint64_t>pairs[i].token
    array.sort()
    for i in range(used):
        pairs[i].count = most - <int64_t>(keys[i] >> 32)
        pairs[i].token = <int64_t>(keys[i] & 0xFFFFFFFFU)
    return 0


cdef void fill(const Pair *pairs, int64_t used, int64_t[::1] tokens, int64_t[::1] counts) noexcept:
    cdef int64_t i
    for i in range(used):
        tokens[i] = pairs[i].token
        counts[i] = pairs[i].count
