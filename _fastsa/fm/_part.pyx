# cython: language_level=3
"""Searching a compressed index: one part in its mapped file, which `_file` reads without trust.

Arguments are checked before anything is read. `stop` is as in `_fastsa._shard`. A part can be read by many threads.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc, realloc

from _fastsa._shard cimport flag_of
from _fastsa._suffixes cimport fastsa_flag
from _fastsa.fm._bits cimport PADDING, PAGE_BITS, SUPER, page_check
from _fastsa.fm._file cimport (
    GROUP,
    PAGE,
    POLL,
    File,
    Span,
    document_at,
    document_start,
    find,
    look,
    spread,
)
from _fastsa.fm._many cimport Places, Readings, Searches, place_all, read_all, search_all

from _fastsa._shard import Stopped
from _fastsa.fm._tree import huffman_tree

cdef enum:
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
        firsts, lasts = (np.empty(starts.shape[0], dtype=np.int64) for _ in range(2))
        self.search(query, starts, ends, firsts, lasts, None, stop)
        return firsts, lasts

    cdef int search(self, const uint8_t[::1] query, const int64_t[::1] starts, const int64_t[::1] ends,
                    int64_t[::1] firsts, int64_t[::1] lasts, int64_t[::1] reached,
                    const uint8_t[::1] stop) except -1:
        cdef Searches job
        cdef int64_t i
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine
        job.count, job.following = starts.shape[0], 0
        if ends.shape[0] != job.count:
            raise ValueError("every start needs an end")
        if not job.count:
            return 0
        for i in range(job.count):
            if not 0 <= starts[i] <= ends[i] <= query.shape[0]:
                raise IndexError(f"part {i} is not in the query")
        job.text = &query[0] if query.shape[0] else NULL
        job.starts, job.ends = &starts[0], &ends[0]
        job.firsts = job.lasts = job.reached = NULL
        if reached is None:
            job.firsts, job.lasts = &firsts[0], &lasts[0]
        else:
            job.reached = &reached[0]
        with nogil:
            fine = search_all(&self.f, &job, flag)
        return self.check(fine)

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
        cdef Places job
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine
        result = np.empty(rows.shape[0], dtype=np.int64)
        cdef int64_t[::1] out = result
        job.count, job.following = rows.shape[0], 0
        for i in range(job.count):
            if not 0 <= rows[i] <= self.f.n:
                raise IndexError(f"there is no row {rows[i]}")
        if job.count:
            job.rows, job.found = &rows[0], &out[0]
            with nogil:
                fine = place_all(&self.f, &job, flag)
            self.check(fine)
        return result

    def texts(self, const int64_t[::1] starts not None, const int64_t[::1] ends not None,
              const uint8_t[::1] stop=None):
        """The bytes of the text from each start to its end, one after the other, uint8."""
        cdef int64_t i
        cdef int64_t total = 0
        cdef Readings job
        cdef const uint8_t *flag = flag_of(stop)
        cdef bint fine
        job.count = starts.shape[0]
        if ends.shape[0] != job.count:
            raise ValueError("every start needs an end")
        for i in range(job.count):
            if not 0 <= starts[i] <= ends[i] <= self.f.n:
                raise IndexError(f"part {i} is not in the text")
            total += ends[i] - starts[i]
        result = np.empty(total, dtype=np.uint8)
        cdef uint8_t[::1] out = result
        if total:
            job.starts, job.ends, job.out = &starts[0], &ends[0], &out[0]
            with nogil:
                fine = read_all(&self.f, &job, flag)
            self.check(fine)
        return result

    def longest(self, const uint8_t[::1] query not None, const uint8_t[::1] stop=None):
        """The longest text from each byte of a query on that occurs: its bytes, int64.

        Cost: a search for each start whose match ends where neither of its neighbors' does: matches never end before
        those of an earlier start. Those halfway between known ones are searched for at once.
        """
        cdef int64_t size = query.shape[0]
        ends = np.zeros(size, dtype=np.int64)
        some = np.unique(np.array([0, size - 1], dtype=np.int64)) if size else ends
        lows, highs = some[:-1], some[1:]
        while len(some):
            found = np.empty(len(some), dtype=np.int64)
            self.search(query, some, np.full(len(some), size, dtype=np.int64), None, None, found, stop)
            ends[some] = some + found
            wanted = (highs - lows > 1) & (ends[lows] != ends[highs])
            lows, highs = lows[wanted], highs[wanted]
            some = lows + (highs - lows) // 2
            lows, highs = np.concatenate([lows, some]), np.concatenate([some, highs])
        # Between two whose matches end at one place, all end there.
        return np.maximum.accumulate(ends) - np.arange(size, dtype=np.int64)

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
