"""Office documents and e-books: files of several programs, and the texts that were written by hand for them."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest

from explorer import build_index, estimate_build
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.core.files.signatures import FOREIGN
from explorer.documents.inputs.text_input import open_input
from explorer.documents.inputs.whole import whole_text
from explorer.documents.kinds import kind_named, kind_of
from explorer.documents.office.running_text import RunningText
from explorer.errors import SourceError

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
NAMES = ("docx", "odt", "odp", "pptx", "epub", "rtf", "fb2", "mhtml")
FILES = {
    name: [
        path for path in sorted(KINDS.iterdir()) if path.suffix in kind_named(name).endings and path.stem != "locked"
    ]
    for name in NAMES
}
ALL = [path for name in NAMES for path in FILES[name]]
METADATA = {
    "libreoffice.docx": {
        "title": "Bericht über die Brücke",
        "author": "Max Muster",
        "date": "2023-04-05T06:07:08Z",
        "language": "de-DE",
    },
    "pandoc.docx": {
        "title": "A walk by the sea",
        "author": "Jane Example",
        "date": "2023-11-14T22:13:20Z",
        "language": "en-GB",
    },
    "python-docx.docx": {"title": "Zelte", "author": "B. Ö.", "date": "2013-12-23T23:15:00Z"},
    "strict.docx": {},
    "word.docx": {"author": "Ann Lee", "date": "2021-01-02T03:04:05Z"},
    "libreoffice.odt": {
        "title": "Bericht über die Brücke",
        "author": "Max Muster",
        "date": "2023-04-05T06:07:08",
        "language": "de-DE",
    },
    "writer.odt": {},
    "libreoffice.odp": {"title": "Bees of the city", "author": "Ana Pérez", "date": "2022-02-02T08:00:00"},
    "python-pptx.pptx": {"title": "Ύπνος", "author": "Ν. Ν.", "date": "2013-01-27T09:14:16Z"},
    "ebooklib.epub": {"title": "Le jardin", "author": "C. Dupont; D. Durand", "date": "1999-03-04", "language": "fr"},
    "calibre.epub": {"title": "Kleine Fabeln", "author": "E. Autor", "date": "1912", "language": "de"},
    "word.rtf": {"title": "A „letter“", "author": "Ann Lee", "date": "2021-01-02T03:04"},
    "wordpad.rtf": {},
    "poem.fb2": {
        "title": "Стихи & песни",
        "author": "Анна Ивановна Тестова; друг",
        "date": "1901-02-03",
        "language": "ru",
    },
    "wide.fb2": {"title": "Łąka"},
    "chrome.mhtml": {
        "title": "Café news",
        "date": "2024-05-02T10:20:30+02:00",
        "url": "https://example.org/news?id=1",
    },
    "xhtml.mhtml": {"url": "file:///C:/page.xhtml"},
}
OF_MARKUP = {"files read without their markup (HTML, XML)", "files read as windows-1251", "files read as utf-16-le"}
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def read(path, **options):
    state = ReadState()
    options = ReadOptions(**options)
    return list(read_documents(list_files([path], state, options.skip_bad), options, state)), state


def member(path, name):
    with zipfile.ZipFile(path) as package:
        return package.read(name)


def packed(path, members, **options):
    """A package of some members, in memory if there is no path."""
    target = path or io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in members.items():
            package.writestr(name, data)
    return None if path else target.getvalue()


def word(path, body, **parts):
    document = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    packed(path, {"[Content_Types].xml": "<Types/>", "word/document.xml": document, **parts})


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_the_text_is_the_one_that_was_written_by_hand(path):
    (document,), state = read(path)
    assert document.text == path.with_name(f"{path.name}.txt").read_text(encoding="utf-8")
    assert document.metadata == METADATA.get(path.name, document.metadata)
    assert set(state.skipped) <= OF_MARKUP


@pytest.mark.parametrize("name", NAMES)
def test_five_files_show_each_kind(name):
    assert len(FILES[name]) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_recognized_by_its_content(name):
    # Texts may have any ending but that of another kind.
    names = ("a", f"a.{name}") if name in ("fb2", "mhtml") else ("a", f"a.{name}", "a.txt", "a.zip", "a.html")
    for path in FILES[name]:
        if name != "mhtml" or path.name not in ("frames.mht", "damaged.fb2"):
            assert {kind_of(path.read_bytes()[:8_192], other).name for other in names} == {name}, path


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_traced_and_taken_as_one_text(name):
    path = FILES[name][0]
    text = path.with_name(f"{path.name}.txt").read_text(encoding="utf-8")
    assert whole_text(path) == text
    assert [found.text for found in open_input(path).texts] == [text]


def test_the_cells_of_a_row_stay_apart_and_empty_lines_are_not_written():
    text = RunningText()
    text.add(" ")
    text.line()
    text.add("before")
    text.line()
    for row in (("", "b"), ("", ""), ("c\nd", "", "e")):
        text.row()
        for cell in row:
            for line in cell.split("\n"):
                text.add(line)
                text.line()
            text.cell()
        text.row()
    text.end_table()
    text.add("  ")
    text.add("after")
    assert text.value() == "before\n\tb\nc\nd\t\te\n  after"


LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1_024) + "EncryptedPackage".encode("utf-16-le")


@pytest.mark.parametrize(
    ("name", "data"), [("a.docx", LOCKED), ("a.docx", LOCKED[:600]), ("a.pptx", LOCKED[:600]), ("a.doc", LOCKED)]
)
def test_a_document_with_a_password_is_skipped_with_what_to_do(name, data, tmp_path):
    (tmp_path / name).write_bytes(data)
    (tmp_path / "b.txt").write_text("read")
    documents, state = read(tmp_path)
    assert [document.text for document in documents] == ["read"] and state.skipped == {FOREIGN: 1}
    assert (
        state.problems[0].reason == "this is a document of Microsoft Office with a password; save it without a password"
    )


def test_a_book_with_copy_protection_is_skipped_with_what_to_do(tmp_path):
    (tmp_path / "a.epub").write_bytes((KINDS / "locked.epub").read_bytes())
    (tmp_path / "b.txt").write_text("read")
    documents, state = read(tmp_path)
    assert [document.text for document in documents] == ["read"]
    assert state.problems[0].reason == "its text is encrypted (EPUB); save it without a password or copy protection"


def test_a_book_with_copy_protection_is_skipped_already_in_the_preview(tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "a.epub").write_bytes((KINDS / "locked.epub").read_bytes())
    (folder / "b.epub").write_bytes((KINDS / "pandoc.epub").read_bytes())
    (folder / "c.epub").write_bytes((KINDS / "calibre.epub").read_bytes())
    found = estimate_build(folder, tokenizer="bytes")
    made = build_index(folder, tmp_path / "index", tokenizer="bytes")
    assert (found.files_found, found.files, dict(found.skipped)) == (3, 2, {FOREIGN: 1})
    assert (made.read["files_found"], made.read["files_skipped"]) == (3, 1)


def test_an_encrypted_open_document_is_skipped_with_what_to_do(tmp_path):
    manifest = '<manifest:file-entry><manifest:encryption-data manifest:checksum=""/></manifest:file-entry>'
    packed(tmp_path / "a.odt", {"META-INF/manifest.xml": manifest, "content.xml": b"\1\2"})
    (tmp_path / "b.txt").write_text("read")
    documents, state = read(tmp_path)
    assert [document.text for document in documents] == ["read"]
    assert state.problems[0].reason == "its text is encrypted (ODT); save it without a password or copy protection"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (rb"{\rtf1 " + b"{" * 20_000 + rb"deep" + b"}" * 20_000, "deep"),
        (rb"{\rtf1 a\bin99999999999 b", "a"),
        (rb"{\rtf1\ansicpg99999 a\'zz\u99999999?b}}}}c", "a'zz\ue0ffbc"),
        (rb"{\rtf1 \uc9 \u65 bcd{e}f\u-1", "Aef\uffff"),
        (rb"{\rtf1{\footnote{\footnote a}b{\shptxt c}}d", "d\nabc"),
        (b"{\\rtf1 a\\", "a"),
    ],
)
def test_odd_rich_text_is_read(data, text, tmp_path):
    (tmp_path / "a.rtf").write_bytes(data)
    (document,), _ = read(tmp_path / "a.rtf")
    assert document.text == text


def test_rich_text_of_braces_is_an_error(tmp_path):
    (tmp_path / "a.rtf").write_bytes(b"{\\rtf1 " + b"{" * 200_000)
    with pytest.raises(SourceError, match=r"a\.rtf is damaged: more than 100,000 groups are open in its RTF"):
        read(tmp_path / "a.rtf")


def test_a_member_with_a_password_is_skipped_with_what_to_do(tmp_path):
    data = bytearray((KINDS / "strict.docx").read_bytes())
    for sign, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = -1
        while (at := data.find(sign, at + 1)) >= 0:
            data[at + place] |= 1
    (tmp_path / "a.docx").write_bytes(data)
    (tmp_path / "b.txt").write_text("read")
    documents, state = read(tmp_path)
    assert [document.text for document in documents] == ["read"]
    assert state.problems[0].reason == "its text is encrypted (DOCX); save it without a password or copy protection"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "File is not a zip file"),
        (b"PK\3\4 and no more", "File is not a zip file"),
        ((KINDS / "word.docx").read_bytes()[:-300], "File is not a zip file"),
        (packed(None, {"a.txt": "no document"}), "word/document.xml is missing"),
        (packed(None, {"word/document.xml": "<a><b></a>"}), "word/document.xml: mismatched tag: line 1, column 8"),
    ],
)
def test_a_damaged_document_is_an_error_that_names_the_file(data, reason, tmp_path):
    (tmp_path / "a.docx").write_bytes(data)
    with pytest.raises(SourceError) as caught:
        read(tmp_path / "a.docx")
    assert str(caught.value) == f"{tmp_path / 'a.docx'} is damaged, or is not a DOCX file ({reason})."
    (tmp_path / "b.txt").write_text("read")
    documents, state = read(tmp_path, skip_bad=True)
    assert [document.text for document in documents] == ["read"]
    assert state.skipped == {"files that cannot be read to their end": 1, "files of which nothing could be read": 1}


def test_what_precedes_the_damage_is_read_if_bad_files_are_skipped(tmp_path):
    word(tmp_path / "a.docx", "<w:p><w:r><w:t>one</w:t></w:r></w:p><w:p>&nothing;")
    documents, _ = read(tmp_path / "a.docx", skip_bad=True)
    assert [document.text for document in documents] == ["one"]


NESTED = "".join(f"<w:{name}>" for name in ("tbl", "tr", "tc", "p", "r", "txbxContent") * 10_000)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<w>" + " " * (5 << 20), "is not read: it expands to more than 500 times its size"),
        ('<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w>&b;</w>', 'it has the entity "a"'),
        ('<!DOCTYPE w [<!ENTITY a SYSTEM "file:///etc/hostname">]><w>&a;</w>', 'it has the entity "a"'),
        ('<!DOCTYPE w SYSTEM "http://127.0.0.1:9/a.dtd"><w>&a;</w>', 'it has the entity "a"'),
        (f'<w:document xmlns:w="{WORD}">{NESTED}', "no element found"),
    ],
)
def test_hostile_documents_are_errors(body, reason, tmp_path):
    packed(tmp_path / "a.docx", {"word/document.xml": body})
    with pytest.raises(SourceError, match=r"a\.docx is ") as caught:
        read(tmp_path / "a.docx")
    assert reason in str(caught.value)


@pytest.mark.nightly
def test_a_document_that_needs_too_much_memory_is_an_error(tmp_path):
    words = random.Random(1).randbytes(1 << 20).hex()
    word(tmp_path / "a.docx", f"<w:p><w:r><w:t>{words * 33}</w:t></w:r></w:p>")
    with pytest.raises(SourceError, match=r"a\.docx is not read: it expands to more than 67,108,864 bytes"):
        read(tmp_path / "a.docx")


@pytest.mark.nightly
def test_a_document_of_tags_is_an_error(tmp_path):
    generator = random.Random(1)
    body = "".join(generator.choice(("<p/>", "<r/>")) for _ in range(5_000_000))
    packed(tmp_path / "a.docx", {"word/document.xml": f"<w>{body}</w>"})
    with pytest.raises(SourceError, match=r"a\.docx is not read: it has more than 4,000,000 tags"):
        read(tmp_path / "a.docx")


def test_deeply_nested_boxes_are_lines(tmp_path):
    ends = "".join(f"</w:{name}>" for name in ("txbxContent", "r", "p", "tc", "tr", "tbl") * 10_000)
    word(tmp_path / "a.docx", f"{NESTED}<w:p><w:r><w:t>deep</w:t></w:r></w:p>{ends}")
    (document,), _ = read(tmp_path / "a.docx")
    assert document.text == "deep"


def test_members_with_odd_names_are_not_written(tmp_path):
    odd = {"../../outside": "a", "/etc/outside": "b", "C:\\outside": "c", "word/../../d": "d", "WORD/Document.XML": ""}
    odd["word/_rels/document.xml.rels"] = '<R><Relationship Type="x/footnotes" Target="../../a"/></R>'
    (tmp_path / "in").mkdir()
    packed(tmp_path / "in" / "a.docx", odd | {"WORD/Document.XML": f'<w xmlns="{WORD}"><p><r><t>a</t></r></p></w>'})
    (document,), _ = read(tmp_path / "in" / "a.docx")
    assert document.text == "a" and [path.name for path in tmp_path.rglob("*")] == ["in", "a.docx"]


SPECIAL = (
    *(b"<", b">", b"&", b"</w:p>", b"<w:p>", b"<w:t>", b"<![CDATA[", b"<!--", b"<!DOCTYPE a [", b"\0", b"\xff", b'"'),
    *(
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"\xff\xff\xff\xff",
        b"&#0;",
        b"&x;",
        b"<?xml encoding='utf-16'?>",
        b"../",
        b"}",
        b"{",
    ),
    *(b"../", b"}", b"{", b"\\bin999999999 ", b"\\u-1?", b"\\'zz", b"\\ansicpg99999 "),
)


def mutated(data, generator):
    """The data with some bytes changed, removed, doubled, or replaced by what readers look for."""
    found = bytearray(data)
    for _ in range(generator.choice([1, 2, 5, 30])):
        at = generator.randrange(len(found) + 1)
        match generator.randrange(5):
            case 0:
                found[at : at + 1] = bytes([generator.randrange(256)])
            case 1:
                del found[at : at + generator.randrange(1, 40)]
            case 2:
                found[at:at] = found[at : at + generator.randrange(1, 60)]
            case _:
                found[at:at] = generator.choice(SPECIAL)
    return bytes(found)


def mutated_document(path, generator):
    """A document with damaged bytes, or with one damaged member."""
    data = path.read_bytes()
    if not zipfile.is_zipfile(path) or generator.random() < 0.5:
        return mutated(data, generator)
    with zipfile.ZipFile(path) as package:
        members = {name: package.read(name) for name in package.namelist()}
    name = generator.choice(sorted(members))
    if generator.random() < 0.1:
        del members[name]
    else:
        members[name] = mutated(members[name], generator)
    return packed(None, members)


@pytest.mark.parametrize("name", NAMES)
def test_mutated_documents_are_texts_or_errors_that_name_the_file(name, tmp_path, scale):
    files = FILES[name]
    path = tmp_path / f"a.{name}"
    documents = errors = 0
    for seed in range(scale(100, 2_000)):
        generator = random.Random(seed)
        path.write_bytes(mutated_document(generator.choice(files), generator))
        try:
            for document in read(path, skip_bad=generator.random() < 0.3)[0]:
                document.text.encode("utf-8")
                documents += 1
        except SourceError as error:
            errors += 1
            assert "a." in str(error) and "Traceback" not in str(error)
    # Nearly all bytes are a text in RTF, FB2 and MHTML.
    assert documents and (errors or name in ("rtf", "fb2", "mhtml"))
