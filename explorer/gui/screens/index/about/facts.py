"""The figures of an index, in words. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.i18n import counted, numeral, tr

if TYPE_CHECKING:
    from explorer.building.request import BuildRequest
    from explorer.corpus import Corpus
    from explorer.index.manifest import Manifest


def manifest_of(corpus: Corpus | None) -> Manifest | None:
    """What the first folder of an index states about its build."""
    local = corpus.index.local if corpus is not None else None
    return local.manifests[0] if local is not None else None


def again_of(manifest: Manifest, folder: Path) -> BuildRequest | None:
    """Request the build of an index once more: an index never changes, so it goes to a folder beside it.

    Returns: The build; None if the index does not state where its sources are.
    """
    known = manifest.parameters
    sources, texts = (
        known.get("sources"),
        ("tokenizer", "text_field", "metadata", "encoding", "special_tokens"),
    )
    # The file may be of another program, or of another machine. Relative paths are those of the folder in which the
    # command line was used, which nobody knows.
    if not isinstance(sources, list) or not all(isinstance(each, str) and Path(each).is_absolute() for each in sources):
        return None
    kept = {name: known[name] for name in texts if isinstance(known.get(name), str)}
    if not sources or "tokenizer" not in kept:
        return None
    out = folder.with_name(f"{folder.name}-2")
    from explorer.building.request import FM, SUFFIX_ARRAY, BuildRequest
    from explorer.documents.read_settings import AS_USUAL

    return BuildRequest(
        tuple(map(Path, sources)),
        out,
        skip_bad=known.get("skip_bad") is True,
        skip_duplicates=known.get("skip_duplicates") is True,
        format=FM if known.get("format") == FM else SUFFIX_ARRAY,
        keep_text=known.get("keep_text") is True,
        reading=AS_USUAL.restored(known),
        **kept,
    )


def index_facts(corpus: Corpus, when: Callable[[str], str]) -> list[tuple[str, str]]:
    """List the facts of an index.

    when: Writes a moment in ISO 8601 as the user writes it. It is given, since Qt knows how, and this module has no Qt.
    Returns: Names and values, in the order in which they are shown; those of the build only if it left a manifest.
    """
    index, local = corpus.index, corpus.index.local
    facts: list[tuple[str, str]] = []
    if local is not None:
        facts += [
            (tr("Shards"), numeral(len(local.parts))),
            (tr("Token width"), counted("byte", local.token_width)),
            (tr("Order"), tr("reversed (version 5)") if local.parts[0].backwards else tr("forward")),
        ]
    facts.append((tr("Tokenizer"), _tokenizer(corpus)))
    if asked := index.subtracted.documents:
        taken = asked - index.subtracted.unmatched
        facts.append((tr("Subtracted"), f"{counted('document', taken)}. {index.subtracted.remark}".removesuffix(". ")))
    manifest = manifest_of(corpus)
    return facts + (_facts_of_build(manifest, when) if manifest is not None else [])


def _tokenizer(corpus: Corpus) -> str:
    if not corpus.index.has_tokenizer:
        return tr("none: text cannot be searched or shown")
    tokenizer = corpus.index.tokenizer
    return tr(
        "{name} ({style}, {vocabulary_size:,} ids)",
        name=tokenizer.name,
        style=tokenizer.style,
        vocabulary_size=tokenizer.vocabulary_size,
    )


def _facts_of_build(manifest: Manifest, when: Callable[[str], str]) -> list[tuple[str, str]]:
    built = when(manifest.created)
    if manifest.seconds is not None:
        built = tr("{created} in {seconds:.1f} s", created=built, seconds=manifest.seconds)
    return [(tr("Built"), built), (tr("Format version"), numeral(manifest.format_version))]
