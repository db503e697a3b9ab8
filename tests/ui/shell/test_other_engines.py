"""Remote engines in the window: added in the settings, offered beside local models, with a visible host."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.engines_harness import EnginesHarness
from fakes.model_server import MODEL, OLLAMA_CHAT, ModelServer, Reply, chunk, model_server, text
from fakes.window import build_window, window_context
from fireside.core.chat import MessageState
from fireside.core.errors import FiresideError
from fireside.core.ids import ModelId
from fireside.core.message import ReasoningPart, TextPart
from fireside.core.remote import NewEngine
from fireside.core.status import OnRemoteEngine
from fireside.settings.values import AppLayer, ConversationLayer
from fireside.ui.chat.answer.answer_text import footer_note
from fireside.ui.chat.composer.composer import Composer
from fireside.ui.header.header import ModelPill
from fireside.ui.models_view import ModelsView
from fireside.ui.settings.engine_sheets import AddEngineSheet, ModelsSheet
from fireside.ui.settings.engines_row import EnginesController
from fireside.ui.side_panel.panel import CONTEXT
from fireside.ui.tasks import TaskRunner


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


class Scene:
    """Both rows with their controller, over a client in memory whose engines are real."""

    def __init__(self, qtbot: QtBot, *, folder: Path, tasks: TaskRunner) -> None:
        client = self.client = AppClient()
        self.harness = EnginesHarness(folder)
        client.app.engines._parts = self.harness.service._parts
        self.settled = settled
        self.around = QWidget()
        qtbot.addWidget(self.around)
        context = window_context(client, tasks=tasks, window=self.around)
        self.controller = EnginesController(context, parent=self.around)
        self.row, self.connections = self.controller.row, self.controller.connections
        column = QVBoxLayout(self.around)
        column.addWidget(self.row)
        column.addWidget(self.connections)
        self.around.resize(800, 700)
        self.around.show()
        settled()

    def sheet(self) -> AddEngineSheet:
        self.row.add.click()
        assert isinstance(self.controller.sheet, AddEngineSheet)
        return self.controller.sheet

    def add(self, address: str, *, key: str = "") -> None:
        sheet = self.sheet()
        sheet.address.setText(address)
        sheet.key.setText(key)
        sheet.add.click()
        self.settled()

    def button(self, words: str) -> QPushButton:
        (box,) = self.row.boxes.values()
        return box.buttons[words]


@pytest.fixture
def scene(qtbot: QtBot, tmp_path: Path, tasks: TaskRunner) -> Iterator[Scene]:
    scene = Scene(qtbot, folder=tmp_path, tasks=tasks)
    yield scene
    scene.client.result(scene.client.app.engines.close())


def test_an_engine_is_added_tested_and_removed(scene: Scene, server: ModelServer) -> None:
    scene.add(server.address)
    assert "vLLM answered" in scene.row.note.text()
    (box,) = scene.row.boxes.values()
    scene.button("Test").click()
    scene.settled()
    (box,) = scene.row.boxes.values()
    assert "1 model" in box.result.text()
    assert box.state.text() == "Reachable"
    box.remove.click()
    scene.settled()
    assert scene.row.boxes == {}
    assert scene.client.app.engines.entries == ()


def test_an_error_is_shown_in_the_sheet_and_the_input_stays(scene: Scene, server: ModelServer) -> None:
    server.key = "sk-right"
    sheet = scene.sheet()
    sheet.address.setText(server.address)
    sheet.add.click()
    scene.settled()
    assert "requires an API key" in sheet.status.text()
    assert sheet.address.text() == server.address
    sheet.key.setText("sk-right")
    sheet.add.click()
    scene.settled()
    assert len(scene.row.boxes) == 1


def test_unencrypted_local_connections_need_consent_for_each_address(scene: Scene) -> None:
    sheet = scene.sheet()
    sheet.address.setText("http://192.168.7.7:8000")
    sheet.add.click()
    scene.settled()
    assert "Nothing sent to 192.168.7.7:8000 is encrypted" in sheet.status.text()
    assert sheet.plain.isVisible()
    assert scene.harness.log.all() == ()
    sheet.plain.setChecked(True)
    sheet.address.setText("http://192.168.7.8:8000")
    assert not sheet.plain.isVisible()
    assert not sheet.plain.isChecked()
    sheet.reject()


def test_models_that_are_not_ticked_are_not_offered(scene: Scene, server: ModelServer) -> None:
    scene.add(server.address)
    scene.button("Models…").click()
    sheet = scene.controller.sheet
    assert isinstance(sheet, ModelsSheet)
    assert "40k context (from /v1/models)" in sheet.boxes[MODEL].accessibleDescription()
    sheet.boxes[MODEL].setChecked(False)
    scene.settled()
    assert scene.client.app.engines.entries == ()
    sheet.accept()


def test_connections_are_listed_and_cleared(scene: Scene, server: ModelServer) -> None:
    assert scene.connections.state.text() == "None"
    scene.add(server.address)
    scene.controller.connections.shown.emit()
    scene.settled()
    (line,) = scene.connections.lines
    assert line[1:3] == (server.host, "list of models")
    assert "received" in line[3]
    scene.connections.clear_all.click()
    scene.settled()
    assert scene.connections.lines == []


# In chats


def test_the_context_length_of_the_settings_is_sent_to_ollama(loop: object, tmp_path: Path) -> None:
    lines = [
        {"message": {"role": "assistant", "content": "Blue"}, "done": False},
        {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"},
    ]
    client = AppClient()
    with model_server("ollama", chat=OLLAMA_CHAT) as ollama:
        ollama.replies = [Reply(events=lines)]
        model_id = added(client, tmp_path, ollama)
        client.result(client.settings.change(AppLayer(), key="load.n_ctx", value=16384))
        chat = client.result(client.generations.send(None, text="Why?", model_id=model_id))
        client.result(client.app.generations.settled(chat))
        answer = client.messages[chat][1]
        assert answer.message.text == "Blue"
        assert answer.generation is not None
        assert answer.generation.n_ctx == 16384
        assert ollama.chats[0].body["options"]["num_ctx"] == 16384
        client.result(client.app.engines.close())


def added(client: AppClient, folder: Path, server: ModelServer) -> ModelId:
    """Add an engine to the app of ``client`` and return its model."""
    harness = EnginesHarness(folder)
    client.app.engines._parts = harness.service._parts
    client.result(client.engines.add(NewEngine(address=server.address)))
    spec = client.app.engines.entries[0].spec
    assert spec is not None
    return spec.id


def test_an_answer_of_another_engine_is_stored_like_any_other(
    loop: object, tmp_path: Path, server: ModelServer
) -> None:
    client = AppClient()
    model_id = added(client, tmp_path, server)
    server.replies = [text("Blue ", "scatters.")]
    chat = client.result(client.generations.send(None, text="Why?", model_id=model_id))
    client.result(client.app.generations.settled(chat))
    question, answer = client.messages[chat]
    assert (question.message.text, answer.message.text) == ("Why?", "Blue scatters.")
    assert answer.state is MessageState.COMPLETE
    assert answer.generation is not None
    assert answer.generation.model_name == f"{MODEL} @ {server.host}"
    assert answer.generation.usage is not None
    assert client.engine.requests == []
    client.result(client.app.engines.close())


@pytest.mark.parametrize("everywhere", [True, False])
def test_a_chat_that_stays_here_is_not_sent_elsewhere(
    loop: object, everywhere: bool, tmp_path: Path, server: ModelServer
) -> None:
    client = AppClient()
    model_id = added(client, tmp_path, server)
    own = {} if everywhere else {"chat.stays_local": True}
    if everywhere:
        client.result(client.settings.change(AppLayer(), key="chat.stays_local", value=True))
    n_asked = len(server.asked)
    chat = client.result(client.generations.send(None, text="Why?", model_id=model_id, settings=own))
    client.result(client.app.generations.settled(chat))
    answer = client.messages[chat][1]
    assert answer.error is not None
    assert "nothing was sent" in answer.error.sentence
    assert len(server.asked) == n_asked
    layer = AppLayer() if everywhere else ConversationLayer(conversation_id=chat)
    client.result(client.settings.change(layer, key="chat.stays_local", value=False))
    client.result(client.generations.regenerate(answer.id, model_id=model_id))
    client.result(client.app.generations.settled(chat))
    assert client.messages[chat][1].message.text == "Hello there"
    client.result(client.app.engines.close())


def test_background_work_of_a_chat_uses_no_other_engine(
    loop: object, tmp_path: Path, server: ModelServer
) -> None:
    client = AppClient()
    model_id = added(client, tmp_path, server)
    assert model_id not in {entry.spec.id for entry in client.entries if entry.spec is not None}
    with pytest.raises(FiresideError):
        client.app.models.chat_spec(model_id)
    with pytest.raises(FiresideError):
        client.app.models.spec(model_id)
    client.result(client.app.engines.close())


def test_the_host_of_a_model_is_shown_beside_it(scene: Scene, server: ModelServer) -> None:
    scene.add(server.address)
    models = ModelsView()
    models.set_entries(scene.client.entries)
    models.set_remote(scene.client.app.engines.entries)
    (entry,) = scene.client.app.engines.entries
    assert entry.spec is not None
    assert models.state(entry.spec.id) == OnRemoteEngine(host=server.host)
    assert [each.spec for each in models.local if each.spec is not None and each.spec.remote] == []
    pill = ModelPill(parent=scene.around)
    pill.show_model(entry, state=models.state(entry.spec.id))
    assert pill.quantization.text() == f"@ {server.host}"
    composer = Composer(parent=scene.around)
    composer.set_model_name(entry.spec.name, host=server.host)
    assert composer.host_note.text() == f"@ {server.host}"
    assert composer.send_button.accessibleName() == f"Send to {server.host}"
    composer.set_model_name("SmolLM2")
    assert composer.send_button.accessibleName() == "Send"
    assert composer.host_note.isHidden()


def test_a_chat_that_stays_here_bars_models_of_others(
    qtbot: QtBot, tmp_path: Path, server: ModelServer, tasks: TaskRunner
) -> None:
    client = AppClient()
    model_id = added(client, tmp_path, server)
    window = build_window(client, tasks=tasks)
    qtbot.addWidget(window)
    window.show()
    settled()
    window.router.use_model(model_id)
    settled()
    composer = window.chat.composer
    composer.set_text("Why?")
    assert composer.reason_not_to_send() == ""
    window.router.toggle_chat_settings()
    panel = window.chat_area.panel
    assert panel is not None
    panel.groups[CONTEXT].set_open(is_open=True)
    assert panel.rows["chat.stays_local"].isVisible()
    window.presets.settings.change({"chat.stays_local": True})
    settled()
    assert "stays on this computer" in composer.reason_not_to_send()
    window.header.open_picker()
    rows = {row.model_id: row for row in window.header.popup.rows}
    assert not rows[model_id].isEnabled()
    assert "stays on this computer" in rows[model_id].accessibleDescription()
    assert all(row.isEnabled() for row in rows.values() if not row.is_remote)
    window.header.popup.hide()
    window.presets.settings.change({"chat.stays_local": None})
    settled()
    assert composer.reason_not_to_send() == ""
    window.close()
    client.result(client.app.engines.close())


def test_a_conversation_goes_elsewhere_only_where_that_was_chosen_for_it(
    qtbot: QtBot, tmp_path: Path, server: ModelServer, tasks: TaskRunner
) -> None:
    client = AppClient()
    kept = client.add_conversation("Kept here", turns=("Why?", "Because."))
    model_id = added(client, tmp_path, server)
    client.choose_model(kept, ModelId("a-model-that-is-gone"))
    client.choose_default(model_id)
    window = build_window(client, tasks=tasks)
    qtbot.addWidget(window)
    window.show()
    settled()
    assert window.conversations.model_id == model_id  # a new chat, where it stands beside Send
    window.conversations.open(kept)
    settled()
    entry = window.context.models.entry(window.conversations.model_id)
    assert entry is not None
    assert entry.spec is not None
    assert entry.spec.remote is None
    window.close()
    client.result(client.app.engines.close())


def test_an_odd_answer_is_shown_with_its_reasoning_folded_and_what_was_left_out(
    qtbot: QtBot, tmp_path: Path, server: ModelServer, tasks: TaskRunner
) -> None:
    server.replies = [
        Reply(
            events=[
                chunk({"content": "Light is scattered"}),
                chunk({"content": " by air.\n</think>\n\n"}),
                "{broken",
                chunk({"content": [{"type": "text", "text": "Because of the **air**."}]}),
                chunk({"content": [{"type": "hologram"}]}, finish="stop"),
                "[DONE]",
            ]
        )
    ]
    client = AppClient()
    client.app.engines._parts = EnginesHarness(tmp_path).service._parts
    client.result(client.engines.add(NewEngine(address=server.address)))
    spec = client.app.engines.entries[0].spec
    assert spec is not None
    window = build_window(client, tasks=tasks)
    qtbot.addWidget(window)
    window.show()
    settled()
    chat = client.result(client.generations.send(None, text="Why is the sky blue?", model_id=spec.id))
    client.result(client.app.generations.settled(chat))
    answer = client.messages[chat][-1]
    assert answer.message.parts == (
        ReasoningPart(text="Light is scattered by air.\n"),
        TextPart(text="Because of the **air**."),
    )
    assert footer_note(answer) == "2 parts not understood, left out"
    window.close()
    client.result(client.app.engines.close())
