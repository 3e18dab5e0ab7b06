"""What a corpus is asked about many queries or texts in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.search.find import Match
from explorer.analyses.trace.settings import TraceSettings, settings_or_default
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.inputs import rows_of
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.search.comparison import AgreementResult
from explorer.corpus.results.search.traces import Traces
from explorer.corpus.search.many import Many, checked_texts
from explorer.corpus.search.queries import checked_options
from explorer.corpus.search.tracing import OnBad, Tracing
from explorer.corpus.search.where import Where, chosen_documents
from explorer.corpus.types import Equate, Query, Variant
from explorer.export.agreement_facts import agreement_facts
from explorer.export.provenance import setting_facts

if TYPE_CHECKING:
    from explorer.building.sources.given import ArrowStream


_USUAL = AgreementQuestion()


@checks_jobs
class CorpusBatches:
    """Questions about many items to a `Corpus`, which inherits these methods."""

    # Set by `Corpus`.
    index: Backend
    columns: FieldColumns

    def count_many(
        self,
        queries: Iterable[Query] | NDArray[Any],
        variants: Sequence[Variant] = (),
        *,
        match: Match = "text",
        ignore_case: bool = False,
        whole_words: bool = False,
        equate: Iterable[Equate] = (),
        where: Where | None = None,
        threads: int = 1,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> NDArray[np.int64]:
        """Count many queries in one call.

        Parameters
        ----------
        queries
            Texts and n-grams of token ids, in any mixture, in a list, a generator or a column of a table; or a
            two-dimensional array of ids, one n-gram per row.
        variants, match, ignore_case, whole_words, equate
            As in `count`, for every text.
        where
            Conditions on the metadata of documents, as in `count`.
        threads
            Threads that count n-grams, from 1; more than there are cores are not used.
        report
            Called with the queries that are done.
        cancel
            Stops the count.

        Returns
        -------
        NDArray[np.int64]
            One count per query, int64, in their order.

        Raises
        ------
        QueryError
            As from `count`, for the first query that cannot be counted; its number is `item`, from 0.
        Cancelled
            If it was cancelled.

        Notes
        -----
        N-grams go to the engine together: 100,000 take a tenth of a second or two, and an array is faster than lists.
        This is several times as fast as a loop over `count`, and threads that each call `count` are slower than one.
        Texts with match="tokens" are tokenized together; other texts take some milliseconds each. With `where`, many
        queries are counted in a temporary index of the chosen documents, which takes about a microsecond per token; few
        are looked up one by one, as are n-grams with a separator.

        Examples
        --------
        >>> corpus.count_many(["cat", "the dog", corpus.encode(" sat on")]).tolist()
        [3, 1, 3]
        """
        options = checked_options("", variants, match, ignore_case, whole_words, equate)
        cancel = cancel or CancelToken()
        chosen = None if where is None else chosen_documents(self.index, self.columns, where, report, cancel)
        return Many(self.index, options, threads, report, cancel, chosen).counts(queries)

    def trace_many(
        self,
        rows: Iterable[str | Mapping[str, Any]] | ArrowStream,
        *,
        text_field: str = "text",
        prompt_field: str | None = None,
        settings: TraceSettings | None = None,
        on_bad: OnBad = "raise",
        workers: int = 1,
        without_self: bool = False,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Traces:
        """Trace many texts, one after the other as they are asked for, or in several processes.

        Parameters
        ----------
        rows
            Texts, or mappings with a text: a list, a generator, a `datasets.Dataset`; or a table that can be read as an
            Arrow stream, such as a DataFrame of pandas or polars.
        text_field
            The field with the text: a name, or a path such as "choices[0].message.content".
        prompt_field
            The field with the prompt; None for none.
        settings
            The settings of every trace; None for the defaults.
        on_bad
            What happens to a row without a text, or whose text has no tokens: "raise", "skip", or "keep", which gives a
            row with its problem, and None in the place of its trace.
        workers
            Processes, from 1. They open the same files, whose memory they share. With 1, none is started.
        without_self
            Whether documents that contain most of a text are left out while it is traced.
        report
            Called with the rows that are done.
        cancel
            Checked before each row.

        Returns
        -------
        Traces
            The traces in the order of the rows; nothing is traced before they are gone through. Also a table.

        Raises
        ------
        QueryError
            If an option is wrong, or the rows are a single text; and while the traces are gone through, for a row that
            cannot be traced, or if the rows themselves fail. `item` is the number of the row, from 0.
        Cancelled
            While the traces are gone through, if it was cancelled.

        Notes
        -----
        A process starts in about half a second, so several pay off from a few hundred texts on. Processes of their own
        need an index that can be pickled: one that was opened from folders.

        Examples
        --------
        >>> rows = [{"text": "the cat sat on the mat"}, {"answer": "no text"}, {"text": "a dog saw the cat"}]
        >>> found = corpus.trace_many(rows, on_bad="keep").to_arrow()
        >>> found["longest_match"].to_pylist()
        [6, None, 4]
        """
        chosen = settings_or_default(settings)
        how = Tracing(
            self.index, text_field, prompt_field, chosen, on_bad, workers, without_self, report, cancel or CancelToken()
        )
        fields = {"field_of_the_text": text_field, "field_of_the_prompt": prompt_field}
        asked = (
            *setting_facts(fields),
            *chosen.facts,
            *setting_facts({"on_bad": on_bad, "without_self": without_self}),
        )
        origin = Origin(self.index, asked)
        return Traces(rows_of(rows), how.traced, origin)

    def compare_agreement(
        self,
        texts: Iterable[str],
        groups: Iterable[object] | None = None,
        *,
        max_n: SupportsIndex = _USUAL.max_n,
        max_tokens: SupportsIndex = _USUAL.max_tokens,
        max_texts: SupportsIndex = _USUAL.max_texts,
        seed: SupportsIndex = _USUAL.seed,
        without_self: bool = _USUAL.without_self,
        prompts: Iterable[str] | None = None,
        prompt_join: str = _USUAL.prompt_join,
        prompt_tokens: SupportsIndex = _USUAL.prompt_tokens,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> AgreementResult:
        """Compute how the tokens of many texts agree with the corpus, by group.

        Parameters
        ----------
        texts
            The texts.
        groups
            The group of each text, such as its source or model; None for one group.
        max_n
            N of the n-gram model that the ∞-gram is compared with; it uses at most n − 1 tokens of context.
        max_tokens
            Tokens to use of each text, without its prompt; 0 for all.
        max_texts
            Texts to sample per group; 0 for all.
        seed
            Seed of the sample: another one samples other texts of each group.
        without_self
            Exclude documents of the index that contain most of a text.
        prompts
            What comes before each text, as context that is not scored; None for no prompts.
        prompt_join
            Text between a prompt and its text, before both are split into tokens.
        prompt_tokens
            Tokens at the beginning of each text to use as context only; 0 for none.
        report
            Called with the texts that are done.
        cancel
            Stops the work.

        Returns
        -------
        AgreementResult
            Agreement by effective n and by count, for all texts and each group; also a table and a figure.

        Raises
        ------
        QueryError
            If no text has a token, a text is not a string (its number is `item`), there are not as many groups or
            prompts as texts, or a setting is out of range.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A few searches per token; `without_self` doubles them. The figures are those of J. Liu et al., "Infini-gram:
        Scaling unbounded n-gram language models to a trillion tokens", 2024.

        Examples
        --------
        >>> found = corpus.compare_agreement(["the cat sat on the mat", "a dog sat on a cat"], groups=["a", "b"])
        >>> [(source.name, source.text_count) for source in found.sources]
        [(None, 2), ('a', 1), ('b', 1)]
        """
        question = AgreementQuestion.of(
            max_n=max_n,
            max_tokens=max_tokens,
            max_texts=max_texts,
            seed=seed,
            without_self=without_self,
            prompt_join=prompt_join,
            prompt_tokens=prompt_tokens,
        )
        given = Texts(*checked_texts(texts, groups, prompts))
        found = analyze(self.index, given, question, report, cancel)
        return AgreementResult(found, Origin(self.index, agreement_facts(found)))
