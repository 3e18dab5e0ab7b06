# cython: language_level=3
"""Cutting a text of tokens into words: one pass over the tokens' bytes.

What a word is comes as a table: the class of each character (see `explorer/words/rule.py`, which is the reference for
this pass). Each distinct spelling gets a number, in the order in which it first appears. A word may be cut by tokens at
any byte; it never crosses a separator. Bytes that are not UTF-8 separate words.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from _fastsa._shard cimport flag_of
from _fastsa._suffixes cimport give_up

from _fastsa._shard import Stopped


cdef enum:
    # The classes of characters.
    OTHER = 0           # separates
    LETTER = 1
    MARK = 2
    DIGIT = 3
    CONNECTOR = 4       # other numbers, and connectors: inside words as they are
    SINGLE = 5          # a word of its own, with the marks after it
    APOSTROPHE = 6      # joins after a letter or mark and before a letter
    POINT = 7           # joins between digits
    SIGN = 8            # a word of its own if signs are counted
    CHARACTERS = 0x110000
    SPARE = 8           # words that a token can end beside those of its own bytes

cdef uint32_t END = <uint32_t>0xFFFFFFFF


cdef class WordCutter:
    """Cuts documents into words and numbers their spellings.

    data, starts: the bytes of every token, as for `Pieces`. classes: the class of each of the 0x110000 characters.
    signs: whether signs are words. seed: decides where spellings lie in the table of hashes, and nothing else.
    """

    cdef const uint8_t[::1] data
    cdef const int64_t[::1] starts
    cdef const uint8_t[::1] classes
    cdef int64_t token_count
    cdef bint signs
    cdef uint64_t seed
    # The character that is being read.
    cdef uint32_t character
    cdef int needed, lowest, highest, character_size
    cdef uint8_t[4] character_bytes
    cdef int64_t character_place
    # The word that is being read, and a sign after it that may join it with the next character.
    cdef uint8_t *word
    cdef int64_t word_size, word_room, word_place
    cdef int last
    cdef bint single
    cdef int waiting, waiting_size
    cdef uint8_t[4] waiting_bytes
    cdef int64_t waiting_place
    # All spellings, one after another, and a table of hashes.
    cdef uint8_t *spelled
    cdef int64_t spelled_size, spelled_room
    cdef int64_t *begins
    cdef int64_t *counts
    cdef uint64_t *hashes
    cdef int64_t known, known_room
    cdef uint32_t *slots
    cdef int64_t slot_count
    # Where words go.
    cdef uint32_t *out_ids
    cdef int64_t *out_places
    cdef int64_t written
    cdef bint failed

    def __cinit__(self, const uint8_t[::1] data not None, const int64_t[::1] starts not None,
                  const uint8_t[::1] classes not None, bint signs=False, uint64_t seed=0):
        cdef int64_t i
        self.token_count = starts.shape[0] - 1
        if self.token_count < 0:
            raise ValueError("the pieces' bounds make no sense")
        for i in range(self.token_count):
            if not 0 <= starts[i] <= starts[i + 1] <= data.shape[0]:
                raise ValueError("the pieces' bounds make no sense")
        if classes.shape[0] != CHARACTERS:
            raise ValueError("every character needs its class")
        self.data, self.starts, self.classes = data, starts, classes
        self.signs, self.seed = signs, seed
        self.word_room, self.spelled_room, self.known_room, self.slot_count = 64, 1 << 12, 1 << 8, 1 << 10
        self.word = <uint8_t *>malloc(self.word_room)
        self.spelled = <uint8_t *>malloc(self.spelled_room)
        self.begins = <int64_t *>malloc((self.known_room + 1) * sizeof(int64_t))
        self.counts = <int64_t *>malloc(self.known_room * sizeof(int64_t))
        self.hashes = <uint64_t *>malloc(self.known_room * sizeof(uint64_t))
        self.slots = <uint32_t *>calloc(self.slot_count, sizeof(uint32_t))
        if (self.word == NULL or self.spelled == NULL or self.begins == NULL or self.counts == NULL
                or self.hashes == NULL or self.slots == NULL):
            raise MemoryError
        self.begins[0] = 0

    def __dealloc__(self):
        free(self.word)
        free(self.spelled)
        free(self.begins)
        free(self.counts)
        free(self.hashes)
        free(self.slots)

    def __len__(self):
        return self.known

    def cut(self, const uint8_t[::1] tokens not None, int width, int64_t place, uint32_t[::1] ids not None,
            int64_t[::1] places not None, const uint8_t[::1] stop=None):
        """Cut further tokens into words; how many tokens were read, and how many words written.

        tokens: as stored, `width` bytes each; the largest id of the width begins a document. place: the number of the
        first of them. ids, places: where the spelling of each word goes, and the number of its first token; a separator
        is written as 2^32 - 1, with its place. If they are full, fewer tokens are read. A word that may continue is
        written by the next call, or by `finish`. After `Stopped`, the cutter is of no further use.
        """
        cdef int64_t count, i, k, size
        cdef uint32_t token
        cdef uint32_t separator
        cdef const uint8_t *flag = flag_of(stop)
        cdef uint64_t steps = 0
        cdef bint stopped = False
        cdef int64_t room = min(ids.shape[0], places.shape[0])
        if width not in (1, 2, 4) or tokens.shape[0] % width:
            raise ValueError("tokens have 1, 2 or 4 bytes")
        separator = <uint32_t>((<uint64_t>1 << (8 * width)) - 1)
        count = tokens.shape[0] // width
        if not count or room < SPARE:
            return 0, 0
        self.out_ids, self.out_places, self.written = &ids[0], &places[0], 0
        i = 0
        with nogil:
            while i < count:
                token = 0
                memcpy(&token, &tokens[i * width], width)
                size = 0
                if token < self.token_count and token != separator:
                    size = self.starts[token + 1] - self.starts[token]
                if self.written + size + SPARE > room or self.failed:
                    break
                if token == separator:
                    self.end_text()
                    self.emit(END, place + i)
                for k in range(size):
                    # A token may be as long as a book.
                    steps += 1
                    if give_up(flag, steps):
                        stopped = True
                        break
                    self.take(self.data[self.starts[token] + k], place + i)
                steps += 1
                if stopped or give_up(flag, steps):
                    stopped = True
                    break
                i += 1
        if self.failed:
            raise MemoryError
        if stopped:
            raise Stopped
        if i == 0:
            raise ValueError("the room for words is smaller than one token")
        return i, self.written

    def finish(self, uint32_t[::1] ids not None, int64_t[::1] places not None):
        """End the last document; how many words were written (at most 8)."""
        if min(ids.shape[0], places.shape[0]) < SPARE:
            raise ValueError("there must be room for 8 words")
        self.out_ids, self.out_places, self.written = &ids[0], &places[0], 0
        self.end_text()
        if self.failed:
            raise MemoryError
        return self.written

    def spellings(self):
        """Spellings by number: their bytes, where each begins (one more for the end), how often it occurs."""
        cdef int64_t i
        data = np.empty(self.spelled_size, dtype=np.uint8)
        begins = np.empty(self.known + 1, dtype=np.int64)
        counts = np.empty(self.known, dtype=np.int64)
        cdef uint8_t[::1] out_data = data
        cdef int64_t[::1] out_begins = begins
        cdef int64_t[::1] out_counts = counts
        if self.spelled_size:
            memcpy(&out_data[0], self.spelled, self.spelled_size)
        for i in range(self.known):
            out_counts[i] = self.counts[i]
        for i in range(self.known + 1):
            out_begins[i] = self.begins[i]
        return data, begins, counts

    # --- characters ------------------------------------------------------------------------------

    cdef void take(self, uint8_t byte, int64_t place) noexcept nogil:
        """One byte of the text."""
        if self.needed:
            if self.lowest <= byte <= self.highest:
                self.character = (self.character << 6) | (byte & 0x3F)
                self.character_bytes[self.character_size] = byte
                self.character_size += 1
                self.lowest, self.highest = 0x80, 0xBF
                self.needed -= 1
                if not self.needed:
                    self.put(self.classes[self.character])
                return
            # A broken character separates; this byte may begin another one.
            self.needed = 0
            self.put(OTHER)
        self.character_place = place
        self.character_bytes[0] = byte
        self.character_size = 1
        if byte < 0x80:
            self.put(self.classes[byte])
            return
        # The second byte has limits of its own where others would be overlong, surrogates or beyond Unicode.
        self.lowest, self.highest = 0x80, 0xBF
        if 0xC2 <= byte <= 0xDF:
            self.needed, self.character = 1, byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            self.needed, self.character = 2, byte & 0x0F
            if byte == 0xE0:
                self.lowest = 0xA0
            elif byte == 0xED:
                self.highest = 0x9F
        elif 0xF0 <= byte <= 0xF4:
            self.needed, self.character = 3, byte & 0x07
            if byte == 0xF0:
                self.lowest = 0x90
            elif byte == 0xF4:
                self.highest = 0x8F
        else:
            self.put(OTHER)

    cdef void put(self, int kind) noexcept nogil:
        """One character, whose bytes and place are in `self`."""
        if self.waiting:
            if (self.waiting == APOSTROPHE and kind == LETTER) or (self.waiting == POINT and kind == DIGIT):
                self.append(self.waiting_bytes, self.waiting_size)
                self.waiting = 0
            else:
                self.end_word()
        if kind == MARK and self.word_size and self.single:
            self.append(self.character_bytes, self.character_size)
        elif LETTER <= kind <= SINGLE:
            if self.word_size and (self.single or kind == SINGLE):
                self.end_word()
            if not self.word_size:
                self.word_place = self.character_place
                self.single = kind == SINGLE
            self.append(self.character_bytes, self.character_size)
            self.last = kind
        elif self.joins(kind):
            self.waiting, self.waiting_size, self.waiting_place = kind, self.character_size, self.character_place
            memcpy(self.waiting_bytes, self.character_bytes, 4)
        else:
            self.end_word()
            if self.signs and kind != OTHER:
                self.emit_sign(self.character_bytes, self.character_size, self.character_place)

    cdef bint joins(self, int kind) noexcept nogil:
        """Whether a sign after the word may be part of it; the next character decides."""
        if not self.word_size or self.single:
            return False
        if kind == APOSTROPHE:
            return self.last == LETTER or self.last == MARK
        return kind == POINT and self.last == DIGIT

    cdef void append(self, const uint8_t *data, int64_t size) noexcept nogil:
        cdef uint8_t *more
        if self.word_size + size > self.word_room:
            more = <uint8_t *>realloc(self.word, 2 * self.word_room)
            if more == NULL:
                self.failed = True
                return
            self.word = more
            self.word_room *= 2
        memcpy(self.word + self.word_size, data, size)
        self.word_size += size

    cdef void end_text(self) noexcept nogil:
        self.needed = 0
        self.end_word()

    cdef void end_word(self) noexcept nogil:
        """Write the word, and the sign after it, which did not join."""
        cdef bint with_sign = self.waiting != 0
        self.waiting = 0
        if self.word_size:
            self.emit(self.number_of(self.word, self.word_size), self.word_place)
            self.word_size = 0
        self.single = False
        if with_sign and self.signs:
            self.emit_sign(self.waiting_bytes, self.waiting_size, self.waiting_place)

    cdef void emit_sign(self, const uint8_t *data, int64_t size, int64_t place) noexcept nogil:
        self.emit(self.number_of(data, size), place)

    cdef void emit(self, uint32_t number, int64_t place) noexcept nogil:
        self.out_ids[self.written] = number
        self.out_places[self.written] = place
        self.written += 1

    # --- spellings -------------------------------------------------------------------------------

    cdef uint32_t number_of(self, const uint8_t *data, int64_t size) noexcept nogil:
        """The number of a spelling, which is counted."""
        # FNV-1a (Fowler, Noll, Vo) with a final mix.
        cdef uint64_t key = <uint64_t>0xCBF29CE484222325 ^ self.seed
        cdef int64_t i, slot, number
        for i in range(size):
            key = (key ^ data[i]) * <uint64_t>0x100000001B3
        key ^= key >> 32
        slot = <int64_t>(key & <uint64_t>(self.slot_count - 1))
        while self.slots[slot]:
            number = <int64_t>self.slots[slot] - 1
            if (self.hashes[number] == key and self.begins[number + 1] - self.begins[number] == size
                    and memcmp(self.spelled + self.begins[number], data, size) == 0):
                self.counts[number] += 1
                return <uint32_t>number
            slot = (slot + 1) & (self.slot_count - 1)
        if self.failed or not self.make_room(size):
            self.failed = True
            return 0
        number = self.known
        memcpy(self.spelled + self.spelled_size, data, size)
        self.spelled_size += size
        self.begins[number + 1] = self.spelled_size
        self.counts[number] = 1
        self.hashes[number] = key
        self.known += 1
        self.slots[slot] = <uint32_t>(number + 1)
        if 2 * self.known > self.slot_count and not self.spread():
            self.failed = True
        return <uint32_t>number

    cdef bint make_room(self, int64_t size) noexcept nogil:
        cdef void *more
        cdef int64_t room = self.spelled_room
        # The largest number is the separator's.
        if self.known >= <int64_t>END - 2:
            return False
        while self.spelled_size + size > room:
            room *= 2
        if room > self.spelled_room:
            more = realloc(self.spelled, room)
            if more == NULL:
                return False
            self.spelled = <uint8_t *>more
            self.spelled_room = room
        if self.known < self.known_room:
            return True
        room = 2 * self.known_room
        more = realloc(self.begins, (room + 1) * sizeof(int64_t))
        if more == NULL:
            return False
        self.begins = <int64_t *>more
        more = realloc(self.counts, room * sizeof(int64_t))
        if more == NULL:
            return False
        self.counts = <int64_t *>more
        more = realloc(self.hashes, room * sizeof(uint64_t))
        if more == NULL:
            return False
        self.hashes = <uint64_t *>more
        self.known_room = room
        return True

    cdef bint spread(self) noexcept nogil:
        """A table of hashes four times as large."""
        cdef int64_t count = 4 * self.slot_count
        cdef int64_t i, slot
        cdef uint32_t *slots = <uint32_t *>calloc(count, sizeof(uint32_t))
        if slots == NULL:
            return False
        for i in range(self.known):
            slot = <int64_t>(self.hashes[i] & <uint64_t>(count - 1))
            while slots[slot]:
                slot = (slot + 1) & (count - 1)
            slots[slot] = <uint32_t>(i + 1)
        free(self.slots)
        self.slots = slots
        self.slot_count = count
        return True
