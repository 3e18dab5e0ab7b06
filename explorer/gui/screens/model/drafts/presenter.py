"""What the Draft bench does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.drafts.chart import draft_chart
from explorer.chart import Chart
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.export.provenance import index_facts, with_facts
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Services
from explorer.gui.screens.model.drafts.state import DraftState
from explorer.gui.screens.model.drafts.work import DraftAnswer, run_drafts, write_cache
from explorer.gui.screens.model.presenter import BySourcePresenter
from explorer.gui.sources.session import restored_inputs, session_of_inputs
from explorer.i18n import tr


class DraftPresenter(BySourcePresenter[DraftState]):
    """The tab without its widgets.

    saved: Called with a file that was written.
    """

    def __init__(self, services: Services, saved: Callable[[Path], None] = lambda path: None) -> None:
        super().__init__(DraftState(), services, "drafts")
        self.writer = services.slot("drafts cache", kind=Kind.APART)
        self._saved = saved

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Draft the same answers from another index."""
        # The cache would be that of the index before.
        self.writer.cancel()
        super().use_corpus(corpus)

    def set(self, **values: Any) -> None:
        """Change how drafts are made, by the names of the settings."""
        self.set_in("rule", values)

    def run(self) -> None:
        """Draft the answers."""
        self.typing.stop()
        corpus = self.state.corpus
        if corpus is None or self.state.inputs.empty:
            self.forget()
            return
        question = self.state.question(corpus)
        self.put(tr("Drafts for answers"), lambda report, cancel: run_drafts(question, report, cancel))

    def _arrived(self, answer: DraftAnswer) -> None:
        # Numbers of tokens are those of a text, and the answer may have others.
        self.change(answer=self.state.answer.arrived(answer), token=-1)

    def save_cache(self, path: Path) -> None:
        """Write the corpus as llama.cpp's static lookup cache."""
        corpus = self.state.corpus
        if corpus is None:
            return
        report = self.writer.reporter()
        self.writer.run(
            lambda cancel: write_cache(corpus, path, report, cancel),
            lambda written: self._saved(written[0]),
            self.fail_beside,
            Job(tr("Lookup cache of {name}", name=corpus.index.name), self.writer.cancel),
        )

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of the answer; None if there is none."""
        found = self.state.answer.value
        return None if found is None else partial(_charts, found)


def _charts(found: DraftAnswer) -> tuple[Chart, ...]:
    index = found.question.corpus.index
    # By source, without the sum: bars of parts and of the whole would be read as parts.
    chart = draft_chart(tr("Drafts from {name}", name=index.name), found.sources)
    question = found.question
    figures = (("texts", str(len(found.texts))),)
    return with_facts((chart,), (*index_facts(index), *question.rule.facts, *figures, *question.inputs.facts))


def session_of(state: DraftState) -> dict[str, Any]:
    """The inputs, as JSON values."""
    return session_of_inputs(state.inputs) | {"rule": state.rule.session}


def restore(presenter: DraftPresenter, values: dict[str, Any]) -> None:
    """Restore a session and draft its answers.

    values: What `session_of` gave; missing or invalid values are left unchanged.
    """
    state = presenter.state
    stored = values.get("rule")
    rule = state.rule.restored(stored) if isinstance(stored, dict) else state.rule
    presenter.change(inputs=restored_inputs(state.inputs, values), rule=rule)
    presenter.run()
