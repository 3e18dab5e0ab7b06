"""Command lines in this process, with streams as a process has them: the start of a program takes ten times as long."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from explorer.cli.main import main


class Done(NamedTuple):
    """The exit code of a command line and the bytes that it wrote; the names are those in `subprocess`."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run(*arguments: object, stdin: str | bytes = b"") -> Done:
    """Run `corpus-explorer ARGUMENTS` with some standard input."""
    given = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)
    out, err = io.BytesIO(), io.BytesIO()
    with (
        patch("sys.stdin", io.TextIOWrapper(io.BufferedReader(given))),
        redirect_stdout(io.TextIOWrapper(out, "utf-8", "replace", write_through=True)),
        redirect_stderr(io.TextIOWrapper(err, "utf-8", "replace", write_through=True)),
    ):
        code = main([*map(str, arguments)])
        return Done(code, out.getvalue(), err.getvalue())
