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
from fireside.chat.tools.consents import ConsentReply, Consents
from fireside.chat.tools.tool_loop import ToolLoop
from fireside.chat.tools.toolbox import Toolbox, make_toolbox
from fireside.core.elicitation import Elicitation, ElicitationAction, ElicitationReply
from fireside.core.generation import CallDelta, Finished, GenerationEvent, OutputKind, TextDelta
from fireside.core.ids import MessageId, RequestId
from fireside.core.load_sizes import effective_n_ctx
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
from fireside.services.request_builder import Resolved, perceived
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import Client, TokenScope
from fireside.settings.conversions import tool_options
from fireside.tools.consent import ConsentVerdict, decide, read_grants, taints_of
from fireside.tools.read_result import read_result_tool
from fireside.tools.tool import CHARS_PER_TOKEN, RunnableTool

_SOURCES: Final[Sources] = ((Taint.PRIVATE, "client"), (Taint.UNTRUSTED, "client"))
"""What a client's conversation may contain from the start, as programs put files and pages into it as text.
Therefore no tool that sends or changes anything runs for clients."""
_NO_MESSAGE: Final = MessageId(0)
_PARAM: Final = "fireside_tools"


async def user_toolbox(
    params: CompletionRequest,
    services: ServiceContext,
    *,
    client: Client,
    spec: ModelSpec,
    resolved: Resolved,
    options: LoadOptions,
) -> Toolbox:
    """Return the user's tools that ``params`` names.

    Raises ``HttpError``, also for a tool that needs the user's confirmation.
    """
    check_scope(client, TokenScope.TOOLS)
    if any(not isinstance(prompt, ChatInput) or prompt.tools for prompt in params.prompts):
        raise invalid(f"{_PARAM}: only for conversations, and without tools of the client.", param=_PARAM)
    if spec.remote is not None:
        raise invalid(f"{_PARAM}: models of servers may use none.", param=_PARAM)
    selected = tool_options(resolved)
    toolbox = make_toolbox(
        selected,
        (),
        n_ctx=effective_n_ctx(options, n_ctx_train=spec.n_ctx_train),
        store=services.store,
        web=services.web,
        server_tools=await services.tool_servers.tools(selected.servers),
    )
    allowed = {tool.name: tool for tool in toolbox.tools if _runs_unasked(tool, selected.permissions)}
    for name in params.user_tools:
        if name not in allowed:
            is_known = any(tool.name == name for tool in toolbox.tools)
            what = "asks the user first" if is_known else "is not there, or turned off"
            raise HttpError(
                HTTPStatus.FORBIDDEN,
                f"{_PARAM}: the tool “{name}” {what}. Without asking run: {', '.join(allowed) or 'none'}.",
                code="tool_not_allowed",
                param=_PARAM,
            )
    chosen = tuple(allowed[name] for name in dict.fromkeys(params.user_tools))
    return msgspec.structs.replace(toolbox, tools=chosen, advertised=chosen, sources=_SOURCES)


def definitions_of(toolbox: Toolbox) -> tuple[ToolDefinition, ...]:
    """Return the tool definitions that ``ToolAnswer`` adds to the prompt."""
    return _with_reader(toolbox, lambda _: None).definitions


def _with_reader(toolbox: Toolbox, result: Callable[[str], str | None]) -> Toolbox:
    """Return the tools, with one that reads the rest of long results if there may be some."""
    tools = toolbox.tools
    if any(tool.taints for tool in tools):  # a tool that reads something may return much
        n_characters = toolbox.max_result_tokens * CHARS_PER_TOKEN // 2
        tools = (*tools, read_result_tool(result, n_characters=n_characters))
    return msgspec.structs.replace(toolbox, tools=tools, advertised=tools)


def _runs_unasked(tool: RunnableTool[Any], permissions: Sequence[str]) -> bool:
    decision = decide(
        fingerprint=tool.fingerprint,
        default=tool.permission,
        granted=read_grants(permissions).get(tool.name),
        in_chat=False,
        chat=taints_of(_SOURCES),
        call=tool.taints,
        prompts_each_time=tool.prompts_each_time,
    )
    return decision.verdict is ConsentVerdict.RUN


class _Declining(Consents):
    """Declines at once whatever would ask the user."""

    def expect_answer(
        self, message_id: MessageId, call_id: str, *, tool: RunnableTool[Any], once: bool
    ) -> asyncio.Future[ConsentReply]:
        answer = super().expect_answer(message_id, call_id, tool=tool, once=once)
        answer.set_result(ConsentReply(answer=ConsentAnswer.DENY))
        return answer

    def expect_reply(
        self, message_id: MessageId, call_id: str, elicitation: Elicitation
    ) -> asyncio.Future[ElicitationReply]:
        reply = super().expect_reply(message_id, call_id, elicitation)
        reply.set_result(ElicitationReply(number=elicitation.number, action=ElicitationAction.DECLINE))
        return reply


class ToolAnswer:
    """The stream of one answer whose tool calls are executed, so that the client sees none of them."""

    def __init__(
        self,
        request: GenerationRequest,
        toolbox: Toolbox,
        services: ServiceContext,
        *,
        generate: Callable[[GenerationRequest], AnswerStream],
    ) -> None:
        assert isinstance(request.task.prompt, ChatInput)
        self._toolbox = _with_reader(toolbox, self._result)
        prompt = request.task.prompt
        # A call of an unknown tool is passed on, since the loop answers it with an error for the model.
        choice = msgspec.structs.replace(prompt.tool_choice, unknown=True)
        self._prompt = msgspec.structs.replace(prompt, tools=self._toolbox.definitions, tool_choice=choice)
        self._request = _with_prompt(request, self._prompt)
        self._services = services
        self._loop = ToolLoop(
            _Declining(services.preferences), n_steps=toolbox.options.n_steps, clock=time.monotonic
        )
        self._parts: tuple[MessagePart, ...] = ()
        """Text, calls and results of the finished steps."""
        self._output = MessageAccumulator(clock=time.monotonic)
        self._ends: list[Finished] = []
        self._generate = generate
        self._stream = generate(self._request)

    @property
    def request_id(self) -> RequestId:
        """The id of the step that runs now."""
        return self._stream.request_id

    def __aiter__(self) -> AsyncIterator[GenerationEvent]:
        return self

    async def __anext__(self) -> GenerationEvent:
        while True:
            match await anext(self._stream):
                case TextDelta() as delta:
                    return self._record(delta)
                case Finished(tool_calls=calls) as end:
                    self._ends.append(end)
                    if not calls:
                        return _combined(self._ends)
                    await self._run_calls(calls)
                case CallDelta():
                    pass
                case event:
                    return event

    async def aclose(self) -> None:
        self._loop.cancel()
        await self._stream.aclose()

    def _record(self, delta: TextDelta) -> TextDelta:
        """Return a delta as the continuation of the steps before: in a new paragraph, its tokens added up."""
        n_before = sum(end.usage.n_completion for end in self._ends)
        is_first = delta.kind is OutputKind.ANSWER and delta.text and not self._output.text
        has_text = any(isinstance(part, TextPart) for part in self._parts)
        text = "\n\n" + delta.text.lstrip("\n") if is_first and has_text else delta.text
        delta = msgspec.structs.replace(delta, text=text, n_completion=n_before + delta.n_completion)
        self._output.add(delta)
        return delta

    async def _run_calls(self, calls: Sequence[ToolCallPart]) -> None:
        """Run the calls, and start the next step with their results."""
        results: tuple[ToolResultPart, ...] = ()

        async def keep(latest: tuple[ToolResultPart, ...]) -> None:
            nonlocal results
            results = latest

        ended = await self._loop.run(calls, box=self._toolbox, message_id=_NO_MESSAGE, report=keep)
        self._parts = (*joined(self._parts, self._output.parts(tool_calls=calls)), *results)
        self._output = MessageAccumulator(clock=time.monotonic)
        answer = ChatMessage(role=Role.ASSISTANT, parts=self._parts)
        (answer,) = perceived((answer,), self._request.spec.senses)
        steps = to_model_messages(answer)
        prompt = msgspec.structs.replace(
            self._prompt,
            messages=(*self._prompt.messages, *steps),
            tool_choice=ToolChoice(unknown=True),
            continue_final=False,
        )
        request = msgspec.structs.replace(
            _with_prompt(self._request, prompt), request_id=self._services.next_id()
        )
        self._stream = self._generate(request if ended is None else without_calls(request, ended=ended))

    def _result(self, call_id: str) -> str | None:
        results = (part for part in self._parts if isinstance(part, ToolResultPart))
        return next((part.text for part in results if part.call_id == call_id), None)


def _with_prompt(request: GenerationRequest, prompt: ChatInput) -> GenerationRequest:
    task = msgspec.structs.replace(request.task, prompt=prompt)
    return msgspec.structs.replace(request, task=task)


def _combined(ends: Sequence[Finished]) -> Finished:
    """Return the last end, with the tokens and times of all steps.

    A call that was cut off is of a tool that the client does not know.
    """
    last = ends[-1]
    return msgspec.structs.replace(
        last,
        cut_call=None,
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
            cpu_s=sum(end.timings.cpu_s for end in ends),
        ),
    )
