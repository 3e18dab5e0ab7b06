"""The sample corpus: source and documentation text of the running interpreter's standard library."""

from __future__ import annotations

import platform
import sysconfig
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.building.own_places import sample_folder
from explorer.building.request import BuildRequest
from explorer.building.run import build_from
from explorer.building.sources.file_source import FileSource
from explorer.building.sources.readers import ReadOptions, ReadState, SourceDocument, source_file
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import BuildError
from explorer.i18n import mark
from explorer.index.manifest import Manifest

_ENDINGS = (".py", ".pyi", ".txt", ".rst", ".md", ".html")
_LEFT_OUT = {"site-packages", "dist-packages", "__pycache__", "ensurepip"}
_LICENSE = "PSF-2.0"
_SHIPPED = Path(__file__).resolve().parents[1] / "sample"
"""The same files in a bundle, whose interpreter has no sources: see `packaging/bundle/make.py`."""


def _unwritable(error: BuildError) -> BuildError:
    # Nobody chose the place, so another one is chosen in its own way.
    return BuildError(
        mark("The sample index cannot be made in {path}: {cause}."),
        reason="sample-unwritable",
        path=sample_folder().parent,
        cause=error.fields["cause"],
    )


def build_sample(report: Report = no_report, cancel: CancelToken | None = None) -> Manifest:
    """Build the sample index in the user's data folder. An interrupted build is resumed.

    Raises `BuildError` if it cannot be written.

    Notes
    -----
    If the standard library was updated since the interruption, or files were damaged, the build starts again.
    """
    request = sample_request()
    source = StandardLibrary.at(request.sources[0])
    try:
        return build_from(replace(request, resume=True), source, report, cancel)
    except BuildError as error:
        if error.reason == "unwritable":
            raise _unwritable(error) from error
        if error.option != "restart":
            raise
        # The library was updated meanwhile, or the files were damaged; nothing here is a user's own work.
        return build_from(request, source, report, cancel)


def sample_request() -> BuildRequest:
    """What the sample index is built from, and where."""
    return BuildRequest(
        sources=(_SHIPPED if _SHIPPED.is_dir() else Path(sysconfig.get_paths()["stdlib"]),),
        out=sample_folder(),
        tokenizer="train",
        name=f"Python {platform.python_version()} standard library",
    )


class StandardLibrary(FileSource):
    """The standard library's files, with module, size and license as metadata."""

    @classmethod
    def at(cls, root: Path) -> StandardLibrary:
        """The text files below the standard library's folder, in sorted order."""
        files = []
        # Sorted: a resumed build must find the files in the same order.
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root)
            if path.suffix in _ENDINGS and not _LEFT_OUT & set(name.parts) and path.is_file():
                files.append(source_file(path, name.as_posix()))
        return cls(files, ReadOptions(), ReadState())

    def describe(self, document: SourceDocument) -> SourceDocument:
        """A file with its metadata."""
        return SourceDocument(document.text, document.path, 0, _describe(document))


def _describe(document: SourceDocument) -> dict[str, Any]:
    parts = Path(document.path).with_suffix("").parts
    is_module = document.path.endswith(".py")
    dotted = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return {
        "module": dotted if is_module else "",
        "package": parts[0],
        "size": len(document.text.encode("utf-8", "replace")),
        "license": _LICENSE,
    }
