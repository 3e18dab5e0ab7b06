"""publish-keys: the files that it writes, with which a web server's index answers in fewer requests."""

from __future__ import annotations

import shutil

from range_server import RangeServer

from explorer import open_index
from explorer.cli.main import main


def test_keys_are_written_beside_the_index_or_elsewhere(small_index, tmp_path, capsys):
    index, other = tmp_path / "index", tmp_path / "other"
    shutil.copytree(small_index, index)
    other.mkdir()
    assert main(["publish-keys", str(index)]) == 0
    # 133 tokens, a key for each eight.
    assert capsys.readouterr().out == f"{index / 'keys.0'}: 17 keys, 320 bytes\n"
    assert main(["publish-keys", str(index), "--to", str(other)]) == 0
    assert (other / "keys.0").read_bytes() == (index / "keys.0").read_bytes()
    assert [file.name for file in other.iterdir()] == ["keys.0"]
    assert main(["verify", str(index)]) == 0
    with RangeServer(tmp_path) as server:
        far, near = open_index(f"{server.url}/index/"), open_index(index)
        ids = near.encode("the cat")
        assert far.index.shards.shards[0].keys is not None and far.count(ids) == near.count(ids) > 0


def test_what_cannot_be_written_or_read_is_told(small_index, tmp_path, capsys):
    assert main(["publish-keys", str(tmp_path / "none")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(["publish-keys", str(small_index), "--to", str(tmp_path / "none")]) == 2
    assert "No such file or directory" in capsys.readouterr().err
    assert main(["publish-keys", "http://localhost:1/index/"]) == 2
