"""Where an index is, and what was subtracted from it when it was opened: facts beside the answers of a backend."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.i18n import trn
from explorer.index.manifest import Manifest


@dataclass(frozen=True)
class LocalPart:
    """Files that hold consecutive documents of an index.

    files: Those that must not change while the index is open.
    documents: Number of documents; subtracted ones are counted.
    pointer_width: Bytes of each entry of the suffix array.
    backwards: Whether documents are stored from their last token to their first (infini-gram version 5).
    """

    folder: Path
    files: tuple[Path, ...]
    documents: int
    pointer_width: int
    backwards: bool


@dataclass(frozen=True)
class Holding:
    """A folder of an index on several machines.

    Attributes
    ----------
    folder
        What it is called.
    fingerprint
        Of its contents.
    shard_count
        Its shards.
    token_count
        Its tokens, separators included.
    document_count
        Its documents.
    machines
        Addresses of the machines that have it and answer now; none if it is missing.
    """

    folder: str
    fingerprint: str
    shard_count: int
    token_count: int
    document_count: int
    machines: tuple[str, ...]


@dataclass(frozen=True)
class Subtracted:
    """What was to be subtracted from an index when it was opened.

    unmatched: Those of them that are not in the index; nothing was subtracted for them.
    sources: The folders or addresses of the indexes that were subtracted.
    """

    documents: int = 0
    unmatched: int = 0
    sources: tuple[str, ...] = ()

    @property
    def remark(self) -> str:
        """A remark for the user; empty if everything was subtracted."""
        if not self.unmatched:
            return ""
        return trn(
            "{unmatched:,} of {n:,} document to subtract is not in this index and was skipped.",
            "{unmatched:,} of {n:,} documents to subtract are not in this index and were skipped.",
            self.documents,
            unmatched=self.unmatched,
        )


@dataclass(frozen=True)
class LocalFacts:
    """What only an index in folders on this machine has.

    folders: The index folders, in the order in which they were given.
    manifests: What each folder's `index.json` states; None for an index of another program.
    parts: The files that hold the documents, in the order of document numbers.
    watched: Every file that answers depend on, also those of subtracted documents.
    """

    folders: tuple[Path, ...]
    manifests: tuple[Manifest | None, ...]
    parts: tuple[LocalPart, ...]
    watched: tuple[Path, ...]
    token_width: int

    def manifest_of(self, number: int) -> Manifest | None:
        """The manifest of the folder that holds a document, which must exist; None if there is none."""
        # Parts are in the order of document numbers, so the number is counted down to its own.
        for part in self.parts:
            if number < part.documents:
                known = zip(self.folders, self.manifests, strict=True)
                return next((manifest for folder, manifest in known if folder == part.folder), None)
            number -= part.documents
        return None
