"""How evenly keywords are spread over documents: D_A of chosen words, in one pass over their texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.dispersion.spreads import Floats, Spreads
from explorer.backends.documents.reading import document_runs
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken, Progress, Report, no_report


def spread_over_documents(
    index: Backend,
    documents: Numbers,
    ids: NDArray[np.integer],
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Floats:
    """Measure D_A of some words over documents.

    documents: The numbers of the documents; those without words do not count.
    ids: The words, each once, and each in one of the documents; int64 [words].
    Returns: D_A of each word, as in `DISPERSIONS`, float64 [words]; nan over one document.

    Notes
    -----
    Cost: the documents are read once. Memory: 24 bytes per word and document in which it occurs.
    """
    lengths = np.asarray(index.documents.lengths(documents), np.int64)
    documents, lengths = documents[lengths > 0], lengths[lengths > 0]
    if not len(ids):
        return np.zeros(0)
    # One more row, for all greater ids.
    rows = np.full(int(ids.max()) + 2, -1, np.int64)
    rows[ids] = np.arange(len(ids))
    keys: list[Numbers] = []
    counts: list[Numbers] = []
    done = read = 0
    for tokens, ends in document_runs(index, documents):
        if cancel is not None:
            cancel.check()
        owners = np.repeat(np.arange(done, done + len(ends)), np.diff(ends, prepend=0))
        found = rows[np.minimum(tokens, len(rows) - 1)]
        wanted = found >= 0
        # No document is in two runs, so no cell is.
        cells, many = np.unique(found[wanted] * len(documents) + owners[wanted], return_counts=True)
        keys.append(cells)
        counts.append(many)
        done, read = done + len(ends), read + len(tokens)
        report(Progress("Reading words", read, int(lengths.sum()), "words"))
    every, times = np.concatenate(keys), np.concatenate(counts)
    spreads = Spreads.of(every // len(documents), every % len(documents), times, lengths.astype(np.float64))
    return spreads.measures()["d_a"]
