"""ARPA files: a reader of the format finds the probabilities that the model gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.cli.main import main
from explorer.errors import QueryError

DOCUMENTS = [
    "the cat sat on the mat. the cat sat",
    "a dog sat on the rug",
    "dog",
    "the dog saw the cat, the cat saw a dog",
]
TEXTS = ["the cat saw the rug", "a mat. the dog on a cat", "dog dog dog", "saw the cat, the"]


class Arpa:
    """The file as its format tells: n-grams with log10 probabilities and weights."""

    def __init__(self, path: Path) -> None:
        self.grams: dict[tuple[str, ...], tuple[float, float]] = {}
        head, *sections = path.read_text("ascii").removesuffix("\\end\\\n").split("-grams:\n")
        self.sizes = [int(line.partition("=")[2]) for line in head.splitlines() if line.startswith("ngram ")]
        found = []
        for n, section in enumerate(sections, start=1):
            rows = [line.split("\t") for line in section.splitlines() if "\t" in line]
            found.append(len(rows))
            for log, words, *weight in rows:
                assert len(words.split(" ")) == n
                self.grams[tuple(words.split(" "))] = float(log), float(weight[0]) if weight else 0.0
        assert found == self.sizes

    def log10(self, context: tuple[str, ...], word: str) -> float:
        """Its log10 probability after a context."""
        weights = 0.0
        context = context[max(0, len(context) - len(self.sizes) + 1) :]
        while (*context, word) not in self.grams:
            weights += self.grams.get(context, (0.0, 0.0))[1]
            context = context[1:]
        return weights + self.grams[*context, word][0]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arpa")
    lines = "".join(json.dumps({"text": text}) + "\n" for text in DOCUMENTS)
    (folder / "source.jsonl").write_text(lines)
    build_index(folder / "source.jsonl", folder / "index", tokenizer="bytes")
    return open_index(folder / "index")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("witten-bell", {"context": 4}),
        ("witten-bell", {"context": 2, "every_length": True}),
        ("discount", {"context": 3, "discount": 0.7}),
        ("learned", {"context": 4}),
        ("learned", {"context": 3, "vocabulary": "all"}),
    ],
)
def test_the_file_has_the_probabilities_of_the_model(corpus, tmp_path, name, settings):
    model = corpus.model(name, **settings)
    sizes = model.save_arpa(tmp_path / "a.arpa")
    arpa = Arpa(tmp_path / "a.arpa")
    assert arpa.sizes == [sizes[0] + 3, *sizes[1:]] and len(sizes) == settings["context"] + 1
    for text in TEXTS:
        words = [str(each) for each in corpus.encode(text)]
        found = [arpa.log10(tuple(words[:place]), words[place]) for place in range(1, len(words))]
        assert found == pytest.approx(np.log10(model.score(text).probabilities).tolist(), rel=1e-7)
        ends = [10 ** arpa.log10(tuple(words), str(token)) for token in model.vocabulary.tolist()]
        # Among all bytes, the separator has a share that it never uses.
        lost = model.distribution(text).other if "vocabulary" in settings else 0
        assert sum(ends) == pytest.approx(1 - lost, abs=1e-6)


def test_every_ngram_of_a_document_is_listed_and_none_across_two(corpus, tmp_path):
    assert corpus.model("witten-bell", context=1).save_arpa(tmp_path / "a.arpa") == (
        len(set("".join(DOCUMENTS))),
        len({text[at : at + 2] for text in DOCUMENTS for at in range(len(text) - 1)}),
    )


def test_words_that_a_file_must_have_never_come(corpus, tmp_path):
    corpus.model("witten-bell", context=1).save_arpa(tmp_path / "a.arpa")
    arpa = Arpa(tmp_path / "a.arpa")
    assert {arpa.grams[word,] for word in ("<unk>", "<s>", "</s>")} == {(-99.0, 0.0)}


@pytest.mark.parametrize(
    ("name", "settings", "reason"),
    [
        ("levels", {}, "no-backoff-form"),
        ("witten-bell", {"context": 4, "transforms": ["lower"]}, "no-backoff-form"),
        ("discount", {"context": 5}, "context-too-long"),
    ],
)
def test_other_models_are_refused(corpus, tmp_path, name, settings, reason):
    with pytest.raises(QueryError) as error:
        corpus.model(name, **settings).save_arpa(tmp_path / "a.arpa")
    assert error.value.reason == reason and not (tmp_path / "a.arpa").exists()


def test_the_command_scores_the_model_that_it_writes(corpus, tmp_path, capsys):
    (tmp_path / "text.txt").write_text(TEXTS[0])
    out = str(tmp_path / "a.arpa")
    index, text = str(corpus.folders[0]), str(tmp_path / "text.txt")
    assert main(["perplexity", index, text, "--method", "witten-bell", "--arpa", out, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    arpa, words = Arpa(Path(out)), [str(each) for each in corpus.encode(TEXTS[0])]
    logs = [arpa.log10(tuple(words[:place]), words[place]) for place in range(1, len(words))]
    assert found["perplexity"] == pytest.approx(10 ** -np.mean(logs), rel=1e-7)
    assert found["arpa"] == out and found["arpa_ngrams"] == [arpa.sizes[0] - 3, *arpa.sizes[1:]]
    assert found["settings"]["context"] == 4 and len(arpa.sizes) == 5
