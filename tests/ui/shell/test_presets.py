"""Presets, constraints and seeds by keys and clicks: chosen, filled in, edited, removed, reported."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.german import compiled_german, speaking_german
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.errors import FiresideError
from fireside.core.ids import ConversationId, ModelId
from fireside.core.preset import PRESET_NAME_KEY, SYSTEM_PROMPT_KEY, Preset, PresetImport
from fireside.core.transfer import ConversationsRestored
from fireside.settings.values import ConversationLayer
from fireside.ui.chat.pane.chips import PRESET, RULE, SEED, SYSTEM
from fireside.ui.commands import Command
from fireside.ui.presets.library_sheet import LibrarySheet
from fireside.ui.shell.main_window import MainWindow


def own(client: AppClient, conversation_id: ConversationId) -> dict[str, object]:
    return dict(client.layers.get(ConversationLayer(conversation_id=conversation_id), {}))


def run_command(window: MainWindow, command: Command) -> None:
    window.commands.actions[command].trigger()


def library(window: MainWindow) -> LibrarySheet:
    run_command(window, Command.PRESETS)
    settled()
    sheet = window.presets.sheet
    assert sheet is not None
    return sheet


def test_in_another_language_editor_and_list_agree(
    window: MainWindow, client: AppClient, tmp_path: Path
) -> None:
    with speaking_german(compiled_german(tmp_path)):
        sheet = library(window)
        assert sheet.editor.name.text() == "Allgemeiner Assistent"
        assert "Antworten" in sheet.editor.about.text()
        sheet.editor.text.appendPlainText("Be brief.")
        sheet.editor.flush()
        settled()
        sheet.reject()
    changed = next(preset for preset in client.preset_library if preset.source == "helper")
    assert changed.text.endswith("Be brief.")
    assert changed.name == "General helper"


def test_fields_and_buttons_end_at_one_edge(window: MainWindow) -> None:
    sheet = library(window)
    for part in (sheet.editor.name, sheet.editor.text, sheet.editor.model, sheet.editor.rule, sheet.use):
        end = part.mapTo(sheet, part.rect().topRight()).x()
        assert end == sheet.use.mapTo(sheet, sheet.use.rect().topRight()).x(), part.accessibleName()
    sheet.reject()


# A new chat


def test_a_new_chat_offers_the_favourite_presets(window: MainWindow, client: AppClient) -> None:
    starters = window.chat.start.starters
    assert [button.text().strip() for button in starters.buttons] == [
        preset.name for preset in client.preset_library if preset.favourite
    ]


def test_a_new_chat_begins_with_the_preset_that_was_chosen(window: MainWindow, client: AppClient) -> None:
    window.chat.start.starters.buttons[2].click()
    settled()
    assert [chip.label for chip in window.chat.chips.displayed] == ["Code reviewer"]
    assert window.chat.start.starters.buttons[2].isChecked()
    QTest.keyClicks(window.chat.composer.editor, "Look at this")
    QTest.keyClick(window.chat.composer.editor, Qt.Key.Key_Return)
    settled()
    made = window.conversations.conversation_id
    assert made is not None
    kept = own(client, made)
    assert kept[PRESET_NAME_KEY] == "Code reviewer"
    assert str(kept[SYSTEM_PROMPT_KEY]).startswith("You review code")
    assert [chip.label for chip in window.chat.chips.displayed] == ["Code reviewer"]
    window.conversations.new_chat()
    settled()
    assert window.chat.chips.displayed == ()


def test_a_preset_of_a_new_chat_can_be_removed_before_the_first_message(window: MainWindow) -> None:
    button = window.chat.start.starters.buttons[0]
    button.click()
    settled()
    window.chat.chips.chips[PRESET].remove.click()
    settled()
    assert window.chat.chips.displayed == ()
    assert window.presets.settings.new_chat_values == {}
    assert not any(button.isChecked() for button in window.chat.start.starters.buttons)


# Variables


def test_variables_of_a_preset_are_asked_for_with_their_defaults(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    window.presets.use(client.preset("Translator"))
    sheet = window.presets.values_sheet
    assert sheet is not None
    field = sheet.fields["target language"]
    assert field.toPlainText() == "English"
    QTest.keyClicks(field, "Finnish")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settled()
    assert "into Finnish." in str(own(client, chat)[SYSTEM_PROMPT_KEY])
    window.presets.use(client.preset("Translator"))
    again = window.presets.values_sheet
    assert again is not None
    assert again.fields["target language"].toPlainText() == "Finnish"
    again.reject()


def test_enter_goes_through_the_fields_and_shift_enter_makes_a_line(
    window: MainWindow, client: AppClient
) -> None:
    window.presets.use(client.preset("Answer an e-mail"))
    sheet = window.presets.values_sheet
    assert sheet is not None
    answer, mail = sheet.fields["answer"], sheet.fields["e-mail"]
    QTest.keyClicks(answer, "Yes")
    QTest.keyClick(answer, Qt.Key.Key_Return)
    QTest.keyClicks(mail, "Dear")
    QTest.keyClick(mail, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(mail, "you")
    QTest.keyClick(mail, Qt.Key.Key_Return)
    settled()
    written = window.chat.composer.text()
    assert "What I want to say: Yes" in written
    assert written.endswith("Dear\nyou")


def test_a_date_is_filled_in_without_a_question(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    window.presets.use(client.preset("General helper"))
    settled()
    assert "{{" not in str(own(client, chat)[SYSTEM_PROMPT_KEY])


# A chat


def test_taking_a_preset_away_takes_what_it_wrote_and_leaves_what_a_user_set(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    client.layers[ConversationLayer(conversation_id=chat)] = {"answer.reasoning": "off"}
    window.presets.use(client.preset("Brainstorm"))
    settled()
    window.chat.chips.chips[PRESET].remove.click()
    settled()
    assert own(client, chat) == {"answer.reasoning": "off"}


def test_a_presets_model_is_selected_and_a_missing_one_reported(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    window.presets.use(Preset(name="Far", model_id=ModelId("nobody/has-it"), settings={}))
    settled()
    assert "nobody/has-it" in window.toast.text
    assert [chip.label for chip in window.chat.chips.displayed] == ["Far"]


def test_a_preset_is_created_from_the_settings_of_a_chat(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    client.layers[ConversationLayer(conversation_id=chat)] = {
        "sampling.temperature": 0.1,
        SYSTEM_PROMPT_KEY: "Be a bee.",
        "load.n_ctx": 512,
    }
    window.presets.settings.refresh()
    settled()
    run_command(window, Command.SAVE_PRESET)
    settled()
    made = client.preset_library[-1]
    assert (made.text, made.settings) == ("Be a bee.", {"sampling.temperature": 0.1})
    sheet = window.presets.sheet
    assert sheet is not None
    assert sheet.list.selected == made
    sheet.reject()


# The library


def test_a_new_preset_is_stored_while_it_is_typed(
    window: MainWindow, client: AppClient, qtbot: QtBot
) -> None:
    sheet = library(window)
    sheet.new.click()
    settled()
    QTest.keyClicks(sheet.editor.name, "Poet")
    QTest.keyClicks(sheet.editor.text, "Write about {{subject}}.")
    QTest.keyClicks(sheet.editor.defaults["subject"], "rain")
    sheet.editor.boxes["sampling.temperature"].click()
    qtbot.waitUntil(lambda: any(preset.defaults == {"subject": "rain"} for preset in client.preset_library))
    sheet.accept()
    settled()
    made = client.preset("Poet")
    assert made.text == "Write about {{subject}}."
    assert set(made.settings) == {"sampling.temperature"}


def test_closing_the_library_loses_nothing_that_was_typed(window: MainWindow, client: AppClient) -> None:
    sheet = library(window)
    first = client.preset_library[0]
    sheet.select(first.id)
    QTest.keyClicks(sheet.editor.about, "!")
    sheet.close_button.click()
    settled()
    assert client.preset_library[0].about == f"{first.about}!"


def test_going_to_another_preset_loses_nothing_that_was_typed(window: MainWindow, client: AppClient) -> None:
    sheet = library(window)
    first, second = client.preset_library[:2]
    sheet.select(first.id)
    QTest.keyClicks(sheet.editor.about, "!")
    sheet.select(second.id)
    settled()
    assert client.preset_library[0].about == f"{first.about}!"
    assert sheet.editor.name.text() == second.name
    sheet.reject()


def test_an_invalid_preset_is_explained_and_its_input_stays(window: MainWindow, client: AppClient) -> None:
    sheet = library(window)
    client.fail("presets.save", FiresideError.of("preset_invalid", reason="it is odd."))
    QTest.keyClicks(sheet.editor.about, "!")
    sheet.editor.flush()
    settled()
    assert sheet.editor.error.text() == "Preset not saved: it is odd."
    assert sheet.editor.about.text().endswith("!")
    sheet.reject()
    settled()


def test_presets_are_found_duplicated_moved_and_deleted_with_undo(
    window: MainWindow, client: AppClient
) -> None:
    sheet = library(window)
    QTest.keyClicks(sheet.filter, "transl")
    assert sheet.list.selected is not None
    assert sheet.list.selected.name == "Translator"
    sheet.duplicate.click()
    settled()
    assert client.preset_library[-1].name == "Translator (copy)"
    assert sheet.list.selected == client.preset_library[-1]
    sheet.select(client.preset("Translator").id)
    QTest.keyClick(sheet.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    settled()
    assert client.preset_library[0].name == "Translator"
    QTest.keyClick(sheet.list, Qt.Key.Key_Delete)
    settled()
    assert "Translator" not in [preset.name for preset in client.preset_library]
    sheet.toast.trigger_action()
    settled()
    assert "Translator" in [preset.name for preset in client.preset_library]
    sheet.reject()


def test_an_import_reports_added_and_skipped_presets(window: MainWindow, client: AppClient) -> None:
    sheet = library(window)
    imported = PresetImport(names=("A",), n_existing=2, skipped=("Preset 3 cannot be read.",))
    client.reply("presets.import_file", imported)
    dialog = sheet.import_presets()
    dialog.fileSelected.emit("/tmp/presets.json")
    dialog.close()
    settled()
    assert sheet.toast.text.startswith("1 preset added. 2 already existed. Preset 3")
    sheet.reject()


def test_a_preset_of_the_library_is_used_in_the_chat_in_front(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    sheet = library(window)
    sheet.select(client.preset("Code reviewer").id)
    sheet.use.click()
    settled()
    assert own(client, chat)[PRESET_NAME_KEY] == "Code reviewer"


# Rules


def test_a_constraint_is_checked_while_it_is_typed_and_used_once_valid(
    window: MainWindow, client: AppClient, chat: ConversationId, qtbot: QtBot
) -> None:
    run_command(window, Command.ANSWER_FORMAT)
    sheet = window.presets.rule_sheet
    assert sheet is not None
    sheet.format.setCurrentIndex(2)
    assert not sheet.use.isEnabled()
    QTest.keyClicks(sheet.editor, "{")
    qtbot.waitUntil(lambda: sheet.status.text().startswith("Invalid schema"))
    assert not sheet.use.isEnabled()
    sheet.example_buttons[0].click()
    qtbot.waitUntil(sheet.use.isEnabled)
    sheet.use.click()
    settled()
    kept = own(client, chat)
    assert kept["answer.format"] == "json_schema"
    assert "hobbies" in str(kept["answer.format_rule"])
    assert [chip.label for chip in window.chat.chips.displayed] == ["Format: JSON Schema"]
    window.chat.chips.chips[RULE].remove.click()
    settled()
    assert window.chat.chips.displayed == ()


def test_looking_at_another_format_loses_no_rule(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    layer = ConversationLayer(conversation_id=chat)
    client.layers[layer] = {"answer.format": "regex", "answer.format_rule": "[a-z]+"}
    window.presets.settings.refresh()
    settled()
    window.chat.chips.chips[RULE].open.click()
    sheet = window.presets.rule_sheet
    assert sheet is not None
    assert (sheet.form, sheet.rule) == ("regex", "[a-z]+")
    sheet.format.setCurrentIndex(0)
    assert sheet.rule == ""
    sheet.format.setCurrentIndex(3)
    assert sheet.rule == "[a-z]+"
    sheet.reject()


def test_a_rule_of_a_new_chat_goes_along_with_its_first_message(
    window: MainWindow, client: AppClient
) -> None:
    run_command(window, Command.ANSWER_FORMAT)
    sheet = window.presets.rule_sheet
    assert sheet is not None
    sheet.format.setCurrentIndex(1)
    sheet.use.click()
    settled()
    assert [chip.kind for chip in window.chat.chips.displayed] == [RULE]
    QTest.keyClicks(window.chat.composer.editor, "Hello")
    QTest.keyClick(window.chat.composer.editor, Qt.Key.Key_Return)
    settled()
    made = window.conversations.conversation_id
    assert made is not None
    assert own(client, made)["answer.format"] == "json"


# Seeds and the system prompt


def test_a_seed_is_reused_shown_and_released(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    window.presets.set_seed(4_000_000_000)
    settled()
    assert own(client, chat)["sampling.seed"] == 4_000_000_000
    assert "4000000000" in window.toast.text
    assert [chip.label for chip in window.chat.chips.displayed] == ["Seed 4000000000"]
    window.chat.chips.chips[SEED].remove.click()
    settled()
    assert own(client, chat)["sampling.seed"] == -1
    assert window.chat.chips.displayed == ()


def test_without_a_seed_to_reuse_that_is_reported(window: MainWindow, chat: ConversationId) -> None:
    run_command(window, Command.KEEP_SEED)
    settled()
    assert window.toast.text == "No answer with a seed yet"


def test_a_chat_has_a_system_prompt_of_its_own_until_it_is_taken_away(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    window.presets.settings.change({SYSTEM_PROMPT_KEY: "Be brief."})
    settled()
    assert own(client, chat) == {SYSTEM_PROMPT_KEY: "Be brief."}
    window.chat.chips.chips[SYSTEM].remove.click()
    settled()
    assert own(client, chat) == {}


def test_every_control_of_the_sheets_has_a_name(window: MainWindow, client: AppClient) -> None:
    sheet = library(window)
    window.presets.show_rule()
    rule = window.presets.rule_sheet
    assert rule is not None
    rule.format.setCurrentIndex(2)
    parts: list[QWidget] = []
    for kind in (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit):
        parts += [*sheet.findChildren(kind), *rule.findChildren(kind)]
    visible = [part for part in parts if part.isVisible() and not part.objectName().startswith("qt_")]
    nameless = [part for part in visible if not part.accessibleName() and not getattr(part, "text", str)()]
    assert len(visible) > 15
    assert nameless == []
    rule.reject()
    sheet.reject()


def test_a_restored_backup_replaces_the_preset_library(window: MainWindow, client: AppClient) -> None:
    client.reply("presets.presets", client.preset_library[:1])
    client.publish(ConversationsRestored())
    settled()
    assert [preset.name for preset in window.presets.presets] == ["General helper"]


def test_a_preset_is_given_collections(window: MainWindow, client: AppClient) -> None:
    collection = client.result(client.collections.create(name="House"))
    client.wait_until(lambda: bool(window.collections.known))
    editor = library(window).editor
    choice = editor.collections
    assert choice.accessibleName() == "Collections: None"
    choice.menu().aboutToShow.emit()
    action, _, files = choice.menu().actions()
    assert files.text() == "Add files…"
    action.trigger()
    assert choice.accessibleName() == "Collections: House"
    editor.flush()
    settled()
    assert editor.preset is not None
    kept = next(preset for preset in client.preset_library if preset.id == editor.preset.id)
    assert kept.settings[COLLECTIONS_KEY] == (collection.id,)
    choice.menu().aboutToShow.emit()
    assert choice.menu().actions()[0].isChecked()
    choice.menu().actions()[0].trigger()
    editor.flush()
    settled()
    kept = next(preset for preset in client.preset_library if preset.id == editor.preset.id)
    assert COLLECTIONS_KEY not in kept.settings


def test_a_preset_is_given_single_files(window: MainWindow, client: AppClient, tmp_path: Path) -> None:
    path = tmp_path / "pump.md"
    path.write_text("The pump needs oil every spring.\n")
    editor = library(window).editor
    editor.collections.menu().aboutToShow.emit()
    editor.collections.menu().actions()[-1].trigger()
    dialog = editor.window().findChildren(QFileDialog)[-1]
    dialog.filesSelected.emit([str(path)])
    dialog.reject()
    client.wait_until(lambda: editor.collections.accessibleName() == "Collections: pump")
    editor.flush()
    settled()
    assert editor.preset is not None
    (made,) = client.result(client.collections.collections())
    kept = next(preset for preset in client.preset_library if preset.id == editor.preset.id)
    assert kept.settings[COLLECTIONS_KEY] == (made.id,)
