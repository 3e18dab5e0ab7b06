# cython: language_level=3
"""The mapped file of a compressed index, read without trust: ranks, rows, places and documents of one part.

`_build` describes what rows and places are. No byte of the file is trusted. The file is cut into pages, each of which
has a checksum; a page is checked when it is first read, so an answer is of the bytes that were written, or the file is
found to be damaged. Offsets and numbers are checked as well, since whoever makes a file can make checksums: nothing
outside of the file is ever read, and no loop depends on its content for its end.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from _fastsa._suffixes cimport fastsa_flag
from _fastsa.fm._bits cimport (
    HEADS,
    PAGE_BITS,
    SUPER,
    UNIFORM,
    block_rank,
    fastfm_load32,
    fastfm_load64,
    page_check,
)

cdef enum:
    POLL = 255              # a stop flag is looked at this often
    PAGE = 4096
    GROUP = 64              # documents of a row of their directory


cdef struct Node:
    int32_t left            # a node, or ~byte
    int32_t right
    int64_t size            # bits
    int64_t row             # its first row of the directory


cdef struct Vector:
    int64_t rows            # where the directory and the data are in the file
    int64_t row_count
    int64_t data
    int64_t size            # of the data, without the padding


cdef struct File:
    const uint8_t *data
    int64_t size
    const uint8_t *checks
    uint8_t *seen           # for each page, whether it was checked
    int64_t bad             # a byte that makes no sense; -1 for none
    int64_t n               # bytes of the text
    int64_t without         # the row that no byte precedes
    int64_t place_step
    int64_t row_step
    int64_t documents
    int64_t places          # offsets of sections
    int64_t rows
    int64_t pairs
    int64_t document_rows
    int64_t document_bits
    int64_t document_size
    int place_width
    int row_width
    Vector tree
    Vector marks
    int32_t root            # a node, or ~byte where only one byte occurs
    int node_count
    Node nodes[256]
    int64_t before[257]     # rows of suffixes that begin with a lesser byte
    uint64_t codes[256]     # the way to each byte, the first bit lowest
    uint8_t lengths[256]
    int numbers[256]        # the number of each byte among those that occur; -1 if it does not
    int symbols             # how many occur
    int first_byte          # the text's first, which is the last of the reversed text; -1 for none


cdef struct Span:
    int64_t first
    int64_t last


cdef inline bint look(File *f, int64_t page) noexcept nogil:
    """Whether a page is as it was written; it is checked once."""
    cdef int64_t at = page << PAGE_BITS
    if page_check(f.data + at, min(<int64_t>PAGE, f.size - at)) != fastfm_load32(f.checks + 4 * (page - 1)):
        f.bad = at
        return False
    f.seen[page] = 1
    return True


cdef inline bint touch(File *f, int64_t at, int64_t size) noexcept nogil:
    """Check the pages of some bytes of the file, which must lie within it."""
    cdef int64_t page = at >> PAGE_BITS
    cdef int64_t last = (at + size - 1) >> PAGE_BITS
    while page <= last:
        if not f.seen[page] and not look(f, page):
            return False
        page += 1
    return True


cdef inline int64_t broken(File *f, int64_t at) noexcept nogil:
    f.bad = at
    return -1


cdef inline int64_t rank_at(File *f, const Vector *v, int64_t first, int64_t at, int *bit) noexcept nogil:
    """Ones before bit `at` of the vector whose first row is `first`, and the bit; -1 if the file is damaged."""
    cdef int64_t row = v.rows + 8 * (first + (at >> 12))
    cdef int64_t inside = at & (SUPER - 1)
    cdef int64_t data, found
    cdef uint32_t ones, where, head
    if not touch(f, row, 8):
        return -1
    ones, where = fastfm_load32(f.data + row), fastfm_load32(f.data + row + 4)
    if ones & UNIFORM:
        bit[0] = where & 1
        found = <int64_t>(ones & ~<uint32_t>UNIFORM) + (inside if where & 1 else 0)
        return found if found <= at else broken(f, row)
    if <int64_t>where > v.size - HEADS:
        return broken(f, row)
    data = v.data + where
    if not touch(f, data, HEADS):
        return -1
    head = fastfm_load32(f.data + data + 4 * (inside >> 9))
    data += HEADS + ((head >> 12) & 511)
    if not touch(f, data, 64):
        return -1
    found = <int64_t>ones + (head & 4095) + block_rank(f.data + data, head, <int>(inside & 511), bit)
    return found if 0 <= found <= at else broken(f, data)


cdef inline int64_t packed_at(File *f, int64_t section, int width, int64_t number) noexcept nogil:
    """A number of a section of numbers of one width, 0 to 32 bits; -1 if the file is damaged."""
    cdef int64_t bit = number * width
    cdef int64_t at = section + (bit >> 3)
    if not touch(f, at, 8):
        return -1
    return <int64_t>((fastfm_load64(f.data + at) >> (bit & 7)) & (((<uint64_t>1) << width) - 1))


cdef inline bint extend(File *f, int symbol, Span *span) noexcept nogil:
    """Append a byte to what the rows of a span have in common; False if the file is damaged."""
    cdef uint64_t code
    cdef int64_t first, last, low, high
    cdef int32_t number = f.root
    cdef int bit, _level
    cdef Node *node
    if f.numbers[symbol] < 0:
        span.last = span.first
        return True
    # The row that no byte precedes has no entry in the transform.
    first, last = span.first - (span.first > f.without), span.last - (span.last > f.without)
    code = f.codes[symbol]
    for _level in range(f.lengths[symbol]):
        node = &f.nodes[number]
        if first > last or last > node.size:
            return broken(f, f.tree.rows) >= 0
        if last - first == 1:
            # One row is left: its bit is the one that is wanted, or none is.
            low = rank_at(f, &f.tree, node.row, first, &bit)
            high = low + bit
        else:
            # Both bounds together: the processor waits for the memory of both at once.
            low = rank_at(f, &f.tree, node.row, first, &bit)
            high = rank_at(f, &f.tree, node.row, last, &bit)
        if low < 0 or high < 0:
            return False
        if code & 1:
            first, last, number = low, high, node.right
        else:
            first, last, number = first - low, last - high, node.left
        code >>= 1
        if first == last:
            span.last = span.first
            return True
    if first < 0 or first > last or f.before[symbol] + last > f.before[symbol + 1]:
        return broken(f, f.tree.rows) >= 0
    span.first, span.last = f.before[symbol] + first, f.before[symbol] + last
    return True


cdef inline int back(File *f, int64_t *row) noexcept nogil:
    """The byte after a row's place, and the row of the place after it; -1 at the end of the text, -2 if damaged."""
    cdef int64_t at, ones
    cdef int32_t number = f.root
    cdef int bit
    cdef Node *node
    if row[0] == f.without:
        return -1
    at = row[0] - (row[0] > f.without)
    while number >= 0:
        node = &f.nodes[number]
        if at < 0 or at >= node.size:
            broken(f, f.tree.rows)
            return -2
        ones = rank_at(f, &f.tree, node.row, at, &bit)
        if ones < 0:
            return -2
        if bit:
            at, number = ones, node.right
        else:
            at, number = at - ones, node.left
    if at < 0 or f.before[~number] + at >= f.before[~number + 1]:
        broken(f, f.tree.rows)
        return -2
    row[0] = f.before[~number] + at
    return ~number


cdef inline int64_t place_of(File *f, int64_t row) noexcept nogil:
    """The place of a row; -1 if the file is damaged."""
    cdef int64_t steps = 0
    cdef int64_t ones, found
    cdef int bit
    while row != f.without:
        ones = rank_at(f, &f.marks, 0, row, &bit)
        if ones < 0:
            return -1
        if bit:
            if ones > f.n // f.place_step:
                return broken(f, f.marks.rows)
            found = packed_at(f, f.places, f.place_width, ones)
            if found < 0:
                return -1
            found = found * f.place_step - steps
            return found if 0 <= found <= f.n else broken(f, f.places)
        steps += 1
        if steps > f.place_step or back(f, &row) < 0:
            return broken(f, f.marks.rows) if f.bad < 0 else -1
    return f.n - steps


cdef inline Span start_of(File *f, const uint8_t *query, int64_t size, int64_t *done) noexcept nogil:
    """The rows of the first bytes of a query, at most two, from the table of pairs; first is -1 if it is damaged."""
    cdef Span span
    cdef int64_t at, c
    cdef int64_t entry
    span.first, span.last = 0, f.n + 1
    done[0] = min(size, <int64_t>2)
    if not size:
        return span
    c = query[size != 1]
    if f.numbers[query[0]] < 0 or f.numbers[c] < 0:
        span.last = 0
        return span
    span.first, span.last = f.before[c], f.before[c + 1]
    if size == 1:
        return span
    # Suffixes that begin with the second byte, then with the first: the text is reversed.
    at = <int64_t>f.numbers[c] * f.symbols + f.numbers[query[0]]
    entry = f.pairs + 4 * at
    if not touch(f, entry, 8):
        span.first = -1
        return span
    at = fastfm_load32(f.data + entry)
    # The last pair of a byte reaches to the end of its rows.
    if f.numbers[query[0]] != f.symbols - 1:
        span.last = fastfm_load32(f.data + entry + 4)
    if at < span.first or at > span.last or span.last > f.before[c + 1]:
        span.first = broken(f, entry)
        return span
    span.first = at
    return span


cdef inline bint find(File *f, const uint8_t *query, int64_t size, Span *span, const uint8_t *flag) noexcept nogil:
    """The rows of a query; False if the file is damaged, or if it was stopped (then no byte is bad)."""
    cdef int64_t i
    span[0] = start_of(f, query, size, &i)
    if span.first < 0:
        return False
    while i < size and span.first < span.last:
        if (i & POLL) == 0 and flag != NULL and fastsa_flag(flag):
            return False
        if not extend(f, query[i], span):
            return False
        i += 1
    return True


cdef inline int64_t match_from(File *f, const uint8_t *query, int64_t size, const uint8_t *flag) noexcept nogil:
    """The longest beginning of a query that occurs; -1 if the file is damaged, or if it was stopped."""
    cdef Span span, longer
    cdef int64_t i
    span = start_of(f, query, size, &i)
    if span.first < 0:
        return -1
    if span.first == span.last:
        return 0 if not size or f.numbers[query[0]] < 0 else 1
    while i < size:
        if (i & POLL) == 0 and flag != NULL and fastsa_flag(flag):
            return -1
        longer = span
        if not extend(f, query[i], &longer):
            return -1
        if longer.first == longer.last:
            break
        span = longer
        i += 1
    return i


cdef struct Branch:
    int64_t first
    int64_t last
    int32_t number


cdef inline int spread(File *f, Span span, int64_t parent, int64_t *out) noexcept nogil:
    """Every byte that can be appended: rows of parent, byte, first, last; returns how many, -1 if it is damaged."""
    cdef Branch stack[256]
    cdef Branch b
    cdef int top = 0
    cdef int found = 0
    cdef int bit
    cdef int64_t low, high
    cdef Node *node
    b.first, b.last = span.first - (span.first > f.without), span.last - (span.last > f.without)
    b.number = f.root
    if b.first < b.last:
        stack[0] = b
        top = 1
    while top:
        top -= 1
        b = stack[top]
        if b.number < 0:
            if found == 256 or b.last > f.before[~b.number + 1] - f.before[~b.number]:
                return <int>broken(f, f.tree.rows)
            out[4 * found], out[4 * found + 1] = parent, ~b.number
            out[4 * found + 2] = f.before[~b.number] + b.first
            out[4 * found + 3] = f.before[~b.number] + b.last
            found += 1
            continue
        node = &f.nodes[b.number]
        if b.last > node.size:
            return <int>broken(f, f.tree.rows)
        low = rank_at(f, &f.tree, node.row, b.first, &bit)
        high = rank_at(f, &f.tree, node.row, b.last, &bit)
        if low < 0 or high < low or b.last - high < b.first - low:
            return <int>broken(f, f.tree.rows) if f.bad < 0 else -1
        # A tree of 256 bytes has no way on which more than that many branches wait.
        if high > low:
            stack[top].first, stack[top].last, stack[top].number = low, high, node.right
            top += 1
        if b.last - high > b.first - low:
            stack[top].first, stack[top].last, stack[top].number = b.first - low, b.last - high, node.left
            top += 1
    return found


cdef inline int64_t document_start(File *f, int64_t number) noexcept nogil:
    """The place of the separator before a document; -1 if the file is damaged."""
    cdef int64_t row = f.document_rows + 8 * (number // GROUP)
    cdef int64_t base, following, offset, bit
    cdef int width = 0
    if not touch(f, row, 16):
        return -1
    base, following = fastfm_load32(f.data + row), fastfm_load32(f.data + row + 8)
    if number % GROUP == 0:
        return base if base <= f.n else broken(f, row)
    if base > following or following > f.n:
        return broken(f, row)
    while (following - base) >> width:
        width += 1
    offset = fastfm_load32(f.data + row + 4)
    bit = (number % GROUP - 1) * width
    # Eight bytes are read.
    if offset + (bit >> 3) + 8 > f.document_size:
        return broken(f, row)
    offset = packed_at(f, f.document_bits + offset, width, number % GROUP - 1)
    if offset < 0:
        return -1
    return base + offset if base + offset <= f.n else broken(f, row)


cdef inline int64_t document_at(File *f, int64_t place) noexcept nogil:
    """The last document that begins at a place or before it; -1 if the file is damaged."""
    cdef int64_t low = 0
    cdef int64_t high = f.documents
    cdef int64_t middle, start
    while high - low > 1:
        middle = low + (high - low) // 2
        # First between groups, whose beginnings are in the directory.
        if high - low > GROUP:
            middle -= middle % GROUP
            if middle <= low:
                middle += GROUP
        start = document_start(f, middle)
        if start < 0:
            return -1
        if start <= place:
            low = middle
        else:
            high = middle
    return low
