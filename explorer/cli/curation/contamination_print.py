"""What the command contamination prints for people."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.analyses.contamination.table import BenchmarkRecord, BoardRecord, ContaminationFacts, GainRecord
from explorer.cli.output.terminal import put
from explorer.i18n import counted

_SHOWN = 20


def print_contamination(facts: ContaminationFacts) -> None:
    """Print how many items of each benchmark occur, the worst of them, gains, and the indexes side by side."""
    for each in facts.files:
        put(f"{each.file}: {counted('item', each.items)}, {_verdicts(each)}")
        rules = each.rules
        put(
            f"  rules of others: GPT-3 {rules.gpt_3:,}, PaLM {rules.palm:,}, Llama 2 {rules.llama_2:,}, "
            f"any 13-gram {rules.any_13:,}, Llama 3 {rules.llama_3:,}, ConTAM {rules.con_tam:,}, "
            f"infini-gram mini {rules.infini_gram_mini:,}, BFF {rules.bff:,}"
        )
        worst = sorted(each.rows, key=lambda row: (row.verdict == "too-short", -row.longest_share, -row.longest))
        worst = [row for row in worst if row.verdict in ("flagged", "suspicious")][:_SHOWN]
        if worst:
            put(f"{'longest':>9} {'share':>6} {'cov. 8':>6} {'document':>9}  item: match")
        for row in worst:
            put(
                f"{row.longest:>9,} {row.longest_share:>6.0%} {row.coverage_8:>6.0%} {row.best_document:>9,}  "
                f"{row.id}: {_short(row.match)}"
            )
    _print_own(facts)
    _print_gains(facts)
    if len(facts.board) > len(facts.files):
        _print_board(facts.board)


def _print_own(facts: ContaminationFacts) -> None:
    """Benchmarks that are in an index themselves."""
    for row in facts.own:
        if row.is_benchmark:
            place = row.source or "documents without a source"
            documents = "1 document" if row.documents == 1 else f"{row.documents:,} documents"
            told = "left out" if row.left_out else "--without-own leaves them out"
            put(f"{row.file} is in {row.index} itself: {place}; {told}")
            put(f"  {documents} with {row.items:,} items ({row.share:.1%})")


def _print_gains(facts: ContaminationFacts) -> None:
    """What a model's score gains by flagged items."""
    for row in facts.board:
        at = [each for each in facts.curves if (each.index, each.file) == (row.index, row.file)]
        mine = [each for each in at if each.metric == facts.thresholds.flag_by and each.gain is not None]
        if not mine:
            continue
        put(f"{row.index}, {row.file}: estimated gain of the score by {facts.thresholds.flag_by}")
        put(f"{'from':>5} {'items':>7} {'score of the others':>20} {'gain':>9}  95% CI")
        # Every second threshold: the others are in --json and --plot.
        for each in mine[1::2]:
            put(_gain(each))


def _gain(point: GainRecord) -> str:
    known = point.gain_low is not None and point.gain_high is not None
    ends = f"≈{point.gain_low:+.4f} to {point.gain_high:+.4f}" if known else "–"
    gain = f"≈{point.gain:+.4f}"
    return f"{point.threshold:>5.0%} {point.items:>7,} {point.score_clean:>20.4f} {gain:>9}  {ends}"


def _print_board(board: Sequence[BoardRecord]) -> None:
    """The shares in several indexes."""
    put(f"{'flagged':>9} {'share':>6} {'interval':>15} {'suspicious':>10}  index: benchmark")
    for row in board:
        share, interval = "–", "–"
        if row.flagged_share is not None and row.flagged_low is not None and row.flagged_high is not None:
            share, interval = f"{row.flagged_share:.1%}", f"{row.flagged_low:.1%} to {row.flagged_high:.1%}"
        put(f"{row.flagged:>9,} {share:>6} {interval:>15} {row.suspicious:>10,}  {row.index}: {row.file}")


def _verdicts(each: BenchmarkRecord) -> str:
    share = ""
    if each.flagged_share is not None and each.flagged_low is not None and each.flagged_high is not None:
        share = f" ({each.flagged_share:.1%}, 95% CI {100 * each.flagged_low:.1f}–{each.flagged_high:.1%})"
    return f"{each.flagged:,} flagged{share}, {each.suspicious:,} suspicious, {each.too_short:,} too short to tell"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else f"{words[:79]}…"
