"""Short texts in many scripts, and small tokenizers of every style trained on them."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

TEXTS = (
    "The cap of the bottle: capacity, handicap, CAP and Cap. In addition, in the sun the café naïve coöperates.\n",
    "We delve into it; she delves, he delved. delve_into the cap-a-pie, recap 3.14 and 1999, 42nd, x² and ½.\n",
    "语言模型是人工智能的语言。模型很大，语言很美。日本語の文章とカタカナのデータベース。東京タワーで会いましょう。\n",
    "ภาษาไทยไม่มีช่องว่าง และ ລາວ ខ្មែរ မြန်မာ\n",
    "اللغة العربية جميلة والعربية لغة. שלום עולם, עולם גדול.\n",
    "Ελληνικά ΣΊΣΥΦΟΣ σίσυφος; Straße STRASSE ẞ; Kelvin \u212a sign; ſharp s; ﬁne ligature ǅ\n",
    "🎉🎉 party 👩‍👩‍👧 family 👍🏽 e\u0301clair éclair a\u0300b \u200b zero\n",
    "def add(a, b):\n\treturn a + b  # sums\nfoo.bar(baz)[0] == 'qu''ux'\r\n",
    "aaaa aaaaa ababab banana bandana the the the thethe theme",
    "x",
)
SPECIALS = ["<unk>"]


def _train(tokenizer: Tokenizer, trainer: trainers.Trainer) -> Tokenizer:
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    return tokenizer


def byte_level() -> Tokenizer:
    """As GPT-2 and OLMo."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return _train(tokenizer, trainers.BpeTrainer(vocab_size=420, initial_alphabet=alphabet, show_progress=False))


def byte_fallback() -> Tokenizer:
    """As Llama-2: `▁` for a space, and bytes for characters that the vocabulary lacks."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    pieces = [f"<0x{byte:02X}>" for byte in range(256)]
    trainer = trainers.BpeTrainer(
        vocab_size=256 + 180, special_tokens=SPECIALS + pieces, limit_alphabet=70, show_progress=False
    )
    return _train(tokenizer, trainer)


def unigram() -> Tokenizer:
    """As T5, with every character of the texts in its vocabulary."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=400, unk_token="<unk>", special_tokens=SPECIALS, show_progress=False)
    return _train(tokenizer, trainer)


def wordpiece() -> Tokenizer:
    """As BERT, without lower case."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return _train(tokenizer, trainers.WordPieceTrainer(vocab_size=500, special_tokens=SPECIALS, show_progress=False))


STYLES = {"byte-level": byte_level, "byte-fallback": byte_fallback, "unigram": unigram, "wordpiece": wordpiece}


def write_tokenizer(style: str, folder: Path) -> str:
    """The file of a tokenizer of this style, or "bytes"."""
    if style == "bytes":
        return style
    path = folder / f"{style}.json"
    STYLES[style]().save(str(path))
    return str(path)
