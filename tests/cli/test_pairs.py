"""Pairs of options, drawn from each command line: both have their effect, or the pair is refused by name."""

from __future__ import annotations

import importlib
import itertools
import random
from contextlib import chdir, suppress

import pytest
from option_runs import SCENARIOS, make_home, outcome
from tiers import nightly

from explorer.cli.commands import _BY_NAME, command_parser
from explorer.cli.main import main
from explorer.cli.options.rules import refuse_unused
from explorer.cli.parser import Parser
from explorer.errors import CorpusError

TRIED = [
    "count",
    "kwic",
    "breakdown",
    "trace",
    "agree",
    "perplexity",
    "keywords",
    "contamination",
    "build",
    "duplicates files",
]
"""Command lines of which pairs are run in `make test`, two of each; `make test-all` runs six of every command line.

packaging/option_table.py tries every option by itself.
"""
ALIKE = {
    # One document per year is left.
    "--by changes nothing in ('--minus', '--by')",
    # A table of documents has no values of a field.
    "--by changes nothing in ('--by', '--format')",
    # The span that is left occurs once.
    "--documents-per-span changes nothing in ('--documents-per-span', '--without-self')",
    # Nothing is flagged of what is left.
    "--flag-by changes nothing in ('--minus', '--flag-by')",
    # No document has as many n-grams of tokens.
    "--share changes nothing in ('--unit', '--share')",
}
"""Pairs in which the first has nothing left to change; each was looked at."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    make_home(folder)
    with chdir(folder):
        yield folder


PAIRED = [name for name, (_, values) in SCENARIOS.items() if len(values) > 1]


@pytest.mark.parametrize("scenario", PAIRED)
def test_a_pair_is_refused_or_both_are_read(scenario):
    """Every pair, by parsing: the parser or a rule refuses it by name, or each option has its value in what is read."""
    base, own = SCENARIOS[scenario]
    command = _BY_NAME[scenario.split()[0]]
    parser, module = command_parser(command), importlib.import_module(f"explorer.cli.{command.module}")

    def read(*names):
        words = [word for name in names for word in (name, own[name]) if word is not None]
        found = vars(parser.read([*base, *words]))
        refuse_unused(found["given"], module.RULES.get(command.name, ()))
        return {key: value for key, value in found.items() if key not in ("given", "settings")}

    def changed(found):
        return {key: value for key, value in found.items() if value != bare[key]}

    bare, alone = read(), {}
    for name in own:
        with suppress(CorpusError):
            alone[name] = changed(read(name))
    assert alone and all(alone.values())
    for pair in itertools.combinations(alone, 2):
        try:
            both = changed(read(*pair))
        except CorpusError as error:
            assert any(name in str(error) for name in pair), (pair, str(error))
            continue
        for name, other in (pair, pair[::-1]):
            assert all(both[key] == value for key, value in alone[name].items() if key not in alone[other]), pair


# Qt draws pictures.
FIGURE = pytest.param("agree figure", marks=[pytest.mark.nightly, pytest.mark.qt])
OTHERS = [name for name in PAIRED if name not in (*TRIED, "agree figure")]


@pytest.mark.parametrize("scenario", [*TRIED, FIGURE, *nightly(*OTHERS)])
def test_pairs(scenario, home, scale):
    pairs = list(itertools.combinations(SCENARIOS[scenario][1], 2))
    bare, wrong = outcome(scenario, [], home), []
    for pair in random.Random(scenario).sample(pairs, min(scale(2, 6), len(pairs))):
        alone, both = [outcome(scenario, [name], home) for name in pair], outcome(scenario, pair, home)
        if both.code == 2:
            # Read as what it is not, an input is refused by its name.
            named = (*pair, "answer.txt", "rows.jsonl", "QUERY")
            wrong += [] if any(name in both.messages for name in named) else [f"{pair} is refused without naming them"]
            continue
        for name, mine, other in zip(pair, alone, reversed(alone), strict=True):
            # What changes nothing by itself has its reason in the table of all options.
            if mine[:3] != bare[:3] and both[:3] == other[:3]:
                wrong.append(f"{name} changes nothing in {pair}")
    assert [line for line in wrong if line not in ALIKE] == []


@pytest.mark.parametrize(
    ("words", "needs"),
    [
        ("count index cat --distance 5", "--distance needs a query with AND."),
        ("count index cat --exact", "--exact needs a query with AND."),
        ("count index cat --node 1", "--node needs a query with AND."),
        ("count index cat --partial", "--partial needs an index on a cluster."),
        ("kwic index cat --distance 5", "--distance needs a query with AND, --near or --not-near."),
        ("kwic index cat --near dog --near-distance 3 --distance 5", "--distance needs a query with AND"),
        ("kwic index cat --seed 3", "--seed needs --sample, --sort random or a query with AND."),
        ("kwic index 'cat AND dog' --exact --seed 3", "--seed needs --sample or --sort random"),
        ("breakdown index cat --by year --seed 3", "--seed needs --sample or a query with AND."),
        ("collocates index cat --match text --node 2", "--node needs a query with AND."),
        ("build source --out built --format fm --tokenizer train", "--tokenizer train needs an index of tokens"),
        ("spectrum index --where year=2020", "--where needs --view counts, --view above"),
        ("repeats index --where year=2020", "--where needs an index of these documents only"),
        ("duplicates index --length 2 --minus part", "--minus needs an index without these documents"),
        ("duplicates index --length 2 --out texts --characters", "--characters needs --format annotated."),
        ("embed-fgrams table --tokens tokens.npy --tensor x", "--tensor needs a .safetensors file."),
        ("perplexity index rows.jsonl --method weighted --base 3", "--base needs --weight exponential."),
    ],
)
def test_an_option_without_effect_is_refused(words, needs, home, capsys):
    before = sorted(home.rglob("*"))
    assert main(words.replace("'cat AND dog'", "cat\0AND\0dog").replace(" ", "\n").replace("\0", " ").split("\n")) == 2
    out, err = capsys.readouterr()
    assert out == "" and needs in err and sorted(home.rglob("*")) == before
    assert len([line for line in err.splitlines() if not line.startswith("#")]) == 1


LISTED = [name for name, (_, values) in SCENARIOS.items() if "--where" in values]


@pytest.mark.parametrize("scenario", LISTED)
@pytest.mark.parametrize(("option", "value"), [("--minus", "copy"), ("--where", "year=1900")])
def test_nothing_is_left(scenario, option, value, home):
    """Subtracting everything, and a condition that nothing meets: an empty result, or one sentence that tells why."""
    from explorer import build_index

    if not (home / "copy").exists():
        build_index([home / "source"], home / "copy", tokenizer="bytes")
    base, _ = SCENARIOS[scenario]
    SCENARIOS["nothing left"] = ([*base, *(["--allow-same"] if option == "--minus" else [])], {option: value})
    found = outcome("nothing left", [option], home, scenario.split()[0])
    assert found.code in (0, 1, 2) and "Unexpected" not in found.messages and "Traceback" not in found.messages
    errors = [line for line in found.messages.splitlines() if not line.startswith("#")]
    assert len(errors) == (found.code == 2) and (not errors or errors[0].endswith((".", "view zipf.")))


@pytest.mark.parametrize("command", sorted(_BY_NAME))
def test_every_option_is_explained(command):
    parser = Parser("p", "d")
    module = importlib.import_module(f"explorer.cli.{_BY_NAME[command].module}")
    getattr(module, f"define_{command}".replace("-", "_"))(parser)
    assert [action.dest for action in parser._actions if not action.help] == []


def test_every_command_is_tried():
    """A new option needs a value in tests/support/option_runs.py; packaging/option_table.py reports it."""
    without = {"demo", "publish-keys", "push", "workers", "shell", "bench", "serve", "mcp"}
    assert {name.split()[0] for name in SCENARIOS} - {"nothing"} == set(_BY_NAME) - without
    assert all(command_parser(_BY_NAME[name]).words for name in without)
