# cython: language_level=3
"""Positions as the bytes of a table, and texts in the byte order in which suffixes compare."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t


def pack_pointers(const int32_t[::1] positions not None, int token_width, uint8_t[::1] out not None, int pointer_width):
    """Positions as byte offsets of `pointer_width` bytes each, the format of a table.

    Raises ValueError for a position that does not fit.
    """
    cdef Py_ssize_t i
    cdef Py_ssize_t wrong = -1
    cdef int k
    cdef uint64_t offset, largest
    if token_width not in (1, 2, 4) or not 1 <= pointer_width <= 8:
        raise ValueError("no such width")
    if out.shape[0] != positions.shape[0] * pointer_width:
        raise ValueError("the room does not fit the positions")
    # At most 56 places: a shift by all 64 would be undefined, and a width of 0 was refused.
    largest = ~<uint64_t>0 >> (64 - 8 * pointer_width)
    with nogil:
        for i in range(positions.shape[0]):
            offset = <uint64_t>positions[i] * <uint64_t>token_width
            if positions[i] < 0 or offset > largest:
                wrong = i
                break
            for k in range(pointer_width):
                # The low byte first, whatever the order of the machine is.
                out[i * pointer_width + k] = <uint8_t>(offset >> (8 * k))
    if wrong >= 0:
        raise ValueError(f"position {positions[wrong]} does not fit into {pointer_width} bytes")


def used_tokens(const uint16_t[::1] tokens not None):
    """Which of the 65,536 two-byte tokens occur."""
    cdef Py_ssize_t i
    used = np.zeros(1 << 16, dtype=np.bool_)
    cdef uint8_t[::1] out = used.view(np.uint8)
    with nogil:
        for i in range(tokens.shape[0]):
            out[tokens[i]] = 1
    return used


def replace_tokens(const uint16_t[::1] tokens not None, const uint16_t[::1] symbols not None,
                   uint16_t[::1] out not None):
    """Write symbols[token] of every two-byte token to `out`; there must be 65,536 symbols."""
    cdef Py_ssize_t i
    if symbols.shape[0] != 1 << 16 or out.shape[0] != tokens.shape[0]:
        raise ValueError("every token needs a symbol, and a place for it")
    with nogil:
        for i in range(tokens.shape[0]):
            out[i] = symbols[tokens[i]]
