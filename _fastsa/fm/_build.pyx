# cython: language_level=3
"""Making a compressed index: the transformed text, its bits in blocks, and samples of positions.

The text is indexed backwards: a step of a search, which goes to the left there, appends a byte to the right of what was
found. Rows are the sorted suffixes of the reversed text; row 0 is the empty one. A place in the text is told by how
many bytes are before it, so the suffix of a row, read backwards, ends at its place.

An argument `stop` is as in `_fastsa._shard`. Arrays must not be changed while a call reads them.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from _fastsa._shard cimport flag_of
from _fastsa._suffixes cimport fastsa_flag
from _fastsa.fm._bits cimport (
    BLOCK,
    BLOCKS,
    HEADS,
    MOST_BYTES,
    MOST_TURNS,
    ONES,
    PAGE_BITS,
    PLAIN,
    SUPER,
    TURNS,
    UNIFORM,
    ZEROS,
    fastfm_ctz,
    fastfm_load64,
    fastfm_low,
    fastfm_ones,
    page_check,
)

from _fastsa._shard import Stopped

cdef enum:
    POLL = (1 << 20) - 1    # a stop flag is looked at this often


cdef inline bint stopped_at(const uint8_t *flag, int64_t i) noexcept nogil:
    return (i & POLL) == 0 and flag != NULL and fastsa_flag(flag) != 0


cdef class Packed:
    """Numbers of a fixed width in bits, one after the other.

    data: their bytes, and 8 more, so that each can be read as a word.
    """

    cdef readonly object data
    cdef readonly int width

    def __init__(self, const int64_t[::1] numbers not None, int width):
        cdef int64_t i, at
        cdef uint64_t word
        cdef int64_t wrong = -1
        if not 0 <= width <= 32:
            raise ValueError("numbers have 0 to 32 bits")
        self.width = width
        self.data = np.zeros(((numbers.shape[0] * width + 7) >> 3) + 8, dtype=np.uint8)
        cdef uint8_t[::1] out = self.data
        with nogil:
            for i in range(numbers.shape[0]):
                if numbers[i] < 0 or numbers[i] >> width:
                    wrong = i
                    break
                at = i * width
                word = fastfm_load64(&out[at >> 3]) | (<uint64_t>numbers[i] << (at & 7))
                memcpy(&out[at >> 3], &word, 8)
        if wrong >= 0:
            raise ValueError(f"{numbers[wrong]} does not fit into {width} bits")


def reversed_text(const uint8_t[::1] text not None, const uint8_t[::1] symbols not None, const uint8_t[::1] stop=None):
    """The text from its last byte to its first, each byte replaced with symbols[byte]; there must be 256 symbols."""
    cdef int64_t i
    cdef int64_t n = text.shape[0]
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    if symbols.shape[0] != 256:
        raise ValueError("every byte needs a symbol")
    result = np.empty(n, dtype=np.uint8)
    cdef uint8_t[::1] out = result
    with nogil:
        for i in range(n):
            if stopped_at(flag, i):
                stopped = True
                break
            out[n - 1 - i] = symbols[text[i]]
    if stopped:
        raise Stopped
    return result


def pair_starts(const uint8_t[::1] text not None, const uint8_t[::1] stop=None):
    """How often each byte occurs, int64 [256], and each pair of bytes, int64 [256, 256]; a pair's first byte first."""
    cdef int64_t i
    cdef int64_t n = text.shape[0]
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    single, double = np.zeros(256, dtype=np.int64), np.zeros((256, 256), dtype=np.int64)
    cdef int64_t[::1] ones = single
    cdef int64_t[:, ::1] pairs = double
    with nogil:
        for i in range(n):
            if stopped_at(flag, i):
                stopped = True
                break
            ones[text[i]] += 1
            if i:
                pairs[text[i - 1], text[i]] += 1
    if stopped:
        raise Stopped
    return single, double


def sample_rows(const int32_t[::1] order not None, int64_t place_step, int64_t row_step, const uint8_t[::1] stop=None):
    """Samples of the rows whose places are multiples of a step, and the rows of some places.

    order: the suffixes of the reversed text, in order.
    Returns uint64 words with a bit for each row, whether its place is a multiple of `place_step`; those places in the
    order of rows, divided by the step, int64; and the rows of the places that are multiples of `row_step`, int64.
    """
    cdef int64_t n = order.shape[0]
    cdef int64_t row, place
    cdef int64_t kept = 0
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    cdef bint wrong = False
    if place_step < 1 or row_step < 1:
        raise ValueError("steps are at least 1")
    words = np.zeros((n + 1 + 63) >> 6, dtype=np.uint64)
    places, rows = np.zeros(n // place_step + 1, dtype=np.int64), np.zeros(n // row_step + 1, dtype=np.int64)
    cdef uint64_t[::1] bits = words
    cdef int64_t[::1] found = places
    cdef int64_t[::1] of_place = rows
    with nogil:
        for row in range(n + 1):
            if stopped_at(flag, row):
                stopped = True
                break
            place = n - order[row - 1] if row else 0
            if place < 0 or place > n:
                wrong = True
                break
            if place % place_step == 0:
                if kept == found.shape[0]:
                    wrong = True
                    break
                bits[row >> 6] |= <uint64_t>1 << (row & 63)
                found[kept] = place // place_step
                kept += 1
            if place % row_step == 0:
                of_place[place // row_step] = row
    if stopped:
        raise Stopped
    if wrong or kept != places.shape[0]:
        raise ValueError("this is not the order of all suffixes of a text")
    return words, places, rows


def transform(const uint8_t[::1] text not None, int32_t[::1] order not None, const uint8_t[::1] stop=None):
    """The Burrows-Wheeler transform of a text, in the memory of its order: its bytes are the first of `order`.

    Returns the row that no byte precedes, which has none in the transform; and the runs of equal bytes.
    """
    cdef int64_t n = text.shape[0]
    cdef int64_t row, at
    cdef int64_t without = 0
    cdef int64_t runs = 0
    cdef int64_t kept = 0
    cdef int last = -1
    cdef uint8_t symbol
    cdef const uint8_t *flag = flag_of(stop)
    cdef bint stopped = False
    cdef bint wrong = False
    cdef uint8_t *out
    if order.shape[0] != n:
        raise ValueError("text and order must have as many entries as each other")
    if not n:
        return 0, 0
    out = <uint8_t *>&order[0]
    with nogil:
        # The byte of row r is written after the entry of the row after it was read: entries have four bytes.
        at = n
        for row in range(n + 1):
            if stopped_at(flag, row):
                stopped = True
                break
            if at > 0:
                symbol = text[at - 1]
            if row < n:
                # Entry `row` is of row + 1. It is read before byte `kept` <= row is written.
                if order[row] < 0 or order[row] >= n:
                    wrong = True
                    break
            if at > 0:
                at = order[row] if row < n else 0
                out[kept] = symbol
                kept += 1
                runs += symbol != last
                last = symbol
            else:
                without = row
                at = order[row] if row < n else 0
    if stopped:
        raise Stopped
    if wrong or kept != n:
        raise ValueError("this is not the order of all suffixes of a text")
    return without, runs


# --- bits ---------------------------------------------------------------------------------------


cdef inline int sparse_bytes(int count) noexcept nogil:
    """Bytes of so many positions in a block."""
    cdef int low = fastfm_low(count)
    return ((count + (BLOCK >> low) + 7) >> 3) + ((count * low + 7) >> 3)


cdef void put_positions(uint8_t *out, const uint64_t *words, int count) noexcept nogil:
    """Store the places of the ones of a block; the bytes at `out` are zeros."""
    cdef int low = fastfm_low(count)
    cdef uint8_t *lows = out + ((count + (BLOCK >> low) + 7) >> 3)
    cdef int i = 0
    cdef int at, bit, w, part
    cdef uint64_t word
    for w in range(BLOCK // 64):
        word = words[w]
        while word:
            at = 64 * w + fastfm_ctz(word)
            word &= word - 1
            bit = (at >> low) + i
            out[bit >> 3] |= <uint8_t>(1 << (bit & 7))
            part = (at & ((1 << low) - 1)) << ((i * low) & 7)
            bit = (i * low) >> 3
            lows[bit] |= <uint8_t>part
            # A low part has up to nine bits, which may reach into a second byte and a third.
            if part >> 8:
                lows[bit + 1] |= <uint8_t>(part >> 8)
            if part >> 16:
                lows[bit + 2] |= <uint8_t>(part >> 16)
            i += 1


cdef int put_block(uint8_t *out, const uint64_t *words, uint32_t *how) noexcept nogil:
    """Store a block in the shortest way; returns its bytes. how: its kind and count, as in a head."""
    cdef uint64_t other[8]
    cdef int ones = 0
    cdef int turns = 0
    cdef int w, kind, size, count, best
    cdef uint64_t carry = words[0] & 1
    for w in range(BLOCK // 64):
        ones += fastfm_ones(words[w])
        # A one where a bit differs from the one before it; the first bit is no turn.
        other[w] = words[w] ^ ((words[w] << 1) | carry)
        carry = words[w] >> 63
        turns += fastfm_ones(other[w])
    best, kind, count = BLOCK // 8, PLAIN, 0
    if turns and turns <= MOST_TURNS and sparse_bytes(turns) < best:
        best, kind, count = sparse_bytes(turns), TURNS, turns | <int>(words[0] & 1) << 8
    if ones <= BLOCK // 2:
        size = sparse_bytes(ones) if ones else 0
        if size <= best:
            best, kind, count = size, ONES, ones
    else:
        size = sparse_bytes(BLOCK - ones) if ones < BLOCK else 0
        if size <= best:
            best, kind, count = size, ZEROS, BLOCK - ones
    how[0] = <uint32_t>kind << 21 | <uint32_t>count << 23
    memset(out, 0, best)
    if kind == PLAIN:
        memcpy(out, words, BLOCK // 8)
    elif kind == TURNS:
        put_positions(out, other, turns)
    elif kind == ONES and ones:
        put_positions(out, words, ones)
    elif kind == ZEROS and ones < BLOCK:
        for w in range(BLOCK // 64):
            other[w] = ~words[w]
        put_positions(out, other, BLOCK - ones)
    return best


cdef int64_t put_super(uint8_t *out, const uint64_t *words, int64_t *ones) noexcept nogil:
    """Store a superblock, and count its ones; returns its bytes."""
    cdef int64_t size = HEADS
    cdef int block, w
    cdef uint32_t head, how
    ones[0] = 0
    for block in range(BLOCKS):
        # The count before the block has 12 bits, the offset of its bytes 9.
        head = <uint32_t>ones[0] | <uint32_t>(size - HEADS) << 12
        size += put_block(out + size, words + block * (BLOCK // 64), &how)
        head |= how
        memcpy(out + 4 * block, &head, 4)
        for w in range(BLOCK // 64):
            ones[0] += fastfm_ones(words[block * (BLOCK // 64) + w])
    return size


cdef inline bint all_equal(const uint64_t *words) noexcept nogil:
    cdef int w
    if words[0] != 0 and words[0] != ~<uint64_t>0:
        return False
    for w in range(1, SUPER // 64):
        if words[w] != words[0]:
            return False
    return True


cdef int64_t put_vector(uint8_t *out, uint32_t *rows, const uint64_t *words, int64_t supers, int64_t offset,
                        const uint8_t *flag) noexcept nogil:
    """Store some superblocks and their rows of the directory; returns the bytes, or -1 if it was stopped.

    offset: the bytes before `out` that belong to the same data.
    """
    cdef int64_t size = 0
    cdef int64_t ones = 0
    cdef int64_t i, some
    for i in range(supers):
        if (i & 255) == 0 and flag != NULL and fastsa_flag(flag):
            return -1
        rows[2 * i] = <uint32_t>ones
        if all_equal(words + i * (SUPER // 64)):
            rows[2 * i] |= UNIFORM
            rows[2 * i + 1] = <uint32_t>(words[i * (SUPER // 64)] & 1)
            ones += SUPER if words[i * (SUPER // 64)] & 1 else 0
            continue
        rows[2 * i + 1] = <uint32_t>(offset + size)
        size += put_super(out + size, words + i * (SUPER // 64), &some)
        ones += some
    return size


cdef class _Vectors:
    """Bit vectors, stored one after the other."""

    cdef list rows, data
    cdef int64_t size
    cdef const uint8_t *flag

    def __init__(self):
        self.rows, self.data, self.size = [], [], 0

    cdef int add(self, const uint64_t[::1] words, int64_t bits) except -1:
        """Store a vector; the words reach to the end of the superblock after its last bit, filled with zeros."""
        cdef int64_t supers = bits // SUPER + 1
        cdef int64_t size
        if words.shape[0] < supers * (SUPER // 64):
            raise ValueError("too few words")
        directory, room = np.empty(2 * supers, dtype=np.uint32), np.empty(supers * MOST_BYTES, dtype=np.uint8)
        cdef uint32_t[::1] rows = directory
        cdef uint8_t[::1] out = room
        with nogil:
            size = put_vector(&out[0], &rows[0], &words[0], supers, self.size, self.flag)
        if size < 0:
            raise Stopped
        self.rows.append(directory)
        # A copy: the room is for the worst case.
        self.data.append(room[:size].copy())
        self.size += size
        return 0

    cdef tuple stored(self):
        return (np.concatenate([np.empty(0, dtype=np.uint32), *self.rows]),
                np.concatenate([np.empty(0, dtype=np.uint8), *self.data]))


def encode_bits(words, int64_t bits, const uint8_t[::1] stop=None):
    """Store one bit vector: its directory, uint32, and its data, uint8.

    words: uint64, the first bit is the lowest of the first word.
    """
    cdef _Vectors vectors = _Vectors()
    if not 0 <= bits < 1 << 31:
        raise ValueError("a vector has fewer than 2**31 bits")
    vectors.flag = flag_of(stop)
    padded = np.zeros((bits // SUPER + 1) * (SUPER // 64), dtype=np.uint64)
    padded[:len(words)] = words
    vectors.add(padded, bits)
    return vectors.stored()


cdef int64_t split(uint8_t *symbols, int64_t count, const uint8_t *right, uint64_t *words, uint8_t *room,
                   const uint8_t *flag) noexcept nogil:
    """Write a bit for each symbol, and move those with a one behind the others; returns the zeros, -1 if stopped."""
    cdef int64_t i
    cdef int64_t zeros = 0
    cdef int64_t ones = 0
    cdef uint64_t word = 0
    cdef uint8_t symbol, bit
    for i in range(count):
        if stopped_at(flag, i):
            return -1
        symbol = symbols[i]
        bit = right[symbol]
        word |= <uint64_t>bit << (i & 63)
        # Both are written, and one counts: no branch that the processor has to guess.
        room[ones] = symbol
        symbols[zeros] = symbol
        ones += bit
        zeros += 1 - bit
        if (i & 63) == 63:
            words[i >> 6] = word
            word = 0
    if count & 63:
        words[count >> 6] = word
    memcpy(symbols + zeros, room, ones)
    return zeros


def _sides(nodes):
    """For each node, which bytes are on its right: uint8 [nodes, 256]."""
    sides = np.zeros((len(nodes), 256), dtype=np.uint8)
    below = [None] * len(nodes)
    # Children come after their parents.
    for number in range(len(nodes) - 1, -1, -1):
        left, right = ([~child] if child < 0 else below[child] for child in nodes[number, :2].tolist())
        sides[number, right] = 1
        below[number] = left + right
    return sides


def encode_symbols(uint8_t[::1] symbols not None, nodes, const uint8_t[::1] stop=None, int64_t[::1] progress=None):
    """Store the bits of a wavelet tree in the shape of `huffman_tree`: directory, uint32, and data, uint8.

    Node after node; each begins a superblock, so that its rows follow from the sizes of those before it. The symbols
    are moved: their order is lost. progress: one int64 that grows by one for each symbol of each node.
    """
    cdef _Vectors vectors = _Vectors()
    cdef int64_t number, first, size, zeros
    vectors.flag = flag_of(stop)
    tree = np.ascontiguousarray(nodes, dtype=np.int64)
    if len(tree) and int(tree[0, 2]) != symbols.shape[0]:
        raise ValueError("the tree is one of another text")
    sides = _sides(tree)
    firsts = np.zeros(len(tree), dtype=np.int64)
    cdef const uint8_t[:, ::1] right = sides
    cdef uint8_t[::1] room = np.empty(symbols.shape[0] + 1, dtype=np.uint8)
    cdef uint64_t[::1] bits
    for number in range(len(tree)):
        first, size = int(firsts[number]), int(tree[number, 2])
        if first + size > symbols.shape[0]:
            raise ValueError("the tree is one of another text")
        words = np.zeros((size // SUPER + 1) * (SUPER // 64), dtype=np.uint64)
        bits = words
        with nogil:
            zeros = split(&symbols[first], size, &right[number, 0], &bits[0], &room[0], vectors.flag)
        if zeros < 0:
            raise Stopped
        vectors.add(words, size)
        for child, begin in ((int(tree[number, 0]), first), (int(tree[number, 1]), first + zeros)):
            if child >= 0:
                firsts[child] = begin
        if progress is not None:
            progress[0] += size
    return vectors.stored()


def page_checks(const uint8_t[::1] data not None):
    """A checksum, uint32, for each 4,096 bytes; a last part that is shorter has its own."""
    cdef int64_t i
    cdef int64_t size = data.shape[0]
    cdef int64_t page = 1 << PAGE_BITS
    result = np.empty((size + page - 1) // page, dtype=np.uint32)
    cdef uint32_t[::1] out = result
    with nogil:
        for i in range(out.shape[0]):
            out[i] = page_check(&data[i * page], min(page, size - i * page))
    return result


def whole_check(const uint8_t[::1] data not None):
    """One checksum of some bytes, at least one."""
    if not data.shape[0]:
        raise ValueError("there are no bytes")
    return page_check(&data[0], data.shape[0])
