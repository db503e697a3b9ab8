"""The line under an answer, and the menus of a message."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from fakes.stored_messages import Messages, TranscriptScene
from fakes.widgets import child
from fireside.core.generation import FinishReason, PromptProgress, TextDelta
from fireside.core.message import text_message
from fireside.ui.chat.answer.actions import ACTIONS, BUTTON_ACTIONS, MessageAction
from fireside.ui.chat.answer.answer import AnswerFooter, AnswerView
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import ColumnWidth, Theme

ALL_FIGURES = ["Stopped", "48.2 tokens/s", "312 tokens", "TTFT 0.3 s", "391 cached"]


def view(transcript: Transcript, index: int) -> AnswerView:
    answer = transcript.live[index]
    assert isinstance(answer, AnswerView)
    return answer


def figures_of(transcript: Transcript) -> list[str]:
    return child(view(transcript, 0), AnswerFooter).label.text().split("  ·  ")


def hover(widget: QWidget) -> None:
    at = QPointF(widget.rect().center())
    QApplication.sendEvent(widget, QEnterEvent(at, at, QPointF(widget.mapToGlobal(at.toPoint()))))


def test_the_footer_says_why_the_answer_ended_and_hovering_shows_statistics(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("Hi", reason=FinishReason.CANCELLED)])
    assert figures_of(transcript) == ALL_FIGURES[:1]
    hover(view(transcript, 0))
    assert figures_of(transcript) == ALL_FIGURES
    QApplication.sendEvent(view(transcript, 0), QEvent(QEvent.Type.Leave))
    assert figures_of(transcript) == ALL_FIGURES[:1]


def test_statistics_are_always_shown_with_that_setting(scene: TranscriptScene, theme: Theme) -> None:
    transcript = scene.show([scene.answer("Hi", reason=FinishReason.CANCELLED)])
    theme.set_chat_layout(column_width=ColumnWidth.NARROW, shows_statistics=True)
    assert figures_of(transcript) == ALL_FIGURES


def test_statistics_that_do_not_fit_are_omitted_whole(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("Hi", reason=FinishReason.CANCELLED)])
    seen = set()
    for width in range(900, 300, -20):
        transcript.resize(width, 500)
        hover(view(transcript, 0))
        label = child(view(transcript, 0), AnswerFooter).label
        figures = figures_of(transcript)
        assert figures == ALL_FIGURES[: len(figures)]
        assert len(figures) == 1 or label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
        seen.add(len(figures))
    assert len(seen) > 2


def test_an_answer_has_five_buttons_and_the_rest_in_a_menu(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("Q"), scene.answer("Hi")])
    row = child(view(transcript, 1), AnswerFooter).action_row
    assert [button.accessibleName() for button in row.buttons] == [
        *(
            ACTIONS[a].label
            for a in (MessageAction.COPY, MessageAction.REGENERATE, MessageAction.EDIT, MessageAction.FORK)
        ),
        "More",
    ]
    row.buttons[-1].click()
    menu = transcript.findChild(QMenu)
    assert menu is not None
    offered = {line.data() for line in menu.actions() if not line.isSeparator()}
    assert offered == set(transcript.message_actions.possible(transcript.entries[1])) - set(BUTTON_ACTIONS)
    menu.close()


def test_a_menu_has_at_most_twelve_entries(scene: TranscriptScene) -> None:
    cut = scene.answer("One [a](https://b.example)", reason=FinishReason.LENGTH)
    transcript = scene.show([scene.user("Q"), cut])
    transcript.message_actions.register(MessageAction.READ_ALOUD, lambda _entry: None)
    answer = view(transcript, 1)
    for menu in (
        transcript.menu.build(answer.mapToGlobal(answer.rect().center())),
        transcript.menu.build_more(transcript.entries[1], BUTTON_ACTIONS),
    ):
        assert len([line for line in menu.actions() if not line.isSeparator()]) <= 12
        assert sum(line.isSeparator() for line in menu.actions()) >= 2


def test_a_message_is_copied_as_formatted_and_as_plain_text(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("## Bread\n\n**Rye** & $x^2$\n\n| a |\n|---|\n| 1 |")])
    transcript.act(transcript.entries[0].message.id, MessageAction.COPY_FORMATTED)
    copied = QApplication.clipboard().mimeData()
    for part in ("<h2>Bread</h2>", "<strong>Rye</strong> &amp;", "<code>$x^2$</code>", "<table", "1</td>"):
        assert part in copied.html()
    assert copied.text() == "Bread\nRye & $x^2$\n\na\n1"
    assert "math:" not in copied.html()
    QApplication.clipboard().clear()  # else it is destroyed after the interpreter


def test_a_running_answer_shows_its_speed(qtbot: QtBot, messages: Messages) -> None:
    now = [100.0]
    transcript = Transcript(open_url=lambda _url: None, clock=lambda: now[0])
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    running = messages.running()
    transcript.set_messages([running])
    transcript.show()

    def said_after(seconds: float, n_completion: int) -> str:
        now[0] += seconds
        transcript.append_text(running.id, TextDelta(text="word ", n_completion=n_completion))
        return figures_of(transcript)[-1]

    assert said_after(0, 1) == "Generating… 1 token"
    assert said_after(0.1, 3) == "Generating… 3 tokens"
    assert said_after(1.9, 81) == "40.0 tokens/s"
    # The model waits for a tool, which waits for the user: its answer is stored, then it reads on and writes.
    stored = replace(running, message=text_message(running.message.role, transcript.entries[0].text))
    transcript.replace_message(stored)
    now[0] += 60
    transcript.set_phase(running.id, PromptProgress(n_done=1, n_total=2, n_cached=0))
    assert said_after(5, 90) == "40.0 tokens/s"
    assert said_after(2, 170) == "40.0 tokens/s"


def test_the_copy_button_keeps_the_focus_after_feedback_and_restyling(
    scene: TranscriptScene, theme: Theme
) -> None:
    transcript = scene.show([scene.answer("Hi")])
    transcript.activateWindow()
    row = child(view(transcript, 0), AnswerFooter).action_row
    button = row.button(MessageAction.COPY)
    button.setFocus()
    scene.wait_until(button.hasFocus)
    button.click()
    assert button.toolTip() == "Copied"
    scene.wait_until(lambda: row.button(MessageAction.COPY).toolTip() == "Copy")
    theme.set_text_size(18)
    assert row.button(MessageAction.COPY) is button
    assert button.hasFocus()
