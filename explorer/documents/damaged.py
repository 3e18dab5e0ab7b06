"""Damage in files of binary formats, as their libraries report it, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.core.files.streams import BrokenStreamError
from explorer.i18n import tr


@contextmanager
def damage_reported(format: str, *kinds: type[Exception]) -> Iterator[None]:
    """Errors of a library as damage of the file; an error of the drive stays one.

    kinds: What the library raises besides ValueError, OverflowError and OSError.
    """
    expected: tuple[type[Exception], ...] = (*kinds, ValueError, OverflowError)
    try:
        yield
    except BrokenStreamError:
        # What contains the file is damaged.
        raise
    except MemoryError as error:
        raise broken_file(format, tr("it states more data than this machine has memory for")) from error
    except expected as error:
        raise broken_file(format, error) from error
    except OSError as error:
        # Arrow reports damaged pages in this way; an error of the drive has a number.
        if error.errno is not None:
            raise
        raise broken_file(format, error) from error


def broken_file(format: str, error: Exception | str) -> BrokenStreamError:
    """The damage of a file, as a reason that can follow its name."""
    reason = " ".join(str(error).split())
    return BrokenStreamError(
        tr("is damaged or cut short: it is not a complete {format} file ({error})", format=format, error=reason), False
    )
