"""What the terminal says of calls before they run: all that the user decides by, and nothing unseen."""

from __future__ import annotations

import io

import pytest

from fireside.cli.screen import Screen
from fireside.cli.tool_calls import ToolCalls
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.elicitation import (
    Elicitation,
    ElicitationAction,
    ElicitationField,
    ElicitationReply,
    FieldKind,
)
from fireside.core.facts import FactScope
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import ChatMessage, ImagePart, Role, ToolCallPart, ToolResultPart
from fireside.core.tool_calls import CallAnswer
from fireside.core.tools import AllowedBy, AllowEdited, CallState, ConsentAnswer


class Terminal:
    """A user who types one after the other, and the last to each question that follows."""

    def __init__(self, *typed: str) -> None:
        self.status = io.StringIO()
        self.asked: list[str] = []
        self.answers: list[CallAnswer] = []
        self.calls = ToolCalls(
            Screen(output=io.StringIO(), status=self.status),
            answer=lambda _message, _call, reply: self.answers.append(reply),
        )

        def ask(question: str) -> str:
            self.asked.append(question)
            return typed[min(len(self.asked), len(typed)) - 1]

        self.calls.ask = ask

    def show(self, *results: ToolResultPart, arguments: str = "{}", message_id: int = 2) -> str:
        """Show calls of one answer; returns what was printed."""
        calls = [ToolCallPart(id=each.call_id, name=each.name, arguments=arguments) for each in results]
        message = StoredMessage(
            id=MessageId(message_id),
            conversation_id=ConversationId(1),
            parent_id=None,
            message=ChatMessage(role=Role.ASSISTANT, parts=(*calls, *results)),
            state=MessageState.STREAMING,
            created_at=0.0,
        )
        self.calls.show(message)
        return self.status.getvalue()


def test_invisible_characters_are_named_before_a_call_runs() -> None:
    terminal = Terminal("o")
    waiting = ToolResultPart(call_id="1", name="send", text="", state=CallState.WAITING)
    printed = terminal.show(waiting, arguments='{"to": "a\u202eb\u200b\U000e0041"}')
    assert "a[U+202E]b[U+200B][U+E0041]" in printed
    assert "send your data away" not in printed
    assert terminal.answers == [ConsentAnswer.ONCE]


def test_an_answer_that_lasts_is_asked_for_once_and_each_chat_asks_anew() -> None:
    terminal = Terminal("c")
    for message_id in (2, 3):
        waiting = [
            ToolResultPart(call_id=call_id, name="send", text="", state=CallState.WAITING)
            for call_id in ("call_0", "call_1")
        ]
        terminal.show(*waiting, message_id=message_id)
    # An engine elsewhere may count the calls of each chat from 0.
    assert len(terminal.asked) == 2
    assert terminal.answers == [ConsentAnswer.CHAT] * 2


def test_a_call_that_completes_the_taints_says_so_and_is_allowed_once_alone() -> None:
    terminal = Terminal("a", "o")
    risky = ToolResultPart(call_id="1", name="send", text="", state=CallState.WAITING, is_risky=True)
    assert "others could send your data away" in terminal.show(risky)
    assert "lways" not in terminal.asked[0]
    assert terminal.answers == [ConsentAnswer.ONCE]


@pytest.mark.parametrize(
    ("typed", "project", "answer"),
    [
        ("e", "House", AllowEdited(text="Likes tea.", scope=FactScope.EVERYWHERE)),
        ("p", "House", AllowEdited(text="Likes tea.", scope=FactScope.PROJECT)),
        ("c", "", AllowEdited(text="Likes tea.", scope=FactScope.CHAT)),
        ("d", "", ConsentAnswer.DENY),
    ],
)
def test_it_is_asked_where_a_fact_holds(typed: str, project: str, answer: CallAnswer) -> None:
    terminal = Terminal("maybe", typed)
    fact = ToolResultPart(
        call_id="1",
        name="remember",
        text="",
        state=CallState.WAITING,
        preview="Likes tea.",
        is_editable=True,
        scope=FactScope.EVERYWHERE,
        project=project,
    )
    assert "Likes tea." in terminal.show(fact)
    assert ("[p]roject" in terminal.asked[0]) is bool(project)
    assert terminal.answers == [answer]


@pytest.mark.parametrize("typed", ["y", "yes", "", "allow", "cancel", "7"])
def test_what_is_no_answer_is_asked_again_with_the_choices(typed: str) -> None:
    terminal = Terminal(typed, " Once ")
    terminal.show(ToolResultPart(call_id="1", name="send", text="", state=CallState.WAITING))
    assert terminal.asked == ["Allow? [o]nce, in this [c]hat, [a]lways, [d]eny: "] * 2
    assert terminal.answers == [ConsentAnswer.ONCE]


def test_the_end_of_the_input_denies() -> None:
    terminal = Terminal()

    def ask(_question: str) -> str:
        raise EOFError

    terminal.calls.ask = ask
    terminal.show(ToolResultPart(call_id="1", name="send", text="", state=CallState.WAITING))
    assert terminal.answers == [ConsentAnswer.DENY]


@pytest.mark.parametrize(
    ("typed", "action"), [("y", ElicitationAction.ACCEPT), ("", ElicitationAction.DECLINE)]
)
def test_an_address_is_printed_and_only_the_user_opens_it(typed: str, action: ElicitationAction) -> None:
    terminal = Terminal(typed)
    elicitation = Elicitation(
        number=1, server="evil", message="Sign\u200b in.", url="https://a\u202e.example/?d=1"
    )
    running = ToolResultPart(call_id="1", name="send", text="", state=CallState.RUNNING, asked=elicitation)
    printed = terminal.show(running)
    assert "Sign[U+200B] in.\n" in printed
    assert "a page at a\\u202e.example:\nhttps://a[U+202E].example/?d=1\n" in printed
    (reply,) = terminal.answers
    assert isinstance(reply, ElicitationReply)
    assert reply.action is action


@pytest.mark.parametrize(
    ("typed", "sent", "said"),
    [
        ("Yes", {"share": True}, ""),
        ("n", {"share": False}, ""),
        ("perhaps", {}, "Declined. share: true or false."),
    ],
)
def test_a_switch_of_a_form_is_never_guessed(typed: str, sent: dict[str, bool], said: str) -> None:
    terminal = Terminal(typed, "y")
    field = ElicitationField(name="share", label="Share", kind=FieldKind.SWITCH, is_required=True)
    form = Elicitation(number=1, server="notes", message="May I?", fields=(field,))
    running = ToolResultPart(call_id="1", name="send", text="", state=CallState.RUNNING, asked=form)
    assert said in terminal.show(running)
    (reply,) = terminal.answers
    assert isinstance(reply, ElicitationReply)
    assert reply.content == sent


def test_images_of_a_result_are_named() -> None:
    image = ImagePart(data=b"x" * 4035, media_type="image/png", name="get-tiny-image 1")
    result = ToolResultPart(call_id="1", name="look", text="A roof", images=(image,))
    assert "A roof\nImage: get-tiny-image 1, image/png, 4 kB\n" in Terminal("").show(result)


def test_a_call_that_ran_is_printed_with_its_state_time_and_permission() -> None:
    result = ToolResultPart(
        call_id="1",
        name="look",
        text="No roof",
        state=CallState.FAILED,
        seconds=2.0,
        allowed_by=AllowedBy.ONCE,
    )
    printed = Terminal("").show(result, arguments='{"at":"sky"}')
    assert printed == 'Tool look {"at":"sky"}: Failed · 2.0 s · allowed once\nNo roof\n'
