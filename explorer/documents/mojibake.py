"""Lines that were UTF-8, decoded as Windows-1252, and stored again: "cafÃ©" in place of "café"."""

from __future__ import annotations

_WRONG = "cp1252"
_OF_CONTROLS = {code: chr(code) for code in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}
"""Bytes that Windows-1252 does not define: programs decode them as control characters."""
_CONTROLS = {character: bytes((code,)) for code, character in _OF_CONTROLS.items()}
_TIMES = 3
"""How often a line may have been decoded wrongly."""


def repaired(text: str) -> tuple[str, int]:
    """Repair the lines of a text that were decoded in a wrong character set.

    Returns: The text, and the number of lines that were repaired. A line is repaired only if all of it is UTF-8 that
        was decoded as Windows-1252, so that no quotation mark after an accent is taken for one.

    Examples
    --------
    >>> repaired("cafÃ©\\n«CAFÉ»")
    ('café\\n«CAFÉ»', 1)
    """
    if text.isascii():
        return text, 0
    lines = text.split("\n")
    made = [line if line.isascii() else _line(line) for line in lines]
    return "\n".join(made), sum(one != other for one, other in zip(lines, made, strict=True))


def _line(line: str) -> str:
    for _ in range(_TIMES):
        try:
            found = _bytes(line).decode("utf-8")
        except UnicodeError:
            return line
        if found == line:
            break
        line = found
    return line


def _bytes(line: str) -> bytes:
    """The bytes that were decoded; raises UnicodeEncodeError if they were not in Windows-1252."""
    if not any(control in line for control in _CONTROLS):
        return line.encode(_WRONG)
    return b"".join(_CONTROLS.get(character) or character.encode(_WRONG) for character in line)
