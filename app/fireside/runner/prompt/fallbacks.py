"""Chat templates for models without one, chosen by their control tokens."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from fireside.wire.runner_modes import TEMPLATE_TOKENS


class Fallback(msgspec.Struct, frozen=True, kw_only=True):
    """A template and the texts that end an answer written with it."""

    name: str
    """As shown to the user."""
    source: str
    stop: tuple[str, ...] = ()


_CHATML = Fallback(
    name="ChatML",
    source=(
        "{% for message in messages %}"
        "{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}"
        "{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
    ),
    stop=("<|im_end|>",),
)

_LLAMA3 = Fallback(
    name="Llama 3",
    source=(
        "{{ bos_token }}{% for message in messages %}"
        "{{ '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' }}"
        "{{ message.content | trim + '<|eot_id|>' }}"
        "{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
    ),
    stop=("<|eot_id|>",),
)

_GEMMA = Fallback(
    name="Gemma",
    source=(
        "{{ bos_token }}{% for message in messages %}"
        "{% if message.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
        "{% set role = 'model' if message.role == 'assistant' else message.role %}"
        "{{ '<start_of_turn>' + role + '\n' + message.content | trim + '<end_of_turn>\n' }}"
        "{% endfor %}"
        "{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"
    ),
    stop=("<end_of_turn>",),
)

_MISTRAL = Fallback(
    name="Mistral",
    source=(
        "{{ bos_token }}{% for message in messages %}"
        "{% if message.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
        "{% if message.role == 'assistant' %}{{ ' ' + message.content | trim + eos_token }}"
        "{% else %}{{ '[INST] ' + message.content | trim + ' [/INST]' }}{% endif %}"
        "{% endfor %}"
    ),
)

_PHI3 = Fallback(
    name="Phi-3",
    source=(
        "{% for message in messages %}{{ '<|' + message.role + '|>\n' + message.content + '<|end|>\n' }}"
        "{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}"
    ),
    stop=("<|end|>",),
)

_ZEPHYR = Fallback(
    name="Zephyr",
    source=(
        "{% for message in messages %}"
        "{{ '<|' + message.role + '|>\n' + message.content + eos_token + '\n' }}"
        "{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}"
    ),
)

_GLM4 = Fallback(
    name="GLM-4",
    source=(
        "[gMASK]<sop>{% for message in messages %}{{ '<|' + message.role + '|>\n' + message.content }}"
        "{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}"
    ),
    stop=("<|user|>",),
)

_GRANITE = Fallback(
    name="Granite",
    source=(
        "{% for message in messages %}{{ '<|start_of_role|>' + message.role + '<|end_of_role|>' }}"
        "{{ message.content + '<|end_of_text|>\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|start_of_role|>assistant<|end_of_role|>' }}{% endif %}"
    ),
)

_COMMAND_R = Fallback(
    name="Command R",
    source=(
        "{{ bos_token }}{% set names = {'system': 'SYSTEM', 'user': 'USER', 'assistant': 'CHATBOT'} %}"
        "{% for message in messages %}"
        "{{ '<|START_OF_TURN_TOKEN|><|' + names[message.role] + '_TOKEN|>' }}"
        "{{ message.content | trim + '<|END_OF_TURN_TOKEN|>' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}{% endif %}"
    ),
    stop=("<|END_OF_TURN_TOKEN|>",),
)

_DEEPSEEK = Fallback(
    name="DeepSeek",
    source=(
        "{{ bos_token }}{% for message in messages %}"
        "{% if message.role == 'system' %}{{ message.content }}"
        "{% elif message.role == 'user' %}{{ '<｜User｜>' + message.content }}"
        "{% else %}{{ '<｜Assistant｜>' + message.content + eos_token }}{% endif %}"
        "{% endfor %}"
        "{% if add_generation_prompt %}{{ '<｜Assistant｜>' }}{% endif %}"
    ),
)

_PLAIN = Fallback(
    name="plain dialogue",
    source=(
        "{% for message in messages %}"
        "{% if message.role == 'system' %}{{ message.content | trim + '\n\n' }}"
        "{% elif message.role == 'assistant' %}{{ 'Assistant: ' + message.content | trim + '\n' }}"
        "{% else %}{{ 'User: ' + message.content | trim + '\n' }}{% endif %}"
        "{% endfor %}"
        "{% if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}"
    ),
    # A base model continues with the user's next line by itself.
    stop=("\nUser:",),
)

_BY_CONTROL_TOKEN = dict(
    zip(
        TEMPLATE_TOKENS,
        (
            _CHATML,
            _LLAMA3,
            _GEMMA,
            _MISTRAL,
            _GLM4,
            _GRANITE,
            _COMMAND_R,
            _DEEPSEEK,
            _PHI3,
            _ZEPHYR,
        ),
        strict=True,
    )
)
_BY_ARCHITECTURE = {
    "mistral": _MISTRAL,
    "mixtral": _MISTRAL,
    "mistral3": _MISTRAL,
    "gemma": _GEMMA,
    "gemma2": _GEMMA,
    "gemma3": _GEMMA,
    "phi3": _PHI3,
    "qwen2": _CHATML,
    "qwen3": _CHATML,
    "chatglm": _GLM4,
    "command-r": _COMMAND_R,
    "granite": _GRANITE,
}


def fallback_template(*, architecture: str, control_tokens: Collection[str]) -> Fallback:
    """Return the template for a model without one.

    Control tokens are a better hint than the architecture, which base models share. A model with none of the
    known ones gets a plain dialogue to continue.
    """
    for token, fallback in _BY_CONTROL_TOKEN.items():
        if token in control_tokens:
            return fallback
    return _BY_ARCHITECTURE.get(architecture, _PLAIN)
