"""A document's text is the text that was indexed, from its first character on, whatever a tokenizer puts before it."""

from __future__ import annotations

import json
import unicodedata

import own_indexes
import pytest
import texts
from hypothesis import HealthCheck, given, settings
from scripts import STYLES, TEXTS, write_tokenizer
from shared_data import tokenizer_files

import explorer
from explorer.analyses.search.find import QueryOptions, find_query
from explorer.analyses.search.in_document import find_text, read_part
from explorer.analyses.search.nearby import marked_line, others_of
from explorer.analyses.search.needle import Needle
from explorer.analyses.trace.occurrences import DocumentTokens, Occurrence, around
from explorer.export.provenance import citation
from explorer.text.patterns.pattern import Pattern
from explorer.text.tokens.decode import decode
from explorer.text.tokens.tokenizer import TextTokenizer

KEPT = ("bytes", "train:400", "byte-level", "byte-fallback")
"""Tokenizers that lose nothing; `train:400` is the default with a small vocabulary."""
BEGINNINGS = (
    *TEXTS, " one space", "  two spaces", "\nline feed", "\n\n two", "\ttab", " \t\n mixed", "语言模型", " 语言",
    "🎉 party", " 🎉", "👩‍👩‍👧", "\u0301lone mark", "é", " ", "\n", "\u3000wide", "\u00a0hard",
    "\r\nwindows", "\ufeffmark",
)  # fmt: skip


def build(tokenizer, folder, originals=BEGINNINGS):
    source = folder / "texts.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in originals), encoding="utf-8")
    explorer.build_index(source, folder / "index", tokenizer=tokenizer)
    return explorer.open_index(folder / "index", check_fit=False)


def written(name, folder):
    return name if name.startswith("train") else write_tokenizer(name, folder)


def texts_of(corpus):
    return [corpus.document(number).text for number in range(corpus.document_count)]


@pytest.fixture(scope="module", params=KEPT)
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    return build(written(request.param, folder), folder)


def test_every_text_comes_back(corpus):
    assert texts_of(corpus) == list(BEGINNINGS)


@pytest.mark.parametrize("path", tokenizer_files(), ids=lambda path: path.name.partition(".")[0])
def test_tokenizers_of_files(path, tmp_path):
    corpus = build(path, tmp_path)
    # The published one of OLMo composes letters and accents.
    form = "NFC" if path.name.startswith("olmo-7b") else None
    assert texts_of(corpus) == [unicodedata.normalize(form, text) if form else text for text in BEGINNINGS]


LAYOUTS = ("v4_u16_llama", "v5_u16_llama_reversed", "v4_u16_olmo_3shards", "v4_u8_bytes")


@pytest.mark.parametrize("name", LAYOUTS)
def test_indexes_of_every_layout_hold_the_texts(name, tmp_path):
    folder, tokenizer = own_indexes.write(tmp_path, name)
    assert texts_of(explorer.open_index(folder, tokenizer)) == list(own_indexes.texts())


def test_the_character_that_stands_for_a_space_becomes_one(tmp_path):
    corpus = build(write_tokenizer("byte-fallback", tmp_path), tmp_path, ["▁", " ▁ a"])
    assert texts_of(corpus) == [" ", "   a"]


def test_unigram_adds_no_second_space(tmp_path):
    """Its Metaspace puts a space before a text only if there is none, so that one space at the beginning is lost."""
    originals = [*TEXTS, " cap", "  cap", "cap", "\ncap", "语言", " 语言", "🎉 party"]
    corpus = build(write_tokenizer("unigram", tmp_path), tmp_path, originals)
    assert texts_of(corpus) == [text.removeprefix(" ") for text in originals]


def test_wordpiece_has_one_space_between_words(tmp_path):
    """Which spaces there were is not in its tokens; a text of plain words comes back."""
    originals = ["the cap of the bottle", "  the\n\tcap ", "the cap.", "语言", " cap"]
    corpus = build(write_tokenizer("wordpiece", tmp_path), tmp_path, originals)
    assert texts_of(corpus) == ["the cap of the bottle", "the cap", "the cap .", "语言", "cap"]


@pytest.fixture(scope="module")
def tokenizers():
    made = {style: TextTokenizer.from_backend(made(), style) for style, made in STYLES.items()}
    return {"bytes": TextTokenizer.raw_bytes(), **made}


@pytest.mark.parametrize("style", ["bytes", "byte-level", "byte-fallback"])
@given(text=texts.SCRIPTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back(tokenizers, style, text):
    tokenizer = tokenizers[style]
    encoded = tokenizer.encode_with_offsets(text)
    decoded = decode(tokenizer, encoded.ids.tolist(), begins=True)
    assert decoded.text == (text.replace("▁", " ") if style == "byte-fallback" else text)
    assert len(decoded.starts) == len(encoded.ids) + 1
    assert (decoded.starts[:-1] >= encoded.starts).all() and (decoded.starts[1:] <= encoded.ends).all()


def test_a_part_that_begins_later_keeps_its_space(corpus):
    for number in range(corpus.document_count):
        document = corpus.document(number)
        whole = document.part(0, document.token_count)
        for first in range(1, min(30, document.token_count)):
            rest = document.part(first, document.token_count)
            if "\ufffd" not in rest.text and len(rest.text) == len(whole.text) - int(whole.starts[first]):
                assert rest.text == whole.text[int(whole.starts[first]) :]
                assert (rest.starts == whole.starts[first:] - whole.starts[first]).all()


def test_lines_begin_with_the_text(corpus):
    lines = corpus.concordance("cap", match="text").lines(0, 100, 2_000)
    lines += corpus.concordance("the", match="tokens").lines(0, 100, 2_000)
    assert len(lines) >= 5
    for line in lines:
        assert line.left + line.match + line.right == BEGINNINGS[line.document]
    first = corpus.concordance(corpus.document(0).tokens[:2].tolist()).lines(0, 1, 2_000)[0]
    assert first.left == "" and BEGINNINGS[0].startswith(first.match) and first.match


def test_a_match_at_the_beginning_is_shown_as_it_is_written(corpus):
    for text in ("The cap", "语言模型", "🎉 party", "We", "T"):
        lines = corpus.concordance(text, match="text", sort="document").lines(0, 100, 2_000)
        begins = [line for line in lines if BEGINNINGS[line.document].startswith(text) and not line.left]
        assert [line.match for line in begins] == [text] * sum(each.startswith(text) for each in BEGINNINGS)


def test_other_clauses_of_an_and_at_the_beginning(corpus):
    found = find_query(corpus.index, "bottle AND The", QueryOptions(match="text", node=0))
    each = corpus.concordance(found).lines(0, 100)
    lines = [marked_line(corpus.index, line, others_of(found, 100), 400, False) for line in each]
    assert [(line.line.left[mark.start : mark.end], mark.start) for line in lines for mark in line.left] == [("The", 0)]
    assert [line.line.left + line.line.match + line.line.right for line in lines] == [BEGINNINGS[0]]


def test_the_parts_of_a_document_on_the_screen(corpus):
    document = corpus.document(0)
    part = read_part(document, 0, Needle(patterns=(Pattern("The"), Pattern("cap"))))
    assert part.text == BEGINNINGS[0]
    assert part.text[: part.hits[0].end] == "The" and part.hits[0].start == 0
    offset, _ = find_text(document, "The cap", -1)
    assert document.part(0, offset).text == ""


def test_snippets_of_a_trace(corpus):
    document = corpus.document(0)
    snippet = around(DocumentTokens(corpus.index, document.tokens), Occurrence(0, 0, 0, 2), document.token_count)
    assert snippet.text == BEGINNINGS[0] and snippet.match_start == 0
    assert snippet.text[: snippet.match_end] == corpus.document(0).part(0, 2).text.rstrip()
    assert corpus.document(0).part(0, 2).text.strip() in citation(corpus.index, 0, 0, 2)
