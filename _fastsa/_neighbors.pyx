# cython: language_level=3
"""What neighbors share where several shards are one corpus, and when n-grams become frequent as a corpus grows.

The suffixes of several shards are merged with what each shares with the one before it in its own shard, so that no
token is compared that is known to agree: Ng and Kakehi, "Merging String Sequences by Longest Common Prefixes" (2008).
That alone would compare a document of two shards again from each of its tokens on. So what was found of long texts is
kept for the suffixes that begin within them (`_agreed.pxd`).
"""

import numpy as np

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset

from _fastsa._agreed cimport EVERY, PLAIN, Pairs, find_token, keep_length, known_length, place_of
from _fastsa._rows cimport LONGEST
from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport SuffixArray, common_prefix, give_up, pointer_at, points_to_token

from _fastsa._shard import Stopped


cdef enum:
    MOST_LENGTH = 0xFFFF    # as in `LcpPass`
    MOST_ROOM = 0xFF
    MOST_BORDERS = 256


cdef struct Stream:
    const SuffixArray *array
    const uint16_t *lengths
    const uint8_t *rooms
    int64_t ranks
    int64_t rank        # of its next suffix
    uint64_t pointer    # the byte at which that begins
    int64_t shared      # tokens that it shares with the suffix that was delivered last


@cython.final
cdef class SuffixMerge:
    """The suffixes of some shards in the order of one table of all their texts, some at a time.

    lengths, rooms: for each shard, what `LcpPass` wrote. separator: ends what suffixes share.

    Suffixes that are equal up to a separator are neighbors, in the order of the shards. Cost: one look at each shard
    per suffix, and a comparison of the tokens that are not known to agree, of which 200 at most are read a second time:
    O(n log n) tokens for n suffixes, as the sum of irreducible common prefixes is (Kärkkäinen, Manzini, Puglisi 2009).
    Memory: 48 to 96 bytes for each 128 tokens of a text that two shards share.
    """

    cdef tuple shards
    cdef tuple owners           # of the arrays
    cdef Stream *streams
    cdef int64_t count
    cdef int64_t delivered
    cdef int64_t ranks
    cdef uint32_t separator
    cdef bint failed
    cdef Pairs pairs
    cdef bint full              # memory ran out
    cdef int64_t read

    def __cinit__(self, shards not None, lengths not None, rooms not None, int64_t separator):
        cdef Shard shard
        cdef const uint16_t[::1] some_lengths
        cdef const uint8_t[::1] some_rooms
        cdef int64_t i
        self.shards = tuple(shards)
        # Arrays keep what they are made of alive, and as it is.
        self.owners = (tuple(map(np.asarray, lengths)), tuple(map(np.asarray, rooms)))
        self.count = len(self.shards)
        if not self.count or not self.count == len(self.owners[0]) == len(self.owners[1]):
            raise ValueError("every shard needs lengths and rooms")
        self.streams = <Stream *>calloc(self.count, sizeof(Stream))
        if self.streams == NULL:
            raise MemoryError
        for i in range(self.count):
            shard = <Shard?>self.shards[i]
            some_lengths, some_rooms = self.owners[0][i], self.owners[1][i]
            if not some_lengths.shape[0] == some_rooms.shape[0] == <int64_t>shard.array.ranks:
                raise ValueError("every rank needs a length and a room")
            if shard.array.width != (<Shard>self.shards[0]).array.width:
                raise ValueError("all shards must be of one width")
            self.streams[i].array = &shard.array
            self.streams[i].ranks = <int64_t>shard.array.ranks
            self.ranks += self.streams[i].ranks
            if self.streams[i].ranks:
                self.streams[i].lengths, self.streams[i].rooms = &some_lengths[0], &some_rooms[0]
        if not 0 <= separator < <int64_t>1 << (8 * (<Shard>self.shards[0]).array.width):
            raise ValueError(f"{separator} is no token")
        self.separator = <uint32_t>separator

    def __dealloc__(self):
        free(self.streams)
        free(self.pairs.slots)

    @property
    def done(self):
        """The number of suffixes that were delivered."""
        return self.delivered

    @property
    def total(self):
        """The number of all suffixes."""
        return self.ranks

    @property
    def compared(self):
        """The number of tokens that were compared with those of another shard."""
        return self.read

    def take(self, int64_t most, const uint8_t[::1] stop=None):
        """Deliver the next suffixes, at most `most`: (shards, positions, lengths, rooms).

        The number of its shard, int64; its position there in tokens, int64; the tokens that it shares with the suffix
        before it, uint16; and its tokens up to a separator, uint8; the latter two saturate as in `LcpPass`. After
        `Stopped`, what was found is lost: make another merge. Raises DamagedTable for an entry that points to no token.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t damaged = -1
        cdef int64_t i, best
        cdef Stream *stream
        if most < 0:
            raise ValueError(f"most must be at least 0, not {most}")
        if self.failed:
            raise ValueError("this merge was stopped or has failed")
        most = min(most, self.ranks - self.delivered)
        which, places = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
        shared, left = np.empty(most, dtype=np.uint16), np.empty(most, dtype=np.uint8)
        cdef int64_t[::1] out_which = which
        cdef int64_t[::1] out_places = places
        cdef uint16_t[::1] out_lengths = shared
        cdef uint8_t[::1] out_rooms = left
        with nogil:
            best = -1
            if not self.delivered:
                for best in range(self.count):
                    if self.load(best) and damaged < 0:
                        damaged = self.streams[best].rank
                        break
            for i in range(most):
                if damaged >= 0 or self.full:
                    break
                if give_up(flag, i):
                    stopped = True
                    break
                best = self.first()
                stream = &self.streams[best]
                out_which[i] = best
                out_places[i] = <int64_t>(stream.pointer // <uint64_t>stream.array.width)
                out_lengths[i] = <uint16_t>min(stream.shared, <int64_t>MOST_LENGTH)
                out_rooms[i] = stream.rooms[stream.rank]
                stream.rank += 1
                self.delivered += 1
                if self.load(best):
                    damaged = stream.rank
        self.failed = stopped or damaged >= 0 or self.full
        if self.full:
            raise MemoryError
        return (<Shard>self.shards[max(best, 0)]).settled((which, places, shared, left), damaged, stopped)

    cdef bint load(self, int64_t i) noexcept nogil:
        """Read a shard's next suffix; whether its entry is damaged."""
        cdef Stream *stream = &self.streams[i]
        if stream.rank >= stream.ranks:
            return False
        stream.pointer = pointer_at(stream.array, <uint64_t>stream.rank)
        # At the first rank nothing was delivered of this shard, nor, when this is asked, of any other.
        stream.shared = stream.lengths[stream.rank] if stream.rank else 0
        return not points_to_token(stream.array, stream.pointer)

    cdef int64_t first(self) noexcept nogil:
        """The shard whose next suffix comes first; those of the others get what they share with it."""
        cdef int64_t i, common
        cdef int64_t best = -1
        for i in range(self.count):
            if self.streams[i].rank >= self.streams[i].ranks:
                continue
            if best < 0:
                best = i
            elif self.streams[i].shared > self.streams[best].shared:
                # Nearer to the suffix that was delivered last, which comes before both.
                self.overtake(i, best, self.streams[best].shared)
                best = i
            elif self.streams[i].shared == self.streams[best].shared:
                common = self.streams[i].shared
                if self.is_before(i, best, &common):
                    self.overtake(i, best, common)
                    best = i
                else:
                    self.streams[i].shared = common
        return best

    cdef void overtake(self, int64_t i, int64_t best, int64_t common) noexcept nogil:
        """Make a suffix the first of those up to it; it shares `common` with the one that was the first."""
        cdef int64_t other
        for other in range(i):
            self.streams[other].shared = common if other == best else min(self.streams[other].shared, common)

    cdef bint is_before(self, int64_t i, int64_t best, int64_t *common) noexcept nogil:
        """Whether one suffix comes before another that shares at least `common` tokens; and how many they share."""
        cdef const Stream *one = &self.streams[i]
        cdef const Stream *other = &self.streams[best]
        cdef int64_t width = one.array.width
        cdef int64_t left = <int64_t>(one.array.token_bytes - one.pointer) // width
        cdef int64_t right = <int64_t>(other.array.token_bytes - other.pointer) // width
        cdef int64_t reached = self.agreement(i, best, min(common[0], min(left, right)), min(left, right))
        cdef int order = 0
        # No more is told from what neighbors of one shard share: the next comparison finds the rest.
        common[0] = min(reached, <int64_t>MOST_LENGTH)
        if reached == left or reached == right:
            return left < right or (left == right and i < best)
        order = memcmp(one.array.tokens + one.pointer + <uint64_t>(reached * width),
                       other.array.tokens + other.pointer + <uint64_t>(reached * width), width)
        # Two separators are as if the suffixes were equal: what follows is of other documents.
        return order < 0 or (order == 0 and i < best)

    cdef int64_t agreement(self, int64_t i, int64_t best, int64_t at, int64_t most) noexcept nogil:
        """The tokens that two suffixes share up to a separator, `at` of which are known, and at most `most`."""
        cdef int64_t width = self.streams[i].array.width
        cdef int64_t one = <int64_t>self.streams[i].pointer // width
        cdef int64_t other = <int64_t>self.streams[best].pointer // width
        cdef int64_t end = min(most, at + PLAIN)
        cdef int64_t reached = self.equal_up_to(i, best, at, end)
        cdef int64_t known, first, kept
        # To the next kept place from here on; from there, from one to the next.
        first = end + (EVERY - (other + end) % EVERY) % EVERY
        kept = first
        while reached == end < most:
            if end == kept:
                known = known_length(&self.pairs, place_of(i, one + end), place_of(best, other + end))
                if known >= 0:
                    reached = end + known
                    break
                kept += EVERY
            at, end = end, min(most, kept)
            reached = self.equal_up_to(i, best, at, end)
        # Those that were looked up in vain.
        while first < kept and not self.full:
            self.full = not keep_length(
                &self.pairs, place_of(i, one + first), place_of(best, other + first), reached - first)
            first += EVERY
        return reached

    cdef int64_t equal_up_to(self, int64_t i, int64_t best, int64_t at, int64_t end) noexcept nogil:
        """As `agreement`, by reading the tokens in [at, end)."""
        cdef const SuffixArray *array = self.streams[i].array
        cdef uint64_t width = <uint64_t>array.width
        cdef const uint8_t *first = array.tokens + self.streams[i].pointer
        cdef const uint8_t *second = self.streams[best].array.tokens + self.streams[best].pointer
        cdef int64_t reached = <int64_t>(common_prefix(
            first, second, <uint64_t>at * width, <uint64_t>end * width) // width)
        self.read += reached - at
        return find_token(first, at, reached, self.separator, <int64_t>width)


@cython.final
cdef class GrowthWalk:
    """How many n-grams have occurred often enough when a corpus has grown to each of some sizes.

    min_n, max_n: tokens of the n-grams, 1 to 64. least: how often they must have occurred, 1 or more. borders: where
    the sizes end, in tokens of the corpus, ascending, at most 256; each at the end of a document, the last one at the
    end of the corpus.

    Suffixes are fed in the order of the table. Cost: a few steps per suffix, and one per border for each n-gram that
    occurs twice or more.
    """

    cdef int64_t min_n
    cdef int64_t max_n
    cdef int64_t least
    cdef int64_t steps
    cdef const int64_t[::1] borders
    cdef int64_t common             # of the last suffix with the one before it, at most `max_n`
    cdef int64_t size               # tokens of the last suffix up to a separator, at most `max_n`
    cdef int64_t step               # in which the last suffix is
    cdef int64_t[LONGEST] counts    # suffixes of the open group of each n that has two or more
    cdef int64_t[LONGEST][MOST_BORDERS] homes   # how many of them are in each step
    cdef object made
    cdef int64_t[:, ::1] reached

    def __cinit__(self, int64_t min_n, int64_t max_n, int64_t least, const int64_t[::1] borders not None):
        cdef int64_t i
        if not 1 <= min_n <= max_n <= LONGEST:
            raise ValueError(f"n must be 1 to {LONGEST}, not {min_n} to {max_n}")
        if least < 1:
            raise ValueError(f"least must be at least 1, not {least}")
        if not 1 <= borders.shape[0] <= MOST_BORDERS:
            raise ValueError(f"there must be 1 to {MOST_BORDERS} borders, not {borders.shape[0]}")
        for i in range(1, borders.shape[0]):
            if borders[i] < borders[i - 1]:
                raise ValueError("borders must ascend")
        self.min_n, self.max_n, self.least, self.borders = min_n, max_n, least, borders
        self.steps = borders.shape[0]
        self.made = np.zeros((max_n - min_n + 1, self.steps), dtype=np.int64)
        self.reached = self.made

    def feed(self, const int64_t[::1] places not None, const uint16_t[::1] lengths not None,
             const uint8_t[::1] rooms not None, const uint8_t[::1] stop=None):
        """Add the next suffixes: where each begins in the corpus, what it shares with the one before it, and its room.

        Raises Stopped; the walk is worthless then.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t i, size, common
        if not places.shape[0] == lengths.shape[0] == rooms.shape[0]:
            raise ValueError("every suffix needs a place, a length and a room")
        with nogil:
            for i in range(places.shape[0]):
                if give_up(flag, i):
                    stopped = True
                    break
                size = min(<int64_t>rooms[i], self.max_n)
                common = min(<int64_t>lengths[i], min(size, self.size))
                self.meet(common, size, self.step_of(places[i]))
        if stopped:
            raise Stopped

    def ended(self):
        """After the last suffix: at [n - min_n, i], how many n-grams reach the count within border i, int64.

        A copy; it can be asked for once.
        """
        self.meet(0, 0, 0)
        self.size = 0
        return np.cumsum(self.made, axis=1)

    cdef inline int64_t step_of(self, int64_t place) noexcept nogil:
        """The first border after a place; the last one for what is after all of them."""
        cdef int64_t low = 0
        cdef int64_t high = self.steps - 1
        cdef int64_t middle
        while low < high:
            middle = (low + high) // 2
            if place < self.borders[middle]:
                high = middle
            else:
                low = middle + 1
        return low

    cdef inline void meet(self, int64_t common, int64_t size, int64_t step) noexcept nogil:
        """Close the groups of all n greater than `common`, and put the next suffix into those that stay open."""
        cdef int64_t n
        # Those that the last suffix was not alone in.
        for n in range(max(common, self.min_n - 1), self.common):
            self.close(n)
        if self.least == 1:
            for n in range(max(max(common, self.common), self.min_n - 1), self.size):
                self.reached[n - self.min_n + 1, self.step] += 1
        for n in range(self.min_n - 1, common):
            if n >= self.common:
                # The last suffix was the first of its group.
                memset(&self.homes[n][0], 0, self.steps * sizeof(int64_t))
                self.homes[n][self.step] = self.counts[n] = 1
            self.homes[n][step] += 1
            self.counts[n] += 1
        self.common, self.size, self.step = common, size, step

    cdef inline void close(self, int64_t n) noexcept nogil:
        cdef int64_t step = 0
        cdef int64_t so_far
        if self.counts[n] < self.least:
            return
        so_far = self.homes[n][0]
        while so_far < self.least:
            step += 1
            so_far += self.homes[n][step]
        self.reached[n - self.min_n + 1, step] += 1
