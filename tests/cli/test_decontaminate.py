"""The command decontaminate, and the options of every command that cuts."""

from __future__ import annotations

import json

import pytest

from explorer import build_index, open_index
from explorer.cli.main import main

ITEM = "which of these four planets of our sun has the largest number of known moons today"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    home = tmp_path_factory.mktemp("decontaminate")
    texts = [ITEM, "An answer about many other things that nobody asked in any of the sets of ours.", "short"]
    rows = [{"text": text, "source": "web" if n else "exam"} for n, text in enumerate(texts)]
    (home / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (home / "set.jsonl").write_text(json.dumps({"question": ITEM, "answer": "saturn"}) + "\n")
    build_index(home / "texts.jsonl", home / "index", tokenizer="bytes")
    return home


@pytest.fixture
def run(place, capsys):
    def run(*options):
        code = main(["decontaminate", str(place / "index"), str(place / "set.jsonl"), *map(str, options)])
        return code, *capsys.readouterr()

    return run


@pytest.mark.local("words")
class TestPrinting:
    """What people and programs see."""

    def test_people_see_the_table(self, run):
        code, told, _ = run("--by", "source")
        assert code == 0
        assert "To remove: 1 of 3 documents (33.3%), 82 tokens" in told
        assert "4 of 5 n-grams of 1 item occur; too short to tell: 0 items, 1 document" in told
        assert [line.split()[-1] for line in told.splitlines()[3:5]] == ["exam", "web"]

    def test_programs_get_all_fields(self, run):
        code, told, _ = run("--by", "source", "--json")
        facts = json.loads(told)
        assert code == 0
        assert (facts["documents"], facts["filtered"], facts["too_short"], facts["tokens_removed"]) == (3, 1, 1, 82)
        assert [(row["document"], row["share"]) for row in facts["rows"]] == [(0, 1.0)]
        assert [(each["value"], each["filtered"], each["documents"]) for each in facts["groups"]] == [
            ("exam", 1, 1),
            ("web", 0, 2),
        ]


@pytest.mark.local("words")
class TestExport:
    """--out and what belongs to it."""

    def test_cleaned_texts(self, run, tmp_path):
        code, told, _ = run("--out", tmp_path / "out")
        assert code == 0
        assert "cleaned.jsonl" in told
        rows = (tmp_path / "out" / "cleaned.jsonl").read_text().splitlines()
        assert [json.loads(row)["source"] for row in rows] == ["web", "web"]
        manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
        assert (manifest["rule"], manifest["n"], manifest["documents_dropped"]) == ("grams", 13, 1)

    def test_a_preview(self, run):
        code, told, _ = run("--preview", 0)
        assert code == 0
        assert f"document 0: 82 of 82 tokens are cut\n[-{ITEM}-]\n" in told
        assert "[-" not in run("--preview", 1)[1]

    def test_parquet(self, run, tmp_path):
        assert run("--out", tmp_path / "out", "--parquet")[0] == 0
        assert (tmp_path / "out" / "cleaned.parquet").is_file()

    def test_a_removal_index(self, place, run, tmp_path):
        code, _, _ = run("--removal-index", tmp_path / "removed")
        assert code == 0
        assert open_index(place / "index", minus=tmp_path / "removed").count("moons") == 0
        code, _, error = run("--rule", "paragraphs", "--share", "1", "--removal-index", tmp_path / "none")
        assert (code, "Nothing is cut" in error) == (2, True)

    def test_another_format_beside_json(self, run, tmp_path):
        code, told, _ = run("--out", tmp_path / "out", "--format", "annotated", "--json", "--zst")
        assert code == 0
        assert json.loads(told)["filtered"] == 1
        assert (tmp_path / "out" / "annotated.jsonl.zst").is_file()

    @pytest.mark.parametrize(
        ("options", "named"),
        [
            (["--format", "cleaned"], "--out"),
            (["--min-words", "3"], "--out"),
            (["--format", "jsonl", "--json"], "--json"),
            (["--share", "0"], "share"),
        ],
    )
    def test_what_would_have_no_effect(self, run, options, named):
        code, _, error = run(*options)
        assert code == 2
        assert named in error

    def test_an_existing_folder_is_refused_before_the_work(self, run, tmp_path):
        code, _, error = run("--out", tmp_path)
        assert code == 2
        assert "exists already" in error
