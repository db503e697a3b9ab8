"""Convert results to text for models, and resources and prompts to content of a message."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Final

from mcp import types

from fireside.core.tool_servers import FilledPrompt, ResourceContent

_NO_RESULT: Final = "(no result)"


def text_of(result: types.CallToolResult) -> str:
    """Return all text of a result, with a note for each image and sound."""
    texts = [_text(block) for block in result.content]
    if not any(texts) and result.structured_content is not None:
        texts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return "\n".join(texts).strip("\n") or _NO_RESULT


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
            case types.ImageContent() as image:
                contents.append(
                    ResourceContent(uri="", media_type=image.mime_type, data=_decoded(image.data))
                )
            case block:
                text = _text(block)
                texts.append(text if message.role == "user" else f"Assistant: {text}")
    return FilledPrompt(text="\n\n".join(texts), contents=tuple(contents))


def _content(resource: types.TextResourceContents | types.BlobResourceContents) -> ResourceContent:
    media_type = resource.mime_type or ""
    if isinstance(resource, types.TextResourceContents):
        return ResourceContent(uri=resource.uri, media_type=media_type, text=resource.text)
    return ResourceContent(uri=resource.uri, media_type=media_type, data=_decoded(resource.blob))


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
