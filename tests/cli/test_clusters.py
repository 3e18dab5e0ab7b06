"""Clusters on the command line."""

import json

import pytest

from explorer import build_index
from explorer.cli.main import main

TEXTS = ["The cat sat. The cat ran", "a cat; the dog", "=SUM(1) cat"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clusters")
    rows = [{"text": text, "year": 2000 + at} for at, text in enumerate(TEXTS)]
    build_index(rows, folder / "index", tokenizer="bytes")
    build_index([{"text": "... !!!"}, {"text": "?"}], folder / "signs", tokenizer="bytes")
    return folder


def answer(home, capsys, *options):
    assert main(["clusters", str(home / "index"), *options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_clusters_are_listed_with_what_all_of_them_are(home, capsys):
    found = answer(home, capsys, "CAT", "--size", "2")
    rows = {row["form"]: (row["count"], row["documents"]) for row in found["rows"]}
    others = dict.fromkeys(("cat sat", "cat ran", "a cat", "cat the", "1 cat"), (1, 1))
    assert rows == {"the cat": (2, 1), **others}
    assert (found["node_count"], found["total"], found["types"], found["tokens"]) == (4, 7, 6, 13)
    assert found["rows"] == found["results"] and found["rows"][0]["per_million"] == pytest.approx(2e6 / 13)


@pytest.mark.parametrize(
    ("options", "forms"),
    [
        (["--side", "left"], ["cat ran", "cat sat", "cat the"]),
        (["--side", "right", "--min-count", "2"], ["the cat"]),
        (["--min-documents", "2"], []),
        (["--where", "year>=2001"], ["1 cat", "a cat", "cat the"]),
        (["--side", "right", "--top", "1"], ["the cat"]),
    ],
)
def test_options_choose_rows(options, forms, home, capsys):
    found = answer(home, capsys, "cat", "--size", "2,2", *options)
    assert sorted(row["form"] for row in found["rows"]) == forms


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet"])
def test_all_rows_are_written(ending, home, capsys, tmp_path):
    path = tmp_path / f"clusters.{ending}"
    assert main(["clusters", str(home / "index"), "sum", "--top", "all", "--out", str(path)]) == 0
    assert path.stat().st_size
    if ending == "csv":
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "size,form,count,documents,per_million" and len(lines) == 3


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["cat", "--size", "1"], "from 2"),
        (["cat", "--size", "4,2"], "4"),
        (["cat", "--size", "2,9"], "8"),
        (["cat", "--size", "2,3,4"], "one or two whole numbers"),
        (["the cat sat", "--size", "2"], "does not fit into clusters of size 2"),
        (["a b c d e f g h i"], "at most 8"),
        (["", "--size", "2"], ""),
        (["!"], ""),
    ],
)
def test_bad_input_is_a_sentence(options, told, home, capsys):
    assert main(["clusters", str(home / "index"), *options]) not in (0, 1)
    shown = capsys.readouterr()
    assert shown.out == "" and told in shown.err and "Traceback" not in shown.err


@pytest.mark.parametrize(
    ("folder", "options", "why"),
    [
        ("signs", ["cat"], "The index has no words to count."),
        ("index", ["ca"], "The query does not occur as whole words, in any case."),
        ("index", ["owl", "--unit", "tokens"], "The query does not occur."),
        ("index", ["sum", "--side", "right", "--size", "2"], "No document is long enough around the query. Try a "),
        ("index", ["cat", "--min-count", "9"], "No row meets the conditions. Try a smaller --min-count or"),
    ],
)
def test_an_empty_list_tells_why(folder, options, why, home, capsys):
    assert main(["clusters", str(home / folder), *options]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 2 and shown[1].startswith(why)


def test_rows_are_printed_for_people(home, capsys):
    assert main(["clusters", str(home / "index"), "cat", "--size", "2", "--top", "1"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "4 hits; clusters of words: 6 distinct, 7 in all" and shown[2].endswith("  the cat")
