"""The checks of arguments: what does not pass becomes the answer `{"error": …}`, as in the package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from explorer.infini_gram.responses import ErrorResponse

P = ParamSpec("P")
R = TypeVar("R")


class BadArgumentError(Exception):
    """An argument did not pass; the message is the text of the answer."""


def answered(method: Callable[P, R]) -> Callable[P, R | ErrorResponse]:
    """Make a method answer `{"error": …}` where it raises `BadArgumentError`; other errors stay exceptions.

    Parameters
    ----------
    method
        The method.

    Returns
    -------
    Callable
        The same method, with the further answer.
    """

    @wraps(method)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R | ErrorResponse:
        try:
            return method(*args, **kwargs)
        except BadArgumentError as refused:
            return {"error": str(refused)}

    return asked


def check_ids(name: str, ids: object, largest: int) -> None:
    """Refuse what is not a list of token ids; it may be empty.

    Parameters
    ----------
    name
        The argument.
    ids
        Its value.
    largest
        The largest id.

    Raises
    ------
    BadArgumentError
        If it is not one.
    """
    # Exact types, as in the package: True is not an id, and a tuple is not a list.
    if type(ids) is not list or not all(type(token) is int and 0 <= token <= largest for token in ids):
        raise BadArgumentError(f"{name} must be a list of integers in range [0, {largest}]")


def check_id(name: str, token: object, largest: int) -> None:
    """Refuse what is not a token id.

    Parameters
    ----------
    name
        The argument.
    token
        Its value.
    largest
        The largest id.

    Raises
    ------
    BadArgumentError
        If it is not one.
    """
    if type(token) is not int or not 0 <= token <= largest:
        raise BadArgumentError(f"{name} must be an integer in range [0, {largest}]")


def check_cnf(cnf: object, largest: int) -> None:
    """Refuse what is not a list of clauses, each a list of n-grams, none of them empty.

    Parameters
    ----------
    cnf
        The clauses.
    largest
        The largest token id.

    Raises
    ------
    BadArgumentError
        If it is not one.
    """
    message = f"cnf must be a non-empty, triply-nested list of integers in range [0, {largest}]"
    if type(cnf) is not list or not cnf or any(type(clause) is not list or not clause for clause in cnf):
        raise BadArgumentError(message)
    for ngram in (ngram for clause in cnf for ngram in clause):
        if not ngram:
            raise BadArgumentError(message)
        try:
            check_ids("cnf", ngram, largest)
        except BadArgumentError:
            raise BadArgumentError(message) from None


def positive(name: str, value: int | None, default: int | None = None) -> int:
    """Give a whole number of at least 1.

    Parameters
    ----------
    name
        The argument.
    value
        Its value; None for the default.
    default
        The default, which was checked.

    Returns
    -------
    int
        The number.

    Raises
    ------
    BadArgumentError
        If it is not one.
    """
    chosen = default if value is None else value
    if type(chosen) is not int or chosen < 1:
        raise BadArgumentError(f"{name} must be a positive integer")
    return chosen


def check_lengths(names: Sequence[str], *values: object) -> None:
    """Refuse what is not a whole number of at least 0.

    Parameters
    ----------
    names
        The arguments.
    values
        Their values.

    Raises
    ------
    BadArgumentError
        If one is not.
    """
    for name, value in zip(names, values, strict=True):
        if type(value) is not int or value < 0:
            raise BadArgumentError(f"{name} must be a non-negative integer")


def check_below(name: str, value: object, end: int) -> None:
    """Refuse what is not a whole number from 0 to below an end.

    Parameters
    ----------
    name
        The argument.
    value
        Its value.
    end
        One more than the largest number.

    Raises
    ------
    BadArgumentError
        If it is not one.
    """
    if type(value) is not int or not 0 <= value < end:
        raise BadArgumentError(f"{name} must be an integer in range [0, {end})")
