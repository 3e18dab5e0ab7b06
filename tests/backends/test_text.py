"""Occurrences of text patterns in indexes of every kind, against a scan of the texts by the `regex` package."""

import json
import random

import pytest
from scan import scan
from scripts import TEXTS, write_tokenizer
from tiers import nightly
from tried import EXPRESSIONS, WORDS

import explorer
from explorer.backends.local.patterns import text_finder as finder
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.text.patterns.pattern import Pattern

STYLES = ("byte-level", *nightly("bytes", "byte-fallback", "unigram", "wordpiece"))


@pytest.fixture(scope="module", params=STYLES)
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    source = folder / "texts.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), encoding="utf-8")
    tokenizer = write_tokenizer(request.param, folder)
    explorer.build_index(source, folder / "index", tokenizer=tokenizer, shards=2)
    return explorer.open_index(folder / "index", check_fit=False)


@pytest.fixture(scope="module")
def texts(corpus):
    """The texts that were indexed; of WordPiece, which keeps no spaces, what can be read back."""
    if corpus.index.tokenizer.style != "wordpiece":
        return list(TEXTS)
    return [corpus.document(number).text.removeprefix(" ") for number in range(corpus.document_count)]


# Whether upper and lower case are equal, and whether only whole words count.
@pytest.mark.parametrize("switches", [(True, True), *nightly((False, False), (False, True), (True, False))])
def test_texts_are_counted_as_they_are_written(corpus, texts, switches):
    rng = random.Random(7)
    cut = [
        text[at : at + rng.randint(1, 9)] for text in texts for at in rng.sample(range(len(text)), min(6, len(text)))
    ]
    found = 0
    for text in (*WORDS, *cut):
        pattern = Pattern(text, "text", *switches)
        expected = len(scan(texts, pattern))
        assert corpus.index.hits.find_text(pattern).count == expected, pattern
        found += expected
    assert found > 70


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_matches_of_expressions_begin_where_a_scan_finds_them(corpus, texts, expression):
    for whole_words in (False, True):
        pattern = Pattern(expression, "regex", whole_words=whole_words)
        assert corpus.index.hits.find_text(pattern).count == len(scan(texts, pattern)), pattern


def test_occurrences_of_any_of_several_count_once(corpus, texts):
    patterns = (Pattern("cap"), Pattern("capac"), Pattern("del(v|ves)", "regex"))
    expected = {place for pattern in patterns for place in scan(texts, pattern)}
    assert corpus.index.hits.find_text(*patterns).count == len(expected) > 0


def test_nothing_matches_across_documents(corpus, texts):
    joined = texts[0][-3:] + texts[1][:3]
    assert corpus.index.hits.find_text(Pattern(joined)).count == 0


def test_a_walk_can_be_stopped(corpus):
    token = CancelToken()
    token.cancel()
    with pytest.raises(explorer.CorpusError):
        corpus.index.hits.find_text(Pattern(r"\w+ \w+ \w+q", "regex"), cancel=token)


def test_subtracted_documents_do_not_count(tmp_path):
    for name, lines in (("all", ["the cap", "recap", "the cap"]), ("less", ["recap"])):
        (tmp_path / f"{name}.txt").mkdir()
        for number, line in enumerate(lines):
            (tmp_path / f"{name}.txt" / f"{number}.txt").write_text(line)
        explorer.build_index(tmp_path / f"{name}.txt", tmp_path / name, tokenizer="bytes")
    less = explorer.open_index(tmp_path / "all", minus=tmp_path / "less")
    assert less.index.hits.find_text(Pattern("cap")).count == 2
    assert less.index.hits.find_text(Pattern("cap", whole_words=True)).count == 2


def test_what_is_too_broad_says_how_far_it_came(corpus, monkeypatch):
    monkeypatch.setattr(finder, "MOST_LOOKS", 100)
    with pytest.raises(QueryError, match=r"ended after [\d,]+ of [\d,]+ tokens .* with [\d,]+ occurrences"):
        corpus.index.hits.find_text(Pattern(r"\w+ \w+ \w+ \w+q", "regex"))
