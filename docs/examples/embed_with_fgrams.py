"""Embed a sentence with numpy alone: embed_with_fgrams.py TABLE TOKENS.npy ID ID …"""

import sys
from bisect import bisect_left
from pathlib import Path

import numpy as np


def embed(folder, tokens, ids):
    names = sorted(Path(folder).glob("fgrams-*.npy"), key=lambda path: (len(path.name), path.name))
    tables, rows = [np.load(name) for name in names], np.load(Path(folder) / "embeddings.npy", mmap_mode="r")
    firsts, made = np.cumsum([0, *map(len, tables)]), tokens[ids].astype(np.float32)
    for end in range(1, len(ids) + 1):
        for n, (table, first) in enumerate(zip(tables[: end - 1], firsts), 2):
            at = bisect_left(table, ids[end - n : end], key=lambda row: row.tolist())
            if at < len(table) and table[at].tolist() == ids[end - n : end]:
                made[end - 1] = rows[first + at]
    return made


if __name__ == "__main__":
    print(embed(sys.argv[1], np.load(sys.argv[2]), [int(each) for each in sys.argv[3:]]))
