"""Tokenizers that the user chose for indexes without one: a note for each index, in the folder of the program's data.

A note names an index by the fingerprint of its contents, so it also holds after the folder was moved, for copies, and
for folders that cannot be written to. Nothing is written into an index.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from explorer.core.files.paths import data_folder, write_whole
from explorer.errors import CorpusError, TokenizerError
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import BYTES_NAME, TextTokenizer


@dataclass(frozen=True)
class RememberedTokenizer:
    """What is remembered for an index.

    path: The absolute path of the tokenizer's file, or "bytes".
    sha256: The SHA-256 of the file as it was chosen; "" for "bytes".
    check_fit: Whether it must fit the index; False if the user allowed that it does not.
    """

    path: str
    sha256: str
    check_fit: bool = True

    def load(self) -> TextTokenizer:
        """Read the tokenizer.

        Raises `TokenizerError` if the file is gone, cannot be read, or is not the one that was chosen.
        """
        if self.path == BYTES_NAME:
            return TextTokenizer.raw_bytes()
        try:
            found = TextTokenizer.from_file(Path(self.path))
        except TokenizerError as error:
            raise TokenizerError(
                mark("The tokenizer that is remembered for this index cannot be used. {cause}"),
                reason="remembered-tokenizer",
                path=self.path,
                cause=error,
            ) from error
        # Another tokenizer of nearly the same vocabulary may pass the check of the fit, and count other tokens.
        if found.fingerprint != self.sha256:
            raise TokenizerError(
                mark("The tokenizer that is remembered for this index has changed: {path}."),
                reason="remembered-tokenizer",
                path=self.path,
            )
        return found


def remembered(fingerprint: str) -> RememberedTokenizer | None:
    """Find what is remembered for an index.

    Returns: The tokenizer, if there is one.
    Raises `TokenizerError` if the note cannot be read.
    """
    note = _note(fingerprint)
    try:
        kept = json.loads(note.read_text(encoding="utf-8"))
        return RememberedTokenizer(str(kept["path"]), str(kept["sha256"]), kept["check_fit"] is not False)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise TokenizerError(
            mark("What is remembered of the tokenizer of this index cannot be read: {path}."),
            reason="remembered-tokenizer",
            path=note,
        ) from error


def remember(fingerprint: str, tokenizer: RememberedTokenizer) -> None:
    """Remember a tokenizer for an index, in place of another one.

    Raises `CorpusError` if the note cannot be written.
    """
    note = _note(fingerprint)
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        write_whole(note, json.dumps(asdict(tokenizer), indent=1, ensure_ascii=True) + "\n")
    except OSError as error:
        raise _unwritable(note, error) from error


def forget(fingerprint: str) -> bool:
    """Forget the tokenizer of an index; tells whether one was remembered. Raises CorpusError if that fails."""
    note = _note(fingerprint)
    try:
        note.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unwritable(note, error) from error
    return True


def _note(fingerprint: str) -> Path:
    return data_folder() / "tokenizers" / f"{fingerprint}.json"


def _unwritable(note: Path, error: OSError) -> CorpusError:
    return CorpusError(
        mark("{path} cannot be written: {cause}."), reason="unwritable", path=note, cause=error.strerror or error
    )
