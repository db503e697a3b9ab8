"""A model reads the skills that are on in its chat, and nothing else; what they say is text by others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.skills import write_skill
from fakes.tool_calls import answer, ask, calls, in_turn, results, waiting
from fireside.core.message import ToolResultPart
from fireside.core.prompt_input import ChatInput, ToolDefinition
from fireside.core.tools import AllowedBy, CallState, Taint
from fireside.tools.consent import sources_of

FILES: dict[str, str | bytes] = {
    "references/more.md": "Round to cents.",
    "scripts/sum.py": "print(1)",
    "scripts/all.sh": "rm -rf /",
    "logo.png": b"\x89PNG\0",
}


@pytest.fixture
async def harness(tmp_path: Path, starter_model_path: Path) -> AsyncIterator[AppHarness]:
    place = tmp_path / "home" / ".agents" / "skills"
    write_skill(place / "tables", files=FILES)
    write_skill(place / "other", name="other", description="Is never on.")
    async with app_harness(tmp_path, starter=starter_model_path) as harness:
        for skill in await harness.app.skills.skills():
            await harness.app.skills.confirm(skill.folder, skill.fingerprint)
        yield harness


def use(name: str, file: str = "") -> tuple[str, str]:
    return "use_skill", msgspec.json.encode({"name": name} | ({"file": file} if file else {})).decode()


def tools_of(harness: AppHarness, request: int = -1) -> dict[str, ToolDefinition]:
    prompt = harness.engine.requests[request].task.prompt
    assert isinstance(prompt, ChatInput)
    return {tool.name: tool for tool in prompt.tools}


async def told(harness: AppHarness, *asked: tuple[str, str], **more: bool) -> list[ToolResultPart]:
    """Return the results of calls in a chat with the skill."""
    harness.engine.script = in_turn(calls(*asked), answer())
    conversation = await ask(harness, {"tools.skills": ("tables",), **more})
    return results(await harness.settled(conversation))


async def test_name_and_description_are_in_the_prompt_and_the_rest_when_it_is_used(
    harness: AppHarness,
) -> None:
    (result,) = await told(harness, use("tables"))
    definition = tools_of(harness, 0)["use_skill"]
    assert definition.description.endswith("Skills:\n- tables: Makes tables of sums.")
    assert '"name":{"enum":["tables"]}' in definition.parameters
    assert (result.state, result.allowed_by, result.taints) == (
        CallState.DONE,
        AllowedBy.POLICY,
        (Taint.UNTRUSTED,),
    )
    assert result.text == (
        "Add the numbers, then say the sum.\n\n"
        "[Files of the skill, to be read with file:\n"
        "logo.png (5 bytes)\nreferences/more.md (15 bytes)\n"
        "scripts/all.sh (8 bytes)\nscripts/sum.py (8 bytes)\n"
        "Scripts can be read, but not run here.\n"
        "There is no shell: other scripts are not run.]"
    )


async def test_its_files_are_read_and_no_others(harness: AppHarness) -> None:
    asked = ["references/more.md", "./scripts/all.sh", "logo.png", "../other/SKILL.md", "/etc/hostname"]
    read = await told(harness, *(use("tables", file) for file in asked))
    assert [(result.state, result.text.partition("\n")[0]) for result in read] == [
        (CallState.DONE, "Round to cents."),
        (CallState.DONE, "rm -rf /"),
        (CallState.FAILED, "file: “logo.png” is not text."),
        (CallState.FAILED, "file: the skill has no “../other/SKILL.md”. It has:"),
        (CallState.FAILED, "file: the skill has no “/etc/hostname”. It has:"),
    ]


async def test_one_that_is_not_on_cannot_be_used(harness: AppHarness) -> None:
    (result,) = await told(harness, use("other"))
    assert (result.state, result.text) == (
        CallState.FAILED,
        "name: there is no skill “other”. There are: tables.",
    )


async def test_without_any_there_is_no_tool(harness: AppHarness) -> None:
    harness.engine.script = in_turn(answer())
    await harness.settled(await ask(harness, {"tools.calculator": True}))
    assert list(tools_of(harness)) == ["calculator"]


async def test_a_changed_one_is_no_longer_offered(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = in_turn(answer())
    conversation = await ask(harness, {"tools.skills": ("tables", "other")})
    await harness.settled(conversation)
    assert '"enum":["other","tables"]' in tools_of(harness)["use_skill"].parameters
    (tmp_path / "home/.agents/skills/tables/scripts/sum.py").write_text("import os")
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    await harness.settled(conversation)
    assert '"enum":["other"]' in tools_of(harness)["use_skill"].parameters


async def test_the_chat_is_tainted_by_it_and_allowed_tools_grants_nothing(
    harness: AppHarness, tmp_path: Path
) -> None:
    folder = tmp_path / "home" / ".agents" / "skills" / "tables"
    text = (folder / "SKILL.md").read_text().replace("---\n\n", "allowed-tools: remember, *\n---\n\n")
    (folder / "SKILL.md").write_text(text)
    (skill,) = (each for each in await harness.app.skills.skills() if each.key == "tables")
    assert skill.allowed_tools == "remember, *"
    await harness.app.skills.confirm(skill.folder, skill.fingerprint)
    searches = calls(("search_chats", '{"words": "tea"}'))
    harness.engine.script = in_turn(calls(use("tables")), searches, answer())
    conversation = await ask(harness, {"tools.skills": ("tables",), "tools.chat_search": True})
    _, asked = results(await waiting(harness))
    assert (asked.name, asked.after_untrusted) == ("search_chats", True)
    await harness.app.generations.stop(conversation)
    stored = await harness.settled(conversation)
    assert (Taint.UNTRUSTED, "use_skill") in sources_of([stored.message])


async def test_many_long_descriptions_are_cut_to_a_part_of_the_context(
    harness: AppHarness, tmp_path: Path
) -> None:
    for number in range(60):
        folder = tmp_path / "home" / ".agents" / "skills" / f"s{number}"
        write_skill(folder, name=f"s{number}", description="Long. " * 170)
    for skill in await harness.app.skills.skills():
        await harness.app.skills.confirm(skill.folder, skill.fingerprint)
    harness.engine.script = in_turn(answer())
    names = tuple(f"s{number}" for number in range(60))
    await harness.settled(await ask(harness, {"tools.skills": names, "load.n_ctx": 8192}))
    definition = tools_of(harness)["use_skill"]
    assert len(definition.description) < 8192 * 4 // 10 + 1_500
    assert all(f"- {name}: Long." in definition.description for name in names)
