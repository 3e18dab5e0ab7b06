"""The pages of the documentation: each is listed once, every link leads somewhere, and Sphinx builds the site."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from explorer.cli.described import described

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def site():
    """packaging/site_pages.py, whose neighbors are found beside it, as when it is run."""
    folder = ROOT / "packaging"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        spec = importlib.util.spec_from_file_location("site_pages", folder / "site_pages.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        # Its dataclass is looked up by the name of the module.
        patch.setitem(sys.modules, "site_pages", module)
        spec.loader.exec_module(module)
        yield module


def test_every_page_is_listed_once_and_every_link_leads_somewhere(site):
    assert len(site.pages()) > 50
    assert site.problems() == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[a](no-such-page.md)", "docs/words.md links to docs/no-such-page.md, which does not exist"),
        ("[a `b`](style.md#no-such)", "docs/words.md links to docs/style.md#no-such, which is not a heading"),
        ("![a](images/no.png)", "docs/words.md links to docs/images/no.png, which does not exist"),
        ("[a](../tests/README.md)", "docs/words.md links to tests/README.md, which does not exist"),
    ],
)
def test_a_broken_link_is_reported(site, monkeypatch, text, problem):
    real = site.text_of
    monkeypatch.setattr(site, "text_of", lambda page: text if page == "docs/words.md" else real(page))
    site.anchors.cache_clear()
    assert problem in site.problems()
    site.anchors.cache_clear()


def test_links_in_code_are_not_links(site, monkeypatch):
    monkeypatch.setattr(site, "text_of", lambda page: "`[a](b.md)`\n\n```text\n[c](d.md)\n```\n")
    assert list(site.links("docs/words.md")) == []


def test_a_page_that_is_not_listed_is_reported(site, monkeypatch):
    real = site.pages
    monkeypatch.setattr(site, "pages", lambda: [*real(), "docs/orphan.md"])
    text = site.text_of
    monkeypatch.setattr(site, "text_of", lambda page: "A page." if "orphan" in page else text(page))
    assert [each for each in site.problems() if "orphan" in each] == [
        "docs/orphan.md does not begin with a title",
        "docs/orphan.md is listed 0 times in docs/index.md and docs/benchmarks/README.md",
    ]


def test_anchors_are_those_of_a_code_host(site, monkeypatch):
    text = "# The *first*\n\n## `--by` and [links](a.md)\n\n## Twice\n\n## Twice\n\n```sh\n# no heading\n```\n"
    site.anchors.cache_clear()
    monkeypatch.setattr(site, "text_of", lambda page: text)
    assert site.anchors("docs/a.md") == {"the-first", "--by-and-links", "twice", "twice-1"}
    site.anchors.cache_clear()


def test_a_page_shows_the_picture_of_the_theme(site, monkeypatch):
    text = "See [style](style.md#words).\n\n![A trace](images/trace.png)\n"
    monkeypatch.setattr(site, "text_of", lambda page: text)
    monkeypatch.setattr(Path, "is_file", lambda self: True)
    assert site.source_of("docs/a.md") == (
        "See [style](style.md#words).\n\n"
        "![A trace](images/trace.png){.only-light}\n![A trace](images/trace-dark.png){.only-dark}\n"
    )


def test_links_to_pages_of_the_top_folder_are_changed(site, monkeypatch):
    monkeypatch.setattr(site, "text_of", lambda page: "[a](../README.md#b), [c](benchmarks/README.md), [d](#e)")
    assert site.source_of("docs/x.md") == "[a](overview.md#b), [c](benchmarks/README.md), [d](#e)"
    monkeypatch.setattr(site, "text_of", lambda page: "[a](docs/words.md)")
    assert site.source_of("CHANGELOG.md") == "[a](words.md)"
    monkeypatch.setattr(site, "text_of", lambda page: "[a](../../CHANGELOG.md)")
    assert site.source_of("docs/benchmarks/text.md") == "[a](../changelog.md)"


def test_every_command_has_a_page(site):
    pages = site.command_pages()
    for command in described():
        page = pages[f"commands/{command.name}.md" if command.name else "commands.md"]
        assert command.usage in " ".join(page.split())
        for word in command.options:
            assert all(page.count(f"`{name}`") + page.count(f"`{name} ") >= 1 for name in word.names)


def test_the_library_page_leads_to_every_name(site):
    import explorer

    page = site.library_page()
    assert set(re.findall(r'href="api/explorer\.html#(\w+)"', page)) == set(explorer.__all__)


class _Addresses(HTMLParser):
    """What a page loads by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        loaded = given.get("src") or (given.get("href") if tag == "link" else None)
        if loaded:
            self.found.append(loaded)


@pytest.mark.nightly
def test_sphinx_builds_the_site_without_a_warning(site, tmp_path):
    pytest.importorskip("sphinx", reason="make test-all installs Sphinx")
    pytest.importorskip("furo", reason="make test-all installs Furo")
    pytest.importorskip("myst_parser", reason="make test-all installs MyST")
    site.main(tmp_path / "source")
    (tmp_path / "source" / "extra").mkdir()
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, str(tmp_path / "source"), str(tmp_path / "out")],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    built = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.html")}
    assert {site.staged(page).removesuffix(".md") + ".html" for page in site.pages()} <= built
    for name in built:
        page = _Addresses()
        page.feed((tmp_path / "out" / name).read_text(encoding="utf-8"))
        elsewhere = [each for each in page.found if re.match(r"(?:[a-z]+:)?//", each)]
        assert elsewhere == [], f"{name} loads from another host"
