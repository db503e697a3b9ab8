"""Output to a terminal or a pipe: answers to one stream, everything else to the other."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Collection, Sequence
from typing import Final, TextIO

import msgspec

from fireside.core.errors import ErrorInfo, FiresideError, NextStep
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
from fireside.core.problems import Problems

_BREAKS: Final = re.compile(r"\r\n|[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MARKS: Final = re.compile(r"[\u061c\u200e\u200f]")
"""Directional marks: allowed in a text of its own, not in a name within another."""
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"
_CLEAR_LINE = "\r\x1b[K"
_DEFAULT_WIDTH = 80


class Screen:
    """Writes answers to ``output``; reasoning, progress, notes and statistics to ``status``."""

    def __init__(self, *, output: TextIO, status: TextIO) -> None:
        self._output = output
        self._status = status
        self._status_shown = False
        self._is_thinking = False
        self._last = "\n"

    def show(self, text: str, *, kind: OutputKind) -> None:
        """Print output of a model; kinds other than reasoning and answer are ignored."""
        self.clear_status()
        if kind is OutputKind.REASONING:
            self._think(text)
        elif kind is OutputKind.ANSWER:
            self._end_thinking()
            self.write(text)

    def write(self, text: str) -> None:
        """Print part of an answer."""
        written = printable(text) if self._output.isatty() else text
        self._output.write(written)
        self._output.flush()
        self._last = written[-1:] or self._last

    def end(self) -> None:
        """End the answer, so that the next output starts on a new line."""
        self.clear_status()
        self._end_thinking()
        if self._last != "\n":
            self.write("\n")

    def say(self, text: str) -> None:
        """Print something that is no part of the answer."""
        self._status.write(printable(text) if self._status.isatty() else text)
        self._status.flush()

    @property
    def width(self) -> int:
        """Columns of the terminal of ``status``; 80 if it is none."""
        try:
            width = os.get_terminal_size(self._status.fileno()).columns
        except (OSError, ValueError):
            width = 0
        return width or _DEFAULT_WIDTH

    def show_status(self, text: str) -> None:
        """Show a transient status line, cut to the width, if ``status`` is a terminal."""
        if self._status.isatty():
            # A terminal may wrap a line that fills the last column, and then only its end could be cleared.
            self._raw_status(f"{_CLEAR_LINE}{cut(one_line(text), width=self.width - 1)}")
            self._status_shown = True

    def clear_status(self) -> None:
        """Remove the status line."""
        if self._status_shown:
            self._raw_status(_CLEAR_LINE)
            self._status_shown = False

    def _think(self, text: str) -> None:
        is_terminal = self._status.isatty()
        if not self._is_thinking:
            self._is_thinking = True
            self._raw_status(_DIM if is_terminal else "[thinking]\n")
        self._raw_status(printable(text) if is_terminal else text)

    def _end_thinking(self) -> None:
        if self._is_thinking:
            self._is_thinking = False
            self._raw_status(f"{_PLAIN}\n\n" if self._status.isatty() else "\n[/thinking]\n")

    def _raw_status(self, text: str) -> None:
        self._status.write(text)
        self._status.flush()


def printable(text: str) -> str:
    """Return text of several lines without what controls a terminal or reorders the text around it.

    Control characters, bidirectional embeddings and halves of surrogate pairs (bytes of a file name that is
    no Unicode) are replaced. Right-to-left text needs none of them.
    """
    return _UNPRINTABLE.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return a name, a title or a message as one line that neither ends the line nor reorders it."""
    line = _MARKS.sub("\ufffd", printable(_BREAKS.sub(" ", text)))
    # Characters that no standard defines have no width either.
    return "".join("\ufffd" if unicodedata.category(each) in ("Cn", "Co") else each for each in line)


def width_of(text: str) -> int:
    """Return how many columns of a terminal a line takes: East Asian characters and emoji take two."""
    import apsw.unicode  # here, because help needs no width

    return max(0, apsw.unicode.text_width(text))


def cut(text: str, *, width: int) -> str:
    """Return the beginning of a line that takes at most ``width`` columns."""
    import apsw.unicode

    _, beginning = apsw.unicode.text_width_substr(text, width)
    return beginning


def columns(rows: Sequence[Sequence[str]], *, numbers: Collection[int] = ()) -> str:
    """Return ``rows`` as lines; the columns in ``numbers`` are aligned to the right, the others to the left.

    A cell may hold anything, and is one line here. Widths are those of a terminal.
    """
    rows = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - width_of(cell))
            cells.append(space + cell if number in numbers else cell + space)
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def print_problems(problems: Problems) -> None:
    """Print to stderr which files were damaged and what did not start since the last call, a line each."""
    for problem in problems.take_new():
        sys.stderr.write(f"fireside: {one_line(str(problem))}\n")


def json_text(value: object) -> str:
    """Return a value as indented JSON with a line end, for programs."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def finish_note(reason: FinishReason | None, *, context_full: bool, truncation: Truncation | None) -> str:
    """Return notes, one a line, about an answer that was cut, stopped or truncated."""
    notes: list[str] = []
    if truncation is not None and truncation.n_messages > 0:
        notes.append(f"(context full: {truncation.n_messages} oldest messages dropped)")
    if truncation is not None and truncation.n_shifted > 0:
        notes.append(f"(context full: {truncation.n_shifted} older tokens dropped)")
    match reason:
        case FinishReason.LENGTH:
            notes.append("(stopped: context full)" if context_full else "(stopped: token limit)")
        case FinishReason.REPETITION:
            notes.append("(stopped: repetition loop)")
        case FinishReason.CANCELLED:
            notes.append("(stopped)")
        case FinishReason.STOP | FinishReason.TOOL_CALL | None:
            pass
    return "".join(f"{note}\n" for note in notes)


def waiting_text(model: str, *, n_ahead: int) -> str:
    """Return the status of a queued answer; ``model`` is one that has to finish first, or empty."""
    return f"Waiting for {model}; {n_ahead} ahead" if model else f"Waiting; {n_ahead} ahead"


def tool_call_text(call: ToolCallPart) -> str:
    """Return a line about a tool call that is not executed."""
    return f"(calls tool “{call.name}”: {call.arguments})\n"


def figures(usage: Usage, timings: Timings) -> str:
    """Return the output of ``--stats``."""
    parts = [
        f"{timings.tokens_per_second(n_completion=usage.n_completion):.1f} tokens/s",
        f"{usage.n_completion} tokens",
        f"TTFT {timings.first_token_s:.1f} s",
        f"{usage.n_prompt} prompt tokens, {usage.n_cached} cached",
    ]
    if usage.n_reasoning:
        parts.append(f"{usage.n_reasoning} thinking")
    if usage.n_drafted:
        parts.append(f"{usage.n_draft_accepted} of {usage.n_drafted} draft tokens accepted")
    return " · ".join(parts) + "\n"


def probabilities(token: TokenLogprobs) -> str:
    """Return a line of ``--logprobs``: the sampled token, then the most likely ones."""
    others = "  ".join(_probability(candidate) for candidate in token.top)
    return f"{_probability(token.chosen):<24}  {others}".rstrip() + "\n"


def _probability(candidate: TokenProbability) -> str:
    text = candidate.piece.decode(errors="backslashreplace")
    return f"{json.dumps(text, ensure_ascii=False)} {candidate.logprob:.3f}"


def hint(error: FiresideError | ErrorInfo) -> str:
    """Return advice for the terminal, or an empty text."""
    if error.next_step is NextStep.CHOOSE_MODEL:
        return "“fireside list” shows the models."
    return _HINTS.get(error.code, "")


_HINTS: Final = {
    "hub_token_refused": "Put the new one in HF_TOKEN, or add --no-token: public models need none.",
    "hub_gated": "Here the token can also be given in HF_TOKEN.",
    "hub_forbidden": "Here the token can also be given in HF_TOKEN.",
    "hub_not_found": "Here the token can also be given in HF_TOKEN.",
}
"""Advice by the code of the error."""
