"""The program's version, as it was installed."""

from importlib.metadata import version

VERSION = version("corpus-explorer")
