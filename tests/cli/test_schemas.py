"""Every --json follows its schema, the schemas are current, and JSON Lines have the same records."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from explorer import build_index, open_fgrams, open_index
from explorer.backends.protocol.locations import Holding
from explorer.backends.registry import BACKENDS
from explorer.cli.commands import COMMANDS
from explorer.cli.index import workers
from explorer.cli.main import main
from explorer.project import Index, KeptLines, LineSet, Project, Query, SavedQuery, save_project
from explorer.project.tables import place_of
from explorer.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "resources" / "schemas"


@pytest.fixture(scope="module")
def made():
    """The module packaging/schemas.py."""
    path = ROOT / "packaging" / "schemas.py"
    spec = importlib.util.spec_from_file_location("schemas", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ROWS = [
    {"text": f"so the cat sat on the mat and the dog {n} saw it", "year": 2019 + n, "id": f"r{n}", "ask": "who?"}
    for n in range(6)
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An index, and inputs of each kind."""
    home = tmp_path_factory.mktemp("schemas")
    (home / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    build_index(home / "a.jsonl", home / "index", tokenizer="bytes")
    (home / "bad.jsonl").write_text('{"text": "the cat"}\nno\n{"text": ""}\n')
    (home / "t.txt").write_text("Mr. A: **the cat** sat on the mat.")
    (home / "u.txt").write_text("Mr. B: the cat sat on a mat.")
    (home / "list.csv").write_text("pattern,label,owner\ncat,pet,Ann\n(,odd,\n")
    (home / "probes.jsonl").write_text(
        '{"prompt": "the cat sat on the", "ending": "mat"}\n{"prompt": "q", "ending": "zz"}\n'
    )
    (home / "queries.txt").write_text("cat\ndog\n")
    turns = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "the cat sat"}] * 2
    (home / "chat.json").write_text(json.dumps(turns))
    tokens = [{"start": 4 * n, "end": 4 * n + 4, "probability": n / 10} for n in range(10)]
    (home / "neural.jsonl").write_text(json.dumps({**ROWS[0], "tokens": tokens}) + "\n")
    build_index(home / "t.txt", home / "grown", tokenizer="bytes")
    build_index([{"text": "ann@a.org, 4111 1111 1111 1111", "year": 2020}], home / "private", tokenizer="bytes")
    open_index(home / "index").fgrams(3).write_arrays(home / "table")
    np.save(home / "tokens.npy", np.zeros((256, 2)))
    # Filled already, so that each call tells the same.
    open_fgrams(home / "table").fill_with_tokens(home / "tokens.npy", value_type="bfloat16")
    _project(home)
    broken = home / "broken"
    build_index(home / "a.jsonl", broken, tokenizer="bytes")
    (broken / "table.0").write_bytes(b"")
    return home


def _project(home):
    corpus = open_index(home / "index")
    places = [place_of(line) for line in corpus.concordance("cat").lines(0, 2)]
    kept = KeptLines().with_mark(places).with_note(places[:1], "first")
    index = Index("1", "Small", ("index",), fingerprint=corpus.index.fingerprint)
    cats = LineSet("cats", "1", Query("cat"), "", corpus.index.fingerprint, kept)
    save_project(Project((index,), (SavedQuery("1", Query("dog")),), (cats,), notes="Read."), home / "p.cxproj")


ANSWERS = {
    "build-1": ["build a.jsonl --out new --tokenizer bytes"],
    "build-estimate-1": ["build a.jsonl --out new2 --tokenizer bytes --estimate"],
    "add-1": ["add grown u.txt"],
    "merge-1": ["merge index grown --out merged --where year>2020"],
    "info-1": ["info index", "info index --index index --allow-same"],
    "info-files-1": ["info grown --files", "info index --files"],
    "set-tokenizer-1": ["set-tokenizer index"],
    "verify-1": ["verify index", "verify broken"],
    "count-1": [
        "count index cat", "count index cat dog --documents --ignore-case", "count index --queries queries.txt",
        "count index cat --match tokens --variants upper,space", "count index mat\x00AND\x00dog\x00OR\x00cat",
        "count index cat --match tokens",
    ],
    "count-patterns-1": ["count index --patterns list.csv --match regex"],
    "kwic-1": ["kwic index cat --limit 2 --width 3", "kwic index cat --fields year --where year>2020", "kwic index no"],
    "breakdown-1": ["breakdown index cat --by year"],
    "dispersion-1": ["dispersion index cat", "dispersion index nowhere"],
    "word-dispersion-1": [
        "dispersion index --words",
        "dispersion index --words --by year --min-count 1",
        "dispersion index --words --min-count 999", "dispersion index --words --form the --form zzzz",
    ],
    "next-1": ["next index the", "next index the --n 1 --top 2", "next index it"],
    "next-words-1": ["next index the --words", "next index cat --before"],
    "ngram-profile-1": ["ngram-profile index cat"],
    "trace-1": [
        "trace index t.txt", "trace index t.txt --read markdown", "trace index a.jsonl", "trace index a.jsonl --full",
        "trace index chat.json --conversation", "trace index bad.jsonl --on-bad keep --full",
        "trace index bad.jsonl --on-bad skip", "trace index a.jsonl --prompt-field ask --without-self",
    ],
    "compare-texts-1": ["compare-texts t.txt u.txt", "compare-texts t.txt t.txt --ignore-case"],
    "agree-1": ["agree index a.jsonl", "agree index a.jsonl --group year", "agree index bad.jsonl --on-bad skip"],
    "agree-neural-1": ["agree index neural.jsonl --neural"],
    "perplexity-1": [
        "perplexity index a.jsonl --group year", "perplexity index t.txt --method infgram",
        "perplexity index t.txt u.txt --method backoff", "perplexity index a.jsonl --method levels --leave-one-out",
        "perplexity index bad.jsonl --on-bad keep --tune u.txt", "perplexity index a.jsonl --tune half --accuracy",
    ],
    "mix-1": [
        "mix index --probabilities neural.jsonl", "mix index --probabilities neural.jsonl --method witten-bell",
        "mix index --probabilities neural.jsonl --leave-one-out --html out.html",
        "mix index --probabilities neural.jsonl --halvings 1",
    ],
    "probe-1": ["probe index probes.jsonl", "probe index probes.jsonl --method backoff --on-bad skip"],
    "draft-1": ["draft index a.jsonl --group year --cache out.bin", "draft index t.txt u.txt"],
    "hints-1": ["hints index", "hints index a.jsonl --leave-one-out --arrays h.safetensors", "hints index t.txt u.txt"],
    "fgrams-1": ["fgrams index --min-count 2 --max-n 3", "fgrams index --size 5"],
    "fgram-coverage-1": [
        "fgrams index --min-count 2 --texts a.jsonl", "fgrams index --texts bad.jsonl --skip-bad --sizes 4,9",
    ],
    "clusters-1": [
        "clusters index the", "clusters index zz", "clusters index the --unit tokens --side left",
        "clusters index x --match text",
    ],
    "fgram-embeddings-1": ["embed-fgrams table --tokens tokens.npy --value-type bfloat16"],
    "collocates-1": [
        "collocates index the --min-count 1", "collocates index zz", "collocates index the --unit tokens",
        "collocates index x --match text --within line",
    ],
    "keywords-1": ["keywords index grown --min-count 1", "keywords index --field year=2020 --unit tokens"],
    "duplicates-1": ["duplicates index --length 3", "duplicates index --length 3 --rule all --gap 2"],
    "repeats-1": ["repeats index --length 2", "repeats index --length 65535"],
    "contamination-1": ["contamination index probes.jsonl", "contamination index probes.jsonl --unit tokens"],
    "personal-data-1": ["personal-data private --by year --show", "personal-data index --kind card,key"],
    "decontamination-1": [
        "decontaminate index probes.jsonl --n 3 --share 0.1 --by year",
        "decontaminate index probes.jsonl --rule paragraphs",
    ],
    "plan-1": ["plan 300B", "plan 1e9 --machines 3 --cores 2 --memory 24"],
    "bench-1": ["bench index"],
    "word-lengths-1": ["word-lengths index", "word-lengths index --min-count 99"],
    "diversity-1": ["diversity index", "diversity index --by year", "diversity index --per-document"],
    "spectrum-1": [
        "spectrum index", "spectrum index --view counts --unit tokens", "spectrum index --view above --max-n 2",
        "spectrum index --view growth --min-count 2 --sizes 3", "spectrum index --view vocabulary --step 3",
        "spectrum index --view zipf --unit tokens",
    ],
    "wordlist-1": ["wordlist index --n 2 --top 3", "wordlist index --unit tokens", "wordlist index --contains zzzz"],
    "workers-1": ["workers tcp://localhost:8786"],
    "generate-1": ["generate index the --max-tokens 4", "generate index the zebra --method witten-bell --max-tokens 3"],
    "project-show-1": ["project show p.cxproj"],
    "project-check-1": ["project check p.cxproj"],
    "project-lines-1": ["project lines p.cxproj cats"],
}  # fmt: skip
_CODES = {"verify broken": 1, "workers tcp://localhost:8786": 1, "count index --patterns list.csv --match regex": 2}


class Elsewhere:
    """An index on two machines, one of whose folders is on none."""

    @classmethod
    def open(cls, request):
        return cls()

    @staticmethod
    def claiming(source):
        return BACKENDS.claiming(source)

    def holdings(self):
        return Holding("part-0", "5f", 1, 9, 2, ("tcp://n1:1", "tcp://n2:1")), Holding("part-1", "60", 1, 7, 1, ())


def answer(line, home, monkeypatch, capsys, *more):
    monkeypatch.chdir(home)
    monkeypatch.setattr(workers, "BACKENDS", Elsewhere)
    arguments = [word.replace("\x00", " ") for word in line.split(" ")]
    assert main([*arguments, *more]) == _CODES.get(line, 0), capsys.readouterr().err
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_follows_its_schema(name, home, monkeypatch, capsys):
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for line in ANSWERS[name]:
        text = answer(line, home, monkeypatch, capsys, "--json")
        found = json.loads(text, parse_constant=lambda word: pytest.fail(word))
        assert [error.message for error in validator.iter_errors(found)] == [], line
        assert (found["schema"], found["program"]) == (f"corpus-explorer/{name[:-2]}/1", VERSION)
        assert list(found)[:4] == ["schema", "program", "index", "settings"]
        assert list(found)[-3:] == ["results", "notes", "problems"]
        if line.split(" ")[0] not in ("build", "add", "merge", "bench"):
            rows = answer(line, home, monkeypatch, capsys, "--format", "jsonl")
            assert [json.loads(row) for row in rows.splitlines()] == found["results"]


def test_a_schema_refuses_what_it_does_not_name():
    validator = Draft202012Validator(json.loads((SCHEMAS / "count-1.json").read_text(encoding="utf-8")))
    assert not validator.is_valid({"schema": "corpus-explorer/count/1"})
    assert {error.validator for error in validator.iter_errors({"more": 1})} == {"required", "additionalProperties"}


def test_the_schemas_are_current(made):
    """Run packaging/schemas.py after a change of a record or of the options of a command."""
    files = made.files()
    assert [path.name for path, text in files.items() if path.read_text(encoding="utf-8") != text] == []
    assert {path for path in files if path.parent == SCHEMAS} == set(SCHEMAS.iterdir())
    assert {path.stem for path in SCHEMAS.iterdir()} == set(ANSWERS)


def test_every_command_has_the_two_options(made):
    for command in COMMANDS:
        # These print no records.
        if command.name not in ("demo", "completion", "shell", "serve", "mcp", "publish-keys", "push"):
            options = {name for action in made.parser_of(command.name)._actions for name in action.option_strings}
            assert {"--json", "--format"} <= options, command.name


def test_the_docs_name_every_shape(made):
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    names = [shape.name for _, shape in made.shapes()]
    assert re.findall("^## (.*)$", text, re.M) == [*names, "Objects inside records"]
    # Every object that a table names is described below.
    headings = {name.lower().replace(" ", "-") for name in re.findall("^### (.*)$", text, re.M)}
    assert headings == set(re.findall(r"\]\(#(.*?)\)", text))
