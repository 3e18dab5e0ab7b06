"""Look-ups of f-gram embeddings by batch size: mapped rows against LMDB, as in SCONE's figure 7.

python tests/benchmarks/fgram_rows.py INDEX FOLDER [--dimension D] [--min-count C]

FOLDER gets the table and the database. Needs lmdb. A sequence is the last five tokens of a text: the look-up of one step.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import lmdb
import numpy as np

from explorer import open_fgrams, open_index

LENGTH, MAX_N = 5, 5


def by_lmdb(base, own, texts, dimension):
    """The same matrices, with up to four queries per token."""
    made = []
    with base.begin(buffers=True) as reading:
        for ids in texts:
            keys, found = ids.astype(">u4"), np.empty((len(ids), dimension), np.float32)
            for end in range(1, len(ids) + 1):
                row = None
                for n in range(min(MAX_N, end), 1, -1):
                    if (row := reading.get(keys[end - n : end].tobytes())) is not None:
                        break
                found[end - 1] = own[ids[end - 1]] if row is None else np.frombuffer(row, np.float16)
            made.append(found)
    return made


def timed(function, batches):
    times = []
    for batch in batches:
        began = time.perf_counter()
        function(batch)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("index")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--min-count", type=int, default=5)
    args = parser.parse_args()
    corpus, chance = open_index(args.index), np.random.default_rng(0)
    tokens, where = args.folder / "tokens.npy", args.folder / "table"
    args.folder.mkdir()
    corpus.fgrams(MAX_N, min_count=args.min_count).write_arrays(where)
    own = chance.standard_normal((corpus.index.tokenizer.vocabulary_size, args.dimension)).astype(np.float16)
    np.save(tokens, own)
    table = open_fgrams(where, corpus)
    seconds = timed(table.fill_with_tokens, [tokens])
    size = (where / "embeddings.npy").stat().st_size
    print(f"{len(table):,} f-grams, {size / 1e9:.3f} GB, filled in {seconds:.1f} s")
    seconds = timed(table.write_lmdb, [args.folder / "base"])
    stored = (args.folder / "base" / "data.mdb").stat().st_size
    print(f"LMDB {stored / 1e9:.3f} GB, {stored / size:.2f} times as much, written in {seconds:.1f} s")
    numbers = chance.permutation(corpus.document_count)[:400].tolist()
    ids = np.concatenate([np.asarray(corpus.encode(corpus.document(n).text), dtype=np.int64) for n in numbers])[:60_000]
    print(f"{len(ids):,} tokens, an f-gram ends at {table.match(ids).coverage:.1%}")
    with lmdb.open(str(args.folder / "base"), readonly=True, lock=False) as base:
        own = np.load(tokens, mmap_mode="r")
        ours, theirs = (
            (lambda texts: table.embed_many(texts, tokens)),
            lambda texts: by_lmdb(base, own, texts, args.dimension),
        )
        assert np.allclose(ours([ids[:500]])[0], theirs([ids[:500]])[0])
        for batch in (1, 16, 256, 4096):
            places = chance.integers(0, len(ids) - LENGTH, (max(5, min(200, 2048 // batch)), batch))
            texts = [[ids[at : at + LENGTH] for at in row] for row in places.tolist()]
            pair = [timed(each, texts) / batch / LENGTH * 1e6 for each in (ours, theirs)]
            print(f"batch {batch:5}: rows {pair[0]:7.2f} µs a token, LMDB {pair[1]:7.2f}", flush=True)
    seconds = timed(lambda each: table.embed(each, tokens), [ids] * 3)
    print(
        f"one text: {seconds / len(ids) * 1e6:.2f} µs a token, {len(ids) * args.dimension * 4 / 1e9 / seconds:.2f} GB/s"
    )


if __name__ == "__main__":
    main()
