"""What the user sees of set-up."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from fakes.fake_clock import ManualClock
from provision.console import LOG_INTERVAL_S, Console, ProgressLines, format_elapsed
from provision.failure import SetupFailure


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self, *, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n")

    def isatty(self) -> bool:
        return True

    def output(self) -> str:
        self.flush()
        self.seek(0)
        return self.read()


class LogFile(Terminal):
    """A stream that is none."""

    def isatty(self) -> bool:
        return False


def test_a_log_gets_one_line_for_a_short_step() -> None:
    log, clock = LogFile(), ManualClock(0.0)
    with Console(stream=log, clock=clock).task("Starter model") as task:
        clock.now = 3
        task.progress("fetching")
    assert log.output() == "✓ Starter model  0:03\n"


def test_a_log_gets_a_line_now_and_then_in_a_long_step() -> None:
    log, clock = LogFile(), ManualClock(0.0)
    with Console(stream=log, clock=clock).task("llama.cpp") as task:
        for n_done in range(10):
            clock.now += LOG_INTERVAL_S / 2
            task.progress(f"{n_done} of 10 files", fraction=n_done / 10)
    assert log.output().splitlines()[0] == "  llama.cpp  0:20   10%  1 of 10 files"
    assert len(log.output().splitlines()) == 5 + 1


def test_a_terminal_shows_one_line_that_changes() -> None:
    terminal, clock = Terminal(), ManualClock(0.0)
    with Console(stream=terminal, clock=clock).task("llama.cpp") as task:
        clock.now = 65
        task.progress("5 of 10 files", fraction=0.5)
        assert "\r  llama.cpp  1:05   50%  5 of 10 files" in terminal.output()
    assert terminal.output().count("\n") == 1


def test_the_clock_goes_on_while_a_step_says_nothing() -> None:
    terminal, clock = Terminal(), ManualClock(0.0)
    with Console(stream=terminal, clock=clock).task("llama.cpp") as task:
        task.progress("linking")
        clock.now = 5
        task.tick()
        assert "0:05  linking" in terminal.output()


def test_a_failed_step_shows_the_end_of_its_log_where_it_is_and_what_to_do() -> None:
    log = LogFile()
    console = Console(stream=log, clock=ManualClock(0.0))
    failure = SetupFailure(
        sentence="It broke.", advice="Mend it.", log=Path("build/setup/llama.log"), tail=("first", "last")
    )
    with pytest.raises(SetupFailure), console.task("llama.cpp"):
        raise failure
    console.show_failure(failure)
    output = log.output()
    expected = ["✗ llama.cpp", "It broke.", "    first", "    last", "llama.log", "Mend it."]
    assert [part for part in expected if part in output] == expected


def test_an_interrupted_step_is_not_called_done() -> None:
    log = LogFile()
    with pytest.raises(KeyboardInterrupt), Console(stream=log).task("llama.cpp"):
        raise KeyboardInterrupt
    assert "✓" not in log.output()


def test_a_stream_that_knows_no_marks_gets_letters() -> None:
    log = LogFile(encoding="ascii")
    with Console(stream=log, clock=ManualClock(0.0)).task("llama.cpp"):
        pass
    assert log.output() == "ok llama.cpp  0:00\n"


@pytest.mark.parametrize(("seconds", "text"), [(0.9, "0:00"), (59.9, "0:59"), (247, "4:07"), (3600, "60:00")])
def test_a_duration_is_minutes_and_seconds(seconds: float, text: str) -> None:
    assert format_elapsed(seconds) == text


def test_the_program_gets_a_line_of_json_for_the_progress_and_one_for_a_failure() -> None:
    stream, clock = LogFile(), ManualClock(0.0)
    console = ProgressLines(stream=stream, clock=clock)
    console.say("not for the program")
    with console.task("llama.cpp") as task:
        clock.now = 60
        task.progress("25 of 100 files", fraction=0.25)
    console.show_failure(SetupFailure(sentence="It broke.", advice="Mend it.", log=Path("a.log")))
    assert [json.loads(line) for line in stream.output().splitlines()] == [
        {"title": "llama.cpp", "detail": "25 of 100 files", "fraction": 0.25, "elapsed_s": 60},
        {"sentence": "It broke.", "advice": "Mend it.", "log": "a.log"},
    ]
