# cython: language_level=3
"""Where matches begin in some bytes, and where the longest match from each start ends.

A pattern's automaton is run from every character with which a match may begin. Runs that reach the same byte in the
same state have the same future, which a later run takes from an earlier one: near its start at each byte, from the last
run that reached it, and further away at regular strides, from any run. So `\\w+` takes time in proportion to the length
of a word of a million letters, not to its square.
"""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from _fastsa._shard import Stopped


cdef enum:
    UNKNOWN = -2147483648
    DEAD = -8           # no match can follow, and none has ended
    END = 256           # column of the end of the document
    POLL = 1023         # runs, or strides of one run, between two checks of the stop flag
    STRIDE = 32         # bytes between two comparisons of long runs
    NEAR = 256          # bytes from its start on which a run leaves its track
    BLOCK = 1 << 16     # bytes without the start of a match between two checks of the stop flag
    LEAST_ROOM = 256
    MOST_KEPT = 1 << 20
    KINDS = 8           # of characters at most, a power of two: explorer.text.patterns.kinds
    CUT = 0             # size of a character that the data contains only in part


cdef struct Kept:
    int64_t key         # 1 + place * states + state; 0: an empty slot
    int64_t end         # of the longest match that ends after this place; -1: none
    bint open


cdef struct Track:
    int64_t place       # the byte that the state is before
    int32_t state
    int32_t passed      # bytes from the run's start


cdef struct Outcome:
    int64_t end         # of the longest match; -1: none
    int64_t marked      # the byte that decided it
    bint open           # the data ended before it was certain


cdef inline bint continues(uint8_t byte) noexcept nogil:
    return byte & 0xC0 == 0x80


cdef inline int size_of_lead(uint8_t byte) noexcept nogil:
    """Bytes of a character with this first byte; 1 for a byte that begins none."""
    if 0xC2 <= byte < 0xE0:
        return 2
    if 0xE0 <= byte < 0xF0:
        return 3
    return 4 if 0xF0 <= byte < 0xF5 else 1


cdef inline bint may_follow(uint8_t lead, uint8_t byte) noexcept nogil:
    """Whether a byte may be the second one: not of an overlong form, a surrogate or a number beyond Unicode."""
    if lead == 0xE0:
        return 0xA0 <= byte < 0xC0
    if lead == 0xED:
        return 0x80 <= byte < 0xA0
    if lead == 0xF0:
        return 0x90 <= byte < 0xC0
    if lead == 0xF4:
        return 0x80 <= byte < 0x90
    return continues(byte)


cdef inline void join(Outcome *result, Outcome *other, Py_ssize_t at) noexcept nogil:
    """Give a run the future, from here, of another one that was in the same state."""
    result.open = other.open
    if other.marked >= at:
        result.end, result.marked = other.end, other.marked


cdef class Scan:
    cdef object automaton
    cdef object held                    # the table, which `cells` points into
    cdef const int32_t *cells
    cdef int64_t states
    cdef int64_t[KINDS] starts              # start states, by the kind of the character before
    cdef const uint8_t *data
    cdef const int8_t *kinds            # NULL if these make no difference
    cdef const uint8_t *flag
    cdef Py_ssize_t size
    cdef bint whole
    cdef int64_t looked
    cdef Track[NEAR] tracks             # of the last run that reached each of the next bytes
    cdef Outcome[NEAR] outcomes         # of the last run from each of the bytes before
    cdef uint8_t[256] live              # whether a match may begin with this byte
    cdef int64_t *found                 # three numbers per match: start, end, open
    cdef int64_t found_count
    cdef int64_t found_room
    cdef Kept *kept                     # a hash table with open addressing, its size a power of two
    cdef int64_t kept_room
    cdef int64_t kept_count
    cdef int64_t kept_until             # stored outcomes are useless from here on
    cdef Kept *path                     # places of the run that are not stored yet
    cdef int64_t path_count
    cdef int64_t path_room

    def __dealloc__(self):
        free(self.found)
        free(self.kept)
        free(self.path)

    cdef int refresh(self) except -1:
        """Use the automaton's table as it is now."""
        cdef const int32_t[:, ::1] table = self.automaton.table
        if table.shape[1] != END + 1:
            raise ValueError("the automaton is not one of longest matches")
        self.held = table
        self.states = table.shape[0]
        self.cells = &table[0, 0] if self.states else NULL
        return 0

    cdef int fill(self, int64_t state, int column) except -1:
        """Have the automaton compute an entry."""
        self.automaton.fill(int(state), column)
        self.refresh()
        if state >= self.states or self.cells[state * (END + 1) + column] == UNKNOWN:
            raise ValueError(f"the automaton has no state {state}")
        return 0

    cdef inline int32_t cell(self, int64_t state, int column) except? -1 nogil:
        """The entry of the table; `state` is not negative."""
        cdef int32_t value
        if state < self.states:
            value = self.cells[state * (END + 1) + column]
            if value != UNKNOWN:
                return value
        with gil:
            self.fill(state, column)
        return self.cells[state * (END + 1) + column]

    cdef inline int poll(self) except -1 nogil:
        self.looked += 1
        if (self.looked & POLL) == 0 and self.flag != NULL and self.flag[0]:
            with gil:
                raise Stopped
        return 0

    cdef int run(self, Py_ssize_t at, int64_t state) except -1 nogil:
        """Find the longest match from a place; its outcome is that of its byte in `outcomes`."""
        cdef int32_t value
        cdef Py_ssize_t i = at
        cdef Track *track
        cdef Outcome *result = &self.outcomes[at & (NEAR - 1)]
        result.end, result.marked, result.open = -1, -1, False
        self.path_count = 0
        while state >= 0:
            if i == self.size:
                self.stop_at_end(state, result)
                break
            if i - at < NEAR:
                track = &self.tracks[i & (NEAR - 1)]
                if track.place == i and track.state == state and i > at:
                    join(result, &self.outcomes[(i - track.passed) & (NEAR - 1)], i)
                    break
                track.place, track.state, track.passed = i, <int32_t>state, <int32_t>(i - at)
            if i & (STRIDE - 1) == 0 and i - at >= STRIDE:
                self.poll()
                if self.joins_kept(i, state, result):
                    break
                self.remember(i, state)
            value = self.cell(state, self.data[i])
            i += 1
            if value & 7:
                result.end, result.marked = i + 1 - (value & 7), i - 1
            state = value >> 3
        if self.path_count:
            self.keep(result)
        return 0

    cdef int stop_at_end(self, int64_t state, Outcome *result) except -1 nogil:
        """The data ends in this state."""
        cdef int32_t value
        if not self.whole:
            result.open = True
            return 0
        value = self.cell(state, END)
        if value & 7:
            result.end, result.marked = self.size + 1 - (value & 7), self.size
        return 0

    cdef inline int64_t slot(self, int64_t key) noexcept nogil:
        """The slot of a key, or the free slot for it."""
        cdef int64_t at = <int64_t>((<uint64_t>key * <uint64_t>0x9E3779B97F4A7C15) >> 20) & (self.kept_room - 1)
        while self.kept[at].key and self.kept[at].key != key:
            at = (at + 1) & (self.kept_room - 1)
        return at

    cdef bint joins_kept(self, Py_ssize_t at, int64_t state, Outcome *result) noexcept nogil:
        """Use the outcome of an earlier run that was in this state here; False if none is known."""
        cdef Kept *known
        cdef Outcome outcome
        if not self.kept_count:
            return False
        known = &self.kept[self.slot(1 + (at << 24) + state)]
        if not known.key:
            return False
        outcome.end, outcome.open = known.end, known.open
        outcome.marked = at if known.end >= 0 else -1
        join(result, &outcome, at)
        return True

    cdef int remember(self, Py_ssize_t at, int64_t state) except -1 nogil:
        """Note that the run was in this state here."""
        cdef Kept *more
        if self.path_count == self.path_room:
            more = <Kept *>realloc(self.path, max(2 * self.path_room, LEAST_ROOM) * sizeof(Kept))
            if more == NULL:
                with gil:
                    raise MemoryError
            self.path = more
            self.path_room = max(2 * self.path_room, LEAST_ROOM)
        self.path[self.path_count].key = 1 + (at << 24) + state
        self.path[self.path_count].end = at
        self.path_count += 1
        return 0

    cdef int keep(self, Outcome *result) except -1 nogil:
        """Store the outcome of the run for the places on its way, the nearest last, so that these stay."""
        cdef int64_t i
        cdef Kept *entry
        for i in range(self.path_count - 1, -1, -1):
            if 2 * self.kept_count >= self.kept_room:
                self.make_room()
            entry = &self.kept[self.slot(self.path[i].key)]
            if not entry.key:
                self.kept_count += 1
            entry.key = self.path[i].key
            entry.end = result.end if result.marked >= self.path[i].end else -1
            entry.open = result.open
            self.kept_until = max(self.kept_until, self.path[i].end)
        return 0

    cdef int make_room(self) except -1 nogil:
        """Double the table, or start with an empty one if it has grown too large."""
        cdef int64_t i
        cdef int64_t room = self.kept_room
        cdef Kept *old = self.kept
        if room >= MOST_KEPT:
            self.forget()
            room, old = 0, NULL
        self.kept_room = max(2 * room, LEAST_ROOM)
        self.kept = <Kept *>calloc(self.kept_room, sizeof(Kept))
        if self.kept == NULL:
            self.kept, self.kept_room = old, room
            with gil:
                raise MemoryError
        for i in range(room):
            if old[i].key:
                self.kept[self.slot(old[i].key)] = old[i]
        free(old)
        return 0

    cdef void forget(self) noexcept nogil:
        self.kept_count = 0
        if self.kept_room == LEAST_ROOM:
            memset(self.kept, 0, self.kept_room * sizeof(Kept))
            return
        free(self.kept)
        self.kept, self.kept_room = NULL, 0

    cdef int found_match(self, int64_t start, int64_t end, bint open) except -1 nogil:
        cdef int64_t *more
        if self.found_count == self.found_room:
            more = <int64_t *>realloc(self.found, max(2 * self.found_room, LEAST_ROOM) * 3 * sizeof(int64_t))
            if more == NULL:
                with gil:
                    raise MemoryError
            self.found = more
            self.found_room = max(2 * self.found_room, LEAST_ROOM)
        more = self.found + 3 * self.found_count
        more[0], more[1], more[2] = start, end, open
        self.found_count += 1
        return 0

    cdef int size_at(self, Py_ssize_t at) noexcept nogil:
        """Bytes of the character that begins here; 1 for a stray byte; CUT if the data ends within it."""
        cdef int i
        cdef int size = size_of_lead(self.data[at])
        for i in range(1, size):
            if at + i == self.size:
                return 1 if self.whole else CUT
            if not (may_follow(self.data[at], self.data[at + 1]) if i == 1 else continues(self.data[at + i])):
                return 1
        return size

    cdef int kind_at(self, Py_ssize_t at, int size) noexcept nogil:
        """The kind of a character; 0 for a stray byte."""
        cdef int i
        cdef int32_t code = self.data[at]
        if size == 1:
            return self.kinds[code] & (KINDS - 1) if code < 0x80 else 0
        code &= 0x7F >> size
        for i in range(1, size):
            code = code << 6 | (self.data[at + i] & 0x3F)
        return self.kinds[code] & (KINDS - 1)

    cdef Py_ssize_t lead_of(self, Py_ssize_t at) noexcept nogil:
        """The start of the character that contains this byte."""
        cdef int size
        cdef Py_ssize_t lead = at
        while lead > 0 and at - lead < 3 and continues(self.data[lead]):
            lead -= 1
        size = self.size_at(lead)
        return lead if size == CUT or lead + size > at else at

    cdef int kind_before(self, Py_ssize_t at) noexcept nogil:
        """The kind of the character that ends before a place; 0 at the beginning."""
        cdef Py_ssize_t lead
        if at == 0 or self.kinds == NULL:
            return 0
        lead = self.lead_of(at - 1)
        return self.kind_at(lead, at - lead)

    cdef int prepare(self) except -1:
        """Find out with which bytes a match may begin."""
        cdef int kind, byte
        for byte in range(256):
            for kind in range(KINDS):
                if self.cell(self.starts[kind], byte) != DEAD:
                    self.live[byte] = True
        for byte in range(NEAR):
            self.tracks[byte].place = -1
        return 0

    cdef int all_runs(self, Py_ssize_t first, Py_ssize_t last) except -1 nogil:
        """Run from every character that begins in [first, last)."""
        cdef Py_ssize_t at = first
        cdef Py_ssize_t block
        while at < last:
            self.poll()
            block = min(last, at + BLOCK)
            while at < block and not self.live[self.data[at]]:
                at += 1
            if at < block:
                self.run_from(at)
                at += 1
        return 0

    cdef int run_from(self, Py_ssize_t at) except -1 nogil:
        """Run from a byte, if a character begins there."""
        cdef Outcome *result = &self.outcomes[at & (NEAR - 1)]
        cdef bint cut = False
        cdef int kind = 0
        cdef Py_ssize_t lead
        if continues(self.data[at]):
            lead = self.lead_of(at)
            # Whether a character begins here, after the first byte of one that is cut, is not known.
            cut = lead < at and self.size_at(lead) == CUT
            if lead < at and not cut:
                return 0
        if self.kept_count and at >= self.kept_until:
            self.forget()
        if not cut:
            kind = self.kind_before(at)
        self.run(at, self.starts[kind])
        if result.open or result.end >= 0:
            self.found_match(at, at if cut or result.end < 0 else result.end, result.open or cut)
        return 0


def scan_matches(const uint8_t[::1] data not None, automaton, const int8_t[::1] kinds not None, Py_ssize_t first,
                 Py_ssize_t last, bint whole, const uint8_t[::1] stop=None):
    """Matches that begin in [first, last) of some bytes: starts and ends (int64), and whether each is open (bool).

    automaton: one of longest matches. kinds: int8 per code point, the kind of each character. whole: the bytes end
    with the document. Otherwise a run that reaches their end is open: more bytes may make its match longer; if its end
    is its start, nothing has matched so far. Bytes before `first` are the preceding context.
    """
    cdef Scan scan = Scan.__new__(Scan)
    cdef Py_ssize_t i
    cdef const int64_t[::1] states = np.array(automaton.starts, dtype=np.int64)
    if not 0 <= first <= last <= data.shape[0]:
        raise ValueError("the places to begin at must lie within the data")
    if not 0 < states.shape[0] <= KINDS or min(states) < 0:
        raise ValueError("an automaton begins in a state for each kind of character")
    if kinds.shape[0] != 0x110000:
        raise ValueError("every character has a kind")
    if stop is not None:
        if not stop.shape[0]:
            raise ValueError("a stop flag must have a byte")
        scan.flag = &stop[0]
        if stop[0]:
            raise Stopped
    for i in range(KINDS):
        scan.starts[i] = states[i % states.shape[0]]
        if scan.starts[i] != states[0]:
            scan.kinds = &kinds[0]
    scan.automaton, scan.whole, scan.size = automaton, whole, data.shape[0]
    scan.data = &data[0] if data.shape[0] else NULL
    scan.refresh()
    scan.prepare()
    with nogil:
        scan.all_runs(first, last)
    starts_found = np.empty(scan.found_count, dtype=np.int64)
    ends = np.empty(scan.found_count, dtype=np.int64)
    opens = np.empty(scan.found_count, dtype=np.bool_)
    cdef int64_t[::1] out_start = starts_found
    cdef int64_t[::1] out_end = ends
    cdef uint8_t[::1] out_open = opens.view(np.uint8)
    for i in range(scan.found_count):
        out_start[i] = scan.found[3 * i]
        out_end[i] = scan.found[3 * i + 1]
        out_open[i] = scan.found[3 * i + 2] != 0
    return starts_found, ends, opens
