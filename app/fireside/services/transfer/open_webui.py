"""Read the chats of an Open WebUI export: a list, each with its messages by name in ``chat.history``.

An answer has its reasoning, tool calls and runs of code as ``<details>`` in its text (``serialize_output`` of
Open WebUI), newer ones also as a list ``output``. Its folders are exported by their ids alone.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from fireside.core.i18n import tr
from fireside.core.lenient_json import OnDropped
from fireside.core.message import MessagePart, ReasoningPart, Role, TextPart, ToolResultPart
from fireside.services.transfer.damaged_json import read_json
from fireside.services.transfer.markdown_export import escape_markdown
from fireside.services.transfer.message_parts import (
    call_parts,
    content_parts,
    image_from_data_url,
    missing_file,
    result_text,
    separate_texts,
    split_reasoning,
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

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}
_HIDDEN: Final = ("system",)
_DETAILS_OR_CODE: Final = re.compile(
    r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})"
    r".*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|^ {0,3}<details\s(?=[^>]*\btype=\"(?:reasoning|tool_calls|code_interpreter)\")"
    r"(?P<attributes>(?:[^>\"]|\"[^\"]*\")*)>\s*"
    r"(?:<summary>[^<]*</summary>)?(?P<body>.*?)(?:</details>[ \t]*\n?|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""Open WebUI's own ``<details>``, or a block of code, within which they are text."""
_ATTRIBUTE: Final = re.compile(r"([a-z_]+)=\"([^\"]*)\"")
_NO_TAG: Final = "none"


class _File(msgspec.Struct, frozen=True):
    type: str | None = None
    url: str | None = None
    name: str | None = None
    content_type: str | None = None
    file: Any = None


class _Message(msgspec.Struct, frozen=True, rename="camel"):
    id: str | None = None
    role: str | None = None
    content: Any = None
    output: Any = None
    parent_id: str | None = None
    children_ids: list[str] | None = None
    timestamp: float | str | None = None
    model: str | None = None
    done: bool | None = None
    files: list[_File] | None = None
    error: Any = None
    sources: Any = None


class _History(msgspec.Struct, frozen=True, rename="camel"):
    messages: dict[str, _Message] | None = None
    current_id: str | None = None


class _Params(msgspec.Struct, frozen=True):
    system: str | None = None


class _Chat(msgspec.Struct, frozen=True):
    history: _History | None = None
    messages: list[_Message | None] | None = None
    """The branch that is shown; read where there is no history."""
    id: str | None = None
    title: str | None = None
    timestamp: float | str | None = None
    system: str | None = None
    params: _Params | None = None
    tags: list[str] | None = None


class _Meta(msgspec.Struct, frozen=True):
    tags: list[str] | None = None


class _Entry(msgspec.Struct, frozen=True):
    chat: _Chat
    id: str | None = None
    title: str | None = None
    created_at: float | str | None = None
    updated_at: float | str | None = None
    archived: bool | None = None
    pinned: bool | None = None
    folder_id: str | None = None
    folder: Any = None
    meta: _Meta | None = None


def read_open_webui(text: bytes, *, on_dropped: OnDropped) -> ConversationTranscript:
    """Return one chat of the list; ``on_dropped`` is told of what is left out. Raises ``ImportRefused``."""
    entry = read_json(text, _Entry, on_dropped=on_dropped)
    chat = entry.chat
    messages, current = _messages(chat, on_dropped)
    rank = {child: n for message in messages.values() for n, child in enumerate(message.children_ids or ())}
    nodes = [_node(key, message, on_dropped=on_dropped) for key, message in messages.items()]
    nodes.sort(key=lambda node: rank.get(node.name, 0))
    ordered, active = order_messages(nodes, active=current)
    created = epoch_seconds(entry.created_at) or epoch_seconds(chat.timestamp)
    system = _system_prompt(chat, messages)
    return ConversationTranscript(
        origin=origin_of("open-webui", entry.id or chat.id, messages=ordered),
        title=clean_title(entry.title or chat.title),
        created_at=created,
        updated_at=epoch_seconds(entry.updated_at) or created,
        is_pinned=bool(entry.pinned),
        is_archived=bool(entry.archived),
        folder=_folder(entry),
        overrides={"chat.system_prompt": system} if system else {},
        active=active,
        messages=ordered,
    )


def _messages(chat: _Chat, on_dropped: OnDropped) -> tuple[dict[str, _Message], str | None]:
    """Return the messages by name, and the name of the last one that is shown."""
    if chat.history is not None and chat.history.messages:
        return chat.history.messages, chat.history.current_id
    messages: dict[str, _Message] = {}
    parent: str | None = None
    for index, message in enumerate(chat.messages or ()):
        if message is None:
            on_dropped(f"chat.messages[{index}]")
            continue
        name = message.id or f"{index}"
        messages[name] = msgspec.structs.replace(message, parent_id=message.parent_id or parent)
        parent = name
    return messages, parent


def _folder(entry: _Entry) -> str | None:
    """Return the name of the folder; Fireside has no tags, so that the first one stands in where none is."""
    folder = entry.folder.get("name") if isinstance(entry.folder, dict) else entry.folder
    if isinstance(folder, str) and folder.strip():
        return clean_title(folder)
    if entry.folder_id:
        return tr("Open WebUI folder {name}").format(name=entry.folder_id[:4])
    tags = [*((entry.meta.tags if entry.meta is not None else None) or ()), *(entry.chat.tags or ())]
    if (tag := next((tag for tag in tags if tag.strip() and tag != _NO_TAG), None)) is not None:
        return clean_title(tag.replace("_", " "))
    return None


def _system_prompt(chat: _Chat, messages: dict[str, _Message]) -> str:
    """Return the system prompt, wherever this version stores it: chat, parameters or first message."""
    system_messages = (
        message.content
        for message in messages.values()
        if message.role in _HIDDEN and isinstance(message.content, str)
    )
    in_parameters = chat.params.system if chat.params is not None else None
    return next(filter(None, (chat.system, in_parameters, *system_messages)), "")


def _node(name: str, message: _Message, *, on_dropped: OnDropped) -> Node:
    role = _ROLES.get(message.role or "")
    if role is None and message.role not in _HIDDEN:
        on_dropped(f"{name}.role")
        role = Role.ASSISTANT if message.model else Role.USER
    return Node(
        name=name,
        parent=message.parent_id,
        role=role or Role.SYSTEM,
        parts=tuple(separate_texts(_parts(name, message, role, on_dropped))) if role is not None else (),
        created_at=epoch_seconds(message.timestamp),
        model=(message.model or "")[:200] if role is Role.ASSISTANT else "",
        is_cut_off=message.done is False,
        is_named=not name.isdecimal(),
    )


def _parts(name: str, message: _Message, role: Role, on_dropped: OnDropped) -> Iterator[MessagePart]:
    path = f"{name}.content"
    is_text = bool(message.content) and isinstance(message.content, str | list | dict)
    if isinstance(message.output, list) and not is_text:
        yield from _output_parts(message.output, role, path=f"{name}.output", on_dropped=on_dropped)
    elif role is Role.ASSISTANT and isinstance(message.content, str):
        yield from _answer(message.content)
    else:
        yield from content_parts(message.content, role, path=path, on_dropped=on_dropped)
    for file in message.files or ():
        image = image_from_data_url(file.url or "") if file.type == "image" else None
        yield image if image is not None else missing_file(_media_type(file), _file_name(file))
    if message.error:
        if texts := tuple(texts_within(message.error, is_text=True)):
            yield TextPart(text="\n\n".join(texts))
        elif message.error is not True:  # then the content says what went wrong
            on_dropped(f"{name}.error")
    if message.sources:
        if listed := _listed_sources(message.sources):
            heading = tr("Sources")
            yield TextPart(text=f"**{heading}**\n\n{listed}")
        else:
            on_dropped(f"{name}.sources")


def _listed_sources(sources: object) -> str:
    """Return the names and addresses of sources as a list, in the order that the numbers in a text mean."""
    listed: dict[str, str] = {}
    for source in sources if isinstance(sources, list) else ():
        if isinstance(source, dict):
            own, passages = source.get("source"), source.get("metadata")
            own = own if isinstance(own, dict) else {}
            for passage in passages if isinstance(passages, list) and passages else ({},):
                about = passage if isinstance(passage, dict) else {}
                names = (about.get("title"), about.get("name"), own.get("name"))
                places = (about.get("source"), about.get("url"), own.get("url"), own.get("id"))
                name = next((each for each in names if isinstance(each, str) and each.strip()), "")
                key = next((each for each in places if isinstance(each, str) and each.strip()), name)
                if key:
                    listed.setdefault(key, _source_line(name, key))
    return "\n".join(f"{n}. {line}" for n, line in enumerate(listed.values(), start=1))


def _source_line(name: str, place: str) -> str:
    shown = escape_markdown(" ".join((name or place).split())[:200])
    is_link = place.startswith(("http://", "https://")) and not re.search(r"[\s<>]", place)
    return f"[{shown}](<{place}>)" if is_link else shown


def _media_type(file: _File) -> str:
    if file.type in ("image", "audio", "video"):
        return file.type
    meta = file.file.get("meta") if isinstance(file.file, dict) else None
    known = meta.get("content_type") if isinstance(meta, dict) else file.content_type
    if isinstance(known, str) and known.partition("/")[0] in ("audio", "video"):
        return known
    return "file"


def _file_name(file: _File) -> str:
    inner = file.file.get("filename") if isinstance(file.file, dict) else None
    return file.name or (inner if isinstance(inner, str) else "")


def _answer(content: str) -> Iterator[MessagePart]:
    """Yield the parts of an answer's text: what is between the ``<details>``, and what these are."""
    at = 0
    for match in _DETAILS_OR_CODE.finditer(content):
        if match["fence"]:
            continue
        yield from _text(content[at : match.start()], is_first=at == 0)
        attributes = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(match["attributes"])}
        yield from _details(attributes, match["body"])
        at = match.end()
    yield from _text(content[at:], is_first=at == 0)


def _text(text: str, *, is_first: bool) -> Iterator[MessagePart]:
    if is_first:
        yield from split_reasoning(text) if text.strip() else ()
    elif text.strip():
        yield TextPart(text=text.strip("\n"))


def _details(attributes: dict[str, str], body: str) -> Iterator[MessagePart]:
    body = body.strip()
    match attributes.get("type"):
        case "reasoning":
            lines = (line.removeprefix("&gt;").removeprefix(">").strip() for line in body.splitlines())
            if thought := html.unescape("\n".join(lines)).strip():
                yield ReasoningPart(text=thought)
        case "tool_calls":
            result = attributes.get("result") or html.unescape(body)
            yield from call_parts(dict(attributes), result=_decoded(result) if result else None)
        case _:
            output = attributes.get("output")
            yield TextPart(text="\n\n".join(filter(None, (body, _output_block(_decoded(output))))))


def _output_block(output: object) -> str:
    """Return the output of code that Open WebUI ran, as a block of code."""
    if isinstance(output, dict):
        output = "\n".join(str(output[key]) for key in ("stdout", "stderr", "result") if output.get(key))
    return f"````\n{result_text(output)}\n````" if output else ""


def _decoded(text: str | None) -> object:
    try:
        return msgspec.json.decode(text) if text else None
    except (msgspec.MsgspecError, RecursionError):
        return text


def _output_parts(
    output: list[object], role: Role, *, path: str, on_dropped: OnDropped
) -> Iterator[MessagePart]:
    """Yield the parts of an ``output``, whose items are told apart by their fields."""
    items = [item for item in output if isinstance(item, dict)]
    results = {_call_id(item): item["output"] for item in items if _is_result(item)}
    for index, item in enumerate(items):
        place = f"{path}[{index}]"
        if "arguments" in item or item.get("type") == "function_call":
            yield from call_parts({**item, "id": _call_id(item)}, result=results.pop(_call_id(item), None))
        elif "code" in item:
            block = f"````{item.get('lang') or ''}\n{item['code']}\n````"
            yield TextPart(text="\n\n".join(filter(None, (block, _output_block(item.get("output"))))))
        elif _is_result(item):
            # One whose call was not found stands alone.
            if (result := results.pop(_call_id(item), None)) is not None:
                yield ToolResultPart(call_id=_call_id(item), name="tool", text=result_text(result))
        else:
            is_thought = item.get("type") == "reasoning" or "summary" in item
            content = item.get("summary") or item.get("content")
            for part in content_parts(
                content, Role.USER if is_thought else role, path=place, on_dropped=on_dropped
            ):
                is_text = is_thought and isinstance(part, TextPart)
                yield ReasoningPart(text=part.text) if is_text and isinstance(part, TextPart) else part


def _call_id(item: dict[str, object]) -> str:
    return str(item.get("call_id") or item.get("id") or "")


def _is_result(item: dict[str, object]) -> bool:
    return "output" in item and "arguments" not in item and "code" not in item
