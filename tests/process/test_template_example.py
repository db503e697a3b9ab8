"""Showing a chat template at work: in a process of its own, and never longer or larger than it may be."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from fakes.children import child_environment, template_examples
from fireside.core.message import Role, text_message
from fireside.engine.one_shot_programs import TemplateExample
from fireside.engine.processes.guarded_process import ProcessLimits
from fireside.wire.runner_modes import MAX_EXAMPLE_CHARS, ExampleReply, ExampleRequest

REQUEST = ExampleRequest(
    source="{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{{ eos_token }}",
    architecture="llama",
    eos_token="</s>",
    messages=(text_message(Role.USER, "Hi."),),
)
FAILS = "The model's chat template failed: "


def by_program(source: str, *, limits: ProcessLimits | None = None) -> ExampleReply:
    """Ask a process that does what ``source`` says in place of showing a template."""
    example = TemplateExample(
        command=(sys.executable, "-c", source), environment=child_environment(), limits=limits
    )
    return example(REQUEST)


def with_source(source: str | None) -> ExampleReply:
    return template_examples()(msgspec.structs.replace(REQUEST, source=source))


def test_a_conversation_is_worded_as_its_file_says() -> None:
    assert template_examples()(REQUEST) == ExampleReply(text="<user>Hi.</s>")


def test_a_stand_in_for_a_missing_template_is_named() -> None:
    assert with_source(None).fallback != ""


def test_a_template_that_refuses_says_so() -> None:
    reply = with_source("{{ raise_exception('only in verse') }}")
    assert reply.text == ""
    assert "only in verse" in reply.problem


def test_a_long_example_is_cut() -> None:
    assert len(with_source("{{ 'x' * 1000000 }}").text) == MAX_EXAMPLE_CHARS + 1


def test_halves_of_characters_do_no_harm() -> None:
    assert with_source("{{ '\\ud83d' }}|").text.endswith("|")


def test_a_source_that_no_pipe_holds_at_once_arrives() -> None:
    assert with_source("{# " + "x" * 300_000 + " #}{{ messages[0].content }}").text == "Hi."


def test_what_does_not_end_is_ended() -> None:
    reply = by_program("while True: pass", limits=ProcessLimits(time_s=1))
    assert reply.problem == f"{FAILS}it takes too long."


def test_what_does_not_even_read_is_ended() -> None:
    example = TemplateExample(
        command=(sys.executable, "-c", "import time; time.sleep(600)"),
        environment=child_environment(),
        limits=ProcessLimits(time_s=1),
    )
    reply = example(msgspec.structs.replace(REQUEST, source="x" * 900_000))
    assert reply.problem == f"{FAILS}it takes too long."


def test_what_takes_more_memory_than_it_may_is_ended() -> None:
    grow = "import time\nkept = b'x' * (300 << 20)\ntime.sleep(600)"
    reply = by_program(grow, limits=ProcessLimits(time_s=20, memory_bytes=200 << 20))
    assert reply.problem == f"{FAILS}it takes too much memory."


def test_an_answer_without_end_is_not_read_to_the_end() -> None:
    flood = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    assert by_program(flood).problem == f"{FAILS}it makes a text without end."


@pytest.mark.parametrize("source", ["raise SystemExit(3)", "print('no JSON')", "print('{\"text\": 1}')"])
def test_a_process_that_fails_is_told_of_in_words(source: str) -> None:
    assert by_program(source).problem == f"{FAILS}it could not be run."


def test_a_program_that_cannot_be_started_is_told_of_in_words() -> None:
    example = TemplateExample(command=("/nowhere/fireside",), environment=child_environment())
    assert example(REQUEST).problem.startswith("No example can be made: ")


def test_the_process_imports_neither_llama_cpp_nor_the_window() -> None:
    heavy = "import fireside.runner.template_example, sys\nprint({'llama_cpp', 'PySide6'} & set(sys.modules))"
    done = subprocess.run(
        (sys.executable, "-P", "-c", heavy), env=child_environment(), capture_output=True, check=True
    )
    assert done.stdout.strip() == b"set()"


def test_process_ends_in_a_call_of_c_that_no_exception_reaches() -> None:
    """Bounds in the sandbox prevent those that are known; this is for the others."""
    program = (
        "from fireside.runner.prompt.rendering import SandboxedTemplate\n"
        "SandboxedTemplate.exit_after_s = 0.5\n"
        "SandboxedTemplate('{{ 1 }}')._bounded(lambda: 3 ** 100_000_000)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], env=child_environment(), capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("Timeout")
