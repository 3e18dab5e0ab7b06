"""Every command."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run

from explorer import open_index
from explorer.analyses.next_tokens.next_words import next_words
from explorer.analyses.next_tokens.word_tree import tree_before
from explorer.version import VERSION

COMMAND = Path(sys.executable).with_name("corpus-explorer")


def ok(*arguments, stdin=""):
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def results(*arguments, stdin=""):
    """The records of --json."""
    return json.loads(ok(*arguments, "--json", stdin=stdin))["results"]


@pytest.mark.qt
def test_kinds_of_figures(small_index, tmp_path):
    rows = [{"text": text, "model": model} for text, model in (("the cat sat", "a"), ("the dog", "b"))]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = ("agree", small_index, tmp_path / "a.jsonl", "--group", "model", "--title", "A title")
    for kind, name in (("panels", "agreement"), ("overlaid", "agreement-overlaid"), ("count", "agreement-by-count")):
        ok(*asked, "--plot", tmp_path / "a.json", "--plot-kind", kind)
        found = json.loads((tmp_path / "a.json").read_text())
        assert (found["figure"], found["title"]) == (name, "A title")
        assert found["rows"] and len(found["facts"]["index fingerprint"]) == 32
    ok(*asked, "--plot", tmp_path / "a.png", "--width", 100, "--height", 50, "--dpi", 254)
    header = (tmp_path / "a.png").read_bytes()[16:24]
    assert (int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")) == (1000, 500)
    refused(*asked, "--plot", tmp_path / "a.png", "--dpi", 9)


def refused(*arguments, stdin=""):
    """Exit code 2, one line on standard error, no traceback."""
    done = run(*arguments, stdin=stdin)
    text = done.stderr.decode()
    assert done.returncode == 2, text
    assert text.startswith("corpus-explorer: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    return text


@pytest.fixture
def scan(text_folder):
    """scan(regular expression): the number of places in the texts at which it matches."""
    texts = [path.read_text(encoding="utf-8") for path in text_folder.rglob("*.*")]
    assert len(texts) == 4
    return lambda expression: sum(len(re.findall(f"(?={expression})", text)) for text in texts)


def test_count(small_index, small, scan):
    expected = scan("the cat")
    assert expected == 7
    assert ok("count", small_index, "the cat", "dog", "at").splitlines() == [
        f"{expected}\tthe cat",
        f"{scan('dog')}\tdog",
        f"{scan('at')}\tat",
    ]
    answer = json.loads(ok("count", small_index, "the cat", "--json"))
    assert answer["results"] == [{
        "query": "the cat", "count": expected, "per_million": 1e6 * expected / small.token_count, "variants": [],
        "parsed": "the cat", "exact": True, "sample_size": expected, "match": "text", "ignore_case": False,
        "whole_words": False, "equate": [], "echo": "", "document_count": None,
    }]  # fmt: skip
    documents = small.count_documents("the cat")
    assert ok("count", small_index, "the cat", "--documents") == f"{expected}\t{documents}\tthe cat\n"


def test_count_of_tokens(small_index, small):
    assert (
        ok("count", small_index, "the cat", "--match", "tokens")
        == f"{small.count('the cat', match='tokens')}\tthe cat\n"
    )
    (answer,) = results("count", small_index, "the cat", "--match", "tokens", "--variants", "space")
    counts = {variant["text"]: variant["count"] for variant in answer["variants"]}
    assert answer["count"] == small.count("the cat", ["space"], match="tokens") == sum(counts.values())
    assert answer["match"] == "tokens" and set(counts) == {"the cat", " the cat"}


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [
        ("THE", ["--ignore-case"], "[Tt]he"),
        ("THE", [], "THE"),
        ("at", ["--whole-words"], r"\bat\b"),
        ("cat", ["--whole-words"], r"\bcat\b"),
        ("a", ["--whole-words", "--ignore-case"], r"\b[Aa]\b"),
        (r"[cm]at\b", ["--match", "regex"], r"[cm]at\b"),
        (r"(the|a) (cat|dog)", ["--match=regex", "--ignore-case"], r"(?:the|[Aa]) (?:cat|dog)"),
        ("日本", [], "日本"),
        ("a AND b", ["--match", "regex"], "a AND b"),
        ("/[cm]at/ OR dog", [], "(?:[cm]at|dog)"),
        ("/[cm]at/ OR dog", ["-F"], "/.cm.at/ OR dog"),
    ],
)
def test_texts_are_counted_and_listed_as_in_a_scan(small_index, scan, query, options, expected):
    expected = scan(expected)
    assert ok("count", small_index, query, *options) == f"{expected}\t{query}\n"
    lines = ok("kwic", small_index, query, *options, "--format", "jsonl", "--limit", "0").splitlines()
    assert len(lines) == expected
    texts = open_index(small_index)
    for row in map(json.loads, lines):
        assert texts.document(row["document"]).text[row["start"] : row["end"]] == row["match"]


def test_what_is_near_is_matched_as_the_query(small_index):
    def listed(*options):
        rows = ok("kwic", small_index, *options, "--format", "jsonl", "--limit", "0").splitlines()
        return {(row["document"], row["start"]) for row in map(json.loads, rows)}

    every = listed("mat")
    near = listed("mat", "--near", "NIC", "--distance", "100")
    assert near == set() != listed("mat", "--near", "nico", "--distance", "100")
    near = listed("mat", "--near", "NICO", "--ignore-case", "--distance", "100")
    assert {document for document, _ in near} == {document for document, _ in listed("mat AND nico", "--ignore-case")}
    assert len(near) == 1 and listed("mat", "--not-near", "nico", "--ignore-case") == every - near
    assert listed("mat", "--match", "regex", "--near", "[Nn]ico") == near


def test_mixed_operators_are_echoed(small_index, tmp_path):
    query, echo = "cat AND dog OR rug", '("cat" AND "dog") OR "rug"'
    for command in ("count", "kwic"):
        done = run(command, small_index, query)
        assert done.returncode == 0 and done.stderr.decode() == f"# read as {echo}\n"
        assert not run(command, small_index, "(cat AND dog) OR rug").stderr
    (answer,) = results("count", small_index, query)
    assert answer["echo"] == echo and answer["parsed"] == '("cat" OR "rug") AND ("dog" OR "rug")'
    ok("kwic", small_index, query, "--whole-words", "--out", tmp_path / "a.csv")
    facts = json.loads((tmp_path / "a.csv.about.json").read_text())
    assert (facts["read as"], facts["match"], facts["whole words"]) == (echo, "text", "yes")


def test_indexes_add_up_and_come_off(small_index, small):
    once = small.count(" cat")
    refused("count", small_index, " cat", "--index", small_index)
    assert ok("count", small_index, " cat", "--index", small_index, "--allow-same") == f"{2 * once}\t cat\n"
    assert ok("count", small_index, " cat", "--minus", small_index) == "0\t cat\n"


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl"])
def test_kwic(small_index, small, form):
    out = ok("kwic", small_index, " cat", "--limit", 3, "--format", form, "--width", 5, "--sort", "document")
    if form == "jsonl":
        rows = [json.loads(line) for line in out.splitlines()]
    else:
        rows = list(csv.DictReader(io.StringIO(out), delimiter="\t" if form == "tsv" else ","))
    lines = small.concordance(" cat", sort="document").lines(0, 3, width=5)
    assert [(int(r["document"]), int(r["offset"]), r["match"]) for r in rows] == [
        (line.document, line.offset, line.match) for line in lines
    ]
    assert [row["title"] for row in rows] == [str(Path(row["path"])) for row in rows]
    everything = ok("kwic", small_index, " cat", "--limit", 0)
    assert len(everything.splitlines()) == 1 + small.count(" cat")


def test_kwic_has_one_record_wherever_it_goes(small_index, tmp_path):
    asked = ("kwic", small_index, "the", "--sort", "document", "--limit", 0)
    for form in ("jsonl", "csv"):
        assert ok(*asked, "--squash", "--out", tmp_path / f"a.{form}") == ""
        written = (tmp_path / f"a.{form}").read_text(encoding="utf-8")
        assert ok(*asked, "--squash", "--format", form) == written
        assert ok(*asked, "--squash", "--format", form, "--out", "-") == written
        facts = json.loads((tmp_path / f"a.{form}.about.json").read_text(encoding="utf-8"))
        assert facts["query"] == "the" and facts["lines"] == str(len(written.splitlines()) - (form == "csv"))
        assert ok(*asked, "--out", tmp_path / f"b.{form}", "--about", "none") == ""
        assert not (tmp_path / f"b.{form}.about.json").exists()
    record = json.loads((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert list(record) == [
        *(
            "number",
            "document",
            "offset",
            "length",
            "start",
            "end",
            "left",
            "match",
            "right",
            "repeats",
            "title",
            "path",
            "metadata",
        )
    ]
    assert (record["number"], record["metadata"]) == (0, {"linenum": 0})
    kept = [json.loads(line)["left"] for line in ok(*asked, "--format", "jsonl").splitlines()]
    assert any("\n" in text for text in kept)
    refused("kwic", small_index, "the", "--about", "none")
    refused("kwic", small_index, "the", "--fields", "nope")
    refused("kwic", small_index, "the", "--out", "/dev/stdout")


def test_next(small_index, small):
    expected = small.infgram_next_tokens(small.encode("the cat"))
    answer = json.loads(ok("next", small_index, "the cat", "--json"))
    assert (answer["context_length"], answer["exact"]) == (expected.context_length, True)
    assert [row["token"] for row in answer["results"]] == expected.tokens.tolist()
    assert [row["count"] for row in answer["results"]] == expected.counts.tolist()
    assert [row["text"] for row in answer["results"]] == [
        "" if row["end_of_document"] else small.decode([row["token"]]) for row in answer["results"]
    ]
    assert len(ok("next", small_index, "the cat", "--n", 2, "--top", 1).splitlines()) == 1


def test_next_words(small_index, small):
    answer = json.loads(ok("next", small_index, "on the", "--words", "--json"))
    ids = small.encode("on the")
    context = ids[len(ids) - answer["context_length"] :]
    expected = next_words(small.index, context)
    assert answer["total_count"] == expected.total and answer["exact"]
    assert answer["distinct_count"] == len(expected.words)
    assert [(word["text"], word["count"]) for word in answer["results"]] == [(w.text, w.count) for w in expected.words]
    assert answer["context_count"] == small.count(context) > 0
    plain = ok("next", small_index, "the", "--words", "--n", 2, "--top", 2).splitlines()
    assert len(plain) == 2 and "' dog'" in plain[0] and "' cat'" in plain[1]


def test_words_before(small_index, small):
    answer = json.loads(ok("next", small_index, "the cat", "--before", "--json"))
    ids = small.encode("the cat")
    context = ids[len(ids) - answer["context_length"] :]
    expected = tree_before(small.index, context)
    assert answer["exact"] and answer["total_count"] == answer["sample_size"] == small.count(context) > 0
    assert answer["distinct_count"] == expected.different == len(answer["results"])
    shown = [(word["text"], word["count"], word["insert"]) for word in answer["results"]]
    assert shown[: len(expected.branches)] == [(node.text, node.count, node.joined) for node in expected.branches]
    assert sum(word["count"] for word in answer["results"]) == answer["total_count"]
    plain = ok("next", small_index, "the cat", "--before", "--top", 2).splitlines()
    assert [line.split("\t")[1] for line in plain] == [str(node.count) for node in expected.branches[:2]]
    # A document begins with it: what is before is not a word.
    first = ok("next", small_index, small.document(0).part(0, 3).text, "--before").splitlines()
    assert any(line.endswith("<begin>") for line in first)
    assert "empty context" in refused("next", small_index, "the cat", "--before", "--n", 1)


def test_trace(small_index, tmp_path):
    text = "so the cat sat on the mat."
    (tmp_path / "answer.txt").write_text(text)
    plain = ok("trace", small_index, tmp_path / "answer.txt", "--density", "1")
    assert "[the cat sat on the mat.]" in plain
    (answer,) = results("trace", small_index, "-", "--min-length", 3, stdin=text)
    assert answer["text"] == text and answer["span_count"] == len(answer["spans"])
    assert all(s["token_end"] - s["token_start"] >= 3 for s in answer["spans"])
    ok("trace", small_index, tmp_path / "answer.txt", "--html", tmp_path / "out.html")
    assert "<mark" in (tmp_path / "out.html").read_text()


@pytest.mark.qt
def test_agree(small_index, tmp_path):
    (tmp_path / "a.txt").write_text("the cat sat on the rug and the dog saw it")
    out = ok("agree", small_index, tmp_path / "a.txt", "--csv", tmp_path / "a.csv", "--json")
    scored = json.loads(out)["scored"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text())))
    infgram = [row for row in rows if (row["series"], row["by"]) == ("infgram", "effective_n")]
    assert sum(int(row["token_count"]) for row in infgram) == scored["token_count"]
    for ending, start in ((".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")):
        ok("agree", small_index, tmp_path / "a.txt", "--plot", tmp_path / f"a{ending}")
        assert (tmp_path / f"a{ending}").read_bytes().startswith(start)


def test_agree_with_a_prompt(small_index, tmp_path):
    """A prompt of a field, of the command line, or of the text's own first tokens; only the rest is scored."""
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "sat on the rug", "q": "the cat "}) + "\n")

    def asked(*options):
        found = json.loads(ok("agree", small_index, path, "--json", *options))
        return found["scored"]["token_count"], found["context"], found["sources"][0]["mean_n"]

    alone, nothing, shallow = asked()
    assert (nothing["token_count"], nothing["text_count"], nothing["prompt_field"]) == (0, 0, None)
    scored, context, deep = asked("--prompt-field", "q")
    assert (context["prompt_field"], context["text_count"]) == ("q", 1) and context["token_count"] > 0
    assert deep > shallow
    assert asked("--prompt", "the cat ")[::2] == (scored, deep)
    assert asked("--prompt", "the cat", "--prompt-join", " ")[::2] == (scored, deep)
    fewer, context, _ = asked("--prompt-tokens", "2")
    assert (fewer, context["token_count"]) == (alone - 2, 2)
    assert "--prompt-field" in refused("agree", small_index, path, "--prompt-join", "-")
    done = run("agree", small_index, path, "--prompt-tokens", "99")
    assert done.returncode == 2 and b"all prompt" in done.stderr


def test_build_info_verify(text_folder, tmp_path):
    assert "documents" in ok("build", text_folder, "--out", tmp_path / "out", "--tokenizer", "bytes", "--shards", 2)
    (facts,) = results("info", tmp_path / "out")
    assert (facts["token_width"], facts["shard_count"], facts["tokenizer"]) == (1, 2, "bytes")
    assert "token count" in ok("info", tmp_path / "out")
    assert "is sound" in ok("verify", tmp_path / "out", "--deep")
    (tmp_path / "out" / "table.1").write_bytes(b"")
    done = run("verify", tmp_path / "out", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["sound"] is False


def test_demo_without_a_window(tmp_path, small_index, monkeypatch):
    """With an index in the sample's place nothing is built; the example is traced and printed."""
    from explorer.building.own_places import sample_folder

    folder = tmp_path / sample_folder().name
    folder.symlink_to(small_index, target_is_directory=True)
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path))
    done = run("demo", "--no-window")
    assert done.returncode == 0, done.stderr
    assert "A heap is a binary tree" in done.stdout.decode().replace("[", "").replace("]", "")
    assert "Built" not in done.stderr.decode()
    done = run("demo", "--folder")
    assert (done.returncode, done.stdout.decode()) == (0, f"{folder}\n")
    done = run("demo", "--folder", "--no-window")
    assert (done.returncode, "cannot be used with" in done.stderr.decode()) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["count", "{tmp}", "x"], "is not an infini-gram index"),
        (["count", "{tmp}/none", "x"], "does not exist"),
        (["count", "{small}", ""], "query is empty"),
        (["kwic", "{small}", "  "], "query is empty"),
        (["count", "{small}"], "required: QUERY"),
        (["count", "{small}", "x", "--match", "tokens", "--variants", "wide"], "no variant"),
        (["count", "{small}", "x", "--variants", "space"], "--variants needs --match tokens"),
        (["kwic", "{small}", "x", "--match", "regex", "--variants", "space"], "--variants needs --match tokens"),
        (["kwic", "{small}", "x", "--match", "tokens", "--ignore-case"], "--ignore-case cannot be used with --match t"),
        (["count", "{small}", "x", "--whole-words", "--match=tokens"], "--whole-words cannot be used with --match tok"),
        (["count", "{small}", "x", "-F", "--match=regex"], "--literal cannot be used with --match regex"),
        (["count", "{small}", "x", "--match", "word"], "Argument --match: invalid choice"),
        (["next", "{small}", "the", "--n", "0"], "--n must be"),
        (["kwic", "{small}", "the", "--sort", "up"], "Lines cannot be sorted by"),
        (["kwic", "{small}", "the", "--limit", "-1"], "--limit must be a whole number from 0"),
        (["trace", "{small}", "{tmp}/none.txt"], "cannot be read"),
        (["trace", "{small}", "-"], "no text to trace"),
        (["trace", "{small}", "-", "--density", "7"], "--density must be"),
        (["agree", "{small}", "-", "--plot", "x.gif"], "A figure is written as .png, .svg"),
        (["build", "{tmp}/none", "--out", "{tmp}/out"], "does not exist"),
        (["build", "{tmp}", "--out", "{tmp}/out"], "no text to index"),
        (["count", "{small}", "x", "--tokenizer", "{tmp}/none.json"], "cannot be read"),
        (["count", "{small}", "x", "--tokenizer", "bytes"], "does not fit"),
        (["verify", "{tmp}"], "is not an infini-gram index"),
    ],
)
def test_what_the_user_can_mend(arguments, message, small_index, tmp_path):
    filled = [text.format(tmp=tmp_path, small=small_index) for text in arguments]
    assert message in refused(*filled)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_line_is_named_and_can_be_skipped(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "x"}\nnot json\n')
    text = refused("build", tmp_path / "a.jsonl", "--out", tmp_path / "out", "--tokenizer", "bytes")
    assert "a.jsonl, line 2" in text
    assert "--on-bad skip" in text
    out = ok("build", tmp_path / "a.jsonl", "--out", tmp_path / "out", "--tokenizer", "bytes", "--skip-bad")
    assert "bad lines (1): a.jsonl:2" in out
    assert open_index(tmp_path / "out").document_count == 1


def test_help_and_version():
    assert "INDEX" in ok("--help")
    assert "PROMPT" in ok("next", "--help")
    done = subprocess.run([COMMAND, "--version"], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.decode()) == (0, f"corpus-explorer {VERSION}\n")


def test_a_reader_that_leaves_early(small_index):
    line = f"'{COMMAND}' kwic '{small_index}' ' the' --limit 0 | head -1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60, check=False)
    assert done.stdout.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.qt
@pytest.mark.skipif(sys.platform != "linux", reason="displays are named by variables on Linux only")
def test_no_display_is_said(small_index):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    done = subprocess.run([COMMAND, small_index], capture_output=True, env=environment, timeout=60, check=False)
    assert done.returncode == 2
    assert b"no display" in done.stderr


def test_a_batch_a_conversation_and_the_exit_code(small_index, tmp_path):
    answers = tmp_path / "a.jsonl"
    answers.write_text('{"text": "the cat sat on the mat."}\n{"text": 5}\n')
    asked = ("trace", small_index, answers, "--jsonl", "--format", "jsonl")
    rows = [json.loads(line) for line in ok(*asked, "--on-bad", "keep").splitlines()]
    assert rows[0]["longest_match"] > 3 and rows[1]["problem"]
    talk = tmp_path / "c.json"
    talk.write_text('[{"role": "user", "content": "?"}, {"role": "assistant", "content": "the cat sat on the mat."}]')
    found = run("trace", small_index, talk, "--conversation", "--fail-over", "3")
    assert found.returncode == 1 and "== Answer 1" in found.stdout.decode()
    assert "== Answer 1" in ok("trace", small_index, talk, "--conversation", "--fail-over", "300")
    page = tmp_path / "r.html"
    ok("trace", small_index, talk, "--conversation", "--html", page)
    text = page.read_text(encoding="utf-8")
    assert "index fingerprint" in text and "SHA-256 of the text" in text
    assert "the cat sat on the mat." in re.sub("<[^>]*>", "", text)
    assert "line 1 column" in refused("trace", small_index, "-", "--conversation", stdin="[{]")


def test_a_neural_model_beside(small_index, tmp_path):
    path = tmp_path / "n.jsonl"
    tokens = [{"start": 0, "end": 3, "probability": 0.95}, {"start": 3, "end": 7, "logprob": -3.0}]
    path.write_text(json.dumps({"text": "the cat", "tokens": tokens}))
    rows = ok("agree", small_index, path, "--neural").splitlines()
    assert [row.split("\t")[1] for row in rows[1:]] == ["1", *["0"] * 8, "1"]
    path.write_text("{}")
    assert "line 1" in refused("agree", small_index, path, "--neural")


def test_kwic_by_right_context_reads_alphabetically(small_index):
    def following(sort):
        out = ok("kwic", small_index, " the", "--limit", 0, "--sort", sort, "--format", "jsonl", "--width", 30)
        # Punctuation takes no part in the order.
        return [re.findall(r"\w+", json.loads(line)["right"].lower())[:3] for line in out.splitlines()]

    by_right = following("right")
    assert by_right == sorted(by_right)
    assert sorted(by_right) == sorted(following("index"))


def test_one_is_not_many(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "b.bin").write_bytes(b"\0\1")
    asked = ("build", tmp_path / "a.txt", tmp_path / "b.bin", "--out", tmp_path / "one", "--tokenizer", "bytes")
    said = [ok(*asked, "--estimate"), ok(*asked)]
    said += [ok("verify", tmp_path / "one"), ok("info", tmp_path / "one")]
    said.append(ok("trace", tmp_path / "one", stdin="a"))
    said.append(run("next", tmp_path / "one", "a").stderr.decode())
    said.append(run("agree", tmp_path / "one", "-", stdin="a").stderr.decode())
    text = "\n".join(said)
    assert "1 document, 2 tokens, 1 shard, " in text
    assert "1 file, 1 document, ≈ 2 tokens, ≈ 1 shard" in text
    assert "binary files (1): b.bin" in text
    assert "is sound: 2 tokens, 1 document, 1 shard." in text
    assert "longest context found: 1 token (1 occurrence)" in text
    assert "longest match 1 token ·" in text
    assert not re.search(r"\b1 (spans|passages|documents|tokens|files|shards|texts|times)\b|\(s\)", text)
    assert re.search(r"^metadata fields complete +yes$", text, re.MULTILINE)
    assert re.search(r"^reversed text +no$", text, re.MULTILINE)
