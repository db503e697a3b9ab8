"""German as the sources hold it now, not as it was compiled last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLocale, QTranslator

from fireside.core.i18n import English, set_language
from fireside.main.window import QtLanguage
from provision.layout import find_layout
from provision.translations import compile_translation

GERMAN: Final = Path(__file__).parents[2] / "resources" / "translations" / "fireside_de.ts"
_QUOTED: Final = re.compile(r"„[^“]*“|\([^()]*\)")
_ENGLISH: Final = re.compile(
    r"\b(the|is|it|its|not|and|cannot|between|could|of|this|be|you|with|has|there|too|are)\b",
    re.IGNORECASE,
)


def compiled_german(folder: Path) -> Path:
    return compile_translation(find_layout(), GERMAN, to=folder / "de.qm")


@contextmanager
def speaking_german(compiled: Path) -> Iterator[None]:
    translator = QTranslator()
    assert translator.load(str(compiled))
    before = QLocale()
    set_language(QtLanguage(translator, code="de"))
    QLocale.setDefault(QLocale("de"))
    try:
        yield
    finally:
        QLocale.setDefault(before)
        set_language(English())


def english_in(sentence: str) -> list[str]:
    """Return the English words of a sentence; what it quotes, or has in brackets, is not the program's."""
    return _ENGLISH.findall(_QUOTED.sub("", sentence))
