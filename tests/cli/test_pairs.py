"""Pairs of options, drawn from each command line: both have their effect, or the pair is refused by name."""

from __future__ import annotations

import importlib
import itertools
import random
from contextlib import chdir

import pytest
from option_runs import SCENARIOS, make_home, outcome

from explorer.cli.commands import _BY_NAME, command_parser
from explorer.cli.main import main
from explorer.cli.parser import Parser

<<<<<<< HEAD
INDEX_OPTIONS = {
    "--index": "other", "--minus": "part", "--tokenizer": "bytes", "--no-fit-check": None, "--where": "year>=2021",
}  # fmt: skip
FILE = {"--out": "out.tsv"}
PRINTED = {"--json": None, "--format": "csv"}
QUERY_OPTIONS = {
    "--literal": None, "--variants": "upper", "--distance": "4", "--exact": None, "--match": "regex",
    "--ignore-case": None, "--whole-words": None,
}  # fmt: skip
TOKEN_OPTIONS = {"--literal": None, "--variants": "upper", "--distance": "4", "--ignore-case": None}
TRACE_OPTIONS = {
    "--prompt": "mat and cat", "--html": "out.html", "--density": "1", "--min-length": "30", "--max-count": "2",
    "--delimiter": "c", "--abbreviations": None, "--word-boundaries": "off", "--documents-per-span": "1",
    "--seed": "7", "--without-self": None, "--input": "text", "--jsonl": None, "--text-field": "other",
    "--prompt-field": "ask", "--on-bad": "keep", "--skip-bad": None, "--format": "csv", "--fail-over": "1",
    "--json": None, "--full": None, "--read": "markdown", "--out": "out.jsonl", "--match": "words",
    "--fields": "line,token_count,prompt,spans,documents",
}  # fmt: skip
AGREE_OPTIONS = {
    "--group": "year", "--text-field": "other", "--input": "text", "--on-bad": "keep", "--skip-bad": None, "--n": "2",
    "--max-tokens": "5", "--max-texts": "1", "--seed": "3", "--without-self": None, "--csv": "out.csv",
    "--plot": "plot.json", "--plot-kind": "count", "--title": "A title", "--width": "100", "--height": "50",
    "--dpi": "100", "--json": None, "--format": "tsv", "--out": "out.jsonl",
    "--fields": "group,from,token_count,agreement",
    "--prompt-field": "ask", "--prompt": "so the cat", "--prompt-join": " and ", "--prompt-tokens": "3",
}  # fmt: skip
PERPLEXITY_OPTIONS = {
    "--levels": "1", "--decay": "0.5", "--floor": "1e-300", "--context": "2", "--leave-one-out": None,
    "--group": "year", "--prompt-field": "ask", "--text-field": "other", "--tune": "said.txt", "--json": None,
}  # fmt: skip
MIX_OPTIONS = {
    "--log-base": "10", "--leave-one-out": None, "--html": "out.html", "--context": "1", "--json": None,
    "--halvings": "1", "--seed": "3", "--fields": "start,token_text,gain",
}  # fmt: skip
PROBE_OPTIONS = {
    "--levels": "1", "--decay": "0.9", "--context": "2", "--prompt-field": "ask", "--text-field": "other",
    "--transform": "upper", "--on-bad": "keep", "--skip-bad": None, "--json": None, "--fields": "rank,probability,best",
}  # fmt: skip
ARPA_OPTIONS = {"--arpa": "out.arpa", "--context": "2", "--group": "year", "--vocabulary": "all", "--json": None}
GENERATE_OPTIONS = {
    "--levels": "1", "--temperature": "2", "--top-k": "2", "--top-p": "0.6", "--seed": "5", "--most-verbatim": "3",
    "--no-stop": None, "--alpha": "1", "--json": None,
}  # fmt: skip
COMMANDS = {
    "count": (
        ["index", "cat AND the"],
        {
            **INDEX_OPTIONS, **QUERY_OPTIONS, **FILE, "--format": "jsonl", "--json": None, "--queries": "queries.txt",
            "--documents": None, "--fields": "query,count,document_count,parsed,match,ignore_case",
        },
    ),
    "count patterns": (
        ["index", "--patterns", "list.csv"],
        {
            **INDEX_OPTIONS, **QUERY_OPTIONS, **FILE, "--format": "jsonl", "--json": None, "--csv": None,
            "--fail-if-found": None, "--documents": None, "--fields": "pattern,count",
        },
    ),
    "kwic": (
        ["index", "cat AND the"],
        {
            **INDEX_OPTIONS, **QUERY_OPTIONS, "--limit": "3", "--width": "2", "--sort": "-1L",
            "--near": "dog", "--not-near": "zebra", "--sample": "5", "--collapse": "12", "--seed": "3",
            "--format": "csv", "--fields": "year", "--out": "out.jsonl", "--about": "inline", "--squash": None,
            "--json": None, "--count": None,
        },
    ),
    "breakdown": (
        ["index", "cat", "--by", "year"],
        {
            **INDEX_OPTIONS, **FILE, "--ignore-case": None, "--near": "dog", "--near-distance": "9", "--sample": "5",
            "--collapse": "12", "--seed": "3", "--format": "jsonl", "--json": None, "--fields": "value,line_count",
        },
    ),
    "dispersion": (
        ["index", "cat"],
        {
            **INDEX_OPTIONS, **FILE, "--ignore-case": None, "--not-near": "zebra", "--sample": "5", "--format": "jsonl",
            "--json": None, "--fields": "line_count,dp",
        },
    ),
    "dispersion words": (
        ["index", "--words", "--min-count", "1", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--by": "year", "--slices": "3", "--top": "2", "--min-count": "13", "--format": "csv",
            "--json": None, "--fields": "form,count,arf",
        },
    ),
    "dispersion of some": (
        ["index", "--words", "--form", "the", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--by": "year", "--slices": "3", "--form": "cat", "--plot": "plot.json", "--format": "csv",
            "--json": None, "--fields": "form,count,dp,d_a",
        },
    ),
    "count tokens": (
        ["index", "cat AND the", "--match", "tokens"],
        {**INDEX_OPTIONS, **TOKEN_OPTIONS, "--json": None, "--queries": "queries.txt"},
    ),
    "kwic tokens": (
        ["index", "cat AND the", "--match", "tokens"],
        {**INDEX_OPTIONS, **TOKEN_OPTIONS, "--near": "dog", "--limit": "3", "--whole-words": None},
    ),
    "ngram-profile": (
        ["index", "the cat"],
        {
            **INDEX_OPTIONS, **FILE, "--token": "4", "--max-n": "2", "--json": None, "--format": "csv",
            "--fields": "n,count,agreeing_count",
        },
    ),
    "compare-texts": (
        ["answer.txt", "said.txt"],
        {**PRINTED, **FILE, "--least": "2", "--ignore-case": None, "--fields": "kind,left_text"},
    ),
    "next": (
        ["index", "e "],
        {
            **INDEX_OPTIONS, **FILE, "--n": "2", "--top": "1", "--words": None, "--before": None, "--json": None,
            "--format": "jsonl", "--fields": "rank,text,count",
        },
    ),
    "trace": (["index", "answer.txt"], {**INDEX_OPTIONS, **TRACE_OPTIONS}),
    "trace many": (["index", "rows.jsonl"], {**INDEX_OPTIONS, **TRACE_OPTIONS}),
    "trace conversation": (["index", "chat.json", "--conversation"], {**INDEX_OPTIONS, **TRACE_OPTIONS}),
    "agree": (["index", "rows.jsonl"], {**INDEX_OPTIONS, **AGREE_OPTIONS, "--input": "csv", "--neural": None}),
    "agree neural": (["index", "neural.jsonl", "--neural"], {**INDEX_OPTIONS, **AGREE_OPTIONS}),
    "perplexity": (
        ["index", "rows.jsonl", "--method", "levels", "--format", "jsonl"], {**INDEX_OPTIONS, **PERPLEXITY_OPTIONS}
    ),
    "perplexity arpa": (["index", "rows.jsonl", "--method", "discount"], ARPA_OPTIONS),
    "probe": (
        ["index", "probes.jsonl", "--method", "levels", "--format", "jsonl"], {**INDEX_OPTIONS, **FILE, **PROBE_OPTIONS}
    ),
    "mix": (
        ["index", "--probabilities", "logs.jsonl"],
        {**INDEX_OPTIONS, **MIX_OPTIONS},
    ),
    "fgrams": (
        ["index"],
        {
            **INDEX_OPTIONS, "--max-n": "3", "--min-count": "9", "--size": "7", "--dimension": "64", "--json": None,
            "--format": "json", "--fields": "n,at_least", "--out": "arrays", "--value-type": "int8",
        },
    ),
    "fgrams coverage": (
        ["index", "--texts", "rows.jsonl", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--max-n": "3", "--min-count": "9", "--size": "7", "--dimension": "64", "--json": None,
            "--fields": "kept,coverage,table_bytes", "--out": "arrays", "--value-type": "int8", "--plot": "plot.json",
            "--sizes": "3,20", "--text-field": "other",
        },
    ),
    "wordlist": (
        ["index", "--n", "3"],
        {
            **INDEX_OPTIONS, "--unit": "tokens", "--as-written": None, "--n": "4", "--min-n": "2", "--top": "3",
            "--min-count": "6", "--min-documents": "6", "--begins-with": "the", "--contains": "cat",
            "--format": "jsonl", "--json": None, "--fields": "form,count",
        },
    ),
    "spectrum": (
        ["index", "--view", "growth", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--unit": "tokens", "--as-written": None, "--max-n": "3", "--min-count": "2",
            "--sizes": "3", "--view": "counts", "--plot": "plot.json", "--format": "csv", "--json": None,
            "--fields": "n,ngrams",
        },
    ),
    "spectrum of words": (
        ["index", "--view", "vocabulary", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--unit": "tokens", "--as-written": None, "--step": "2", "--shuffle": "3",
            "--view": "zipf", "--plot": "plot.json", "--format": "csv", "--json": None, "--fields": "at,ngrams",
        },
    ),
    "clusters": (
        ["index", "x", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--size": "3,5", "--side": "right", "--min-count": "6", "--min-documents": "4",
            "--unit": "tokens", "--top": "1", "--format": "csv", "--json": None, "--fields": "form,count",
        },
    ),
    "collocates": (
        ["index", "the", "--min-count", "1"],
        {
            **INDEX_OPTIONS, "--window": "1,2", "--min-count": "4", "--unit": "tokens", "--sort": "mi", "--top": "3",
            "--min-documents": "3", "--stop": "cat,sat", "--details": None,
            "--format": "jsonl", "--json": None, "--fields": "form,count",
        },
    ),
    "clusters of hits": (
        ["index", "cat AND the", "--match", "text", "--format", "jsonl", "--top", "all"],
        {
            "--minus": "part", "--where": "year>=2021", "--near": "dog", "--not-near": "zebra", "--near-distance": "3",
            "--distance": "4", "--node": "2", "--literal": None, "--size": "3,5",
        },
    ),
    "collocates of hits": (
        ["index", "cat AND the", "--match", "text", "--min-count", "1"],
        {
            "--minus": "part", "--where": "year>=2021", "--near": "dog", "--not-near": "zebra", "--distance": "4",
            "--node": "2", "--literal": None, "--ignore-case": None, "--window": "1,2", "--within": "sentence",
            "--unit": "tokens",
        },
    ),
    "keywords": (
        ["index", "--against", "list.tsv", "--min-count", "1", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--unit": "tokens", "--field": "year=2020", "--sort": "log_ratio", "--min-count": "4",
            "--min-documents": "2", "--top": "2", "--correction": "none", "--k": "100", "--format": "csv",
            "--json": None, "--fields": "form,count",
        },
    ),
    "duplicates": (
        ["index", "--length", "2"],
        {
            "--index": "other", "--tokenizer": "bytes", "--no-fit-check": None, "--length": "3", "--unit": "bytes",
            "--rule": "all", "--gap": "1", "--across": None, "--prefer": "year=2021", "--keep": "kept.txt",
            "--borders": "words", "--second-pass": None, "--format": "csv", "--json": None,
            "--fields": "document,start",
        },
    ),
    "repeats": (
        ["index", "--length", "2", "--format", "jsonl"],
        {
            "--index": "other", "--tokenizer": "bytes", "--no-fit-check": None, "--length": "3", "--by": "length",
            "--top": "1", "--format": "csv", "--json": None, "--fields": "text,count",
        },
    ),
    "contamination": (
        ["index", "bench.jsonl", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--unit": "tokens", "--part": "answer", "--question-field": "ask",
            "--answer-field": "other", "--fail-over-share": "1%", "--ids": "ids", "--against": "other",
            "--clean": "clean.jsonl", "--plot": "plot.csv", "--score-field": "right", "--on-bad": "skip",
            "--skip-bad": None, "--without-own": None,
            "--flag-by": "coverage_8", "--flag-at": "90%", "--suspect-by": "coverage_13", "--suspect-at": "95%",
            "--format": "csv", "--json": None, "--fields": "id,verdict,longest,score",
        },
    ),
    "personal-data": (
        ["private"],
        {
            **INDEX_OPTIONS, "--index": "leaked", "--minus": "leaked", "--kind": "email", "--show": None,
            "--by": "year", "--top": "1", "--format": "csv", "--json": None, "--fields": "text,kind",
        },
    ),
    "decontaminate": (
        ["index", "probes.jsonl", "--n", "2", "--share", "0.1"],
        {
            **INDEX_OPTIONS, "--unit": "tokens", "--rule": "paragraphs", "--n": "3", "--share": "0.45", "--by": "year",
            "--question-field": "ask", "--answer-field": "other", "--format": "csv", "--json": None,
            "--fields": "document,share",
        },
    ),
    "diversity": (
        ["index", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--by": "year", "--per-document": None, "--window": "3", "--format": "csv",
            "--json": None, "--fields": "group,words,mattr",
        },
    ),
    "plan": (
        ["1B", "--format", "jsonl"],
        {
            "--machines": "2", "--cores": "4", "--memory": "8", "--format": "csv", "--json": None,
            "--fields": "layout,hours,sort_memory_bytes",
        },
    ),
    "generate": (["index", "t", "--max-tokens", "500", "--format", "jsonl"], {**INDEX_OPTIONS, **GENERATE_OPTIONS}),
    "build": (
        ["source", "--out", "built"],
        {
            "--tokenizer": "bytes", "--text-field": "other", "--shards": "2", "--memory": "3", "--on-bad": "skip",
            "--skip-bad": None, "--resume": None, "--estimate": None, "--name": "A name", "--json": None,
            "--format": "jsonl", "--fields": "token_count",
        },
    ),
    "merge": (
        ["index", "other", "--out", "merged"],
        {
            "--where": "year>=2021", "--name": "A name", "--memory": "3", "--tokenizer": "bytes", "--json": None,
            "--format": "jsonl", "--fields": "name,token_count",
        },
    ),
    "add": (
        ["grown", "more", "--again"],
        {
            "--text-field": "other", "--memory": "3", "--on-bad": "skip", "--skip-bad": None, "--metadata": "side.csv",
            "--encoding": "koi8-r", "--json": None, "--format": "jsonl",
            "--fields": "name,token_count", **FILE,
        },
    ),
    "set-tokenizer": (
        ["index"], {"--forget": None, "--json": None, "--format": "csv", "--fields": "fingerprint", **FILE},
    ),
    "project lines": (
        ["lines", "p.cxproj", "cats"],
        {"--format": "csv", "--json": None, "--out": "out.csv", "--fields": "document,match"},
    ),
    "project show": (["show", "p.cxproj"], {**PRINTED, **FILE, "--fields": "indexes"}),
    "project check": (["check", "p.cxproj"], {**PRINTED, **FILE, "--fields": "state,name"}),
    "info": (["index"], {**INDEX_OPTIONS, **PRINTED, **FILE, "--fields": "name,document_count"}),
    "verify": (["index"], {**PRINTED, **FILE, "--tokenizer": "bytes", "--deep": None, "--fields": "file,reason"}),
}  # fmt: skip

QUIET = {
    "--no-fit-check": "the tokenizer fits",
    "--tokenizer": "is the one that the index has",
    "--exact": "every hit is looked at unless there are a million",
    "--deep": "the index is sound",
    "--resume": "no build was interrupted",
    "--whole-words": "no longer word holds these",
    "--squash": "a printed row is one line anyway",
    "--seed": "decides what a sample is",
    "--on-bad": "no line is bad",
    "--skip-bad": "no line is bad",
    "--density": "tokens are bytes, so that the rarest 5 % are all spans",
    "--abbreviations": "the spans end before them",
    "--input": "the input is what it is taken for",
    "--jsonl": "the input is what it is taken for",
}
"""Options that change nothing here by themselves, and why."""

WHEN = re.compile(
    rb'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00|"times": {[^}]*}|"seconds": [\d.e-]+'
    rb'|"free_(disk|memory)_bytes": \d+|\([\d,]+ free\)| \d+(?:\.\d+)? s\b|\n  "settings": .*'
)
"""When something was made, how long it took, and what the machine has free: these differ from run to run. Settings are
left out of JSON: an option that changes nothing but these has no effect."""

COMMON = {
    # None of the texts of the rows has a mark of Markdown.
    "trace many": {"--index", "--read", "--min-length", "--max-count", "--word-boundaries", "--documents-per-span"},
    "add": {"--memory"},
    # Nothing was remembered.
    "set-tokenizer": {"--forget"},
    "agree": {"--index"},
    "agree neural": {"--index", "--minus", "--where"},
    # Every byte of the rows follows the one before it somewhere in the index.
    "perplexity": {"--floor"},
    # The index has bytes.
    "duplicates": {"--unit"},
    # Each text is one sentence.
    "collocates of hits": {"--within"},
}
"""Options that change nothing either, since an answer in few numbers hides what they change."""

_ONE_SPAN = (
    "--minus beside --min-length",
    "--max-count beside --min-length",
    "--documents-per-span beside --min-length",
    "--where beside --min-length",
    "--max-count beside --where",
    "--documents-per-span beside --where",
)
# No prompt occurs before its text in the corpus, so it makes no context longer than the text's own tokens do.
_UNSEEN_PROMPT = (
    "--prompt-field beside --without-self",
    "--prompt beside --without-self",
    "--prompt-field beside --prompt-tokens",
    "--prompt beside --prompt-tokens",
)
=======
DRAWN = 6
"""Pairs of each command line, the same in every run; packaging/option_table.py tries every option by itself."""
>>>>>>> c006bfee (Try every option of every command, and make a table of what each does)
ALIKE = {
    # One document per year is left.
    "--by changes nothing in ('--minus', '--by')",
    # A table of documents has no values of a field.
    "--by changes nothing in ('--by', '--format')",
    # The span that is left occurs once.
    "--documents-per-span changes nothing in ('--documents-per-span', '--without-self')",
    # Nothing is flagged of what is left.
    "--flag-by changes nothing in ('--minus', '--flag-by')",
    # No document has as many n-grams of tokens.
    "--share changes nothing in ('--unit', '--share')",
}
"""Pairs in which the first has nothing left to change; each was looked at."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    make_home(folder)
    with chdir(folder):
        yield folder


@pytest.mark.parametrize("scenario", [name for name, (_, values) in SCENARIOS.items() if len(values) > 1])
def test_pairs(scenario, home):
    values = SCENARIOS[scenario][1]
    pairs = list(itertools.combinations(values, 2))
    bare, wrong = outcome(scenario, [], home), []
    for pair in random.Random(scenario).sample(pairs, min(DRAWN, len(pairs))):
        alone, both = [outcome(scenario, [name], home) for name in pair], outcome(scenario, pair, home)
        if both.code == 2:
            # Read as what it is not, an input is refused by its name.
            named = (*pair, "answer.txt", "rows.jsonl", "QUERY")
            wrong += [] if any(name in both.messages for name in named) else [f"{pair} is refused without naming them"]
            continue
        for name, mine, other in zip(pair, alone, reversed(alone), strict=True):
            # What changes nothing by itself has its reason in the table of all options.
            if mine[:3] != bare[:3] and both[:3] == other[:3]:
                wrong.append(f"{name} changes nothing in {pair}")
    assert [line for line in wrong if line not in ALIKE] == []


@pytest.mark.parametrize(
    ("words", "needs"),
    [
        ("count index cat --distance 5", "--distance needs a query with AND."),
        ("count index cat --exact", "--exact needs a query with AND."),
        ("count index cat --node 1", "--node needs a query with AND."),
        ("count index cat --partial", "--partial needs an index on a cluster."),
        ("kwic index cat --distance 5", "--distance needs a query with AND, --near or --not-near."),
        ("kwic index cat --near dog --near-distance 3 --distance 5", "--distance needs a query with AND"),
        ("kwic index cat --seed 3", "--seed needs --sample, --sort random or a query with AND."),
        ("kwic index 'cat AND dog' --exact --seed 3", "--seed needs --sample or --sort random"),
        ("breakdown index cat --by year --seed 3", "--seed needs --sample or a query with AND."),
        ("collocates index cat --match text --node 2", "--node needs a query with AND."),
        ("build source --out built --format fm --tokenizer train", "--tokenizer train needs an index of tokens"),
        ("spectrum index --where year=2020", "--where needs --view counts, --view above"),
        ("repeats index --where year=2020", "--where needs an index of these documents only"),
        ("duplicates index --length 2 --minus part", "--minus needs an index without these documents"),
        ("duplicates index --length 2 --out texts --characters", "--characters needs --format annotated."),
        ("embed-fgrams table --tokens tokens.npy --tensor x", "--tensor needs a .safetensors file."),
        ("perplexity index rows.jsonl --method weighted --base 3", "--base needs --weight exponential."),
    ],
)
def test_an_option_without_effect_is_refused(words, needs, home, capsys):
    before = sorted(home.rglob("*"))
    assert main(words.replace("'cat AND dog'", "cat\0AND\0dog").replace(" ", "\n").replace("\0", " ").split("\n")) == 2
    out, err = capsys.readouterr()
    assert out == "" and needs in err and sorted(home.rglob("*")) == before
    assert len([line for line in err.splitlines() if not line.startswith("#")]) == 1


LISTED = [name for name, (_, values) in SCENARIOS.items() if "--where" in values]


@pytest.mark.parametrize("scenario", LISTED)
@pytest.mark.parametrize(("option", "value"), [("--minus", "copy"), ("--where", "year=1900")])
def test_nothing_is_left(scenario, option, value, home):
    """Subtracting everything, and a condition that nothing meets: an empty result, or one sentence that tells why."""
    from explorer import build_index

    if not (home / "copy").exists():
        build_index([home / "source"], home / "copy", tokenizer="bytes")
    base, _ = SCENARIOS[scenario]
    SCENARIOS["nothing left"] = ([*base, *(["--allow-same"] if option == "--minus" else [])], {option: value})
    found = outcome("nothing left", [option], home, scenario.split()[0])
    assert found.code in (0, 1, 2) and "Unexpected" not in found.messages and "Traceback" not in found.messages
    errors = [line for line in found.messages.splitlines() if not line.startswith("#")]
    assert len(errors) == (found.code == 2) and (not errors or errors[0].endswith((".", "view zipf.")))


@pytest.mark.parametrize("command", sorted(_BY_NAME))
def test_every_option_is_explained(command):
    parser = Parser("p", "d")
    module = importlib.import_module(f"explorer.cli.{_BY_NAME[command].module}")
    getattr(module, f"define_{command}".replace("-", "_"))(parser)
    assert [action.dest for action in parser._actions if not action.help] == []


def test_every_command_is_tried():
    """A new option needs a value in tests/support/option_runs.py; packaging/option_table.py reports it."""
    without = {"demo", "publish-keys", "workers", "shell", "bench", "serve", "mcp"}
    assert {name.split()[0] for name in SCENARIOS} - {"nothing"} == set(_BY_NAME) - without
    assert all(command_parser(_BY_NAME[name]).words for name in without)
