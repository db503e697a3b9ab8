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
    """A ``Language`` whose texts lie in a ``.qm`` file."""

    def __init__(self, translator: QTranslator, *, code: str) -> None:
        self.code = code
        self._translator = translator
        self._locale = QLocale(code)
        self._english = English()

    def translate(self, text: str, comment: str, n: int | None) -> str:
        """See ``Language.translate``."""
        said = self._translator.translate("", text, comment or None, -1 if n is None else n)
        if not said:
            return self._english.translate(text, comment, n)
        return said if n is None else said.replace("%n", self.number(n, decimals=0))

    def number(self, value: float, *, decimals: int) -> str:
        """See ``Language.number``."""
        return self._locale.toString(float(value), "f", decimals)


def choose_language(wanted: str, *, system: QLocale) -> str:
    """Return the code of the language to use: what is ``wanted``, or the system's if it is translated."""
    if wanted != LANGUAGE_SYSTEM:
        return wanted
    names = [name.replace("-", "_") for name in system.uiLanguages()]
    for name in names:
        language = name.partition("_")[0]
        for code in (ENGLISH, *TRANSLATED):
            if name.startswith(code) or language == code:
                return code
    return ENGLISH


def install_language(code: str, *, resources: Path, application: QCoreApplication) -> None:
    """Translate into this language from now on, also Qt's own dialogs; English if it has no file."""
    if code == ENGLISH:
        set_language(English())
        return
    translator = QTranslator(application)
    if not translator.load(f"{_BASE}{code}", str(resources / "translations")):
        log.warning("there is no translation for %s", code)
        return
    QLocale.setDefault(QLocale(code))
    of_qt = QTranslator(application)
    if of_qt.load(_QT_BASE + code, QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    set_language(QtLanguage(translator, code=code))
