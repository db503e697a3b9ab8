"""Measure the transcript: opening a long conversation, and streaming a long answer into it.

Run: ``python tests/bench/transcript.py`` (offscreen unless QT_QPA_PLATFORM says otherwise). Layout and
painting are included. Prints one figure a line.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "app")]

from PySide6.QtCore import QElapsedTimer, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from fireside.core.chat import GenerationRecord, MessageState, StoredMessage  # noqa: E402
from fireside.core.ids import ConversationId, MessageId, ModelId  # noqa: E402
from fireside.core.message import Role, text_message  # noqa: E402
from fireside.ui.chat.style import chat_qss  # noqa: E402
from fireside.ui.chat.transcript import Transcript  # noqa: E402
from fireside.ui.theme import Theme, ThemeChoice, load_fonts  # noqa: E402

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
        self.application.setStyle("Fusion")
        resources = ROOT / "resources"
        load_fonts(resources)
        self.theme = Theme(resources=resources, application=self.application, sheets=[chat_qss])
        self.theme.set_choice(ThemeChoice.DARK)
        self.transcript = Transcript(theme=self.theme, open_url=lambda _url: None)
        self.transcript.resize(1008, 800)
        self.transcript.set_messages(
            [message(1, Role.USER, "warm"), message(2, Role.ASSISTANT, answer(4000))]
        )
        self.transcript.show()
        self.spin(0.3)

    def spin(self, seconds: float) -> None:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            self.application.processEvents()
            time.sleep(0.001)

    def open(self) -> float:
        messages = list(conversation())
        began = time.perf_counter()
        self.transcript.set_messages(messages)
        self.application.processEvents()
        self.transcript.grab()
        return time.perf_counter() - began

    def scroll(self) -> list[float]:
        costs = []
        bar = self.transcript.verticalScrollBar()
        for _ in range(200):
            began = time.perf_counter()
            bar.setValue(bar.value() - 120)
            self.application.processEvents()
            costs.append(time.perf_counter() - began)
        return costs

    def stream(self) -> tuple[list[float], list[float]]:
        """Return the cost of each update and the gaps between heartbeats, in seconds."""
        answer_id = MessageId(N_MESSAGES + 2)
        text = answer(N_TOKENS * TOKEN_CHARS)
        self.transcript.jump_to_latest()
        self.transcript.add_message(message(answer_id, Role.ASSISTANT, "", state=MessageState.STREAMING))
        costs: list[float] = []
        gaps: list[float] = []
        real = self.transcript._on_stream_due  # what the timer calls; measured from outside

        def measured() -> None:
            began = time.perf_counter()
            real()
            self.transcript.viewport().repaint()
            costs.append(time.perf_counter() - began)

        self.transcript._stream.timeout.disconnect()
        self.transcript._stream.timeout.connect(measured)
        clock = QElapsedTimer()
        clock.start()
        heart = QTimer(interval=5)
        heart.timeout.connect(lambda: gaps.append(clock.nsecsElapsed() / 1e9) or clock.restart())
        heart.start()
        self._feed(answer_id, text)
        heart.stop()
        done = message(answer_id, Role.ASSISTANT, text)
        began = time.perf_counter()
        self.transcript.replace_message(done)
        self.application.processEvents()
        print(f"finishing the answer: {(time.perf_counter() - began) * 1000:.1f} ms")
        return costs, gaps

    def _feed(self, answer_id: MessageId, text: str) -> None:
        began = time.perf_counter()
        sent = 0
        while sent < N_TOKENS:
            due = min(N_TOKENS, int((time.perf_counter() - began) * TOKENS_PER_S))
            if due > sent:
                part = text[sent * TOKEN_CHARS : due * TOKEN_CHARS]
                self.transcript.append_text(answer_id, text=part, n_completion=due)
                sent = due
            self.application.processEvents()
            time.sleep(0.001)
        self.spin(0.3)


def report(name: str, seconds: list[float]) -> None:
    ms = sorted(1000 * cost for cost in seconds)
    p95 = ms[int(len(ms) * 0.95)]
    print(f"{name}: mean {statistics.fmean(ms):.1f} ms, p95 {p95:.1f} ms, max {ms[-1]:.1f} ms (n {len(ms)})")


def main() -> None:
    bench = Bench()
    opened = [bench.open() for _ in range(3)]
    print(f"open {N_MESSAGES} messages: best {min(opened) * 1000:.0f} ms, worst {max(opened) * 1000:.0f} ms")
    report("scroll by 120 px", bench.scroll())
    costs, gaps = bench.stream()
    report(f"stream {TOKENS_PER_S} tokens/s into {N_TOKENS} tokens, one update", costs)
    tail = costs[-len(costs) // 10 :]
    report("the last tenth of them", tail)
    print(f"GUI heartbeat: longest gap {max(gaps) * 1000:.0f} ms")


if __name__ == "__main__":
    main()
