"""Documents in requests: in their place goes their text, read in a process of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from fireside.api.anthropic_messages import DocumentBlock, DocumentSource, MessagesBody, ToolResultBlock
from fireside.api.completion_request import bytes_of_base64
from fireside.api.http_error import invalid
from fireside.api.openai_chat import ChatBody
from fireside.api.openai_messages import FileContent, TextContent
from fireside.api.openai_response_items import ResponsesBody

MAX_DOCUMENTS: Final = 32
"""Of one request; reading one may take as long as an answer."""

ReadText = Callable[[bytes], Awaitable[tuple[str, str]]]
"""Returns the text of a file, or why there is none."""
Place = tuple[str, str, Callable[[str], None]]
"""Of a document: the field that it is in, its base64, and what puts its text there."""


async def show_documents(body: ChatBody | MessagesBody | ResponsesBody, read: ReadText) -> None:
    """Put the text of each document of ``body`` in its place. Raises ``HttpError`` for one without text."""
    match body:
        case MessagesBody():
            places = tuple(_anthropic_places(body))
        case ChatBody():
            places = tuple(_chat_places(body))
        case _:
            places = tuple(_response_places(body))
    if len(places) > MAX_DOCUMENTS:
        param = places[MAX_DOCUMENTS][0]
        raise invalid(f"{param}: send at most {MAX_DOCUMENTS} documents.", param=param)
    for param, encoded, put in places:
        data = bytes_of_base64(encoded.rpartition("base64,")[2], what="document", param=param)
        text, problem = await read(data)
        if problem or not text.strip():
            raise invalid(f"{param}: {problem or 'the document has no text.'}", param=param)
        put(text)


def _anthropic_places(body: MessagesBody) -> Iterator[Place]:
    for index, message in enumerate(body.messages):
        for number, block in enumerate(message.content if isinstance(message.content, list) else ()):
            param = f"messages[{index}].content[{number}]"
            if isinstance(block, DocumentBlock):
                yield from _anthropic_place(block, f"{param}.source")
            elif isinstance(block, ToolResultBlock) and isinstance(block.content, list):
                for inner, each in enumerate(block.content):
                    if isinstance(each, DocumentBlock):
                        yield from _anthropic_place(each, f"{param}.content[{inner}].source")


def _anthropic_place(block: DocumentBlock, param: str) -> Iterator[Place]:
    def put(text: str) -> None:
        block.source = DocumentSource(type="text", data=text)

    if block.source.type == "base64":
        yield param, block.source.data, put


def _chat_places(body: ChatBody) -> Iterator[Place]:
    for index, message in enumerate(body.messages):
        content = message.content
        for number, part in enumerate(content if isinstance(content, list) else ()):
            if isinstance(content, list) and isinstance(part, FileContent) and part.file.file_data:

                def put(text: str, content: list[Any] = content, part: FileContent = part) -> None:
                    content[content.index(part)] = TextContent(text=_headed(part.file.filename, text))

                yield f"messages[{index}].content[{number}].file", part.file.file_data, put


def _response_places(body: ResponsesBody) -> Iterator[Place]:
    for index, item in enumerate(body.input if isinstance(body.input, list) else ()):
        for field in ("content", "output"):
            parts = item.get(field)
            for number, part in enumerate(parts if isinstance(parts, list) else ()):
                if (
                    isinstance(part, dict)
                    and part.get("type") == "input_file"
                    and isinstance(encoded := part.get("file_data"), str)
                ):

                    def put(text: str, part: dict[str, Any] = part) -> None:
                        name = part.get("filename")
                        part |= {"type": "input_text", "text": _headed(name, text)}

                    yield f"input[{index}].{field}[{number}]", encoded, put


def _headed(name: object, text: str) -> str:
    return f"{name}\n\n{text}\n\n" if isinstance(name, str) and name else f"{text}\n\n"
