"""Pictures are sent once, ahead of the commands that contain them; commands refer to them by hash."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from fireside.core.message import ChatMessage, ImagePart
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.wire.messages import Command, Generate, MeasurePrompt, ShowPrompt

PictureCommand = Generate | ShowPrompt | MeasurePrompt
"""Commands that may contain pictures."""


def digest_of(data: bytes) -> bytes:
    """Return the SHA-256 of a picture."""
    return hashlib.sha256(data).digest()


def pictures_in(command: Command) -> tuple[bytes, ...]:
    """Return the ``data`` of every picture in ``command``, in order."""
    return tuple(part.data for message in _messages(command) for part in _images(message))


def map_pictures(command: Command, change: Callable[[bytes], bytes]) -> Command:
    """Return ``command`` with ``change`` applied to the ``data`` of every picture in it."""
    if not pictures_in(command):
        return command
    messages = tuple(_with_pictures_changed(message, change) for message in _messages(command))
    match command:
        case Generate() | ShowPrompt():
            prompt = msgspec.structs.replace(_chat(command.task), messages=messages)
            return msgspec.structs.replace(command, task=msgspec.structs.replace(command.task, prompt=prompt))
        case MeasurePrompt():
            prompt = msgspec.structs.replace(command.question.prompt, messages=messages)
            question = msgspec.structs.replace(command.question, prompt=prompt)
            return msgspec.structs.replace(command, question=question)
        case _:
            return command


def _messages(command: Command) -> tuple[ChatMessage, ...]:
    match command:
        case Generate() | ShowPrompt():
            return command.task.prompt.messages if isinstance(command.task.prompt, ChatInput) else ()
        case MeasurePrompt():
            return command.question.prompt.messages
        case _:
            return ()


def _chat(task: GenerationTask) -> ChatInput:
    assert isinstance(task.prompt, ChatInput)
    return task.prompt


def _images(message: ChatMessage) -> list[ImagePart]:
    return [part for part in message.parts if isinstance(part, ImagePart)]


def _with_pictures_changed(message: ChatMessage, change: Callable[[bytes], bytes]) -> ChatMessage:
    if not _images(message):
        return message
    parts = tuple(
        msgspec.structs.replace(part, data=change(part.data)) if isinstance(part, ImagePart) else part
        for part in message.parts
    )
    return msgspec.structs.replace(message, parts=parts)
