"""The texts of a chart, which a user may change before it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from explorer.chart.axes import Axis
from explorer.chart.network import Network
from explorer.chart.parts import BarList, Chart, Panel, Part, Tree, legend_entries
from explorer.chart.strips import StripPlot


def words_of(chart: Chart) -> tuple[str, ...]:
    """List the texts of a chart that may be changed: title, titles of panels, labels of axes, names in the legend.

    Parameters
    ----------
    chart
        The chart.

    Returns
    -------
    tuple[str, ...]
        The texts, each once.
    """
    found = [chart.title]
    for row in chart.rows:
        for panel in row:
            found.append(panel.title)
            if isinstance(panel, Panel):
                axes = (panel.x, panel.left, *((panel.right,) if panel.right else ()))
                found += [axis.label for axis in axes]
    # Names that are not shown could be changed without an effect.
    if chart.legend:
        found += [entry.name for entry in legend_entries(chart)]
    # A text that occurs in several places is changed in all of them, so it is offered once.
    return tuple(dict.fromkeys(text for text in found if text))


def reworded(chart: Chart, words: Mapping[str, str]) -> Chart:
    """Replace some texts of a chart.

    Parameters
    ----------
    chart
        The chart, which stays as it is.
    words
        New texts by the old ones; all others are kept. Titles, labels of axes and names of layers are replaced, not the
        table.

    Returns
    -------
    Chart
        The new chart.
    """

    def other(text: str) -> str:
        return words.get(text, text)

    def axis(old: Axis) -> Axis:
        return replace(old, label=other(old.label))

    def panel(old: Part) -> Part:
        # Names of rows and texts of branches are data, not labels.
        if isinstance(old, BarList | Tree | Network | StripPlot):
            return replace(old, title=other(old.title))
        return replace(
            old,
            title=other(old.title),
            x=axis(old.x),
            left=axis(old.left),
            right=axis(old.right) if old.right else None,
            bars=tuple(replace(layer, name=other(layer.name)) for layer in old.bars),
            dots=tuple(replace(layer, name=other(layer.name)) for layer in old.dots),
        )

    rows = tuple(tuple(panel(old) for old in row) for row in chart.rows)
    return replace(chart, title=other(chart.title), rows=rows)
