"""The user's language and the formats of numbers and dates, from the system's settings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from explorer.i18n import NumberFormat, Words, use


def use_system_locale(app: QApplication) -> None:
    """Use the language of the system for sentences, numbers and Qt's own buttons, if there is a catalog for it."""
    locale = QLocale.system()
    # Qt's texts are translated only together with ours: a window in two languages is worse than one in English.
    if use(Words(wanted_languages(locale.uiLanguages()), number_format(locale))):
        translator = QTranslator(app)
        if translator.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            app.installTranslator(translator)


def wanted_languages(names: Sequence[str]) -> tuple[str, ...]:
    """The languages that the user prefers to English, which needs no catalog, by gettext's names."""
    plain = [name.replace("-", "_") for name in names]
    return tuple(itertools.takewhile(lambda name: name.split("_")[0] != "en", plain))


def number_format(locale: QLocale) -> NumberFormat:
    """The number format of a locale; the C locale has the English one."""
    return NumberFormat(locale.groupSeparator(), locale.decimalPoint(), locale.zeroDigit())


def local_time(moment: str) -> str:
    """A time in ISO 8601 in the user's format; any other text is returned unchanged."""
    found = QDateTime.fromString(moment, Qt.DateFormat.ISODate)
    if not found.isValid():
        return moment
    locale, there = QLocale.system(), found.toLocalTime()
    if locale.language() == QLocale.Language.C:
        return there.toString("yyyy-MM-dd HH:mm")
    return locale.toString(there, QLocale.FormatType.ShortFormat)
