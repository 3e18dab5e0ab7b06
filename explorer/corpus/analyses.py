"""The methods of `Corpus` that are made from the registry of analyses."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

from explorer.analyses.analysis import Analysis
from explorer.analyses.registry import AnalysisRow, derived
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.corpus.results.analysis import AnalysisTable
from explorer.corpus.results.origin import Origin
from explorer.corpus.statistics.units import counted_index
from explorer.derive.question import settings_of
from explorer.derive.table import columns_of


class CorpusAnalyses:
    """The derived analyses of a `Corpus`, which inherits these methods."""


def ask(
    index: Backend, analysis: Analysis[Any, Any, Any], question: Any, report: Report, cancel: CancelToken | None
) -> AnalysisTable[Any, Any, Any]:
    """Compute an analysis of an index."""
    assert analysis.compute is not None
    found = analysis.compute(counted_index(index, analysis.unit, report, cancel), question, report, cancel)
    whole = ((name.replace("_", " "), getattr(found.facts, name)) for name in columns_of(analysis.facts))
    asked = (("unit", analysis.unit), *question.facts, *((name, str(value)) for name, value in whole))
    return AnalysisTable(analysis, question, found, Origin(index, asked))


def method_of(row: AnalysisRow) -> Callable[..., AnalysisTable[Any, Any, Any]]:
    """Make the method of an analysis, with a signature and a docstring from its declarations."""
    analysis = row.analysis
    signature = _signature(analysis)

    def method(self: Any, *args: Any, **given: Any) -> AnalysisTable[Any, Any, Any]:
        bound = signature.bind(self, *args, **given)
        bound.apply_defaults()
        values = {name: bound.arguments[name] for name in settings_of(analysis.question)}
        question = analysis.question.of(**values)
        return ask(self.index, analysis, question, bound.arguments["report"], bound.arguments["cancel"])

    method.__name__, method.__qualname__ = row.method, f"Corpus.{row.method}"
    method.__doc__ = _docstring(row, analysis)
    method.__signature__ = signature  # type: ignore[attr-defined]
    return checks_job(method)


def _signature(analysis: Analysis[Any, Any, Any]) -> inspect.Signature:
    hints = get_type_hints(analysis.question)
    settings = [(name, each.default, hints[name]) for name, each in settings_of(analysis.question).items()]
    jobs = [("report", no_report, Report), ("cancel", None, CancelToken | None)]
    named = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, default, kind in (*settings, *jobs)
    ]
    first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([first, *named], return_annotation=AnalysisTable)


def _docstring(row: AnalysisRow, analysis: Analysis[Any, Any, Any]) -> str:
    settings = ((name, _sentence(each.help)) for name, each in settings_of(analysis.question).items())
    jobs = (("report", "Called with the progress."), ("cancel", "Stops the work."))
    raised = (
        ("QueryError", "If a setting is invalid."),
        *((("CapabilityError", "If the index is not in folders on this machine."),) * (analysis.unit == "words")),
        ("Cancelled", "If it was cancelled."),
    )
    parts = (
        _sentence(row.summary),
        *_section("Parameters", (*settings, *jobs)),
        *_section("Returns", (("AnalysisTable", "The rows; `facts` describes all of them."),)),
        *_section("Raises", raised),
        *("", "Notes", "-----", "Columns of a row:", "", *_listed(analysis.record)),
        *("", "What describes all rows:", "", *_listed(analysis.facts)),
    )
    return "\n".join(parts)


def _listed(kind: type) -> Iterator[str]:
    for name, each in columns_of(kind).items():
        yield textwrap.fill(f"- {name}: {each.description}", 110, subsequent_indent="  ")


def _section(title: str, entries: tuple[tuple[str, str], ...]) -> Iterator[str]:
    yield from ("", title, "-" * len(title))
    for name, text in entries:
        yield from (name, textwrap.fill(text, 110, initial_indent="    ", subsequent_indent="    "))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


for _row in derived():
    setattr(CorpusAnalyses, _row.method, method_of(_row))
