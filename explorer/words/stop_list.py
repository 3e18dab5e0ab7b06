"""Stop lists: words that a list leaves out, given by a person or in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from explorer.backends.protocol.protocol import Backend
from explorer.derive.kinds import WordFile
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.rule import WordRule, words_of


def read_stop_list(path: Path) -> list[str]:
    """Read a stop list: a file with one word per line.

    Returns: Its words as they are written, without empty lines.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise QueryError(
            mark("The stop list {name} cannot be read: {why}"),
            reason="unreadable-stop-list",
            name=path.name,
            why=error.strerror or str(error),
        ) from error
    except UnicodeDecodeError as error:
        raise QueryError(
            mark("The stop list {name} is not UTF-8. Save it as UTF-8."), reason="stop-list-not-utf-8", name=path.name
        ) from error
    return [line.strip() for line in lines if line.strip()]


def stop_words_of(stop: Sequence[str] | WordFile) -> tuple[str, ...]:
    """The words of a setting; those of a file are read now."""
    return tuple(read_stop_list(Path(stop.path)) if isinstance(stop, WordFile) else stop)


def stop_ids(index: Backend, stop: Iterable[str]) -> frozenset[int]:
    """Find the tokens of a stop list in an index.

    stop: The words. Each is cut and folded as texts of the index are; what is not one word or token is left out.
    Raises `TokenizerError` if there are words, and the index has no tokenizer.
    """
    found = [index.tokenizer.encode(word) for word in checked_stop(stop)]
    return frozenset(int(ids[0]) for ids in found if len(ids) == 1)


def stop_forms(stop: Iterable[str]) -> frozenset[str]:
    """Give the forms of a stop list by the usual rule, also of words that an index lacks.

    stop: The words; what is not one word is left out.

    Examples
    --------
    >>> sorted(stop_forms(["The", "of the", "D'accord"]))
    ["d'accord", 'the']
    """
    found = [words_of(word, WordRule()) for word in checked_stop(stop)]
    return frozenset(forms[0] for forms in found if len(forms) == 1)


def checked_stop(stop: Iterable[str]) -> list[str]:
    """Check a stop list; one text would be taken for a list of its characters.

    Raises `QueryError` if it is one text, or something in it is not a text.
    """
    words = [] if isinstance(stop, str) else list(stop)
    if isinstance(stop, str) or not all(isinstance(word, str) for word in words):
        raise QueryError(mark("A stop list is a list of words."), reason="wrong-argument")
    return words
