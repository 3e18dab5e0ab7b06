"""Which files of a repository are read, by its card, or by the names of its folders and files."""

from __future__ import annotations

import pytest

from explorer.building.sources.hub_layout import choose_files
from explorer.errors import SourceError
from explorer.http.hub import HubFile, Repository
from explorer.http.wire.hub import HubAddress

ADDRESS = HubAddress("owner/news", is_dataset=True, revision="a" * 40)


def repository(*names, configs=None):
    card = {} if configs is None else {"configs": configs}
    return Repository(ADDRESS, card, tuple(HubFile(name, 100) for name in sorted(names)))


def names_of(found, config="", split=""):
    return [file.name for file in choose_files(found, config, split).files]


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("data/train-00000-of-00002.parquet", "train"),
        ("data/forget01-00000-of-00001.parquet", "forget01"),
        ("validation.jsonl.gz", "validation"),
        ("dev/part.jsonl", "validation"),
        ("my_test_file.csv", "test"),
        ("eval/a/b.json", "test"),
        ("latest.csv", "train"),
        ("news.parquet", "train"),
        ("test/train.csv", "test"),
    ],
)
def test_names_of_folders_and_files_mean_splits(name, split):
    found = repository(name, "README.md")
    assert names_of(found, split=split) == names_of(found) == [name]


def test_the_card_names_data_files_in_all_of_its_forms():
    files = ("a.csv", "b.csv", "deep/c.csv", "deep/er/d.csv", "deep/.hidden.csv", "notes.md")
    forms = [
        ("*.csv", {"train": ["a.csv", "b.csv"]}),
        (["b.csv", "a.csv"], {"train": ["b.csv", "a.csv"]}),
        ("**/*.csv", {"train": ["a.csv", "b.csv", "deep/c.csv", "deep/er/d.csv"]}),
        ({"one": "a.csv", "two": ["deep/*"]}, {"one": ["a.csv"], "two": ["deep/c.csv"]}),
        ([{"split": "x", "path": "?.csv"}, {"split": "y", "path": ["deep/**"]}], {"x": ["a.csv", "b.csv"]}),
    ]
    for data_files, expected in forms:
        found = repository(*files, configs=[{"config_name": "c", "data_files": data_files}])
        for split, names in expected.items():
            assert names_of(found, "c", split) == names, data_files


def test_the_usual_configuration_is_read_unless_another_is_named():
    configs = [
        {"config_name": "de", "data_files": "de.csv"},
        {"config_name": "en", "data_files": "en.csv", "default": True},
        {"config_name": "fr", "data_dir": "fr"},
    ]
    found = repository("de.csv", "en.csv", "fr/test.csv", "fr/train.csv", configs=configs)
    assert names_of(found) == ["en.csv"]
    assert names_of(found, "de") == ["de.csv"]
    assert names_of(found, "fr", "test") == ["fr/test.csv"]
    with pytest.raises(SourceError, match=r"has no configuration es\. It has: de, en, fr\."):
        choose_files(found, "es")
    with pytest.raises(SourceError, match=r"has no split dev\. It has: test, train\."):
        choose_files(found, "fr", "dev")


def test_one_of_several_configurations_must_be_named():
    found = repository("de.csv", "en.csv", configs=[{"config_name": n, "data_files": f"{n}.csv"} for n in ("de", "en")])
    with pytest.raises(SourceError, match=r"as in hf://datasets/owner/news/de: de, en\."):
        choose_files(found)


def test_without_a_card_a_folder_can_be_named():
    found = repository("en/train.csv", "en/test.csv", "de/train.csv")
    assert names_of(found) == ["de/train.csv", "en/train.csv", "en/test.csv"]
    assert names_of(found, "en") == ["en/test.csv", "en/train.csv"]
    assert names_of(found, "en", "test") == ["en/test.csv"]


def test_files_beside_the_data_are_told_apart():
    chosen = choose_files(
        repository(
            "a.parquet", "b.parquet", "old.csv", "notes.txt", "LICENSE.txt", "read.md", "README.md", ".x/c.parquet"
        )
    )
    assert [file.name for file in chosen.files] == ["a.parquet", "b.parquet"]
    assert [file.name for file in chosen.others] == [".x/c.parquet", "LICENSE.txt", "notes.txt", "old.csv", "read.md"]


def test_a_repository_of_texts_is_read_as_texts():
    assert names_of(repository("a.txt", "b/c.txt", "README.md", "about.md")) == ["a.txt", "b/c.txt"]


def test_a_branch_that_the_hub_made_has_configurations_and_splits_as_folders():
    found = repository("default/train/0000.parquet", "default/train/0001.parquet", "old/partial-test.v1/0000.parquet")
    assert names_of(found) == ["default/train/0000.parquet", "default/train/0001.parquet"]
    chosen = choose_files(found, "old", "test.v1")
    assert [file.name for file in chosen.files] == ["old/partial-test.v1/0000.parquet"]
    assert chosen.is_partial and not choose_files(found).is_partial


@pytest.mark.parametrize("names", [(), ("README.md", ".gitattributes"), ("model.safetensors", "picture.png")])
def test_a_repository_without_data_gives_no_files(names):
    assert names_of(repository(*names)) == []


@pytest.mark.parametrize("configs", ["x", [1], [{}], [{"config_name": []}], [{"data_files": 3, "config_name": "a"}]])
def test_a_card_of_another_form_names_nothing(configs):
    assert names_of(repository("a.csv", configs=configs)) in ([], ["a.csv"])
