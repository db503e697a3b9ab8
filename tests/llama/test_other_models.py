"""Architectures that the starter model does not cover, as tiny models with random weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.core.options import SamplingParams
from llama.runner_process import RunnerProcess, assistant, small_options, user
from llama.tiny_models import write_gemma3, write_llama

LLAMA2 = (
    "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}"
    "{{ '[INST] ' + message['content'] | trim + ' [/INST]' }}"
    "{% else %}{{ ' ' + message['content'] | trim + ' ' + eos_token }}{% endif %}{% endfor %}"
)
FOUR = SamplingParams(temperature=0, max_tokens=4)


@pytest.fixture
def tiny_llama(tmp_path: Path) -> Path:
    return write_llama(tmp_path / "llama.gguf", chat_template=LLAMA2)


def test_prompt_has_one_bos_and_no_extra_space(fresh_runner: RunnerProcess, tiny_llama: Path) -> None:
    """``<s>`` from the template, then ``▁`` ``[INST]`` in six letters and marks, `` hi`` and `` [/INST]``."""
    fresh_runner.load(tiny_llama)
    answer = fresh_runner.ask("hi", FOUR)
    assert answer.finished.usage.n_prompt == len(["<s>", "▁", *"[INST]", "▁h", "i", "▁", *"[/INST]"])


def test_model_without_a_template_chats_as_plain_dialogue(
    fresh_runner: RunnerProcess, tmp_path: Path
) -> None:
    fresh_runner.load(write_llama(tmp_path / "llama.gguf"))
    answer = fresh_runner.ask("hi", FOUR)
    # BOS, a space before the first word and each letter: “User: hi”, a line break, “Assistant:”.
    assert answer.finished.usage.n_prompt == 1 + len(" User: hi\nAssistant:") - 1


def test_template_that_cannot_be_compiled_is_rejected(fresh_runner: RunnerProcess, tmp_path: Path) -> None:
    path = write_llama(tmp_path / "llama.gguf", chat_template="{% for")
    assert fresh_runner.rejected(path).error.code == "template_failed"


def test_endless_template_fails_only_the_request(fresh_runner: RunnerProcess, tmp_path: Path) -> None:
    template = (
        "{% if messages[0].content == 'loop' %}{% endif %}{% for m in messages %}{% if 'loop' in m.content %}"
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}{% endif %}"
        "{{ m.content }}{% endfor %}"
    )
    fresh_runner.load(write_llama(tmp_path / "llama.gguf", chat_template=template))
    assert fresh_runner.ask("please loop", FOUR).failed.error.code == "template_failed"
    assert fresh_runner.ask("please", FOUR).finished.usage.n_completion > 0


def test_sliding_window_keeps_the_cache_of_a_continued_conversation(
    fresh_runner: RunnerProcess, tmp_path: Path
) -> None:
    fresh_runner.load(
        write_gemma3(tmp_path / "gemma3.gguf"), small_options(n_ctx=4096, n_batch=64, n_ubatch=64)
    )
    question = user("hello there " * 60)
    first = fresh_runner.ask([question], FOUR)
    second = fresh_runner.ask([question, assistant(first.text), user("x")], FOUR)
    assert second.finished.usage.n_cached >= first.finished.usage.n_prompt


def test_prefix_outside_the_window_is_evaluated_again(fresh_runner: RunnerProcess, tmp_path: Path) -> None:
    path = write_gemma3(tmp_path / "gemma3.gguf")
    options = small_options(n_ctx=4096, n_seq_max=1, n_batch=64, n_ubatch=64)
    branch = [user("hello there " * 30 + "x" * 300)]
    fresh_runner.load(path, options)
    fresh_runner.ask([user("hello there " * 60)], FOUR)
    branched = fresh_runner.ask(branch, FOUR)
    assert branched.finished.usage.n_cached == 0
    with RunnerProcess() as other:
        other.load(path, options)
        assert other.ask(branch, FOUR).text == branched.text
