"""Keywords on the command line."""

import json

import pytest

from explorer import QueryError, build_index, open_index
from explorer.cli.main import main

ROWS = [
    {"text": "The cat sat. The cat ran", "kind": "cat"},
    {"text": "a cat; the dog", "kind": "dog"},
    {"text": "=SUM(1) dog dog", "kind": "dog"},
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keywords")
    build_index(ROWS, folder / "index", tokenizer="bytes")
    build_index(ROWS[1:], folder / "dogs", tokenizer="bytes")
    build_index([{"text": "! ?"}], folder / "no words", tokenizer="bytes")
    (folder / "list.tsv").write_text("1\t5\tthe\n2\t4\tdog\n", encoding="utf-8")
    return folder


def answer(home, capsys, *options):
    assert main(["keywords", str(home / "index"), *options, "--min-count", "1", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_documents_are_compared_with_the_rest(home, capsys):
    found = answer(home, capsys, "--field", "kind=cat")
    assert (found["total"], found["reference_total"], found["tested"]) == (6, 8, 8)
    rows = {row["form"]: row for row in found["rows"]}
    assert {form: (row["count"], row["reference_count"]) for form, row in rows.items()} == {
        "the": (2, 1), "cat": (2, 1), "sat": (1, 0), "ran": (1, 0), "a": (0, 1), "dog": (0, 3), "sum": (0, 1),
        "1": (0, 1),
    }  # fmt: skip
    assert (rows["cat"]["documents"], rows["cat"]["reference_documents"]) == (1, 1)
    assert (rows["dog"]["documents"], rows["dog"]["reference_documents"]) == (0, 2)
    assert rows["sat"]["percent_difference"] is None and rows["dog"]["percent_difference"] == -100
    # The four cells are the rows and what they leave of either side.
    assert sum(row["count"] for row in found["rows"]) == found["total"]
    assert sum(row["reference_count"] for row in found["rows"]) == found["reference_total"]
    assert found["rows"][-1]["positive"] is False and found["rows"] == found["results"]
    # The rest is what another index of these documents has.
    other = {row.form: row.count for row in open_index(home / "dogs").words().ngrams(1)}
    assert {form: row["reference_count"] for form, row in rows.items() if row["reference_count"]} == other


def test_other_indexes_and_lists_are_references(home, capsys):
    found = answer(home, capsys, str(home / "dogs"))
    assert found["reference"].startswith("dogs (") and found["reference_total"] == 8
    found = answer(home, capsys, "--against", str(home / "list.tsv"), "--top", "1")
    assert (found["reference"], found["reference_total"]) == ("list.tsv", 9)
    assert [row["form"] for row in found["rows"]] == ["cat", "the"]
    assert found["rows"][0]["reference_documents"] is None
    tokens = answer(home, capsys, str(home / "dogs"), "--unit", "tokens", "--correction", "none")
    assert tokens["total"] == open_index(home / "index").token_count - 3
    assert all(row["p_corrected"] is None for row in tokens["rows"])


def test_stop_words_and_spread(home, capsys, tmp_path):
    every = answer(home, capsys, "--field", "kind=dog", "--details")
    assert {row["form"]: row["d_a"] for row in every["rows"] if row["positive"]}["dog"] == pytest.approx(2 / 3)
    (tmp_path / "stop.txt").write_text("DOG\n\nthe\n")
    found = answer(home, capsys, "--field", "kind=dog", "--details", "--stop", f"@{tmp_path / 'stop.txt'}")
    assert found["rows"] == [row for row in every["rows"] if row["form"] not in ("dog", "the")]
    few = answer(home, capsys, "--field", "kind=dog", "--min-d-a", "0.5")
    assert [row["form"] for row in few["rows"] if row["positive"]] == ["dog"]
    assert main(["keywords", str(home / "index"), "--field", "kind=dog", "--min-count", "1", "--details"]) == 0
    shown = capsys.readouterr().out
    assert "D_A" in shown and "0.6667" in shown and "unknown" in shown


def test_exports_name_the_reference(home, tmp_path, capsys):
    out = tmp_path / "found.csv"
    assert main(["keywords", str(home / "index"), "--field", "kind=cat", "--min-count", "1", "--out", str(out)]) == 0
    capsys.readouterr()
    told = "".join(path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    assert "the rest (not: kind" in told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "Name one reference"),
        (["{home}/dogs", "--field", "kind=cat"], "Name one reference"),
        (["--field", "kind=cow"], "No document meets the conditions. Change the condition."),
        (["--field", "kind!=cow"], "nothing to compare"),
        (["{home}/no words"], "has no words"),
        (["--against", "{home}/missing.tsv"], "cannot be read"),
        (["--against", "{home}/list.tsv", "--unit", "tokens"], "cannot be used with"),
        (["{home}/dogs", "--k", "0"], "--k must be"),
    ],
)
def test_bad_input_is_a_sentence(options, told, home, capsys):
    given = [option.replace("{home}", str(home)) for option in options]
    assert main(["keywords", str(home / "index"), *given]) not in (0, 1)
    shown = capsys.readouterr()
    assert shown.out == "" and told in shown.err and "Traceback" not in shown.err


def test_a_list_of_rare_words_is_explained(home, capsys):
    assert main(["keywords", str(home / "index"), "--field", "kind=cat", "--min-count", "99"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["No word occurs that often. Try a smaller --min-count."]


def test_rows_are_printed_for_people(home, capsys):
    assert main(["keywords", str(home / "index"), "--field", "kind=cat", "--min-count", "2"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("6 words where kind=cat, against 8 of the rest") and shown[0].endswith(
        "; 3 words tested"
    )
    assert shown[-1].split()[-1] == "dog"


@pytest.fixture
def dated(tmp_path, monkeypatch):
    """Texts of which some have no year."""
    texts = [("the cat sat", 2001), ("the dog ran", 2009), ("the cow lay", None), ("the cow slept", None)]
    rows = [{"text": text, **({} if year is None else {"year": year})} for text, year in texts]
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    build_index(rows, tmp_path / "dated", tokenizer="bytes")
    return open_index(tmp_path / "dated")


def test_documents_without_a_value_are_named_and_can_be_excluded(dated):
    found = dated.keywords(where="year<=2004", min_count=1)
    assert found.reference == "the rest (not: year is at most 2004; 2 documents have no year)"
    assert (found.total, found.reference_total) == (3, 9)
    known = dated.keywords(where="year<=2004", min_count=1, exclude_missing=True)
    assert known.reference == "the rest (not: year is at most 2004; without 2 documents that have no year)"
    assert (known.total, known.reference_total) == (3, 3) and "cow" not in [row.form for row in known]
    # With no value as the condition, nothing is unknown.
    assert dated.keywords(where="year=(none)", min_count=1).reference == "the rest (not: year is (none))"
    with pytest.raises(QueryError, match="needs a condition"):
        dated.keywords({"the": 1}, exclude_missing=True)


def test_excluding_documents_needs_a_condition(home, dated, capsys):
    assert main(["keywords", str(home / "index"), "--against", str(home / "list.tsv"), "--exclude-missing"]) == 2
    assert "--exclude-missing needs --field" in capsys.readouterr().err
    place = str(dated.folders[0])
    assert main(["keywords", place, "--field", "year<=2004", "--min-count", "1", "--exclude-missing"]) == 0
    assert "3 words where year<=2004, against 3 of the rest" in capsys.readouterr().out


@pytest.mark.parametrize("counts", [{"the": 0}, {"the": 1.5}, {"the": 2**70}])
def test_counts_of_scripts_are_checked(home, counts):
    with pytest.raises(QueryError, match="whole numbers"):
        open_index(home / "index").keywords(counts)
