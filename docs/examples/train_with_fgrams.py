"""Train a tiny language model twice, without f-grams and with them, and compare their perplexity on unseen text.

usage: python train_with_fgrams.py TEXT [--steps N] [--vocabulary N] [--min-count N] [--max-n K] [--seed N]

The first nine tenths of TEXT are the corpus and the training text; the rest is scored. With f-grams, the embedding of
each token at which an f-gram ends is the output of a second, small transformer over the f-gram's tokens, trained
together with the model (SCONE, Yu et al. 2025). For scoring, its outputs are a table, computed once. Needs the package
torch, which Corpus Explorer does not.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from explorer import build_index, open_index

CONTEXT, BATCH = 64, 16


class Block(nn.Module):
    """Attention to what came before, and a layer for each token alone; both are added to what was there."""

    def __init__(self, width, heads=4):
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


class Transformer(nn.Module):
    """Places are added to embeddings, and blocks follow."""

    def __init__(self, width, layers, longest):
        super().__init__()
        self.places = nn.Embedding(longest, width)
        self.blocks, self.last = nn.Sequential(*(Block(width) for _ in range(layers))), nn.LayerNorm(width)
        nn.init.normal_(self.places.weight, std=0.02)

    def forward(self, embedded):
        return self.last(self.blocks(embedded + self.places(torch.arange(embedded.shape[1]))))


class Model(nn.Module):
    """A language model; `small` is the transformer of f-grams, or None."""

    def __init__(self, kinds, width, layers, longest):
        super().__init__()
        self.tokens = nn.Embedding(kinds, width)
        nn.init.normal_(self.tokens.weight, std=0.02)
        self.main = Transformer(width, layers, CONTEXT)
        self.small = Transformer(width, layers, longest) if longest else None
        if self.small is not None:
            # At first, an f-gram is embedded as its last token, so both models begin alike.
            nn.init.zeros_(self.small.last.weight)

    def embed_fgrams(self, ids, lengths):
        """The embedding of each f-gram [rows, K], filled up at the end: its last token's, and the state there."""
        # A state sees what came before it only, so whatever fills up the row changes nothing.
        embedded, at = self.tokens(ids), (torch.arange(len(ids)), lengths - 1)
        return embedded[at] + self.small(embedded)[at]

    def forward(self, ids, fgrams=None):
        embedded = self.tokens(ids)
        if fgrams is not None:
            where, vectors = fgrams
            embedded = embedded.masked_scatter(where[..., None], vectors)
        return self.main(embedded) @ self.tokens.weight.T


def rows_of(table):
    """All f-grams in the order of the table, filled up with zeros, and their lengths."""
    ids = np.zeros((len(table), table.max_n), dtype=np.int64)
    lengths, first = np.zeros(len(table), dtype=np.int64), 0
    for each in table.by_n:
        ids[first : first + each.at_least, : each.n] = table.ids(each.n)
        lengths[first : first + each.at_least] = each.n
        first += each.at_least
    return torch.from_numpy(ids), torch.from_numpy(lengths)


def train(model, ids, rows, known, args):
    """The training: f-grams of a batch that occur several times in it are computed once."""
    descent = torch.optim.AdamW(model.parameters(), lr=args.rate, betas=(0.9, 0.99), weight_decay=0.1)
    chance = torch.Generator().manual_seed(args.seed)
    for step in range(args.steps):
        rate = args.rate * min(1, (step + 1) / 50) * max(0.05, 1 - step / args.steps)
        for group in descent.param_groups:
            group["lr"] = rate
        at = torch.randint(len(ids) - CONTEXT - 1, (BATCH, 1), generator=chance) + torch.arange(CONTEXT + 1)
        window, fgrams = ids[at], None
        if known is not None:
            found = rows[at[:, :-1]]
            used, which = found[found >= 0].unique(return_inverse=True)
            fgrams = found >= 0, model.embed_fgrams(known[0][used], known[1][used])[which]
        scores = model(window[:, :-1], fgrams)
        loss = functional.cross_entropy(scores.flatten(0, 1), window[:, 1:].flatten())
        descent.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        descent.step()


@torch.no_grad()
def surprise_of(model, ids, rows, known):
    """Sum of -ln P of the tokens from the second on, in windows that overlap by half."""
    table = None
    if known is not None:
        table = torch.cat([model.embed_fgrams(*part) for part in zip(known[0].split(4096), known[1].split(4096))])
    half, total = CONTEXT // 2, 0.0
    for first in range(0, len(ids) - 1, half):
        window, found = ids[first : first + CONTEXT + 1], rows[first : first + CONTEXT + 1][:-1]
        # From here on, the second transformer is not needed: a look-up takes its place.
        fgrams = None if table is None else (found[None] >= 0, table[found[found >= 0]])
        losses = functional.cross_entropy(model(window[None, :-1], fgrams)[0], window[1:], reduction="none")
        total += float(losses[half if first else 0 :].sum())
        if first + CONTEXT + 1 >= len(ids):
            break
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("--rate", type=float, default=2e-3)
    options = ("steps", 800), ("vocabulary", 2048), ("min-count", 5), ("max-n", 4), ("width", 96), ("layers", 2)
    for name, default in (*options, ("wide", 0), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    torch.set_num_threads(1)
    data = args.text.read_bytes()
    cut = data.rindex(b"\n", 0, int(0.9 * len(data))) + 1
    texts = data[:cut].decode(), data[cut:].decode()
    with tempfile.TemporaryDirectory() as folder:
        build_index([{"text": texts[0]}], Path(folder) / "index", tokenizer=f"train:{args.vocabulary}")
        with open_index(Path(folder) / "index") as corpus:
            table = corpus.fgrams(args.max_n, min_count=args.min_count)
            ids = [torch.from_numpy(np.asarray(corpus.encode(text), dtype=np.int64)) for text in texts]
            matches = [table.match(each.tolist()) for each in ids]
    rows, known = [torch.from_numpy(each.rows.copy()) for each in matches], rows_of(table)
    kinds = max(int(each.max()) for each in ids) + 1
    print(
        f"{len(ids[0]):,} tokens to learn from, {len(ids[1]):,} to score, of {kinds:,} kinds; {len(table):,} f-grams "
        f"of 2 to {args.max_n} tokens, which end at {matches[1].coverage:.1%} of the tokens to score"
    )
    ways = [("without f-grams", args.layers, 0), ("with f-grams", args.layers, args.max_n)]
    if args.wide:
        ways.insert(1, (f"without f-grams, {args.wide} layers", args.wide, 0))
    for name, layers, longest in ways:
        torch.manual_seed(args.seed)
        model, used = Model(kinds, args.width, layers, longest), known if longest else None
        began = time.process_time()
        train(model, ids[0], rows[0], used, args)
        spent = time.process_time() - began
        surprise = surprise_of(model.eval(), ids[1], rows[1], used)
        weights = sum(each.numel() for part in (model.tokens, model.main) for each in part.parameters())
        more = sum(each.numel() for each in model.parameters()) - weights
        # Per byte as well: tokens depend on the tokenizer, and another text has others.
        bits = surprise / math.log(2) / len(data[cut:])
        print(
            f"{name}: perplexity {math.exp(surprise / (len(ids[1]) - 1)):.2f}, {bits:.3f} bits per byte; "
            f"{weights:,} weights when used, {more:,} more in training; {spent:.0f} s of training",
            flush=True,
        )


if __name__ == "__main__":
    main()
