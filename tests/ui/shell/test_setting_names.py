"""Each setting is found by every name that users know it by."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from fakes.client import AppClient, settled
from fakes.german import compiled_german, speaking_german
from fireside.settings.definitions import DEFINITIONS
from fireside.settings.synonyms import SettingMatch, match, synonyms
from fireside.settings.values import AppLayer
from fireside.ui.page import Page
from fireside.ui.palette.targets import Index
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.theme import Scheme, Theme

SHOWN = [definition for definition in DEFINITIONS if not definition.hidden]
FIRST = 3
USUAL = {
    "stop sequence": "sampling.stop",
    "cpu threads": "load.n_threads",
    "n_gpu_layers": "load.n_gpu_layers",
    "gpu offload": "load.n_gpu_layers",
    "num_ctx": "load.n_ctx",
    "rope": "load.rope_scaling",
    "hugging face": "hub.endpoint",
    "timeout": "engine.load_patience_s",
    "response length": "sampling.max_tokens",
    "max tokens": "sampling.max_tokens",
    "n_predict": "sampling.max_tokens",
    "num_predict": "sampling.max_tokens",
    "kv cache": "load.cache_type_k",
    "repeat_penalty": "sampling.repeat_penalty",
    "top_k": "sampling.top_k",
    "mirostat": "sampling.mirostat",
    "flash attention": "load.flash_attn",
    "mmap": "load.use_mmap",
    "mlock": "load.use_mlock",
    "keep_alive": "engine.keep_alive_minutes",
    "system prompt": "chat.system_prompt",
    "json mode": "answer.format",
    "structured output": "answer.format",
    "reasoning effort": "answer.reasoning",
    "draft model": "load.draft_path",
    "seed": "sampling.seed",
    "telemetry": "hub.offline",
    "proxy": "hub.proxy",
    "Denkaufwand": "answer.reasoning",
    "Stoppsequenz": "sampling.stop",
    "Kontextlänge": "load.n_ctx",
    "Telemetrie": "hub.offline",
    "Zeitlimit": "engine.load_patience_s",
}


def names_that_miss(window: MainWindow) -> list[str]:
    """Return the names that do not lead to their setting among the first lines of the palette."""
    index = Index(window.command_palette.targets(), recent=())
    missed = []
    for definition in SHOWN:
        for name in synonyms(definition.key):
            matches = [hit.target.key for hit in index.hits(name)][:FIRST]
            if definition.key not in matches:
                missed.append(f"{definition.key}: {name} → {matches}")
    return missed


def test_the_palette_finds_each_setting_by_each_of_its_names(window: MainWindow) -> None:
    assert names_that_miss(window) == []


def test_in_german_it_finds_them_by_the_german_ones_too(window: MainWindow, tmp_path: Path) -> None:
    with speaking_german(compiled_german(tmp_path)):
        assert "Antwortformat" in synonyms("answer.format")
        assert names_that_miss(window) == []


def test_a_usual_name_finds_its_setting(window: MainWindow, tmp_path: Path) -> None:
    with speaking_german(compiled_german(tmp_path)):
        index = Index(window.command_palette.targets(), recent=())
        matches = {name: [hit.target.key for hit in index.hits(name)][:FIRST] for name in USUAL}
    assert {name: keys for name, keys in matches.items() if USUAL[name] not in keys} == {}


@pytest.mark.parametrize("definition", SHOWN, ids=lambda definition: definition.key)
def test_the_search_of_the_settings_knows_them_too(definition: object) -> None:
    known = next(one for one in SHOWN if one is definition)
    assert all(match(known, name) is SettingMatch.NAME for name in synonyms(known.key))


def test_settings_with_matching_names_come_before_matching_help_texts(window: MainWindow) -> None:
    window.show_page(Page.SETTINGS)
    settled()
    page = window.pages.settings
    QTest.keyClicks(page.filter, "flash attention")
    visible = [key for key in page.list.matching if page.list.row(key).isVisibleTo(page)]
    assert visible == ["load.flash_attn"]
    page.filter.setText("slow disks or no such name")
    assert not page.list.matching
    assert not any(row.isVisibleTo(page) for row in page.list.rows.values())


@pytest.mark.parametrize(
    ("words", "theme_value"), [("theme dark", "dark"), ("dark mode", "dark"), ("theme light", "light")]
)
def test_the_palette_switches_the_theme(
    window: MainWindow, client: AppClient, theme: Theme, words: str, theme_value: str
) -> None:
    index = Index(window.command_palette.targets(), recent=())
    wanted = f"appearance.theme={theme_value}"
    hit = next(hit for hit in index.hits(words)[:5] if hit.target.key == wanted)
    hit.target.action()
    settled()
    assert client.layers[AppLayer()]["appearance.theme"] == theme_value
    assert (theme.scheme is Scheme.DARK) is (theme_value == "dark")
