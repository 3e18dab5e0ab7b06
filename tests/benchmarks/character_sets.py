"""Character sets × kinds of file: what is read, and how. Writes docs/benchmarks/character-sets.md.

python tests/benchmarks/character_sets.py            write the page
python tests/benchmarks/character_sets.py --check    fail if the page is not what would be written
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from pathlib import Path

from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.errors import SourceError

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks" / "character-sets.md"
POLISH, FRENCH, RUSSIAN = "zażółć gęślą jaźń", "café crème où êtes-vous", "обычный текст на русском языке"
SETS = {
    "utf-8": POLISH,
    "utf-8-sig": POLISH,
    "utf-16": POLISH,
    "utf-16-le": POLISH,
    "utf-32-be": POLISH,
    "latin-1": FRENCH,
    "cp1252": FRENCH,
    "cp850": FRENCH,
    "iso-8859-2": POLISH,
    "cp1250": POLISH,
    "koi8-r": RUSSIAN,
    "cp1251": RUSSIAN,
    "shift_jis": "日本語の文章です",
    "euc_jp": "日本語の文章です",
    "iso2022_jp": "日本語の文章です",
    "gb18030": "这是普通的文本",
    "big5": "這是普通的文字",
    "cp949": "평범한 글입니다",
}
KINDS = ("txt", "md", "html", "xml", "json", "jsonl", "csv", "tsv", "txt.gz", "jsonl.gz")
READ, ERROR, LEFT_OUT, WRONG, NONE = "read", "error", "skipped", "**wrong**", ""


def written(kind: str, words: str, declared: str = "") -> str:
    """The content of a file whose only document is these words."""
    return {
        "html": (f'<meta charset="{declared}">' if declared else "") + f"<p>{words}</p>",
        "xml": (f'<?xml version="1.0" encoding="{declared}"?>' if declared else "") + f"<p>{words}</p>",
        "json": json.dumps({"text": words}, ensure_ascii=False),
        "jsonl": json.dumps({"text": words}, ensure_ascii=False) + "\n",
        "csv": f"n,text\n1,{words}\n",
        "tsv": f"n\ttext\n1\t{words}\n",
    }.get(kind.removesuffix(".gz"), words)


def cell(folder: Path, name: str, kind: str, declared: bool, named: bool) -> str:
    """What becomes of one file."""
    if declared and kind not in ("html", "xml"):
        return NONE
    path = folder / f"a.{kind}"
    data = written(kind, SETS[name], name if declared else "").encode(name)
    path.write_bytes(gzip.compress(data) if kind.endswith(".gz") else data)
    state, options = ReadState(), ReadOptions(encoding=name if named else "")
    try:
        texts = [d.text for d in read_documents(list_files([path], state, encoding=options.encoding), options, state)]
    except SourceError as error:
        return LEFT_OUT if error.reason == "no-text" else ERROR
    finally:
        path.unlink()
    return READ if texts == [SETS[name]] else LEFT_OUT if not texts else WRONG


def page() -> str:
    """The page."""
    parts = [_HEAD]
    for title, declared, named in (
        ("With `--encoding`", False, True),
        ("With a declaration in the file", True, False),
        ("With neither", False, False),
    ):
        kinds = [kind for kind in KINDS if not declared or kind in ("html", "xml")]
        parts += [f"## {title}", ""]
        parts += ["| character set | " + " | ".join(kinds) + " |", "| --- |" + " --- |" * len(kinds)]
        with tempfile.TemporaryDirectory() as folder:
            for name in SETS:
                cells = [cell(Path(folder), name, kind, declared, named) for kind in kinds]
                parts.append(f"| {name} | " + " | ".join(cells) + " |")
        parts.append("")
    return "\n".join(parts)


_HEAD = """# Character sets × kinds of file

Written by `python tests/benchmarks/character_sets.py`; `--check` compares. Each cell is one file with one short document
in that character set: *read* if the document is the text, *error* if the build stops with one sentence that names the
file, *skipped* if the file is left out and reported, and **wrong** if other letters are read.

The order of precedence is: a byte order mark, `--encoding NAME`, the declaration in the file (XML declaration,
`meta charset`, the cookie of Python source code), detection (UTF-16 and UTF-32 by a regular pattern of null bytes, UTF-8,
`--encoding auto:NAME`, windows-1252). Nothing is guessed for JSON Lines without a declaration, because a wrong guess would
fill an index with wrong letters. A short text in a Western code page fits windows-1252, so cp850 without a declaration
is read as that.

| what is wrong | what happens |
| --- | --- |
| `--encoding` has an unknown name | an error before anything is read |
| `--encoding` does not fit a file | an error with the file and the byte; `--on-bad skip` skips and reports the file |
| `--encoding` does not fit a line of JSON Lines | a bad line, with its number |
| a file declares an unknown set, or one that does not fit | UTF-8 if the file is valid UTF-8, reported with the file; otherwise an error with the file and the byte |
| a file is valid UTF-8, and `--encoding` names another set | the named set; reported for each file, with `auto:NAME` as the way to read it as UTF-8 |
"""


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
