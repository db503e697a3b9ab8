"""A model that computes: an error, its correction, a chart and a file; a session that keeps and loses."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.engine import conversation_of
from fakes.tool_calls import answer, calls, in_turn, last, results, waiting
from fireside.core.chat import MessageState
from fireside.core.elicitation import NO_OBSERVER
from fireside.core.ids import ConversationId
from fireside.core.message import DocumentPart, Role
from fireside.core.tool_calls import calls_of, consent_question
from fireside.core.tool_servers import Sandbox
from fireside.core.tools import CallState, ConsentAnswer, Permission, Taint
from fireside.main.startup_context import base_environment
from fireside.services.python_sessions import CodeLimits, PythonSessions
from fireside.settings.values import AppLayer

TABLE = DocumentPart(name="sales.csv", media_type="text/plain", text="month,sum\nMay,3\nJune,4\n")
SHEET = DocumentPart(name="a.xlsx", media_type="x/spreadsheet", text="1", data=b"PK not really")
CHART = r"""
import csv, struct, zlib
rows = list(csv.DictReader(open('sales.csv')))
total = sum(int(row['sum']) for row in rows)
def part(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
pixels = b''.join(b'\0' + b'\x80\x20\x20' * 30 for _ in range(20))
with open('chart.png', 'wb') as file:
    file.write(b'\x89PNG\r\n\x1a\n' + part(b'IHDR', struct.pack('>IIBBBBB', 30, 20, 8, 2, 0, 0, 0))
               + part(b'IDAT', zlib.compress(pixels)) + part(b'IEND', b''))
open('total.txt', 'w').write(str(total))
total
"""


@pytest.fixture
async def harness(tmp_path: Path, starter_model_path: Path) -> AsyncIterator[AppHarness]:
    async with app_harness(tmp_path, starter=starter_model_path) as harness:
        await harness.app.preferences.change(AppLayer(), key="chat.titles_by_model", value=False)
        yield harness


def runs(code: str) -> tuple[str, str]:
    return "python", msgspec.json.encode({"code": code}).decode()


async def send(harness: AppHarness, *attached: DocumentPart) -> ConversationId:
    return await harness.app.generations.send(
        None, text="Go", model_id=harness.model_id, settings={"tools.python": True}, attached=attached
    )


async def test_an_error_goes_back_and_the_corrected_code_makes_a_chart_and_a_file(
    harness: AppHarness,
) -> None:
    harness.engine.script = in_turn(
        calls(runs("total = sum(row['sum'] for row in rows)")), calls(runs(CHART)), answer("It is 7.")
    )
    conversation = await send(harness, TABLE, SHEET)
    asked = await waiting(harness)
    (call,) = calls_of(asked.message, is_live=True)
    assert call.result is not None
    if call.result.reach:
        pytest.skip("this system confines nothing: each call is asked about")
    assert call.unfolded[0].startswith("total = ")
    assert "code" in consent_question(call.result)
    await harness.app.tools.answer_call(asked.id, call.part.id, ConsentAnswer.CHAT)
    stored = await harness.settled(conversation)
    failed, made = results(stored)
    assert (failed.state, made.state) == (CallState.FAILED, CallState.DONE)
    assert "NameError" in failed.text
    assert made.text == "7"
    assert "[Files handed to the user: " in made.shown
    assert not made.is_truncated
    assert {file.name: zlib.crc32(file.data) for file in made.files}.keys() == {"chart.png", "total.txt"}
    assert [image.name for image in made.images] == ["chart.png"]
    assert made.memory_bytes is not None
    last_request = conversation_of(harness.engine.requests[-1])
    assert "NameError" in repr(last_request)
    assert all(part.data == b"" for part in last_request[0].parts if isinstance(part, DocumentPart))
    # What it made is at hand later, in a session that knows nothing else.
    harness.app.services.python.forget(conversation)
    harness.engine.script = in_turn(
        calls(
            runs(
                "import os\nprint(sorted(n for n in os.listdir() if n[0] != '.'), open('total.txt').read())\n"
                "rows"
            )
        ),
        answer(),
    )
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    (again,) = results(await harness.settled(conversation))
    assert "['a.xlsx', 'chart.png', 'sales.csv', 'total.txt'] 7" in again.text
    assert "name 'rows' is not defined" in again.text
    assert "new session" in again.shown


async def test_stop_ends_the_code_and_keeps_what_it_printed(harness: AppHarness) -> None:
    await harness.app.tools.permit("python", Permission.ALWAYS)
    harness.engine.script = in_turn(calls(runs("x = 5\nprint('begun')\nwhile True: pass")), answer())
    conversation = await send(harness)
    await harness.until_so(lambda: bool(harness.events) and _text(harness).startswith("begun"))
    await harness.app.generations.stop(conversation)
    (stopped,) = results(await harness.settled(conversation))
    assert stopped.state is CallState.STOPPED
    assert stopped.text.startswith("begun")
    harness.engine.script = in_turn(calls(runs("x")), answer())
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    (kept,) = results(await harness.settled(conversation))
    assert kept.text == "5"


def _text(harness: AppHarness) -> str:
    try:
        found = results(last(harness))
    except IndexError:
        return ""
    return found[-1].text if found else ""


async def test_without_confinement_each_call_is_asked_about_with_what_it_can_reach(
    harness: AppHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unconfined(*_: object) -> Sandbox:
        return Sandbox.NONE

    monkeypatch.setattr(PythonSessions, "sandbox", unconfined)
    await harness.app.tools.permit("python", Permission.ALWAYS)
    harness.engine.script = in_turn(calls(runs("1 + 1")), answer())
    conversation = await send(harness)
    asked = await waiting(harness)
    (result,) = results(asked)
    assert set(result.taints) == set(Taint)
    assert "delete your files" in consent_question(result)
    await harness.app.tools.answer_call(asked.id, result.call_id, ConsentAnswer.ONCE)
    (done,) = results(await harness.settled(conversation))
    assert done.text == "2"


async def test_the_user_runs_a_block_of_an_answer_which_is_told_as_text(harness: AppHarness) -> None:
    block = "Try it:\n\n```python\nprint(6 * 7)\n```\n\nIt prints 42."
    harness.engine.script = in_turn(answer(block))
    conversation = await harness.app.generations.send(None, text="Go", model_id=harness.model_id)
    stored = await harness.settled(conversation)
    offset = block.index("\n\nIt prints")
    for code in ("print(6 * 7)", "1 / 0"):
        await harness.app.generations.run_code(stored.id, code, offset=offset)
        ran = await harness.settled(conversation)
    assert ran.message.text == block
    assert ran.state is MessageState.COMPLETE
    first, second = calls_of(ran.message, is_live=False)
    assert [call.n_before for call in (first, second)] == [offset, offset]
    assert first.result is not None
    assert first.result.text == "42"
    assert "run by you" in first.details
    assert second.result is not None
    assert second.result.state is CallState.FAILED
    # A model without tools understands what was run.
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    await harness.settled(conversation)
    (told,) = (m for m in conversation_of(harness.engine.requests[-1]) if m.role is Role.ASSISTANT)
    assert not told.tool_calls
    assert "[The user ran this code.\nIts output:]\n42" in told.text
    assert "```python\n1 / 0\n```\nIts output:]" in told.text


async def test_the_user_stops_what_the_user_runs(harness: AppHarness) -> None:
    harness.engine.script = in_turn(answer("```python\n```"))
    conversation = await harness.app.generations.send(None, text="Go", model_id=harness.model_id)
    stored = await harness.settled(conversation)
    await harness.app.generations.run_code(stored.id, "print('begun')\nwhile True: pass", offset=9)
    await harness.until_so(lambda: _text(harness).startswith("begun"))
    assert last(harness).state is MessageState.STREAMING
    await harness.app.generations.stop(conversation)
    ran = await harness.settled(conversation)
    assert ran.state is MessageState.COMPLETE
    assert [result.state for result in results(ran)] == [CallState.STOPPED]


async def test_a_session_ends_when_it_is_idle() -> None:
    sessions = PythonSessions(environ=base_environment(), read=lambda _: iter(()), idle_s=0.01)
    run = [ConversationId(1), "x = 1"]
    await sessions.run(*run, limits=CodeLimits(), watch=NO_OBSERVER)  # type: ignore[arg-type]
    while sessions._sessions:  # noqa: ASYNC110  # nothing tells of it
        await asyncio.sleep(0.01)
    await sessions.close()


async def test_packages_that_were_installed_are_at_hand(tmp_path: Path) -> None:
    folder = tmp_path / "packages"

    async def packages() -> str:
        return str(folder) if folder.exists() else ""

    sessions = PythonSessions(environ=base_environment(), read=lambda _: iter(()), packages=packages)

    async def ran(code: str) -> str:
        result = await sessions.run(ConversationId(1), code, limits=CodeLimits(), watch=NO_OBSERVER)
        return result.text

    missing = await ran("import numpy")
    assert "No module named 'numpy'" in missing
    assert "often used: none." in missing
    assert "Data packages" in missing
    folder.mkdir()
    (folder / "numpy.py").write_text("def total(values): return sum(values)")
    assert await ran("import numpy; numpy.total([3, 4])") == "7"
    assert "Error" in await ran("open(numpy.__file__, 'w')")
    await sessions.close()


async def test_a_program_that_is_no_python_is_named() -> None:
    sessions = PythonSessions(environ=base_environment(), read=lambda _: iter(()))
    with pytest.raises(Exception, match="Python could not be started"):
        await sessions.run(ConversationId(1), "1", limits=CodeLimits(program="/no/python"), watch=NO_OBSERVER)
    result = await sessions.run(
        ConversationId(1), "1", limits=CodeLimits(program="/bin/true"), watch=NO_OBSERVER
    )
    assert result.is_error
    await sessions.close()
