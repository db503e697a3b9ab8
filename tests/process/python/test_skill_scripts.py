"""A model uses a skill, reads a file of it and runs its script: in the confinement of code, with consent."""

from __future__ import annotations

import json
import py_compile
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.engines_harness import EnginesHarness
from fakes.model_server import Reply, chunk, model_server, text
from fakes.skills import write_skill
from fakes.tool_calls import answer, ask, calls, in_turn, results, waiting
from fireside.core.options import SettingValue
from fireside.core.remote import NewEngine
from fireside.core.tools import AllowedBy, CallState, ConsentAnswer, Taint
from fireside.settings.values import AppLayer

SCRIPT = """
import sys
from pathlib import Path
from helper import total
print("sum:", total(sys.argv[1:]))
try:
    Path(__file__).with_name("written").write_text("x")
except OSError:
    print("not written")
print("elsewhere:", Path(sys.argv[0]).parents[2].joinpath("secret").exists())
"""
ON: dict[str, SettingValue] = {"tools.skills": ("sums",), "tools.python": True}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files: dict[str, str | bytes] = {
        "scripts/add.py": SCRIPT,
        "scripts/helper.py": "def total(numbers): return sum(map(int, numbers))",
        "references/how.md": "Run scripts/add.py with the numbers.",
    }
    place = tmp_path / "home" / ".agents" / "skills"
    folder = write_skill(place / "sums", name="sums", description="Adds numbers.", files=files)
    (place / "secret").write_text("hush")
    return folder


@pytest.fixture
async def harness(tmp_path: Path, starter_model_path: Path, folder: Path) -> AsyncIterator[AppHarness]:
    async with app_harness(tmp_path, starter=starter_model_path) as harness:
        for skill in await harness.app.skills.skills():
            await harness.app.skills.confirm(skill.folder, skill.fingerprint)
        yield harness


def call(tool: str, /, **arguments: str) -> tuple[str, str]:
    return tool, msgspec.json.encode(arguments).decode()


def run(folder: Path) -> tuple[str, str]:
    script = folder / "scripts" / "add.py"
    code = (
        "import runpy, sys\n"
        f"sys.argv = [{str(script)!r}, '1', '2']\n"
        f"sys.path.insert(0, {str(script.parent)!r})\n"
        f"runpy.run_path({str(script)!r}, run_name='__main__')['total']\n"
    )
    return call("python", code=code)


def step(number: int, called: tuple[str, str]) -> Reply:
    """Answer a request with one call."""
    name, arguments = called
    function = {"name": name, "arguments": arguments}
    delta = {"tool_calls": [{"index": 0, "id": f"c{number}", "type": "function", "function": function}]}
    return Reply(events=[chunk(delta), chunk({}, finish="tool_calls"), "[DONE]"])


async def test_a_model_elsewhere_goes_from_the_skill_to_the_result_of_its_script(
    harness: AppHarness, folder: Path, tmp_path: Path
) -> None:
    asked_for = (
        call("use_skill", name="sums"),
        call("use_skill", name="sums", file="references/how.md"),
        run(folder),
    )
    (tmp_path / "engines").mkdir()
    await harness.app.preferences.change(AppLayer(), key="chat.titles_by_model", value=False)
    with model_server() as server:
        harness.app.engines._parts = EnginesHarness(tmp_path / "engines").service._parts
        await harness.app.engines.add(NewEngine(address=server.address))
        server.replies = [*(step(n, called) for n, called in enumerate(asked_for)), text("It is 3.")]
        spec = harness.app.engines.entries[0].spec
        assert spec is not None
        conversation = await harness.app.generations.send(None, text="Go", model_id=spec.id, settings=ON)
        asked = await waiting(harness)
        used, read, ran = results(asked)
        assert f"There its folder is {folder}, read-only." in used.text
        assert (read.state, read.text) == (CallState.DONE, "Run scripts/add.py with the numbers.")
        if ran.reach:
            pytest.skip("this system confines nothing")
        assert (ran.taints, ran.after_untrusted) == ((Taint.UNTRUSTED,), True)
        await harness.app.tools.answer_call(asked.id, ran.call_id, ConsentAnswer.ONCE)
        stored = await harness.settled(conversation)
        first, *_, last = server.chats
    ran = results(stored)[2]
    assert (ran.state, ran.allowed_by) == (CallState.DONE, AllowedBy.ONCE)
    assert ran.text.startswith("sum: 3\nnot written\nelsewhere: False\n")
    assert not (folder / "scripts" / "written").exists()
    assert [tool["function"]["name"] for tool in first.body["tools"]][:2] == ["python", "use_skill"]
    assert "Adds numbers." in first.body["tools"][1]["function"]["description"]
    assert "Add the numbers, then say the sum." not in json.dumps(first.body)
    assert "Add the numbers, then say the sum." in json.dumps(last.body)


async def test_without_consent_nothing_runs(harness: AppHarness, folder: Path) -> None:
    harness.engine.script = in_turn(calls(run(folder)), answer())
    conversation = await ask(harness, ON)
    asked = await waiting(harness)
    await harness.app.tools.answer_call(asked.id, results(asked)[0].call_id, ConsentAnswer.DENY)
    (denied,) = results(await harness.settled(conversation))
    assert (denied.state, "sum" in denied.text) == (CallState.DENIED, False)


async def test_compiled_code_beside_a_script_is_not_what_runs(harness: AppHarness, folder: Path) -> None:
    helper = folder / "scripts" / "helper.py"
    reviewed = helper.read_text()
    helper.write_text("total = lambda numbers: 'poison'")
    py_compile.compile(str(helper), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    helper.write_text(reviewed)
    harness.engine.script = in_turn(calls(run(folder)), answer())
    conversation = await ask(harness, ON)
    asked = await waiting(harness)
    await harness.app.tools.answer_call(asked.id, results(asked)[0].call_id, ConsentAnswer.ONCE)
    (ran,) = results(await harness.settled(conversation))
    assert ran.text.startswith("sum: 3\n")
