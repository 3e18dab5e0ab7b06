"""perplexity, generate and mix: their figures, and what is refused."""

from __future__ import annotations

import json
import re

import pytest
from model_server import ModelServer

from explorer import open_index
from explorer.cli.main import main
from explorer.neural.records import read_scored
from explorer.neural.scripts import SCRIPTS


@pytest.fixture
def run(capsys):
    def run(*words):
        code = main([str(word) for word in words])
        found = capsys.readouterr()
        return code, found.out, found.err

    return run


@pytest.fixture
def ok(run):
    def ok(*words):
        code, out, err = run(*words)
        assert code == 0, err
        return out

    return ok


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("the cat sat on the rug, and the zebra saw the cat on the mat.")
    return path


def test_perplexity(ok, byte_index, text):
    found = json.loads(ok("perplexity", byte_index, text, "--method", "levels", "--levels", "all", "--json"))
    assert found["token_count"] == found["byte_count"] == found["character_count"] == len(text.read_text()) - 1
    assert (found["floor"], found["tuned_on"], found["normalised"]) == (1e-10, None, True)
    # The index has no z: three bytes of "zebra" have the floor, and what is left has a perplexity of its own.
    assert found["zeros"] >= found["unknown_count"] == 1
    assert found["perplexity"] > found["perplexity_of_rest"] > 1
    assert found["bits_per_character"] == pytest.approx(found["bits_per_byte"])
    assert ok("perplexity", byte_index, text, "--method", "counts", "--levels", "all", "--format", "jsonl") == ok(
        "perplexity", byte_index, text, "--method", "levels", "--levels", "all", "--format", "jsonl"
    )


def test_an_infinite_perplexity_is_null(ok, byte_index, text):
    found = json.loads(ok("perplexity", byte_index, text, "--method", "infgram", "--json"))
    assert found["perplexity"] is found["bits_per_character"] is found["floor"] is None
    assert found["zeros"] > 0 and found["perplexity_of_rest"] >= 1
    said = ok("perplexity", byte_index, text, "--method", "infgram")
    assert "\tinf\t" in said and "perplexity is infinite" in said
    given = json.loads(ok("perplexity", byte_index, text, "--method", "infgram", "--floor", "0.001", "--json"))
    assert given["perplexity"] > 1 and given["floor"] == 0.001


def test_scores_have_no_perplexity(ok, byte_index, text):
    found = json.loads(ok("perplexity", byte_index, text, "--method", "backoff", "--floor", "1e-6", "--json"))
    assert found["normalised"] is False and found["perplexity"] is None and found["score"] > 1
    assert "erplexity" not in ok("perplexity", byte_index, text, "--method", "backoff").splitlines()[0]


def test_learned_trust(ok, byte_index, text, tmp_path):
    other = tmp_path / "b.txt"
    other.write_text("the dog sat on the mat, and the dog saw the cat.")
    found = json.loads(ok("perplexity", byte_index, text, "--json"))
    tuned = json.loads(ok("perplexity", byte_index, text, "--tune", other, "--json"))
    assert (found["tuned_on"], tuned["tuned_on"]) == ("corpus", str(other))
    assert tuned["tuned_tokens"] == len(other.read_text()) - 1
    every = json.loads(ok("perplexity", byte_index, text, "--vocabulary", "all", "--json"))
    assert (found["zeros"], every["zeros"]) == (1, 0) and every["perplexity"] > 1


def test_one_half_is_learned_from(ok, run, byte_index, text, tmp_path):
    rows = ["the cat sat on the mat", "the dog sat on the rug", "a cat saw the zebra", "the mat"]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({"text": row}) + "\n" for row in rows))
    (tmp_path / "first.jsonl").write_text("".join(json.dumps({"text": row}) + "\n" for row in rows[::2]))
    (tmp_path / "rest.jsonl").write_text("".join(json.dumps({"text": row}) + "\n" for row in rows[1::2]))
    half = json.loads(ok("perplexity", byte_index, path, "--tune", "half", "--json"))
    apart = json.loads(
        ok("perplexity", byte_index, tmp_path / "rest.jsonl", "--tune", tmp_path / "first.jsonl", "--json")
    )
    assert half["tuned_on"] == "every other text" and half["tuned_tokens"] == apart["tuned_tokens"]
    assert (half["token_count"], half["perplexity"]) == (apart["token_count"], apart["perplexity"])
    one = json.loads(ok("perplexity", byte_index, text, "--tune", "half", "--json"))
    size = len(text.read_text())
    assert one["tuned_on"] == "first half of the text" and one["token_count"] == size - size // 2
    text.write_text("a")
    code, _, err = run("perplexity", byte_index, text, "--tune", "half")
    assert code == 2 and "has no halves" in err


def test_accuracy_is_printed(ok, byte_index, text):
    found = json.loads(ok("perplexity", byte_index, text, "--method", "infgram", "--accuracy", "--json"))
    assert 0 < found["accuracy"] < 1 and found["sources"][0]["accuracy"] == found["accuracy"]
    head, row = ok("perplexity", byte_index, text, "--method", "infgram", "--accuracy").splitlines()[:2]
    shown = dict(zip(head.split("\t"), row.split("\t"), strict=True))
    assert shown["accuracy"] == f"{found['accuracy']:.1%}" and shown["ppl"] == shown["ppl1"]


def test_probes(ok, run, byte_index, tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("prompt,ending\nthe cat sat on the,mat\nqq,zz\n")
    found = json.loads(ok("probe", byte_index, path, "--method", "infgram", "--json"))
    assert [one["ending"] for one in found["results"]] == [" mat", " zz"] and found["probe_count"] == 2
    code, out, err = run("probe", byte_index, path, "--method", "infgram")
    assert code == 0 and out.splitlines()[1].startswith("1\t") and "prompts: 2; " in err
    path.write_text("prompt,answer\nthe,cat\n")
    code, _, err = run("probe", byte_index, path)
    assert code == 2 and "ending" in err
    assert (
        json.loads(ok("probe", byte_index, path, "--text-field", "answer", "--json"))["results"][0]["ending"] == " cat"
    )


def test_a_cache_is_reported(ok, byte_index, text, tmp_path):
    out = ok("draft", byte_index, text, "--cache", tmp_path / "cache.bin")
    assert "pairs of tokens, " in out.splitlines()[-1] and (tmp_path / "cache.bin").stat().st_size > 0


def test_settings_are_those_of_the_method(ok, byte_index, text):
    def settings(*options):
        return json.loads(ok("perplexity", byte_index, text, *options, "--json"))["settings"]

    ngram = settings("--method", "ngram", "--n", "3")
    assert (ngram["n"], ngram["floor"]) == (3, None) and not {"levels", "alpha", "base", "tune", "context"} & set(ngram)
    # The default is the method's, not the option's.
    assert settings("--method", "laplace")["alpha"] == 1.0 and settings("--method", "backoff")["alpha"] == 0.4
    assert settings("--method", "levels")["floor"] == 1e-10 and settings()["tune"] is None


def test_sources_are_compared(ok, byte_index, tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [{"text": "the cat sat on the mat", "by": "a"}, {"text": "mat zebra cat", "by": "b"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = json.loads(ok("perplexity", byte_index, path, "--group", "by", "--vocabulary", "all", "--json"))
    assert [(row["text"], row["source"]) for row in found["results"]] == [(0, "a"), (1, "b")]
    good, bad = (source["perplexity"] for source in found["sources"])
    assert good < found["perplexity"] < bad
    assert ok("perplexity", byte_index, path, "--group", "by").splitlines()[1].startswith("a\t")


def test_texts_of_the_corpus(ok, byte_index, text_folder):
    path = text_folder / "one.txt"
    with_it, without = (
        json.loads(ok("perplexity", byte_index, path, "--method", "levels", *more, "--json"))["perplexity"]
        for more in ([], ["--leave-one-out"])
    )
    assert with_it < without


def test_a_prompt_that_nothing_follows_gets_a_sentence(run, byte_index):
    code, out, err = run("generate", byte_index, "the ☃")
    assert (code, out) == (0, "the ☃\n")
    assert "nothing was written: the end of the prompt never occurs in the corpus" in err


def test_generate(ok, byte_index):
    words = ("generate", byte_index, "the cat", "--levels", "2", "--temperature", "0.8", "--max-tokens", "12")
    found = json.loads(ok(*words, "--seed", "3", "--json"))["results"][0]
    assert found["prompt"] == "the cat" and len(found["tokens"]) == found["token_count"] <= 12
    assert found["text"] == "".join(token["text"] for token in found["tokens"])
    assert {"n_median", "n_mean", "n_deviation", "m_median", "m_mean", "m_deviation"} <= set(found["levels"][0])
    assert 0 < found["longest_verbatim"] <= 12
    assert ok(*words, "--seed", "3").rstrip("\n") == ("the cat" + found["text"]).rstrip("\n")
    texts = {ok(*words, "--seed", seed) for seed in range(6)}
    assert len(texts) > 1


def test_what_never_occurs(ok, byte_index):
    found = json.loads(ok("generate", byte_index, "ZZZZ", "--json"))["results"][0]
    assert (found["text"], found["tokens"], found["levels"], found["longest_verbatim"]) == ("", [], [], 0)
    found = json.loads(ok("generate", byte_index, "ZZZZ", "--method", "infgram", "--max-tokens", "3", "--json"))
    assert len(found["results"][0]["tokens"]) == 3


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["perplexity", "INDEX", "FILE", "--n", "3"], "--n needs --method ngram"),
        (["perplexity", "INDEX", "FILE", "--method", "witten-bell", "--tune", "FILE"], "--tune cannot be used with"),
        (["perplexity", "INDEX", "FILE", "--method", "nope"], "--method"),
        (["perplexity", "INDEX", "FILE", "--levels", "0"], "--levels"),
        (["perplexity", "INDEX", "FILE", "--method", "levels", "--floor", "0"], "--floor"),
        (
            ["perplexity", "INDEX", "FILE", "--method", "weighted", "--weight", "exponential", "--base", "999"],
            "too large",
        ),
        (["perplexity", "INDEX", "EMPTY"], "no token to score"),
        (["generate", "INDEX", "the", "--temperature", "-1"], "--temperature"),
        (["generate", "INDEX", "the", "--top-p", "0"], "--top-p"),
        (["generate", "INDEX", "the", "--method", "ngram", "--levels", "2"], "--levels cannot be used with"),
        (["generate", "INDEX", "the", "--weight", "linear"], "--weight needs --method weighted or --mix"),
        (["generate", "INDEX", "the", "--method", "weighted", "--weight", "0.5"], "--weight must be one of linear"),
        (["generate", "INDEX", "the", "--candidates", "9"], "--candidates needs --mix"),
        (["generate", "INDEX", "the", "--mix", "localhost:1", "--most-verbatim", "3"], "cannot be used with --mix"),
        (["generate", "INDEX", "the", "--mix", "localhost:1", "--weight", "1.5"], "the weight of the model"),
        (["generate", "INDEX", "the", "--mix", "localhost:1", "--weight", "linear"], "the weight of the model"),
        (["generate", "INDEX", "the", "--mix", "localhost:1"], "No server answers at localhost:1"),
        (["generate", "INDEX", "the", "--mix", "http://192.0.2.1"], "add --allow-remote"),
        (["generate", "INDEX", "the", "--mix", "http://a b"], "is not the address of a server"),
    ],
)
def test_refused(run, byte_index, text, tmp_path, words, reason):
    (tmp_path / "empty.txt").write_text("")
    names = {"INDEX": byte_index, "FILE": text, "EMPTY": tmp_path / "empty.txt"}
    code, out, err = run(*(names.get(word, word) for word in words))
    assert (code, out) == (2, "") and reason in err and err.count("corpus-explorer: ") == 1


def test_a_text_of_one_token(ok, run, byte_index, text, tmp_path):
    (tmp_path / "one.txt").write_text("a")
    code, out, err = run("perplexity", byte_index, tmp_path / "one.txt", "--json")
    assert (code, out) == (2, "") and "no token to score" in err
    found = json.loads(ok("perplexity", byte_index, tmp_path / "one.txt", text, "--json"))["results"][0]
    assert (found["token_count"], found["perplexity"], found["bits_per_character"]) == (0, None, None)


def test_generate_with_a_model(ok, byte_index):
    with ModelServer() as server:
        words = ("generate", byte_index, "the cat", "--mix", server.url, "--max-tokens", "6", "--method", "infgram")
        found = json.loads(ok(*words, "--weight", "0.25", "--json"))["results"][0]
        assert found["model"] == "toy.gguf" and len(found["tokens"]) == 6
        for token in found["tokens"]:
            assert token["model_weight"] == 0.25 and 0 < token["model_probability"] <= 1
            assert (token["document"] is None) <= (token["corpus_probability"] == 0)
        assert found["text"] == "".join(token["text"] for token in found["tokens"])
        shown = ok(*words, "--weight", "0.25").splitlines()
        assert shown[-7].split("\t")[:4] == ["token", "probability", "model", "corpus"] and len(shown) >= 8
        assert json.loads(ok(*words, "--json"))["results"][0]["tokens"][0]["model_weight"] == 0.5
        by = json.loads(ok(*words, "--weight-by", "confidence", "--weight", "0", "--json"))["results"][0]["tokens"]
        first = by[0]["levels"][0]
        assert by[0]["model_weight"] == 1 - (0.7 * min(first["n"] / 10, 1) + 0.3 * min(first["m"] / 100, 1))
    alone = json.loads(ok("generate", byte_index, "the cat", "--json"))["results"][0]
    assert alone["model"] is None and alone["tokens"][0]["model_probability"] is None


def test_temperatures(ok, byte_index):
    for temperature in ("0", "1e-6", "100", "1e6"):
        out = ok("generate", byte_index, "the", "--temperature", temperature, "--max-tokens", "5", "--json")
        assert json.loads(out)["results"][0]["token_count"] == 5


@pytest.fixture
def logs(tmp_path):
    """Each character as a token of its own, as a byte index has it."""
    text = "the cat sat on the rug"
    tokens = [{"start": at, "end": at + 1, "logprob": -0.1 * at if at else None} for at in range(len(text))]
    path = tmp_path / "logs.jsonl"
    path.write_text(json.dumps({"text": text, "model": "mine", "tokens": tokens}) + "\n")
    return path


def test_mix(ok, byte_index, logs, tmp_path):
    found = json.loads(ok("mix", byte_index, "--probabilities", logs, "--html", tmp_path / "r.html", "--json"))
    mixed = open_index(byte_index).mix(logs)
    assert (found["model"], found["method"], found["same_tokenizer"]) == ("mine", "infgram", True)
    assert (found["unit_count"], found["token_count"], found["character_count"]) == (21, 21, 21)
    assert (found["lambda_sparse"], found["lambda_other"]) == (mixed.weights.sparse, mixed.weights.other)
    second = found["parts"][1]
    assert second["hybrid"]["perplexity"] == mixed.second.hybrid.perplexity
    assert second["improvement"] == mixed.second.improvement
    assert found["curve"][0]["weight"] == 0
    assert [row["gain"] for row in found["results"]] == [row.gain for row in mixed.rows]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert (
        re.sub("<[^>]*>", "", page[page.index('<div class="text"') : page.index("</div>")]) == "he cat sat on the rug"
    )
    assert f"{mixed.second.hybrid.perplexity:.2f}" in page


def test_what_mix_refuses(ok, run, byte_index, logs, text, tmp_path):
    (tmp_path / "same.txt").write_text("the cat sat on the rug")
    assert ok("mix", byte_index, tmp_path / "same.txt", "--probabilities", logs) == ok(
        "mix", byte_index, "--probabilities", logs
    )
    _, _, err = run("mix", byte_index, text, "--probabilities", logs)
    assert "text 1 are of another text: they differ at character 23" in err
    logs.write_text('{"text": "the cat", "tokens": [{"start": 0, "end": 1, "logprob": -1, "probability": 0.1}]}')
    _, _, err = run("mix", byte_index, "--probabilities", logs)
    assert "line 1: the log probability of token 1 does not fit" in err and "--log-base" in err
    _, _, err = run("mix", byte_index, "--probabilities", logs, "--html", "-", "--json")
    assert "--json cannot be used with --html -" in err


def test_mix_with_a_server(ok, run, byte_index, tmp_path):
    (tmp_path / "texts.txt").write_text("the cat sat on the mat and the dog saw the cat")
    kept, words = tmp_path / "kept.jsonl", ("mix", byte_index, tmp_path / "texts.txt", "--json", "--server")
    with ModelServer(manner="goes", after=9) as server:
        code, out, err = run(*words, server.url, "--probabilities-out", kept)
    assert (code, out) == (2, "") and "What was scored is in" in err and len(read_scored(kept)[0].tokens) > 3
    with ModelServer() as server:
        direct = json.loads(ok(*words, server.url))
        saved = json.loads(ok(*words, server.url, "--probabilities-out", kept, "--resume"))
        code, _, err = run(*words, server.url, "--probabilities-out", kept)
        assert code == 2 and "exists already" in err and "--resume" in err
    read = json.loads(ok("mix", byte_index, "--probabilities", kept, "--json"))
    assert direct["parts"] == saved["parts"] == read["parts"] and direct["model"] == "toy.gguf"


def test_what_a_server_gave_is_kept_without_a_file(ok, run, byte_index, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    (tmp_path / "texts.txt").write_text("the cat sat on the mat and the dog saw the cat")
    words = ("mix", byte_index, tmp_path / "texts.txt", "--json", "--server")
    with ModelServer(manner="goes", after=9) as server:
        code, _, err = run(*words, server.url)
        (kept,) = (tmp_path / "cache" / "scores").iterdir()
        assert code == 2 and f"What was scored is in {kept}; the same command continues it." in err
        server.manner, done = "", len(read_scored(kept)[0].tokens)
        before = server.completions
        code, out, err = run(*words, server.url)
        continued = server.completions - before
        assert code == 0 and done > 3 and f"continuing what was scored before, in {kept}" in err
        assert not kept.exists()
        again = server.completions
        assert json.loads(out)["parts"] == json.loads(ok(*words, server.url))["parts"]
        assert server.completions - again == continued + done - 1
        # A damaged file is made again.
        kept.write_text("{}\n")
        assert json.loads(ok(*words, server.url))["parts"] == json.loads(out)["parts"] and not kept.exists()
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(blocked))
    with ModelServer() as server:
        code, _, err = run(*words, server.url)
    assert code == 0 and "what is scored is not kept if the work is stopped" in err


def test_the_key_of_a_server_is_read_from_a_variable_and_never_shown(run, byte_index, tmp_path, monkeypatch):
    (tmp_path / "texts.txt").write_text("the cat sat on the mat")
    monkeypatch.setenv("MY_KEY", "sk-right\n")
    monkeypatch.setenv("WRONG", "sk-wrong")
    monkeypatch.setenv("ODD", "sk odd")
    with ModelServer() as server:
        server.key = "sk-right"
        for words in (
            ("mix", byte_index, tmp_path / "texts.txt", "--server", server.url),
            ("generate", byte_index, "the ", "--mix", server.url, "--method", "infgram", "--max-tokens", "2"),
        ):
            code, out, err = run(*words, "--json", "--debug", "--api-key-variable", "MY_KEY")
            assert code == 0 and "sk-right" not in out + err and "MY_KEY" not in out
            for name, told in (("WRONG", "Incorrect API key: …."), ("ODD", "visible ASCII"), ("sk-none", "not set")):
                code, out, err = run(*words, "--json", "--debug", "--api-key-variable", name)
                assert code == 2 and told in err and "sk-" not in (out + err).replace("sk-none", "")
            assert run(*words, "--json")[0] == 2
    code, _, err = run(
        "mix", byte_index, tmp_path / "texts.txt", "--server", "http://192.0.2.1", "--allow-remote",
        "--api-key-variable", "MY_KEY",
    )  # fmt: skip
    assert code == 2 and "the key was not sent" in err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "Give --probabilities FILE, or --server URL"),
        (["--server", "localhost:1"], "--server needs the texts"),
        (["TEXT", "--server", "http://192.0.2.1"], "add --allow-remote"),
        (["TEXT", "--server", "localhost:1", "--resume"], "--resume needs --probabilities-out"),
        (["--probabilities", "TEXT", "--window", "9"], "--window needs --server"),
        (["TEXT", "--server", "localhost:1", "--probabilities", "TEXT"], "cannot be used with"),
    ],
)
def test_what_a_server_needs(run, byte_index, text, words, reason):
    code, out, err = run("mix", byte_index, *(text if word == "TEXT" else word for word in words))
    assert (code, out) == (2, "") and reason in err


@pytest.mark.parametrize("package", list(SCRIPTS))
def test_a_script_is_printed_without_an_index(run, package):
    """What it does: tests/neural/test_scripts.py."""
    assert run("mix", "--print-script", package) == (0, SCRIPTS[package], "")
