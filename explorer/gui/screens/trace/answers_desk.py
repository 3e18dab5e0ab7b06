"""The answers of a file that were traced before, also by an earlier start of the program. No Qt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.gui.presenter import Slot
from explorer.gui.screens.trace.work import recall
from explorer.jobs import Progress
from explorer.trace.batch import AnswerFile, BatchRow
from explorer.trace.settings import TraceSettings

if TYPE_CHECKING:
    from explorer.gui.screens.trace.batch_presenter import BatchPresenter


class AnswersDesk:
    """Shows them, and counts the answers of a file that was opened.

    presenter: Has the file, and shows its rows.
    """

    def __init__(self, slot: Slot, presenter: BatchPresenter) -> None:
        self._slot, self._presenter = slot, presenter
        # The fields of a session, until its file is open.
        self._fields: tuple[str, ...] = ()

    def cancel(self) -> None:
        """Another file is opened, or the answers are traced."""
        self._slot.cancel()

    def fields_of(self, source: AnswerFile) -> tuple[str, str]:
        """The fields of text and prompt: once those of a session, where the file has them; those that are proposed."""
        text, prompt = self._fields or (source.text_field, source.prompt_field)
        self._fields = ()
        return (
            text if text in source.fields else source.text_field,
            prompt if prompt in ("", *source.fields) else source.prompt_field,
        )

    def recall(self) -> None:
        """Show what was traced before of the file, in this index and with these settings."""
        state = self._presenter.state
        if state.source.value is None or state.used is not None:
            return
        index = None if state.corpus is None else state.corpus.index
        source, settings = state.chosen_source, state.settings
        self._slot.run(
            lambda cancel: recall(index, source, settings, cancel), lambda found: self._take(found, settings)
        )

    def _take(self, recalled: tuple[tuple[BatchRow, ...], int], settings: TraceSettings) -> None:
        rows, total = recalled
        self._presenter.change(count=total)
        # Another trace may have begun, or the settings may have changed.
        if rows and self._presenter.state.used is None and settings == self._presenter.state.settings:
            progress = Progress("Tracing answers", len(rows), total, "answers")
            self._presenter.show_recalled(rows, settings, progress)

    def session(self) -> dict[str, Any]:
        """The file and its fields, as JSON values; its rows are kept elsewhere, each as soon as it is traced."""
        state = self._presenter.state
        path = "" if state.path is None else str(state.path.absolute())
        return {"answers": path, "answers_field": state.text_field, "answers_prompt": state.prompt_field}

    def restore(self, values: dict[str, Any]) -> None:
        """Open the file of a session again; missing or invalid values are left unchanged."""
        path = values.get("answers")
        if isinstance(path, str) and path and "\0" not in path:
            fields = (values.get("answers_field"), values.get("answers_prompt"))
            self._fields = tuple(field if isinstance(field, str) else "" for field in fields)
            self._presenter.open(Path(path))
