"""Convert a conversation to the messages that chat templates read: OpenAI's, with transformers' additions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

import msgspec

from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    PassagesPart,
    PerceivedPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    texts_of,
)
from fireside.runner.prompt.capabilities import Capabilities, content_entry, named_call_id
from fireside.runner.prompt.conversation_turns import Messages
from fireside.runner.prompt.tools import arguments_of

_SHORT_ID_CHARS: Final = 9


class ContentInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Which content of a conversation a text is."""

    role: Role
    message: int
    is_unfinished: bool = False
    """The answer continues after it."""
    is_optional: bool = False
    """A template may omit it."""


class ContentMode(Protocol):
    """How contents are passed to a template; see ``content_modes``."""

    def text(self, text: str, info: ContentInfo) -> str: ...
    def image(self, image: PerceivedPart) -> str: ...
    def data(self, value: object) -> Any: ...


class RenderRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a template is to render: a conversation that suits it, tools, and how the answer begins."""

    messages: Messages
    tools: tuple[dict[str, Any], ...]
    variables: dict[str, object]
    continue_final: bool


def template_messages(
    request: RenderRequest, *, mode: ContentMode, capabilities: Capabilities
) -> list[dict[str, Any]]:
    """Return the messages of ``request`` as the template expects them."""
    last = len(request.messages) - 1
    ids = _named_call_ids(request.messages) if capabilities.ids_name_tools else {}
    entries: list[dict[str, Any]] = []
    for index, message in enumerate(request.messages):
        is_unfinished = request.continue_final and index == last
        writer = _Writer(message, index, mode, capabilities, ids=ids, is_unfinished=is_unfinished)
        entries += writer.results() if message.role is Role.TOOL else writer.entries()
    return entries


def _named_call_ids(messages: Messages) -> dict[str, str]:
    """Return ids that contain the tool's name and a running number, for calls whose id does not."""
    calls = [call for message in messages for call in message.tool_calls]
    return {
        call.id: named_call_id(call.name, n)
        for n, call in enumerate(calls)
        if not call.id.startswith(named_call_id(call.name, 0)[:-1])
    }


def request_texts(request: RenderRequest) -> list[str]:
    """Return every text that a template may render, to choose delimiters that occur in none."""
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
    """Converts one message."""

    def __init__(
        self,
        message: ChatMessage,
        index: int,
        mode: ContentMode,
        capabilities: Capabilities,
        *,
        ids: Mapping[str, str],
        is_unfinished: bool,
    ) -> None:
        self._message = message
        self._index = index
        self._mode = mode
        self._capabilities = capabilities
        self._ids = ids
        self._is_unfinished = is_unfinished

    def entries(self) -> list[dict[str, Any]]:
        """Return the entry of a message; two where the template renders text and calls only separately."""
        calls = [self._call(part) for part in self._message.parts if isinstance(part, ToolCallPart)]
        text = self._text()
        # Without an answer, the reasoning itself is what is unfinished.
        in_reasoning = self._is_unfinished and not text.strip() and bool(self._message.reasoning.strip())
        info = self._info(is_unfinished=self._is_unfinished and not in_reasoning, is_optional=bool(calls))
        entry = self._entry(self._mode.text(text, info))
        if self._message.reasoning.strip():
            info = self._info(is_unfinished=in_reasoning, is_optional=True)
            reasoning = self._mode.text(self._message.reasoning, info)
            # Templates of gpt-oss call it thinking.
            entry |= {"reasoning_content": reasoning, "thinking": reasoning}
        if not calls:
            return [entry]
        if not self._capabilities.calls_without_content:
            return [entry | {"tool_calls": calls}]
        text_entries = [entry] if text.strip() else []
        return [*text_entries, {"role": self._message.role.value, "content": None, "tool_calls": calls}]

    def results(self) -> list[dict[str, Any]]:
        """Return an entry for each tool result, and one of the user for their images: few templates render
        those in a result."""
        results = [part for part in self._message.parts if isinstance(part, ToolResultPart)]
        if not results:
            return self.entries()
        entries = []
        for part in results:
            entry = self._entry(self._mode.text(part.text, self._info()))
            entry |= {"name": self._mode.data(part.name), "tool_call_id": self._id(part.call_id)}
            entries.append(entry)
        if images := self._text():
            entries.append(self._entry(self._mode.text(images, self._info()), role=Role.USER))
        return entries

    def _info(self, *, is_unfinished: bool = False, is_optional: bool = False) -> ContentInfo:
        return ContentInfo(
            role=self._message.role,
            message=self._index,
            is_unfinished=is_unfinished,
            is_optional=is_optional,
        )

    def _entry(self, content: str, *, role: Role | None = None) -> dict[str, Any]:
        role = role or self._message.role
        return content_entry(role.value, content, as_list=self._capabilities.content_is_list)

    def _text(self) -> str:
        texts = []
        for part in self._message.parts:
            if isinstance(part, PerceivedPart):
                texts.append(self._mode.image(part))
            elif isinstance(part, (TextPart, DocumentPart, PassagesPart)):
                texts += texts_of(part)
        return "".join(texts)

    def _call(self, call: ToolCallPart) -> dict[str, Any]:
        arguments = self._mode.data(arguments_of(call))
        if self._capabilities.arguments_as_text:
            arguments = json.dumps(arguments, ensure_ascii=False)
        function = {"name": self._mode.data(call.name), "arguments": arguments}
        return {"id": self._id(call.id), "type": "function", "function": function}

    def _id(self, call_id: str) -> object:
        call_id = self._ids.get(call_id, call_id)
        if self._capabilities.needs_short_ids and not (len(call_id) == _SHORT_ID_CHARS and call_id.isalnum()):
            return hashlib.sha256(call_id.encode()).hexdigest()[:_SHORT_ID_CHARS]
        return self._mode.data(call_id)
