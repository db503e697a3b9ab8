"""The user's tools for API clients: those that run without confirmation, in the same loop as in chats."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.access import check_scope
from fireside.api.completion_request import CompletionRequest
from fireside.api.http_error import HttpError, invalid
from fireside.chat.answer_generation import without_calls
from fireside.chat.stream_writer import MessageAccumulator, joined
from fireside.chat.tools.consents import Consents, Said
from fireside.chat.tools.tool_loop import ToolLoop
from fireside.chat.tools.toolbox import Toolbox, make_toolbox
from fireside.core.context_length import effective_n_ctx
from fireside.core.elicitation import Elicitation, ElicitationAction, ElicitationReply
from fireside.core.generation import Finished, GenerationEvent, OutputKind, TextDelta
from fireside.core.ids import MessageId
from fireside.core.message import (
    ChatMessage,
    MessagePart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    to_model_messages,
)
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.prompt_input import ChatInput, ToolChoice, ToolDefinition
from fireside.core.tools import ConsentAnswer, Sources, Taint
from fireside.engine.request import GenerationRequest
from fireside.services.answer_router import AnswerStream
from fireside.services.request_builder import Resolved
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import Client, Scope
from fireside.settings.typed_tools import tool_options
from fireside.tools.consent import Verdict, decide, read_grants, taints_of
from fireside.tools.read_result import read_result_tool
from fireside.tools.tool import CHARACTERS_A_TOKEN, Tool

_SOURCES: Final[Sources] = ((Taint.PRIVATE, "client"), (Taint.UNTRUSTED, "client"))
"""What a client's conversation may hold from the start: programs put files and pages into it as text. So no
tool runs for one that sends or changes anything."""
_NO_MESSAGE: Final = MessageId(0)
_PARAM: Final = "fireside_tools"

Generate = Callable[[GenerationRequest], AnswerStream]


async def with_own_tools(
    params: CompletionRequest,
    services: ServiceContext,
    *,
    client: Client,
    spec: ModelSpec,
    resolved: Resolved,
    options: LoadOptions,
) -> Generate:
    """Return what generates answers with the tools that ``params`` names.

    Raises ``HttpError``, also for a tool that needs the user's confirmation.
    """
    box = await _chosen(params, services, client=client, spec=spec, resolved=resolved, options=options)
    return lambda request: _ToolAnswer(request, box, services)


async def own_definitions(
    params: CompletionRequest,
    services: ServiceContext,
    *,
    client: Client,
    spec: ModelSpec,
    resolved: Resolved,
    options: LoadOptions,
) -> tuple[ToolDefinition, ...]:
    """Return what the model would be told of these tools. Raises ``HttpError`` as ``with_own_tools`` does."""
    box = await _chosen(params, services, client=client, spec=spec, resolved=resolved, options=options)
    return _with_reader(box, lambda _: None).definitions


async def _chosen(
    params: CompletionRequest,
    services: ServiceContext,
    *,
    client: Client,
    spec: ModelSpec,
    resolved: Resolved,
    options: LoadOptions,
) -> Toolbox:
    check_scope(client, Scope.TOOLS)
    if any(not isinstance(prompt, ChatInput) or prompt.tools for prompt in params.prompts):
        raise invalid(f"{_PARAM}: only for conversations, and without tools of the client.", param=_PARAM)
    if spec.remote is not None:
        raise invalid(f"{_PARAM}: models of other engines may use none.", param=_PARAM)
    wanted = tool_options(resolved)
    box = make_toolbox(
        wanted,
        (),
        n_ctx=effective_n_ctx(options, n_ctx_train=spec.n_ctx_train),
        store=services.store,
        web=services.web,
        of_servers=await services.tool_servers.tools(wanted.servers),
    )
    allowed = {tool.name: tool for tool in box.tools if _runs_unasked(tool, wanted.permissions)}
    for name in params.user_tools:
        if name not in allowed:
            is_known = any(tool.name == name for tool in box.tools)
            what = "asks the user first" if is_known else "is not there, or turned off"
            raise HttpError(
                HTTPStatus.FORBIDDEN,
                f"{_PARAM}: the tool “{name}” {what}. Without asking run: {', '.join(allowed) or 'none'}.",
                code="tool_not_allowed",
                param=_PARAM,
            )
    chosen = tuple(allowed[name] for name in dict.fromkeys(params.user_tools))
    return msgspec.structs.replace(box, tools=chosen, told=chosen, sources=_SOURCES)


def _with_reader(box: Toolbox, result: Callable[[str], str | None]) -> Toolbox:
    """Return the tools, with one that reads on in long results where there may be some."""
    tools = box.tools
    if any(tool.taints for tool in tools):  # what reads something may return much
        n_characters = box.n_shown * CHARACTERS_A_TOKEN // 2
        tools = (*tools, read_result_tool(result, n_characters=n_characters))
    return msgspec.structs.replace(box, tools=tools, told=tools)


def _runs_unasked(tool: Tool[Any], permissions: Sequence[str]) -> bool:
    decided = decide(
        fingerprint=tool.fingerprint,
        default=tool.permission,
        granted=read_grants(permissions).get(tool.name),
        in_chat=False,
        chat=taints_of(_SOURCES),
        call=tool.taints,
        prompts_each_time=tool.prompts_each_time,
    )
    return decided.verdict is Verdict.RUN


class _Declining(Consents):
    """Says no to whatever would ask the user, at once."""

    def question(
        self, message_id: MessageId, call_id: str, *, tool: Tool[Any], once: bool
    ) -> asyncio.Future[Said]:
        answer = super().question(message_id, call_id, tool=tool, once=once)
        answer.set_result(Said(answer=ConsentAnswer.DENY))
        return answer

    def ask(
        self, message_id: MessageId, call_id: str, elicitation: Elicitation
    ) -> asyncio.Future[ElicitationReply]:
        reply = super().ask(message_id, call_id, elicitation)
        reply.set_result(ElicitationReply(number=elicitation.number, action=ElicitationAction.DECLINE))
        return reply


class _ToolAnswer:
    """One answer with the calls in it done: to its reader a stream like any other."""

    def __init__(self, request: GenerationRequest, box: Toolbox, services: ServiceContext) -> None:
        assert isinstance(request.task.prompt, ChatInput)
        self._box = _with_reader(box, self._result)
        prompt = request.task.prompt
        # The loop tells a model of what it calls and is not there.
        choice = msgspec.structs.replace(prompt.tool_choice, unknown=True)
        self._asked = msgspec.structs.replace(prompt, tools=self._box.definitions, tool_choice=choice)
        self._request = _with_prompt(request, self._asked)
        self._services = services
        self._loop = ToolLoop(
            _Declining(services.preferences), n_steps=box.options.n_steps, clock=time.monotonic
        )
        self._parts: tuple[MessagePart, ...] = ()
        """Of the steps that are done: what was said and called, with the results."""
        self._output = MessageAccumulator(clock=time.monotonic)
        self._ends: list[Finished] = []
        self._stream = services.answer_router.generate(self._request)

    def __aiter__(self) -> AsyncIterator[GenerationEvent]:
        return self

    async def __anext__(self) -> GenerationEvent:
        while True:
            match await anext(self._stream):
                case TextDelta() as piece:
                    return self._noted(piece)
                case Finished(tool_calls=calls) as end:
                    self._ends.append(end)
                    if not calls:
                        return _joined_ends(self._ends)
                    await self._do(calls)
                case event:
                    return event

    async def aclose(self) -> None:
        self._loop.cancel()
        await self._stream.aclose()

    def _noted(self, piece: TextDelta) -> TextDelta:
        """Return output as it goes on behind the steps before: in a paragraph of its own, and counted on."""
        n_before = sum(end.usage.n_completion for end in self._ends)
        is_first = piece.kind is OutputKind.ANSWER and piece.text and not self._output.text
        said = any(isinstance(part, TextPart) for part in self._parts)
        text = "\n\n" + piece.text.lstrip("\n") if is_first and said else piece.text
        piece = msgspec.structs.replace(piece, text=text, n_completion=n_before + piece.n_completion)
        self._output.add(piece)
        return piece

    async def _do(self, calls: Sequence[ToolCallPart]) -> None:
        """Do what was called, and ask on with the results."""
        results: tuple[ToolResultPart, ...] = ()

        async def keep(standing: tuple[ToolResultPart, ...]) -> None:
            nonlocal results
            results = standing

        ended = await self._loop.run(calls, box=self._box, message_id=_NO_MESSAGE, report=keep)
        self._parts = (*joined(self._parts, self._output.parts(tool_calls=calls)), *results)
        self._output = MessageAccumulator(clock=time.monotonic)
        told = to_model_messages(ChatMessage(role=Role.ASSISTANT, parts=self._parts))
        prompt = msgspec.structs.replace(
            self._asked,
            messages=(*self._asked.messages, *told),
            tool_choice=ToolChoice(unknown=True),
            continue_final=False,
        )
        request = msgspec.structs.replace(
            _with_prompt(self._request, prompt), request_id=self._services.next_id()
        )
        self._stream = self._services.answer_router.generate(
            request if ended is None else without_calls(request)
        )

    def _result(self, call_id: str) -> str | None:
        results = (part for part in self._parts if isinstance(part, ToolResultPart))
        return next((part.text for part in results if part.call_id == call_id), None)


def _with_prompt(request: GenerationRequest, prompt: ChatInput) -> GenerationRequest:
    task = msgspec.structs.replace(request.task, prompt=prompt)
    return msgspec.structs.replace(request, task=task)


def _joined_ends(ends: Sequence[Finished]) -> Finished:
    """Return the last end with what all steps wrote."""
    last = ends[-1]
    return msgspec.structs.replace(
        last,
        usage=msgspec.structs.replace(
            last.usage,
            n_completion=sum(end.usage.n_completion for end in ends),
            n_reasoning=sum(end.usage.n_reasoning for end in ends),
        ),
        timings=msgspec.structs.replace(
            last.timings,
            prompt_s=sum(end.timings.prompt_s for end in ends),
            decode_s=sum(end.timings.decode_s for end in ends),
            first_token_s=ends[0].timings.first_token_s,
        ),
    )
