"""The texts that a screen asks about: files and pasted text, and the sources that they are. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, Self

from explorer.analyses.agreement.sources import InputChoice
from explorer.export.provenance import Facts, text_facts
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import tr

ALL = "all"
"""The key of all sources together."""
_SOURCE = "source:"

REMEDIES: Mapping[str, Mapping[str, str]] = {
    "field": {"group": "", "prompt_field": ""},
    "format": {"format": "text"},
    "on_bad": {"on_bad": "skip"},
}
"""The inputs that a remedy of an error changes, by its name in `explorer.gui.presenting.hints`."""


def source_key(name: str) -> str:
    """The key of a source, by its name. With a prefix, since a source may be named like the other key."""
    return _SOURCE + name


def source_name(key: str) -> str:
    """The name of a source, by its key."""
    return key.removeprefix(_SOURCE)


def is_source(key: str) -> bool:
    """Whether a key is that of one source, not of all together."""
    return key.startswith(_SOURCE)


def pasted_name() -> str:
    """The name of the pasted text among the sources."""
    return tr("Pasted text")


@dataclass(frozen=True)
class SourceRow:
    """A source as its chip shows it.

    texts: The number of its texts; None while that is not known, 0 for a pasted text that is empty.
    place: Its place among the sources, which gives the shape of its marks; -1 for none.
    """

    key: str
    name: str
    texts: int | None
    place: int = -1


@dataclass(frozen=True)
class TextInputs:
    """Files and pasted text, and how they are read.

    text: The pasted text: a source of its own.
    files: The files; each is a source, unless a field names the sources.
    group: The field of records that names each text's source; "" for the file.
    format, on_bad: How the files are read, and what is done about bad lines, as in `InputChoice`.
    prompt_field: The field of records with the prompt of each text; "" for no prompts.
    removed: Names of sources in the files that are not asked about.
    """

    text: str = ""
    files: tuple[Path, ...] = ()
    group: str = ""
    format: str = "auto"
    on_bad: str = "fail"
    prompt: str = ""
    prompt_field: str = ""
    removed: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to ask about."""
        return not self.files and not self.has_text

    @property
    def has_text(self) -> bool:
        """Whether a text was pasted. A few characters decide: a text may have millions."""
        return bool(self.text) and not self.text.isspace()

    @property
    def choice(self) -> InputChoice:
        """How the files are read."""
        # An empty field means that each file is a group, which is None in `InputChoice`.
        return InputChoice(
            self.format, group_field=self.group or None, on_bad=self.on_bad, prompt_field=self.prompt_field or None
        )

    @property
    def facts(self) -> Facts:
        """What is asked about, as a file states it."""
        read = (("format", self.format, "auto"), ("unreadable lines", self.on_bad, "fail"))
        fields = (("field of the source", self.group, ""), ("field of the prompt", self.prompt_field, ""))
        return (
            *(("file", str(path)) for path in self.files),
            *(text_facts("pasted text", self.text) if self.has_text else ()),
            *(text_facts("prompt", self.prompt) if self.has_text else ()),
            *((name, value) for name, value, usual in (*read, *fields) if value != usual),
            *(("source left out", name) for name in self.removed),
        )

    def without(self, source: str) -> Self:
        """The inputs without a source, by its name."""
        # A file may have the name of the pasted text; then the pasted text goes first.
        if self.has_text and source == pasted_name():
            return replace(self, text="", prompt="")
        # A file that is a source of its own is read no longer. A source within files can only be passed over.
        left = tuple(path for path in self.files if path.name != source)
        if not self.group and len(left) < len(self.files):
            return replace(self, files=left)
        return replace(self, removed=(*self.removed, source))


def source_rows(inputs: TextInputs, known: Iterable[tuple[str, int]]) -> tuple[SourceRow, ...]:
    """List the sources, with files that are not read yet, and the pasted text at the end even if there is none.

    inputs: What is asked about now.
    known: Name and number of texts of the sources of the last answer.
    """
    # Once: the name is translated at each call.
    pasted, named = pasted_name(), list(known)
    rows = [
        SourceRow(source_key(name), cell_text(name) or tr("text"), texts, place)
        for place, (name, texts) in enumerate(named)
    ]
    if not inputs.group:
        # With a field that names the sources, nobody knows their names before the files are read. Files of one name
        # in several folders are one source.
        names = {name for name, _ in named}
        awaited = dict.fromkeys(path.name for path in inputs.files if path.name not in names)
        rows += [SourceRow(source_key(name), cell_text(name), None) for name in awaited]
    texts = [row for row in rows if row.key == source_key(pasted)]
    rest = [row for row in rows if row.key != source_key(pasted)]
    if not inputs.has_text:
        # Gone at once, also while the answer that had it is still shown.
        texts = [SourceRow(source_key(pasted), pasted, 0)]
    elif not texts:
        texts = [SourceRow(source_key(pasted), pasted, None)]
    return (*rest, *texts)


class SourcesState(Protocol):
    """What the chips draw: the state of any screen that asks about texts."""

    @property
    def inputs(self) -> TextInputs:
        """What is asked about."""

    @property
    def rows(self) -> tuple[SourceRow, ...]:
        """The sources; the pasted text at the end, even if there is none."""

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What can be shown: key and label; `ALL` among them if there are several."""

    @property
    def chosen(self) -> str:
        """The key of what is shown; "" if there is none."""


class SourcesPresenter(Protocol):
    """What the chips ask: the presenter of such a screen."""

    @property
    def state(self) -> SourcesState:
        """What is shown now."""

    def enter(self, **inputs: object) -> None:
        """Change some of the inputs, by their names in `TextInputs`."""

    def add_files(self, *paths: Path) -> None:
        """Ask about more files, as sources beside those that are there."""

    def remove(self, source: str) -> None:
        """Ask about a source no longer, by its name."""

    def choose_source(self, key: str) -> None:
        """Show one source, or all together; a key of the state's `choices`."""
