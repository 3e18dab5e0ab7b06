# cython: language_level=3
"""The passes of induced sorting, as inline functions over a text of 1-, 2- or 4-byte symbols."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define fastsa_prefetch_read(p) __builtin_prefetch(p, 0)
    #define fastsa_prefetch_write(p) __builtin_prefetch(p, 1)
    #else
    #define fastsa_prefetch_read(p) ((void)(p))
    #define fastsa_prefetch_write(p) ((void)(p))
    #endif
    """
    void fastsa_prefetch_read(const void *p) noexcept nogil
    void fastsa_prefetch_write(const void *p) noexcept nogil


ctypedef fused symbol:
    uint8_t
    uint16_t
    int32_t

cdef enum:
    DONE = 0
    STOPPED = 1
    NO_MEMORY = 2
    FAR = 48            # how many entries ahead the text is prefetched
    NEAR = 20           # how many entries ahead the place to be written is prefetched
    SMALL_TEXT = 1024   # number of symbols up to which the simplest method is used
    KEYS = 6            # eight-byte keys that are compared before suffixes may stay tied
    NAME_KEYS = 2       # the same for texts of names, each of which tells much more than a symbol
    BUCKET_BITS = 16    # suffixes are put in at most 65,536 buckets before they are compared
    POLL = 0xFFFF       # steps between two reads of the stop flag (a power of two, minus one)


cdef struct Watch:
    const uint8_t *stop      # not zero: give up
    int64_t *progress        # steps done, read by another thread


cdef inline bint must_stop(Watch *watch, int64_t i) noexcept nogil:
    # Steps are counted down in some passes and up in others; every 65,536th is near enough for both. `progress` is
    # written by this thread only, and an aligned 8-byte write is never seen by halves.
    if i & POLL:
        return False
    if watch.progress != NULL:
        watch.progress[0] += POLL + 1
    return watch.stop != NULL and watch.stop[0] != 0


cdef inline void count_symbols(const symbol *text, int32_t n, int32_t *counts, int32_t k) noexcept nogil:
    cdef int32_t i
    memset(counts, 0, <size_t>k * sizeof(int32_t))
    for i in range(n):
        counts[text[i]] += 1


cdef inline void bucket_bounds(const int32_t *counts, int32_t *bucket, int32_t k, bint ends) noexcept nogil:
    """Start, or one past the end, of each symbol's place in the sorted order."""
    cdef int32_t i
    cdef int32_t total = 0
    for i in range(k):
        bucket[i] = total + counts[i] if ends else total
        total += counts[i]


cdef inline void look_ahead(const symbol *text, const int32_t *sa, const int32_t *bucket, int32_t far, int32_t near
                            ) noexcept nogil:
    """Fetch the text before the suffix of entry `far`, and the place where that of `near` will be put.

    The passes go over the array in order but access text and array at random: without this they would wait for memory
    at nearly every step.
    """
    cdef int32_t v = sa[far]
    if v > 0:
        fastsa_prefetch_read(text + v - 1)
    v = sa[near]
    if v > 0:
        fastsa_prefetch_write(sa + bucket[text[v - 1]])


cdef inline int induce_l(const symbol *text, int32_t n, int32_t *sa, const int32_t *counts, int32_t *bucket, int32_t k,
                         bint keep, Watch *watch) noexcept nogil:
    """Left to right: place the L-type suffixes in the order of the suffixes that begin one symbol later.

    keep: leave every suffix in its place (final sort); else clear what no later pass needs.
    """
    cdef int32_t i, v, j
    cdef symbol c
    # Invariant: entries of sa before i are final for this pass, and what they induce goes to a place after i, since an
    # L-type suffix is greater than the one that it induces from. So one walk sees every entry after it was written.
    #
    # The sentinel after the text is the least suffix, and the one before it is the first that it induces.
    bucket_bounds(counts, bucket, k, False)
    j = n - 1
    c = text[j]
    sa[bucket[c]] = ~j if j > 0 and text[j - 1] < c else j
    bucket[c] += 1
    for i in range(n):
        if must_stop(watch, i):
            return STOPPED
        if i + FAR < n:
            look_ahead(text, sa, bucket, i + FAR, i + NEAR)
        v = sa[i]
        if v > 0:
            j = v - 1
            c = text[j]
            sa[bucket[c]] = ~j if j > 0 and text[j - 1] < c else j
            bucket[c] += 1
            sa[i] = ~v if keep else 0
        elif keep or v < 0:
            sa[i] = ~v
    return DONE


cdef inline int induce_s(const symbol *text, int32_t n, int32_t *sa, const int32_t *counts, int32_t *bucket, int32_t k,
                         bint keep, Watch *watch) noexcept nogil:
    """Right to left: place the S-type suffixes in the order of the suffixes that begin one symbol later.

    keep: every suffix ends as its plain position; else only the LMS ones stay, as complements.
    """
    cdef int32_t i, v, j
    cdef symbol c
    # The mirror image: from the right, each bucket filled from its end, where its S-type suffixes belong. Entries that
    # the first pass left as complements have a left neighbor that is L-type and in its place already.
    bucket_bounds(counts, bucket, k, True)
    for i in range(n - 1, -1, -1):
        if must_stop(watch, i):
            return STOPPED
        if i >= FAR:
            look_ahead(text, sa, bucket, i - FAR, i - NEAR)
        v = sa[i]
        if v > 0:
            j = v - 1
            c = text[j]
            bucket[c] -= 1
            if j == 0:
                sa[bucket[c]] = ~j if keep else 0
            else:
                sa[bucket[c]] = ~j if text[j - 1] > c else j
            if not keep:
                sa[i] = 0
        elif keep:
            sa[i] = ~v
    return DONE
