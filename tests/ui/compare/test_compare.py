"""Comparisons: set up, streamed into columns, stopped, kept, by mouse and keyboard."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, handing_on, settled
from fakes.clipped_text import cut_off
from fakes.engines_harness import EnginesHarness
from fakes.model_entries import STARTER_ID, loaded_state
from fakes.model_server import MODEL, model_server
from fakes.window import window_context
from fireside.core.chat import ComparedColumn, Comparison, MessageState
from fireside.core.errors import FiresideError, RequestError, format_bytes
from fireside.core.events import AnswerProgressed
from fireside.core.generation import Queued
from fireside.core.message import TextPart
from fireside.core.remote import NewEngine
from fireside.core.status import ModelStatus, Ready, Unloaded
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.commands import Command
from fireside.ui.compare.column import CompareColumn, MeasuredSpeed, figures, settings_text
from fireside.ui.compare.compare_controller import CompareController
from fireside.ui.compare.compare_view import CompareView
from fireside.ui.compare.setup_sheet import SetupSheet
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner

WINDOW = (1000, 700)


class Scene:
    """A chat pane in a window, and the controller that compares."""

    def __init__(self, client: AppClient, tasks: TaskRunner, window: QWidget) -> None:
        self.client = client
        self.window = window
        self.models = ModelsView(window)
        self.models.set_entries(client.entries)
        self.chat = ChatPane(client=client, tasks=tasks, open_url=lambda _url: None)
        self.chat.setParent(window)
        self.chat.resize(*WINDOW)
        handing_on(client, self.chat.handle)
        spec = client.entries[0].spec
        assert spec is not None
        self.models.set_status(ModelStatus(model_id=spec.id, state=loaded_state(spec)))
        self.chat.set_model(client.entries[0], self.models.status(spec.id))
        self.errors: list[FiresideError] = []
        context = window_context(client, tasks=tasks, window=window, models=self.models)
        context = dataclasses.replace(context, show_error=self.errors.append)
        self.commands = context.commands
        self.controller = CompareController(context, chat=self.chat)

    @property
    def setup(self) -> SetupSheet:
        assert self.controller.setup is not None
        return self.controller.setup

    @property
    def view(self) -> CompareView:
        assert self.controller.view is not None
        return self.controller.view

    @property
    def comparison(self) -> Comparison:
        assert self.chat.conversation_id is not None
        return self.client.compared(self.chat.conversation_id)

    def say(self, index: int, text: str, *, n: int) -> None:
        answer = self.comparison.answers[index]
        self.client.stream(answer.conversation_id, text=text, n_completion=n, answer=answer.id)

    def end(self, index: int, text: str) -> None:
        self.say(index, text, n=21)
        answer = self.comparison.answers[index]
        self.client.finish(answer.conversation_id, answer=answer.id)


@pytest.fixture
def scene(qtbot: QtBot, tasks: TaskRunner) -> Scene:
    window = QWidget()
    window.resize(*WINDOW)
    qtbot.addWidget(window)
    scene = Scene(AppClient(), tasks, window)
    window.show()
    return scene


@pytest.fixture
def started(qtbot: QtBot, scene: Scene) -> Scene:
    """A running comparison of two answers."""
    scene.chat.composer.editor.setPlainText("Why?")
    QTest.mouseClick(scene.chat.composer.compare_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scene.controller.setup is not None)
    QTest.mouseClick(scene.setup.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scene.controller.view is not None)
    settled()
    return scene


def test_the_typed_question_is_sent_to_all_models_and_leaves_the_composer(started: Scene) -> None:
    ((conversation_id, text, columns, attached, _draft),) = started.client.called("comparison.ask")
    assert (conversation_id, text, attached) == (None, "Why?", ())
    assert columns == (ComparedColumn(model_id=STARTER_ID), ComparedColumn(model_id=STARTER_ID))
    assert started.chat.composer.text() == ""
    assert started.chat.conversation_id == started.comparison.conversation_id
    assert [entry.text for entry in started.chat.transcript.entries] == ["Why?", ""]


def test_this_computer_and_another_engine_answer_side_by_side(
    qtbot: QtBot, scene: Scene, tmp_path: Path
) -> None:
    client = scene.client
    client.app.engines._parts = EnginesHarness(tmp_path).service._parts
    with model_server() as server:
        client.result(client.engines.add(NewEngine(address=server.address)))
        scene.models.set_remote(client.app.engines.entries)
        scene.chat.composer.editor.setPlainText("Why?")
        QTest.mouseClick(scene.chat.composer.compare_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: scene.controller.setup is not None)
        first, second = scene.setup.rows
        # A remote model is used only where the user selects it.
        assert (first.form.model_id, second.form.model_id) == (STARTER_ID, STARTER_ID)
        remote = second.form.model.findText(f"{MODEL} @ {server.host}")
        second.form.model.setCurrentIndex(remote)
        QTest.mouseClick(scene.setup.compare, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: scene.controller.view is not None)
        left, right = scene.view.columns
        qtbot.waitUntil(lambda: right.transcript.entries[0].text == "Hello there")
        scene.end(0, "Because.")
        settled()
        assert left.transcript.entries[0].text == "Because."
        assert [request.spec.id for request in client.engine.requests] == [STARTER_ID]
        assert len(server.chats) == 1
        client.result(client.app.engines.close())


def test_text_streams_into_the_column_of_its_answer(qtbot: QtBot, started: Scene) -> None:
    started.say(0, "The moon", n=2)
    started.say(1, "The sun", n=2)
    left, right = started.view.columns
    qtbot.waitUntil(lambda: right.transcript.entries[0].text == "The sun")
    assert left.transcript.entries[0].text == "The moon"
    assert left.figures.text().startswith("Generating…")


def test_the_buttons_of_a_narrow_column_are_not_cut_off(qtbot: QtBot, started: Scene) -> None:
    started.view.resize(420, 500)
    assert all(column.stop.isVisible() for column in started.view.columns)
    qtbot.waitUntil(lambda: not cut_off(started.view))


def test_a_column_shows_that_it_waits_for_another_model(started: Scene) -> None:
    answer = started.comparison.answers[1]
    started.client.publish(
        AnswerProgressed(
            conversation_id=answer.conversation_id, message_id=answer.id, progress=Queued(position=1)
        )
    )
    assert "ait" in started.view.columns[1].figures.text()


def test_a_finished_column_shows_statistics_and_memory(started: Scene) -> None:
    started.end(0, "The moon.")
    column = started.view.columns[0]
    assert column.figures.text().startswith("48.1 tokens/s")
    assert "TTFT 0.3 s" in column.figures.text()
    assert "312 tokens" in column.figures.text()
    ready = started.models.state(STARTER_ID)
    assert isinstance(ready, Ready)
    assert f"{format_bytes(ready.loaded.n_bytes)} of memory" in column.figures.text()
    assert not column.stop.isVisible()


def test_a_failed_answer_without_text_cannot_be_kept(started: Scene) -> None:
    column = started.view.columns[0]
    assert column.keep.isVisible()
    failed = msgspec.structs.replace(column.answer, state=MessageState.FAILED)
    column.replace(failed)
    assert not column.keep.isVisible()
    partial = msgspec.structs.replace(failed.message, parts=(TextPart(text="The"),))
    column.replace(msgspec.structs.replace(failed, message=partial))
    assert column.keep.isVisible()


def test_stopping_one_leaves_the_other(started: Scene) -> None:
    QTest.mouseClick(started.view.columns[1].stop, Qt.MouseButton.LeftButton)
    settled()
    assert started.client.called("comparison.stop") == [(started.comparison.answers[1].id,)]


def test_keeping_an_answer_shows_its_branch_and_closes(started: Scene) -> None:
    answer_id = started.comparison.answers[1].id
    QTest.mouseClick(started.view.columns[1].keep, Qt.MouseButton.LeftButton)
    settled()
    assert started.client.called("branches.choose_branch") == [(answer_id,)]
    assert started.controller.view is None


def test_alt_and_a_number_keeps_an_answer(started: Scene) -> None:
    answer_id = started.comparison.answers[0].id
    QTest.keyClick(started.view, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    settled()
    assert started.client.called("branches.choose_branch") == [(answer_id,)]


def test_closing_while_streaming_stops_nothing_and_can_be_reopened(qtbot: QtBot, started: Scene) -> None:
    started.say(0, "The ", n=1)
    QTest.mouseClick(started.view.close_button, Qt.MouseButton.LeftButton)
    assert started.controller.view is None
    started.say(0, "moon", n=2)
    started.chat.transcript.act(started.comparison.answers[0].id, MessageAction.SIDE_BY_SIDE)
    qtbot.waitUntil(lambda: started.controller.view is not None)
    settled()
    assert started.view.columns[0].transcript.entries[0].text == "The moon"
    assert started.client.called("comparison.stop") == []


def test_the_current_branch_does_not_grow_by_the_compared_answers(started: Scene) -> None:
    assert [entry.message.id for entry in started.chat.transcript.entries] == [
        started.comparison.question.id,
        started.comparison.answers[0].id,
    ]


def test_answers_in_columns_offer_only_copying(started: Scene) -> None:
    started.end(0, "The moon.")
    view = started.view.columns[0].transcript.view_of(0)
    assert not [b for b in view.findChildren(QWidget) if b.isVisible() and "again" in b.accessibleName()]


def test_two_to_four_columns_can_be_selected(qtbot: QtBot, scene: Scene) -> None:
    scene.chat.composer.editor.setPlainText("Why?")
    scene.controller.compare()
    qtbot.waitUntil(lambda: scene.controller.setup is not None)
    setup = scene.setup
    assert not setup.rows[0].remove.isEnabled()
    QTest.mouseClick(setup.add, Qt.MouseButton.LeftButton)
    QTest.mouseClick(setup.add, Qt.MouseButton.LeftButton)
    assert len(setup.rows) == 4
    assert not setup.add.isEnabled()
    QTest.mouseClick(setup.rows[1].remove, Qt.MouseButton.LeftButton)
    assert [row.form.heading.text() for row in setup.rows] == ["Answer 1", "Answer 2", "Answer 3"]


def test_only_changed_settings_are_sent_with_a_column(qtbot: QtBot, scene: Scene) -> None:
    scene.chat.composer.editor.setPlainText("Why?")
    scene.controller.compare()
    qtbot.waitUntil(lambda: scene.controller.setup is not None)
    scene.setup.rows[1].form.editors["sampling.temperature"].edited.emit(0.1)
    QTest.mouseClick(scene.setup.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scene.controller.view is not None)
    ((_conversation, _text, columns, _attached, *_),) = scene.client.called("comparison.ask")
    assert columns == (
        ComparedColumn(model_id=STARTER_ID),
        ComparedColumn(model_id=STARTER_ID, settings={"sampling.temperature": 0.1}),
    )
    assert "temperature 0.1" in scene.view.columns[1].facts.text()


def test_the_command_compares_the_last_answer_with_an_empty_composer(qtbot: QtBot, scene: Scene) -> None:
    conversation = scene.client.add_conversation("Tides", turns=["Why?", "The moon."])
    scene.controller._context.tasks.run(
        scene.client.conversations.open(conversation), on_done=scene.chat.open
    )
    qtbot.waitUntil(lambda: scene.chat.conversation_id == conversation)
    last = scene.client.messages[conversation][1].id
    scene.commands.triggered.emit(Command.COMPARE)
    qtbot.waitUntil(lambda: scene.controller.setup is not None)
    QTest.mouseClick(scene.setup.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scene.controller.view is not None)
    assert scene.client.called("comparison.answer")[0][0] == last


def test_without_a_question_the_toast_says_what_is_missing(scene: Scene) -> None:
    scene.commands.triggered.emit(Command.COMPARE)
    assert scene.controller._context.toast.text == "Type a message to compare answers"
    assert scene.controller.setup is None


def test_comparing_while_an_answer_runs_shows_the_error(qtbot: QtBot, scene: Scene) -> None:
    scene.client.fail("comparison.ask", RequestError.of("answer_running"))
    scene.chat.composer.editor.setPlainText("Why?")
    scene.controller.compare()
    qtbot.waitUntil(lambda: scene.controller.setup is not None)
    QTest.mouseClick(scene.setup.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(scene.errors))
    assert scene.chat.composer.text() == "Why?"


def test_columns_keep_a_readable_width(started: Scene) -> None:
    assert all(column.minimumWidth() >= 260 for column in started.view.columns)


def test_columns_have_names_for_screen_readers(started: Scene) -> None:
    started.end(0, "The moon.")
    column = started.view.columns[0]
    assert "Done" in column.accessibleName()
    assert column.keep.accessibleName().startswith("Keep answer of")


def test_scrolling_one_column_scrolls_the_others_to_the_same_fraction(qtbot: QtBot, started: Scene) -> None:
    for index in range(2):
        started.end(index, "\n\n".join(f"Paragraph {n}." for n in range(120)))
    bars = [column.transcript.verticalScrollBar() for column in started.view.columns]
    qtbot.waitUntil(lambda: all(bar.maximum() > 0 for bar in bars))
    bars[0].setValue(bars[0].maximum() // 2)
    assert abs(bars[1].value() / bars[1].maximum() - 0.5) < 0.1
    started.view.together.setChecked(False)
    bars[0].setValue(0)
    assert bars[1].value() > 0


def test_figures_and_settings_in_words() -> None:
    assert figures(MeasuredSpeed(n_completion=1), state=Unloaded()) == "1 token"
    assert settings_text({"chat.system_prompt": "Be  brief.", "sampling.temperature": 0.2}) == (
        "system prompt “Be brief.”  ·  temperature 0.2"
    )
    assert settings_text({"chat.system_prompt": ""}) == "no system prompt"


def test_the_open_chat_shows_one_of_several_new_answers(qtbot: QtBot, scene: Scene) -> None:
    conversation = scene.client.add_conversation("Tides", turns=["Why?"])
    scene.controller._context.tasks.run(
        scene.client.conversations.open(conversation), on_done=scene.chat.open
    )
    qtbot.waitUntil(lambda: scene.chat.conversation_id == conversation)
    question = scene.client.messages[conversation][0]
    columns = (ComparedColumn(model_id=STARTER_ID),) * 2
    started: list[Comparison] = []
    scene.controller._context.tasks.run(
        scene.client.comparison.answer(question.id, columns=columns), on_done=started.append
    )
    qtbot.waitUntil(lambda: bool(started))
    for answer, text in zip(started[0].answers, ("One.", "Other."), strict=True):
        scene.client.stream(conversation, text=text, answer=answer.id)
    qtbot.waitUntil(lambda: scene.chat.transcript.entries[-1].text == "One.")
    assert [entry.text for entry in scene.chat.transcript.entries] == ["Why?", "One."]


def underlined(column: CompareColumn) -> list[str]:
    """The marked parts of an answer."""
    return [
        mark.cursor.selectedText()
        for view in column.transcript.column.live.values()
        for text_view in view.text_views
        for mark in text_view.extraSelections()
        if mark.format.underlineStyle() is QTextCharFormat.UnderlineStyle.SingleUnderline
    ]


def test_the_prompt_that_is_compared_is_shown(qtbot: QtBot, scene: Scene) -> None:
    scene.chat.composer.editor.setPlainText("Why do\nleaves fall?")
    scene.controller.compare()
    qtbot.waitUntil(lambda: scene.controller.setup is not None)
    assert scene.setup.prompt.text() == "“Why do leaves fall?”"
    scene.setup.reject()


def test_a_message_of_attachments_alone_has_no_empty_quotation(qtbot: QtBot, scene: Scene) -> None:
    scene.controller._set_up("", lambda _: None)
    qtbot.waitUntil(lambda: scene.controller.setup is not None)
    assert not scene.setup.prompt.isVisibleTo(scene.setup)
    scene.setup.reject()


def test_differences_of_answers_that_are_alike_are_marked_once_both_are_here(
    qtbot: QtBot, started: Scene
) -> None:
    started.end(0, "The **tree** saves 🌳 water in winter.\n\nIt drops its leaves.")
    assert not started.view.marks.isChecked()
    started.end(1, "The oak saves 🌳 water in cold winter.\n\nIt drops its leaves.")
    first, second = started.view.columns
    qtbot.waitUntil(lambda: underlined(first) == ["tree"])
    qtbot.waitUntil(lambda: underlined(second) == ["oak", "cold"])
    started.view.marks.click()
    assert underlined(first) == underlined(second) == []


def test_answers_that_have_little_in_common_are_marked_only_on_demand(qtbot: QtBot, started: Scene) -> None:
    started.end(0, "Because they are old.")
    started.end(1, "Trees save water.")
    assert not started.view.marks.isChecked()
    assert underlined(started.view.columns[0]) == []
    started.view.marks.click()
    qtbot.waitUntil(lambda: underlined(started.view.columns[1]) == ["Trees save water"])
