"""What the Agreement screen does: analyzes sources and chooses what is shown of them. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.analyses.agreement.analysis import AgreementAnalysis, KeptTexts
from explorer.analyses.agreement.neural import NeuralFigure
from explorer.analyses.agreement.sources import InputFields, input_fields
from explorer.chart import Chart
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services, Slot
from explorer.gui.screens.agreement.inputs import Inputs
from explorer.gui.screens.agreement.state import AGAIN, EXCLUDE, AgreementState, View
from explorer.gui.screens.agreement.texts.presenter import TokensPresenter
from explorer.gui.screens.agreement.work import make_charts, run_analysis, run_neural
from explorer.gui.sources.inputs import REMEDIES
from explorer.gui.sources.session import restored_inputs, session_of_inputs

_DEBOUNCE_MS = 400
_AT_ONCE = frozenset({"files", "without_self", "group", "prompt_field", "prompt_join", "removed"})
"""Inputs that are chosen, not typed: nobody is in the middle of them."""
_OF_FILES = ("files", "format")


class AgreementPresenter(Presenter[AgreementState]):
    """The screen without its widgets; `tokens` goes through the texts of what is shown."""

    def __init__(self, services: Services) -> None:
        super().__init__(AgreementState())
        # On a thread of its own: an analysis may take minutes, and a click on a token must not wait for it.
        self.analyst = services.slot("agreement", kind=Kind.APART)
        self.tokens = TokensPresenter(services)
        self.neural = NeuralFile(services.slot("neural", kind=Kind.APART))
        self._reader = services.slot("fields", kind=Kind.QUICK)
        self._typing = services.delay(_DEBOUNCE_MS, self.run)
        self._kept = KeptTexts()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Analyze the same inputs in another index."""
        # What is kept of the texts is about the index before.
        # Another object, not an emptied one: the analysis that ends on its thread may still put texts into the old one.
        self._kept = KeptTexts()
        self.neural.forget()
        self.tokens.use_corpus(corpus)
        self.change(corpus=corpus, neural=Answer(), neural_file=None)
        self._forget()
        self.run()

    def enter(self, **inputs: Any) -> None:
        """Change texts and settings, by their names. Typed ones are analyzed after a moment."""
        if "files" in inputs:
            # A remedy is chosen for the files in which something was wrong, not for those that come after them.
            inputs = {"format": "auto", "on_bad": "fail"} | inputs
        before, changed = self.state.inputs, self.state.inputs.changed(**inputs)
        if changed == before:
            return
        # Before the fields are read and the analysis begins: both take the inputs from the state.
        self.change(inputs=changed)
        if any(getattr(changed, name) != getattr(before, name) for name in _OF_FILES):
            self._read_fields()
        if inputs.keys() & _AT_ONCE:
            self.run()
        else:
            self._typing.start()

    def add_files(self, *paths: Path) -> None:
        """Analyze more files, as sources beside those that are there."""
        self.enter(files=tuple(dict.fromkeys((*self.state.inputs.files, *paths))))

    def remove(self, source: str) -> None:
        """Analyze a source no longer, by its name."""
        # Not by `enter`: given other files, it forgets the remedies that were chosen for those that remain.
        changed = self.state.inputs.without(source)
        if changed == self.state.inputs:
            return
        other_files = changed.files != self.state.inputs.files
        self.change(inputs=changed)
        if other_files:
            self._read_fields()
        self.run()

    def remedy(self, name: str) -> None:
        """Do something about what the notice tells, one of the state's `remedies`, and analyze again."""
        if name != AGAIN:
            self.enter(**({"without_self": True} if name == EXCLUDE else REMEDIES[name]))
        # `enter` may only have started the delay. Where it has asked already, this request replaces that one.
        self.run()

    def run(self) -> None:
        """Analyze the inputs; sources are shown as they are ready."""
        self._typing.stop()
        if self.state.neural.error is not None:
            # It would hide the remarks on this analysis.
            self.change(neural=replace(self.state.neural, error=None))
        corpus = self.state.corpus
        if corpus is None or self.state.inputs.empty:
            self._forget()
            return
        inputs, kept = self.state.inputs, self._kept
        self.change(answer=self.state.answer.asked(), unread=(), stopped=False)
        # `interim` hands over each source as it is ready. The slot drops it if inputs have changed by then.
        # Made before the request: they belong to the one that is made next.
        report, interim = self.analyst.reporter(), self.analyst.interim(partial(self._take_part, inputs))
        unread = self.analyst.interim(lambda problems: self.change(unread=problems))
        self.analyst.run(
            lambda cancel: run_analysis(corpus, inputs, report, cancel, interim, kept, unread),
            partial(self._take, inputs),
            self._fail,
            # Listed among the jobs, and asked about when the window closes.
            Job(self.state.inputs.title, self.stop),
        )

    def stop(self) -> None:
        """End the analysis that runs; what was analyzed stays, with its inputs in the notice."""
        self.analyst.cancel()
        self.change(answer=self.state.answer.stopped(), stopped=True)

    def _take_part(self, inputs: Inputs, analysis: AgreementAnalysis) -> None:
        """Some sources are ready. While the chosen one is not, the last answer that has it stays, dimmed."""
        if self.state.answer.value is None or self.state.group is None or self.state.group in analysis.groups:
            self.change(answer=self.state.answer.arrived(analysis), analyzed=inputs)
            self._show_texts(other_source=False)

    def _take(self, inputs: Inputs, analysis: AgreementAnalysis) -> None:
        """The analysis of all sources has arrived."""
        before = self.state.group
        self.change(answer=self.state.answer.arrived(analysis), analyzed=inputs, error=None)
        self._show_texts(other_source=before != self.state.group)

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _forget(self) -> None:
        # First of all: an analysis that arrives later would bring back what is forgotten here.
        self.analyst.cancel()
        self.tokens.forget()
        self.change(answer=Answer(), error=None, unread=(), stopped=False)

    def _show_texts(self, other_source: bool) -> None:
        self.tokens.show_texts(self.state.numbered, other_source)

    def choose_source(self, key: str) -> None:
        """Show one source, or all together; a key of the state's `choices`."""
        if key != self.state.chosen and key in {known for known, _ in self.state.choices}:
            self.change(source=key)
            self._show_texts(other_source=True)

    def show(self, **changes: Any) -> None:
        """Show something else of the same answer: `view`, `look` or `compared`, by their names in the state."""
        self.change(**changes)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of all that is shown; None if nothing is."""
        wanted = self.state.charts
        return None if wanted is None else partial(make_charts, wanted)

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the analysis as it is."""
        self.change(error=error)

    def open_neural(self, path: Path, kept: bool = False) -> None:
        """Compare the ∞-gram with a neural model's probabilities.

        kept: Whether it is of a session: it stays there also if it is missing, and the tab that is shown stays.
        """
        # What was just chosen and cannot be read is not kept for the next start.
        instead = path if kept else self.state.neural_file

        def take(answer: Answer[NeuralFigure]) -> None:
            # The tab opens once the comparison has arrived; while it is awaited, the other plots can still be read.
            view = View.NEURAL if answer.current is not None and not kept else self.state.view
            self.change(neural=answer, view=view, neural_file=path if answer.error is None else instead)

        if self.state.corpus is not None:
            self.neural.open(self.state.corpus, path, Answer() if kept else self.state.neural, take)

    def forget_neural(self) -> None:
        """Compare with no neural model."""
        self.neural.forget()
        self.change(neural=Answer(), neural_file=None)

    def _read_fields(self) -> None:
        """Find the fields of the files; a file that cannot be read has none, and the analysis tells why."""
        files, form = self.state.inputs.files, self.state.inputs.format
        if not files:
            self._reader.cancel()
            self.change(fields=InputFields())
            return
        take: Callable[[InputFields], None] = lambda found: self.change(fields=found)  # noqa: E731
        self._reader.run(lambda cancel: input_fields(files, form), take, lambda _: take(InputFields()))

    def session(self) -> dict[str, Any]:
        """The inputs, as JSON values."""
        file = self.state.neural_file
        shown = {"source": self.state.source, "neural": "" if file is None else str(file.absolute())}
        return self.state.inputs.question.session | session_of_inputs(self.state.inputs) | shown

    def restore(self, values: dict[str, Any]) -> None:
        """Restore the inputs and analyze them; missing or invalid values are left unchanged."""
        inputs = restored_inputs(self.state.inputs, values)
        self.change(inputs=replace(inputs, question=inputs.question.restored(values)))
        if isinstance(source := values.get("source"), str):
            # The source may be unknown until the analysis has read it; until then, the state shows the first one.
            self.change(source=source)
        self._read_fields()
        self.run()
        # After it: a new analysis takes the error of a file that is missing away.
        neural = values.get("neural")
        if neural == "":
            self.forget_neural()
        elif isinstance(neural, str):
            self.open_neural(Path(neural), kept=True)


class NeuralFile:
    """Compares a neural model's probabilities with the ∞-gram."""

    def __init__(self, slot: Slot) -> None:
        self._slot = slot

    def open(
        self,
        corpus: Corpus,
        path: Path,
        before: Answer[NeuralFigure],
        show: Callable[[Answer[NeuralFigure]], None],
    ) -> None:
        """Read a file of probabilities and compare.

        before: The last answer, which stays until this one arrives.
        """
        # Made before the request: it belongs to the one that is made next.
        report = self._slot.reporter()
        show(before.asked())
        self._slot.run(
            lambda cancel: run_neural(corpus, path, report, cancel),
            lambda figure: show(before.arrived(figure)),
            lambda error: show(before.failed(error)),
        )

    def forget(self) -> None:
        """Drop the file that is being read."""
        self._slot.cancel()
