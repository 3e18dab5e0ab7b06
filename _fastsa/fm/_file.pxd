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
    BLOCK,
    HEADS,
    PAGE_BITS,
    SUPER,
    UNIFORM,
    block_rank,
    fastfm_load32,
    fastfm_load64,
    fastfm_prefetch,
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


cdef struct Probe:
    const Vector *vector
    int64_t at              # a bit of the vector
    int64_t where           # what is read next: a row of the directory, then a head, then a block; -1 for nothing
    int64_t ones            # before the superblock, then before the block, then before the bit; -1 if damaged
    uint32_t head
    int bit


# A rank in four steps. Each asks for the memory of the next one, so whoever has many ranks to take does one step of all
# of them before the next step: the processor then waits for the memory of all at once.

cdef inline void aim(File *f, const Vector *v, int64_t first, int64_t at, Probe *p) noexcept nogil:
    """Begin to count the ones before bit `at` of the vector whose first row is `first`."""
    p.vector, p.at = v, at
    p.where = v.rows + 8 * (first + (at >> 12))
    fastfm_prefetch(f.data + p.where)


cdef inline void read_row(File *f, Probe *p) noexcept nogil:
    cdef int64_t row = p.where
    cdef uint32_t ones, where
    p.where = -1
    if not touch(f, row, 8):
        p.ones = -1
        return
    ones, where = fastfm_load32(f.data + row), fastfm_load32(f.data + row + 4)
    if ones & UNIFORM:
        p.bit = where & 1
        p.ones = <int64_t>(ones & ~<uint32_t>UNIFORM) + (p.at & (SUPER - 1) if where & 1 else 0)
        if p.ones > p.at:
            p.ones = broken(f, row)
        return
    p.ones = ones
    if <int64_t>where > p.vector.size - HEADS:
        p.ones = broken(f, row)
        return
    p.where = p.vector.data + where
    fastfm_prefetch(f.data + p.where + 4 * ((p.at & (SUPER - 1)) >> 9))


cdef inline void read_head(File *f, Probe *p) noexcept nogil:
    cdef int64_t data = p.where
    if data < 0:
        return
    p.where = -1
    if not touch(f, data, HEADS):
        p.ones = -1
        return
    p.head = fastfm_load32(f.data + data + 4 * ((p.at & (SUPER - 1)) >> 9))
    p.where = data + HEADS + ((p.head >> 12) & 511)
    p.ones += p.head & 4095
    # A block has at most 64 bytes, which lie in one or two lines of the cache.
    fastfm_prefetch(f.data + p.where)
    fastfm_prefetch(f.data + p.where + 63)


cdef inline void read_block(File *f, Probe *p) noexcept nogil:
    """Finish: `ones` and `bit` are known."""
    if p.where < 0:
        return
    if not touch(f, p.where, 64):
        p.ones = -1
        return
    p.ones += block_rank(f.data + p.where, p.head, <int>(p.at & (BLOCK - 1)), &p.bit)
    if p.ones < 0 or p.ones > p.at:
        p.ones = broken(f, p.where)


cdef inline int64_t rank_at(File *f, const Vector *v, int64_t first, int64_t at, int *bit) noexcept nogil:
    """Ones before bit `at` of the vector whose first row is `first`, and the bit; -1 if the file is damaged."""
    cdef Probe p
    aim(f, v, first, at, &p)
    read_row(f, &p)
    read_head(f, &p)
    read_block(f, &p)
    bit[0] = p.bit
    return p.ones


cdef inline int64_t packed_at(File *f, int64_t section, int width, int64_t number) noexcept nogil:
    """A number of a section of numbers of one width, 0 to 32 bits; -1 if the file is damaged."""
    cdef int64_t bit = number * width
    cdef int64_t at = section + (bit >> 3)
    if not touch(f, at, 8):
        return -1
    return <int64_t>((fastfm_load64(f.data + at) >> (bit & 7)) & (((<uint64_t>1) << width) - 1))


cdef struct Step:           # a byte that is appended to what the rows of a span have in common
    Span span               # the rows of the longer text, once `left` is 0
    int64_t first           # the same at a node of the tree
    int64_t last
    uint64_t code           # the rest of the way to the byte, and how long it is
    int left
    int symbol
    int32_t number
    bint single             # one row is left: its bit is the one that is wanted, or none is
    Probe low
    Probe high


cdef inline bint probe_node(File *f, Step *s) noexcept nogil:
    """Begin to count at a node; False if the file is damaged."""
    cdef Node *node = &f.nodes[s.number]
    if s.first < 0 or s.first > s.last or s.last > node.size:
        return broken(f, f.tree.rows) >= 0
    s.single = s.last - s.first == 1
    aim(f, &f.tree, node.row, s.first, &s.low)
    if not s.single:
        aim(f, &f.tree, node.row, s.last, &s.high)
    return True


cdef inline bint rows_of(File *f, Step *s) noexcept nogil:
    """The rows of the longer text, at the end of the way."""
    if s.first < 0 or s.first > s.last or f.before[s.symbol] + s.last > f.before[s.symbol + 1]:
        return broken(f, f.tree.rows) >= 0
    s.span.first, s.span.last = f.before[s.symbol] + s.first, f.before[s.symbol] + s.last
    return True


cdef inline bint begin(File *f, int symbol, Step *s) noexcept nogil:
    """Begin to append a byte to what the rows of a span have in common; False if the file is damaged."""
    s.left = 0
    if f.numbers[symbol] < 0:
        s.span.last = s.span.first
        return True
    # The row that no byte precedes has no entry in the transform.
    s.first, s.last = s.span.first - (s.span.first > f.without), s.span.last - (s.span.last > f.without)
    s.symbol, s.number = symbol, f.root
    s.code, s.left = f.codes[symbol], f.lengths[symbol]
    if not s.left:
        return rows_of(f, s)
    if s.first == s.last:
        s.left, s.span.last = 0, s.span.first
        return True
    return probe_node(f, s)


cdef inline void read_rows(File *f, Step *s) noexcept nogil:
    read_row(f, &s.low)
    if not s.single:
        read_row(f, &s.high)


cdef inline void read_heads(File *f, Step *s) noexcept nogil:
    read_head(f, &s.low)
    if not s.single:
        read_head(f, &s.high)


cdef inline bint descend(File *f, Step *s) noexcept nogil:
    """Finish counting at a node and begin at the next one, or find the rows; False if the file is damaged."""
    cdef int64_t low, high
    cdef Node *node = &f.nodes[s.number]
    read_block(f, &s.low)
    low = s.low.ones
    if s.single:
        high = low + s.low.bit
    else:
        read_block(f, &s.high)
        high = s.high.ones
    if low < 0 or high < 0:
        return False
    if s.code & 1:
        s.first, s.last, s.number = low, high, node.right
    else:
        s.first, s.last, s.number = s.first - low, s.last - high, node.left
    s.code >>= 1
    s.left -= 1
    if s.first == s.last:
        s.left, s.span.last = 0, s.span.first
        return True
    return probe_node(f, s) if s.left else rows_of(f, s)


cdef inline bint extend(File *f, int symbol, Span *span) noexcept nogil:
    """Append a byte to what the rows of a span have in common; False if the file is damaged."""
    cdef Step s
    s.span = span[0]
    if not begin(f, symbol, &s):
        return False
    while s.left:
        read_rows(f, &s)
        read_heads(f, &s)
        if not descend(f, &s):
            return False
    span[0] = s.span
    return True


cdef struct Walk:           # from a row to the row of the place after it
    int64_t row
    int64_t at              # the row at a node of the tree
    int32_t number          # the node, or ~byte once the byte after the place is known
    Probe probe


cdef inline bint leave(File *f, Walk *w) noexcept nogil:
    """Begin to go from a row, which must not be the one that no byte precedes; False if the file is damaged."""
    w.at, w.number = w.row - (w.row > f.without), f.root
    return go_on(f, w)


cdef inline bint go_on(File *f, Walk *w) noexcept nogil:
    """Begin to count at the next node, or find the row of the next place."""
    cdef Node *node
    if w.number >= 0:
        node = &f.nodes[w.number]
        if w.at < 0 or w.at >= node.size:
            return broken(f, f.tree.rows) >= 0
        aim(f, &f.tree, node.row, w.at, &w.probe)
        return True
    if w.at < 0 or f.before[~w.number] + w.at >= f.before[~w.number + 1]:
        return broken(f, f.tree.rows) >= 0
    w.row = f.before[~w.number] + w.at
    return True


cdef inline bint turn(File *f, Walk *w) noexcept nogil:
    """Finish counting at a node, and go on."""
    cdef Node *node = &f.nodes[w.number]
    read_block(f, &w.probe)
    if w.probe.ones < 0:
        return False
    if w.probe.bit:
        w.at, w.number = w.probe.ones, node.right
    else:
        w.at, w.number = w.at - w.probe.ones, node.left
    return go_on(f, w)


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
