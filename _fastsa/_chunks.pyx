# cython: language_level=3
"""Texts cut where a tokenizer always cuts them, and a table of what it made of each piece.

A chunk begins where white space follows something else, or a mark follows a letter or digit of ASCII; each is looked up
as its bytes. The table knows nothing of tokenizers: who asks tells which bytes may begin a chunk, and what the ids of
new chunks are. One thread may change the table while no other one reads it; `cut` only reads.
"""

import numpy as np

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define chunks_prefetch(p) __builtin_prefetch(p)
    #else
    #define chunks_prefetch(p) ((void)(p))
    #endif
    """
    void chunks_prefetch(const void *p) noexcept nogil


cdef enum:
    MOST_BYTES = 31         # of a chunk that is kept
    TOGETHER = 32           # chunks that are looked up at a time
    WORDS = 4               # of 64 bits, that hold these bytes, their number and the kind of the chunk

BEGINS_TEXT, ENDS_TEXT, BEGINS_IN_WORD = 1, 2, 4
"""Kinds of a chunk, which may be combined: it begins a text; it ends a text, in white space; it begins with a mark."""


cdef uint32_t FRESH = <uint32_t>0xFFFFFFFF     # in place of the first id: the chunk has none yet


cdef struct Entry:
    uint64_t key[WORDS]
    uint32_t first          # of its ids
    uint32_t count


cdef struct Pending:
    # Chunks that are looked up together, so that the processor waits for their places in memory at once.
    int64_t count
    int64_t numbers[TOGETHER]
    uint64_t tags[TOGETHER]
    uint64_t keys[TOGETHER][WORDS]


cdef inline int64_t entry_of(uint64_t slot) noexcept nogil:
    return <int64_t><uint32_t>slot - 1


cdef inline uint64_t mixed(const uint64_t *key) noexcept nogil:
    cdef uint64_t found = 0
    cdef int i
    for i in range(WORDS):
        found = (found ^ key[i]) * <uint64_t>0x9E3779B97F4A7C15
        found ^= found >> 29
    return found * <uint64_t>0xBF58476D1CE4E5B9


cdef inline bint is_blank(const uint8_t *text, int64_t first, int64_t at) noexcept nogil:
    """Whether the character that ends before `at` may be white space for some tokenizer, or is written in its place."""
    cdef uint8_t byte = text[at - 1]
    cdef int64_t start = at - 1
    cdef uint32_t point
    if byte < 0x80:
        return byte <= 0x20 or byte == 0x7F
    while start > first and at - start < 4 and text[start] & 0xC0 == 0x80:
        start -= 1
    byte = text[start]
    if byte < 0xE0:
        point = (byte & 0x1F) << 6 | (text[at - 1] & 0x3F)
        return point <= 0xA0
    if byte >= 0xF0 or at - start != 3:
        return False
    point = (byte & 0x0F) << 12 | (text[start + 1] & 0x3F) << 6 | (text[start + 2] & 0x3F)
    return (
        point == 0x1680 or point == 0x180E or 0x2000 <= point <= 0x206F or point == 0x2581 or point == 0x3000
        or point == 0xFEFF
    )


cdef class Cut:
    """Chunks of some texts: made by `ChunkTable.cut`.

    Attributes
    ----------
    ends
        Where each chunk ends in the bytes, int64.
    entries
        The entry of each in the table, int64; of one that is not kept, -1 minus its kind.
    firsts
        The first chunk of each text, and one past the last chunk, int64.
    """

    cdef readonly object ends
    cdef readonly object entries
    cdef readonly object firsts
    cdef readonly int64_t start

    def __cinit__(self, ends, entries, firsts, int64_t start):
        self.ends, self.entries, self.firsts, self.start = ends, entries, firsts, start

    cdef int check(self, int64_t size) except -1:
        """Refuse what is not a cut of a text of as many bytes (-1: of any). Whoever has a cut may change its arrays."""
        cdef const int64_t[::1] ends = self.ends
        cdef const int64_t[::1] entries = self.entries
        cdef const int64_t[::1] firsts = self.firsts
        cdef int64_t count = ends.shape[0]
        cdef int64_t before = self.start
        cdef int64_t i
        cdef bint right = self.start >= 0 and entries.shape[0] == count and firsts.shape[0] > 0
        right = right and firsts[0] == 0 and firsts[firsts.shape[0] - 1] == count
        for i in range(count):
            right = right and ends[i] >= before and entries[i] >= -8
            before = ends[i]
        for i in range(1, firsts.shape[0]):
            right = right and firsts[i - 1] <= firsts[i]
        if not right or 0 <= size < before:
            raise ValueError("the cut is of another text")
        return 0

    def bytes_of(self, bytes text not None, const int64_t[::1] numbers):
        """Give the bytes of some chunks, one after the other.

        Parameters
        ----------
        text
            The text of the cut.
        numbers
            Numbers of chunks.

        Returns
        -------
        tuple
            The bytes, and where those of each chunk begin, and one past the last, int64.
        """
        self.check(len(text))
        cdef const int64_t[::1] ends = self.ends
        cdef const uint8_t *data = <const uint8_t *>PyBytes_AsString(text)
        bounds = np.zeros(numbers.shape[0] + 1, dtype=np.int64)
        cdef int64_t[::1] bounds_view = bounds
        cdef int64_t i
        cdef int64_t start
        for i in range(numbers.shape[0]):
            if not 0 <= numbers[i] < ends.shape[0]:
                raise ValueError("there is no such chunk")
            start = ends[numbers[i] - 1] if numbers[i] else self.start
            bounds_view[i + 1] = bounds_view[i] + ends[numbers[i]] - start
        cdef bytes found = PyBytes_FromStringAndSize(NULL, bounds_view[numbers.shape[0]])
        cdef char *target = PyBytes_AsString(found)
        for i in range(numbers.shape[0]):
            start = ends[numbers[i] - 1] if numbers[i] else self.start
            memcpy(target + bounds_view[i], data + start, bounds_view[i + 1] - bounds_view[i])
        return found, bounds


cdef class ChunkTable:
    """The ids of chunks that occurred before.

    Parameters
    ----------
    starters
        128 bytes: 1 for each byte of white space with which a chunk may begin, 2 for each mark.
    room
        The most chunks to keep.
    """

    cdef Entry *entries
    cdef uint64_t *slots     # the high half of the hash, and the number of the entry + 1
    cdef uint32_t *ids
    cdef int64_t room, count, entries_room, ids_count, ids_room
    cdef uint64_t mask
    cdef uint8_t starters[128]

    def __cinit__(self, const uint8_t[::1] starters, int64_t room):
        cdef int64_t i
        if starters.shape[0] != 128 or not 0 < room < 1 << 30:
            raise ValueError("there are 128 bytes, and room for a number of chunks")
        for i in range(128):
            self.starters[i] = starters[i]
        self.room = room
        self.mask = 1
        while self.mask < <uint64_t>(2 * room):
            self.mask *= 2
        self.slots = <uint64_t *>calloc(self.mask, sizeof(uint64_t))
        if self.slots == NULL:
            raise MemoryError
        self.mask -= 1

    def __dealloc__(self):
        free(self.entries)
        free(self.slots)
        free(self.ids)

    def __len__(self):
        return self.count

    @property
    def is_full(self):
        """Whether no further chunk is kept."""
        return self.count >= self.room

    def forget(self):
        """Forget all chunks; entries of earlier cuts mean nothing then."""
        memset(self.slots, 0, (self.mask + 1) * sizeof(uint64_t))
        self.count = self.ids_count = 0

    def cut(self, bytes text not None, const int64_t[::1] bounds, int64_t first, int64_t last):
        """Cut some texts into chunks, and look each of them up. Changes nothing; other threads may do the same.

        Parameters
        ----------
        text
            The UTF-8 of all texts.
        bounds
            Where each text begins, and one past the end of the last.
        first, last
            The texts: those of `bounds[first:last + 1]`.

        Returns
        -------
        Cut
            Their chunks; a text without a byte has none.
        """
        cdef int64_t i
        if not 0 <= first <= last < bounds.shape[0] or bounds[last] > len(text) or bounds[first] < 0:
            raise ValueError("these are not places of texts")
        for i in range(first, last):
            if bounds[i] > bounds[i + 1]:
                raise ValueError("a text ends before it begins")
        cdef int64_t size = bounds[last] - bounds[first]
        # Of three bytes in a row, one begins no chunk: what follows the white space after a mark.
        most = size - size // 3 + last - first + 1
        ends, entries = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
        firsts = np.empty(last - first + 1, dtype=np.int64)
        cdef int64_t[::1] ends_view = ends
        cdef int64_t[::1] entries_view = entries
        cdef int64_t[::1] firsts_view = firsts
        cdef const uint8_t *data = <const uint8_t *>PyBytes_AsString(text)
        cdef int64_t count = 0
        cdef Pending pending
        pending.count = 0
        with nogil:
            for i in range(first, last):
                firsts_view[i - first] = count
                count = self.cut_one(data, bounds[i], bounds[i + 1], count, &ends_view[0], &entries_view[0], &pending)
            self.look_up(&pending, &entries_view[0])
            firsts_view[last - first] = count
        return Cut(ends[:count], entries[:count], firsts, bounds[first])

    cdef int64_t cut_one(
        self, const uint8_t *text, int64_t begin, int64_t end, int64_t count, int64_t *ends, int64_t *entries,
        Pending *pending
    ) noexcept nogil:
        cdef int64_t start = begin
        cdef int64_t at = begin
        cdef int kind = 1
        while start < end:
            at = start + 1
            while at < end and not self.may_start(text, begin, at):
                at += 1
            if at == end and is_blank(text, begin, end):
                kind |= 2
            ends[count] = at
            # Until it is found.
            entries[count] = -1 - kind
            if at - start <= MOST_BYTES:
                if pending.count == TOGETHER:
                    self.look_up(pending, entries)
                self.put(pending, count, text, start, at, kind)
            count += 1
            start = at
            kind = 4 if at < end and self.starters[text[at]] == 2 else 0
        return count

    cdef inline bint may_start(self, const uint8_t *text, int64_t begin, int64_t at) noexcept nogil:
        cdef uint8_t byte = text[at]
        cdef uint8_t before = text[at - 1]
        if byte >= 0x80 or not self.starters[byte]:
            return False
        if self.starters[byte] == 1:
            return not is_blank(text, begin, at)
        return 0x30 <= before <= 0x39 or 0x61 <= before | 0x20 <= 0x7A

    cdef inline void put(
        self, Pending *pending, int64_t number, const uint8_t *text, int64_t start, int64_t end, int kind
    ) noexcept nogil:
        cdef uint64_t *key = pending.keys[pending.count]
        key_of(text, start, end, kind, key)
        pending.tags[pending.count] = mixed(key)
        pending.numbers[pending.count] = number
        chunks_prefetch(self.slots + (pending.tags[pending.count] & self.mask))
        pending.count += 1

    cdef void look_up(self, Pending *pending, int64_t *entries) noexcept nogil:
        cdef int64_t i
        cdef uint64_t slot
        for i in range(pending.count):
            slot = self.slots[pending.tags[i] & self.mask]
            if slot:
                chunks_prefetch(self.entries + entry_of(slot))
        for i in range(pending.count):
            slot = self.slots[self.place_of(pending.keys[i], pending.tags[i])]
            if slot:
                entries[pending.numbers[i]] = entry_of(slot)
        pending.count = 0

    cdef inline uint64_t place_of(self, const uint64_t *key, uint64_t tag) noexcept nogil:
        """The slot of a chunk, or the one that is free for it."""
        cdef uint64_t place = tag & self.mask
        cdef uint64_t slot = self.slots[place]
        # There are twice as many slots as entries.
        while slot and not (slot >> 32 == tag >> 32 and same(self.entries[entry_of(slot)].key, key)):
            place = (place + 1) & self.mask
            slot = self.slots[place]
        return place

    def admit(self, bytes text not None, Cut cut not None):
        """Give entries to the chunks of a cut that have none, and tell which chunks need ids.

        Parameters
        ----------
        text
            The text of the cut.
        cut
            The cut, whose `entries` are changed.

        Returns
        -------
        tuple of ndarray
            Numbers of chunks in the cut, int64, and their kinds, int64: each new chunk once, and each occurrence of
            those that are too long to be kept, or for which there is no room, whose entries stay negative.
        """
        cdef int64_t[::1] entries = cut.entries
        cdef const int64_t[::1] ends = cut.ends
        cdef const uint8_t *data = <const uint8_t *>PyBytes_AsString(text)
        cdef int64_t i
        cdef int64_t start = cut.start
        cdef int64_t before
        cdef int64_t count = 0
        cdef int kind
        cut.check(len(text))
        most = np.count_nonzero(cut.entries < 0)
        numbers, kinds = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
        cdef int64_t[::1] numbers_view = numbers
        cdef int64_t[::1] kinds_view = kinds
        for i in range(entries.shape[0]):
            if entries[i] < 0:
                kind = <int>(-1 - entries[i])
                before = self.count
                if ends[i] - start <= MOST_BYTES:
                    entries[i] = self.added(data, start, ends[i], kind)
                if entries[i] < 0 or self.count > before:
                    numbers_view[count], kinds_view[count] = i, kind
                    count += 1
            start = ends[i]
        return numbers[:count], kinds[:count]

    cdef int64_t added(self, const uint8_t *text, int64_t start, int64_t end, int kind) except -9:
        """The entry of a chunk, which it gets now if it has none; as it was if there is no room."""
        cdef uint64_t key[WORDS]
        cdef uint64_t tag
        cdef uint64_t place
        key_of(text, start, end, kind, key)
        tag = mixed(key)
        place = self.place_of(key, tag)
        if self.slots[place]:
            return entry_of(self.slots[place])
        if self.count >= self.room:
            return -1 - kind
        if self.count == self.entries_room:
            self.entries_room = max(1024, 2 * self.entries_room)
            self.entries = <Entry *>grown(self.entries, self.entries_room * sizeof(Entry))
        memcpy(self.entries[self.count].key, key, sizeof(key))
        self.entries[self.count].first = FRESH
        self.entries[self.count].count = 0
        self.count += 1
        self.slots[place] = (tag >> 32) << 32 | <uint64_t>self.count
        return self.count - 1

    def learn(self, const int64_t[::1] entries, const uint32_t[::1] ids, const int64_t[::1] bounds):
        """Take the ids of chunks that were admitted.

        Parameters
        ----------
        entries
            Their entries.
        ids
            The ids of all of them.
        bounds
            Where those of each begin, and one past the last.
        """
        cdef int64_t i
        cdef int64_t entry
        if entries.shape[0] + 1 != bounds.shape[0] or bounds[0] != 0 or bounds[entries.shape[0]] != ids.shape[0]:
            raise ValueError("each chunk has its ids")
        if self.ids_count + ids.shape[0] >= FRESH:
            raise ValueError("there are too many ids")
        if self.ids_count + ids.shape[0] > self.ids_room:
            self.ids_room = max(self.ids_count + ids.shape[0], 2 * self.ids_room)
            self.ids = <uint32_t *>grown(self.ids, self.ids_room * sizeof(uint32_t))
        for i in range(entries.shape[0]):
            entry = entries[i]
            if not 0 <= entry < self.count or self.entries[entry].first != FRESH:
                raise ValueError("only a new chunk gets ids")
            if not bounds[i] <= bounds[i + 1] <= ids.shape[0]:
                raise ValueError("the ids of a chunk end before they begin")
            self.entries[entry].first = <uint32_t>(self.ids_count + bounds[i])
            self.entries[entry].count = <uint32_t>(bounds[i + 1] - bounds[i])
        if ids.shape[0]:
            memcpy(self.ids + self.ids_count, &ids[0], ids.shape[0] * sizeof(uint32_t))
        self.ids_count += ids.shape[0]

    def joined(self, Cut cut not None, const uint32_t[::1] others, const int64_t[::1] other_bounds):
        """Join the ids of all chunks of a cut.

        Parameters
        ----------
        cut
            The cut; all its chunks were admitted, and their ids learned.
        others
            The ids of its chunks that are not kept, in order.
        other_bounds
            Where those of each begin, and one past the last.

        Returns
        -------
        tuple of ndarray
            The ids, uint32, and where those of each text begin, and one past the last, int64.
        """
        cut.check(-1)
        cdef const int64_t[::1] entries = cut.entries
        cdef const int64_t[::1] firsts = cut.firsts
        cdef int64_t texts = firsts.shape[0] - 1
        cdef int64_t size = self.size_of(entries, other_bounds)
        if size < 0 or not other_bounds.shape[0] or other_bounds[other_bounds.shape[0] - 1] > others.shape[0]:
            raise ValueError("a chunk of the cut has no ids")
        found, bounds = np.empty(size, dtype=np.uint32), np.empty(texts + 1, dtype=np.int64)
        cdef uint32_t[::1] ids = found
        cdef int64_t[::1] bounds_view = bounds
        cdef int64_t at = 0
        cdef int64_t other = 0
        cdef int64_t i
        cdef int64_t k
        cdef int64_t count
        cdef const uint32_t *source
        with nogil:
            for i in range(texts):
                bounds_view[i] = at
                for k in range(firsts[i], firsts[i + 1]):
                    if entries[k] < 0:
                        source = &others[0] + other_bounds[other] if others.shape[0] else NULL
                        count = other_bounds[other + 1] - other_bounds[other]
                        other += 1
                    else:
                        source = self.ids + self.entries[entries[k]].first
                        count = self.entries[entries[k]].count
                    if count:
                        memcpy(&ids[0] + at, source, count * sizeof(uint32_t))
                    at += count
            bounds_view[texts] = at
        return found, bounds

    cdef int64_t size_of(self, const int64_t[::1] entries, const int64_t[::1] other_bounds) noexcept nogil:
        """The ids of a cut; -1 if some are not known."""
        cdef int64_t found = 0
        cdef int64_t other = 0
        cdef int64_t i
        for i in range(entries.shape[0]):
            if entries[i] < 0:
                if other + 1 >= other_bounds.shape[0] or other_bounds[other] > other_bounds[other + 1]:
                    return -1
                found += other_bounds[other + 1] - other_bounds[other]
                other += 1
            elif entries[i] >= self.count or self.entries[entries[i]].first == FRESH:
                return -1
            else:
                found += self.entries[entries[i]].count
        return found if other + 1 == other_bounds.shape[0] and other_bounds[0] == 0 else -1


cdef inline void key_of(const uint8_t *text, int64_t start, int64_t end, int kind, uint64_t *key) noexcept nogil:
    """The bytes of a chunk, then zeros, and in the last byte their number and the kind."""
    key[0] = key[1] = key[2] = key[3] = 0
    memcpy(key, text + start, end - start)
    (<uint8_t *>key)[MOST_BYTES] = <uint8_t>((end - start) | kind << 5)


cdef inline bint same(const uint64_t *a, const uint64_t *b) noexcept nogil:
    return a[0] == b[0] and a[1] == b[1] and a[2] == b[2] and a[3] == b[3]


cdef void *grown(void *block, size_t size) except NULL:
    cdef void *found = realloc(block, size)
    if found == NULL:
        raise MemoryError
    return found
