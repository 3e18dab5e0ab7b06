"""Word lists on the command line, against words that are counted in Python."""

import csv
import json
from collections import Counter
from itertools import pairwise

import pytest
from pyarrow import parquet

from explorer import build_index
from explorer.cli.main import main
from explorer.cli.statistics import wordlist
from explorer.corpus.statistics.ngrams import ngrams_of

TEXTS = ["The cat's on the mat. The CAT sat", "a dog, the dog; a 3.14 =SUM(1)", "…"]
FIRST, SECOND = "the cat's on the mat the cat sat", "a dog the dog a 3.14 sum 1"
WORDS = [FIRST.split(" "), SECOND.split(" "), []]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordlist")
    build_index([{"text": text} for text in TEXTS], folder / "index", tokenizer="bytes")
    return folder


def answer(home, capsys, *options):
    assert main(["wordlist", str(home / "index"), "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_words_are_those_of_a_counter(n, home, capsys):
    slow = Counter(" ".join(each[at : at + n]) for each in WORDS for at in range(len(each) - n + 1))
    documents = Counter(
        form for each in WORDS for form in {" ".join(each[at : at + n]) for at in range(len(each) - n + 1)}
    )
    found = answer(home, capsys, "--n", str(n), "--top", "all")
    assert {row["form"]: row["count"] for row in found["results"]} == slow
    assert {row["form"]: row["documents"] for row in found["results"]} == documents
    # Once: 0.2 had the list under "rows" as well.
    assert "rows" not in found
    assert found["index"]["token_count"] == sum(map(len, TEXTS)) + 2 + len(TEXTS)
    hapaxes = sum(count == 1 for count in slow.values())
    assert [found[name] for name in ("total", "types", "hapaxes")] == [sum(slow.values()), len(slow), hapaxes]
    assert found["results"][0]["per_million"] == pytest.approx(1e6 * max(slow.values()) / 16)


@pytest.mark.parametrize("top", ["all", "2"])
def test_several_lengths_are_the_lists_of_each(top, home, capsys, tmp_path):
    single = [answer(home, capsys, "--n", str(n), "--top", top) for n in (1, 2, 3)]
    found = answer(home, capsys, "--min-n", "1", "--n", "3", "--top", top)
    assert found["results"] == [row for each in single for row in each["results"]]
    assert {row["n"] for row in found["results"]} == {1, 2, 3}
    names = ("n", "total", "types", "hapaxes")
    assert found["by_n"] == [{name: each[name] for name in names} for each in single]
    assert [found[name] for name in names[1:]] == [sum(each[name] for each in single) for name in names[1:]]
    # Written as they are found, or after all of them are known.
    out = tmp_path / "a.jsonl"
    command = ["wordlist", str(home / "index"), "--min-n", "1", "--n", "3", "--top", top, "--out", str(out)]
    assert main(command) == 0
    assert [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] == found["results"]
    capsys.readouterr()


def test_lengths_too_short_for_what_they_contain_have_no_rows(home, capsys):
    for top in ("all", "9"):
        command = ["wordlist", str(home / "index"), "--min-n", "1", "--n", "3", "--contains", "the dog", "--top", top]
        assert main([*command, "--format", "jsonl"]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [row["form"] for row in rows if row["n"] == 2] == ["the dog"] and {row["n"] for row in rows} == {2, 3}
    assert main(["wordlist", str(home / "index"), "--min-n", "4", "--n", "3"]) == 2
    assert "--min-n must be a whole number from 1 to 3, not 4." in capsys.readouterr().err


def test_conditions(home, capsys):
    def forms(*options):
        return [row["form"] for row in answer(home, capsys, "--top", "all", *options)["results"]]

    assert forms("--min-count", "2") == ["the", "a", "dog"]
    assert forms("--min-documents", "2") == ["the"]
    assert forms("--n", "2", "--begins-with", "THE cat") == ["the cat"]
    assert sorted(forms("--n", "2", "--contains", "dog")) == ["a dog", "dog a", "dog the", "the dog"]
    assert forms("--contains", "zebra") == []
    assert {"The", "the", "CAT"} <= set(forms("--as-written"))
    assert "t" in forms("--unit", "tokens")


@pytest.mark.parametrize("n", [1, 2])
def test_stop_words_are_in_no_row_and_change_no_other(n, home, capsys, tmp_path):
    every = answer(home, capsys, "--n", str(n), "--top", "all")
    (tmp_path / "stop.txt").write_text("\ufeffThe\n\nA dog\n", encoding="utf-8")
    kept = [row for row in every["results"] if "the" not in row["form"].split(" ")]
    for stop in ([f"@{tmp_path / 'stop.txt'}"], ["nowhere, THE"]):
        for top in ("all", "2"):
            found = answer(home, capsys, "--n", str(n), "--top", top, "--stop", *stop)
            assert sorted(row["form"] for row in found["results"]) == sorted(
                row["form"] for row in (kept if top == "all" else sorted(kept, key=lambda row: -row["count"])[:2])
            )
            assert found["total"] == every["total"] and found["types"] == every["types"]
    assert (
        main(["wordlist", str(home / "index"), "--top", "all", "--stop", "the", "--out", str(tmp_path / "a.csv")]) == 0
    )
    assert "the\n" not in (tmp_path / "a.csv").read_text(encoding="utf-8-sig").replace(",", "\n")
    capsys.readouterr()


def test_an_index_without_words_has_an_empty_list(tmp_path, capsys):
    build_index([{"text": "… !"}, {"text": "?"}], tmp_path / "index", tokenizer="bytes")
    assert main(["wordlist", str(tmp_path / "index")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "No row meets the conditions."


def test_a_list_is_printed_for_people(home, capsys):
    assert main(["wordlist", str(home / "index"), "--top", "1"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "16 words, 11 distinct, 8 occur once"
    assert shown[2].split() == ["4", "250,000.00", "2", "the"]


def test_all_rows_are_written_as_they_come(home, capsys, monkeypatch):
    def refuse(index, question, *others):
        assert question.top is not None
        return ngrams_of(index, question, *others)

    monkeypatch.setattr(wordlist, "ngrams_of", refuse)
    slow = Counter(word for each in WORDS for word in each)
    assert main(["wordlist", str(home / "index"), "--top", "all", "--out", str(home / "all.csv")]) == 0
    capsys.readouterr()
    with open(home / "all.csv", encoding="utf-8-sig", newline="") as file:
        rows = [line for line in csv.reader(file) if not line[0].startswith("#")]
    assert {row[0].lstrip("'"): int(row[1]) for row in rows[1:]} == slow
    # No row is a record of its own.
    monkeypatch.setattr(wordlist, "WordRecord", None)
    parts = home / "parts.parquet"
    options = ("--top", "all", "--begins-with", "the", "--n", "2", "--fields", "count,form", "--out", str(parts))
    assert main(["wordlist", str(home / "index"), *options]) == 0
    pairs = Counter(pair for each in WORDS for pair in pairwise(each) if pair[0] == "the")
    assert {row["form"]: row["count"] for row in parquet.read_table(parts).to_pylist()} == {
        " ".join(pair): count for pair, count in pairs.items()
    }
    monkeypatch.undo()
    capsys.readouterr()
    assert main(["wordlist", str(home / "index"), "--top", "all", "--min-count", "9"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "16 words, 11 distinct, 8 occur once",
        "No row meets the conditions.",
    ]


def test_pieces_of_characters_are_named_by_their_bytes(tmp_path, capsys):
    # カ and ガ have two of their three bytes in common; with nothing but whole characters, all rows would be empty.
    build_index([{"text": "カガ"}], tmp_path / "index", tokenizer="bytes")
    assert main(["wordlist", str(tmp_path / "index"), "--unit", "tokens", "--n", "2", "--json"]) == 0
    rows = {row["form"]: row["count"] for row in json.loads(capsys.readouterr().out)["results"]}
    assert rows == {"<0xE3><0x82>": 2, "<0x82><0xAB>": 1, "<0xAB><0xE3>": 1, "<0x82><0xAC>": 1}
