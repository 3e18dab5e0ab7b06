# cython: language_level=3
"""Positions as a table's bytes, and texts in the byte order in which suffixes compare."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t


def pack_pointers(const int32_t[::1] positions, int token_width, uint8_t[::1] out, int pointer_width):
    """Positions as byte offsets of `pointer_width` bytes each, as a table has them."""
    cdef Py_ssize_t i
    cdef int k
    cdef uint64_t offset
    if out.shape[0] != positions.shape[0] * pointer_width or not 1 <= pointer_width <= 8:
        raise ValueError("the room does not fit the positions")
    with nogil:
        for i in range(positions.shape[0]):
            offset = <uint64_t>positions[i] * <uint64_t>token_width
            for k in range(pointer_width):
                out[i * pointer_width + k] = <uint8_t>(offset >> (8 * k))


def used_tokens(const uint16_t[::1] tokens):
    """Which of the 65,536 two-byte tokens occur."""
    cdef Py_ssize_t i
    used = np.zeros(1 << 16, dtype=np.bool_)
    cdef uint8_t[::1] out = used.view(np.uint8)
    with nogil:
        for i in range(tokens.shape[0]):
            out[tokens[i]] = 1
    return used


def replace_tokens(const uint16_t[::1] tokens, const uint16_t[::1] symbols, uint16_t[::1] out):
    """Put symbols[token] of every two-byte token into `out`; there must be 65,536 symbols."""
    cdef Py_ssize_t i
    if symbols.shape[0] != 1 << 16 or out.shape[0] != tokens.shape[0]:
        raise ValueError("every token needs a symbol, and a place for it")
    with nogil:
        for i in range(tokens.shape[0]):
            out[i] = symbols[tokens[i]]
