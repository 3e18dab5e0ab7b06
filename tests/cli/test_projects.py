"""The command `project`."""

from __future__ import annotations

import csv
import io
import json
import shutil
from dataclasses import replace

import command_line
import pytest

from explorer import open_index
from explorer.project import Index, KeptLines, LineSet, Project, Query, SavedQuery, save_project
from explorer.project.tables import place_of

pytestmark = pytest.mark.local("projects name folders")


def run(*arguments, code=0):
    done = command_line.run(*arguments)
    assert done.returncode == code, done.stderr.decode()
    return (done.stderr if code == 2 else done.stdout).decode()


@pytest.fixture(scope="module")
def project(small_index, tmp_path_factory):
    """A project with an index, a query and a set of three lines, one of which is deleted."""
    home = tmp_path_factory.mktemp("project")
    shutil.copytree(small_index, home / "small")
    corpus = open_index(home / "small")
    lines = corpus.concordance("the cat", sort="document").lines(0, 3)
    places = [place_of(line) for line in lines]
    kept = KeptLines().with_mark(places).with_mark(places[1:], False).with_note(places[:1], "first").without(places[2:])
    index = Index("1", "Small", (str(home / "small"),), fingerprint=corpus.index.fingerprint)
    cats = LineSet("cats", "1", Query("the cat"), "of the mat", corpus.index.fingerprint, kept)
    found = Project((index,), (SavedQuery("1", Query("dog")),), (cats,), notes="Read me.")
    save_project(found, home / "p.cxproj")
    return home / "p.cxproj"


def test_a_project_is_shown(project):
    shown = run("project", "show", project)
    assert shown.splitlines()[0] == "Read me."
    assert "set\t1\tcats\t2 lines, the cat" in shown
    (found,) = json.loads(run("project", "show", project, "--json"))["results"]
    assert found["indexes"][0]["paths"] == ["small"]
    (cats,) = found["sets"]
    counts = [cats[f"{what}_count"] for what in ("line", "marked", "noted", "deleted")]
    assert counts == [2, 1, 1, 1]


def test_its_indexes_are_checked(project, tmp_path):
    assert "found, the same contents" in run("project", "check", project)
    (check,) = json.loads(run("project", "check", project, "--json"))["results"]
    assert (check["state"], check["inside"]) == ("found", True)
    shutil.copy(project, tmp_path / "p.cxproj")
    missing = run("project", "check", tmp_path / "p.cxproj", code=1)
    assert missing.split("\t")[2:] == ["missing", f"{tmp_path / 'small'}\n"]


def test_the_lines_of_a_set_are_listed_with_marks_and_notes(project, tmp_path):
    rows = list(csv.DictReader(io.StringIO(run("project", "lines", project, "cats", "--format", "csv"))))
    assert [(row["mark"], row["note"]) for row in rows] == [("marked", "first"), ("", "")]
    assert {row["match"] for row in rows} == {"the cat"}
    answer = json.loads(run("project", "lines", project, "cats", "--json"))
    assert (answer["set"]["name"], [row["mark"] for row in answer["results"]]) == ("cats", ["marked", ""])
    run("project", "lines", project, "cats", "--out", tmp_path / "cats.jsonl")
    found = [json.loads(line) for line in (tmp_path / "cats.jsonl").read_text().splitlines()]
    assert [(row["mark"], row["note"]) for row in found] == [("marked", "first"), ("", "")]
    about = json.loads((tmp_path / "cats.jsonl.about.json").read_text())
    assert (about["set"], about["deleted"]) == ("cats", "1")


def test_a_set_of_an_index_with_other_contents_is_refused(project):
    from explorer.project import open_project

    found = open_project(project)
    other = project.with_name("other.cxproj")
    save_project(found.with_set(replace(found.sets[0], fingerprint="0" * 32)), other)
    assert "was saved from other contents" in run("project", "lines", other, "cats", code=2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "{file}", "cats"), "A set is only for lines."),
        (("lines", "{file}"), "needs the name of a set"),
        (("lines", "{file}", "dogs"), 'There is no set "dogs"'),
        (("lines", "{file}", "cats", "--json", "--out", "x.csv"), "--json cannot be used with --out"),
        (("show", "missing.cxproj"), "missing.cxproj cannot be read"),
        (("open", "{file}"), "invalid choice"),
    ],
)
def test_mistakes_are_named(project, arguments, said):
    error = run("project", *(text.format(file=project) for text in arguments), code=2)
    assert said in error
    assert error.startswith("corpus-explorer: ")


def test_damage_is_named_by_line_and_column(project, tmp_path):
    path = tmp_path / "p.cxproj"
    path.write_text(project.read_text().replace('"document": 0', '"document": -1', 1))
    error = run("project", "show", path, code=2)
    assert "sets[0].lines[0].document must be a whole number within its range" in error
    assert "line " in error and "column " in error
