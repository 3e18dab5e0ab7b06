"""A language model of the corpus as a file for other programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.arpa import BackoffModel
from explorer.analyses.model.making import Tuned
from explorer.analyses.model.scoring import Vocabulary
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.types import FilePath
from explorer.export.destination import replacing


@checks_jobs
class SavedModels:
    """Files of a `LanguageModel`, which inherits this method."""

    # Set by `LanguageModel`.
    _index: Backend
    _tuned: Tuned
    _shared: Vocabulary
    _vocabulary: NDArray[np.int64]

    def save_arpa(
        self, path: FilePath, *, report: Report = no_report, cancel: CancelToken | None = None
    ) -> tuple[int, ...]:
        """Write the model as a back-off model in the ARPA format, which KenLM and SRILM read.

        Parameters
        ----------
        path
            The file; one that exists is replaced at the end.
        report
            Called with the n-grams that are written.
        cancel
            Stops the work; the file is then as before.

        Returns
        -------
        tuple[int, ...]
            N-grams of 1 token, 2 tokens, …

        Raises
        ------
        QueryError
            If the method has no such form: only "witten-bell", "discount" and "learned" have it, without transforms
            and with a context of at most 4 tokens; or if the corpus has more than 50 million tokens.
        ExportError
            If the file cannot be written.
        Cancelled
            If it was cancelled.

        Notes
        -----
        The words of the file are token ids: " ".join(map(str, corpus.encode(text))) is a text in them. The
        probabilities are those of this model, without begin and end of sentence: KenLM's method full_scores, with
        bos=False and eos=False, gives log10 of what `score` gives each token after the first. Tokens that the corpus
        does not have are unknown words with log10 probability -99, the format's 0. Cost: one sort of the corpus for
        each length, and 40 bytes of memory for each token.

        Examples
        --------
        >>> corpus.model("witten-bell", context=2).save_arpa(folder / "cats.arpa")
        (10, 12, 10)
        """
        # What cannot be a file is refused before one is begun.
        model = BackoffModel(self._index, self._tuned.method, self._vocabulary, self._shared.size, cancel)
        with replacing(Path(path)) as partial, partial.open("w", encoding="ascii", newline="\n") as file:
            file.writelines(model.lines(report))
        return model.sizes
