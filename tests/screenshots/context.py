"""How full the context is, in every state, over a client in memory: parts, line, summary, warning, choice.

See ``stage`` for the usage.
"""

from __future__ import annotations

from typing import Any

from fakes.client import AppClient
from fakes.context_plans import plan_of, summary_of
from fakes.model_entries import STARTER_ID, loaded_state
from fireside.core.context import FullContext, MessageCost
from fireside.core.events import SettingsChanged
from fireside.ui.shell.main_window import MainWindow
from screenshots.stage import Camera, play, rest

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
    costs = tuple(MessageCost(id=id_, n_tokens=420 + 90 * n) for n, id_ in enumerate(ids))

    async def show(**changed: Any) -> None:
        client.context.plan_now = plan_of(messages=costs, **changed)
        client.publish(SettingsChanged(keys=("load.n_ctx",)))
        await rest()

    pane = window.chat
    await show(n_prompt=4310, n_history=3500, n_attached=610, n_system=130, n_draft=70)
    pane.context.open_popup()
    await camera.take("context-parts", of=lambda: pane.context.popup)
    pane.context.popup.hide()
    pane.transcript.column.hold()
    await show(n_unseen=2, seen_from=ids[2])
    await camera.take("context-line")
    await show(n_unseen=2, seen_from=ids[2], summary=summary_of(SUMMARY), policy=FullContext.COMPACT)
    await camera.take("context-summary")
    await show(n_prompt=7300, n_history=7160)
    await camera.take("context-nearly-full")
    await show(n_prompt=9000, n_history=8860, fits=False, policy=FullContext.STOP)
    await camera.take("context-choice")


def with_a_chat() -> AppClient:
    """Return a client with a conversation of three turns."""
    client = AppClient()
    turns = [text for question in QUESTIONS for text in (question, ANSWER)]
    client.add_conversation("The keeper’s log", turns=turns)
    return client


if __name__ == "__main__":
    play(take, make_client=with_a_chat)
