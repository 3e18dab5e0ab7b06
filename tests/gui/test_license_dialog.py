"""The list of what the program is made of."""

from __future__ import annotations

from explorer.core.licenses import own_components
from explorer.gui.help.license_dialog import LicenseDialog
from explorer.gui.presenting.requests import ShowLicenses


def test_every_part_is_listed_with_its_text(opened, qtbot):
    opened.ask(ShowLicenses())
    dialog = opened.findChildren(LicenseDialog)[-1]
    qtbot.waitUntil(lambda: dialog.list.count() > 0)
    wanted = own_components()
    assert [dialog.list.item(row).text() for row in range(dialog.list.count())] == [
        f"{each.name} {each.version}" for each in wanted
    ]
    for row, each in enumerate(wanted):
        dialog.list.setCurrentRow(row)
        assert each.license in dialog.about.text() and dialog.text.toPlainText()
        # From its beginning, whatever was read before.
        assert dialog.text.verticalScrollBar().value() == 0
        if each.text:
            assert dialog.text.toPlainText().split() == each.text.split()
    dialog.close()


def test_it_may_be_closed_before_its_texts_are_read(opened, qtbot):
    opened.ask(ShowLicenses())
    opened.findChildren(LicenseDialog)[-1].close()
    qtbot.waitUntil(lambda: not opened.findChildren(LicenseDialog))
    # The answer that comes later finds nobody, and nothing fails.
    qtbot.wait(200)
    assert opened.bugs.box is None
