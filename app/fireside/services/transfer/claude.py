"""Read the conversations of a Claude data export (``conversations.json``): a list, each with its messages.

A message has its content as a list of blocks, and the same as one text, which lacks reasoning and tools. The
older exports have no links between messages: each follows the one before it. Artifacts are calls of a tool;
before that they were tags in the text. Projects and what Claude remembers are files of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from fireside.core.i18n import tr
from fireside.core.lenient_json import OnDropped, loads_leniently
from fireside.core.message import DocumentPart, MessagePart, ReasoningPart, Role, TextPart, ToolResultPart
from fireside.services.transfer.damaged_json import read_json
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.services.transfer.message_parts import (
    block_of_code,
    call_parts,
    content_parts,
    missing_file,
    result_text,
    separate_texts,
)
from fireside.services.transfer.message_trees import (
    Node,
    clean_title,
    epoch_seconds,
    order_messages,
    origin_of,
)
from fireside.storage.transcripts import ConversationTranscript

_ROLES: Final = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}
_ROOT: Final = "00000000-0000-4000-8000-000000000000"
"""The parent of a message that has none."""
_ARTIFACTS: Final = "artifacts"
_MARKDOWN: Final = "text/markdown"
_LANGUAGES: Final = {
    "text/html": "html",
    "image/svg+xml": "svg",
    "application/vnd.ant.mermaid": "mermaid",
    "application/vnd.ant.react": "jsx",
}
_TAG: Final = re.compile(
    r"<antArtifact\b(?P<attributes>(?:[^>\"]|\"[^\"]*\")*)>\n?(?P<content>.*?)(?:</antArtifact>|\Z)",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r"([a-z]+)=\"([^\"]*)\"")
_NOT_SHOWN: Final = re.compile(
    r"<antThinking>.*?(?:</antThinking>|\Z)"
    r"|^```\nThis block is not supported on your current device yet\.\n```$",
    re.DOTALL | re.MULTILINE,
)
"""What older answers thought, and what the text of a message has in place of a tool."""
_SILENT: Final = ("token_budget", "flag")
"""Types of blocks that hold nothing of the chat."""
_PASTED: Final = "Pasted text"
"""The name of a long text that was pasted, which has none of its own."""
_MEMORIES: Final = ("conversations_memory", "project_memories")


class _File(msgspec.Struct, frozen=True):
    file_name: str | None = None
    file_type: str | None = None
    file_kind: str | None = None
    file_size: Any = None
    extracted_content: str | None = None


class _Message(msgspec.Struct, frozen=True):
    uuid: str | None = None
    parent_message_uuid: str | None = None
    sender: str | None = None
    text: str | None = None
    content: Any = None
    created_at: float | str | None = None
    model: str | None = None
    attachments: list[_File] | None = None
    files: list[_File] | None = None


class _Conversation(msgspec.Struct, frozen=True):
    chat_messages: list[_Message | None] | None = None
    uuid: str | None = None
    name: str | None = None
    created_at: float | str | None = None
    updated_at: float | str | None = None
    model: str | None = None
    is_starred: bool | None = None
    current_leaf_message_uuid: str | None = None
    project: Any = None


def read_claude(text: bytes, *, on_dropped: OnDropped) -> ConversationTranscript:
    """Return one conversation of the list; ``on_dropped`` is told of what is left out. Raises
    ``ImportRefused``."""
    conversation = read_json(text, _Conversation, on_dropped=on_dropped)
    nodes: list[Node] = []
    for index, message in enumerate(conversation.chat_messages or ()):
        path = f"chat_messages[{index}]"
        if message is None:
            on_dropped(path)
            continue
        before = nodes[-1].name if nodes else None
        nodes.append(_node(message, before, conversation, path=path, on_dropped=on_dropped))
    active = conversation.current_leaf_message_uuid or (nodes[-1].name if nodes else None)
    messages, leaf = order_messages(nodes, active=active)
    project = conversation.project.get("name") if isinstance(conversation.project, dict) else None
    return ConversationTranscript(
        origin=origin_of("claude", conversation.uuid, messages=messages),
        title=clean_title(conversation.name),
        created_at=epoch_seconds(conversation.created_at),
        updated_at=epoch_seconds(conversation.updated_at),
        is_pinned=bool(conversation.is_starred),
        folder=clean_title(project) if isinstance(project, str) and project.strip() else None,
        active=leaf,
        messages=messages,
    )


def companions_left_out(text: bytes) -> Iterator[ImportRefused]:
    """Yield what a file of memories has that is no conversation, to be reported."""
    try:
        value = loads_leniently(text)
    except (msgspec.MsgspecError, RecursionError):
        return
    for entry in value if isinstance(value, list) else (value,):
        match entry:
            case dict() if any(entry.get(key) for key in _MEMORIES):
                yield ImportRefused(tr("what Claude remembers of you stays in the export."))
            case _:
                pass


def _node(
    message: _Message,
    before: str | None,
    conversation: _Conversation,
    *,
    path: str,
    on_dropped: OnDropped,
) -> Node:
    """Return one message; ``before`` is the name of the one before it, which older exports do not say."""
    role = _ROLES.get(message.sender or "")
    if role is None:
        on_dropped(f"{path}.sender")
        role = Role.USER if message.attachments or message.files else Role.ASSISTANT
    parent = message.parent_message_uuid or before
    return Node(
        name=message.uuid or path,
        parent=None if parent == _ROOT else parent,
        role=role,
        parts=tuple(separate_texts(_parts(message, role, path, on_dropped))),
        created_at=epoch_seconds(message.created_at),
        model=(message.model or conversation.model or "")[:200] if role is Role.ASSISTANT else "",
        is_named=bool(message.uuid),
    )


def _parts(message: _Message, role: Role, path: str, on_dropped: OnDropped) -> Iterator[MessagePart]:
    read: set[str] = set()
    for file in message.attachments or ():
        name = file.file_name or _PASTED
        read.add(name)
        if file.extracted_content:
            size = file.file_size if isinstance(file.file_size, int) and file.file_size > 0 else 0
            media_type = file.file_type if file.file_type and "/" in file.file_type else "text/plain"
            yield DocumentPart(
                name=name[:200], media_type=media_type, text=file.extracted_content, size_bytes=size
            )
        else:
            yield missing_file("file", name)
    blocks = message.content if isinstance(message.content, list) else []
    for index, block in enumerate(blocks):
        yield from _block(block, role, path=f"{path}.content[{index}]", on_dropped=on_dropped)
    if message.text and not any(_has_text(block) for block in blocks):
        yield from _text(message.text, role)
    for file in message.files or ():
        # A file whose text is an attachment is listed here once more.
        if file.file_name not in read:
            yield missing_file(file.file_kind or file.file_type or "file", file.file_name or "")


def _has_text(block: object) -> bool:
    return isinstance(block, dict) and isinstance(block.get("text"), str) and bool(block["text"])


def _block(block: object, role: Role, *, path: str, on_dropped: OnDropped) -> Iterator[MessagePart]:
    """Yield the parts of a block, which is told apart by its fields, as its type may be unknown."""
    match block:
        case {"thinking": str(thought)}:
            if thought:
                yield ReasoningPart(text=thought)
        case {"text": str(text)}:
            yield from _text(text, role)
        case {"input": {"command": _, **artifact}, **rest} if rest.get("name", _ARTIFACTS) == _ARTIFACTS:
            yield TextPart(text=_artifact(artifact))
        case dict() if "input" in block or block.get("type") == "tool_use":
            yield from call_parts(block)
        case dict() if "tool_use_id" in block or block.get("type") == "tool_result":
            if block.get("name") != _ARTIFACTS:  # which returns “OK”
                number, name = (str(block.get(key) or "") for key in ("tool_use_id", "name"))
                text = result_text(block.get("content") or "")
                yield ToolResultPart(call_id=number, name=name[:200] or "tool", text=text)
        case {"type": kind} if kind in _SILENT:
            pass
        case _:
            yield from content_parts(block, role, path=path, on_dropped=on_dropped)


def _text(text: str, role: Role) -> Iterator[MessagePart]:
    """Yield a text, the artifacts within an answer as documents and blocks of code."""
    at = 0
    if role is Role.ASSISTANT:
        text = _NOT_SHOWN.sub("", text)
        for match in _TAG.finditer(text):
            if before := text[at : match.start()].strip("\n"):
                yield TextPart(text=before)
            attributes = dict(_ATTRIBUTE.findall(match["attributes"]))
            yield TextPart(text=_artifact({**attributes, "content": match["content"].rstrip()}))
            at = match.end()
    if rest := text[at:].strip("\n") if at else text:
        yield TextPart(text=rest)


def _artifact(artifact: Mapping[Any, Any]) -> str:
    """Return an artifact as Markdown: its title, and its content or what a change to it replaces."""
    title = " ".join(
        str(artifact.get("title") or artifact.get("id") or artifact.get("identifier") or "").split()
    )
    kind = str(artifact.get("type") or "")
    content, old, new = (artifact.get(key) for key in ("content", "old_str", "new_str"))
    if isinstance(content, str) and content:
        language = str(artifact.get("language") or _LANGUAGES.get(kind, ""))
        body = (
            content
            if kind == _MARKDOWN
            else block_of_code(content, language=language if language.isalnum() else "")
        )
    else:
        lines = [("-", old), ("+", new)]
        changed = [
            f"{mark}{line}" for mark, text in lines if isinstance(text, str) for line in text.splitlines()
        ]
        body = block_of_code("\n".join(changed), language="diff") if changed else ""
    return "\n\n".join(filter(None, (f"**{title}**" if title else "", body)))
