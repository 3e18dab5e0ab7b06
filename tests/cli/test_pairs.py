"""Every pair of options of every command: both have their effect, or the pair is refused by name."""

from __future__ import annotations

import importlib
import itertools
import json
import re
import shutil

import pytest

from explorer import build_index, open_index
from explorer.cli.commands import _BY_NAME
from explorer.cli.main import main
from explorer.cli.parser import Parser
from explorer.project import Index, KeptLines, LineSet, Project, Query, save_project
from explorer.project.tables import place_of

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
ALIKE = {
    # There are no findings, so no record has a field.
    "verify": ("--fields beside --json",),
    "kwic": (
        "--index beside --limit", "--index beside --collapse", "--near beside --limit", "--not-near beside --distance",
        # So few lines are in the order of one word before them already.
        "--collapse beside --sample", "--sort beside --distance",
    ),
    "kwic tokens": ("--near beside --limit",),
    "trace": (*_ONE_SPAN, "--documents-per-span beside --max-count", "--documents-per-span beside --without-self"),
    "trace conversation": (
        *_ONE_SPAN, "--documents-per-span beside --max-count", "--documents-per-span beside --without-self",
    ),
    "trace many": (
        "--minus beside --index", "--minus beside --without-self", "--delimiter beside --text-field",
        "--delimiter beside --min-length", "--delimiter beside --without-self", "--fail-over beside --without-self",
        "--without-self beside --input", "--without-self beside --text-field", "--where beside --without-self",
        # No row has the 25 words from which a document counts as a copy.
        "--without-self beside --match",
    ),
    "agree": (
        "--minus beside --index", "--minus beside --max-tokens", "--minus beside --max-texts",
        "--minus beside --without-self", "--minus beside --text-field",
        "--without-self beside --text-field", "--without-self beside --max-tokens", "--where beside --max-tokens",
        "--where beside --without-self", *_UNSEEN_PROMPT,
    ),
    # A single level has no next one.
    "perplexity": ("--decay beside --levels", "--index beside --where"),
    # Two bytes of these prompts are found as they are.
    "probe": ("--decay beside --levels", "--transform beside --context"),
    # The sizes are told with the whole, and records are of tokens.
    "mix": ("--index beside --where", "--halvings beside --fields"),
    "merge": ("--memory beside --where",),
    # What is frequent in two indexes is so without a part of one; the seventh is more frequent than nine times; and
    # the size of a table is told with the whole.
    "fgrams": (
        "--minus beside --index", "--min-count beside --size", "--dimension beside --fields",
        "--value-type beside --fields",
    ),
    # Of the same tables: those of these sizes are all more frequent than nine times.
    "fgrams coverage": (
        "--minus beside --index", "--min-count beside --size", "--min-count beside --sizes",
    ),
    # The most frequent begin and end with the query, and there is more of the first than of anything else.
    "clusters": (
        "--side beside --min-count", "--side beside --top", "--min-count beside --top", "--min-documents beside --top",
    ),
    # What is so near the query is not near the other animal.
    "clusters of hits": ("--not-near beside --distance",),
    "collocates of hits": ("--not-near beside --distance",),
    # The three most attracted are those that occur four times near the query; of so few words, both measures make one
    # order, and only the table for people names the measure.
    "collocates": (
        "--min-count beside --top", "--sort beside --format", "--sort beside --json", "--sort beside --fields",
        # Documents need the details as well; no token is one of these words, and no detail a field that is shown.
        "--details beside --min-documents", "--details beside --fields", "--stop beside --unit",
    ),
    # Neither the correction nor the constant is in the fields that are shown. What occurs four times, and what is among
    # the two strongest, is in two documents.
    "keywords": (
        "--correction beside --fields", "--k beside --fields", "--min-documents beside --min-count",
        "--min-documents beside --top",
    ),
    # One document per year is left, and three documents of one size are three slices. The fields that are shown depend
    # on no part, and the two most frequent words occur often.
    "dispersion words": (
        "--by beside --minus", "--slices beside --minus", "--by beside --where", "--by beside --fields",
        "--slices beside --fields", "--min-count beside --top",
    ),
    # The words that are left are in the same parts.
    "dispersion of some": ("--by beside --minus", "--slices beside --minus", "--by beside --where"),
    # The three most frequent are in all six documents, and what is in all of them occurs six times.
    "wordlist": (
        "--min-count beside --top", "--min-documents beside --top", "--min-count beside --min-documents"
    ),
    # What occurs three times and twice; a rule that keeps no copy knows no other document.
    # What is not in a row is not in a table; what other options cut are whole words.
    "duplicates": (
        "--length beside --rule", "--length beside --across", "--second-pass beside --format",
        "--second-pass beside --fields", "--length beside --borders", "--borders beside --rule",
        "--borders beside --across",
    ),
    # The longest is also the one that saves most.
    "repeats": ("--length beside --top",),
    # Neither a second index nor an answer changes id and longest match; of parts that are short, or that do not occur,
    # none is flagged; and the answer is not in the question. Thresholds change the verdict of two items, if these have
    # matches and no other threshold has changed it. Most of the benchmark is in the
    # index itself, and little of it is found without these documents.
    "contamination": (
        "--minus beside --without-own", "--where beside --without-own", "--without-own beside --part",
        "--without-own beside --question-field", "--answer-field beside --without-own",
        "--fail-over-share beside --without-own", "--flag-by beside --without-own", "--flag-at beside --without-own",
        "--suspect-by beside --without-own", "--suspect-at beside --without-own",
        "--flag-by beside --minus", "--flag-by beside --where", "--flag-by beside --unit", "--suspect-by beside --unit",
        "--suspect-at beside --unit", "--flag-by beside --part", "--flag-at beside --part",
        "--suspect-by beside --part", "--suspect-at beside --part", "--flag-by beside --question-field",
        "--flag-at beside --question-field", "--suspect-by beside --flag-by", "--suspect-at beside --flag-by",
        "--suspect-by beside --suspect-at", "--suspect-at beside --suspect-by",
        "--index beside --fields", "--answer-field beside --fields", "--question-field beside --part",
        "--fail-over-share beside --part", "--fail-over-share beside --question-field",
    ),
    "personal-data": ("--by beside --format", "--by beside --fields"),
    # No paragraph has enough of the sets, whatever is asked about; and a table of documents has no values of a field.
    "decontaminate": (
        "--share beside --unit", "--n beside --rule", "--share beside --rule", "--question-field beside --rule",
        "--answer-field beside --rule", "--by beside --format", "--by beside --fields",
    ),
    # One word is before the prompt.
    "next": ("--top beside --before",),
    "build": ("--memory beside --estimate", "--on-bad beside --estimate", "--skip-bad beside --estimate"),
}  # fmt: skip
"""Pairs in which the first has nothing left to change; each was looked at. A long least length leaves one span that
occurs once; a line of a sample or of the first few is the same in one index and two; what is left out has gone; a small
build needs the same memory whatever its limit, and leaves out nothing."""


@pytest.fixture
def work(tmp_path, monkeypatch, small_index):
    """A folder with indexes and files in which each option makes a difference."""
    animals = ("dog", "owl", "zebra", "dog zebra")
    rows = [
        {
            "text": f"cat AND the mat {n} {'x ' * n} the cat sat with THE CAT, CAT AND THE and cat AND the "
            + animals[n % 4],
            "year": 2019 + n % 4,
            "title": f"t{n}",
        }
        for n in range(6)
    ]
    (tmp_path / "source").mkdir()
    lines = "".join(json.dumps({**row, "other": f"so the dog {n}"}) + "\n" for n, row in enumerate(rows))
    (tmp_path / "source" / "a.jsonl").write_text(lines)
    monkeypatch.chdir(tmp_path)
    build_index("source", "index", tokenizer="bytes")
    (tmp_path / "other.jsonl").write_text(lines + json.dumps({**rows[0], "text": "A cat AND the " + rows[0]["text"]}))
    build_index("other.jsonl", "other", tokenizer="bytes")
    secrets = [{"text": f"call +1 212 555 010{n} or ann{n}@a.org", "year": 2019 + n} for n in range(4)]
    build_index(secrets, "private", tokenizer="bytes")
    build_index(secrets[2:3], "leaked", tokenizer="bytes")
    (tmp_path / "part.jsonl").write_text("".join(lines.splitlines(True)[:3]))
    build_index("part.jsonl", "part", tokenizer="bytes")
    _save_project(tmp_path)
    # What is added: records, and plain texts, of which one has metadata in a table, and one an encoding to be named.
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.jsonl").write_text(lines)
    (tmp_path / "more" / "b.txt").write_text("a plain text")
    (tmp_path / "more" / "c.txt").write_bytes("кот".encode("koi8-r") + bytes([0x98]))
    (tmp_path / "side.csv").write_text("path,author\nb.txt,Ann\n")
    (tmp_path / "kept.txt").write_text("the cat sat\n")
    (tmp_path / "list.tsv").write_text("1\t50\tthe\n2\t9\tcat\n3\t7\tso\n4\t5\tzebra\n")
    (tmp_path / "list.csv").write_text("pattern,label\nthe cat,pet\nThe Cat AND,\nc.t,\n")
    (tmp_path / "queries.txt").write_text("the cat\ncat AND dog\n")
    asked = [{**row, "other": f"so the dog {n}", "ask": f"zebra {n}"} for n, row in enumerate(rows)]
    probes = [
        {"prompt": "The Cat ", "ending": "sat with", "ask": "THE CAT, CAT ", "other": "and the"},
        {"prompt": "cat AND the mat", "ending": "5", "ask": "THE caT", "other": "cat sat"},
        {"prompt": "xyz c", "ending": "at", "ask": "AND", "other": "the"},
    ]
    (tmp_path / "probes.jsonl").write_text("".join(json.dumps(each) + "\n" for each in probes))
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    parts = [row["text"].rpartition(" ") for row in asked]
    bench = [{"question": text, "answer": last, "other": "so", "ask": text[:40] + " x" * 14} for text, _, last in parts]
    # Half of one occurs in one piece, and most of the other in two.
    words = parts[0][0].split()
    for text in (words[:16] + ["w"] * 12, [*words[:9], "w", "v", *words[7:16]]):
        bench.append({"question": " ".join(text), "answer": "", "other": "so", "ask": "x " * 20, "right": 1})
    (tmp_path / "bench.jsonl").write_text("".join(json.dumps(row) + "\n" for row in bench))
    said = "Mr. A. Cat: " + rows[3]["text"] + " Mr. B sat *with* the zebra"
    (tmp_path / "answer.txt").write_text(said)
    (tmp_path / "said.txt").write_text("the cat sat with The Cat, cat and the Mr. B")
    turns = [{"role": "user", "content": "mat and zebra?"}, {"role": "assistant", "content": said}]
    (tmp_path / "chat.json").write_text(json.dumps(turns))
    tokens = [{"start": 4 * n, "end": 4 * n + 4, "probability": n / 10} for n in range(10)]
    (tmp_path / "neural.jsonl").write_text(json.dumps({**asked[0], "tokens": tokens}) + "\n")
    tokens = [{"start": at, "end": at + 1, "logprob": -0.1 * at} for at in range(len(asked[0]["text"]))]
    (tmp_path / "logs.jsonl").write_text(json.dumps({"text": asked[0]["text"], "tokens": tokens}) + "\n")
    return tmp_path


def _save_project(folder):
    corpus = open_index(folder / "index")
    kept = KeptLines().with_mark([place_of(line) for line in corpus.concordance("cat").lines(0, 2)])
    index = Index("1", "Small", ("index",), fingerprint=corpus.index.fingerprint)
    cats = LineSet("cats", "1", Query("cat"), "", corpus.index.fingerprint, kept)
    save_project(Project((index,), (), (cats,)), folder / "p.cxproj")


@pytest.mark.parametrize("scenario", list(COMMANDS))
def test_pairs(scenario, work, capsys):
    bare = outcome(scenario, [], work, capsys)
    alone = {name: outcome(scenario, [name], work, capsys) for name in COMMANDS[scenario][1]}
    idle = {name for name, found in alone.items() if found[:3] == bare[:3]}
    assert idle <= QUIET.keys() | COMMON.get(scenario, set())
    wrong = []
    for pair in itertools.combinations(alone, 2):
        both = outcome(scenario, pair, work, capsys)
        if both[0] == 2:
            # Read as what it is not, an input is refused by its name.
            named = (*pair, "answer.txt", "rows.jsonl")
            wrong += [] if any(name in both[3] for name in named) else [f"{pair} is refused without naming them"]
            continue
        for name, other in (pair, pair[::-1]):
            said = f"{name} beside {other}"
            if name not in idle and both[:3] == alone[other][:3] and said not in ALIKE.get(scenario, ()):
                wrong.append(said)
    assert "\n".join(wrong) == ""


def outcome(scenario, options, folder, capsys):
    base, values = COMMANDS[scenario]
    if scenario == "add":
        # The one command that changes an index.
        shutil.copytree(folder / "index", folder / "grown")
    before = set(folder.rglob("*"))
    words = [word for name in options for word in (name, values[name]) if word is not None]
    code = main([scenario.split()[0], *base, *words])
    said = capsys.readouterr()
    files = {}
    for path in sorted(set(folder.rglob("*")) - before):
        if path.is_file():
            files[path.relative_to(folder)] = WHEN.sub(b"", path.read_bytes())
    for path in {*(set(folder.iterdir()) - before), *folder.glob("grown")}:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return code, WHEN.sub(b"", said.out.encode()), files, said.err


@pytest.mark.parametrize("command", sorted(_BY_NAME))
def test_every_option_is_explained(command):
    parser = Parser("p", "d")
    module = importlib.import_module(f"explorer.cli.{_BY_NAME[command].module}")
    getattr(module, f"define_{command}".replace("-", "_"))(parser)
    assert [action.dest for action in parser._actions if not action.help] == []
