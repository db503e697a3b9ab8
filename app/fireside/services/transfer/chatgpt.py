"""Read the conversations of a ChatGPT data export (``conversations.json``).

Each holds a tree of nodes by name (``mapping``) and the node that was shown last. Nodes without a message and
messages that the program hid are passed over. Thoughts, and what a tool was asked, are nodes of their own:
neighbours that belong to one answer become one message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
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
from fireside.services.transfer.import_refusal import ImportRefused, refusals
from fireside.services.transfer.message_trees import Node, as_messages, picture, seconds, title_of
from fireside.storage.transcripts import Transcript

FindFile = Callable[[str], bytes | None]
"""Returns the file of the export whose name begins so, if it is there."""

_FILE_NAME: Final = re.compile(r"(?:file-service|sediment)://((?:file[-_])[A-Za-z0-9_-]{1,100})")
_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.SYSTEM}
_FOR_ALL: Final = "all"


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


class _Message(msgspec.Struct, frozen=True):
    author: _Author
    content: _Content | None = None
    create_time: float | None = None
    recipient: str | None = _FOR_ALL
    metadata: _Metadata | None = None


class _Place(msgspec.Struct, frozen=True):
    message: _Message | None = None
    parent: str | None = None
    children: list[str] | None = None


class _Conversation(msgspec.Struct, frozen=True):
    mapping: dict[str, _Place]
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
    with refusals():
        found = _CONVERSATION.decode(text)
    name = found.conversation_id or found.id
    if not name:
        raise ImportRefused(tr_noop("it has no name of its own (“conversation_id”)."))
    nodes = _joined([_node(key, place, find_file) for key, place in _ordered(found.mapping)])
    messages, active = as_messages(nodes, active=found.current_node)
    return Transcript(
        origin=f"chatgpt:{name[:200]}",
        title=title_of(found.title),
        created_at=seconds(found.create_time),
        updated_at=seconds(found.update_time),
        is_pinned=bool(found.is_starred),
        is_archived=bool(found.is_archived),
        active=active,
        messages=messages,
    )


def _ordered(mapping: dict[str, _Place]) -> Iterator[tuple[str, _Place]]:
    """Yield the nodes with those of one parent in its order; the file's own order says nothing."""
    rank = {child: n for place in mapping.values() for n, child in enumerate(place.children or ())}
    return iter(sorted(mapping.items(), key=lambda item: rank.get(item[0], 0)))


def _node(name: str, place: _Place, find_file: FindFile) -> Node:
    message = place.message
    role = _ROLES.get(message.author.role) if message is not None else None
    if message is None or role is None or _is_hidden(message):
        return Node(name=name, parent=place.parent, role=Role.SYSTEM, parts=())
    return Node(
        name=name,
        parent=place.parent,
        role=role,
        parts=tuple(_parts(message, role=role, name=name, parent=place.parent, find_file=find_file)),
        created_at=seconds(message.create_time),
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
    text = _text_of(content)
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
    language = content.language if content.language and content.language.isalnum() else ""
    return f"````{language}\n{text}\n````"


def _picture(pointer: str, find_file: FindFile) -> MessagePart:
    known = _FILE_NAME.match(pointer)
    data = find_file(known.group(1)) if known is not None else None
    found = picture(data) if data is not None else None
    return found if found is not None else TextPart(text="\n\n" + tr("[A picture that is not in the export]"))


def _joined(nodes: list[Node]) -> list[Node]:
    """Put what an assistant thought, in nodes that lead to one answer alone, into the answer's message."""
    known = {node.name: node for node in nodes}
    n_children = Counter(node.parent for node in nodes)
    thoughts: dict[str, tuple[MessagePart, ...]] = {}
    given: set[str] = set()
    for node in nodes:
        if node.role is not Role.ASSISTANT or not node.parts or _is_thought(node):
            continue
        step = node.parent
        while step is not None and step not in given and n_children[step] == 1:
            before = known.get(step)
            # What is hidden between a thought and its answer has no parts.
            if before is None or (before.parts and not _is_thought(before)):
                break
            if before.parts:
                thoughts[node.name] = (*before.parts, *thoughts.get(node.name, ()))
            given.add(step)
            step = before.parent
    return [
        msgspec.structs.replace(node, parts=() if node.name in given else parts)
        for node in nodes
        for parts in ((*thoughts.get(node.name, ()), *node.parts),)
    ]


def _is_thought(node: Node) -> bool:
    is_assistant = node.role is Role.ASSISTANT and bool(node.parts)
    return is_assistant and all(isinstance(part, ReasoningPart) for part in node.parts)
