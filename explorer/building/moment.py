"""When an index was made, as it records it."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from explorer.errors import BuildError
from explorer.i18n import mark

VARIABLE = "SOURCE_DATE_EPOCH"
"""The moment that reproducible builds state, in seconds since 1970 (https://reproducible-builds.org)."""


def is_reproducible() -> bool:
    """Whether the same sources must give the same bytes, so that nothing is recorded that differs from run to run."""
    return bool(os.environ.get(VARIABLE))


def now() -> str:
    """Give the moment to record.

    Returns
    -------
    str
        The moment of SOURCE_DATE_EPOCH if it is set, or else now; in ISO 8601, UTC, to the second.

    Raises
    ------
    BuildError
        If the variable is not a number of seconds.
    """
    if not is_reproducible():
        return datetime.now(UTC).isoformat(timespec="seconds")
    text = os.environ[VARIABLE]
    try:
        if not text.isascii() or not text.isdigit():
            raise ValueError(text)
        return datetime.fromtimestamp(int(text), UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError) as error:
        raise BuildError(
            mark("{variable} is {text}, which is not a number of seconds since 1970."),
            reason="bad-moment",
            variable=VARIABLE,
            text=text,
        ) from error
