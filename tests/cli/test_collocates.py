"""Collocates on the command line."""

import json
from math import log2

import pytest

from explorer import build_index, open_index
from explorer.cli.main import main

TEXTS = ["The cat sat. The cat ran", "a cat; the dog", "=SUM(1) cat"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collocates")
    build_index([{"text": text} for text in TEXTS], folder / "index", tokenizer="bytes")
    return folder


def answer(home, capsys, *options):
    assert main(["collocates", str(home / "index"), *options, "--min-count", "1", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_words_are_counted_within_documents(home, capsys):
    found = answer(home, capsys, "CAT", "--window", "1,1")
    rows = {row["form"]: (row["observed"], row["count"]) for row in found["results"]}
    assert rows == {"the": (3, 3), "sat": (1, 1), "ran": (1, 1), "a": (1, 1), "1": (1, 1)}
    assert (found["node_count"], found["window_tokens"], found["total"]) == (4, 7, 9)
    assert found["rows"] == found["results"]
    assert found["results"][0]["logdice"] == pytest.approx(14 + log2(6 / 7))
    assert found["index"]["document_count"] == 3


def test_rows_are_sorted_by_any_measure_and_cut_off(tmp_path, capsys):
    text = "cat the cat the cat rare " + "other " * 20 + "the"
    build_index([{"text": text}], tmp_path / "index", tokenizer="bytes")

    def forms(*options):
        return [row["form"] for row in answer(tmp_path, capsys, "cat", "--window", "0,1", *options)["results"]]

    assert forms("--sort", "t") == ["the", "rare"]
    assert forms("--sort", "mi") == ["rare", "the"]
    assert forms("--sort", "mi", "--top", "1") == ["rare"]


def test_unknown_is_null(home, capsys):
    # The windows hold every word of the corpus but the node, so there is nothing to compare with.
    build_index([{"text": "one two"}], home / "tiny", tokenizer="bytes")
    assert main(["collocates", str(home / "tiny"), "one", "--min-count", "1", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["results"]
    assert (row["form"], row["observed"], row["log_ratio"], row["delta_p_word"]) == ("two", 1, None, None)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["cat", "--window", "0,0"], "A window needs a"),
        (["cat", "--window", "5"], "two whole numbers"),
        (["cat", "--window", "1,x"], "whole number"),
        (["", "--window", "1,1"], ""),
        (["!"], ""),
    ],
)
def test_bad_input_is_a_sentence(options, told, home, capsys):
    assert main(["collocates", str(home / "index"), *options]) not in (0, 1)
    shown = capsys.readouterr()
    assert shown.out == "" and told in shown.err and "Traceback" not in shown.err


def test_rows_are_printed_for_people(home, capsys):
    assert main(["collocates", str(home / "index"), "cat", "--window", "1,0", "--min-count", "2"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "4 hits; words: 4 in windows, 9 outside the hits" and shown[2].split()[-1] == "the"


@pytest.mark.parametrize(
    ("text", "options", "first", "why"),
    [
        ("... !!!", ["cat"], "0 hits; words: 0 in windows, 0 ", "The index has no words to count."),
        ("a cat", ["ca"], "0 hits; words: 0 in windows, 2 ", "The query does not occur as whole words, in any case."),
        ("a cat", ["dog", "--unit", "tokens"], "0 hits; tokens: 0 in windows, 5 ", "The query does not occur."),
        (
            "cat",
            ["cat"],
            "1 hit; words: 0 in windows, 0 ",
            "There are no other words in the windows. Try a wider --window.",
        ),
        ("a cat", ["cat"], "1 hit; words: 1 in windows, 1 ", "No row meets the conditions. Try a smaller --min-count."),
    ],
)
def test_an_empty_list_tells_why(text, options, first, why, tmp_path, capsys):
    build_index([{"text": text}], tmp_path / "index", tokenizer="bytes")
    assert main(["collocates", str(tmp_path / "index"), *options]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith(first) and shown[1:] == [why]


def test_logdice_is_above_14_only_for_words_more_frequent_near_hits_than_hits(tmp_path, capsys):
    build_index([{"text": "the the cat the one"}], tmp_path / "index", tokenizer="bytes")
    rows = {row["form"]: row["logdice"] for row in answer(tmp_path, capsys, "cat")["results"]}
    assert rows == {"the": pytest.approx(14 + log2(6 / 4)), "one": 14}


def test_conditions_count_as_a_part_of_the_corpus(tmp_path, capsys):
    rows = [{"text": text, "year": 2000 + at} for at, text in enumerate(TEXTS)]
    build_index(rows, tmp_path / "index", tokenizer="bytes")
    found = answer(tmp_path, capsys, "cat", "--where", "year>=2001")
    corpus = open_index(tmp_path / "index")
    part = corpus.subset("year>=2001").collocates("cat", min_count=1)
    assert (found["node_count"], found["total"]) == (part.node_count, part.total) == (2, 5)
    assert [row["form"] for row in found["rows"]] == [row.form for row in part]
    assert corpus.collocates("cat", min_count=1, where={"year": 2001}).node_count == 1
    assert main(["collocates", str(tmp_path / "index"), "cat", "--where", "year=1990"]) == 2
    assert "No document meets the conditions" in capsys.readouterr().err


def test_details_are_pairs_places_and_documents(home, capsys):
    found = answer(home, capsys, "cat", "--window", "1,1", "--min-count", "1", "--details")
    assert found["window_slots"] == sum(row["pairs"] for row in found["rows"])
    assert all(row["pairs"] == sum(row["positions"]) and len(row["positions"]) == 2 for row in found["rows"])
    few = answer(home, capsys, "cat", "--window", "1,1", "--min-count", "1", "--min-documents", "2")
    expected = [row["form"] for row in found["rows"] if row["documents"] >= 2]
    assert [row["form"] for row in few["rows"]] == expected
    assert 0 < len(expected) < len(found["rows"])


def test_stop_words_have_no_row_and_change_no_other(home, capsys, tmp_path):
    every = answer(home, capsys, "cat", "--min-count", "1")
    (tmp_path / "stop.txt").write_text("THE\n\n")
    for stop in ("The, nowhere", f"@{tmp_path / 'stop.txt'}"):
        found = answer(home, capsys, "cat", "--min-count", "1", "--stop", stop)
        assert found["rows"] == [row for row in every["rows"] if row["form"] != "the"]
        assert len(found["rows"]) == len(every["rows"]) - 1


def test_a_window_below_zero_is_refused_by_its_numbers(home, capsys):
    assert main(["collocates", str(home / "index"), "cat", "--window", "-1,5"]) == 2
    assert "0 to 1,000" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["dog AND zebra", "--match", "text"],
            "13 outside the hits\nThe query has no hits.",
        ),
        (["[;(]", "--match", "regex"], "No word begins in the hits. Count around them with --unit tokens."),
        (["[;(]", "--match", "regex"], "0 hits (2 more left out, since no word begins in them)"),
        (["zebra"], "The query does not occur as whole words, in any case."),
    ],
)
def test_a_query_without_hits_tells_why(options, told, home, capsys):
    assert main(["collocates", str(home / "index"), *options]) == 0
    assert told in capsys.readouterr().out


def test_any_query_is_counted_around(home, capsys):
    found = answer(home, capsys, "cat AND dog", "--match", "text", "--node", "1", "--window", "1,1")
    assert (found["node_count"], found["hits_left_out"]) == (1, 0)
    assert {row["form"] for row in found["results"]} == {"a", "the"}
    assert answer(home, capsys, "cat")["hits_left_out"] is None
