# cython: language_level=3
"""Token ids as Python passes them, for engine modules that take them one by one."""

from libc.stdint cimport int64_t


cdef int64_t id_of(object item, int64_t largest) except -1
cdef list listed(object ids)
