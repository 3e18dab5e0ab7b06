"""How much a command reports beside its result, and in which colors."""

from __future__ import annotations

import re

import pytest

from explorer.cli.commands import COMMANDS, command_parser, window_parser
from explorer.cli.main import main
from explorer.cli.options.environment import VARIABLES


def said(capsys, *arguments):
    code = main(list(map(str, arguments)))
    return code, *capsys.readouterr()


def test_quiet_prints_the_result_alone(capsys, small_index):
    asked = ("count", small_index, "cat AND dog OR rug")
    code, out, err = said(capsys, *asked)
    assert code == 0 and err.startswith("# read as ")
    for option in ("-q", "--quiet"):
        assert said(capsys, *asked, option) == (0, out, "")
    assert said(capsys, *asked)[2] == err
    assert said(capsys, "count", small_index, "cat AND", "-q")[0] == 2


def test_verbose_reports_what_was_opened(capsys, small_index, small):
    code, out, err = said(capsys, "count", small_index, "the cat", "-v")
    assert (code, out) == (0, "7\tthe cat\n")
    opened, took = err.splitlines()
    assert opened == f"# opened {small_index}: {small.token_count:,} tokens, {small.document_count} documents, 1 shard"
    assert re.fullmatch(r"# took \d+\.\d{3} s", took)
    assert said(capsys, "count", small_index, "the cat")[2] == ""


def test_short_options_share_a_dash(capsys, small_index):
    assert said(capsys, "count", small_index, "cat AND dog", "-qF") == (0, "0\tcat AND dog\n", "")
    code, _, err = said(capsys, "count", small_index, "cat", "-qv")
    assert code == 2 and err == "corpus-explorer: --quiet cannot be used with --verbose.\n"
    code, _, err = said(capsys, "count", small_index, "cat", "-Fq", "--match", "regex")
    assert code == 2 and "--literal" in err


@pytest.mark.parametrize(("color", "colored"), [("always", True), ("never", False), ("auto", False)])
def test_colors(capsys, small_index, tmp_path, monkeypatch, color, colored):
    (tmp_path / "a.txt").write_text("the cat sat on the rug")
    for variable in ("", "1"):
        monkeypatch.setenv("NO_COLOR", variable)
        code, out, _ = said(capsys, "trace", small_index, tmp_path / "a.txt", "--color", color)
        assert code == 0 and ("\x1b[" in out) == colored


def test_json_does_not_list_how_it_was_reported(capsys, small_index):
    asked = ("count", small_index, "the cat", "--json")
    assert said(capsys, *asked)[1] == said(capsys, *asked, "--verbose", "--color", "never")[1]


@pytest.mark.parametrize("parser", [window_parser(), *map(command_parser, COMMANDS)], ids=lambda parser: parser.prog)
def test_help_has_variables_and_exit_codes(parser):
    text = parser.format_help()
    assert max(map(len, text[text.index("ENVIRONMENT:") :].splitlines())) <= 79
    # Each name apart from its meaning.
    assert all(f"\n  {name}  " in text for name, _ in VARIABLES)
    for part in ("\nENVIRONMENT:\n", "\nEXIT STATUS:\n", "CORPUS_EXPLORER_DATA", "NO_COLOR", "--color", "-q", "-v"):
        assert part in text


@pytest.mark.parametrize(
    "before",
    [["-q"], ["--quiet"], ["--color", "never"], ["--color=always", "-q"], ["-v"], ["--debug", "--color", "never"]],
)
def test_options_of_every_command_may_come_first(capsys, small_index, before):
    words = ["count", small_index, "cat AND dog OR rug"]
    code, out, err = said(capsys, *before, *words)
    after = said(capsys, *words, *before)
    assert (code, out) == after[:2] == (0, out) and out
    assert re.sub(r"took .*", "", err) == re.sub(r"took .*", "", after[2])


def test_help_may_come_first(capsys):
    assert said(capsys, "--help", "count") == said(capsys, "-q", "count", "--help")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--color", "count", "i", "cat"], "Argument --color: invalid choice: 'count'"),
        (["-qv", "count", "i", "cat"], "--quiet cannot be used with --verbose."),
        (["--json", "count", "i", "cat"], "The command comes before its options: corpus-explorer count … --json"),
        (["--minus=x", "count", "i"], "The command comes first: corpus-explorer count …"),
        (["count", "--ignorecase", "i", "cat"], "There is no option --ignorecase; did you mean --ignore-case?"),
        # The option, and not what is missing for want of it.
        (["build", "--ouput", "x", "y"], "There is no option --ouput; did you mean --out?"),
        (["count", "i", "cat", "--qqqq=3"], "There is no option --qqqq. Run corpus-explorer count --help for help."),
    ],
)
def test_what_comes_first_or_is_mistyped_is_named(capsys, words, sentence):
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "") and sentence in err and err.count("\n") == 1
