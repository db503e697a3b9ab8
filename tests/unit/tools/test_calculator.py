"""The calculator computes in a process of its own, and can do nothing else."""

from __future__ import annotations

import asyncio
import json

import psutil
import pytest

from fireside.tools.calculator import calculator_tool
from fireside.tools.tool import ToolFailed


def compute(code: str) -> str:
    tool = calculator_tool()

    async def run() -> str:
        return await tool.run(tool.read(json.dumps({"code": code})))

    return asyncio.run(run())


def workers() -> list[psutil.Process]:
    return [each for each in psutil.Process().children(recursive=True) if "monty" in each.name()]


def test_the_last_expression_and_what_is_printed_come_back() -> None:
    assert compute("2 ** 100") == "1267650600228229401496703205376"
    assert compute("print('hi')\n6 * 7") == "hi\n42"
    assert compute("x = 1") == "(no result)"
    assert compute("import math\nround(math.sqrt(2), 3)") == "1.414"
    assert workers() == []


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd').read()",
        "import os\nos.environ",
        "import os\nos.listdir('/')",
        "import socket",
        "import subprocess",
        "__import__('os')",
        "().__class__.__bases__[0].__subclasses__()",
        "eval('open')('/etc/passwd').read()",
        "while True: pass",
        "'a' * 10**10",
        "[0] * 10**9",
        "def f(): return f()\nf()",
        "1 / 0",
        "f(",
    ],
)
def test_nothing_else_can_be_done(code: str) -> None:
    with pytest.raises(ToolFailed):
        compute(code)
    assert workers() == []


def test_a_call_that_is_stopped_ends_its_process() -> None:
    tool = calculator_tool()
    begun: list[psutil.Process] = []

    def first_worker() -> None:
        while not begun:
            begun.extend(workers())

    async def run() -> None:
        task = asyncio.create_task(tool.run(tool.read(json.dumps({"code": "while True: pass"}))))
        await asyncio.wait_for(asyncio.to_thread(first_worker), 20)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.to_thread(begun[0].wait, 20)

    asyncio.run(run())
    assert workers() == []
