"""Measure how the window's process grows with chatting: the real program with a runner that follows a script.

Many short questions in one chat after another, each with a look back at an earlier one. Prints every hundred
questions what is resident, what is the process's own, what the C library has given out (and SQLite's share),
and how many blocks of Python and widgets there are.

Usage: PYTHONPATH=tests python tests/tools/bench/growth.py [--questions 1000] [--chats 50]
Uses the display that is there, else Qt's offscreen platform. Linux only.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import apsw
import psutil
from PySide6.QtWidgets import QApplication

from fakes.fake_runner import Script, fake_runner_command
from fakes.program import Program, running_program, until
from fakes.window import dress
from fireside.core.ids import ConversationId
from fireside.main import machine

ANSWER = """A short answer with **bold text**, `code` and a [link](https://example.org).

- first
- second

```python
def total(values: list[int]) -> int:
    return sum(values)
```

| name | value |
|---|--:|
| alpha | 17 |

It is $x^2 + 1$.
"""
PIECE_CHARS = 24
EVERY = 100


async def chat(program: Program, *, n_questions: int, n_chats: int) -> None:
    """Ask, and print a line for every hundred questions."""
    await program.ready()
    window = program.window
    seen: list[ConversationId] = []
    show(0)
    for number in range(1, n_questions + 1):
        if number % (n_questions // n_chats) == 1:
            window.conversations.new_chat()
        await program.ask(f"Question {number}?")
        del program.events[:]
        if number % (n_questions // n_chats) == 0:
            assert window.chat.conversation_id is not None
            seen.append(window.chat.conversation_id)
            for back in (seen[len(seen) // 2], seen[-1]):
                await look_at(program, back)
        if number % EVERY == 0:
            show(number)


async def look_at(program: Program, conversation_id: ConversationId) -> None:
    """Return when a chat is shown."""
    program.window.conversations.open(conversation_id)
    await until(lambda: program.window.chat.conversation_id == conversation_id)


def show(n_asked: int) -> None:
    """Print one line."""
    memory = psutil.Process().memory_full_info()
    sys.stdout.write(
        f"{n_asked:5d} questions: resident {memory.rss / 1e6:.1f} MB, private {memory.uss / 1e6:.1f} MB; "
        f"given out by the C library {given_out() / 1e6:.1f} MB, {apsw.memory_used() / 1e6:.1f} to SQLite; "
        f"{sys.getallocatedblocks():,} blocks of Python, {len(QApplication.allWidgets())} widgets\n"
    )
    sys.stdout.flush()


def given_out() -> int:
    """Return the bytes that are in use of what the C library manages, large pieces included."""
    names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"

    class Figures(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in names.split()]

    library = ctypes.CDLL(None)
    library.mallinfo2.restype = Figures
    figures = library.mallinfo2()
    return int(figures.uordblks + figures.hblkhd)


def main() -> None:
    """Measure once and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--chats", type=int, default=50)
    arguments = parser.parse_args()
    pieces = tuple(ANSWER[at : at + PIECE_CHARS] for at in range(0, len(ANSWER), PIECE_CHARS))
    command = fake_runner_command(Script(pieces=pieces))
    vars(machine)["runner_command"] = lambda: command
    application = QApplication([])
    dress(application)
    with (
        tempfile.TemporaryDirectory() as home,
        running_program(application, home=Path(home), settings=("chat.titles_by_model=off",)) as program,
    ):
        program.loop.run_until_complete(
            chat(program, n_questions=arguments.questions, n_chats=arguments.chats)
        )


if __name__ == "__main__":
    main()
