"""Fixtures for all rooms."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from model_answers import WRITTEN, ModelAnswers, read_texts
from shared_data import ABSENT, SHARED, tokenizer_files
from tiers import SIZES

# The time of an example depends on the machine and shows nothing about the program. `make test-all` uses the second.
for _name, _examples in (("push", 20), ("nightly", 300)):
    hypothesis.settings.register_profile(
        _name,
        parent=hypothesis.settings.default,
        max_examples=_examples,
        deadline=None,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
hypothesis.settings.load_profile("push")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Shells have Ctrl-C ignored in what they start in the background, and it would be in every program that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Errors of the system are in the language of the machine from when Qt starts; tests compare them in English.
os.environ["LANGUAGE"] = "en"
# What tests open, build and set leaves nothing in the user's folders, also where they start processes.
HOME = tempfile.mkdtemp(prefix="corpus-explorer-test-")
for _name in ("CACHE", "CONFIG", "DATA"):
    os.environ[f"CORPUS_EXPLORER_{_name}"] = str(Path(HOME, _name.lower()))
for _name in ("INDEX", "TOKENIZER"):
    os.environ.pop(f"CORPUS_EXPLORER_{_name}", None)

WHOLLY_NIGHTLY = re.compile(r"^pytestmark = pytest\.mark\.nightly$", re.MULTILINE)
TEXTS = {
    "one.txt": "the cat sat on the mat. the cat sat on the rug.\nA dog saw the cat.\n",
    "two.txt": "the dog sat on the mat, and the dog saw the cat on the rug.\n" * 3,
    "three.md": "# Title\n\nUnicode: naïve café, 日本語, 😀 emoji; the cat sat on the mat.\n",
    "code/four.py": "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """pytest --backend=lists tests/search: the same tests over documents in Python lists, or over another backend."""
    help_ = (
        "what `open_index` opens: shards (the local files), their documents in Python lists, questions as JSON, the "
        "files from a web server, in parts, or their documents in several indexes that are asked as one"
    )
    parser.addoption(
        "--backend", choices=("shards", "lists", "asked", "bucket", "several"), default="shards", help=help_
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let `open_index` open lists if it is asked to, before a test module imports it."""
    config.addinivalue_line("markers", "local(reason): asserts what only files on this machine have; see --backend")
    config.addinivalue_line(
        "markers", "one_index: asserts what follows the last document, which nothing does where an index ends"
    )
    config.addinivalue_line("markers", "subtracts: leaves documents out, which an index elsewhere cannot")
    if config.getoption("--backend") != "shards":
        from opened_with import as_several, in_lists, in_parts, open_with, over_json

        patch = pytest.MonkeyPatch()
        config.add_cleanup(patch.undo)
        kinds = {"lists": in_lists, "asked": over_json, "bucket": in_parts, "several": as_several}
        open_with(patch, kinds[config.getoption("--backend")])


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file that is nightly as a whole is not imported: it may need packages that only `make test-all` installs."""
    if "not nightly" not in config.option.markexpr or collection_path.suffix != ".py":
        return None
    return WHOLLY_NIGHTLY.search(collection_path.read_text(encoding="utf-8")) is not None or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests of the window, which needs Qt, and of the shared data; skip some over lists; begin with long ones."""
    window = Path(__file__).parent / "gui"
    for item in items:
        if window in item.path.parents:
            item.add_marker("qt")
        if "shared" in item.fixturenames:
            item.add_marker("nightly")
        mark = item.get_closest_marker("local")
        if mark and config.getoption("--backend") != "shards":
            item.add_marker(pytest.mark.skip(reason=f"only local files: {mark.args[0]}"))
        if item.get_closest_marker("one_index") and config.getoption("--backend") == "several":
            item.add_marker(pytest.mark.skip(reason="only local files: something follows the last document"))
        if item.get_closest_marker("subtracts") and config.getoption("--backend") in ("asked", "bucket", "several"):
            item.add_marker(pytest.mark.skip(reason="only local files: leaves documents out"))
    # A file is one process's: were a long one last, the other processes would wait for it.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Any:
    """A fixture that asks a web server for what would read all files leaves its test to local files."""
    with _left_to_local_files(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """So does a test."""
    with _left_to_local_files(item):
        return (yield)


@contextmanager
def _left_to_local_files(item: pytest.Item) -> Iterator[None]:
    from explorer.errors import CapabilityError

    try:
        yield
    except CapabilityError as error:
        if item.config.getoption("--backend") not in ("bucket", "several"):
            raise
        pytest.skip(f"only local files: {error}")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """How much of a run over lists was left to local files."""
    if config.getoption("--backend") != "shards":
        skipped = [
            report for report in terminalreporter.stats.get("skipped", []) if "only local" in str(report.longrepr)
        ]
        passed = len(terminalreporter.stats.get("passed", []))
        terminalreporter.write_line(
            f"over {config.getoption('--backend')}: {passed} passed, {len(skipped)} left to local files"
        )


def pytest_unconfigure() -> None:
    """Nor in the folder for temporary files."""
    shutil.rmtree(HOME, ignore_errors=True)


@pytest.fixture(scope="session")
def shared(pytestconfig: pytest.Config) -> Path:
    """The shared data; tests that need it are skipped where it is absent, and over lists, for which it is too large."""
    if pytestconfig.getoption("--backend") != "shards":
        pytest.skip("only local files: the shared indexes are too large for lists")
    if not SHARED.is_dir():
        pytest.skip(ABSENT)
    return SHARED


@pytest.fixture(scope="session")
def answers(shared) -> dict[str, list[str]]:
    """The answers of twelve models, by the names of their files."""
    return {path.name: read_texts(path) for path in sorted((shared / "llm-outputs").glob("*.jsonl.gz"))}


@pytest.fixture(scope="session")
def answers_index(shared, answers, tmp_path_factory) -> Path:
    """An index of them, one document for each: 2,856,074 tokens of Llama 2."""
    from explorer import build_index

    folder = tmp_path_factory.mktemp("answers") / "index"
    tokenizer = shared / "tokenizers" / "llama-2-7b-hf.tokenizer.json"
    build_index([{"text": text} for texts in answers.values() for text in texts], folder, tokenizer=tokenizer)
    return folder


@pytest.fixture(scope="session", params=SIZES)
def some_answers(request, tmp_path_factory) -> ModelAnswers:
    """Answers of models with an index of them: those that are written for the tests; the shared ones where they are."""
    from explorer import build_index

    if request.param == "shared":
        answers, index = map(request.getfixturevalue, ("answers", "answers_index"))
        return ModelAnswers([text for texts in answers.values() for text in texts], index)
    texts, folder = read_texts(WRITTEN), tmp_path_factory.mktemp("answers") / "index"
    build_index([{"text": text} for text in texts], folder, tokenizer=tokenizer_files()[0])
    return ModelAnswers(texts, folder)


@pytest.fixture(scope="session")
def text_folder(tmp_path_factory) -> Path:
    """A small folder of texts."""
    folder = tmp_path_factory.mktemp("texts")
    for name, text in TEXTS.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def small_index(text_folder, tmp_path_factory) -> Path:
    """An index of that folder, with a tokenizer trained on it."""
    from explorer import build_index

    out = tmp_path_factory.mktemp("index") / "small"
    build_index(text_folder, out, tokenizer="train:400", name="Small")
    return out


@pytest.fixture(scope="session")
def byte_index(text_folder, tmp_path_factory) -> Path:
    """A byte index of that folder."""
    from explorer import build_index

    out = tmp_path_factory.mktemp("index") / "bytes"
    build_index(text_folder, out, tokenizer="bytes")
    return out


@pytest.fixture
def small(small_index):
    """The small index, opened."""
    from explorer import open_index

    return open_index(small_index)


@pytest.fixture(scope="session")
def scale(pytestconfig):
    """scale(few, many): how often a test repeats itself, in `make test` and in `make test-all`."""
    full = pytestconfig.getoption("--hypothesis-profile") == "nightly"
    return lambda few, many: many if full else few


@pytest.fixture
def speak():
    """Speaks a language until the test ends."""
    from explorer import i18n

    earlier = []
    yield lambda speech: earlier.append(i18n.use_speech(speech))
    for speech in reversed(earlier):
        i18n.use_speech(speech)
