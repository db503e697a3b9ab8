"""Do what a model calls in one answer: who allows it, side by side, and when it is enough."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec

from fireside.chat.tools.consents import Consents, Said
from fireside.chat.tools.toolbox import Toolbox
from fireside.core.elicitation import Elicitation, ElicitationReply
from fireside.core.errors import FiresideError
from fireside.core.ids import MessageId
from fireside.core.message import ToolCallPart, ToolResultPart
from fireside.core.tools import UNFINISHED, AllowedBy, CallsEnded, CallState, ConsentAnswer, Taint
from fireside.tools.consent import Verdict, decide, read_grants, taints_of
from fireside.tools.loop_guard import FinishedCall, LoopGuard
from fireside.tools.result_text import cleaned, truncated
from fireside.tools.tool import InvalidArguments, Tool, ToolFailed

log = logging.getLogger(__name__)

Report = Callable[[tuple[ToolResultPart, ...]], Awaitable[None]]
"""Told of all calls of a step whenever one stands otherwise."""

_PROGRESS_S: Final = 0.5
"""Between two signs of progress that the user is shown."""
_DENIED: Final = "The user did not allow this call. Answer without it."
_REFUSED: Final = "The user does not allow this tool. Answer without it."
_CHANGED: Final = "The file changed before the user allowed the call. Read it again."
_STOPPED: Final = "The call was stopped."
_ALLOWED_BY: Final = {
    ConsentAnswer.ONCE: AllowedBy.ONCE,
    ConsentAnswer.CHAT: AllowedBy.CHAT,
    ConsentAnswer.ALWAYS: AllowedBy.POLICY,
}


class ToolLoop:
    """The calls of one answer, step by step. ``cancel`` ends those that run or wait."""

    def __init__(self, consents: Consents, *, n_steps: int, clock: Callable[[], float]) -> None:
        self._consents = consents
        self._guard = LoopGuard(n_steps=n_steps)
        self._clock = clock
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._is_cancelled = False

    def cancel(self) -> None:
        """End what runs or waits; ``run`` returns at once."""
        self._is_cancelled = True
        for task in self._tasks:
            task.cancel()

    async def run(
        self, calls: Sequence[ToolCallPart], *, box: Toolbox, message_id: MessageId, report: Report
    ) -> CallsEnded | None:
        """Do the calls of one step, all of which have a result when it returns; returns why the model may
        make no others, if so."""
        step = _Step(calls, box=box, message_id=message_id, report=report)
        step.decide()
        looking = asyncio.create_task(step.look_ahead(), name="look ahead")
        self._tasks = (looking,)
        await asyncio.wait(self._tasks)
        if not looking.cancelled():
            looking.result()
        questions = self._questions(step)
        await step.tell()
        if not self._is_cancelled:
            self._tasks = tuple(
                asyncio.create_task(self._one(step, index, questions.get(index)), name=f"call {call.name}")
                for index, call in enumerate(calls)
                if step.results[index].state in UNFINISHED
            )
            if self._tasks:
                await asyncio.wait(self._tasks)
        for question in questions.values():
            question.cancel()
        for index, result in enumerate(step.results):
            if result.state in UNFINISHED:
                step.results[index] = msgspec.structs.replace(
                    result, state=CallState.STOPPED, text=_STOPPED, progress="", asked=None
                )
        await step.tell()
        return self._guard.stop_reason(step.called)

    def _questions(self, step: _Step) -> dict[int, asyncio.Future[Said]]:
        """Return what is waited for, by the place of the call."""
        return {
            index: self._consents.question(
                step.message_id, result.call_id, tool=tool, once=result.is_asked_each_time
            )
            for index, (tool, result) in enumerate(zip(step.tools, step.results, strict=True))
            if tool is not None and result.state is CallState.WAITING
        }

    async def _one(self, step: _Step, index: int, question: asyncio.Future[Said] | None) -> None:
        tool, result, changed = step.tools[index], step.results[index], ""
        assert tool is not None
        if question is not None:
            said = await question
            answer = await self._consents.keep(
                said.answer, tool=tool, once=result.is_asked_each_time, box=step.box
            )
            if answer is ConsentAnswer.DENY:
                await step.put(index, state=CallState.DENIED, text=_DENIED)
                return
            if await _preview(tool, step.arguments[index]) != result.preview:
                await step.put(index, state=CallState.FAILED, text=_CHANGED)
                return
            if tool.field and said.text is not None and said.text != result.preview:
                changed = f"The user changed {tool.field} to: {said.text}\n\n"
                step.arguments[index] = tool.with_text(step.arguments[index], said.text)
                await step.put(index, preview=said.text)
            await step.put(index, state=CallState.RUNNING, allowed_by=_ALLOWED_BY[answer])
        began = self._clock()
        watch = _Watch(step, index, consents=self._consents)
        try:
            state, text = await _outcome(tool, step.arguments[index], watch=watch)
        finally:
            watch.is_over.set()
        text = cleaned(changed + text)
        await step.put(
            index,
            state=state,
            progress="",
            asked=None,
            text=text,
            shown=truncated(text, handle=result.call_id, n_tokens=step.box.n_shown),
            seconds=self._clock() - began,
        )


class _Step:
    """The calls of one step, with where each stands."""

    def __init__(
        self, calls: Sequence[ToolCallPart], *, box: Toolbox, message_id: MessageId, report: Report
    ) -> None:
        self.box = box
        self.message_id = message_id
        self._calls = calls
        self._report = report
        self._telling = asyncio.Lock()
        self._invalid: set[int] = set()
        self.tools: list[Tool[Any] | None] = [None] * len(calls)
        self.arguments: list[Any] = [None] * len(calls)
        self.results = [
            ToolResultPart(call_id=call.id, name=call.name, text="", state=CallState.RUNNING)
            for call in calls
        ]

    @property
    def called(self) -> tuple[FinishedCall, ...]:
        """What the guard of the loop is told."""
        return tuple(
            FinishedCall(
                name=call.name,
                arguments=call.arguments,
                result=self.results[index].text,
                is_invalid=index in self._invalid,
            )
            for index, call in enumerate(self._calls)
        )

    def decide(self) -> None:
        """Find out which calls run, which wait for the user, and which are refused. Each counts what those
        before it may still touch."""
        sources = self.box.sources
        for index, call in enumerate(self._calls):
            try:
                tool, self.arguments[index] = self.box.read(call)
            except InvalidArguments as exc:
                self._invalid.add(index)
                self._set(index, state=CallState.FAILED, text=cleaned(str(exc)))
                continue
            self.tools[index] = tool
            chat = taints_of(sources)
            decided = decide(
                fingerprint=tool.fingerprint,
                default=tool.permission,
                granted=read_grants(self.box.options.permissions).get(tool.name),
                in_chat=self._is_allowed_in_chat(tool),
                chat=chat,
                call=tool.taints,
                prompts_each_time=tool.prompts_each_time,
            )
            if decided.verdict is Verdict.REFUSE:
                self._set(index, state=CallState.DENIED, text=_REFUSED)
                continue
            state = CallState.RUNNING if decided.verdict is Verdict.RUN else CallState.WAITING
            taints = tuple(sorted(tool.taints))
            self._set(
                index,
                state=state,
                allowed_by=decided.allowed_by,
                taints=taints,
                is_risky=decided.is_risky,
                sources=sources if decided.is_risky else (),
                is_editable=bool(tool.field),
                after_untrusted=Taint.UNTRUSTED in chat,
                change=tool.change if state is CallState.WAITING else "",
            )
            sources = tuple(dict.fromkeys((*sources, *((taint, tool.name) for taint in taints))))

    async def look_ahead(self) -> None:
        """Find out what the calls would change that the user is shown first."""
        for index, tool in enumerate(self.tools):
            if (
                tool is None
                or not tool.prompts_each_time
                or self.results[index].state is not CallState.WAITING
            ):
                continue
            try:
                self._set(index, preview=await tool.preview(self.arguments[index]))
            except ToolFailed as exc:
                self._set(index, state=CallState.FAILED, text=cleaned(str(exc)), taints=())

    async def put(self, index: int, **changes: Any) -> None:
        """Change how a call stands, and tell."""
        self._set(index, **changes)
        await self.tell()

    def note(self, index: int, **changes: Any) -> None:
        """Change how a call stands, which is told with what is told next."""
        self._set(index, **changes)

    async def tell(self) -> None:
        """Report how the calls stand now; one report after the other."""
        async with self._telling:
            await self._report(tuple(self.results))

    def _set(self, index: int, **changes: Any) -> None:
        self.results[index] = msgspec.structs.replace(self.results[index], **changes)

    def _is_allowed_in_chat(self, tool: Tool[Any]) -> bool:
        granted = read_grants(self.box.options.chat_permissions).get(tool.name)
        return granted is not None and granted.fingerprint == tool.fingerprint


async def _preview(tool: Tool[Any], arguments: Any) -> str:
    try:
        return await tool.preview(arguments)
    except ToolFailed:
        return ""


class _Watch:
    """Tells the chat what comes while a call runs. The time of the user is not the call's."""

    def __init__(self, step: _Step, index: int, *, consents: Consents) -> None:
        self._step = step
        self._index = index
        self._consents = consents
        self._asking = asyncio.Lock()
        self._telling: asyncio.Task[None] | None = None
        self._is_new = False
        self.is_over = asyncio.Event()
        self.limit: asyncio.Timeout | None = None

    def on_progress(self, message: str, fraction: float | None) -> None:
        percent = "" if fraction is None else f"{min(max(fraction, 0.0), 1.0):.0%}"
        words = cleaned(" · ".join(filter(None, (percent, message))))
        self._step.note(self._index, progress=words)
        self._is_new = True
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell(), name="progress")

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        async with self._asking:  # one question at a time on a card
            step = self._step
            question = self._consents.ask(step.message_id, step.results[self._index].call_id, elicitation)
            left = self._pause()
            try:
                await step.put(self._index, asked=elicitation)
                return await question
            finally:
                question.cancel()
                self._resume(left)
                step.note(self._index, asked=None)

    async def _tell(self) -> None:
        while self._is_new and not self.is_over.is_set():
            self._is_new = False
            await self._step.tell()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PROGRESS_S):
                    await self.is_over.wait()
        self._telling = None

    def _pause(self) -> float | None:
        limit = self.limit
        if limit is None or limit.expired() or (when := limit.when()) is None:
            return None
        limit.reschedule(None)
        return when - asyncio.get_running_loop().time()

    def _resume(self, left: float | None) -> None:
        if left is not None and self.limit is not None and not self.limit.expired():
            self.limit.reschedule(asyncio.get_running_loop().time() + left)


async def _outcome(tool: Tool[Any], arguments: Any, *, watch: _Watch) -> tuple[CallState, str]:
    try:
        async with asyncio.timeout(tool.limit_s) as limit:
            watch.limit = limit
            try:
                return CallState.DONE, await tool.run(arguments, watch=watch)
            finally:
                watch.limit = None  # a question that is still open ends behind the call
    except ToolFailed as exc:
        return CallState.FAILED, str(exc)
    except TimeoutError:
        return CallState.FAILED, f"The call took longer than {tool.limit_s:.0f} s and was stopped."
    except FiresideError as exc:
        return CallState.FAILED, exc.info().sentence
    except Exception as exc:
        log.exception("a tool ended with a bug")
        return CallState.FAILED, f"The tool failed: {type(exc).__name__}."
