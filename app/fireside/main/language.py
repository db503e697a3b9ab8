"""Choose the language of the program and load its translations."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from fireside.core.i18n import English, set_language
from fireside.settings.languages import ENGLISH, LANGUAGE_SYSTEM, TRANSLATED

log = logging.getLogger(__name__)

_BASE: Final = "fireside_"
_QT_BASE: Final = "qtbase_"


class QtLanguage:
    """A ``Language`` with the texts of a ``.qm`` file."""

    def __init__(self, translator: QTranslator, *, code: str) -> None:
        self.code = code
        self._translator = translator
        self._locale = QLocale(code)
        self._english = English()

    def translate(self, text: str, comment: str, n: int | None) -> str:
        """See ``Language.translate``."""
        translation = self._translator.translate("", text, comment or None, -1 if n is None else n)
        if not translation:
            return self._english.translate(text, comment, n)
        return translation if n is None else translation.replace("%n", self.number(n, decimals=0))

    def number(self, value: float, *, decimals: int) -> str:
        """See ``Language.number``."""
        return self._locale.toString(float(value), "f", decimals)


def choose_language(configured: str, *, system: QLocale) -> str:
    """Return the code of the language to use: the configured one, else the system's if it is translated."""
    if configured != LANGUAGE_SYSTEM:
        return configured
    names = [name.replace("-", "_") for name in system.uiLanguages()]
    for name in names:
        language = name.partition("_")[0]
        for code in (ENGLISH, *TRANSLATED):
            if name.startswith(code) or language == code:
                return code
    return ENGLISH


def install_language(code: str, *, resources: Path, application: QCoreApplication) -> None:
    """Set the language of the program and of Qt's dialogs; English if it has no translation."""
    if code == ENGLISH:
        set_language(English())
        return
    translator = QTranslator(application)
    if not translator.load(f"{_BASE}{code}", str(resources / "translations")):
        log.warning("there is no translation for %s", code)
        return
    QLocale.setDefault(QLocale(code))
    qt_translator = QTranslator(application)
    if qt_translator.load(_QT_BASE + code, QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(qt_translator)
    set_language(QtLanguage(translator, code=code))
