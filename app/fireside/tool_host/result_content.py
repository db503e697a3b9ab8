"""Convert results to text and images, and resources and prompts to content of a message."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final

from mcp import types

from fireside.core.attachment import MAX_ATTACHED
from fireside.core.tool_servers import FilledPrompt, ResourceContent
from fireside.tool_host.host_messages import CallEnded

_NO_RESULT: Final = "(no result)"
_MAX_IMAGE_BYTES: Final = 24 << 20
"""Of all images of a result, which are sent to the program in one frame."""


def ended_call(call: int, result: types.CallToolResult) -> CallEnded:
    """Return all text of a result, with a note in place of each image and sound, and its images."""
    texts: list[str] = []
    images: list[bytes] = []
    n_bytes = 0
    for block in result.content:
        image = _image(block)
        n_bytes += 0 if image is None else len(image.data)
        if image is None or len(images) == MAX_ATTACHED or n_bytes > _MAX_IMAGE_BYTES:
            texts.append(_text(block))
        else:
            texts.append(f"[image, {image.media_type}, {len(image.data)} bytes]")
            images.append(image.data)
    data = result.structured_content
    structured = "" if data is None else json.dumps(data, ensure_ascii=False)
    text = "\n".join(texts).strip("\n")
    if not text:
        text, structured = structured or _NO_RESULT, ""
    elif data is not None and _says(text, data):
        structured = ""
    return CallEnded(
        call=call, text=text, is_error=result.is_error, images=tuple(images), structured=structured
    )


def _says(text: str, data: dict[str, Any]) -> bool:
    """Return whether a text is what the JSON says, as servers send it: the same JSON, or its one value."""
    if len(data) == 1 and str(*data.values()).strip("\n") == text:
        return True
    try:
        return bool(json.loads(text) == data)
    except (ValueError, RecursionError):
        return False


def contents_of(result: types.ReadResourceResult) -> tuple[ResourceContent, ...]:
    """Return the contents of a resource."""
    return tuple(map(_content, result.contents))


def filled_prompt(result: types.GetPromptResult) -> FilledPrompt:
    """Return a prompt as text, with its resources and images. Messages of the assistant are marked."""
    texts: list[str] = []
    contents: list[ResourceContent] = []
    for message in result.messages:
        match message.content:
            case types.EmbeddedResource(resource=resource):
                contents.append(_content(resource))
            case block if (image := _image(block)) is not None:
                contents.append(image)
            case block:
                text = _text(block)
                texts.append(text if message.role == "user" else f"Assistant: {text}")
    return FilledPrompt(text="\n\n".join(texts), contents=tuple(contents))


def _content(resource: types.TextResourceContents | types.BlobResourceContents) -> ResourceContent:
    media_type = resource.mime_type or ""
    if isinstance(resource, types.TextResourceContents):
        return ResourceContent(uri=resource.uri, media_type=media_type, text=resource.text)
    return ResourceContent(uri=resource.uri, media_type=media_type, data=_decoded(resource.blob))


def _image(block: types.ContentBlock) -> ResourceContent | None:
    match block:
        case types.ImageContent():
            return ResourceContent(uri="", media_type=block.mime_type, data=_decoded(block.data))
        case types.EmbeddedResource(resource=types.BlobResourceContents() as resource):
            content = _content(resource)
            return content if content.media_type.startswith("image/") else None
        case _:
            return None


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""


def _text(block: types.ContentBlock) -> str:
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent() | types.AudioContent():
            return f"[{block.type}, {block.mime_type}, {len(block.data) * 3 // 4} bytes: not shown]"
        case types.ResourceLink():
            return f"[{block.name}: {block.uri}]"
        case types.EmbeddedResource(resource=types.TextResourceContents() as resource):
            return resource.text
        case _:
            return "[data: not shown]"
