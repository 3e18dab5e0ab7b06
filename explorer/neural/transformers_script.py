"""A script for users who have a model folder and the package transformers, which this program does not need."""

from __future__ import annotations

TRANSFORMERS = '''\
"""Writes the log probability of each token of texts, for: corpus-explorer mix INDEX --probabilities OUT

    python score.py MODEL_FOLDER TEXTS OUT

TEXTS is a plain text, or JSON Lines with a field "text". MODEL_FOLDER is on this machine: nothing is downloaded.
"""

import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

WINDOW = 1024  # most tokens of context; a longer text is scored in windows that overlap by half


def windows(count):
    """(first token of the window, first and last token to score) of each window."""
    half = WINDOW // 2
    yield 0, 1, min(count, WINDOW)
    for first in range(half, count - half, half):
        yield first, first + half, min(count, first + WINDOW)


def score(model, tokenizer, text):
    found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    ids, places = found["input_ids"], found["offset_mapping"]
    if not ids:
        return []
    # Models that were trained with a token before each text need it. It is context only.
    begin = [tokenizer.bos_token_id] if getattr(tokenizer, "add_bos_token", False) else []
    logprobs = [None] * len(ids)
    for first, begin_at, end in windows(len(ids)):
        context = begin + ids[first:end]
        with torch.no_grad():
            logits = model(torch.tensor([context])).logits[0].float()
        shares = torch.log_softmax(logits, dim=-1)
        if first == 0 and begin:
            logprobs[0] = float(shares[0, ids[0]])
        for at in range(begin_at, end):
            # What the model gives a token is in the row of the token before it.
            logprobs[at] = float(shares[len(begin) + at - first - 1, ids[at]])
    tokens, last = [], 0
    for token, (start, stop), logprob in zip(ids, places, logprobs):
        # Of a character that several tokens share, the first has it; spaces between words may be in none.
        start = max(start, last)
        last = max(stop, start)
        tokens.append({"start": start, "end": last, "logprob": logprob, "id": token})
    return tokens


def main(folder, source, out):
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, use_fast=True)
    model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True).eval()
    with open(source, encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file] if source.endswith(".jsonl") else [file.read()]
    with open(out, "x", encoding="utf-8") as file:
        for number, text in enumerate(texts, start=1):
            tokens = score(model, tokenizer, text)
            file.write(json.dumps({"text": text, "model": folder, "log_base": "e", "tokens": tokens}) + "\\n")
            print(f"{number} of {len(texts)} texts", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
'''
"""Writes the file that `read_scored` reads, by the package transformers; tried with version 5.23."""
