"""A declared character set wins, for every kind of file; what does not fit is an error or is reported."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.core.files.encoding import NotTextError, decode_text
from explorer.errors import SourceError

WORDS = "zażółć gęślą jaźń"
SETS = {
    "cp850": "café crème",
    "latin-1": "café crème",
    "iso-8859-2": WORDS,
    "cp1250": WORDS,
    "koi8-r": "обычный текст",
    "cp1251": "обычный текст",
    "shift_jis": "日本語の文章です",
    "euc_jp": "日本語の文章です",
    "iso2022_jp": "日本語の文章です",
    "gb18030": "这是普通的文本",
    "big5": "這是普通的文字",
    "cp949": "평범한 글입니다",
    "utf-16-le": WORDS,
    "utf-32-be": WORDS,
    "utf-7": WORDS,
}


def written(kind, words):
    """The content of a file of a kind whose only document is these words."""
    return {
        "txt": words,
        "md": words,
        "html": f"<p>{words}</p>",
        "xml": f"<p>{words}</p>",
        "json": json.dumps({"text": words}, ensure_ascii=False),
        "jsonl": json.dumps({"text": words}, ensure_ascii=False) + "\n",
        "csv": f"n,text\n1,{words}\n",
        "tsv": f"n\ttext\n1\t{words}\n",
    }[kind]


def read(path, encoding="", skip_bad=False):
    state = ReadState()
    options = ReadOptions(encoding=encoding, skip_bad=skip_bad)
    files = list_files([path], state, skip_bad, encoding=encoding)
    return [document.text for document in read_documents(files, options, state)], state


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("kind", ["txt", "md", "html", "xml", "json", "jsonl", "csv", "tsv"])
@pytest.mark.parametrize("name", SETS)
def test_the_character_set_that_the_user_names_wins(name, kind, pack, tmp_path):
    path = tmp_path / f"a.{kind}{'.gz' if pack is gzip.compress else ''}"
    path.write_bytes(pack(written(kind, SETS[name]).encode(name)))
    texts, state = read(path, name)
    assert texts == [SETS[name]]
    assert state.skipped.keys() <= {f"files read as {name}", "files read without their markup (HTML, XML)"}


@pytest.mark.parametrize(
    ("name", "head", "declared"),
    [
        ("a.xml", '<?xml version="1.0" encoding="{}"?><p>{}</p>', "iso-8859-2"),
        ("a.xml", "<?xml version='1.0' encoding='{}' standalone='yes'?>\n<p>{}</p>", "ISO-8859-2"),
        ("a.html", '<html><head><meta charset="{}"></head><body>{}', "windows-1250"),
        ("a.html", '<!-- <meta charset="koi8-r"> --><meta charset={}><p>{}', "iso-8859-2"),
        ("a.htm", '<META http-equiv="Content-Type" content="text/html; charset={}"><p>{}', "iso-8859-2"),
        ("a.xhtml", '<?xml version="1.0" encoding="{}"?><html><body><p>{}</p></body></html>', "iso-8859-2"),
        ("a.py", "# -*- coding: {} -*-\n{}", "iso-8859-2"),
        ("a.py", "#!/usr/bin/python\n# vim: set fileencoding={} :\n{}", "iso-8859-2"),
    ],
)
def test_the_character_set_that_a_file_declares_wins(name, head, declared, tmp_path):
    (tmp_path / name).write_bytes(head.format(declared, WORDS).encode(declared))
    (text,), state = read(tmp_path)
    assert text.endswith(WORDS) and state.skipped[f"files read as {declared.lower()}"] == 1


def test_a_byte_order_mark_precedes_the_user_and_the_user_precedes_the_file(tmp_path):
    path = tmp_path / "a.xml"
    text = f'<?xml version="1.0" encoding="iso-8859-5"?><p>{WORDS}</p>'
    path.write_bytes(text.encode("iso-8859-2"))
    assert read(path, "iso-8859-2")[0] == [WORDS]
    path.write_bytes(text.encode("utf-8-sig"))
    assert read(path, "koi8-r")[0] == [WORDS]
    for kind in ("txt", "jsonl", "csv", "json"):
        path = tmp_path / f"b.{kind}"
        path.write_bytes(written(kind, WORDS).encode("utf-8-sig"))
        assert read(path, "koi8-r")[0] == [WORDS], kind


def test_a_declaration_that_does_not_fit_is_reported(tmp_path):
    path = tmp_path / "a.xml"
    # Programs write UTF-8 after a declaration of UTF-16.
    for declared in ("klingon", "us-ascii", "euc-jp", "utf-16"):
        path.write_text(f'<?xml version="1.0" encoding="{declared}"?><p>{WORDS}</p>', encoding="utf-8")
        texts, state = read(path)
        assert texts == [WORDS], declared
        kinds = {"files that declare a wrong character set (read as UTF-8)"} if declared != "utf-16" else set()
        assert state.skipped.keys() - {"files read without their markup (HTML, XML)"} == kinds
    path.write_bytes('<?xml version="1.0" encoding="klingon"?><p>ŁÓDŹ</p>'.encode("iso-8859-2"))
    with pytest.raises(
        SourceError, match=r'a\.xml cannot be decoded: it declares "klingon", but klingon is not a character'
    ):
        read(path)
    (tmp_path / "b.txt").write_text("good")
    texts, state = read(tmp_path, skip_bad=True)
    assert texts == ["good"] and state.skipped == {"files that are not in the declared character set": 1}


@pytest.mark.parametrize("kind", ["txt", "html", "xml", "csv", "json"])
def test_a_named_set_that_does_not_fit_is_an_error_with_the_file_and_the_byte(kind, tmp_path):
    path = tmp_path / f"a.{kind}"
    path.write_bytes(written(kind, WORDS).encode("cp850", "replace") + b"\x81")
    with pytest.raises(SourceError, match=rf"a\.{kind} cannot be decoded: byte [\d,]+ \(0x81\) does not fit cp1252"):
        read(path, "cp1252")


def test_a_line_that_does_not_fit_is_a_bad_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "one"}\n{"text": "\x81"}\n{"text": "caf\xe9"}\n')
    with pytest.raises(SourceError, match=r"a\.jsonl, line 2: this is not cp1252 \(byte 11\)"):
        read(path, "cp1252")
    assert read(path, "cp1252", skip_bad=True)[0] == ["one", "café"]
    # Without a declaration, nothing is guessed for records.
    with pytest.raises(SourceError, match=r"line 2: this is not UTF-8"):
        read(path)
    path.write_bytes('{"text": "größe"}\n'.encode() + '{"text": "größe"}\n'.encode("cp850"))
    assert read(path, "auto:cp850")[0] == ["größe", "größe"]


def test_valid_utf8_that_is_read_in_the_named_set_is_reported(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(WORDS, encoding="utf-8")
    texts, state = read(path, "koi8-r")
    assert texts == [WORDS.encode().decode("koi8-r")]
    assert "auto:koi8-r" in state.problems[0].reason


@pytest.mark.parametrize(
    "data", [b"ab\0cd", b"It was a bright cold day\0, and the clocks\n" * 9, "naïve\0 é\n".encode()]
)
def test_a_null_byte_in_a_text_is_kept_and_reported(data, tmp_path):
    (tmp_path / "a.txt").write_bytes(data)
    (text,), state = read(tmp_path)
    assert text == data.decode() and state.skipped == {"files with null bytes (kept)": 1}


@pytest.mark.parametrize("data", [b"\0", b"crc\0", b"\0\0\0\0", b"a\0" + b"\0" * 50, b"\1\0\2\3abc"])
def test_many_null_bytes_are_binary_data(data):
    with pytest.raises(NotTextError):
        decode_text(data)


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text", ["plain text", "обычный текст. \n" * 9, "这是一个普通的文本。\nEnglish.\n", "naïve", "ab"]
)
def test_wide_text_without_a_mark_is_recognized(text, name):
    assert decode_text(text.encode(name)).text == text


FOREIGN = [
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "a document of old Microsoft Office", "LibreOffice"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99 + "__substg1.0_001A001F".encode("utf-16-le"),
        "an Outlook message",
        "msgconvert",
    ),
    (b"%!PS-Adobe-3.0\n", "a PostScript document", "ps2ascii"),
]


@pytest.mark.parametrize("ending", ["", "txt", "html", "csv", "jsonl", "xml", "md"])
@pytest.mark.parametrize(("data", "what", "remedy"), FOREIGN)
def test_documents_of_other_programs_are_refused_by_name(data, what, remedy, ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=rf"no text to index.*this is {re.escape(what)}.*{remedy}"):
        read(path)
    (tmp_path / "b.txt").write_text("good")
    for encoding in ("", "latin-1"):
        texts, state = read(tmp_path, encoding)
        assert texts == ["good"] and state.skipped["documents in formats that are not read"] == 1
