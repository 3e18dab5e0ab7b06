"""jq, pandas, polars, DuckDB and `datasets` read every table that is written, with the values that were written.

All tables are written once, of a small index whose texts have everything that a format must escape.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest
import tokenizers
from model_server import ModelServer
from record_lines import FIELDS, LINES

import explorer
from explorer.cli.commands import COMMANDS, command_parser
from explorer.cli.main import main
from explorer.corpus.tabular import Tabular
from explorer.export.columns import Batch, Column
from explorer.project import Index, KeptLines, LineSet, Project, Query, SavedQuery, save_project
from explorer.project.tables import place_of
from explorer.text.tokens.tokenizer import byte_alphabet

readers = pytest.importorskip("table_readers", reason="make test-all installs pandas, polars, duckdb, datasets and jq")
pytestmark = pytest.mark.nightly

# A carriage return, which not every writer of CSV quotes, is by itself in the second.
ODD = 'the cat "said": a,b;\r\nline two\ttab 😀 e\u0301 \x00\x1b[31m \u2028\x85 the cat\n'
RETURN = "the\rcat"
ROWS = [
    {"text": "the cat sat on the mat\n" + ODD, "year": 1999, "big": 2**53 + 1, "tags": ["a", 'b"c'], "name": "=1+1"},
    {"text": ODD * 2, "year": None, "big": 2**62, "name": "NA", "ok": True, "document": "mine"},
    {"text": f"the dog {RETURN}", "name": "", "share": 0.5, "a, b": RETURN, "ok": False},
    {"text": "the mat is plain", "year": 2003, "tags": [], "name": "007", "share": 0.25},
]


class Odd(Tabular):
    """A table with all kinds of columns, and with whole numbers that a float cannot hold."""

    def _columns(self) -> tuple[Column, ...]:
        return (
            Column("whole", "int64"),
            Column("unknown", "int64", nullable=True),
            Column("number", "float64", nullable=True),
            Column("sure", "bool", nullable=True),
            Column("text", "string", nullable=True),
            Column("texts", "list", parts=(Column("item", "string"),)),
            Column("pair", "struct", parts=(Column("x", "int64", nullable=True), Column("y", "string"))),
            Column("any", "json", nullable=True),
        )

    def _batches(self) -> Iterator[Batch]:
        yield {name: [row[name] for row in ODD_ROWS] for name in ODD_ROWS[0]}


ODD_ROWS: list[dict[str, Any]] = [
    {"whole": 2**53 + 1, "unknown": None, "number": math.nan, "sure": None, "text": ODD, "texts": []}
    | {"pair": {"x": None, "y": RETURN}, "any": {"a": [1, 2**53 + 1], "b": ODD}},
    {"whole": 2**63 - 1, "unknown": 2**53 + 1, "number": 0.1, "sure": True, "text": None, "texts": [ODD, RETURN, ""]}
    | {"pair": {"x": 2**53 + 1, "y": ""}, "any": None},
    {"whole": -(2**63), "unknown": None, "number": 2.0, "sure": False, "text": RETURN, "texts": ['"']}
    | {"pair": {"x": 1, "y": "a"}, "any": {"a": [], "b": None}},
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An index, and inputs of each kind."""
    home = tmp_path_factory.mktemp("readers")
    explorer.build_index(ROWS, home / "index", tokenizer="bytes")
    explorer.build_index(ROWS[:2], home / "grown", tokenizer="bytes")
    secrets = [{"text": f"+1 212 555 0100, =ann@a.org {ODD}", "year": 7}, {"text": "4111 1111 1111 1111 ::1"}]
    explorer.build_index(secrets, home / "private", tokenizer="bytes")
    rows = [*ROWS, {"text": "", "name": ODD}]
    (home / "a.jsonl").write_text("".join(json.dumps({**row, "ask": "who?"}) + "\n" for row in rows))
    (home / "t.txt").write_text(f"Mr. A: **the cat** sat on the mat {ODD}".replace("\0", ""), newline="")
    (home / "u.txt").write_text("Mr. B: the cat sat on a mat.")
    (home / "list.csv").write_text('pattern,label,owner\ncat,pet,"Ann\n""B"""\n(,odd,\ndog,=1,\n')
    turns = [{"role": "user", "content": "?"}, {"role": "assistant", "content": f"the cat {ODD}"}] * 2
    (home / "chat.json").write_text(json.dumps(turns))
    tokens = [{"start": 4 * n, "end": 4 * n + 4, "probability": n / 10} for n in range(5)]
    (home / "neural.jsonl").write_text(
        json.dumps({"id": "=n", "text": "the cat sat on a mat", "tokens": tokens}) + "\n"
    )
    corpus = explorer.open_index(home / "index")
    corpus.fgrams(3).write_arrays(home / "table")
    np.save(home / "tokens.npy", np.zeros((256, 2)))
    kept = KeptLines().with_mark(places := [place_of(line) for line in corpus.concordance("the").lines(0, 3)])
    cats = LineSet("cats", "1", Query("cat"), "", corpus.index.fingerprint, kept.with_note(places[:1], ODD))
    index = Index("1", "Small", ("index",), fingerprint=corpus.index.fingerprint)
    save_project(Project((index,), (SavedQuery("1", Query(ODD)),), (cats,), notes=ODD), home / "p.cxproj")
    return home


# ---------------------------------------------------------------- the library


def mixed(corpus, home):
    """The tables of a neural model beside the corpus."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(byte_alphabet(), []))
    tokenizer.save(str(home / "bytes.json"))
    model = corpus.model("levels")
    with ModelServer() as server, model.mixed_with(server.url, candidates=9) as both:
        written = list(both.write("the ", max_tokens=5, temperature=9))
        return {
            "token distribution": model.token_distribution("the ", home / "bytes.json"),
            "mixed shares": both.distribution("the "),
            "mixed text": both.text_of("the ", written),
            "no mixed text": both.text_of("the ", []),
        }


@pytest.fixture(scope="module")
def tables(home):
    """Every kind of table of the library, also without rows."""
    corpus = explorer.open_index(home / "index")

    def at(place):
        return explorer.ScoredToken(place, place + 1, -place)

    given = [{"text": "the cat\n😀", "note": ODD, "n": 2**53 + 1}, {"answer": 1}, {"text": "qqq", "note": RETURN}]
    return {
        "odd": Odd(),
        "next": corpus.next_tokens("the "),
        "no next": corpus.next_tokens("zzzz"),
        "agreement": corpus.agreement("the cat sat on"),
        "concordance": corpus.concordance("the"),
        "no concordance": corpus.concordance("nowhere"),
        "lines": corpus.concordance("the").table(5, fields=corpus.metadata_fields),
        "trace": corpus.trace("the cat sat on the mat " + ODD),
        "no trace": corpus.trace("qqq"),
        "traces": corpus.trace_many(given, on_bad="keep"),
        "no traces": corpus.trace_many([]),
        "comparison": corpus.compare_agreement(["the cat", "the dog"], groups=["=a", ODD]),
        "located": corpus.locate("the"),
        "not located": corpus.locate("nowhere"),
        "distribution": corpus.model("levels").distribution("the "),
        "score": corpus.model("levels").score("the cat " + ODD),
        "perplexity": corpus.model("infgram").perplexity(["the cat", "q"], sources=["=a", ODD]),
        "generated": corpus.model("levels").generate("the ", max_tokens=5),
        "probes": corpus.model("levels").probe(["the", "zz"], ["cat", ODD]),
        "ngrams": corpus.ngrams(3, top=40),
        "no ngrams": corpus.ngrams(3, min_count=10**6),
        "fgrams": corpus.fgrams(3, min_count=6),
        "clusters": corpus.clusters("the"),
        "no clusters": corpus.clusters("nowhere"),
        "duplicates": corpus.duplicates(1),
        "no duplicates": corpus.duplicates(60_000),
        "duplicate documents": corpus.duplicate_documents(),
        "repeats": corpus.repeats(1),
        "no repeats": corpus.repeats(65_535),
        "contamination": corpus.contamination([{"id": "=a", "question": "the cat sat " + ODD, "answer": ODD}]),
        "contamination board": explorer.contamination_board([corpus], [{"id": "=a", "question": "the cat sat " + ODD}]),
        "personal data": explorer.open_index(home / "private").personal_data(masked=False),
        "no personal data": corpus.personal_data(),
        "decontamination": corpus.decontamination([{"question": "the cat sat " + ODD}], n=2, share=0.1),
        "collocates": corpus.collocates("the", min_count=1),
        "word lengths": corpus.word_lengths(),
        "dispersion": corpus.dispersion(min_count=1),
        "diversity": corpus.diversity("year"),
        "strips": explorer.dispersion_strips(corpus, ["the", "cat"], by="year"),
        "no strips": explorer.dispersion_strips(corpus, ["nowhere"]),
        "keywords": corpus.keywords({"the": 3, ODD: 4}, min_count=1),
        "no keywords": corpus.keywords({"the": 3}, min_count=10**6),
        "no collocates": corpus.collocates("nowhere"),
        **mixed(corpus, home),
        "drafts": corpus.draft_bench(["the cat sat", ODD]),
        "mix": corpus.mix(explorer.ScoredText("the cat " + ODD, tuple(map(at, range(8 + len(ODD)))))),
        "mix sizes": corpus.mix_by_size(explorer.ScoredText("the cat", tuple(map(at, range(7)))), halvings=2),
        "metadata": corpus.metadata(),
        "no metadata": corpus.metadata(numbers=[]),
    }


def test_every_kind_of_table_is_here(tables):
    kinds = {
        name
        for name in dir(explorer)
        if isinstance(found := getattr(explorer, name), type) and issubclass(found, Tabular)
    }
    assert {type(table).__name__ for table in tables.values()} | {"Tabular"} == kinds | {"Odd"}


ENDINGS = (".parquet", ".csv", ".tsv", ".jsonl", ".xlsx")


@pytest.fixture(scope="module")
def written(tables, tmp_path_factory):
    """The folder with every table in every format, and the rows of each."""
    folder = tmp_path_factory.mktemp("written")
    for name, table in tables.items():
        for ending in ENDINGS:
            table.write(folder / f"{name}{ending}")
    rows = {name: [parsed(row) for row in table.to_arrow().to_pylist()] for name, table in tables.items()}
    assert readers.differences(ODD_ROWS, rows["odd"]) == []
    return folder, {**rows, "odd": ODD_ROWS}


JSON_COLUMNS = ("any", "extra", "metadata")
"""Columns with values of any shape, which are texts with JSON where a format has no other form for them."""


def parsed(row):
    return {name: json.loads(value) if name in JSON_COLUMNS and value else value for name, value in row.items()}


def as_cell(name, value, ending):
    """A value as a format holds it."""
    is_json = name in JSON_COLUMNS if ending == ".parquet" else isinstance(value, list | dict)
    if ending in (".jsonl", ".json") or value is None:
        return value
    if is_json:
        return json.dumps(value, ensure_ascii=False)
    if ending == ".parquet" or not isinstance(value, str):
        return value
    # Cells of tables have no control characters but line ends and tabs; an empty text is an empty cell.
    text = "".join(" " if character < " " and character not in "\t\r\n" else character for character in value)
    if ending == ".xlsx":
        return text.replace("\r\n", "\n").replace("\r", "\n") or None
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text or None


def reading(*endings):
    """Runs a test with each ending, and each library that reads it."""
    return pytest.mark.parametrize(
        ("ending", "reader"), [(ending, reader) for ending in endings for reader in readers.READERS[ending]]
    )


@reading(*ENDINGS)
def test_tables_of_the_library(written, ending, reader):
    read = readers.READERS[ending][reader]
    folder, tables = written
    wrong = {}
    for name, rows in tables.items():
        wanted = [{column: as_cell(column, value, ending) for column, value in row.items()} for row in rows]
        texts = {column for row in wanted for column, value in row.items() if isinstance(value, str)}
        if found := readers.differences(wanted, read(folder / f"{name}{ending}", texts), reader):
            wrong[name] = found
    assert wrong == {}


@pytest.mark.parametrize("reader", list(readers.STREAMS))
def test_tables_in_memory(tables, written, reader):
    wrong = {}
    for name, rows in written[1].items():
        wanted = [{column: as_cell(column, value, ".parquet") for column, value in row.items()} for row in rows]
        if found := readers.differences(wanted, readers.STREAMS[reader](tables[name]), reader):
            wrong[name] = found
    assert wrong == {}


# ---------------------------------------------------------------- the command line

FORMATS = {"csv": ".csv", "tsv": ".tsv", "jsonl": ".jsonl", "json": ".json"}


@pytest.fixture(scope="module")
def printed(home, tmp_path_factory):
    """The folder with what each command prints, in each format."""
    folder = tmp_path_factory.mktemp("printed")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        for name, line in LINES.items():
            for form, ending in FORMATS.items():
                out = io.StringIO(newline="")
                with redirect_stdout(out):
                    code = main([name.split()[0], *line.split(), "--format", form])
                assert (name, form, code) in {(name, form, 0), ("count patterns", form, 2)}
                (folder / f"{name}{ending}").write_text(out.getvalue(), encoding="utf-8", newline="")
                for made in ("new", "merged"):
                    shutil.rmtree(made, ignore_errors=True)
    return folder


def plain_rows(path):
    """What Python's own modules read."""
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".json":
            return json.load(file)["results"]
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in file]
        rows = csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t", strict=True)
        # An empty cell is an empty text or an unknown value.
        return [{name: value or None for name, value in row.items()} for row in rows]


def header(path):
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file, delimiter="," if path.suffix == ".csv" else "\t"))


@reading(*FORMATS.values())
def test_tables_of_the_command_line(printed, ending, reader):
    read = readers.READERS[ending][reader]
    wrong = {}
    for name in LINES:
        wanted = plain_rows(printed / f"{name}{ending}")
        texts = header(printed / f"{name}{ending}") if ending in (".csv", ".tsv") else ()
        if found := readers.differences(wanted, read(printed / f"{name}{ending}", texts), reader):
            wrong[name] = found
    assert wrong == {}


@pytest.fixture(scope="module")
def saved(home, printed, tmp_path_factory):
    """The folder with what each command writes by --out, in each format, and the names of the files.

    After what is printed, in each order of the tests: a command adds to an index.
    """
    folder = tmp_path_factory.mktemp("saved")
    names = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        for name, line in LINES.items():
            for ending in out_endings(name.split()[0]):
                path = folder / f"{name}{ending}"
                code = main([name.split()[0], *line.split(), "--out", str(path)])
                # Of the actions of a command, some have no lines to write, and refuse it.
                assert path.exists() is (code != 2 or name == "count patterns"), name
                if path.exists():
                    names.add((name, ending))
    assert names >= {(name, ending) for name in ("kwic", "kwic fields", "kwic none") for ending in (".csv", ".xlsx")}
    return folder, names


@cache
def out_endings(command):
    """The endings that --out of a command takes; of a command that changes an index, none."""
    (row,) = (one for one in COMMANDS if one.name == command)
    found = re.search(r"--out OUT (.*?)\n  -", command_parser(row).format_help(), re.DOTALL)
    return () if found is None or command == "add" else tuple(f".{one}" for one in re.findall(KINDS, found[1]))


KINDS = r"\b(parquet|csv|tsv|jsonl|json|xlsx)\b"


@reading(".parquet", ".csv", ".tsv", ".jsonl", ".json", ".xlsx")
def test_tables_as_files(saved, printed, ending, reader):
    read = readers.READERS[ending][reader]
    folder, names = saved
    wrong = {}
    for name in sorted(name for name, found in names if found == ending):
        rows = plain_rows(printed / f"{name}.jsonl")
        columns = {column for row in rows for column in row}
        if ending not in (".jsonl", ".json") and "metadata" in columns:
            # Each chosen field is a column of lines.
            rows = [{**row, **{field: row["metadata"].get(field) for field in FIELDS}} for row in rows]
            columns = (columns | {*FIELDS}) - {"metadata"} if name == "kwic fields" else columns - {"metadata"}
        wanted = [{column: as_cell(column, row.get(column), ending) for column in columns} for row in rows]
        texts = {column for row in wanted for column, value in row.items() if isinstance(value, str)}
        found = [unpacked(row, one) for row, one in zip_longest(wanted, read(folder / f"{name}{ending}", texts))]
        if different := readers.differences(wanted, found, reader):
            wrong[name] = different
    assert wrong == {}


def unpacked(wanted, found):
    """A row as it was read; values of any shape, which Parquet holds as JSON, as they are wanted."""
    parts = {name for name, value in (wanted or {}).items() if isinstance(value, list | dict)}
    return {
        name: json.loads(value) if name in parts and isinstance(value, str) else value for name, value in found.items()
    }
