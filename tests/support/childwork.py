"""What tests let a child process do; it finds this module by PYTHONPATH."""

from __future__ import annotations

import os
import time
from pathlib import Path

from explorer.errors import QueryError, SourceError
from explorer.i18n import mark
from explorer.jobs import Progress


def double(number, report):
    print("a library says something")
    report(Progress("Doubling", 1, 2))
    return 2 * number


def refuse(text, report):
    raise QueryError(text)


def break_down(_, report):
    return 1 // 0


def vanish(code, report):
    os._exit(code)


def sleep(seconds, report):
    report(Progress("Sleeping", 0, os.getpid()))
    time.sleep(seconds)


def niceness(_, report):
    return os.nice(0)


def refuse_line(line, report):
    raise SourceError(mark("{path}, line {line}"), reason="bad-line", path=Path("/a"), line=line)
