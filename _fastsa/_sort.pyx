# cython: language_level=3
"""Suffix sorting by induced sorting over an integer alphabet, in linear time.

An S-type suffix is less than its right neighbor, an L-type one greater; an LMS suffix is an S-type one whose left
neighbor is L-type. The order of the LMS suffixes is enough: that of all others follows by two passes over the array.
During a pass, an entry is stored as its complement (~position) if its left neighbor is not part of the pass; 0 marks an
empty place, which is safe, since position 0 has no left neighbor. The end of the text acts as a sentinel smaller than
every symbol, which is never stored.

The LMS suffixes are sorted by comparing them, on several threads, but not to the end: those stay tied that agree in
their first `KEYS` times eight bytes and in all symbols up to the next LMS suffix. Each group of them gets a number as
its name. The names in the order of the text are a shorter text, whose suffixes have the same order, and which is sorted
in the same way. That a name may tell more of a suffix than its symbols up to the next one changes nothing: what follows
equal names is compared at the next ones, and unequal names are in the order of their suffixes. So a symbol is compared
a bounded number of times, and repetitive texts take linear time as well. On most texts, few suffixes are tied. A name
that occurs once ends each comparison, so of those that follow each other only the first is part of the shorter text.

Texts with a symbol 0, and short ones, are sorted by induced sorting alone. Ge Nong, Sen Zhang, Wai Hong Chan: "Two
Efficient Algorithms for Linear Time Suffix Array Construction", IEEE Transactions on Computers 60(10), 2011.
"""

import itertools

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from _fastsa._induce cimport (
    BUCKET_BITS,
    DONE,
    FAR,
    NO_MEMORY,
    KEYS,
    NAME_KEYS,
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
    must_stop,
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
    elif m == 1:
        list_lms(text, n, sa, 1)
    if status == DONE:
        status = finish(text, n, k, sa, m, counts, bucket, watch)
    free(counts)
    return status


cdef int finish(const symbol *text, int32_t n, int32_t k, int32_t *sa, int32_t m, const int32_t *counts,
                int32_t *bucket, Watch *watch) noexcept nogil:
    """The whole suffix array from the sorted LMS suffixes in sa[:m]."""
    cdef int32_t i, j
    cdef int status
    # They go to the ends of their buckets, from the last: each moves to its right or stays, so none is overwritten
    # before it is read.
    memset(sa + m, 0, <size_t>(n - m) * sizeof(int32_t))
    bucket_bounds(counts, bucket, k, True)
    for i in range(m - 1, -1, -1):
        if must_stop(watch, i):
            return STOPPED
        if i >= FAR:
            fastsa_prefetch_read(text + sa[i - FAR])
        j = sa[i]
        sa[i] = 0
        bucket[text[j]] -= 1
        sa[bucket[text[j]]] = j
    # Twice the same two passes: `sais` sorts substrings by them, to name them; here they sort all suffixes.
    status = induce_l(text, n, sa, counts, bucket, k, True, watch)
    if status == DONE:
        status = induce_s(text, n, sa, counts, bucket, k, True, watch)
    return status


cdef int point_watch(Watch *watch, const uint8_t[::1] stop, int64_t[::1] progress) except -1:
    watch.stop = flag_of(stop)
    watch.progress = NULL
    if progress is not None:
        if not progress.shape[0]:
            raise ValueError("progress must have a number")
        watch.progress = &progress[0]
    return 0


cdef class _Named:
    """The LMS suffixes of a text, sorted until each is alone or has the name of others.

    They are put in buckets by their first symbol, or by ranges of symbols where there are many, and ranges of buckets
    can be sorted by several threads at once.
    """

    cdef Strings strings
    cdef object owners
    cdef object bounds_array
    cdef int shift
    cdef readonly object order

    def __init__(self, text, int alphabet, const uint8_t[::1] stop, int32_t[::1] scratch, memory, int keys, run=map):
        """scratch: the array of the result, used for the keys. memory: int32, for the order. run: map, or a pool's.

        keys: how many are compared before suffixes may stay tied.
        """
        cdef const uint8_t[::1] raw = text.view(np.uint8)
        # Threads may still be at work in this memory when a call ends early.
        self.owners = (text, scratch, memory, stop)
        self.strings.text = &raw[0]
        self.strings.n = len(text)
        self.strings.width = text.dtype.itemsize
        self.strings.depth = keys * 8 // text.dtype.itemsize
        self.strings.stop = flag_of(stop)
        self.strings.keys = <uint64_t *>&scratch[0]
        cdef int32_t[::1] order = memory
        self.strings.order = &order[0]
        self.shift = max(0, (alphabet - 1).bit_length() - BUCKET_BITS)
        buckets = ((alphabet - 1) >> self.shift) + 1
        # Each part of the text counts its suffixes, which determines its places in every bucket.
        cuts = np.linspace(0, len(text), 1 if run is map else 5).astype(np.int64).tolist()
        stretches = list(itertools.pairwise(cuts)) or [(0, len(text))]
        counts = list(run(lambda s: self.walk(s[0], s[1], np.zeros(buckets, dtype=np.int64), False), stretches))
        ends = np.cumsum(np.stack(counts, axis=1).reshape(-1)).reshape(buckets, len(stretches))
        self.bounds_array = np.concatenate([[0], ends[:, len(stretches) - 1]])
        places = [np.ascontiguousarray(ends[:, number]) for number in range(len(stretches))]
        list(run(lambda s: self.walk(s[0][0], s[0][1], s[1], True), zip(stretches, places)))
        self.order = memory[: int(self.bounds_array[buckets])]

    def walk(self, int64_t first, int64_t last, int64_t[::1] bucket, bint place):
        """Go over the LMS suffixes that begin in [first, last): count them by bucket, or put them in place.

        bucket: counts, which grow, or the end of the places of each bucket, which shrinks. Returns it.
        """
        cdef int64_t n = self.strings.n
        cdef const uint8_t *text = self.strings.text
        cdef int32_t *order = self.strings.order if place else NULL
        cdef const uint8_t *stop = self.strings.stop
        cdef int shift = self.shift
        with nogil:
            if self.strings.width == 1:
                walk_lms[uint8_t](<const uint8_t *>text, n, first, last, shift, &bucket[0], order, stop)
            elif self.strings.width == 2:
                walk_lms[uint16_t](<const uint16_t *>text, n, first, last, shift, &bucket[0], order, stop)
            else:
                walk_lms[int32_t](<const int32_t *>text, n, first, last, shift, &bucket[0], order, stop)
        if self.strings.stop != NULL and self.strings.stop[0]:
            raise Stopped
        return np.asarray(bucket)

    def parts(self, int wanted):
        """Ranges of buckets with about as many suffixes each."""
        buckets = len(self.bounds_array) - 1
        inner = np.searchsorted(self.bounds_array, np.linspace(0, len(self.order), wanted + 1), side="left")
        cuts = np.unique(np.concatenate([[0, buckets], np.minimum(inner, buckets)])).tolist()
        return list(itertools.pairwise(cuts))

    def sort_part(self, int first, int last):
        """Sort the buckets [first, last); of suffixes that stay tied, all but the first become complements."""
        cdef int64_t[::1] bounds = self.bounds_array
        cdef Sorted status = SORTED
        cdef int number
        with nogil:
            for number in range(first, last):
                status = sort_range(&self.strings, bounds[number], bounds[number + 1])
                if status != SORTED:
                    break
        if status == SORT_STOPPED:
            raise Stopped
        if status == SORT_NO_MEMORY:
            raise MemoryError


cdef void walk_lms(const symbol *text, int64_t n, int64_t first, int64_t last, int shift, int64_t *bucket,
                   int32_t *order, const uint8_t *stop) noexcept nogil:
    """See `_Named.walk`; `order` is NULL to count. Returns early if it is told to stop."""
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
                    bucket[text[i + 1] >> shift] += 1
                else:
                    bucket[text[i + 1] >> shift] -= 1
                    order[bucket[text[i + 1] >> shift]] = <int32_t>(i + 1)
            s_type = False


cdef inline bint has_bit(const uint64_t *bits, int32_t position) noexcept nogil:
    # LMS positions are at least two apart, so half of each is a number of its own.
    return (bits[position >> 7] >> ((position >> 1) & 63)) & 1


cdef inline void set_bit(uint64_t *bits, int32_t position) noexcept nogil:
    bits[position >> 7] |= (<uint64_t>1) << ((position >> 1) & 63)


cdef inline bint is_tied(const int32_t *order, int32_t m, int32_t i) noexcept nogil:
    """Whether an entry has the name of the one before it or after it."""
    return order[i] < 0 or (i + 1 < m and order[i + 1] < 0)


cdef int32_t mark_tied(const int32_t *order, int32_t m, uint64_t *tied, Watch *watch) noexcept nogil:
    """Set the bits of the suffixes that are tied; returns their number, or -1 if it was stopped."""
    cdef int32_t i
    cdef int32_t found = 0
    for i in range(m):
        if must_stop(watch, i):
            return -1
        if is_tied(order, m, i):
            set_bit(tied, order[i] if order[i] >= 0 else ~order[i])
            found += 1
    return found


cdef int32_t mark_kept(const symbol *text, int32_t n, const uint64_t *tied, uint64_t *kept, Watch *watch
                       ) noexcept nogil:
    """Set the bits of the LMS suffixes that the shorter text needs; returns their number, or -1 if it was stopped.

    Those are the tied ones, and the first after each of them: a name that occurs once ends every comparison.
    """
    cdef int32_t i
    cdef int32_t found = 0
    cdef int32_t right = -1     # the LMS position after the present one
    cdef bint s_type = False
    for i in range(n - 2, -1, -1):
        if must_stop(watch, i):
            return -1
        if text[i] < text[i + 1]:
            s_type = True
        elif text[i] > text[i + 1]:
            if s_type:
                if right >= 0 and (has_bit(tied, right) or has_bit(tied, i + 1)):
                    set_bit(kept, right)
                    found += 1
                right = i + 1
            s_type = False
    if right >= 0 and has_bit(tied, right):
        set_bit(kept, right)
        found += 1
    return found


cdef int32_t number_kept(const int32_t *order, int32_t m, const uint64_t *kept, int32_t n, int32_t *sa, Watch *watch
                         ) noexcept nogil:
    """Number the names that are kept, from 1: that of position p goes to sa[p // 2].

    Returns how many there are, or -1 if it was stopped.
    """
    cdef int32_t i, p
    cdef int32_t names = 0
    memset(sa, 0, (<size_t>(n >> 1) + 1) * sizeof(int32_t))
    for i in range(m):
        if must_stop(watch, i):
            return -1
        p = order[i] if order[i] >= 0 else ~order[i]
        if has_bit(kept, p):
            if order[i] >= 0:
                names += 1
            sa[p >> 1] = names
    return names


cdef void gather_names(int32_t *sa, int32_t n) noexcept nogil:
    """Move the names to the end of sa, in the order of the text."""
    cdef int32_t i
    cdef int32_t write = n - 1
    # They are at most n / 2, so what is written is after all that is still to be read.
    for i in range(n >> 1, -1, -1):
        if sa[i]:
            sa[write] = sa[i]
            write -= 1


cdef void list_kept(const symbol *text, int32_t n, const uint64_t *kept, int32_t *out, int32_t left) noexcept nogil:
    """Positions of the `left` LMS suffixes that are kept, in the order of the text."""
    cdef int32_t i
    cdef bint s_type = False
    for i in range(n - 2, -1, -1):
        if text[i] < text[i + 1]:
            s_type = True
        elif text[i] > text[i + 1]:
            if s_type and has_bit(kept, i + 1):
                left -= 1
                out[left] = i + 1
            s_type = False


cdef void break_ties(const int32_t *ranked, const int32_t *listed, int32_t count, const uint64_t *tied, int32_t *order,
                     int32_t m) noexcept nogil:
    """Put the tied suffixes in their order: listed[ranked[:count]], in which there are others as well."""
    cdef int32_t i, p
    cdef int32_t place = 0
    for i in range(count):
        if i + FAR < count:
            fastsa_prefetch_read(listed + ranked[i + FAR])
        p = listed[ranked[i]]
        if has_bit(tied, p):
            # Names are in the order of their groups. An entry is overwritten before the next one is asked about, and
            # that only asks itself and the one after it.
            while not is_tied(order, m, place):
                place += 1
            order[place] = p
            place += 1


cdef int induce_from(const symbol *text, int32_t n, int32_t k, int32_t *sa, int32_t m, Watch *watch) noexcept nogil:
    """The suffix array from the LMS suffixes in order, in sa[:m]."""
    cdef int32_t *counts = <int32_t *>malloc(2 * <size_t>k * sizeof(int32_t))
    cdef int status
    if counts == NULL:
        return NO_MEMORY
    count_symbols(text, n, counts, k)
    status = finish(text, n, k, sa, m, counts, counts + k, watch)
    free(counts)
    return status


cdef class _Work:
    """How a sort is done: what stops it and counts its steps, threads that help, and up to where it is simple."""

    cdef const uint8_t[::1] stop
    cdef int64_t[::1] progress
    cdef object pool
    cdef int simple

    def __init__(self, const uint8_t[::1] stop, int64_t[::1] progress, pool, int simple):
        """simple: the number of symbols from which on names are used."""
        self.stop, self.progress, self.pool, self.simple = stop, progress, pool, simple


cdef int sort_named(_Work work, text, int alphabet, result, memory, int keys) except -1:
    """Sort a text whose symbols are all at least 1 into `result`.

    memory: see `order_lms`. keys: see `_Named`.
    """
    cdef Watch watch
    cdef int32_t[::1] sa = result
    point_watch(&watch, work.stop, work.progress)
    if len(text) < work.simple:
        return check_status(sort_alone(text, alphabet, sa, &watch))
    return check_status(induce(text, alphabet, sa, order_lms(work, text, alphabet, result, memory, keys), &watch))


cdef int32_t order_lms(_Work work, text, int alphabet, result, memory, int keys) except -1:
    """Put the LMS suffixes in their order at the beginning of `result`; returns their number.

    memory: int32, half as long as the text and one more; None: it is made here, and given back before the rest of the
    result is written, so that both are never held at once.
    """
    cdef Watch watch
    n = len(text)
    point_watch(&watch, work.stop, work.progress)
    if memory is None:
        memory = np.empty(n // 2 + 1, dtype=np.int32)
    pool = work.pool
    # Parts are ranges of whole buckets: two threads never write the same memory, and the order needs no merging. There
    # are many more of them than threads, since some buckets are far slower than others.
    run = map if pool is None else pool.map
    named = _Named(text, alphabet, work.stop, result, memory[: n // 2 + 1], keys, run)
    list(run(lambda part: named.sort_part(part[0], part[1]), named.parts(64 if pool is not None else 1)))
    if watch.progress != NULL:
        watch.progress[0] += 2 * <int64_t>n
    order = named.order
    if len(order):
        resolve_ties(work, text, order, result)
    result[: len(order)] = order
    return <int32_t>len(order)


cdef int resolve_ties(_Work work, text, array, result) except -1:
    """Put tied suffixes in their order, by sorting the text of their names; `result` is used for it."""
    cdef Watch watch
    cdef int32_t[::1] sa = result
    cdef int32_t[::1] order = array
    cdef int32_t n = <int32_t>len(text)
    cdef int32_t m = <int32_t>len(array)
    cdef uint64_t[:, ::1] bits = np.zeros((2, (n >> 7) + 1), dtype=np.uint64)
    cdef uint64_t *tied = &bits[0, 0]
    cdef uint64_t *kept = &bits[1, 0]
    cdef int32_t count
    cdef int32_t names = 0
    # Steps are counted where there are most.
    point_watch(&watch, work.stop, None)
    with nogil:
        count = mark_tied(&order[0], m, tied, &watch)
    if not count:
        return 0
    if count > 0:
        count = marked(text, tied, kept, &watch)
    if count > 0:
        with nogil:
            names = number_kept(&order[0], m, kept, n, &sa[0], &watch)
            gather_names(&sa[0], n)
    if count < 0 or names < 0:
        raise Stopped
    # The text of names is at the end of the array, and its order comes to the beginning. What is between serves for
    # the rest, unless nearly all suffixes are tied.
    half = count // 2 + 1
    between = result[count : n - count]
    memory = between[:half] if len(between) >= half else np.empty(half, dtype=np.int32)
    sort_named(work, result[n - count :], names + 1, result[:count], memory, NAME_KEYS)
    list_again(text, kept, &sa[n - count], count)
    with nogil:
        break_ties(&sa[0], &sa[n - count], count, tied, &order[0], m)
    return 0


cdef int32_t marked(text, const uint64_t *tied, uint64_t *kept, Watch *watch):
    cdef const uint8_t[::1] raw = text.view(np.uint8)
    cdef int32_t n = <int32_t>len(text)
    cdef int width = text.dtype.itemsize
    with nogil:
        if width == 1:
            return mark_kept[uint8_t](&raw[0], n, tied, kept, watch)
        if width == 2:
            return mark_kept[uint16_t](<const uint16_t *>&raw[0], n, tied, kept, watch)
        return mark_kept[int32_t](<const int32_t *>&raw[0], n, tied, kept, watch)


cdef void list_again(text, const uint64_t *kept, int32_t *out, int32_t count):
    cdef const uint8_t[::1] raw = text.view(np.uint8)
    cdef int32_t n = <int32_t>len(text)
    cdef int width = text.dtype.itemsize
    with nogil:
        if width == 1:
            list_kept[uint8_t](&raw[0], n, kept, out, count)
        elif width == 2:
            list_kept[uint16_t](<const uint16_t *>&raw[0], n, kept, out, count)
        else:
            list_kept[int32_t](<const int32_t *>&raw[0], n, kept, out, count)


cdef int induce(text, int alphabet, int32_t[::1] sa, int32_t m, Watch *watch):
    cdef const uint8_t[::1] raw = text.view(np.uint8)
    cdef int32_t n = <int32_t>len(text)
    cdef int width = text.dtype.itemsize
    with nogil:
        if width == 1:
            return induce_from[uint8_t](&raw[0], n, alphabet, &sa[0], m, watch)
        if width == 2:
            return induce_from[uint16_t](<const uint16_t *>&raw[0], n, alphabet, &sa[0], m, watch)
        return induce_from[int32_t](<const int32_t *>&raw[0], n, alphabet, &sa[0], m, watch)


cdef int sort_alone(text, int alphabet, int32_t[::1] sa, Watch *watch):
    """Induced sorting alone, of any symbols."""
    cdef const uint8_t[::1] raw = text.view(np.uint8)
    cdef int32_t n = <int32_t>len(text)
    cdef int width = text.dtype.itemsize
    with nogil:
        if width == 1:
            return sais[uint8_t](&raw[0], n, alphabet, &sa[0], watch)
        if width == 2:
            return sais[uint16_t](<const uint16_t *>&raw[0], n, alphabet, &sa[0], watch)
        return sais[int32_t](<const int32_t *>&raw[0], n, alphabet, &sa[0], watch)


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


def suffix_array(text, int alphabet, const uint8_t[::1] stop=None, int64_t[::1] progress=None, pool=None,
                 int simple=SMALL_TEXT):
    """Positions of the text's suffixes in ascending order, as int32.

    text: contiguous uint8, uint16 or int32 array of fewer than 2**31 symbols, each less than `alphabet`, which
    is at most 65,536 or twice the symbols of the text: memory is allocated for every possible symbol.
    stop: one byte; set it from another thread to make the call raise `Stopped` within milliseconds.
    progress: one int64 that grows to about 4 to 8 steps per symbol while the sort runs.
    pool: an executor whose threads may help.
    simple: texts of fewer symbols, from 1 on, are sorted by induced sorting alone.
    Cost: linear time; besides the text, 4 bytes per symbol for the result, up to 2 more while the LMS suffixes are
    sorted, when less of the result is in use, and 8 per name of a repetitive text.
    """
    cdef Watch watch
    check_text(text, alphabet)
    result = np.empty(len(text), dtype=np.int32)
    if not len(text):
        return result
    # Symbol 0 would look like the zeros that fill up the last key of the text.
    if int(text.min()) >= 1:
        sort_named(_Work(stop, progress, pool, max(1, simple)), text, alphabet, result, None, KEYS)
    else:
        point_watch(&watch, stop, progress)
        check_status(sort_alone(text, alphabet, result, &watch))
    return result
