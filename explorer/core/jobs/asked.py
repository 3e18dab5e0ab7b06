"""What a caller of the library gives to follow and stop long work, checked before the work begins."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

from explorer.core.jobs.cancel import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")


def checks_job(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function refuse a `report` that is not a function, and a `cancel` that is not a token.

    Returns: The function. It raises QueryError, whereas the work would fail at its first report.

    Examples
    --------
    >>> checks_job(lambda *, cancel=None: 1)(cancel=CancelToken())
    1
    """

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        # Single counts take two microseconds and no options, so nothing is looked up for them.
        if kwargs:
            _check(kwargs)
        return function(*args, **kwargs)

    return checked


def checks_jobs(cls: type[C]) -> type[C]:
    """Make all public methods of a class that take `report` or `cancel` refuse other values."""
    for name, method in list(vars(cls).items()):
        takes = isinstance(method, FunctionType) and {"report", "cancel"} & set(method.__kwdefaults__ or ())
        # `wraps` keeps signature and docstring, which help and the reference show.
        if takes and not name.startswith("_"):
            setattr(cls, name, checks_job(method))
    return cls


def _check(given: dict[str, Any]) -> None:
    report, cancel = given.get("report", _check), given.get("cancel")
    if not callable(report):
        raise _wrong("report", "a function that takes a Progress", report)
    if cancel is not None and not isinstance(cancel, CancelToken):
        raise _wrong("cancel", "a CancelToken", cancel)


def _wrong(name: str, expected: str, value: Any) -> QueryError:
    return QueryError(
        mark("{name} must be {expected}, not {value}."),
        reason="wrong-argument",
        name=name,
        expected=expected,
        value=repr(value),
    )
