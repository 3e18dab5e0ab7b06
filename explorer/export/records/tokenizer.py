"""The tokenizer that is remembered for an index, as a record."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.backends.remembered import RememberedTokenizer


@dataclass(frozen=True)
class TokenizerRecord:
    """What is remembered for an index.

    Attributes
    ----------
    path
        The folder of the index.
    fingerprint
        Of its contents, by which it is recognized.
    tokenizer
        The path of the tokenizer's file, or "bytes"; None if none is remembered.
    sha256
        The SHA-256 of the file; None if there is no file.
    """

    path: str
    fingerprint: str
    tokenizer: str | None
    sha256: str | None


def tokenizer_record(path: str, fingerprint: str, kept: RememberedTokenizer | None) -> TokenizerRecord:
    """Make the record of an index.

    Parameters
    ----------
    path
        Its folder.
    fingerprint
        Of its contents.
    kept
        What is remembered.

    Returns
    -------
    TokenizerRecord
        The record.
    """
    return TokenizerRecord(path, fingerprint, kept.path if kept else None, (kept.sha256 or None) if kept else None)
