"""Project files: every value survives, damage is named, and nothing is lost or overwritten."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

import explorer
from explorer.analyses.metadata.values import OPERATORS, FieldFilter
from explorer.analyses.search.arrange import NearFilter
from explorer.backends.places import HitPlace
from explorer.project import (
    Index,
    KeptLine,
    KeptLines,
    LineSet,
    Project,
    ProjectError,
    Query,
    SavedQuery,
    open_project,
    save_project,
)
from explorer.project.reading import MOST_BYTES, MOST_DEPTH, parse_project
from explorer.project.writing import project_text

TEXTS = some.text(some.characters(codec="utf-8"), max_size=12)
NAMES = some.text(some.characters(codec="utf-8"), min_size=1, max_size=8)
WHOLE = some.integers(0, 2**40)
JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | TEXTS,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def extras(*taken: str):
    """Keys of another version, none of which is one of ours."""
    keys = NAMES.map(lambda name: f"x-{name}")
    return some.dictionaries(keys, JSON, max_size=2).map(
        lambda found: tuple(sorted((key, json.dumps(value, ensure_ascii=False)) for key, value in found.items()))
    )


LINES = some.builds(
    KeptLine,
    some.builds(HitPlace, WHOLE, WHOLE, WHOLE, WHOLE, WHOLE),
    some.booleans(),
    TEXTS,
    some.booleans(),
    extras(),
)
KEPT = some.lists(LINES, max_size=3).map(KeptLines)
FILTERS = some.builds(FieldFilter, TEXTS, some.sampled_from(list(OPERATORS)), TEXTS) | some.builds(
    NearFilter, TEXTS, some.just(()), some.integers(0, 100), some.booleans()
)
QUERIES = some.builds(
    Query,
    TEXTS,
    match=some.sampled_from(["text", "regex"]),
    ignore_case=some.booleans(),
    whole_words=some.booleans(),
    distance=some.integers(0, 100_000),
    node=some.none() | some.integers(0, 4),
    literal=some.booleans(),
    filters=some.lists(FILTERS, max_size=2).map(tuple),
    sort=some.sampled_from(["right", "left", "index", "random", "1R,-field:year", "-document"]),
    sample=WHOLE,
    collapse=some.integers(0, 50),
    seed=WHOLE,
    extra=extras(),
) | some.builds(Query, TEXTS, some.just("tokens"), variants=some.just(("space", "lower")))
PATHS = some.lists(NAMES.filter(lambda text: min(text) >= " "), max_size=2).map(tuple)
INDEXES = some.builds(
    Index,
    NAMES,
    TEXTS,
    PATHS,
    PATHS,
    some.none() | some.just("bytes"),
    some.booleans(),
    TEXTS,
    some.integers(-1, 9),
    some.integers(-1, 9),
    extras(),
)
PROJECTS = some.builds(
    Project,
    some.lists(INDEXES, max_size=2, unique_by=lambda index: index.id).map(tuple),
    some.lists(some.builds(SavedQuery, TEXTS, QUERIES, TEXTS, KEPT, extras()), max_size=2).map(tuple),
    some.lists(
        some.builds(LineSet, TEXTS, TEXTS, QUERIES, TEXTS, TEXTS, KEPT, extras()),
        max_size=2,
        unique_by=lambda s: s.name,
    ).map(tuple),
    some.dictionaries(NAMES, some.dictionaries(NAMES, JSON, max_size=2), max_size=2).map(
        lambda views: tuple((name, json.dumps(view, ensure_ascii=False)) for name, view in views.items())
    ),
    TEXTS,
    TEXTS,
    TEXTS,
    extras(),
)

EXAMPLE = Project(
    indexes=(Index("1", "Answers", ("../answers",), fingerprint="ab12", documents=4, tokens=27),),
    queries=(SavedQuery("1", Query("cat"), lines=KeptLines([KeptLine(HitPlace(0, 1, 1), marked=True)])),),
    sets=(
        LineSet(
            "cats",
            "1",
            Query("the cat", whole_words=True, filters=(FieldFilter("year", ">=", "1994"),)),
            "all of 1994",
            "ab12",
            KeptLines([KeptLine(HitPlace(0, 1, 1), note="é"), KeptLine(HitPlace(2, 4, 2, 1), deleted=True)]),
        ),
    ),
    views=(("search", '{"query": "cat"}'),),
    screen="search",
    notes="Start with the letters.",
)


def read(text: str | bytes) -> Project:
    return parse_project(text if isinstance(text, bytes) else text.encode(), "p.cxproj")[0]


@given(PROJECTS)
def test_every_project_is_read_as_it_was_written(project):
    text = project_text(project)
    again = read(text)
    assert again == project
    assert project_text(again) == text


def test_the_text_changes_by_the_rows_that_changed(tmp_path):
    before = project_text(EXAMPLE).splitlines()
    kept = EXAMPLE.sets[0]
    more = EXAMPLE.with_set(replace(kept, lines=kept.lines.with_mark([HitPlace(9, 0, 1)])))
    after = project_text(more).splitlines()
    assert len(after) == len(before) + 1
    # The new row, and the comma after the row before it.
    assert len(set(after) - set(before)) == 2


def test_a_file_that_ends_early_is_named_damaged_at_every_byte():
    data = project_text(EXAMPLE).encode()
    lines = data.count(b"\n") + 1
    for size in range(len(data) - 2):
        with pytest.raises(ProjectError) as caught:
            read(data[:size])
        assert caught.value.reason == "project-damaged"
        assert 1 <= caught.value.line <= lines
        assert caught.value.fields["column"] >= 1


def parts(value, path=()):
    """Every value in a JSON value with its path."""
    yield path, value
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from parts(part, (*path, key))


def test_a_value_of_another_type_is_damage_at_its_place():
    whole = json.loads(project_text(EXAMPLE))
    # The texts of sessions are up to the screens, and keys that nobody knows are kept as they are.
    flipped = [path for path, _ in parts(whole) if path and path[0] not in ("format",) and path[:1] != ("views",)]
    assert len(flipped) > 40
    for path in [*flipped, ("views",)]:
        copy = json.loads(json.dumps(whole))
        holder = copy
        for key in path[:-1]:
            holder = holder[key]
        # No value of a project is a list of lists.
        holder[path[-1]] = [[True]]
        text = json.dumps(copy, indent=1)
        with pytest.raises(ProjectError) as caught:
            read(text)
        error = caught.value
        assert error.reason == "project-damaged", path
        # The place named is that of the wrong value, or of its item.
        rest = text.splitlines()[error.line - 1][error.fields["column"] - 1 :]
        assert rest.startswith(("[", "true")), (path, str(error))
        assert str(path[-1]) in error.fields["where"], (path, str(error))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "project-damaged"),
        ("[]", "not-a-project"),
        ("{}", "not-a-project"),
        ('{"format": "other"}', "not-a-project"),
        ('{"format": "corpus-explorer project"}', "project-damaged"),
        ('{"format": "corpus-explorer project", "version": 0}', "project-damaged"),
        ('{"format": "corpus-explorer project", "version": 1, "version": 1}', "project-damaged"),
        ('{"format": "corpus-explorer project", "version": 1, "x": NaN}', "project-damaged"),
        ('{"format": "corpus-explorer project", "version": 1, "x": 1e999}', "project-damaged"),
        ('{"format": "corpus-explorer project", "version": 1, "x": ' + "9" * 5000 + "}", "project-damaged"),
        ('{"format": "corpus-explorer project", "version": 1, "x": ' + "[" * 200_000, "project-damaged"),
        (
            '{"format": "corpus-explorer project", "version": 1, "x": ' + "[" * MOST_DEPTH + "]" * MOST_DEPTH + "}",
            "project-damaged",
        ),
        (
            '{"format": "corpus-explorer project", "version": 1, "indexes": [{"id": "1", "paths": ["a\\u0000b"]}]}',
            "project-damaged",
        ),
        (
            '{"format": "corpus-explorer project", "version": 1, "sets": [{"name": "a"}, {"name": "a"}]}',
            "project-damaged",
        ),
    ],
)
def test_what_is_not_a_sound_project_is_refused(text, reason):
    with pytest.raises(ProjectError) as caught:
        read(text)
    assert caught.value.reason == reason


def test_a_number_that_nobody_reads_is_named_without_a_place():
    text = project_text(Project()).replace('"version": 1', '"version": ' + "9" * 5000)
    with pytest.raises(ProjectError, match=r"is damaged: a value cannot be read .a number has 5,000 digits") as error:
        parse_project(text.encode(), "a.cxproj")
    assert "line" not in str(error.value) and "sys." not in str(error.value)


def test_a_byte_that_is_not_utf_8_is_named_by_line_and_column():
    with pytest.raises(ProjectError) as caught:
        read(b'{\n  "format": "\xff"}')
    assert (caught.value.line, caught.value.fields["column"]) == (2, 14)


def test_a_file_that_is_too_large_is_refused(tmp_path):
    path = tmp_path / "large.cxproj"
    with open(path, "wb") as file:
        file.truncate(MOST_BYTES + 5)
    with pytest.raises(ProjectError) as caught:
        open_project(path)
    assert caught.value.reason == "project-too-large"


def test_a_newer_version_is_read_as_far_as_it_is_understood(tmp_path):
    whole = json.loads(project_text(EXAMPLE))
    whole["version"] = 2
    whole["sets"].append({"name": "later", "query": {"text": "x", "match": "meaning"}})
    whole["clouds"] = [1]
    path = tmp_path / "new.cxproj"
    path.write_text(json.dumps(whole))
    found = open_project(path)
    assert found.read_only
    assert [kept.name for kept in found.sets] == ["cats"]
    assert found.skipped == ("sets[1].query.match is not understood",)
    assert found.extra == (("clouds", "[1]"),)
    before = path.read_bytes()
    for target in (None, tmp_path / "other.cxproj"):
        with pytest.raises(ProjectError) as caught:
            save_project(found, target, overwrite=True)
        assert caught.value.reason == "project-newer"
    assert path.read_bytes() == before
    assert not (tmp_path / "other.cxproj").exists()


def test_a_file_that_others_changed_is_not_replaced_unasked(tmp_path):
    path = tmp_path / "p.cxproj"
    saved = save_project(EXAMPLE, path)
    assert explorer.open_project(path) == saved == EXAMPLE
    theirs = replace(saved, notes="theirs")
    save_project(theirs)
    with pytest.raises(ProjectError) as caught:
        save_project(replace(saved, notes="mine"))
    assert caught.value.reason == "project-changed"
    assert open_project(path).notes == "theirs"
    mine = save_project(replace(saved, notes="mine"), overwrite=True)
    assert open_project(path).notes == "mine"
    # From then on it is the known state of the file.
    save_project(replace(mine, notes="more"))
    assert open_project(path).notes == "more"


def test_another_file_that_exists_is_not_replaced_unasked(tmp_path):
    path = tmp_path / "p.cxproj"
    path.write_text("precious")
    with pytest.raises(ProjectError) as caught:
        save_project(EXAMPLE, path)
    assert caught.value.reason == "project-exists"
    assert path.read_text() == "precious"


def test_nothing_is_left_of_a_file_that_cannot_be_written(tmp_path):
    with pytest.raises(explorer.CorpusError):
        save_project(EXAMPLE, tmp_path / "missing" / "p.cxproj")
    assert os.listdir(tmp_path) == []


def test_a_project_without_a_file_must_be_given_one():
    with pytest.raises(ProjectError) as caught:
        save_project(Project())
    assert caught.value.reason == "project-without-file"


def test_what_another_version_wrote_is_kept(tmp_path):
    whole = json.loads(project_text(EXAMPLE))
    whole["sets"][0]["color"] = {"of": ["amber"]}
    whole["sets"][0]["lines"][0]["stars"] = 4
    whole["indexes"][0]["mirror"] = "m"
    whole["later"] = None
    path = tmp_path / "p.cxproj"
    path.write_text(json.dumps(whole))
    found = open_project(path)
    place = found.sets[0].lines.marked or found.sets[0].lines.noted
    kept = replace(found.sets[0], lines=found.sets[0].lines.with_mark([place[0].place]))
    save_project(found.with_set(kept))
    again = json.loads(path.read_text())
    assert again["sets"][0]["color"] == {"of": ["amber"]}
    assert (again["sets"][0]["lines"][0]["stars"], again["sets"][0]["lines"][0]["marked"]) == (4, True)
    assert again["indexes"][0]["mirror"] == "m"
    assert again["later"] is None
