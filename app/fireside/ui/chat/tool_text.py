"""Texts about tool calls: title, arguments, result, the question for consent. Pure: no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from fireside.core.chat import MessageState, StoredMessage
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.elicitation import Elicitation, ElicitationReply
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.invisible import with_invisible_named
from fireside.core.message import ChatMessage, TextPart, ToolCallPart, ToolResultPart
from fireside.core.tool_servers import SEPARATOR, tool_label
from fireside.core.tools import (
    CALL_TOOL,
    UNFINISHED,
    AllowedBy,
    AllowEdited,
    CallsEnded,
    CallState,
    CallToolArguments,
    ConsentAnswer,
    Sources,
    Taint,
)

T = TypeVar("T")
U = TypeVar("U")

_SEPARATOR: Final = " · "
_MAX_SUMMARY_CHARS: Final = 90
_MAX_CHANGE_CHARS: Final = 4_000
_MAX_RESULT_CHARS: Final = 50_000
"""Characters of a result that are laid out."""

CallAnswer = ConsentAnswer | AllowEdited | ElicitationReply
"""The user's answer to a call that waits."""
ANSWER_LABELS: Final = {
    ConsentAnswer.ONCE: tr_noop("Allow once"),
    ConsentAnswer.CHAT: tr_noop("Allow in this chat"),
    ConsentAnswer.ALWAYS: tr_noop("Always allow"),
    ConsentAnswer.DENY: tr_noop("Deny"),
}
_STATES: Final = {
    CallState.WAITING: tr_noop("Waiting for permission"),
    CallState.RUNNING: tr_noop("Running…"),
    CallState.FAILED: tr_noop("Failed"),
    CallState.DENIED: tr_noop("Denied"),
    CallState.STOPPED: tr_noop("Stopped"),
}
_ALLOWED: Final = {
    AllowedBy.POLICY: tr_noop("always allowed"),
    AllowedBy.CHAT: tr_noop("allowed in this chat"),
    AllowedBy.ONCE: tr_noop("allowed once"),
}
_TAINTS: Final = {
    Taint.PRIVATE: tr_noop("It reads data of yours."),
    Taint.UNTRUSTED: tr_noop("What it returns was written by others and may try to instruct the model."),
    Taint.OUTBOUND: tr_noop("It can send data out of this chat, or change something."),
}
_SOURCES: Final = {
    Taint.PRIVATE: tr_noop("Private data from: {names}."),
    Taint.UNTRUSTED: tr_noop("Text by others from: {names}."),
    Taint.OUTBOUND: tr_noop("Effects outside by: {names}."),
}
_SEND_QUESTION: Final = tr_noop("Send these words? You can change them.")
_QUESTIONS: Final = {
    "web_search": tr_noop("Send this query to your search provider? You can change it."),
    "remember": tr_noop("Remember this in future chats? You can change it."),
}
_ENDED: Final = {
    CallsEnded.STEPS: tr_noop("Tools stopped: step limit reached."),
    CallsEnded.REPEATED: tr_noop("Tools stopped: a call was repeated with the same result."),
    CallsEnded.INVALID: tr_noop("Tools stopped: invalid arguments twice in a row."),
    CallsEnded.SILENT: tr_noop("Tools stopped: no response after the last call."),
    CallsEnded.REFUSED: tr_noop("Answered without tools: the server or its model takes none."),
}


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call with its result."""

    part: ToolCallPart
    result: ToolResultPart | None = None
    n_before: int = 0
    """Offset in the answer's text, in characters."""
    is_live: bool = False
    """The answer is still being generated."""

    @property
    def is_waiting(self) -> bool:
        """Whether the call waits for the user."""
        is_held = self.result is not None and self.result.state is CallState.WAITING
        return self.elicitation is not None or (self.is_live and is_held)

    @property
    def elicitation(self) -> Elicitation | None:
        """What the call's server asks the user, while it waits for that."""
        result = self.result
        if not self.is_live or result is None or result.state is not CallState.RUNNING:
            return None
        return result.asked

    @property
    def is_done(self) -> bool:
        """Whether it has a result that is not an error."""
        return self.result is not None and self.result.state is CallState.DONE


def calls_of(message: ChatMessage, *, is_live: bool) -> tuple[Call, ...]:
    """Return the tool calls of an answer, in order."""
    results = {part.call_id: part for part in message.parts if isinstance(part, ToolResultPart)}
    calls, n_before = list[Call](), 0
    for part in message.parts:
        if isinstance(part, TextPart):
            n_before += len(part.text)
        elif isinstance(part, ToolCallPart):
            called, result = _unwrapped_call(part), results.get(part.id)
            calls.append(Call(part=called, result=result, n_before=n_before, is_live=is_live))
    return tuple(calls)


def _unwrapped_call(call: ToolCallPart) -> ToolCallPart:
    """Return the call inside a ``CALL_TOOL`` call, as if the model had called that tool directly."""
    if call.name != CALL_TOOL:
        return call
    try:
        inner = decode_json(call.arguments, kind=CallToolArguments)
    except JsonInvalid:
        return call
    arguments = msgspec.json.encode(inner.arguments).decode()
    return msgspec.structs.replace(call, name=inner.name, arguments=arguments)


def interleave_calls(blocks: Iterable[tuple[int, T]], calls: Iterable[tuple[int, U]]) -> Iterator[T | U]:
    """Yield the blocks of a text and what belongs to its calls, merged by offset.

    ``blocks`` have their start, ``calls`` their ``Call.n_before``; both are in order.
    """
    pending = list(calls)
    for start, block in blocks:
        while pending and pending[0][0] <= start:
            yield pending.pop(0)[1]
        yield block
    yield from (item for _, item in pending)


def n_waiting_calls(message: StoredMessage) -> int:
    """Return how many calls of an answer wait for the user."""
    is_live = message.state is MessageState.STREAMING
    return sum(call.is_waiting for call in calls_of(message.message, is_live=is_live))


def has_running_call(message: StoredMessage) -> bool:
    """Return whether a call of a streaming answer is running."""
    is_live = message.state is MessageState.STREAMING
    results = (part for part in message.message.parts if isinstance(part, ToolResultPart))
    return is_live and any(result.state is CallState.RUNNING for result in results)


def call_title(call: Call) -> str:
    """Return the card's title: tool, state, duration and who allowed it."""
    server, separator, _ = call.part.name.partition(SEPARATOR)
    parts = [tool_label(call.part.name), *([server] if separator else [])]
    result = call.result
    if result is not None:
        parts += _state_parts(result, is_live=call.is_live)
    return _SEPARATOR.join(parts)


def _state_parts(result: ToolResultPart, *, is_live: bool) -> list[str]:
    if result.state in UNFINISHED and not is_live:
        return [tr("Interrupted")]
    parts = [tr(_STATES[result.state])] if result.state in _STATES else []
    if result.asked is not None:
        parts = [tr("Waiting for you")]
    elif result.progress:
        parts.append(with_invisible_named(result.progress))
    if result.seconds is not None:
        parts.append(tr("{seconds} s").format(seconds=number(result.seconds, decimals=1)))
    if result.allowed_by is not None:
        parts.append(tr(_ALLOWED[result.allowed_by]))
    if result.shown:
        parts.append(tr("truncated for the model"))
    return parts


def call_summary(call: Call) -> str:
    """Return the arguments on one line, or the text as the user confirmed it; empty if there are none."""
    result = call.result
    source = (
        _arguments_summary(call.part.arguments)
        if result is None or not result.is_editable
        else result.preview
    )
    summary = " ".join(with_invisible_named(source).split())
    return summary if len(summary) <= _MAX_SUMMARY_CHARS else f"{summary[: _MAX_SUMMARY_CHARS - 1]}…"


def _arguments_summary(arguments: str) -> str:
    """Return ``city: Bern · nights: 3``; what is not a complete JSON object is returned as it is."""
    try:
        values = decode_json(arguments, kind=dict[str, object])
    except JsonInvalid:
        return arguments
    texts = (
        value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in values.values()
    )
    return _SEPARATOR.join(f"{name}: {text}" for name, text in zip(values, texts, strict=True))


def call_body(call: ToolCallPart) -> str:
    """Return the arguments as indented JSON, or as they are where they are not JSON.

    Invisible characters are shown by their code points: the user decides by this text.
    """
    arguments = with_invisible_named(call.arguments)
    try:
        return msgspec.json.format(arguments, indent=2)
    except (msgspec.DecodeError, RecursionError):
        return arguments


def call_texts(call: Call) -> tuple[str, ...]:
    """Return what an unfolded card shows: the arguments or what the call changes, and the result if any."""
    if call.is_waiting and call.result is not None and call.result.is_editable:
        return ()
    preview = "" if call.result is None or call.result.is_editable else call.result.preview
    request = with_invisible_named(preview) if preview else call_body(call.part)
    result = "" if call.result is None else result_body(call.result)
    return (request, result) if result else (request,)


def result_body(result: ToolResultPart) -> str:
    """Return the result, or the beginning of a very long one; the export has all of it."""
    n_hidden = len(result.text) - _MAX_RESULT_CHARS
    if n_hidden <= 0:
        return result.text
    note = tr("%n more character|%n more characters", "", n_hidden)
    return f"{result.text[:_MAX_RESULT_CHARS]}\n[{note}]"


def consent_question(result: ToolResultPart) -> str:
    """Return the question for the user's permission, with what the call touches."""
    effects = [tr(_TAINTS[taint]) for taint in Taint if taint in result.taints]
    if result.sent_to:
        effects.append(tr("The result is sent to {host}.").format(host=result.sent_to))
    if result.is_risky:
        effects.append(
            tr(
                "With this call the chat has private data, text by others and effects outside, so text by "
                "others could send your data away. It needs your permission each time."
            )
        )
        sources = tuple(each for each in result.sources if each != (Taint.OUTBOUND, result.sent_to))
        effects[-1] = "\n".join((effects[-1], *_source_lines(sources)))
    if result.is_editable:
        question = tr(_QUESTIONS.get(result.name, _SEND_QUESTION))
        suspicion = (
            [tr("Text by others in this chat may have suggested it.")] if result.after_untrusted else []
        )
        return " ".join((question, *suspicion, *(effects[-1:] if result.is_risky else ())))
    if result.preview:
        return " ".join((tr("Allow the model to make this change?"), *effects))
    question = " ".join((tr("Allow the model to use this tool?"), *effects))
    if not result.change:
        return question
    change = tr("The tool is not what you decided about:")
    return f"{question}\n{change}\n{result.change[:_MAX_CHANGE_CHARS]}"


def _source_lines(sources: Sources) -> Iterator[str]:
    for taint, template in _SOURCES.items():
        names = [_source_label(name) for source_taint, name in sources if source_taint is taint]
        if names:
            yield tr(template).format(names=", ".join(names))


def _source_label(name: str) -> str:
    return tool_label(name) if name else tr("files that you attached")


def elicitation_question(elicitation: Elicitation, *, host: str) -> str:
    """Return the server's question; an address is shown whole, with the ``host`` that it leads to."""
    question = tr("{server} asks: {message}").format(
        server=elicitation.server, message=with_invisible_named(elicitation.message)
    )
    if not elicitation.url:
        return question
    destination = tr("It wants to open a page at {host}:").format(host=host)
    return f"{question}\n{destination}\n{with_invisible_named(elicitation.url)}"


def consent_answers(result: ToolResultPart) -> Sequence[ConsentAnswer]:
    """Return the possible answers, the safest permission first."""
    if result.is_asked_each_time:
        return (ConsentAnswer.ONCE, ConsentAnswer.DENY)
    return tuple(ANSWER_LABELS)


def calls_ended_text(ended: CallsEnded) -> str:
    """Return why the model may make no further calls."""
    return tr(_ENDED[ended])
