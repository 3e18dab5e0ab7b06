"""Fetch the published texts, answers, evaluation sets and tokenizers that the figures of some tests are about.

    python tests/support/fetch_shared.py

It writes 12 MB to `shared/data` beside the checkout, where tests look for them, and checks each file's content.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
import urllib.request

from shared_data import SHARED

GITHUB = "https://raw.githubusercontent.com"
HUB = "https://huggingface.co"
GRADE_SCHOOL = f"{GITHUB}/openai/grade-school-math/master/grade_school_math/data"
FILES = {
    "texts/tinyshakespeare.txt": (
        f"{GITHUB}/karpathy/char-rnn/master/data/tinyshakespeare/input.txt", "86c4e6aa9db7c042",
    ),
    "texts/wikitext2-valid.txt": (
        f"{GITHUB}/pytorch/examples/main/word_language_model/data/wikitext-2/valid.txt", "f0737ed31fc13290",
    ),
    "benchmarks/gsm8k-test.jsonl.gz": (f"{GRADE_SCHOOL}/test.jsonl", "3730d312f6e34405"),
    "benchmarks/gsm8k-train.jsonl.gz": (f"{GRADE_SCHOOL}/train.jsonl", "17f347dc51477c50"),
    "benchmarks/humaneval.jsonl.gz": (f"{GITHUB}/openai/human-eval/master/data/HumanEval.jsonl.gz", "1d49078ba3e2b196"),
    "tokenizers/llama-2-7b-hf.tokenizer.json": (
        f"{HUB}/NousResearch/Llama-2-7b-hf/resolve/main/tokenizer.json", "1698d6f5f823252b",
    ),
    "tokenizers/olmo-7b-hf.tokenizer.json": (
        f"{HUB}/allenai/OLMo-7B-hf/resolve/main/tokenizer.json", "9ad33b4b39a9f839",
    ),
}  # fmt: skip
"""By the path in `shared/data`: the address, and the beginning of the SHA-256 of the unpacked content."""
FIELDS = {"text": "output", "generator": "generator", "dataset": "dataset", "instruction": "instruction"}
ANSWERS = {
    "Mistral-7B-Instruct-v0.2": "aaa5858cf9150feb",
    "alpaca-7b": "61454c6d98aa3edc",
    "claude-2": "c60901efdfd6fe5a",
    "falcon-7b-instruct": "231b358761efe675",
    "gemma-7b-it": "8326d3b556383f95",
    "gpt-3.5-turbo-0301": "bb7825e67c73834b",
    "gpt-4o-2024-05-13": "c1fb7f28fcdc063a",
    "llama-2-70b-chat-hf": "8c08cccb089a8402",
    "llama-2-7b-chat-hf": "88b282558f7e2e7b",
    "text_davinci_003": "9f8e8cf8b3704116",
    "vicuna-13b-v1.5": "54b33782f6774ec7",
    "wizardlm-13b-v1.2": "1b7b46e5063678a3",
}
"""By the model's name in AlpacaEval: the same of the rows that are kept of its answers."""


def main() -> None:
    for path, (address, digest) in FILES.items():
        write(path, _read(address), digest)
    for model, digest in ANSWERS.items():
        rows = json.loads(_read(f"{GITHUB}/tatsu-lab/alpaca_eval/main/results/{model}/model_outputs.json"))
        kept = [{name: row[key] for name, key in FIELDS.items()} for row in rows]
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept)
        write(f"llm-outputs/{model}.jsonl.gz", lines.encode(), digest)


def _read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as reply:
        content: bytes = reply.read()
    return gzip.decompress(content) if address.endswith(".gz") else content


def write(path: str, content: bytes, digest: str) -> None:
    """Write a file, packed if its name says so; ends the program where the content is another one than tests expect."""
    if not hashlib.sha256(content).hexdigest().startswith(digest):
        sys.exit(f"{path}: the published file has changed, so the figures of the tests are not about it.")
    target = SHARED / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(content, mtime=0) if path.endswith(".gz") else content)


if __name__ == "__main__":
    main()
