# cython: language_level=3
"""Bit vectors in blocks of 512 bits, each stored in the shortest of four ways, with counts beside the bits.

Eight blocks are a superblock. Its row in the directory has the ones before it and where its bytes are; its bytes begin
with a head for each block: the ones before the block, where its bits are, and how they are stored. So a rank reads a
row, and bytes that lie within a few cache lines. A superblock whose bits are all equal has only a row.

Positions of rare bits are stored as Elias-Fano does (1974): their high parts in unary, their low parts as they are.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t


cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __forceinline int fastfm_ctz(uint64_t x) { unsigned long at; _BitScanForward64(&at, x); return (int)at; }
    static __forceinline int fastfm_width(uint32_t x)
    { unsigned long at; return _BitScanReverse(&at, x) ? (int)at + 1 : 0; }
    #if defined(_M_X64)
    #define fastfm_prefetch(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
    #else
    #define fastfm_prefetch(p) __prefetch(p)
    #endif
    #else
    #define fastfm_prefetch(p) __builtin_prefetch(p)
    #define fastfm_ctz(x) __builtin_ctzll(x)
    #define fastfm_width(x) ((x) ? 32 - __builtin_clz(x) : 0)
    #endif
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #error "the index files are little-endian and are read in place"
    #endif
    /* Any byte may be the first: compilers make one instruction of the copy. */
    static inline uint64_t fastfm_load64(const uint8_t *p) { uint64_t x; memcpy(&x, p, 8); return x; }
    static inline uint32_t fastfm_load32(const uint8_t *p) { uint32_t x; memcpy(&x, p, 4); return x; }
    /* Ones in a word, by sums in ever wider fields: not every processor has an instruction for it. */
    static inline uint64_t fastfm_pairs(uint64_t x)
    {
        x = x - ((x >> 1) & 0x5555555555555555ULL);
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        return (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    }
    static inline int fastfm_ones(uint64_t x) { return (int)((fastfm_pairs(x) * 0x0101010101010101ULL) >> 56); }
    /* Place of the n-th one of a word, from 1; it must have as many. */
    static inline int fastfm_nth(uint64_t x, int n)
    {
        uint64_t sums = fastfm_pairs(x) * 0x0101010101010101ULL;
        int byte = 0;
        /* sums holds, in each byte, the ones up to and with that byte. */
        while ((int)((sums >> (8 * byte)) & 0xFF) < n)
            byte++;
        if (byte)
            n -= (int)((sums >> (8 * byte - 8)) & 0xFF);
        x = (x >> (8 * byte)) & 0xFF;
        while (--n)
            x &= x - 1;
        return 8 * byte + fastfm_ctz(x);
    }
    /* Low bits of each of k positions below 512: floor(log2(512 / k)), for k from 1 to 512. */
    static inline int fastfm_low(int k) { return 9 - fastfm_width((uint32_t)(k - 1)); }
    """
    int fastfm_ctz(uint64_t x) noexcept nogil
    void fastfm_prefetch(const void *p) noexcept nogil
    uint64_t fastfm_load64(const uint8_t *p) noexcept nogil
    uint32_t fastfm_load32(const uint8_t *p) noexcept nogil
    int fastfm_ones(uint64_t x) noexcept nogil
    int fastfm_nth(uint64_t x, int n) noexcept nogil
    int fastfm_low(int k) noexcept nogil


cdef enum:
    BLOCK = 512
    SUPER = 4096
    BLOCKS = 8
    HEADS = 32              # bytes of the heads of a superblock
    MOST_BYTES = 544        # bytes of a superblock: its heads, and 64 for each block
    PADDING = 1088          # bytes after the last superblock: what a damaged row or head can make a rank read
    PLAIN = 0               # how a block is stored: as it is,
    ONES = 1                # the places of its ones,
    ZEROS = 2               # those of its zeros,
    TURNS = 3               # or those at which a bit differs from the one before it
    UNIFORM = 0x80000000    # a flag in the directory: all bits are equal; the row has the bit in place of an offset
    MOST_TURNS = 96         # they are read one after the other
    PAGE_BITS = 12          # pages of 4,096 bytes have a checksum each


cdef inline uint64_t word_check(uint64_t check, uint64_t word) noexcept nogil:
    """A checksum with one more word. Each step can be undone, so different words give different sums."""
    check = (check ^ word) * <uint64_t>0x9E3779B97F4A7C15
    return check ^ (check >> 29)


cdef inline uint32_t page_check(const uint8_t *data, int64_t size) noexcept nogil:
    """The checksum of a page; a short one counts as filled up with zeros."""
    cdef uint64_t sums[4]
    cdef int64_t i = 0
    cdef int lane
    cdef uint64_t word, total
    for lane in range(4):
        sums[lane] = <uint64_t>lane + 1
    # Four sums that do not wait for each other.
    while i + 32 <= size:
        for lane in range(4):
            sums[lane] = word_check(sums[lane], fastfm_load64(data + i + 8 * lane))
        i += 32
    while i < size:
        word = 0
        for lane in range(8):
            if i + lane < size:
                word |= <uint64_t>data[i + lane] << (8 * lane)
        sums[(i >> 3) & 3] = word_check(sums[(i >> 3) & 3], word)
        i += 8
    total = <uint64_t>size
    for lane in range(4):
        total = word_check(total, sums[lane])
    return <uint32_t>(total ^ (total >> 32))


cdef struct Sparse:
    const uint8_t *high     # in unary: a one for each position, a zero at the end of each bucket of them
    const uint8_t *lows
    int count
    int low                 # bits of a low part


cdef inline Sparse sparse_at(const uint8_t *data, int count) noexcept nogil:
    """The positions that are stored at `data`: `count` of them, at least 1."""
    cdef Sparse s
    s.high, s.count, s.low = data, count, fastfm_low(count)
    s.lows = data + ((count + (BLOCK >> s.low) + 7) >> 3)
    return s


cdef inline int low_part(const Sparse *s, int i) noexcept nogil:
    cdef int at = i * s.low
    return <int>((fastfm_load32(s.lows + (at >> 3)) >> (at & 7)) & ((1u << s.low) - 1))


cdef inline int after_zeros(const uint8_t *data, int zeros) noexcept nogil:
    """The bit after so many zeros; at most 16 words are read."""
    cdef int at = 0
    cdef int found
    cdef uint64_t word
    if not zeros:
        return 0
    while at < 16:
        word = ~fastfm_load64(data + 8 * at)
        found = fastfm_ones(word)
        if found >= zeros:
            return 64 * at + fastfm_nth(word, zeros) + 1
        zeros -= found
        at += 1
    return 64 * at


cdef inline int sparse_rank(const uint8_t *data, int count, int at, int *hit) noexcept nogil:
    """Positions below `at`; hit: whether `at` is one of them."""
    cdef Sparse s
    cdef int bucket, low, bit, i, part
    hit[0] = 0
    if not count:
        return 0
    s = sparse_at(data, count)
    bucket = at >> s.low
    low = at & ((1 << s.low) - 1)
    bit = after_zeros(s.high, bucket)
    i = bit - bucket
    while i < count and (s.high[bit >> 3] >> (bit & 7)) & 1:
        part = low_part(&s, i)
        if part >= low:
            hit[0] = part == low
            break
        i += 1
        bit += 1
    return i


cdef inline int turns_rank(const uint8_t *data, int count, int bit, int at, int *hit) noexcept nogil:
    """Ones before `at`, where the bits change at `count` positions and begin with `bit`; hit: the bit at `at`."""
    cdef Sparse s
    cdef int ones = 0
    cdef int i = 0
    cdef int w = 0
    cdef int position, where
    cdef int where_low = 0
    cdef uint64_t word
    s = sparse_at(data, max(count, 1))
    word = fastfm_load64(s.high)
    while i < count:
        while not word and w < 16:
            w += 1
            word = fastfm_load64(s.high + 8 * w)
        if not word:
            break
        where = 64 * w + fastfm_ctz(word) - i
        word &= word - 1
        position = (where << s.low) | <int>((fastfm_load32(s.lows + (where_low >> 3)) >> (where_low & 7))
                                            & ((1u << s.low) - 1))
        if position > at:
            break
        # A run of ones adds its end, and takes its beginning off.
        ones += position if bit else -position
        bit ^= 1
        i += 1
        where_low += s.low
    if bit:
        ones += at
    hit[0] = bit
    return ones


cdef inline int plain_rank(const uint8_t *data, int at, int *hit) noexcept nogil:
    cdef int ones = 0
    cdef int i
    cdef uint64_t word
    for i in range(at >> 6):
        ones += fastfm_ones(fastfm_load64(data + 8 * i))
    word = fastfm_load64(data + 8 * (at >> 6))
    hit[0] = (word >> (at & 63)) & 1
    return ones + fastfm_ones(word & (((<uint64_t>1) << (at & 63)) - 1))


cdef inline int block_rank(const uint8_t *data, uint32_t head, int at, int *hit) noexcept nogil:
    """Ones of a block before `at`, below 512; hit: the bit at `at`."""
    cdef int kind = (head >> 21) & 3
    cdef int count = head >> 23
    cdef int found
    if kind == PLAIN:
        return plain_rank(data, at, hit)
    if kind == ONES:
        return sparse_rank(data, count, at, hit)
    if kind == ZEROS:
        found = sparse_rank(data, count, at, hit)
        hit[0] ^= 1
        return at - found
    return turns_rank(data, count & 0xFF, count >> 8, at, hit)
