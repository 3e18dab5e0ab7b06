# cython: language_level=3
"""Token ids as Python passes them: any sequence of whole numbers, and nothing else.

Every function that takes ids accepts the same ones. Errors are data; the program writes the sentences.
"""

from collections.abc import Sequence

import numpy as np

from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_Check
from cpython.number cimport PyNumber_Index
from libc.stdint cimport int64_t


class BadIds(ValueError):
    """Something is not a sequence of ids of this index.

    Attributes: `kind`: "type" if `value` is not a whole number or a sequence of them, "dtype" if it is the type of an
    array without whole numbers, "range" if it is outside 0 to `largest`.
    """

    def __init__(self, kind, value, largest):
        self.kind = kind
        self.value = value
        self.largest = largest
        super().__init__(kind)


cdef int64_t id_of(object item, int64_t largest) except -1:
    """One id: a whole number of any type, but not a truth value."""
    cdef int overflow = 0
    cdef int64_t value
    if not PyLong_Check(item) or isinstance(item, bool):
        if isinstance(item, bool):
            raise BadIds("type", item, largest)
        try:
            item = PyNumber_Index(item)
        except TypeError:
            raise BadIds("type", item, largest) from None
    value = PyLong_AsLongLongAndOverflow(item, &overflow)
    if overflow or value < 0 or value > largest:
        raise BadIds("range", item, largest)
    return value


cdef list listed(object ids):
    """A sequence, or anything that numpy converts to a one-dimensional array of whole numbers, as a list."""
    if isinstance(ids, (list, tuple)):
        return list(ids)
    # The check for Sequence is slow, so arrays skip it.
    array = ids if isinstance(ids, np.ndarray) else None
    if array is None:
        if isinstance(ids, (str, bytes)):
            raise BadIds("type", ids, None)
        if isinstance(ids, Sequence):
            return list(ids)
        try:
            array = np.asarray(ids)
        except (TypeError, ValueError, OverflowError):
            raise BadIds("type", ids, None) from None
    if array.ndim != 1:
        raise BadIds("type", ids, None)
    if array.size and array.dtype.kind not in "iuO":
        raise BadIds("dtype", array.dtype, None)
    return array.tolist()


def token_ids(ids, int64_t largest):
    """Ids as an int64 array; raises BadIds unless they are a sequence of whole numbers from 0 to `largest`."""
    cdef Py_ssize_t i
    cdef list items
    if isinstance(ids, np.ndarray) and ids.ndim == 1 and ids.dtype.kind in "iu" and ids.size:
        for wrong in (int(ids.min()), int(ids.max())):
            id_of(wrong, largest)
        return ids.astype(np.int64)
    items = listed(ids)
    result = np.empty(len(items), dtype=np.int64)
    cdef int64_t[::1] out = result
    for i in range(out.shape[0]):
        # An item's own __index__ runs here; the list belongs to this function, so it cannot shrink.
        out[i] = id_of(items[i], largest)
    return result
