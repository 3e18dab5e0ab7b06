"""Puts a result on the clipboard as the code that computes it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from explorer.errors import CorpusError
from explorer.gui.presenting.hints import told
from explorer.gui.remote.hosts import is_here
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.gui.index.indexes import IndexState
    from explorer.gui.presenting.requests import CopyRecipe
    from explorer.gui.screens.screen import Screen


def copied(request: CopyRecipe, screen: Screen, indexes: IndexState) -> str:
    """Copy the result of a screen.

    request: Whether as Python or as a command.
    """
    corpus, opened = indexes.corpus, indexes.request
    if corpus is None:
        return tr("No index is open.")
    # What the index itself gives as its sources comes first: the request is only what was asked for.
    sources = tuple(corpus.index.sources) or opened.paths
    make = screen.recipe if request.recipe is None else request.recipe
    from explorer.recipes import Source

    # It is open, so the user agreed.
    elsewhere = not all(map(is_here, sources))
    source = Source(sources, opened.minus, opened.tokenizer, opened.check_fit, elsewhere, opened.token_file)
    try:
        recipe = make(source)
    except CorpusError as error:
        return told(error)
    if recipe is None:
        return tr("There is no result to copy yet.")
    QGuiApplication.clipboard().setText(recipe.python if request.as_python else recipe.command)
    return tr("Copied as a Python program.") if request.as_python else tr("Copied as a command.")
