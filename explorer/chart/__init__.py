"""A chart as data: panels, axes, bars, dots and the table of its data. Nothing here depends on how it is painted."""

from explorer.chart.axes import (
    Axis,
    count_axis,
    count_step,
    log_ticks,
    named_axis,
    nice_step,
    share_axis,
    short_number,
    whole_axis,
)
from explorer.chart.network import Network, PlacedSpoke, Spoke, place_spokes
from explorer.chart.parts import (
    LIST_ROW,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    BarList,
    Bars,
    Chart,
    Dots,
    Panel,
    Part,
    Point,
    Tree,
    Twig,
    chart_size,
    legend_entries,
)
from explorer.chart.strips import StripPlot, StripRow
from explorer.chart.words import (
    reworded,
    words_of,
)

__all__ = [
    "LIST_ROW",
    "PANEL_HEIGHT",
    "PANEL_WIDTH",
    "Axis",
    "BarList",
    "Bars",
    "Chart",
    "Dots",
    "Network",
    "Panel",
    "Part",
    "PlacedSpoke",
    "Point",
    "Spoke",
    "StripPlot",
    "StripRow",
    "Tree",
    "Twig",
    "chart_size",
    "count_axis",
    "count_step",
    "legend_entries",
    "log_ticks",
    "named_axis",
    "nice_step",
    "place_spokes",
    "reworded",
    "share_axis",
    "short_number",
    "whole_axis",
    "words_of",
]
