"""The program's version, as it was installed."""

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    # The distribution without the window has its own name, see packaging/core_wheel.py.
    try:
        return version("corpus-explorer")
    except PackageNotFoundError:
        return version("corpus-explorer-core")


VERSION = _installed()
