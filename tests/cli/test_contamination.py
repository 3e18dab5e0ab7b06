"""The command `contamination`, and what the library returns."""

from __future__ import annotations

import json

import pytest

from explorer import QueryError, Thresholds, build_index, contamination_board, open_index
from explorer.cli.main import main

QUESTION = "Seven red hens and nine white ducks live behind the old stone barn near the wide river"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("contamination")
    texts = ["Other words.", f"He asked: {QUESTION.lower()}?\nThe answer is sixteen birds.", "More words."]
    build_index([{"text": text} for text in texts], folder / "index", tokenizer="bytes")
    rows = [
        {"id": "hens", "question": QUESTION, "answer": "sixteen birds"},
        {"id": "none", "question": " ".join(f"w{n}" for n in range(20)), "answer": "x"},
        {"id": "short", "question": "near the wide river", "answer": "x"},
    ]
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "b.csv").write_text("Question,Best Answer\nwhat is it,nothing\n")
    return folder


def asked(home, capsys, *options, code=0):
    assert main(["contamination", str(home / "index"), *map(str, options), "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_files_and_items(home, capsys):
    found = asked(home, capsys, home / "a.jsonl", home / "b.csv")
    first, second = found["files"]
    assert (found["unit"], found["parts"], first["file"]) == ("words", ["question"], str(home / "a.jsonl"))
    figures = [first[name] for name in ("items", "flagged", "suspicious", "too_short", "flagged_share", "answers_near")]
    assert figures == [3, 1, 0, 1, 0.5, 1]
    assert first["flagged_low"] < 0.5 < first["flagged_high"]
    names = ("gpt_3", "palm", "llama_2", "any_13", "llama_3", "con_tam", "infini_gram_mini", "bff", "llama_2_not_clean")
    assert first["rules"] == dict.fromkeys(names, 1)
    row = first["rows"][0]
    assert (row["id"], row["verdict"], row["longest"], row["longest_share"]) == ("hens", "flagged", 17, 1.0)
    assert (row["coverage_8"], row["best_document"], row["best_offset"], row["match"]) == (1.0, 1, 2, QUESTION)
    assert (row["answer_near"], row["count"], row["template"], row["sampled"]) == (True, 1, False, False)
    assert [each["verdict"] for each in first["rows"]] == ["flagged", "not-flagged", "too-short"]
    assert first["rows"][1]["best_document"] is None
    assert (second["items"], second["too_short"], second["flagged_share"]) == (1, 1, None)
    assert [each["id"] for each in found["results"]] == ["hens", "none", "short", "0"]


def test_for_people(home, capsys):
    assert main(["contamination", str(home / "index"), str(home / "a.jsonl")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("3 items, 1 flagged (50.0%, 95% CI 9.5–90.5%), 0 suspicious, 1 too short to tell")
    told = "GPT-3 1, PaLM 1, Llama 2 1, any 13-gram 1, Llama 3 1, ConTAM 1, infini-gram mini 1, BFF 1"
    assert lines[1] == f"  rules of others: {told}"
    assert lines[3].split()[:4] == ["17", "100%", "100%", "1"] and lines[3].endswith(f"hens: {QUESTION[:79]}…")


def test_nothing_that_can_be_judged_does_not_pass(home, capsys):
    assert main(["contamination", str(home / "index"), str(home / "b.csv"), "--fail-over-share", "1%"]) == 2
    assert "all items are too short to tell" in capsys.readouterr().err


@pytest.mark.parametrize(("share", "code"), [("0.5", 0), ("50%", 0), ("0.4", 1), ("0", 1), ("33%", 1)])
def test_a_share_that_is_too_large_fails(home, share, code):
    options = ["contamination", str(home / "index"), str(home / "a.jsonl"), "--fail-over-share", share]
    assert main([*options, "--json"]) == code


@pytest.fixture(scope="module")
def other(home):
    """An index that has half of the question."""
    build_index([{"text": " ".join(QUESTION.split()[:9])}], home / "other", tokenizer="bytes")
    return home / "other"


def test_several_indexes_are_compared(home, other, capsys):
    found = asked(home, capsys, home / "a.jsonl", home / "b.csv", "--against", other, "--flag-at", "60%")
    board = [(row["index"], row["file"].rpartition("/")[2], row["judged"], row["flagged"]) for row in found["board"]]
    assert board == [
        ("index", "a.jsonl", 2, 1),
        ("index", "b.csv", 0, 0),
        ("other", "a.jsonl", 2, 0),
        ("other", "b.csv", 0, 0),
    ]
    assert [row["suspicious"] for row in found["board"]] == [0, 0, 1, 0]
    first, last = found["board"][0], found["board"][3]
    assert (first["flagged_share"], last["flagged_share"], last["flagged_low"]) == (0.5, None, None)
    assert first["flagged_low"] < 0.5 < first["flagged_high"] and len(found["files"]) == 2
    line = ["contamination", str(home / "index"), str(home / "a.jsonl"), "--against", str(other)]
    assert main(line) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split()[:2] == ["1", "50.0%"] and lines[-1].endswith("0  other: " + str(home / "a.jsonl"))
    assert lines[-3].endswith("index: benchmark")
    # The share of any index fails.
    options = ["--flag-at", "0.6", "--fail-over-share"]
    assert main([*line[:1], str(other), *line[2:4], str(home / "index"), *options, "49%"]) == 1
    assert main([*line[:1], str(other), line[2], *options, "0"]) == 0


def test_files_have_every_index(home, other, capsys, tmp_path):
    """Ids by index; the clean items are those that no index has."""
    line = ["contamination", str(other), str(home / "a.jsonl"), "--against", str(home / "index"), "--flag-at", "60%"]
    files = ["--ids", str(tmp_path / "ids"), "--clean", str(tmp_path / "clean.jsonl")]
    assert main([*line, *files]) == 0
    written = {path.relative_to(tmp_path / "ids").as_posix(): path.read_text() for path in tmp_path.rglob("*.ids")}
    # The other index has half of the item, which makes it suspicious there: in neither of both files.
    assert written == {
        "1-other.1-a.clean.ids": "none\n", "1-other.1-a.flagged.ids": "",
        "2-index.1-a.clean.ids": "none\n", "2-index.1-a.flagged.ids": "hens\n",
    }  # fmt: skip
    assert main([*line[:4], str(home / "index"), "--flag-at", "60%", "--suspect-at", "90%", *files[2:]]) == 0
    assert [json.loads(each)["id"] for each in (tmp_path / "clean.jsonl").read_text().splitlines()] == ["none"]
    assert main([*line[:3], "--flag-at", "60%", "--suspect-at", "90%", *files[2:]]) == 0
    assert [json.loads(each)["id"] for each in (tmp_path / "clean.jsonl").read_text().splitlines()] == ["hens", "none"]


def test_the_library_compares_corpora(home, other):
    corpora = [open_index(home / "index"), open_index(other)]
    board = contamination_board(corpora, [home / "a.jsonl"])
    assert [(row.index, row.flagged) for row in board] == [("index", 1), ("other", 1)]
    assert [table.matches[0].longest for table in board.tables] == [17, 9]
    # The same name twice is told apart by the folders.
    twice = contamination_board([corpora[0]] * 2, [home / "a.jsonl"])
    assert {row.index for row in twice} == {str(home / "index")}
    for wrong in ("index", [home / "index"], []):
        with pytest.raises(QueryError, match="corpora must be"):
            contamination_board(wrong, [home / "a.jsonl"])


def test_thresholds_are_chosen(home, other, capsys):
    options = ["--flag-by", "coverage_8", "--flag-at", "100%", "--suspect-by", "best_chained", "--suspect-at", "0.5"]
    found = json.loads(_shown(["contamination", str(other), str(home / "a.jsonl"), *options, "--json"], capsys))
    assert found["thresholds"] == {
        "flag_by": "coverage_8", "flag_at": 1.0, "suspect_by": "best_chained", "suspect_at": 0.5
    }  # fmt: skip
    assert [row["verdict"] for row in found["results"]] == ["suspicious", "not-flagged", "too-short"]
    table = open_index(other).contamination(home / "a.jsonl")
    judged = table.judged(Thresholds(flag_at=0.53))
    assert (table[0].verdict, judged[0].verdict, judged.files[0].flagged) == ("flagged", "suspicious", 0)
    assert len(judged.flagged) == 0 and judged.matches == table.matches


def _shown(line, capsys):
    assert main(line) == 0
    return capsys.readouterr().out


def test_parts_and_fields(home, capsys):
    options = ("--part", "answer", "--answer-field", "question", "--question-field", "answer")
    found = asked(home, capsys, home / "a.jsonl", *options)
    assert found["files"][0]["rows"][0]["longest"] == 17


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["missing.jsonl"], "missing.jsonl"),
        (["--question-field", "nowhere"], '"nowhere" has no text'),
        (["--fail-over-share", "2"], "--fail-over-share"),
        (["--part", "title"], "--part"),
        (["--flag-at", "0"], "must be a number above 0"),
        (["--suspect-by", "longest"], "--suspect-by"),
        (["--against", "nowhere"], "nowhere"),
        (["--part", "passage"], "no item has what is looked for: passage"),
    ],
)
def test_what_makes_no_sense_is_refused(home, capsys, options, told):
    files = [] if options[0].endswith(".jsonl") else [str(home / "a.jsonl")]
    assert main(["contamination", str(home / "index"), *files, *options]) == 2
    assert told in capsys.readouterr().err


def test_the_library_takes_rows_and_files(home):
    corpus = open_index(home / "index")
    found = corpus.contamination(home / "a.jsonl")
    rows = [{"question": QUESTION, "answer": "sixteen birds"}]
    assert corpus.contamination(rows)[0].longest == found[0].longest == 17
    assert [row.id for row in found.flagged] == ["hens"] and len(found) == 3
    assert len(corpus.contamination([home / "a.jsonl", str(home / "b.csv")]).files) == 2
    # The answer is in lower case in the document: byte by byte, the item occurs from its second letter on.
    assert corpus.contamination(rows, unit="tokens")[0].longest == len(QUESTION) - 1
    with pytest.raises(QueryError, match="unit must be"):
        corpus.contamination(rows, unit="lines")
    with pytest.raises(QueryError, match="parts must be"):
        corpus.contamination(rows, parts=("title",))


def test_ids_are_written_to_a_new_folder(home, capsys, tmp_path):
    asked(home, capsys, home / "a.jsonl", home / "b.csv", "--ids", tmp_path / "ids")
    read = {path.name: path.read_text() for path in (tmp_path / "ids").iterdir()}
    assert read == {
        "1-a.clean.ids": "none\n",
        "1-a.clean.jsonl": (home / "a.jsonl").read_text().splitlines()[1] + "\n",
        "1-a.flagged.ids": "hens\n",
        "2-b.clean.ids": "",
        "2-b.clean.jsonl": "",
        "2-b.flagged.ids": "",
    }
    # A folder that exists is refused before the work, and stays as it is.
    (tmp_path / "ids" / "1-a.clean.ids").write_text("mine")
    line = ["contamination", str(home / "index"), str(home / "a.jsonl"), "--ids"]
    assert main([*line, str(tmp_path / "ids")]) == 2 and main([*line, str(home / "index" / "ids")]) == 2
    assert (tmp_path / "ids" / "1-a.clean.ids").read_text() == "mine"
    assert not (home / "index" / "ids").exists()


def test_clean_records_are_written_as_they_are(home, capsys, tmp_path):
    rows = [{"q": QUESTION, "x": [1, {"é": None}]}, {"q": " ".join(f"w{n}" for n in range(20)), "x": [2, {"é": "\n"}]}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    line = ["contamination", str(home / "index"), str(tmp_path / "a.jsonl"), "--question-field", "q", "--clean"]
    assert main([*line, str(tmp_path / "clean.jsonl")]) == 0
    assert [json.loads(each) for each in (tmp_path / "clean.jsonl").read_text().splitlines()] == rows[1:]
    # What is read is not replaced.
    for place in (tmp_path / "a.jsonl", home / "index" / "clean.jsonl"):
        assert main([*line, str(place)]) == 2
    assert main([line[0], line[1], line[2], str(home / "b.csv"), "--clean", str(tmp_path / "c.jsonl")]) == 2
    assert not (home / "index" / "clean.jsonl").exists() and not (tmp_path / "c.jsonl").exists()
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 2


def test_scores_give_gains_and_figures(home, capsys, tmp_path):
    words = QUESTION.split()
    rows = [{"question": " ".join([*words[: n % 17], *(f"v{n}w{k}" for k in range(17 - n % 17))])} for n in range(34)]
    rows = [{**row, "right": n % 17 > 8} for n, row in enumerate(rows)]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = asked(home, capsys, tmp_path / "s.jsonl", "--score-field", "right")
    assert (found["files"][0]["scored"], found["files"][0]["score"]) == (34, 16 / 34)
    assert [row["score"] for row in found["results"][8:10]] == [0.0, 1.0]
    half = next(row for row in found["curves"] if (row["metric"], row["threshold"]) == ("longest_share", 0.5))
    assert (half["items"], half["score_clean"], half["gain"]) == (16, 0.0, 16 / 34)
    assert half["gain_low"] < half["gain"] < half["gain_high"] and half["file"] == str(tmp_path / "s.jsonl")
    line = ["contamination", str(home / "index"), str(tmp_path / "s.jsonl"), "--score-field", "right"]
    for name in ("a.svg", "a.csv"):
        assert main([*line, "--plot", str(tmp_path / name)]) == 0
    assert any("≈+0.4706" in each for each in capsys.readouterr().out.splitlines())
    assert "<svg" in (tmp_path / "a.svg").read_text() and "score_clean" in (tmp_path / "a.csv").read_text()
    assert main([*line, "--plot", str(tmp_path / "a.doc")]) == 2


def test_a_benchmark_in_the_index_is_left_out(home, capsys, tmp_path):
    rows = [{"text": f"{QUESTION.replace('Seven', str(n))}?"} for n in range(3)]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"text": "other"}]))
    build_index(tmp_path / "own.jsonl", tmp_path / "index", tokenizer="bytes")
    line = ["contamination", str(tmp_path / "index"), str(tmp_path / "own.jsonl")]
    told = _shown([*line, "--skip-bad"], capsys)
    assert "own.jsonl is in index itself: own.jsonl; --without-own leaves them out" in told
    assert "3 documents with 3 items (100.0%)" in told
    found = json.loads(_shown([*line, "--without-own", "--json"], capsys))
    [own] = found["own"]
    figures = [own[name] for name in ("index", "source", "documents", "items", "share", "is_benchmark", "left_out")]
    assert figures == ["index", "own.jsonl", 3, 3, 1.0, True, True]
    assert (found["files"][0]["flagged"], found["files"][0]["items"]) == (0, 4)


def test_bad_records(home, capsys, tmp_path):
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"question": QUESTION}) + "\n{\n" + json.dumps({"question": ""}) + "\n"
    )
    line = ["contamination", str(home / "index"), str(tmp_path / "a.jsonl"), "--json"]
    assert main(line) == 2 and "line 2" in capsys.readouterr().err
    kept = json.loads(_shown([*line, "--on-bad", "keep"], capsys))
    assert [(row["id"], row["verdict"]) for row in kept["results"]] == [
        ("0", "flagged"), ("1", "too-short"), ("2", "too-short")
    ]  # fmt: skip
    assert [problem["line"] for problem in kept["problems"]] == [2, 3]
    left = json.loads(_shown([*line, "--skip-bad"], capsys))
    assert (left["files"][0]["items"], len(left["problems"])) == (1, 2)
    with pytest.raises(QueryError, match="on_bad must be"):
        open_index(home / "index").contamination([{"question": "q"}], on_bad="drop")
