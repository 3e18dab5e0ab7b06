"""What the Mix tab does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

from explorer.chart import Chart
from explorer.core.jobs import Kind
from explorer.export.charts.mix_charts import mix_charts
from explorer.export.provenance import Facts, index_facts, with_facts
from explorer.export.records.mix import MixSizeRecord
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Services
from explorer.gui.screens.model.methods import restored_method, session_of_method, usual
from explorer.gui.screens.model.mix.server import ServerSide
from explorer.gui.screens.model.mix.state import (
    ADDRESS,
    BASES,
    OPEN,
    OVER,
    RESUME,
    SEND,
    TEXT,
    MixState,
)
from explorer.gui.screens.model.mix.work import METHODS, MixAnswer, ScoreFile, run_mix, run_sizes
from explorer.gui.screens.model.presenter import ModelPresenter
from explorer.gui.screens.model.state import AGAIN, LEAVE
from explorer.gui.sources.inputs import REMEDIES
from explorer.gui.sources.session import restored_inputs, session_of_inputs
from explorer.i18n import tr
from explorer.neural.records import LogBase

BY_WIDGETS = (ADDRESS, OPEN, TEXT)
"""Remedies that put a field or a dialog in front, which is the page's part."""


class MixPresenter(ModelPresenter[MixState]):
    """The tab without its widgets."""

    def __init__(self, services: Services) -> None:
        # Lanes of their own: the texts that are scored can be mixed while sizes are computed or a server is asked.
        super().__init__(MixState(), services, "mix")
        self.server = ServerSide(services, self, self.run, self.stop)
        self.sizer = services.slot("mix sizes", kind=Kind.APART)

    def choose_source(self, key: str) -> None:
        """Texts are gone through one by one, not by source."""

    # --- the neural model's side ---------------------------------------------------------------------

    def take_from(self, file: bool) -> None:
        """Take the log probabilities from a file, or from a server."""
        if file != self.state.from_file:
            self.server.asker.cancel()
            self.forget()
            self.change(from_file=file, scores=self.state.scores.stopped(), error=None)
            self.run()

    def open_file(self, path: Path, log_base: LogBase | None = None) -> None:
        """Mix with the log probabilities of a file."""
        self.server.asker.cancel()
        self.change(from_file=True, file=ScoreFile(path, log_base), scores=self.state.scores.stopped())
        self.run()

    def add_files(self, *paths: Path) -> None:
        """Score more files, or open one of log probabilities."""
        if self.state.from_file:
            self.open_file(paths[0])
        else:
            super().add_files(*paths)

    def stop(self) -> None:
        """End what runs; what the model has scored so far is kept."""
        # What was scored arrives as an answer, since the work is paused and not forgotten.
        self.server.asker.end(True)
        self.sizer.cancel()
        self.change(sizes=self.state.sizes.stopped())
        super().stop()

    # --- the mixture ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Mix what is scored; nothing is sent anywhere."""
        self.typing.stop()
        self.server.leave_others()
        self.server.count()
        question = self.state.question
        if question is None:
            self.forget()
            return
        # The sizes are those of another question.
        self.sizer.cancel()
        self.put(tr("Mixture with a model"), lambda report, cancel: run_mix(question, report, cancel), sizes=Answer())

    def _arrived(self, answer: MixAnswer) -> None:
        # Numbers of tokens are those of a text, and the answer may have others.
        self.change(answer=self.state.answer.arrived(answer), token=-1)

    def forget(self) -> None:
        """Drop the mixture; what the model gave does not depend on the index, and stays."""
        self.sizer.cancel()
        self.change(sizes=Answer())
        super().forget()

    def choose_method(self, name: str) -> None:
        """Predict by another method."""
        if name in METHODS and name != self.state.method.name:
            self.change(method=usual(name))
            self.run()

    def set(self, **values: Any) -> None:
        """Change settings of the method."""
        self.set_in("method", values)

    def leave_one_out(self, on: bool) -> None:
        """Whether the texts are in the index, and their own occurrences do not count."""
        if on != self.state.leave_one_out:
            self.change(leave_one_out=on)
            self.run()

    def measure_sizes(self) -> None:
        """Ask what smaller parts of the corpus would gain."""
        found = self.state.answer.current
        if found is None:
            return
        # The one that is shown, not the one that the fields would make now.
        question = found.question
        self.change(sizes=self.state.sizes.asked())
        report = self.sizer.reporter()
        self.sizer.run(
            lambda cancel: run_sizes(question, report, cancel),
            lambda rows: self.change(sizes=self.state.sizes.arrived(rows)),
            lambda error: self.change(sizes=self.state.sizes.failed(error)),
            Job(tr("Gain by size of the corpus"), self.stop),
        )

    # --- what is shown -------------------------------------------------------------------------------

    def choose_token(self, token: int) -> None:
        """Set a token of the text off."""
        if self.state.text is not None and 0 <= token < len(self.state.text.rows):
            super().choose_token(token)

    def remedy(self, name: str) -> None:
        """Do something about what the notice tells; `BY_WIDGETS` are the page's."""
        error = self.state.failed
        if name == SEND and error is not None:
            # This host alone: the name is the one that the question had.
            self.server.allow(str(error.fields["host"]))
        elif name in (RESUME, OVER):
            self.server.ask(resume=name == RESUME)
        elif name == LEAVE:
            self.leave_one_out(True)
        elif name in BASES and self.state.file is not None:
            self.open_file(self.state.file.path, cast(LogBase, BASES[name]))
        elif name in REMEDIES:
            # The texts are read again; they are sent when the user asks for it.
            self.enter(**REMEDIES[name])
        elif name == AGAIN:
            self._again()

    def _again(self) -> None:
        self.server.count(again=True)
        if not self.state.from_file and self.state.scores.error is not None:
            self.server.ask()
        elif self.state.sizes.error is not None:
            self.measure_sizes()
        else:
            self.run()

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of the answer; None if there is none."""
        found = self.state.shown
        return None if found is None else partial(_charts, found, self.state.sizes.current or ())


def _charts(found: MixAnswer, sizes: tuple[MixSizeRecord, ...]) -> tuple[Chart, ...]:
    question, scored = found.question, found.question.scored
    given: Facts = (("texts", str(len(scored))),) if isinstance(scored, tuple) else (
        ("file of log probabilities", str(scored.path)),
        ("base of logarithms", str(scored.log_base or "as the file states")),
    )  # fmt: skip
    more = (
        *question.method.facts,
        ("leave one out", "yes" if question.leave_one_out else "no"),
        ("model", found.found.model or "unknown"),
        ("tuned on", "first half"),
        *given,
    )
    made = mix_charts(question.corpus.index.name, found.found.mixture, found.found.rows, sizes)
    return with_facts(made, (*index_facts(question.corpus.index), *more))


def session_of(state: MixState) -> dict[str, Any]:
    """The inputs, as JSON values."""
    return session_of_inputs(state.inputs) | {
        "from_file": state.from_file,
        "url": state.url,
        "file": str(state.file.path) if state.file is not None else "",
        "log_base": state.file.log_base if state.file is not None else None,
        **session_of_method(state.method),
        "leave_one_out": state.leave_one_out,
    }


def restore(presenter: MixPresenter, values: dict[str, Any]) -> None:
    """Restore a session. A file is mixed again; a server is not asked before the user does it.

    values: What `session_of` gave; missing or invalid values are left unchanged.
    """
    state = presenter.state
    inputs, more = restored_inputs(state.inputs, values), dict[str, Any]()
    if isinstance(url := values.get("url"), str) and url:
        more["url"] = url
    if isinstance(path := values.get("file"), str) and path:
        base = values.get("log_base")
        more["file"] = ScoreFile(Path(path), base if base in BASES.values() else None)
    more["method"] = restored_method(state.method, values, METHODS)
    for name in ("from_file", "leave_one_out"):
        if isinstance(values.get(name), bool):
            more[name] = values[name]
    presenter.change(inputs=inputs, **more)
    presenter.run()
