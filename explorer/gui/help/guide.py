"""The pages of the guide, from the files that ship with the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from explorer import version
from explorer.analyses.registry import AnalysisRow, derived
from explorer.derive.question import settings_of
from explorer.derive.table import columns_of
from explorer.i18n import mark, tr
from explorer.resources import resource_text

# The names of the distributions, by which `version_of` finds what is installed.
_LIBRARIES = ("PySide6-Essentials", "numpy", "pyqtgraph", "tokenizers", "zstandard", "pyarrow", "XlsxWriter")


def keys_page(rows: Callable[[], Sequence[tuple[str, str]]]) -> GuidePage:
    """The page with all keys.

    rows: Gives pairs of keys and what they do, as they are now: the user may change them.
    """

    def read() -> str:
        # A bar would end the cell.
        lines = [f"| {keys.replace('|', chr(92) + '|')} | {what} |" for keys, what in rows()]
        # The dialog formats pages by their Markdown, so a page that is made here needs no code of its own there.
        intro = tr("Keys of commands can be changed in *Settings › Shortcuts*.")
        title, keys, does = tr("Keyboard"), tr("Keys"), tr("What they do")
        return "\n".join([f"# {title}", "", intro, "", f"| {keys} | {does} |", "| --- | --- |", *lines])

    return GuidePage("keyboard", mark("Keyboard"), read)


@dataclass(frozen=True)
class GuidePage:
    """One page. name: links lead to it; title: in the list, not yet translated; read: gives its Markdown."""

    name: str
    title: str
    read: Callable[[], str]


def shipped_page(name: str, title: str) -> GuidePage:
    """The page `resources/guide/NAME.md`, and a section for each analysis with a tab on the screen of that name.

    name: The name of the file, by which links lead to the page.
    title: The title in the list, not yet translated.
    Returns: The page; its file is read when it is shown.
    """
    return GuidePage(name, title, lambda: "\n".join((resource_text(f"guide/{name}.md"), *_sections(name))))


def section_of(row: AnalysisRow) -> str:
    """The section of an analysis in the page of its screen, as links name it."""
    return row.title.lower().replace(" ", "-")


def _sections(screen: str) -> Iterator[str]:
    for row in derived():
        if row.screen == screen:
            analysis = row.analysis
            yield f"## {row.title}\n\nUse this tab to {row.summary}."
            settings = ((each.label, each.help) for each in settings_of(analysis.question).values())
            columns = ((each.label, each.help) for each in columns_of(analysis.record).values() if each.label)
            for head, entries in (("The settings:", settings), ("The columns of the table:", columns)):
                yield "\n".join((f"\n{head}\n", *(f"- **{name}**: {help}." for name, help in entries)))


def _about() -> str:
    libraries = "\n".join(f"- {library} {version.version_of(library)}" for library in _LIBRARIES)
    return tr(
        "# Corpus Explorer {version}\n\nApache License 2.0.\n\nBuilt with\n\n{libraries}\n\n"
        "*Help › Licenses* lists all parts with the texts of their licenses.\n",
        version=version.VERSION,
        libraries=libraries,
    )


START = shipped_page("start", mark("First steps"))
TOKENS = shipped_page("tokens", mark("Text and tokens"))
PROJECTS = shipped_page("projects", mark("Projects and recipes"))
ABOUT = GuidePage("about", mark("About"), _about)
