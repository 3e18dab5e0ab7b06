# cython: language_level=3
"""Hints: for each token of a text, a few of the tokens that follow its context elsewhere.

The context is the longest suffix that occurs, but shorter than any run of lengths with one count: where further tokens
do not make a context rarer, its occurrences are copies of one passage.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from _fastsa._shard cimport Shard, flag_of
from _fastsa._suffixes cimport (
    Found,
    SuffixArray,
    document_ends,
    find_query,
    give_up,
    pointer_at,
    points_to_token,
    token_after,
)

from _fastsa._shard import Stopped


cdef enum:
    LISTED = 4      # ranks per sample up to which all are looked at
    TRIES = 16      # draws per sample before all ranks are looked at
    MOST = 255      # samples of a token


cdef struct Rule:
    int64_t plateau      # run of lengths with one count that ends a context; 0: none does
    int64_t samples
    int64_t context      # most tokens of a context
    bint leaves_out      # an occurrence followed by the token itself is not counted
    bint is_inside       # every token is in the index, so there is such an occurrence
    uint64_t seed


cdef struct Side:
    const SuffixArray *array
    bint backward
    int64_t first        # ranks of the context
    int64_t last
    uint64_t own         # where the occurrence that is left out begins


cdef struct Text:
    const uint8_t *forward      # ids 0 … n - 1 as stored
    const uint8_t *backward     # ids n - 1 … 0
    uint8_t *room               # for a separator and a context
    int64_t count
    int width
    int64_t separator


cdef struct State:
    Side *sides
    int64_t side_count
    int64_t damaged
    int64_t damaged_side
    uint64_t random


cdef uint64_t NOWHERE = <uint64_t>-1


cdef inline uint64_t draw(State *state, uint64_t below) noexcept nogil:
    """The next number of the splitmix64 generator, below a limit that is far below 2^64."""
    cdef uint64_t z
    state.random += <uint64_t>0x9E3779B97F4A7C15
    z = state.random
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return (z ^ (z >> 31)) % below


cdef Found find_in(const Side *side, const Text *text, int64_t place, int64_t size, bint with_token) noexcept nogil:
    """Ranks of the `size` tokens before a place; `with_token`: with the token at the place, too."""
    cdef Found found
    cdef int64_t length = size + with_token
    cdef const uint8_t *query
    if not length:
        found.first, found.last, found.damaged = 0, <int64_t>side.array.ranks, -1
        return found
    if side.backward:
        query = text.backward + (text.count - place - with_token) * text.width
    else:
        query = text.forward + (place - size) * text.width
    return find_query(side.array, query, <uint64_t>(length * text.width))


cdef int64_t followed_in(Side *side, const Text *text, int64_t place, int64_t size, State *state) noexcept nogil:
    """How often a token follows the `size` tokens before a place; their ranks are kept in `side`."""
    cdef Found found = find_in(side, text, place, size, False)
    cdef int64_t ends
    state.damaged = found.damaged
    side.first, side.last = found.first, found.last
    if found.damaged >= 0 or found.first >= found.last:
        return 0
    if not side.backward:
        # The separators are the last of the range, and the end of the text comes first: both are cut off.
        if token_after(side.array, side.first, <uint64_t>(size * text.width), &state.damaged) < 0:
            side.first += 1
        if side.first < side.last and state.damaged < 0:
            side.last -= document_ends(side.array, side.first, side.last, <uint64_t>(size * text.width),
                                       text.separator, &state.damaged)
        return side.last - side.first
    # Stored backwards, what follows comes before: the separator and then the context.
    memcpy(text.room, &text.separator, text.width)
    memcpy(text.room + text.width, text.backward + (text.count - place) * text.width, size * text.width)
    found = find_query(side.array, text.room, <uint64_t>((size + 1) * text.width))
    state.damaged = found.damaged
    ends = found.last - found.first
    if not size:
        return side.last - side.first - ends
    # Nothing is before the first token of the text.
    return side.last - side.first - ends - begins_text(side, text, place, size)


cdef bint begins_text(const Side *side, const Text *text, int64_t place, int64_t size) noexcept nogil:
    """Whether the text that is stored backwards begins with the context."""
    cdef int64_t i
    cdef const uint8_t *query = text.backward + (text.count - place) * text.width
    if <uint64_t>(size * text.width) > side.array.token_bytes:
        return False
    for i in range(size * text.width):
        if side.array.tokens[i] != query[i]:
            return False
    return True


cdef int64_t followed(State *state, const Text *text, int64_t place, int64_t size) noexcept nogil:
    """As followed_in, over all shards."""
    cdef int64_t total = 0
    cdef int64_t i
    for i in range(state.side_count):
        total += followed_in(&state.sides[i], text, place, size, state)
        if state.damaged >= 0:
            state.damaged_side = i
            return 0
    return total


cdef bint leave_out(State *state, const Text *text, int64_t place, int64_t size) noexcept nogil:
    """Note one occurrence of the context that the token at the place follows; whether there is one."""
    cdef int64_t i
    cdef bint is_found = False
    cdef Found found
    for i in range(state.side_count):
        state.sides[i].own = NOWHERE
    for i in range(state.side_count):
        found = find_in(&state.sides[i], text, place, size, True)
        if found.damaged >= 0:
            state.damaged, state.damaged_side = found.damaged, i
            return False
        if found.first < found.last:
            # Which one does not matter for the tokens that follow the others.
            state.sides[i].own = pointer_at(state.sides[i].array, <uint64_t>found.first)
            if state.sides[i].backward and size:
                state.sides[i].own += <uint64_t>text.width
            is_found = True
            break
    return is_found


cdef int64_t choose(State *state, const Text *text, int64_t place, int64_t room, const Rule *rule,
                    int64_t *count) noexcept nogil:
    """The length of the context and how often it is followed, without what is left out."""
    cdef int64_t size, some
    cdef int64_t run = 0
    cdef int64_t before = -1
    cdef int64_t chosen = 0
    cdef bint is_own = rule.leaves_out
    for size in range(1, room + 1):
        some = followed(state, text, place, size)
        if state.damaged >= 0:
            return 0
        if is_own and not rule.is_inside:
            is_own = leave_out(state, text, place, size)
        some -= is_own
        # A count of 0 is not a plateau: there is nothing that would be copied.
        if some <= 0:
            break
        run = run + 1 if some == before else 1
        before = some
        chosen = size
        if run == rule.plateau:
            chosen = size - run
            break
    count[0] = followed(state, text, place, chosen)
    for size in range(state.side_count):
        state.sides[size].own = NOWHERE
    if rule.leaves_out and state.damaged < 0 and leave_out(state, text, place, chosen):
        count[0] -= 1
    return chosen


cdef int64_t token_of(State *state, const Text *text, Side *side, int64_t rank, int64_t size) noexcept nogil:
    """The token that follows the occurrence of a rank; -1 for none, and for what is left out."""
    cdef uint64_t pointer = pointer_at(side.array, <uint64_t>rank)
    cdef int64_t token
    cdef uint32_t before = 0
    if not points_to_token(side.array, pointer):
        state.damaged = rank
        return -1
    if pointer == side.own:
        return -1
    if not size or not side.backward:
        token = token_after(side.array, rank, <uint64_t>(size * text.width), &state.damaged)
    elif pointer < <uint64_t>text.width:
        return -1
    else:
        memcpy(&before, side.array.tokens + pointer - text.width, text.width)
        token = before
    return token if token != text.separator else -1


cdef int64_t sample(State *state, const Text *text, int64_t size, int64_t wanted, int32_t *out,
                    const uint8_t *flag) noexcept nogil:
    """Draw up to `wanted` different occurrences of the context; how many were drawn."""
    cdef int64_t[MOST] drawn
    cdef int64_t total = 0
    cdef int64_t got = 0
    cdef int64_t i, k, number, rank, token, _
    for i in range(state.side_count):
        total += state.sides[i].last - state.sides[i].first
    if total > LISTED * wanted:
        for _ in range(TRIES * wanted):
            number = <int64_t>draw(state, <uint64_t>total)
            k = 0
            while k < got and drawn[k] != number:
                k += 1
            if k < got:
                continue
            rank = number
            i = 0
            while rank >= state.sides[i].last - state.sides[i].first:
                rank -= state.sides[i].last - state.sides[i].first
                i += 1
            token = token_of(state, text, &state.sides[i], state.sides[i].first + rank, size)
            if state.damaged >= 0:
                state.damaged_side = i
                return 0
            if token >= 0:
                drawn[got] = number
                out[got] = <int32_t>token
                got += 1
                if got == wanted:
                    return got
    return listed(state, text, size, wanted, out, flag)


cdef int64_t listed(State *state, const Text *text, int64_t size, int64_t wanted, int32_t *out,
                    const uint8_t *flag) noexcept nogil:
    """As `sample`, by a look at every occurrence."""
    cdef int64_t seen = 0
    cdef int64_t i, rank, token, at
    for i in range(state.side_count):
        for rank in range(state.sides[i].first, state.sides[i].last):
            if give_up(flag, <uint64_t>(rank - state.sides[i].first) + 1):
                return seen
            token = token_of(state, text, &state.sides[i], rank, size)
            if state.damaged >= 0:
                state.damaged_side = i
                return 0
            if token < 0:
                continue
            # A reservoir: each occurrence is as likely to be among those that are kept.
            at = seen if seen < wanted else <int64_t>draw(state, <uint64_t>(seen + 1))
            if at < wanted:
                out[at] = <int32_t>token
            seen += 1
    return min(seen, wanted)


def hints(shards, backward, const int64_t[::1] ids not None, const int64_t[::1] places not None,
          const int64_t[::1] begins not None, const int64_t[::1] numbers not None, int64_t plateau, int64_t samples,
          int64_t context, bint leaves_out, bint is_inside, uint64_t seed, const uint8_t[::1] stop=None):
    """Sample what follows the contexts of some tokens of a text.

    shards, backward: the shards, and which are stored backwards. places: the tokens, as places in `ids`; begins: the
    first token that may be context of each; numbers: a number for each, which together with the seed decides all
    chance. plateau: a context ends before this number of lengths with one count; 0: nowhere. samples: most tokens per
    place, 1 to 255. leaves_out: as if one occurrence of each context with the token at the place were not there;
    is_inside: there is one for every context. Returns (tokens: int32 [places, samples], -1 where there are fewer; how
    many: uint8; tokens of context: int32; occurrences that a token follows: int64). The separator is the largest id of
    the width.
    """
    cdef list every = list(shards)
    cdef list directions = list(backward)
    cdef const uint8_t *flag = flag_of(stop)
    cdef Py_ssize_t count = places.shape[0]
    cdef Py_ssize_t i
    cdef Py_ssize_t outside = -1
    cdef bint stopped = False
    cdef Rule rule
    cdef State state
    cdef Text text
    if not every or len(every) != len(directions):
        raise ValueError("every shard needs its direction")
    if begins.shape[0] != count or numbers.shape[0] != count:
        raise ValueError("places, begins and numbers must be of one length")
    if not 1 <= samples <= MOST or context < 1 or plateau < 0:
        raise ValueError("1 to 255 samples, a context of at least 1 token, and a plateau of at least 0")
    text.width = (<Shard?>every[0]).array.width
    for shard in every:
        if (<Shard?>shard).array.width != text.width:
            raise ValueError("all shards must have one token width")
    text.separator = (<int64_t>1 << (8 * text.width)) - 1
    text.count = ids.shape[0]
    for i in range(text.count):
        if not 0 <= ids[i] <= text.separator:
            raise ValueError(f"{ids[i]} is not an id of {text.width} bytes")
    # No context is longer than the text, whatever is asked for.
    context = min(context, max(text.count, 1))
    packed = np.asarray(ids).astype({1: "u1", 2: "<u2", 4: "<u4"}[text.width])
    cdef const uint8_t[::1] forward = np.append(packed, packed.dtype.type(0)).view(np.uint8)
    cdef const uint8_t[::1] turned = np.append(packed[::-1], packed.dtype.type(0)).view(np.uint8)
    cdef uint8_t[::1] room = np.zeros((context + 1) * text.width, dtype=np.uint8)
    text.forward, text.backward, text.room = &forward[0], &turned[0], &room[0]
    rule.plateau, rule.samples, rule.context = plateau, samples, context
    rule.leaves_out, rule.is_inside, rule.seed = leaves_out, is_inside, seed
    tokens = np.full((count, samples), -1, dtype=np.int32)
    lengths = np.zeros(count, dtype=np.uint8)
    sizes = np.zeros(count, dtype=np.int32)
    counts = np.zeros(count, dtype=np.int64)
    cdef int32_t[:, ::1] out_tokens = tokens
    cdef uint8_t[::1] out_lengths = lengths
    cdef int32_t[::1] out_sizes = sizes
    cdef int64_t[::1] out_counts = counts
    state.side_count = len(every)
    state.damaged = state.damaged_side = -1
    state.sides = <Side *>malloc(state.side_count * sizeof(Side))
    if state.sides == NULL:
        raise MemoryError
    try:
        for i in range(state.side_count):
            state.sides[i].array = &(<Shard>every[i]).array
            state.sides[i].backward = bool(directions[i])
            state.sides[i].own = NOWHERE
        with nogil:
            for i in range(count):
                # One place may look at many ranks, so the flag is read every time.
                if give_up(flag, 0):
                    stopped = True
                    break
                if not 0 <= begins[i] <= places[i] < text.count:
                    outside = i
                    break
                state.random = rule.seed ^ (<uint64_t>numbers[i] * <uint64_t>0xD1342543DE82EF95)
                out_sizes[i] = <int32_t>choose(&state, &text, places[i], min(places[i] - begins[i], context), &rule,
                                               &out_counts[i])
                if state.damaged < 0 and out_counts[i] > 0:
                    out_lengths[i] = <uint8_t>sample(&state, &text, out_sizes[i], min(samples, out_counts[i]),
                                                     &out_tokens[i, 0], flag)
                if state.damaged >= 0:
                    break
            # A look at many ranks may have been cut short by the flag.
            stopped = stopped or give_up(flag, 0)
    finally:
        free(state.sides)
    if outside >= 0:
        raise IndexError(f"place {outside} lies outside of the text")
    if state.damaged >= 0:
        (<Shard>every[state.damaged_side]).check(state.damaged)
    if stopped:
        raise Stopped
    return tokens, lengths, sizes, counts
