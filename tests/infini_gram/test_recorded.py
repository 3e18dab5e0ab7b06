"""The slow twin and its folders, against what the infini-gram package made of the same texts.

Everything else compares our engine with the twin; this file shows that the twin is right. `record_package` of
`tests/support` recorded the package's files and answers.
"""

from __future__ import annotations

import hashlib
import json

import own_indexes
import pytest

from explorer import open_index
from explorer.index.writer import ShardWriter

FILES, ANSWERS = (
    {name: found for name, found in json.loads((own_indexes.DATA / file).read_text()).items() if "_" in name}
    for file in ("files.json", "answers.json")
)
# The package drops a match where the range that it chose crosses the border of a document: its counts, and the twin's.
DROPPED = {
    "v4_u16_llama": {1: (2, 5), 8: (5, 38), 10: (0, 1)},
    "v4_u16_olmo_3shards": {2: (3, 10), 3: (2, 3), 5: (14, 47)},
    "v4_u32_olmo": {0: (3, 7), 2: (1, 3), 3: (8, 21), 7: (1, 14)},
    "v4_u8_bytes": {0: (298, 373), 1: (20, 24), 4: (52, 75), 5: (91, 112), 6: (32, 47), 10: (20, 24)},
}


def digests(folder, names):
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


@pytest.mark.parametrize("name", FILES)
def test_the_twins_folders_are_the_packages(tmp_path, name):
    folder, _ = own_indexes.write(tmp_path, name)
    known = {file: digest for file, digest in FILES[name].items() if not file.startswith("unigram")}
    assert known and digests(folder, known) == known


@pytest.mark.parametrize("name", ["v4_u16_llama", "v4_u32_olmo", "v4_u8_bytes"])
def test_a_shard_is_written_as_the_package_writes_it(tmp_path, name):
    folder, _ = own_indexes.write(tmp_path, name)
    writer = ShardWriter(tmp_path, 0, own_indexes.LAYOUTS[name].width)
    for document in open_index(folder).documents:
        writer.add_record({}, document.tokens)
    writer.finish()
    known = {file: FILES[name][file] for file in ("tokenized.0", "offset.0", "unigram.0")}
    assert digests(tmp_path, known) == known


@pytest.mark.parametrize("name", ANSWERS)
def test_the_twin_answers_as_the_package(name):
    twins, packages = json.loads(json.dumps(own_indexes.answers(name))), ANSWERS[name]
    pairs = list(enumerate(zip(packages.pop("cnf"), twins.pop("cnf"), strict=True)))
    assert all(theirs | {"count": 0} == ours | {"count": 0} for _, (theirs, ours) in pairs)
    counts = {at: (theirs["count"], ours["count"]) for at, (theirs, ours) in pairs if theirs != ours}
    assert counts == DROPPED[name]
    if name == "v4_u16_olmo_3shards":
        # Where a document ends at the last rank of a shard, the package takes the whole range for such ends.
        [theirs, ours] = packages["next"].pop(6), twins["next"].pop(6)
        assert theirs["next"].keys() == ours["next"].keys() and theirs["count"] == ours["count"]
        assert theirs["next"]["65535"] > ours["next"]["65535"]
    assert packages == twins
