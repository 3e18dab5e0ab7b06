# cython: language_level=3
"""Files in memory, and what happens when such a file can no longer be read.

A mapping needs no file descriptor once it exists, so the limit on open files does not limit the number of shards. It
exists as long as anything uses its bytes: arrays over it hold a reference.

When a drive fails or a file is truncated, the system raises SIGBUS at the byte that is read, which ends the program.
With the guard, which a program turns on with `enable_fault_guard`, zeros replace everything from that page on, the
fault is recorded, and reading continues. No reader of a mapped file trusts its content anyway, and the caller checks
`broken` afterwards and discards the answer.

On systems without such mappings (Windows), `CAN_MAP` is False and Python's own are used, without a guard.
"""

from cpython.buffer cimport PyBuffer_FillInfo


cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(_WIN32)
    static const int fastsa_can_map = 0;
    static void *fastsa_map(int file, size_t size, int scattered)
    { (void)file; (void)size; (void)scattered; return NULL; }
    static void fastsa_unmap(void *start, size_t size) { (void)start; (void)size; }
    static int fastsa_watch(const void *start, size_t size) { (void)start; (void)size; return -1; }
    static void fastsa_unwatch(int slot) { (void)slot; }
    static int fastsa_broken(int slot) { (void)slot; return 0; }
    static int fastsa_faults(void) { return 0; }
    static int fastsa_enable(void) { return 0; }
    #else
    #include <signal.h>
    #include <stdatomic.h>
    #include <sys/mman.h>
    #include <unistd.h>

    static const int fastsa_can_map = 1;

    static void *fastsa_map(int file, size_t size, int scattered)
    {
        void *start = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
        if (start == MAP_FAILED)
            return NULL;
        /* Reads will be scattered over the file: tell the system not to read ahead. */
        if (scattered)
            (void)madvise(start, size, MADV_RANDOM);
        return start;
    }

    static void fastsa_unmap(void *start, size_t size) { munmap(start, size); }

    /* The mappings that are watched. Slots are taken and given back by threads that hold the interpreter's lock,
       one at a time; the handler reads them in any thread, at any moment, and takes no lock.

       A slot is free while its `end` is 0: then no address is in it, whatever `start` is. So `start` is written
       before `end` when a slot is taken, and `end` is cleared first when it is given back. The other way round, an
       address below the old end would be in the slot for a moment, whoever's it is, and the handler would put zeros
       over everything between. `turn` grows whenever a slot is taken: the handler believes what it read only if the
       slot was not given to another mapping between its reads. The slot of the address that is being read cannot
       change meanwhile, since whoever reads it holds the mapping. */
    #define FASTSA_SLOTS 65536
    struct fastsa_slot { _Atomic uintptr_t start; _Atomic uintptr_t end; atomic_uint turn; atomic_int broken; };
    static struct fastsa_slot fastsa_slots[FASTSA_SLOTS];
    static atomic_int fastsa_used;
    static atomic_int fastsa_count;
    static struct sigaction fastsa_before;
    static uintptr_t fastsa_page = 4096;

    /* Whether the address is in the slot; its end then goes to `end`. */
    static int fastsa_inside(struct fastsa_slot *slot, uintptr_t at, uintptr_t *end)
    {
        unsigned turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
        uintptr_t start;
        *end = atomic_load_explicit(&slot->end, memory_order_acquire);
        start = atomic_load_explicit(&slot->start, memory_order_acquire);
        return start <= at && at < *end && atomic_load_explicit(&slot->turn, memory_order_acquire) == turn;
    }

    /* Runs on the thread that read the byte, in the middle of whatever it was doing, perhaps inside malloc. So it
       may use atomics and plain system calls only: no lock, no memory, no Python, no printing. Two threads may be in
       here for the same mapping; then the second puts zeros over zeros, which changes nothing.

       The zeros reach from the page of the fault to the end of the mapping. Pages before it were read and are kept,
       since whoever reads them has computed with them already. Returning from here repeats the instruction that
       failed, which now finds a zero. */
    static void fastsa_on_fault(int number, siginfo_t *info, void *context)
    {
        uintptr_t at = (uintptr_t)info->si_addr;
        uintptr_t end;
        int i;
        int used = atomic_load_explicit(&fastsa_used, memory_order_acquire);
        (void)context;
        for (i = 0; i < used; i++) {
            if (fastsa_inside(&fastsa_slots[i], at, &end)) {
                uintptr_t from = at & ~(fastsa_page - 1);
                void *zeros = mmap((void *)from, end - from, PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
                if (zeros == MAP_FAILED)
                    break;
                /* The slot before the sum: who sees that something broke must also see what. */
                atomic_store_explicit(&fastsa_slots[i].broken, 1, memory_order_release);
                atomic_store_explicit(&fastsa_count, 1, memory_order_release);
                return;
            }
        }
        /* Not one of our mappings, or the system has no room for zeros. Nothing was repaired, so the fault is raised
           again when the read is retried, and then it goes to the previous handler. */
        sigaction(number, &fastsa_before, NULL);
    }

    /* 1 if the guard is installed, 0 if the system refuses. Calling it again reinstalls a replaced guard. */
    static int fastsa_enable(void)
    {
        struct sigaction action, found;
        fastsa_page = (uintptr_t)sysconf(_SC_PAGESIZE);
        if (sigaction(SIGBUS, NULL, &found) != 0)
            return 0;
        if ((found.sa_flags & SA_SIGINFO) && found.sa_sigaction == fastsa_on_fault)
            return 1;
        /* Before ours is in place: the handler hands other faults on to it. */
        fastsa_before = found;
        action.sa_sigaction = fastsa_on_fault;
        /* On the alternate stack where a thread has one: its own may be what cannot be read. */
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        return sigaction(SIGBUS, &action, NULL) == 0;
    }

    static int fastsa_watch(const void *start, size_t size)
    {
        /* Relaxed, since only threads with the interpreter's lock write these: the lock orders them. */
        int used = atomic_load_explicit(&fastsa_used, memory_order_relaxed);
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
        struct fastsa_slot *slot;
        int i;
        for (i = 0; i < used && atomic_load_explicit(&fastsa_slots[i].end, memory_order_relaxed) != 0; i++)
            ;
        if (i == FASTSA_SLOTS)
            return -1;
        slot = &fastsa_slots[i];
        atomic_store_explicit(&slot->broken, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(&slot->turn, 1, memory_order_acq_rel);
        atomic_store_explicit(&slot->start, (uintptr_t)start, memory_order_release);
        atomic_store_explicit(&slot->end, ((uintptr_t)start + size + page - 1) & ~(page - 1), memory_order_release);
        /* Last: the handler goes up to here, and must not meet a slot that is not filled yet. */
        if (i == used)
            atomic_store_explicit(&fastsa_used, i + 1, memory_order_release);
        return i;
    }

    static void fastsa_unwatch(int slot)
    {
        atomic_store_explicit(&fastsa_slots[slot].end, 0, memory_order_release);
        atomic_store_explicit(&fastsa_slots[slot].start, 0, memory_order_release);
    }

    static int fastsa_broken(int slot)
    {
        return atomic_load_explicit(&fastsa_slots[slot].broken, memory_order_acquire);
    }

    static int fastsa_faults(void) { return atomic_load_explicit(&fastsa_count, memory_order_acquire); }
    #endif
    """
    const int fastsa_can_map
    void *fastsa_map(int file, size_t size, int scattered)
    void fastsa_unmap(void *start, size_t size)
    int fastsa_watch(const void *start, size_t size)
    void fastsa_unwatch(int slot)
    int fastsa_broken(int slot)
    int fastsa_faults()
    int fastsa_enable()


CAN_MAP = bool(fastsa_can_map)


cdef extern from "errno.h":
    int errno


cdef class Mapping:
    """The first `size` bytes of an open file as a read-only buffer; the file may be closed afterwards.

    scattered: reads will be scattered over the file. The mapping ends when nothing uses its bytes. Raises OSError if
    the system refuses, ValueError for a size below 1.
    """

    cdef void *start
    cdef Py_ssize_t size
    cdef int slot

    def __cinit__(self, int file, Py_ssize_t size, bint scattered=False):
        self.slot = -1
        if size < 1:
            raise ValueError(f"size must be at least 1, not {size}")
        if not CAN_MAP:
            raise OSError("this system has no such mappings")
        self.start = fastsa_map(file, <size_t>size, scattered)
        if self.start == NULL:
            raise OSError(errno, "the file cannot be mapped into memory")
        self.size = size
        # Also without the guard, which may be turned on later.
        self.slot = fastsa_watch(self.start, <size_t>size)
        if self.slot < 0:
            raise OSError("more than 65,536 files are mapped")

    def __dealloc__(self):
        # In this order: another mapping may use the address as soon as this one is gone.
        if self.slot >= 0:
            fastsa_unwatch(self.slot)
        if self.start != NULL:
            fastsa_unmap(self.start, <size_t>self.size)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        # The buffer holds this object, and an array over it holds the buffer: so the mapping outlives its last reader,
        # and no array ever points at an address that was given back.
        PyBuffer_FillInfo(buffer, self, self.start, self.size, 1, flags)

    def __len__(self):
        return self.size

    @property
    def broken(self):
        """Whether a part could not be read and was replaced with zeros."""
        return fastsa_broken(self.slot) != 0


def enable_fault_guard():
    """Install the guard as the process's handler of SIGBUS, for mappings only; returns whether it is installed.

    Other faults go to the previous handler. Calling it again does no harm.
    """
    return fastsa_enable() != 0


def any_broken():
    """Whether any mapping of this process ever broke: a quick check before `Mapping.broken`."""
    # Never set back to zero: a mapping that broke stays broken, and asking each of them costs little after a fault.
    return fastsa_faults() != 0
