"""A compressed index as a backend: what it is, and its four groups of questions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from explorer.backends.defaults.no_lists import NoLists
from explorer.backends.defaults.no_subtraction import NoSubtraction
from explorer.backends.fm.counts import FmCounts
from explorer.backends.fm.documents import FmDocuments
from explorer.backends.fm.hits import FmHits
from explorer.backends.fm.parts import FmParts
from explorer.backends.protocol.protocol import Capabilities, LocalFacts, LocalPart
from explorer.i18n import tr
from explorer.index.fm.part import MappedPart
from explorer.index.manifest import Manifest
from explorer.text.tokens.tokenizer import TextTokenizer

Opening = tuple[Callable[..., Any], tuple[Any, ...]]


class FmBackend(NoSubtraction):
    """Opened parts; made by `explorer.backends.fm.opening.open_compressed`.

    Its parts answer the questions of `explorer.backends.protocol.protocol.Backend`, which describes them.
    """

    remark = ""
    has_tokenizer = True

    def __init__(self, parts: FmParts, folders: Sequence[tuple[Path, Manifest | None, int]], opening: Opening) -> None:
        self._parts, self._opening = parts, opening
        self.local: LocalFacts | None = _facts(parts, folders)
        self.sources = tuple(str(folder.resolve()) for folder, _, _ in folders)
        self.name = " + ".join(_name_of(folder, manifest) for folder, manifest, _ in folders)
        self.tokenizer = TextTokenizer.raw_bytes()
        self.capabilities = _capabilities(parts)
        self.separator = parts.separator
        self.token_count, self.document_count = parts.token_count, parts.document_count
        self.document_slots = parts.document_count
        self.counts = FmCounts(parts)
        self.documents = FmDocuments(parts, [manifest for _, manifest, _ in folders])
        self.hits = FmHits(parts, self.counts, self.capabilities)
        self.lists = NoLists(self.capabilities)

    @property
    def parts(self) -> tuple[MappedPart, ...]:
        """The parts of all folders, for whoever checks files."""
        return self._parts.parts

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits. Cost: reading a page of every part."""
        return fingerprint_of(self.parts)

    def check_storage(self) -> None:
        """Raise DamagedIndexError if a file has changed or vanished since it was opened."""
        for part in self.parts:
            part.check_files(at_once=True)

    def __reduce__(self) -> Opening:
        # Another process opens it again: maps of files cannot be sent.
        return self._opening


def _name_of(folder: Path, manifest: Manifest | None) -> str:
    return manifest.name if manifest is not None and manifest.name else folder.resolve().name


def fingerprint_of(parts: Sequence[MappedPart]) -> str:
    """Tell the contents of some parts from others.

    Returns: 32 hexadecimal digits.
    """
    found = hashlib.sha256()
    for part in parts:
        found.update(part.marks())
    return found.hexdigest()[:32]


def _facts(parts: FmParts, folders: Sequence[tuple[Path, Manifest | None, int]]) -> LocalFacts:
    owners = [folder for folder, _, count in folders for _ in range(count)]
    found = []
    for folder, part in zip(owners, parts.parts, strict=True):
        files = tuple(filter(None, (part.files.index, part.files.lines, part.files.text)))
        # There is no table, so its entries have no bytes.
        found.append(LocalPart(folder, files, part.document_count, 0, backwards=False))
    return LocalFacts(
        folders=tuple(folder for folder, _, _ in folders),
        manifests=tuple(manifest for _, manifest, _ in folders),
        parts=tuple(found),
        watched=tuple(path for part in found for path in part.files),
        token_width=1,
    )


def _capabilities(parts: FmParts) -> Capabilities:
    return Capabilities(
        sorting=False,
        subtraction=False,
        lists=False,
        stored_text=all(part.keeps_text for part in parts.parts),
        why_not=tr(
            "This index is compressed. It answers counts, next tokens, lines, documents and traces; this needs an "
            "index with a suffix array."
        ),
    )
