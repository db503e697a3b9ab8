"""What goes to which stream, and how."""

from __future__ import annotations

import io

import pytest

from fireside.cli.screen import Screen, figures, finish_note, hint, probabilities, tool_call_text
from fireside.core.errors import HubNotFound, HubOffline, HubTokenRefused
from fireside.core.generation import (
    FinishReason,
    OutputKind,
    Timings,
    TokenLogprobs,
    TokenProbability,
    Truncation,
    Usage,
)
from fireside.core.message import ToolCallPart


class Terminal(io.StringIO):
    """A stream that a user looks at."""

    def isatty(self) -> bool:
        return True


def thinking_then_answer(status: io.StringIO) -> tuple[str, str]:
    output = io.StringIO()
    screen = Screen(output=output, status=status)
    screen.show("<think>", kind=OutputKind.MARKUP)
    screen.show("Hm", kind=OutputKind.REASONING)
    screen.show("m.", kind=OutputKind.REASONING)
    screen.show("Blue.", kind=OutputKind.ANSWER)
    screen.end()
    return output.getvalue(), status.getvalue()


def test_only_the_answer_is_output() -> None:
    output, _ = thinking_then_answer(io.StringIO())
    assert output == "Blue.\n"


def test_thinking_is_dim_where_somebody_looks() -> None:
    _, status = thinking_then_answer(Terminal())
    assert status == "\x1b[2mHmm.\x1b[0m\n\n"


def test_thinking_is_marked_where_nobody_looks() -> None:
    _, status = thinking_then_answer(io.StringIO())
    assert status == "[thinking]\nHmm.\n[/thinking]\n"


def test_thinking_that_never_came_to_an_answer_is_closed() -> None:
    status = Terminal()
    screen = Screen(output=io.StringIO(), status=status)
    screen.show("Hm", kind=OutputKind.REASONING)
    screen.end()
    assert status.getvalue().endswith("\x1b[0m\n\n")


@pytest.mark.parametrize("kind", [OutputKind.REASONING, OutputKind.ANSWER])
def test_a_model_cannot_steer_the_terminal(kind: OutputKind) -> None:
    output, status = Terminal(), Terminal()
    Screen(output=output, status=status).show("\x1b[31mred\x07", kind=kind)
    assert "\x1b[31m" not in output.getvalue() + status.getvalue()
    assert "red" in output.getvalue() + status.getvalue()


def test_a_tool_call_cannot_steer_the_terminal_either() -> None:
    status = Terminal()
    call = ToolCallPart(id="1", name="\x1b[31m", arguments="{}")
    Screen(output=io.StringIO(), status=status).say(tool_call_text(call))
    assert "\x1b" not in status.getvalue()


def test_the_status_line_is_removed_when_text_is_written() -> None:
    status = Terminal()
    screen = Screen(output=io.StringIO(), status=status)
    screen.show_status("Reading…")
    screen.show("x", kind=OutputKind.ANSWER)
    assert status.getvalue() == "\r\x1b[KReading…\r\x1b[K"


def test_progress_is_not_written_to_a_file() -> None:
    status = io.StringIO()
    Screen(output=io.StringIO(), status=status).show_status("Reading…")
    assert status.getvalue() == ""


def test_truncation_and_finish_reason_are_noted() -> None:
    truncation = Truncation(n_messages=2, n_tokens=90, n_shifted=40)
    note = finish_note(FinishReason.REPETITION, context_full=False, truncation=truncation)
    assert note.splitlines() == [
        "(context full: 2 oldest messages dropped)",
        "(context full: 40 older tokens dropped)",
        "(stopped: repetition loop)",
    ]


def test_an_answer_that_is_done_needs_no_note() -> None:
    assert finish_note(FinishReason.STOP, context_full=False, truncation=None) == ""


def test_figures_name_thinking_and_guesses_where_there_were_any() -> None:
    usage = Usage(n_prompt=9, n_cached=4, n_completion=20, n_reasoning=5, n_drafted=8, n_draft_accepted=6)
    line = figures(usage, Timings(prompt_s=1, decode_s=1, first_token_s=0.5))
    assert line.startswith("19.0 tokens/s")
    assert "5 thinking" in line
    assert "6 of 8 draft tokens accepted" in line


def test_bytes_that_are_no_character_are_shown_as_they_are() -> None:
    chosen = TokenProbability(1, b"\xf0\x9f", -0.5)
    line = probabilities(TokenLogprobs(chosen, (chosen, TokenProbability(2, b" a", -2.0))))
    assert line.startswith('"\\\\xf0\\\\x9f" -0.500')
    assert line.endswith('" a" -2.000\n')


def test_the_terminal_says_how_to_give_a_token_there() -> None:
    assert "HF_TOKEN" in hint(HubNotFound(what="acme/private"))
    assert "--no-token" in hint(HubTokenRefused())
    assert hint(HubOffline()) == ""
