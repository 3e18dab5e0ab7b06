"""Typesets the texts of tests/data/kinds as PDF documents, by the programs that people use.

python tests/support/make_pdfs.py [NAME ...]

Needs pdfTeX, LibreOffice, Chromium, groff, Ghostscript, Pango (pango-view) and reportlab. A line of a text is a heading
if it does not end a sentence, and a paragraph otherwise. The texts are without what the programs add, such as numbers.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
Lines = list[str]


def is_heading(line: str) -> bool:
    return line[-1] not in ".!?”»:"


def run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def two_columns(lines: Lines, folder: Path) -> None:
    """pdfTeX: two justified columns with hyphens and ligatures, a running header and page numbers."""
    body = [rf"\section*{{{line}}}" if is_heading(line) else line + r"\par" for line in lines[1:]]
    (folder / "out.tex").write_text(
        r"\documentclass[twocolumn,10pt]{article}\usepackage[paperwidth=105mm,paperheight=148mm,margin=12mm,"
        r"includeheadfoot]{geometry}\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyhead[L]{Reports of the Board}"
        r"\fancyhead[R]{Volume 7}\fancyfoot[C]{\thepage}\pdfinfo{/Title (The Lighthouse) /Author (A. Clerk)}"
        r"\begin{document}\twocolumn[\begin{center}\large "
        + lines[0]
        + r"\end{center}]\small\hyphenpenalty=0\tolerance=400 "
        + "\n\n".join(body)
        + r"\end{document}"
    )
    run("pdflatex", "-interaction=batchmode", "out.tex", folder=folder)


def writer(lines: Lines, folder: Path) -> None:
    """LibreOffice: German with hyphens, a table, a header and a footer with page numbers."""
    body = []
    rows = [line for line in lines if re.search(r" (\d+|Belege)$", line)]
    for line in lines:
        if line == rows[0]:
            cells = "".join(
                "<table:table-row>"
                + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row.split())
                + "</table:table-row>"
                for row in rows
            )
            body.append(f'<table:table><table:table-column table:number-columns-repeated="3"/>{cells}</table:table>')
        elif line not in rows:
            body.append(f'<text:p text:style-name="{"H" if is_heading(line) else "B"}">{line}</text:p>')
    (folder / "out.fodt").write_text(WRITER.replace("BODY", "".join(body)), encoding="utf-8")
    run("soffice", "--headless", "--convert-to", "pdf", "out.fodt", folder=folder)


WRITER = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:meta><dc:title>Süßwasserfische</dc:title><meta:initial-creator>Jürgen und Götz</meta:initial-creator>
</office:meta>
<office:styles><style:default-style style:family="paragraph"><style:text-properties fo:language="de" fo:country="DE"
 fo:font-size="10pt" fo:hyphenate="true"/></style:default-style></office:styles>
<office:automatic-styles>
<style:style style:name="B" style:family="paragraph"><style:paragraph-properties fo:text-align="justify"
 fo:margin-bottom="2mm"/></style:style>
<style:style style:name="H" style:family="paragraph"><style:paragraph-properties fo:margin-top="3mm"
 fo:margin-bottom="2mm"/><style:text-properties fo:font-size="13pt" fo:font-weight="bold"/></style:style>
<style:page-layout style:name="P"><style:page-layout-properties fo:page-width="105mm" fo:page-height="148mm"
 fo:margin="12mm"/><style:header-style/><style:footer-style/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="P"><style:header>
<text:p>Gebrüder Äußerlich, Band 1</text:p></style:header><style:footer><text:p>Seite <text:page-number/> von
 <text:page-count/></text:p></style:footer></style:master-page></office:master-styles>
<office:body><office:text>BODY</office:text></office:body></office:document>"""


def chromium(lines: Lines, folder: Path) -> None:
    """Chromium: a web page in Greek, Russian and English that is printed."""
    body = "".join(
        f"<h2>{html.escape(line)}</h2>" if is_heading(line) else f"<p>{html.escape(line)}</p>" for line in lines
    )
    (folder / "out.html").write_text(
        "<!doctype html><html lang=el><meta charset=utf-8><title>Three languages</title>"
        f"<style>@page{{size:A6;margin:12mm}}body{{font:10pt 'DejaVu Serif',serif}}</style>{body}",
        encoding="utf-8",
    )
    run(
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
        f"--user-data-dir={folder}/profile", f"--print-to-pdf={folder}/out.pdf", f"file://{folder}/out.html",
        folder=folder,
    )  # fmt: skip


def groff(lines: Lines, folder: Path) -> None:
    """groff: English with hyphens, and page numbers at the top from the second page on."""
    body = [f".SH\n{line}" if is_heading(line) else f".PP\n{line}" for line in lines[1:]]
    source = ".nr LL 3.4i\n.nr PO 0.4i\n.pl 5.8i\n.nr HM 0.6i\n.nr FM 0.6i\n.hy 4\n"
    text = f"{source}.TL\n{lines[0]}\n" + "\n".join(body) + "\n"
    (folder / "out.ms").write_text(text.replace("’", "'"))
    with open(folder / "out.pdf", "wb") as target:
        command = ["groff", "-ms", "-Tpdf", "-P-p5.8i,4.2i", "out.ms"]
        subprocess.run(command, cwd=folder, check=True, stdout=target)


def ghostscript(lines: Lines, folder: Path) -> None:
    """LaTeX, dvips and Ghostscript: German with the accents of TeX's oldest fonts."""
    accents = {"ä": r'"a', "ö": r'"o', "ü": r'"u', "Ä": r'"A', "Ö": r'"O', "Ü": r'"U', "ß": r"\ss{}"}
    body = "\n\n".join("".join(accents.get(letter, letter) for letter in line) for line in lines)
    (folder / "out.tex").write_text(
        r"\documentclass[10pt]{article}\usepackage[paperwidth=105mm,paperheight=148mm,margin=12mm,includefoot]{geometry}"
        r"\usepackage[ngerman]{babel}\pagestyle{empty}\begin{document}" + body + r"\end{document}"
    )
    run("latex", "-interaction=batchmode", "out.tex", folder=folder)
    run("dvips", "-q", "-o", "out.ps", "out.dvi", folder=folder)
    run("gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-o", "out.pdf", "out.ps", folder=folder)


def cairo(lines: Lines, folder: Path) -> None:
    """Pango and cairo: French on one page."""
    (folder / "in.txt").write_text("\n\n".join(lines), encoding="utf-8")
    run("pango-view", "--no-display", "--language=fr", "--font=DejaVu Serif 10", "--width=330", "--justify",
        "--output=out.pdf", "in.txt", folder=folder)  # fmt: skip


def reportlab(lines: Lines, folder: Path) -> None:
    """reportlab: a header and a footer that are drawn before the text of the page."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    styles = getSampleStyleSheet()

    def edges(canvas: Any, document: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(30, 402, "Harbour Museum")
        canvas.drawRightString(267, 402, "main hall")
        canvas.drawCentredString(148, 14, f"{document.page}")

    made = SimpleDocTemplate(str(folder / "out.pdf"), pagesize=(297, 420), leftMargin=30, rightMargin=30, topMargin=36,
                             bottomMargin=36, title="Inventory", author="The museum", invariant=1)  # fmt: skip
    story = [Paragraph(line, styles["Heading3" if is_heading(line) else "BodyText"]) for line in lines]
    made.build(story, onFirstPage=edges, onLaterPages=edges)


MAKERS: dict[str, Callable[[Lines, Path], None]] = {
    "two-columns": two_columns,
    "writer": writer,
    "chromium": chromium,
    "groff": groff,
    "ghostscript": ghostscript,
    "cairo": cairo,
    "reportlab": reportlab,
}


def main() -> None:
    for name in sys.argv[1:] or MAKERS:
        lines = (KINDS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        with tempfile.TemporaryDirectory() as folder:
            MAKERS[name](lines, Path(folder))
            shutil.copyfile(Path(folder, "out.pdf"), KINDS / f"{name}.pdf")
        print(name, (KINDS / f"{name}.pdf").stat().st_size)


if __name__ == "__main__":
    main()
