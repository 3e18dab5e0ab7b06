"""The program's version, as it was installed.

`VERSION` is looked up when it is first asked for: the standard library reads it by way of its parser of e-mails, whose
import takes a thirtieth of the window's start.
"""

from __future__ import annotations

# `typing` itself takes longer to import than this module; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    VERSION: str


def install_command(extra: str = "") -> str:
    """The command that installs the program, or also the packages of an extra, in the folder of its source.

    The name is not on PyPI yet: whoever took it there would run code on the machines of those who follow this advice.
    """
    return f"pip install '.[{extra}]'" if extra else "pip install ."


def version_of(distribution: str) -> str:
    """The version of an installed distribution."""
    from importlib.metadata import version

    return version(distribution)


def _installed() -> str:
    from importlib.metadata import PackageNotFoundError

    # The distribution without the window has its own name, see packaging/core_wheel.py.
    try:
        return version_of("corpus-explorer")
    except PackageNotFoundError:
        return version_of("corpus-explorer-core")


def __getattr__(name: str) -> str:
    if name != "VERSION":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # From now on it is an ordinary attribute.
    globals()[name] = _installed()
    return VERSION  # noqa: F821 - set by the line above
