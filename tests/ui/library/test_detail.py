"""The page of one model."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.hub_models import hub_model
from fakes.library_models import (
    BROKEN_PATH,
    BROKEN_REASON,
    EMBED_PATH,
    GEMMA_PATH,
    QWEN_ID,
    QWEN_PATH,
    detail_of,
    newer_qwen,
    one_of_each,
)
from fakes.model_entries import loaded_state, starter_spec
from fireside.core.errors import ModelNoteInvalid
from fireside.core.library import ModelPreset
from fireside.core.model import ModelEntry
from fireside.core.status import LoadingModel, ModelStatus
from fireside.ui.kit.data_table import FactTable
from fireside.ui.library import LibraryPage
from fireside.ui.library.detail import DetailPage
from fireside.ui.library.detail.detail_page import Tab
from fireside.ui.models_view import ModelsView
from fireside.ui.theme import Theme, ThemeChoice
from fireside.ui.widgets.toast import Toast

Settled = Callable[[], None]


@pytest.fixture
def detail(page: LibraryPage, client: AppClient, settled: Settled) -> DetailPage:
    """The page of Qwen, with all that its header says."""
    for entry in one_of_each():
        client.library.details[entry.path] = detail_of(entry.path)
    page.show_model(QWEN_PATH)
    settled()
    return page.detail


def words_of(detail: DetailPage) -> str:
    return "\n".join(label.text() for label in detail.findChildren(QLabel) if label.isVisible())


def cells(table: FactTable) -> list[tuple[str, ...]]:
    return [fact.cells for fact in table.model_of_facts.facts]


def test_the_header_is_asked_for_once(detail: DetailPage, client: AppClient) -> None:
    assert client.library.called("model_detail") == [(QWEN_PATH,)]


def test_facts_are_said_in_words(detail: DetailPage) -> None:
    facts = detail.overview.facts.facts
    assert facts["Precision"] == "Q4_K_M: 4-bit, good balance"
    assert facts["Context"] == "Trained for 40k tokens (40,960)"
    assert facts["Parameters"] == "8.19B (8,190,000,000)"
    assert facts["Made for"] == "Chat and writing"
    assert facts["Licence"] == "apache-2.0"


def test_where_it_came_from_is_said(detail: DetailPage) -> None:
    origin = detail.overview.origin.facts
    assert origin["Downloaded from"] == "Qwen/Qwen3-8B-GGUF"
    assert origin["Version"] == "a" * 40
    assert origin["On"] == "3 Oct 2026"


def test_every_place_is_listed(detail: DetailPage) -> None:
    words = words_of(detail)
    for expected in (QWEN_PATH, "/lib/mmproj.gguf", "/lmstudio/qwen.gguf"):
        assert expected in words
    assert "The same content in LM Studio, 5.0 GB more" in words


def test_what_another_application_sets_is_shown(
    detail: DetailPage, page: LibraryPage, client: AppClient, settled: Settled
) -> None:
    preset = ModelPreset(system="Be kind.", stop=("###",), temperature=0.7, n_ctx=4096)
    client.library.details[GEMMA_PATH] = msgspec.structs.replace(detail_of(GEMMA_PATH), preset=preset)
    page.show_model(GEMMA_PATH)
    settled()
    assert detail.overview.preset.facts == {
        "System prompt": "Be kind.",
        "Stop words": "“###”",
        "Temperature": "0.7",
        "Context": "4096",
    }


def test_a_preset_goes_with_its_model(
    detail: DetailPage, page: LibraryPage, client: AppClient, settled: Settled
) -> None:
    client.library.details[GEMMA_PATH] = msgspec.structs.replace(
        detail_of(GEMMA_PATH), preset=ModelPreset(temperature=0.7)
    )
    page.show_model(GEMMA_PATH)
    settled()
    assert detail.overview.preset.isVisible()
    page.show_model(QWEN_PATH)
    assert not detail.overview.preset.isVisible()


def test_a_model_that_cannot_chat_offers_no_chat(page: LibraryPage, detail: DetailPage) -> None:
    page.show_model(EMBED_PATH)
    assert not detail.head.use.isVisible()
    assert "cannot chat" in detail.overview.facts.facts["Made for"]


def test_an_unreadable_file_says_why(page: LibraryPage, detail: DetailPage) -> None:
    page.show_model(BROKEN_PATH)
    assert detail.head.problem.text() == BROKEN_REASON
    for widget in (detail.head.use, detail.head.power, detail.head.star, detail.overview.tags):
        assert not widget.isVisible()


# What can be done


def test_load_use_and_settings_carry_the_models_id(
    detail: DetailPage, models: ModelsView, asked: list[tuple[object, ...]]
) -> None:
    head = detail.head
    head.power.click()
    head.use.click()
    head.settings.click()
    models.set_status(ModelStatus(model_id=QWEN_ID, state=loaded_state(starter_spec())))
    head.power.click()
    names = ("load_model", "use_model", "show_model_settings", "unload_model")
    assert asked == [(name, QWEN_ID) for name in names]


def test_a_model_that_loads_cannot_be_loaded_again(detail: DetailPage, models: ModelsView) -> None:
    models.set_status(ModelStatus(model_id=QWEN_ID, state=LoadingModel(fraction=0.3)))
    assert not detail.head.power.isEnabled()
    assert "Loading 30 %" in words_of(detail)


def test_the_star_marks_and_unmarks(detail: DetailPage, client: AppClient, settled: Settled) -> None:
    assert detail.head.star.accessibleName() == "No longer a favourite"
    detail.head.star.click()
    settled()
    assert client.library.called("mark_favourite") == [(QWEN_ID, False)]
    assert detail.head.star.accessibleName() == "Mark as favourite"


def test_enter_takes_a_new_name(
    qtbot: QtBot, detail: DetailPage, client: AppClient, settled: Settled
) -> None:
    detail.head.pencil.click()
    detail.head.edit.setText("  My   Qwen ")
    QTest.keyClick(detail.head.edit, Qt.Key.Key_Return)
    settled()
    assert client.library.called("rename_model") == [(QWEN_ID, "My Qwen")]
    assert detail.head.name.text() == "My Qwen"
    assert "Its own name: Qwen3 8B" in words_of(detail)


def test_escape_gives_the_new_name_up_and_stays_on_the_page(
    qtbot: QtBot, detail: DetailPage, client: AppClient, settled: Settled
) -> None:
    detail.head.pencil.click()
    detail.head.edit.setText("My Qwen")
    QTest.keyClick(detail.head.edit, Qt.Key.Key_Escape)
    settled()
    assert client.library.called("rename_model") == []
    assert detail.isVisible()
    assert detail.head.name.isVisible()


def test_an_empty_name_gives_the_model_its_own_back(
    qtbot: QtBot, detail: DetailPage, client: AppClient, settled: Settled
) -> None:
    detail.head.pencil.click()
    detail.head.edit.clear()
    QTest.keyClick(detail.head.edit, Qt.Key.Key_Return)
    settled()
    assert client.library.called("rename_model") == [(QWEN_ID, "")]


def test_a_name_that_cannot_be_used_is_refused_in_words(
    qtbot: QtBot, page: LibraryPage, detail: DetailPage, client: AppClient, settled: Settled
) -> None:
    client.library.fail("rename_model", ModelNoteInvalid(what="This name", reason="it is too long."))
    detail.head.pencil.click()
    detail.head.edit.setText("My Qwen")
    QTest.keyClick(detail.head.edit, Qt.Key.Key_Return)
    settled()
    assert page.notices.texts == ("This name cannot be used: it is too long.",)
    assert detail.head.name.text() == "Qwen3 8B"


def type_tag(qtbot: QtBot, detail: DetailPage, text: str) -> None:
    field = detail.overview.tags.field
    field.setFocus()
    QTest.keyClicks(field, text)


@pytest.mark.parametrize("end", ["enter", "comma"])
def test_a_tag_is_added(
    qtbot: QtBot, detail: DetailPage, client: AppClient, settled: Settled, end: str
) -> None:
    type_tag(qtbot, detail, "home" if end == "enter" else "home,")
    if end == "enter":
        QTest.keyClick(detail.overview.tags.field, Qt.Key.Key_Return)
    settled()
    assert client.library.called("tag_model") == [(QWEN_ID, ("work", "fast", "home"))]
    assert list(detail.overview.tags.crosses) == ["work", "fast", "home"]
    assert detail.overview.tags.field.text() == ""


def test_a_tag_that_is_there_is_not_added_twice(
    qtbot: QtBot, detail: DetailPage, client: AppClient, settled: Settled
) -> None:
    type_tag(qtbot, detail, "WORK")
    QTest.keyClick(detail.overview.tags.field, Qt.Key.Key_Return)
    settled()
    assert client.library.called("tag_model") == []


def test_a_tags_cross_takes_it_away(detail: DetailPage, client: AppClient, settled: Settled) -> None:
    detail.overview.tags.crosses["work"].click()
    settled()
    assert client.library.called("tag_model") == [(QWEN_ID, ("fast",))]
    assert list(detail.overview.tags.crosses) == ["fast"]


def test_backspace_in_the_empty_field_takes_the_last_tag_away(
    qtbot: QtBot, detail: DetailPage, client: AppClient, settled: Settled
) -> None:
    QTest.keyClick(detail.overview.tags.field, Qt.Key.Key_Backspace)
    settled()
    assert client.library.called("tag_model") == [(QWEN_ID, ("work",))]


def test_a_newer_version_can_be_downloaded(
    qtbot: QtBot, page: LibraryPage, detail: DetailPage, client: AppClient, toast: Toast, settled: Settled
) -> None:
    client.hub.models["Qwen/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf"] = hub_model()
    assert not detail.overview.download.isVisible()
    page.findings.set_updates([newer_qwen()])
    detail.overview.download.click()
    settled()
    assert client.hub.called("download_named") == [("Qwen/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf",)]
    assert toast.words == "The newer version is in the queue."


def test_show_in_folder_hands_over_the_path(detail: DetailPage, revealed: list[str]) -> None:
    detail.overview.show_in_folder.click()
    assert revealed == [QWEN_PATH]


def test_the_menu_has_no_open_for_what_is_open(detail: DetailPage) -> None:
    menu = detail.head.open_menu()
    assert menu is not None
    words = [action.text() for action in menu.actions()]
    menu.close()
    assert "Open" not in words
    assert "Delete…" in words


# The way back


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Left])
def test_a_key_leads_back_to_the_list_and_the_model(
    qtbot: QtBot, page: LibraryPage, detail: DetailPage, key: Qt.Key
) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    modifiers = alt if key == Qt.Key.Key_Left else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(detail.head.back, key, modifiers)
    assert page.list.isVisible()
    assert page.list.table.hasFocus()
    assert page.list.table.currentIndex() == page.list.model.index_of(QWEN_PATH)


@pytest.mark.parametrize("tab", Tab)
def test_escape_leads_back_from_every_part(
    qtbot: QtBot, page: LibraryPage, detail: DetailPage, tab: Tab
) -> None:
    detail.show_tab(tab)
    target = {
        Tab.OVERVIEW: detail.overview.show_in_folder,
        Tab.LOADING: detail.tabs.button(Tab.LOADING),
        Tab.TUNING: detail.tabs.button(Tab.TUNING),
        Tab.TEMPLATE: detail.template.example,
        Tab.METADATA: detail.metadata.table,
        Tab.TENSORS: detail.tensors.table,
    }[tab]
    target.setFocus()
    QTest.keyClick(target, Qt.Key.Key_Escape)
    assert page.list.isVisible()


def test_the_mouses_back_button_leads_back(qtbot: QtBot, page: LibraryPage, detail: DetailPage) -> None:
    QTest.mouseClick(detail, Qt.MouseButton.BackButton, pos=QPoint(2, 2))
    assert page.list.isVisible()


def test_a_model_that_goes_away_leads_back(page: LibraryPage, detail: DetailPage, client: AppClient) -> None:
    client.set_models(one_of_each()[2:])
    assert page.list.isVisible()


# What the header says


def test_metadata_is_listed_and_can_be_searched(detail: DetailPage) -> None:
    detail.tabs.chosen.emit(Tab.METADATA)
    assert detail.metadata.isVisible()
    assert cells(detail.metadata.table)[2] == (
        "tokenizer.ggml.tokens",
        '["!", …]',
        "array of string, 151,936",
    )
    detail.metadata.filter.setText("CONTEXT")
    assert cells(detail.metadata.table) == [("qwen3.context_length", "40960", "uint32")]


def test_a_line_of_metadata_can_be_copied(qtbot: QtBot, detail: DetailPage) -> None:
    detail.show_tab(Tab.METADATA)
    table = detail.metadata.table
    table.setCurrentIndex(table.model().index(1, 1))
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "qwen3.context_length\t40960\tuint32"


def test_a_line_of_a_table_is_said_as_a_sentence(detail: DetailPage) -> None:
    index = detail.metadata.table.model().index(1, 0)
    said = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "qwen3.context_length, Value: 40960, Type: uint32"


def test_tensors_are_listed_by_type_with_their_share(detail: DetailPage) -> None:
    assert cells(detail.tensors.kinds) == [
        ("Q4_K", "90%", "4 kB", "2", "8k"),
        ("F32", "10%", "500 bytes", "1", "125"),
    ]


def test_a_tensor_is_found_by_its_shape(detail: DetailPage) -> None:
    detail.show_tab(Tab.TENSORS)
    detail.tensors.filter.setText("40 100 attn_k")
    assert [line[0] for line in cells(detail.tensors.table)] == ["blk.0.attn_k.weight"]


def test_the_example_and_the_template_can_be_read_and_copied(detail: DetailPage) -> None:
    detail.show_tab(Tab.TEMPLATE)
    part = detail.template
    assert part.example.toPlainText() == "<|im_start|>user\nWhy?<|im_end|>\n"
    part.segments.button("template").click()
    assert part.template.isVisible()
    part.copy.click()
    assert QGuiApplication.clipboard().text() == detail_of("").chat_template


def test_a_missing_template_is_said(
    page: LibraryPage, detail: DetailPage, client: AppClient, settled: Settled
) -> None:
    client.library.details[GEMMA_PATH] = msgspec.structs.replace(
        detail_of(GEMMA_PATH), chat_template="", template_problem="A common form stands in."
    )
    page.show_model(GEMMA_PATH)
    settled()
    detail.show_tab(Tab.TEMPLATE)
    assert "A common form stands in." in words_of(detail)


def test_a_header_that_cannot_be_read_says_why_and_can_be_tried_again(
    page: LibraryPage, client: AppClient, settled: Settled
) -> None:
    page.show_model(QWEN_PATH)
    settled()
    page.detail.show_tab(Tab.METADATA)
    assert "no longer there" in words_of(page.detail)
    client.library.details[QWEN_PATH] = detail_of(QWEN_PATH)
    page.detail.retry.click()
    settled()
    assert page.detail.metadata.isVisible()


def test_a_late_answer_for_another_file_is_not_shown(page: LibraryPage, detail: DetailPage) -> None:
    page.show_model(GEMMA_PATH)
    late = msgspec.structs.replace(detail_of(QWEN_PATH), metadata=())
    page.detail.show_detail(late)
    assert cells(detail.metadata.table)


def test_a_hostile_header_is_shown_as_text(
    page: LibraryPage, detail: DetailPage, client: AppClient, settled: Settled
) -> None:
    hostile = "<b>x</b>\u202e\x00" + "{% if " * 60_000
    line = msgspec.structs.replace(detail_of("").metadata[0], value=hostile, key=hostile)
    tensor = msgspec.structs.replace(detail_of("").tensors[0], name=hostile)
    client.library.details[GEMMA_PATH] = msgspec.structs.replace(
        detail_of(GEMMA_PATH),
        chat_template=hostile,
        rendered_example=hostile,
        metadata=(line,),
        tensors=(tensor,),
    )
    page.show_model(GEMMA_PATH)
    settled()
    for tab in Tab:
        detail.show_tab(tab)
        QApplication.processEvents()
        detail.grab()
    assert detail.template.template.toPlainText().startswith("<b>x</b>")
    assert "<b>" not in detail.metadata.table.model().index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.parametrize("px", [14, 20])
def test_the_page_fits_a_narrow_window(
    page: LibraryPage, detail: DetailPage, client: AppClient, theme: Theme, px: int
) -> None:
    theme.set_text_size(px)
    long = msgspec.structs.replace(one_of_each()[1], source="/" + "x" * 300)
    assert long.spec is not None
    long = msgspec.structs.replace(long, spec=msgspec.structs.replace(long.spec, name="W" * 200))
    client.set_models([long])
    page.resize(424 if px == 14 else 600, 600)
    page.grab()
    assert page.width() == (424 if px == 14 else 600)
    scroll = detail._overview_scroll
    content = scroll.widget()
    assert content is not None
    assert content.width() <= scroll.viewport().width()


def test_the_page_follows_the_theme(detail: DetailPage, theme: Theme) -> None:
    light = detail.grab().toImage()
    theme.set_choice(ThemeChoice.DARK)
    assert detail.grab().toImage() != light


def test_a_model_that_is_used_says_so_while_its_page_is_open(detail: DetailPage, client: AppClient) -> None:
    def used(entry: ModelEntry, at_s: float | None) -> ModelEntry:
        if entry.path != QWEN_PATH:
            return entry
        return replace(entry, personal=replace(entry.personal, last_used_s=at_s))

    client.set_models([used(entry, None) for entry in client.entries])
    assert detail.overview.facts.facts["Last used"] == "Never"
    client.set_models([used(entry, time.time()) for entry in client.entries])
    assert detail.overview.facts.facts["Last used"] == "Today"
