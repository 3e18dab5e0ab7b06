"""Run a notebook and write it with its outputs: `make notebook` renews those in docs, and a test compares them.

    python packaging/notebook.py docs/notebook/tour.ipynb [OUT]

The cells run in IPython, as in Jupyter, but in this process: no kernel has to start and no port is opened. A cell that
fails ends the run with its traceback.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from typing import Any


def main(source: str, out: str = "") -> None:
    """Run a notebook.

    Parameters
    ----------
    source
        The notebook; its cells run in its folder.
    out
        Where it is written; "" for the same file.
    """
    target = Path(out or source).resolve()
    notebook = json.loads(Path(source).read_text(encoding="utf-8"))
    os.chdir(Path(source).resolve().parent)
    shell, outputs = _shell()
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell.update(execution_count=number, outputs=_run(shell, "".join(cell["source"]), number, outputs))
    target.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _shell() -> tuple[Any, list[Any]]:
    """IPython with figures as pictures, and the list that gets what a cell shows."""
    # As a kernel of Jupyter does: matplotlib finds the shell when it is imported, and hands it the figures of a cell.
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    from IPython.core.displayhook import CapturingDisplayHook
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    publisher = CapturingDisplayPublisher()
    shell.display_pub = publisher
    shell.display_trap.hook = CapturingDisplayHook(shell, publisher.outputs)
    return shell, publisher.outputs


def _run(shell: Any, code: str, number: int, outputs: list[Any]) -> list[dict[str, Any]]:
    """What a cell shows, in the form of a notebook file."""
    outputs.clear()
    shell.run_cell(code, store_history=True).raise_error()
    # The value of the last line has the number of the cell; figures and `display` have none.
    return [_output(each, number) for each in outputs]


def _output(shown: dict[str, Any], number: int) -> dict[str, Any]:
    data = {kind: _plain(kind, value) for kind, value in sorted(shown["data"].items())}
    if "image/png" in data:
        return {"output_type": "display_data", "data": data, "metadata": {}}
    return {"output_type": "execute_result", "data": data, "execution_count": number, "metadata": {}}


def _plain(kind: str, value: Any) -> Any:
    """Texts as lines, whose changes can be read, and pictures as one text."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return value.splitlines(keepends=True) if kind.startswith("text/") else value


if __name__ == "__main__":
    main(*sys.argv[1:])
