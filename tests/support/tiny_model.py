"""A tiny neural language model of bytes, in numpy, and the text that it reads: `python tiny_model.py OUT` records it.

The text is made by a few rules, so that it belongs to nobody and can be made again. The model sees half of the
documents that the corpus has, and scores a text that neither has. Tests read the recorded file,
`tests/model/tiny_model.jsonl.gz`.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import numpy as np

CONTEXT, WIDTH, HIDDEN, STEPS, BATCH = 6, 12, 48, 3_000, 128
_PEOPLE = [
    "Ada",
    "Bruno",
    "Clara",
    "Dmitri",
    "Elena",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Katya",
    "Luis",
    "Mina",
    "Nils",
    "Olga",
    "Pavel",
]
_TOWNS = ["Aldermoor", "Brackwater", "Cinderford", "Dunmallet", "Eastriggs", "Fallowmere", "Grinsby", "Hollowell"]
_THINGS = [
    "a brass lantern",
    "two barrels of salt",
    "the old map",
    "a letter for the mayor",
    "a basket of plums",
    "the silver key",
]
_ENDS = ["before the rain began", "at the second bell", "when the ferry was late", "without a word", "for nine crowns"]
_RULES = (
    "{a} walked from {t} to {u} {e}.",
    "In {t}, {a} sold {x} to {b} {e}.",
    '"Where is {x}?" asked {a}; {b} only looked towards {u}.',
    "{a} and {b} carried {x} across the bridge of {t} {e}.",
)


def sentences(seed: int, count: int) -> list[str]:
    """Made-up sentences; each person of a seed has a habit, so some are told again and again."""
    draw = np.random.default_rng(seed)

    def one() -> str:
        a, b = draw.choice(_PEOPLE, 2, replace=False)
        t, u = draw.choice(_TOWNS, 2, replace=False)
        # A habit: what a person carries depends on the person, most of the time.
        thing = _THINGS[_PEOPLE.index(a) % len(_THINGS)] if draw.random() < 0.8 else draw.choice(_THINGS)
        return str(draw.choice(_RULES)).format(a=a, b=b, t=t, u=u, x=thing, e=draw.choice(_ENDS))

    return [one() for _ in range(count)]


def documents() -> list[str]:
    """The corpus: 256 documents of three sentences."""
    told = sentences(1, 768)
    return [" ".join(told[3 * n : 3 * n + 3]) for n in range(256)]


def held_out() -> str:
    """The text that is scored."""
    return " ".join(sentences(2, 20))


class TinyModel:
    """Embeddings of the last bytes, one hidden layer, softmax; trained by Adam."""

    def __init__(self, text: bytes) -> None:
        draw = np.random.default_rng(3)
        self.known = np.unique(np.frombuffer(text, dtype=np.uint8))
        size = len(self.known)
        self.weights = [
            draw.normal(0, 0.3, (size, WIDTH)),
            draw.normal(0, (CONTEXT * WIDTH) ** -0.5, (CONTEXT * WIDTH, HIDDEN)),
            np.zeros(HIDDEN),
            draw.normal(0, HIDDEN**-0.5, (HIDDEN, size)),
            np.zeros(size),
        ]
        rows = self._rows(text)
        moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        for step in range(1, STEPS + 1):
            places = draw.integers(CONTEXT, len(rows), BATCH)
            context = rows[places[:, None] - np.arange(CONTEXT, 0, -1)]
            for weight, gradient, (mean, square) in zip(
                self.weights, self._gradients(context, rows[places]), moments, strict=True
            ):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient**2 - square)
                rate = 0.01 * (1 - step / STEPS) + 1e-4
                weight -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)

    def logprobs(self, text: bytes) -> np.ndarray:
        """Natural log probabilities of the bytes from the CONTEXT-th on."""
        rows = self._rows(text)
        places = np.arange(CONTEXT, len(rows))
        _, _, logs = self._forward(rows[places[:, None] - np.arange(CONTEXT, 0, -1)])
        found: np.ndarray = logs[np.arange(len(places)), rows[places]]
        return found

    def _rows(self, text: bytes) -> np.ndarray:
        return np.searchsorted(self.known, np.frombuffer(text, dtype=np.uint8))

    def _forward(self, context: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        embeddings, first, bias, second, last = self.weights
        inputs = embeddings[context].reshape(len(context), -1)
        hidden = np.tanh(inputs @ first + bias)
        scores = hidden @ second + last
        scores -= scores.max(axis=1, keepdims=True)
        return inputs, hidden, scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))

    def _gradients(self, context: np.ndarray, targets: np.ndarray) -> list[np.ndarray]:
        embeddings, first, _, second, _ = self.weights
        inputs, hidden, logs = self._forward(context)
        error = np.exp(logs)
        error[np.arange(len(targets)), targets] -= 1
        error /= len(targets)
        back = (error @ second.T) * (1 - hidden**2)
        into = np.zeros_like(embeddings)
        np.add.at(into, context, (back @ first.T).reshape(len(context), CONTEXT, WIDTH))
        return [into, inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]


def record(path: Path) -> None:
    """Train the model, and write what it gives the held-out text."""
    from explorer.neural.records import ScoredText, ScoredToken, line_of

    text = held_out()
    logs = TinyModel(" ".join(documents()[:128]).encode()).logprobs(text.encode())
    tokens = [
        ScoredToken(at, at + 1, round(float(logs[at - CONTEXT]), 4) if at >= CONTEXT else None, ord(text[at]))
        for at in range(len(text))
    ]
    line = line_of(ScoredText(text, tuple(tokens), "tiny model"))
    # Without a time, so that the same file is written again.
    path.write_bytes(gzip.compress(line.encode() + b"\n", mtime=0))


if __name__ == "__main__":
    record(Path(sys.argv[1]))
