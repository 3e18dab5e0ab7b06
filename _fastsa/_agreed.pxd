# cython: language_level=3
"""How far pairs of suffixes agree, kept for some pairs, so that a long text that is in two shards is compared once.

If two suffixes agree in their first tokens, so do those that begin within these tokens, in as many fewer. So a
comparison that reaches a pair of places that another one passed is over. Only pairs at every `EVERY`-th token of one
text are kept.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free


cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    /* In runs of 32 without a branch, which compilers turn into a few instructions. */
    #define FASTSA_FIND(name, type) \\
        static inline int64_t name(const uint8_t *data, int64_t first, int64_t last, uint32_t wanted) { \\
            type token; \\
            while (first + 32 <= last) { \\
                int found = 0; \\
                for (int k = 0; k < 32; k++) { \\
                    memcpy(&token, data + (first + k) * (int64_t)sizeof(type), sizeof(type)); \\
                    found |= token == (type)wanted; \\
                } \\
                if (found) break; \\
                first += 32; \\
            } \\
            for (; first < last; first++) { \\
                memcpy(&token, data + first * (int64_t)sizeof(type), sizeof(type)); \\
                if (token == (type)wanted) break; \\
            } \\
            return first; \\
        }
    FASTSA_FIND(fastsa_find1, uint8_t)
    FASTSA_FIND(fastsa_find2, uint16_t)
    FASTSA_FIND(fastsa_find4, uint32_t)
    """
    int64_t fastsa_find1(const uint8_t *data, int64_t first, int64_t last, uint32_t wanted) noexcept nogil
    int64_t fastsa_find2(const uint8_t *data, int64_t first, int64_t last, uint32_t wanted) noexcept nogil
    int64_t fastsa_find4(const uint8_t *data, int64_t first, int64_t last, uint32_t wanted) noexcept nogil


cdef inline int64_t find_token(const uint8_t *data, int64_t first, int64_t last, uint32_t wanted,
                               int64_t width) noexcept nogil:
    """The first place of a token in [first, last), in tokens from `data` on; `last` if there is none."""
    if width == 2:
        return fastsa_find2(data, first, last, wanted)
    if width == 1:
        return fastsa_find1(data, first, last, wanted)
    return fastsa_find4(data, first, last, wanted)


cdef enum:
    EVERY = 128     # tokens between two kept pairs
    PLAIN = 64      # tokens that are compared before kept pairs are looked at: most comparisons end sooner


cdef struct Pair:
    uint64_t one        # where the suffixes begin, each with the number of its shard; `other` is 0 for no pair
    uint64_t other
    int64_t length      # tokens that they share


cdef struct Pairs:
    Pair *slots         # a hash table, at most half full
    int64_t size        # pairs
    uint64_t mask       # one less than the slots, whose number is a power of two


cdef inline uint64_t place_of(int64_t shard, int64_t position) noexcept nogil:
    """A place among all shards, never 0."""
    return (<uint64_t>(shard + 1) << 48) | <uint64_t>position


cdef inline Pair *slot_of(Pairs *pairs, uint64_t one, uint64_t other) noexcept nogil:
    """The slot of a pair, or the free one where it would be."""
    # Multiplied by a large odd number, the upper bits depend on all of those below.
    cdef uint64_t at = ((one * <uint64_t>0x9E3779B97F4A7C15) ^ (other * <uint64_t>0xC2B2AE3D27D4EB4F))
    at ^= at >> 29
    at &= pairs.mask
    while pairs.slots[at].other and not (pairs.slots[at].one == one and pairs.slots[at].other == other):
        at = (at + 1) & pairs.mask
    return &pairs.slots[at]


cdef inline int64_t known_length(Pairs *pairs, uint64_t one, uint64_t other) noexcept nogil:
    """How many tokens two suffixes share, or -1 if that is not kept."""
    cdef Pair *slot
    if pairs.slots == NULL:
        return -1
    slot = slot_of(pairs, one, other)
    return slot.length if slot.other else -1


cdef inline bint doubled(Pairs *pairs) noexcept nogil:
    """Move all pairs to twice as many slots; False if memory ran out."""
    cdef Pairs larger
    cdef int64_t i
    cdef int64_t slots = <int64_t>pairs.mask + 1 if pairs.slots != NULL else 0
    larger.size, larger.mask = pairs.size, <uint64_t>(max(<int64_t>512, slots) * 2 - 1)
    larger.slots = <Pair *>calloc(larger.mask + 1, sizeof(Pair))
    if larger.slots == NULL:
        return False
    for i in range(slots):
        if pairs.slots[i].other:
            slot_of(&larger, pairs.slots[i].one, pairs.slots[i].other)[0] = pairs.slots[i]
    free(pairs.slots)
    pairs[0] = larger
    return True


cdef inline bint keep_length(Pairs *pairs, uint64_t one, uint64_t other, int64_t length) noexcept nogil:
    """Keep how many tokens two suffixes share; False if memory ran out."""
    cdef Pair *slot
    if (pairs.slots == NULL or 2 * pairs.size >= <int64_t>pairs.mask) and not doubled(pairs):
        return False
    slot = slot_of(pairs, one, other)
    if not slot.other:
        pairs.size += 1
    slot.one, slot.other, slot.length = one, other, length
    return True
