"""How long an analysis takes, and whether its plots stay fluid with 20 sources and a million tokens.

usage: QT_QPA_PLATFORM=offscreen python tests/benchmarks/agreement.py INDEX [--out FILE.md]

A heartbeat of 2 ms watches the event loop of a real window while sources arrive, are overlaid, marked, shaded,
put on paper and shown in the other theme. INDEX should hold at least 10 million tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from made_corpus import real_texts
from window import Heartbeat, sleep, wait

from explorer import open_index
from explorer.analyses.agreement.analysis import Texts, analyze

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driven import DrivenWindow, show_driven

from explorer.gui.app.app import make_application
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.agreement.screen import AgreementScreen
from explorer.gui.screens.agreement.state import View
from explorer.gui.settings.store import Settings
from explorer.gui.sources.inputs import ALL, source_key

SOURCES, TOKENS_A_SOURCE = 20, 50_000


def write_sources(path: Path) -> None:
    """Twenty sources of about 50,000 tokens each; odd ones have their words shuffled, so that they differ."""
    texts = [text for text in real_texts() if len(text) > 400]
    with open(path, "w", encoding="utf-8") as file:
        for source in range(SOURCES):
            left = TOKENS_A_SOURCE * 4.4
            for number in range(source, len(texts) * 100, SOURCES):
                words = texts[number % len(texts)].split(" ")
                text = " ".join(words[::-1] if source % 2 else words)
                file.write(json.dumps({"text": text, "model": f"source {source + 1}"}) + "\n")
                left -= len(text)
                if left <= 0:
                    break


def analysis_alone(index: Path, tokens: int) -> tuple[int, float]:
    """Tokens and seconds of one analysis of about so many tokens, without a window."""
    corpus = open_index(index)
    texts, left = [], tokens * 4.4
    for text in real_texts():
        texts.append(text)
        left -= len(text)
        if left <= 0:
            break
    started = time.perf_counter()
    found = analyze(corpus.index, Texts(tuple(texts)))
    return found.figure.infgram.tokens, time.perf_counter() - started


class Stage:
    """Notes how long a step took and how long the event loop was held in it."""

    def __init__(self, heart: Heartbeat) -> None:
        self.heart = heart
        self.rows: list[tuple[str, float, float]] = []

    def note(self, name: str, milliseconds: float) -> None:
        sleep(0.3)
        self.rows.append((name, milliseconds, max(self.heart.gaps, default=0.0)))
        self.heart.gaps.clear()


def analyzed(screen: AgreementScreen) -> int:
    found = screen.presenter.state.answer.value
    assert found is not None
    return found.figure.infgram.tokens


def drive(window: DrivenWindow, sources: Path, stage: Stage) -> int:
    screen = window.agreement
    window.show_screen("agreement")
    sleep(0.5)
    stage.heart.gaps.clear()
    screen.presenter.enter(files=(sources,), group="model")
    first = wait(lambda: screen.presenter.state.answer.value is not None)
    stage.note("first source shown", first)
    stage.note("all sources shown", first + wait(lambda: not screen.busy, 600))
    tokens = analyzed(screen)
    plots, texts = screen.halves.plots, screen.presenter.tokens
    for name, source in (("one source among the others", source_key("source 7")), ("all together", ALL)):
        screen.presenter.choose_source(source)
        stage.note(name, wait(lambda: plots.plot.drawn))
    texts.mark_n(3, 3, extend=False)
    stage.note("tokens of effective n 3 marked", wait(lambda: not screen.busy))
    for view in (View.SOURCES, View.COUNT, View.EFFECTIVE_N):
        screen.presenter.show(view=view)
        stage.note(f"tab {plots.tabs.tabText(view)}", 0)
    for step in range(20):
        plots.plot.zoom.to(step + 0.5, step + 12.5)
        sleep(0.02)
    stage.note("panning the plot", 0)
    for kind in ("p", "a", "n"):
        texts.shade_by(kind)
    stage.note("text shaded in three ways", 0)
    screen.figure_button.open()
    shown = wait(
        lambda: screen.figure_button.dialog is not None and not screen.figure_button.dialog.preview.image.isNull()
    )
    stage.note("figure dialog with its preview", shown)
    screen.figure_button.dialog.close()
    started = time.perf_counter()
    screen.presenter.enter(max_texts=5)
    wait(lambda: analyzed(screen) < tokens)
    stage.note("another draw, from what is kept", 1000 * (time.perf_counter() - started) - 400)
    return tokens


def report(index: Path, alone: list[tuple[int, float]], tokens: int, stage: Stage) -> str:
    size = open_index(index).token_count
    lines = [
        "# Agreement",
        "",
        f"Index of {size:,} tokens; made by `tests/benchmarks/agreement.py`.",
        "",
        f"Analysis without a window, {alone[0][0]:,} tokens: {statistics.median(s for _, s in alone):.1f} s at the median "
        f"of {len(alone)} (first {alone[0][1]:.1f} s).",
        "",
        f"In the window, {SOURCES} sources, {tokens:,} tokens:",
        "",
        "| step | milliseconds | event loop blocked for at most (ms) |",
        "| --- | ---: | ---: |",
    ]
    lines += [f"| {name} | {f'{took:,.0f}' if took else ''} | {held:.0f} |" for name, took, held in stage.rows]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    alone = [analysis_alone(args.index, 110_000) for _ in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "sources.jsonl"
        write_sources(sources)
        settings = Settings(Path(folder) / "settings.json")
        application = make_application(settings)
        window = show_driven(Startup(), settings)
        window.resize(1280, 800)
        window.open(OpenRequest((str(args.index),)))
        wait(lambda: window.corpus is not None)
        heart = Heartbeat()
        heart.start(window)
        stage = Stage(heart)
        tokens = drive(window, sources, stage)
        window.close()
        application.processEvents()
    text = report(args.index, alone, tokens, stage)
    (args.out.write_text(text, encoding="utf-8") if args.out else sys.stdout.write(text))


if __name__ == "__main__":
    main()
