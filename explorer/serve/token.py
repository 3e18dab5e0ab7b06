"""The token of a server that other machines can reach, in a file that only its owner can read."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

from explorer.errors import CorpusError
from explorer.i18n import mark

BITS = 128
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
_HEX = re.compile("[0-9a-fA-F]+")
_DIFFERENT = 8
"""Different characters: 32 random hexadecimal digits have fewer once in a million."""
_MOST = 4_096


class TokenError(CorpusError):
    """A file has no token that keeps strangers out."""


def read_token(path: Path) -> str:
    """Read the token of a server.

    path: The file. Its only line is the token.
    Raises `TokenError` if the file cannot be read, others can read it too, or the token could be guessed.

    Notes
    -----
    A character of a token counts as 6 bits, a hexadecimal digit as 4. On Windows, who can read a file is not checked.
    """
    try:
        with path.open("rb") as file:
            # Of the file that is open: another one may take its place in the folder.
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_MOST + 1)
    except OSError as error:
        raise TokenError(
            mark("{path} cannot be read: {cause}."), reason="unreadable", path=path, cause=error.strerror
        ) from error
    if sys.platform != "win32" and stat.S_IMODE(mode) & 0o077:
        raise TokenError(mark("Others can read the token in {path}."), reason="token-file-open", path=path)
    token = data.decode("latin-1").strip("\r\n")
    if not _TOKEN.fullmatch(token) or len(data) > _MOST:
        raise TokenError(
            mark("{path} is not one line of letters, digits and the signs of a token."), reason="not-a-token", path=path
        )
    bits = len(token) * (4 if _HEX.fullmatch(token) else 6)
    if bits < BITS or len(set(token)) < _DIFFERENT:
        raise TokenError(
            mark("The token in {path} has less than {bits} bits, so it could be guessed."),
            reason="token-too-short",
            path=path,
            bits=BITS,
        )
    return token
