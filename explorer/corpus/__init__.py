"""The library's face: `open_index`, the `Corpus` that it returns, and what can be asked of it.

Notes
-----
The two names load when they are first used. If the package imported its modules at once, each of them would wait for
the package and the package for each of them, and two threads that import both at the same moment, as the window's do,
would get a module that is there in part.
"""

# Type checkers treat this name as true.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from explorer.corpus.corpus import Corpus
    from explorer.corpus.opening import open_index

# These two are all that other rooms and users import; where their parts are may change.
__all__ = ["Corpus", "open_index"]

# Type checkers do not see this function, so they report a name that does not exist.
if not TYPE_CHECKING:

    def __getattr__(name):  # noqa: ANN001, ANN202 - its type is that of the import above
        from importlib import import_module

        module = {"Corpus": "corpus", "open_index": "opening"}.get(name)
        if module is None:
            raise AttributeError(f"module 'explorer.corpus' has no attribute {name!r}")
        return getattr(import_module(f"explorer.corpus.{module}"), name)
