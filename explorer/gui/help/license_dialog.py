"""What the program is made of: a list of its parts, and the license of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPushButton, QVBoxLayout, QWidget

from explorer.core.jobs import Kind
from explorer.core.licenses import Component, own_components
from explorer.gui.chrome.dialog import Dialog
from explorer.gui.screens.screen import label, named
from explorer.gui.style.surfaces import keep_monospace, when_restyled
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import caption
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.texts.plain_text import PlainText
from explorer.i18n import tr


class LicenseDialog(Dialog):
    """Lists the parts; the texts are read in the background."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("Licenses"))
        self._room = parent.size()
        self._components: Sequence[Component] = ()
        self.list = named(QListWidget(), tr("Parts"))
        self.list.setProperty("role", "pages")
        self.about = label(tr("Reading …"), "muted")
        self.about.setWordWrap(True)
        self.text = named(PlainText(), tr("License"))
        self.text.setReadOnly(True)
        keep_monospace(self.text)
        self._lay_out()
        self.list.currentRowChanged.connect(self._show)
        self._fit()
        when_restyled(self, self._fit)
        self.runner = Runner("licenses", self, Kind.QUICK)
        self.finished.connect(lambda _: self.runner.stop())
        self.runner.run(lambda _: own_components(), self._list)

    def _lay_out(self) -> None:
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.accept)
        close.setDefault(True)
        read = QVBoxLayout()
        for part in (self.about, self.text):
            read.addWidget(part)
        self._halves, buttons = QHBoxLayout(), QHBoxLayout()
        self._halves.addWidget(self.list)
        self._halves.addLayout(read, 1)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addLayout(self._halves, 1)
        layout.addLayout(buttons)

    def _fit(self) -> None:
        self.list.setFixedWidth(em(17))
        self._halves.setSpacing(em(1))
        self.resize(min(em(74), self._room.width()), min(em(48), self._room.height()))

    def _list(self, components: Sequence[Component]) -> None:
        self._components = components
        self.list.addItems([caption(f"{each.name} {each.version}") for each in components])
        self.list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        chosen = self._components[row]
        head = tr(
            "{name} {version} · License: {license}", name=chosen.name, version=chosen.version, license=chosen.license
        )
        self.about.setText(head)
        self.text.setPlainText(chosen.text or tr("This package came without the text of its license."))
