"""plan and bench on the command line."""

from __future__ import annotations

import json

import pytest

from explorer import build_index
from explorer.cli.index.plan import token_count
from explorer.cli.main import main
from explorer.errors import QueryError
from explorer.planning.plan import LAYOUTS


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench") / "index"
    build_index([{"text": "the cat sat on the mat " * 12}] * 3, folder, tokenizer="bytes")
    return str(folder)


@pytest.mark.parametrize(
    ("text", "count"), [("300B", 3 * 10**11), ("1e12", 10**12), ("1.5t", 15 * 10**11), ("7", 7), ("5,000K", 5 * 10**6)]
)
def test_numbers_of_tokens(text, count):
    assert token_count(text) == count


@pytest.mark.parametrize("text", ["", "x", "0", "1e16", "-5", "1001T", "1e", "1eB", "٣", "1" * 50, "nan", "inf"])
def test_what_is_no_number_of_tokens(text):
    with pytest.raises(QueryError):
        token_count(text)


def test_plans_as_json_and_text(tmp_path, capsys):
    assert main(["plan", "1T", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["layout"] for row in found["results"]] == list(LAYOUTS) and found["index"] is None
    assert found["results"][0]["text_bytes"] == 2 * 10**12 and found["cores"] == 128
    (tmp_path / "rates.json").write_text('{"raw_bytes": 1}')
    assert (
        main(
            ["plan", "1T", "--machines", "3", "--cores", "2", "--memory", "24", "--rates", str(tmp_path / "rates.json")]
        )
        == 0
    )
    printed = capsys.readouterr().out
    assert printed.startswith("≈ for 1,000,000,000,000 tokens on 3 machines, 2 cores and 24 GB of memory each")
    assert f"{'text read':20}{'1.0 TB':>13}" in printed


def test_wrong_plans(tmp_path, capsys):
    assert main(["plan", "many"]) == 2 and "TOKENS must be a number" in capsys.readouterr().err
    (tmp_path / "rates.json").write_text('{"speed": 1}')
    assert main(["plan", "1T", "--rates", str(tmp_path / "rates.json")]) == 2
    assert "has a rate speed, which is not known" in capsys.readouterr().err


def test_bench_writes_rates_for_plans(index, tmp_path, capsys):
    assert main(["bench", index, "--json", "--rates", str(tmp_path / "rates.json")]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in found["results"]}
    rates = json.loads((tmp_path / "rates.json").read_text())
    assert rates["sort_tokens"]["value"] == round(rows["sorting"]["value"])
    assert main(["plan", "1B", "--json", "--rates", str(tmp_path / "rates.json")]) == 0
    plan = json.loads(capsys.readouterr().out)["results"][0]
    assert plan["tokenize_core_hours"] == pytest.approx(1e9 / rates["tokenize_tokens"]["value"] / 3600)
    assert main(["bench", index]) == 0 and "count of 5 tokens" in capsys.readouterr().out
