"""Writes the spreadsheets of tests/data/kinds: the same two tables by openpyxl, XlsxWriter and LibreOffice."""

from __future__ import annotations

import subprocess
import tempfile
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
LETTERS: list[list[Any]] = [
    ["id", "text", "year", "weight", "sent", "time", "answered", "note"],
    [1, "The ship has arrived.", 1911, 12.5, date(1911, 3, 4), time(9, 30), True, None],
    [2, "Größe & Maß: naïve <b>façade</b>", 1912, 0.1, date(1912, 12, 31), time(0, 0), False, "torn"],
    [None] * 8,
    [3, "Привет, мир — γειά σου 😀", 1913, 3, datetime(1913, 1, 1, 18, 45), None, None, "two\nlines"],
    [4, 1914, 1914, -2.25, None, None, None, None],
]
PLACES: list[list[Any]] = [["place", "text"], ["Rügen", "An island."], ["Ulm", "A town on the Danube."]]
NOTES: list[list[Any]] = [["key", "meaning"], ["id", "the number of the letter"]]
SHEETS = {"Letters": LETTERS, "Places": PLACES, "Legend": NOTES}
FIRST_ROW = 3
"""Empty rows above the table of letters, as people have them."""


def by_openpyxl(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, rows in SHEETS.items():
        sheet = book.create_sheet(name)
        for number, row in enumerate(rows, FIRST_ROW if name == "Letters" else 1):
            for column, value in enumerate(row, 1):
                sheet.cell(number, column, value)
    book.save(path)


def by_xlsxwriter(path: Path) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path))
    forms = {kind: book.add_format({"num_format": form}) for kind, form in (
        (date, "yyyy-mm-dd"), (datetime, "yyyy-mm-dd hh:mm"), (time, "hh:mm"))}  # fmt: skip
    for name, rows in SHEETS.items():
        sheet = book.add_worksheet(name)
        for number, row in enumerate(rows, FIRST_ROW - 1 if name == "Letters" else 0):
            for column, value in enumerate(row):
                if type(value) in forms:
                    sheet.write_datetime(number, column, value, forms[type(value)])
                elif value is not None:
                    sheet.write(number, column, value)
    book.close()


def main() -> None:
    by_openpyxl(KINDS / "openpyxl.xlsx")
    by_xlsxwriter(KINDS / "xlsxwriter.xlsx")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "libreoffice.xlsx")
        copy.write_bytes((KINDS / "openpyxl.xlsx").read_bytes())
        for ending in ("ods", "xls", "xlsx"):
            command = ["soffice", "--headless", "--convert-to", ending, "--outdir", str(KINDS), str(copy)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
