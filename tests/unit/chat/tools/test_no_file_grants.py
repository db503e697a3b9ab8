"""Imported files contain no permission to read folders or to act without consent."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from fakes.transcripts import archive, asked, transcript
from fireside.chat.presets import check_preset
from fireside.core.errors import SettingInvalid
from fireside.core.message import ChatMessage, Role, TextPart, ToolCallPart, ToolResultPart, to_model_messages
from fireside.core.options import SettingValue
from fireside.core.preset import Preset
from fireside.core.tools import CallState
from fireside.services.transfer.fireside_archive import open_archive, read_archived
from fireside.settings.definitions_tools import SWITCHES


def test_an_imported_chat_has_no_tools_no_folders_and_no_permissions() -> None:
    own: dict[str, SettingValue] = {
        "tools.files": True,
        "tools.folders": ("/home",),
        "tools.chat_permissions": ("read_file always 0123",),
        "sampling.temperature": 0.5,
    }
    chat = replace(transcript(asked("Hello")), overrides=own)
    (found,) = open_archive(json.dumps(archive(chat)).encode())
    assert read_archived(bytes(found)).overrides == {"sampling.temperature": 0.5}


@pytest.mark.parametrize("key", ["tools.folders", "tools.chat_permissions", "tools.permissions"])
def test_a_preset_may_turn_a_tool_on_and_nothing_else(key: str) -> None:
    switches: dict[str, SettingValue] = dict.fromkeys(SWITCHES, True)
    assert check_preset(Preset(name="x", settings=switches)).settings == switches
    with pytest.raises(SettingInvalid):
        check_preset(Preset(name="x", settings={key: ("/home",)}))


CALL = ToolCallPart(id="1", name="a", arguments="{}")
OTHER = ToolCallPart(id="2", name="b", arguments="{}")


def result(call: ToolCallPart, text: str, state: CallState = CallState.DONE) -> ToolResultPart:
    return ToolResultPart(call_id=call.id, name=call.name, text=text, state=state)


def told(*parts: TextPart | ToolCallPart | ToolResultPart) -> list[tuple[Role, list[str]]]:
    message = ChatMessage(role=Role.ASSISTANT, parts=parts)
    return [
        (one.role, [part.id if isinstance(part, ToolCallPart) else part.text for part in one.parts])  # type: ignore[union-attr]
        for one in to_model_messages(message)
    ]


def test_an_answer_with_calls_becomes_the_messages_that_templates_expect() -> None:
    assert told(
        TextPart(text="I look."),
        CALL,
        OTHER,
        result(OTHER, "two"),
        result(CALL, "one"),
        TextPart(text="\n\nSo."),
    ) == [
        (Role.ASSISTANT, ["I look.", "1", "2"]),
        (Role.TOOL, ["one", "two"]),
        (Role.ASSISTANT, ["So."]),
    ]


def test_a_call_that_a_restart_cut_off_has_a_result_too() -> None:
    words = told(CALL, OTHER, result(CALL, "", CallState.WAITING))[1]
    assert words == (Role.TOOL, ["The call was interrupted and has no result."] * 2)


def test_any_other_message_is_itself() -> None:
    question = ChatMessage(role=Role.USER, parts=(TextPart(text="\n\nHello"),))
    assert to_model_messages(question) == (question,)
