"""The question of agreement: one declaration, the same on every surface."""

from __future__ import annotations

import inspect

import pytest

from explorer import Corpus, build_index, open_index
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.cli.main import main
from explorer.derive.question import settings_of
from explorer.errors import QueryError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("agreement")
    build_index([{"text": "a cat sat"}, {"text": "a cat ran"}], place / "index", tokenizer="bytes")
    (place / "a.txt").write_text("a cat sat", encoding="utf-8")
    return place


def test_the_library_has_the_defaults_and_the_help_of_the_question():
    parameters = inspect.signature(Corpus.compare_agreement).parameters
    lines = inspect.getdoc(Corpus.compare_agreement).splitlines()
    for name, each in settings_of(AgreementQuestion).items():
        assert parameters[name].default == each.default
        described = " ".join(line.strip() for line in lines[lines.index(name) + 1 : lines.index(name) + 3])
        assert described.startswith(each.help[:1].upper() + each.help[1:])


@pytest.mark.parametrize(
    "name", [name for name in settings_of(AgreementQuestion) if name.startswith(("max", "prompt_t"))]
)
def test_the_library_and_the_command_refuse_a_value_by_one_sentence(folder, capsys, name):
    least = settings_of(AgreementQuestion)[name].kind.least
    sentence = f"must be a whole number from {least} to 1,000,000,000,000, not -1."
    with pytest.raises(QueryError) as error:
        open_index(folder / "index").compare_agreement(["a cat"], **{name: -1})
    assert str(error.value) == f"{name} {sentence}"
    option = settings_of(AgreementQuestion)[name].option
    assert main(["agree", str(folder / "index"), str(folder / "a.txt"), f"{option}=-1"]) == 2
    assert f"{option} {sentence}" in capsys.readouterr().err


def test_provenance_has_the_seed_only_of_a_sample():
    usual, drawn = dict(AgreementQuestion().facts), dict(AgreementQuestion(max_texts=3, prompt_join="\n").facts)
    assert "seed" not in usual and drawn["seed"] == "0"
    assert (usual["texts per source"], drawn["texts per source"]) == ("all", "3")
    assert "between prompt and text" not in usual and drawn["between prompt and text"] == r"'\n'"
    assert usual["n of the n-gram model"] == "5"


def test_the_library_takes_prompts_as_the_command_does(folder):
    corpus = open_index(folder / "index")
    found = corpus.compare_agreement(["t", "n"], prompts=["a cat sa", "a cat ra"])
    assert (found.token_count, found.agreement) == (2, 1.0)
    assert ("prompts", "2 texts follow a prompt, which is context and not scored") in found.provenance
    assert corpus.compare_agreement(["t"], prompts=["a cat"], prompt_join=" sa").agreement == 1.0
    with pytest.raises(QueryError, match="There are 1 prompts for 2 texts"):
        corpus.compare_agreement(["t", "n"], prompts=["a"])


def test_a_word_stands_for_zero_on_the_command_line(folder, capsys):
    texts = [str(folder / "index"), str(folder / "a.txt")]
    assert main(["agree", *texts, "--max-tokens", "all", "--json"]) == 0
    assert '"max_tokens": 0' in capsys.readouterr().out
