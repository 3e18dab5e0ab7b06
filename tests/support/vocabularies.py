"""Tokenizers of every kind that people have, trained on a small text: each spells words in its own way."""

from __future__ import annotations

import json

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

TEXT = [
    "The cat sat on the mat. The cat sat on the rug, and the dog saw it.",
    "A naïve café in Zürich: nothing but words and words, 1,234 of them.",
    "def add(a, b):\n    return a + b\n",
    "the dog sat on the mat and saw the cat on the rug while the other cat slept",
] * 4


def _trained(backend: Tokenizer, trainer: trainers.Trainer) -> Tokenizer:
    backend.train_from_iterator(TEXT, trainer)
    return backend


def clip() -> Tokenizer:
    """CLIP's way: bytes, lower case, `</w>` behind the last piece of a word."""
    backend = Tokenizer(models.BPE(end_of_word_suffix="</w>", unk_token="<|endoftext|>"))
    backend.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    split = Regex(r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(split, "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    backend.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=900,
        show_progress=False,
        initial_alphabet=alphabet,
        end_of_word_suffix="</w>",
        special_tokens=["<|startoftext|>", "<|endoftext|>"],
    )
    description = json.loads(_trained(backend, trainer).to_str())
    vocabulary = description["model"]["vocab"]
    # Every byte can end a word.
    for char in alphabet:
        vocabulary.setdefault(f"{char}</w>", len(vocabulary))
    return Tokenizer.from_str(json.dumps(description))


def gpt1() -> Tokenizer:
    """GPT-1's way: BERT's words, `</w>`, and an unknown token."""
    backend = Tokenizer(models.BPE(end_of_word_suffix="</w>", unk_token="<unk>"))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.BPEDecoder(suffix="</w>")
    trainer = trainers.BpeTrainer(
        vocab_size=400, show_progress=False, end_of_word_suffix="</w>", special_tokens=["<unk>"]
    )
    return _trained(backend, trainer)


def word_level(vocabulary: int = 200) -> Tokenizer:
    """Whole words, the rest unknown."""
    backend = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    return _trained(
        backend, trainers.WordLevelTrainer(vocab_size=vocabulary, show_progress=False, special_tokens=["[UNK]"])
    )


def word_level_not_added() -> Tokenizer:
    """As before, and the unknown word is a word of the vocabulary like others."""
    backend = Tokenizer(models.WordLevel({"<unk>": 0, "the": 1, "cat": 2, "sat": 3}, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return backend


def word_piece() -> Tokenizer:
    """BERT's way, uncased."""
    backend = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made = _trained(backend, trainers.WordPieceTrainer(vocab_size=300, show_progress=False, special_tokens=special))
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made


def bpe_with_mark() -> Tokenizer:
    """BPE that marks the pieces inside of a word."""
    backend = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="@@"))
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.BpeTrainer(
        vocab_size=300, show_progress=False, continuing_subword_prefix="@@", special_tokens=["[UNK]"]
    )
    return _trained(backend, trainer)


def unigram() -> Tokenizer:
    """SentencePiece's Unigram model without bytes: what it lacks is unknown."""
    backend = Tokenizer(models.Unigram())
    backend.normalizer = normalizers.NFKC()
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    backend.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=150, show_progress=False, special_tokens=["<unk>", "</s>"], unk_token="<unk>"
    )
    return _trained(backend, trainer)


def bpe_of_characters() -> Tokenizer:
    """BPE without words, in which the space is a character; and an unknown token that is not added."""
    characters = ["<unk>", " ", *"abcdefghijklmnopqrstuvwxyz.,ATZ1234ïéü():+\n"]
    vocabulary = {piece: number for number, piece in enumerate([*characters, "th", "the", " the"])}
    return Tokenizer(models.BPE(vocabulary, [("t", "h"), ("th", "e"), (" ", "the")], unk_token="<unk>", fuse_unk=True))


def byte_level() -> Tokenizer:
    """GPT-2's way."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    return _trained(backend, trainers.BpeTrainer(vocab_size=400, show_progress=False, initial_alphabet=alphabet))


def bpe_without_mark(vocabulary: int = 60) -> Tokenizer:
    """The quick tour's BPE: nothing says which pieces belong to one word, so no text can be read back."""
    backend = Tokenizer(models.BPE(unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    return _trained(backend, trainers.BpeTrainer(vocab_size=vocabulary, show_progress=False, special_tokens=["[UNK]"]))


READABLE = {
    made.__name__: made
    for made in (
        clip,
        gpt1,
        word_level,
        word_piece,
        bpe_with_mark,
        unigram,
        bpe_of_characters,
        byte_level,
    )
}
