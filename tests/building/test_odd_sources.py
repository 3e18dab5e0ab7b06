"""Encodings, tables, JSON, markup, pipes and folders: read by one rule, or left out and told."""

from __future__ import annotations

import gzip
import json
import math
import os
import random
import shutil
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from explorer import build_index, open_index
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.request import BuildRequest
from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents
from explorer.building.sources.source import noticed_lines
from explorer.core.files.encoding import NotTextError, decode_text
from explorer.core.files.json_text import parse_json, write_json
from explorer.errors import BuildError, SourceError
from explorer.index.layout import MAX_METADATA_LINE

GERMAN = "Grüße aus Köln: „schön“ kostet 5 € – naïve Café-Gäste.\n" * 3
RUSSIAN = "Привет, мир. Это обычный текст.\n" * 3
CHINESE = "这是一个普通的文本。\n第二行 with some English.\n" * 3
ENCODED = [
    (GERMAN, "cp1252", "windows-1252"),
    (GERMAN.replace("„", "").replace("“", "").replace("€", "").replace("–", "-"), "latin-1", "windows-1252"),
    (GERMAN, "utf-16", "utf-16-le"),
    (GERMAN, "utf-16-le", "utf-16-le"),
    (GERMAN, "utf-16-be", "utf-16-be"),
    (GERMAN, "utf-32", "utf-32-le"),
    (CHINESE, "utf-16-le", "utf-16-le"),
    (CHINESE, "utf-16-be", "utf-16-be"),
    (RUSSIAN, "utf-16-le", "utf-16-le"),
    (GERMAN, "utf-8-sig", "utf-8"),
    (RUSSIAN, "utf-8", "utf-8"),
]


def read(sources, options=None):
    state = ReadState()
    options = options or ReadOptions()
    sources = [sources] if isinstance(sources, Path) else sources
    files = list_files(sources, state, options.skip_bad, encoding=options.encoding)
    return list(read_documents(files, options, state)), state


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("text", "encoding", "told"), ENCODED)
def test_a_text_is_read_in_its_encoding_in_a_folder_and_by_itself(text, encoding, told, packed, alone, tmp_path):
    path = tmp_path / ("a.txt.gz" if packed else "a.txt")
    path.write_bytes(gzip.compress(text.encode(encoding)) if packed else text.encode(encoding))
    (document,), state = read(path if alone else tmp_path)
    assert document.text == text
    assert state.skipped == ({} if told == "utf-8" else {f"files read as {told}": 1})
    assert [problem.path for problem in state.problems] == ([] if told == "utf-8" else [str(path)])


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary files"),
        (b"\xff\xd8\xff\xe0\x10JFIF" + bytes(range(1, 256)), "binary files"),
        (RUSSIAN.encode("cp1251"), "files in an unknown encoding"),
        ("日本語のテキストです。".encode("shift_jis"), "binary files"),
        (random.Random(1).randbytes(5_000), "binary files"),
    ],
)
def test_what_is_not_text_is_left_out_with_its_reason(data, kind, alone, tmp_path):
    (tmp_path / "x.dat").write_bytes(data)
    (tmp_path / "good.txt").write_text("good")
    documents, state = read([tmp_path / "good.txt", tmp_path / "x.dat"] if alone else tmp_path)
    assert [document.text for document in documents] == ["good"]
    assert state.skipped == {kind: 1}
    assert state.problems[0].path == str(tmp_path / "x.dat") and state.problems[0].reason
    (tmp_path / "good.txt").unlink()
    with pytest.raises(SourceError, match=r"There is no text to index in .*for example .*x\.dat"):
        read(tmp_path / "x.dat" if alone else tmp_path)


def test_no_text_is_lost_whatever_its_encoding(scale):
    """A slow twin: what a text was encoded from comes back, or is refused, but never turns into other letters."""
    generator = random.Random(7)
    western = "abcdefghijklmnopqrstuvwxyz      \n.,éèàüößñçøåæ"
    for trial in range(scale(300, 20_000)):
        letters = western if trial % 3 else western + "€–„“…"
        text = "".join(generator.choice(letters[:30] if generator.random() < 0.9 else letters) for _ in range(200))
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"):
            try:
                assert decode_text(text.encode(encoding)).text == text, (encoding, text)
            except NotTextError:
                assert encoding == "cp1252"


def test_random_bytes_are_hardly_ever_text(scale):
    generator = random.Random(9)
    trials = scale(2_000, 100_000)
    taken = 0
    for _ in range(trials):
        try:
            decode_text(generator.randbytes(200))
            taken += 1
        except NotTextError:
            pass
    assert taken == 0


def test_folders_that_are_passed_over_are_named(tmp_path):
    source, elsewhere = tmp_path / "source", tmp_path / "elsewhere"
    for folder in (source / "sub" / ".git", source / "__pycache__", elsewhere):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text("text")
    (source / "link").symlink_to(elsewhere)
    (source / "gone.txt").symlink_to(tmp_path / "nowhere")
    (source / "linked.txt").symlink_to(elsewhere / "a.txt")
    (source / ".hidden").write_text("x")
    os.mkfifo(source / "pipe")
    documents, state = read(source)
    assert [document.path for document in documents] == ["linked.txt"]
    assert state.skipped == {"folders that were passed over": 3, "hidden or special files": 3}
    reasons = {Path(problem.path).name: problem.reason for problem in state.problems}
    assert set(reasons) == {".git", "__pycache__", "link", "gone.txt", ".hidden", "pipe"}
    assert "link to another folder" in reasons["link"] and "hidden" in reasons[".git"]
    assert "broken link" in reasons["gone.txt"] and "not a regular file" in reasons["pipe"]


def test_names_that_are_not_utf8_are_read(tmp_path):
    folder = os.fsencode(tmp_path)
    Path(os.fsdecode(folder + b"/caf\xe9.txt")).write_text("text one")
    Path(os.fsdecode(folder + b"/d\xe9.bin")).write_bytes(b"\0\1")
    build_index(tmp_path, tmp_path.parent / f"{tmp_path.name}-out", tokenizer="bytes")
    corpus = open_index(tmp_path.parent / f"{tmp_path.name}-out")
    assert corpus.document(0).metadata["path"] == r"caf\xe9.txt"


def test_a_pipe_is_a_source_that_the_estimate_does_not_use_up(tmp_path):
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    rows = "".join(json.dumps({"text": f"row {number} of the pipe"}) + "\n" for number in range(500))

    def feed(text):
        writer = threading.Thread(target=pipe.write_text, args=(text,), daemon=True)
        writer.start()
        return writer

    feed(rows)
    assert estimate_requested(BuildRequest((pipe,), tmp_path / "out", "train:300")).documents == 500
    assert estimate_requested(BuildRequest((pipe,), tmp_path / "out", "train:300")).documents == 500
    assert build_index(pipe, tmp_path / "out", tokenizer="train:300").document_count == 500
    corpus = open_index(tmp_path / "out")
    assert corpus.count(" of the pipe") == 500 and corpus.document(3).metadata["path"] == str(pipe)
    feed('{"text": "another"}\n')
    assert build_index(pipe, tmp_path / "other", tokenizer="bytes").document_count == 1
    feed("no json\n")
    with pytest.raises(SourceError, match=r"pipe\.jsonl, line 1: this is not JSON"):
        build_index(pipe, tmp_path / "third", tokenizer="bytes")


@pytest.mark.parametrize("source", ["-", "/dev/stdin"])
def test_standard_input_is_a_source(source, tmp_path):
    code = (
        f"from explorer import build_index; build_index({source!r}, {str(tmp_path / 'out')!r}, tokenizer='train:300')"
    )
    subprocess.run([sys.executable, "-P", "-c", code], input=b"text from a pipe " * 9, check=True, timeout=100)
    assert open_index(tmp_path / "out").count(" from a pipe") == 9


def test_a_device_is_refused_with_a_reason():
    with pytest.raises(SourceError, match="/dev/zero is a device"):
        list_files([Path("/dev/zero")], ReadState())


TABLE = '\ufeffid;text;year;code;note\n1;"two\nlines; quoted ""so""";1999;007;\n\n2;Größe;2000.5;12;x\n3;;;;y\n'


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".csv.zst"])
def test_rows_of_a_table_are_documents(encoding, ending, tmp_path):
    text = TABLE if encoding == "utf-8" else TABLE.removeprefix("\ufeff")
    data = (text.replace(";", "\t") if ending == ".tsv" else text).encode(encoding)
    pack = {".gz": gzip.compress, ".zst": zstandard.compress}.get(ending[4:], bytes)
    (tmp_path / f"a{ending}").write_bytes(pack(data))
    documents, state = read(tmp_path)
    between = "\t" if ending == ".tsv" else ";"
    assert [(d.text, d.linenum, d.metadata) for d in documents] == [
        (f'two\nlines{between} quoted "so"', 1, {"id": 1, "year": 1999, "code": "007"}),
        ("Größe", 4, {"id": 2, "year": 2000.5, "code": "12", "note": "x"}),
        ("", 5, {"id": 3, "note": "y"}),
    ]
    assert not state.skipped.keys() - {"files read as windows-1252", "files read as utf-16-le"}


def test_tables_that_are_wrong(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("name,body\nx,y\n")
    with pytest.raises(SourceError, match=r'a\.csv has no column "text" \(columns: name, body\)') as raised:
        read(path)
    assert raised.value.option == "text_field"
    path.write_text(",".join([f"f{number}" for number in range(32)] + ["texts"]) + "\n" + "x," * 32 + "y\n")
    with pytest.raises(SourceError, match=r"\(columns: texts, f0, f1, f2, f3, f4, f5, f6, f7, f8 and 23 more\)"):
        read(path)
    path.write_text("name,body\nx,y\n")
    assert read(path, ReadOptions("body"))[0][0].metadata == {"name": "x"}
    path.write_text("text,n\none,1\ntwo,2,3\nthree\n")
    with pytest.raises(SourceError, match=r"a\.csv, line 3: this row has 3 cells, but the header has 2"):
        read(path)
    documents, state = read(path, ReadOptions(skip_bad=True))
    assert [document.text for document in documents] == ["one", "three"] and state.skipped == {"bad lines": 1}
    path.write_text("text\n" + "x" * 3_000_000 + "\n")
    assert len(read(path)[0][0].text) == 3_000_000
    path.write_text("")
    with pytest.raises(SourceError, match="has no header row"):
        read(path)


def test_metadata_of_texts_from_a_table(tmp_path):
    source = tmp_path / "source"
    (source / "sub").mkdir(parents=True)
    for name in ("a.txt", "sub/b.txt", "c.txt"):
        (source / name).write_text(f"text of {name}")
    (source / "rows.jsonl").write_text('{"text": "row", "n": 1}\n')
    table = tmp_path / "table.csv"
    table.write_text("Path,year,author\n./a.txt,1999,Ä\nsub\\b.txt,2001,\ngone.txt,1,z\n", encoding="cp1252")
    made = build_index(source, tmp_path / "out", tokenizer="bytes", metadata=table)
    corpus = open_index(tmp_path / "out")
    found = {d.metadata["path"]: d.metadata["metadata"] for d in map(corpus.document, range(4))}
    assert found == {
        "a.txt": {"year": 1999, "author": "Ä"},
        "sub/b.txt": {"year": 2001},
        "c.txt": {},
        "rows.jsonl": {"n": 1},
    }
    assert made.skipped == {"rows of the metadata without a file": 1, "files without a row in the metadata": 1}
    # A row without values is a row.
    table.write_text("path,year\na.txt,\nsub/b.txt,2001\nc.txt,2002\n")
    made = build_index(source, tmp_path / "empty", tokenizer="bytes", metadata=table)
    assert made.skipped == {}
    for text, message in [
        ("path,year\nx,1\n", "No row of .* matches a source file"),
        ("id,year\nx,1\n", "no column that names the files"),
        ("path,n\na.txt,1\na.txt,2\n", "occurs twice"),
    ]:
        table.write_text(text)
        with pytest.raises(SourceError, match=message):
            build_index(source, tmp_path / "other", tokenizer="bytes", metadata=table)
    with pytest.raises(SourceError, match=r"none\.csv cannot be read"):
        build_index(source, tmp_path / "other", tokenizer="bytes", metadata=tmp_path / "none.csv")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_json_of_any_layout(pack, tmp_path):
    ending = {bytes: "", gzip.compress: ".gz", zstandard.compress: ".zst"}[pack]
    rows = [{"text": "one", "n": 1}, {"text": "two"}]
    layouts = {
        "array": json.dumps(rows),
        "pretty": json.dumps(rows, indent=2),
        "object": json.dumps(rows[0], indent=2),
        "lines": "".join(json.dumps(row) + "\n" for row in rows),
        "mark": "\ufeff" + json.dumps(rows),
    }
    for name, text in layouts.items():
        path = tmp_path / f"{name}.json{ending}"
        path.write_bytes(pack(text.encode()))
        documents, state = read(path)
        wanted = [("one", {"n": 1}), ("two", {})][: 1 if name == "object" else 2]
        assert [(d.text, d.metadata) for d in documents] == wanted, name
        assert not state.skipped
    path.write_bytes(pack(b'{"name": "package", "version": [1]}'))
    (document,), state = read(path)
    assert document.text == '{"name": "package", "version": [1]}'
    assert state.skipped == {"JSON files read as plain text": 1} and "name, version" in state.problems[0].reason
    with pytest.raises(SourceError, match=r"(line|object) 1:"):
        read(path, ReadOptions("body"))


def test_markup_is_left_out_and_told(tmp_path):
    html = (
        "<!DOCTYPE html><html><head><title>Title &amp; more</title><style>p{}</style></head><body>"
        "<p>One\n  two <b>bo</b>ld"
        "<script>if (a < b) {}</script><p>Three<br>four</p><pre>  kept\n  so</pre></body></html>"
    )
    (tmp_path / "a.html").write_text(html)
    (tmp_path / "b.xml").write_text(
        "<?xml version='1.0'?><a><title>x &lt; y</title><script>s</script><![CDATA[<c>]]></a>"
    )
    documents, state = read(tmp_path)
    lines = [line for line in documents[0].text.splitlines() if line.strip()]
    assert lines == ["One two bold", "Three", "four", "kept", "so"]
    assert "if (a" not in documents[0].text and "p{}" not in documents[0].text
    assert documents[1].text == "x < y\ns\n<c>"
    assert state.skipped == {"files read without their markup (HTML, XML)": 2}


def test_numbers_and_surrogates_in_json_follow_one_rule(tmp_path):
    digits = "7" * 5_000
    source = tmp_path / "a.jsonl"
    source.write_text(
        f'{{"text": "a \\ud800 b", "big": {digits}, "nan": NaN, "inf": Infinity, "minus": -Infinity, "e": 1e400, '
        f'"huge": {"9" * 400}, "name\\udc80": "\\ud83d\\ude00 \\udfff"}}\n'
    )
    build_index(source, tmp_path / "out", tokenizer="bytes")
    line = (tmp_path / "out" / "metadata.0").read_text()

    def refuse(name):
        raise AssertionError(name)

    written = json.loads(line, parse_constant=refuse)["metadata"]
    corpus = open_index(tmp_path / "out")
    metadata = corpus.document(0).metadata["metadata"]
    assert metadata == written
    assert metadata == {
        "big": digits,
        "nan": None,
        "inf": math.inf,
        "minus": -math.inf,
        "e": math.inf,
        "huge": int("9" * 400),
        "name\ufffd": "😀 \ufffd",
    }
    assert corpus.document(0).text == "a \ufffd b"


def test_values_of_parquet_are_those_of_json(tmp_path):
    table = pyarrow.table(
        {
            "text": pyarrow.array([b"one", "zw\u00e9i".encode()], pyarrow.binary()),
            "gap": [1.5, math.nan],
            "price": [Decimal("1.50"), Decimal("2.00")],
            "inner": [{"x": math.nan, "y": [1, 2]}, None],
        }
    )
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    first, second = read(tmp_path)[0]
    assert (first.text, second.text) == ("one", "zwéi")
    assert first.metadata == {"gap": 1.5, "price": 1.5, "inner": {"x": None, "y": [1, 2]}}
    assert second.metadata == {"gap": None, "price": 2, "inner": None}


def test_a_foreign_index_with_half_characters_is_read(byte_index, tmp_path):
    copy = shutil.copytree(byte_index, tmp_path / "copy")
    (copy / "index.json").unlink()
    count = open_index(byte_index).document_count
    lines = [b'{"path": "p\\ud800", "linenum": 0, "metadata": {"n": NaN, "\\udc00": ["\\ud83d\\ude00"]}}\n'] * count
    (copy / "metadata.0").write_bytes(b"".join(lines))
    offsets = b"".join((number * len(lines[0])).to_bytes(8, "little") for number in range(count))
    (copy / "metaoff.0").write_bytes(offsets)
    metadata = open_index(copy).document(1).metadata
    assert metadata == {"path": "p\ufffd", "linenum": 0, "metadata": {"n": None, "\ufffd": ["😀"]}}
    write_json(metadata).encode("utf-8")


def test_metadata_that_cannot_be_read_again_is_refused(tmp_path, monkeypatch):
    """The bound of writer and reader is one; a smaller one here, since 64 MiB take long."""
    most = 200_000
    for module in ("building.sources.readers", "index.metadata_lines"):
        monkeypatch.setattr(f"explorer.{module}.MAX_METADATA_LINE", most)
    good = {"text": "good", "m": "x" * (most - 300)}
    bad = {"text": "bad", "m": "\u20ac" * (most // 3)}
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (good, bad, {"text": "last"})))
    with pytest.raises(SourceError, match=r"a\.jsonl, line 2: its metadata has 200,\d+ bytes"):
        build_index(path, tmp_path / "out", tokenizer="bytes")
    made = build_index(path, tmp_path / "out", tokenizer="bytes", skip_bad=True)
    assert made.skipped == {"bad lines": 1}
    assert len(open_index(tmp_path / "out").document(0).metadata["metadata"]["m"]) == most - 300
    assert MAX_METADATA_LINE == 64 << 20


def test_json_is_written_so_that_all_can_read_it(scale):
    generator = random.Random(5)

    def value(depth):
        kind = generator.randrange(8 if depth else 6)
        if kind == 6:
            return [value(depth - 1) for _ in range(generator.randrange(4))]
        if kind == 7:
            return {
                str(generator.choice("ab\udc80é")) + str(i): value(depth - 1) for i in range(generator.randrange(4))
            }
        return generator.choice([math.nan, math.inf, -math.inf, 1, 1.0, True, None, "x\ud800", "\udcff", 10**400, 1e22])

    for _ in range(scale(500, 20_000)):
        made = value(3)
        text = write_json(made)
        text.encode("utf-8")
        assert "NaN" not in text and "Infinity" not in text
        assert write_json(parse_json(text)) == text


NO_JSON = ["[" * 100_000, "{", "nul", "\ufeff\ufeff1", b"\xff", b"\xed\xa0\x80", "1" * 5_000 + "x", ""]


@pytest.mark.parametrize("text", NO_JSON)
def test_what_is_not_json_is_a_plain_error(text):
    with pytest.raises(ValueError, match="this is not"):
        parse_json(text)


def test_what_was_noticed_is_told_by_name_with_its_number(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for number in range(25):
        (source / f"latin{number:02}.txt").write_bytes(f"{GERMAN} {number}".encode("cp1252"))
    (source / "x.png").write_bytes(b"\x89PNG\0")
    (source / "a.txt.gz").write_bytes(gzip.compress(b"kept text " * 5_000)[:40])
    estimate = estimate_requested(BuildRequest((source,), tmp_path / "out", "bytes", skip_bad=True))
    assert estimate.noticed == {"binary files": ["x.png (this is a picture; it contains no text)"]}
    made = build_index(source, tmp_path / "out", tokenizer="bytes", skip_bad=True)
    assert made.skipped["files read as windows-1252"] == 25
    assert made.noticed["files read as windows-1252"] == [f"latin{number:02}.txt" for number in range(20)]
    lines = noticed_lines(made.skipped, made.noticed)
    assert "files read as windows-1252 (25): latin00.txt; latin01.txt; latin02.txt; …" in lines
    assert open_index(tmp_path / "out").index.local.manifests[0].noticed == made.noticed
    report = json.loads((tmp_path / "out" / "report.json").read_text())["problems"]
    assert {row["kind"] for row in report} == set(made.skipped) and len(report) == 27
    (tmp_path / "bad.txt.gz").write_bytes(gzip.compress(b"text")[:8])
    with pytest.raises(SourceError, match=r"no text to index.*bad\.txt\.gz \(is cut short"):
        build_index(tmp_path / "bad.txt.gz", tmp_path / "other", tokenizer="bytes", skip_bad=True)


JAPANESE = "これは普通の文章です。日本語の文字。\n" * 3
PICTURE = b"\xff\xd8\xff\xe0\x10JFIF" + bytes(range(1, 256)) * 40


@pytest.mark.parametrize(("text", "encoding"), [(RUSSIAN, "koi8-r"), (RUSSIAN, "cp1251"), (JAPANESE, "shift_jis")])
def test_a_text_in_an_unknown_encoding_is_read_as_told(text, encoding, tmp_path):
    (tmp_path / "old.txt").write_bytes(text.encode(encoding))
    (tmp_path / "new.txt").write_text(GERMAN, encoding="utf-8")
    (tmp_path / "photo.jpg").write_bytes(PICTURE)
    documents, state = read(tmp_path)
    assert [document.path for document in documents] == ["new.txt"]
    documents, state = read(tmp_path, ReadOptions(encoding=f"auto:{encoding}"))
    assert {document.path: document.text for document in documents} == {"new.txt": GERMAN, "old.txt": text}
    # A code page has a letter for nearly every byte, but a picture is still none.
    assert [problem.path for problem in state.problems if problem.kind == "binary files"] == [
        str(tmp_path / "photo.jpg")
    ]
    assert state.skipped[f"files read as {encoding}"] == 1


def test_an_index_states_the_encoding_of_its_build(tmp_path):
    # Longer than a sample: its pieces are read in the same encoding.
    (tmp_path / "old.txt").write_bytes((RUSSIAN * 20_000).encode("koi8-r"))
    request = BuildRequest((tmp_path / "old.txt",), tmp_path / "out", "bytes", encoding="koi8-r")
    assert estimate_requested(request).samples[0].beginning.startswith("Привет, мир.")
    (tmp_path / "old.txt").write_bytes(RUSSIAN.encode("koi8-r"))
    manifest = build_index(tmp_path / "old.txt", tmp_path / "out", tokenizer="bytes", encoding="koi8-r")
    assert manifest.parameters["encoding"] == "koi8-r"
    assert open_index(tmp_path / "out").count("Привет") == 3
    # Builds that older versions began know nothing of it, and are still resumed.
    assert "encoding" not in BuildRequest((tmp_path,), tmp_path / "out").parameters


@pytest.mark.parametrize("name", ["klingon", "zlib", "no\0name", "auto:klingon", "auto:"])
def test_an_encoding_that_is_none_is_refused(name, tmp_path):
    with pytest.raises(BuildError, match="is not an encoding of text"):
        BuildRequest((tmp_path,), tmp_path / "out", encoding=name).check()
