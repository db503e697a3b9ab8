"""A text with spaces on the command line: a model if one has that name or a similar one, else a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.gguf_files import model_file
from fireside.cli.arguments import parse
from fireside.main.startup_context import StartupContext, load_context
from fireside.main.terminal import _with_prompt


@pytest.fixture
def context(tmp_path: Path) -> StartupContext:
    model_file(changes={"general.name": "Foo 7B"}).write(tmp_path / "data" / "models" / "Foo-7B-Q4_K_M.gguf")
    return load_context({"FIRESIDE_HOME": str(tmp_path)}, command_line={})


@pytest.mark.parametrize(
    ("typed", "model", "prompt"),
    [
        (["run", "Foo 7B"], "Foo 7B", None),
        (["run", "foo 7b"], "foo 7b", None),
        (["run", "Foo 7C"], "Foo 7C", None),  # is refused, and the similar one named
        (["run", "Foo 7B", "Hello there"], "Foo 7B", "Hello there"),
        (["run", "Why is the sky blue?"], None, "Why is the sky blue?"),
        (["run", "Tell me and/or sing a joke"], None, "Tell me and/or sing a joke"),
        (["run", "zzz yyy"], None, "zzz yyy"),
        (["run", "What is a Foo 7B?"], None, "What is a Foo 7B?"),
        (["run", "./no such file"], "./no such file", None),
        (["run", "x" * 300 + " y"], None, "x" * 300 + " y"),
        (["plan", "zzz yyy"], "zzz yyy", None),
        (["embed", "zzz yyy", "text"], "zzz yyy", None),
    ],
)
def test_what_a_text_with_spaces_is(
    context: StartupContext, typed: list[str], model: str | None, prompt: str | None
) -> None:
    arguments = _with_prompt(context, parse(typed))
    assert (arguments.model, arguments.prompt) == (model, prompt)
