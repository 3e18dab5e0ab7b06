"""Prompts that a language model completes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from explorer.analyses.model.making import Tuned
from explorer.analyses.model.scoring import Vocabulary
from explorer.analyses.probe.probing import probe
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.inputs import check_one_each, listed
from explorer.corpus.results.model.probes import Probes
from explorer.corpus.results.origin import Origin
from explorer.corpus.search.many import at_item


@checks_jobs
class ModelProbes:
    """Probes of a `LanguageModel`, which inherits this method."""

    # Set by `LanguageModel`.
    _index: Backend
    _tuned: Tuned
    _shared: Vocabulary
    _asked: tuple[tuple[str, str], ...]

    def probe(
        self,
        prompts: Iterable[str],
        endings: Iterable[str],
        *,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Probes:
        """Ask how prompts continue, and how probable the endings are that are expected.

        Parameters
        ----------
        prompts
            Texts such as "Paris is the capital of".
        endings
            The ending of each, such as "France". A space is put between the two if neither has white space there.
        report
            Called with the probes that are done.
        cancel
            Stops the work.

        Returns
        -------
        Probes
            The rank and the probability of each ending, what is most probable instead, and where the ending occurs.

        Raises
        ------
        QueryError
            If there is no prompt, not one ending for each, or one that is blank; `item` is its number, from 0.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Cost: that of one distribution per token of the endings.

        Examples
        --------
        >>> found = corpus.model("infgram").probe(["a dog sat on the"], ["rug"])
        >>> found.texts[0].probability, found.texts[0].context_length, found.texts[0].count
        (0.0, 3, 1)
        """
        given, expected = listed(prompts), listed(endings)
        check_one_each(given, (("endings", expected),), optional=False)
        asked = []
        for number, (prompt, ending) in enumerate(zip(given, expected, strict=True)):
            report(Progress("Completing prompts", number, len(given), "prompts"))
            ask = partial(probe, self._index, self._tuned.method, prompt, ending, self._shared, cancel)
            asked.append(at_item(number, ask))
        return Probes(asked, self._tuned.method.normalised, self._tuned.tuned_on, Origin(self._index, self._asked))
