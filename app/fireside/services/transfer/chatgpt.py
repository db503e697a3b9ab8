"""Read the conversations of a ChatGPT data export (``conversations.json``).

Each has a tree of nodes by name (``mapping``) and the node displayed last. Nodes without a message and hidden
messages are skipped. Reasoning, tool calls and tool results are nodes of their own: neighbouring nodes of one
answer become one message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from fireside.core.lenient_json import OnDropped, convert_leniently, loads_leniently
from fireside.core.message import (
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.services.transfer.damaged_json import read_json
from fireside.services.transfer.message_parts import (
    block_of_code,
    image_part,
    missing_file,
    separate_texts,
    texts_within,
)
from fireside.services.transfer.message_trees import (
    Node,
    clean_title,
    epoch_seconds,
    order_messages,
    origin_of,
)
from fireside.storage.transcripts import ConversationTranscript

FindFile = Callable[[str], bytes | None]
"""Returns the file of the export whose name starts with the argument, if it exists."""

_FILE_NAME: Final = re.compile(r"(?:file-service|sediment)://((?:file[-_])[A-Za-z0-9_-]{1,100})")
_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.SYSTEM}
_FOR_ALL: Final = "all"
_CANVAS: Final = "canmore."
_IMAGE: Final = "image"
_CONTEXTS: Final = ("user_editable_context", "model_editable_context", "app_pairing_content")
"""Instructions and settings, which are no messages."""
_KNOWN: Final = (
    "text",
    "multimodal_text",
    "code",
    "execution_output",
    "citable_code_output",
    "computer_output",
    "tether_browsing_display",
    "tether_quote",
    "sonic_webpage",
    "system_error",
    "thoughts",
    "reasoning_recap",
)
"""Types of content whose fields are known; those that ``_Content`` lacks hold no text of the chat."""
_MEDIA: Final = ("audio", "video", _IMAGE)
_CITATION: Final = re.compile(
    " ?\ue200[^\ue200\ue201]{0,4000}\ue201| ?【\\d{1,4}(?::\\d{1,4})?†[^】]{0,300}】|[\ue200-\ue2ff]"
)
"""Citation marks: private-use characters around a name, or lenticular brackets."""
_MAX_SOURCES: Final = 1000


class _Thought(msgspec.Struct, frozen=True):
    summary: str | None = None
    content: str | None = None


class _Pointer(msgspec.Struct, frozen=True):
    content_type: str = ""
    asset_pointer: str | None = None
    audio_asset_pointer: Any = None
    video_container_asset_pointer: Any = None
    text: str | None = None


_POINTER_FIELDS: Final = set(_Pointer.__struct_fields__) - {"content_type"}


class _Content(msgspec.Struct, frozen=True):
    content_type: str = "text"
    parts: list[str | _Pointer | None] | None = None
    text: str | None = None
    language: str | None = None
    thoughts: list[_Thought] | None = None
    result: str | None = None
    output_str: str | None = None
    url: str | None = None
    title: str | None = None
    name: str | None = None
    """The kind of a ``system_error``."""
    screenshot: _Pointer | None = None
    """Of ``computer_output``."""


class _Author(msgspec.Struct, frozen=True):
    role: str | None = None
    name: str | None = None


class _Attachment(msgspec.Struct, frozen=True):
    name: str | None = None
    mime_type: str | None = None
    mime_type_camel: str | None = msgspec.field(default=None, name="mimeType")


class _Metadata(msgspec.Struct, frozen=True):
    is_visually_hidden_from_conversation: bool | None = None
    model_slug: str | None = None
    content_references: Any = None
    """Citation marks in the text with their replacements; the shape differs between exports."""
    attachments: list[_Attachment] | None = None


class _Message(msgspec.Struct, frozen=True):
    author: _Author | None = None
    content: Any = None
    """A text or a ``_Content``, which may have fields that no reader knows."""
    create_time: float | str | None = None
    recipient: str | None = _FOR_ALL
    metadata: _Metadata | None = None


class _Node(msgspec.Struct, frozen=True):
    message: _Message | None = None
    parent: str | None = None
    children: list[str] | None = None


class _Conversation(msgspec.Struct, frozen=True):
    mapping: dict[str, _Node] | None = None
    title: str | None = None
    create_time: float | str | None = None
    update_time: float | str | None = None
    current_node: str | None = None
    conversation_id: str | None = None
    id: str | None = None
    is_archived: bool | None = None
    is_starred: bool | None = None


def read_chatgpt(
    text: bytes, *, find_file: FindFile = lambda _: None, on_dropped: OnDropped
) -> ConversationTranscript:
    """Return one conversation of the list; ``on_dropped`` is told of what is left out. Raises
    ``ImportRefused``."""
    conversation = read_json(text, _Conversation, on_dropped=on_dropped)
    named = [_node(key, node, find_file, on_dropped) for key, node in _ordered(conversation.mapping or {})]
    messages, active = order_messages(_merge_answers(named), active=conversation.current_node)
    name = conversation.conversation_id or conversation.id
    return ConversationTranscript(
        origin=origin_of("chatgpt", name, messages=messages),
        title=clean_title(conversation.title),
        created_at=epoch_seconds(conversation.create_time),
        updated_at=epoch_seconds(conversation.update_time),
        is_pinned=bool(conversation.is_starred),
        is_archived=bool(conversation.is_archived),
        active=active,
        messages=messages,
    )


def _ordered(mapping: dict[str, _Node]) -> Iterator[tuple[str, _Node]]:
    """Yield the nodes, siblings in their parent's order; the order in the file means nothing."""
    rank = {child: n for node in mapping.values() for n, child in enumerate(node.children or ())}
    return iter(sorted(mapping.items(), key=lambda item: rank.get(item[0], 0)))


def _node(name: str, node: _Node, find_file: FindFile, on_dropped: OnDropped) -> Node:
    message = node.message
    if message is None or _is_hidden(message):
        return Node(name=name, parent=node.parent, role=Role.SYSTEM, parts=())
    model = (message.metadata.model_slug if message.metadata is not None else None) or ""
    role = _ROLES.get((message.author.role if message.author is not None else None) or "")
    if role is None:
        on_dropped(f"mapping.{name}.message.author.role")
        role = Role.ASSISTANT if model else Role.USER
    path = f"mapping.{name}.message.content"
    content = _content(message.content, path, on_dropped)
    unread = tuple(_unread_texts(message.content, path, on_dropped))
    parts = _parts(message, content, unread, role=role, name=name, parent=node.parent)
    return Node(
        name=name,
        parent=node.parent,
        role=role,
        parts=tuple(separate_texts((*parts, *_files(message, content, find_file)))),
        created_at=epoch_seconds(message.create_time),
        model=model[:200],
        is_named=True,
    )


def _is_hidden(message: _Message) -> bool:
    return message.metadata is not None and bool(message.metadata.is_visually_hidden_from_conversation)


def _content(raw: object, path: str, on_dropped: OnDropped) -> _Content:
    match raw:
        case None:
            return _Content()
        case {"content_type": str(kind)} if kind in _CONTEXTS:
            return _Content()
        case dict():
            try:
                return msgspec.convert(raw, _Content, strict=False)
            except msgspec.ValidationError:
                return convert_leniently(
                    raw, _Content, on_dropped=lambda place: on_dropped(f"{path}.{place}")
                )
        case str() | int() | float() if not isinstance(raw, bool):
            return _Content(text=str(raw))
        case _:
            on_dropped(path)
            return _Content()


def _unread_texts(raw: object, path: str, on_dropped: OnDropped) -> Iterator[str]:
    """Yield the texts in what ``_Content`` has no field for; ``on_dropped`` is told of what has none."""
    if not isinstance(raw, dict) or raw.get("content_type") in _CONTEXTS:
        return
    places: list[tuple[str, dict[str, Any]]] = []
    if raw.get("content_type", "text") not in _KNOWN:
        read = _Content.__struct_fields__
        places.append((path, {key: value for key, value in raw.items() if key not in read and value}))
    parts = raw.get("parts")
    for index, part in enumerate(parts if isinstance(parts, list) else ()):
        is_unknown = isinstance(part, dict) and not _medium(part)
        if is_unknown and not any(part.get(field) for field in _POINTER_FIELDS):
            rest = {key: value for key, value in part.items() if key != "content_type" and value}
            places.append((f"{path}.parts[{index}]", rest))
    for place, fields in places:
        texts = tuple(texts_within(fields))
        yield from texts
        if fields and not texts and not _medium(raw):
            on_dropped(place)


def _medium(content: Mapping[str, object]) -> str:
    """Return which medium the type of a content names; nothing for others."""
    kind = str(content.get("content_type") or "")
    return next((medium for medium in _MEDIA if medium in kind), "")


def _parts(
    message: _Message,
    content: _Content,
    unread: Sequence[str],
    *,
    role: Role,
    name: str,
    parent: str | None,
) -> Iterator[MessagePart]:
    """Yield the reasoning, the tool call, the result or the text of a message."""
    text = _cited(message, "\n\n".join(filter(None, (_text_of(content), *unread))))
    if content.thoughts:
        thoughts = (thought.content or thought.summary or "" for thought in content.thoughts or ())
        if thought := "\n\n".join(filter(None, thoughts)):
            yield ReasoningPart(text=thought)
    if content.content_type == "reasoning_recap" or not text:
        return  # a recap is “Thought for 5 seconds”
    if role is Role.ASSISTANT and (message.recipient or _FOR_ALL) != _FOR_ALL:
        arguments = msgspec.json.encode({"text": text}).decode()
        yield ToolCallPart(id=name, name=(message.recipient or "")[:200], arguments=arguments)
    elif role is Role.TOOL:
        tool_name = ((message.author.name if message.author is not None else None) or "tool")[:200]
        yield ToolResultPart(call_id=parent or "", name=tool_name, text=text)
    else:
        yield TextPart(text=_fenced(content, text))


def _files(message: _Message, content: _Content, find_file: FindFile) -> Iterator[MessagePart]:
    """Yield the images of a message, and notes in place of its other files."""
    medium = _medium({"content_type": content.content_type})
    if medium and content.content_type not in _KNOWN and not content.parts:
        yield missing_file(medium)
    for part in (*(content.parts or ()), content.screenshot):
        if isinstance(part, _Pointer):
            yield from _asset(part, find_file)
    for attachment in (message.metadata.attachments if message.metadata is not None else None) or ():
        # Images are parts of the content as well.
        kind = attachment.mime_type_camel or attachment.mime_type or ""
        if (attachment.name or kind) and not kind.startswith(_IMAGE):
            yield missing_file(kind or "file", attachment.name or "")


def _text_of(content: _Content) -> str:
    texts = (
        part if isinstance(part, str) else (part.text or "")
        for part in content.parts or ()
        if part is not None
    )
    pieces = [*texts, content.name, content.text, content.result, content.output_str]
    if content.url:
        pieces.append(f"{content.title or ''} {content.url}".strip())
    return "\n\n".join(piece for piece in pieces if piece)


def _fenced(content: _Content, text: str) -> str:
    if content.content_type != "code":
        return text
    return block_of_code(
        text, language=content.language if content.language and content.language.isalnum() else ""
    )


def _cited(message: _Message, text: str) -> str:
    """Return ``text`` with citation marks as links where the export has them, otherwise removed."""
    references = message.metadata.content_references if message.metadata is not None else None
    for reference in references[:_MAX_SOURCES] if isinstance(references, list) else ():
        if isinstance(reference, dict):
            mark, replacement = reference.get("matched_text"), reference.get("alt")
            if isinstance(mark, str) and isinstance(replacement, str) and _CITATION.fullmatch(mark):
                text = text.replace(mark, replacement)
    return _CITATION.sub("", text)


def _asset(pointer: _Pointer, find_file: FindFile) -> Iterator[MessagePart]:
    """Yield the image that a pointer is for, or a note in place of it, of sound or of a film."""
    kind = pointer.content_type
    if pointer.audio_asset_pointer is not None or ("audio" in kind and pointer.asset_pointer is not None):
        yield missing_file("audio")
    is_video = "video" in kind and "audio" not in kind and not pointer.text
    if pointer.video_container_asset_pointer is not None or is_video:
        yield missing_file("video")
    if pointer.asset_pointer is None or "audio" in kind or "video" in kind:
        return
    match = _FILE_NAME.match(pointer.asset_pointer)
    data = find_file(match.group(1)) if match is not None else None
    image = image_part(data) if data is not None else None
    yield image if image is not None else missing_file(_IMAGE if not kind or _IMAGE in kind else "file")


def _merge_answers(nodes: list[Node]) -> list[Node]:
    """Merge the nodes of one answer: reasoning, tool calls, tool results, text."""
    known = {node.name: node for node in nodes}
    n_children = Counter(node.parent for node in nodes)
    predecessors: dict[str, str] = {}
    for node in filter(_belongs_to_answer, nodes):
        name, seen = node.parent, {node.name}
        # Hidden nodes between reasoning and answer have no parts.
        while name is not None and name in known and name not in seen and n_children[name] == 1:
            seen.add(name)
            if known[name].parts:
                if _belongs_to_answer(known[name]):
                    predecessors[node.name] = name
                break
            name = known[name].parent
    merged = set(predecessors.values())
    return [_with_merged_parts(node, known, predecessors, is_merged=node.name in merged) for node in nodes]


def _belongs_to_answer(node: Node) -> bool:
    return node.role in (Role.ASSISTANT, Role.TOOL) and bool(node.parts)


def _with_merged_parts(
    node: Node, known: Mapping[str, Node], predecessors: Mapping[str, str], *, is_merged: bool
) -> Node:
    """Return a node with the parts of those merged into it; a merged one has none."""
    if is_merged:
        return msgspec.structs.replace(node, parts=())
    if node.role is not Role.TOOL and node.name not in predecessors:
        return node
    parts: list[MessagePart] = []
    name: str | None = node.name
    while name is not None:
        parts[:0] = map(_as_text, known[name].parts)
        name = predecessors.get(name)
    return msgspec.structs.replace(node, role=Role.ASSISTANT, parts=tuple(separate_texts(parts)))


def _canvas_document(text: str) -> str:
    """Return the document that a call wrote to a canvas, as Markdown; empty if it is another call."""
    try:
        call = loads_leniently(text.encode("utf-8", "replace"))
    except (msgspec.MsgspecError, RecursionError):
        return ""
    content = call.get("content") if isinstance(call, dict) else None
    if not isinstance(content, str) or not content:
        return ""
    kind, name = str(call.get("type") or ""), " ".join(str(call.get("name") or "").split())
    is_code, _, language = kind.partition("/")
    body = (
        block_of_code(content, language=language if language.isalnum() else "")
        if is_code == "code"
        else content
    )
    return f"**{name}**\n\n{body}" if name else body


def _as_text(part: MessagePart) -> MessagePart:
    """Return a tool call or result as a code block: no model could call these tools again."""
    match part:
        case ToolCallPart(name=name, arguments=arguments):
            text_argument = msgspec.json.decode(arguments, type=dict[str, str])["text"]
            if name.startswith(_CANVAS) and (document := _canvas_document(text_argument)):
                return TextPart(text=document)
            return TextPart(text=block_of_code(text_argument, language=name if name.isalnum() else ""))
        case ToolResultPart(text=text):
            return TextPart(text=block_of_code(text))
        case _:
            return part
