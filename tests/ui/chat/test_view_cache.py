"""Returning to a recent chat: its cached widgets are shown, in their current state."""

from __future__ import annotations

import pytest
import shiboken6
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.stored_messages import TranscriptScene
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


def away_and_back(scene: TranscriptScene, transcript: Transcript, chat: list[StoredMessage]) -> None:
    """Visit another chat and return."""
    scene.lay_out(transcript)
    transcript.set_messages([scene.user("other"), scene.answer("Another chat.")])
    scene.lay_out(transcript)
    transcript.set_messages(chat)
    scene.lay_out(transcript)


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


def test_returning_to_a_chat_shows_its_cached_widgets(scene: TranscriptScene) -> None:
    chat = [scene.user("Q"), scene.answer(ANSWER)]
    transcript = scene.show(chat)
    scene.lay_out(transcript)
    before, geometries = dict(transcript.live), [view.geometry() for view in transcript.live.values()]
    displayed = texts(transcript)
    away_and_back(scene, transcript, chat)
    assert dict(transcript.live) == before
    assert texts(transcript) == displayed
    assert [view.geometry() for view in transcript.live.values()] == geometries
    assert all(view.isVisible() for view in transcript.live.values())


def test_a_chat_that_was_left_is_not_visible(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("Q"), scene.answer(ANSWER)])
    scene.lay_out(transcript)
    left = list(transcript.live.values())
    transcript.set_messages([scene.user("other")])
    assert not any(view.isVisible() for view in left)
    assert not set(left) & set(transcript.live.values())


def test_a_message_changed_meanwhile_is_shown_in_its_current_state(scene: TranscriptScene) -> None:
    chat = [scene.user("Q"), scene.answer(ANSWER)]
    transcript = scene.show(chat)
    changed = [chat[0], replace(chat[1], message=text_message(chat[1].message.role, "Quite another."))]
    away_and_back(scene, transcript, changed)
    assert texts(transcript)[1] == ["Quite another."]


def test_a_streaming_answer_is_shown_with_the_text_that_arrived(scene: TranscriptScene) -> None:
    running = scene.running("The first")
    transcript = scene.show([scene.user("Q"), running])
    more = replace(running, message=text_message(running.message.role, "The first and the second"))
    away_and_back(scene, transcript, [more])
    assert texts(transcript) == [["The first and the second"]]
    transcript.append_text(more.id, TextDelta(text=" word", n_completion=9))
    scene.wait_until(lambda: texts(transcript) == [["The first and the second word"]])
    away_and_back(scene, transcript, [more])
    assert texts(transcript) == [["The first and the second"]]  # what follows comes once more
    done = replace(more, state=MessageState.COMPLETE)
    away_and_back(scene, transcript, [done])
    assert texts(transcript) == [["The first and the second"]]
    assert transcript.entries[0].phase is None


def test_a_failed_answer_is_not_cached(scene: TranscriptScene) -> None:
    failed = scene.answer("", state=MessageState.FAILED, error=RunnerCrashed(model="M", cause="").info())
    transcript = scene.show([failed])
    transcript.entries[0].smaller_load = "less context"
    away_and_back(scene, transcript, [failed])
    assert transcript.entries[0].smaller_load == ""


def test_cached_widgets_have_no_highlights(scene: TranscriptScene) -> None:
    chat = [scene.user("Some words"), scene.answer(ANSWER)]
    transcript = scene.show(chat)
    scene.lay_out(transcript)
    transcript.finder.open()
    QTest.keyClicks(child(transcript, FindBar).field, "words")
    scene.wait_until(lambda: len(marked(transcript)) == 2)
    transcript.set_messages([scene.user("other")])
    transcript.finder.close()
    transcript.set_messages(chat)
    assert marked(transcript) == []
    transcript.selection.select_all()
    assert marked(transcript) != []
    away_and_back(scene, transcript, chat)
    assert marked(transcript) == []


def test_a_chat_is_searched_after_returning(scene: TranscriptScene) -> None:
    chat = [scene.user("Some words"), scene.answer(ANSWER)]
    transcript = scene.show(chat)
    away_and_back(scene, transcript, chat)
    transcript.finder.open()
    QTest.keyClicks(child(transcript, FindBar).field, "words")
    scene.wait_until(lambda: len(marked(transcript)) == 2)


def test_cached_widgets_are_laid_out_for_another_width(scene: TranscriptScene) -> None:
    chat = [scene.user("Q"), scene.answer("many words " * 60)]
    transcript = scene.show(chat)
    scene.lay_out(transcript)
    wide = transcript.live[1].geometry()
    transcript.set_messages([scene.user("other")])
    transcript.resize(520, 600)
    transcript.set_messages(chat)
    narrow = transcript.live[1].geometry()
    assert narrow.width() < wide.width()
    assert narrow.height() > wide.height()
    assert transcript.live[1].text_views[0].height() > 0.8 * (narrow.height() - wide.height())


def test_a_chat_is_restored_in_the_current_colours(scene: TranscriptScene, theme: Theme) -> None:
    chat = [scene.user("Q"), scene.answer("`code`")]
    transcript = scene.show(chat)
    scene.lay_out(transcript)
    dark = transcript.live[1].text_views[0].document().toHtml()
    transcript.set_messages([scene.user("other")])
    theme.set_choice(ThemeChoice.LIGHT)
    transcript.set_messages(chat)
    scene.lay_out(transcript)
    assert transcript.live[1].text_views[0].document().toHtml() != dark


def test_cached_widgets_are_not_restyled(
    scene: TranscriptScene, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A style sheet is applied to every widget, and most expensive while replacing another."""
    transcript = scene.show([scene.user("Q"), scene.answer(ANSWER)])
    scene.lay_out(transcript)
    transcript.set_messages([scene.user("other")])
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
    qtbot: QtBot, scene: TranscriptScene, theme: Theme
) -> None:
    transcript = Transcript(open_url=print)
    transcript.resize(900, 600)
    transcript.show()
    transcript.set_messages([scene.user("Q"), scene.answer(ANSWER)])
    scene.lay_out(transcript)
    transcript.set_messages([scene.user("other")])
    cache = transcript.column._cache
    assert cache.n_texts
    shiboken6.delete(transcript)
    with qtbot.captureExceptions() as raised:
        theme.about_to_change.emit()
    assert raised == []


def test_pins_changed_meanwhile_are_shown(scene: TranscriptScene) -> None:
    chat = [scene.user("Q"), scene.answer(ANSWER)]
    transcript = scene.show(chat)
    scene.lay_out(transcript)
    transcript.set_messages([scene.user("other")])
    transcript.set_messages(chat, branches=Branches(pinned=frozenset({chat[1].id})))
    assert transcript.live[1].accessibleName().startswith("Pinned.")
    transcript.set_messages([scene.user("other")])
    transcript.set_messages(chat)
    assert not transcript.live[1].accessibleName().startswith("Pinned.")


def test_an_edit_in_progress_is_restored_in_its_editor(scene: TranscriptScene) -> None:
    chat = [scene.user("Q"), scene.answer(ANSWER)]
    transcript = scene.show(chat)
    scene.lay_out(transcript)
    transcript.editor.begin(chat[0].id)
    field = child(transcript.live[0], MessageEditor).tab_stops[0]
    QTest.keyClick(field, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, " and more")
    away_and_back(scene, transcript, chat)
    assert transcript.entries[0].is_being_edited
    assert child(transcript.live[0], MessageEditor).text == "Q and more"


def test_formulas_drawn_while_the_chat_was_cached_are_shown(scene: TranscriptScene) -> None:
    chat = [scene.answer("It is $x^2$.")]
    transcript = scene.show(chat)
    transcript.set_messages([scene.answer("Here too $x^2$.")])
    scene.wait_until(lambda: "￼" in transcript.live[0].text_views[0].toPlainText())
    transcript.set_messages(chat)
    assert "￼" in transcript.live[0].text_views[0].toPlainText()


def test_the_tab_order_is_restored(scene: TranscriptScene) -> None:
    chat = [scene.user("Q"), scene.answer(ANSWER)]
    transcript = scene.show(chat)
    scene.lay_out(transcript)
    transcript.activateWindow()
    before = names_on_tab(scene.qtbot, transcript)
    assert any(name.startswith("Copy code") for name in before)
    away_and_back(scene, transcript, chat)
    assert names_on_tab(scene.qtbot, transcript) == before


def test_actions_of_a_focused_message_are_hidden_after_returning(scene: TranscriptScene) -> None:
    chat = [scene.user("Q"), scene.answer(ANSWER)]
    transcript = scene.show(chat)
    scene.lay_out(transcript)
    transcript.activateWindow()
    assert not transcript.live[0].findChildren(ActionRow)
    transcript.live[0].text_views[0].setFocus()
    scene.wait_until(lambda: bool(transcript.live[0].findChildren(ActionRow)))
    away_and_back(scene, transcript, chat)
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
def test_only_a_few_chats_are_cached(scene: TranscriptScene, n_chats: int, answer: str) -> None:
    first = [scene.user("Q"), scene.answer(answer)]
    transcript = scene.show(first)
    scene.lay_out(transcript)
    views = list(transcript.live.values())
    for _ in range(n_chats):
        transcript.set_messages([scene.user("Q"), scene.answer(answer)])
        scene.lay_out(transcript)
    scene.wait_until(lambda: not any(shiboken6.isValid(view) for view in views))
    transcript.set_messages(first)
    assert texts(transcript)[-1][0].startswith("words words")
