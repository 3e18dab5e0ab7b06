"""What a command writes states the index and every argument and option that was typed; one row for each command."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.cli.commands import COMMANDS, command_parser
from explorer.cli.main import main
from explorer.export.about import about_path
from explorer.export.arrow import FACTS
from explorer.project import Index, KeptLines, LineSet, Project, Query, save_project
from explorer.project.tables import place_of

ROWS = [
    {
        "text": f"so the cat sat on the mat and the dog {n} saw it. Ann wrote to ann@a.org",
        "year": 2019 + n,
        "ask": "who?",
    }
    for n in range(6)
]
LINES = {
    "count": "count index cat dog --ignore-case --where year>2019 --documents",
    "kwic": "kwic index cat --where year>2019 --near dog --near-distance 77 --sample 4 --seed 9 --width 3 --limit 2",
    "breakdown": "breakdown index cat --by year --whole-words --sample 4 --seed 9",
    "dispersion": "dispersion index cat --where year>2019 --collapse 3 --ignore-case",
    "next": "next index the\x00cat --n 4 --top 7",
    "ngram-profile": "ngram-profile index the\x00cat --token 3",
    "trace": "trace index a.jsonl --prompt-field ask --seed 5 --density 0.3 --without-self",
    "compare-texts": "compare-texts t.txt u.txt --ignore-case --least 3",
    "project": "project lines p.cxproj cats",
    "agree": "agree index a.jsonl --group year --max-tokens 9 --max-texts 1 --seed 3 --n 4 --prompt-field ask",
    "perplexity": "perplexity index a.jsonl --method levels --levels 3 --leave-one-out",
    "generate": "generate index the\x00cat --max-tokens 6 --seed 8 --temperature 0.4 --top-k 5 --method backoff",
    "mix": "mix index --probabilities neural.jsonl --method witten-bell --leave-one-out",
    "probe": "probe index probes.jsonl --method backoff",
    "draft": "draft index a.jsonl --group year --context 7 --max-draft 5",
    "hints": "hints index a.jsonl --samples 3 --plateau 2 --seed 4",
    "wordlist": "wordlist index --n 2 --min-count 3 --min-documents 2 --begins-with the --as-written",
    "spectrum": "spectrum index --view growth --min-count 2 --sizes 3 --unit tokens",
    "clusters": "clusters index cat --match text --ignore-case --size 3,4 --side left --near dog",
    "collocates": "collocates index cat --match text --where year>2019 --window 2,3 --sort mi --within line",
    "keywords": "keywords index --field year>2020 --min-count 1 --sort log_ratio --correction fdr",
    "diversity": "diversity index --by year --window 7",
    "word-lengths": "word-lengths index --min-count 2 --examples 1",
    "repeats": "repeats index --length 9 --top 3",
    "contamination": "contamination index questions.jsonl --unit tokens --flag-at 40% --question-field question",
    "plan": "plan 300B --machines 3 --cores 2",
    "embed-fgrams": "embed-fgrams table --tokens tokens.npy --value-type bfloat16",
}
"""A line for each command; \\0 is a space in an argument."""
WITHOUT = {
    "add": "makes documents of an index",
    "info": "describes an index",
    "verify": "checks an index",
    "set-tokenizer": "remembers a file",
    "workers": "needs a cluster",
    "bench": "measures this machine for seconds",
}
"""Commands that write records, and why they have no line here."""
OTHERS = {
    "contamination --plot": f"{LINES['contamination']} --plot OUT.csv",
    "dispersion --plot": "dispersion index --words --form cat --form dog --slices 3 --plot OUT.svg",
    "spectrum --plot": f"{LINES['spectrum']} --plot OUT.pdf",
    "spectrum of words --plot": "spectrum index --view vocabulary --step 3 --shuffle 4 --plot OUT.png",
    "word-lengths --plot": "word-lengths index --min-count 2 --plot OUT.svg",
    "fgrams --plot": "fgrams index --texts a.jsonl --max-n 3 --min-count 2 --sizes 4,9 --plot OUT.json",
    "agree --plot": f"{LINES['agree']} --plot OUT.pdf --plot-kind overlaid",
    "agree --csv": f"{LINES['agree']} --csv OUT.csv",
    "agree of a model --plot": "agree index neural.jsonl --neural --plot OUT.csv",
    "draft --cache": f"{LINES['draft']} --cache OUT.bin",
    "hints --arrays": f"{LINES['hints']} --arrays OUT.safetensors",
    "perplexity --arpa": "perplexity index a.jsonl --method discount --context 2 --arpa OUT.arpa",
    "contamination --clean": f"{LINES['contamination']} --clean OUT.jsonl",
    "contamination --ids": f"{LINES['contamination']} --ids OUT",
}
"""What commands write beside their records."""
_OUTPUTS = {"--plot", "--csv", "--out", "--clean", "--ids", "--plot-kind", "--cache", "--arrays", "--arpa"}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An index, and inputs of each kind."""
    home = tmp_path_factory.mktemp("facts")
    write(home / "a.jsonl", *ROWS)
    build_index(home / "a.jsonl", home / "index", tokenizer="bytes")
    (home / "t.txt").write_text("The cat sat on the mat.", encoding="utf-8")
    (home / "u.txt").write_text("the cat sat on a mat.", encoding="utf-8")
    write(home / "probes.jsonl", {"prompt": "the cat sat on the", "ending": "mat"})
    write(
        home / "questions.jsonl",
        {"question": ROWS[0]["text"] * 2, "answer": "so"},
        {"question": "Why? " * 20, "answer": ""},
    )
    tokens = [{"start": 4 * n, "end": 4 * n + 4, "probability": n / 10} for n in range(10)]
    write(home / "neural.jsonl", {**ROWS[0], "tokens": tokens})
    corpus = open_index(home / "index")
    corpus.fgrams(3).write_arrays(home / "table")
    np.save(home / "tokens.npy", np.zeros((256, 2)))
    kept = KeptLines().with_mark([place_of(line) for line in corpus.concordance("cat").lines(0, 2)])
    index = Index("1", "Small", ("index",), fingerprint=corpus.index.fingerprint)
    query = Query("cat", ignore_case=True, sample=5, seed=6)
    cats = LineSet("cats", "1", query, "", corpus.index.fingerprint, kept)
    save_project(Project((index,), (), (cats,)), home / "p.cxproj")
    return home


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def words_of(line):
    return [word.replace("\x00", " ") for word in line.split(" ")]


def run(line, home, out, monkeypatch, *more):
    monkeypatch.chdir(home)
    assert main([word.replace("OUT", str(out)) for word in [*words_of(line), *more]]) == 0


def typed(line):
    """The arguments and options that were typed, without the command, the index and outputs."""
    command, *words = words_of(line)
    found, skip = [], False
    for word in words[0 if command in ("project", "plan", "compare-texts", "embed-fgrams") else 1 :]:
        if skip:
            skip = False
        elif word in _OUTPUTS:
            skip = True
        else:
            found.append(word)
    return found


def lacking(facts, line):
    """What was typed and is not stated: names of options without dashes, values as they were read."""
    names = {name.replace(" ", "_") for name in facts}
    text = "\n".join(f"{name}: {value}" for name, value in facts.items())
    return [
        word for word in typed(line) if not (_stated_option(word, names) if word[:2] == "--" else _is_in(word, text))
    ]


def _stated_option(word, names):
    name = word[2:].replace("-", "_")
    # What lines are is stated by what became of it.
    also = {
        "near": "filter",
        "near_distance": "filter",
        "where": "filter",
        "width": "context",
        "limit": "lines_written",
    }
    return name in names or also.get(name, name) in names


def _is_in(word, text):
    # A share is read as a number; a condition of lines is written in words.
    read = str(float(word[:-1]) / 100) if word.endswith("%") else word
    return read in text or word.partition(">")[2] in text.partition("filter")[2]


def test_every_command_that_writes_records_has_a_line():
    writers = {each.name for each in COMMANDS if command_parser(each).out_suffixes}
    assert writers == set(LINES) | set(WITHOUT)


@pytest.mark.parametrize("name", LINES)
def test_records_in_a_file_state_what_was_typed(name, home, tmp_path, monkeypatch, capsys):
    line, out = LINES[name], tmp_path / "found.csv"
    run(line, home, out, monkeypatch, "--out", str(out))
    facts = json.loads(about_path(out).read_text(encoding="utf-8"))
    assert lacking(facts, line) == [], facts
    if name not in ("compare-texts", "plan", "embed-fgrams"):
        assert facts["index fingerprint"] == open_index(home / "index").index.fingerprint
    capsys.readouterr()


@pytest.mark.parametrize("name", sorted(set(LINES) - {"project", "kwic"}))
def test_the_object_in_a_file_states_what_was_typed(name, home, tmp_path, monkeypatch, capsys):
    line, out = LINES[name], tmp_path / "found.json"
    run(line, home, out, monkeypatch, "--out", str(out))
    settings = json.loads(out.read_text(encoding="utf-8"))["settings"]
    assert lacking({name: json.dumps(value) for name, value in settings.items()}, line) == [], settings
    capsys.readouterr()


@pytest.mark.qt
@pytest.mark.parametrize("name", OTHERS)
def test_figures_and_other_files_state_what_was_typed(name, home, tmp_path, monkeypatch, capsys):
    line, out = OTHERS[name], tmp_path / "made"
    run(line, home, out, monkeypatch)
    [about] = [*tmp_path.glob("*.about.json")] or [tmp_path / "made.json"]
    found = json.loads(about.read_text(encoding="utf-8"))
    facts = found.get("facts", found)
    assert lacking(facts, line) == [], facts
    assert facts["index fingerprint"] == open_index(home / "index").index.fingerprint
    capsys.readouterr()


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        (
            "trace index t.txt --seed 5 --density 0.3 --without-self --html OUT",
            ("seed 5", "density 0.3", "text excluded"),
        ),
        (f"{LINES['mix']} --html OUT", ("witten-bell", "leave one out yes", "neural.jsonl")),
    ],
)
def test_reports_state_what_was_typed(line, stated, home, tmp_path, monkeypatch, capsys):
    run(line, home, tmp_path / "a.html", monkeypatch)
    page = (tmp_path / "a.html").read_text(encoding="utf-8").partition("How this was made")[2]
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page))
    assert [each for each in (open_index(home / "index").index.fingerprint, *stated) if each not in text] == [], text
    capsys.readouterr()


def test_a_query_from_standard_input_is_stated(home, tmp_path, monkeypatch, capsys):
    import io
    import sys

    class Typed:
        buffer = io.BytesIO(b"the cat\n")

    monkeypatch.setattr(sys, "stdin", Typed())
    run("next index -", home, tmp_path, monkeypatch, "--out", str(tmp_path / "a.csv"))
    assert json.loads(about_path(tmp_path / "a.csv").read_text(encoding="utf-8"))["prompt"] == "the cat"
    capsys.readouterr()


def test_a_subtracted_index_is_named(home, tmp_path, monkeypatch, capsys):
    build_index([ROWS[0]], tmp_path / "less", tokenizer="bytes")
    run(f"wordlist index --minus {tmp_path / 'less'}", home, tmp_path, monkeypatch, "--out", str(tmp_path / "a.csv"))
    facts = json.loads(about_path(tmp_path / "a.csv").read_text(encoding="utf-8"))
    assert facts["subtracted"] == "1 document" and facts["subtracted index"] == str((tmp_path / "less").resolve())
    capsys.readouterr()


@pytest.mark.parametrize("more", [(), ("--fields", "year,ask")])
def test_metadata_have_one_shape_in_every_format(more, home, tmp_path, monkeypatch, capsys):
    import csv

    import openpyxl
    import pyarrow.parquet

    for ending in ("jsonl", "csv", "tsv", "xlsx", "parquet"):
        run(
            "kwic index cat --limit 3 --sort document",
            home,
            tmp_path,
            monkeypatch,
            *more,
            "--out",
            str(tmp_path / f"a.{ending}"),
        )
    rows = {
        "jsonl": [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()],
        "parquet": pyarrow.parquet.read_table(tmp_path / "a.parquet").to_pylist(),
    }
    for ending, delimiter in (("csv", ","), ("tsv", "\t")):
        with open(tmp_path / f"a.{ending}", encoding="utf-8", newline="") as file:
            rows[ending] = list(csv.DictReader(file, delimiter=delimiter))
    header, *cells = openpyxl.load_workbook(tmp_path / "a.xlsx")["Lines"].iter_rows(values_only=True)
    rows["xlsx"] = [dict(zip(header, row, strict=True)) for row in cells]
    names = ("year", "ask") if more else ("metadata",)
    shapes = {ending: [[plain(row[name]) for name in names] for row in found] for ending, found in rows.items()}
    assert all(shape == shapes["jsonl"] for shape in shapes.values()), shapes
    about = pyarrow.parquet.read_schema(tmp_path / "a.parquet").metadata[FACTS.encode()]
    assert json.loads(about)["query"] == "cat"
    capsys.readouterr()


def plain(value):
    """A value of a cell, which CSV writes as text and every format but JSON Lines as JSON."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value
