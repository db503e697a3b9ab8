"""Parse requests of Anthropic's messages API."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from fireside.api.completion_request import (
    CompletionRequest,
    RequestSettings,
    UserTools,
    image_of_base64,
    tool_of,
)
from fireside.api.http_error import invalid
from fireside.api.openai_messages import arguments_text, continues
from fireside.api.openapi import items, one_of
from fireside.core.message import (
    ChatMessage,
    ImagePart,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ChatInput, ToolChoice, ToolMode

_BILLING: Final = re.compile(r"\Ax-anthropic-billing-header[^\n]*\n?")
"""Claude Code's first line. It differs in each request, so with it no prompt would be found in a cache."""
_ROLES: Final = ("user", "assistant", "system")
_MODES: Final[Mapping[str, ToolMode]] = {
    "auto": ToolMode.AUTO,
    "any": ToolMode.REQUIRED,
    "tool": ToolMode.REQUIRED,
    "none": ToolMode.NONE,
}


class TextBlock(msgspec.Struct, tag="text"):
    """Text."""

    text: str = ""


class ImageSource(msgspec.Struct):
    """An image in base64."""

    type: str
    media_type: str = ""
    data: str = ""


class ImageBlock(msgspec.Struct, tag="image"):
    """An image."""

    source: ImageSource


class ToolUseBlock(msgspec.Struct, tag="tool_use"):
    """A tool call of an earlier answer."""

    id: str
    name: str
    input: Any = None


class DocumentSource(msgspec.Struct):
    """A document: text, blocks, or in base64."""

    type: str
    media_type: str = ""
    data: str = ""
    content: str | list[TextBlock | ImageBlock] = ""


class DocumentBlock(msgspec.Struct, tag="document"):
    """A document."""

    source: DocumentSource
    title: str | None = None
    context: str | None = None


class SearchResultBlock(msgspec.Struct, tag="search_result"):
    """A passage that the client found."""

    content: list[TextBlock]
    title: str = ""
    source: str = ""


class ToolReferenceBlock(msgspec.Struct, tag="tool_reference"):
    """The name of a tool that the client found."""

    tool_name: str


ReadableBlock = TextBlock | ImageBlock | DocumentBlock | SearchResultBlock | ToolReferenceBlock


class ToolResultBlock(msgspec.Struct, tag="tool_result"):
    """The result of a tool call."""

    tool_use_id: str
    content: str | list[ReadableBlock] | None = None
    is_error: bool | None = None


class ThinkingBlock(msgspec.Struct, tag="thinking"):
    """The reasoning of an earlier answer."""

    thinking: str = ""


class RedactedBlock(msgspec.Struct, tag="redacted_thinking"):
    """Encrypted reasoning of another server; ignored."""


class HostedBlock(msgspec.Struct):
    """What ran on Anthropic's servers; skipped, since the answer behind it says what came of it."""


class ServerToolUseBlock(HostedBlock, tag="server_tool_use"):
    """``server_tool_use``."""


class McpToolUseBlock(HostedBlock, tag="mcp_tool_use"):
    """``mcp_tool_use``."""


class McpToolResultBlock(HostedBlock, tag="mcp_tool_result"):
    """``mcp_tool_result``."""


class WebSearchResultBlock(HostedBlock, tag="web_search_tool_result"):
    """``web_search_tool_result``."""


class WebFetchResultBlock(HostedBlock, tag="web_fetch_tool_result"):
    """``web_fetch_tool_result``."""


class CodeResultBlock(HostedBlock, tag="code_execution_tool_result"):
    """``code_execution_tool_result``."""


class BashResultBlock(HostedBlock, tag="bash_code_execution_tool_result"):
    """``bash_code_execution_tool_result``."""


class EditorResultBlock(HostedBlock, tag="text_editor_code_execution_tool_result"):
    """``text_editor_code_execution_tool_result``."""


class ToolSearchResultBlock(HostedBlock, tag="tool_search_tool_result"):
    """``tool_search_tool_result``."""


Block = (
    ReadableBlock
    | ToolUseBlock
    | ToolResultBlock
    | ThinkingBlock
    | RedactedBlock
    | ServerToolUseBlock
    | McpToolUseBlock
    | McpToolResultBlock
    | WebSearchResultBlock
    | WebFetchResultBlock
    | CodeResultBlock
    | BashResultBlock
    | EditorResultBlock
    | ToolSearchResultBlock
)


class AnthropicMessage(msgspec.Struct):
    """A message of the conversation."""

    role: Annotated[str, one_of(*_ROLES)]
    content: str | list[Block] | None


class AnthropicTool(msgspec.Struct):
    """A tool. One without a schema would run on Anthropic's servers, and is ignored."""

    name: str
    description: str | None = None
    input_schema: dict[str, Any] | None = None


class AnthropicChoice(msgspec.Struct):
    """Whether the model may or must call tools."""

    type: Annotated[str, one_of(*_MODES)] = "auto"
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class Thinking(msgspec.Struct):
    """Whether the model reasons before it answers."""

    type: str = "disabled"
    budget_tokens: int | None = None


class OutputFormat(msgspec.Struct):
    """The JSON Schema of the answer."""

    type: str = ""
    schema: dict[str, Any] | None = None


class OutputConfig(msgspec.Struct):
    """The reasoning effort and the format of the answer."""

    effort: str | None = None
    format: OutputFormat | None = None


class Metadata(msgspec.Struct):
    """The client's user, whose id often contains the session's."""

    user_id: str | None = None


class MessagesBody(msgspec.Struct, kw_only=True):
    """The body of ``/v1/messages``. Unknown fields are ignored."""

    messages: Annotated[list[AnthropicMessage], items(at_least=1)]
    model: str = ""
    system: str | list[TextBlock] | None = None
    max_tokens: int | None = None
    stream: bool = False
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop_sequences: list[str] | None = None
    tools: list[AnthropicTool] | None = None
    tool_choice: AnthropicChoice | None = None
    fireside_tools: UserTools = ()
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    metadata: Metadata | None = None


def read_anthropic(body: MessagesBody) -> CompletionRequest:
    """Return the request that a body describes. Raises ``HttpError``."""
    settings = RequestSettings()
    settings.set_samplers(body)
    settings.set_stop(body.stop_sequences, name="stop_sequences")
    settings.set_max_tokens(body.max_tokens, name="max_tokens")
    config = body.output_config or OutputConfig()
    if config.format is not None and config.format.schema is not None:
        settings.set_schema(config.format.schema, name="output_config.format")
    if body.thinking is not None:
        thinks = body.thinking.type in ("enabled", "adaptive")
        settings.set_effort((config.effort or "on") if thinks else "off", name="thinking")
        settings.set("answer.thinking_budget", body.thinking.budget_tokens, name="thinking.budget_tokens")
    else:
        settings.set_effort(config.effort, name="output_config.effort")
    messages = (*_system(body.system), *_messages(body.messages))
    choice = body.tool_choice or AnthropicChoice()
    if choice.type not in _MODES:
        raise invalid(f"tool_choice.type: “{choice.type}” is not known.", param="tool_choice.type")
    prompt = ChatInput(
        messages=messages,
        tools=tuple(
            tool_of(tool.name, tool.description, tool.input_schema)
            for tool in body.tools or ()
            if tool.input_schema is not None
        ),
        tool_choice=ToolChoice(
            mode=_MODES[choice.type],
            name=choice.name if choice.type == "tool" else None,
            several=choice.disable_parallel_tool_use is False,
        ),
        continue_final=bool(messages) and continues(messages),
    )
    return CompletionRequest(
        model=body.model,
        prompts=(prompt,),
        settings=settings.values,
        names=settings.names,
        reads_only=settings.reads_only,
        user_tools=body.fireside_tools,
        single_tool_call=bool(choice.disable_parallel_tool_use),
    )


def _system(system: str | Sequence[TextBlock] | None) -> tuple[ChatMessage, ...]:
    texts = [system or ""] if isinstance(system, str | None) else [block.text for block in system]
    if texts:
        texts[0] = _BILLING.sub("", texts[0])
    text = "\n\n".join(filter(None, texts))
    return (ChatMessage(role=Role.SYSTEM, parts=(TextPart(text=text),)),) if text else ()


def _messages(messages: Sequence[AnthropicMessage]) -> tuple[ChatMessage, ...]:
    if not messages:
        raise invalid("messages: there are none.", param="messages")
    chat: list[ChatMessage] = []
    tool_names: dict[str, str] = {}  # by the id of the call
    for index, message in enumerate(messages):
        param = f"messages[{index}]"
        if message.role not in _ROLES:
            raise invalid(f"{param}.role: “{message.role}” is not a role.", param=f"{param}.role")
        # A system message within the conversation is the client program's, and counts as the user's.
        role = Role.ASSISTANT if message.role == "assistant" else Role.USER
        content = message.content or ""
        blocks = [TextBlock(text=content)] if isinstance(content, str) else content
        parts: list[MessagePart] = []
        for block_index, block in enumerate(blocks):
            match block:
                case ThinkingBlock() if block.thinking:
                    parts.append(ReasoningPart(text=block.thinking))
                case ToolUseBlock():
                    tool_names[block.id] = block.name
                    arguments = arguments_text(block.input)
                    parts.append(ToolCallPart(id=block.id, name=block.name, arguments=arguments))
                case ToolResultBlock():
                    result, images = _result(block, tool_names, param=f"{param}.content[{block_index}]")
                    chat.append(ChatMessage(role=Role.TOOL, parts=(result,)))
                    parts += images
                case HostedBlock() | RedactedBlock() | ThinkingBlock():
                    pass
                case _:
                    parts += _readable(block, param=f"{param}.content[{block_index}]")
        if parts:
            chat.append(ChatMessage(role=role, parts=tuple(parts)))
    if not chat:
        raise invalid("messages: there is no text in them.", param="messages")
    return tuple(chat)


def _result(
    block: ToolResultBlock, tool_names: Mapping[str, str], *, param: str
) -> tuple[ToolResultPart, list[ImagePart]]:
    content = block.content or ""
    inner = [TextBlock(text=content)] if isinstance(content, str) else content
    parts = [
        part
        for index, each in enumerate(inner)
        for part in _readable(each, param=f"{param}.content[{index}]")
    ]
    text = "".join(part.text for part in parts if isinstance(part, TextPart))
    images = [part for part in parts if isinstance(part, ImagePart)]
    if block.is_error:
        text = f"Error: {text}"
    name = tool_names.get(block.tool_use_id, "")
    return ToolResultPart(call_id=block.tool_use_id, name=name, text=text), images


def _readable(block: ReadableBlock, *, param: str) -> list[TextPart | ImagePart]:
    """Return what the model is shown of a block. Raises ``HttpError`` where it cannot be shown."""
    match block:
        case ImageBlock():
            return [_image(block, param=f"{param}.source")]
        case DocumentBlock():
            return _document(block, param=f"{param}.source")
        case SearchResultBlock():
            text = "\n".join(
                filter(None, (block.title, block.source, *(each.text for each in block.content), "\n"))
            )
        case ToolReferenceBlock():
            text = block.tool_name
        case TextBlock():
            text = block.text
    return [TextPart(text=text)] if text else []


def _document(block: DocumentBlock, *, param: str) -> list[TextPart | ImagePart]:
    source = block.source
    heading = "\n".join(filter(None, (block.title, block.context)))
    parts: list[TextPart | ImagePart] = [TextPart(text=f"{heading}\n\n")] if heading else []
    is_text = source.media_type.partition(";")[0].strip() in ("", "text/plain")
    if source.type == "text" and is_text:
        content: str | list[TextBlock | ImageBlock] = source.data
    elif source.type == "content":
        content = source.content
    else:
        raise invalid(
            f"{param}: documents are taken as text or as content blocks. Send the document's text with the "
            "source type “text”.",
            param=param,
        )
    inner = [TextBlock(text=content)] if isinstance(content, str) else content
    for index, each in enumerate(inner):
        parts += _readable(each, param=f"{param}.content[{index}]")
    return [*parts, TextPart(text="\n\n")]  # or it runs on into the question behind it


def _image(block: ImageBlock, *, param: str) -> ImagePart:
    source = block.source
    if source.type != "base64":
        raise invalid("Images are taken in base64 only; no address is fetched.", param=param)
    return image_of_base64(source.data, media_type=source.media_type, param=param)
