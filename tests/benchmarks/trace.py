"""How long a trace takes on a large index, and what a batch of a thousand answers needs.

usage: python tests/benchmarks/trace.py INDEX [--answers N] [--out FILE.md]

The texts are real answers with changed words (see made_corpus.py); each is traced with the default settings.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import resource
import statistics
import tempfile
import threading
import time
from pathlib import Path

from made_corpus import changed_answers

from explorer import open_index
from explorer.analyses.trace.batch import inspect_answers, trace_answers
from explorer.analyses.trace.pipeline import trace_text
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled


def cut(corpus, text: str, tokens: int) -> str:
    """The first so many tokens of a text."""
    encoded = corpus.index.tokenizer.encode_with_offsets(text)
    return text if len(encoded.ids) <= tokens else text[: int(encoded.starts[tokens])]


def seconds_of(corpus, text: str) -> tuple[float, float]:
    """Milliseconds until the spans are found, and until the documents are ranked."""
    times = corpus.trace(text).times
    return 1000 * times.spans, 1000 * (times.spans + times.documents)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    corpus = open_index(args.index)
    texts = [cut(corpus, text, 450) for text in itertools.islice(changed_answers(random.Random(3)), args.answers)]
    cold = [seconds_of(corpus, text) for text in texts[:60]]
    warm = [seconds_of(corpus, text) for text in texts[:60]]
    lines = [
        f"{corpus.token_count:,} tokens, {corpus.document_count:,} documents; answers of up to 450 tokens.",
        "",
        "| what | median ms | maximum ms | times |",
        "| --- | --- | --- | --- |",
        *(
            f"| {what}, {state} | {statistics.median(times):.1f} | {max(times):.1f} | {len(times)} |"
            for state, pairs in (("in memory", warm), ("first time, from the disk", cold))
            for what, times in zip(("spans", "whole trace, documents ranked"), zip(*pairs, strict=True), strict=True)
        ),
    ]
    long = " ".join(" ".join(texts).split(" ")[:10_000])
    started = time.perf_counter()
    corpus.trace(long)
    lines.append(f"| a text of 10,000 words | {1000 * (time.perf_counter() - started):.0f} | | 1 |")
    token = CancelToken()
    threading.Timer(0.3, token.cancel).start()
    started = time.perf_counter()
    try:
        for _ in range(1000):
            trace_text(corpus.index, long, cancel=token)
    except Cancelled:
        lines.append(f"| cancelling it | {1000 * (time.perf_counter() - started - 0.3):.0f} | | 1 |")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
        started = time.perf_counter()
        rows = sum(1 for _ in trace_answers(corpus.index, inspect_answers(path)))
        seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines += [
        "",
        f"A file of {rows:,} answers: {seconds:.0f} s, {1000 * seconds / rows:.0f} ms each; peak {peak:.0f} MiB.",
    ]
    print("\n".join(lines))
    if args.out:
        args.out.write_text("\n".join(["# Traces", "", *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
