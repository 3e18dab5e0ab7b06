"""Tables as pandas, polars, DuckDB, `datasets` and jq read them: one list of rows by column, whoever reads."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Read by the libraries below when they are imported: a test neither asks the network nor writes to the home folder.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = os.path.join(os.environ["CORPUS_EXPLORER_CACHE"], "datasets")

import datasets
import duckdb
import pandas
import polars

Rows = list[dict[str, Any]]
Reader = Callable[[Path, Collection[str]], Rows]
"""Reads a file; the second argument names the columns of texts, whose values could be taken for numbers."""

# They are for people at a terminal.
datasets.disable_progress_bars()
_SEPARATORS = {".csv": ",", ".tsv": "\t"}


def _pandas_separated(path: Path, texts: Collection[str]) -> Rows:
    # Without these words, a text "NA" is a missing value.
    kinds = dict.fromkeys(texts, str)
    separator = _SEPARATORS[path.suffix]
    frame = pandas.read_csv(path, sep=separator, dtype=kinds, keep_default_na=False, na_values=[""])
    return list(frame.to_dict("records"))


def _polars_separated(path: Path, texts: Collection[str]) -> Rows:
    kinds = dict.fromkeys(texts, polars.String)
    separator = _SEPARATORS[path.suffix]
    return list(polars.read_csv(path, separator=separator, schema_overrides=kinds, infer_schema_length=None).to_dicts())


def _duckdb(call: str, path: Path) -> Rows:
    # Through Arrow, since DuckDB's own rows need one more package for times.
    return list(duckdb.sql(call.replace("PATH", f"'{path}'")).to_arrow_table().to_pylist(maps_as_pydicts="strict"))


def _duckdb_separated(path: Path, texts: Collection[str]) -> Rows:
    kinds = json.dumps(dict.fromkeys(texts, "VARCHAR")).replace("'", "''").replace('"', "'")
    # The header is named, because a table of texts alone does not show that it has one.
    return _duckdb(f"FROM read_csv(PATH, delim='{_SEPARATORS[path.suffix]}', header=true, types={kinds})", path)


def _datasets(form: str, path: Path, **options: Any) -> Rows:
    # As a stream: an empty table is no error then, and nothing is written to a cache.
    found = datasets.load_dataset(form, data_files=str(path), split="train", streaming=True, **options)
    return list(found)


def _datasets_separated(path: Path, texts: Collection[str]) -> Rows:
    options = {"sep": _SEPARATORS[path.suffix], "keep_default_na": False, "na_values": [""]}
    with path.open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file, delimiter=_SEPARATORS[path.suffix]))
    # Its types are those of all columns or of none.
    kinds = datasets.Features(dict.fromkeys(header, datasets.Value("string"))) if {*header} <= {*texts} else None
    return _datasets("csv", path, features=kinds, **options)


def _pandas_lines(path: Path, _: Collection[str]) -> Rows:
    # A text of digits stays a text, and a number keeps its last digits.
    return list(pandas.read_json(path, lines=True, dtype=False, precise_float=True).to_dict("records"))


def _polars_lines(path: Path, _: Collection[str]) -> Rows:
    # An empty file has no columns, which polars does not guess.
    return polars.read_ndjson(path, infer_schema_length=None).to_dicts() if path.stat().st_size else []


def _datasets_lines(path: Path, _: Collection[str]) -> Rows:
    return _datasets("json", path) if path.stat().st_size else []


def _jq(program: str, path: Path) -> Rows:
    import jq

    return list(jq.compile(program).input(text=path.read_bytes().decode()).all())


def _pandas_object(path: Path, _: Collection[str]) -> Rows:
    return list(pandas.json_normalize(json.loads(path.read_bytes())["results"], max_level=0).to_dict("records"))


def _polars_object(path: Path, _: Collection[str]) -> Rows:
    return list(polars.read_json(path, infer_schema_length=None)["results"][0])


def _duckdb_object(path: Path, _: Collection[str]) -> Rows:
    return [row["found"] for row in _duckdb("SELECT unnest(results) AS found FROM read_json(PATH)", path)]


def _datasets_object(path: Path, _: Collection[str]) -> Rows:
    return _datasets("json", path, field="results") if json.loads(path.read_bytes())["results"] else []


def _workbook(path: Path, texts: Collection[str]) -> Rows:
    kinds = dict.fromkeys(texts, str)
    return list(pandas.read_excel(path, dtype=kinds, keep_default_na=False, na_values=[""]).to_dict("records"))


_SEPARATED: dict[str, Reader] = {
    "pandas": _pandas_separated,
    "polars": _polars_separated,
    "duckdb": _duckdb_separated,
    "datasets": _datasets_separated,
}
READERS: dict[str, dict[str, Reader]] = {
    ".csv": _SEPARATED,
    ".tsv": _SEPARATED,
    ".jsonl": {
        "pandas": _pandas_lines,
        "polars": _polars_lines,
        "duckdb": lambda path, _: _duckdb("FROM read_json(PATH)", path),
        "datasets": _datasets_lines,
        "jq": lambda path, _: _jq(".", path),
    },
    ".json": {
        "pandas": _pandas_object,
        "polars": _polars_object,
        "duckdb": _duckdb_object,
        "datasets": _datasets_object,
        "jq": lambda path, _: _jq(".results[]", path),
    },
    ".parquet": {
        "pandas": lambda path, _: pandas.read_parquet(path).to_dict("records"),
        "polars": lambda path, _: polars.read_parquet(path).to_dicts(),
        "duckdb": lambda path, _: _duckdb("FROM read_parquet(PATH)", path),
        "datasets": lambda path, _: _datasets("parquet", path),
    },
    # The others need an engine of their own for workbooks, or an extension from the network.
    ".xlsx": {"pandas": _workbook},
}
"""Who reads the files of each ending."""
STREAMS: dict[str, Callable[[Any], Rows]] = {
    "pandas": lambda given: list(pandas.DataFrame.from_arrow(given).to_dict("records")),
    "polars": lambda given: list(polars.DataFrame(given).to_dicts()),
    "duckdb": lambda given: list(duckdb.sql("FROM given").to_arrow_table().to_pylist()),
}
"""Who reads a table in memory."""
# PyPI has no wheel of jq for Windows.
if find_spec("jq") is None:
    for readers in READERS.values():
        readers.pop("jq", None)


def alike(wanted: Any, found: Any, rounded: bool = False) -> bool:
    """Whether a reader has found a value.

    wanted: the value; None is unknown. found: what was read; a reader may hold it in a type of its own, and write an
    unknown value as NaN. rounded: whether whole numbers, true and false are floats to the reader.
    """
    if hasattr(found, "tolist"):
        found = found.tolist()
    if wanted is None or (isinstance(wanted, float) and math.isnan(wanted)):
        return found is None or found is pandas.NaT or found != found
    if isinstance(wanted, Mapping):
        # What one row lacks and another one has is unknown to readers with columns.
        return isinstance(found, Mapping) and all(
            alike(wanted.get(name), found.get(name), rounded) for name in {*wanted, *found}
        )
    if isinstance(wanted, list | tuple):
        pairs = zip(wanted, found, strict=True) if len(wanted) == len(found) else [(0, 1)]
        return all(alike(one, other, rounded) for one, other in pairs)
    # DuckDB and `datasets` take a text that is a time for one, in UTC.
    if isinstance(found, datetime) and isinstance(wanted, str):
        return datetime.fromisoformat(wanted) == (found if found.tzinfo else found.replace(tzinfo=UTC))
    if isinstance(wanted, float) or (rounded and isinstance(wanted, int)):
        # `datasets` writes objects of different fields as JSON in between, with ten decimals.
        return isinstance(found, int | float) and math.isclose(wanted, found, rel_tol=1e-9, abs_tol=1e-10)
    # A text is equal to a text only, true is not 1, and a whole number has all digits.
    return isinstance(wanted, bool) == isinstance(found, bool) and bool(wanted == found)


def _has_unknown(value: Any) -> bool:
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return value is None or any(map(_has_unknown, parts))


def differences(wanted: Rows, found: Rows, reader: str = "") -> list[str]:
    """The first values that a reader has read as something else."""
    if len(wanted) != len(found):
        return [f"{len(found)} rows instead of {len(wanted)}"]
    # jq has floats alone; pandas, through which `datasets` reads CSV, makes floats of numbers beside unknown values.
    names = {name for row in wanted for name in row} if reader in ("jq", "pandas", "datasets") else ()
    rounded = {name for name in names if reader == "jq" or any(_has_unknown(row.get(name)) for row in wanted)}
    wrong = [
        f"row {number}, {name}: {row.get(name)!r} instead of {value!r}"
        for number, (expected, row) in enumerate(zip(wanted, found, strict=True))
        for name, value in expected.items()
        if not (name in row and alike(value, row[name], name in rounded))
    ]
    return wrong[:3]
