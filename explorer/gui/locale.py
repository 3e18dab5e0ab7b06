"""The person's language and the signs of their numbers and dates, from the system's settings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from explorer.i18n import NumberFormat, Words, use


def use_system_locale(app: QApplication) -> None:
    """Let sentences, numbers and Qt's own buttons be in the language of the system, where there is a catalog."""
    locale = QLocale.system()
    # Qt's words come only with ours: a window in two languages reads worse than one in English.
    if use(Words(wanted_languages(locale.uiLanguages()), number_format(locale))):
        translator = QTranslator(app)
        if translator.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            app.installTranslator(translator)


def wanted_languages(names: Sequence[str]) -> tuple[str, ...]:
    """The languages that a person would rather read than English, which needs no catalog, as gettext names them."""
    plain = [name.replace("-", "_") for name in names]
    return tuple(itertools.takewhile(lambda name: name.split("_")[0] != "en", plain))


def number_format(locale: QLocale) -> NumberFormat:
    """The signs of numbers of a locale; those of the C locale are the English ones."""
    return NumberFormat(locale.groupSeparator(), locale.decimalPoint(), locale.zeroDigit())


def local_time(moment: str) -> str:
    """A moment in ISO 8601 as the person's date and time; what is no such moment stays as it is."""
    found = QDateTime.fromString(moment, Qt.DateFormat.ISODate)
    if not found.isValid():
        return moment
    locale, there = QLocale.system(), found.toLocalTime()
    if locale.language() == QLocale.Language.C:
        return there.toString("yyyy-MM-dd HH:mm")
    return locale.toString(there, QLocale.FormatType.ShortFormat)
