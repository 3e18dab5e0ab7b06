"""Untrusted text for a terminal: characters that could control the terminal are made visible instead.

Texts, titles, metadata, file names and tokens come from other people. A terminal obeys control characters in
them: they write its clipboard, change its title, or hide what was printed before.
"""

from __future__ import annotations

import re
import unicodedata

# Embeddings, overrides and isolates, which let a name read as another one. Hebrew and Arabic letters themselves are not
# among them.
_BIDI = "\u202a-\u202e\u2066-\u2069"
_STEERING = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029{_BIDI}\ud800-\udfff]")
# Without the controls below a space: JSON's own line feeds are layout, and those in texts are escapes already.
_STEERING_IN_JSON = re.compile(f"[\x7f-\x9f\u2028\u2029{_BIDI}\ud800-\udfff]")
_DELETE = 0x7F
_FIRST_BYTE, _LAST_BYTE = 0xDC80, 0xDCFF
"""How Python writes the bytes of a file name that are not UTF-8."""
_MAY_TURN = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff\u200f\u202a-\u202e\u2066-\u2069]"
)


def visible(text: str, keep: str = "") -> str:
    r"""Make characters visible that could control a terminal.

    Controls become Unicode's pictures of them (␛), all others escapes (\x9b, \u202e): C0 and C1 controls, delete, line
    and paragraph separators, characters that reorder text, and lone surrogates.

    Examples
    --------
    >>> visible("red \x1b[31m")
    'red ␛[31m'
    """
    return _STEERING.sub(lambda found: found[0] if found[0] in keep else _sign(ord(found[0])), text)


def _sign(code: int) -> str:
    # Unicode has a picture of each control, in the same order, from U+2400 on.
    if code < ord(" "):
        return chr(0x2400 + code)
    if code == _DELETE:
        return "␡"
    # Before the general case, which would show the surrogate and not the byte.
    if _FIRST_BYTE <= code <= _LAST_BYTE:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"


def visible_json(text: str) -> str:
    """The same JSON with such characters written as escapes; JSON itself escapes the controls below a space."""
    return _STEERING_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def may_turn(text: str) -> bool:
    """Whether a part of a text may run from right to left."""
    return _MAY_TURN.search(text) is not None


def reads_right_to_left(text: str, *around: str) -> bool:
    """Tell whether the first letter of a text is of a script that runs right to left.

    around: Other texts. If `text` has no letter, such as a number or a sign, the first of them that has one decides.
    Returns: False if there is no letter at all.

    Examples
    --------
    >>> reads_right_to_left("cat"), reads_right_to_left("12", "\u05d7\u05ea\u05d5\u05dc")
    (False, True)
    """
    for part in (text, *around):
        if not may_turn(part):
            if any(unicodedata.bidirectional(sign) == "L" for sign in part):
                return False
            continue
        for sign in part:
            kind = unicodedata.bidirectional(sign)
            if kind in ("L", "R", "AL"):
                return kind != "L"
    return False
