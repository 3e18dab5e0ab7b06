# cython: language_level=3
"""Walks a pattern's automaton over the tokens of a vocabulary and the suffix array together.

An occurrence of a text begins at some byte of a first token, is tiled by the tokens after it, and ends in a last one.
The suffix array, read as a trie of tokens, determines which of these n-grams occur: each step narrows a rank range, and
an empty range ends its branch. Cost depends on the vocabulary and the pattern, hardly on the corpus.

Neither the automaton nor its next states are trusted: see `_vocabulary`.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport Found, find_query, give_up, pointer_at, points_to_token, run_end, token_after

from _fastsa._shard import Stopped
from _fastsa._vocabulary import Vocabulary


cdef enum:
    MATCH = -2
    LEARNING = 8        # tokens that lead nowhere from a state and together cost as much as one look into the table


class TooBroad(Exception):
    """A pattern has more n-grams, or needs more looks into the table, than the caller allows.

    Attributes: `done`, how many of the `groups` of `run` were walked; `occurrences`, a lower bound of the occurrences
    in these and the current one.
    """

    def __init__(self, done, groups, occurrences):
        self.done, self.groups, self.occurrences = int(done), int(groups), int(occurrences)
        super().__init__(f"{done} of {groups} groups were walked")


cdef struct Steps:
    bint known
    bint at_end          # the end of the text completes a match
    int64_t count
    uint32_t *keys       # the tokens' stored bytes as a number, ascending
    int32_t *targets


cdef struct Frame:
    int64_t rank         # the part of the range that was not searched yet
    int64_t last
    int64_t depth        # tokens of the n-gram
    int64_t next         # the next step of the state
    int32_t state


cdef inline uint32_t key_of_token(uint32_t token, int width) noexcept nogil:
    """A token's stored bytes as a number that sorts as the table does."""
    if width == 1:
        return token
    if width == 2:
        return ((token & 0xFF) << 8) | (token >> 8)
    return ((token & 0xFF) << 24) | ((token & 0xFF00) << 8) | ((token >> 8) & 0xFF00) | (token >> 24)


cdef class Walk:
    """One pattern in one forward shard: the n-grams that contain it, as rank ranges.

    limit: the maximum number of n-grams. most: the maximum number of looks into the table; a state's pass over the
    vocabulary counts as several, and as more if more tokens lead on. `looked` counts them.
    """

    cdef Shard shard
    cdef object vocabulary
    cdef object automaton
    cdef int64_t separator
    # In memory of malloc, since they grow while the interpreter's lock is given up. Owned by the walk, and freed with
    # it.
    cdef Steps *steps
    cdef int64_t state_room
    cdef Frame *frames
    cdef int64_t frame_room
    cdef int64_t *found      # four numbers per find
    cdef int64_t found_count
    cdef int64_t found_room
    cdef int64_t limit
    cdef int64_t most
    cdef bint running
    cdef readonly int64_t looked

    def __cinit__(self, Shard shard not None, vocabulary not None, automaton not None, int64_t separator,
                  int64_t limit=1 << 22, int64_t most=1 << 62):
        if not isinstance(vocabulary, Vocabulary):
            raise TypeError("a walk needs a Vocabulary")
        if not 0 <= separator < <int64_t>1 << 8 * shard.array.width:
            raise ValueError(f"{separator} is no token of this shard")
        self.shard, self.vocabulary, self.automaton, self.separator = shard, vocabulary, automaton, separator
        self.limit, self.most = limit, most
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
            free(self.steps[i].targets)
        free(self.steps)
        free(self.frames)
        free(self.found)

    cdef tuple steps_within(self, int32_t state, object stop):
        """As `Vocabulary.steps`; the separator is the end of the document, whatever its bytes are."""
        ids, targets = self.vocabulary.steps(self.automaton, state, stop)
        inside = ids < self.separator
        ids, targets = ids[inside].astype(np.int64), targets[inside]
        if self.automaton.at_end[state]:
            # A document ends where the separator of the next one is.
            ids, targets = np.append(ids, self.separator), np.append(targets, np.int32(MATCH))
        self.looked += self.vocabulary.token_count // LEARNING + len(ids)
        return ids, targets

    cdef int learn(self, int32_t state, object stop) except -1:
        """Compute which tokens lead on from a state, in the order of the table."""
        cdef int64_t i, n
        cdef int64_t width = self.shard.array.width
        ids, targets = self.steps_within(state, stop)
        # The table is sorted by stored bytes. Read with the first byte as the highest, they sort as numbers.
        keys = ids.astype(f"<u{width}").view(f">u{width}").astype(np.uint32)
        order = np.argsort(keys, kind="stable")
        cdef const uint32_t[::1] in_keys = np.ascontiguousarray(keys[order])
        cdef const int32_t[::1] in_targets = np.ascontiguousarray(targets[order])
        n = in_keys.shape[0]
        self.make_room(state)
        cdef Steps *s = &self.steps[state]
        s.keys = <uint32_t *>malloc(max(n, 1) * sizeof(uint32_t))
        s.targets = <int32_t *>malloc(max(n, 1) * sizeof(int32_t))
        if s.keys == NULL or s.targets == NULL:
            raise MemoryError
        for i in range(n):
            s.keys[i] = in_keys[i]
            s.targets[i] = in_targets[i]
        s.count = n
        s.at_end = bool(self.automaton.at_end[state])
        s.known = True
        return 0

    cdef int make_room(self, int64_t state) except -1:
        cdef int64_t i
        cdef int64_t room = max(<int64_t>64, 2 * state)
        cdef Steps *more
        if state < self.state_room:
            return 0
        # Pointers into the old array are worthless after this: see `follow`.
        more = <Steps *>realloc(self.steps, room * sizeof(Steps))
        if more == NULL:
            raise MemoryError
        self.steps = more
        for i in range(self.state_room, room):
            more[i].known = False
            more[i].keys = NULL
            more[i].targets = NULL
        self.state_room = room
        return 0

    cdef int keep(self, int64_t group, int64_t first, int64_t last, int64_t depth) except -1 nogil:
        cdef int64_t *more
        if self.found_count >= self.limit:
            with gil:
                raise TooBroad(0, 0, 0)
        if self.found_count == self.found_room:
            more = <int64_t *>realloc(self.found, 2 * self.found_room * 4 * sizeof(int64_t))
            if more == NULL:
                with gil:
                    raise MemoryError
            self.found_room *= 2
            self.found = more
        more = self.found + 4 * self.found_count
        more[0], more[1], more[2], more[3] = group, first, last, depth
        self.found_count += 1
        return 0

    cdef int push(self, int64_t top, int64_t first, int64_t last, int64_t depth, int32_t state,
                  const uint8_t[::1] stop) except -1 nogil:
        cdef Frame *more
        if top == self.frame_room:
            more = <Frame *>realloc(self.frames, 2 * self.frame_room * sizeof(Frame))
            if more == NULL:
                with gil:
                    raise MemoryError
            self.frame_room *= 2
            self.frames = more
        if state < 0 or state >= self.state_room or not self.steps[state].known:
            with gil:
                # Only Python can compute the steps of a state. It does so once, at the first visit.
                self.learn(state, None if stop is None else stop)
        self.frames[top].rank = first
        self.frames[top].last = last
        self.frames[top].depth = depth
        self.frames[top].next = 0
        self.frames[top].state = state
        return 0

    cdef int look(self, const uint8_t *flag) except -1 nogil:
        """Count a look into the table; periodically check whether to stop."""
        if give_up(flag, self.looked):
            with gil:
                raise Stopped
        self.looked += 1
        if self.looked > self.most:
            with gil:
                raise TooBroad(0, 0, 0)
        return 0

    cdef int follow(self, int64_t group, int64_t first, int64_t last, int64_t depth, int32_t state,
                    const uint8_t[::1] stop, const uint8_t *flag) except -1 nogil:
        """All finds that begin with one n-gram of `depth` tokens, depth first."""
        cdef int64_t top = 0
        cdef int64_t damaged = -1
        cdef int64_t token, end, at
        cdef uint32_t key
        cdef uint64_t skipped
        cdef Frame *f
        cdef Steps *s
        cdef int width = self.shard.array.width
        # A stack of its own, one frame per token, since the depth of an n-gram is limited by the pattern only.
        self.push(0, first, last, depth, state, stop)
        top = 1
        while top:
            f = &self.frames[top - 1]
            s = &self.steps[f.state]
            if f.rank >= f.last or (f.next >= s.count and not s.at_end):
                top -= 1
                continue
            self.look(flag)
            skipped = <uint64_t>(f.depth * width)
            token = token_after(&self.shard.array, f.rank, skipped, &damaged)
            if token < 0 and damaged < 0:
                # The text ends here; this suffix is the first of all that begin like it.
                if s.at_end:
                    self.keep(group, f.rank, f.rank + 1, f.depth)
                f.rank += 1
                continue
            if damaged < 0:
                key = key_of_token(<uint32_t>token, width)
                at = f.next = next_step(s, f.next, key)
                if at >= s.count:
                    top -= 1
                elif s.keys[at] != key:
                    # Tokens of the table and of the state are merged: each side gallops to the next token that the
                    # other side has.
                    f.rank = self.skip(f.rank, f.last, skipped, s.keys[at], &damaged)
                else:
                    end = run_end(&self.shard.array, f.rank, f.last, skipped, token, &damaged)
                    first = f.rank
                    f.rank = end
                    f.next = at + 1
                    if s.targets[at] == MATCH:
                        self.keep(group, first, end, f.depth + 1)
                    else:
                        # May move all frames and steps, so f and s are not used after it.
                        self.push(top, first, end, f.depth + 1, s.targets[at], stop)
                        top += 1
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
        cdef int64_t token = token_after(&self.shard.array, rank, depth, damaged)
        return token < 0 or key_of_token(<uint32_t>token, self.shard.array.width) < key

    def run(self, const int64_t[::1] tokens not None, const int64_t[::1] firsts not None,
            const int64_t[::1] lasts not None, const int32_t[::1] states not None, const uint8_t[::1] stop=None):
        """Walk from tokens[i], of the rank range [firsts[i], lasts[i]), after which the automaton is in states[i].

        Returns int64[finds, 4]: which i, first rank, one past the last rank, tokens of the n-gram. Raises TooBroad.
        """
        cdef Py_ssize_t i = 0
        cdef const uint8_t *flag = flag_of(stop)
        self.check_groups(tokens, firsts, lasts, states)
        # Frames and finds belong to the walk, so only one thread may use it at a time.
        if self.running:
            raise ValueError("this walk is under way in another thread")
        self.found_count = 0
        self.running = True
        try:
            with nogil:
                for i in range(firsts.shape[0]):
                    self.look(flag)
                    if firsts[i] == lasts[i]:
                        continue
                    if states[i] == MATCH:
                        self.keep(i, firsts[i], lasts[i], 1)
                    else:
                        self.follow(i, firsts[i], lasts[i], 1, states[i], stop, flag)
            return self.finds()
        except TooBroad:
            finds = self.finds()
            raise TooBroad(i, firsts.shape[0], (finds[:, 2] - finds[:, 1]).sum()) from None
        finally:
            self.running = False

    cdef int check_groups(self, const int64_t[::1] tokens, const int64_t[::1] firsts, const int64_t[::1] lasts,
                          const int32_t[::1] states) except -1:
        cdef Py_ssize_t i
        cdef Py_ssize_t n = firsts.shape[0]
        if lasts.shape[0] != n or states.shape[0] != n or tokens.shape[0] != n:
            raise ValueError("tokens, ranges and states must be of one length")
        for i in range(n):
            self.shard.check_range(firsts[i], lasts[i])
        return 0

    cdef object finds(self):
        result = np.empty((self.found_count, 4), dtype=np.int64)
        cdef int64_t[:, ::1] out = result
        if self.found_count:
            memcpy(&out[0, 0], self.found, self.found_count * 4 * sizeof(int64_t))
        return result


cdef inline int64_t next_step(const Steps *s, int64_t low, uint32_t key) noexcept nogil:
    """The first step from number `low` on whose token is not before this one; gallops, then halves."""
    cdef int64_t step = 1
    cdef int64_t high, middle
    if low >= s.count or s.keys[low] >= key:
        return low
    while low + step < s.count and s.keys[low + step] < key:
        low += step
        step *= 2
    high = min(low + step, s.count)
    low += 1
    while low < high:
        middle = low + (high - low) // 2
        if s.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


cdef class ReversedWalk(Walk):
    """As `Walk`, in a shard whose documents are stored from their last token to their first.

    There, appending a token to an n-gram prepends it to the stored form, so no range narrows: every candidate is looked
    up on its own. If the n-gram has fewer occurrences than there are candidates, only the tokens that precede these
    occurrences are looked up.
    """

    cdef dict learned

    def __cinit__(self, *args, **kwargs):
        self.learned = {}

    cdef tuple known(self, int32_t state, object stop):
        """Tokens that lead on from a state, and their states."""
        known = self.learned.get(state)
        if known is None:
            known = self.learned[state] = self.steps_within(state, stop)
        return known

    def run(self, const int64_t[::1] tokens not None, const int64_t[::1] firsts not None,
            const int64_t[::1] lasts not None, const int32_t[::1] states not None, const uint8_t[::1] stop=None):
        """As `Walk.run`."""
        cdef Py_ssize_t i
        cdef const uint8_t *flag = flag_of(stop)
        cdef list found = []
        self.check_groups(tokens, firsts, lasts, states)
        flagged = None if stop is None else stop
        try:
            for i in range(tokens.shape[0]):
                with nogil:
                    self.look(flag)
                if firsts[i] == lasts[i]:
                    continue
                if states[i] == MATCH:
                    self.add(found, (i, firsts[i], lasts[i], 1))
                    continue
                if not 0 <= tokens[i] < self.separator:
                    raise ValueError(f"{tokens[i]} is no token of this shard")
                stored = int(tokens[i]).to_bytes(self.shard.array.width, "little")
                waiting = [(stored, firsts[i], lasts[i], states[i], 1)]
                while waiting:
                    self.extend(found, waiting, i, waiting.pop(), flagged, flag)
            return np.array(found, dtype=np.int64).reshape(-1, 4)
        except TooBroad:
            raise TooBroad(i, firsts.shape[0], sum(last - first for _, first, last, _ in found)) from None

    cdef int extend(self, list found, list waiting, Py_ssize_t group, tuple ngram, object stop,
                    const uint8_t *flag) except -1:
        """Look up an n-gram with each token that leads on."""
        cdef int64_t damaged = -1
        cdef Py_ssize_t i
        cdef int width = self.shard.array.width
        cdef uint32_t token
        cdef Found result
        stored, first, last, state, depth = ngram
        ids, targets = self.known(state, stop)
        if last - first < ids.shape[0]:
            there = np.isin(ids, self.tokens_before(first, last, flag))
            ids, targets = ids[there], targets[there]
        cdef const int64_t[::1] in_ids = ids
        cdef const int32_t[::1] in_targets = np.ascontiguousarray(targets)
        # One buffer for all candidates: the token at its beginning is replaced.
        cdef uint8_t[::1] query = np.frombuffer(bytearray(width) + stored, dtype=np.uint8)
        ranges = np.empty((in_ids.shape[0], 2), dtype=np.int64)
        cdef int64_t[:, ::1] out = ranges
        with nogil:
            for i in range(in_ids.shape[0]):
                self.look(flag)
                token = <uint32_t>in_ids[i]
                memcpy(&query[0], &token, width)
                result = find_query(&self.shard.array, &query[0], query.shape[0])
                out[i, 0], out[i, 1], damaged = result.first, result.last, result.damaged
                if damaged >= 0:
                    break
        self.shard.check(damaged)
        for i in np.flatnonzero(ranges[:, 0] < ranges[:, 1]).tolist():
            if in_targets[i] == MATCH:
                self.add(found, (group, out[i, 0], out[i, 1], depth + 1))
            else:
                more = int(in_ids[i]).to_bytes(width, "little") + stored
                waiting.append((more, out[i, 0], out[i, 1], in_targets[i], depth + 1))
        return 0

    cdef int add(self, list found, tuple find) except -1:
        if len(found) >= self.limit:
            raise TooBroad(0, 0, 0)
        found.append(find)
        return 0

    cdef object tokens_before(self, int64_t first, int64_t last, const uint8_t *flag):
        """Distinct tokens stored before the suffixes of some ranks."""
        cdef int64_t rank
        cdef int64_t damaged = -1
        cdef uint64_t pointer
        cdef uint32_t token = 0
        cdef int width = self.shard.array.width
        result = np.empty(last - first, dtype=np.int64)
        cdef int64_t[::1] out = result
        with nogil:
            for rank in range(first, last):
                self.look(flag)
                pointer = pointer_at(&self.shard.array, <uint64_t>rank)
                if not points_to_token(&self.shard.array, pointer):
                    damaged = rank
                    break
                # Each document begins with a separator, so every other token has a token before it.
                out[rank - first] = self.separator
                if pointer:
                    memcpy(&token, self.shard.array.tokens + pointer - width, width)
                    out[rank - first] = <int64_t>token
        self.shard.check(damaged)
        return np.unique(result)
