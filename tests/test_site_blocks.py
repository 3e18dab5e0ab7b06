"""The code blocks of the pages for newcomers run on the sample index, and print what the pages show."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.cli.described import described

ROOT = Path(__file__).resolve().parents[1]
_spec = importlib.util.spec_from_file_location("page_blocks", ROOT / "packaging" / "page_blocks.py")
assert _spec is not None and _spec.loader is not None
page_blocks = importlib.util.module_from_spec(_spec)
# Its dataclasses are looked up by the name of the module.
sys.modules["page_blocks"] = page_blocks
_spec.loader.exec_module(page_blocks)

ON_PUSH = ("../README", "install", "tutorial", "how-to-trace", "how-to-benchmark", "citing")
"""Pages that `make test` runs; `make test-all` runs all."""
NEEDS = {"how-to-serve": "curl"}
"""Programs that pages use besides those of this project."""
DRAW = ("how-to-figure", "how-to-pdfs")
"""Pages that save pictures, which Qt draws."""


def marked(page):
    marks = [(pytest.mark.nightly, page not in ON_PUSH), (pytest.mark.qt, page in DRAW)]
    return pytest.param(page, marks=[mark for mark, applies in marks if applies])


@pytest.fixture(scope="module")
def places(tmp_path_factory) -> dict[str, str]:
    """The sample index, built as a newcomer builds it, and the folders of the program."""
    folder = tmp_path_factory.mktemp("sample")
    return {
        "CORPUS_EXPLORER_DATA": str(folder / "data"),
        "CORPUS_EXPLORER_CACHE": str(folder / "cache"),
        "QT_QPA_PLATFORM": "offscreen",
    }


@pytest.fixture(scope="module")
def shown(places, tmp_path_factory) -> bool:
    """Whether the pages show the outputs of this sample index; it contains the library of the Python that runs."""
    folder = tmp_path_factory.mktemp("fingerprint")
    return page_blocks.sample_fingerprint(folder, places) == page_blocks.RECORDED.read_text(encoding="utf-8").strip()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("page", [marked(page) for page in page_blocks.PAGES])
def test_a_page(page, places, shown, tmp_path):
    if (program := NEEDS.get(page)) and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    ran = page_blocks.run((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"), tmp_path, places)
    assert ran
    if shown:
        assert "\n".join(filter(None, (each.differs() for each in ran))) == ""


def test_every_block_runs_or_has_a_reason():
    languages = set()
    for page in page_blocks.PAGES:
        text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        run, left_out = list(page_blocks.blocks(text)), text.count("<!-- not run: ")
        assert text.count("```sh\n") + text.count("```python\n") == len(run) + left_out, page
        languages |= {block.language for block in run}
    assert languages == {"sh", "python"}


PAGE = """\
```sh
printf 'one 1,234\\nskipped\\nlast line\\n'
```

```text
one 99
…
last …
```

<!-- not run: it would fail -->

```sh
false
```

```python
print("x")
```

```text
y
```
"""


def test_outputs_are_compared(tmp_path):
    first, second = page_blocks.run(PAGE, tmp_path, {})
    assert first.printed == "one 1,234\nskipped\nlast line\n"
    assert first.differs() == ""
    assert "y\n" in second.differs() and "x\n" in second.differs()
    text = page_blocks.renewed(PAGE, [first, second])
    assert text == PAGE.replace("```text\ny\n", "```text\nx\n")


def test_a_block_that_fails_is_an_error(tmp_path):
    with pytest.raises(page_blocks.PageError, match="exit code 3"):
        page_blocks.run("```sh\nexit 3\n```\n", tmp_path, {})


def test_commands_of_the_pages_exist():
    """A command that was renamed fails here within a second, and not only when its page runs."""
    known = {command.name for command in described()}
    for page in page_blocks.PAGES:
        for block in page_blocks.blocks((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")):
            for line in block.code.splitlines():
                words = line.replace('"$(', " ").split()
                at = words.index("corpus-explorer") if "corpus-explorer" in words else -1
                if at >= 0 and not words[at + 1].startswith("-"):
                    assert words[at + 1] in known, line


def test_the_citation_file_is_valid():
    """By the rules of cffconvert, if it is installed; the fields that a code host shows, in any case."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line and not line.startswith(" "))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{lines["version"]}"' in project
    assert lines["cff-version"] == "1.2.0" and lines["license"] in project
    if shutil.which("cffconvert"):
        done = subprocess.run(
            ["cffconvert", "--validate", "-i", str(ROOT / "CITATION.cff")], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
