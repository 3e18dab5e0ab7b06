"""One document with what goes: struck out, and why, where the pointer is."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent, QTextCharFormat
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.gui.document.text import DocumentText
from explorer.gui.screens.curation.export.state import ExportState
from explorer.gui.screens.curation.export.work import Preview
from explorer.gui.screens.screen import named
from explorer.gui.style.direction import reads_right_to_left
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.theme import qcolor
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.gui.widgets.texts.marked_text import mark_runs
from explorer.i18n import tr


class CutText(DocumentText):
    """A text whose cuts are struck out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview: Preview | None = None

    def show_preview(self, preview: Preview | None) -> None:
        """Show another document.

        preview: The document; None for none.
        """
        self._preview = preview
        self.show_text(
            "" if preview is None else preview.text, preview is not None and reads_right_to_left(preview.text)
        )
        self.mark_cuts()

    def mark_cuts(self) -> None:
        """Strike out what goes, in the colors of the theme."""
        spans = () if self._preview is None else self._preview.spans
        form = QTextCharFormat()
        form.setFontStrikeOut(True)
        form.setBackground(qcolor("error_soft"))
        form.setForeground(qcolor("error"))
        at = Utf16Map(self._text)
        shift = self._shift
        mark_runs(self, [(at.to_qt(max(0, span.start - shift)), at.to_qt(span.end - shift), form) for span in spans])
        if spans:
            self._center_on(at.to_qt(max(0, spans[0].start - shift)))

    def reason_at(self, character: int) -> str:
        """Why a character of the shown text goes; "" if it stays."""
        spans = () if self._preview is None else self._preview.spans
        return next((span.why for span in spans if span.start <= character < span.end), "")

    def event(self, event: QEvent) -> bool:
        """Show why the text under the pointer goes."""
        if not isinstance(event, QHelpEvent):
            return super().event(event)
        place = self.cursorForPosition(self.viewport().mapFrom(self, event.pos())).position()
        reason = self.reason_at(Utf16Map(self._text).from_qt(place) + self._shift)
        if reason:
            QToolTip.showText(event.globalPos(), tip(tr("Goes because of: {reason}", reason=reason)), self)
        else:
            QToolTip.hideText()
        return True


class PreviewPanel(Panel):
    """Where the text is from, and the text."""

    def __init__(self) -> None:
        self._about = ElidedLabel()
        super().__init__(footer=(self._about,))
        self.footer_row.setStretch(0, 1)
        self.text = named(CutText(), tr("The document with what goes"))
        self.hold(self.text)
        at_least(self, 22, 12)

    def draw(self, state: ExportState, before: ExportState | None) -> None:
        """Show the chosen document.

        before: The one that was drawn before; None for the first.
        """
        self._about.setText(state.about_preview)
        if before is None or state.preview.value is not before.preview.value:
            self.text.show_preview(state.preview.value)
