"""The character set that a file declares in its first bytes."""

from __future__ import annotations

import re

HTML_ENDINGS = (".html", ".htm", ".xhtml", ".xht", ".shtml")
_XML_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_META = re.compile(rb"""<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]{1,40})")
_META_WITHIN = 4_096


def declared_set(head: bytes, name: str) -> str:
    """Find the character set that a file declares in its first bytes.

    name: Its name without the endings of packing, in lower case.
    Returns: The name as it is written in an XML declaration, a `meta` element of HTML, or the cookie of Python source
        code; "" without one.

    Examples
    --------
    >>> declared_set(b'<html><meta charset="koi8-r">', "a.html")
    'koi8-r'
    """
    found = _XML_DECLARED.match(head.removeprefix(b"\xef\xbb\xbf"))
    if found is None and (name.endswith(HTML_ENDINGS) or _looks_like_html(head)):
        found = _META.search(_COMMENT.sub(b"", head[:_META_WITHIN]))
    if found is None and name.endswith((".py", ".pyi", ".pyw")):
        lines = head.split(b"\n", 2)[:2]
        found = next((cookie for line in lines if (cookie := _COOKIE.match(line))), None)
    return found.group(1).decode("ascii", "replace") if found is not None else ""


def _looks_like_html(head: bytes) -> bool:
    return re.match(rb"\s*<(?:!doctype\s+html|html)[\s>]", head[:512], re.IGNORECASE) is not None
