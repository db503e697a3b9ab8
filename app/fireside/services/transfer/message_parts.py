"""Build the parts of messages from other programs' content: texts, reasoning, images, tool calls, files."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from fireside.core.generation import OutputKind
from fireside.core.i18n import tr
from fireside.core.lenient_json import OnDropped
from fireside.core.message import (
    ImagePart,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.remote.reasoning_splitter import ReasoningSplitter

MAX_IMAGE_BYTES: Final = 32 << 20
_SIGNATURES: Final = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_DATA_URL: Final = re.compile(r"data:image/[a-z.+-]{1,40};base64,")
_MAX_DEPTH: Final = 4
_MAX_UNKNOWN_DEPTH: Final = 16
_REASONING: Final = ("reasoning", "thinking", "reasoning_text", "summary_text")
_TEXT_FIELDS: Final = ("text", "thinking", "reasoning", "refusal", "content", "value")


def content_parts(
    content: object, role: Role, *, path: str, on_dropped: OnDropped, depth: int = 0
) -> Iterator[MessagePart]:
    """Yield the parts of a message's content: a text, a list of parts as in the APIs of models, or one part.

    What it has no part for is reported with its ``path``.
    """
    match content:
        case None | "":
            pass
        case str():
            yield from split_reasoning(content) if role is Role.ASSISTANT else (TextPart(text=content),)
        case int() | float() if not isinstance(content, bool):
            yield TextPart(text=str(content))
        case list() if depth < _MAX_DEPTH:
            for index, piece in enumerate(content):
                place = f"{path}[{index}]"
                yield from content_parts(piece, role, path=place, on_dropped=on_dropped, depth=depth + 1)
        case dict() if depth < _MAX_DEPTH:
            yield from _piece_parts(content, role, path=path, on_dropped=on_dropped, depth=depth)
        case _:
            on_dropped(path)


def _piece_parts(
    piece: dict[str, object], role: Role, *, path: str, on_dropped: OnDropped, depth: int
) -> Iterator[MessagePart]:
    kind = piece.get("type")
    if kind == "image_url" or "image_url" in piece:
        url = piece.get("image_url")
        address = url.get("url") if isinstance(url, dict) else url
        image = image_from_data_url(address) if isinstance(address, str) else None
        yield image if image is not None else missing_file("image")
        return
    if kind in ("tool_call", "tool_use", "function_call"):
        yield from call_parts(piece)
        return
    text = next((piece[field] for field in _TEXT_FIELDS if piece.get(field) is not None), None)
    if kind in _REASONING and isinstance(text, str):
        if text:
            yield ReasoningPart(text=text)
    elif text is not None:
        yield from content_parts(text, role, path=path, on_dropped=on_dropped, depth=depth + 1)
    elif isinstance(kind, str) and any(name in kind for name in ("audio", "video", "image", "file")):
        name = piece.get("name") or piece.get("filename")
        medium = next(name for name in ("audio", "video", "image", "file") if name in kind)
        yield missing_file(medium, name if isinstance(name, str) else "")
    elif piece.keys() - {"type", "annotations"}:
        on_dropped(path)


def texts_within(value: object, *, is_text: bool = False, depth: int = 0) -> Iterator[str]:
    """Yield the texts at any depth of a value of unknown form: those in a field for text, and sentences.

    Other strings are identifiers and names of kinds, which have no white space. ``is_text`` says that the
    value is that of a field for text.
    """
    match value:
        case str() if value.strip() and (is_text or len(value.split()) > 1):
            yield value
        case list() if depth < _MAX_UNKNOWN_DEPTH:
            for each in value:
                yield from texts_within(each, is_text=is_text, depth=depth + 1)
        case dict() if depth < _MAX_UNKNOWN_DEPTH:
            for key, each in value.items():
                yield from texts_within(each, is_text=key in _TEXT_FIELDS, depth=depth + 1)
        case _:
            pass


def call_parts(call: dict[str, object], *, result: object = None) -> Iterator[MessagePart]:
    """Yield a tool call in one of the forms in use, and its result if it has one."""
    function = call.get("function")
    inner = function if isinstance(function, dict) else call
    name = inner.get("name") or call.get("tool_name") or "tool"
    arguments = inner.get("arguments", inner.get("input"))
    number = next((str(call[key]) for key in ("id", "call_id", "tool_call_id") if call.get(key)), "")
    yield ToolCallPart(id=number, name=str(name)[:200], arguments=arguments_json(arguments))
    given = result if result is not None else call.get("output")
    if given is not None and (text := result_text(given)):
        yield ToolResultPart(call_id=number, name=str(name)[:200], text=text)


def arguments_json(arguments: object) -> str:
    """Return a tool call's arguments as the text of a JSON object, which may be JSON within JSON."""
    for _ in range(2):
        if isinstance(arguments, str):
            try:
                arguments = msgspec.json.decode(arguments)
            except (msgspec.MsgspecError, RecursionError):
                break
    if arguments in (None, ""):
        return "{}"
    value = arguments if isinstance(arguments, dict) else {"text": arguments}
    return msgspec.json.encode(value).decode()


def result_text(result: object) -> str:
    """Return a tool's result as text: that of its parts, or else JSON."""
    match result:
        case str():
            return result
        case {"content": [*pieces]} | [*pieces]:
            texts = [
                piece["text"]
                for piece in pieces
                if isinstance(piece, dict) and isinstance(piece.get("text"), str)
            ]
            return "\n".join(texts) if texts else msgspec.json.encode(result).decode()
        case _:
            return msgspec.json.encode(result).decode()


def separate_texts(parts: Iterable[MessagePart]) -> Iterator[MessagePart]:
    """Yield the parts, consecutive texts with an empty line between them."""
    before: MessagePart | None = None
    for part in parts:
        is_next = isinstance(part, TextPart) and isinstance(before, TextPart)
        if is_next and isinstance(part, TextPart) and not part.text.startswith("\n\n"):
            yield TextPart(text=f"\n\n{part.text}")
        else:
            yield part
        before = part


def block_of_code(text: str, *, language: str = "") -> str:
    """Return ``text`` as a Markdown code block, whatever fences it contains."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(4, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def missing_file(media_type: str, name: str = "") -> TextPart:
    """Return a note in place of a file that an export does not have, or that is no image for models.

    ``media_type`` is one of MIME, or its first half.
    """
    match media_type.partition("/")[0]:
        case "image":
            note = tr("[Image not included in export]")
        case "audio":
            note = tr("[Audio not imported]")
        case "video":
            note = tr("[Video not imported]")
        case _:
            shown = " ".join(name.split())[:200] or tr("unnamed")
            note = tr("[File not included in export: {name}]").format(name=shown)
    return TextPart(text=f"\n\n{note}")


def image_part(data: bytes) -> ImagePart | None:
    """Return an image for models; ``None`` for other kinds of files."""
    for signature, media_type in _SIGNATURES.items():
        if data.startswith(signature) and len(data) <= MAX_IMAGE_BYTES:
            return ImagePart(data=data, media_type=media_type)
    return None


def image_from_data_url(url: str) -> ImagePart | None:
    """Return the image in a ``data:`` URL; nothing is ever fetched."""
    match = _DATA_URL.match(url[:80])
    if match is None or len(url) > 2 * MAX_IMAGE_BYTES:
        return None
    try:
        return image_part(base64.b64decode(url[match.end() :], validate=True))
    except (binascii.Error, ValueError):
        return None


def split_reasoning(text: str) -> tuple[MessagePart, ...]:
    """Return an answer's text with leading reasoning separated from it."""
    splitter = ReasoningSplitter()
    pieces = [*splitter.split(text), *splitter.end()]
    kinds = [kind for kind, _ in pieces]
    # All before a tag that only ends reasoning is reasoning.
    n_thought = kinds.index(OutputKind.MARKUP) if OutputKind.MARKUP in kinds else 0
    thought = "".join(
        piece for n, (kind, piece) in enumerate(pieces) if n < n_thought or kind is OutputKind.REASONING
    )
    rest = "".join(piece for kind, piece in pieces[n_thought:] if kind is OutputKind.ANSWER)
    parts: Sequence[MessagePart | None] = (
        ReasoningPart(text=thought.strip()) if thought.strip() else None,
        TextPart(text=rest) if rest else None,
    )
    return tuple(part for part in parts if part is not None)
