# cython: language_level=3
"""What happens when a mapped file can no longer be read: its drive failed, or it was cut short.

The system then raises SIGBUS at the byte that was asked for, which would end the program. For memory that is
watched here, zeros are put in the place of all that lies behind that byte, the fault is noted, and the
reading goes on; nobody who reads a mapped file trusts it anyway, and who asked for the answer looks at
`broken` afterwards and throws it away. On systems without SIGBUS nothing is watched.
"""

from libc.stdint cimport uint8_t


cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(_WIN32)
    static int fastsa_watch(const void *start, size_t size) { (void)start; (void)size; return -2; }
    static void fastsa_unwatch(int slot) { (void)slot; }
    static int fastsa_broken(int slot) { (void)slot; return 0; }
    static long fastsa_faults(void) { return 0; }
    #else
    #include <signal.h>
    #include <sys/mman.h>
    #include <unistd.h>

    #define FASTSA_SLOTS 65536
    struct fastsa_slot { volatile uintptr_t start; volatile uintptr_t end; volatile sig_atomic_t broken; };
    static struct fastsa_slot fastsa_slots[FASTSA_SLOTS];
    static volatile sig_atomic_t fastsa_used = 0;
    static volatile sig_atomic_t fastsa_count = 0;
    static struct sigaction fastsa_before;
    static uintptr_t fastsa_page = 4096;

    static void fastsa_on_fault(int number, siginfo_t *info, void *context)
    {
        uintptr_t at = (uintptr_t)info->si_addr;
        int i;
        (void)context;
        for (i = 0; i < fastsa_used; i++) {
            struct fastsa_slot *slot = &fastsa_slots[i];
            if (slot->start <= at && at < slot->end) {
                uintptr_t from = at & ~(fastsa_page - 1);
                void *zeros = mmap((void *)from, slot->end - from, PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
                if (zeros == MAP_FAILED)
                    break;
                slot->broken = 1;
                fastsa_count = 1;
                return;
            }
        }
        /* Not ours: whoever was there before is asked when the reading is tried again. */
        sigaction(number, &fastsa_before, NULL);
    }

    static int fastsa_install(void)
    {
        struct sigaction action;
        fastsa_page = (uintptr_t)sysconf(_SC_PAGESIZE);
        action.sa_sigaction = fastsa_on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        return sigaction(SIGBUS, &action, &fastsa_before);
    }

    static int fastsa_watch(const void *start, size_t size)
    {
        int i;
        if (fastsa_used == 0 && fastsa_install() != 0)
            return -1;
        for (i = 0; i < fastsa_used && fastsa_slots[i].end != 0; i++)
            ;
        if (i == FASTSA_SLOTS)
            return -1;
        fastsa_slots[i].broken = 0;
        fastsa_slots[i].start = (uintptr_t)start;
        fastsa_slots[i].end = ((uintptr_t)start + size + fastsa_page - 1) & ~(fastsa_page - 1);
        if (i == fastsa_used)
            fastsa_used = i + 1;
        return i;
    }

    static void fastsa_unwatch(int slot)
    {
        fastsa_slots[slot].start = 0;
        fastsa_slots[slot].end = 0;
    }

    static int fastsa_broken(int slot) { return (int)fastsa_slots[slot].broken; }
    static long fastsa_faults(void) { return (long)fastsa_count; }
    #endif
    """
    int fastsa_watch(const void *start, size_t size)
    void fastsa_unwatch(int slot)
    int fastsa_broken(int slot)
    long fastsa_faults()


cdef class Watch:
    """One mapping that is watched from now until `close`, which must come before it is unmapped."""

    cdef int slot

    def __init__(self, const uint8_t[::1] mapped):
        """Raises OSError where too many mappings (65,536) are watched, or the system refuses."""
        self.slot = -2
        if mapped.shape[0]:
            self.slot = fastsa_watch(&mapped[0], mapped.shape[0])
        if self.slot == -1:
            raise OSError("too many mapped files are open")

    @property
    def broken(self):
        """Whether a part of the mapping could not be read and was replaced by zeros."""
        return self.slot >= 0 and fastsa_broken(self.slot) != 0

    def close(self):
        """Stop watching."""
        if self.slot >= 0:
            fastsa_unwatch(self.slot)
        self.slot = -2


def any_broken():
    """Whether any mapping of this process ever broke: the quick question before `Watch.broken`."""
    return fastsa_faults() != 0
