"""The command personal-data."""

from __future__ import annotations

import json

import pytest

from explorer import build_index
from explorer.cli.main import main


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("personal")
    texts = ["write to ann@mail.org now", "nothing here", "card 4111 1111 1111 1111, host 10.0.0.1"]
    rows = [{"text": text, "source": "web" if n else "mail"} for n, text in enumerate(texts)]
    (home / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    build_index(home / "texts.jsonl", home / "index", tokenizer="bytes")
    return home


@pytest.fixture
def run(home, capsys):
    def run(*options):
        code = main(["personal-data", str(home / "index"), *map(str, options)])
        return code, *capsys.readouterr()

    return run


def test_people_see_masked_findings_and_totals(run):
    code, told, _ = run("--by", "source")
    assert code == 0
    assert "a••@••••.•••" in told
    assert "ann@" not in told
    assert told.splitlines()[1].split()[:4] == ["1", "1", "12", "email:"]
    assert "  card, web" in told
    assert "(v4): 1•.•.•.•" in told
    # Parts are apart by a line, and not by a sign for one.
    assert told.count("\n\n") == 2 and "␊" not in told


def test_texts_are_shown_when_asked_for(run):
    assert "ann@mail.org" in run("--show")[1]
    code, _, error = run("--show", "--mask")
    assert code == 2
    assert "--mask" in error


def test_programs_get_all_fields(run):
    code, told, _ = run("--json", "--kind", "email,card", "--top", "1", "--by", "source")
    facts = json.loads(told)
    assert code == 0
    assert (facts["total"], facts["documents"], facts["tokens"], facts["masked"]) == (2, 2, 31, True)
    assert [(each["kind"], each["count"]) for each in facts["kinds"]] == [("email", 1), ("card", 1)]
    [row] = facts["results"]
    assert (row["text"], row["document"], row["character"], row["tokens"]) == ("a••@••••.•••", 0, 9, 12)
    assert [(each["value"], each["kind"]) for each in facts["groups"]] == [("mail", "email"), ("web", "card")]


def test_tables_have_masked_texts(run, tmp_path):
    code, told, _ = run("--format", "csv")
    assert code == 0
    assert "mail.org" not in told
    assert len(told.splitlines()) == 4


def test_cleaned_texts(run, tmp_path):
    code, told, _ = run("--out", tmp_path / "out")
    assert code == 0
    assert "cleaned.jsonl" in told
    rows = [json.loads(line)["text"] for line in (tmp_path / "out" / "cleaned.jsonl").read_text().splitlines()]
    assert rows == ["write to  now", "nothing here", "card , host "]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["personal_data"] == ["email", "phone", "ip", "card", "key"]
    # Nothing of what was cut is in the manifest, or in any other file.
    assert all(b"ann@" not in path.read_bytes() for path in (tmp_path / "out").iterdir())


def test_a_preview_shows_the_text(run):
    code, told, _ = run("--show", "--preview", 0)
    assert code == 0
    assert "write to [-ann@mail.org-] now" in told
    code, _, error = run("--preview", 0)
    assert code == 2
    assert "--show" in error


@pytest.mark.parametrize(
    ("options", "named"),
    [(["--kind", "names"], "names"), (["--format", "cleaned"], "--out"), (["--top", "0"], "--top")],
)
def test_what_cannot_be_is_refused(run, options, named):
    code, _, error = run(*options)
    assert code == 2
    assert named in error
