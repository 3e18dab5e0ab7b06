# cython: language_level=3
"""Suffix sorting by induced sorting (SA-IS) over an integer alphabet, in linear time.

Ge Nong, Sen Zhang, Wai Hong Chan: "Two Efficient Algorithms for Linear Time Suffix Array
Construction", IEEE Transactions on Computers 60(10), 2011. The end of the text acts as a sentinel smaller than every
symbol, which is never stored.

An S-type suffix is less than its right neighbor, an L-type one greater; an LMS suffix is an S-type one whose left
neighbor is L-type. During a pass over the array, an entry is stored as its complement (~position) if its left neighbor
is not part of the pass; 0 marks an empty place, which is safe, since position 0 has no left neighbor.
"""

import itertools

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from _fastsa._induce cimport (
    DONE,
    FAR,
    KEYS_A_SUFFIX,
    NO_MEMORY,
    POLL,
    SMALL_TEXT,
    STOPPED,
    Watch,
    bucket_bounds,
    count_symbols,
    fastsa_prefetch_read,
    fastsa_prefetch_write,
    induce_l,
    induce_s,
    symbol,
)
from _fastsa._shard cimport flag_of
from _fastsa._strings cimport SORT_NO_MEMORY, SORT_STOPPED, SORTED, Sorted, Strings, sort_range

from _fastsa._shard import Stopped


cdef int32_t place_lms(const symbol *text, int32_t n, int32_t *sa, const int32_t *counts, int32_t *bucket,
                       int32_t k) noexcept nogil:
    """Put the LMS suffixes, in any order, at the ends of their buckets; returns their number."""
    cdef int32_t i
    cdef int32_t found = 0
    cdef bint s_type = False
    memset(sa, 0, <size_t>n * sizeof(int32_t))
    bucket_bounds(counts, bucket, k, True)
    for i in range(n - 2, -1, -1):
        if text[i] < text[i + 1]:
            s_type = True
        elif text[i] > text[i + 1]:
            if s_type:
                bucket[text[i + 1]] -= 1
                sa[bucket[text[i + 1]]] = i + 1
                found += 1
            s_type = False
    return found


cdef int32_t list_lms(const symbol *text, int32_t n, int32_t *out, int32_t m) noexcept nogil:
    """Positions of the m LMS suffixes, in the order of the text."""
    cdef int32_t i
    cdef bint s_type = False
    cdef int32_t left = m
    for i in range(n - 2, -1, -1):
        if text[i] < text[i + 1]:
            s_type = True
        elif text[i] > text[i + 1]:
            if s_type:
                left -= 1
                out[left] = i + 1
            s_type = False
    return left


cdef int32_t name_lms(const symbol *text, int32_t n, int32_t *sa, int32_t m) noexcept nogil:
    """Number the sorted LMS substrings sa[:m]; equal ones share a number. Returns how many differ.

    The numbers (from 1) end in sa[m + position // 2]: two LMS positions are at least two apart.
    """
    cdef int32_t i, p, length, k
    cdef int32_t names = 0
    cdef int32_t before = 0
    cdef int32_t before_length = 0
    cdef bint same
    cdef bint s_type = False
    cdef int32_t right = n      # the last LMS substring ends with the sentinel
    memset(sa + m, 0, <size_t>(n - m) * sizeof(int32_t))
    for i in range(n - 2, -1, -1):
        if text[i] < text[i + 1]:
            s_type = True
        elif text[i] > text[i + 1]:
            if s_type:
                sa[m + ((i + 1) >> 1)] = right - i
                right = i + 1
            s_type = False
    for i in range(m):
        if i + FAR < m:
            fastsa_prefetch_read(text + sa[i + FAR])
            fastsa_prefetch_write(sa + m + (sa[i + FAR] >> 1))
        p = sa[i]
        length = sa[m + (p >> 1)]
        same = length == before_length and p + length <= n and before + length <= n
        k = 0
        while same and k < length:
            same = text[p + k] == text[before + k]
            k += 1
        if not same:
            names += 1
            before = p
            before_length = length
        sa[m + (p >> 1)] = names
    return names


cdef int sort_lms(const symbol *text, int32_t n, int32_t *sa, int32_t m, Watch *watch) noexcept nogil:
    """From LMS substrings in order (sa[:m]) to LMS suffixes in order (sa[:m])."""
    # Where things are in sa, since there is no memory beside it: the sorted substrings in sa[:m]; their numbers in
    # sa[m : m + n / 2], by position; then the reduced text, moved to the very end, sa[n - m :]. The recursion sorts it
    # into sa[:m], over what is not needed any more. m is at most n / 2, so the two ends never meet.
    cdef int32_t i
    cdef int32_t names = name_lms(text, n, sa, m)
    cdef int32_t *reduced = sa + (n - m)
    cdef int32_t write = n - 1
    cdef int status = DONE
    for i in range(m + (n >> 1) if m + (n >> 1) < n else n - 1, m - 1, -1):
        if sa[i] > 0:
            sa[write] = sa[i] - 1
            write -= 1
    if names < m:
        status = sais[int32_t](reduced, m, names, sa, watch)
    else:
        for i in range(m):
            sa[reduced[i]] = i
    if status != DONE:
        return status
    # From numbers in the reduced text back to positions: its memory is free now and takes the list of them.
    list_lms(text, n, reduced, m)
    for i in range(m):
        sa[i] = reduced[sa[i]]
    return DONE


cdef int sais(const symbol *text, int32_t n, int32_t k, int32_t *sa, Watch *watch) noexcept nogil:
    """Suffix array of text[:n], whose symbols are less than k, into sa[:n]."""
    cdef int32_t m, i, j
    cdef int status = DONE
    cdef int32_t *counts
    cdef int32_t *bucket
    if n == 0:
        return DONE
    if n == 1:
        sa[0] = 0
        return DONE
    counts = <int32_t *>malloc(2 * <size_t>k * sizeof(int32_t))
    if counts == NULL:
        return NO_MEMORY
    bucket = counts + k
    count_symbols(text, n, counts, k)
    m = place_lms(text, n, sa, counts, bucket, k)
    if m > 1:
        status = induce_l(text, n, sa, counts, bucket, k, False, watch)
        if status == DONE:
            status = induce_s(text, n, sa, counts, bucket, k, False, watch)
        if status == DONE:
            j = 0
            for i in range(n):
                if sa[i] < 0:
                    sa[j] = ~sa[i]
                    j += 1
            status = sort_lms(text, n, sa, m, watch)
        # The sorted LMS suffixes go to the ends of their buckets, from the last: each moves to its right or stays, so
        # none is overwritten before it is read.
        if status == DONE:
            memset(sa + m, 0, <size_t>(n - m) * sizeof(int32_t))
            bucket_bounds(counts, bucket, k, True)
            for i in range(m - 1, -1, -1):
                j = sa[i]
                sa[i] = 0
                bucket[text[j]] -= 1
                sa[bucket[text[j]]] = j
    # Twice the same two passes: above they sorted substrings, to name them; here they sort all suffixes from the LMS.
    if status == DONE:
        status = induce_l(text, n, sa, counts, bucket, k, True, watch)
    if status == DONE:
        status = induce_s(text, n, sa, counts, bucket, k, True, watch)
    free(counts)
    return status


cdef int point_watch(Watch *watch, const uint8_t[::1] stop, int64_t[::1] progress) except -1:
    watch.stop = flag_of(stop)
    watch.progress = NULL
    if progress is not None:
        if not progress.shape[0]:
            raise ValueError("progress must have a number")
        watch.progress = &progress[0]
    return 0


cdef class _Compared:
    """The LMS suffixes of a text, which begin with a fall and a rise, sorted by comparing them.

    Their order is all that induced sorting needs. They are put in buckets by their first symbol, and
    ranges of buckets can be sorted by several threads at once.
    """

    cdef Strings strings
    cdef object owners
    cdef object order_array
    cdef object bounds_array
    cdef readonly int64_t count

    def __init__(self, text, int alphabet, const uint8_t[::1] stop, int32_t[::1] scratch, run=map):
        """scratch: the array of the result, whose memory is used for the keys. run: map, or a pool's."""
        cdef const uint8_t[::1] raw = text.view(np.uint8)
        # Threads may still be at work in this memory when a call ends early.
        self.owners = (text, scratch, stop)
        self.strings.text = &raw[0]
        self.strings.n = len(text)
        self.strings.width = text.dtype.itemsize
        self.strings.stop = flag_of(stop)
        self.strings.keys = <uint64_t *>&scratch[0]
        self.order_array = np.empty(len(text) // 2 + 1, dtype=np.int32)
        cdef int32_t[::1] order = self.order_array
        self.strings.order = &order[0]
        # Each part of the text counts its suffixes, which determines its places in every bucket.
        cuts = np.linspace(0, len(text), 1 if run is map else 5).astype(np.int64).tolist()
        stretches = list(itertools.pairwise(cuts)) or [(0, len(text))]
        counts = list(run(lambda s: self.walk(s[0], s[1], np.zeros(alphabet, dtype=np.int64), False), stretches))
        ends = np.cumsum(np.stack(counts, axis=1).reshape(-1)).reshape(alphabet, len(stretches))
        self.bounds_array = np.concatenate([[0], ends[:, len(stretches) - 1]])
        self.count = int(self.bounds_array[alphabet])
        places = [np.ascontiguousarray(ends[:, number]) for number in range(len(stretches))]
        list(run(lambda s: self.walk(s[0][0], s[0][1], s[1], True), zip(stretches, places)))

    def walk(self, int64_t first, int64_t last, int64_t[::1] bucket, bint place):
        """Go over the LMS suffixes that begin in [first, last): count them by symbol, or put them in place.

        bucket: counts, which grow, or the end of the places of each symbol, which shrinks. Returns it.
        """
        cdef int64_t n = self.strings.n
        cdef const uint8_t *text = self.strings.text
        cdef int32_t *order = self.strings.order if place else NULL
        with nogil:
            if self.strings.width == 1:
                walk_lms[uint8_t](<const uint8_t *>text, n, first, last, &bucket[0], order, self.strings.stop)
            elif self.strings.width == 2:
                walk_lms[uint16_t](<const uint16_t *>text, n, first, last, &bucket[0], order, self.strings.stop)
            else:
                walk_lms[int32_t](<const int32_t *>text, n, first, last, &bucket[0], order, self.strings.stop)
        if self.strings.stop != NULL and self.strings.stop[0]:
            raise Stopped
        return np.asarray(bucket)

    def parts(self, int wanted):
        """Ranges of symbols with about as many suffixes each."""
        symbols = len(self.bounds_array) - 1
        inner = np.searchsorted(self.bounds_array, np.linspace(0, self.count, wanted + 1), side="left")
        cuts = np.unique(np.concatenate([[0, symbols], np.minimum(inner, symbols)])).tolist()
        return list(itertools.pairwise(cuts))

    def sort_part(self, int first, int last, int64_t keys_a_suffix):
        """Sort the buckets of the symbols [first, last). False if that took more than the allowed keys per suffix."""
        cdef int64_t[::1] bounds = self.bounds_array
        cdef int64_t work = keys_a_suffix * (bounds[last] - bounds[first]) + SMALL_TEXT
        cdef Sorted status = SORTED
        cdef int number
        with nogil:
            for number in range(first, last):
                status = sort_range(&self.strings, bounds[number], bounds[number + 1], 1, &work)
                if status != SORTED:
                    break
        if status == SORT_STOPPED:
            raise Stopped
        if status == SORT_NO_MEMORY:
            raise MemoryError
        return status == SORTED

    @property
    def order(self):
        """Positions of the suffixes, sorted once all parts are."""
        return self.order_array[: self.count]

    @property
    def bounds(self):
        """Where in the order each symbol's suffixes begin, and the number of all."""
        return self.bounds_array


cdef void walk_lms(const symbol *text, int64_t n, int64_t first, int64_t last, int64_t *bucket,
                   int32_t *order, const uint8_t *stop) noexcept nogil:
    """See `_Compared.walk`; `order` is NULL to count. Returns early if it is told to stop."""
    cdef int64_t i = last
    cdef bint s_type = False
    # The next symbol that differs decides whether the suffix at `last` is less than its neighbor.
    while i + 1 < n and text[i] == text[i + 1]:
        i += 1
    if i + 1 < n:
        s_type = text[i] < text[i + 1]
    for i in range(min(last, n - 1) - 1, first - 2, -1):
        if i < 0 or ((i & POLL) == 0 and stop != NULL and stop[0]):
            break
        if text[i] < text[i + 1]:
            s_type = True
        elif text[i] > text[i + 1]:
            if s_type and i + 1 < last:
                if order == NULL:
                    bucket[text[i + 1]] += 1
                else:
                    bucket[text[i + 1]] -= 1
                    order[bucket[text[i + 1]]] = <int32_t>(i + 1)
            s_type = False


cdef int induce_all(const symbol *text, int32_t n, int32_t k, int32_t *sa, const int32_t *order,
                    const int64_t *bounds, Watch *watch) noexcept nogil:
    """The whole suffix array from the sorted LMS suffixes; those of symbol c are order[bounds[c]:bounds[c + 1]]."""
    cdef int32_t *counts = <int32_t *>malloc(2 * <size_t>k * sizeof(int32_t))
    cdef int32_t *bucket = counts + k
    cdef int32_t i
    cdef int64_t mine
    cdef int status
    if counts == NULL:
        return NO_MEMORY
    count_symbols(text, n, counts, k)
    # Within a bucket they are already in order: copy them to its end.
    for i in range(k):
        mine = bounds[i + 1] - bounds[i]
        memset(sa, 0, <size_t>(counts[i] - mine) * sizeof(int32_t))
        memcpy(sa + (counts[i] - mine), order + bounds[i], <size_t>mine * sizeof(int32_t))
        sa += counts[i]
    sa -= n
    status = induce_l(text, n, sa, counts, bucket, k, True, watch)
    if status == DONE:
        status = induce_s(text, n, sa, counts, bucket, k, True, watch)
    free(counts)
    return status


def compare_and_induce(text, int alphabet, result, const uint8_t[::1] stop, int64_t[::1] progress,
                       int64_t keys_a_suffix, pool=None):
    """Suffix array into `result` by comparing the LMS suffixes; False if that was too much work.

    Symbols must be at least 1. keys_a_suffix: how many may be loaded before it gives up.
    pool: an executor whose threads sort parts at once. See `suffix_array` for the rest.
    """
    cdef int32_t[::1] sa = result
    cdef Watch watch
    cdef int status
    cdef int32_t n = <int32_t>len(text)
    run = map if pool is None else pool.map
    # Parts are ranges of whole buckets: two threads never write the same memory, and the order needs no merging. There
    # are many more of them than threads, since some buckets are far slower than others.
    compared = _Compared(text, alphabet, stop, sa, run)
    parts = compared.parts(64 if pool is not None else 1)
    if not all(list(run(lambda part: compared.sort_part(part[0], part[1], keys_a_suffix), parts))):
        return False
    point_watch(&watch, stop, progress)
    if watch.progress != NULL:
        watch.progress[0] += 2 * <int64_t>n
    cdef int32_t[::1] order = compared.order
    cdef const int32_t *lms = &order[0] if order.shape[0] else NULL
    cdef int64_t[::1] bounds = compared.bounds
    cdef const uint8_t[::1] text8
    cdef const uint16_t[::1] text16
    cdef const int32_t[::1] text32
    if text.dtype == np.uint8:
        text8 = text
        with nogil:
            status = induce_all[uint8_t](&text8[0], n, alphabet, &sa[0], lms, &bounds[0], &watch)
    elif text.dtype == np.uint16:
        text16 = text
        with nogil:
            status = induce_all[uint16_t](&text16[0], n, alphabet, &sa[0], lms, &bounds[0], &watch)
    else:
        text32 = text
        with nogil:
            status = induce_all[int32_t](&text32[0], n, alphabet, &sa[0], lms, &bounds[0], &watch)
    check_status(status)
    return True


cdef int check_status(int status) except -1:
    if status == STOPPED:
        raise Stopped
    if status == NO_MEMORY:
        raise MemoryError
    return 0


cdef int check_text(object text, int alphabet) except -1:
    """Raise ValueError for invalid arguments; every later read relies on these checks."""
    if not isinstance(text, np.ndarray) or text.ndim != 1 or not text.flags.c_contiguous:
        raise ValueError("the text must be a contiguous array of one dimension")
    if text.dtype not in (np.uint8, np.uint16, np.int32):
        raise ValueError(f"symbols must be uint8, uint16 or int32, not {text.dtype}")
    if len(text) >= 2**31 - 1:
        raise ValueError("a shard to be sorted must have fewer than 2**31 tokens")
    if len(text) and (int(text.max()) >= alphabet or int(text.min()) < 0):
        raise ValueError("every symbol must be at least 0 and less than the alphabet's size")
    if len(text) and alphabet > max(1 << 16, 2 * len(text)):
        raise ValueError(f"an alphabet of {alphabet} is far too large for {len(text)} symbols")
    return 0


def suffix_array(text, int alphabet, const uint8_t[::1] stop=None, int64_t[::1] progress=None, pool=None):
    """Positions of the text's suffixes in ascending order, as int32.

    text: contiguous uint8, uint16 or int32 array of fewer than 2**31 symbols, each less than `alphabet`, which
    is at most 65,536 or twice the symbols of the text: memory is allocated for every possible symbol.
    stop: one byte; set it from another thread to make the call raise `Stopped` within milliseconds.
    progress: one int64 that grows to about 4 to 6 steps per symbol while the sort runs.
    pool: an executor whose threads may help. Texts whose symbols are all at least 1 are first tried by
    comparing suffixes, which is faster on all but repetitive texts.
    Cost: linear time; besides the text, 4 bytes per symbol for the result and at most 2 more.
    """
    cdef Py_ssize_t n
    cdef Watch watch
    cdef int status
    cdef const uint8_t[::1] text8
    cdef const uint16_t[::1] text16
    cdef const int32_t[::1] text32
    check_text(text, alphabet)
    point_watch(&watch, stop, progress)
    n = len(text)
    result = np.empty(n, dtype=np.int32)
    cdef int32_t[::1] sa = result
    if n == 0:
        return result
    # Symbol 0 would look like the zeros that fill up the last key of the text.
    if n >= SMALL_TEXT and int(text.min()) >= 1:
        if compare_and_induce(text, alphabet, result, stop, progress, KEYS_A_SUFFIX, pool):
            return result
    if text.dtype == np.uint8:
        text8 = text
        with nogil:
            status = sais[uint8_t](&text8[0], <int32_t>n, alphabet, &sa[0], &watch)
    elif text.dtype == np.uint16:
        text16 = text
        with nogil:
            status = sais[uint16_t](&text16[0], <int32_t>n, alphabet, &sa[0], &watch)
    else:
        text32 = text
        with nogil:
            status = sais[int32_t](&text32[0], <int32_t>n, alphabet, &sa[0], &watch)
    check_status(status)
    return result
