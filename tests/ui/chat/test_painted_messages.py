"""After any actions a conversation is painted like one that was just opened."""

from __future__ import annotations

import random
from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.stored_messages import Messages, TranscriptScene
from fakes.widgets import child
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.generation import TextDelta
from fireside.core.message import text_message
from fireside.ui.chat.answer.message_editor import MessageEditor
from fireside.ui.chat.transcript.conversation_find import FindBar
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import ThemeChoice, theme

ANSWER = (
    "A **needle** in {n} stacks:\n\n- one\n- two needles\n\n```python\nneedle = [1, 2]\n```\n\n"
    "| a | b |\n|---|---|\n| needle | 2 |\n\n" + "Words that fill some lines of the page. " * 30
)


def settle(qtbot: QtBot, transcript: Transcript) -> None:
    qtbot.waitUntil(
        lambda: not transcript.finder.is_searching and all(v.is_laid_out for v in transcript.live.values())
    )
    QApplication.sendPostedEvents()


def on_screen(transcript: Transcript) -> dict[int, QImage]:
    """Return the picture of each visible message, by index."""
    seen = transcript.viewport().rect()
    return {
        index: view.grab().toImage()
        for index, view in sorted(transcript.live.items())
        if view.geometry().intersects(seen) and view.isVisible()
    }


def difference(expected: QImage, image: QImage) -> str:
    """Return where two pictures differ; empty where they do not."""
    if expected == image:
        return ""
    if expected.size() != image.size():
        return f"{image.size().toTuple()} instead of {expected.size().toTuple()}"
    points = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixel(x, y) != expected.pixel(x, y)
    ]
    across, down = zip(*points, strict=True)
    return f"{len(points)} pixels from {min(across), min(down)} to {max(across), max(down)}"


class Chats:
    """Some conversations, one transcript, and the actions of a user."""

    def __init__(self, qtbot: QtBot, transcript: Transcript, messages: Messages, chance: Random) -> None:
        self._qtbot = qtbot
        self._messages = messages
        self._chance = chance
        self.transcript = transcript
        self.chats = [self._new_chat(n) for n in range(3)]
        self.at = 0
        transcript.set_messages(self.chats[0])

    def _new_chat(self, n: int) -> list[StoredMessage]:
        chat = []
        for turn in range(4):
            chat.append(self._messages.user(f"Where is the needle {n}, {turn}?"))
            chat.append(self._messages.answer(ANSWER.replace("{n}", f"{n} {turn}")))
        return chat

    def switch(self) -> None:
        self.at = self._chance.randrange(len(self.chats))
        self.transcript.set_messages(self.chats[self.at])

    def find(self) -> None:
        self.transcript.finder.open()
        field = child(self.transcript, FindBar).field
        field.clear()
        QTest.keyClicks(field, self._chance.choice(["needle", "two", "stacks", "nowhere"]))

    def step(self) -> None:
        self.transcript.finder.step(self._chance.choice([-1, 1]))

    def escape(self) -> None:
        self.transcript.finder.close()

    def show_words(self) -> None:
        self.transcript.show_query(self._chance.randrange(len(self.chats[self.at])), "needle")

    def scroll(self) -> None:
        bar = self.transcript.verticalScrollBar()
        bar.setValue(self._chance.randint(0, max(1, bar.maximum())))

    def resize(self) -> None:
        self.transcript.resize(self._chance.choice([560, 700, 900]), self._chance.choice([300, 600]))

    def recolour(self) -> None:
        theme().set_choice(self._chance.choice([ThemeChoice.DARK, ThemeChoice.LIGHT]))

    def stream(self) -> None:
        chat = self.chats[self.at]
        running = self._messages.running("A needle")
        self.transcript.add_message(running)
        for n in range(3):
            self.transcript.append_text(running.id, TextDelta(text=" needle\n\n- more", n_completion=n))
        text = "A needle" + " needle\n\n- more" * 3
        done = replace(running, message=text_message(running.message.role, text), state=MessageState.COMPLETE)
        self.transcript.replace_message(done)
        chat.append(done)

    def edit(self) -> None:
        question = self._chance.choice(self.chats[self.at][::2])
        self.transcript.editor.begin(question.id)
        # What a key closes may make others visible.
        for view in list(self.transcript.live.values()):
            for editor in view.findChildren(MessageEditor):
                QTest.keyClick(editor.tab_stops[0], Qt.Key.Key_Escape)

    def unfold(self) -> None:
        self.transcript.view_of(self._chance.randrange(len(self.transcript.entries)))

    @property
    def actions(self) -> list[Callable[[], None]]:
        always = [self.switch, self.find, self.step, self.escape, self.show_words, self.scroll]
        return [*always, self.resize, self.recolour, self.stream, self.edit, self.unfold]


@pytest.mark.parametrize("number", range(4))
def test_painted_messages_equal_those_of_a_fresh_view(scene: TranscriptScene, number: int) -> None:
    # Other schedules in each run; --randomly-seed repeats them.
    chance = Random(random.getrandbits(32) + number)
    chats = Chats(scene.qtbot, scene.show([]), scene, chance)
    done: list[str] = []
    for _ in range(20):
        action = chance.choice(chats.actions)
        done.append(action.__name__)
        action()
        settle(scene.qtbot, chats.transcript)
        seen = chats.transcript.viewport().rect()
        live = chats.transcript.live
        hidden = [i for i, v in live.items() if v.geometry().intersects(seen) and not v.isVisible()]
        assert not hidden, f"message {hidden} is blank after {done}"
    chats.escape()
    chats.transcript.finder.clear_query()
    chats.transcript.setFocus()
    settle(scene.qtbot, chats.transcript)
    fresh = scene.show(chats.chats[chats.at])
    fresh.resize(chats.transcript.size())
    fresh.column.scroll_to(chats.transcript.column.scroll_position)
    settle(scene.qtbot, fresh)

    def assert_alike() -> None:
        """Heights that are estimates may move a message off the screen in one of the two."""
        # A window that becomes active focuses its first control, which is visible.
        fresh.setFocus()
        expected, painted = on_screen(fresh), on_screen(chats.transcript)
        both = expected.keys() & painted.keys()
        assert both
        assert {index: difference(expected[index], painted[index]) for index in both} == dict.fromkeys(
            both, ""
        )

    # Code is coloured in later event loop iterations.
    scene.wait_until(assert_alike)
