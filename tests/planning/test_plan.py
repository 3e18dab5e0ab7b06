"""Plans: the formulas against figures worked out by hand, rates from files, and builds that others published."""

from __future__ import annotations

import json
import runpy
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from explorer.errors import CorpusError, QueryError, SourceError
from explorer.planning.plan import LAYOUTS, Fleet, Plan, plan_index
from explorer.planning.rates import NAMES, read_rates, shipped_rates

ROOT = Path(__file__).resolve().parents[2]
TRILLION = 10**12
BAD = [f'{{"raw_bytes": {value}}}' for value in ("0", '"4"', "true", "NaN")]
KINDS = {"measured", "published", "wanted", "assumed", "estimated"}


def plan_of(layout: str, tokens: int, fleet: Fleet | None = None, rates=None) -> Plan:
    return plan_index(tokens, fleet, rates)[LAYOUTS.index(layout)]


def own_rates(tmp_path, **values):
    (tmp_path / "rates.json").write_text(json.dumps(values))
    return read_rates(tmp_path / "rates.json")


def test_a_small_index_by_hand(tmp_path):
    sorting = {"sort_tokens": 500, "sort_slowdown": 2, "sort_bytes": 10, "memory_share": 0.5}
    reading = {"disk_bytes": 10_000, "cold_reads": 7, "read_seconds": 0.001, "reads_at_once": 2}
    given = {"tokenize_tokens": 1000, "raw_bytes": 4, "metadata_bytes": 1, "disk_price": 2, "core_price": 3}
    rates = own_rates(tmp_path, **sorting, **reading, **given)
    # 18 million tokens on two machines whose sorts have room for 3,276,800 tokens: 6 shards of 3 million.
    made = plan_of("u16", 18_000_000, Fleet(2, 5, 1 << 26), rates)
    assert (made.shard_count, made.shard_token_count, made.sort_memory_bytes) == (6, 3_000_000, 30_000_000)
    # Six million bytes are addressed by three.
    assert (made.text_bytes, made.table_bytes, made.metadata_bytes) == (36_000_000, 54_000_000, 18_000_000)
    assert made.index_bytes == 108_000_000 and made.raw_bytes == 72_000_000
    assert (made.tokenize_core_hours, made.sort_core_hours) == (5, 20)
    assert made.disk_hours == pytest.approx((72 + 216) * 1e6 / 1e4 / 3600)
    assert made.hours == pytest.approx(25 / 10 + made.disk_hours / 2)
    assert made.compute_dollars == pytest.approx(made.hours * 10 * 3)
    assert made.disk_dollars == pytest.approx(0.108 * 2)
    # Four reads at once, six shards: two rounds of seven reads.
    assert made.cold_count_seconds == pytest.approx(0.014)


@pytest.mark.parametrize("name", NAMES)
def test_every_rate_changes_a_plan(name, tmp_path):
    before = plan_index(TRILLION)
    # Far enough that no rounding hides it.
    assert plan_index(TRILLION, rates=own_rates(tmp_path, **{name: 50 * getattr(read_rates(), name)})) != before


def test_compressed_indexes_take_no_tokens():
    small, kept = plan_of("fm", TRILLION), plan_of("fm-text", TRILLION)
    assert small.tokenize_core_hours == 0 and small.text_bytes == 0 < kept.text_bytes
    assert small.index_bytes < kept.index_bytes < plan_of("u16", TRILLION).index_bytes
    assert small.table_bytes == pytest.approx(0.43 * small.raw_bytes)


class TestPublished:
    """What others published, of builds by which no rate was set, but for RedPajama's hours."""

    def test_infini_gram(self):
        # Liu et al. (2024): 48 hours on 128 cores and 1 TiB, 7.06 bytes per token.
        assert plan_of("infini-gram", 1_386 * 10**9).hours == pytest.approx(48, rel=0.3)
        # 12 TB for 1.7 trillion tokens, in a later post of its author.
        assert plan_of("infini-gram", 1_700 * 10**9).index_bytes == pytest.approx(12e12, rel=0.3)

    @pytest.mark.parametrize(("terabytes", "machines", "hours"), [(83, 1, 99 * 24), (83, 137, 19), (46, 75, 19)])
    def test_infini_gram_mini(self, terabytes, machines, hours):
        # Xu et al. (2025); the rate is that of 46 TB on one machine, in 50 days.
        tokens = round(terabytes * 1e12 / read_rates().raw_bytes)
        assert plan_of("infini-gram-mini", tokens, Fleet(machines)).hours == pytest.approx(hours, rel=0.3)

    def test_its_size(self):
        made = plan_of("infini-gram-mini", TRILLION)
        assert made.index_bytes == pytest.approx(0.44 * made.raw_bytes, rel=0.1)


@pytest.mark.parametrize(("tokens", "fleet"), [(0, Fleet()), (10**15 + 1, Fleet()), (1, Fleet(0)), (1, Fleet(1, 1, 5))])
def test_what_no_plan_is_for(tokens, fleet):
    with pytest.raises(QueryError):
        plan_index(tokens, fleet)


def test_more_machines_than_shards_do_not_sort_faster():
    few, many = (plan_of("u16", 10**9, Fleet(machines, 2, 24 << 30)) for machines in (1, 10))
    assert few.shard_count == many.shard_count == 1
    assert many.hours > few.sort_core_hours / 2 and many.hours < few.hours


@pytest.mark.parametrize("text", ["", "[]", "{", '{"speed": 1}', *BAD])
def test_bad_files_of_rates(text, tmp_path):
    (tmp_path / "rates.json").write_text(text)
    with pytest.raises(SourceError):
        read_rates(tmp_path / "rates.json")
    with pytest.raises(CorpusError):
        read_rates(tmp_path / "missing.json")


def test_every_shipped_rate_has_a_unit_and_a_source():
    rates = shipped_rates()
    assert set(rates) == set(NAMES) and all(rate.unit and rate.source for rate in rates.values())
    assert {rate.source.split(":")[0] for rate in rates.values()} <= KINDS


def test_the_page_is_made_of_the_rates(monkeypatch):
    made = runpy.run_path(str(ROOT / "packaging" / "planning.py"))
    assert (ROOT / "docs" / "planning.md").read_text(encoding="utf-8") == made["page"]()
    monkeypatch.setattr(sys, "argv", ["planning.py", "--check"])
    made["main"]()


def test_a_plan_names_what_it_estimates():
    assert {field.name for field in fields(Plan)} >= {"index_bytes", "sort_memory_bytes", "hours", "compute_dollars"}
