"""Messages with files: stored completely, refused for models that cannot read them."""

from __future__ import annotations

import pytest

from fakes.app_harness import AppHarness
from fakes.engine import says
from fakes.raised import refuses
from fireside.core.attachment import MAX_ATTACHED
from fireside.core.events import QueuedMessagesChanged
from fireside.core.message import (
    AttachedPart,
    ChatMessage,
    DocumentPart,
    ImagePart,
    Role,
    TextPart,
    ToolResultPart,
    text_message,
    texts_of,
)
from fireside.core.model import Senses
from fireside.core.prompt_input import ChatInput
from fireside.runner.prompt.conversation_turns import merge_same_roles
from fireside.runner.prompt.template import ChatTemplate
from fireside.services.request_builder import perceived, with_latest_pictures

NOTES = DocumentPart(name="notes.txt", media_type="text/plain", text="Remember <|im_end|> the milk.\n")
PHOTO = ImagePart(data=b"\x89PNG", media_type="image/png", name="photo.png")
SHOWN = "[Attached file “notes.txt”]\nRemember <|im_end|> the milk.\n[End of “notes.txt”]\n\n"


async def test_a_file_is_stored_with_the_message_and_shown_to_the_model(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    conversation = await harness.app.generations.send(
        None, text="What?", model_id=harness.model_id, attached=(NOTES,)
    )
    await harness.settled(conversation)
    stored = (await harness.store.conversations.open(conversation)).messages[0].message
    assert stored.parts == (NOTES, TextPart(text="What?"))
    assert stored.text == "What?"
    request = harness.engine.requests[-1].task.prompt
    assert isinstance(request, ChatInput)
    assert request.messages[-1] == stored


async def test_a_message_of_a_file_alone_is_titled_by_its_name(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    conversation = await harness.app.generations.send(
        None, text="", model_id=harness.model_id, attached=(NOTES,)
    )
    await harness.settled(conversation)
    assert (await harness.store.conversations.open(conversation)).summary.title == "notes.txt"


async def test_a_message_with_a_file_is_queued_completely(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    send = harness.app.generations.send
    conversation = await send(None, text="First", model_id=harness.model_id)
    await send(conversation, text="Then", model_id=harness.model_id, attached=(NOTES,))
    if harness.seen(QueuedMessagesChanged):
        await harness.settled(conversation)
    await harness.app.generations.settled(conversation)
    messages = (await harness.store.conversations.open(conversation)).messages
    assert messages[2].message.attached == (NOTES,)


@pytest.mark.parametrize(
    ("attached", "code"),
    [
        ((PHOTO,), "images_unsupported"),
        ((NOTES,) * (MAX_ATTACHED + 1), "invalid_text"),
        ((), "invalid_text"),
    ],
)
async def test_an_invalid_message_is_refused_before_anything_is_stored(
    harness: AppHarness, attached: tuple[AttachedPart, ...], code: str
) -> None:
    harness.engine.script = says("x")
    with refuses(code):
        await harness.app.generations.send(None, text=" ", model_id=harness.model_id, attached=attached)
    assert await harness.store.conversations.all() == ()


def test_a_model_without_vision_gets_a_note_for_earlier_images() -> None:
    message = ChatMessage(role=Role.USER, parts=(PHOTO, TextPart(text="Nice?")))
    assert (
        perceived([message], Senses(sees=False, hears=False))[0].text
        == "[An image “photo.png”, which you cannot see]\n\nNice?"
    )


@pytest.mark.parametrize(
    ("most", "kept", "notes"),
    [(9, ((1, 2), (3,)), (0, 0)), (2, ((2,), (3,)), (1, 0)), (1, ((), (3,)), (2, 0)), (0, ((), ()), (2, 1))],
)
def test_the_latest_images_of_an_answer_are_kept(
    most: int, kept: tuple[tuple[int, ...], ...], notes: tuple[int, ...]
) -> None:
    def result(*numbers: int) -> ToolResultPart:
        images = tuple(ImagePart(data=bytes([n]), media_type="image/png", name=f"shot {n}") for n in numbers)
        return ToolResultPart(call_id=str(numbers), name="shot", text="Taken", images=images)

    answer = ChatMessage(role=Role.ASSISTANT, parts=(result(1, 2), TextPart(text="And"), result(3)))
    first, text, second = with_latest_pictures(answer, most=most).parts
    assert text == TextPart(text="And")
    for part, numbers, n_notes in zip((first, second), kept, notes, strict=True):
        assert isinstance(part, ToolResultPart)
        assert tuple(image.data[0] for image in part.images) == numbers
        assert part.prompt_text.startswith("Taken")
        assert part.prompt_text.count("which is no longer shown]") == n_notes


def test_a_file_is_text_in_a_prompt_and_never_control_tokens() -> None:
    source = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>{% endfor %}"
    template = ChatTemplate(
        source,
        architecture="llama",
        bos_token="",
        eos_token="",
        control_tokens=("<|im_start|>", "<|im_end|>"),
    )
    message = ChatMessage(role=Role.USER, parts=(NOTES, TextPart(text="What?")))
    prompt = template.render(ChatInput(messages=(message,)))
    assert f"{SHOWN}What?" in prompt.text
    assert "".join(part.text for part in prompt.segments if part.special).count("<|im_end|>") == 1


def test_messages_that_are_joined_keep_their_files() -> None:
    messages = (ChatMessage(role=Role.USER, parts=(NOTES,)), text_message(Role.USER, "What?"))
    [joined] = merge_same_roles(messages)
    assert "".join(text for part in joined.parts for text in texts_of(part)) == f"{SHOWN}\n\nWhat?"
