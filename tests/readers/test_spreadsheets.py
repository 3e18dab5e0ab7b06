"""Spreadsheets: the same tables as five programs wrote them, and damaged ones."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest

from explorer import build_index, open_index
from explorer.core.files.encoding import NotTextError
from explorer.documents.content import Content
from explorer.documents.inputs.text_input import open_input
from explorer.documents.kinds import kind_of
from explorer.documents.skipped import UNOPENED
from explorer.errors import SourceError

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
BOOKS = sorted([*KINDS.glob("*.xls*"), *KINDS.glob("*.ods")])
COLUMNS = ["id", "text", "year", "weight", "sent", "time", "answered", "note", "sheet"]
LETTERS = [
    [1, "The ship has arrived.", 1911, 12.5, "1911-03-04", "09:30:00", True, "", "Letters"],
    [2, "Größe & Maß: naïve <b>façade</b>", 1912, 0.1, "1912-12-31", "00:00:00", False, "torn", "Letters"],
    [3, "Привет, мир — γειά σου 😀", 1913, 3, "1913-01-01T18:45:00", "", "", "two\nlines", "Letters"],
    [4, "1914", 1914, -2.25, "", "", "", "", "Letters"],
]
PLACES = [["Rügen", "An island.", "Places"], ["Ulm", "A town on the Danube.", "Places"]]
ROWS = [3, 4, 6, 7, 1, 2]
"""The numbers of the rows of both sheets, as programs show them, less one."""


def records(data, name, text_field="text", noted=None):
    stream = io.BufferedReader(io.BytesIO(data))
    note = (lambda *_: None) if noted is None else lambda kind, reason: noted.append((kind, reason))
    content = Content(name, name, stream, stream, text_field=text_field, note=note)
    return list(kind_of(data[:8192], name).read(content).records)


def written(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.name)
def test_spreadsheets_of_many_programs_have_the_same_rows(path):
    noted = []
    found = records(path.read_bytes(), path.name, noted=noted)
    expected = [dict(zip(COLUMNS, row, strict=True)) for row in LETTERS]
    expected += [dict(zip(["place", "text", "sheet"], row, strict=True)) for row in PLACES]
    assert [record.fields for record in found] == expected
    assert [record.number for record in found] == ROWS
    assert all(type(record.fields["text"]) is str for record in found)
    assert noted == [("sheets without the text's column", "sheet Legend")]


def test_without_the_column_the_sheets_with_the_columns_of_the_first_are_read():
    noted = []
    found = records((KINDS / "openpyxl.xlsx").read_bytes(), "a.xlsx", "content", noted)
    assert [record.number for record in found] == ROWS[:4] and len(noted) == 2


def test_columns_have_different_names_and_a_column_may_be_called_sheet():
    (found,) = records(written([["text", "a", "a", None, "sheet", 2019], ["x", 1, 2, 3, 4, 5]]), "a.xlsx")
    assert found.fields == {"text": "x", "a": 1, "a (3)": 2, "column 4": 3, "sheet": 4, "2019": 5}


@pytest.mark.parametrize("rows", [[], [["text"]], [["text", "a"], [None, None]]])
def test_a_spreadsheet_without_rows_has_no_record(rows):
    assert records(written(rows), "a.xlsx") == []


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ((KINDS / "openpyxl.xlsx").read_bytes()[:3000], "a.xlsx"),
        (b"PK\x03\x04", "a.xlsx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.xls"),
        ((KINDS / "libreoffice.xls").read_bytes()[:2000], "a.xls"),
        ((KINDS / "libreoffice.ods").read_bytes()[:9000], "a.ods"),
    ],
)
def test_a_damaged_spreadsheet_is_refused_with_what_to_do(data, name):
    with pytest.raises(NotTextError, match=r"is damaged \(.+\); save it again") as caught:
        records(data, name)
    assert caught.value.kind == UNOPENED


def changed(part, *replacements):
    """A workbook in one of whose parts something is replaced."""
    target = io.BytesIO()
    with zipfile.ZipFile(KINDS / "xlsxwriter.xlsx") as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            data = source.read(name)
            for old, new in replacements if name.endswith(part) else ():
                assert old in data
                data = data.replace(old, new)
            copy.writestr(name, data)
    return target.getvalue()


LAUGHS = b'<!DOCTYPE sst [<!ENTITY a "' + b"x" * 999 + b'">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + number, b"&%c;" % (97 + number) * 10) for number in range(9)
) + b"]>"  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the memory of the process")
def test_a_sheet_that_would_take_all_memory_is_refused():
    # Two cells at opposite corners: a table of 17 thousand million.
    last = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    with pytest.raises(NotTextError, match="more than 1 GiB of memory"):
        records(changed("sheet1.xml", (b"</sheetData>", last)), "a.xlsx")


def test_entities_are_not_resolved():
    data = changed("sharedStrings.xml", (b"<sst", LAUGHS + b"<sst"), (b">torn<", b">&j;<"))
    try:
        assert all(len(str(record.fields)) < 1_000 for record in records(data, "a.xlsx"))
    except NotTextError as error:
        assert "is damaged" in str(error)


def test_a_build_keeps_columns_as_metadata_and_counts_what_is_skipped(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.xlsx").write_bytes((KINDS / "openpyxl.xlsx").read_bytes())
    (folder / "b.ods").write_bytes((KINDS / "libreoffice.ods").read_bytes()[:9000])
    made = build_index(folder, tmp_path / "index", tokenizer="bytes")
    assert made.read == {"files_found": 2, "files_skipped": 1, "documents_found": 6, "documents_skipped": 0}
    last = open_index(tmp_path / "index").documents[3]
    # Empty cells are missing values.
    assert last.metadata["metadata"] == {"id": 4, "year": 1914, "weight": -2.25, "sheet": "Letters"}
    with pytest.raises(SourceError, match=r'no column "texts".*Did you mean text\?'):
        build_index(folder / "a.xlsx", tmp_path / "none", tokenizer="bytes", text_field="texts")


def test_a_spreadsheet_is_traced_row_by_row():
    opened = open_input(KINDS / "libreoffice.ods")
    assert opened.format == "spreadsheet" and opened.text_field == "text"
    assert [text.line for text in opened.texts] == [number + 1 for number in ROWS]
