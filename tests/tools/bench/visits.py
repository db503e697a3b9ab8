"""Measure what the window does while one waits: first visits of chats, another text size, another theme.

The real program over a database of long chats with tables, code and formulas, one of them of 5,000 messages.
Each figure is the time of the processor that the window's own thread took until all was laid out and painted.

Usage: PYTHONPATH=tests python tests/tools/bench/visits.py [--chats 30]
Uses the display that is there, else Qt's offscreen platform.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fireside.ui.theme import theme

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, SignalInstance
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fakes.window import dress
from fireside.core.chat import GenerationRecord, MessageState
from fireside.core.ids import ConversationId, ModelId
from fireside.core.message import Role, text_message
from fireside.main.startup_context import load_context
from fireside.main.window import SWITCH_INTERVAL_S
from fireside.settings.values import AppLayer
from fireside.storage.store import Store
from fireside.storage.text import to_json
from fireside.ui.theme import BASE_PX
from tools.bench.transcript import TEXTS, figures

FRAME_S = 0.05
"""By then Qt has painted what it was told to: a frame, and some patience."""
N_MESSAGES = 5_000
SHORT = 6
"""Turns of an ordinary chat."""


def fill(store: Store, *, n_chats: int) -> None:
    """Write one long chat, then ordinary ones whose answers are of all kinds in turn."""
    db = store._database
    record = to_json(GenerationRecord(model_id=ModelId("bench"), model_name="Bench"))
    makers = list(TEXTS.values())
    with db.transaction():
        for chat in range(n_chats + 1):
            conversation = db.insert(
                "INSERT INTO conversation (title, created_at, updated_at, model_id) VALUES (?, ?, ?, ?)",
                f"Chat {chat}",
                float(chat),
                float(chat),
                "bench",
            )
            parent = None
            for turn in range(SHORT if chat else N_MESSAGES // 2):
                text = makers[(chat + turn) % len(makers)](600 + (chat * 7 + turn) * 331 % 3400)
                for role, words in ((Role.USER, f"Question {turn}: how, and why?"), (Role.ASSISTANT, text)):
                    parent = db.insert(
                        "INSERT INTO message (conversation_id, parent_id, role, parts, state, created_at) "
                        "VALUES (?, ?, ?, ?, ?, ?)",
                        conversation,
                        parent,
                        role.value,
                        to_json(text_message(role, words).parts),
                        MessageState.COMPLETE.value,
                        float(chat),
                    )
                db.rows("INSERT INTO generation (message_id, record) VALUES (?, ?)", parent, record)
            db.rows("UPDATE conversation SET active_leaf = ? WHERE id = ?", parent, conversation)


async def seed(path: Path, *, n_chats: int) -> tuple[ConversationId, ...]:
    """Return the chats of a new database, the long one first."""
    async with await Store.open(path, clock=time.time) as store:
        await store.run(lambda: fill(store, n_chats=n_chats))
        return tuple(sorted(summary.id for summary in await store.conversations.all()))


class Bench:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._window = program.window

    async def timed(
        self, do: Callable[[], object], *, told: SignalInstance, shown: Callable[[], bool]
    ) -> tuple[float, float]:
        """Return the processor's time until the window is painted as ``shown`` wants it, of which ``told``
        tells, and until all near the visible part is laid out, coloured and painted again."""
        painted: list[float] = []

        def on_told() -> None:
            if not painted and shown():
                self._window.repaint()
                painted.append(time.thread_time())

        told.connect(on_told)
        began = time.thread_time()
        do()
        await until(lambda: bool(painted))
        told.disconnect(on_told)
        await asyncio.sleep(FRAME_S)
        await until(lambda: all(view.is_laid_out for view in self._window.chat.transcript.live.values()))
        await asyncio.sleep(FRAME_S)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        return painted[0] - began, time.thread_time() - began

    async def visit(self, conversation_id: ConversationId) -> tuple[float, float]:
        """Open a chat."""
        transcript = self._window.chat.transcript
        took = await self.timed(
            lambda: self._window.conversations.open(conversation_id),
            told=transcript.column.arranged,
            shown=lambda: any(
                each.message.conversation_id == conversation_id for each in transcript.entries[:1]
            ),
        )
        await asyncio.sleep(0.2)  # formulas are drawn in a thread of their own
        return took

    async def change(self, key: str, value: int | str, *, shown: Callable[[], bool]) -> tuple[float, float]:
        """Change a setting."""
        ask = self._program.client.settings.change(AppLayer(), key=key, value=value)
        tasks = self._window.context.tasks
        told = theme().changed
        took = await self.timed(lambda: tasks.run(ask), told=told, shown=shown)
        await asyncio.sleep(0.2)
        return took


def show(name: str, taken: list[tuple[float, float]]) -> None:
    sys.stdout.write(f"{name}: painted {figures([painted for painted, _ in taken])}\n")
    sys.stdout.write(f"{'':{len(name)}}  complete {figures([whole for _, whole in taken])}\n")
    sys.stdout.flush()


async def measure(program: Program, chats: tuple[ConversationId, ...]) -> None:
    """Print one figure a line."""
    await until(lambda: program.window.conversations.model_id is not None)
    bench = Bench(program)
    long, *others = chats
    show("the chat of 5,000 messages, first", [await bench.visit(long)])
    show("another chat, first", [await bench.visit(chat) for chat in others])
    show("a chat seen before, long ago", [await bench.visit(chat) for chat in others[:10]])
    show("a chat seen lately", [await bench.visit(chat) for chat in (others[8], others[9]) * 4])
    await bench.visit(long)

    def has_size(px: int) -> Callable[[], bool]:
        return lambda: theme().scaled(BASE_PX) == px

    def has_scheme(name: str) -> Callable[[], bool]:
        return lambda: theme().scheme == name

    sizes = [
        await bench.change("appearance.text_size", px, shown=has_size(px))
        for px in (15, 16, 14, 18, 14, 20, 14)
    ]
    show("text size", sizes)
    schemes = [
        await bench.change("appearance.theme", name, shown=has_scheme(name)) for name in ("dark", "light") * 4
    ]
    show("theme", schemes)


def main() -> None:
    """Measure once and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chats", type=int, default=30)
    arguments = parser.parse_args()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    application = QApplication([])
    dress(application)
    with tempfile.TemporaryDirectory() as home:
        path = load_context({"FIRESIDE_HOME": home}, command_line={}).paths.database_file
        path.parent.mkdir(parents=True, exist_ok=True)
        chats = asyncio.run(seed(path, n_chats=arguments.chats))
        with running_program(application, home=Path(home)) as program:
            program.loop.run_until_complete(measure(program, chats))


if __name__ == "__main__":
    main()
