"""Returning to a recent chat: its cached widgets are shown, in their current state."""

from __future__ import annotations

import pytest
import shiboken6
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.stored_messages import Messages, ShowTranscript
from fakes.widgets import child, focused
from fireside.core.chat import Branches, MessageState, StoredMessage
from fireside.core.errors import RunnerCrashed
from fireside.core.generation import TextDelta
from fireside.core.message import text_message
from fireside.ui.chat.answer.actions import ActionRow
from fireside.ui.chat.answer.message import MessageView
from fireside.ui.chat.answer.message_editor import MessageEditor
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.conversation_find import FindBar
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import Theme, ThemeChoice

ANSWER = (
    "A list:\n\n- one\n- two\n\n```python\nx = [1, 2]\n```\n\n"
    "Done with words.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
)


def settle(qtbot: QtBot, transcript: Transcript) -> None:
    qtbot.waitUntil(lambda: all(view.is_laid_out for view in transcript.live.values()))


def away_and_back(
    qtbot: QtBot, transcript: Transcript, messages: Messages, chat: list[StoredMessage]
) -> None:
    """Visit another chat and return."""
    settle(qtbot, transcript)
    transcript.set_messages([messages.user("other"), messages.answer("Another chat.")])
    settle(qtbot, transcript)
    transcript.set_messages(chat)
    settle(qtbot, transcript)


def texts(transcript: Transcript) -> list[list[str]]:
    return [
        [text_view.toPlainText() for text_view in view.text_views]
        for _, view in sorted(transcript.live.items())
    ]


def marked(transcript: Transcript) -> list[TextWidget]:
    return [
        text_view
        for view in transcript.live.values()
        for text_view in view.text_views
        if text_view.extraSelections()
    ]


def test_returning_to_a_chat_shows_its_cached_widgets(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.user("Q"), messages.answer(ANSWER)]
    transcript = show_transcript(chat)
    settle(qtbot, transcript)
    before, geometries = dict(transcript.live), [view.geometry() for view in transcript.live.values()]
    displayed = texts(transcript)
    away_and_back(qtbot, transcript, messages, chat)
    assert dict(transcript.live) == before
    assert texts(transcript) == displayed
    assert [view.geometry() for view in transcript.live.values()] == geometries
    assert all(view.isVisible() for view in transcript.live.values())


def test_a_chat_that_was_left_is_not_visible(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    transcript = show_transcript([messages.user("Q"), messages.answer(ANSWER)])
    settle(qtbot, transcript)
    left = list(transcript.live.values())
    transcript.set_messages([messages.user("other")])
    assert not any(view.isVisible() for view in left)
    assert not set(left) & set(transcript.live.values())


def test_a_message_changed_meanwhile_is_shown_in_its_current_state(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.user("Q"), messages.answer(ANSWER)]
    transcript = show_transcript(chat)
    changed = [chat[0], replace(chat[1], message=text_message(chat[1].message.role, "Quite another."))]
    away_and_back(qtbot, transcript, messages, changed)
    assert texts(transcript)[1] == ["Quite another."]


def test_a_streaming_answer_is_shown_with_the_text_that_arrived(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    running = messages.running("The first")
    transcript = show_transcript([messages.user("Q"), running])
    more = replace(running, message=text_message(running.message.role, "The first and the second"))
    away_and_back(qtbot, transcript, messages, [more])
    assert texts(transcript) == [["The first and the second"]]
    transcript.append_text(more.id, TextDelta(text=" word", n_completion=9))
    qtbot.waitUntil(lambda: texts(transcript) == [["The first and the second word"]])
    away_and_back(qtbot, transcript, messages, [more])
    assert texts(transcript) == [["The first and the second"]]  # what follows comes once more
    done = replace(more, state=MessageState.COMPLETE)
    away_and_back(qtbot, transcript, messages, [done])
    assert texts(transcript) == [["The first and the second"]]
    assert transcript.entries[0].phase is None


def test_a_failed_answer_is_not_cached(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    failed = messages.answer("", state=MessageState.FAILED, error=RunnerCrashed(model="M", cause="").info())
    transcript = show_transcript([failed])
    transcript.entries[0].smaller_load = "less context"
    away_and_back(qtbot, transcript, messages, [failed])
    assert transcript.entries[0].smaller_load == ""


def test_cached_widgets_have_no_highlights(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.user("Some words"), messages.answer(ANSWER)]
    transcript = show_transcript(chat)
    settle(qtbot, transcript)
    transcript.finder.open()
    QTest.keyClicks(child(transcript, FindBar).field, "words")
    qtbot.waitUntil(lambda: len(marked(transcript)) == 2)
    transcript.set_messages([messages.user("other")])
    transcript.finder.close()
    transcript.set_messages(chat)
    assert marked(transcript) == []
    transcript.selection.select_all()
    assert marked(transcript) != []
    away_and_back(qtbot, transcript, messages, chat)
    assert marked(transcript) == []


def test_a_chat_is_searched_after_returning(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.user("Some words"), messages.answer(ANSWER)]
    transcript = show_transcript(chat)
    away_and_back(qtbot, transcript, messages, chat)
    transcript.finder.open()
    QTest.keyClicks(child(transcript, FindBar).field, "words")
    qtbot.waitUntil(lambda: len(marked(transcript)) == 2)


def test_cached_widgets_are_laid_out_for_another_width(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.user("Q"), messages.answer("many words " * 60)]
    transcript = show_transcript(chat)
    settle(qtbot, transcript)
    wide = transcript.live[1].geometry()
    transcript.set_messages([messages.user("other")])
    transcript.resize(520, 600)
    transcript.set_messages(chat)
    narrow = transcript.live[1].geometry()
    assert narrow.width() < wide.width()
    assert narrow.height() > wide.height()
    assert transcript.live[1].text_views[0].height() > 0.8 * (narrow.height() - wide.height())


def test_a_chat_is_restored_in_the_current_colours(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages, theme: Theme
) -> None:
    chat = [messages.user("Q"), messages.answer("`code`")]
    transcript = show_transcript(chat)
    settle(qtbot, transcript)
    dark = transcript.live[1].text_views[0].document().toHtml()
    transcript.set_messages([messages.user("other")])
    theme.set_choice(ThemeChoice.LIGHT)
    transcript.set_messages(chat)
    settle(qtbot, transcript)
    assert transcript.live[1].text_views[0].document().toHtml() != dark


def test_cached_widgets_are_not_restyled(
    qtbot: QtBot,
    show_transcript: ShowTranscript,
    messages: Messages,
    theme: Theme,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A style sheet is applied to every widget, and most expensive while replacing another."""
    transcript = show_transcript([messages.user("Q"), messages.answer(ANSWER)])
    settle(qtbot, transcript)
    transcript.set_messages([messages.user("other")])
    styled: list[int] = []
    give = QApplication.setStyleSheet

    def count(application: QApplication, sheet: str) -> None:
        assert not (application.styleSheet() and sheet)
        styled.append(sum(isinstance(widget, MessageView) for widget in application.allWidgets()))
        give(application, sheet)

    monkeypatch.setattr(QApplication, "setStyleSheet", count)
    theme.set_text_size(18)
    theme.set_choice(ThemeChoice.LIGHT)
    assert styled
    assert set(styled) == {len(transcript.live)}


def test_the_theme_can_change_after_a_window_was_closed(
    qtbot: QtBot, messages: Messages, theme: Theme
) -> None:
    transcript = Transcript(open_url=print)
    transcript.resize(900, 600)
    transcript.show()
    transcript.set_messages([messages.user("Q"), messages.answer(ANSWER)])
    settle(qtbot, transcript)
    transcript.set_messages([messages.user("other")])
    cache = transcript.column._cache
    assert cache.n_texts
    shiboken6.delete(transcript)
    with qtbot.captureExceptions() as raised:
        theme.about_to_change.emit()
    assert raised == []


def test_pins_changed_meanwhile_are_shown(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.user("Q"), messages.answer(ANSWER)]
    transcript = show_transcript(chat)
    settle(qtbot, transcript)
    transcript.set_messages([messages.user("other")])
    transcript.set_messages(chat, branches=Branches(pinned=frozenset({chat[1].id})))
    assert transcript.live[1].accessibleName().startswith("Pinned.")
    transcript.set_messages([messages.user("other")])
    transcript.set_messages(chat)
    assert not transcript.live[1].accessibleName().startswith("Pinned.")


def test_an_edit_in_progress_is_restored_in_its_editor(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.user("Q"), messages.answer(ANSWER)]
    transcript = show_transcript(chat)
    settle(qtbot, transcript)
    transcript.editor.begin(chat[0].id)
    field = child(transcript.live[0], MessageEditor).tab_stops[0]
    QTest.keyClick(field, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, " and more")
    away_and_back(qtbot, transcript, messages, chat)
    assert transcript.entries[0].is_being_edited
    assert child(transcript.live[0], MessageEditor).text == "Q and more"


def test_formulas_drawn_while_the_chat_was_cached_are_shown(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.answer("It is $x^2$.")]
    transcript = show_transcript(chat)
    transcript.set_messages([messages.answer("Here too $x^2$.")])
    qtbot.waitUntil(lambda: "￼" in transcript.live[0].text_views[0].toPlainText())
    transcript.set_messages(chat)
    assert "￼" in transcript.live[0].text_views[0].toPlainText()


def test_the_tab_order_is_restored(qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages) -> None:
    chat = [messages.user("Q"), messages.answer(ANSWER)]
    transcript = show_transcript(chat)
    settle(qtbot, transcript)
    transcript.activateWindow()
    before = names_on_tab(qtbot, transcript)
    assert any(name.startswith("Copy code") for name in before)
    away_and_back(qtbot, transcript, messages, chat)
    assert names_on_tab(qtbot, transcript) == before


def test_actions_of_a_focused_message_are_hidden_after_returning(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    chat = [messages.user("Q"), messages.answer(ANSWER)]
    transcript = show_transcript(chat)
    settle(qtbot, transcript)
    transcript.activateWindow()
    assert not transcript.live[0].findChildren(ActionRow)
    transcript.live[0].text_views[0].setFocus()
    qtbot.waitUntil(lambda: bool(transcript.live[0].findChildren(ActionRow)))
    away_and_back(qtbot, transcript, messages, chat)
    assert child(transcript.live[0], ActionRow).isHidden()


def names_on_tab(qtbot: QtBot, transcript: Transcript) -> list[str]:
    transcript.setFocus()
    qtbot.waitUntil(transcript.hasFocus)
    names: list[str] = []
    for _ in range(6):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        names.append(focused().accessibleName())
    return names


@pytest.mark.parametrize(
    ("n_chats", "answer"),
    [(6, "words " * 1000), (20, "words " * 2), (7, "words words\n\n$$\nx\n$$\n\n" * 30)],
    ids=["long", "short", "many texts"],
)
def test_only_a_few_chats_are_cached(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages, n_chats: int, answer: str
) -> None:
    first = [messages.user("Q"), messages.answer(answer)]
    transcript = show_transcript(first)
    settle(qtbot, transcript)
    views = list(transcript.live.values())
    for _ in range(n_chats):
        transcript.set_messages([messages.user("Q"), messages.answer(answer)])
        settle(qtbot, transcript)
    qtbot.waitUntil(lambda: not any(shiboken6.isValid(view) for view in views))
    transcript.set_messages(first)
    assert texts(transcript)[-1][0].startswith("words words")
