"""What the program has of an analysis that is a folder and a row: run by `test_added_analysis.py` with both."""

from __future__ import annotations

import inspect
import json

import anyio
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSpinBox

from explorer import Corpus, build_index, open_index
from explorer.cli.described import described
from explorer.cli.main import main
from explorer.errors import QueryError
from explorer.gui.screens.registry import SCREENS
from explorer.gui.screens.statistics.screen import StatisticsScreen
from explorer.gui.widgets.fields.segments import Segments
from explorer.recipes import Source

WRONG = "must be a whole number from 1 to 1,000, not 0."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("longest") / "index"
    build_index([{"text": "It sat, sat on a chequered tablecloth, on newspapers."}], place, tokenizer="bytes")
    return place


@pytest.fixture(scope="module")
def corpus(folder):
    with open_index(folder) as corpus:
        yield corpus


def test_the_library_has_a_method(corpus):
    found = corpus.longest_words(top=2)
    assert [(row.form, row.length, row.count) for row in found] == [("newspapers", 10, 1), ("tablecloth", 10, 1)]
    assert found.facts.type_count == 7
    with pytest.raises(QueryError, match=f"^top {WRONG}$"):
        corpus.longest_words(top=0)


def test_the_reference_has_its_parameters_and_columns():
    assert list(inspect.signature(Corpus.longest_words).parameters) == ["self", "top", "ties", "report", "cancel"]
    text = inspect.getdoc(Corpus.longest_words)
    assert text.startswith("List the longest words.\n\nParameters\n----------\ntop\n    Maximum number of words.\n")
    assert "- length: Its characters." in text
    page = next(each.page for each in SCREENS if each.id == "statistics").read()
    assert "## Longest words" in page and "- **Hits**: Its occurrences." in page


def test_the_command_line_has_a_command_with_help(folder, capsys):
    [command] = [each for each in described() if each.name == "longest-words"]
    assert command.summary == "list the longest words"
    [option] = [each for each in command.options if each.names == ("--ties",)]
    assert option.choices == ("frequent", "rare") and option.text.startswith("the order of words of one length")
    assert main(["longest-words", str(folder), "--top", "2", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["schema"] == "corpus-explorer/longest-words/1" and printed["type_count"] == 7
    assert printed["results"][0] == {"form": "newspapers", "length": 10, "count": 1}
    assert main(["longest-words", str(folder), "--ties", "rare"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["different words: 7", "length  count  form"] and lines[5].split() == ["3", "2", "sat"]
    assert main(["longest-words", str(folder), "--top", "0"]) == 2
    assert f"--top {WRONG}" in capsys.readouterr().err


def test_a_saved_file_states_its_settings(folder, tmp_path):
    with open_index(folder) as corpus:
        corpus.longest_words(ties="rare").write(tmp_path / "words.csv")
    about = json.loads((tmp_path / "words.csv.about.json").read_text(encoding="utf-8"))
    assert (about["top"], about["order of equal lengths"], about["type count"]) == ("10", "rare", "7")
    assert main(["longest-words", str(folder), "--top", "3", "--plot", str(tmp_path / "words.json")]) == 0
    drawn = json.loads((tmp_path / "words.json").read_text(encoding="utf-8"))
    assert drawn["facts"]["top"] == "3"


def test_the_window_has_a_tab_with_form_table_chart_and_session(qtbot, folder):
    screen = StatisticsScreen()
    qtbot.addWidget(screen)
    screen.show()
    screen.restore_session({"tab": "longest-words", "tabs": {"longest-words": {"top": 2, "ties": "rare", "x": 1}}})
    page = screen.page("longest-words")
    page.use_corpus(open_index(folder))
    page.presenter.run(make=True)
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 2, timeout=20_000)
    headings = [page.list.model.headerData(at, Qt.Orientation.Horizontal) for at in range(3)]
    assert headings == ["Word", "Length", "Hits"] and page.list.table.isVisible()
    assert page.form.findChild(QSpinBox).value() == 2 and page.form.findChild(Segments) is not None
    assert page.plot.isVisible() and page.presenter.charts()()[0].data == (("newspapers", 10), ("tablecloth", 10))
    assert screen.session()["tabs"]["longest-words"] == {"top": 2, "ties": "rare"}
    page.presenter.sort(2)
    assert page.list.model.headerData(2, Qt.Orientation.Horizontal) == "Hits ↓"
    page.list.table.setCurrentIndex(page.list.model.index(1, 0))
    qtbot.waitUntil(lambda: page.lines.model.rowCount() == 1)
    assert page.lines.model.index(0, 1).data() == "tablecloth"
    code = page.recipe(Source(("index",)))
    assert "found = corpus.longest_words(top=2, ties='rare')" in code.python
    assert code.commands == ("corpus-explorer longest-words --top=2 --ties=rare index\n",)


def test_an_assistant_has_a_tool(corpus):
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from explorer.serve.tools.assistants import make_server
    from explorer.serve.tools.corpus_tools import CorpusTools

    async def asked():
        async with mcp.Client(make_server(CorpusTools({"words": corpus}), print)) as client:
            [tool] = [each for each in (await client.list_tools()).tools if each.name == "longest_words"]
            return tool, *[await client.call_tool("longest_words", {"top": top}) for top in (1, 0)]

    tool, found, refused = anyio.run(asked)
    assert tool.description.startswith("List the longest words.")
    assert tool.input_schema["properties"]["top"]["maximum"] == 1_000
    assert found.structured_content["rows"] == [{"form": "newspapers", "length": 10, "count": 1}]
    assert refused.is_error and refused.content[0].text.endswith(f"top {WRONG}")
