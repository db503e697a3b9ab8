"""Histories that templates refuse, or render in part without a word: the model reads all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.written_calls import TOOLS, template_of
from fireside.core.errors import TemplateFailed
from fireside.core.message import ChatMessage, Role, ToolCallPart, ToolResultPart, text_message
from fireside.core.prompt_input import ChatInput
from fireside.runner.prompt.template import ChatTemplate

_FOLDERS = (Path(__file__).parent / "templates", Path(__file__).parent.parent / "output" / "templates")
TEMPLATES = {
    path.stem: template_of(path.read_text("utf-8"))
    for folder in _FOLDERS
    for path in sorted(folder.glob("*.jinja"))
}
MESSAGES = {
    "system": text_message(Role.SYSTEM, "Zsystem"),
    "user": text_message(Role.USER, "Zuser"),
    "answer": text_message(Role.ASSISTANT, "Zanswer"),
    "call": ChatMessage(
        role=Role.ASSISTANT,
        parts=(ToolCallPart(id="call00001", name="get_weather", arguments='{"city": "Zcall"}'),),
    ),
    "result": ChatMessage(
        role=Role.TOOL, parts=(ToolResultPart(call_id="call00001", name="get_weather", text="Zresult"),)
    ),
}
HISTORIES = (
    "call result",
    "system call result",
    "system call result user",
    "system user call result",
    "answer user call result",
    "system user call result answer user",
    "user result",
    "system user answer result",
    "result",
    "system result",
    "system",
    "system answer",
    "answer",
    "answer user",
)


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("family", TEMPLATES)
def test_the_model_reads_all_of_a_history(family: str, history: str) -> None:
    messages = tuple(MESSAGES[name] for name in history.split())
    for tools in ((), TOOLS):
        text = TEMPLATES[family].render(ChatInput(messages=messages, tools=tools)).text
        names = history.split()
        assert {name: text.count(f"Z{name}") for name in names} == {name: names.count(name) for name in names}


LAST_OF_NONE = (
    "{% if messages[0].role == 'system' %}<s>{{ messages[0].content }}</s>{% set messages = messages[1:] %}"
    "{% endif %}{% if messages[-1].role == 'assistant' %}{% set messages = messages[:-1] %}{% endif %}"
    "{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}"
)
"""As Nemotron Nano 2 looks at the last message behind the system's."""


def test_a_system_message_alone_is_read_where_a_template_looks_at_the_last_message_behind_it() -> None:
    template = ChatTemplate(LAST_OF_NONE, architecture="any", bos_token="", eos_token="")
    assert template.render(ChatInput(messages=(MESSAGES["system"],))).text == "<user>Zsystem"


def test_where_the_user_s_message_is_not_missed_none_is_made_up() -> None:
    for family in ("qwen-3", "chatml", "smollm2"):
        for history in ("call result", "answer user", "system"):
            messages = tuple(MESSAGES[name] for name in history.split())
            text = TEMPLATES[family].render(ChatInput(messages=messages)).text
            assert "(The conversation begins.)" not in text


@pytest.mark.parametrize(
    ("texts", "index"),
    [
        (("a", "b", "c", "forbidden", "e", "f"), 3),
        (("a", "forbidden"), 1),
        (("a", "b", "c", "d", "e", "forbidden"), 5),
        (("forbidden", "b", "c"), None),
    ],
)
def test_the_message_that_a_template_refuses_is_known(texts: tuple[str, ...], index: int | None) -> None:
    source = (
        "{% for message in messages %}{% if 'forbidden' in message.content %}"
        "{{ raise_exception('I do not like it') }}{% endif %}{{ message.content }}{% endfor %}"
    )
    template = ChatTemplate(source, architecture="any", bos_token="", eos_token="")
    roles = (Role.USER, Role.ASSISTANT)
    messages = tuple(text_message(roles[n % 2], text) for n, text in enumerate(texts))
    with pytest.raises(TemplateFailed) as refused:
        template.render(ChatInput(messages=messages))
    assert refused.value.index == index
    with pytest.raises(TemplateFailed) as with_tools:  # they stand in a message of their own
        template.render(ChatInput(messages=messages, tools=TOOLS))
    assert with_tools.value.index is None
