"""Qt's translator as the language of the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fireside.core.i18n import English, language_code, number, set_language, tr
from fireside.main.window import choose_language, install_language
from fireside.settings.languages import LANGUAGE_SYSTEM
from fireside.settings.paths import resources_folder


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    install_language("de", resources=resources_folder(), application=qapp)
    yield
    set_language(English())
    QLocale.setDefault(before)


@pytest.mark.usefixtures("german")
def test_german_is_spoken() -> None:
    assert language_code() == "de"
    assert tr("Close") == "Schließen"


@pytest.mark.usefixtures("german")
def test_an_untranslated_text_is_english_with_the_right_plural() -> None:
    assert tr("Nobody wrote this") == "Nobody wrote this"
    assert tr("%n unheard thing|%n unheard things", "", 1) == "1 unheard thing"
    assert tr("%n unheard thing|%n unheard things", "", 2) == "2 unheard things"


@pytest.mark.usefixtures("german")
def test_numbers_are_written_as_there() -> None:
    assert number(1234.5, decimals=1) == "1.234,5"


def test_a_language_without_a_file_is_english(qapp: QApplication, caplog: pytest.LogCaptureFixture) -> None:
    install_language("xx", resources=resources_folder(), application=qapp)
    assert language_code() == "en"
    assert "no translation for xx" in caplog.text


def test_a_choice_wins_over_the_system() -> None:
    assert choose_language("en", system=QLocale("de_DE")) == "en"


@pytest.mark.parametrize(
    ("system", "code"),
    [("de_AT", "de"), ("en_GB", "en"), ("de_CH", "de"), ("ja_JP", "en"), ("fr_FR", "en"), ("C", "en")],
)
def test_the_system_decides_by_default(system: str, code: str) -> None:
    assert choose_language(LANGUAGE_SYSTEM, system=QLocale(system)) == code
