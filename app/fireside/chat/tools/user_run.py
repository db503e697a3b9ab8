"""Code that the user runs within an answer: a call of the answer that no model made."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

import msgspec

from fireside.chat.tools.chat_python import chat_python
from fireside.chat.tools.consents import Consents
from fireside.chat.tools.tool_loop import ToolLoop
from fireside.chat.tools.toolbox import Toolbox
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.errors import StorageError
from fireside.core.events import MessageReplaced, StorageFailed
from fireside.core.ids import MessageId
from fireside.core.message import ChatMessage, MessagePart, TextPart, ToolCallPart, ToolResultPart
from fireside.core.tools import PYTHON_NAME, AllowedBy, CodeArguments, Permission
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import tool_options
from fireside.tools.consent import Granted, write_grants
from fireside.tools.python import PythonTool
from fireside.tools.read_result import MAX_RESULT_TOKENS


class UserRun:
    """Runs code once, as ``AnswerGeneration`` runs an answer, and stores the call with its result.

    While it runs, the answer is reported as one that is being generated; stored, it is what it was before,
    with a call that has not ended.
    """

    thinking_started_at: float | None = None

    def __init__(self, context: ServiceContext, *, answer: StoredMessage, code: str, offset: int) -> None:
        """The call is shown behind ``offset`` characters of the answer's text."""
        self._context = context
        self._before, self._after = _split(answer.message.parts, offset)
        self._answer = answer
        self._is_running = True
        self._loop = ToolLoop(Consents(context.preferences), n_steps=1, clock=time.monotonic)
        arguments = msgspec.json.encode(CodeArguments(code=code)).decode()
        self._call = ToolCallPart(id=f"run_{secrets.token_hex(6)}", name=PYTHON_NAME, arguments=arguments)

    @property
    def message_id(self) -> MessageId:
        """The id of the answer."""
        return self._answer.id

    @property
    def reported(self) -> StoredMessage:
        """The answer as it is shown."""
        state = MessageState.STREAMING if self._is_running else self._answer.state
        return msgspec.structs.replace(self._answer, state=state)

    def cancel(self) -> None:
        """Stop the code; ``run`` returns once that is stored."""
        self._loop.cancel()

    async def run(self) -> bool:
        """Run the code, or stop when cancelled. Returns ``True``: what is queued may follow."""
        try:
            await self._run()
        finally:
            self._is_running = False
            self._context.emit(MessageReplaced(message=self._answer))
        return True

    async def _run(self) -> None:
        context, answer = self._context, self._answer
        resolved = await context.preferences.resolved(model_id=None, conversation_id=answer.conversation_id)
        options = tool_options(resolved)
        path = await context.store.messages.path_to(answer.id)
        skills = await context.skills.ready(options.skills)
        access = await chat_python(context.python, options, path, skills=skills)
        taints = tuple(sorted(PythonTool(access).taints))
        # The user's click is the consent, whatever it can reach: that was shown.
        tool = PythonTool(msgspec.structs.replace(access, reach="", has_folders=False, has_skills=False))
        allowed = {tool.name: Granted(permission=Permission.ALWAYS, fingerprint=tool.fingerprint)}
        box = Toolbox(
            conversation_id=answer.conversation_id,
            tools=(tool,),
            advertised=(),
            options=msgspec.structs.replace(options, permissions=write_grants(allowed)),
            sources=(),
            max_result_tokens=MAX_RESULT_TOKENS,
        )

        async def report(results: tuple[ToolResultPart, ...]) -> None:
            result = msgspec.structs.replace(
                results[0], by_user=True, allowed_by=AllowedBy.ONCE, taints=taints
            )
            await self._store(result)

        await self._loop.run((self._call,), box=box, message_id=answer.id, report=report)

    async def _store(self, result: ToolResultPart) -> None:
        message = ChatMessage(
            role=self._answer.message.role, parts=(*self._before, self._call, result, *self._after)
        )
        self._answer = msgspec.structs.replace(self._answer, message=message)
        try:
            await self._context.store.messages.finish(self._answer)
        except StorageError as exc:
            self._context.emit(StorageFailed(error=exc.info()))
        self._context.emit(MessageReplaced(message=self.reported))


def _split(
    parts: Sequence[MessagePart], offset: int
) -> tuple[tuple[MessagePart, ...], tuple[MessagePart, ...]]:
    """Split the parts behind so many characters of text, and behind the calls that are there already."""
    n_before = 0
    for index, part in enumerate(parts):
        if not isinstance(part, TextPart) or not part.text:
            continue
        if n_before >= offset:
            return tuple(parts[:index]), tuple(parts[index:])
        if (n_left := offset - n_before) < len(part.text):
            head, tail = TextPart(text=part.text[:n_left]), TextPart(text=part.text[n_left:])
            return (*parts[:index], head), (tail, *parts[index + 1 :])
        n_before += len(part.text)
    return tuple(parts), ()
