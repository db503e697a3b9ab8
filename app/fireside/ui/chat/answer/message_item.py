"""The transcript's value for one message: the stored message, text streamed since, and its view state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fireside.core.chat import Branches, MessageState, StoredMessage
from fireside.core.generation import OutputKind
from fireside.core.graphemes import boundary_before, cut
from fireside.core.ids import MessageId
from fireside.core.message import PassagesPart, ReasoningPart, Role, ToolResultPart
from fireside.core.tool_calls import ShownCall, calls_of
from fireside.core.tools import UNFINISHED
from fireside.ui.chat.answer.phase import Phase, Starting, Writing

QUESTION_CHARS = 1_200
"""Characters of a long question that are shown before “Show more” is clicked."""
QUESTION_LINES = 14
QUESTION_STEP = 20_000
"""Characters that each “Show more” adds; laying out a 10 MB paste at once would block the GUI thread."""
ANSWER_CHARS = 64_000
ANSWER_STEP = 256_000
_LEAST_TIMED_S = 0.5
ELLIPSIS = "…"
"""End of a question of which only the beginning is shown."""


@dataclass(kw_only=True)
class Entry:
    """A message and how it is shown. The transcript changes it; widgets read it."""

    message: StoredMessage
    text: str
    phase: Phase | None
    n_shown: int
    """Characters of the text that are shown at most."""
    reasoning: str = ""
    is_thinking: bool = False
    """Reasoning is streaming now."""
    thinking_since: float | None = None
    """Start of the reasoning on the transcript's clock in seconds; ``None`` if that is not known."""
    thought_s: float | None = None
    """Seconds that the reasoning took."""
    last_count: tuple[float, int] | None = None
    """Time on the transcript's clock and number of tokens of the last token count; ``None`` while the model
    waits, for the user or for a tool."""
    timed: tuple[float, int] = (0.0, 0)
    """Seconds in which the model has written, and the tokens that it wrote in them."""
    is_unfolded: bool | None = None
    """Whether the user unfolded or folded the reasoning; ``None`` if neither."""
    siblings: tuple[MessageId, ...] = ()
    """The versions of this message at which branches begin, oldest first, including this one; else empty."""
    is_pinned: bool = False
    is_last: bool = False
    """The last message of the branch."""
    is_bare: bool = False
    """Shown in a column of a comparison: without name, figures and actions other than to copy."""
    is_being_edited: bool = False
    """Its editor is open."""
    edit_draft: str | None = None
    """The unsaved edit of its text; it survives closing the editor."""
    removed_files: frozenset[int] = frozenset()
    """Indexes of the attachments that its edit leaves out, while its editor is open."""
    opened_calls: dict[str, bool] = field(default_factory=dict)
    """Whether the user unfolded tool calls, by call id."""
    typed_texts: dict[str, str] = field(default_factory=dict)
    """The user's edits of the texts of waiting tool calls, by call id."""
    sources: PassagesPart | None = None
    """The passages that were sent with the question of an answer."""
    smaller_load: str = ""
    """What a load with less memory would change, where the answer failed and that is offered."""
    is_loading_smaller: bool = False

    @property
    def is_user(self) -> bool:
        return self.message.message.role is Role.USER

    @property
    def is_running(self) -> bool:
        return self.message.state is MessageState.STREAMING

    @property
    def calls(self) -> tuple[ShownCall, ...]:
        """The tool calls of an answer, in order."""
        return calls_of(self.message.message, is_live=self.is_running)

    @property
    def open_calls(self) -> tuple[tuple[int, str], ...]:
        """Arguments and results of the unfolded calls, each with its offset in the text."""
        opened = (call for call in self.calls if self.is_call_open(call))
        return tuple((call.n_before, text) for call in opened for text in call.unfolded if text)

    def is_call_open(self, call: ShownCall) -> bool:
        """Return whether a call is unfolded: as the user chose, else if it waits for the user, runs code, or
        was run by the user."""
        is_open = call.is_waiting or call.is_running_code or (call.result is not None and call.result.by_user)
        return self.opened_calls.get(call.part.id, is_open)

    @property
    def awaits_output(self) -> bool:
        """Whether no output has arrived yet: no text at all, or none after the last finished tool call."""
        parts = self.message.message.parts
        if not parts or not isinstance(parts[-1], ToolResultPart):
            return not (self.text or self.reasoning)
        is_idle = all(part.state not in UNFINISHED for part in parts if isinstance(part, ToolResultPart))
        return is_idle and self.text == self.message.message.text

    @property
    def displayed_text(self) -> str:
        """The part of the text that is laid out."""
        return cut(self.text, self.n_shown)

    @property
    def hidden_text(self) -> str:
        """The part of the text that is folded."""
        return self.text[boundary_before(self.text, self.n_shown) :]

    @property
    def n_hidden(self) -> int:
        return max(0, len(self.text) - self.n_shown)

    @property
    def shows_reasoning(self) -> bool:
        """Whether the reasoning is unfolded: while the model thinks, or as the user chose."""
        return self.is_thinking if self.is_unfolded is None else self.is_unfolded

    def replace(self, message: StoredMessage, *, now: float) -> None:
        """Apply the stored state of the message; ``now`` is on the transcript's clock."""
        was_running = self.is_running
        self.message, self.text = message, message.message.text
        running = (call.part.id for call in self.calls if call.is_running_code)
        self.opened_calls = {**dict.fromkeys(running, True), **self.opened_calls}  # it stays as it was seen
        self.last_count = None
        self.reasoning = message.message.reasoning
        if not self.is_running:
            self.phase = None
            self.end_thinking(now=now)
        elif not was_running:
            self.phase = Starting()

    def apply_branches(self, branches: Branches, *, is_last: bool) -> None:
        """Apply the branches that begin here, the pin, and whether it is the last message."""
        self.siblings = branches.siblings.get(self.message.id, ())
        self.is_pinned = self.message.id in branches.pinned
        self.is_last = is_last

    def append(self, text: str, *, kind: OutputKind, now: float) -> None:
        """Add output that streamed in."""
        if kind is OutputKind.REASONING:
            self.reasoning += text
            self.is_thinking = True
            if self.thinking_since is None:
                self.thinking_since = now
        elif kind is OutputKind.ANSWER:
            self.text += text
            self.end_thinking(now=now)

    def count_tokens(self, n_completion: int, *, now: float) -> None:
        """Apply the number of generated tokens, and compute the speed while the model writes."""
        if self.last_count is not None:
            since, n_before = self.last_count
            self.timed = (self.timed[0] + now - since, self.timed[1] + n_completion - n_before)
        self.last_count = (now, n_completion)
        seconds, n_timed = self.timed
        speed = n_timed / seconds if seconds >= _LEAST_TIMED_S else None
        self.phase = Writing(n_completion=n_completion, tokens_per_s=speed)

    def show_phase(self, phase: Phase) -> None:
        """Apply what the model is doing before or between writing."""
        self.phase, self.last_count = phase, None

    def end_thinking(self, *, now: float) -> None:
        """End the reasoning; its time is the stored one, else the measured one."""
        record = self.message.generation
        if record is not None and record.thought_s is not None:
            self.thought_s = record.thought_s
        elif self.is_thinking and self.thinking_since is not None:
            self.thought_s = now - self.thinking_since
        self.is_thinking = False

    def show_more(self) -> None:
        self.n_shown += QUESTION_STEP if self.is_user else ANSWER_STEP

    def show_less(self) -> None:
        self.n_shown = initial_n_shown(self.text, is_user=self.is_user)


def make_entry(message: StoredMessage) -> Entry:
    """Return the entry of a message just read or added."""
    text = message.message.text
    is_user = message.message.role is Role.USER
    running = message.state is MessageState.STREAMING
    parts = message.message.parts
    return Entry(
        reasoning=message.message.reasoning,
        is_thinking=running and bool(parts) and isinstance(parts[-1], ReasoningPart),
        thought_s=message.generation.thought_s if message.generation is not None else None,
        message=message,
        text=text,
        phase=Starting() if running else None,
        n_shown=initial_n_shown(text, is_user=is_user),
    )


def attach_sources(entries: Sequence[Entry]) -> None:
    """Set ``sources`` of answers to the passages that were sent with their questions."""
    sources = None
    for entry in entries:
        if entry.is_user:
            sources = entry.message.message.passages
        else:
            entry.sources = sources


def initial_n_shown(text: str, *, is_user: bool) -> int:
    """Return the number of characters that are shown before the user asks for more."""
    if not is_user:
        return ANSWER_CHARS
    end = -1
    for _ in range(QUESTION_LINES):
        end = text.find("\n", end + 1, QUESTION_CHARS)
        if end < 0:
            break
    if end < 0:
        # A text little over the limit is shown whole: a button to reveal two words is a nuisance.
        return QUESTION_CHARS if len(text) > QUESTION_CHARS * 1.25 else len(text)
    return end if text.count("\n", end, end + QUESTION_CHARS) > 3 or len(text) - end > 400 else len(text)
