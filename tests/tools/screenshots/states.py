"""A conversation in every state, over a client in memory, in both themes. See ``stage`` for the usage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from math import sin

from msgspec.structs import replace
from PySide6.QtWidgets import QPushButton

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state
from fakes.sounds import sound, video
from fakes.stored_messages import Messages
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.errors import OutOfMemory, RunnerCrashed
from fireside.core.events import ConversationChanged
from fireside.core.generation import FinishReason, OutputKind, TextDelta
from fireside.core.message import N_PEAKS, ReasoningPart, TextPart
from fireside.core.search import ConversationMatch, SearchHit, SearchResult, Snippet
from fireside.core.speech import SoundPlayed, SpeechEnded
from fireside.ui.chat.answer.elicitation_sheet import ElicitationSheet
from fireside.ui.chat.answer.tool_card import ToolCard
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.sound_player import SoundPlayer, use_sound_player
from tools.screenshots.stage import Camera, play, rest
from tools.screenshots.tool_states import (
    FORM,
    PAGE,
    asked_by_server,
    asked_change,
    asked_fact,
    asked_query,
    done_calls,
    waiting_call,
)

Show = Callable[[str, Sequence[StoredMessage]], Awaitable[None]]

PROSE = (
    "The sky looks blue because air scatters **short waves** of light more than long ones. Sunlight holds "
    "all colours; the blue part is sent in every direction, and reaches us from all over the sky.\n\n"
    "- At noon the way through the air is short.\n- In the evening it is long, and *red* is left.\n\n"
    "> Violet is scattered even more, but our eyes see less of it.\n\n"
)
CODE = (
    "Two ways to add the numbers of a list:\n\n```python\nfrom functools import reduce\n\n\n"
    'def total(numbers: list[float]) -> float:\n    """Return the sum of the numbers."""\n'
    "    return sum(numbers)\n\n\n# The same without a loop of its own\n"
    "print(reduce(lambda a, b: a + b, [1, 2, 3]))\nprint(total([1, 2, 3]))\n```\n\n"
    "The first one is `O(n)` and easy to read.\n"
)
MATH = (
    "For $a \\ne 0$ the equation $ax^2 + bx + c = 0$ has the solutions\n\n"
    "$$x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$\n\nStep by step:\n\n"
    "\\begin{align}\n(a + b)^2 &= (a + b)(a + b) \\\\\n&= a^2 + 2ab + b^2\n\\end{align}\n\n"
    "and a rotation is\n\n\\begin{pmatrix}\n\\cos t & -\\sin t \\\\\n\\sin t & \\cos t\n\\end{pmatrix}\n"
)
TABLE = (
    "| Planet | Radius | Days in a year | Moons |\n|---|--:|--:|:-:|\n| Mercury | 2,440 km | 88 | 0 |\n"
    "| Venus | 6,052 km | 225 | 0 |\n| Earth | 6,371 km | 365 | 1 |\n| Mars | 3,390 km | 687 | 2 |\n\n"
    "- [x] Rocky planets\n- [ ] Gas giants\n\nMars has two small moons.[^1]\n\n[^1]: Phobos and Deimos.\n"
)
INTERVIEW = (
    "She names three points:\n\n1. The engine weaves **algebraic patterns**.\n"
    "2. It can act upon other things besides number.\n3. It has no pretensions to *originate* anything.\n"
)
SPEECH = bytes(
    round(230 * abs(sin(n * 0.9)) * (0.25 + 0.75 * abs(sin(n * 0.13)))) if n % 23 < 19 else 3
    for n in range(N_PEAKS)
)
"""The waveform of words with pauses between them."""
ARABIC = (
    "السماء زرقاء لأن الهواء يشتت **الضوء** ذا الموجات القصيرة أكثر من غيره.\n\n"
    "1. في الظهيرة\n2. في المساء\n\n"
    "| الكوكب | القطر |\n|---|--:|\n| الأرض | 12,742 km |\n| المريخ | 6,779 km |\n\n"
    '```python\nprint("مرحبا")\n```\n\n> البنفسجي يتشتت أكثر.\n'
)
HEBREW = "השמיים כחולים כי האוויר מפזר `אור` כחול יותר מאדום.\n\n- בצהריים\n- בערב\n"
CHINESE = (
    "天空是蓝色的，因为空气散射**短波**光。\n\n- 中午\n- 傍晚\n\n"
    "| 行星 | 半径 |\n|---|--:|\n| 地球 | 6371 公里 |\n\n"
    '```python\nprint("你好")\n```\n\n空が青いのは、空気が短い波長の光を散乱するからです。\n'
)


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Show each state and take its pictures."""
    messages = Messages()
    spec = client.entries[0].spec
    assert spec is not None
    client.set_state(STARTER_ID, loaded_state(spec))
    await rest()

    async def chat(title: str, messages_of_chat: Sequence[StoredMessage]) -> None:
        conversation = client.add_conversation(title)
        client.keep_messages(conversation, messages_of_chat)
        client.publish(ConversationChanged(summary=client.summaries[conversation]))
        window.conversations.open(conversation)
        await rest()

    await camera.take("state-empty")
    for name, question, text in (
        ("code", "How do I add the numbers of a list?", CODE),
        ("math", "Solve the quadratic equation, please.", MATH),
        ("table", "Compare the rocky planets.", TABLE),
        ("right-to-left", "لماذا السماء زرقاء؟", ARABIC),
        ("hebrew", "למה השמיים כחולים?", HEBREW),
        ("chinese", "天空为什么是蓝色的？", CHINESE),
    ):
        await chat(question, [messages.user(question), messages.answer(text)])
        await camera.take(f"state-{name}")
    long = [messages.user("Tell me all about light. " * 90), messages.answer(PROSE * 12)]
    await chat("All about light", long)
    window.chat.transcript.verticalScrollBar().setValue(0)
    await camera.take("state-long")
    why = messages.user("Why is the sky blue?")
    thought = replace(
        messages.answer(PROSE),
        message=replace(
            messages.answer("").message,
            parts=(ReasoningPart(text="They ask about scattering.\nKeep it short."), TextPart(text=PROSE)),
        ),
    )
    await chat("Why is the sky blue?", [why, thought])
    window.chat.transcript.entries[1].is_unfolded = True
    window.chat.transcript.column.refresh(1)
    await camera.take("state-thought")
    running = messages.running()
    await chat("A thinking model", [why, running])
    window.chat.transcript.append_text(
        running.id,
        TextDelta(text="The question is about light.\n" * 4, n_completion=24, kind=OutputKind.REASONING),
    )
    await camera.take("state-thinking")
    running = messages.running()
    await chat("An answer on its way", [why, running])
    window.chat.transcript.append_text(
        window.chat.transcript.entries[-1].message.id,
        TextDelta(text=f"{PROSE}{CODE[:200]}", n_completion=128),
    )
    await camera.take("state-streaming")
    await _audio(window, client, chat, messages, camera)
    loan = messages.user("What have 1,200 € become after seven years at 3.5%?")
    await chat("Waiting for permission", [loan, waiting_call(messages)])
    await camera.take("state-tool-permission")
    await chat("A risky call", [loan, waiting_call(messages, is_risky=True)])
    await camera.take("state-tool-risky")
    await chat("A change", [loan, asked_change(messages)])
    await camera.take("state-tool-change")
    await _questions_of_servers(window, chat, loan, messages, camera)
    for name, asked in (("query", asked_query(messages, "interest rate")), ("fact", asked_fact(messages))):
        await chat(f"A {name}", [loan, asked])
        await camera.take(f"state-tool-{name}")
    window.chat.composer.tools_button.click()
    await rest()
    await camera.take("tools-of-the-chat", of=lambda: window.tool_menu.popup)
    window.tool_menu.popup.hide()
    await chat("Tools", [loan, done_calls(messages)])
    first = window.chat.transcript.entries[1]
    first.opened_calls[first.message.message.tool_calls[0].id] = True
    window.chat.transcript.column.refresh(1)
    await camera.take("state-tools")
    no_room = OutOfMemory(model="Qwen3 8B").info()
    crash = RunnerCrashed(model="Qwen3 8B", cause="the graphics card ran out of memory.").info()
    for name, answer in (
        ("interrupted", messages.answer(PROSE[:126], state=MessageState.INTERRUPTED)),
        ("cut", messages.answer(PROSE[:160], reason=FinishReason.LENGTH)),
        ("error", messages.answer("", state=MessageState.FAILED, error=no_room)),
        ("crash", messages.answer(PROSE[:90], state=MessageState.FAILED, error=crash)),
    ):
        await chat(f"Why is the sky blue? ({name})", [why, answer])
        await camera.take(f"state-{name}")
    await _search(window, client, messages)
    await camera.take("state-search")


async def _audio(
    window: MainWindow, client: AppClient, chat: Show, messages: Messages, camera: Camera
) -> None:
    """A question with sound, as it is played, the same sound and a video before they are sent, and their
    sheets."""
    interview = sound("Interview with Ada.m4a", seconds=102.4, peaks=SPEECH)
    clip = video("Holiday.mp4", track=sound(peaks=SPEECH[::-1]))
    question = messages.user("What are her three main points?")
    question = replace(
        question, message=replace(question.message, parts=(interview, *question.message.parts))
    )
    player = SoundPlayer(client, tasks=window.context.tasks, on_error=print, set_up=print)
    use_sound_player(player)
    await chat("Interview with Ada", [question, messages.answer(INTERVIEW)])
    await camera.take("state-audio")
    client.reply("speech.play", 1)
    player.toggle(interview)
    await rest()
    client.publish(SoundPlayed(job=1, position_s=41.2, duration_s=102.4))
    await camera.take("state-audio-playing")
    window.chat.attachments.restore((interview, clip))
    await rest()
    await camera.take("state-audio-unsent")
    for name, part in (("audio", interview), ("video", clip)):
        sheet = AttachmentSheet(part, parent=window, save=print)
        sheet.open()
        await rest()
        await camera.take(f"sheet-{name}")
        sheet.reject()
    window.chat.attachments.remove_all()
    client.publish(SpeechEnded(job=1))
    use_sound_player(None)


async def _questions_of_servers(
    window: MainWindow, chat: Show, loan: StoredMessage, messages: Messages, camera: Camera
) -> None:
    """A call that tells how far it is, one whose server asks for a page, and the form of another."""
    await chat("Progress", [loan, asked_by_server(messages, None)])
    await camera.take("state-tool-progress")
    await chat("A page", [loan, asked_by_server(messages, PAGE)])
    await camera.take("state-tool-page")
    await chat("A form", [loan, asked_by_server(messages, FORM)])
    card = window.chat.transcript.findChild(ToolCard)
    assert card is not None
    next(stop for stop in card.tab_stops if isinstance(stop, QPushButton) and "…" in stop.text()).click()
    await rest()
    sheet = window.findChild(ElicitationSheet)
    assert sheet is not None
    await camera.take("sheet-elicitation", of=lambda: sheet)
    sheet.reject()


async def _search(window: MainWindow, client: AppClient, messages: Messages) -> None:
    """Look for words, and open the message that has them."""
    conversation = client.add_conversation("Light and dusk")
    shown = client.keep_messages(
        conversation,
        [messages.user("What is light?"), messages.answer(PROSE * 6), messages.user("And at dusk?")],
    )
    snippet = Snippet(text="…air scatters short waves of light more than long ones", marks=((13, 21),))
    hit = SearchHit(message_id=shown[1].id, role=shown[1].message.role, created_at=0.0, snippet=snippet)
    match = ConversationMatch(summary=client.summaries[conversation], hits=(hit,), n_hits=1)
    client.reply("folders.search", SearchResult(matches=(match,), n_hits=1))
    window.sidebar.focus_search()
    window.sidebar.filter.setText("scatter")
    await rest()
    window.sidebar.search.open_first()
    await rest()


if __name__ == "__main__":
    play(take)
