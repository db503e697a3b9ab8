"""How full the context is, in every state, over a client in memory: parts, line, summary, warning, choice.

Usage: python tests/screenshots/context.py FOLDER
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from loading import Camera
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from fakes.client import FakeClient
from fakes.context_plans import plan_of, summary_of
from fakes.model_entries import STARTER_ID, loaded_state
from fakes.window import build_window, dress
from fireside.core.context import FullContext, MessageCost
from fireside.core.events import SettingsChanged
from fireside.core.ids import ConversationId
from fireside.ui.main_window import MainWindow
from fireside.ui.tasks import TaskRunner

_REST_S = 1.0
QUESTIONS = (
    "Which boats were in the harbour on Monday, and who came back late?",
    "And how was the weather that week? Tell me about the wind and the tide.",
    "Write the entry for Thursday in the keeper’s own words.",
)
ANSWER = (
    "The Gull and the Heron lay at the north quay on Monday. The Tern came back after dark, since the wind "
    "had turned to the north-east and the tide was running out."
)
SUMMARY = (
    "The user is writing a lighthouse keeper’s log. The Gull and the Heron were there on Monday; the "
    "Tern came back late because of a north-east wind. Still open: the entry for Thursday, in the keeper’s "
    "own words, in short sentences, without modern terms. The keeper is Ansel and has a dog named Pilot."
)


async def take(
    window: MainWindow, client: FakeClient, camera: Camera, *, conversation: ConversationId
) -> None:
    """Show each state and take its pictures."""
    ids = [message.id for message in client.messages[conversation]]
    costs = tuple(MessageCost(id=id_, n_tokens=420 + 90 * n) for n, id_ in enumerate(ids))

    async def show(**changed: Any) -> None:
        client.context.plan_now = plan_of(messages=costs, **changed)
        client.publish(SettingsChanged(keys=("load.n_ctx",)))
        await asyncio.sleep(_REST_S)

    pane = window.chat
    await show(n_prompt=4310, n_history=3500, n_attached=610, n_system=130, n_draft=70)
    pane.context.open_popup()
    await camera.take("context-parts", of=lambda: pane.context.popup)
    pane.context.popup.hide()
    pane.transcript._follow = False
    await show(n_unseen=2, seen_from=ids[2])
    await camera.take("context-line")
    await show(n_unseen=2, seen_from=ids[2], summary=summary_of(SUMMARY), policy=FullContext.COMPACT)
    await camera.take("context-summary")
    await show(n_prompt=7300, n_history=7160)
    await camera.take("context-nearly-full")
    await show(n_prompt=9000, n_history=8860, fits=False, policy=FullContext.STOP)
    await camera.take("context-choice")


def main() -> None:
    """Take every picture."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(["fireside"])
    theme = dress(application)
    with QEventLoop(application) as loop:
        client = FakeClient()
        turns = [text for question in QUESTIONS for text in (question, ANSWER)]
        conversation = client.add_conversation("The keeper’s log", turns=turns)
        tasks = TaskRunner(loop, on_error=lambda error: sys.stderr.write(f"{error}\n"))
        window = build_window(client, tasks=tasks, theme=theme)
        window.show()
        camera = Camera(window, theme, folder=folder)

        async def run() -> None:
            window.start()
            await asyncio.sleep(_REST_S)
            spec = client.models[0].spec
            assert spec is not None
            client.set_state(STARTER_ID, loaded_state(spec))
            window.desk.open(conversation)
            await asyncio.sleep(_REST_S)
            await take(window, client, camera, conversation=conversation)

        loop.run_until_complete(run())
        window.close()


if __name__ == "__main__":
    main()
