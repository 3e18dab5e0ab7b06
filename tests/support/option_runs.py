"""Command lines in which each option makes a difference, and what they do: for tests and packaging/option_table.py."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from shared_data import tokenizer_files

from explorer import build_index, open_index
from explorer.cli.main import main
from explorer.project import Index, KeptLines, LineSet, Project, Query, save_project
from explorer.project.tables import place_of

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
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
SCENARIOS: dict[str, tuple[list[str], dict[str, str | None]]] = {
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
    "word-lengths": (
        ["index", "--format", "jsonl"],
        {
            **INDEX_OPTIONS, "--min-count": "2", "--examples": "1", "--plot": "plot.json", "--format": "csv",
            "--json": None, "--fields": "length,share",
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
            "--skip-bad": None, "--resume": None, "--estimate": None, "--preview": "3", "--name": "A name",
            "--json": None, "--format": "jsonl", "--fields": "token_count",
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
            "--skip-duplicates": None, "--encoding": "koi8-r", "--json": None, "--format": "jsonl",
            "--fields": "name,token_count", **FILE,
        },
    ),
    "build texts": (
        ["more", "--out", "built"], {"--metadata": "side.csv", "--encoding": "koi8-r", "--skip-duplicates": None}
    ),
    "build manifest": (["--manifest", "files.csv", "--out", "built"], {"--manifest": "side.csv"}),
    "add manifest": (["grown", "--manifest", "files.csv", "--again"], {"--manifest": "side.csv"}),
    "build ids": (["ids.bin", "--out", "built", "--tokenizer", "bytes", "--eos", "10"], {"--ids": "uint8"}),
    "build parallel": (["p.tmx", "--out", "built"], {"--language": "de"}),
    "add parallel": (["grown", "p.tmx", "--again"], {"--language": "de"}),
    "build chapters": (["book.fb2", "--out", "built"], {}),
    "add chapters": (["grown", "book.fb2", "--again"], {}),
    "build pages": (["pages.pdf", "--out", "built"], {}),
    "add pages": (["grown", "pages.pdf", "--again"], {}),
    "build wrong": (["wrong.txt", "--out", "built"], {}),
    "add wrong": (["grown", "wrong.txt", "--again"], {}),
    "trace markdown": (["index", "marked.md"], {}),
    "build row": (["ids.npy", "--out", "built", "--tokenizer", "bytes"], {"--eos": "10"}),
    "add ids": (["grown", "ids.bin", "--again", "--eos", "10"], {"--ids": "uint8"}),
    "add row": (["grown", "ids.npy", "--again"], {"--eos": "10"}),
    "build special": (
        ["special.txt", "--out", "built", "--tokenizer", "special.json"], {"--special-tokens": "tokens"}
    ),
    "build fm": (["source", "--out", "built", "--format", "fm"], {}),
    "count queries": (["index", "--queries", "queries.jsonl", "--on-bad", "skip"], {"--text-field": "other"}),
    "count bad": (["index", "--queries", "queries.jsonl"], {"--on-bad": "skip", "--skip-bad": None}),
    "count many": (["index"], {"--queries": "queries.txt", "--patterns": "list.csv"}),
    "breakdown joined": (["index", "cat AND the", "--by", "year"], {"--node": "1"}),
    "dispersion joined": (["index", "cat AND the"], {"--node": "1"}),
    "dispersion all": (["index"], {"--words": None}),
    "trace chat": (["index", "chat.json"], {"--conversation": None}),
    "agree file": (["index", "neural.jsonl", "--text-field", "text"], {"--neural": None}),
    "agree figure": (["index", "rows.jsonl", "--plot", "plot.png"], {"--width": "90", "--height": "60", "--dpi": "50"}),
    "agree bits": (["index", "logs.jsonl", "--neural"], {}),
    "perplexity learned": (["index", "rows.jsonl", "--method", "learned"], {"--tune": "said.txt"}),
    "probe learned": (["index", "probes.jsonl", "--method", "learned"], {"--tune": "said.txt"}),
    "generate learned": (["index", "t", "--method", "learned", "--max-tokens", "9"], {"--tune": "said.txt"}),
    "mix learned": (["index", "--probabilities", "logs.jsonl", "--method", "learned"], {"--tune": "said.txt"}),
    "keywords all": (["index", "--min-count", "1"], {"--against": "list.tsv", "--field": "year=2020"}),
    "clusters joined": (["index", "cat AND the"], {}),
    "keywords other": (["index", "other", "--min-count", "1"], {}),
    "duplicates files": (
        ["index", "--length", "2", "--out", "texts"],
        {"--format": "annotated", "--parquet": None, "--zst": None, "--min-words": "99", "--sources-only": None},
    ),
    "duplicates rows": (["index", "--length", "2", "--out", "texts", "--format", "annotated"], {"--characters": None}),
    "personal-data files": (["private", "--out", "texts"], {"--format": "annotated", "--min-words": "99"}),
    "decontaminate files": (
        ["index", "probes.jsonl", "--n", "2", "--share", "0.1", "--out", "texts"], {"--min-words": "99"}
    ),
    "draft": (["index", "rows.jsonl"], {}),
    "hints": (["index", "rows.jsonl", "--format", "jsonl"], {}),
    "embed-fgrams": (["table", "--tokens", "tokens.npy"], {}),
    "completion": (["bash"], {}),
    "set-tokenizer": (
        ["index"], {"--forget": None, "--json": None, "--format": "csv", "--fields": "fingerprint", **FILE},
    ),
    "project lines": (
        ["lines", "p.cxproj", "cats"],
        {"--format": "csv", "--json": None, "--out": "out.csv", "--fields": "document,match"},
    ),
    "project show": (["show", "p.cxproj"], {**PRINTED, **FILE, "--fields": "indexes"}),
    "project check": (["check", "p.cxproj"], {**PRINTED, **FILE, "--fields": "state,name"}),
    "info": (["index"], {**INDEX_OPTIONS, **PRINTED, **FILE, "--fields": "name,document_count", "--files": None}),
    "verify": (["index"], {**PRINTED, **FILE, "--tokenizer": "bytes", "--deep": None, "--fields": "file,reason"}),
}  # fmt: skip


def make_home(home: Path) -> None:
    """Make indexes and files in which each option makes a difference."""
    animals = ("dog", "owl", "zebra", "dog zebra")
    rows: list[dict[str, Any]] = [
        {
            "text": f"cat AND the mat {n} {'x ' * n} the cat sat with THE CAT, CAT AND THE and cat AND the "
            + animals[n % 4],
            "year": 2019 + n % 4,
            "title": f"t{n}",
        }
        for n in range(6)
    ]
    (home / "source").mkdir()
    lines = "".join(json.dumps({**row, "other": f"so the dog {n}"}) + "\n" for n, row in enumerate(rows))
    (home / "source" / "a.jsonl").write_text(lines)
    sections = "".join(f"<section><title><p>{n}</p></title><p>the cat {n}</p></section>" for n in range(2))
    (home / "book.fb2").write_text(f"<FictionBook><body>{sections}</body></FictionBook>", encoding="utf-8")
    shutil.copyfile(KINDS / "two-columns.pdf", home / "pages.pdf")
    (home / "wrong.txt").write_text("the cafÃ©", encoding="utf-8")
    (home / "marked.md").write_text("so the **cat** sat with THE CAT", encoding="utf-8")
    (home / "special.txt").write_text("the end </s>", encoding="utf-8")
    shutil.copyfile(tokenizer_files()[0], home / "special.json")
    build_index(home / "source", home / "index", tokenizer="bytes")
    (home / "other.jsonl").write_text(lines + json.dumps({**rows[0], "text": "A cat AND the " + rows[0]["text"]}))
    build_index(home / "other.jsonl", home / "other", tokenizer="bytes")
    secrets = [{"text": f"call +1 212 555 010{n} or ann{n}@a.org", "year": 2019 + n} for n in range(4)]
    build_index(secrets, home / "private", tokenizer="bytes")
    build_index(secrets[2:3], home / "leaked", tokenizer="bytes")
    (home / "part.jsonl").write_text("".join(lines.splitlines(True)[:3]))
    build_index(home / "part.jsonl", home / "part", tokenizer="bytes")
    _save_project(home)
    # What is added: records, and plain texts, of which one has metadata in a table, and one an encoding to be named.
    (home / "more").mkdir()
    (home / "more" / "a.jsonl").write_text(lines)
    (home / "more" / "b.txt").write_text("a plain text")
    (home / "more" / "c.txt").write_bytes("кот".encode("koi8-r") + bytes([0x98]))
    (home / "more" / "d.txt").write_text("a plain text")
    (home / "side.csv").write_text("path,author\nb.txt,Ann\nkept.txt,Bob\n")
    (home / "files.csv").write_text("file,author\nmore/b.txt,Ann\n")
    (home / "kept.txt").write_text("the cat sat\n")
    (home / "list.tsv").write_text("1\t50\tthe\n2\t9\tcat\n3\t7\tso\n4\t5\tzebra\n")
    (home / "list.csv").write_text("pattern,label\nthe cat,pet\nThe Cat AND,\nc.t,\n")
    (home / "queries.txt").write_text("the cat\ncat AND dog\n")
    asked = [{**row, "other": f"so the dog {n}", "ask": f"zebra {n}"} for n, row in enumerate(rows)]
    probes = [
        {"prompt": "The Cat ", "ending": "sat with", "ask": "THE CAT, CAT ", "other": "and the"},
        {"prompt": "cat AND the mat", "ending": "5", "ask": "THE caT", "other": "cat sat"},
        {"prompt": "xyz c", "ending": "at", "ask": "AND", "other": "the"},
    ]
    (home / "probes.jsonl").write_text("".join(json.dumps(each) + "\n" for each in probes))
    (home / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    parts = [row["text"].rpartition(" ") for row in asked]
    bench = [{"question": text, "answer": last, "other": "so", "ask": text[:40] + " x" * 14} for text, _, last in parts]
    # Half of one occurs in one piece, and most of the other in two.
    words = parts[0][0].split()
    for text in (words[:16] + ["w"] * 12, [*words[:9], "w", "v", *words[7:16]]):
        bench.append({"question": " ".join(text), "answer": "", "other": "so", "ask": "x " * 20, "right": 1})
    (home / "bench.jsonl").write_text("".join(json.dumps(row) + "\n" for row in bench))
    said = "Mr. A. Cat: " + rows[3]["text"] + " Mr. B sat *with* the zebra"
    (home / "answer.txt").write_text(said)
    (home / "said.txt").write_text("the cat sat with The Cat, cat and the Mr. B")
    turns = [{"role": "user", "content": "mat and zebra?"}, {"role": "assistant", "content": said}]
    (home / "chat.json").write_text(json.dumps(turns))
    (home / "token.txt").write_text("q9Zt3xKf7Lw2Rb8Vn5Yc1Hd6Gm4Js0PaTeUiOrQyXzWv")
    (home / "token.txt").chmod(0o600)
    rates = {"tokenize_tokens": {"value": 9, "unit": "tokens per second and core", "source": "a guess"}}
    (home / "rates.json").write_text(json.dumps(rates))
    (home / "queries.jsonl").write_text('{"query": "the cat", "other": "cat"}\n[]\n')
    open_index(home / "index").fgrams(2).write_arrays(home / "table")
    segments = '<tuv xml:lang="en"><seg>the cat</seg></tuv><tuv xml:lang="de"><seg>die Katze sitzt</seg></tuv>'
    (home / "p.tmx").write_text(f"<tmx><body><tu>{segments}</tu></body></tmx>")
    np.save(home / "ids.npy", np.frombuffer(b"the cat\nso the dog\n", np.uint8))
    (home / "ids.bin").write_bytes(b"the cat\n\0\nso the dog\n")
    np.save(home / "tokens.npy", np.zeros((256, 2)))
    tokens = [{"start": 4 * n, "end": 4 * n + 4, "probability": n / 10} for n in range(10)]
    (home / "neural.jsonl").write_text(json.dumps({**asked[0], "tokens": tokens}) + "\n")
    tokens = [{"start": at, "end": at + 1, "logprob": -0.1 * at} for at in range(len(asked[0]["text"]))]
    (home / "logs.jsonl").write_text(json.dumps({"text": asked[0]["text"], "tokens": tokens}) + "\n")


def _save_project(folder: Path) -> None:
    corpus = open_index(folder / "index")
    kept = KeptLines().with_mark([place_of(line) for line in corpus.concordance("cat").lines(0, 2)])
    index = Index("1", "Small", ("index",), fingerprint=corpus.index.fingerprint)
    cats = LineSet("cats", "1", Query("cat"), "", corpus.index.fingerprint, kept)
    save_project(Project((index,), (), (cats,)), folder / "p.cxproj")


VALUES = {
    **INDEX_OPTIONS, "--allow-same": None, "--allow-remote": None, "--insecure": None, "--token-file": "token.txt",
    "--partial": None, "--text-field": "other", "--on-bad": "skip", "--skip-bad": None, "--patterns": "list.csv",
    "--node": "2", "--characters": None, "--near-distance": "3", "--near": "dog", "--not-near": "zebra",
    "--literal": None, "--match": "regex", "--whole-words": None, "--variants": "upper", "--distance": "4",
    "--exact": None, "--ignore-case": None, "--collapse": "12", "--seed": "3", "--words": None,
    "--relevance": "olmotrace", "--within": "sentence", "--unit": "tokens", "--tokens": "tokens.npy",
    "--conversation": None, "--log-base": "10", "--accuracy": None, "--method": "backoff", "--n": "2",
    "--weight": "exponential", "--base": "3", "--alpha": "0.7", "--factor": "0.2", "--discount": "0.5",
    "--transform": "upper", "--format": "csv", "--fields": "path", "--max-tokens": "4", "--decay": "0.5",
    "--levels": "1", "--context": "2", "--floor": "1e-30", "--vocabulary": "all", "--tune": "said.txt",
    "--input": "jsonl", "--group": "year", "--min-d-a": "0.9", "--details": None, "--stop": "the,cat", "--ranks": "1,3",
    "--out": "out.csv", "--against": "list.tsv", "--removal-index": "removed", "--preview": "1", "--parquet": None,
    "--zst": None, "--min-words": "9", "--sources-only": None, "--mask": None, "--texts": "rows.jsonl",
    "--metadata": "side.csv", "--encoding": "koi8-r", "--keep-text": None, "--by": "title", "--rates": "rates.json",
    "--json": None, "--samples": "1", "--plateau": "1", "--arrays": "arrays", "--max-draft": "1",
    "--min-probability": "0.9", "--draft-cost": "0.5", "--cache": "cache", "--leave-one-out": None,
    "--instance": "learned",
    "--probabilities-out": "p.jsonl", "--resume": None, "--window": "9", "--mix": "logs.jsonl", "--candidates": "3",
    "--weight-by": "confidence", "--api-key-variable": "HOME", "--value-type": "int8", "--batch": "3", "--lmdb": "db",
    "--tensor": "x", "--print-script": "transformers", "--html": "out.html",
    "--manifest": "files.csv", "--skip-duplicates": None, "--equate": "spacing", "--ids": "uint8", "--language": "de",
    "--read": "markdown", "--threshold": "1000", "--eos": "10", "--per": "chapter", "--keep-headers": None,
    "--fix-encoding": None,
}  # fmt: skip
"""A value of each option that its scenarios do not name."""


class Outcome(NamedTuple):
    """What a command line did: its exit code, output, files, and messages."""

    code: int
    out: bytes
    files: dict[Path, bytes]
    messages: str


WHEN = re.compile(
    rb'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00|"times": {[^}]*}|"seconds": [\d.e-]+'
    rb'|"free_(disk|memory)_bytes": \d+|\([\d,.]+ .B free\)| \d+(?:\.\d+)? s\b|\n  "settings": .*'
)
"""When something was made, how long it took, and what the machine has free: these differ from run to run. Settings are
left out of JSON: an option that changes nothing but these has no effect."""


def outcome(scenario: str, options: Sequence[str], home: Path, command: str = "") -> Outcome:
    """Run a command in the folder of `make_home` with some options of its scenario, and remove what it wrote."""
    base, own = SCENARIOS[scenario]
    known = {**VALUES, **own}
    if scenario.split()[0] == "add":
        # The one command that changes an index.
        shutil.copytree(home / "index", home / "grown")
    before = set(home.rglob("*")) - {home / "grown", *home.glob("grown/**/*")}
    words = [word for name in options for word in (name, known.get(name)) if word is not None]
    out, messages = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(messages):
        code = main([command or scenario.split()[0], *base, *words])
    files = {
        path.relative_to(home): WHEN.sub(b"", path.read_bytes())
        for path in sorted(set(home.rglob("*")) - before)
        if path.is_file()
    }
    for path in sorted({*home.rglob("*")} - before, reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    shutil.rmtree(home / "grown", ignore_errors=True)
    return Outcome(code, WHEN.sub(b"", out.getvalue().encode()), files, messages.getvalue())
