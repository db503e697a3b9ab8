"""What a request passes to a template besides messages: reasoning, pictures, an answer to continue."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.core.errors import InvalidParameter, TemplateFailed
from fireside.core.message import (
    ChatMessage,
    ImagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    text_message,
)
from fireside.core.prompt_input import ChatInput, ReasoningEffort
from fireside.runner.prompt.segments import Prompt
from fireside.runner.prompt.template import ChatTemplate, TemplateCache

TEMPLATES = Path(__file__).parent / "templates"
QUESTION = text_message(Role.USER, "Why?")
IMAGE = ImagePart(data=b"1", media_type="image/png")
OTHER_IMAGE = ImagePart(data=b"2", media_type="image/png")


def _template(family: str) -> ChatTemplate:
    return ChatTemplate(
        (TEMPLATES / f"{family}.jinja").read_text("utf-8"),
        architecture="llama",
        bos_token="<s>",
        eos_token="</s>",
        control_tokens=("<|im_start|>", "<|im_end|>"),
    )


def _continued(template: ChatTemplate, *parts: TextPart | ReasoningPart | ToolCallPart) -> Prompt:
    final = ChatMessage(role=Role.ASSISTANT, parts=parts)
    return template.render(ChatInput(messages=(QUESTION, final), continue_final=True))


@pytest.mark.parametrize(
    ("family", "knows"),
    [
        ("qwen-3", True),
        ("deepseek-v3.1", True),
        ("granite-3.3", True),
        ("gpt-oss", True),
        ("smollm3", True),
        ("glm-4.6", True),
        ("hunyuan", True),
        ("llama-3.1", False),
        ("chatml", False),
        ("gemma-3", False),
    ],
)
def test_reasoning_switch_is_detected(family: str, knows: bool) -> None:
    assert _template(family).has_reasoning_switch is knows


@pytest.mark.parametrize(
    ("family", "reasoning", "expected"),
    [
        ("qwen-3", ReasoningEffort.OFF, "<think>\n\n</think>"),
        ("deepseek-v3.1", ReasoningEffort.ON, "<think>"),
        ("deepseek-v3.1", ReasoningEffort.OFF, "</think>"),
        ("gpt-oss", ReasoningEffort.HIGH, "Reasoning: high"),
        ("gpt-oss", ReasoningEffort.OFF, "Reasoning: low"),
        ("gpt-oss", ReasoningEffort.ON, "Reasoning: medium"),
        ("smollm3", ReasoningEffort.OFF, "/no_think"),
    ],
)
def test_reasoning_is_switched_by_the_template_s_own_variable(
    family: str, reasoning: ReasoningEffort, expected: str
) -> None:
    prompt = _template(family).render(ChatInput(messages=(QUESTION,), reasoning=reasoning))
    assert expected in prompt.text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ 'off' if not enable_thinking else 'on' }}", "on"),
        ("{{ 'off' if enable_thinking is false else 'on' }}{{ not enable_thinking }}", "onFalse"),
        ("{{ 'off' if enable_thinking is defined and not enable_thinking else 'on' }}", "on"),
        ("{{ 'on' if enable_thinking is defined and enable_thinking else 'off' }}", "off"),
        (
            "{%- if enable_thinking is not defined %}{% set enable_thinking = false %}{% endif %}"
            "{{ 'on' if enable_thinking else 'off' }}",
            "off",
        ),
        ("{{ 'on' if enable_thinking | default(false) else 'off' }}", "off"),
        ("{{ 'on' if thinking else 'off' }}", "off"),
    ],
)
def test_default_reasoning_is_the_template_s_own_or_on(source: str, expected: str) -> None:
    chat = ChatInput(messages=(QUESTION,))
    prompt = ChatTemplate(source + "|{{ messages[0].content }}", architecture="llama").render(chat)
    assert prompt.text == f"{expected}|Why?"


@pytest.mark.parametrize(
    ("mode", "effort"),
    [
        (ReasoningEffort.OFF, "no_think"),
        (ReasoningEffort.ON, "high"),
        (ReasoningEffort.LOW, "low"),
        (ReasoningEffort.MEDIUM, "high"),
        (ReasoningEffort.DEFAULT, ""),
    ],
)
def test_reasoning_effort_is_one_that_the_template_lists(mode: ReasoningEffort, effort: str) -> None:
    source = (
        "{% if reasoning_effort is defined and reasoning_effort not in ['no_think', 'low', 'high'] %}"
        "{{ raise_exception('no') }}{% endif %}{{ reasoning_effort }}|"
        "{% for m in messages %}{{ m.content }}{% endfor %}"
    )
    prompt = ChatTemplate(source, architecture="llama").render(
        ChatInput(messages=(QUESTION,), reasoning=mode)
    )
    assert prompt.text == f"{effort}|Why?"


@pytest.mark.parametrize(
    ("family", "supports_system"),
    [("qwen-3", True), ("llama-2", True), ("gemma-2", False), ("mistral-v1", False)],
)
def test_support_for_a_system_prompt_is_detected(family: str, supports_system: bool) -> None:
    assert _template(family).capabilities.supports_system is supports_system


def test_answer_is_continued_where_it_stopped() -> None:
    prompt = _continued(_template("chatml"), TextPart(text="Because "))
    assert prompt.text == "<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\nBecause "


def test_empty_answer_is_continued_from_its_beginning() -> None:
    prompt = _continued(_template("chatml"), TextPart(text=""))
    assert prompt.text.endswith("<|im_start|>assistant\n")


def test_unfinished_answer_contains_no_control_tokens() -> None:
    prompt = _continued(_template("chatml"), TextPart(text="<|im_end|>"))
    assert [segment.text for segment in prompt.segments if segment.special][-1].count("<|im_end|>") == 1


def test_unfinished_reasoning_is_continued_where_the_template_renders_it() -> None:
    source = (
        "{% for m in messages %}<{{ m.role }}>{% if m.reasoning_content %}<think>{{ m.reasoning_content }}"
        "</think>{% endif %}{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    prompt = _continued(ChatTemplate(source, architecture="llama"), ReasoningPart(text="Hm, "))
    assert prompt.text == "<user>Why?<assistant><think>Hm, "


def test_unfinished_answer_that_the_template_drops_is_appended() -> None:
    source = (
        "{% for m in messages if m.role == 'user' %}<{{ m.content }}>{% endfor %}"
        "{% if add_generation_prompt %}<think>\n{% endif %}"
    )
    template = ChatTemplate(source, architecture="llama")
    parts = (ReasoningPart(text="Hm."), TextPart(text="Because"))
    assert _continued(template, *parts).text == "<Why?><think>\nHm.\n</think>\n\nBecause"
    assert _continued(template, ReasoningPart(text="Hm.")).text == "<Why?><think>\nHm."


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (QUESTION,),
        (
            QUESTION,
            ChatMessage(role=Role.ASSISTANT, parts=(ToolCallPart(id="call_1", name="find", arguments="{}"),)),
        ),
    ],
)
def test_only_an_answer_can_be_continued(messages: tuple[ChatMessage, ...]) -> None:
    with pytest.raises(InvalidParameter, match="continue_final"):
        _template("chatml").render(ChatInput(messages=messages, continue_final=True))


@pytest.mark.parametrize("family", ["chatml", "llava", "gemma-3", "mistral-small-3", "qwen-3", "gpt-oss"])
def test_pictures_keep_their_position(family: str) -> None:
    parts = (
        TextPart(text="First "),
        IMAGE,
        TextPart(text=" then "),
        OTHER_IMAGE,
        TextPart(text="."),
    )
    prompt = _template(family).render(ChatInput(messages=(ChatMessage(role=Role.USER, parts=parts),)))
    assert prompt.images == (IMAGE, OTHER_IMAGE)
    texts = [
        segment.image if segment.image is not None else segment.text
        for segment in prompt.segments
        if not segment.special
    ]
    assert [word.strip() if isinstance(word, str) else word for word in texts] == ["First", 0, "then", 1, "."]


def test_message_may_be_a_picture_alone() -> None:
    messages = (ChatMessage(role=Role.USER, parts=(IMAGE,)),)
    prompt = _template("chatml").render(ChatInput(messages=messages))
    assert [segment.image for segment in prompt.segments] == [None, 0, None]


def test_space_before_a_picture_stays_in_the_scaffold() -> None:
    messages = (ChatMessage(role=Role.USER, parts=(IMAGE,)),)
    prompt = _template("mistral-v1").render(ChatInput(messages=messages))
    assert [segment.text for segment in prompt.segments] == ["<s>[INST] ", "", " [/INST]"]


def test_picture_is_kept_when_messages_are_joined() -> None:
    picture = ChatMessage(role=Role.USER, parts=(IMAGE, TextPart(text="What is it?")))
    prompt = _template("gemma-2").render(
        ChatInput(messages=(text_message(Role.SYSTEM, "Be brief."), QUESTION, picture))
    )
    assert [segment.text for segment in prompt.segments if not segment.special] == [
        "Be brief.\n\nWhy?\n\n",
        "",
        "What is it?",
    ]
    assert prompt.images == (IMAGE,)


def test_picture_in_a_text_that_the_template_inspects_is_kept() -> None:
    source = "{% for m in messages %}{{ m.content[:99] }}{% endfor %}"
    parts = (TextPart(text="Look: "), IMAGE)
    prompt = ChatTemplate(source, architecture="llama").render(
        ChatInput(messages=(ChatMessage(role=Role.USER, parts=parts),))
    )
    assert [segment.image for segment in prompt.segments] == [None, 0]


def test_segments_name_their_message_and_role() -> None:
    messages = (
        text_message(Role.SYSTEM, "Be brief."),
        QUESTION,
        text_message(Role.ASSISTANT, "So."),
        QUESTION,
    )
    prompt = _template("chatml").render(ChatInput(messages=messages))
    assert [(segment.role, segment.message) for segment in prompt.segments if not segment.special] == [
        (Role.SYSTEM, 0),
        (Role.USER, 1),
        (Role.ASSISTANT, 2),
        (Role.USER, 3),
    ]


@pytest.mark.parametrize(
    ("family", "generation_prompt"), [("chatml", "assistant\n"), ("deepseek-r1", "<think>\n")]
)
def test_generation_prompt_is_returned(family: str, generation_prompt: str) -> None:
    assert (
        _template(family)
        .render(ChatInput(messages=(QUESTION,)))
        .generation_prompt.endswith(generation_prompt)
    )


def test_fallback_template_is_named() -> None:
    assert ChatTemplate(None, architecture="qwen2").fallback == "ChatML"
    assert _template("chatml").fallback == ""


def test_rendering_does_not_depend_on_other_conversations() -> None:
    template = _template("mistral-nemo")
    chat = ChatInput(messages=(text_message(Role.SYSTEM, "Be brief."), QUESTION))
    before = template.render(chat)
    _continued(template, TextPart(text="Because "))
    template.render(ChatInput(messages=(text_message(Role.SYSTEM, "Be long."), QUESTION, QUESTION)))
    assert template.render(chat) == before


OWN = "{% for message in messages %}{{ message.content }}{% endfor %}{{ mood }}"


def test_request_may_have_its_own_template_and_arguments() -> None:
    compiled: list[str] = []

    def make(source: str) -> ChatTemplate:
        compiled.append(source)
        return ChatTemplate(source, architecture="llama")

    choice = TemplateCache(ChatTemplate(OWN, architecture="llama"), make=make)
    question = (text_message(Role.USER, "Hello."),)
    other = ChatInput(messages=question, template="other: " + OWN, template_arguments='{"mood": "!"}')
    assert choice.render(other).text == "other: Hello.!"
    assert choice.render(other).text == "other: Hello.!"
    assert choice.render(ChatInput(messages=question)).text == "Hello."
    assert len(compiled) == 1


def test_broken_template_of_a_request_fails_that_request() -> None:
    choice = TemplateCache(
        ChatTemplate(OWN, architecture="llama"),
        make=lambda source: ChatTemplate(source, architecture="llama"),
    )
    with pytest.raises(TemplateFailed):
        choice.render(ChatInput(messages=(text_message(Role.USER, "Hello."),), template="{% for"))


@pytest.mark.parametrize("arguments", ["[1]", "{", "no"])
def test_template_arguments_must_be_an_object(arguments: str) -> None:
    chat = ChatInput(messages=(text_message(Role.USER, "Hello."),), template_arguments=arguments)
    with pytest.raises(InvalidParameter):
        ChatTemplate(OWN, architecture="llama").render(chat)
