"""A document per chapter of books and documents with headings, and per cue of subtitles."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from explorer import add_documents, build_index, estimate_build, open_index
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.cli.main import main
from explorer.documents.chapters import Headed, Heading
from explorer.documents.read_settings import ReadSettings
from explorer.errors import CorpusError

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = f"""<w:styles xmlns:w="{WORD}">
<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:styleId="Anhang"><w:name w:val="Anhang"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:basedOn w:val="a"/></w:style>
</w:styles>"""


def read(path, **settings):
    state = ReadState()
    options = ReadOptions(reading=ReadSettings(**settings))
    found = read_documents(list_files([path], state), options, state)
    return [(each.metadata.get("chapter"), each.text) for each in found]


def packed(path, members):
    with zipfile.ZipFile(path, "w") as package:
        for name, data in members.items():
            package.writestr(name, data)
    return path


def paragraph(text, style="", more=""):
    style = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{style}<w:r><w:t>{text}</w:t>{more}</w:r></w:p>"


def word(path, *paragraphs):
    relations = f'<Relationship Id="1" Type="{RELATIONS}/{{0}}" Target="{{0}}.xml"/>'
    notes = f'<w:footnotes xmlns:w="{WORD}"><w:footnote w:id="2">{paragraph("Note.")}</w:footnote></w:footnotes>'
    related = f"<Relationships>{relations.format('styles')}{relations.format('footnotes')}</Relationships>"
    return packed(
        path,
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{"".join(paragraphs)}</w:body></w:document>',
            "word/_rels/document.xml.rels": related,
            "word/styles.xml": STYLES,
            "word/footnotes.xml": notes,
        },
    )


def test_headings_of_word_begin_chapters_whatever_their_styles_are_called(tmp_path):
    note = '<w:footnoteReference w:id="2"/>'
    path = word(
        tmp_path / "a.docx",
        paragraph("Preface"),
        paragraph("One", "berschrift1"),
        paragraph("First", more=note),
        paragraph("Detail", "Anhang"),
        paragraph("Two", "Kapitel"),
        paragraph("Second"),
        paragraph("Odd", "a"),
    )
    assert read(path, per="chapter") == [
        (None, "Preface"),
        ("One", "One\nFirst\nDetail\nNote."),
        ("Two", "Two\nSecond\nOdd"),
    ]
    assert read(path) == [(None, "Preface\nOne\nFirst\nDetail\nTwo\nSecond\nOdd\nNote.")]


def test_headings_of_open_document_begin_chapters(tmp_path):
    spaces = "".join(f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text"))
    body = (
        '<text:h text:outline-level="1">Book</text:h><text:h text:outline-level="2">A</text:h><text:p>a<text:note>'
        "<text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note>"
        '</text:p><text:h text:outline-level="2">B <text:span>b</text:span></text:h><text:p>end</text:p>'
    )
    content = f"<office:document-content{spaces}><office:body>{body}</office:body></office:document-content>"
    mimetype = "application/vnd.oasis.opendocument.text"
    path = packed(tmp_path / "a.odt", {"mimetype": mimetype, "content.xml": content})
    assert read(path, per="chapter") == [("A", "Book\nA\na\nnote"), ("B b", "B b\nend")]
    assert read(path) == [(None, "Book\nA\na\nB b\nend\nnote")]


def test_a_book_made_by_ebooklib_has_its_chapters_in_reading_order():
    assert read(KINDS / "ebooklib.epub", per="chapter") == [("c1", "Deux\n\nIl pleut."), ("c0", "Un\n\nL’été\narrive.")]


def book(path, contents, pages, kind="application/x-dtbncx+xml", name="toc.ncx"):
    properties = ' properties="nav"' if name == "nav.xhtml" else ""
    items = "".join(f'<item id="{each}" href="{each}" media-type="application/xhtml+xml"/>' for each in pages)
    order = "".join(f'<itemref idref="{each}"/>' for each in pages)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
        f'{items}<item id="toc" href="{name}" media-type="{kind}"{properties}/></manifest>'
        f"<spine>{order}</spine></package>"
    )
    container = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "book.opf": package,
        name: contents,
        **pages,
    }
    return packed(path, members)


PAGES = {
    "a.xhtml": "<html><body><p>Title</p><h1 id='c1'>I</h1><p>one</p><h1 id='c2'>II</h1><p>two</p></body></html>",
    "b.xhtml": "<html><body><p>two, continued</p></body></html>",
    "c.xhtml": "<html><body><h1>III</h1><p>three</p></body></html>",
}


def test_chapters_of_one_page_and_pages_of_one_chapter_follow_the_table_of_contents(tmp_path):
    point = "<navPoint><navLabel><text>{0}</text></navLabel><content src='{1}'/></navPoint>"
    points = [point.format(*each) for each in (("I", "a.xhtml#c1"), ("II", "a.xhtml#c2"), ("III", "c.xhtml"))]
    contents = f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{"".join(points)}</navMap></ncx>'
    expected = [
        (None, "Title"),
        ("I", "I\n\none"),
        ("II", "II\n\ntwo\n\ntwo, continued"),
        ("III", "III\n\nthree"),
    ]
    assert read(book(tmp_path / "a.epub", contents, PAGES), per="chapter") == expected
    links = "".join(
        f'<li><a href="{page}">{title}</a></li>'
        for title, page in (("I", "a.xhtml#c1"), ("II", "a.xhtml#c2"), ("III", "c.xhtml"))
    )
    nav = (
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>'
        f'<nav epub:type="toc"><h1>Contents</h1><ol>{links}</ol></nav>'
        '<nav epub:type="landmarks"><ol><li><a href="b.xhtml">x</a></li></ol></nav></body></html>'
    )
    new = book(tmp_path / "b.epub", nav, PAGES, "application/xhtml+xml", "nav.xhtml")
    assert read(new, per="chapter") == expected


def test_a_book_without_a_table_of_contents_has_a_chapter_per_page(tmp_path):
    path = book(tmp_path / "a.epub", "<ncx/>", PAGES)
    assert [text for _, text in read(path, per="chapter")] == [
        "Title\n\nI\n\none\n\nII\n\ntwo",
        "two, continued",
        "III\n\nthree",
    ]


def test_sections_of_a_book_in_fb2_are_chapters_and_its_notes_are_one(tmp_path):
    section = "<section><title><p>{0}</p></title><p>{1}</p></section>"
    body = section.format("I", "one") + section.format("II", "two <a>1</a>")
    notes = f'<body name="notes"><title><p>Notes</p></title>{section.format("1", "a")}{section.format("2", "b")}</body>'
    text = f"<FictionBook><body><title><p>Book</p></title>{body}</body>{notes}</FictionBook>"
    path = tmp_path / "a.fb2"
    path.write_text(text, encoding="utf-8")
    found = read(path, per="chapter")
    assert [title for title, _ in found] == [None, "I", "II", "Notes"]
    assert [text.split() for _, text in found] == [
        ["Book"],
        ["I", "one"],
        ["II", "two", "1"],
        ["Notes", "1", "a", "2", "b"],
    ]


def test_a_text_with_one_heading_is_one_document():
    text = "Title\none"
    (whole,) = Headed(text, [Heading(1, 0, "Title")]).documents("chapter")
    assert (whole.text, dict(whole.metadata)) == (text, {})


def test_a_heading_alone_begins_the_chapter_that_follows_it():
    text = "Part\nI\na\nII\nb"
    headings = [Heading(1, 0, "Part"), Heading(2, 4, "I"), Heading(2, 8, "II")]
    found = [(each.metadata["chapter"], each.text) for each in Headed(text, headings).documents("chapter")]
    assert found == [("I", "Part\nI\na"), ("II", "II\nb")]


SRT = "1\n00:00:01,500 --> 00:00:02,000\nHello\n\n2\n01:00:00,000 --> 01:00:03,250\n<i>there</i>\n"
ASS = (
    "[Script Info]\n[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:01.50,0:00:02.00,Hello\n"
    "Dialogue: 0,1:00:00.00,1:00:03.25,there\nDialogue: 0,x,y,no time\n"
)


@pytest.mark.parametrize(
    ("name", "text", "last"), [("a.srt", SRT, []), ("a.vtt", f"WEBVTT\n\n{SRT}", []), ("a.ass", ASS, [{}])]
)
def test_cues_are_documents_with_their_times_in_seconds(tmp_path, name, text, last):
    (tmp_path / name).write_text(text.replace(",", ".") if name == "a.vtt" else text, encoding="utf-8")
    state = ReadState()
    options = ReadOptions(reading=ReadSettings(per="cue"))
    found = list(read_documents(list_files([tmp_path / name], state), options, state))
    assert [each.text for each in found[:2]] == ["Hello", "there"]
    assert [dict(each.metadata) for each in found] == [
        {"start": 1.5, "end": 2.0},
        {"start": 3600.0, "end": 3603.25},
        *last,
    ]


def test_frames_of_subtitles_state_no_seconds(tmp_path):
    (tmp_path / "a.sub").write_text("{10}{20}Hello\n{30}{40}there\n", encoding="utf-8")
    assert read(tmp_path / "a.sub", per="cue") == [(None, "Hello"), (None, "there")]


def test_chapters_reach_an_index_by_the_library_and_by_the_command(tmp_path, capsys):
    source = KINDS / "ebooklib.epub"
    assert estimate_build(source, tokenizer="bytes", per="chapter").documents == 2
    made = build_index(source, tmp_path / "a", tokenizer="bytes", per="chapter")
    assert made.document_count == 2
    assert made.parameters["per"] == "chapter"
    add_documents(tmp_path / "a", source, per="chapter", again=True)
    assert open_index(tmp_path / "a").document_count == 4
    command = ["build", str(source), "--out", str(tmp_path / "b"), "--tokenizer", "bytes", "--per", "chapter"]
    assert main([*command, "--preview", "2"]) == 0
    assert 'chapter: "c1"' in capsys.readouterr().out
    assert main(command) == 0
    assert open_index(tmp_path / "b").document_count == 2


def test_what_a_document_is_has_three_values(tmp_path):
    with pytest.raises(CorpusError, match="per must be file, chapter or cue"):
        build_index(KINDS / "ebooklib.epub", tmp_path / "a", per="page")
