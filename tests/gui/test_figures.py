"""Charts on paper, read back: sizes, texts, numbers of bars and dots, extents, nothing clipped."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import numpy as np
import pypdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage

from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.agreement.chart import agreement_chart, count_chart, neural_chart, overlay_chart
from explorer.analyses.agreement.figure import AgreementFigure, make_series
from explorer.analyses.agreement.neural import neural_figure
from explorer.analyses.breakdown.facets import dispersion, facet
from explorer.analyses.compare.compare import compare
from explorer.analyses.search.concordance import ConcordanceRequest, concordance
from explorer.analyses.search.find import find_query
from explorer.analyses.trace.measures.coverage import matches_chart
from explorer.analyses.trace.measures.novelty import novelty_chart
from explorer.chart import (
    Axis,
    BarList,
    Panel,
    chart_size,
    legend_entries,
    nice_step,
    reworded,
    short_number,
    whole_axis,
    words_of,
)
from explorer.corpus import open_index
from explorer.errors import QueryError
from explorer.export.about import about_path
from explorer.export.charts.other_charts import (
    comparison_chart,
    facet_chart,
    next_chart,
    spread_chart,
)
from explorer.export.destination import ExportError
from explorer.export.drawing.drawer import PAPER
from explorer.export.drawing.marks import has_markers
from explorer.export.drawing.svg import SvgCanvas, text_width
from explorer.export.figure import Paper
from explorer.export.registry import FIGURES
from explorer.gui.charts.export.dialog import FigureDialog
from explorer.gui.charts.export.save import chart_image, save_chart
from explorer.neural.records import ScoredText, ScoredToken

SVG = "{http://www.w3.org/2000/svg}"
TEXTS = ("the dog sat on the rug and the cat saw the dog. " * 20, "zebras and the cat " * 60, "the cat")
GROUPS = ("a < b & c", "b", "few")


@pytest.fixture(scope="module")
def corpus(small_index):
    return open_index(small_index)


@pytest.fixture(scope="module")
def analysis(corpus):
    return analyze(corpus.index, Texts(TEXTS, GROUPS))


@pytest.fixture(scope="module")
def charts(corpus, analysis):
    """One chart of every kind."""
    index = corpus.index
    lines = concordance(index, ConcordanceRequest(find_query(index, "the").parts))
    neural = neural_figure(index, [ScoredText("the cat", (ScoredToken(0, 3, -0.05), ScoredToken(3, 7, -1.6)))])
    trace = corpus.trace("the cat sat on the mat and zebras")
    return {
        "panels": agreement_chart("Panels", [("all", analysis.figure), *analysis.groups.items()]),
        "overlaid": overlay_chart("Overlaid", analysis.groups),
        "count": count_chart("By count", analysis.by_count),
        "neural": neural_chart("Neural", neural),
        "novelty": novelty_chart("Novelty", trace.novelty),
        "matches": matches_chart("Matches", trace.covering.tolist()),
        "spread": spread_chart("Spread", dispersion(lines)),
        "fields": facet_chart("Fields", facet(lines, "path", corpus.columns)),
        "compare": comparison_chart("Compare", compare([index], ["the", "cat", "zebra"])),
        "next": next_chart("Next", [(1, " cat", 3, 0.6), (2, "\u00ad<b>", 2, 0.4)], 2),
    }


def bars_and_dots(chart):
    bars = dots = 0
    for row in chart.rows:
        for panel in row:
            if isinstance(panel, BarList):
                bars += sum(value > 0 for _, value, _ in panel.rows)
            else:
                bars += sum(point.y > 0 for layer in panel.bars for point in layer.points)
                dots += sum(len(layer.points) for layer in panel.dots)
    return bars, dots


def shapes(path):
    """Texts, bars and circles of an SVG."""
    tree = ET.parse(path)
    texts = ["".join(node.itertext()).strip() for node in tree.iter(f"{SVG}text")]
    bars = dots = 0
    for group in tree.iter(f"{SVG}g"):
        fill = group.get("fill", "").lower()
        if fill == PAPER.bar:
            bars += len([n for n in group if n.tag in (f"{SVG}path", f"{SVG}rect")])
        if fill == PAPER.source(0):
            dots += len([n for n in group if n.tag in (f"{SVG}circle", f"{SVG}ellipse")])
    return tree, texts, bars, dots


KINDS = ("panels", "overlaid", "count", "neural", "novelty", "matches", "spread", "fields", "compare", "next")


@pytest.mark.parametrize("kind", KINDS)
def test_svg(qapp, charts, kind, tmp_path):
    chart = charts[kind]
    save_chart(chart, tmp_path / "a.svg")
    tree, texts, bars, dots = shapes(tmp_path / "a.svg")
    layers = [layer for row in chart.rows for part in row if isinstance(part, Panel) for layer in part.dots]
    # Dots of a source with few tokens are hollow; other sources have other shapes.
    full = [layer for layer in layers if not layer.unsure and layer.color == 0 and has_markers(layer)]
    in_legend = chart.legend and any(layer in legend_entries(chart) for layer in full)
    assert (bars, dots) == (bars_and_dots(chart)[0], sum(len(layer.points) for layer in full) + in_legend)
    assert any(layer.unsure for layer in layers) or kind != "panels"
    assert chart.title in texts
    width, height = chart_size(chart)
    assert tree.getroot().get("viewBox").split() == ["0", "0", f"{width:g}", f"{height:g}"]


def placed(tree):
    """The texts of an SVG with the middle and the height of their baselines; texts that read upwards have none."""
    found = {}

    def visit(node, a=1.0, b=0.0, dx=0.0, dy=0.0):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", node.get("transform", ""))]
        if node.get("transform", "").startswith("matrix"):
            a, b, dx, dy = numbers[0], numbers[1], numbers[4], numbers[5]
        elif numbers:
            b = 1.0
        if node.tag == f"{SVG}text":
            text, size = "".join(node.itertext()).strip(), float(node.get("font-size", "8"))
            shift = {"start": 0.5, "middle": 0.0, "end": -0.5}[node.get("text-anchor", "start")] * text_width(
                text, size
            )
            at = (float(node.get("x")) + shift + dx, float(node.get("y")) + dy) if abs(b) < 0.5 else None
            found.setdefault(text, []).append(at)
        for child in node:
            visit(child, a, b, dx, dy)

    visit(tree.getroot())
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_svg_without_qt_is_laid_out_alike(qapp, charts, kind, tmp_path):
    chart, paper = charts[kind], Paper(1500, 700)
    save_chart(chart, tmp_path / "a.svg", paper)
    (tmp_path / "b.svg").write_bytes(SvgCanvas().svg(chart, paper))
    tree = ET.parse(tmp_path / "b.svg")
    ours, theirs = placed(tree), placed(ET.parse(tmp_path / "a.svg"))
    letters = [
        Counter("".join(text * len(at) for text, at in all_.items()).replace(" ", "")) for all_ in (ours, theirs)
    ]
    assert letters[0] == letters[1]
    # Qt writes letters of another font as a text of their own.
    for text, places in ((text, places) for text, places in ours.items() if text.isascii()):
        for one, other in zip(places, theirs[text], strict=True):
            assert (one is None) == (other is None)
            # Fonts differ from machine to machine, and with them the margins beside the axes.
            assert one is None or (abs(one[0] - other[0]) < 30 and abs(one[1] - other[1]) < 8)
    assert {clip for part in tree.iter(f"{SVG}defs") for clip in part} >= set(tree.iter(f"{SVG}clipPath"))
    bars, dots = bars_and_dots(chart)
    shown = [node.tag.removeprefix(SVG) for node in tree.iter()]
    assert shown.count("circle") + shown.count("polygon") >= dots
    assert shown.count("rect") >= bars


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_touches_an_edge(qapp, charts, kind):
    """In every kind, at a usual and at a small size with large text."""
    for paper in (Paper(dpi=150), Paper(260, 170, text_size=11, dpi=150)):
        image = chart_image(charts[kind], paper)
        white = QColor("white").rgb()
        edges = [image.pixel(x, y) for x in range(image.width()) for y in (0, image.height() - 1)]
        edges += [image.pixel(x, y) for y in range(image.height()) for x in (0, image.width() - 1)]
        assert set(edges) == {white}
        inside = {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
        assert len(inside) > 3


def test_sources_have_colors_and_markers_of_their_own(qapp, charts, tmp_path):
    save_chart(charts["overlaid"], tmp_path / "a.svg")
    tree, texts, _, _ = shapes(tmp_path / "a.svg")
    assert set(GROUPS) <= set(texts)
    strokes = {group.get("stroke", "").lower() for group in tree.iter(f"{SVG}g")}
    assert set(PAPER.sources[:3]) <= strokes


@pytest.mark.parametrize("dpi", [72, 300])
def test_png_sizes(qapp, charts, tmp_path, dpi):
    save_chart(charts["count"], tmp_path / "a.png", Paper(400, 200, dpi=dpi))
    image = QImage(str(tmp_path / "a.png"))
    assert (image.width(), image.height()) == (round(400 * dpi / 72), round(200 * dpi / 72))
    assert round(image.dotsPerMeterX() * 0.0254) == dpi


def test_pdf(qapp, charts, tmp_path):
    save_chart(charts["panels"], tmp_path / "a.pdf", Paper(500, 640))
    page = pypdf.PdfReader(tmp_path / "a.pdf").pages[0]
    assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx((500, 640), abs=1)
    text = re.sub(r"\s+", " ", page.extract_text())
    assert "Panels" in text and "Effective n" in text and "a < b & c" in text
    fonts = page["/Resources"]["/Font"]
    assert len(fonts) >= 1 and all("/BaseFont" in font.get_object() for font in fonts.values())


def test_every_picture_states_its_facts_beside_it_and_in_it(qapp, charts, tmp_path):
    chart = replace(charts["count"], facts=(("query", "the <cat> & “dog”"), ("filter", "year"), ("filter", "author")))
    expected = {"query": "the <cat> & “dog”", "filter": ["year", "author"]}
    for form in FIGURES:
        path = tmp_path / f"a{form.suffix}"
        save_chart(chart, path, Paper(dpi=72))
        if not form.holds_facts:
            assert json.loads(about_path(path).read_text(encoding="utf-8")) == expected
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["facts"] == expected
    assert json.loads(QImage(str(tmp_path / "a.png")).text("Description")) == expected
    [described] = ET.parse(tmp_path / "a.svg").getroot().iter(f"{SVG}desc")
    assert json.loads(described.text) == expected
    [plain] = ET.fromstring(SvgCanvas().svg(chart, Paper())).iter(f"{SVG}desc")
    assert json.loads(plain.text) == expected
    stated = pypdf.PdfReader(tmp_path / "a.pdf").xmp_metadata
    assert json.loads(stated.dc_description["x-default"]) == expected
    assert stated.dc_title["x-default"] == chart.title


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_drawn_as_json(qapp, charts, kind, tmp_path):
    chart = charts[kind]
    save_chart(chart, tmp_path / "a.json")
    found = json.loads((tmp_path / "a.json").read_text())
    assert (found["figure"], found["title"]) == (chart.name, chart.title)
    assert [tuple(row) for row in found["rows"]] == [chart.header] * len(chart.data)
    assert len(found["rows"]) > 0
    save_chart(chart, tmp_path / "a.csv")
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 1 + len(chart.data)


def test_bars_and_dots_stand_where_their_figures_are(qapp, tmp_path):
    """A figure with one bar: its top and its dot are measured in the picture."""
    lengths = np.repeat([1, 2], [100, 500])
    series = make_series("x", lengths, np.arange(600) % 2 == 0)
    empty = make_series("y", np.empty(0, dtype=np.int64), np.empty(0, dtype=np.bool_))
    save_chart(agreement_chart("", [("all", AgreementFigure(5, empty, series, empty))]), tmp_path / "a.svg")
    tree, _, bars, dots = shapes(tmp_path / "a.svg")
    assert (bars, dots) == (2, 2)
    rects = [
        node
        for group in tree.iter(f"{SVG}g")
        if group.get("fill", "").lower() == PAPER.bar
        for node in group
        if node.tag == f"{SVG}rect"
    ]
    heights = sorted(float(node.get("height")) for node in rects)
    assert heights[1] / heights[0] == pytest.approx(5, rel=0.01)
    bottoms = {round(float(node.get("y")) + float(node.get("height")), 1) for node in rects}
    circle = next(tree.iter(f"{SVG}circle"))
    # The scale of tokens ends at 600, and agreement is one half.
    height = heights[1] * 600 / 500
    assert len(bottoms) == 1
    assert float(circle.get("cy")) == pytest.approx(bottoms.pop() - height / 2, abs=0.5)


def test_figures_of_nothing_and_of_much(qapp, tmp_path):
    empty = make_series("x", np.empty(0, dtype=np.int64), np.empty(0, dtype=np.bool_))
    large = make_series("y", np.repeat(np.arange(1, 400), 5000), np.ones(399 * 5000, dtype=np.bool_))
    for series in (empty, large):
        save_chart(agreement_chart("x", [("all", AgreementFigure(5, series, series, series))]), tmp_path / "a.svg")
        assert shapes(tmp_path / "a.svg")[2] == 3 * min(33, len(series.bins))


def test_twenty_sources(qapp, analysis, tmp_path):
    sources = [(f"source {i}", analysis.figure) for i in range(20)]
    save_chart(overlay_chart("x", dict(sources)), tmp_path / "a.svg")
    assert {name for name, _ in sources} <= set(shapes(tmp_path / "a.svg")[1])
    save_chart(agreement_chart("x", [("all", analysis.figure), *sources]), tmp_path / "b.svg")
    assert shapes(tmp_path / "b.svg")[2] == 21 * sum(len(panel.bins) for panel in analysis.figure.panels)


def test_problems(qapp, charts, tmp_path):
    with pytest.raises(QueryError, match=r"\.png, \.svg, \.pdf, \.csv, \.json"):
        save_chart(charts["count"], tmp_path / "a.gif")
    with pytest.raises(ExportError, match="too large"):
        save_chart(charts["count"], tmp_path / "a.png", Paper(3000, 3000, dpi=1200))
    assert list(tmp_path.iterdir()) == []
    for form in ("png", "svg", "pdf", "csv", "json"):
        with pytest.raises(ExportError, match="cannot be written"):
            save_chart(charts["count"], tmp_path / "none" / f"a.{form}")


def test_texts_are_changed(charts):
    chart = charts["panels"]
    words = words_of(chart)
    assert words[0] == "Panels" and {"Effective n", "Agreement", "Tokens"} <= set(words)
    other = reworded(chart, {"Panels": "Andere", "Effective n": "n effektiv"})
    assert other.title == "Andere" and "Effective n" not in words_of(other)
    assert other.data == chart.data


def test_the_dialog(qtbot, charts, tmp_path):
    dialog = FigureDialog([charts["count"], charts["overlaid"]])
    qtbot.addWidget(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.show()
    qtbot.waitUntil(lambda: not dialog.preview.image.isNull())
    before = dialog.preview.image.copy()
    dialog.texts.item(0, 0).setText("Another title")
    qtbot.waitUntil(lambda: dialog.preview.image != before)
    dialog.width_mm.setValue(100)
    dialog.height_mm.setValue(60)
    dialog.dpi.setValue(200)
    dialog.save_to(tmp_path / "a.png")
    qtbot.waitUntil((tmp_path / "a.png").exists)
    qtbot.waitUntil(lambda: "Saved" in dialog.message.text())
    image = QImage(str(tmp_path / "a.png"))
    assert (image.width(), image.height()) == (round(100 / 25.4 * 200), round(60 / 25.4 * 200))
    dialog.save_to(tmp_path / "a.svg")
    qtbot.waitUntil((tmp_path / "a.svg").exists)
    assert "Another title" in shapes(tmp_path / "a.svg")[1]
    qtbot.waitUntil(lambda: not dialog.writing)
    qtbot.mouseClick(dialog.copy_image, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Copied an image" in dialog.message.text())
    assert QGuiApplication.clipboard().image().width() == image.width()
    qtbot.mouseClick(dialog.copy_data, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "rows" in dialog.message.text())
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0].split("\t") == list(charts["count"].header)
    assert len(copied) == 1 + len(charts["count"].data)
    dialog.which.setCurrentIndex(1)
    assert dialog.texts.item(0, 0).text() == "Overlaid"
    names = [dialog.texts.item(row, 0).text() for row in range(dialog.texts.rowCount())]
    assert set(GROUPS) <= set(names)
    dialog.close()


@pytest.mark.parametrize(("span", "parts", "step"), [(1, 4, 0.5), (10, 5, 2), (7, 4, 2), (1000, 4, 500), (30, 6, 5)])
def test_steps(span, parts, step):
    assert nice_step(span, parts) == pytest.approx(step)


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (950, "950"), (1500, "1.5k"), (2e6, "2M"), (3e9, "3G")])
def test_numbers_of_axes(value, text):
    assert short_number(value) == text


@pytest.mark.parametrize(("first", "last", "ticks"), [(1, 5, [1, 2, 3, 4, 5]), (1, 32, [1, 10, 20, 30]), (1, 1, [1])])
def test_whole_numbers_on_an_axis(first, last, ticks):
    axis = whole_axis("n", first, last)
    assert isinstance(axis, Axis) and (axis.low, axis.high) == (first - 0.5, last + 0.5)
    assert [value for value, _ in axis.ticks] == ticks
