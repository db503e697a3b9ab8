"""Put a conversation into the shape that chat templates read: OpenAI's, with what transformers adds to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

import msgspec

from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    ImagePart,
    PassagesPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    texts_of,
)
from fireside.runner.prompt.capabilities import Capabilities, content_entry, naming_id
from fireside.runner.prompt.conversation_turns import Messages
from fireside.runner.prompt.tools import arguments_of

_SHORT_ID_CHARS: Final = 9


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """What a text is in its conversation."""

    role: Role
    message: int
    is_unfinished: bool = False
    """The answer goes on behind it."""
    is_optional: bool = False
    """A template may leave it out."""


class Wording(Protocol):
    """How texts stand in a conversation while a template runs: by a placeholder, or as they are but
    guarded."""

    def text(self, text: str, place: Place) -> str: ...
    def image(self, image: ImagePart) -> str: ...
    def data(self, value: object) -> Any: ...


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a template is to word: a conversation that suits it, tools, and how to begin the answer."""

    messages: Messages
    tools: tuple[dict[str, Any], ...]
    variables: dict[str, object]
    continue_final: bool


def entries_of(request: Request, *, wording: Wording, can: Capabilities) -> list[dict[str, Any]]:
    """Return the messages of ``request`` as a template takes them."""
    last = len(request.messages) - 1
    ids = _naming_ids(request.messages) if can.ids_name_tools else {}
    entries: list[dict[str, Any]] = []
    for index, message in enumerate(request.messages):
        is_unfinished = request.continue_final and index == last
        writer = _Writer(message, index, wording, can, ids=ids, is_unfinished=is_unfinished)
        entries += writer.results() if message.role is Role.TOOL else writer.spoken()
    return entries


def _naming_ids(messages: Messages) -> dict[str, str]:
    """Return ids that name their tools and count through the conversation, for those that do not."""
    calls = [call for message in messages for call in message.tool_calls]
    return {
        call.id: naming_id(call.name, n)
        for n, call in enumerate(calls)
        if not call.id.startswith(naming_id(call.name, 0)[:-1])
    }


def texts_of_request(request: Request) -> list[str]:
    """Return every text that a template may show, for marks that occur in none."""
    texts = [text for message in request.messages for part in message.parts for text in texts_of(part)]
    for message in request.messages:
        for call in message.tool_calls:
            texts += _strings(arguments_of(call))
    return texts + list(_strings(list(request.tools)))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for child in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _strings(child)


class _Writer:
    """Writes the entries of one message."""

    def __init__(
        self,
        message: ChatMessage,
        index: int,
        wording: Wording,
        can: Capabilities,
        *,
        ids: Mapping[str, str],
        is_unfinished: bool,
    ) -> None:
        self._message = message
        self._index = index
        self._wording = wording
        self._can = can
        self._ids = ids
        self._is_unfinished = is_unfinished

    def spoken(self) -> list[dict[str, Any]]:
        """Return the entry of a message; two where a template takes a text and calls only apart."""
        calls = [self._call(part) for part in self._message.parts if isinstance(part, ToolCallPart)]
        text = self._spoken_text()
        # Reasoning without an answer is itself what is unfinished.
        in_reasoning = self._is_unfinished and not text.strip() and bool(self._message.reasoning.strip())
        place = self._place(is_unfinished=self._is_unfinished and not in_reasoning, is_optional=bool(calls))
        entry = self._entry(self._wording.text(text, place))
        if self._message.reasoning.strip():
            place = self._place(is_unfinished=in_reasoning, is_optional=True)
            reasoning = self._wording.text(self._message.reasoning, place)
            # Templates of gpt-oss know it as thinking.
            entry |= {"reasoning_content": reasoning, "thinking": reasoning}
        if not calls:
            return [entry]
        if not self._can.calls_without_content:
            return [entry | {"tool_calls": calls}]
        said = [entry] if text.strip() else []
        return [*said, {"role": self._message.role.value, "content": None, "tool_calls": calls}]

    def results(self) -> list[dict[str, Any]]:
        """Return an entry for each result of a tool."""
        results = [part for part in self._message.parts if isinstance(part, ToolResultPart)]
        if not results:
            return self.spoken()
        entries = []
        for part in results:
            entry = self._entry(self._wording.text(part.text, self._place()))
            entry |= {"name": self._wording.data(part.name), "tool_call_id": self._id(part.call_id)}
            entries.append(entry)
        return entries

    def _place(self, *, is_unfinished: bool = False, is_optional: bool = False) -> Place:
        return Place(
            role=self._message.role,
            message=self._index,
            is_unfinished=is_unfinished,
            is_optional=is_optional,
        )

    def _entry(self, content: str) -> dict[str, Any]:
        return content_entry(self._message.role.value, content, as_list=self._can.content_is_list)

    def _spoken_text(self) -> str:
        words = []
        for part in self._message.parts:
            if isinstance(part, ImagePart):
                words.append(self._wording.image(part))
            elif isinstance(part, (TextPart, DocumentPart, PassagesPart)):
                words += texts_of(part)
        return "".join(words)

    def _call(self, call: ToolCallPart) -> dict[str, Any]:
        arguments = self._wording.data(arguments_of(call))
        if self._can.arguments_are_text:
            arguments = json.dumps(arguments, ensure_ascii=False)
        function = {"name": self._wording.data(call.name), "arguments": arguments}
        return {"id": self._id(call.id), "type": "function", "function": function}

    def _id(self, call_id: str) -> object:
        call_id = self._ids.get(call_id, call_id)
        if self._can.needs_short_ids and not (len(call_id) == _SHORT_ID_CHARS and call_id.isalnum()):
            return hashlib.sha256(call_id.encode()).hexdigest()[:_SHORT_ID_CHARS]
        return self._wording.data(call_id)
