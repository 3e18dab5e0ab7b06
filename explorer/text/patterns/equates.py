"""The names of what can count as the same."""

from __future__ import annotations

from typing import Literal, get_args

Equate = Literal["spacing", "quotes", "forms"]
EQUATES: tuple[Equate, ...] = get_args(Equate)
"""What can be made equal: runs of white space; quotation marks and dashes; forms of one character."""
