"""A result as text, which is what models read."""

from __future__ import annotations

import json
from typing import Final

from mcp import types

_NOTHING: Final = "(no result)"


def text_of(result: types.CallToolResult) -> str:
    """Return all that a result says; of pictures and sounds what they are."""
    said = [_text(block) for block in result.content]
    if not any(said) and result.structured_content is not None:
        said = [json.dumps(result.structured_content, ensure_ascii=False)]
    return "\n".join(said).strip("\n") or _NOTHING


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
