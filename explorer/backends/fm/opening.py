"""Opening compressed indexes: their parts, as one backend."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from explorer.backends.fm.backend import FmBackend, fingerprint_of
from explorer.backends.fm.parts import FmParts
from explorer.backends.local.open import load_tokenizer, refuse_same
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import TokenizerError
from explorer.i18n import mark
from explorer.index.fm.folder import read_compressed
from explorer.index.fm.part import MappedPart
from explorer.index.manifest import Manifest, check_sizes


def open_compressed(request: IndexRequest, report: Report = no_report, cancel: CancelToken | None = None) -> FmBackend:
    """Open one compressed index, or several as one.

    report: Not called: opening reads a page of each part.
    Raises `TokenizerError` if a tokenizer was chosen that is not bytes.
    Raises `CorpusError` if there is no index, or it is damaged.
    """
    if request.tokenizer is not None and load_tokenizer(request.tokenizer).backend is not None:
        raise TokenizerError(
            mark("{path} is a compressed index of bytes, so no other tokenizer fits it."),
            reason="tokenizer-does-not-fit",
            option="tokenizer",
            path=request.sources[0],
        )
    folders = [Path(source) for source in request.sources]
    opened = [_open_folder(folder) for folder in folders]
    if not request.allow_same:
        refuse_same(folders, (fingerprint_of(found) for found, _ in opened))
    parts = FmParts([part for found, _ in opened for part in found])
    again = replace(request, sources=tuple(str(folder.resolve()) for folder in folders), tokenizer=None)
    facts = [(folder, manifest, len(found)) for folder, (found, manifest) in zip(folders, opened, strict=True)]
    return FmBackend(parts, facts, (open_compressed, (again,)))


def _open_folder(folder: Path) -> tuple[list[MappedPart], Manifest | None]:
    files, manifest = read_compressed(folder)
    if manifest is not None:
        check_sizes(folder, manifest)
    return [MappedPart(part) for part in files], manifest
