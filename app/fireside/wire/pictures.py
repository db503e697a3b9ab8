"""Pictures and sound are sent once, ahead of the commands that contain them; commands refer to them by hash.

What is said of pictures here holds for sound too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar

import msgspec

from fireside.core.message import ChatMessage, PerceivedPart
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasureRequest, PromptPreviewRequest
from fireside.core.task import GenerationTask
from fireside.wire.messages import Ask, Command, Generate

PictureCommand = Generate | Ask
"""Commands that may contain pictures."""
HolderT = TypeVar("HolderT")


def digest_of(data: bytes) -> bytes:
    """Return the SHA-256 of a picture."""
    return hashlib.sha256(data).digest()


def pictures_in(command: Command) -> tuple[bytes, ...]:
    """Return the ``data`` of every picture in ``command``, in order."""
    found: list[bytes] = []

    def note(data: bytes) -> bytes:
        found.append(data)
        return data

    map_pictures(command, note)
    return tuple(found)


def map_pictures(command: HolderT, change: Callable[[bytes], bytes]) -> HolderT:
    """Return ``command`` with ``change`` applied to the ``data`` of every picture in it."""
    match command:
        case Ask(query=query):
            return msgspec.structs.replace(command, query=map_pictures(query, change))
        case Generate(task=task) | PromptPreviewRequest(task=task):
            return msgspec.structs.replace(command, task=map_pictures(task, change))
        case GenerationTask(prompt=prompt):
            return msgspec.structs.replace(command, prompt=map_pictures(prompt, change))
        case PromptMeasureRequest(prompt=prompt):
            return msgspec.structs.replace(command, prompt=map_pictures(prompt, change))
        case ChatInput(messages=messages):
            changed = tuple(_with_pictures_changed(message, change) for message in messages)
            return msgspec.structs.replace(command, messages=changed)
        case _:
            return command


def _images(message: ChatMessage) -> list[PerceivedPart]:
    return [part for part in message.parts if isinstance(part, PerceivedPart)]


def _with_pictures_changed(message: ChatMessage, change: Callable[[bytes], bytes]) -> ChatMessage:
    if not _images(message):
        return message
    parts = tuple(
        msgspec.structs.replace(part, data=change(part.data)) if isinstance(part, PerceivedPart) else part
        for part in message.parts
    )
    return msgspec.structs.replace(message, parts=parts)
