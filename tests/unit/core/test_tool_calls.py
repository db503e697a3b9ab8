"""The one view of a tool call: what the window, the exports and the terminal show of it."""

from __future__ import annotations

import pytest

from fireside.core.message import MessagePart, TextPart, ToolCallPart, ToolResultPart
from fireside.core.tool_calls import ShownCall, consent_question, consent_reasons, shown_parts
from fireside.core.tools import AllowedBy, CallState, Taint


def call(call_id: str, name: str = "look", arguments: str = '{"at":"sky"}') -> ToolCallPart:
    return ToolCallPart(id=call_id, name=name, arguments=arguments)


def result(call_id: str, text: str, name: str = "look") -> ToolResultPart:
    return ToolResultPart(call_id=call_id, name=name, text=text)


def sections(*parts: MessagePart) -> list[tuple[str, str]]:
    calls = (part for part in shown_parts(parts) if isinstance(part, ShownCall))
    return [(section.heading, section.text) for each in calls for section in each.sections]


@pytest.mark.parametrize("call_ids", [("1", "2"), ("", "")], ids=["ids", "no ids"])
def test_each_result_belongs_to_its_call(call_ids: tuple[str, str]) -> None:
    first, second = call_ids
    parts = (call(first), call(second), result(first, "blue"), result(second, "grey"), TextPart(text="Blue."))
    shown = list(shown_parts(parts))
    assert [each.result.text for each in shown if isinstance(each, ShownCall) and each.result] == [
        "blue",
        "grey",
    ]
    assert shown[-1] == parts[-1]


def test_a_result_without_a_call_is_shown_where_it_is() -> None:
    parts = (TextPart(text="So: "), result("1", "blue"), call("2"), result("2", "grey"))
    assert sections(*parts) == [
        ("Result of look", "blue"),
        ("Calls tool look", '{\n  "at": "sky"\n}'),
        ("Result of look", "grey"),
    ]
    assert [part.n_before for part in shown_parts(parts) if isinstance(part, ShownCall)] == [4, 4]


def test_paper_and_files_tell_of_a_call_what_its_card_tells() -> None:
    name = "notes__add_note\n# Heading"
    told = ToolResultPart(
        call_id="1",
        name=name,
        text="No.",
        state=CallState.FAILED,
        seconds=1.25,
        allowed_by=AllowedBy.CHAT,
        preview="-a\n+b",
    )
    heading = "Add note # Heading · notes"
    assert sections(call("1", name, "{}"), told) == [
        (f"Calls tool {heading} · Failed · 1.2 s · allowed in this chat", "{}"),
        ("Change", "-a\n+b"),
        (f"Result of {heading}", "No."),
    ]


def test_the_card_of_a_change_shows_the_change_and_files_the_arguments_too() -> None:
    change = ToolResultPart(call_id="1", name="edit_file", text="", preview="+b\u202e")
    (card,) = (part for part in shown_parts((call("1"), change)) if isinstance(part, ShownCall))
    assert card.unfolded == ("+b[U+202E]", "")
    assert [each.language for each in card.sections] == ["json", "diff"]


def test_a_long_result_is_shown_with_its_end() -> None:
    text = "word " * 40_000 + "[The code was stopped: it printed without end.]"
    call = ToolCallPart(id="1", name="python", arguments="{}")
    result = ToolResultPart(call_id="1", name="python", text=text)
    (shown,) = (each for each in shown_parts((call, result)) if isinstance(each, ShownCall))
    _, told = shown.unfolded
    assert told.startswith("word ")
    assert told.endswith("[The code was stopped: it printed without end.]")
    assert "more characters]" in told
    assert len(told) < 50_100


def test_the_question_for_a_text_that_the_user_reads_names_only_what_they_cannot_see() -> None:
    waiting = ToolResultPart(
        call_id="1",
        name="web_search",
        text="",
        state=CallState.WAITING,
        taints=(Taint.OUTBOUND,),
        preview="cats",
        is_editable=True,
        after_untrusted=True,
        sent_to="example.org",
    )
    assert list(consent_reasons(waiting)) == [
        "Text by others in this chat may have suggested it.",
        "The result is sent to example.org.",
    ]
    assert consent_question(waiting).startswith("Send this query to your search provider?")
