"""Sound and videos in requests: read in a process of its own, and given to the model as it takes them."""

from __future__ import annotations

import asyncio
import re
from typing import Final

import msgspec

from fireside.api.completion_request import bytes_of_base64
from fireside.api.http_error import http_error_of, invalid
from fireside.core.attachment import attachment_limit_problem
from fireside.core.errors import RequestError
from fireside.core.i18n import render
from fireside.core.message import AudioPart, ChatMessage, MessagePart
from fireside.core.model import ModelSpec, Senses
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.documents.messages import ReadReply, ReadRequest
from fireside.services.collections.file_reading import ReadFiles
from fireside.services.request_builder import with_videos_in_parts

_UNREAD: Final = "*/*;base64"
"""The media type of a file that is not read yet, and not decoded: it may be a video too."""
_BEGINNING: Final = 1024
"""Characters of base64."""
_DATA_URL: Final = re.compile(r"data:[^,]{0,200};base64,", re.IGNORECASE)


def medium_of(text: str, *, param: str) -> AudioPart:
    """Return the file in base64 or in a ``data:`` URL, to be read by ``read_media``. Raises ``HttpError``."""
    if match := _DATA_URL.match(text):
        text = text[match.end() :]
    elif "://" in text[:100]:
        raise invalid("Audio and videos are taken in base64 only; no address is fetched.", param=param)
    try:
        data = text.encode("ascii")
    except UnicodeEncodeError as exc:
        raise invalid("The file is not valid base64.", param=param) from exc
    return AudioPart(data=data, media_type=_UNREAD, name=param, seconds=0)


def beginning_of(medium: AudioPart) -> bytes:
    """Return the first bytes of a file that is not read yet, enough to know what it is."""
    text = b"".join(medium.data[:_BEGINNING].split()).decode()
    return _decoded(text[: len(text) // 4 * 4], param=medium.name)


def _decoded(text: str, *, param: str) -> bytes:
    return bytes_of_base64(text, what="file", param=param, most=None)


async def read_media(prompt: PromptInput, read: ReadFiles, spec: ModelSpec) -> PromptInput:
    """Return a prompt with its files as sound and images that ``spec`` takes.

    Raises ``HttpError`` for a file that cannot be read, and for what the model does not take.
    """
    if not isinstance(prompt, ChatInput):
        return prompt
    messages = tuple([await _read_message(message, read, spec.senses) for message in prompt.messages])
    return msgspec.structs.replace(prompt, messages=messages)


async def _read_message(message: ChatMessage, read: ReadFiles, senses: Senses) -> ChatMessage:
    unread = [part for part in message.parts if isinstance(part, AudioPart) and part.media_type == _UNREAD]
    if not unread:
        return message

    def read_all() -> list[ReadReply]:
        files = ((part.name, _decoded(part.data.decode(), param=part.name)) for part in unread)
        return list(read([ReadRequest(name=name, data=data, takes_media=True) for name, data in files]))

    replies = await asyncio.to_thread(read_all)
    parts: list[MessagePart] = list(message.parts)
    for part, reply in zip(unread, replies, strict=True):
        if reply.media is None:
            reason = render(reply.problem) or "it is neither audio nor a video."
            raise invalid(f"{part.name}: {reason}", param=part.name)
        parts[parts.index(part)] = reply.media
    whole = ChatMessage(role=message.role, parts=tuple(parts))
    if problem := attachment_limit_problem(whole.attached):
        raise invalid(problem, param=unread[0].name)
    if not senses.hears and any(isinstance(part, AudioPart) for part in parts):
        raise http_error_of(RequestError.of("audio_unsupported"))
    return with_videos_in_parts(whole, senses)
