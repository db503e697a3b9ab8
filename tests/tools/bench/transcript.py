"""Measure the transcript: open, switch chats, resize, find, scroll, and stream at the end of a long one.

Run: ``PYTHONPATH=tests python tests/tools/bench/transcript.py`` (offscreen unless QT_QPA_PLATFORM
says otherwise).
Layout and painting are included. Prints one figure a line; where two are given, the second is the time of the
processor that this thread took, which other programs disturb less.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator

from fakes.widgets import child
from fireside.ui.theme import theme, use_theme

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, QTimer
from PySide6.QtWidgets import QApplication

from fireside.bridge.engine_thread import COST_FACTOR, FRAME_INTERVAL_S, MAX_FRAME_INTERVAL_S
from fireside.bridge.garbage import GuiGarbageCollector
from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.generation import TextDelta
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.message import Role, text_message
from fireside.main.window import SWITCH_INTERVAL_S
from fireside.settings.paths import resources_folder
from fireside.ui.chat.style import chat_qss
from fireside.ui.chat.transcript.conversation_find import FindBar
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import Theme, ThemeChoice, load_fonts

N_MESSAGES = 5_000
N_TOKENS = 4_000
TOKENS_PER_S = 200
TOKEN_CHARS = 4

SECTION = """## Part {n}

A paragraph with **bold text**, `inline code` and a [link](https://example.org/{n}). It goes on for a while,
as paragraphs in answers do, so that it wraps over two or three lines of the column and has to be laid out.

- first point of part {n}
- second point, with `code`
  - a nested one
1. numbered
2. numbered again

```python
def part_{n}(values: list[int]) -> int:
    total = 0
    for index, value in enumerate(values):
        if value % {n} == 0:  # only some
            total += index * value
    return total
```

| name | value | note |
|---|--:|---|
| alpha | {n} | first |
| beta | 17 | second |

"""


def answer(n_chars: int) -> str:
    text = "".join(SECTION.format(n=n) for n in range(1, n_chars // len(SECTION) + 2))
    return text[:n_chars]


def table(n_chars: int) -> str:
    """A table of 400 rows."""
    rows = [f"| item {n} | {n * 37 % 1000} | a few words about it |" for n in range(400)]
    return "\n".join(["| name | value | note |", "|---|--:|---|", *rows])[:n_chars]


def code(n_chars: int) -> str:
    lines = (f"    total_{n} = compute({n}, values[{n} % 7])  # step {n}" for n in range(n_chars))
    text = "```python\ndef main():\n"
    while len(text) < n_chars:
        text += next(lines) + "\n"
    return text[:n_chars]


def paragraph(n_chars: int) -> str:
    return ("These are the words of **one** paragraph that never ends, with `code` in it. " * n_chars)[
        :n_chars
    ]


def mathematics(n_chars: int) -> str:
    part = (
        "Sum $\\sum_{{i=1}}^{{{n}}} i = \\frac{{n(n+1)}}{{2}}$ is.\n\n$$\nx_{{{n}}} = \\sqrt{{{n}}}\n$$\n\n"
    )
    return "".join(part.format(n=n) for n in range(1, n_chars // 60))[:n_chars]


def message(
    number: int, role: Role, text: str, *, state: MessageState = MessageState.COMPLETE
) -> StoredMessage:
    record = GenerationRecord(model_id=ModelId("bench"), model_name="Bench")
    return StoredMessage(
        id=MessageId(number),
        conversation_id=ConversationId(1),
        parent_id=None,
        message=text_message(role, text),
        state=state,
        created_at=0.0,
        generation=record if role is Role.ASSISTANT else None,
    )


def conversation() -> Iterator[StoredMessage]:
    for number in range(1, N_MESSAGES + 1):
        if number % 2:
            yield message(number, Role.USER, f"Question {number}: how does this work, and why?")
        else:
            yield message(number, Role.ASSISTANT, answer(400 + number % 1200))


class Bench:
    """One window with a transcript, and a heartbeat that notices when the GUI thread is held up."""

    def __init__(self) -> None:
        self.application = QApplication([])
        self._number = N_MESSAGES + 2
        self.application.setStyle("Fusion")
        resources = resources_folder()
        load_fonts(resources)
        use_theme(Theme(resources=resources, application=self.application, sheets=[chat_qss]))
        theme().set_choice(ThemeChoice.DARK)
        self.transcript = Transcript(open_url=lambda _url: None)
        self.transcript.resize(1008, 800)
        self.transcript.set_messages(
            [message(1, Role.USER, "warm"), message(2, Role.ASSISTANT, answer(4000))]
        )
        self.transcript.show()
        self.spin(0.3)
        # As in the program: Python does not look for cycles by itself, and threads take short turns.
        self.garbage = GuiGarbageCollector()
        sys.setswitchinterval(SWITCH_INTERVAL_S)

    def turn(self) -> None:
        """One turn of the event loop. Qt leaves it to a running loop to free what is to be deleted later."""
        self.application.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def spin(self, seconds: float) -> None:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            self.turn()
            time.sleep(0.001)

    def open(self) -> tuple[float, float]:
        return self._timed_open(list(conversation()))

    def switch(self, chats: list[list[StoredMessage]]) -> tuple[list[float], list[float], list[float]]:
        """Show conversations one after another. Returns how long each took until it was painted, the
        processor's share of that, and its share of laying out all that is near the visible part."""
        walls, painted, whole = [], [], []
        for chat in chats:
            began = time.thread_time()
            wall, used = self._timed_open(chat)
            while not all(view.is_laid_out for view in self.transcript.live.values()):
                self.turn()
            walls.append(wall)
            painted.append(used)
            whole.append(time.thread_time() - began)
        return walls, painted, whole

    def short_chats(self, n: int) -> list[list[StoredMessage]]:
        """Return conversations that were not shown before."""
        made = []
        for _ in range(n):
            self._number += 2
            made.append(
                [
                    message(self._number - 1, Role.USER, "hello"),
                    message(self._number, Role.ASSISTANT, answer(4000)),
                ]
            )
        return made

    def _timed_open(self, messages: list[StoredMessage]) -> tuple[float, float]:
        began, used = time.perf_counter(), time.thread_time()
        self.transcript.set_messages(messages)
        self.turn()
        self.transcript.grab()
        return time.perf_counter() - began, time.thread_time() - used

    def resize(self) -> tuple[list[float], list[float]]:
        walls, used = [], []
        for step in range(40):
            began, cpu = time.perf_counter(), time.thread_time()
            self.transcript.resize(640 + 9 * step, 800)
            self.turn()
            self.transcript.grab()
            walls.append(time.perf_counter() - began)
            used.append(time.thread_time() - cpu)
        self.transcript.resize(1008, 800)
        return walls, used

    def find(self) -> tuple[float, list[float]]:
        """Return how long counting a frequent word everywhere takes, and each turn of the event loop."""
        self.transcript.finder.open()
        bar = child(self.transcript, FindBar)
        began = time.perf_counter()
        bar.field.setText("value")
        gaps = []
        while self.transcript.finder.is_searching:
            turn = time.perf_counter()
            self.turn()
            gaps.append(time.perf_counter() - turn)
        took = time.perf_counter() - began
        print(f"found {bar.count.text()}")
        self.transcript.finder.close()
        return took, gaps

    def scroll(self) -> list[float]:
        costs = []
        bar = self.transcript.verticalScrollBar()
        for _ in range(200):
            began = time.perf_counter()
            bar.setValue(bar.value() - 120)
            self.turn()
            costs.append(time.perf_counter() - began)
        return costs

    def stream(self, text: str) -> tuple[list[float], list[float], list[float]]:
        """Return each update's cost, the processor's share of it, and the gaps between heartbeats."""
        self._number += 1
        answer_id = MessageId(self._number)
        self.transcript.column.jump_to_latest()
        self.transcript.add_message(message(answer_id, Role.ASSISTANT, "", state=MessageState.STREAMING))
        costs: list[float] = []
        used: list[float] = []
        gaps: list[float] = []

        def show(part: str, n_completion: int) -> None:
            began, cpu = time.perf_counter(), time.thread_time()
            self.transcript.append_text(answer_id, TextDelta(text=part, n_completion=n_completion))
            self.transcript.viewport().repaint()
            costs.append(time.perf_counter() - began)
            used.append(time.thread_time() - cpu)

        clock = QElapsedTimer()
        clock.start()
        heart = QTimer(interval=5)

        def beat() -> None:
            gaps.append(clock.nsecsElapsed() / 1e9)
            clock.restart()

        heart.timeout.connect(beat)
        heart.start()
        self._feed(text, show)
        heart.stop()
        self.transcript.replace_message(message(answer_id, Role.ASSISTANT, text))
        self.turn()
        return costs, used, gaps

    def _feed(self, text: str, show: Callable[[str, int], None]) -> None:
        """Let text arrive as the frame pump sends it: by frames, the dearer the fewer."""
        began = time.perf_counter()
        sent, next_frame_at = 0, 0.0
        while sent < N_TOKENS:
            now = time.perf_counter()
            due = min(N_TOKENS, int((now - began) * TOKENS_PER_S))
            if due > sent and now >= next_frame_at:
                show(text[sent * TOKEN_CHARS : due * TOKEN_CHARS], due)
                cost_s = time.perf_counter() - now
                next_frame_at = now + max(FRAME_INTERVAL_S, min(MAX_FRAME_INTERVAL_S, COST_FACTOR * cost_s))
                sent = due
            self.turn()
            time.sleep(0.001)
        self.spin(0.3)


def report(name: str, seconds: list[float], used: list[float] | None = None) -> None:
    print(f"{name}: {figures(seconds)} (n {len(seconds)})" + (f"; processor {figures(used)}" if used else ""))


def figures(seconds: list[float]) -> str:
    ms = sorted(1000 * cost for cost in seconds)
    return f"mean {statistics.fmean(ms):.1f} ms, p95 {ms[int(len(ms) * 0.95)]:.1f} ms, max {ms[-1]:.1f} ms"


def memory_mb() -> float:
    return psutil.Process().memory_info().rss / 2**20


TEXTS: dict[str, Callable[[int], str]] = {
    "a usual answer": answer,
    "a table of 400 rows": table,
    "one block of code": code,
    "one paragraph": paragraph,
    "formulas": mathematics,
}


def main() -> None:
    print(f"load of the machine {psutil.getloadavg()[0]:.1f}, {psutil.cpu_count()} cores")
    bench = Bench()
    before = memory_mb()
    opened = [bench.open() for _ in range(3)]
    best = min(opened)
    worst = max(opened)[0]
    wall = f"{best[0] * 1000:.0f} to {worst * 1000:.0f} ms"
    print(f"open {N_MESSAGES} messages: {wall}; processor {best[1] * 1000:.0f} ms")
    report("scroll by 120 px", bench.scroll())
    report("resize", *bench.resize())
    print(f"memory grown by {memory_mb() - before:.0f} MB, the messages themselves included")
    took, turns = bench.find()
    print(f"count a frequent word everywhere: {took:.2f} s, longest turn {max(turns) * 1000:.0f} ms")
    for name, make in TEXTS.items():
        costs, used, gaps = bench.stream(make(N_TOKENS * TOKEN_CHARS))
        report(f"stream {TOKENS_PER_S} tokens/s, {name}, one update", costs, used)
        report("  the last tenth", costs[-len(costs) // 10 :], used[-len(used) // 10 :])
        print(f"  longest gap of the window's heartbeat {max(gaps) * 1000:.0f} ms")
        print(f"  memory grown by {memory_mb() - before:.0f} MB since the start")
    chats = bench.short_chats(20)
    for name, shown in (("another chat", chats), ("a chat seen lately", chats[-3:] * 7)):
        walls, painted, whole = bench.switch(shown)
        report(f"switch to {name}, until it is painted", walls, painted)
        print(f"  until all of it is laid out: processor {figures(whole)}")


if __name__ == "__main__":
    main()
