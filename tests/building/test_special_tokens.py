"""Special tokens that texts contain as text: how a build encodes and counts them, and that queries follow the index."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from shared_data import tokenizer_files
from tokenizers import Tokenizer, models, pre_tokenizers

from explorer import CorpusError, add_documents, build_index, merge_indexes, open_index
from explorer.building.request import BuildRequest
from explorer.building.run import build_requested
from explorer.cli.main import main
from explorer.text.special_tokens import TREATMENTS
from explorer.text.tokens.special import special_tokens
from explorer.text.tokens.tokenizer import TextTokenizer

AS_TEXT, AS_TOKENS = TREATMENTS.values()
TEXT = "It ends here <|endoftext|> and begins again."


@pytest.fixture
def olmo():
    """A tokenizer in the style of OLMo; one of its tokens is <|endoftext|>."""
    return next(path for path in tokenizer_files() if path.name == "olmo.tokenizer.json")


@pytest.fixture
def folder(tmp_path, olmo):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "texts" / "b.txt").write_text("plain", encoding="utf-8")
    build_index(tmp_path / "texts", tmp_path / "index", tokenizer=olmo)
    return tmp_path / "index"


@pytest.mark.parametrize("path", tokenizer_files(), ids=lambda path: path.name)
def test_every_special_token_is_encoded_as_its_text(path):
    as_such = TextTokenizer.from_file(path)
    as_text = as_such.treating_special(True)
    known = special_tokens(as_such.backend)
    assert known
    for name, number in known.items():
        text = f"before {name} after{name}"
        ids = as_text.encode(text)
        assert number in as_such.encode(text) and number not in ids
        assert b"".join(map(as_text.token_bytes, ids.tolist())).decode().strip() == text
        # Many texts take another way, and a worker process a copy.
        assert np.array_equal(as_text.encode_batch([text * 300])[0][:20], as_text.encode(text * 300)[:20])
        assert np.array_equal(pickle.loads(pickle.dumps(as_text)).encode(text), ids)
    assert np.array_equal(as_text.encode("The cat, the mat."), as_such.encode("The cat, the mat."))


def test_a_model_that_knows_special_tokens_as_pieces_does_not_find_them():
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *((letter, -5.0) for letter in "▁abcknpdus</>")]
    made = Tokenizer(models.Unigram(pieces, 2, False))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.add_special_tokens(["<pad>", "</s>", "<unk>"])
    tokenizer = TextTokenizer.from_backend(made, "unigram")
    assert 1 in tokenizer.encode("a </s>b")
    spelled = [made.id_to_token(each) for each in tokenizer.treating_special(True).encode("a </s>b<unk>").tolist()]
    assert "".join(spelled) == "▁a▁</s>b<unk>" and len(spelled) == len("▁a▁</s>b<unk>")


def test_a_build_encodes_them_as_text_and_counts_them(folder):
    manifest = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert manifest["special_tokens"] == manifest["parameters"]["special_tokens"] == "text"
    assert manifest["skipped"] == {AS_TEXT: 1} and manifest["noticed"] == {AS_TEXT: ["a.txt (<|endoftext|>)"]}
    assert manifest["read"]["documents_skipped"] == 0


def test_queries_and_traces_follow_the_index(folder):
    corpus = open_index(folder)
    ids = corpus.encode(TEXT)
    assert corpus.count(ids) == 1 and corpus.count("here <|endoftext|> and") == 1
    assert corpus.index.tokenizer.backend.token_to_id("<|endoftext|>") not in ids
    # A span begins with a word after a space.
    assert [(span.start, span.end) for span in corpus.trace(TEXT).spans] == [(3, len(TEXT))]
    # The tokenizer is named, as for an index without one.
    assert list(open_index(folder, tokenizer=folder / "tokenizer.json").encode(TEXT)) == list(ids)


def test_documents_are_added_as_the_index_has_them(folder, tmp_path):
    grown = add_documents(folder, [{"text": TEXT}, {"text": f"{TEXT} {TEXT}"}])
    assert grown.skipped == {AS_TEXT: 4} and grown.special_tokens == "text"
    corpus = open_index(folder)
    assert corpus.count(corpus.encode(TEXT)) == 4


def test_an_old_index_stays_as_it_is(folder, olmo, tmp_path):
    old = tmp_path / "old"
    made = build_index([{"text": TEXT}], old, tokenizer=olmo, special_tokens="tokens")
    assert made.skipped == {AS_TOKENS: 1} and "special_tokens" not in json.loads((old / "index.json").read_text())
    corpus = open_index(old)
    assert corpus.index.tokenizer.backend.token_to_id("<|endoftext|>") in corpus.encode(TEXT)
    grown = add_documents(old, [{"text": TEXT}])
    assert grown.special_tokens == "tokens" and grown.skipped == {AS_TOKENS: 2}
    assert open_index(old).count(corpus.encode(TEXT)) == 2
    with pytest.raises(CorpusError, match="encode special tokens in texts differently") as met:
        open_index([folder, old])
    assert met.value.reason == "special-tokens-differ"
    with pytest.raises(CorpusError, match="differently"):
        merge_indexes([folder, old], tmp_path / "both")


def test_merged_indexes_keep_it(folder, olmo, tmp_path):
    build_index([{"text": f"{TEXT}!"}], tmp_path / "other", tokenizer=olmo)
    made = merge_indexes([folder, tmp_path / "other"], tmp_path / "both")
    assert made.special_tokens == "text"
    corpus = open_index(tmp_path / "both")
    assert corpus.count(corpus.encode(TEXT[:-1])) == 2


def test_a_cluster_encodes_them_alike(folder, tmp_path):
    pytest.importorskip("distributed")
    request = BuildRequest((tmp_path / "texts",), tmp_path / "made", str(folder / "tokenizer.json"), cluster="local:1")
    made = build_requested(request)
    assert made.skipped == {AS_TEXT: 1}
    assert (tmp_path / "made" / "tokenized.0").read_bytes() == (folder / "tokenized.0").read_bytes()


def test_the_places_of_each_token_are_noted_once(tmp_path):
    made = Tokenizer(models.BPE({char: place for place, char in enumerate(pre_tokenizers.ByteLevel.alphabet())}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.add_special_tokens(["<end>", "<end>>", "<pad>"])
    rows = [{"text": "a <end> b<end>"}, {"text": "plain"}, {"text": "<end><pad><end>>"}]
    found = build_index(rows, tmp_path / "index", tokenizer=made)
    assert found.skipped == {AS_TEXT: 5}
    assert [place.rpartition("(")[2] for place in found.noticed[AS_TEXT]] == ["<end>)", "<pad>)", "<end>>)"]
    assert found.noticed[AS_TEXT][1].startswith("The list:3 ")


def test_texts_without_them_are_not_reported(olmo, tmp_path):
    assert build_index([{"text": "<|endof"}], tmp_path / "index", tokenizer=olmo).skipped == {}
    assert build_index([{"text": TEXT}], tmp_path / "bytes", tokenizer="bytes").skipped == {}
    assert "special_tokens" not in (tmp_path / "bytes" / "index.json").read_text(encoding="utf-8")


def test_the_command_line_has_the_choice(tmp_path, olmo, capsys):
    source = tmp_path / "a.txt"
    source.write_text(TEXT, encoding="utf-8")
    build = ["build", str(source), "--tokenizer", str(olmo), "--out"]
    assert main([*build, str(tmp_path / "one")]) == 0
    assert f"{AS_TEXT} (1): a.txt (<|endoftext|>)" in capsys.readouterr().out
    assert main([*build, str(tmp_path / "other"), "--special-tokens", "tokens"]) == 0
    assert "encoded as such (1)" in capsys.readouterr().out
    sizes = [(tmp_path / name / "tokenized.0").stat().st_size for name in ("one", "other")]
    assert sizes[0] > sizes[1]
    assert main([*build, str(tmp_path / "third"), "--special-tokens", "both"]) == 2
    assert main(["count", str(tmp_path / "one"), "here", "--index", str(tmp_path / "other")]) == 2


def test_a_treatment_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(CorpusError, match="as text or as tokens, and not as 'both'"):
        build_index([{"text": TEXT}], tmp_path / "index", special_tokens="both")
