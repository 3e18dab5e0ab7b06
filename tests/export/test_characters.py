"""Characters of occurrences in their documents, against a scan of the texts that were indexed."""

from __future__ import annotations

import json

import pytest
from scan import longest_by_posix
from scripts import TEXTS, write_tokenizer
from tiers import nightly

from explorer import build_index, open_index
from explorer.export import characters
from explorer.export.lines import save_lines
from explorer.export.records.line import LineTable
from explorer.text.patterns.pattern import Pattern

STYLES = ("bytes", "byte-level", "byte-fallback", "unigram")
PATTERNS = (
    Pattern("cap"), Pattern("语言"), Pattern("言"), Pattern("🎉"), Pattern("é"), Pattern("العربية"), Pattern("a"),
    Pattern("the", ignore_case=True, whole_words=True), Pattern(r"\w+s\b", "regex"), Pattern("[一-龥]+", "regex"),
)  # fmt: skip


@pytest.fixture(scope="module", params=STYLES)
def corpus(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    texts = [*TEXTS, "".join(TEXTS)]
    (folder / "t.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    build_index(folder / "t.jsonl", folder / "index", tokenizer=write_tokenizer(request.param, folder), shards=2)
    return open_index(folder / "index", check_fit=False), texts


@pytest.mark.parametrize("block", [1, *nightly(3, 1 << 16)], ids="blocks of {}".format)
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.text)
def test_exported_characters_are_those_of_a_scan(corpus, tmp_path, monkeypatch, pattern, block):
    monkeypatch.setattr(characters, "BLOCK", block)
    monkeypatch.setattr(characters, "_KEPT", 20 if block == 1 else 1 << 21)
    opened, texts = corpus
    how = {"match": pattern.match, "ignore_case": pattern.ignore_case, "whole_words": pattern.whole_words}
    save_lines(tmp_path / "a.jsonl", LineTable(opened.concordance(pattern.text, sort="random", **how), 3), about="none")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    found = sorted((row["document"], row["start"], row["end"]) for row in rows)
    scanned = [(number, *span) for number, text in enumerate(texts) for span in longest_by_posix(text, pattern)]
    assert found == sorted(scanned) and found
    assert all(texts[row["document"]][row["start"] : row["end"]] == row["match"] for row in rows)


def test_tokens_that_cut_characters(corpus):
    """Every run of two tokens, also where it begins and ends within characters, as the document's text has it."""
    opened, _ = corpus
    places = characters.CharacterPlaces(opened.index)
    document = opened.document(opened.document_count - 1)
    decoded = document.part(0, document.token_count)
    shift = len(decoded.text) - len("".join(TEXTS))
    for at in range(0, document.token_count - 1, 3):
        line = next(
            line
            for line in opened.concordance(document.tokens[at : at + 2].tolist(), sort="index").lines(0, 99, 0)
            if (line.document, line.offset) == (document.number, at)
        )
        expected = [max(0, int(decoded.starts[edge]) - shift) for edge in (at, at + 2)]
        assert list(places.span(line)) == expected
