# cython: language_level=3
"""Cutting texts of tokens into words: a pass over all of them, and the words next to many positions.

What a word is comes as a table: the class of each character (see `explorer/words/rule.py`, which is the reference for
this module). Each distinct spelling gets a number, in the order in which it first appears. A word may be cut by tokens
at any byte; it never crosses a separator. Bytes that are not UTF-8 separate words.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from _fastsa._runs cimport check_runs
from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport fastsa_prefetch, give_up

from _fastsa._shard import Stopped


cdef enum:
    # The classes of characters. Those up to SINGLE begin words.
    OTHER = 0           # separates
    LETTER = 1
    DIGIT = 2
    CONNECTOR = 3       # other numbers, and connectors: inside words as they are
    SINGLE = 4          # a word of its own, with the marks after it
    MARK = 5            # belongs to what precedes it
    JOINER = 6          # the same, but not counted at the end of a word
    APOSTROPHE = 7      # joins letters, and digits
    MIDDLE = 8          # joins letters
    POINT = 9           # joins digits
    SIGN = 10           # a word of its own if signs are counted, as the three before it
    CHARACTERS = 0x110000
    SPARE = 8           # words that a token can end beside those of its own bytes
    ROOM = 512          # maximum number of bytes read next to a position
    A_WORD = 32         # and at first for each word, including what is before it
    AHEAD = 8           # positions whose text is prefetched

cdef uint32_t END = <uint32_t>0xFFFFFFFF


cdef inline bint joins(int last, int kind) noexcept nogil:
    """Whether a sign may join what precedes with a character of the same class."""
    if kind == APOSTROPHE:
        return last == LETTER or last == DIGIT
    return (kind == MIDDLE and last == LETTER) or (kind == POINT and last == DIGIT)


cdef class WordReader:
    """Reads bytes as words, and numbers spellings."""

    cdef const uint8_t[::1] classes
    cdef bint signs
    cdef uint64_t seed
    # The character that is being read.
    cdef uint32_t character
    cdef int needed, lowest, highest, character_size
    cdef uint8_t[4] character_bytes
    cdef int64_t character_place
    # The word that is being read, of which the bytes up to `sure_size` are part whatever follows: not a joiner at its
    # end, nor a sign that may join it with the next letter.
    cdef uint8_t *word
    cdef int64_t word_size, sure_size, word_room, word_place
    cdef int last
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
    cdef bint failed

    cdef int prepare(self, const uint8_t[::1] classes, bint signs, uint64_t seed) except -1:
        if classes.shape[0] != CHARACTERS:
            raise ValueError("every character needs its class")
        self.classes, self.signs, self.seed = classes, signs, seed
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
        return 0

    cdef void found(self, const uint8_t *data, int64_t size, int64_t place) noexcept nogil:
        """Take a word, or a sign if they are words."""

    def __dealloc__(self):
        free(self.word)
        free(self.spelled)
        free(self.begins)
        free(self.counts)
        free(self.hashes)
        free(self.slots)

    def __len__(self):
        return self.known

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
        if kind == MARK or kind == JOINER:
            if self.word_size:
                self.append()
                if kind == MARK and not self.waiting:
                    self.sure_size = self.word_size
            return
        if self.waiting and kind != self.last:
            self.end_word()
        if LETTER <= kind <= SINGLE:
            if self.word_size and (self.last == SINGLE or kind == SINGLE):
                self.end_word()
            if not self.word_size:
                self.word_place = self.character_place
            self.append()
            self.sure_size, self.last, self.waiting = self.word_size, kind, 0
        elif self.word_size and joins(self.last, kind):
            self.append()
            self.waiting, self.waiting_size, self.waiting_place = kind, self.character_size, self.character_place
            memcpy(self.waiting_bytes, self.character_bytes, 4)
        else:
            self.end_word()
            if self.signs and kind != OTHER:
                self.found(self.character_bytes, self.character_size, self.character_place)

    cdef void append(self) noexcept nogil:
        """Add the character to the word."""
        cdef uint8_t *more
        if self.word_size + self.character_size > self.word_room:
            more = <uint8_t *>realloc(self.word, 2 * self.word_room)
            if more == NULL:
                self.failed = True
                return
            self.word = more
            self.word_room *= 2
        memcpy(self.word + self.word_size, self.character_bytes, self.character_size)
        self.word_size += self.character_size

    cdef void end_text(self) noexcept nogil:
        self.needed = 0
        self.end_word()

    cdef void end_word(self) noexcept nogil:
        """Write the word, and the sign after it, which did not join."""
        cdef bint with_sign = self.waiting != 0
        self.waiting = 0
        if self.word_size:
            self.found(self.word, self.sure_size, self.word_place)
            self.word_size = 0
        if with_sign and self.signs:
            self.found(self.waiting_bytes, self.waiting_size, self.waiting_place)

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

cdef int check_pieces(const uint8_t[::1] data, const int64_t[::1] starts) except -1:
    cdef int64_t i
    if starts.shape[0] < 1:
        raise ValueError("the pieces' bounds make no sense")
    for i in range(starts.shape[0] - 1):
        if not 0 <= starts[i] <= starts[i + 1] <= data.shape[0]:
            raise ValueError("the pieces' bounds make no sense")
    return 0


cdef class WordCutter(WordReader):
    """Cuts documents into words and numbers their spellings.

    data, starts: the bytes of every token, as for `Pieces`. classes: the class of each of the 0x110000 characters.
    signs: whether signs are words. seed: decides where spellings lie in the table of hashes, and nothing else.
    """

    cdef const uint8_t[::1] data
    cdef const int64_t[::1] starts
    cdef int64_t token_count
    # Where words go.
    cdef uint32_t *out_ids
    cdef int64_t *out_places
    cdef int64_t written

    def __cinit__(self, const uint8_t[::1] data not None, const int64_t[::1] starts not None,
                  const uint8_t[::1] classes not None, bint signs=False, uint64_t seed=0):
        check_pieces(data, starts)
        self.token_count = starts.shape[0] - 1
        self.data, self.starts = data, starts
        self.prepare(classes, signs, seed)

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

    cdef void found(self, const uint8_t *data, int64_t size, int64_t place) noexcept nogil:
        self.emit(self.number_of(data, size), place)

    cdef void emit(self, uint32_t number, int64_t place) noexcept nogil:
        self.out_ids[self.written] = number
        self.out_places[self.written] = place
        self.written += 1


cdef class Pieces:
    """The bytes of every token of a vocabulary: starts[t] to starts[t + 1] in `data`; an unknown id has none."""

    cdef const uint8_t[::1] data
    cdef const int64_t[::1] starts
    cdef int64_t count

    def __cinit__(self, const uint8_t[::1] data not None, const int64_t[::1] starts not None):
        check_pieces(data, starts)
        self.count = starts.shape[0] - 1
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


cdef int64_t size_of(Shard shard, Pieces pieces, int64_t at) noexcept nogil:
    """Bytes of the token at a position."""
    cdef uint32_t token = 0
    memcpy(&token, shard.array.tokens + at * shard.array.width, shard.array.width)
    return pieces.starts[token + 1] - pieces.starts[token] if token < pieces.count else 0


cdef class WordsNear(WordReader):
    """Finds a word near each of many positions and numbers their spellings.

    pieces: the bytes of every token. classes, seed: as for `WordCutter`.
    """

    cdef Pieces pieces
    # The words that were found in one text: where each begins, and its bytes.
    cdef int64_t[ROOM] found_at
    cdef int64_t[ROOM] found_size
    cdef int64_t met

    def __cinit__(self, Pieces pieces not None, const uint8_t[::1] classes not None, uint64_t seed=0):
        self.pieces = pieces
        self.prepare(classes, False, seed)

    def find(self, Shard shard not None, const int64_t[::1] firsts not None, const int64_t[::1] limits not None,
             int step, int number, const uint8_t[::1] stop=None, const int64_t[::1] parts=None,
             const int64_t[::1] rests=None):
        """The number of the spelling near each position, uint32; 2^32 - 1 if there is no word.

        firsts: position of the first token to look at; limits: position at which to stop, reached in steps of
        `step` (1 or -1). number: 1, 2 … for the first, second … word in reading order, -1, -2 … for the last,
        the second to last … of text that is read toward its beginning; 0 for the whole text without surrounding
        spaces. At most 512 bytes are read. parts: if not 0, the number of bytes of the first token that count: its
        last ones for numbers from 1 on, its first ones for those below 0. For number 0, bytes at the beginning that do
        not count; `rests`: bytes at the end that do not, if the text has at most 512 bytes.
        """
        cdef Py_ssize_t i
        cdef int64_t part, rest
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint stopped = False
        cdef int64_t answer
        cdef bint cut = parts is not None
        result = np.full(firsts.shape[0], END, dtype=np.uint32)
        cdef uint32_t[::1] out = result
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
                part = parts[i] if cut else 0
                rest = rests[i] if cut else 0
                if number == 0:
                    answer = self.whole(shard, firsts[i], limits[i], step, flag, part, rest)
                else:
                    answer = self.nth(shard, firsts[i], limits[i], step, number, flag, part)
                if answer == -2 or self.failed:
                    stopped = True
                    break
                if answer >= 0:
                    out[i] = <uint32_t>answer
        if self.failed:
            raise MemoryError
        if stopped:
            raise Stopped
        return result

    cdef int64_t nth(self, Shard shard, int64_t first, int64_t limit, int64_t step, int64_t number,
                     const uint8_t *flag, int64_t part) noexcept nogil:
        """The number of one spelling; -1 if there is no word, -2 if the flag was set."""
        cdef uint8_t[ROOM] room
        cdef int64_t reached = first
        cdef int64_t wanted = number if number > 0 else -number
        cdef int64_t drop = 0
        cdef int64_t enough, size
        cdef const uint8_t *data
        if part > 0 and first != limit:
            drop = max(0, size_of(shard, self.pieces, first) - part)
        enough = min(<int64_t>ROOM, drop + A_WORD * (1 + min(wanted, <int64_t>ROOM)))
        while True:
            size = gather(shard, self.pieces, first, limit, step, number < 0, room, enough, flag, &reached)
            if size < 0:
                return -2
            if number > 0:
                # Bytes of the first token that do not count, if it was read.
                data, size = room + min(drop, size), size - min(drop, size)
            else:
                data, size = room + ROOM - size, max(0, size - drop)
            if self.words(data, size, wanted if number > 0 else ROOM + 1, reached == limit or enough == ROOM):
                break
            # More before is only needed if the word may begin there.
            if number < 0 and self.met > wanted:
                break
            if reached == limit or enough == ROOM:
                break
            enough = ROOM
        if self.met < wanted:
            return -1
        wanted = wanted - 1 if number > 0 else self.met - wanted
        return self.number_of(data + self.found_at[wanted], self.found_size[wanted])

    cdef bint words(self, const uint8_t *data, int64_t size, int64_t wanted, bint last) noexcept nogil:
        """Find the words of a text, or the first of them; whether `wanted` were found. Not `last`: it may continue."""
        cdef int64_t k
        self.met = self.word_size = 0
        self.waiting = self.needed = 0
        for k in range(size):
            self.take(data[k], k)
            if self.met >= wanted:
                return True
        if last or wanted > ROOM:
            self.end_text()
        return self.met >= wanted

    cdef void found(self, const uint8_t *data, int64_t size, int64_t place) noexcept nogil:
        # Words have at least a byte each, so there are at most as many as bytes.
        self.found_at[self.met], self.found_size[self.met] = place, size
        self.met += 1

    cdef int64_t whole(self, Shard shard, int64_t first, int64_t limit, int64_t step, const uint8_t *flag,
                       int64_t part, int64_t rest) noexcept nogil:
        """The number of the whole text; -1 if it is blank, -2 if the flag was set."""
        cdef uint8_t[ROOM] room
        cdef int64_t reached = first
        cdef int64_t a, b
        cdef int64_t size = gather(shard, self.pieces, first, limit, step, False, room, ROOM, flag, &reached)
        if size < 0:
            return -2
        a, b = min(max(part, <int64_t>0), size), size
        if rest > 0 and reached == limit:
            b = max(a, size - min(rest, size))
        while a < b and (room[a] <= 0x20 or room[a] == 0x7F):
            a += 1
        while b > a and (room[b - 1] <= 0x20 or room[b - 1] == 0x7F):
            b -= 1
        return self.number_of(room + a, b - a) if b > a else -1
