"""Stages the pages of the documentation site for Sphinx, and checks their links and their index.

    python packaging/site_pages.py FOLDER   write the source of the site, for `make site`

The pages are the Markdown files of `docs` and some of the top folder, as a code host shows them. docs/index.md lists
every page once; its sections become those of the site. Pages about commands are made from the parsers, and the page
about the library from its docstrings. The checks run in tests/test_site.py without Sphinx.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from site_reference import command_pages, library_page

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "packaging" / "site"
TOP_PAGES = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages of the top folder that the site has as well."""
HUBS = ("docs/index.md", "docs/benchmarks/README.md")
"""Pages whose links to other pages are their order on the site."""
MADE = {"Reference": {"commands": "", "library-reference": ""}}
"""Pages that are made with the site, by the section of the index that they are added to."""

_FENCE = re.compile(r"^(```+).*?^\1", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+).*?\1", re.DOTALL)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,4} (.+)$", re.MULTILINE)
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Link:
    """A link of a page to a file of this project.

    Attributes
    ----------
    path
        The file, relative to the top folder.
    anchor
        The heading that it leads to; "" for none.
    shown
        Whether it is a picture.
    """

    path: str
    anchor: str
    shown: bool


def pages() -> list[str]:
    """The paths of all pages relative to the top folder, in order."""
    found = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    return sorted([*found, *TOP_PAGES])


@cache
def text_of(page: str) -> str:
    """The text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def without_code(text: str) -> str:
    """The text with spaces in place of code, so that nothing else moves."""

    def blank(found: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", found[0])

    return _CODE.sub(blank, _FENCE.sub(blank, text))


def links(page: str) -> Iterator[Link]:
    """The links of a page to files of this project."""
    for found in _LINK.finditer(without_code(text_of(page))):
        if not _is_elsewhere(found[3]):
            path, _, anchor = found[3].partition("#")
            yield Link(_resolved(page, path), anchor, bool(found[1]))


def _is_elsewhere(target: str) -> bool:
    return bool(re.match(r"[a-z]+:", target))


def _resolved(page: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page


@cache
def anchors(page: str) -> frozenset[str]:
    """The anchors that a code host and the site give the headings of a page."""
    found = []
    seen = Counter[str]()
    for heading in _HEADING.findall(_FENCE.sub("", text_of(page))):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found.append(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return frozenset(found)


def listed(hub: str) -> list[str]:
    """The pages that a hub links to and that have no other hub."""
    others = {link.path for other in HUBS if other != hub for link in links(other) if other != HUBS[0]}
    found = [link.path for link in links(hub) if link.path.endswith(".md") and link.path not in (*others, hub)]
    # Benchmarks link to pages of other folders in passing.
    return found if hub == HUBS[0] else [path for path in found if path.startswith(f"{posixpath.dirname(hub)}/")]


def problems() -> list[str]:
    """What is wrong with the links and the index, one sentence each; [] for nothing."""
    found = []
    known = pages()
    for page in known:
        if not text_of(page).startswith("# "):
            found.append(f"{page} does not begin with a title")
        for link in links(page):
            if not (ROOT / link.path).is_file():
                found.append(f"{page} links to {link.path}, which does not exist")
            elif link.path.endswith(".md") and link.path not in known:
                found.append(f"{page} links to {link.path}, which the site does not have")
            elif link.anchor and link.anchor not in anchors(link.path):
                found.append(f"{page} links to {link.path}#{link.anchor}, which is not a heading")
    times = Counter(path for hub in HUBS for path in listed(hub))
    for page in known:
        if page != HUBS[0] and times[page] != 1:
            found.append(f"{page} is listed {times[page]} times in {' and '.join(HUBS)}")
    return found


def staged(page: str) -> str:
    """Where the source of the site has a file of the project: `docs` is the top of the site."""
    if page == "README.md":
        return "overview.md"
    return page.removeprefix("docs/") if page.startswith("docs/") else page.lower()


def source_of(page: str) -> str:
    """The text of a page for Sphinx: with the links and the tables of contents of the site."""
    text = text_of(page)
    seen = without_code(text)
    out, done = [], 0
    for found in _LINK.finditer(seen):
        if not _is_elsewhere(found[3]) and not found[3].startswith("#"):
            out += [text[done : found.start()], _site_link(page, found, text[found.start(2) : found.end(2)])]
            done = found.end()
    out.append(text[done:])
    return _with_contents(page, "".join(out))


def _site_link(page: str, found: re.Match[str], words: str) -> str:
    path, _, anchor = found[3].partition("#")
    target = _resolved(page, path)
    here = posixpath.dirname(staged(page))
    name = posixpath.relpath(staged(target), here or ".")
    link = f"{found[1]}[{words}]({name}{'#' + anchor if anchor else ''})"
    dark = re.sub(r"(\.\w+)$", r"-dark\1", target)
    if found[1] and (ROOT / dark).is_file():
        other = link.replace(name, posixpath.relpath(staged(dark), here or "."))
        return f"{link}{{.only-light}}\n{other}{{.only-dark}}"
    return link


def _with_contents(page: str, text: str) -> str:
    if page not in HUBS:
        return text
    if page != HUBS[0]:
        return f"{text}\n{_contents('', {staged(path): '' for path in listed(page)})}"
    mine = {staged(path) for path in listed(page)}
    first, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    out = [first]
    for section in sections:
        title = _SECTION.findall(section)[0]
        found = {path: words for _, words, path in _LINK.findall(section) if path in mine}
        out.append(f"{section.rstrip()}\n\n{_contents(title, {**found, **MADE.get(title, {})})}\n")
    return "".join(out)


def _contents(caption: str, names: dict[str, str]) -> str:
    """A table of contents for the sidebar: pages with the words of the links to them, or "" for their titles."""
    rows = [
        f"{words} </{name.removesuffix('.md')}>" if words else f"/{name.removesuffix('.md')}"
        for name, words in names.items()
    ]
    lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    return "\n".join([*lines, *rows, "```", ""])


def main(folder: Path) -> None:
    """Write the source of the site.

    Parameters
    ----------
    folder
        Where to; what is there is replaced.
    """
    found = problems()
    if found:
        raise SystemExit("\n".join(found))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SETTINGS, folder)
    for page in pages():
        path = folder / staged(page)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source_of(page), encoding="utf-8")
    # Files that pages show or link to.
    for name in {link.path for page in pages() for link in links(page) if not link.path.endswith(".md")}:
        path = folder / staged(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        for each in (ROOT / name).parent.glob(f"{(ROOT / name).stem}*"):
            shutil.copyfile(each, path.parent / each.name)
    for name, text in {**command_pages(), "library-reference.md": library_page()}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
