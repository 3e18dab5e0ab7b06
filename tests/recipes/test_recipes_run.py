"""Every recipe is run, as a program and as a command, and gives the number that it was made for."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import replace

import command_line
import pytest

from explorer import TraceSettings, build_index, open_index
from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.breakdown.facets import dispersion, facet
from explorer.analyses.compare.compare import compare
from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.next_tokens.next_words import next_words
from explorer.analyses.next_tokens.question import NextTokensQuestion
from explorer.analyses.next_tokens.word_tree import TreeShape, tree_after, tree_before
from explorer.analyses.search.arrange import NearFilter
from explorer.analyses.search.chosen import without_places
from explorer.analyses.search.concordance import ConcordanceRequest, concordance
from explorer.analyses.search.find import find_query, near_filter
from explorer.analyses.trace.batch import trace_one
from explorer.analyses.watch.counting import count_patterns
from explorer.analyses.watch.watch_list import read_watch_list
from explorer.backends.places import HitPlace
from explorer.project.values import Query
from explorer.recipes import (
    Lines,
    Source,
    agreement_recipe,
    breakdown_recipe,
    compare_recipe,
    count_recipe,
    dispersion_recipe,
    generation_recipe,
    lines_recipe,
    next_token_recipe,
    trace_recipe,
    watch_recipe,
    word_tree_recipe,
)

pytestmark = [
    pytest.mark.local("recipes name folders"),
    pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell"),
]
SENTENCE = 'the {a} sat on the {b}. It\'s "{a}", and the {b} said: $HOME `x` \\n – naïve.'
WORDS = [("cat", "mat", "Ann"), ("dog", "rug", "Bob"), ("cat", "rug", "Ann"), ("Cat", "mat", "O'Neil = x")] * 4
DOCUMENTS = [
    {"text": SENTENCE.format(a=a, b=b), "year": year, "who": who} for year, (a, b, who) in enumerate(WORDS, start=1990)
]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("it's an index")
    texts = folder / "texts.jsonl"
    texts.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS), encoding="utf-8")
    build_index(texts, folder / "index", tokenizer="train:420", name="Cats")
    return Source((str(folder / "index"),))


@pytest.fixture(scope="module")
def corpus(source):
    return open_index(source.paths)


def of_python(recipe) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(recipe.python, "recipe", "exec"), {})
    return out.getvalue()


READ = r"""corpus-explorer() { printf '%s\0' "$@" 'end of words'; cat; printf '\0end of command\0'; }
"""
"""A command that prints its arguments and what is piped into it."""


def of_shell(recipe) -> str:
    """The output of the commands of a recipe: a shell reads their words, and they run in this process."""
    command = ["bash", "-c", READ + recipe.command]
    read = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=True)
    printed = ""
    for part in read.stdout.split(b"\0end of command\0")[:-1]:
        words, _, piped = part.partition(b"end of words\0")
        done = command_line.run(*map(os.fsdecode, words.split(b"\0")[:-1]), stdin=piped)
        assert done.returncode == 0, (recipe.command, done.stderr.decode())
        printed += done.stdout.decode()
    return printed


def looked_up(corpus, condition, options):
    if isinstance(condition, FieldFilter):
        return condition
    return near_filter(corpus.index, condition.text, condition.distance, condition.wanted, options)


def lines_of(corpus, query: Query, deleted=()):
    options = query.options
    found = find_query(corpus.index, query.text, options)
    filters = tuple(looked_up(corpus, each, options) for each in query.filters)
    view = replace(query.view, filters=filters)
    lines = concordance(corpus.index, ConcordanceRequest(found.parts, found.numbers, view), corpus.columns)
    return found, without_places(lines, deleted)


PLAIN = [
    Query("cat"),
    Query("Cat", ignore_case=True, whole_words=True),
    Query("c.t", match="regex"),
    Query("the cat", match="tokens", variants=("space", "upper")),
    Query("it's", ignore_case=True),
    Query('"cat" AND (mat OR rug) AND NOT dog', node=0, distance=9),
    Query('"cat" AND "the"', node=1, distance=5),
    Query("-"),
    Query("$HOME `x` \\n –"),
    Query("--count"),
]


@pytest.mark.parametrize("query", PLAIN, ids=lambda query: query.text)
def test_a_count(corpus, source, query):
    found = find_query(corpus.index, query.text, query.options)
    recipe = count_recipe(Lines(source, query))
    assert of_python(recipe).split() == [str(found.count)]
    assert of_shell(recipe).split("\t")[0] == str(found.count)


ANN = FieldFilter("who", "=", "Ann")
NARROW = [
    Query("the", filters=(ANN,)),
    Query("the", filters=(FieldFilter("who", "=", "O'Neil = x"), FieldFilter("year", ">=", "1995"))),
    Query("the", whole_words=True, filters=(NearFilter("dog", (), 3), NearFilter("cat", (), 3, False))),
    Query("the", match="tokens", variants=("space",), filters=(NearFilter("cat", (), 4),)),
    Query("the", sample=7, seed=3),
    Query("the", filters=(ANN,), collapse=2, sort="left"),
]


@pytest.mark.parametrize("query", NARROW, ids=str)
def test_a_number_of_lines(corpus, source, query):
    _, lines = lines_of(corpus, query)
    assert 0 < len(lines) < corpus.count("the")
    recipe = count_recipe(Lines(source, query))
    assert of_python(recipe).split() == [str(len(lines))]
    assert of_shell(recipe).split("\t")[0] == str(len(lines))


def test_lines_without_deleted_ones(corpus, source):
    query = Query("cat")
    first = corpus.concordance("cat").lines(0, 2)
    places = tuple(HitPlace(line.document, line.offset, line.length, line.begin, line.rest) for line in first)
    _, lines = lines_of(corpus, query, places)
    recipe = count_recipe(Lines(source, query, deleted=places))
    assert of_python(recipe).split() == [str(len(lines))] == [str(corpus.count("cat") - 2)]
    assert recipe.command.startswith("# The command line does not know which lines were deleted.")
    assert of_shell(recipe) == ""


@pytest.mark.parametrize(
    "query", [Query("cat", sort="-1L,field:year"), Query("the", sort="random", seed=4), *NARROW], ids=str
)
@pytest.mark.parametrize("characters", [False, True])
def test_lines(corpus, source, query, characters):
    _, lines = lines_of(corpus, query)
    expected = [(line.left, line.match, line.right) for line in lines.lines(0, 5, 6, characters)]
    recipe = lines_recipe(Lines(source, query), 6, characters, ("year",), 5)
    years = [str(record["metadata"]["year"]) for record in lines.all_metadata(lines.lines(0, 5))]
    rows = [tuple(row.split("\t")) for row in of_python(recipe).splitlines()]
    assert rows == [(*cells, year) for cells, year in zip(expected, years, strict=True)]
    # Printed rows have their white space collapsed.
    printed = list(csv.DictReader(io.StringIO(of_shell(recipe)), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["match"] for row in printed] == [match for _, match, _ in expected]
    assert [row["year"] for row in printed] == years


def test_a_breakdown(corpus, source):
    query = Query("the", filters=(FieldFilter("year", "<", "2000"),))
    found = facet(lines_of(corpus, query)[1], "who", corpus.columns)
    expected = {(bar.label, str(bar.hits), str(bar.documents)) for bar in found.bars}
    recipe = breakdown_recipe(Lines(source, query), "who")
    assert {tuple(row.split("\t")) for row in of_python(recipe).splitlines()} == expected
    printed = csv.DictReader(io.StringIO(of_shell(recipe)), delimiter="\t", quoting=csv.QUOTE_NONE)
    assert {(row["value"], row["line_count"], row["document_count"]) for row in printed} == expected


def test_a_dispersion(corpus, source):
    query = Query("cat", filters=(ANN,))
    found = dispersion(lines_of(corpus, query)[1])
    recipe = dispersion_recipe(Lines(source, query))
    documents, deviation = of_python(recipe).split()
    assert (int(documents), float(deviation)) == (found.documents, found.deviation)
    printed = dict(row.split("\t") for row in of_shell(recipe).splitlines())
    assert (int(printed["document_count"]), float(printed["dp"])) == (found.documents, found.deviation)
    assert int(printed["line_count"]) == found.of


def test_a_comparison(corpus, source):
    queries, options = ["cat", "dog", '"cat" AND "mat"', '"the" AND "mat"'], Query("", ignore_case=True)
    found = compare([corpus.index], queries, options.options)
    expected = [cells[0].count for cells in found.cells]
    recipe = compare_recipe([source], queries, options)
    assert [int(row.split("\t")[1]) for row in of_python(recipe).splitlines()] == expected
    assert [int(row.split("\t")[0]) for row in of_shell(recipe).splitlines()] == expected
    twice = compare_recipe([source, source], queries, options)
    assert [row.split("\t")[1:] for row in of_python(twice).splitlines()] == [[str(n), str(n)] for n in expected]
    assert [int(row.split("\t")[0]) for row in of_shell(twice).splitlines()] == expected * 2


@pytest.mark.parametrize("options", [Query(""), Query("", ignore_case=True, distance=7), Query("", match="regex")])
def test_a_watch_list(corpus, source, tmp_path, options):
    path = tmp_path / "a list's.csv"
    path.write_text("pattern,label\ncat,pet\nnowhere to be found,\nthe cat,\n", encoding="utf-8")
    found = list(count_patterns(corpus.index, read_watch_list(path).patterns, options.options))
    expected = [(each.pattern.pattern, str(each.count), str(each.documents)) for each in found]
    assert expected[0][1] != "0"
    recipe = watch_recipe(source, str(path), options)
    assert [tuple(row.split("\t")) for row in of_python(recipe).splitlines()] == expected
    assert [tuple(row.split("\t")[:2]) for row in of_shell(recipe).splitlines()] == [
        (count, documents) for _, count, documents in expected
    ]


@pytest.mark.parametrize("prompt", ["the cat sat on the", "-", "It's \"", "the\n"])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_next_tokens(corpus, source, prompt, n):
    ids = corpus.encode(prompt)
    found = corpus.next_tokens(ids[len(ids) - min(n - 1, len(ids)) :]) if n else corpus.infgram_next_tokens(ids)
    rows = zip(found.tokens, found.counts, found.probabilities, strict=True)
    expected = [(f"{share:.4f}", str(count), str(token)) for token, count, share in rows]
    recipe = next_token_recipe(source, prompt, NextTokensQuestion(n=n or None))
    for printed in (of_python(recipe), of_shell(recipe)):
        # A token may contain a line feed, which only the program prints as one.
        rows = [tuple(row.split("\t")[:3]) for row in printed.splitlines() if row.count("\t") == 3]
        assert rows == expected[:20]


def as_json(recipe, command):
    """The same command with all figures."""
    return replace(
        recipe, commands=tuple(each.replace(f" {command} ", f" {command} --json ") for each in recipe.commands)
    )


@pytest.mark.parametrize("n", [0, 1, 3])
def test_next_words(corpus, source, n):
    ids = corpus.encode("the cat sat on the")
    length = min(n - 1, len(ids)) if n else corpus.index.counts.longest_suffix(ids)
    found = next_words(corpus.index, ids[len(ids) - length :], 100)
    recipe = next_token_recipe(source, "the cat sat on the", NextTokensQuestion(n=n or None, words=True), 100)
    counts = [str(word.count) for word in found.words[:20]]
    assert [row.split("\t")[0] for row in of_python(recipe).splitlines() if "\t" in row] == counts
    assert [row.split("\t")[1] for row in of_shell(recipe).splitlines()] == counts


@pytest.mark.parametrize("sides", [("after",), ("before",), ("before", "after")])
def test_a_word_tree(corpus, source, sides):
    prompt = "the cat sat on the"
    root = corpus.encode(prompt).tolist()
    leaf = tree_after(corpus.index, root).branches[0].branches[0].path
    opened = {side: [leaf] if side == "after" else [] for side in sides}
    trees = {
        side: (tree_after if side == "after" else tree_before)(
            corpus.index, root, TreeShape((4, 3), frozenset(opened[side]))
        )
        for side in sides
    }

    def counts(branches):
        return [count for branch in branches for count in (branch.count, *counts(branch.branches))]

    recipe = word_tree_recipe(source, prompt, root, (4, 3), opened)
    expected = [count for side in sides for count in counts(trees[side].branches)]
    assert [int(row.split("\t")[0]) for row in of_python(recipe).splitlines() if "\t" in row] == expected
    first = [str(branch.count) for side in sides for branch in trees[side].branches]
    assert [row.split("\t")[1] for row in of_shell(recipe).splitlines()] == first


TEXT = 'We think that the cat sat on the mat. It\'s "cat", {"text": "no"}\nand $HOME said so.'


@pytest.mark.parametrize(
    ("text", "prompt", "settings", "without_self"),
    [
        (TEXT, "", TraceSettings(), False),
        (TEXT, "-the mat", TraceSettings(min_length=3, density=0.5, delimiters=(), abbreviations=True), False),
        (DOCUMENTS[0]["text"], "", TraceSettings(seed=7, delimiters=("\n", ";")), True),
        ('{"text": "the cat sat"}', "", TraceSettings(), False),
        (TEXT.upper(), "", TraceSettings(match="words", delimiters=("x",), abbreviations=True), False),
        (DOCUMENTS[0]["text"].upper() * 3, "", TraceSettings(match="words"), True),
    ],
)
def test_a_trace(corpus, source, text, prompt, settings, without_self):
    found = trace_one(corpus.index, text, prompt, settings, without_self)
    expected = (len(found.spans), len(found.documents), found.novelty.longest_match)
    recipe = trace_recipe(source, text, prompt, settings, without_self)
    assert tuple(map(int, of_python(recipe).split())) == expected
    (printed,) = json.loads(of_shell(as_json(recipe, "trace")))["results"]
    assert (printed["span_count"], len(printed["documents"]), printed["longest_match"]) == expected
    assert printed["text"] == text


def agreed(recipe) -> int:
    return json.loads(of_shell(as_json(recipe, "agree")))["scored"]["token_count"]


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (Texts((TEXT,), ("pasted text",)), AgreementQuestion()),
        (Texts((TEXT,)), AgreementQuestion(max_n=3, max_tokens=12, prompt_tokens=2)),
        (Texts((TEXT,), prompts=("the dog sat",)), AgreementQuestion(prompt_join="\n")),
        (Texts((DOCUMENTS[0]["text"],)), AgreementQuestion(without_self=True)),
    ],
    ids=str,
)
def test_agreement_of_a_text(corpus, source, texts, question):
    found = analyze(corpus.index, texts, question).figure.infgram
    recipe = agreement_recipe(source, question, texts)
    tokens, share = of_python(recipe).split()
    assert (int(tokens), float(share)) == (found.tokens, found.overall)
    assert agreed(recipe) == found.tokens


def test_agreement_of_files(corpus, source, tmp_path):
    path = tmp_path / "a b.jsonl"
    rows = [{"text": document["text"], "who": document["who"], "ask": "the cat"} for document in DOCUMENTS[:6]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    choice = InputChoice(group_field="who", prompt_field="ask")
    read = read_texts([str(path)], choice)
    texts, question = Texts(read.texts, read.groups, read.prompts), AgreementQuestion(max_texts=2, seed=5)
    found = analyze(corpus.index, texts, question).figure.infgram
    recipe = agreement_recipe(source, question, Texts(()), [str(path)], choice)
    tokens, share = of_python(recipe).split()
    assert (int(tokens), float(share)) == (found.tokens, found.overall)
    assert agreed(recipe) == found.tokens


def test_agreement_of_files_and_a_text(corpus, source, tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [{"text": document["text"], "who": document["who"]} for document in DOCUMENTS[:6]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    choice = InputChoice(group_field="who")
    read = read_texts([str(path)], choice)
    kept = [(text, group) for text, group in zip(read.texts, read.groups, strict=True) if group != "Ann"]
    texts, groups = zip(*kept, (TEXT, "Pasted text"), strict=True)
    found = analyze(corpus.index, Texts(texts, groups, prompts=("",) * len(texts))).figure.infgram
    beside = Texts((TEXT,), ("Pasted text",), prompts=("",))
    recipe = agreement_recipe(source, AgreementQuestion(), beside, [str(path)], choice, ["Ann"])
    tokens, share = of_python(recipe).split()
    assert (int(tokens), float(share)) == (found.tokens, found.overall)
    assert recipe.command.startswith("# The command line reads whole files")


def test_several_folders_and_a_tokenizer(source):
    both = Source((*source.paths, *source.paths), (), "bytes", False)
    assert "check_fit=False" in both.python and "'bytes'" in both.python
    command = count_recipe(Lines(both, Query("cat"))).command
    assert f"--index={source.paths[0]}" in shlex.split(command, comments=True)
    assert "--no-fit-check" in command and "--tokenizer=bytes" in command


@pytest.mark.parametrize(
    "lines",
    [
        Query("/a/ AND /b/", match="regex"),
        Query("a", filters=(NearFilter("b", (), 2), NearFilter("c", (), 3))),
        Query("a", filters=(FieldFilter("a=b", "=", "c"),)),
        Query("a", filters=(FieldFilter("", "=", "c"),)),
        Query("a", match="tokens", variants=("upper",), filters=(NearFilter("b", (), 2),)),
    ],
)
def test_what_a_command_cannot_ask_is_a_comment(source, lines):
    recipe = lines_recipe(Lines(source, lines))
    assert recipe.command.startswith("# The command line ")
    compile(recipe.python, "recipe", "exec")


def test_a_text_that_no_shell_can_pass_on(source):
    assert count_recipe(Lines(source, Query("a\udc80"))).command.startswith("# The text has a character")


WRITTEN = [
    ("levels", {"levels": 2}, "the cat", {"max_tokens": 12, "seed": 3}),
    (
        "levels",
        {"levels": None},
        "-",
        {"max_tokens": 9, "temperature": 1.5, "top_k": 4, "top_p": 0.9, "stop_at_ends": False},
    ),
    ("witten-bell", {}, "It's", {"max_tokens": 8, "temperature": 0.0, "most_verbatim": 3, "stop_at_ends": False}),
]


@pytest.mark.parametrize(("method", "settings", "prompt", "how"), WRITTEN, ids=lambda value: str(value)[:20])
def test_a_generated_text(corpus, source, method, settings, prompt, how):
    found = corpus.model(method, **settings).generate(prompt, **how)
    assert found.text
    recipe = generation_recipe(source, method, settings, prompt, how)
    assert of_python(recipe) == f"{found.text}\n"
    assert of_shell(recipe).splitlines()[: found.text.count("\n") + 1] == (prompt + found.text).split("\n")
