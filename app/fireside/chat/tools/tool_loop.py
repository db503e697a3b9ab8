"""Run the tool calls of one answer: with consent, concurrently, and within the limits of a loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec

from fireside.chat.tools.consents import ConsentReply, Consents
from fireside.chat.tools.toolbox import Toolbox
from fireside.core.attachment import MAX_ATTACHED_BYTES, attachment_limit_problem
from fireside.core.elicitation import Elicitation, ElicitationReply, progress_text
from fireside.core.errors import FiresideError
from fireside.core.ids import MessageId
from fireside.core.message import ImagePart, MadeFile, ToolCallPart, ToolResultPart
from fireside.core.tool_servers import ToolOutput
from fireside.core.tools import (
    MEMORY_NAME,
    UNFINISHED,
    AllowedBy,
    CallsEnded,
    CallState,
    ConsentAnswer,
    Taint,
)
from fireside.tools.consent import ConsentVerdict, decide, read_grants, taints_of
from fireside.tools.loop_guard import FinishedCall, LoopGuard
from fireside.tools.read_result import cleaned, truncated
from fireside.tools.tool import InvalidArguments, RunnableTool, ToolFailed

log = logging.getLogger(__name__)

Report = Callable[[tuple[ToolResultPart, ...]], Awaitable[None]]
"""Takes the results of all calls of a step whenever one of them has changed."""

_PROGRESS_S: Final = 0.5
"""Seconds between two reports of progress."""
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
    """Runs the calls of one answer, step by step."""

    def __init__(self, consents: Consents, *, n_steps: int, clock: Callable[[], float]) -> None:
        self._consents = consents
        self._guard = LoopGuard(n_steps=n_steps)
        self._clock = clock
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._is_cancelled = False
        self._images: tuple[ImagePart, ...] = ()
        """Of all results so far."""
        self._made_bytes = 0
        """Of the files that all calls made so far."""

    def cancel(self) -> None:
        """Cancel calls that run or wait, for good; ``run`` then returns at once."""
        self._is_cancelled = True
        for task in self._tasks:
            task.cancel()

    async def run(
        self, calls: Sequence[ToolCallPart], *, box: Toolbox, message_id: MessageId, report: Report
    ) -> CallsEnded | None:
        """Run the calls of one step; each has a result when this returns.

        Returns why the model may make no more calls; ``None`` if it may.
        """
        step = _Step(calls, box=box, message_id=message_id, report=report)
        step.decide()
        previews = asyncio.create_task(step.load_previews(), name="previews")
        self._tasks = (previews,)
        await asyncio.wait(self._tasks)
        if not previews.cancelled():
            previews.result()
        replies = self._expected_replies(step)
        await step.report()
        if not self._is_cancelled:
            self._tasks = tuple(
                asyncio.create_task(self._run_call(step, index, replies.get(index)), name=f"call {call.name}")
                for index, call in enumerate(calls)
                if step.results[index].state in UNFINISHED
            )
            if self._tasks:
                await asyncio.wait(self._tasks)
        for reply in replies.values():
            reply.cancel()
        for index, result in enumerate(step.results):
            if result.state in UNFINISHED:
                text = "\n".join(filter(None, (result.text, _STOPPED)))
                step.change(index, state=CallState.STOPPED, text=text, progress="", asked=None)
        await step.report()
        return self._guard.stop_reason(step.finished_calls)

    def _expected_replies(self, step: _Step) -> dict[int, asyncio.Future[ConsentReply]]:
        """Return futures of the user's replies, by the index of the call."""
        return {
            index: self._consents.expect_answer(
                step.message_id, result.call_id, tool=tool, once=result.is_asked_each_time
            )
            for index, (tool, result) in enumerate(zip(step.tools, step.results, strict=True))
            if tool is not None and result.state is CallState.WAITING
        }

    async def _run_call(self, step: _Step, index: int, reply: asyncio.Future[ConsentReply] | None) -> None:
        tool, result, notice = step.tools[index], step.results[index], ""
        assert tool is not None
        if reply is not None:
            consent = await reply
            answer = await self._consents.store(
                consent.answer, tool=tool, once=result.is_asked_each_time, box=step.box
            )
            if answer is ConsentAnswer.DENY:
                await step.change_and_report(index, state=CallState.DENIED, text=_DENIED)
                return
            if await _preview(tool, step.arguments[index]) != result.preview:
                await step.change_and_report(index, state=CallState.FAILED, text=_CHANGED)
                return
            if tool.field and consent.text is not None and consent.text != result.preview:
                notice = f"The user changed {tool.field} to: {consent.text}\n\n"
                step.arguments[index] = tool.with_text(step.arguments[index], consent.text)
                await step.change_and_report(index, preview=consent.text)
            if consent.scope is not None and consent.scope is not result.scope:
                step.arguments[index] = tool.with_scope(step.arguments[index], consent.scope)
                step.change(index, scope=consent.scope)
            await step.change_and_report(index, state=CallState.RUNNING, allowed_by=_ALLOWED_BY[answer])
        started_at = self._clock()
        observer = _CallObserver(step, index, consents=self._consents)
        try:
            output = await _call(tool, step.arguments[index], observer=observer)
        finally:
            observer.is_over.set()
        images, problem = self._within_limits(output.images)
        files, left_out = self._files_within_limits(output.files)
        problem += left_out
        text = cleaned(f"{notice}{output.text}{problem}")
        await step.change_and_report(
            index,
            state=CallState.FAILED if output.is_error else CallState.DONE,
            images=images,
            files=files,
            memory_bytes=output.memory_bytes,
            progress="",
            asked=None,
            text=text,
            shown=_for_model(text, output.notes, handle=result.call_id, box=step.box),
            seconds=self._clock() - started_at,
        )

    def _within_limits(self, images: tuple[ImagePart, ...]) -> tuple[tuple[ImagePart, ...], str]:
        """Return those that the message can have besides the earlier ones, and a line about the others."""
        before = self._images
        for image in images:
            if reason := attachment_limit_problem((*self._images, image)):
                n_left_out = len(before) + len(images) - len(self._images)
                return self._images[len(before) :], f"\n[{n_left_out} images are not shown: {reason}]"
            self._images = (*self._images, image)
        return images, ""

    def _files_within_limits(self, files: tuple[MadeFile, ...]) -> tuple[tuple[MadeFile, ...], str]:
        """Return those that the message can have besides the earlier ones, and a line about the others."""
        kept: list[MadeFile] = []
        for file in files:
            if self._made_bytes + len(file.data) <= MAX_ATTACHED_BYTES:
                self._made_bytes += len(file.data)
                kept.append(file)
        n_left_out = len(files) - len(kept)
        limit = MAX_ATTACHED_BYTES // 10**6
        note = f"\n[{n_left_out} files were not kept: an answer has at most {limit} MB of them]"
        return tuple(kept), note if n_left_out else ""


def _for_model(text: str, notes: str, *, handle: str, box: Toolbox) -> str:
    """Return a result as the model is given it; empty where that is ``text``."""
    shown = truncated(text, handle=handle, n_tokens=box.max_result_tokens)
    return "\n".join(filter(None, (shown or text, notes))) if notes else shown


class _Step:
    """The calls of one step and their results so far."""

    def __init__(
        self, calls: Sequence[ToolCallPart], *, box: Toolbox, message_id: MessageId, report: Report
    ) -> None:
        self.box = box
        self.message_id = message_id
        self._calls = calls
        self._report = report
        self._reporting = asyncio.Lock()
        self._invalid: set[int] = set()
        self.tools: list[RunnableTool[Any] | None] = [None] * len(calls)
        self.arguments: list[Any] = [None] * len(calls)
        self.results = [
            ToolResultPart(call_id=call.id, name=call.name, text="", state=CallState.RUNNING)
            for call in calls
        ]

    @property
    def finished_calls(self) -> tuple[FinishedCall, ...]:
        """The calls with their results, for the loop guard."""
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
        """Decide which calls run, which wait for the user, and which are refused.

        A decision counts the data that the calls before it may access.
        """
        sources = self.box.sources
        for index, call in enumerate(self._calls):
            try:
                tool, self.arguments[index] = self.box.parse(call)
            except InvalidArguments as exc:
                self._invalid.add(index)
                self.change(index, state=CallState.FAILED, text=cleaned(str(exc)))
                continue
            self.tools[index] = tool
            chat = taints_of(sources)
            decision = decide(
                fingerprint=tool.fingerprint,
                default=tool.permission,
                granted=read_grants(self.box.options.permissions).get(tool.name),
                in_chat=self._is_allowed_in_chat(tool),
                chat=chat,
                call=tool.taints,
                prompts_each_time=tool.prompts_each_time,
            )
            if decision.verdict is ConsentVerdict.REFUSE:
                self.change(index, state=CallState.DENIED, text=_REFUSED)
                continue
            state = CallState.RUNNING if decision.verdict is ConsentVerdict.RUN else CallState.WAITING
            taints = tuple(sorted(tool.taints))
            self.change(
                index,
                state=state,
                allowed_by=decision.allowed_by,
                taints=taints,
                is_risky=decision.is_risky,
                sources=sources if decision.is_risky else (),
                is_editable=bool(tool.field),
                scope=tool.scope(self.arguments[index]),
                project=self.box.project if tool.name == MEMORY_NAME else "",
                sent_to=self.box.host,
                reach=tool.reach,
                after_untrusted=Taint.UNTRUSTED in chat,
                change=tool.change if state is CallState.WAITING else "",
            )
            sources = tuple(dict.fromkeys((*sources, *((taint, tool.name) for taint in taints))))

    async def load_previews(self) -> None:
        """Load what the waiting calls would change, for the user to see."""
        for index, tool in enumerate(self.tools):
            is_waiting = self.results[index].state is CallState.WAITING
            if tool is None or not tool.prompts_each_time or not is_waiting:
                continue
            try:
                self.change(index, preview=await tool.preview(self.arguments[index]))
            except ToolFailed as exc:
                self.change(index, state=CallState.FAILED, text=cleaned(str(exc)), taints=())

    def change(self, index: int, **changes: Any) -> None:
        """Change the result of a call, which is reported with the next report."""
        self.results[index] = msgspec.structs.replace(self.results[index], **changes)

    async def change_and_report(self, index: int, **changes: Any) -> None:
        """Change the result of a call and report it."""
        self.change(index, **changes)
        await self.report()

    async def report(self) -> None:
        """Report the current results, one report at a time."""
        async with self._reporting:
            await self._report(tuple(self.results))

    def _is_allowed_in_chat(self, tool: RunnableTool[Any]) -> bool:
        granted = read_grants(self.box.options.chat_permissions).get(tool.name)
        return granted is not None and granted.fingerprint == tool.fingerprint


async def _preview(tool: RunnableTool[Any], arguments: Any) -> str:
    try:
        return await tool.preview(arguments)
    except ToolFailed:
        return ""


class _CallObserver:
    """Reports progress of a running call and passes its server's requests to the user.

    The time that the user takes does not count towards the time limit of the call.
    """

    def __init__(self, step: _Step, index: int, *, consents: Consents) -> None:
        self._step = step
        self._index = index
        self._consents = consents
        self._elicitation_lock = asyncio.Lock()
        self._report_task: asyncio.Task[None] | None = None
        self._has_news = False
        self.is_over = asyncio.Event()
        self.limit: asyncio.Timeout | None = None

    def on_progress(self, message: str, fraction: float | None) -> None:
        self._step.change(self._index, progress=cleaned(progress_text(message, fraction)))
        self._report_soon()

    def on_output(self, text: str) -> None:
        if not self.is_over.is_set():
            self._step.change(self._index, text=cleaned(text.rstrip("\n")))
            self._report_soon()

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        async with self._elicitation_lock:  # the window shows one request at a time
            step = self._step
            reply = self._consents.expect_reply(
                step.message_id, step.results[self._index].call_id, elicitation
            )
            remaining_s = self._pause()
            try:
                await step.change_and_report(self._index, asked=elicitation)
                return await reply
            finally:
                reply.cancel()
                self._resume(remaining_s)
                step.change(self._index, asked=None)

    def _report_soon(self) -> None:
        self._has_news = True
        if self._report_task is None:
            self._report_task = asyncio.create_task(self._report_progress(), name="progress")

    async def _report_progress(self) -> None:
        while self._has_news and not self.is_over.is_set():
            self._has_news = False
            await self._step.report()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PROGRESS_S):
                    await self.is_over.wait()
        self._report_task = None

    def _pause(self) -> float | None:
        limit = self.limit
        if limit is None or limit.expired() or (when := limit.when()) is None:
            return None
        limit.reschedule(None)
        return when - asyncio.get_running_loop().time()

    def _resume(self, remaining_s: float | None) -> None:
        if remaining_s is not None and self.limit is not None and not self.limit.expired():
            self.limit.reschedule(asyncio.get_running_loop().time() + remaining_s)


async def _call(tool: RunnableTool[Any], arguments: Any, *, observer: _CallObserver) -> ToolOutput:
    try:
        async with asyncio.timeout(tool.limit_s) as limit:
            observer.limit = limit
            try:
                return await tool.run(arguments, watch=observer)
            finally:
                observer.limit = None  # an open request to the user outlives the call
    except ToolFailed as exc:
        text = str(exc)
    except TimeoutError:
        text = f"The call took longer than {tool.limit_s:.0f} s and was stopped."
    except FiresideError as exc:
        text = exc.info().sentence
    except Exception as exc:
        log.exception("a tool ended with a bug")
        text = f"The tool failed: {type(exc).__name__}."
    return ToolOutput(text=text, is_error=True)
