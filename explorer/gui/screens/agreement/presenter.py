"""What the Agreement screen does: analyzes texts, counts what is highlighted, and answers on single tokens. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from explorer.agreement.analysis import AgreementAnalysis, KeptTexts, TextAgreement
from explorer.agreement.brush import Brush, Marked, count_marked
from explorer.agreement.neural import NeuralFigure
from explorer.api import Corpus
from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.job import Job
from explorer.gui.presenter import Presenter, Services
from explorer.gui.screens.agreement.state import ALL, REMEDIES, AgreementState, Alternatives, View
from explorer.gui.screens.agreement.work import likeliest, make_charts, run_analysis, run_neural
from explorer.jobs import Kind
from explorer.texts.on_bad import POLICIES
from explorer.texts.text_input import FORMATS

_DEBOUNCE_MS = 400
_NUMBERS = {"n": (1, 100), "max_texts": (0, 1_000_000), "max_tokens": (0, 10_000_000), "seed": (0, 999_999)}
"""The smallest and the largest value of each number."""
_CHOICES = {"format": FORMATS, "on_bad": POLICIES}
_AT_ONCE = frozenset({"files", "without_self"})
"""Inputs that are chosen, not typed: nobody is in the middle of them."""


class AgreementPresenter(Presenter[AgreementState]):
    """The screen without its widgets.

    Parameters
    ----------
    services
        Slots and delays.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(AgreementState())
        self.analyst = services.slot("agreement", kind=Kind.APART)
        self._asker = services.slot("alternatives", kind=Kind.QUICK)
        self._neural = services.slot("neural", kind=Kind.APART)
        self._counter = services.slot("marks", kind=Kind.QUICK)
        self._typing = services.delay(_DEBOUNCE_MS, self.run)
        self._kept = KeptTexts()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Analyze the same inputs in another index."""
        # What is kept of the texts is about the index before.
        self._kept = KeptTexts()
        self._neural.cancel()
        self.change(corpus=corpus, neural=Answer())
        self._forget()
        self.run()

    def enter(self, **inputs: Any) -> None:
        """Change some of the inputs, by their names in `Inputs`. Typed ones are analyzed after a moment."""
        if "files" in inputs:
            # A remedy is chosen for the files in which something was wrong, not for those that come after them.
            inputs = {"format": "auto", "on_bad": "fail"} | inputs
        changed = replace(self.state.inputs, **inputs)
        if changed == self.state.inputs:
            return
        self.change(inputs=changed)
        if inputs.keys() & _AT_ONCE:
            self.run()
        else:
            self._typing.start()

    def remedy(self, name: str) -> None:
        """Do something about the error of the analysis, a key of `REMEDIES`, and analyze again."""
        self.enter(**REMEDIES[name])
        self.run()

    def use_paper_settings(self) -> None:
        """The sample of the paper (Figure 5): 50 texts per source, 1,024 tokens per text."""
        self.enter(max_texts=50, max_tokens=1024)

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
        request, kept = self.state.inputs.request(corpus), self._kept
        self.change(answer=self.state.answer.asked(), unread=())
        # `interim` hands over each source as it is ready. The slot drops it if inputs have changed by then.
        report, interim = self.analyst.reporter(), self.analyst.interim(self._take)
        unread = self.analyst.interim(self._take_unread)
        self.analyst.run(
            lambda cancel: run_analysis(request, report, cancel, interim, kept, unread),
            self._take,
            self._fail,
            Job(self.state.inputs.title, self.stop),
        )

    def stop(self) -> None:
        """End the analysis that runs; the last one stays dimmed, since it belongs to other inputs."""
        self.analyst.cancel()
        self.change(answer=self.state.answer.stopped())

    def _take(self, analysis: AgreementAnalysis) -> None:
        """An analysis has arrived, of all sources or of those that are ready."""
        self.change(answer=self.state.answer.arrived(analysis), error=None, alternatives=None)
        self._count_marks()

    def _take_unread(self, problems: tuple[str, ...]) -> None:
        self.change(unread=problems)

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _forget(self) -> None:
        for slot in (self.analyst, self._asker, self._counter):
            slot.cancel()
        self.change(answer=Answer(), brush=Brush(), marked=None, alternatives=None, source=ALL, error=None, unread=())

    def show_view(self, view: View) -> None:
        """Show another tab."""
        self.change(view=view)

    def choose_source(self, key: str) -> None:
        """Show one source, all together, or all overlaid; a key of the state's `choices`."""
        if key != self.state.source and key in {known for known, _ in self.state.choices}:
            self.change(source=key, marked=None)
            self._count_marks()

    def compare_with(self, source: str) -> None:
        """Compare the other sources with this one, by its name."""
        self.change(compared=source)

    def mark(self, brush: Brush) -> None:
        """Highlight tokens in plot, strip and text."""
        if brush != self.state.brush:
            self.change(brush=brush, marked=None)
            self._count_marks()

    def _count_marks(self) -> None:
        brush, numbered = self.state.brush, self.state.numbered
        if brush.empty or not numbered:
            self._counter.cancel()
            self.change(marked=None)
            return
        # Counting goes over every token of every text, up to millions, so it is not done while drawing.
        self._counter.run(lambda cancel: count_marked(brush, numbered), self._take_marked, self._fail_beside)

    def _take_marked(self, marked: Marked) -> None:
        self.change(marked=marked)

    def ask_alternatives(self, found: TextAgreement, token: int) -> None:
        """Ask what else follows the context of a token."""
        corpus = self.state.corpus
        if corpus is not None:
            self._asker.run(
                lambda cancel: Alternatives(found, token, likeliest(corpus, found, token)),
                lambda known: self.change(alternatives=known),
                self._fail_beside,
            )

    def _fail_beside(self, error: CorpusError) -> None:
        """Something failed that leaves the analysis as it is."""
        self.change(error=error)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of all that is shown; None if nothing is."""
        wanted = self.state.charts
        return None if wanted is None else partial(make_charts, wanted)

    def fail_figure(self, error: CorpusError) -> None:
        """Show why a figure could not be made."""
        self._fail_beside(error)

    def open_neural(self, path: Path) -> None:
        """Compare the ∞-gram with a neural model's probabilities."""
        corpus = self.state.corpus
        if corpus is not None:
            report = self._neural.reporter()
            self.change(neural=self.state.neural.asked())
            self._neural.run(
                lambda cancel: run_neural(corpus, path, report, cancel), self._take_neural, self._fail_neural
            )

    def _take_neural(self, figure: NeuralFigure) -> None:
        self.change(neural=self.state.neural.arrived(figure), view=View.NEURAL)

    def _fail_neural(self, error: CorpusError) -> None:
        self.change(neural=self.state.neural.failed(error))

    def session(self) -> dict[str, Any]:
        """The inputs, as JSON values."""
        inputs = asdict(self.state.inputs) | {"files": [str(path) for path in self.state.inputs.files]}
        # Leaving documents out takes long: it must be chosen each time.
        inputs.pop("without_self")
        return inputs

    def restore(self, values: dict[str, Any]) -> None:
        """Restore the inputs and analyze them; missing or invalid values are left unchanged."""
        restored: dict[str, Any] = {}
        for name, (low, high) in _NUMBERS.items():
            if isinstance(number := values.get(name), int) and low <= number <= high:
                restored[name] = number
        restored |= {name: values[name] for name in ("text", "group") if isinstance(values.get(name), str)}
        restored |= {name: values[name] for name, known in _CHOICES.items() if values.get(name) in known}
        if isinstance(files := values.get("files"), list):
            restored["files"] = tuple(Path(name) for name in files if isinstance(name, str))
        self.change(inputs=replace(self.state.inputs, **restored))
        self.run()
