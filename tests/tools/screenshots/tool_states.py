"""Calls of tools in a chat: one that waits, some that are done, one that is open."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from fakes.stored_messages import Messages
from fireside.core.chat import StoredMessage
from fireside.core.elicitation import Elicitation, ElicitationField, FieldKind
from fireside.core.facts import FactScope
from fireside.core.message import MessagePart, TextPart, ToolCallPart, ToolResultPart
from fireside.core.tools import AllowedBy, CallsEnded, CallState, Taint

PAGE = Elicitation(
    number=1,
    server="trips",
    message="Sign the booking.",
    url="https://trips.example.com/sign?booking=7f3a19&return=app",
)
FORM = Elicitation(
    number=2,
    server="trips",
    message="Which room do you want?",
    fields=(
        ElicitationField(name="city", label="City", description="Where the hotel is.", is_required=True),
        ElicitationField(
            name="nights", label="Nights", kind=FieldKind.INTEGER, minimum=1, maximum=9, default=2
        ),
        ElicitationField(
            name="class", label="Class", kind=FieldKind.CHOICE, options=(("1", "First"), ("2", "Second"))
        ),
        ElicitationField(name="quiet", label="A quiet room", kind=FieldKind.SWITCH, default=True),
    ),
)
_READS = (Taint.PRIVATE, Taint.UNTRUSTED)


def _call(
    name: str,
    arguments: str,
    text: str = "",
    *,
    state: CallState = CallState.DONE,
    allowed_by: AllowedBy | None = AllowedBy.POLICY,
    seconds: float | None = 0.1,
    is_risky: bool = False,
) -> tuple[ToolCallPart, ToolResultPart]:
    is_done = state is CallState.DONE
    return ToolCallPart(id=f"{name}{arguments}", name=name, arguments=arguments), ToolResultPart(
        call_id=f"{name}{arguments}",
        name=name,
        text=text,
        state=state,
        allowed_by=allowed_by if is_done else None,
        seconds=seconds if is_done else None,
        taints=_READS,
        is_risky=is_risky,
    )


def with_parts(message: StoredMessage, *parts: MessagePart) -> StoredMessage:
    """Return ``message`` with other contents."""
    return replace(message, message=replace(message.message, parts=parts))


def waiting_call(messages: Messages, *, is_risky: bool = False) -> StoredMessage:
    """Return an answer of which one call is done and another waits for the user."""
    date = _call("date_time", "{}", "Monday, 2026-11-23 09:12:04 CET (UTC+0100)")
    search = _call(
        "search_files", '{"words": "invoice november"}', state=CallState.WAITING, is_risky=is_risky
    )
    return with_parts(messages.running(), date[0], search[0], date[1], search[1])


def done_calls(messages: Messages) -> StoredMessage:
    """Return an answer whose calls ended in every way."""
    code = '{"expression": "round(1200 * 1.035 ** 7, 2)"}'
    calls = (
        _call("calculator", code, "1526.74"),
        _call("search_chats", '{"words": "loan"}', "Chat “Loan”, 2026-10-02", allowed_by=AllowedBy.CHAT),
        _call(
            "read_file", '{"path": "loan.pdf"}', "path: loan.pdf is not a text file.", state=CallState.FAILED
        ),
        _call("list_folder", "{}", "The user did not allow this call.", state=CallState.DENIED),
    )
    before = TextPart(text="I compute it, and look for your loan.\n")
    text = TextPart(text="\n\nAfter **seven years** at 3.5% your 1,200 € have become 1,526.74 €.\n")
    answer = with_parts(messages.answer(""), before, *(c for c, _ in calls), *(r for _, r in calls), text)
    assert answer.generation is not None
    return replace(answer, generation=replace(answer.generation, calls_ended=CallsEnded.REPEATED))


def asked_change(messages: Messages) -> StoredMessage:
    """Return an answer that waits for the user to allow a change of a file."""
    call, result = _call(
        "edit_file", '{"path": "todo.txt", "old": "Call Ada", "new": "Call Bo"}', state=CallState.WAITING
    )
    file = "/home/ada/notes/todo.txt"
    preview = f"--- {file}\n+++ {file}\n@@ -1,3 +1,3 @@\n Buy tea\n-Call Ada\n+Call Bo\n Water the plants"
    result = replace(result, preview=preview, taints=(Taint.OUTBOUND,))
    return with_parts(messages.running(), TextPart(text="I change the line.\n"), call, result)


def asked_by_server(messages: Messages, asked: Elicitation | None) -> StoredMessage:
    """Return an answer with a call whose server asks the user, or tells how far it is."""
    call, result = _call("trips__book", '{"city": "Bern"}', state=CallState.RUNNING)
    progress = "" if asked is not None else "40% · 12 of 30 hotels"
    return with_parts(messages.running(), call, replace(result, asked=asked, progress=progress))


def asked_query(messages: Messages, query: str, *, after_untrusted: bool = False) -> StoredMessage:
    """Return an answer that waits for the user to send or change a query."""
    arguments = msgspec.json.encode({"query": query}).decode()
    call, result = _call("web_search", arguments, state=CallState.WAITING)
    result = replace(
        result,
        preview=query,
        is_editable=True,
        after_untrusted=after_untrusted,
        taints=(Taint.OUTBOUND, Taint.UNTRUSTED),
    )
    return with_parts(messages.running(), TextPart(text="I look for it.\n"), call, result)


def asked_fact(messages: Messages, *, project: str = "") -> StoredMessage:
    """Return an answer that waits for the user to confirm what is remembered."""
    call, result = _call("remember", '{"fact": "Lives in Leipzig."}', state=CallState.WAITING)
    result = replace(
        result,
        preview="Lives in Leipzig.",
        is_editable=True,
        scope=FactScope.PROJECT if project else FactScope.EVERYWHERE,
        project=project,
        after_untrusted=True,
        taints=(Taint.OUTBOUND,),
    )
    return with_parts(messages.running(), TextPart(text="I can remember that.\n"), call, result)
