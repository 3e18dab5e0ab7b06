"""What tests let a child process do; it finds this module by PYTHONPATH."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from explorer.core.jobs import Progress
from explorer.errors import QueryError, SourceError
from explorer.i18n import mark

Report = Callable[[Progress], None]


def double(number: int, report: Report) -> int:
    print("a library says something")
    report(Progress("Doubling", 1, 2))
    return 2 * number


def refuse(text: str, report: Report) -> None:
    raise QueryError(text)


def break_down(_: object, report: Report) -> int:
    return 1 // 0


def vanish(code: int, report: Report) -> None:
    os._exit(code)


def sleep(seconds: float, report: Report) -> None:
    report(Progress("Sleeping", 0, os.getpid()))
    time.sleep(seconds)


def niceness(_: object, report: Report) -> int:
    return os.nice(0)


def refuse_line(line: int, report: Report) -> None:
    raise SourceError(mark("{path}, line {line}"), reason="bad-line", path=Path("/a"), line=line)


def multiplied(factor: int, number: int) -> tuple[int, int]:
    """For a crew: the product, and the process that made it."""
    return factor * number, os.getpid()


def refused(word: str, number: int) -> None:
    """For a crew: fails as work may fail."""
    raise QueryError(f"No {word}, not even {number}.", reason="refused")


def divided(dividend: int, number: int) -> float:
    """For a crew: fails as work should not fail."""
    return dividend / number


def ended(_: object, number: int) -> None:
    """For a crew: the process ends."""
    os._exit(number)
