"""How full the context is, in every state, over a client in memory: parts, line, summary, warning, choice.

See ``stage`` for the usage.
"""

from __future__ import annotations

from collections.abc import Callable

from fakes.client import AppClient
from fakes.context_plans import counts
from fakes.model_entries import STARTER_ID, loaded_state
from fireside.core.context import FullContext
from fireside.core.events import SettingsChanged
from fireside.core.prompt_query import MessageTokens, PromptMeasure, PromptMeasureRequest
from fireside.ui.shell.main_window import MainWindow
from tools.screenshots.stage import Camera, play, rest

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


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Show each state and take its pictures."""
    (conversation,) = client.messages
    spec = client.entries[0].spec
    assert spec is not None
    client.set_state(STARTER_ID, loaded_state(spec))
    window.conversations.open(conversation)
    await rest()
    ids = [message.id for message in client.messages[conversation]]
    costs = [420 + 90 * n for n, _ in enumerate(ids)]

    async def show(measured: Callable[[PromptMeasureRequest], PromptMeasure], *, draft: str = "") -> None:
        client.engine.measured = measured
        window.chat.composer.editor.setPlainText(draft)
        client.publish(SettingsChanged(keys=("load.n_ctx",)))
        await rest()
        await rest()

    async def choose(policy: FullContext) -> None:
        await client.context.set_policy(conversation, policy=policy)

    pane = window.chat
    await show(counts(4310, costs=costs, last=MessageTokens(680, 610)), draft="And on Friday?")
    pane.context_controller.open_popup()
    await camera.take("context-parts", of=lambda: pane.context_controller.popup)
    pane.context_controller.popup.hide()
    pane.transcript.column.anchor_view()
    await show(counts(costs=costs, n_dropped=2))
    await camera.take("context-line")
    await client.store.summaries.put(ids[1], text=SUMMARY, n_messages=2, model_name="SmolLM2 135M Instruct")
    await choose(FullContext.COMPACT)
    await show(counts(costs=costs))
    await camera.take("context-summary")
    await choose(FullContext.DROP_OLDEST)
    await show(counts(7300, costs=costs))
    await camera.take("context-nearly-full")
    await choose(FullContext.STOP)
    await show(counts(9000, costs=costs, fits=False))
    await camera.take("context-choice")


def with_a_chat() -> AppClient:
    """Return a client with a conversation of three turns."""
    client = AppClient()
    turns = [text for question in QUESTIONS for text in (question, ANSWER)]
    client.add_conversation("The keeper’s log", turns=turns)
    return client


if __name__ == "__main__":
    play(take, make_client=with_a_chat)
