# cython: language_level=3
"""Search among sorted suffixes: plain structs and inline functions that the engine's modules share.

Everything here works on the bytes of the two files, wherever they are (usually memory-mapped).
Suffixes compare as bytes, past document separators and to the end of the text; a suffix that
ends first is the smaller one. No function trusts the table: an entry beyond the text, or not on a
token's first byte, ends the search and is reported as damaged.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__GNUC__)
    #define fastsa_prefetch(p) __builtin_prefetch(p)
    #else
    #define fastsa_prefetch(p) ((void)(p))
    #endif
    #if defined(_MSC_VER)
    #include <stdlib.h>
    #define fastsa_swap64(x) _byteswap_uint64(x)
    #define fastsa_swap32(x) _byteswap_ulong(x)
    #else
    #define fastsa_swap64(x) __builtin_bswap64(x)
    #define fastsa_swap32(x) __builtin_bswap32(x)
    #endif
    /* Another thread writes the flag: it is read each time, whatever the compiler knows about the loop. */
    #define fastsa_flag(p) (*(const volatile uint8_t *)(p))
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #error "the index files are little-endian and are read in place"
    #endif
    """
    uint64_t fastsa_swap64(uint64_t x) noexcept nogil
    uint32_t fastsa_swap32(uint32_t x) noexcept nogil
    void fastsa_prefetch(const void *p) noexcept nogil
    int fastsa_flag(const uint8_t *p) noexcept nogil


cdef struct SuffixArray:
    const uint8_t *tokens    # the whole `tokenized` file
    uint64_t token_bytes     # its size
    const uint8_t *table     # the whole `table` file
    uint64_t table_bytes     # its size
    uint64_t ranks           # number of entries of the table = number of tokens
    int width                # bytes per token: 1, 2 or 4
    int pointer_width        # bytes per entry of the table: 1 to 8
    const uint64_t *keys     # first 16 bytes of every key_step-th suffix, as two numbers; NULL: none
    uint64_t key_count
    uint64_t key_step
    uint64_t *top            # every TOP_STEP-th key, in memory owned by the shard
    uint64_t top_count


cdef struct Found:
    int64_t first            # first rank of the range
    int64_t last             # one past its last rank; first == last: nothing found
    int64_t damaged          # rank whose table entry does not point to a token, or -1


cdef enum:
    KEY_BYTES = 16
    TOP_STEP = 256      # keys per memory page of 4 KiB
    FEW = 8             # ranks that are checked one by one before galloping
    AHEAD = 12          # ranks whose text is prefetched
    POLL = 256          # steps of a loop between two checks of the stop flag


cdef inline bint give_up(const uint8_t *stop, uint64_t step) noexcept nogil:
    """Whether a loop must end before its step number `step`, because the flag was set.

    Every loop whose length depends on the caller checks this. A step that is not cached reads a few pages from a drive,
    so even then a few hundred steps take less than a second.
    """
    return step % POLL == 0 and stop != NULL and fastsa_flag(stop) != 0


cdef struct Key:
    uint64_t high
    uint64_t low


cdef inline bint key_less(uint64_t high, uint64_t low, Key key) noexcept nogil:
    return high < key.high or (high == key.high and low < key.low)


cdef inline Key key_of(const uint8_t *data, uint64_t size, uint8_t fill) noexcept nogil:
    """The first 16 bytes as two numbers that compare as the bytes do; missing ones are `fill`."""
    cdef uint8_t[16] padded
    cdef uint64_t word
    cdef Key key
    cdef uint64_t i
    if size >= KEY_BYTES:
        memcpy(padded, data, KEY_BYTES)
    else:
        for i in range(KEY_BYTES):
            padded[i] = data[i] if i < size else fill
    memcpy(&word, padded, 8)
    key.high = fastsa_swap64(word)
    memcpy(&word, padded + 8, 8)
    key.low = fastsa_swap64(word)
    return key


cdef inline uint64_t count_keys(const uint64_t *keys, uint64_t low, uint64_t high, Key key, bint upper) noexcept nogil:
    """Number of sorted keys below `high` that are less than the key (`upper`: not greater)."""
    cdef uint64_t middle
    cdef bint goes_right
    while low < high:
        middle = low + (high - low) // 2
        if upper:
            goes_right = not (keys[2 * middle] > key.high
                              or (keys[2 * middle] == key.high and keys[2 * middle + 1] > key.low))
        else:
            goes_right = key_less(keys[2 * middle], keys[2 * middle + 1], key)
        if goes_right:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline uint64_t place_key(const SuffixArray *array, Key key, bint upper) noexcept nogil:
    """As count_keys over all keys, through the small copy first: one page of the keys is read."""
    cdef uint64_t block = count_keys(array.top, 0, array.top_count, key, upper)
    cdef uint64_t first = (block - 1) * TOP_STEP if block else 0
    return count_keys(array.keys, first, min(array.key_count, block * TOP_STEP), key, upper)


cdef inline uint64_t pointer_at(const SuffixArray *array, uint64_t rank) noexcept nogil:
    """The table's entry at `rank`, which must be less than `array.ranks`."""
    cdef uint64_t at = rank * <uint64_t>array.pointer_width
    cdef uint64_t value = 0
    cdef int i
    if at + 8 <= array.table_bytes:
        memcpy(&value, array.table + at, 8)
        if array.pointer_width < 8:
            value &= ((<uint64_t>1) << (8 * array.pointer_width)) - 1
        return value
    for i in range(array.pointer_width):
        value |= (<uint64_t>array.table[at + i]) << (8 * i)
    return value


cdef inline bint points_to_token(const SuffixArray *array, uint64_t pointer) noexcept nogil:
    """Whether a whole token begins at this byte. Where there is an entry, there is a text.

    Nothing is added to the pointer from the table: near 2**64 the sum would wrap.
    """
    return (pointer & <uint64_t>(array.width - 1)) == 0 and pointer <= array.token_bytes - <uint64_t>array.width


cdef inline uint64_t common_prefix(const uint8_t *a, const uint8_t *b, uint64_t start, uint64_t size) noexcept nogil:
    """Length of the common prefix of a[:size] and b[:size], of which `start` bytes are known to agree."""
    cdef uint64_t x, y
    cdef uint64_t i = start
    while i + 8 <= size:
        memcpy(&x, a + i, 8)
        memcpy(&y, b + i, 8)
        if x != y:
            break
        i += 8
    while i < size and a[i] == b[i]:
        i += 1
    return i


cdef struct Probe:
    int order          # suffix less (-1), equal over the query's length (0) or greater (1) than the query
    uint64_t common    # bytes that agree
    bint damaged


cdef inline Probe probe(const SuffixArray *array, int64_t rank, const uint8_t *query, uint64_t size,
                        uint64_t known) noexcept nogil:
    cdef Probe result
    cdef uint64_t pointer = pointer_at(array, <uint64_t>rank)
    cdef uint64_t room
    result.order = 0
    result.common = 0
    result.damaged = not points_to_token(array, pointer)
    if result.damaged:
        return result
    room = array.token_bytes - pointer
    if room > size:
        room = size
    # Bytes that agree with both neighbors in the order agree with all suffixes between, so they are not read again.
    # In an unsorted table `known` may be wrong; it must never lead beyond the text.
    if known > room:
        known = room
    result.common = common_prefix(array.tokens + pointer, query, known, room)
    if result.common == size:
        result.order = 0
    elif result.common == room:
        result.order = -1
    else:
        result.order = -1 if array.tokens[pointer + result.common] < query[result.common] else 1
    return result


cdef inline int64_t bound(const SuffixArray *array, const uint8_t *query, uint64_t size, int64_t low, int64_t high,
                          uint64_t low_common, uint64_t high_common, bint upper, int64_t *damaged) noexcept nogil:
    """First rank in [low, high) whose suffix is not less than the query (`upper`: is greater)."""
    # Invariant: the suffix before `low` is less than the query and agrees with it in at least `low_common` bytes; that
    # of `high` is not less (upper: greater) and agrees in at least `high_common`. So all between agree in the smaller
    # number of bytes, which is where `probe` begins. The caller states what holds at first.
    cdef int64_t middle
    cdef Probe p
    while low < high:
        middle = low + (high - low) // 2
        p = probe(array, middle, query, size, min(low_common, high_common))
        if p.damaged:
            damaged[0] = middle
            return low
        if p.order < 0 or (upper and p.order == 0):
            low = middle + 1
            low_common = p.common
        else:
            high = middle
            high_common = p.common
    return low


cdef inline Found find_range(const SuffixArray *array, const uint8_t *query, uint64_t size,
                             int64_t low, int64_t high) noexcept nogil:
    """Ranks in [low, high) whose suffixes begin with the query: O(log(high - low)) probes."""
    cdef Found found
    # One search until a suffix matches; only then do the two ends need one each, and both begin where it stopped.
    cdef uint64_t low_common = 0
    cdef uint64_t high_common = 0
    cdef int64_t middle
    cdef Probe p
    found.damaged = -1
    while low < high:
        middle = low + (high - low) // 2
        p = probe(array, middle, query, size, min(low_common, high_common))
        if p.damaged:
            found.damaged = middle
            break
        if p.order < 0:
            low = middle + 1
            low_common = p.common
        elif p.order > 0:
            high = middle
            high_common = p.common
        else:
            found.first = bound(array, query, size, low, middle, low_common, size, False, &found.damaged)
            found.last = bound(array, query, size, middle + 1, high, size, high_common, True, &found.damaged)
            return found
    found.first = low
    found.last = low
    return found


cdef inline Found find_query(const SuffixArray *array, const uint8_t *query, uint64_t size) noexcept nogil:
    """Ranks of all suffixes that begin with the query, using the sampled keys if there are any.

    Key number i is that of rank i * key_step. A key less than the query's first 16 bytes bounds the
    range from below, a greater one from above; equal ones decide nothing unless the query ends there.
    """
    cdef Found found
    cdef uint64_t below, upto
    cdef int64_t low, high, step
    if array.keys == NULL:
        return find_range(array, query, size, 0, <int64_t>array.ranks)
    # The query's own key, filled up with 0x00, is the least key of a suffix that begins with the query; filled up
    # with 0xFF it is the greatest. `below` keys are less than the least, `upto` keys not greater than the greatest.
    step = <int64_t>array.key_step
    below = place_key(array, key_of(query, size, 0), False)
    upto = place_key(array, key_of(query, size, 0xFF), True)
    # Sampled rank below - 1 is too small, so the range begins after it; sampled rank upto is too great, and ends it.
    low = (<int64_t>below - 1) * step + 1 if below else 0
    high = min(<int64_t>upto * step, <int64_t>array.ranks)
    # A key decides nothing about a longer query, and a single key between leaves nothing to gain.
    if size > KEY_BYTES or upto <= below + 1:
        return find_range(array, query, size, low, high)
    # The keys between match the query: only the two ends are still open.
    found.damaged = -1
    found.first = bound(array, query, size, low, <int64_t>below * step, 0, 0, False, &found.damaged)
    found.last = bound(array, query, size, (<int64_t>upto - 1) * step + 1, high, 0, 0, True, &found.damaged)
    # A suffix that ends with the text inside its key has zeros there, and can look like the query.
    if found.damaged < 0 and probe(array, found.first, query, size, 0).order != 0:
        return find_range(array, query, size, low, high)
    return found


cdef inline Found find_extended(const SuffixArray *array, const uint8_t *query, uint64_t size, int64_t low,
                                int64_t high, uint64_t known) noexcept nogil:
    """Ranks in [low, high) whose suffixes begin with the query; all of these begin with its first `known` bytes."""
    cdef Found found
    found.damaged = -1
    found.first = bound(array, query, size, low, high, known, known, False, &found.damaged)
    found.last = found.first
    if found.damaged < 0:
        found.last = bound(array, query, size, found.first, high, known, known, True, &found.damaged)
    return found


cdef inline uint64_t longest_prefix(const SuffixArray *array, const uint8_t *query, uint64_t size,
                                    int64_t *damaged) noexcept nogil:
    """Bytes of the longest prefix of the query that some suffix begins with."""
    cdef int64_t low = 0
    cdef int64_t high = <int64_t>array.ranks
    cdef int64_t middle
    cdef uint64_t low_common = 0
    cdef uint64_t high_common = 0
    cdef uint64_t below
    cdef Probe p
    if array.keys != NULL:
        # The query's place, and both of its neighbors, are between two sampled ranks.
        below = place_key(array, key_of(query, size, 0), False)
        low = (<int64_t>below - 1) * <int64_t>array.key_step if below else 0
        below = place_key(array, key_of(query, size, 0xFF), True)
        high = min(high, <int64_t>(below * array.key_step) + 1)
    # The last probes below and above the query's place are its neighbors in the order.
    while low < high:
        middle = low + (high - low) // 2
        p = probe(array, middle, query, size, min(low_common, high_common))
        if p.damaged:
            damaged[0] = middle
            return 0
        if p.order == 0:
            return size
        if p.order < 0:
            low = middle + 1
            low_common = p.common
        else:
            high = middle
            high_common = p.common
    return max(low_common, high_common)


cdef inline int64_t token_after(const SuffixArray *array, int64_t rank, uint64_t depth,
                                int64_t *damaged) noexcept nogil:
    """Token `depth` bytes into the suffix of `rank`; -1 where the text ends before it."""
    cdef uint64_t pointer = pointer_at(array, <uint64_t>rank)
    cdef uint32_t token = 0
    if not points_to_token(array, pointer):
        damaged[0] = rank
        return -1
    # `pointer` was just found to leave room for a token, so the difference cannot wrap; `pointer + depth` could.
    if depth > array.token_bytes - <uint64_t>array.width - pointer:
        return -1
    memcpy(&token, array.tokens + pointer + depth, array.width)
    return <int64_t>token


cdef inline void fetch_ahead(const SuffixArray *array, int64_t rank, int64_t last, uint64_t depth) noexcept nogil:
    cdef uint64_t pointer
    if rank < last:
        # A prefetch never faults, but the address must lie in the text for the pointer arithmetic to be defined.
        pointer = pointer_at(array, <uint64_t>rank)
        if pointer < array.token_bytes and depth < array.token_bytes - pointer:
            fastsa_prefetch(array.tokens + pointer + depth)


cdef inline int64_t run_end(const SuffixArray *array, int64_t first, int64_t last, uint64_t depth, int64_t token,
                            int64_t *damaged) noexcept nogil:
    """One past the last rank of [first, last) followed by `token`: a few steps, then galloping and halving.

    Most runs are short, and the text of the next ranks is prefetched during the steps.
    """
    # Damage ends each loop: token_after then returns -1, which is not a token of a run unless the text ends there, and
    # the caller checks `damaged` before it uses the end.
    cdef int64_t step = 1
    cdef int64_t low = first
    cdef int64_t high
    cdef int64_t middle
    while low - first < FEW:
        fetch_ahead(array, low + AHEAD, last, depth)
        if low + 1 >= last or token_after(array, low + 1, depth, damaged) != token:
            return low + 1
        low += 1
    while low + step < last and token_after(array, low + step, depth, damaged) == token:
        low += step
        step *= 2
    high = min(low + step, last)
    low += 1
    while low < high:
        middle = low + (high - low) // 2
        if token_after(array, middle, depth, damaged) == token:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int64_t run_start(const SuffixArray *array, int64_t first, int64_t rank, uint64_t depth, int64_t token,
                              int64_t *damaged) noexcept nogil:
    """First rank of [first, rank] from which on all up to `rank` are followed by `token`: galloping, then halving."""
    cdef int64_t step = 1
    cdef int64_t high = rank
    cdef int64_t low, middle
    while high - step >= first and token_after(array, high - step, depth, damaged) == token:
        high -= step
        step *= 2
    low = max(first, high - step + 1)
    while low < high:
        middle = low + (high - low) // 2
        if token_after(array, middle, depth, damaged) == token:
            high = middle
        else:
            low = middle + 1
    return high


cdef inline int64_t document_ends(const SuffixArray *array, int64_t first, int64_t last, uint64_t depth,
                                  int64_t separator, int64_t *damaged) noexcept nogil:
    """How many of the ranks [first, last), which share their first `depth` bytes, are followed by no token but by the
    separator or the end of the text.

    The separator's bytes are the largest, so these ranks are the last; the end of the text is before all others.
    """
    cdef int64_t found = 0
    if first < last and token_after(array, last - 1, depth, damaged) == separator:
        found = last - run_start(array, first, last - 1, depth, separator, damaged)
    if first < last and token_after(array, first, depth, damaged) < 0:
        found += 1
    return found
