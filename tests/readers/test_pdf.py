"""PDF: documents of seven programs with their texts, and documents of which nothing can be read."""

from __future__ import annotations

import io
from difflib import SequenceMatcher
from pathlib import Path

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.core.files.encoding import NotTextError
from explorer.documents.content import Content
from explorer.documents.kinds import kind_of
from explorer.documents.pdf.pdf import iso_date
from explorer.documents.pdf.text import Line, running_text, without_running_lines
from explorer.documents.skipped import NO_TEXT_LAYER, UNOPENED

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
GOLD = sorted(KINDS.glob("*.pdf"))
ABOUT = {
    "two-columns": {"title": "The Lighthouse", "author": "A. Clerk", "pages": 4},
    "writer": {"title": "Süßwasserfische", "author": "Jürgen und Götz", "pages": 3},
    "chromium": {"title": "Three languages", "pages": 1},
    "reportlab": {"title": "Inventory", "author": "The museum", "date": "2000-01-01T00:00:00+00:00", "pages": 3},
}
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>"
IMAGE = (
    b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>"
    b"stream\n\0\nendstream"
)
DRAWN = b"<</Length 18>>stream\n99 0 0 99 0 0 cm /I Do\nendstream"


def pdf_of(*objects: bytes, size: int | None = None) -> bytes:
    """A document of some objects, of which the first is its catalog; `size`: that of its table, as it is stated."""
    made, places = bytearray(b"%PDF-1.4\n"), []
    for number, part in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj%s\nendobj\n" % (number, part)
    table = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (size or len(objects) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    made += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size or len(objects) + 1, table)
    return bytes(made)


CATALOG, TREE = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
SCAN = pdf_of(CATALOG, TREE, PAGE, IMAGE, DRAWN)


def many_pages(number: int) -> bytes:
    """A document whose pages are all the same one, with nothing on it."""
    tree = b"<</Type/Pages/Count %d/Kids[%s]>>" % (number, b"3 0 R " * number)
    return pdf_of(CATALOG, tree, b"<</Type/Page/Parent 2 0 R>>")


def encrypted():
    writer = pypdf.PdfWriter(clone_from=KINDS / "reportlab.pdf")
    writer.encrypt("secret", algorithm="RC4-128")
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def documents(data, noted=None):
    stream = io.BufferedReader(io.BytesIO(data))
    note = (lambda *_: None) if noted is None else lambda kind, reason: noted.append((kind, reason))
    return list(kind_of(data[:8192], "a").read(Content("a", "a", stream, stream, note=note)))


@pytest.mark.parametrize("path", GOLD, ids=lambda path: path.stem)
def test_documents_of_many_programs_have_the_words_of_their_texts(path):
    gold = path.with_suffix(".txt").read_text(encoding="utf-8")
    (found,) = documents(path.read_bytes())
    assert found.text.split() == gold.split()
    # Paragraphs are lines, as far as the places of lines show it.
    assert SequenceMatcher(None, gold.splitlines(), found.text.splitlines()).ratio() > 0.9
    assert ABOUT.get(path.stem, {}).items() <= found.metadata.items()


@pytest.mark.parametrize(
    ("data", "kind", "reason"),
    [
        (SCAN, NO_TEXT_LAYER, "has no text layer, like a scan; recognize the text first, for example with OCRmyPDF"),
        (encrypted(), UNOPENED, "needs a password; save it without one"),
        (b"%PDF-1.4 (cut)", UNOPENED, "is damaged"),
        (pdf_of(CATALOG, b"<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>"), UNOPENED, "is damaged"),
        (pdf_of(CATALOG, b"<</Type/Pages/Count 2/Kids[3 0 R]>>", b"<</Type/Pages/Count 2/Kids[2 0 R]>>"), UNOPENED,
         "is damaged"),
        (pdf_of(CATALOG, TREE, b"<</Type/Page/Parent 2 0 R/Contents 3 0 R>>", size=2_000_000_000), NO_TEXT_LAYER,
         "no text layer"),
        (many_pages(3_000), NO_TEXT_LAYER, "no text layer"),
        pytest.param(many_pages(100_000), NO_TEXT_LAYER, "no text layer", marks=pytest.mark.nightly),
    ],
    ids=["scan", "password", "cut", "own-parent", "loop", "huge-table", "many-pages", "very-many-pages"],
)  # fmt: skip
def test_a_document_without_text_is_refused_with_what_to_do(data, kind, reason):
    with pytest.raises(NotTextError, match=reason) as caught:
        documents(data)
    assert caught.value.kind == kind


def test_pages_without_a_text_layer_are_noted():
    writer = pypdf.PdfWriter(clone_from=KINDS / "reportlab.pdf")
    writer.append(io.BytesIO(SCAN))
    target = io.BytesIO()
    writer.write(target)
    noted = []
    (found,) = documents(target.getvalue(), noted)
    assert found.metadata["pages"] == 4
    assert noted == [("documents with pages without a text layer", "pages without a text layer: 1 of 4")]


def test_a_build_reads_what_it_can_and_counts_the_rest(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.pdf").write_bytes((KINDS / "cairo.pdf").read_bytes())
    (folder / "wrong-name.txt").write_bytes((KINDS / "chromium.pdf").read_bytes())
    (folder / "scan.pdf").write_bytes(SCAN)
    (folder / "locked.pdf").write_bytes(encrypted())
    made = build_index(folder, tmp_path / "index", tokenizer="bytes")
    assert made.read == {"files_found": 4, "files_skipped": 2, "documents_found": 2, "documents_skipped": 0}
    assert made.noticed[UNOPENED] == ["locked.pdf (needs a password; save it without one)"]
    assert len(made.noticed[NO_TEXT_LAYER]) == 1 and made.kinds == {"pdf": 4}
    first = open_index(tmp_path / "index").documents[0]
    assert first.text == (KINDS / "cairo.txt").read_text(encoding="utf-8").strip()
    assert first.metadata["metadata"]["pages"] == 1


@pytest.mark.parametrize(
    ("stated", "written"),
    [
        ("D:20240229120000+01'00'", "2024-02-29T12:00:00+01:00"),
        ("D:20240229120000Z00'00'", "2024-02-29T12:00:00+00:00"),
        ("20240229120000-08", "2024-02-29T12:00:00-08:00"),
        ("D:202402", "2024-02"),
        ("D:2024022912", "2024-02-29T12:00:00"),
        ("Thursday", ""),
        ("", ""),
    ],
)
def test_dates_are_written_as_far_as_they_are_stated(stated, written):
    assert iso_date(stated) == written


def lines(*texts, top=1000, left=100, letter=50, height=100):
    """Lines one below the other, of letters of equal width."""
    return [
        Line(text, left, top - 120 * number, left + letter * len(text), height) for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (["a con\ufffe", "siderable dif\u00ad", "ference"], "a considerable difference"),
        (["the self-made man of a self-\ufffe"[:-2] + "\ufffe", "made kind"], "the self-made man of a self-made kind"),
        (["the Anglo\ufffe", "Saxon chronicle"], "the Anglo-Saxon chronicle"),
        (["Vor\ufffe", "und Nachteile"], "Vor- und Nachteile"),
        (["the years 1990-", "1999 were dry"], "the years 1990- 1999 were dry"),
        (["o\ufb03ce of the \ufb02u\ufb00y", "cat"], "office of the fluffy cat"),
        (["e\u0301te\u0301"], "été"),
        (["東京から", "京都へ"], "東京から京都へ"),
        (["서울에서", "부산까지"], "서울에서 부산까지"),
        (["a line that is full to its end", "b"], "a line that is full to its end b"),
        (["short", "a line that is full to its end"], "short\na line that is full to its end"),
    ],
)
def test_lines_are_joined_to_paragraphs(page, text):
    assert running_text([lines(*page)]) == text


def test_an_indented_line_begins_a_paragraph_after_a_sentence():
    first, second = lines("the end of a sentence is here.", "Another sentence begins now.")
    moved = second._replace(left=second.left + 100, right=second.right + 100)
    assert running_text([[first, moved]]).count("\n") == 1
    assert running_text([[first, second]]).count("\n") == 0


def test_running_lines_are_removed_if_they_are_at_the_same_place_on_three_pages():
    def page(number, *body, header="Chapter One", top=2000):
        return [*lines(header, top=top), *lines(*body, top=1500), *lines(f"- {number} -", top=100)]

    pages = [page(4, "It rains."), page(5, "It snows."), page(6, "It thaws.")]
    assert running_text(pages) == "It rains.\nIt snows.\nIt thaws."
    kept = running_text(pages, keep_headers=True)
    assert kept.count("Chapter One") == 3
    assert kept.count(" -") == 3
    # A page number is recognized on two pages, since it grows with the page; another number is not one.
    assert running_text(pages[:2]) == "Chapter One\nIt rains.\nChapter One\nIt snows."
    assert "- 9 -" in running_text([page(4, "It rains."), page(9, "It snows.")])
    # A line of the text that says the same is at another place.
    other = page(7, "It is warm.", top=1700)
    assert without_running_lines([*pages, other])[3][0].text == "Chapter One"


LINES = st.builds(
    Line,
    st.text(st.sampled_from("ab -\u00ad\ufffe.1A京\u0301\ufb01\x00"), min_size=1, max_size=9).filter(str.strip),
    *[st.integers(-(10**6), 10**6)] * 3,
    st.integers(-10, 2_000),
)


@given(st.lists(st.lists(LINES, max_size=8), max_size=5))
def test_any_lines_are_a_text_without_controls(pages):
    text = running_text(pages)
    assert not set(text) & set("\x00\u00ad\ufffe\ufb01")
    assert all(line == " ".join(line.split()) for line in text.split("\n"))
