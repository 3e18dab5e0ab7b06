"""The compressed index: an FM-index over bytes, searched where its file is mapped."""

from _fastsa.fm._build import (
    Packed,
    encode_bits,
    encode_symbols,
    page_checks,
    pair_starts,
    reversed_text,
    sample_rows,
    transform,
    whole_check,
)
from _fastsa.fm._part import DamagedPart, Part
from _fastsa.fm._tree import huffman_tree

__all__ = [
    "DamagedPart",
    "Packed",
    "Part",
    "encode_bits",
    "encode_symbols",
    "huffman_tree",
    "page_checks",
    "pair_starts",
    "reversed_text",
    "sample_rows",
    "transform",
    "whole_check",
]
