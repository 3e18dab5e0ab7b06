"""Make docs/planning.md: plans for 10⁹ to 10¹³ tokens, the formulas, and the rates that they are made of.

python packaging/planning.py            write the page
python packaging/planning.py --check    fail if it is not what would be written
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from explorer.cli.index.plan import plan_rows
from explorer.planning.plan import FORMULAS, LAYOUTS, Fleet, plan_index
from explorer.planning.rates import read_rates, shipped_rates

PAGE = Path(__file__).resolve().parent.parent / "docs" / "planning.md"
SIZES = (9, 10, 11, 12, 13)
_INTRO = """\
# Planning an index

<!-- Made by packaging/planning.py of resources/rates.json. -->

What would an index of a trillion tokens need? `corpus-explorer plan 1T` answers before anything is built; so does
`explorer.planning.plan.plan_index`. Every figure is an estimate, by the formulas and the rates below. Change a rate in
`resources/rates.json`, or give a file of your own with `--rates`, and every plan follows. `corpus-explorer bench INDEX
--rates FILE` writes such a file with the rates of your machine.

```
corpus-explorer plan 300B --machines 4 --cores 32 --memory 256
```

The layouts: a suffix array over tokens of 16 or 32 bits; a compressed index over bytes, without and with a copy of its
text; and, to compare, what the programs infini-gram and infini-gram mini would make, by the times that their authors
published.
"""
_CROSS = """\
## Checked with what others published

| build | published | planned |
| --- | --- | --- |
"""
_NOTES = """
The hours of RedPajama set the rate of infini-gram, and 46 TB that of infini-gram mini, so the first row checks nothing
but the arithmetic; the others were not used for any rate. A shard of ours has at most 2.1 billion tokens, so that its
table takes four bytes per token where infini-gram's larger shards need five.
"""


def page() -> str:
    """The whole page."""
    return "\n".join(
        [_INTRO, *_tables(), "## Formulas", "", *_formulas(), "", _CROSS + "\n".join(_published()), _NOTES, *_rates()]
    )


def _tables() -> Iterator[str]:
    fleet = Fleet()
    for power in SIZES:
        yield f"## {10**power:,} tokens\n"
        yield f"One machine with {fleet.cores} cores and {fleet.memory >> 30:,} GB of memory:\n"
        yield "| ≈ | " + " | ".join(LAYOUTS) + " |"
        yield "| --- |" + " ---: |" * len(LAYOUTS)
        for name, cells in plan_rows(plan_index(10**power, fleet)):
            yield f"| {name} | " + " | ".join(cells) + " |"
        yield ""


def _formulas() -> Iterator[str]:
    for name, formula in FORMULAS.items():
        yield f"- **{name}**: {formula}"


def _published() -> Iterator[str]:
    raw = read_rates().raw_bytes
    theirs, mini = LAYOUTS.index("infini-gram"), LAYOUTS.index("infini-gram-mini")
    pajama, later = plan_index(1_386 * 10**9)[theirs], plan_index(1_700 * 10**9)[theirs]
    yield f"| infini-gram, RedPajama, 128 cores | 48 hours | {pajama.hours:.0f} hours |"
    yield f"| infini-gram, RedPajama | 7.06 bytes per token | {pajama.index_bytes / pajama.token_count:.2f} |"
    yield f"| infini-gram, 1.7 trillion tokens | 12 TB | {later.index_bytes / 1e12:.1f} TB |"
    for terabytes, machines, told in ((83, 1, "99 days"), (83, 137, "19 hours"), (46, 75, "19 hours")):
        hours = plan_index(round(terabytes * 1e12 / raw), Fleet(machines))[mini].hours
        planned = f"{hours / 24:.0f} days" if "days" in told else f"{hours:.0f} hours"
        yield f"| infini-gram mini, {terabytes} TB, {machines} × 128 cores | {told} | {planned} |"


def _rates() -> Iterator[str]:
    yield "## Rates\n"
    yield "| name | value | unit | source |"
    yield "| --- | ---: | --- | --- |"
    for name, rate in shipped_rates().items():
        yield f"| `{name}` | {rate.value:,.10g} | {rate.unit} | {rate.source} |"
    yield ""


def main() -> None:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    made = page()
    if not parser.parse_args().check:
        PAGE.write_text(made, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != made:
        raise SystemExit("docs/planning.md is not made of resources/rates.json: run packaging/planning.py")


if __name__ == "__main__":
    main()
