"""Each reader gets thousands of damaged inputs: a document, or an error that names the file; no other exception."""

from __future__ import annotations

import gzip
import io
import json
import random
from datetime import datetime
from pathlib import Path

import fastavro
import pyarrow
import pyarrow.ipc
import pyarrow.orc
import pyarrow.parquet
import pypdf
import pytest
from pypdf.generic import DecodedStreamObject

from explorer.building.sources.readers import ReadOptions, ReadState, list_files, read_documents, source_file
from explorer.building.sources.side_metadata import match_files, read_side
from explorer.errors import SourceError

FIXTURES = Path(__file__).resolve().parents[1] / "data" / "kinds"
WORDS = 'Grüße, zażółć gęślą jaźń; 日本語 “quoted” <b>x</b> &amp; 5" disk\n'
XML = (
    '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE TEI [<!ENTITY a "ä"><!-- ] > --><!ENTITY b "&a;&a;">]>\n'
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>T</title></teiHeader><text><p>w<hi>or</hi>d &a; &b;'
    "</p><l>one</l><l>two</l><![CDATA[<raw>]]><?pi a?><!-- c --></text></TEI>"
)
HTML = (
    '<!DOCTYPE html [<!ENTITY x "y">]><html><head><meta charset="utf-8"><title>T</title><style>p{}</style></head>'
    "<body><div>one</div>two<option>three<script>if (a<b) {}</script><pre> a  b </pre><!-- c --><td>x</td></body>"
)
ROWS = [{"text": f"row {n} é", "n": n, "v": "1.10", "inner": {"a": [n, None]}} for n in range(9)]
TABLE = 'text,n,version\n"a ""quoted"", text",1,1.10\n"two\nlines",2,01234\nplain 5" disk,,x\n'


def columns(write):
    times = pyarrow.array([datetime(2020, 1, n + 1) for n in range(9)], pyarrow.timestamp("ns", "Europe/Berlin"))
    out = io.BytesIO()
    write(pyarrow.Table.from_pylist(ROWS).append_column("at", times), out)
    return out.getvalue()


def arrow(make):
    def write(table, out):
        with make(out, table.schema) as writer:
            writer.write_table(table, max_chunksize=4)

    return columns(write)


def avro(codec):
    fields = [{"name": "text", "type": "string"}, {"name": "n", "type": ["null", {"type": "array", "items": "long"}]}]
    out = io.BytesIO()
    rows = [{"text": row["text"], "n": [row["n"]]} for row in ROWS]
    fastavro.writer(out, {"type": "record", "name": "Row", "fields": fields}, rows, codec=codec, sync_interval=40)
    return out.getvalue()


def uncompressed(path):
    writer = pypdf.PdfWriter(clone_from=path)
    content = DecodedStreamObject()
    content.set_data(writer.pages[0].get_contents().get_data())
    writer.pages[0].replace_contents(content)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


INPUTS = {
    "txt": lambda: WORDS.encode() * 3,
    "py": lambda: b"# -*- coding: iso-8859-2 -*-\n" + "zażółć".encode("iso-8859-2"),
    "utf16.txt": lambda: WORDS.encode("utf-16"),
    "html": HTML.encode,
    "xml": XML.encode,
    "tei": lambda: XML.replace("utf-8", "utf-16").encode("utf-16"),
    "csv": TABLE.encode,
    "tsv": lambda: TABLE.replace(",", "\t").encode(),
    "json": lambda: json.dumps(ROWS, ensure_ascii=False).encode(),
    "jsonl": lambda: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode("cp1252"),
    "jsonl.gz": lambda: gzip.compress(b'{"text": "one"}\n{"text": "two"}\n'),
    "parquet": lambda: columns(pyarrow.parquet.write_table),
    "arrow": lambda: arrow(pyarrow.ipc.new_file),
    "stream.arrow": lambda: arrow(pyarrow.ipc.new_stream),
    "orc": lambda: columns(pyarrow.orc.write_table),
    "avro": lambda: avro("null"),
    "deflated.avro": lambda: avro("deflate"),
    "pdf": (FIXTURES / "reportlab.pdf").read_bytes,
    "plain.pdf": lambda: uncompressed(FIXTURES / "cairo.pdf"),
    "xlsx": (FIXTURES / "xlsxwriter.xlsx").read_bytes,
    "ods": (FIXTURES / "libreoffice.ods").read_bytes,
    "xls": (FIXTURES / "libreoffice.xls").read_bytes,
}
SPECIAL = [
    b"\0", b'"', b"<", b">", b"&", b"\t", b"\n", b"\r", b"]]>", b"<!--", b"<![CDATA[", b"<!DOCTYPE", b"<?xml",
    b"\xff\xfe", b"\xef\xbb\xbf", b"%PDF-1.4", b"PK\x03\x04", b'<meta charset="', b"encoding='x'", b"\xed\xa0\x80",
    b"</head>", b"1e999", b"<![X[", b"1 0 R", b"endobj", b"stream\n",
]  # fmt: skip
ENCODINGS = ("", "", "cp850", "auto:koi8-r", "shift_jis", "utf-16", "utf-8", "iso2022_jp")


def mutated(data, generator):
    """The data with some bytes changed, removed, doubled, or replaced by what readers look for."""
    found = bytearray(data)
    for _ in range(generator.choice([1, 2, 5, 30])):
        at = generator.randrange(len(found) + 1)
        kind = generator.randrange(5)
        if kind == 0:
            found[at : at + 1] = bytes([generator.randrange(256)])
        elif kind == 1:
            del found[at : at + generator.randrange(1, 40)]
        elif kind == 2:
            found[at:at] = found[at : at + generator.randrange(1, 60)]
        else:
            found[at:at] = generator.choice(SPECIAL)
    return bytes(found)


@pytest.mark.parametrize("kind", INPUTS)
def test_mutated_inputs_are_documents_or_errors(kind, tmp_path, scale):
    data = INPUTS[kind]()
    path = tmp_path / f"a.{kind}"
    documents = errors = 0
    for seed in range(scale(60, 2_000)):
        generator = random.Random(seed)
        path.write_bytes(mutated(data, generator))
        options = ReadOptions(skip_bad=generator.random() < 0.5, encoding=generator.choice(ENCODINGS))
        state = ReadState()
        try:
            files = list_files([path], state, options.skip_bad, encoding=options.encoding)
            for document in read_documents(files, options, state):
                document.text.encode("utf-8", "surrogatepass")
                documents += 1
            errors += bool(state.problems)
        except SourceError as error:
            errors += 1
            assert "a." in str(error) and "Traceback" not in str(error)
    assert documents and errors


def test_mutated_tables_of_metadata_are_rows_or_errors(tmp_path, scale):
    data = b'path,year,author\na.txt,1999,x\nb.txt,2000,"y"\n'
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).touch()
    files = [source_file(tmp_path / name, name) for name in ("a.txt", "b.txt")]
    table = tmp_path / "table.csv"
    found = errors = 0
    for seed in range(scale(100, 2_000)):
        generator = random.Random(seed)
        table.write_bytes(mutated(data, generator))
        try:
            match = match_files(read_side(str(table), generator.choice(ENCODINGS)), files)
            found += len(match.side)
        except SourceError as error:
            errors += 1
            assert "table.csv" in str(error)
    assert found and errors


@pytest.mark.parametrize(
    "text",
    [
        "<a>" * 20_000,
        "<" * 20_000,
        "<!--" * 5_000,
        "<![CDATA[" * 5_000,
        "<!DOCTYPE a [" + "<!--" * 5_000,
        "<!DOCTYPE a " + '"' * 20_001,
        "<?" * 20_000,
        "<!" * 100_000,
        "<!DOCTYPE" * 20_000,
        "<![X[" * 20_000,
        "</" * 50_000,
        "&" * 20_000,
        '<!DOCTYPE a [<!ENTITY x0 "ha">'
        + "".join(f'<!ENTITY x{n} "&x{n - 1};&x{n - 1};&x{n - 1};">' for n in range(1, 40))
        + "]><a>&x39;</a>",
        '<!DOCTYPE a [<!ENTITY x "' + "ha" * 50_000 + '">]><a>' + "&x;" * 2_000 + "</a>",
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>',
    ],
)
@pytest.mark.parametrize("ending", ["xml", "html"])
def test_hostile_markup_is_harmless(text, ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    path.write_text(text)
    state = ReadState()
    (document,) = read_documents(list_files([path], state), ReadOptions(), state)
    assert len(document.text) < 4_000_000 and "localhost" not in document.text
