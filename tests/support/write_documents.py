"""Writes the office documents and e-books of tests/data/kinds. Run it again only if they change.

It needs pandoc, LibreOffice (soffice), python-docx, python-pptx and ebooklib, which no test needs. The texts that are
expected of the documents are written by hand, in a file beside each. Parts that no reader reads (themes, layouts,
pictures) are removed, so that the files are small.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent / "documents"
KINDS = Path(__file__).parents[1] / "data" / "kinds"
NOT_READ = re.compile(
    r".*(theme|slideLayout|slideMaster|notesMaster|Thumbnail|thumbnail|printerSettings|fontTable|Configurations2|"
    r"webSettings|stylesWithEffects|tableStyles|viewProps|presProps|customXml|ppt/media|word/(styles|numbering)).*"
)
SMALL = ("docx", "pptx", "odt", "odp", "epub")


def packed(path: Path, members: dict[str, bytes]) -> None:
    """A ZIP archive whose first member is not compressed if it is the type of the document."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            made.writestr(info, data)


def small(path: Path) -> None:
    """Remove the parts that are not read."""
    with zipfile.ZipFile(path) as made:
        members = {name: made.read(name) for name in made.namelist() if not NOT_READ.fullmatch(name)}
    packed(path, members)


def by_hand() -> None:
    """Files, and packages whose parts are files of a folder: NAME.ENDING/part."""
    for found in sorted(HERE.iterdir()):
        if found.is_dir():
            names = sorted(str(path.relative_to(found)) for path in found.rglob("*") if path.is_file())
            names.sort(key=lambda name: (name != "mimetype", name != "[Content_Types].xml"))
            packed(KINDS / found.name, {name: (found / name).read_bytes() for name in names})
        elif found.suffix not in (".md", ".fodt", ".fodp"):
            (KINDS / found.name).write_bytes(found.read_bytes())


def by_pandoc() -> None:
    dated = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    for ending in ("docx", "odt", "pptx", "epub", "rtf", "fb2"):
        subprocess.run(["pandoc", "-s", HERE / "walk.md", "-o", KINDS / f"pandoc.{ending}"], check=True, env=dated)
    second = ["pandoc", "-t", "epub2", "-s", str(HERE / "walk.md"), "-o", str(KINDS / "pandoc-2.epub")]
    subprocess.run(second, check=True, env=dated)


def converted(source: Path, name: str) -> None:
    """A document that LibreOffice makes of another one."""
    with tempfile.TemporaryDirectory() as folder:
        ending = name.rpartition(".")[2]
        command = ["soffice", "--headless", "--convert-to", ending, "--outdir", folder, str(source)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (KINDS / name).write_bytes((Path(folder) / f"{source.stem}.{ending}").read_bytes())


def by_libreoffice() -> None:
    for ending in ("docx", "odt", "rtf"):
        converted(HERE / "report.fodt", f"libreoffice.{ending}")
    for ending in ("odp", "pptx"):
        converted(HERE / "talk.fodp", f"libreoffice.{ending}")
    for source, ending in (
        *(("python-docx.docx", "odt"), ("python-docx.docx", "rtf"), ("pandoc.rtf", "odt"), ("pandoc.pptx", "odp")),
        *(("python-pptx.pptx", "odp"), ("libreoffice.pptx", "odp"), ("python-pptx.pptx", "pptx")),
    ):
        converted(KINDS / source, f"from-{source.partition('.')[0]}.{ending}")


def by_python_docx() -> None:
    import docx

    made = docx.Document()
    made.core_properties.title, made.core_properties.author = "Zelte", "B. Ö."
    made.add_heading("Zelte im Wald", 0)
    words = made.add_paragraph("Ein ")
    words.add_run("Zelt").bold = True
    words.add_run("platz, 12 €").add_break()
    words.add_run("am See\tim Süden")
    made.add_paragraph("Boden", style="List Bullet")
    outer = made.add_table(2, 2)
    outer.cell(0, 0).merge(outer.cell(0, 1)).text = "Preise"
    outer.cell(1, 0).text = "außen"
    inner = outer.cell(1, 1).add_table(1, 2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "Nacht", "9 €"
    made.sections[0].header.paragraphs[0].text = "HEADER"
    made.add_page_break()
    made.add_paragraph("Seite zwei.")
    made.save(KINDS / "python-docx.docx")


def by_python_pptx() -> None:
    import pptx
    from pptx.util import Inches

    made = pptx.Presentation()
    made.core_properties.title, made.core_properties.author = "Ύπνος", "Ν. Ν."
    first = made.slides.add_slide(made.slide_layouts[1])
    first.shapes.title.text = "Ο ύπνος"
    first.placeholders[1].text = "οκτώ ώρες\nκάθε νύχτα"
    first.notes_slide.notes_text_frame.text = "Πες το αργά."
    second = made.slides.add_slide(made.slide_layouts[5])
    second.shapes.title.text = "Πίνακας"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, cells in enumerate((("ηλικία", "ώρες"), ("6", "10"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(5), Inches(3), Inches(1)).text_frame.text = "σε ομάδα\vνέα γραμμή"
    # The second slide is shown first.
    slides = made.slides._sldIdLst
    slides.insert(0, slides[1])
    made.save(KINDS / "python-pptx.pptx")


def by_ebooklib() -> None:
    from ebooklib import epub

    made = epub.EpubBook()
    made.set_title("Le jardin")
    made.set_language("fr")
    made.add_author("C. Dupont")
    made.add_author("D. Durand")
    made.add_metadata("DC", "date", "1999-03-04")
    chapters = []
    for number, text in enumerate(("<h1>Un</h1><p>L’été<br/>arrive.</p>", "<h1>Deux</h1><p>Il <i>pl</i>eut.</p>")):
        chapter = epub.EpubHtml(title=f"c{number}", file_name=f"text/c{number}.xhtml", lang="fr")
        chapter.content = text
        made.add_item(chapter)
        chapters.append(chapter)
    made.toc = chapters
    # Not the order of the files.
    made.spine = ["nav", chapters[1], chapters[0]]
    made.add_item(epub.EpubNcx())
    made.add_item(epub.EpubNav())
    epub.write_epub(KINDS / "ebooklib.epub", made)


def main() -> int:
    KINDS.mkdir(exist_ok=True)
    by_hand()
    by_pandoc()
    by_python_docx()
    by_python_pptx()
    by_ebooklib()
    by_libreoffice()
    for path in KINDS.iterdir():
        if path.suffix[1:] in SMALL:
            small(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
