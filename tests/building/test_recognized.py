"""What the sources of a build are: fields that may be the text, kinds of files, and problems beside what was found."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import xlsxwriter

from explorer.building.process import recognize_in_process
from explorer.building.request import BuildRequest
from explorer.building.sources.readers import source_file
from explorer.building.sources.recognized import SeenField, SeenFields, look_at_fields, recognize, text_field_of
from explorer.building.sources.source import KindCount
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled

RECORDS = [
    {"id": 1, "body": "The council adjourned at ten.", "lang": "en", "meta": {"year": 2019, "tags": ["a"]}},
    {"id": 2, "body": "It met again on Monday.", "lang": "en", "meta": {"year": 2020, "tags": []}},
    {"id": 3, "body": "Der Rat tagte.", "lang": "de", "meta": {"year": 2020}},
]


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "minutes.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return path


def look(*paths):
    return look_at_fields([source_file(path, path.name) for path in paths])


def test_the_fields_of_records_are_named_with_their_values(records):
    found = look(records)
    assert found.records == 3 and found.complete
    assert [field.path for field in found.fields] == ["id", "body", "lang", "meta.year", "meta.tags"]
    by_path = {field.path: field for field in found.fields}
    assert by_path["lang"] == SeenField("lang", 3, 2, ("en", "de"), 2.0)
    assert by_path["meta.year"].values == ("2019", "2020") and by_path["meta.year"].characters == 0
    assert by_path["meta.tags"].records == 2


def test_the_longest_texts_are_proposed_and_a_usual_name_comes_first(records):
    found = look(records)
    assert found.texts == ("body", "lang") and text_field_of(found) == "body"
    usual = SeenFields(1, (SeenField("body", 1, 1, ("x",), 900.0), SeenField("answer", 1, 1, ("y",), 5.0)))
    assert usual.texts == ("answer", "body")
    named = SeenFields(1, (*usual.fields, SeenField("text", 1, 1, (), 0.0)))
    # Another field is never taken instead of one that is named so.
    assert text_field_of(named) == "text"
    assert text_field_of(SeenFields()) == "text"


def test_tables_and_arrays_have_fields_and_texts_and_configurations_have_none(tmp_path):
    (tmp_path / "table.csv").write_text("title,story\nOne,Long ago there was a town.\nTwo,It had a council.\n")
    (tmp_path / "array.json").write_text('[{"a": "x"}, {"a": "y"}]')
    (tmp_path / "settings.json").write_text('{"theme": "dark"}')
    (tmp_path / "plain.txt").write_text("Only a text.")
    (tmp_path / "broken.jsonl").write_text('{"a": \n{"a": "z"}\n')
    assert [field.path for field in look(tmp_path / "table.csv").fields] == ["title", "story"]
    assert look(tmp_path / "table.csv").proposed == "story"
    assert [field.values for field in look(tmp_path / "array.json").fields] == [("x", "y")]
    assert look(tmp_path / "settings.json", tmp_path / "plain.txt") == SeenFields()
    assert look(tmp_path / "broken.jsonl").records == 1


def test_a_file_that_breaks_off_gives_what_came_before(tmp_path):
    whole = tmp_path / "texts.jsonl.gz"
    whole.write_bytes(b"\x1f\x8b\x08\x00not gzip at all")
    assert look(whole) == SeenFields()


def test_long_values_are_cut_and_only_some_are_kept(tmp_path):
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps({"text": f"{n} " + "word " * 50}) + "\n" for n in range(150)))
    (field,) = look(path).fields
    assert field.records == 100 and not look(path).complete
    assert len(field.values) == 6 and field.values[0].endswith("…") and len(field.values[0]) <= 41


def test_looking_stops_when_it_is_cancelled(records):
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        look_at_fields([source_file(records, records.name)], token)
    with pytest.raises(Cancelled):
        recognize(BuildRequest((records,), records.parent / "out", "bytes", ""), token)


def test_sources_are_recognized_with_the_proposed_field(records):
    (records.parent / "photo.jpg").write_bytes(b"\xff\xd8\0\0")
    found = recognize(BuildRequest((records.parent,), records.parent.parent / "out", "bytes", ""))
    assert found.text_field == "body" and found.kinds == (KindCount("jsonl", 1, records.stat().st_size),)
    assert found.problem is None and found.estimate is not None and found.estimate.documents == 3
    assert found.skipped == {"binary files": 1}
    assert [problem.path.endswith("photo.jpg") for problem in found.left_out] == [True]


def test_a_problem_is_found_beside_the_fields(records):
    found = recognize(BuildRequest((records,), records.parent / "out", "bytes", "text"))
    assert found.estimate is None and found.problem is not None and found.problem.option == "skip_bad"
    assert found.fields.proposed == "body"


def test_files_that_are_all_left_out_are_listed(tmp_path):
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\0\0")
    found = recognize(BuildRequest((tmp_path,), tmp_path.parent / "out", "bytes", ""))
    assert found.problem is not None and found.problem.reason == "no-text"
    assert len(found.left_out) == 1 and found.skipped == {"binary files": 1}


def test_another_process_finds_the_same(records):
    request = BuildRequest((records,), records.parent / "out", "bytes", "")
    assert recognize_in_process(request).fields == recognize(request).fields


def test_a_table_that_names_the_files_is_offered_as_their_metadata(tmp_path):
    source = tmp_path / "s"
    source.mkdir()
    for number in range(40):
        (source / f"text{number:02}.txt").write_text(f"speech {number}")
    table = source / "speeches.csv"
    request = BuildRequest((source,), tmp_path / "out", "bytes", text_field="")
    for key, form in [("file", "text{:02}.txt"), ("name", "text{:02}"), ("id", "texts\\text{:02}.txt")]:
        rows = "".join(f"{form.format(number)},Speaker {number % 3},{1990 + number}\n" for number in range(40))
        table.write_text(f"{key},speaker,year\n{rows}gone,Nobody,1900\n")
        found = recognize(request)
        (proposal,) = found.tables
        assert (proposal.fields, proposal.matched, proposal.files) == (("speaker", "year"), 40, 40)
        # Its columns are not proposed as the text, and the build would stop at it.
        assert found.text_field == "text" and found.estimate.stops_at.reason == "no-text-column"
        used = recognize(replace(request, metadata=str(table)))
        assert used.problem is used.estimate.stops_at is None and used.estimate.documents == 40
        assert used.skipped == {"tables read as metadata": 1, "rows of the metadata without a file": 1}
        without = recognize(replace(request, exclude=(str(table),)))
        assert without.estimate.stops_at is None and without.skipped == {"files that were excluded": 1}
        assert {used.files_found, without.files_found, found.files_found} == {41}


def test_a_spreadsheet_that_names_the_files_is_offered_as_their_metadata(tmp_path):
    source = tmp_path / "letters"
    source.mkdir()
    with xlsxwriter.Workbook(source / "letters.xlsx") as book:
        sheet = book.add_worksheet()
        for row, cells in enumerate([("file", "author", "year"), ("a.txt", "Anna", 1916), ("b", "Karl", 1917)]):
            sheet.write_row(row, 0, cells)
    for name in "ab":
        (source / f"{name}.txt").write_text(f"Letter {name}")
    request = BuildRequest((source,), tmp_path / "out", "bytes", text_field="")
    (proposal,) = recognize(request).tables
    assert (proposal.fields, proposal.matched, proposal.files) == (("author", "year"), 2, 2)
    used = recognize(replace(request, metadata=str(proposal.path)))
    assert [each.metadata for each in used.estimate.samples] == [
        {"author": "Anna", "year": 1916},
        {"author": "Karl", "year": 1917},
    ]
    (source / "letters.xlsx").write_bytes((source / "letters.xlsx").read_bytes()[:900])
    damaged = recognize(replace(request, metadata=str(proposal.path)))
    assert damaged.problem is not None and "letters.xlsx" in str(damaged.problem)
