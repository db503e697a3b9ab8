"""The translators' files: up to date, complete, fit to be filled with values."""

from __future__ import annotations

import re
import shutil
import string
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fireside.settings.languages import TRANSLATED
from provision.layout import find_layout
from provision.translations import collect_texts, compile_translation, translation_files

ROOT = Path(__file__).parents[2]
FILES = {file.stem.removeprefix("fireside_"): file for file in translation_files(ROOT)}
N_FORMS = {"de": 2}
NOT_SAID = {
    "de": re.compile(
        r"Systemanweisung|Rechenf[aä]den|Startwert|[Zz]wischenspeicher|Laufzeit|Voreinstellung"
        r"|Zugangstoken|[Gg]espräch|Stapelgröße|[Vv]orausraten|(?:%n|\}) Token$|\b[Gg]eholt\b|wegwerfen"
        r"|\w+en Sie\b|\bIhnen\b|[a-zäöüß,] (?:Sie|Ihr(?:e[nmrs]?)?)\b| …|[\d}]%(?!n)"
    )
}
"""What German users of such programs call otherwise: Systemprompt, Threads, Seed, Cache, Runtime, Preset …;
and what is written in one way: “du”, “Wählen…”, “90 %”."""

Message = ElementTree.Element


def messages(path: Path) -> list[Message]:
    return list(ElementTree.parse(path).iter("message"))


def source(message: Message) -> str:
    return message.findtext("source") or ""


def forms(message: Message) -> list[str]:
    """The translation; several where the text counts."""
    found = message.find("translation")
    assert found is not None
    counted = [form.text or "" for form in found.iter("numerusform")]
    return counted or [found.text or ""]


def is_finished(message: Message) -> bool:
    found = message.find("translation")
    return found is not None and found.get("type") is None and all(forms(message))


def fields(text: str) -> set[str]:
    """What is filled in: ``{name}`` and ``%n``."""
    named = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    return named | ({"%n"} if "%n" in text else set())


def test_every_language_that_can_be_chosen_has_a_file() -> None:
    assert set(FILES) == set(TRANSLATED) == set(N_FORMS)


def test_the_files_hold_the_texts_of_the_sources(tmp_path: Path) -> None:
    copies = [Path(shutil.copy(file, tmp_path)) for file in FILES.values()]
    collect_texts(find_layout(), copies)
    for copy, file in zip(copies, FILES.values(), strict=True):
        assert copy.read_text("utf-8") == file.read_text("utf-8"), "run `make translations`"


@pytest.mark.parametrize("code", FILES)
def test_what_is_compiled_is_what_was_translated(code: str, tmp_path: Path) -> None:
    compiled = compile_translation(find_layout(), FILES[code], to=tmp_path / "fresh.qm")
    assert compiled.read_bytes() == FILES[code].with_suffix(".qm").read_bytes(), "run `make translations`"


@pytest.mark.parametrize("code", FILES)
def test_nothing_is_left_in_english(code: str) -> None:
    assert [source(message) for message in messages(FILES[code]) if not is_finished(message)] == []


@pytest.mark.parametrize("code", FILES)
def test_a_translation_uses_the_words_of_its_users(code: str) -> None:
    """But for lists of other names, which are searched and not shown."""
    shown = [message for message in messages(FILES[code]) if "; " not in source(message)]
    assert [forms(message)[-1] for message in shown if NOT_SAID[code].search(forms(message)[-1])] == []


@pytest.mark.parametrize("code", FILES)
def test_a_translation_takes_the_values_that_its_source_takes(code: str) -> None:
    finished = [message for message in messages(FILES[code]) if is_finished(message)]
    wrong = [
        (source(message), form)
        for message in finished
        for form in forms(message)
        if fields(form) - {"%n"} != fields(source(message)) - {"%n"}
        or (message.get("numerus") != "yes" and ("%n" in form) != ("%n" in source(message)))
    ]
    assert wrong == []


@pytest.mark.parametrize("code", FILES)
def test_a_text_that_counts_has_every_form_of_its_language(code: str) -> None:
    counting = [message for message in messages(FILES[code]) if message.get("numerus") == "yes"]
    assert {len(forms(message)) for message in counting if is_finished(message)} <= {N_FORMS[code]}
    assert all("%n" in source(message) for message in counting)
