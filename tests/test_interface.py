"""The interface of version 0.2 is still there: new names may be added, none is removed or changed."""

import copy
import json
from pathlib import Path

import pytest
from interface import WINDOW, breaks, interface

RECORDED = json.loads((Path(__file__).parent / "data" / "interface-0.2.json").read_text(encoding="utf-8"))


def test_scripts_of_version_0_2_find_what_they_use():
    assert list(breaks(RECORDED, interface())) == []


def changed(section, name, value):
    today = copy.deepcopy(RECORDED)
    today[section][name] = value
    return list(breaks(RECORDED, today))


def test_the_record_names_what_people_use():
    assert "collocates" in RECORDED["options"]["--min-count"]["default 5"].split()
    assert RECORDED["options"]["--version"] == {"0 values default False": WINDOW}
    assert RECORDED["classes"]["explorer.Corpus"]["collocates"][:3] == ["query", "window=(5, 5)", "min_count=5"]
    assert RECORDED["schemas"]["count-1"]["results[].count"] == "integer"
    assert sorted(RECORDED["exit codes"]) == ["0", "1", "130", "2"]


@pytest.mark.parametrize(
    ("section", "name", "value", "sentence"),
    [
        ("functions", "explorer.open_project", ["path", "*", "deep=False"], None),
        ("functions", "explorer.open_project", ["path", "deep=False"], None),
        ("functions", "explorer.open_project", ["folder"], "explorer.open_project took path"),
        ("functions", "explorer.ranges_of", ["starts", "documents", "ends"], "explorer.ranges_of: by position it took"),
        ("functions", "explorer.open_project", None, "explorer.open_project is missing"),
        ("classes", "explorer.Document", {}, "explorer.Document."),
        ("schemas", "count-1", {"results[].count": "string"}, "results[].count was integer and is string"),
        ("options", "--within", {"of document,sentence,line,verse default 'document'": "collocates"}, None),
        ("options", "--within", {"of document,line default 'document'": "collocates"}, "collocates --within was"),
        ("options", "--within", {"of document,sentence,line default 'line'": "collocates"}, "collocates --within was"),
        ("options", "--within", {"of document,sentence,line default 'document'": "clusters"}, "and is “missing”"),
        ("options", "<prompt>", {"": "next", "* values": "generate"}, None),
        ("options", "<query>", {"": "breakdown clusters collocates kwic", "+ values": "count dispersion"}, "count <qu"),
        ("options", "--verse", {"default 1": "all"}, None),
    ],
)
def test_a_change_that_breaks_scripts_is_named(section, name, value, sentence):
    found = changed(section, name, value)
    assert any(sentence in each for each in found) if sentence else found == []
