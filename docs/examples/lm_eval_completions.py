"""Run lm-evaluation-harness on a corpus: 100 passages of a text, by its `local-completions`, beside our own perplexity.

    pip install lm-eval transformers tenacity aiohttp            # not needed by Corpus Explorer
    corpus-explorer serve my-index --name books                  # in another terminal
    python docs/examples/lm_eval_completions.py my-index held-out.txt --model books --tokenizer tokenizer.json

Each item is a passage: its first ten words are the context, the others are scored. The harness asks the server for log
probabilities of token ids, and the command `perplexity` computes the same from the index. The two numbers must agree.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

METHODS = ("learned", "witten-bell", "laplace")
CONTEXT, SCORED = 10, 30


def main() -> int:
    """Ask both, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("index", help="folder of the index that is served")
    parser.add_argument("text", type=Path, help="a text that is not in the index")
    parser.add_argument("--tokenizer", type=Path, required=True, help="tokenizer.json of the index")
    parser.add_argument("--model", required=True, help="name of the index at the server")
    parser.add_argument("--server", default="http://127.0.0.1:8765")
    parser.add_argument("--method", default="learned", choices=METHODS)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--program", default="corpus-explorer")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        items = passages(args.text.read_text(encoding="utf-8"), args.items)
        (home / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
        own = ours(home / "items.jsonl", args)
        total = harness(home, args)
    theirs = math.exp(-total / own["token_count"])
    print(f"{len(items)} items, {own['token_count']} tokens")
    print(f"perplexity of lm-evaluation-harness: {theirs:.9f}")
    print(f"perplexity of Corpus Explorer:       {own['perplexity']:.9f}")
    return int(not math.isclose(theirs, own["perplexity"], rel_tol=1e-6))


def passages(text: str, count: int) -> list[dict[str, str]]:
    """Spread passages over a text; the space between context and rest belongs to the rest."""
    words = text.split()
    step = (len(words) - CONTEXT - SCORED) // count
    if step < 1:
        raise SystemExit(f"The text needs more than {count + CONTEXT + SCORED} words.")
    made = []
    for begin in range(0, step * count, step):
        middle, end = begin + CONTEXT, begin + CONTEXT + SCORED
        made.append({"prompt": " ".join(words[begin:middle]), "text": " " + " ".join(words[middle:end])})
    return made


def ours(items: Path, args: argparse.Namespace) -> dict[str, float]:
    """What the command computes."""
    command = [args.program, "perplexity", args.index, str(items), "--method", args.method, "--prompt-field", "prompt"]
    command += ["--vocabulary", "all"]
    done = subprocess.run([*command, "--tokenizer", str(args.tokenizer), "--json"], capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return json.loads(done.stdout)


def harness(home: Path, args: argparse.Namespace) -> float:
    """The sum of the log likelihoods that the harness finds."""
    import lm_eval
    from lm_eval.tasks import TaskManager

    # The harness wants a tokenizer in the form of transformers: the same file, and a word about it.
    shutil.copyfile(args.tokenizer, home / "tokenizer.json")
    about = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "</s>", "add_bos_token": False}
    (home / "tokenizer_config.json").write_text(json.dumps(about), encoding="utf-8")
    tasks = home / "tasks"
    tasks.mkdir()
    (tasks / "passages.yaml").write_text(
        json.dumps(
            {
                "task": "passages",
                "dataset_path": "json",
                "dataset_kwargs": {"data_files": {"test": str(home / "items.jsonl")}},
                "test_split": "test",
                "output_type": "loglikelihood",
                "doc_to_text": "{{prompt}}",
                "doc_to_target": "{{text}}",
                "target_delimiter": "",
                "metric_list": [{"metric": "perplexity", "aggregation": "perplexity", "higher_is_better": False}],
            }
        ),
        encoding="utf-8",
    )
    found = lm_eval.simple_evaluate(
        model="local-completions",
        model_args={
            # With all tokens of the tokenizer, so that none has the probability 0.
            "model": f"{args.model}:{args.method}:all",
            "base_url": f"{args.server}/v1/completions",
            "tokenizer_backend": "huggingface",
            "tokenizer": str(home),
            "num_concurrent": 2,
        },
        tasks=["passages"],
        task_manager=TaskManager(include_path=str(tasks), include_defaults=False),
        batch_size=4,
        bootstrap_iters=0,
    )
    samples = found["samples"]["passages"]
    assert len(samples) == args.items
    return sum(sample["filtered_resps"][0][0] for sample in samples)


if __name__ == "__main__":
    sys.exit(main())
