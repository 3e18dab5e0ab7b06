"""Write the table of the kinds of files that are read to docs/file-kinds.md.

python packaging/kind_table.py            write the page
python packaging/kind_table.py --check    fail if it is not what would be written
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from explorer.core.files.signatures import FOREIGN_KINDS
from explorer.documents.kinds import KINDS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "file-kinds.md"
BEGIN, END = "<!-- {name}: written by packaging/kind_table.py -->", "<!-- end of {name} -->"


def kind_rows() -> Iterator[str]:
    """The table of what is read."""
    yield "| kind | name | endings | a document is a | what is read | extra |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for kind in KINDS:
        endings = " ".join(f"`{ending}`" for ending in kind.endings)
        label = kind.label[:1].upper() + kind.label[1:]
        extra = f"`{kind.extra}`" if kind.extra else ""
        yield f"| {label} | `{kind.name}` | {endings} | {kind.document} | {kind.about} | {extra} |"


def foreign_rows() -> Iterator[str]:
    """The table of what is recognized and not read."""
    yield "| format | what to do |"
    yield "| --- | --- |"
    for kind in FOREIGN_KINDS:
        if kind.has_text:
            name = kind.name.split(" ", 1)[1]
            yield f"| {name[:1].upper()}{name[1:]} | {kind.remedy[:1].upper()}{kind.remedy[1:]}. |"


def page(now: str) -> str:
    """The page with both tables as they are."""
    for name, rows in (("kinds", kind_rows()), ("formats that are not read", foreign_rows())):
        begin, end = BEGIN.format(name=name), END.format(name=name)
        before, _, rest = now.partition(begin)
        _, _, after = rest.partition(end)
        now = "\n".join([before + begin, "", *rows, "", end + after])
    return now


def main() -> int:
    now = PAGE.read_text(encoding="utf-8")
    made = page(now)
    if "--check" in sys.argv[1:]:
        if made != now:
            print(f"{PAGE} is not what {Path(__file__).name} writes")
        return int(made != now)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
