# cython: language_level=3
"""Many searches, places and pieces of text at once: a few of them in turn, so that none waits for memory by itself.

A rank reads two or three places of a file that is larger than the processor's caches, one after the other. Each of
CHAINS walks through the file does one read, and asks for what its next one needs, before any of them goes on.
"""

from libc.stdint cimport int64_t, uint8_t

from _fastsa._suffixes cimport fastsa_flag
from _fastsa.fm._file cimport (
    POLL,
    File,
    Span,
    Step,
    Walk,
    aim,
    begin,
    broken,
    descend,
    leave,
    packed_at,
    read_block,
    read_head,
    read_heads,
    read_row,
    read_rows,
    start_of,
    turn,
)

cdef enum:
    CHAINS = 32

cdef enum:                  # what became of a chain
    DAMAGED = -1
    DONE = 0
    RUNS = 1


cdef inline bint stops(int64_t *rounds, const uint8_t *flag) noexcept nogil:
    rounds[0] += 1
    return (rounds[0] & POLL) == 1 and flag != NULL and fastsa_flag(flag)


# --- searches -----------------------------------------------------------------------------------


cdef struct Searches:
    const uint8_t *text
    const int64_t *starts   # an n-gram of the text each
    const int64_t *ends
    int64_t count
    int64_t following       # the n-gram that no chain has begun
    int64_t *firsts         # what is found: rows, and how many bytes from the first one on occur; NULL for none
    int64_t *lasts
    int64_t *reached


cdef struct Search:
    Step step
    int64_t item            # the n-gram whose end comes next
    int64_t limit           # one past the last one that begins there
    int64_t at              # one past the last byte of the text that was appended


cdef inline void note(Searches *job, Search *s, int64_t reached) noexcept nogil:
    if job.firsts != NULL:
        job.firsts[s.item], job.lasts[s.item] = s.step.span.first, s.step.span.last
    if job.reached != NULL:
        job.reached[s.item] = reached - job.starts[s.item]
    s.item += 1


cdef inline int next_byte(File *f, Searches *job, Search *s) noexcept nogil:
    """Note what ends here, and begin to append a byte."""
    while not s.step.left:
        if s.step.span.first == s.step.span.last:
            while s.item < s.limit:
                note(job, s, s.at - 1)
            return DONE
        while s.item < s.limit and job.ends[s.item] <= s.at:
            note(job, s, s.at)
        if s.item == s.limit:
            return DONE
        if not begin(f, job.text[s.at], &s.step):
            return DAMAGED
        s.at += 1
    return RUNS


cdef inline int next_search(File *f, Searches *job, Search *s) noexcept nogil:
    cdef int64_t i, size, done
    cdef int state
    while job.following < job.count:
        i = s.item = job.following
        job.following += 1
        # Those with one start and growing ends are found on one way.
        while (job.following < job.count and job.starts[job.following] == job.starts[i]
               and job.ends[job.following] >= job.ends[job.following - 1] > job.starts[i]):
            job.following += 1
        s.limit = job.following
        size = job.ends[i] - job.starts[i]
        s.step.left = 0
        s.step.span = start_of(f, job.text + job.starts[i], size, &done)
        if s.step.span.first < 0:
            return DAMAGED
        s.at = job.starts[i] + done
        if done == 2 and f.numbers[job.text[job.starts[i]]] < 0:
            s.at -= 1
        state = next_byte(f, job, s)
        if state != DONE:
            return state
    return DONE


cdef inline bint search_all(File *f, Searches *job, const uint8_t *flag) noexcept nogil:
    """Find all n-grams; False if the file is damaged, or if it was stopped (then no byte is bad)."""
    cdef Search chains[CHAINS]
    cdef int active = 0
    cdef int i
    cdef int state = RUNS
    cdef int64_t rounds = 0
    while active < CHAINS and state == RUNS:
        state = next_search(f, job, &chains[active])
        active += state == RUNS
    while active and state != DAMAGED:
        if stops(&rounds, flag):
            return False
        for i in range(active):
            read_rows(f, &chains[i].step)
        for i in range(active):
            read_heads(f, &chains[i].step)
        i = 0
        while i < active:
            state = next_byte(f, job, &chains[i]) if descend(f, &chains[i].step) else DAMAGED
            if state == DONE:
                state = next_search(f, job, &chains[i])
            if state == DAMAGED:
                return False
            if state == DONE:
                active -= 1
                chains[i] = chains[active]
            else:
                i += 1
    return state != DAMAGED


# --- places -------------------------------------------------------------------------------------


cdef struct Places:
    const int64_t *rows
    int64_t count
    int64_t following
    int64_t *found


cdef struct Place:
    Walk walk
    int64_t item
    int64_t steps
    bint marks              # whether the row is looked up among those whose place is stored, or it is left


cdef inline int put_place(File *f, Places *job, Place *p, int64_t place) noexcept nogil:
    if place < 0 or place > f.n:
        broken(f, f.places)
        return DAMAGED
    job.found[p.item] = place
    return DONE


cdef inline int at_row(File *f, Places *job, Place *p) noexcept nogil:
    if p.walk.row == f.without:
        return put_place(f, job, p, f.n - p.steps)
    p.marks = True
    aim(f, &f.marks, 0, p.walk.row, &p.walk.probe)
    return RUNS


cdef inline int next_row(File *f, Places *job, Place *p) noexcept nogil:
    """Finish a rank: the row's place is stored, or the row of the place after it is found."""
    cdef int64_t place
    if not p.marks:
        if not turn(f, &p.walk):
            return DAMAGED
        return RUNS if p.walk.number >= 0 else at_row(f, job, p)
    read_block(f, &p.walk.probe)
    if p.walk.probe.ones < 0:
        return DAMAGED
    if p.walk.probe.bit:
        if p.walk.probe.ones > f.n // f.place_step:
            broken(f, f.marks.rows)
            return DAMAGED
        place = packed_at(f, f.places, f.place_width, p.walk.probe.ones)
        return DAMAGED if place < 0 else put_place(f, job, p, place * f.place_step - p.steps)
    p.steps += 1
    if p.steps > f.place_step:
        broken(f, f.marks.rows)
        return DAMAGED
    p.marks = False
    if not leave(f, &p.walk):
        return DAMAGED
    return RUNS if p.walk.number >= 0 else at_row(f, job, p)


cdef inline int next_place(File *f, Places *job, Place *p) noexcept nogil:
    cdef int state
    while job.following < job.count:
        p.item, p.steps, p.walk.row = job.following, 0, job.rows[job.following]
        job.following += 1
        state = at_row(f, job, p)
        if state != DONE:
            return state
    return DONE


cdef inline bint place_all(File *f, Places *job, const uint8_t *flag) noexcept nogil:
    """Find the places of rows; False if the file is damaged, or if it was stopped (then no byte is bad)."""
    cdef Place chains[CHAINS]
    cdef int active = 0
    cdef int i
    cdef int state = RUNS
    cdef int64_t rounds = 0
    while active < CHAINS and state == RUNS:
        state = next_place(f, job, &chains[active])
        active += state == RUNS
    while active and state != DAMAGED:
        if stops(&rounds, flag):
            return False
        for i in range(active):
            read_row(f, &chains[i].walk.probe)
        for i in range(active):
            read_head(f, &chains[i].walk.probe)
        i = 0
        while i < active:
            state = next_row(f, job, &chains[i])
            if state == DONE:
                state = next_place(f, job, &chains[i])
            if state == DAMAGED:
                return False
            if state == DONE:
                active -= 1
                chains[i] = chains[active]
            else:
                i += 1
    return state != DAMAGED


# --- pieces of text -----------------------------------------------------------------------------


cdef struct Readings:
    const int64_t *starts   # a piece of the text each
    const int64_t *ends
    int64_t count
    int64_t item            # the piece of which some is not begun
    int64_t at              # the first byte of it that is not
    uint8_t *out            # where the piece goes


cdef struct Reading:        # bytes from one stored row to the next one
    Walk walk
    int64_t at              # the place of the byte that is read next
    int64_t first           # the first byte that is wanted, and one past the last one
    int64_t end
    uint8_t *out


cdef inline int next_letter(File *f, Reading *r) noexcept nogil:
    """Keep the byte that is known, and begin to read the next one."""
    while r.walk.number < 0:
        if r.at >= r.first:
            r.out[r.at - r.first] = <uint8_t>~r.walk.number
        r.at += 1
        if r.at == r.end:
            return DONE
        # The text ends where it must not.
        if r.walk.row == f.without:
            broken(f, f.rows)
            return DAMAGED
        if not leave(f, &r.walk):
            return DAMAGED
    return RUNS


cdef inline int next_reading(File *f, Readings *job, Reading *r) noexcept nogil:
    cdef int64_t stored
    cdef int state
    while job.item < job.count:
        if job.at >= job.ends[job.item]:
            job.out += job.ends[job.item] - job.starts[job.item]
            job.item += 1
            if job.item < job.count:
                job.at = job.starts[job.item]
            continue
        stored = job.at // f.row_step
        r.walk.row = packed_at(f, f.rows, f.row_width, stored)
        if r.walk.row < 0:
            return DAMAGED
        if r.walk.row > f.n or r.walk.row == f.without:
            broken(f, f.rows)
            return DAMAGED
        r.at, r.first = stored * f.row_step, job.at
        r.end = min(job.ends[job.item], r.at + f.row_step)
        r.out = job.out + (job.at - job.starts[job.item])
        job.at = r.end
        if not leave(f, &r.walk):
            return DAMAGED
        state = next_letter(f, r)
        if state != DONE:
            return state
    return DONE


cdef inline bint read_all(File *f, Readings *job, const uint8_t *flag) noexcept nogil:
    """Read pieces of the text; False if the file is damaged, or if it was stopped (then no byte is bad)."""
    cdef Reading chains[CHAINS]
    cdef int active = 0
    cdef int i
    cdef int state = RUNS
    cdef int64_t rounds = 0
    job.item = 0
    job.at = job.starts[0] if job.count else 0
    while active < CHAINS and state == RUNS:
        state = next_reading(f, job, &chains[active])
        active += state == RUNS
    while active and state != DAMAGED:
        if stops(&rounds, flag):
            return False
        for i in range(active):
            read_row(f, &chains[i].walk.probe)
        for i in range(active):
            read_head(f, &chains[i].walk.probe)
        i = 0
        while i < active:
            state = next_letter(f, &chains[i]) if turn(f, &chains[i].walk) else DAMAGED
            if state == DONE:
                state = next_reading(f, job, &chains[i])
            if state == DAMAGED:
                return False
            if state == DONE:
                active -= 1
                chains[i] = chains[active]
            else:
                i += 1
    return state != DAMAGED
