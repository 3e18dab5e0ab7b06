"""Where the indexes of a project are, and whether they are the same ones."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from explorer import build_index
from explorer.project import Index, Project, open_project, places, save_project
from explorer.project.checking import check_indexes, open_index_of
from explorer.project.places import found, is_inside, missing, relocated, stored

pytestmark = pytest.mark.local("projects name folders")


@pytest.fixture
def tree(tmp_path, small_index):
    """A folder with an index and a project about it."""
    home = tmp_path / "work"
    shutil.copytree(small_index, home / "corpora" / "small")
    (home / "papers").mkdir()
    index = Index("1", "Small", (str(home / "corpora" / "small"),))
    project = save_project(Project((index,)), home / "papers" / "p.cxproj")
    fingerprint = open_index_of(project, project.indexes[0]).index.fingerprint
    save_project(replace(project, indexes=(replace(project.indexes[0], fingerprint=fingerprint),)))
    return home


def states(path: Path) -> list[str]:
    return [check.state for check in check_indexes(open_project(path))]


def test_paths_are_relative_to_the_file(tree):
    assert open_project(tree / "papers" / "p.cxproj").indexes[0].paths == ("../corpora/small",)
    assert states(tree / "papers" / "p.cxproj") == ["found"]


def test_a_moved_tree_opens(tree, tmp_path):
    moved = tmp_path / "elsewhere" / "deep"
    moved.parent.mkdir()
    tree.rename(moved)
    assert states(moved / "papers" / "p.cxproj") == ["found"]


def test_a_project_that_is_saved_elsewhere_names_the_same_folders(tree, tmp_path):
    project = open_project(tree / "papers" / "p.cxproj")
    other = tmp_path / "other" / "q.cxproj"
    other.parent.mkdir()
    saved = save_project(project, other)
    assert saved.indexes[0].paths == ("../work/corpora/small",)
    assert states(other) == ["found"]


def test_a_missing_index_is_named_and_can_be_located(tree, tmp_path):
    path = tree / "papers" / "p.cxproj"
    away = tmp_path / "away"
    (tree / "corpora" / "small").rename(away)
    project = open_project(path)
    (check,) = check_indexes(project)
    assert (check.state, check.paths) == ("missing", (str(tree / "corpora" / "small"),))
    located = relocated(project.indexes[0], [str(away)], path)
    save_project(replace(project, indexes=(located,)))
    assert states(path) == ["found"]


def test_a_folder_of_another_machine_is_not_looked_for(monkeypatch, tmp_path):
    """A project of somebody else could name any server, and Windows sends a password's hash to it."""
    looked = []
    monkeypatch.setattr(places, "exists", lambda path: looked.append(str(path)))
    index = Index("1", "Far", ("//server/share/index", "near"))
    assert missing(index, tmp_path / "p.cxproj") == (str(tmp_path / "near"),) == tuple(looked)
    # Beside the project file, it is the machine that the user has chosen.
    assert missing(index, Path("//SERVER/share/p.cxproj")) == ("//server/share/index", "//SERVER/share/near")


def test_an_index_with_other_contents_is_recognized(tree, text_folder):
    folder = tree / "corpora" / "small"
    shutil.rmtree(folder)
    texts = tree / "texts"
    shutil.copytree(text_folder, texts)
    (texts / "one.txt").write_text("the cat sat on the mat. the dog sat on the rug.\nA dog saw the cat.\n")
    build_index(texts, folder, tokenizer="train:400", name="Small")
    assert states(tree / "papers" / "p.cxproj") == ["changed"]


def test_an_index_that_does_not_open_says_why(tree):
    folder = tree / "corpora" / "small"
    for file in folder.iterdir():
        file.unlink()
    (check,) = check_indexes(open_project(tree / "papers" / "p.cxproj"))
    assert check.state == "unreadable"
    assert str(folder) in str(check.cause)


FILE = Path("/data/p/x.cxproj").absolute()


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("index", True),
        ("a/../index", True),
        ("../p/index", False),
        ("..", False),
        (".", False),
        ("a/../../q", False),
        ("/etc", False),
        ("//server/share", False),
        (r"\\server\share", False),
        (r"C:\data", False),
        (r"C:data", False),
        ("https://example.org/index", False),
    ],
)
def test_only_what_is_in_the_folder_of_the_project_is_inside(text, inside):
    assert is_inside(text, FILE) is inside


def test_a_link_out_of_the_folder_is_not_inside(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "q").mkdir()
    (tmp_path / "p" / "link").symlink_to(tmp_path / "q")
    assert not is_inside("link", tmp_path / "p" / "x.cxproj")


@pytest.mark.parametrize("path", ["/data/p/i", "/data/q/i", "/i", "https://example.org/i"])
def test_a_stored_path_leads_back(path):
    absolute = path if ":" in path else str(Path(path).absolute())
    assert found(stored(absolute, FILE), FILE) == absolute
