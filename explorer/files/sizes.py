"""Sizes of files and of memory, written for people."""

from __future__ import annotations

from explorer.i18n import tr


def size_text(count: float) -> str:
    """Write a number of bytes for people.

    Parameters
    ----------
    count
        The number of bytes.

    Returns
    -------
    str
        Megabytes of a million bytes, at least 1, or gigabytes with one decimal.

    Examples
    --------
    >>> size_text(1.24e9), size_text(2_600_000)
    ('1.2 GB', '3 MB')
    """
    if count >= 1e9:
        return tr("{size:.1f} GB", size=count / 1e9)
    return tr("{size:,} MB", size=max(1, round(count / 1e6)))
