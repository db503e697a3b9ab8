"""The chat in the terminal, where it is about typing."""

from __future__ import annotations

import io
import queue
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from fakes.app_harness import AppHarness, app_harness
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.screen import Screen
from fireside.cli.terminal import TerminalChat
from fireside.core.events import AppEvent
from fireside.core.message import ChatMessage, DocumentPart


class Told(list[AppEvent]):
    """What an app reported, each also in a queue."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = queue.SimpleQueue[AppEvent]()

    def append(self, event: AppEvent) -> None:
        super().append(event)
        self.queue.put(event)


def chat(
    folder: Path, starter: Path, *typed: str | type[BaseException], is_temporary: bool = False
) -> tuple[str, list[object], list[ChatMessage]]:
    """Return what was told to a user who types this, what they did not come to type, and what was sent."""
    status = io.StringIO()
    lines: Iterator[str | type[BaseException]] = iter(typed)

    def read_line(_prompt: str) -> str:
        line = next(lines)
        if isinstance(line, str):
            return line
        raise line

    with EngineLoop() as loop:
        manager = app_harness(folder, starter=starter)
        place = loop.wait(manager.__aenter__())
        told = place.events = Told()
        try:
            TerminalChat(
                loop=loop,
                app=place.app,
                events=told.queue,
                spec=place.app.models.spec(place.model_id),
                screen=Screen(output=io.StringIO(), status=status),
                stats=False,
                is_temporary=is_temporary,
            ).converse(read_line)
            sent = loop.wait(questions(place))
        finally:
            loop.wait(manager.__aexit__(None, None, None))
    return status.getvalue(), list(lines), sent


async def questions(place: AppHarness) -> list[ChatMessage]:
    """Return each question of the only chat, if there is one."""
    stored = [await place.store.conversations.open(each.id) for each in await place.store.conversations.all()]
    return [each.message for chat in stored for each in chat.messages[::2]]


def test_an_interrupt_clears_the_line_and_the_chat_continues(
    tmp_path: Path, starter_model_path: Path
) -> None:
    told, left, _ = chat(tmp_path, starter_model_path, KeyboardInterrupt, "/help", KeyboardInterrupt, "/bye")
    assert told.count("Press Ctrl+C again to quit") == 2
    assert "this list" in told
    assert left == []


def test_a_second_interrupt_leaves(tmp_path: Path, starter_model_path: Path) -> None:
    _, left, _ = chat(tmp_path, starter_model_path, KeyboardInterrupt, KeyboardInterrupt, "never")
    assert left == ["never"]


@pytest.mark.parametrize("is_temporary", [False, True])
def test_a_temporary_chat_is_not_stored(tmp_path: Path, starter_model_path: Path, is_temporary: bool) -> None:
    typed = ("Why?", "/new", "/bye")
    told, left, sent = chat(tmp_path, starter_model_path, *typed, is_temporary=is_temporary)
    assert [message.text for message in sent] == ([] if is_temporary else ["Why?"])
    assert ("nothing of this chat is stored" in told) is is_temporary
    assert left == []


def test_files_go_with_the_next_message_and_no_later_one(tmp_path: Path, starter_model_path: Path) -> None:
    (tmp_path / "my notes.txt").write_text("Remember the milk.")
    (tmp_path / "list.txt").write_text("Eggs.")
    typed = (f"/attach '{tmp_path / 'my notes.txt'}'", f"/attach {tmp_path / 'list.txt'}", "What is in them?")
    told, _, sent = chat(tmp_path, starter_model_path, *typed, "And now?", "/bye")
    first, second = sent
    assert [part.name for part in first.attached] == ["my notes.txt", "list.txt"]
    assert isinstance(first.attached[0], DocumentPart)
    assert first.attached[0].text == "Remember the milk."
    assert first.text == "What is in them?"
    assert second.attached == ()
    assert "Attached: my notes.txt, 18 bytes, about " in told


def test_a_file_that_cannot_be_sent_is_told_and_stays_until_it_is_detached(
    tmp_path: Path, starter_model_path: Path
) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "photo.png")
    photo = f"/attach {tmp_path / 'photo.png'}"
    typed = ("/attach", "/attach missing.txt", photo, "What is it?", "Why?", "/detach", "Why?", "/bye")
    told, _, sent = chat(tmp_path, starter_model_path, *typed)
    assert "needs the path of a file" in told
    assert "missing.txt" in told
    assert told.count("does not support images") == 2
    assert [(message.text, message.attached) for message in sent] == [("Why?", ())]


@pytest.mark.skipif(sys.platform == "win32", reason="there a backslash parts folders")
def test_a_file_dropped_on_the_terminal_has_its_spaces_escaped(
    tmp_path: Path, starter_model_path: Path
) -> None:
    (tmp_path / "my notes.txt").write_text("Remember the milk.")
    dropped = str(tmp_path / "my notes.txt").replace(" ", "\\ ")
    told, *_ = chat(tmp_path, starter_model_path, f"/attach {dropped}", "/bye")
    assert "Attached: my notes.txt" in told
