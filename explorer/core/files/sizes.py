"""Sizes of files and of memory, written for people."""

from __future__ import annotations

from explorer.i18n import tr


def size_text(count: float) -> str:
    """Write a number of bytes for people.

    Returns: Kilobytes of a thousand bytes, megabytes, or gigabytes, terabytes and petabytes with one decimal. What is
        not 0 is at least 1 kB.

    Examples
    --------
    >>> size_text(1.24e9), size_text(2_600_000), size_text(612)
    ('1.2 GB', '3 MB', '1 kB')
    """
    if count >= 1e15:
        return tr("{size:.1f} PB", size=count / 1e15)
    if count >= 1e12:
        return tr("{size:.1f} TB", size=count / 1e12)
    if count >= 1e9:
        return tr("{size:.1f} GB", size=count / 1e9)
    if count >= 1e6:
        return tr("{size:,} MB", size=round(count / 1e6))
    return tr("{size:,} kB", size=max(round(count / 1e3), int(count > 0)))
