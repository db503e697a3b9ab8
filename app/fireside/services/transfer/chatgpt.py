"""Read the conversations of a ChatGPT data export (``conversations.json``).

Each has a tree of nodes by name (``mapping``) and the node displayed last. Nodes without a message and hidden
messages are skipped. Reasoning, tool calls and tool results are nodes of their own: neighbouring nodes of one
answer become one message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.message import (
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.services.transfer.import_refusal import ImportRefused, refuse_invalid
from fireside.services.transfer.message_trees import (
    Node,
    clean_title,
    epoch_seconds,
    image_part,
    order_messages,
)
from fireside.storage.transcripts import Transcript

FindFile = Callable[[str], bytes | None]
"""Returns the file of the export whose name starts with the argument, if it exists."""

_FILE_NAME: Final = re.compile(r"(?:file-service|sediment)://((?:file[-_])[A-Za-z0-9_-]{1,100})")
_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.SYSTEM}
_FOR_ALL: Final = "all"
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
    text: str | None = None


class _Content(msgspec.Struct, frozen=True):
    content_type: str = "text"
    parts: list[str | _Pointer | None] | None = None
    text: str | None = None
    language: str | None = None
    thoughts: list[_Thought] | None = None
    result: str | None = None
    url: str | None = None
    title: str | None = None


class _Author(msgspec.Struct, frozen=True):
    role: str
    name: str | None = None


class _Metadata(msgspec.Struct, frozen=True):
    is_visually_hidden_from_conversation: bool | None = None
    model_slug: str | None = None
    content_references: object = None
    """Citation marks in the text with their replacements; the shape differs between exports."""


class _Message(msgspec.Struct, frozen=True):
    author: _Author
    content: _Content | None = None
    create_time: float | None = None
    recipient: str | None = _FOR_ALL
    metadata: _Metadata | None = None


class _Node(msgspec.Struct, frozen=True):
    message: _Message | None = None
    parent: str | None = None
    children: list[str] | None = None


class _Conversation(msgspec.Struct, frozen=True):
    mapping: dict[str, _Node]
    title: str | None = None
    create_time: float | None = None
    update_time: float | None = None
    current_node: str | None = None
    conversation_id: str | None = None
    id: str | None = None
    is_archived: bool | None = None
    is_starred: bool | None = None


_CONVERSATION = msgspec.json.Decoder(_Conversation)


def read_chatgpt(text: bytes, *, find_file: FindFile = lambda _: None) -> Transcript:
    """Return one conversation of the list. Raises ``ImportRefused``."""
    with refuse_invalid():
        conversation = _CONVERSATION.decode(text)
    name = conversation.conversation_id or conversation.id
    if not name:
        raise ImportRefused(tr_noop("it has no identifier (“conversation_id”)."))
    nodes = _merge_answers([_node(key, node, find_file) for key, node in _ordered(conversation.mapping)])
    messages, active = order_messages(nodes, active=conversation.current_node)
    return Transcript(
        origin=f"chatgpt:{name[:200]}",
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


def _node(name: str, node: _Node, find_file: FindFile) -> Node:
    message = node.message
    role = _ROLES.get(message.author.role) if message is not None else None
    if message is None or role is None or _is_hidden(message):
        return Node(name=name, parent=node.parent, role=Role.SYSTEM, parts=())
    return Node(
        name=name,
        parent=node.parent,
        role=role,
        parts=tuple(_parts(message, role=role, name=name, parent=node.parent, find_file=find_file)),
        created_at=epoch_seconds(message.create_time),
        model=((message.metadata.model_slug if message.metadata is not None else None) or "")[:200],
    )


def _is_hidden(message: _Message) -> bool:
    return message.metadata is not None and bool(message.metadata.is_visually_hidden_from_conversation)


def _parts(
    message: _Message, *, role: Role, name: str, parent: str | None, find_file: FindFile
) -> Iterator[MessagePart]:
    content = message.content
    if content is None or content.content_type in ("user_editable_context", "model_editable_context"):
        return
    text = _cited(message, _text_of(content))
    if content.content_type == "thoughts":
        thoughts = (thought.content or thought.summary or "" for thought in content.thoughts or ())
        if thought := "\n\n".join(filter(None, thoughts)):
            yield ReasoningPart(text=thought)
    elif content.content_type == "reasoning_recap":
        return  # “Thought for 5 seconds”
    elif role is Role.ASSISTANT and (message.recipient or _FOR_ALL) != _FOR_ALL:
        arguments = msgspec.json.encode({"text": text}).decode()
        yield ToolCallPart(id=name, name=(message.recipient or "")[:200], arguments=arguments)
    elif role is Role.TOOL:
        if text:
            tool_name = (message.author.name or "tool")[:200]
            yield ToolResultPart(call_id=parent or "", name=tool_name, text=text)
    elif text:
        yield TextPart(text=_fenced(content, text))
    for part in content.parts or ():
        if isinstance(part, _Pointer) and part.asset_pointer is not None:
            yield _image(part.asset_pointer, find_file)


def _text_of(content: _Content) -> str:
    texts = (
        part if isinstance(part, str) else (part.text or "")
        for part in content.parts or ()
        if part is not None
    )
    pieces = [*texts, content.text or "", content.result or ""]
    if content.url:
        pieces.append(f"{content.title or ''} {content.url}".strip())
    return "\n\n".join(piece for piece in pieces if piece)


def _fenced(content: _Content, text: str) -> str:
    if content.content_type != "code":
        return text
    return _block_of_code(
        text, language=content.language if content.language and content.language.isalnum() else ""
    )


def _block_of_code(text: str, *, language: str = "") -> str:
    """Return ``text`` as a Markdown code block, whatever fences it contains."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(4, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _cited(message: _Message, text: str) -> str:
    """Return ``text`` with citation marks as links where the export has them, otherwise removed."""
    references = message.metadata.content_references if message.metadata is not None else None
    for reference in references[:_MAX_SOURCES] if isinstance(references, list) else ():
        if isinstance(reference, dict):
            mark, replacement = reference.get("matched_text"), reference.get("alt")
            if isinstance(mark, str) and isinstance(replacement, str) and _CITATION.fullmatch(mark):
                text = text.replace(mark, replacement)
    return _CITATION.sub("", text)


def _image(pointer: str, find_file: FindFile) -> MessagePart:
    match = _FILE_NAME.match(pointer)
    data = find_file(match.group(1)) if match is not None else None
    image = image_part(data) if data is not None else None
    return image if image is not None else TextPart(text="\n\n" + tr("[Image not included in export]"))


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
    return msgspec.structs.replace(node, role=Role.ASSISTANT, parts=tuple(_separate_texts(parts)))


def _as_text(part: MessagePart) -> MessagePart:
    """Return a tool call or result as a code block: no model could call these tools again."""
    match part:
        case ToolCallPart(name=name, arguments=arguments):
            text_argument = msgspec.json.decode(arguments, type=dict[str, str])["text"]
            return TextPart(text=_block_of_code(text_argument, language=name if name.isalnum() else ""))
        case ToolResultPart(text=text):
            return TextPart(text=_block_of_code(text))
        case _:
            return part


def _separate_texts(parts: Sequence[MessagePart]) -> Iterator[MessagePart]:
    """Separate consecutive texts by an empty line."""
    n_texts = 0
    for part in parts:
        if isinstance(part, TextPart):
            n_texts += 1
            yield TextPart(text=f"\n\n{part.text}") if n_texts > 1 else part
        else:
            yield part
