"""What the Index screen does off the interface thread. No Qt."""

from __future__ import annotations

from explorer.api import Corpus
from explorer.checking.verify import VerifyReport, verify_index
from explorer.jobs import CancelToken, Report


def verify_all(corpus: Corpus, deep: bool, report: Report, cancel: CancelToken) -> tuple[VerifyReport, ...]:
    """Check every folder of an index.

    Parameters
    ----------
    corpus
        The index.
    deep
        Whether to check everything.
    report
        Called with the progress.
    cancel
        Stops the check.

    Returns
    -------
    tuple[VerifyReport, ...]
        One report per folder.
    """
    index = corpus.index
    tokenizer = index.tokenizer if index.has_tokenizer else None
    return tuple(verify_index(path, deep, tokenizer, report, cancel) for path in corpus.folders)
