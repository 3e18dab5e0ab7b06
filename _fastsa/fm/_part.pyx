# cython: language_level=3
"""Searching a compressed index in its mapped file: `_build` describes what its rows and places are.

No byte of the file is trusted. The file is cut into pages, each of which has a checksum; a page is checked when it is
first read, so an answer is of the bytes that were written, or `DamagedPart` is raised. Offsets and numbers are checked
as well, since whoever makes a file can make checksums: nothing outside of the file is ever read, and no loop depends on
its content for its end.

Arguments are checked before anything is read. `stop` is as in `_fastsa._shard`. A part can be read by many threads.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc

from _fastsa._shard cimport flag_of
from _fastsa._suffixes cimport fastsa_flag
from _fastsa.fm._bits cimport (
    HEADS,
    PADDING,
    PAGE_BITS,
    SUPER,
    UNIFORM,
    block_rank,
    fastfm_load32,
    fastfm_load64,
    page_check,
)

from _fastsa._shard import Stopped
from _fastsa.fm._tree import huffman_tree

cdef enum:
    POLL = 255              # a stop flag is looked at this often
    PAGE = 4096
    GROUP = 64              # documents of a row of their directory
    SECTIONS = 10

cdef enum:
    TREE_ROWS, TREE_BITS, MARK_ROWS, MARK_BITS, PLACES, ROWS, PAIRS, DOCUMENT_ROWS, DOCUMENT_BITS, CHECKS

MAGIC = int.from_bytes(b"fmbytes1", "little")


class DamagedPart(ValueError):
    """The file of a part is not as it was written.

    Attributes: `name`, that of the part, and `byte_offset`, the first byte of what makes no sense.
    """

    def __init__(self, byte_offset, name=""):
        self.name, self.byte_offset = name, int(byte_offset)
        super().__init__(f"the part is damaged at byte {self.byte_offset}")


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


cdef bint look(File *f, int64_t page) noexcept nogil:
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


cdef int64_t place_of(File *f, int64_t row) noexcept nogil:
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


cdef Span start_of(File *f, const uint8_t *query, int64_t size, int64_t *done) noexcept nogil:
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


cdef bint find(File *f, const uint8_t *query, int64_t size, Span *span, const uint8_t *flag) noexcept nogil:
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


cdef int64_t match_from(File *f, const uint8_t *query, int64_t size, const uint8_t *flag) noexcept nogil:
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


cdef int spread(File *f, Span span, int64_t parent, int64_t *out) noexcept nogil:
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


cdef int64_t document_start(File *f, int64_t number) noexcept nogil:
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


cdef int64_t document_at(File *f, int64_t place) noexcept nogil:
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


cdef class Part:
    """One part of a compressed index, in a mapped file that is held by reference.

    data: the contents of the file. name: what errors call it. Raises DamagedPart if the head of the file makes no
    sense. What a head has is told in `explorer.index.fm.file`.

    last_row: the row whose place is the end of the text.
    """

    cdef File f
    cdef object owner
    cdef readonly str name
    cdef readonly int64_t size, documents, runs, last_row

    def __cinit__(self, const uint8_t[::1] data not None, str name not None=""):
        self.owner, self.name = data, name
        self.f.seen = NULL
        self.f.bad = -1
        if data.shape[0] < 2 * PAGE:
            raise DamagedPart(data.shape[0], name)
        self.f.data, self.f.size = &data[0], data.shape[0]
        head = np.frombuffer(data, dtype="<u8", count=PAGE // 8).astype(object)
        if int(head[511]) != page_check(self.f.data, PAGE - 8) or head[0] != MAGIC or head[1] != data.shape[0]:
            raise DamagedPart(0, name)
        self.read_head(head)
        self.f.seen = <uint8_t *>calloc((self.f.size >> PAGE_BITS) + 1, 1)
        if self.f.seen == NULL:
            raise MemoryError
        # The head has its own checksum, and the checksums one in the head.
        self.f.seen[0] = 1

    def __dealloc__(self):
        free(self.f.seen)

    cdef int read_head(self, object head) except -1:
        cdef int i
        cdef int64_t limit
        counts = head[32:288]
        sections = [(int(head[8 + 2 * i]), int(head[9 + 2 * i])) for i in range(SECTIONS)]
        n, steps = int(head[2]), (int(head[4]), int(head[5]))
        fits = n < 1 << 31 and int(sum(counts)) == n and int(head[3]) <= n and min(steps) >= 1 and max(steps) < 1 << 31
        # Sections lie within the file, before the checksums, which are its end.
        ends = [offset + size for offset, size in sections]
        limit = min(sections[CHECKS][0], self.f.size)
        fits = fits and all([PAGE <= offset and offset + size <= limit for offset, size in sections[:CHECKS]])
        fits = fits and limit % PAGE == 0 and ends[CHECKS] == self.f.size
        fits = fits and sections[CHECKS][1] == 4 * (limit // PAGE - 1)
        if not fits or int(head[6]) > n + 1:
            raise DamagedPart(0, self.name)
        self.f.checks = self.f.data + limit
        if int(head[28]) != page_check(self.f.checks, sections[CHECKS][1]):
            raise DamagedPart(limit, self.name)
        self.f.n, self.f.without, self.f.documents = n, int(head[3]), int(head[6])
        self.f.place_step, self.f.row_step = steps
        self.size, self.documents, self.runs, self.last_row = n, int(head[6]), int(head[7]), int(head[3])
        self.make_tree(counts)
        self.lay_out(sections)
        return 0

    cdef int make_tree(self, object counts) except -1:
        """The code of each byte, and where its bits are."""
        cdef int i, symbol
        cdef int64_t rows = 0
        cdef int64_t total = 1
        nodes = huffman_tree(counts)
        self.f.node_count = len(nodes)
        self.f.symbols = 0
        self.f.tree.row_count = 0
        for symbol in range(256):
            self.f.before[symbol] = total
            total += int(counts[symbol])
            self.f.numbers[symbol] = -1
            self.f.lengths[symbol], self.f.codes[symbol] = 0, 0
            if counts[symbol]:
                self.f.numbers[symbol] = self.f.symbols
                self.f.symbols += 1
                self.f.root = ~symbol
        self.f.before[256] = total
        if not self.f.symbols:
            self.f.root = ~0
        ways = {0: (0, 0)}
        for i in range(self.f.node_count):
            left, right, size = nodes[i].tolist()
            self.f.nodes[i].left, self.f.nodes[i].right, self.f.nodes[i].size = left, right, size
            self.f.nodes[i].row = rows
            rows += size // SUPER + 1
            code, length = ways.pop(i)
            for child, bit in ((left, 0), (right, 1)):
                # Counts below 2**31 give ways of fewer than 64 bits.
                way = (code | bit << length, length + 1)
                if child >= 0:
                    ways[child] = way
                else:
                    self.f.codes[~child], self.f.lengths[~child] = way
        if self.f.node_count:
            self.f.root = 0
        self.f.tree.row_count = rows
        return 0

    cdef int lay_out(self, list sections) except -1:
        """Where the sections are; each must have the size that follows from the text's."""
        n, files = self.f.n, self.f.documents
        self.f.place_width = int(n // self.f.place_step).bit_length()
        self.f.row_width = int(n).bit_length()
        groups = -(-files // GROUP)
        needed = {
            TREE_ROWS: 8 * self.f.tree.row_count,
            MARK_ROWS: 8 * ((n + 1) // SUPER + 1),
            PLACES: (((n // self.f.place_step + 1) * self.f.place_width + 7) >> 3) + 8,
            ROWS: (((n // self.f.row_step + 1) * self.f.row_width + 7) >> 3) + 8,
            # An entry more is read than there are.
            PAIRS: 4 * (self.f.symbols * self.f.symbols + 1),
            DOCUMENT_ROWS: 8 * (groups + 1),
        }
        for section, size in needed.items():
            if sections[section][1] != size:
                raise DamagedPart(8 * (8 + 2 * section), self.name)
        for section in (TREE_BITS, MARK_BITS):
            if sections[section][1] < PADDING:
                raise DamagedPart(8 * (8 + 2 * section), self.name)
        self.f.tree.rows, self.f.tree.data = sections[TREE_ROWS][0], sections[TREE_BITS][0]
        self.f.tree.size = sections[TREE_BITS][1] - PADDING
        self.f.marks.rows, self.f.marks.data = sections[MARK_ROWS][0], sections[MARK_BITS][0]
        self.f.marks.size = sections[MARK_BITS][1] - PADDING
        self.f.places, self.f.rows, self.f.pairs = sections[PLACES][0], sections[ROWS][0], sections[PAIRS][0]
        self.f.document_rows, self.f.document_bits = sections[DOCUMENT_ROWS][0], sections[DOCUMENT_BITS][0]
        self.f.document_size = sections[DOCUMENT_BITS][1]
        return 0

    cdef int check(self, bint fine) except -1:
        """Raise what went wrong while the interpreter's lock was given up."""
        if fine:
            return 0
        # Read once: another thread may have met another byte.
        at = self.f.bad
        if at >= 0:
            raise DamagedPart(at, self.name)
        raise Stopped

    def counts(self):
        """How often each byte occurs, int64 [256]."""
        return np.diff(np.array([self.f.before[i] for i in range(257)], dtype=np.int64))

    def find(self, const uint8_t[::1] query not None, const uint8_t[::1] stop=None):
        """First row of a text, and one past the last; the empty text has all rows, also the one of the empty suffix.

        Cost: a few ranks per byte and bit of its code.
        """
        cdef Span span
        cdef const uint8_t *flag = flag_of(stop)
        cdef const uint8_t *text = &query[0] if query.shape[0] else NULL
        cdef int64_t size = query.shape[0]
        cdef bint fine
        with nogil:
            fine = find(&self.f, text, size, &span, flag)
        self.check(fine)
        return span.first, span.last

    def find_many(self, const uint8_t[::1] query not None, const int64_t[::1] starts not None,
                  const int64_t[::1] ends not None, const uint8_t[::1] stop=None):
        """First rows of query[starts[i]:ends[i]], and those one past the last, both int64.

        Consecutive ones with one start and growing ends cost no more than the longest.
        """
        cdef int64_t i, at
        cdef int64_t count = starts.shape[0]
        cdef Span span
        cdef const uint8_t *text = &query[0] if query.shape[0] else NULL
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine = True
        if ends.shape[0] != count:
            raise ValueError("every start needs an end")
        for i in range(count):
            if not 0 <= starts[i] <= ends[i] <= query.shape[0]:
                raise IndexError(f"part {i} is not in the query")
        firsts, lasts = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        cdef int64_t[::1] low = firsts
        cdef int64_t[::1] high = lasts
        with nogil:
            for i in range(count):
                if (i & POLL) == 0 and flag != NULL and fastsa_flag(flag):
                    fine = False
                    break
                if i and starts[i] == starts[i - 1] and ends[i] >= ends[i - 1] > starts[i]:
                    at = ends[i - 1]
                    while at < ends[i] and span.first < span.last and fine:
                        fine = not ((at & POLL) == 0 and flag != NULL and fastsa_flag(flag))
                        fine = fine and extend(&self.f, text[at], &span)
                        at += 1
                else:
                    fine = find(&self.f, text + starts[i], ends[i] - starts[i], &span, flag)
                if not fine:
                    break
                low[i], high[i] = span.first, span.last
        self.check(fine)
        return firsts, lasts

    def children(self, const int64_t[::1] firsts not None, const int64_t[::1] lasts not None,
                 const uint8_t[::1] stop=None):
        """Every byte that follows what the rows of some spans have in common.

        Returns int64 [found, 4]: which span, the byte, and the first row and the one past the last of the text with the
        byte; in the order of the spans, and in no order for each.
        """
        cdef int64_t i
        cdef int64_t count = firsts.shape[0]
        cdef int64_t room = 1024
        cdef int64_t found = 0
        cdef int some = 0
        cdef Span span
        cdef int64_t *rows
        cdef int64_t *more
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine = True
        self.check_spans(firsts, lasts)
        rows = <int64_t *>malloc(room * 4 * sizeof(int64_t))
        if rows == NULL:
            raise MemoryError
        try:
            with nogil:
                for i in range(count):
                    if room - found < 256:
                        more = <int64_t *>realloc(rows, 2 * room * 4 * sizeof(int64_t))
                        if more == NULL:
                            with gil:
                                raise MemoryError
                        rows = more
                        room *= 2
                    span.first, span.last = firsts[i], lasts[i]
                    some = spread(&self.f, span, i, rows + 4 * found)
                    if some < 0 or ((i & POLL) == 0 and flag != NULL and fastsa_flag(flag)):
                        fine = False
                        break
                    found += some
            self.check(fine)
            result = np.empty((found, 4), dtype=np.int64)
            if found:
                result[:] = <int64_t[:found, :4]>rows
            return result
        finally:
            free(rows)

    cdef int check_spans(self, const int64_t[::1] firsts, const int64_t[::1] lasts) except -1:
        cdef int64_t i
        if lasts.shape[0] != firsts.shape[0]:
            raise ValueError("every span needs an end")
        for i in range(firsts.shape[0]):
            if not 0 <= firsts[i] <= lasts[i] <= self.f.n + 1:
                raise IndexError(f"span {i} is not one of rows")
        return 0

    def places(self, const int64_t[::1] rows not None, const uint8_t[::1] stop=None):
        """The place of each row, int64: how many bytes of the text are before the end of what was found there."""
        cdef int64_t i
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine = True
        result = np.empty(rows.shape[0], dtype=np.int64)
        cdef int64_t[::1] out = result
        for i in range(rows.shape[0]):
            if not 0 <= rows[i] <= self.f.n:
                raise IndexError(f"there is no row {rows[i]}")
        with nogil:
            for i in range(rows.shape[0]):
                out[i] = place_of(&self.f, rows[i])
                if out[i] < 0 or ((i & POLL) == 0 and flag != NULL and fastsa_flag(flag)):
                    fine = False
                    break
        self.check(fine)
        return result

    def texts(self, const int64_t[::1] starts not None, const int64_t[::1] ends not None,
              const uint8_t[::1] stop=None):
        """The bytes of the text from each start to its end, one after the other, uint8."""
        cdef int64_t i, at, row, end
        cdef int64_t total = 0
        cdef int symbol = 0
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine = True
        if ends.shape[0] != starts.shape[0]:
            raise ValueError("every start needs an end")
        for i in range(starts.shape[0]):
            if not 0 <= starts[i] <= ends[i] <= self.f.n:
                raise IndexError(f"part {i} is not in the text")
            total += ends[i] - starts[i]
        result = np.empty(total, dtype=np.uint8)
        cdef uint8_t[::1] out = result
        total = 0
        with nogil:
            for i in range(starts.shape[0]):
                if starts[i] == ends[i]:
                    continue
                at = starts[i] // self.f.row_step
                row = packed_at(&self.f, self.f.rows, self.f.row_width, at)
                fine = 0 <= row <= self.f.n
                if row > self.f.n:
                    broken(&self.f, self.f.rows)
                at *= self.f.row_step
                end = ends[i]
                while fine and at < end:
                    symbol = back(&self.f, &row)
                    if symbol < 0:
                        # The text ends where it must not.
                        if symbol == -1:
                            broken(&self.f, self.f.rows)
                        fine = False
                    elif at >= starts[i]:
                        out[total] = <uint8_t>symbol
                        total += 1
                    fine = fine and not ((at & POLL) == 0 and flag != NULL and fastsa_flag(flag))
                    at += 1
                if not fine:
                    break
        self.check(fine)
        return result

    def longest(self, const uint8_t[::1] query not None, const uint8_t[::1] stop=None):
        """The longest text from each byte of a query on that occurs: its bytes, int64.

        Cost: a search for each start whose match ends where neither of its neighbors' does: matches never end before
        those of an earlier start.
        """
        cdef int64_t size = query.shape[0]
        cdef int64_t low, high, middle, i, length
        cdef int64_t top = 0
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine = True
        result = np.zeros(size, dtype=np.int64)
        cdef int64_t[::1] ends = result
        # Halving: never more pairs wait than the size has bits.
        cdef int64_t stack[256]
        if not size:
            return result
        with nogil:
            for i in range(2):
                middle = (size - 1) * i
                length = match_from(&self.f, &query[middle], size - middle, flag)
                if length < 0 or (flag != NULL and fastsa_flag(flag)):
                    fine = False
                    break
                ends[middle] = middle + length
            stack[0], stack[1] = 0, size - 1
            top = 2 if fine else 0
            while top:
                low, high = stack[top - 2], stack[top - 1]
                top -= 2
                if ends[low] == ends[high]:
                    for i in range(low + 1, high):
                        ends[i] = ends[low]
                    continue
                if high - low < 2:
                    continue
                middle = low + (high - low) // 2
                length = match_from(&self.f, &query[middle], size - middle, flag)
                if length < 0 or (flag != NULL and fastsa_flag(flag)):
                    fine = False
                    break
                ends[middle] = middle + length
                stack[top], stack[top + 1] = low, middle
                stack[top + 2], stack[top + 3] = middle, high
                top += 4
        self.check(fine)
        return result - np.arange(size, dtype=np.int64)

    def document_starts(self, const int64_t[::1] numbers not None):
        """The place of the separator before each document, int64; that of one beyond the last is the text's end."""
        cdef int64_t i
        cdef bint fine = True
        result = np.empty(numbers.shape[0], dtype=np.int64)
        cdef int64_t[::1] out = result
        for i in range(numbers.shape[0]):
            if not 0 <= numbers[i] <= self.f.documents:
                raise IndexError(f"there is no document {numbers[i]}")
        with nogil:
            for i in range(numbers.shape[0]):
                out[i] = self.f.n if numbers[i] == self.f.documents else document_start(&self.f, numbers[i])
                if out[i] < 0:
                    fine = False
                    break
        self.check(fine)
        return result

    def documents_at(self, const int64_t[::1] places not None):
        """The document of each place, int64: the last one whose separator is there or before it."""
        cdef int64_t i
        cdef bint fine = True
        result = np.empty(places.shape[0], dtype=np.int64)
        cdef int64_t[::1] out = result
        if not self.f.documents:
            raise IndexError("there are no documents")
        for i in range(places.shape[0]):
            if not 0 <= places[i] <= self.f.n:
                raise IndexError(f"{places[i]} is no place of the text")
        with nogil:
            for i in range(places.shape[0]):
                out[i] = document_at(&self.f, places[i])
                if out[i] < 0:
                    fine = False
                    break
        self.check(fine)
        return result

    def check_pages(self, const uint8_t[::1] stop=None, int64_t[::1] progress=None):
        """Check every page, also those that were checked before. progress: one int64 that grows by bytes."""
        cdef int64_t page
        cdef int64_t pages = (<const uint8_t *>self.f.checks - self.f.data) >> PAGE_BITS
        cdef int64_t *done = &progress[0] if progress is not None and progress.shape[0] else NULL
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine = True
        with nogil:
            for page in range(1, pages):
                if not look(&self.f, page) or (flag != NULL and fastsa_flag(flag)):
                    fine = False
                    break
                if done != NULL:
                    done[0] += PAGE
        self.check(fine)
