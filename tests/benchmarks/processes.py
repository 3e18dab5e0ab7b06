"""Memory of several processes that ask one index, against one process.

usage: python tests/benchmarks/processes.py INDEX [--workers 1,2,4,8] [--fail]

Each process gets the pickled corpus, reads every page of the index and counts 20,000 n-grams. Then all wait while the
kernel's figures are read (Linux): the proportional set size (PSS) divides a shared page among those that share it, so
its sum is what all of them need. Nobody else may have the index open. With --fail, the program ends with 1 if all
processes together need more than 1.1 times what is resident of the index in one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from many_counts import ngrams_of

from explorer import Corpus, open_index

_FIELD = re.compile(r"^(Rss|Pss|Private_Clean|Private_Dirty): +(\d+) kB$", re.MULTILINE)
_MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$", re.MULTILINE)


def memory_of(pid: int | str, folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Kilobytes of a process by their kind: all of them, and those of the files of a folder."""
    text = Path(f"/proc/{pid}/smaps").read_text()
    starts = [*_MAPPING.finditer(text)]
    whole: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for one, following in zip(starts, [*starts[1:], None], strict=True):
        found = {name: int(size) for name, size in _FIELD.findall(text[one.end() : following and following.start()])}
        whole.update(found)
        if one[1].startswith(str(folder.resolve())):
            files.update(found)
    return whole, files


def use(corpus: Corpus) -> int:
    """Read all of an index, and ask for what scripts ask for."""
    read = sum(len(document.tokens) for document in corpus.documents)
    return read + int(corpus.count_many(ngrams_of(corpus, 20_000)).sum()) + len(corpus.next_tokens([]).tokens)


def work(corpus: Corpus, ready: Any, done: Any) -> None:
    """What each process does."""
    use(corpus)
    ready.release()
    done.wait()


def measured(corpus: Corpus, workers: int) -> tuple[Counter[str], Counter[str]]:
    """The memory of some processes, summed; the one that starts them is not counted."""
    # Spawned: forked processes would share more than the files.
    context = multiprocessing.get_context("spawn")
    ready, done = context.Semaphore(0), context.Event()
    processes = [context.Process(target=work, args=(corpus, ready, done)) for _ in range(workers)]
    for process in processes:
        process.start()
    for _ in processes:
        ready.acquire()
    found = [memory_of(process.pid, corpus.folders[0]) for process in processes if process.pid]
    done.set()
    for process in processes:
        process.join()
    whole, files = zip(*found, strict=True)
    return sum(whole, Counter()), sum(files, Counter())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--workers", default="1,2,4,8")
    parser.add_argument("--fail", action="store_true")
    args = parser.parse_args()
    corpus = open_index(args.index)
    size = sum(path.stat().st_size for path in args.index.iterdir())
    print(f"{corpus!r}, {size / 1e6:.1f} MB in files\n")
    print("| processes | resident, each | PSS, all | index resident, each | index PSS, all | rest PSS, each |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    needed = resident = 0.0
    for workers in map(int, args.workers.split(",")):
        whole, files = measured(corpus, workers)
        needed, resident = files["Pss"], files["Rss"] / workers
        rest = (whole["Pss"] - files["Pss"]) / workers
        sizes = (whole["Rss"] / workers, whole["Pss"], files["Rss"] / workers, files["Pss"], rest)
        print(f"| {workers} | {' | '.join(f'{kilobytes * 1.024e-3:,.1f} MB' for kilobytes in sizes)} |")
    return int(args.fail and needed > 1.1 * resident)


if __name__ == "__main__":
    sys.exit(main())
