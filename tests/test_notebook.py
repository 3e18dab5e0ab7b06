"""The notebook of the docs runs, and shows what is stored in it; names complete in IPython."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "notebook" / "tour.ipynb"


def shown(path: Path) -> list[tuple[str, list[object]]]:
    """The code of each cell with what it shows, without what differs between versions of pandas and matplotlib."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [("".join(c["source"]), [plain(o["data"]) for o in c["outputs"]]) for c in cells if c["cell_type"] == "code"]


def plain(data: dict[str, object]) -> object:
    if "image/png" in data:
        return "a picture"
    page = "".join(data.get("text/html", ""))
    # Of a data frame, the cells of its table: its styles and the width of its text are those of pandas.
    return re.findall(r"<t[dh][^>]*>([^<]*)", page) if 'class="dataframe"' in page else data


@pytest.fixture(scope="module")
def produced(tmp_path_factory) -> Path:
    """The notebook with the outputs of a run, in a process of its own: it changes the settings of matplotlib."""
    out = tmp_path_factory.mktemp("notebook") / "out.ipynb"
    command = [sys.executable, str(ROOT / "packaging" / "notebook.py"), str(NOTEBOOK), str(out)]
    ran = subprocess.run(command, cwd=out.parent, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return out


@pytest.mark.nightly
def test_the_stored_outputs_are_those_of_a_run(produced):
    assert shown(produced) == shown(NOTEBOOK)


def test_each_kind_of_result_is_shown_as_html():
    pages = ["".join(o.get("text/html", "")) for _, outputs in shown(NOTEBOOK) for o in outputs if isinstance(o, dict)]
    headings = {found[1] for page in pages if (found := re.search(r"<div>(\w+)\(", page))}
    assert headings == {"Concordance", "NextTokens", "Trace", "Agreement", "AgreementResult"}
    for page in filter(None, pages):
        checker = HTMLParser()
        checker.feed(page)
        checker.close()
        assert "<script" not in page


COMPLETION = """
from IPython.core.interactiveshell import InteractiveShell
import explorer
shell = InteractiveShell.instance()
shell.Completer.use_jedi = False
corpus = explorer.open_index({folder!r})
shell.push({{"corpus": corpus, "explorer": explorer, "fields": corpus.metadata()}})
for text in ("explorer.open_", "corpus.count", "corpus.inde", "fields['", "corpus.metadata_f"):
    # Versions of IPython differ in whether they repeat what is before the dot.
    print(*(found.rpartition(".")[2] for found in shell.complete(text)[1]))
"""


@pytest.mark.nightly
def test_names_and_fields_complete(small_index, tmp_path):
    code = COMPLETION.format(folder=str(small_index))
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    names, methods, private, fields, known = ran.stdout.split("\n")[:5]
    assert names.split() == ["open_fgrams", "open_index", "open_project"]
    assert methods.split() == ["count", "count_documents", "count_many"]
    assert private == ""
    assert "path" in fields and "linenum" in fields
    assert "metadata_fields" in known
