"""Train a tiny character GPT on a text, and tell its perplexity and how long it took, to compare with a corpus.

usage: python train_tiny_gpt.py TEXT [--seconds S] [--layers N] [--width N] [--context N] [--batch N] [--seed N]

The first nine tenths of TEXT are trained on, and the rest is scored: each character after as many before it as the
model can see, half of that at least. Needs the package torch, which Corpus Explorer does not. By a corpus:

    corpus-explorer build TRAIN --tokenizer bytes --out INDEX
    corpus-explorer perplexity INDEX REST
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    """Attention to what came before, and a layer for each character alone; both are added to what was there."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.mixed, self.joined = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.alone = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, state):
        batch, length, width = state.shape
        parts = self.mixed(self.norms[0](state)).view(batch, length, 3, self.heads, width // self.heads)
        asked, named, given = parts.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(asked, named, given, is_causal=True)
        state = state + self.joined(seen.transpose(1, 2).reshape(batch, length, width))
        return state + self.alone(self.norms[1](state))


class Gpt(nn.Module):
    """Characters and their places as vectors, blocks, and a score for each next character."""

    def __init__(self, kinds, layers, width, context):
        super().__init__()
        self.characters, self.places = nn.Embedding(kinds, width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(*(Block(width, 4) for _ in range(layers)))
        self.last = nn.LayerNorm(width)

    def forward(self, ids):
        state = self.characters(ids) + self.places(torch.arange(ids.shape[1]))
        return self.last(self.blocks(state)) @ self.characters.weight.T


def train(model, ids, args):
    """Train until the time is over; the rate rises for 50 steps, and then falls with the time that is left."""
    # The weights that come out of a standard initialization of embeddings are too large to be used as scores.
    nn.init.normal_(model.characters.weight, std=0.02)
    nn.init.normal_(model.places.weight, std=0.02)
    descent = torch.optim.AdamW(model.parameters(), lr=args.rate, betas=(0.9, 0.99), weight_decay=0.1)
    began, step = time.process_time(), 0
    while (spent := time.process_time() - began) < args.seconds:
        rate = args.rate * min(1, (step + 1) / 50) * max(0.05, 1 - spent / args.seconds)
        for group in descent.param_groups:
            group["lr"] = rate
        starts = torch.randint(len(ids) - args.context - 1, (args.batch, 1))
        window = ids[starts + torch.arange(args.context + 1)]
        scores = model(window[:, :-1])
        loss = functional.cross_entropy(scores.flatten(0, 1), window[:, 1:].flatten())
        descent.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        descent.step()
        step += 1
    return step, time.process_time() - began


def surprise_of(model, ids, context):
    """Sum of -ln P of the characters from the second on, in windows that overlap by half."""
    half, total = context // 2, 0.0
    with torch.no_grad():
        for first in range(0, len(ids) - 1, half):
            # The first window scores all of its characters, each later one those that the one before did not have.
            window = ids[first : first + context + 1]
            losses = functional.cross_entropy(model(window[None, :-1])[0], window[1:], reduction="none")
            total += float(losses[half if first else 0 :].sum())
            if first + context + 1 >= len(ids):
                return total
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    for name, default in (("seconds", 60.0), ("rate", 3e-3)):
        parser.add_argument(f"--{name}", type=float, default=default)
    for name, default in (("layers", 2), ("width", 64), ("context", 32), ("batch", 32), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    data = args.text.read_bytes()
    kinds = sorted(set(data))
    ids = torch.tensor([kinds.index(each) for each in data])
    cut = int(0.9 * len(ids))
    model = Gpt(len(kinds), args.layers, args.width, args.context)
    steps, seconds = train(model, ids[:cut], args)
    began = time.process_time()
    surprise = surprise_of(model.eval(), ids[cut:], args.context)
    found = {
        "parameters": sum(each.numel() for each in model.parameters()),
        "steps": steps,
        "training_seconds": round(seconds, 1),
        "scoring_seconds": round(time.process_time() - began, 1),
        "perplexity": math.exp(surprise / (len(ids) - cut - 1)),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
