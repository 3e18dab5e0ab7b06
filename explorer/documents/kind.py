"""What is known of a kind of file."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO

from explorer.core.files.archives import Entry
from explorer.documents.content import Content
from explorer.documents.record import Document, Records
from explorer.i18n import tr
from explorer.version import install_command

_RECORDS = ("line", "row", "object")
Opener = Callable[[IO[bytes], str], Iterator[Entry]]
Reader = Callable[[Content], Records | Iterator[Document]]


@dataclass(frozen=True)
class Kind:
    """A kind of file that is read.

    name: Its name in options and reports.
    label: What people call it, in the plural or as a mass noun.
    document: What becomes a document: "file", "line", "row", "object" …
    read: Reads the documents of a file.
    endings: Of the names of its files, in lower case, with the dot.
    signature: Recognizes it by the first bytes, whatever the name is, and by the name of a damaged file; None for
        texts.
    begins: Recognizes it by the beginning of a text whose name has no ending; None if that cannot be seen.
    only_piped: Whether `begins` decides only on what comes through a pipe.
    is_checked: Whether a file that does not begin as text is skipped. Otherwise anything unreadable is an error with a
        place.
    about: What of such a file is read, for the reference.
    extra: The extra of the program that reading it needs; "" for none.
    check: Raises NotTextError for a file that is recognized and cannot be read, such as an encrypted one, before any
        is read.
    opens: Lists the files in it, from its bytes as stored and its name; None for what is not an archive.
    """

    name: str
    label: str
    document: str
    read: Reader
    endings: tuple[str, ...] = ()
    signature: Callable[[bytes, str], bool] | None = None
    begins: Callable[[str], bool] | None = None
    only_piped: bool = False
    is_checked: bool = True
    about: str = ""
    extra: str = ""
    modules: tuple[str, ...] = ()
    opens: Opener | None = None
    check: Callable[[Content], None] | None = None

    @property
    def has_records(self) -> bool:
        """Whether its files have records, which have their text in a field."""
        return self.document in _RECORDS

    @property
    def is_installed(self) -> bool:
        """Whether all modules that reading it needs are there."""
        return all(importlib.util.find_spec(module) is not None for module in self.modules)

    @property
    def command(self) -> str:
        """The command that installs the packages; "" if none are needed."""
        return install_command(self.extra) if self.extra else ""

    @property
    def why_not(self) -> str:
        """What is missing and the command that installs it, as a reason that can follow the name of a file."""
        return tr(
            "{kind} are read with {modules}: {command}",
            kind=tr(self.label),
            modules=", ".join(self.modules),
            command=self.command,
        )
