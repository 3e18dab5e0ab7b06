"""JSON from any source, and as this program writes it: one rule for values.

JSON has one kind of number. NaN is not JSON and means "no value": it is read as null. Infinity and numbers beyond
float64 stay numbers; an integer of more than 4,300 digits, which Python refuses, stays the text of its digits. A
lone surrogate, which no encoding can hold, becomes U+FFFD. The output is valid JSON: infinity is written as 1e999,
which every reader takes as a number beyond its range.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any

from explorer.core.files.encoding import replace_surrogates
from explorer.i18n import tr

# The limit of `int` in Python by default; longer integers stay text.
MOST_DIGITS = 4_300
_SURROGATE = re.compile("[\ud800-\udfff]")


def _constant(name: str) -> float | None:
    # NaN is not in the table, so it becomes None.
    return {"Infinity": math.inf, "-Infinity": -math.inf}.get(name)


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits.lstrip("-")) <= MOST_DIGITS else digits


_DECODER = json.JSONDecoder(parse_constant=_constant)
_PATIENT = json.JSONDecoder(parse_constant=_constant, parse_int=_integer)
"""This costs one call per integer."""
_WITH_NAN = json.JSONDecoder(), json.JSONDecoder(parse_int=_integer)


def parse_json(data: bytes | str, nan: float | None = None, encoding: str = "utf-8") -> Any:
    """Read the value of a JSON text.

    data: The text. Bytes of UTF-8 may begin with a byte order mark.
    nan: What NaN becomes: None, or `math.nan` for a caller that tells it from a value that is missing.
    encoding: The character set of bytes.
    Returns: The value, with NaN as `nan` and lone surrogates as U+FFFD.
    Raises `ValueError` if this is not JSON; the message can follow "line N:".

    Examples
    --------
    >>> parse_json('{"a": [1, NaN]}')
    {'a': [1, None]}
    """
    try:
        text = data if isinstance(data, str) else data.decode(encoding)
        value = _decode(text.removeprefix("\ufeff"), (_DECODER, _PATIENT) if nan is None else _WITH_NAN)
        # Only an escape can produce a lone surrogate; these are rare, and checking every string is slow.
        return _without_surrogates(value) if "\\ud" in text or "\\uD" in text else value
    except UnicodeDecodeError as error:
        shown = "UTF-8" if encoding == "utf-8" else encoding
        raise ValueError(tr("this is not {name} (byte {start:,})", name=shown, start=error.start + 1)) from error
    except RecursionError as error:
        raise ValueError(tr("this is not JSON (nested too deeply)")) from error


def _decode(text: str, decoders: Iterable[json.JSONDecoder]) -> Any:
    # The fast decoder first: the other is needed only after a ValueError that is not about the syntax.
    for decoder in decoders:
        try:
            return decoder.decode(text)
        except json.JSONDecodeError as error:
            raise ValueError(tr("this is not JSON ({error})", error=error)) from error
        except ValueError:
            continue  # an integer that Python refuses
    raise ValueError(tr("this is not JSON ({error})", error=tr("a number is too long")))


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, dict):
        # Keys as well: two that differ only in a surrogate become one, and the last value stays.
        return {replace_surrogates(key): _without_surrogates(part) for key, part in value.items()}
    return [_without_surrogates(part) for part in value] if isinstance(value, list) else value


def spelled(text: str) -> str:
    r"""The text, with characters that UTF-8 cannot encode spelled out.

    A byte of a file's name that is not UTF-8 becomes `\xNN`, as Python writes it; any other lone surrogate becomes
    U+FFFD. A text without them is returned unchanged.
    """
    return _SURROGATE.sub(_spelled_character, text)


def _spelled_character(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else "\ufffd"


def write_json(value: Any, indent: int | None = None) -> str:
    """Write a value as JSON that any program can read.

    value: Any value. Strings are `spelled`, NaN is written as null, infinity as 1e999, and what has no JSON form as its
        `str`.
    indent: Spaces per level; None for one line. A value with NaN or infinity is always written on one line.
    Returns: The JSON text, without a line feed at its end.

    Examples
    --------
    >>> write_json({"rate": float("nan"), "most": float("inf")})
    '{"rate": null, "most": 1e999}'
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False, default=str)
    except ValueError:
        # NaN or infinity somewhere in it. This is slower, and such values are rare.
        text = _write(value)
    # The `str` of an object without a JSON form may contain a surrogate, too.
    return write_json(_all_spelled(json.loads(text)), indent) if _SURROGATE.search(text) else text


def _all_spelled(value: Any) -> Any:
    if isinstance(value, str):
        return spelled(value)
    if isinstance(value, dict):
        return {spelled(key) if isinstance(key, str) else key: _all_spelled(part) for key, part in value.items()}
    return [_all_spelled(part) for part in value] if isinstance(value, list | tuple) else value


def _write(value: Any) -> str:
    if isinstance(value, dict):
        parts = (f"{json.dumps(str(key), ensure_ascii=False)}: {_write(part)}" for key, part in value.items())
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_write, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return "null" if math.isnan(value) else "1e999" if value > 0 else "-1e999"
    return json.dumps(value, ensure_ascii=False, default=str)


def own_json_text(value: Any, indent: int | None = None) -> str:
    r"""Write a value as JSON for files that only this program reads: file names are restored exactly.

    value: A value of JSON's types only.
    indent: Spaces per level; None for one line.
    Returns: The JSON text. Lone surrogates are written as `\udcNN`, which Python reads and other programs may refuse.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    # Only lone surrogates cannot be encoded. Their replacement, such as \udc80, is also their escape in JSON.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
