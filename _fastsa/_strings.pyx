# cython: language_level=3
"""Sorting of some suffixes of a text by comparing them, to a depth at which ties may stay.

Eight bytes of each suffix are loaded as one number and sorted; suffixes that agree continue with their next eight
bytes. Most suffixes of real text differ within a few rounds. Those that do not stay tied, as soon as they agree in all
that names them: see `_sort`.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy


cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__GNUC__)
    #define strings_prefetch(p) __builtin_prefetch(p)
    #else
    #define strings_prefetch(p) ((void)(p))
    #endif
    """
    void strings_prefetch(const void *p) noexcept nogil


cdef enum:
    AHEAD = 48
    SMALL = 12


cdef struct Group:
    int64_t low
    int64_t high
    int64_t depth
    bint fell               # whether a symbol is less than the one before it
    bint named              # whether there is a rise after such a fall


cdef inline int64_t symbol_at(const Strings *s, int64_t position) noexcept nogil:
    if s.width == 1:
        return s.text[position]
    if s.width == 2:
        return (<const uint16_t *>s.text)[position]
    return (<const int32_t *>s.text)[position]


cdef inline void look_for_name(const Strings *s, int64_t position, int64_t depth, Group *group) noexcept nogil:
    """See whether the symbols from `depth` to the group's depth complete the name of the suffix at a position."""
    cdef int64_t i
    cdef int64_t last = min(position + group.depth, s.n)
    cdef int64_t symbol
    cdef int64_t before
    if group.named or position + depth >= last:
        return
    before = symbol_at(s, position + depth - 1 if depth else position)
    for i in range(position + depth, last):
        symbol = symbol_at(s, i)
        if symbol < before:
            group.fell = True
        elif symbol > before and group.fell:
            group.named = True
            return
        before = symbol


cdef inline uint64_t load_key(const Strings *s, int64_t position) noexcept nogil:
    """The symbols in eight bytes from a position on, the first one highest; 0 after the end of the text."""
    cdef uint64_t word = 0
    cdef int64_t left = s.n - position
    cdef int64_t each = 8 // s.width
    if left >= each:
        memcpy(&word, s.text + position * s.width, 8)
    elif left > 0:
        memcpy(&word, s.text + position * s.width, left * s.width)
    if s.width == 4:
        return (word << 32) | (word >> 32)
    word = ((word & 0x0000FFFF0000FFFFULL) << 16) | ((word >> 16) & 0x0000FFFF0000FFFFULL)
    word = (word << 32) | (word >> 32)
    if s.width == 2:
        return word
    return ((word & 0x00FF00FF00FF00FFULL) << 8) | ((word >> 8) & 0x00FF00FF00FF00FFULL)


cdef inline void exchange(uint64_t *keys, int32_t *order, int64_t a, int64_t b) noexcept nogil:
    cdef uint64_t key = keys[a]
    cdef int32_t place = order[a]
    keys[a] = keys[b]
    order[a] = order[b]
    keys[b] = key
    order[b] = place


cdef void insertion_sort(uint64_t *keys, int32_t *order, int64_t n) noexcept nogil:
    cdef int64_t i, j
    cdef uint64_t key
    cdef int32_t place
    for i in range(1, n):
        key = keys[i]
        place = order[i]
        j = i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            order[j] = order[j - 1]
            j -= 1
        keys[j] = key
        order[j] = place


cdef void heap_sort(uint64_t *keys, int32_t *order, int64_t n) noexcept nogil:
    """For the rare input on which quicksort's pivots are bad."""
    cdef int64_t start = n // 2
    cdef int64_t end = n
    cdef int64_t root, child
    while end > 1:
        if start > 0:
            start -= 1
        else:
            end -= 1
            exchange(keys, order, 0, end)
        root = start
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and keys[child] < keys[child + 1]:
                child += 1
            if keys[root] >= keys[child]:
                break
            exchange(keys, order, root, child)
            root = child


cdef inline uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c) noexcept nogil:
    if a < b:
        return b if b < c else (c if a < c else a)
    return a if a < c else (c if b < c else b)


cdef void quick_sort(uint64_t *keys, int32_t *order, int64_t n, int tries) noexcept nogil:
    """Partition by keys into three parts: less than the pivot, equal to it, greater."""
    cdef int64_t less, i, greater
    cdef uint64_t pivot, key
    while n > SMALL:
        if tries == 0:
            heap_sort(keys, order, n)
            return
        tries -= 1
        pivot = middle_of(keys[n // 4], keys[n // 2], keys[n - 1 - n // 4])
        less = 0
        i = 0
        greater = n
        while i < greater:
            key = keys[i]
            if key < pivot:
                exchange(keys, order, less, i)
                less += 1
                i += 1
            elif key > pivot:
                greater -= 1
                exchange(keys, order, i, greater)
            else:
                i += 1
        if less < n - greater:
            quick_sort(keys, order, less, tries)
            keys += greater
            order += greater
            n -= greater
        else:
            quick_sort(keys + greater, order + greater, n - greater, tries)
            n = less
    insertion_sort(keys, order, n)


cdef void load_keys(const Strings *s, int64_t low, int64_t high, int64_t depth) noexcept nogil:
    cdef int64_t i
    for i in range(low, high):
        if i + AHEAD < high:
            strings_prefetch(s.text + (s.order[i + AHEAD] + depth) * s.width)
        s.keys[i] = load_key(s, s.order[i] + depth)


cdef void tie(int32_t *order, int64_t low, int64_t high) noexcept nogil:
    """Mark all suffixes of a group but the first: they have the name of the one before."""
    cdef int64_t i
    for i in range(low + 1, high):
        order[i] = ~order[i]


cdef Sorted sort_range(const Strings *strings, int64_t low, int64_t high) noexcept nogil:
    """Sort order[low:high]; of those that stay tied, all but the first become complements.

    Suffixes stay tied if they agree in `strings.depth` symbols and in all symbols up to a rise after a fall.
    """
    cdef int64_t room = 1024
    cdef int64_t used = 1
    cdef Group *stack = <Group *>malloc(room * sizeof(Group))
    cdef Group *larger
    cdef Group group, child
    cdef int64_t i, start
    cdef Sorted status = SORTED
    if stack == NULL:
        return SORT_NO_MEMORY
    stack[0].low, stack[0].high, stack[0].depth = low, high, 0
    stack[0].fell = stack[0].named = False
    while used:
        used -= 1
        group = stack[used]
        if group.high - group.low < 2:
            continue
        if strings.stop != NULL and strings.stop[0]:
            status = SORT_STOPPED
            break
        load_keys(strings, group.low, group.high, group.depth)
        quick_sort(strings.keys + group.low, strings.order + group.low, group.high - group.low, 96)
        start = group.low
        for i in range(group.low + 1, group.high + 1):
            if i < group.high and strings.keys[i] == strings.keys[start]:
                continue
            if i - start > 1:
                child.low, child.high, child.fell, child.named = start, i, group.fell, group.named
                child.depth = group.depth + 8 // strings.width
                look_for_name(strings, strings.order[start], group.depth, &child)
                if child.named and child.depth >= strings.depth:
                    tie(strings.order, start, i)
                else:
                    if used == room:
                        room *= 2
                        larger = <Group *>realloc(stack, room * sizeof(Group))
                        if larger == NULL:
                            free(stack)
                            return SORT_NO_MEMORY
                        stack = larger
                    stack[used] = child
                    used += 1
            start = i
    free(stack)
    return status
