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
_MOST_SOURCES: Final = 1000


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
        found = _CONVERSATION.decode(text)
    name = found.conversation_id or found.id
    if not name:
        raise ImportRefused(tr_noop("it has no identifier (“conversation_id”)."))
    nodes = _joined([_node(key, place, find_file) for key, place in _ordered(found.mapping)])
    messages, active = order_messages(nodes, active=found.current_node)
    return Transcript(
        origin=f"chatgpt:{name[:200]}",
        title=clean_title(found.title),
        created_at=epoch_seconds(found.create_time),
        updated_at=epoch_seconds(found.update_time),
        is_pinned=bool(found.is_starred),
        is_archived=bool(found.is_archived),
        active=active,
        messages=messages,
    )


def _ordered(mapping: dict[str, _Node]) -> Iterator[tuple[str, _Node]]:
    """Yield the nodes, siblings in their parent's order; the order in the file means nothing."""
    rank = {child: n for place in mapping.values() for n, child in enumerate(place.children or ())}
    return iter(sorted(mapping.items(), key=lambda item: rank.get(item[0], 0)))


def _node(name: str, place: _Node, find_file: FindFile) -> Node:
    message = place.message
    role = _ROLES.get(message.author.role) if message is not None else None
    if message is None or role is None or _is_hidden(message):
        return Node(name=name, parent=place.parent, role=Role.SYSTEM, parts=())
    return Node(
        name=name,
        parent=place.parent,
        role=role,
        parts=tuple(_parts(message, role=role, name=name, parent=place.parent, find_file=find_file)),
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
        asked = msgspec.json.encode({"text": text}).decode()
        yield ToolCallPart(id=name, name=(message.recipient or "")[:200], arguments=asked)
    elif role is Role.TOOL:
        if text:
            who = (message.author.name or "tool")[:200]
            yield ToolResultPart(call_id=parent or "", name=who, text=text)
    elif text:
        yield TextPart(text=_fenced(content, text))
    for part in content.parts or ():
        if isinstance(part, _Pointer) and part.asset_pointer is not None:
            yield _picture(part.asset_pointer, find_file)


def _text_of(content: _Content) -> str:
    written = (
        part if isinstance(part, str) else (part.text or "")
        for part in content.parts or ()
        if part is not None
    )
    pieces = [*written, content.text or "", content.result or ""]
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
    known = message.metadata.content_references if message.metadata is not None else None
    for reference in known[:_MOST_SOURCES] if isinstance(known, list) else ():
        if isinstance(reference, dict):
            mark, shown = reference.get("matched_text"), reference.get("alt")
            if isinstance(mark, str) and isinstance(shown, str) and _CITATION.fullmatch(mark):
                text = text.replace(mark, shown)
    return _CITATION.sub("", text)


def _picture(pointer: str, find_file: FindFile) -> MessagePart:
    known = _FILE_NAME.match(pointer)
    data = find_file(known.group(1)) if known is not None else None
    found = image_part(data) if data is not None else None
    return found if found is not None else TextPart(text="\n\n" + tr("[Image not included in export]"))


def _joined(nodes: list[Node]) -> list[Node]:
    """Merge the nodes of one answer: reasoning, tool calls, tool results, text."""
    known = {node.name: node for node in nodes}
    n_children = Counter(node.parent for node in nodes)
    before: dict[str, str] = {}
    for node in filter(_is_answers, nodes):
        step, seen = node.parent, {node.name}
        # Hidden nodes between reasoning and answer have no parts.
        while step is not None and step in known and step not in seen and n_children[step] == 1:
            seen.add(step)
            if known[step].parts:
                if _is_answers(known[step]):
                    before[node.name] = step
                break
            step = known[step].parent
    given = set(before.values())
    return [_whole(node, known, before, is_given=node.name in given) for node in nodes]


def _is_answers(node: Node) -> bool:
    return node.role in (Role.ASSISTANT, Role.TOOL) and bool(node.parts)


def _whole(node: Node, known: Mapping[str, Node], before: Mapping[str, str], *, is_given: bool) -> Node:
    """Return a node with the parts of those merged into it; a merged one has none."""
    if is_given:
        return msgspec.structs.replace(node, parts=())
    if node.role is not Role.TOOL and node.name not in before:
        return node
    parts: list[MessagePart] = []
    step: str | None = node.name
    while step is not None:
        parts[:0] = map(_as_text, known[step].parts)
        step = before.get(step)
    return msgspec.structs.replace(node, role=Role.ASSISTANT, parts=tuple(_apart(parts)))


def _as_text(part: MessagePart) -> MessagePart:
    """Return a tool call or result as a code block: no model could call these tools again."""
    match part:
        case ToolCallPart(name=name, arguments=arguments):
            asked = msgspec.json.decode(arguments, type=dict[str, str])["text"]
            return TextPart(text=_block_of_code(asked, language=name if name.isalnum() else ""))
        case ToolResultPart(text=text):
            return TextPart(text=_block_of_code(text))
        case _:
            return part


def _apart(parts: Sequence[MessagePart]) -> Iterator[MessagePart]:
    """Separate consecutive texts by an empty line."""
    n_texts = 0
    for part in parts:
        if isinstance(part, TextPart):
            n_texts += 1
            yield TextPart(text=f"\n\n{part.text}") if n_texts > 1 else part
        else:
            yield part
