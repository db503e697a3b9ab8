"""``fireside run``: what stands for the prompt. A text with spaces may be a model, or the prompt."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from fakes.gguf_files import model_file
from fireside.cli.command_line import parse
from fireside.cli.command_parser import UsageError
from fireside.cli.commands.run import model_or_prompt, replacement_of, use_project
from fireside.core.options import SettingValue
from fireside.core.project import PROJECT_INSTRUCTIONS_KEY
from fireside.core.prompt_input import InfillInput, TextInput
from fireside.main.startup_context import StartupContext, load_context
from fireside.settings.conversions import system_prompt
from fireside.settings.values import by_key
from fireside.storage.store import Store


@pytest.fixture
def context(tmp_path: Path) -> StartupContext:
    model_file(changes={"general.name": "Foo 7B"}).write(tmp_path / "data" / "models" / "Foo-7B-Q4_K_M.gguf")
    return load_context({"FIRESIDE_HOME": str(tmp_path)}, command_line={})


@pytest.mark.parametrize(
    ("typed", "model", "prompt"),
    [
        ("Foo 7B", "Foo 7B", None),
        ("foo 7b", "foo 7b", None),
        ("Foo 7C", "Foo 7C", None),  # is refused, and the similar one named
        ("Why is the sky blue?", None, "Why is the sky blue?"),
        ("Tell me and/or sing a joke", None, "Tell me and/or sing a joke"),
        ("zzz yyy", None, "zzz yyy"),
        ("What is a Foo 7B?", None, "What is a Foo 7B?"),
        ("./no such file", "./no such file", None),
        ("x" * 300 + " y", None, "x" * 300 + " y"),
    ],
)
def test_what_a_text_with_spaces_is(
    context: StartupContext, typed: str, model: str | None, prompt: str | None
) -> None:
    assert model_or_prompt(context, typed) == (model, prompt)


def test_a_project_gives_its_settings_to_a_run_and_what_is_typed_is_stronger(tmp_path: Path) -> None:
    typed = {"sampling.temperature": 0.9}
    context = load_context({"FIRESIDE_HOME": str(tmp_path)}, command_line=typed)

    async def stored() -> None:
        async with await Store.open(context.paths.database_file, clock=time.time) as store:
            folder = await store.folders.create(name="Garden")
            settings: dict[str, SettingValue] = {
                PROJECT_INSTRUCTIONS_KEY: "Cite.",
                "sampling.temperature": 0.1,
                "sampling.top_k": 7,
            }
            await store.folders.set_settings(folder.id, settings)

    asyncio.run(stored())
    assert use_project(context, "garden").name == "Garden"
    resolved = context.settings.resolved()
    assert (system_prompt(resolved), by_key(resolved)["sampling.temperature"]) == ("Cite.", 0.9)
    assert by_key(resolved)["sampling.top_k"] == 7
    with pytest.raises(UsageError):
        use_project(context, "House")


def test_a_raw_text_may_hold_control_tokens() -> None:
    arguments = parse(["run", "--raw", "<|im_start|>user", "--n", "3", "smol"]).arguments
    assert (arguments["model"], arguments["prompt"], arguments["n_answers"]) == ("smol", [], 3)
    assert replacement_of(arguments["raw"], arguments["fill"]) == TextInput(
        text="<|im_start|>user", parse_special=True
    )


def test_a_gap_has_two_sides() -> None:
    arguments = parse(["run", "--fill", "def f(", "  return x"]).arguments
    assert replacement_of(arguments["raw"], arguments["fill"]) == InfillInput(
        prefix="def f(", suffix="  return x"
    )
