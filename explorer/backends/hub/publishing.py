"""Publishes an index on the Hugging Face hub: its files and a card, in one commit, so that nobody sees half of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.backends.hub.failures import told
from explorer.core.files.json_text import spelled, write_json
from explorer.core.files.sizes import size_text
from explorer.errors import BuildError
from explorer.http.errors import RemoteError
from explorer.http.hub import check_online, endpoint, own_token
from explorer.http.wire.hub import HubAddress
from explorer.i18n import counted, mark
from explorer.index.fm.layout import looks_compressed
from explorer.index.layout import MANIFEST_NAME, looks_like_index, names_in
from explorer.index.manifest import Manifest, check_sizes, read_manifest
from explorer.version import VERSION

CARD = "README.md"
_TAG = "corpus-explorer"


@dataclass(frozen=True)
class Publication:
    """An index that is to be published.

    address: The repository; it is made if there is none.
    files: The names and sizes of the files, `index.json` last.
    license: The license of the texts, as the hub names licenses; "" for none stated.
    private: Whether a new repository is visible to its owner only.
    """

    folder: Path
    address: HubAddress
    manifest: Manifest
    files: tuple[tuple[str, int], ...]
    license: str = ""
    private: bool = True

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(size for _, size in self.files)

    @property
    def card(self) -> str:
        """The README.md of the repository: what the index is, and how it is opened."""
        return _card(self)

    def run(self) -> str:
        """Upload the files and the card.

        Returns: The address of the page of the commit.
        Raises `RemoteError` if there is no token, or the hub does not take the files. What it has taken need not be
            sent again.
        """
        check_online()
        token = own_token()
        if token is None:
            raise RemoteError(
                mark("Publishing {address} needs a token that may write."),
                reason="hub-needs-token",
                address=str(self.address),
            )
        # Imported here: few commands need the hub.
        from huggingface_hub import CommitOperationAdd, HfApi

        api = HfApi(endpoint=endpoint(), token=token, library_name="corpus-explorer", library_version=VERSION)
        kind = self.address.kind.removesuffix("s")
        with told(self.address):
            api.create_repo(self.address.name, repo_type=kind, private=self.private, exist_ok=True)
            added = [CommitOperationAdd(name, str(self.folder / name)) for name, _ in self.files]
            # Somebody may have written another one.
            if not api.file_exists(self.address.name, CARD, repo_type=kind):
                added.append(CommitOperationAdd(CARD, self.card.encode()))
            done = api.create_commit(
                self.address.name,
                added,
                commit_message=f"Publish an index of {counted('document', self.manifest.document_count)}",
                repo_type=kind,
            )
        return str(done.commit_url)


def publication_of(folder: Path, address: HubAddress, license: str = "", private: bool = True) -> Publication:
    """Check an index that is to be published. Nothing is sent.

    license: The license of the texts, as the hub names licenses; "" to state none.
    private: Whether a new repository is visible to its owner only.
    Returns: What would be published: the files that `index.json` lists, and no others.
    Raises `BuildError` if the folder is not an index that this program made, or the address has a revision or a part.
    Raises `DamagedIndexError` if a file is missing or has another size.
    """
    if address.revision or address.config or address.split or "/" not in address.name:
        raise BuildError(
            mark("An index is published as a whole, at an address such as hf://OWNER/NAME, not at {address}."),
            reason="bad-hub-address",
            address=str(address),
        )
    manifest = read_manifest(folder) if looks_like_index(folder) or looks_compressed(folder) else None
    if manifest is None:
        raise BuildError(
            mark("{path} is not an index that this program made: it has no index.json, which lists what to publish."),
            reason="cannot-publish",
            path=folder,
        )
    check_sizes(folder, manifest)
    listed = [*manifest.files, *(name for name in names_in(folder) if name.startswith("keys."))]
    sizes = [(name, (folder / name).stat().st_size) for name in (*listed, MANIFEST_NAME)]
    return Publication(folder, address, manifest, tuple(sizes), license, private)


def _card(publication: Publication) -> str:
    manifest, address = publication.manifest, publication.address
    facts: dict[str, Any] = {"tags": [_TAG, "infini-gram"], "pretty_name": manifest.name or publication.folder.name}
    facts |= {"license": publication.license} if publication.license else {}
    # JSON is YAML, and needs no library to be written safely.
    head = "\n".join(f"{name}: {write_json(value)}" for name, value in facts.items())
    rows = {
        "documents": f"{manifest.document_count:,}",
        "tokens": f"{manifest.token_count:,}, with one separator per document",
        "size": f"{size_text(publication.size)} in {counted('file', len(publication.files))}",
        "tokenizer": manifest.tokenizer or "unknown",
        "metadata": ", ".join(manifest.metadata_fields or ()) or "none",
        "license of the texts": publication.license or "not stated",
    }
    table = "\n".join(f"| {name} | {_cell(value)} |" for name, value in rows.items())
    return f"""---
{head}
---

# {_cell(str(facts["pretty_name"]))}

An index of a text corpus, made with Corpus Explorer {VERSION}, which finds every occurrence of a phrase in it.
The files contain the texts.

| | |
| --- | --- |
{table}

## Open it

```sh
corpus-explorer count {address} "a phrase"
corpus-explorer {address}
```

```python
import explorer

corpus = explorer.open_index("{address}")
corpus.count("a phrase")
```
"""


def _cell(value: str) -> str:
    """A value within a cell of a table."""
    return spelled(value).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
