# cython: language_level=3
"""How soon the words of documents repeat: windows and factors in one pass over each document in either direction.

The measures that are made of these counts, and their sources, are in `explorer/analyses/diversity/measures.py`.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint64_t

from _fastsa._shard cimport flag_of
from _fastsa._suffixes cimport give_up

from _fastsa._shard import Stopped

cdef enum:
    FINE
    STOPPED
    UNKNOWN_WORD
    WRONG_END

# The share of different words at which a factor ends.
cdef double TURN = 0.72


cdef class RepeatCount:
    """Counts over documents, until `take` gives them and begins again.

    window: words of a window. room: four numbers for each word of the vocabulary, which are overwritten.
    """

    cdef int64_t window, vocabulary, met_count, forward_place, backward_place, windows, window_types
    cdef double forward, backward
    # How often each word occurs, which words were met, and where each was last in either direction; 0 for nowhere.
    cdef int64_t[::1] counts, met, last, next

    def __init__(self, int64_t window, int64_t[::1] room not None):
        if window < 1:
            raise ValueError("a window has a word or more")
        if room.shape[0] % 4:
            raise ValueError("the room has four numbers for each word")
        room[:] = 0
        self.window = window
        self.vocabulary = room.shape[0] // 4
        self.counts = room[:self.vocabulary]
        self.met = room[self.vocabulary:2 * self.vocabulary]
        self.last = room[2 * self.vocabulary:3 * self.vocabulary]
        self.next = room[3 * self.vocabulary:]
        self.met_count = self.windows = self.window_types = 0
        self.forward = self.backward = 0
        self.forward_place = self.backward_place = 1

    def add(self, const int64_t[::1] words not None, const int64_t[::1] ends not None,
            const uint8_t[::1] stop=None):
        """Read documents.

        words: their words, one document after another. ends: one past the last word of each. After an error or
        `Stopped`, the object is of no further use.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef uint64_t steps = 0
        cdef int64_t begin = 0, end, number
        cdef int result = FINE
        if ends.shape[0] and not self.vocabulary:
            raise ValueError("there are no words")
        with nogil:
            for number in range(ends.shape[0]):
                end = ends[number]
                if end < begin or end > words.shape[0]:
                    result = WRONG_END
                    break
                result = self.read_forward(words, begin, end, flag, &steps)
                if result == FINE:
                    result = self.read_backward(words, begin, end, flag, &steps)
                if result != FINE:
                    break
                begin = end
        if result == STOPPED:
            raise Stopped
        if result == UNKNOWN_WORD:
            raise ValueError("a word is not in the vocabulary")
        if result == WRONG_END:
            raise ValueError("the ends of documents must not fall, nor be beyond the words")

    cdef int read_forward(self, const int64_t[::1] words, int64_t begin, int64_t end, const uint8_t *flag,
                          uint64_t *steps) noexcept nogil:
        cdef int64_t i, word, last, low, high, types = 0
        # Places rise from document to document, so that what was met before this one is before its first place.
        cdef int64_t shift = self.forward_place - begin
        cdef int64_t opened = begin + shift
        cdef int64_t size = end - begin
        cdef double found = 0
        for i in range(begin, end):
            steps[0] += 1
            if give_up(flag, steps[0]):
                return STOPPED
            word = words[i]
            if word < 0 or word >= self.vocabulary:
                return UNKNOWN_WORD
            if self.counts[word] == 0:
                self.met[self.met_count] = word
                self.met_count += 1
            self.counts[word] += 1
            last = self.last[word]
            self.last[word] = i + shift
            if size >= self.window:
                # It is new in every window that begins after its last place and reaches it.
                low = max(i - self.window + 1, begin, last - shift + 1)
                high = min(i, end - self.window)
                if high >= low:
                    self.window_types += high - low + 1
            if last < opened:
                types += 1
            if <double>types / <double>(i + shift - opened + 1) <= TURN:
                found, opened, types = found + 1, i + shift + 1, 0
        if size >= self.window:
            self.windows += size - self.window + 1
        self.forward_place += size
        self.forward += found + rest_of(types, end + shift - opened)
        return FINE

    cdef int read_backward(self, const int64_t[::1] words, int64_t begin, int64_t end, const uint8_t *flag,
                           uint64_t *steps) noexcept nogil:
        cdef int64_t i, word, types = 0
        cdef int64_t place = self.backward_place
        cdef int64_t opened = place
        cdef double found = 0
        for i in range(end - 1, begin - 1, -1):
            steps[0] += 1
            if give_up(flag, steps[0]):
                return STOPPED
            word = words[i]
            # Another thread may have changed it.
            if word < 0 or word >= self.vocabulary:
                return UNKNOWN_WORD
            if self.next[word] < opened:
                types += 1
            self.next[word] = place
            place += 1
            if <double>types / <double>(place - opened) <= TURN:
                found, opened, types = found + 1, place, 0
        self.backward_place = place
        self.backward += found + rest_of(types, place - opened)
        return FINE

    def take(self):
        """The frequencies of all words that were met; windows and the types in them; factors in both directions."""
        met = np.asarray(self.met[:self.met_count])
        counts = np.asarray(self.counts)
        frequencies = counts[met]
        counts[met] = 0
        found = frequencies, self.windows, self.window_types, self.forward, self.backward
        self.met_count = self.windows = self.window_types = 0
        self.forward = self.backward = 0
        return found


cdef inline double rest_of(int64_t types, int64_t size) noexcept nogil:
    """What part of a factor the words after the last whole one are."""
    return (1 - <double>types / <double>size) / (1 - TURN) if size else 0
