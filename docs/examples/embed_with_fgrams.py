"""Embed a sentence with a table of f-grams and numpy alone: embed_with_fgrams.py TABLE EMBEDDINGS.npy ID ID …"""

import sys
from pathlib import Path

import numpy as np


def find(keys, before, tokens):
    wanted = (before.astype(np.uint64) << np.uint64(32)) | tokens.astype(np.uint64)
    at = np.searchsorted(keys, wanted).clip(max=max(len(keys) - 1, 0))
    return np.where((before >= 0) & (keys[at] == wanted), at, -1) if len(keys) else np.full(len(at), -1)


def load(folder):
    paths = sorted(Path(folder).glob("fgrams-*.npy"), key=lambda path: (len(path.name), path.name))
    tables, keys = [np.load(path) for path in paths], []
    for ids in tables:
        before = ids[:, 0].astype(np.int64)
        for column, known in enumerate(keys, 1):
            before = find(known, before, ids[:, column])
        keys.append((before.astype(np.uint64) << np.uint64(32)) | ids[:, -1].astype(np.uint64))
    return tables, keys


def embed(folder, embeddings, ids):
    (tables, keys), found, before = load(folder), embeddings[ids], np.asarray(ids, dtype=np.int64)
    for table, known in zip(tables, keys):
        before = np.concatenate([[-1], find(known, before[:-1], ids[1:])])
        found[before >= 0] = embeddings[table[before[before >= 0]]].mean(axis=1)
    return found


if __name__ == "__main__":
    print(embed(sys.argv[1], np.load(sys.argv[2]), np.array(sys.argv[3:], dtype=np.int64)))
