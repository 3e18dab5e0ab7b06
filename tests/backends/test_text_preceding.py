"""What precedes an occurrence, read or looked up: both ways against a scan of the texts, forwards and reversed."""

import json
from pathlib import Path

import numpy as np
import pytest
import twin
from scan import scan
from scripts import TEXTS, write_tokenizer
from tiers import nightly
from tokenizers import Tokenizer

import explorer
from explorer.backends.local.patterns import text_preceding as preceding
from explorer.backends.local.patterns.text_ranges import join
from explorer.text.patterns.charset import WORD
from explorer.text.patterns.pattern import Pattern
from explorer.text.patterns.vocabulary import read_vocabulary
from explorer.text.tokens.tokenizer import TextTokenizer

STYLES = ("byte-level", "bytes", "byte-fallback", "unigram")
PATTERNS = (
    *(Pattern(text, whole_words=True) for text in ("cap", "a", "the", "delve", "é", "語", "b", "🎉", "zero", ".", "x")),
    *(Pattern(text, ignore_case=True, whole_words=True) for text in ("CAP", "into", "σίσυφος")),
    Pattern(" The"), Pattern(" "), Pattern(" x", whole_words=True),
    *(Pattern(text, "regex") for text in (r"\Bcap", r"\b.", r"\B\w", r"\W", ".", r"\s\w", r"\s\b", r"\B[^ab]\b")),
    *(Pattern(text, "regex", whole_words=True) for text in (r"[a-é]+", r".\W?", r" ?\w\w ")),
)  # fmt: skip
MORE = (
    "éa ña a", "a a", "日本a語", "🎉a", " a", "\u0301a a\u0301", "a", "", " The", "caps cap", "x\n", "x", "x",
    "ça caça", "\U0001f1e6a",
)  # fmt: skip


def write_twin(folder, tokenizer, texts, version):
    """An index of two shards, written by the twin."""
    ids = [tokenizer.encode(text).tolist() for text in texts]
    width = 1 if tokenizer.backend is None else 2
    twin.write_index(folder, [ids[: len(ids) * 2 // 3], ids[len(ids) * 2 // 3 :]], width=width, version=version)


OPENED = [(style, version) for style in STYLES for version in (5, 4)]


@pytest.fixture(scope="module", params=[OPENED[0], *nightly(*OPENED[1:])], ids=str)
def opened(request, tmp_path_factory):
    """An index and the texts in it."""
    style, version = request.param
    folder = tmp_path_factory.mktemp(style)
    path = write_tokenizer(style, folder)
    tokenizer = TextTokenizer.raw_bytes() if style == "bytes" else TextTokenizer.from_file(folder / f"{style}.json")
    unknown = tokenizer.unknown if style == "unigram" else ()
    texts = [text for text in (*TEXTS, *MORE, *TEXTS[:4]) if not {*tokenizer.encode(text).tolist()} & {*unknown}]
    write_twin(folder / "index", tokenizer, texts, version)
    corpus = explorer.open_index(folder / "index", tokenizer=path, check_fit=False, reversed_text=version == 5)
    # Metaspace adds no space before a text that begins with one, so that the two cannot be told apart.
    return corpus, [text.removeprefix(" ") for text in texts] if style == "unigram" else texts


@pytest.mark.parametrize("reads", [0, 8, 1 << 40], ids=["look up", "whichever", "read"])
def test_both_ways_find_what_a_scan_finds(opened, reads, monkeypatch):
    corpus, texts = opened
    monkeypatch.setattr(preceding, "READS_PER_LOOK_UP", reads)
    skipped = 0
    for pattern in PATTERNS:
        matches = corpus.index.hits.find_text(pattern)
        assert matches.count == len(scan(texts, pattern)), pattern
        skipped += sum(int(finds.skipped.sum()) for finds in matches.shards)
    assert reads == 8 or (skipped > 0) == (reads == 0)


def test_no_occurrence_is_found_twice(opened):
    index = opened[0].index
    for pattern in PATTERNS:
        for shard, finds in zip(index.shards, index.hits.find_text(pattern).shards, strict=True):
            assert (finds.firsts < finds.lasts).all()
            places = []
            for number, (first, last) in enumerate(zip(finds.firsts, finds.lasts, strict=True)):
                skip = int(finds.skipped[number])
                token = int(finds.lengths[number]) - 1 - skip if shard.reversed_text else skip
                begins = shard.positions(np.arange(first, last)) + token
                places += [(begin, int(finds.offsets[number])) for begin in begins.tolist()]
            assert len(places) == len(set(places))


def test_artificial_spaces_are_those_of_documents(tmp_path):
    write_tokenizer("byte-fallback", tmp_path)
    texts = ["The cap", "The cap.", "the The", " The", "", "The", "x The"] * 20
    source = tmp_path / "texts.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    explorer.build_index(source, tmp_path / "index", tokenizer=str(tmp_path / "byte-fallback.json"))
    index = explorer.open_index(tmp_path / "index", check_fit=False).index
    matches = index.hits.find_text(Pattern(" The"))
    assert matches.shards[0].artificial == 60
    assert matches.count == 60 == len(scan(texts, Pattern(" The")))


def test_tokens_without_bytes_do_not_hide_what_precedes(tmp_path):
    """A vocabulary may have a piece of nothing; here six of them follow each letter."""
    vocabulary = {"<unk>": 0, "##": 1, "a": 2, "##é": 3, "##b": 4, "##.": 5, "##c": 6}
    made = {
        "version": "1.0", "added_tokens": [], "normalizer": None, "post_processor": None, "truncation": None,
        "padding": None, "pre_tokenizer": {"type": "Whitespace"},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
        "model": {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": vocabulary},
    }  # fmt: skip
    Tokenizer.from_str(json.dumps(made)).save(str(tmp_path / "tokenizer.json"))
    documents = [[2, *[1] * 6, 4], [2, 5, *[1] * 6, 4], [4], [*[1] * 6, 4], [2, 3, 1, 4, 1, 6, 4]]
    for version in (4, 5):
        twin.write_index(tmp_path / f"v{version}", [documents], version=version)
        tokenizer = str(tmp_path / "tokenizer.json")
        folder = tmp_path / f"v{version}"
        index = explorer.open_index(folder, tokenizer=tokenizer, check_fit=False, reversed_text=version == 5)
        assert index.index.hits.find_text(Pattern("b")).count == 6
        for reads in (0, 1 << 40):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(preceding, "READS_PER_LOOK_UP", reads)
                assert index.index.hits.find_text(Pattern("b", whole_words=True)).count == 3


def test_ranges_before_compares_beyond_the_end_of_the_text():
    import _fastsa

    text = np.array([9, 1, 2, 9, 1, 9, 1], dtype=np.uint8)
    order = twin.suffix_order(text.tolist(), 1)
    shard = _fastsa.Shard(text, np.array(order, dtype=np.uint8), 1, 1)
    first, last = shard.find(np.array([9], dtype=np.uint8))
    rank = order.index(6)  # the last 1
    ones = np.ones(1, dtype=np.int64)
    found = _fastsa.ranges_before(shard, first * ones, last * ones, rank * ones, ones)
    assert [int(a[0]) for a in found] == list(shard.find(np.array([9, 1], dtype=np.uint8)))
    assert _fastsa.ranges_before(shard, first * ones, last * ones, rank * ones, 2 * ones)[1].tolist() == [0]


@pytest.mark.parametrize("version", [4, 5])
def test_every_token_before_a_space_is_looked_up(tmp_path, monkeypatch, version):
    """Before a token that begins with a space, a document's beginning does not count; every other token does."""
    path = write_tokenizer("byte-fallback", tmp_path)
    tokenizer = TextTokenizer.from_file(Path(path))
    pieces = list(map(tokenizer.token_bytes, range(tokenizer.vocabulary_size)))
    space = pieces.index(b" ")
    in_words = np.flatnonzero(read_vocabulary(tokenizer).last_kinds == WORD).tolist()
    documents = [[space], [space], *([token, space] for token in in_words for _ in range(2))]
    twin.write_index(tmp_path / "index", [documents], version=version)
    corpus = explorer.open_index(tmp_path / "index", path, check_fit=False, reversed_text=version == 5)
    found = []
    for reads in (0, 1 << 40):
        monkeypatch.setattr(preceding, "READS_PER_LOOK_UP", reads)
        found.append(corpus.index.hits.find_text(Pattern(r"\b ", "regex")).count)
    assert found[0] == found[1] >= 2 * len(in_words)


@pytest.mark.parametrize("version", [4, 5])
def test_n_grams_that_are_neighbors_stay_apart(tmp_path, version):
    """Ranks of "a" end where those of "bc" begin: what is read of both is not one range."""
    twin.write_index(tmp_path / "index", [[[*b"xaxbcxaxbc"][:: 1 if version == 4 else -1]]], width=1, version=version)
    index = explorer.open_index(tmp_path / "index", "bytes", check_fit=False, reversed_text=version == 5).index
    shard, tokenizer = index.shards[0], TextTokenizer.raw_bytes()
    vocabulary = read_vocabulary(tokenizer)
    one, two = shard.find(np.array([*b"a"])), shard.find(np.array([*b"bc"][:: 1 if version == 4 else -1]))
    assert one[1] == two[0]
    ranges = preceding.read_ranges(shard, vocabulary.tables.token_count)
    zeros, every = np.zeros(2, dtype=np.int64), np.full(2, 7)
    firsts, lasts = (np.array(pair, dtype=np.int64) for pair in zip(one, two, strict=True))
    ngrams = preceding.Ngrams(firsts, lasts, np.array([1, 2]), zeros, zeros, every, zeros, zeros > 0)
    found = join(list(preceding.Preceding(shard, tokenizer, vocabulary, ranges, [b""], None).kept(ngrams)))
    assert (found.firsts.tolist(), found.lasts.tolist()) == (firsts.tolist(), lasts.tolist())
    assert found.lengths.tolist() == [1, 2]
