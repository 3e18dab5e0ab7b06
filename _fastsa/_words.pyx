# cython: language_level=3
"""Words around many positions of a text as sort keys, and hashes of their contexts.

A token represents some bytes of UTF-8 (`pieces`). A word is a run of letters, digits, underscores and bytes
beyond ASCII, or a run of other visible characters; each character from U+3000 to U+9FFF is a word of its own,
for scripts that are written without spaces. Keys are a word's first 32 bytes, ASCII letters in lower case.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport fastsa_prefetch, fastsa_swap64, give_up

from _fastsa._shard import Stopped

WORD_BYTES = 32

cdef enum:
    KEY = 32            # bytes per key
    ROOM = 512          # maximum number of bytes read for a word
    A_WORD = 64         # and for each word before it, including the spaces before it
    AHEAD = 8           # positions whose text is prefetched


cdef inline int kind(uint8_t byte) noexcept nogil:
    """0: white space, 1: part of a word, 2: other."""
    if byte <= 0x20 or byte == 0x7F:
        return 0
    if byte >= 0x80 or byte == 95 or 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122:
        return 1
    return 2


cdef inline bint alone(const uint8_t *data, int64_t at, int64_t size) noexcept nogil:
    """Whether a character from U+3000 to U+9FFF begins here."""
    return 0xE3 <= data[at] <= 0xE9 and at + 3 <= size


cdef int64_t word_end(const uint8_t *data, int64_t start, int64_t size) noexcept nogil:
    cdef int of = kind(data[start])
    cdef int64_t i = start
    if alone(data, start, size):
        return start + 3
    while i < size and kind(data[i]) == of and not alone(data, i, size):
        i += 1
    return i if i > start else start + 1


cdef int64_t word_start(const uint8_t *data, int64_t end) noexcept nogil:
    cdef int of = kind(data[end - 1])
    cdef int64_t i = end
    if end >= 3 and alone(data, end - 3, end) and data[end - 1] >= 0x80:
        return end - 3
    while i > 0 and kind(data[i - 1]) == of:
        if i < end and i >= 3 and alone(data, i - 3, i) and data[i - 1] >= 0x80:
            break
        i -= 1
    return i


cdef void put_key(uint8_t *out, const uint8_t *data, int64_t start, int64_t end) noexcept nogil:
    cdef int64_t i
    memset(out, 0, KEY)
    for i in range(min(end - start, <int64_t>KEY)):
        out[i] = data[start + i]
        if 65 <= out[i] <= 90:
            out[i] += 32


cdef class Pieces:
    """The bytes of every token of a vocabulary: starts[t] to starts[t + 1] in `data`; an unknown id has none."""

    cdef const uint8_t[::1] data
    cdef const int64_t[::1] starts
    cdef int64_t count

    def __cinit__(self, const uint8_t[::1] data not None, const int64_t[::1] starts not None):
        cdef int64_t i
        self.count = starts.shape[0] - 1
        if self.count < 0:
            raise ValueError("the pieces' bounds make no sense")
        for i in range(self.count):
            if not 0 <= starts[i] <= starts[i + 1] <= data.shape[0]:
                raise ValueError("the pieces' bounds make no sense")
        self.data = data
        self.starts = starts


cdef int64_t gather(Shard shard, Pieces pieces, int64_t first, int64_t limit, int64_t step, bint before,
                    uint8_t *room, int64_t enough, const uint8_t *flag, int64_t *reached) noexcept nogil:
    """Bytes of the tokens from `first` to just before `limit`, in steps of ±1; `before`: each before the last.

    Stops when there are `enough` bytes, or no more fit; `reached`: the first token that was not read.

    Returns the number of bytes; with `before` they fill the buffer from its end. -1 if the flag was set: there can be
    any number of tokens without bytes.
    """
    cdef int64_t filled = 0
    cdef int64_t at = first
    cdef uint64_t done = 0
    cdef int64_t size, k
    cdef int64_t width = shard.array.width
    cdef uint32_t token
    while at != limit and filled < enough:
        done += 1
        if give_up(flag, done):
            return -1
        token = 0
        memcpy(&token, shard.array.tokens + at * width, width)
        k = pieces.starts[token] if token < pieces.count else 0
        size = pieces.starts[token + 1] - k if token < pieces.count else 0
        if filled + size > ROOM:
            break
        at += step
        if size == 0:
            continue
        if before:
            memcpy(room + ROOM - filled - size, &pieces.data[k], size)
        else:
            memcpy(room + filled, &pieces.data[k], size)
        filled += size
    reached[0] = at
    return filled


cdef void nth_after(uint8_t *out, const uint8_t *data, int64_t size, int64_t number) noexcept nogil:
    cdef int64_t i = 0
    cdef int64_t end
    while i < size:
        if kind(data[i]) == 0:
            i += 1
            continue
        end = word_end(data, i, size)
        number -= 1
        if number == 0:
            put_key(out, data, i, end)
            return
        i = end
    memset(out, 0, KEY)


cdef void nth_before(uint8_t *out, const uint8_t *data, int64_t size, int64_t number) noexcept nogil:
    cdef int64_t i = size
    cdef int64_t start
    while i > 0:
        if kind(data[i - 1]) == 0:
            i -= 1
            continue
        start = word_start(data, i)
        number -= 1
        if number == 0:
            put_key(out, data, start, i)
            return
        i = start
    memset(out, 0, KEY)


cdef int64_t size_of(Shard shard, Pieces pieces, int64_t at) noexcept nogil:
    """Bytes of the token at a position."""
    cdef uint32_t token = 0
    memcpy(&token, shard.array.tokens + at * shard.array.width, shard.array.width)
    return pieces.starts[token + 1] - pieces.starts[token] if token < pieces.count else 0


def word_keys(Shard shard not None, Pieces pieces not None, const int64_t[::1] firsts not None,
              const int64_t[::1] limits not None, int step, int number, const uint8_t[::1] stop=None,
              const int64_t[::1] parts=None, const int64_t[::1] rests=None):
    """Key of a word near each position: bytes (n, 32), zeros if there is none.

    firsts: position of the first token to look at; limits: position at which to stop, reached in steps of
    `step` (1 or -1). number: 1, 2 … for the first, second … word in reading order, -1, -2 … for the last,
    the second to last … of text that is read toward its beginning; 0 for the whole text without surrounding spaces.
    parts: if not 0, the number of bytes of the first token that count: its last ones for numbers from 1 on, its first
    ones for those below 0. For number 0, bytes at the beginning that do not count; `rests`: bytes at the end that do
    not, if the text has at most 512 bytes.
    """
    cdef Py_ssize_t i
    cdef int64_t size, a, b, drop
    cdef int64_t reached = 0
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    cdef int64_t wanted = number
    cdef int64_t enough = min(<int64_t>ROOM, A_WORD * (1 + (wanted if wanted >= 0 else -wanted)))
    cdef uint8_t[ROOM] room
    cdef bint cut = parts is not None
    result = np.zeros((firsts.shape[0], WORD_BYTES), dtype=np.uint8)
    cdef uint8_t[:, ::1] out = result
    check_runs(shard, firsts, limits, step)
    if (parts is None) != (rests is None) or (cut and not parts.shape[0] == rests.shape[0] == firsts.shape[0]):
        raise ValueError("parts and rests must be as many as the places")
    with nogil:
        for i in range(firsts.shape[0]):
            if give_up(flag, i):
                stopped = True
                break
            if i + AHEAD < firsts.shape[0]:
                # Lines come in any order, so the text of the next ones is usually not in the cache.
                fastsa_prefetch(shard.array.tokens + firsts[i + AHEAD] * shard.array.width)
            drop = 0
            if cut and parts[i] > 0 and firsts[i] != limits[i]:
                drop = parts[i] if wanted == 0 else max(0, size_of(shard, pieces, firsts[i]) - parts[i])
            size = gather(shard, pieces, firsts[i], limits[i], step, wanted < 0, room,
                          ROOM if cut and wanted == 0 else enough + drop, flag, &reached)
            if size < 0:
                stopped = True
                break
            # Bytes of the first token that do not count, if it was read.
            drop = min(drop, size)
            if wanted > 0:
                nth_after(&out[i, 0], room + drop, size - drop, wanted)
            elif wanted < 0:
                nth_before(&out[i, 0], room + ROOM - size, size - drop, -wanted)
            else:
                a, b = drop, size
                if cut and rests[i] > 0 and reached == limits[i]:
                    b = max(a, size - min(rests[i], size))
                while a < b and kind(room[a]) == 0:
                    a += 1
                while b > a and kind(room[b - 1]) == 0:
                    b -= 1
                put_key(&out[i, 0], room, a, b)
    if stopped:
        raise Stopped
    return result


cdef struct Entry:
    uint64_t[4] key
    int64_t place


cdef int by_key(const void *a, const void *b) noexcept nogil:
    cdef const Entry *x = <const Entry *>a
    cdef const Entry *y = <const Entry *>b
    cdef int i
    for i in range(4):
        if x.key[i] != y.key[i]:
            return 1 if x.key[i] > y.key[i] else -1
    return 0


def key_ranks(const uint8_t[:, ::1] keys not None):
    """Rank of each key (rows of 32 bytes) among the distinct ones, as int64: 0 for the smallest.

    Cost: one sort that cannot be stopped: half a second for two million lines, the maximum.
    """
    cdef int64_t n = keys.shape[0]
    cdef int64_t i, rank
    cdef int k
    cdef uint64_t word
    cdef Entry *entries
    result = np.zeros(n, dtype=np.int64)
    cdef int64_t[::1] out = result
    if keys.shape[1] != KEY:
        raise ValueError(f"keys must have {KEY} bytes")
    entries = <Entry *>malloc(max(n, 1) * sizeof(Entry))
    if entries == NULL:
        raise MemoryError
    with nogil:
        for i in range(n):
            entries[i].place = i
            for k in range(4):
                memcpy(&word, &keys[i, 8 * k], 8)
                # With the first byte as the highest, four comparisons of numbers order all 32 bytes.
                entries[i].key[k] = fastsa_swap64(word)
        # Not a stable sort, which does not matter: equal keys get equal ranks.
        qsort(entries, <size_t>n, sizeof(Entry), by_key)
        rank = 0
        for i in range(n):
            if i and by_key(&entries[i - 1], &entries[i]):
                rank += 1
            out[entries[i].place] = rank
        free(entries)
    return result


def run_hashes(Shard shard not None, const int64_t[::1] firsts not None, const int64_t[::1] lasts not None,
               const int64_t[::1] marks not None, const uint8_t[::1] stop=None):
    """A 64-bit hash of the tokens [firsts[i], lasts[i]) and of marks[i]; equal runs have equal hashes.

    The hash is FNV-1a over tokens (Fowler, Noll, Vo), with a final mix.
    """
    cdef Py_ssize_t i
    cdef int64_t at
    cdef int64_t width = shard.array.width
    cdef uint64_t state
    cdef uint64_t done = 0
    cdef uint32_t token
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    result = np.zeros(firsts.shape[0], dtype=np.uint64)
    cdef uint64_t[::1] out = result
    if marks.shape[0] != firsts.shape[0]:
        raise ValueError("marks must be as many as the runs")
    check_runs(shard, firsts, lasts, 1)
    with nogil:
        for i in range(firsts.shape[0]):
            if stopped or give_up(flag, i):
                stopped = True
                break
            # The offset basis and the prime of FNV-1a with 64 bits.
            state = (<uint64_t>0xCBF29CE484222325 ^ <uint64_t>marks[i]) * <uint64_t>0x100000001B3
            for at in range(firsts[i], lasts[i]):
                done += 1
                if give_up(flag, done):
                    stopped = True
                    break
                token = 0
                memcpy(&token, shard.array.tokens + at * width, width)
                state = (state ^ token) * <uint64_t>0x100000001B3
                state ^= state >> 29
            out[i] = state
    if stopped:
        raise Stopped
    return result


cdef int check_runs(Shard shard, const int64_t[::1] firsts, const int64_t[::1] limits, int step) except -1:
    cdef Py_ssize_t i
    cdef int64_t low, high
    cdef int64_t ranks = <int64_t>shard.array.ranks
    if step != 1 and step != -1:
        raise ValueError(f"step must be 1 or -1, not {step}")
    if limits.shape[0] != firsts.shape[0]:
        raise ValueError("limits must be as many as the places")
    for i in range(firsts.shape[0]):
        # With steps of -1, a run ends one before its first token; nothing is added before the end is known to be near
        # the text.
        low = firsts[i] if step == 1 else limits[i]
        high = limits[i] if step == 1 else firsts[i]
        if low < (0 if step == 1 else -1) or low > high or high > ranks - (0 if step == 1 else 1):
            raise IndexError(f"run {i} lies outside of the text")
    return 0
