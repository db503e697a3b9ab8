"""The page of one model."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import FakeHub
from fakes.gguf_files import GgufFile, Tensor, Value, model_file, model_metadata
from fakes.library_files import FILE, QWEN_ID, REPO, LibraryFiles, newer_qwen_repo
from fakes.library_models import broken
from fakes.local_app import EXAMPLE, done
from fakes.model_entries import loaded_state, starter_spec
from fireside.core.status import LoadingModel, ModelStatus
from fireside.settings.values import Origin
from fireside.ui.kit.data_table import DataTable
from fireside.ui.library.detail import DetailPage
from fireside.ui.library.detail.detail_page import Tab
from fireside.ui.library.library_controller import TEMPLATE_KEY
from fireside.ui.library.library_page import LibraryPage
from fireside.ui.library.rows import ModelRow
from fireside.ui.models_view import ModelsView
from fireside.ui.theme import Theme, ThemeChoice
from fireside.ui.widgets.toast import Toast
from fireside.wire.runner_modes import ExampleReply


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, files: LibraryFiles, hub: FakeHub) -> AppClient:
    return AppClient(models=files.library, hub=hub.endpoint)


@pytest.fixture
def detail(page: LibraryPage, files: LibraryFiles) -> DetailPage:
    """The page of Qwen, with all that its header says."""
    page.show_model(files.qwen)
    settled()
    return page.detail


def all_text(detail: DetailPage) -> str:
    return "\n".join(label.text() for label in detail.findChildren(QLabel) if label.isVisible())


def cells(table: DataTable) -> list[tuple[str, ...]]:
    return [fact.cells for fact in table.row_model.rows]


def test_the_header_is_asked_for_once(detail: DetailPage, client: AppClient, files: LibraryFiles) -> None:
    assert client.called("models.detail") == [(files.qwen,)]


def test_facts_are_said_in_words(detail: DetailPage) -> None:
    facts = detail.overview.facts.facts
    assert facts["Quantization"] == "Q4_K_M: 4-bit, good balance"
    assert facts["Context"] == "Trained for 40k (40,960 tokens)"
    assert facts["Parameters"] == "17k (16,960)"
    assert facts["Use"] == "Chat"
    assert facts["Licence"] == "apache-2.0"


def test_where_it_came_from_is_said(detail: DetailPage) -> None:
    origin = detail.overview.origin.facts
    assert origin["Downloaded from"] == "Qwen/Qwen3-8B-GGUF"
    assert origin["Version"] == "a" * 40
    assert origin["On"] == "3 Oct 2026"


def test_every_place_is_listed(
    detail: DetailPage, page: LibraryPage, client: AppClient, files: LibraryFiles
) -> None:
    text = all_text(detail)
    for expected in (files.qwen, files.qwen_again):
        assert expected in text
    assert "Duplicate in LM Studio, 58 kB extra" in text
    page.show_model(files.gemma)
    settled()
    spec = client.app.models.entry_at(files.gemma).spec
    assert spec is not None
    assert spec.projector_path is not None
    assert spec.projector_path in all_text(detail)


def test_what_another_application_sets_is_shown(
    detail: DetailPage, page: LibraryPage, files: LibraryFiles
) -> None:
    page.show_model(files.gemma)
    settled()
    assert detail.overview.preset.facts == {
        "System prompt": "Be kind.",
        "Stop sequences": "“###”",
        "Temperature": "0.7",
        "Context": "4096",
    }


def test_a_preset_goes_with_its_model(detail: DetailPage, page: LibraryPage, files: LibraryFiles) -> None:
    page.show_model(files.gemma)
    settled()
    assert detail.overview.preset.isVisible()
    page.show_model(files.qwen)
    assert not detail.overview.preset.isVisible()


def test_a_model_that_cannot_chat_offers_no_chat(
    page: LibraryPage, detail: DetailPage, files: LibraryFiles
) -> None:
    page.show_model(files.embedder)
    assert not detail.head.use.isVisible()
    assert "cannot chat" in detail.overview.facts.facts["Use"]


def test_an_unreadable_file_says_why(page: LibraryPage, detail: DetailPage, files: LibraryFiles) -> None:
    page.show_model(files.broken)
    assert detail.head.problem.text().startswith("It ends in the middle of its header")
    for widget in (detail.head.use, detail.head.power, detail.head.star, detail.overview.tags):
        assert not widget.isVisible()


def test_a_model_on_a_drive_that_is_away_is_told_calmly(detail: DetailPage) -> None:
    away = ModelRow(entry=replace(broken(), problem="Its drive is not connected.", is_disconnected=True))
    detail.head.show_row(away)
    assert detail.head.problem.text() == "Its drive is not connected."
    assert detail.head.problem.property("role") == "mute"
    detail.overview.integrity.show_row(away, now=datetime.now(UTC))
    assert not detail.overview.integrity.check.isVisible()


# What can be done


def test_load_use_and_unload_carry_the_models_id(
    detail: DetailPage, models: ModelsView, asked: list[tuple[object, ...]]
) -> None:
    head = detail.head
    head.power.click()
    head.use.click()
    models.set_status(ModelStatus(model_id=QWEN_ID, state=loaded_state(starter_spec())))
    head.power.click()
    names = ("load_model", "use_model", "unload_model")
    assert asked == [(name, QWEN_ID) for name in names]


def test_there_is_one_button_to_load(detail: DetailPage) -> None:
    menu = detail.head.open_menu()
    assert menu is not None
    labels = {action.text() for action in menu.actions()}
    assert not labels & {"Load", "Unload", "Use in chat", "Open"}
    assert "Model settings" in labels
    menu.close()
    assert detail.head.power.isVisible()
    detail.show_tab(Tab.LOADING)
    assert not detail.head.power.isVisible()
    assert detail.loading.load.isVisible()
    detail.show_tab(Tab.OVERVIEW)
    assert detail.head.power.isVisible()


def test_a_model_that_loads_cannot_be_loaded_again(detail: DetailPage, models: ModelsView) -> None:
    models.set_status(ModelStatus(model_id=QWEN_ID, state=LoadingModel(fraction=0.3)))
    assert not detail.head.power.isEnabled()
    assert "Loading 30%" in all_text(detail)


def test_the_star_marks_and_unmarks(detail: DetailPage, client: AppClient) -> None:
    assert detail.head.star.accessibleName() == "Remove from favourites"
    detail.head.star.click()
    settled()
    assert client.called("models.set_favourite") == [(QWEN_ID, False)]
    assert detail.head.star.accessibleName() == "Add to favourites"


def test_enter_takes_a_new_name(detail: DetailPage, client: AppClient) -> None:
    detail.head.pencil.click()
    detail.head.edit.setText("  My   Qwen ")
    QTest.keyClick(detail.head.edit, Qt.Key.Key_Return)
    settled()
    assert client.called("models.rename") == [(QWEN_ID, "My Qwen")]
    assert detail.head.name.text() == "My Qwen"
    assert "Original name: Qwen3 8B" in all_text(detail)


def test_escape_gives_the_new_name_up_and_stays_on_the_page(detail: DetailPage, client: AppClient) -> None:
    detail.head.pencil.click()
    detail.head.edit.setText("My Qwen")
    QTest.keyClick(detail.head.edit, Qt.Key.Key_Escape)
    settled()
    assert client.called("models.rename") == []
    assert detail.isVisible()
    assert detail.head.name.isVisible()


def test_an_empty_name_gives_the_model_its_own_back(detail: DetailPage, client: AppClient) -> None:
    detail.head.pencil.click()
    detail.head.edit.clear()
    QTest.keyClick(detail.head.edit, Qt.Key.Key_Return)
    settled()
    assert client.called("models.rename") == [(QWEN_ID, "")]


def test_a_name_that_cannot_be_used_is_refused_in_words(page: LibraryPage, detail: DetailPage) -> None:
    detail.head.pencil.click()
    detail.head.edit.setText("My \u202eQwen")
    QTest.keyClick(detail.head.edit, Qt.Key.Key_Return)
    settled()
    (text,) = page.notices.texts
    assert text == "This name cannot be used: it holds characters that cannot be shown."
    assert detail.head.name.text() == "Qwen3 8B"


def type_tag(qtbot: QtBot, detail: DetailPage, text: str) -> None:
    field = detail.overview.tags.field
    field.setFocus()
    QTest.keyClicks(field, text)


@pytest.mark.parametrize("end", ["enter", "comma"])
def test_a_tag_is_added(qtbot: QtBot, detail: DetailPage, client: AppClient, end: str) -> None:
    type_tag(qtbot, detail, "home" if end == "enter" else "home,")
    if end == "enter":
        QTest.keyClick(detail.overview.tags.field, Qt.Key.Key_Return)
    settled()
    assert client.called("models.set_tags") == [(QWEN_ID, ("work", "fast", "home"))]
    assert list(detail.overview.tags.crosses) == ["work", "fast", "home"]
    assert detail.overview.tags.field.text() == ""


def test_a_tag_that_is_there_is_not_added_twice(qtbot: QtBot, detail: DetailPage, client: AppClient) -> None:
    type_tag(qtbot, detail, "WORK")
    QTest.keyClick(detail.overview.tags.field, Qt.Key.Key_Return)
    settled()
    assert client.called("models.set_tags") == []


def test_a_tags_cross_takes_it_away(detail: DetailPage, client: AppClient) -> None:
    detail.overview.tags.crosses["work"].click()
    settled()
    assert client.called("models.set_tags") == [(QWEN_ID, ("fast",))]
    assert list(detail.overview.tags.crosses) == ["fast"]


def test_backspace_in_the_empty_field_takes_the_last_tag_away(detail: DetailPage, client: AppClient) -> None:
    QTest.keyClick(detail.overview.tags.field, Qt.Key.Key_Backspace)
    settled()
    assert client.called("models.set_tags") == [(QWEN_ID, ("work",))]


def test_a_newer_version_can_be_downloaded(
    page: LibraryPage, detail: DetailPage, client: AppClient, hub: FakeHub, toast: Toast
) -> None:
    hub.repos[REPO] = newer_qwen_repo()
    assert not detail.overview.download.isVisible()
    page.controller.find_updates()
    settled()
    detail.overview.download.click()
    settled()
    assert client.called("hub.download_named") == [(f"{REPO}/{FILE}",)]
    assert toast.text == "Update queued"


def test_show_in_folder_hands_over_the_path(
    detail: DetailPage, files: LibraryFiles, revealed: list[str]
) -> None:
    detail.overview.show_in_folder.click()
    assert revealed == [files.qwen]


def test_the_menu_has_no_open_for_what_is_open(detail: DetailPage) -> None:
    menu = detail.head.open_menu()
    assert menu is not None
    text = [action.text() for action in menu.actions()]
    menu.close()
    assert "Open" not in text
    assert "Delete…" in text


# The way back


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Left])
def test_a_key_leads_back_to_the_list_and_the_model(
    page: LibraryPage, detail: DetailPage, files: LibraryFiles, key: Qt.Key
) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    modifiers = alt if key == Qt.Key.Key_Left else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(detail.head.back, key, modifiers)
    assert page.list.isVisible()
    assert page.list.table.hasFocus()
    assert page.list.table.currentIndex() == page.list.model.index_of(files.qwen)


@pytest.mark.parametrize("tab", Tab)
def test_escape_leads_back_from_every_part(page: LibraryPage, detail: DetailPage, tab: Tab) -> None:
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


def test_the_mouses_back_button_leads_back(page: LibraryPage, detail: DetailPage) -> None:
    QTest.mouseClick(detail, Qt.MouseButton.BackButton, pos=QPoint(2, 2))
    assert page.list.isVisible()


def test_a_model_that_goes_away_leads_back(
    page: LibraryPage, detail: DetailPage, files: LibraryFiles
) -> None:
    for path in (files.qwen, files.qwen_again):
        Path(path).unlink()
    page.list.toolbar.rescan.click()
    settled()
    assert page.list.isVisible()


# What the header says


def test_metadata_is_listed_and_can_be_searched(detail: DetailPage) -> None:
    detail.tabs.key_selected.emit(Tab.METADATA)
    assert detail.metadata.isVisible()
    assert ("tokenizer.ggml.tokens", "", "array of string, 100") in cells(detail.metadata.table)
    detail.metadata.filter.setText("CONTEXT")
    assert cells(detail.metadata.table) == [("qwen3.context_length", "40960", "uint32")]


def test_a_line_of_metadata_can_be_copied(detail: DetailPage) -> None:
    detail.show_tab(Tab.METADATA)
    table = detail.metadata.table
    table.setCurrentIndex(table.model().index(0, 1))
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "general.architecture\tqwen3\tstring"


def test_a_line_of_a_table_is_said_as_a_sentence(detail: DetailPage) -> None:
    index = detail.metadata.table.model().index(0, 0)
    accessible_text = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert accessible_text == "general.architecture, Value: qwen3, Type: string"


def test_tensors_are_listed_by_type_with_their_share(detail: DetailPage) -> None:
    assert cells(detail.tensors.kinds) == [
        ("F32", "92%", "51 kB", "2", "13k"),
        ("Q8_0", "8%", "4 kB", "1", "4k"),
    ]


def test_a_tensor_is_found_by_its_shape(detail: DetailPage) -> None:
    detail.show_tab(Tab.TENSORS)
    detail.tensors.filter.setText("64 64 attn_q")
    assert [line[0] for line in cells(detail.tensors.table)] == ["blk.0.attn_q.weight"]


def test_the_example_and_the_template_can_be_read_and_copied(detail: DetailPage) -> None:
    detail.show_tab(Tab.TEMPLATE)
    part = detail.template
    assert part.example.toPlainText() == EXAMPLE
    part.segments.button("template").click()
    assert part.template.isVisible()
    part.copy.click()
    assert QGuiApplication.clipboard().text().startswith("{% for message in messages %}")


def own_template(client: AppClient) -> object:
    """Return the template that is set for Qwen; ``None`` where none is."""
    resolved = done(client.app.preferences.resolved(model_id=QWEN_ID, conversation_id=None))
    setting = next(setting for setting in resolved if setting.definition.key == TEMPLATE_KEY)
    return setting.value if setting.origin is Origin.MODEL else None


def test_another_template_is_checked_and_used_for_this_model_and_taken_back(
    detail: DetailPage, client: AppClient
) -> None:
    detail.show_tab(Tab.TEMPLATE)
    part = detail.template
    assert not part.choice.isVisible()
    part.edit.click()
    assert part.editor.toPlainText().startswith("{% for message in messages %}")
    part.editor.setPlainText("{{ messages[0].content }}")
    client.app.models._render_example = lambda _: ExampleReply(text="You are a helpful assistant.")
    part.save.click()
    settled()
    assert not part.is_editing
    assert part.example.toPlainText() == "You are a helpful assistant."
    assert part.template.toPlainText() == "{{ messages[0].content }}"
    assert part.choice.currentText() == "Custom"
    assert own_template(client) == "{{ messages[0].content }}"
    part.choice.setCurrentText("Model default")
    part.choice.activated.emit(part.choice.currentIndex())
    settled()
    assert part.template.toPlainText().startswith("{% for message in messages %}")
    assert own_template(client) is None


def test_a_template_that_fails_is_not_used_and_stays_to_be_mended(
    detail: DetailPage, client: AppClient
) -> None:
    detail.show_tab(Tab.TEMPLATE)
    part = detail.template
    part.edit.click()
    part.editor.setPlainText("{% for %}")
    client.app.models._render_example = lambda _: ExampleReply(problem="Line 1 is wrong.")
    part.save.click()
    settled()
    assert part.is_editing
    assert (part.note.text(), part.note.property("role")) == ("Line 1 is wrong.", "error")
    assert part.editor.toPlainText() == "{% for %}"
    assert own_template(client) is None
    QTest.keyClick(part.editor, Qt.Key.Key_Escape)
    assert not part.is_editing
    assert detail.isVisible(), "only the editor is left"


def test_a_template_that_the_file_has_under_a_name_can_be_chosen(
    page: LibraryPage, files: LibraryFiles
) -> None:
    changes: dict[str, Value | None] = {"tokenizer.chat_template.tool_use": "{{ tools }}{{ messages }}"}
    path = model_file(changes=changes).write(files.harness.models / "two.gguf")
    page.list.toolbar.rescan.click()
    settled()
    page.show_model(str(path))
    settled()
    page.detail.show_tab(Tab.TEMPLATE)
    part = page.detail.template
    assert [part.choice.itemText(at) for at in range(part.choice.count())] == ["Model default", "tool_use"]
    part.choice.setCurrentText("tool_use")
    part.choice.activated.emit(1)
    settled()
    assert part.template.toPlainText() == "{{ tools }}{{ messages }}"
    assert part.choice.currentText() == "tool_use"


def test_a_missing_template_is_said(page: LibraryPage, client: AppClient, files: LibraryFiles) -> None:
    client.app.models._render_example = lambda _: ExampleReply(text=EXAMPLE, fallback="ChatML")
    page.show_model(files.gemma)
    settled()
    page.detail.show_tab(Tab.TEMPLATE)
    assert "the one of ChatML is used." in all_text(page.detail)


def test_a_header_that_cannot_be_read_says_why_and_can_be_tried_again(
    page: LibraryPage, files: LibraryFiles
) -> None:
    away = Path(files.qwen).rename(files.harness.root / "away.gguf")
    page.show_model(files.qwen)
    settled()
    page.detail.show_tab(Tab.METADATA)
    assert "Model file not found" in all_text(page.detail)
    away.rename(files.qwen)
    page.detail.retry.click()
    settled()
    assert page.detail.metadata.isVisible()


def test_a_late_answer_for_another_file_is_not_shown(
    page: LibraryPage, client: AppClient, files: LibraryFiles
) -> None:
    client.hold("models.detail")
    page.show_model(files.qwen)
    page.show_model(files.embedder)
    client.release("models.detail")
    settled()
    assert ("general.architecture", "nomic-bert", "string") in cells(page.detail.metadata.table)


def test_a_hostile_header_is_shown_as_text(page: LibraryPage, client: AppClient, files: LibraryFiles) -> None:
    hostile = "<b>x</b>\u202e\x00" + "{% if " * 30_000
    changes: dict[str, Value | None] = {"tokenizer.chat_template": hostile, "a" + hostile[:60]: hostile}
    path = files.harness.models / "hostile.gguf"
    tensor = Tensor(hostile[:60], (64,))
    GgufFile(metadata=model_metadata(changes=changes), tensors=(tensor,)).write(path)
    client.app.models._render_example = lambda _: ExampleReply(text=hostile)
    page.list.toolbar.rescan.click()
    settled()
    page.show_model(str(path))
    settled()
    detail = page.detail
    for tab in Tab:
        detail.show_tab(tab)
        QApplication.processEvents()
        detail.grab()
    assert detail.template.template.toPlainText().startswith("<b>x</b>")
    assert "<b>" not in detail.metadata.table.model().index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.parametrize("px", [14, 20])
def test_the_page_fits_a_narrow_window(
    page: LibraryPage, detail: DetailPage, client: AppClient, files: LibraryFiles, theme: Theme, px: int
) -> None:
    theme.set_text_size(px)
    long = next(entry for entry in client.entries if entry.path == files.qwen)
    assert long.spec is not None
    client.set_models([replace(long, source="/" + "x" * 300, spec=replace(long.spec, name="W" * 200))])
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


def test_a_model_that_is_used_says_so_while_its_page_is_open(
    qtbot: QtBot, detail: DetailPage, client: AppClient
) -> None:
    assert detail.overview.facts.facts["Last used"] == "Never"
    client.app.models.record_use(QWEN_ID)
    qtbot.waitUntil(lambda: detail.overview.facts.facts["Last used"] == "Today")
