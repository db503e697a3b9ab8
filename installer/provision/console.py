"""The output of set-up: one line per step, which is live in a terminal and repeated at intervals in a log."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from provision.failure import SetupFailure

LIVE_INTERVAL_S = 0.2
LOG_INTERVAL_S = 20.0


class Task:
    """A running step. Not thread-safe."""

    def __init__(self, *, title: str, console: Console, clock: Callable[[], float]) -> None:
        self._title = title
        self._console = console
        self._clock = clock
        self._started = clock()
        self._shown_at = self._started
        self._detail = ""
        self._fraction: float | None = None

    def progress(self, detail: str, *, fraction: float | None = None) -> None:
        """Show the progress of the step; ``fraction`` is 0 to 1, if known."""
        self._detail, self._fraction = detail, fraction
        self.tick()

    def tick(self) -> None:
        """Update the line of the step, at intervals."""
        now = self._clock()
        if now - self._shown_at >= self._console.interval_s:
            self._shown_at = now
            self._console.show_progress(
                self._title, self._detail, fraction=self._fraction, elapsed_s=now - self._started
            )

    def elapsed(self) -> str:
        return format_elapsed(self._clock() - self._started)


class Console:
    """Writes to one stream, in ASCII if its encoding requires it."""

    def __init__(self, *, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._live_length = 0
        self.is_live = stream.isatty()
        self._done, self._failed = _marks(stream.encoding or "ascii")

    @property
    def interval_s(self) -> float:
        """Seconds between two lines of a running step."""
        return LIVE_INTERVAL_S if self.is_live else LOG_INTERVAL_S

    def say(self, text: str) -> None:
        self._clear_live()
        self._stream.write(text + "\n")
        self._stream.flush()

    @contextmanager
    def task(self, title: str) -> Iterator[Task]:
        """Show ``title`` while the block runs, then its outcome and duration."""
        task = Task(title=title, console=self, clock=self._clock)
        if self.is_live:
            self.show_live(f"  {title}")
        try:
            yield task
        except SetupFailure:
            self.say(f"{self._failed} {title}  {task.elapsed()}")
            raise
        except BaseException:
            self._clear_live()
            raise
        self.say(f"{self._done} {title}  {task.elapsed()}")

    def show_failure(self, failure: SetupFailure) -> None:
        """Print a failure with the end of its log, the path of the log, and the advice."""
        self.say("")
        self.say(failure.sentence)
        if failure.tail:
            self.say("")
            self.say("\n".join("    " + line for line in failure.tail))
        if failure.log is not None:
            self.say("")
            self.say(f"Everything it said: {failure.log}")
        self.say("")
        self.say(failure.advice)

    def show_progress(self, title: str, detail: str, *, fraction: float | None, elapsed_s: float) -> None:
        """Show how far a step is."""
        percent = "" if fraction is None else f"{fraction:4.0%}  "
        self.show_live(f"  {title}  {format_elapsed(elapsed_s)}  {percent}{detail}")

    def show_live(self, text: str) -> None:
        """Replace the live line; in a log, write a line."""
        if not self.is_live:
            self.say(text.rstrip())
            return
        width = shutil.get_terminal_size().columns - 1
        line = text[:width]
        self._stream.write("\r" + line + " " * (self._live_length - len(line)))
        self._stream.flush()
        self._live_length = len(line)

    def _clear_live(self) -> None:
        if self._live_length:
            self._stream.write("\r" + " " * self._live_length + "\r")
            self._live_length = 0


class ProgressLines(Console):
    """Writes for the program, which shows it: a JSON object a line, with ``title``, ``detail``,
    ``fraction`` (0 to 1, or null) and ``elapsed_s`` of the running step, or with ``sentence``, ``advice`` and
    ``log`` of a failure."""

    interval_s = 1.0

    def say(self, text: str) -> None:
        pass

    def show_progress(self, title: str, detail: str, *, fraction: float | None, elapsed_s: float) -> None:
        self._write({"title": title, "detail": detail, "fraction": fraction, "elapsed_s": elapsed_s})

    def show_failure(self, failure: SetupFailure) -> None:
        log = "" if failure.log is None else str(failure.log)
        self._write({"sentence": failure.sentence, "advice": failure.advice, "log": log})

    def _write(self, line: dict[str, object]) -> None:
        self._stream.write(json.dumps(line) + "\n")
        self._stream.flush()


def format_elapsed(seconds: float) -> str:
    """Return a duration in minutes and seconds, such as ``4:07``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def _marks(encoding: str) -> tuple[str, str]:
    try:
        "✓✗".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "ok", "!!"
    return "✓", "✗"
