"""Train one tiny byte model twice, without hints and with them, and compare their perplexity on unseen text.

usage: python train_with_hints.py TEXT [--steps N] [--seed N]

The first nine tenths of TEXT are the corpus and the training text; the rest is scored. The model is a network of one
hidden layer over the last eight bytes, written with numpy alone. With hints, it also gets the shares of the bytes that
followed the same context elsewhere. Training hints leave each byte itself out; those of the unseen text need not.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from explorer import build_index, open_index

CONTEXT, WIDTH, HIDDEN, BATCH = 8, 24, 192, 256


def shares_of(hints, kinds_of):
    """The share of each kind of byte among the samples of each position: float32 [positions, kinds]."""
    found = np.zeros((len(hints), kinds_of.max() + 1), dtype=np.float32)
    row, column = np.nonzero(hints.samples >= 0)
    np.add.at(found, (row, kinds_of[hints.samples[row, column]]), 1)
    return found / np.maximum(hints.lengths[:, None], 1)


class Model:
    """Embeddings of the last bytes, and the shares of the hints if there are any; a hidden layer; a softmax."""

    def __init__(self, kinds, hinted, seed):
        random = np.random.default_rng(seed)

        def made(rows, columns):
            return (random.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)

        self.weights = {"embed": made(kinds, WIDTH), "in": made(CONTEXT * WIDTH, HIDDEN), "out": made(HIDDEN, kinds)}
        if hinted:
            # From nothing, so that both models begin alike.
            self.weights["hint"] = np.zeros((kinds, HIDDEN), dtype=np.float32)
            self.weights["direct"] = np.zeros((kinds, kinds), dtype=np.float32)
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.steps = 0

    def forward(self, before, hints):
        w = self.weights
        seen = w["embed"][before].reshape(len(before), -1)
        inner = seen @ w["in"]
        if hints is not None:
            inner = inner + hints @ w["hint"]
        hidden = np.maximum(inner, 0)
        scores = hidden @ w["out"]
        if hints is not None:
            scores = scores + np.log(hints + 1e-3) @ w["direct"]
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        return seen, hidden, shares / shares.sum(axis=1, keepdims=True)

    def step(self, before, hints, right, rate):
        """One step of Adam down the mean surprise."""
        seen, hidden, shares = self.forward(before, hints)
        w, slopes = self.weights, {}
        error = shares.copy()
        error[np.arange(len(right)), right] -= 1
        error /= len(right)
        slopes["out"] = hidden.T @ error
        inner = (error @ w["out"].T) * (hidden > 0)
        slopes["in"] = seen.T @ inner
        slopes["embed"] = np.zeros_like(w["embed"])
        np.add.at(slopes["embed"], before.reshape(-1), (inner @ w["in"].T).reshape(-1, WIDTH))
        if hints is not None:
            slopes["hint"], slopes["direct"] = hints.T @ inner, np.log(hints + 1e-3).T @ error
        self.steps += 1
        for name, slope in slopes.items():
            first, second = self.moments[name]
            first += 0.1 * (slope - first)
            second += 0.01 * (slope**2 - second)
            fair = first / (1 - 0.9**self.steps), second / (1 - 0.99**self.steps)
            w[name] -= rate * fair[0] / (np.sqrt(fair[1]) + 1e-8)


def perplexity(model, text, hints):
    places = np.arange(CONTEXT, len(text))
    lost = 0.0
    for part in np.array_split(places, max(1, len(places) // 4096)):
        before = text[part[:, None] - np.arange(CONTEXT, 0, -1)]
        shares = model.forward(before, None if hints is None else hints[part])[2]
        lost -= np.log(shares[np.arange(len(part)), text[part]]).sum()
    return float(np.exp(lost / len(places)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", type=Path)
    parser.add_argument("--steps", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    data = args.text.read_bytes()
    cut = int(0.9 * len(data))
    numbers = np.frombuffer(data, dtype=np.uint8).astype(np.int64)
    used = np.unique(numbers)
    kinds_of = np.zeros(256, dtype=np.int64)
    kinds_of[used] = np.arange(len(used))
    with tempfile.TemporaryDirectory() as folder:
        build_index([{"text": data[:cut].decode()}], Path(folder) / "index", tokenizer="bytes")
        corpus = open_index(Path(folder) / "index")
        own = np.concatenate([shares_of(part, kinds_of) for part in corpus.document_hints(seed=args.seed)])
        unseen = shares_of(corpus.hints(numbers[cut:], seed=args.seed), kinds_of)
        corpus.close()
    train, rest = kinds_of[numbers[:cut]], kinds_of[numbers[cut:]]
    for name, hints, hints_of_rest in (("without hints", None, None), ("with hints", own, unseen)):
        model, random = Model(len(used), hints is not None, args.seed), np.random.default_rng(args.seed)
        for step in range(args.steps):
            at = random.integers(CONTEXT, len(train), BATCH)
            before = train[at[:, None] - np.arange(CONTEXT, 0, -1)]
            model.step(before, None if hints is None else hints[at], train[at], 2e-3 * (1 - step / args.steps))
        print(f"{name}: perplexity {perplexity(model, rest, hints_of_rest):.3f}", flush=True)


if __name__ == "__main__":
    main()
