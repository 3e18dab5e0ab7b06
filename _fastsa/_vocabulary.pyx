# cython: language_level=3
"""A vocabulary, prepared for an automaton: the tokens that lead on from a state, and where in them a match begins.

Neither tables nor automaton are trusted: tokens are copied and checked once, and each state is checked before its row
is read. Inconsistent data raises ValueError.
"""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport free, realloc

from _fastsa._shard cimport flag_of
from _fastsa._suffixes cimport give_up

from _fastsa._shard import Stopped


cdef enum:
    DEAD = -1
    MATCH = -2
    UNKNOWN = -1
    NO_START = -2
    KINDS = 6           # of characters at most: explorer.text.patterns.kinds


cdef class Rows:
    """The part of an automaton's table that is filled. The automaton may replace its table whenever it fills a row."""

    cdef object automaton
    cdef const int32_t[:, ::1] table
    cdef const uint8_t[::1] filled
    cdef int64_t count

    def __cinit__(self, automaton not None):
        self.automaton = automaton
        self.load()

    cdef int load(self) except -1:
        self.table = self.automaton.table
        self.filled = self.automaton.filled
        self.count = min(self.table.shape[0], self.filled.shape[0])
        if self.table.shape[1] != 256:
            raise ValueError("a state must have a row of 256 numbers")
        return 0

    cdef int make(self, int64_t state) except -1:
        """Have the automaton fill a state's row."""
        if not 0 <= state < self.count:
            raise ValueError(f"state {state} is none of the automaton's")
        if self.filled[state]:
            return 0
        # The automaton cannot grow while its bytes are in use here.
        self.filled = None
        self.automaton.fill(state)
        self.load()
        if state >= self.count or not self.filled[state]:
            raise ValueError(f"state {state} was not filled")
        return 0

    # -7 is not a state: states are 0 or more, DEAD or MATCH. The caller asks for an error only if it is returned.
    cdef int32_t after(self, int32_t state, uint8_t byte) except? -7 nogil:
        """The state after a byte; `state` is 0 or more."""
        cdef int32_t found
        if state >= self.count or not self.filled[state]:
            with gil:
                self.make(state)
        found = self.table[state, byte]
        if found < MATCH:
            with gil:
                raise ValueError(f"the automaton goes from {state} to {found}")
        return found


cdef class Beginnings:
    """A growing list of rows of four numbers."""

    cdef int32_t *rows
    cdef int64_t count
    cdef int64_t room

    def __dealloc__(self):
        free(self.rows)

    cdef int add(self, int64_t token, int64_t offset, int32_t state, int needs) except -1 nogil:
        cdef int32_t *more
        if self.count == self.room:
            self.room = max(<int64_t>1024, 2 * self.room)
            more = <int32_t *>realloc(self.rows, self.room * 4 * sizeof(int32_t))
            if more == NULL:
                with gil:
                    raise MemoryError
            self.rows = more
        more = self.rows + 4 * self.count
        more[0], more[1], more[2], more[3] = <int32_t>token, <int32_t>offset, state, needs
        self.count += 1
        return 0

    cdef object array(self):
        if not self.count:
            return np.empty((0, 4), dtype=np.int32)
        return np.asarray(<int32_t[:self.count, :4]>self.rows).copy()


cdef class Vocabulary:
    """Bytes of every token, and the tokens in the order of their bytes.

    data: the tokens' bytes one after the other. starts: int64[tokens + 1], where each begins. order: int32[tokens], ids
    sorted by their bytes. kinds: int8[bytes], kind (0 to 5) of the character before the one that begins at a byte; -1
    unknown, -2 where none begins. The arrays are copied.
    """

    cdef const uint8_t[::1] data
    cdef const int64_t[::1] starts
    cdef const int32_t[::1] order
    cdef const int8_t[::1] kinds
    cdef int every                      # a bit for each kind of character
    cdef int32_t[::1] shared     # bytes that each token, in this order, shares with the one before it
    cdef int64_t[257] buckets    # the start of the tokens of each first byte in this order, after those without bytes
    cdef int64_t longest

    def __cinit__(self, const uint8_t[::1] data not None, const int64_t[::1] starts not None,
                  const int32_t[::1] order not None, const int8_t[::1] kinds not None):
        # Copies, which nobody else can change while they are read without the interpreter's lock.
        self.data, self.starts = np.array(data), np.array(starts)
        self.order, self.kinds = np.array(order), np.array(kinds)
        if self.starts.shape[0] - 1 != self.order.shape[0] or self.kinds.shape[0] != self.data.shape[0]:
            raise ValueError("the tables of a vocabulary must be of one length")
        self.check_bytes()
        self.check_order()

    cdef int check_bytes(self) except -1:
        cdef int64_t i
        cdef int64_t n = self.order.shape[0]
        if self.starts[0] != 0 or self.starts[n] != self.data.shape[0]:
            raise ValueError("the tokens must fill their bytes")
        self.longest = 0
        for i in range(n):
            if self.starts[i + 1] < self.starts[i]:
                raise ValueError(f"token {i} ends before it begins")
            self.longest = max(self.longest, self.starts[i + 1] - self.starts[i])
        for i in range(self.kinds.shape[0]):
            if not NO_START <= self.kinds[i] < KINDS:
                raise ValueError(f"{self.kinds[i]} is no kind of character")
        return 0

    cdef int check_order(self) except -1:
        """Measure the common prefixes of neighbors, and check that the order is that of the bytes, each token once."""
        cdef int64_t i, length, room
        cdef int64_t n = self.order.shape[0]
        cdef int byte = 0
        cdef uint8_t[::1] seen = np.zeros(n, dtype=np.uint8)
        self.shared = np.zeros(n, dtype=np.int32)
        for i in range(n):
            if not 0 <= self.order[i] < n or seen[self.order[i]]:
                raise ValueError(f"entry {i} of the order names no further token")
            seen[self.order[i]] = 1
            length = 0
            if i:
                room = min(self.size(i), self.size(i - 1))
                while length < room and self.byte(i, length) == self.byte(i - 1, length):
                    length += 1
                if length < self.size(i - 1) and (length == room and self.size(i) == room
                                                  or self.byte(i, length) < self.byte(i - 1, length)):
                    raise ValueError(f"entry {i} of the order is out of order")
            self.shared[i] = <int32_t>length
            while self.size(i) and byte <= self.byte(i, 0):
                self.buckets[byte] = i
                byte += 1
        while byte <= 256:
            self.buckets[byte] = n
            byte += 1
        return 0

    cdef inline int64_t size(self, int64_t i) noexcept nogil:
        """Bytes of a token, by its place in the order."""
        return self.starts[self.order[i] + 1] - self.starts[self.order[i]]

    cdef inline uint8_t byte(self, int64_t i, int64_t depth) noexcept nogil:
        return self.data[self.starts[self.order[i]] + depth]

    @property
    def token_count(self):
        """Number of tokens."""
        return self.order.shape[0]

    def steps(self, automaton, int64_t state, const uint8_t[::1] stop=None):
        """Tokens that lead on from a state, and the states that they lead to (or MATCH): two int32 arrays.

        Cost: the bytes in which neighboring tokens differ, until the automaton has no next state.
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef Rows rows = Rows(automaton)
        cdef int64_t n = self.order.shape[0]
        cdef int64_t filled = self.buckets[0]
        cdef int32_t[::1] stack = np.empty(self.longest + 1, dtype=np.int32)
        cdef bint stopped = False
        cdef int byte
        rows.make(state)
        ids, targets = np.empty(n, dtype=np.int32), np.full(n, state, dtype=np.int32)
        cdef int32_t[::1] out_id = ids
        cdef int32_t[::1] out_target = targets
        # Tokens without bytes stay in their state.
        out_id[:filled] = self.order[:filled]
        stack[0] = <int32_t>state
        with nogil:
            for byte in range(256):
                if give_up(flag, byte * 16):
                    stopped = True
                    break
                if self.buckets[byte] < self.buckets[byte + 1] and rows.after(<int32_t>state, byte) != DEAD:
                    filled = self.bucket_steps(rows, byte, stack, out_id, out_target, filled, flag)
                    if filled < 0:
                        stopped = True
                        break
        if stopped:
            raise Stopped
        return ids[:filled].copy(), targets[:filled].copy()

    cdef int64_t bucket_steps(self, Rows rows, int byte, int32_t[::1] stack, int32_t[::1] ids, int32_t[::1] targets,
                              int64_t filled, const uint8_t *flag) except? -7 nogil:
        """The steps by tokens of one first byte; returns how many there are now, -1 if the flag was set."""
        cdef int64_t i, length, depth, at
        cdef int64_t known = 0
        cdef int32_t s
        for i in range(self.buckets[byte], self.buckets[byte + 1]):
            if give_up(flag, i):
                return -1
            at = self.starts[self.order[i]]
            length = self.size(i)
            # stack[d] is the state after d bytes. Bytes shared with the token before need not be run again, as far as
            # that token was run at all.
            depth = min(<int64_t>self.shared[i], known)
            s = stack[depth]
            while s >= 0 and depth < length:
                s = rows.after(s, self.data[at + depth])
                depth += 1
                stack[depth] = s
            known = depth
            if s != DEAD:
                ids[filled] = self.order[i]
                targets[filled] = s
                filled += 1
        return filled

    def beginnings(self, automaton, const uint8_t[::1] stop=None):
        """Where in a token a match can begin: int32[n, 4] of tokens, byte offsets, states after the token (or MATCH),
        and for which kinds of character before it this holds (one bit per kind; 0 if it holds for all, or if the token
        itself contains that character).
        """
        cdef const uint8_t *flag = flag_of(stop)
        cdef Rows rows = Rows(automaton)
        cdef Beginnings found = Beginnings()
        cdef int64_t i
        cdef int kind
        cdef int32_t[KINDS] starts
        cdef uint8_t[256] live
        cdef bint stopped = False
        cdef int count = len(automaton.starts)
        if count > KINDS:
            raise ValueError(f"an automaton begins in a state for each of {KINDS} kinds of character")
        self.every = (1 << count) - 1
        for kind in range(KINDS):
            starts[kind] = automaton.starts[kind] if kind < count else DEAD
        with nogil:
            for i in range(256):
                live[i] = self.may_begin(rows, starts, i)
            for i in range(self.order.shape[0]):
                if give_up(flag, i):
                    stopped = True
                    break
                self.begin_within(rows, starts, live, i, found)
        if stopped:
            raise Stopped
        return found.array()

    cdef int may_begin(self, Rows rows, const int32_t *starts, uint8_t byte) except -1 nogil:
        """Whether a match can begin with a byte."""
        cdef int kind
        for kind in range(KINDS):
            if starts[kind] != DEAD:
                if starts[kind] < 0:
                    with gil:
                        raise ValueError(f"no match begins in state {starts[kind]}")
                if rows.after(starts[kind], byte) != DEAD:
                    return 1
        return 0

    cdef int begin_within(self, Rows rows, const int32_t *starts, const uint8_t *live, int64_t token,
                          Beginnings found) except -1 nogil:
        """The starts in one token."""
        cdef int64_t at, offset
        cdef int64_t end = self.starts[token + 1]
        cdef int kind
        cdef int32_t s
        for at in range(self.starts[token], end):
            if not live[self.data[at]]:
                continue
            kind = self.kinds[at]
            offset = at - self.starts[token]
            if kind == UNKNOWN:
                self.begin_anyhow(rows, starts, token, at, found)
            # The other value is NO_START: a byte inside a character, where no match begins.
            elif kind >= 0:
                s = self.run(rows, starts[kind], at, end)
                if s != DEAD:
                    found.add(token, offset, s, 0)
        return 0

    cdef int begin_anyhow(self, Rows rows, const int32_t *starts, int64_t token, int64_t at,
                          Beginnings found) except -1 nogil:
        """The starts at a byte that any character may precede; kinds that lead to the same state are merged."""
        cdef int32_t[KINDS] states
        cdef int kind, other, needs
        for kind in range(KINDS):
            states[kind] = DEAD
            for other in range(kind):
                if starts[other] == starts[kind]:
                    states[kind] = states[other]
                    break
            else:
                states[kind] = self.run(rows, starts[kind], at, self.starts[token + 1])
        for kind in range(KINDS):
            needs = 0
            for other in range(KINDS):
                needs |= (states[other] == states[kind]) << other
            # Kinds that lead to one state share a row: the first of them adds it.
            if states[kind] != DEAD and not needs & ((1 << kind) - 1):
                found.add(token, at - self.starts[token], states[kind], 0 if needs == self.every else needs)
        return 0

    cdef int32_t run(self, Rows rows, int32_t state, int64_t at, int64_t end) except? -7 nogil:
        """The state after the bytes [at, end) of the tokens."""
        while state >= 0 and at < end:
            state = rows.after(state, self.data[at])
            at += 1
        return state
