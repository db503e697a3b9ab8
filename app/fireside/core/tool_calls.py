"""A tool call as it is shown: title, arguments, state, result, and the question for consent.

The window, the exports, paper and the terminal all show this one view of a call.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from fireside.core.chat import MessageState, StoredMessage
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.elicitation import Elicitation, ElicitationReply
from fireside.core.errors import format_bytes
from fireside.core.facts import FactPlace
from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.message import (
    ChatMessage,
    ContentPart,
    ImagePart,
    MadeFile,
    MessagePart,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.tool_servers import SEPARATOR, tool_label
from fireside.core.tools import (
    CALL_TOOL,
    PYTHON_NAME,
    UNFINISHED,
    AllowedBy,
    AllowEdited,
    CallsEnded,
    CallState,
    CallToolArguments,
    CodeArguments,
    ConsentAnswer,
    Sources,
    Taint,
)

T = TypeVar("T")
U = TypeVar("U")

CALL_SEPARATOR: Final = " · "
_MAX_SUMMARY_CHARS: Final = 90
_MAX_CHANGE_CHARS: Final = 4_000
_MAX_RESULT_CHARS: Final = 50_000
"""Characters of a result that the window lays out."""
_MAX_END_CHARS: Final = 1_000
"""Of them, from its end."""

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


class CallSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of what is told of a call: a heading on one line, and code."""

    heading: str
    text: str
    language: str = ""


class ShownCall(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call with its result, and the texts about it.

    Invisible characters of what the model wrote are shown by their code points: the user decides by it.
    """

    part: ToolCallPart
    """The call; of one by ``CALL_TOOL`` the call inside. Its arguments are empty for a result without a call,
    which chats of other programs may have."""
    result: ToolResultPart | None = None
    n_before: int = 0
    """Offset in the answer's text, in characters."""
    is_live: bool = False
    """The answer is still being generated."""
    is_code_above: bool = False
    """Its code is the block of the answer directly above it."""

    @property
    def is_waiting(self) -> bool:
        """Whether the call waits for the user."""
        is_held = self.result is not None and self.result.state is CallState.WAITING
        return self.elicitation is not None or (self.is_live and is_held)

    @property
    def is_running_code(self) -> bool:
        """Whether it is code that runs."""
        is_running = self.result is not None and self.result.state is CallState.RUNNING
        return self.is_live and is_running and bool(self.code)

    @property
    def elicitation(self) -> Elicitation | None:
        """What the call's server asks the user, while it waits for that."""
        result = self.result
        if not self.is_live or result is None or result.state is not CallState.RUNNING:
            return None
        return result.asked

    @property
    def title(self) -> str:
        """Tool, server, state, duration and who allowed it."""
        return CALL_SEPARATOR.join((self.label, *self.details))

    @property
    def label(self) -> str:
        """The tool's name for the user, and its server."""
        server, separator, _ = self.part.name.partition(SEPARATOR)
        label = tool_label(self.part.name)
        return CALL_SEPARATOR.join((label, server)) if separator else label

    @property
    def details(self) -> tuple[str, ...]:
        """State, duration and who allowed it; that a call is done needs no word."""
        return () if self.result is None else tuple(_state_texts(self.result, is_live=self.is_live))

    @property
    def summary(self) -> str:
        """The arguments on one line, or the text as the user confirmed it; empty if there are none."""
        result = self.result
        if result is not None and result.is_editable:
            source = result.preview
            if result.scope is not None and result.state is CallState.DONE:
                place = FactPlace.label_of(result.scope, result.project)
                source = CALL_SEPARATOR.join((source, place))
        elif self.is_code_above:
            source = ""
        else:
            source = self.code or _arguments_summary(self.part.arguments)
        summary = " ".join(with_invisible_named(source).split())
        return summary if len(summary) <= _MAX_SUMMARY_CHARS else f"{summary[: _MAX_SUMMARY_CHARS - 1]}…"

    @property
    def code(self) -> str:
        """The Python code that it runs; empty where it is another tool, or has no code."""
        if self.part.name != PYTHON_NAME:
            return ""
        try:
            return with_invisible_named(decode_json(self.part.arguments, kind=CodeArguments).code)
        except JsonInvalid:
            return ""

    @property
    def request(self) -> CallSection:
        """What it changes, or else its code or its arguments."""
        if self.change:
            return CallSection(heading=tr("Change"), text=self.change, language="diff")
        if self.code:
            return CallSection(heading=tr("Code"), text=self.code, language="python")
        return CallSection(heading=tr("Arguments"), text=self.arguments)

    @property
    def arguments(self) -> str:
        """The arguments as indented JSON, or as they are where they are not JSON."""
        arguments = with_invisible_named(self.part.arguments)
        try:
            return msgspec.json.format(arguments, indent=2)
        except (msgspec.DecodeError, RecursionError):
            return arguments

    @property
    def change(self) -> str:
        """What the call changes, as a diff; empty for a call that changes nothing."""
        if self.result is None or self.result.is_editable:
            return ""
        return with_invisible_named(self.result.preview)

    @property
    def images(self) -> tuple[ImagePart, ...]:
        """The images of its result."""
        return () if self.result is None else self.result.images

    @property
    def files(self) -> tuple[MadeFile, ...]:
        """The files that it made."""
        return () if self.result is None else self.result.files

    @property
    def unfolded(self) -> tuple[str, str]:
        """What the window shows of an unfolded call: what it changes or else its arguments, and the result.

        Each may be empty. Of a very long result only beginning and end: the window lays it out at once.
        """
        if self.is_waiting and self.result is not None and self.result.is_editable:
            return "", ""
        request = "" if self.is_code_above else self.request.text
        return request, "" if self.result is None else _shortened(self.result.text)

    @property
    def sections(self) -> Iterator[CallSection]:
        """Yield all about it, for paper and files: arguments, what it changes, and the result."""
        label = " ".join(self.label.split())
        details = " ".join(CALL_SEPARATOR.join(("", *self.details)).split())
        if self.arguments:
            heading = tr("Calls tool {name}").format(name=label)
            text, language = (self.code, "python") if self.code else (self.arguments, "json")
            yield CallSection(heading=f"{heading} {details}".rstrip(), text=text, language=language)
            details = ""
        if self.change:
            yield CallSection(heading=tr("Change"), text=self.change, language="diff")
        if self.result is not None and (self.result.text or not self.arguments):
            heading = tr("Result of {name}").format(name=label)
            yield CallSection(heading=f"{heading} {details}".rstrip(), text=self.result.text)


def shown_parts(parts: Sequence[MessagePart], *, is_live: bool = False) -> Iterator[ContentPart | ShownCall]:
    """Yield the parts of a message, calls with their results, each in the place of its call."""
    calls, results = _paired_results(parts)
    n_before, above = 0, ""
    for index, part in enumerate(parts):
        match part:
            case ToolCallPart():
                call, result = _unwrapped_call(part), calls.get(index)
                shown = ShownCall(part=call, result=result, n_before=n_before, is_live=is_live)
                is_above = result is not None and result.by_user and _ends_with(above, shown.code)
                yield msgspec.structs.replace(shown, is_code_above=is_above)
            case ToolResultPart():
                if index not in results:
                    call = ToolCallPart(id=part.call_id, name=part.name, arguments="")
                    yield ShownCall(part=call, result=part, n_before=n_before, is_live=is_live)
            case _:
                if isinstance(part, TextPart):
                    n_before, above = n_before + len(part.text), part.text or above
                yield part


def _ends_with(text: str, code: str) -> bool:
    """Return whether a text ends with a block of this code."""
    above = "".join(text.rstrip().rstrip("`~").split())
    return bool(code.strip()) and above.endswith("".join(code.split()))


def _paired_results(parts: Sequence[MessagePart]) -> tuple[dict[int, ToolResultPart], set[int]]:
    """Return the results by the indexes of their calls, and the indexes of these results.

    Chats of other programs may repeat an id: a result is then that of the first call without one.
    """
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    calls, results = dict[int, ToolResultPart](), set[int]()
    for index, part in enumerate(parts):
        if isinstance(part, ToolCallPart):
            waiting[part.id].append(index)
        elif isinstance(part, ToolResultPart) and waiting[part.call_id]:
            calls[waiting[part.call_id].popleft()] = part
            results.add(index)
    return calls, results


def calls_of(message: ChatMessage, *, is_live: bool) -> tuple[ShownCall, ...]:
    """Return the tool calls of an answer, in order."""
    parts = shown_parts(message.parts, is_live=is_live)
    return tuple(part for part in parts if isinstance(part, ShownCall))


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

    ``blocks`` have their start, ``calls`` their ``ShownCall.n_before``; both are in order.
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


def _state_texts(result: ToolResultPart, *, is_live: bool) -> Iterator[str]:
    if result.state in UNFINISHED and not is_live:
        yield tr("Interrupted")
        return
    if result.asked is not None:
        yield tr("Waiting for you")
    elif result.state in _STATES:
        yield tr(_STATES[result.state])
    if result.progress and result.asked is None:
        yield with_invisible_named(result.progress)
    if result.seconds is not None:
        yield tr("{seconds} s").format(seconds=number(result.seconds, decimals=1))
    if result.memory_bytes is not None:
        yield format_bytes(result.memory_bytes)
    if result.by_user:
        yield tr("run by you")
    elif result.allowed_by is not None:
        yield tr(_ALLOWED[result.allowed_by])
    if result.is_truncated:
        yield tr("truncated for the model")


def _arguments_summary(arguments: str) -> str:
    """Return ``city: Bern · nights: 3``; what is not a complete JSON object is returned as it is."""
    try:
        values = decode_json(arguments, kind=dict[str, object])
    except JsonInvalid:
        return arguments
    texts = (
        value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in values.values()
    )
    return CALL_SEPARATOR.join(f"{name}: {text}" for name, text in zip(values, texts, strict=True))


def _shortened(result: str) -> str:
    """Return the beginning and the end of a result: what stopped a call is said at its end."""
    n_hidden = len(result) - _MAX_RESULT_CHARS
    if n_hidden <= 0:
        return result
    note = tr("%n more character|%n more characters", "", n_hidden)
    return f"{result[: _MAX_RESULT_CHARS - _MAX_END_CHARS]}\n[{note}]\n{result[-_MAX_END_CHARS:]}"


def consent_question(result: ToolResultPart) -> str:
    """Return the question for the user's permission, with what the call touches."""
    if result.is_editable:
        question = tr(_QUESTIONS.get(result.name, _SEND_QUESTION))
    elif result.name == PYTHON_NAME:
        question = tr("Allow the model to run this code?")
    elif result.preview:
        question = tr("Allow the model to make this change?")
    else:
        question = tr("Allow the model to use this tool?")
    texts = (" ".join((question, *consent_reasons(result))), tool_change_text(result))
    return "\n".join(filter(None, texts))


def consent_reasons(result: ToolResultPart) -> Iterator[str]:
    """Yield what the user should know before they allow a call: sentences, the last with lines below it."""
    if result.reach:
        yield result.reach
    elif result.is_editable:  # the user reads all of it
        if result.after_untrusted:
            yield tr("Text by others in this chat may have suggested it.")
    elif result.name == PYTHON_NAME and not result.taints:
        yield tr("It has no network, and no files but those of this chat.")
    else:
        yield from (tr(_TAINTS[taint]) for taint in Taint if taint in result.taints)
    if result.sent_to:
        yield tr("The result is sent to {host}.").format(host=result.sent_to)
    if result.is_risky:
        risk = tr(
            "With this call the chat has private data, text by others and effects outside, so text by others "
            "could send your data away. It needs your permission each time."
        )
        sources = tuple(each for each in result.sources if each != (Taint.OUTBOUND, result.sent_to))
        yield "\n".join((risk, *_source_lines(sources)))


def tool_change_text(result: ToolResultPart) -> str:
    """Return how the tool differs from the one that the user allowed; empty for one that does not."""
    if not result.change:
        return ""
    change = tr("The tool is not what you decided about:")
    return f"{change}\n{result.change[:_MAX_CHANGE_CHARS]}"


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
