"""A window used for hours releases closed chats and does not grow with them."""

from __future__ import annotations

import gc
from collections import Counter

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QAbstractButton, QApplication

from fakes.client import AppClient, settled
from fireside.ui.shell.main_window import MainWindow

QUESTIONS = 4
CHATS = 8
ANSWER = "# Title\n\nA **text** with `code`.\n\n```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
OF_EACH_CHAT = frozenset({"fireside.ui.sidebar.groups.ConversationRow"})
"""What the sidebar has of a chat."""


def ask_in_new_chats(client: AppClient, window: MainWindow) -> None:
    for _ in range(CHATS):
        window.conversations.new_chat()
        for number in range(QUESTIONS):
            window.chat.composer.send_requested.emit(f"Question {number}")
            settled()
            conversation_id = window.chat.conversation_id
            assert conversation_id is not None
            client.stream(conversation_id, text=ANSWER)
            client.finish(conversation_id)
            settled()


def living() -> Counter[str]:
    """Count widgets, and objects of Qt and of the window's own that Python knows, by their types."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    widgets = Counter(f"widget {type(each).__qualname__}" for each in QApplication.allWidgets())
    named = (f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())
    return widgets + Counter(name for name in named if name.startswith(("PySide6.", "fireside.ui.")))


def drawn(window: MainWindow) -> set[int]:
    """Return which pictures the buttons show: Qt keeps a copy of each new one."""
    return {
        button.icon().pixmap(button.iconSize()).cacheKey()
        for button in window.findChildren(QAbstractButton)
        if not button.icon().isNull()
    }


def test_buttons_show_the_same_pictures_with_every_answer(client: AppClient, window: MainWindow) -> None:
    seen: list[set[int]] = []
    for _ in range(3):
        window.chat.composer.send_requested.emit("Question")
        settled()
        conversation_id = window.chat.conversation_id
        assert conversation_id is not None
        client.stream(conversation_id, text=ANSWER)
        seen.append(drawn(window))
        client.finish(conversation_id)
        settled()
        seen.append(drawn(window))
    assert set.union(*seen[4:]) <= set.union(*seen[:4])


def test_a_window_holds_no_more_after_many_chats_than_after_some(
    client: AppClient, window: MainWindow
) -> None:
    ask_in_new_chats(client, window)
    before = living()
    ask_in_new_chats(client, window)
    after = living()
    grown = {name: n - before[name] for name, n in after.items() if n >= before[name] + CHATS}
    assert grown.keys() <= OF_EACH_CHAT
