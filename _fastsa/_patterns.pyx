# cython: language_level=3
"""A pattern's automaton walked over the tokens of a vocabulary and the suffix array at once.

An occurrence of a text begins at some byte of a first token, is tiled by the tokens after it, and ends in a last one.
The suffix array, read as a trie of tokens, says which of these n-grams occur: each step narrows a rank range, and a
range that is empty ends its branch. Cost depends on the vocabulary and the pattern, hardly on the corpus.
"""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from _fastsa._shard cimport Shard
from _fastsa._suffixes cimport Found, find_query, pointer_at, points_to_token, run_end, token_after

from _fastsa._shard import Stopped


cdef enum:
    DEAD = -1
    MATCH = -2
    POLL = 4095     # a look at the stop flag every so many steps


class TooBroad(Exception):
    """A pattern has more distinct n-grams than the caller is ready to hold."""


cdef class Vocabulary:
    """Bytes of every token, and the tokens in the order of their bytes.

    data: the tokens' bytes one after the other. starts: int64[tokens + 1], where each begins. order: int32[tokens], ids
    sorted by their bytes. shared: int32[tokens], bytes that each in this order shares with the one before. kinds:
    int8[bytes], kind of the character before the one that begins at a byte; -1 unknown, -2 where none begins.
    """

    cdef const uint8_t[::1] data
    cdef const int64_t[::1] starts
    cdef const int32_t[::1] order
    cdef const int32_t[::1] shared
    cdef const int8_t[::1] kinds
    cdef Py_ssize_t longest

    def __init__(self, const uint8_t[::1] data, const int64_t[::1] starts, const int32_t[::1] order,
                 const int32_t[::1] shared, const int8_t[::1] kinds):
        cdef Py_ssize_t i
        cdef Py_ssize_t n = starts.shape[0] - 1
        if n < 0 or order.shape[0] != n or shared.shape[0] != n or kinds.shape[0] != data.shape[0]:
            raise ValueError("the tables of a vocabulary must be of one length")
        if starts[0] != 0 or starts[n] != data.shape[0]:
            raise ValueError("the tokens must fill their bytes")
        self.longest = 0
        for i in range(n):
            if starts[i + 1] < starts[i] or not 0 <= order[i] < n:
                raise ValueError(f"token {i} has a wrong place")
            self.longest = max(self.longest, starts[i + 1] - starts[i])
        self.data, self.starts, self.order, self.shared, self.kinds = data, starts, order, shared, kinds

    @property
    def token_count(self):
        """Number of tokens."""
        return self.order.shape[0]

    def steps(self, automaton, int32_t state):
        """Tokens that lead on from a state, and the states that they lead to (or MATCH): two int32 arrays.

        Cost: the bytes in which neighboring tokens differ, as far as the automaton lives.
        """
        cdef Py_ssize_t n = self.order.shape[0]
        cdef Py_ssize_t i, at, length, depth
        cdef Py_ssize_t known = 0
        cdef Py_ssize_t filled = 0
        cdef int32_t token, s
        cdef int32_t[:, ::1] table = automaton.table
        cdef uint8_t[::1] ready = automaton.filled
        cdef int32_t[::1] stack = np.empty(self.longest + 1, dtype=np.int32)
        ids = np.empty(n, dtype=np.int32)
        targets = np.empty(n, dtype=np.int32)
        cdef int32_t[::1] out_id = ids
        cdef int32_t[::1] out_target = targets
        stack[0] = state
        for i in range(n):
            token = self.order[i]
            at = self.starts[token]
            length = self.starts[token + 1] - at
            depth = min(<Py_ssize_t>self.shared[i], known)
            s = stack[depth]
            while s >= 0 and depth < length:
                if not ready[s]:
                    del ready
                    automaton.fill(s)
                    table = automaton.table
                    ready = automaton.filled
                s = table[s, self.data[at + depth]]
                depth += 1
                stack[depth] = s
            known = depth
            if s != DEAD:
                out_id[filled] = token
                out_target[filled] = s
                filled += 1
        return ids[:filled].copy(), targets[:filled].copy()

    def beginnings(self, automaton):
        """Where in a token a match can begin: int32 arrays of tokens, byte offsets, states after the token (or MATCH),
        and for which kinds of character before it this holds (a bit for each; only where the token does not say it).
        """
        cdef Py_ssize_t i, at, end
        cdef int kind, other
        cdef int32_t s
        cdef int[3] needs
        cdef int32_t[3] starts
        cdef list found = []
        for kind in range(3):
            starts[kind] = automaton.starts[kind]
            automaton.fill(starts[kind])
        # Kinds of character that begin in the same state are one case, that of the first of them.
        for kind in range(3):
            needs[kind] = 0
            for other in range(3):
                if starts[other] == starts[kind]:
                    needs[kind] |= 1 << other
        cdef int32_t[:, ::1] table = automaton.table
        for i in range(self.order.shape[0]):
            end = self.starts[i + 1]
            for at in range(self.starts[i], end):
                kind = self.kinds[at]
                if kind == -2:
                    continue
                if kind >= 0:
                    if table[starts[kind], self.data[at]] != DEAD:
                        s = self.run(automaton, starts[kind], at, end)
                        table = automaton.table
                        if s != DEAD:
                            found.append((i, at - self.starts[i], s, 0))
                    continue
                for kind in range(3):
                    if needs[kind] & ((1 << kind) - 1) or table[starts[kind], self.data[at]] == DEAD:
                        continue
                    s = self.run(automaton, starts[kind], at, end)
                    table = automaton.table
                    if s != DEAD:
                        found.append((i, at - self.starts[i], s, 0 if needs[kind] == 7 else needs[kind]))
        return np.array(found, dtype=np.int32).reshape(-1, 4)

    cdef int32_t run(self, automaton, int32_t state, Py_ssize_t at, Py_ssize_t end) except? -7:
        """The state after the bytes [at, end) of the tokens."""
        cdef int32_t[:, ::1] table = automaton.table
        cdef int32_t s = state
        while s >= 0 and at < end:
            if not automaton.filled[s]:
                automaton.fill(s)
                table = automaton.table
            s = table[s, self.data[at]]
            at += 1
        return s


cdef struct Steps:
    bint known
    bint at_end          # the end of the text completes a match
    int64_t count
    uint32_t *keys       # the tokens' stored bytes as a number, ascending
    uint32_t *tokens
    int32_t *targets


cdef struct Frame:
    int64_t rank         # the part of the range that was not looked at yet
    int64_t last
    int64_t depth        # tokens of the n-gram
    int64_t next         # the next of the state's steps
    int32_t state


cdef inline uint32_t key_of_token(uint32_t token, int width) noexcept nogil:
    """A token's stored bytes as a number that sorts as the table does."""
    if width == 1:
        return token
    if width == 2:
        return ((token & 0xFF) << 8) | (token >> 8)
    return ((token & 0xFF) << 24) | ((token & 0xFF00) << 8) | ((token >> 8) & 0xFF00) | (token >> 24)


def steps_within(Vocabulary vocabulary, automaton, int32_t state, int64_t separator):
    """As `Vocabulary.steps`; the separator, whatever its bytes would be, is the end of the document."""
    ids, targets = vocabulary.steps(automaton, state)
    inside = ids != separator
    ids, targets = ids[inside].astype(np.int64), targets[inside]
    if automaton.at_end[state]:
        ids, targets = np.append(ids, separator), np.append(targets, np.int32(MATCH))
    return ids, targets


cdef class Walk:
    """One pattern in one forward shard: n-grams that hold it, as rank ranges.

    Finds are kept in the order in which they are found: `group` (that of `run`), `first`, `last`, `depth` in tokens.
    """

    cdef Shard shard
    cdef Vocabulary vocabulary
    cdef object automaton
    cdef int64_t separator
    cdef Steps *steps
    cdef int64_t state_room
    cdef Frame *frames
    cdef int64_t frame_room
    cdef int64_t *found      # four numbers a find
    cdef int64_t found_count
    cdef int64_t found_room
    cdef int64_t limit
    cdef readonly int64_t looked

    def __init__(self, Shard shard, Vocabulary vocabulary, automaton, int64_t separator, int64_t limit=1 << 22):
        self.shard, self.vocabulary, self.automaton, self.separator = shard, vocabulary, automaton, separator
        self.limit = limit
        self.found_room = 1024
        self.frame_room = 256
        self.found = <int64_t *>malloc(self.found_room * 4 * sizeof(int64_t))
        self.frames = <Frame *>malloc(self.frame_room * sizeof(Frame))
        if self.found == NULL or self.frames == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef int64_t i
        for i in range(self.state_room):
            free(self.steps[i].keys)
            free(self.steps[i].tokens)
            free(self.steps[i].targets)
        free(self.steps)
        free(self.frames)
        free(self.found)

    cdef int learn(self, int32_t state) except -1:
        """Compute which tokens lead on from a state, in the order of the table."""
        cdef int64_t i, n
        cdef int64_t room
        cdef Steps *more
        ids, targets = steps_within(self.vocabulary, self.automaton, state, self.separator)
        ends = bool(self.automaton.at_end[state])
        width = self.shard.arrays.width
        big = np.asarray(ids, dtype=np.int64).astype(f"<u{width}").view(f">u{width}").astype(np.uint32)
        order = np.argsort(big, kind="stable")
        cdef const uint32_t[::1] in_keys = np.ascontiguousarray(big[order])
        cdef const int64_t[::1] in_ids = np.ascontiguousarray(np.asarray(ids, dtype=np.int64)[order])
        cdef const int64_t[::1] in_targets = np.ascontiguousarray(np.asarray(targets, dtype=np.int64)[order])
        n = in_keys.shape[0]
        if state >= self.state_room:
            room = max(<int64_t>64, 2 * <int64_t>state)
            more = <Steps *>realloc(self.steps, room * sizeof(Steps))
            if more == NULL:
                raise MemoryError
            self.steps = more
            for i in range(self.state_room, room):
                more[i].known = False
                more[i].keys = NULL
                more[i].tokens = NULL
                more[i].targets = NULL
            self.state_room = room
        cdef Steps *s = &self.steps[state]
        s.keys = <uint32_t *>malloc(max(n, 1) * sizeof(uint32_t))
        s.tokens = <uint32_t *>malloc(max(n, 1) * sizeof(uint32_t))
        s.targets = <int32_t *>malloc(max(n, 1) * sizeof(int32_t))
        if s.keys == NULL or s.tokens == NULL or s.targets == NULL:
            raise MemoryError
        for i in range(n):
            s.keys[i] = in_keys[i]
            s.tokens[i] = <uint32_t>in_ids[i]
            s.targets[i] = <int32_t>in_targets[i]
        s.count = n
        s.at_end = ends
        s.known = True
        return 0

    cdef int keep(self, int64_t group, int64_t first, int64_t last, int64_t depth) except -1 nogil:
        cdef int64_t *more
        if self.found_count == self.found_room:
            if self.found_count >= self.limit:
                with gil:
                    raise TooBroad
            self.found_room *= 2
            more = <int64_t *>realloc(self.found, self.found_room * 4 * sizeof(int64_t))
            if more == NULL:
                with gil:
                    raise MemoryError
            self.found = more
        more = self.found + 4 * self.found_count
        more[0], more[1], more[2], more[3] = group, first, last, depth
        self.found_count += 1
        return 0

    cdef int push(self, int64_t top, int64_t first, int64_t last, int64_t depth, int32_t state) except -1 nogil:
        cdef Frame *more
        if top == self.frame_room:
            self.frame_room *= 2
            more = <Frame *>realloc(self.frames, self.frame_room * sizeof(Frame))
            if more == NULL:
                with gil:
                    raise MemoryError
            self.frames = more
        if state >= self.state_room or not self.steps[state].known:
            with gil:
                self.learn(state)
        self.frames[top].rank = first
        self.frames[top].last = last
        self.frames[top].depth = depth
        self.frames[top].next = 0
        self.frames[top].state = state
        return 0

    cdef int follow(self, int64_t group, int64_t first, int64_t last, int32_t state,
                    const uint8_t[::1] stop) except -1 nogil:
        """All finds that begin with one token, depth first."""
        cdef int64_t top = 0
        cdef int64_t damaged = -1
        cdef int64_t token, end, low, high, middle, step
        cdef uint32_t key
        cdef uint64_t depth
        cdef Frame *f
        cdef Steps *s
        cdef int width = self.shard.arrays.width
        self.push(0, first, last, 1, state)
        top = 1
        while top:
            f = &self.frames[top - 1]
            s = &self.steps[f.state]
            if f.rank >= f.last or (f.next >= s.count and not s.at_end):
                top -= 1
                continue
            self.looked += 1
            if (self.looked & POLL) == 0 and stop is not None and stop[0]:
                with gil:
                    raise Stopped
            depth = <uint64_t>(f.depth * width)
            token = token_after(&self.shard.arrays, f.rank, depth, &damaged)
            if damaged >= 0:
                with gil:
                    self.shard.check(damaged)
            if token < 0:
                # The text ends here; of all that begin so this suffix is the first.
                if s.at_end:
                    self.keep(group, f.rank, f.rank + 1, f.depth)
                f.rank += 1
                continue
            key = key_of_token(<uint32_t>token, width)
            # The first step that is not before this token: gallop, then halve.
            step = 1
            low = f.next
            while low + step < s.count and s.keys[low + step] < key:
                low += step
                step *= 2
            high = min(low + step, s.count)
            if low < s.count and s.keys[low] < key:
                low += 1
            while low < high:
                middle = low + (high - low) // 2
                if s.keys[middle] < key:
                    low = middle + 1
                else:
                    high = middle
            f.next = low
            if low >= s.count:
                top -= 1
                continue
            if s.keys[low] == key:
                end = run_end(&self.shard.arrays, f.rank, f.last, depth, token, &damaged)
                first = f.rank
                f.rank = end
                f.next = low + 1
                if s.targets[low] == MATCH:
                    self.keep(group, first, end, f.depth + 1)
                else:
                    self.push(top, first, end, f.depth + 1, s.targets[low])
                    top += 1
            else:
                f.rank = self.skip(f.rank, f.last, depth, s.keys[low], &damaged)
            if damaged >= 0:
                with gil:
                    self.shard.check(damaged)
        return 0

    cdef int64_t skip(self, int64_t rank, int64_t last, uint64_t depth, uint32_t key, int64_t *damaged) noexcept nogil:
        """First rank of [rank, last) whose token at this depth is not before `key`; that of `rank` is."""
        cdef int64_t step = 1
        cdef int64_t high, middle
        while rank + step < last and self.before(rank + step, depth, key, damaged):
            rank += step
            step *= 2
        high = min(rank + step, last)
        rank += 1
        while rank < high:
            middle = rank + (high - rank) // 2
            if self.before(middle, depth, key, damaged):
                rank = middle + 1
            else:
                high = middle
        return rank

    cdef inline bint before(self, int64_t rank, uint64_t depth, uint32_t key, int64_t *damaged) noexcept nogil:
        cdef int64_t token = token_after(&self.shard.arrays, rank, depth, damaged)
        return token < 0 or key_of_token(<uint32_t>token, self.shard.arrays.width) < key

    def run(self, const int64_t[::1] tokens, const int64_t[::1] firsts, const int64_t[::1] lasts,
            const int32_t[::1] states, const uint8_t[::1] stop=None):
        """Walk from tokens[i], of the rank range [firsts[i], lasts[i]), after which the automaton is in states[i].

        Returns int64[finds, 4]: which i, first rank, one past the last rank, tokens of the n-gram.
        """
        cdef Py_ssize_t i
        if lasts.shape[0] != firsts.shape[0] or states.shape[0] != firsts.shape[0]:
            raise ValueError("ranges and states must be of one length")
        for i in range(firsts.shape[0]):
            self.shard.check_range(firsts[i], lasts[i])
        self.found_count = 0
        with nogil:
            for i in range(firsts.shape[0]):
                if firsts[i] == lasts[i]:
                    continue
                if states[i] == MATCH:
                    self.keep(i, firsts[i], lasts[i], 1)
                else:
                    self.follow(i, firsts[i], lasts[i], states[i], stop)
        result = np.empty((self.found_count, 4), dtype=np.int64)
        cdef int64_t[:, ::1] out = result
        for i in range(4 * self.found_count):
            out[i // 4, i % 4] = self.found[i]
        return result


cdef class ReversedWalk:
    """As `Walk`, in a shard whose documents are stored from their last token to their first.

    There, a token more at an n-gram's end is one more before its stored form, so that no range narrows: every
    candidate is looked up by itself, those alone that the text has where the n-gram is rarer than they are many.
    """

    cdef Shard shard
    cdef Vocabulary vocabulary
    cdef object automaton
    cdef int64_t separator
    cdef dict steps
    cdef int64_t limit
    cdef readonly int64_t looked

    def __init__(self, Shard shard, Vocabulary vocabulary, automaton, int64_t separator, int64_t limit=1 << 22):
        self.shard, self.vocabulary, self.automaton, self.separator = shard, vocabulary, automaton, separator
        self.steps = {}
        self.limit = limit

    cdef tuple learn(self, int32_t state):
        """Tokens that lead on from a state, ascending, and their states."""
        known = self.steps.get(state)
        if known is None:
            ids, targets = steps_within(self.vocabulary, self.automaton, state, self.separator)
            order = np.argsort(ids, kind="stable")
            known = self.steps[state] = (ids.astype(np.int64)[order], targets.astype(np.int64)[order])
        return known

    def run(self, const int64_t[::1] tokens, const int64_t[::1] firsts, const int64_t[::1] lasts,
            const int32_t[::1] states, const uint8_t[::1] stop=None):
        """As `Walk.run`."""
        cdef Py_ssize_t i
        cdef list found = []
        width = self.shard.arrays.width
        for i in range(tokens.shape[0]):
            if firsts[i] == lasts[i]:
                continue
            if states[i] == MATCH:
                found.append((i, firsts[i], lasts[i], 1))
                continue
            waiting = [(int(tokens[i]).to_bytes(width, "little"), firsts[i], lasts[i], states[i], 1)]
            while waiting:
                if stop is not None and stop[0]:
                    raise Stopped
                stored, first, last, state, depth = waiting.pop()
                self.extend(found, waiting, i, stored, first, last, state, depth)
                if len(found) > self.limit:
                    raise TooBroad
        return np.array(found, dtype=np.int64).reshape(-1, 4)

    cdef int extend(self, list found, list waiting, Py_ssize_t group, bytes stored, int64_t first, int64_t last,
                    int32_t state, int64_t depth) except -1:
        """Look up the n-gram with each token that leads on."""
        cdef const int64_t[::1] ids
        cdef const int64_t[::1] targets
        cdef Found result
        cdef Py_ssize_t i
        cdef int width = self.shard.arrays.width
        cdef uint32_t token
        cdef uint8_t[::1] query = np.frombuffer(bytearray(width) + stored, dtype=np.uint8)
        ids, targets = self.learn(state)
        if last - first < ids.shape[0]:
            there = np.isin(ids, self.tokens_before(first, last))
            ids, targets = np.asarray(ids)[there], np.asarray(targets)[there]
        self.looked += ids.shape[0]
        for i in range(ids.shape[0]):
            token = <uint32_t>ids[i]
            memcpy(&query[0], &token, width)
            result = find_query(&self.shard.arrays, &query[0], query.shape[0])
            self.shard.check(result.damaged)
            if result.first == result.last:
                continue
            if targets[i] == MATCH:
                found.append((group, result.first, result.last, depth + 1))
            else:
                waiting.append((bytes(query), result.first, result.last, targets[i], depth + 1))
        return 0

    cdef object tokens_before(self, int64_t first, int64_t last):
        """Distinct tokens stored before the suffixes of some ranks."""
        cdef int64_t rank
        cdef uint64_t pointer
        cdef uint32_t token = 0
        cdef int width = self.shard.arrays.width
        result = np.empty(last - first, dtype=np.int64)
        cdef int64_t[::1] out = result
        for rank in range(first, last):
            pointer = pointer_at(&self.shard.arrays, <uint64_t>rank)
            if not points_to_token(&self.shard.arrays, pointer):
                self.shard.check(rank)
            # Each document begins with a separator: there is a token before every other one.
            out[rank - first] = self.separator
            if pointer:
                memcpy(&token, self.shard.arrays.tokens + pointer - width, width)
                out[rank - first] = <int64_t>token
        return np.unique(result)
