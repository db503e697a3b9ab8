"""One message as the transcript holds it: the stored value, text that has arrived since, how it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.chat import MessageState, StoredMessage
from fireside.core.message import Role
from fireside.ui.chat.phase import Phase, Starting

QUESTION_CHARS = 1_200
"""Characters of a long message of the person's own that are shown before “Show more”."""
QUESTION_LINES = 14
QUESTION_STEP = 20_000
"""Characters that each “Show more” adds; a 10 MB paste laid out at once would hold the window up."""
ANSWER_CHARS = 64_000
ANSWER_STEP = 256_000


@dataclass(kw_only=True)
class Entry:
    """Changes only through the transcript; widgets read it."""

    message: StoredMessage
    text: str
    phase: Phase | None
    n_shown: int
    """Characters shown at most."""

    @property
    def is_user(self) -> bool:
        return self.message.message.role is Role.USER

    @property
    def is_running(self) -> bool:
        return self.message.state is MessageState.STREAMING

    @property
    def shown_text(self) -> str:
        """The part that is laid out."""
        return self.text if self.n_shown >= len(self.text) else self.text[: self.n_shown]

    @property
    def n_hidden(self) -> int:
        return max(0, len(self.text) - self.n_shown)

    def show_more(self) -> None:
        self.n_shown += QUESTION_STEP if self.is_user else ANSWER_STEP

    def show_less(self) -> None:
        self.n_shown = first_shown(self.text, is_user=self.is_user)


def make_entry(message: StoredMessage) -> Entry:
    """Return the entry of a message just read or added."""
    text = message.message.text
    is_user = message.message.role is Role.USER
    running = message.state is MessageState.STREAMING
    return Entry(
        message=message,
        text=text,
        phase=Starting() if running else None,
        n_shown=first_shown(text, is_user=is_user),
    )


def first_shown(text: str, *, is_user: bool) -> int:
    """How much of a message is shown before anyone asks for more."""
    if not is_user:
        return ANSWER_CHARS
    end = -1
    for _ in range(QUESTION_LINES):
        end = text.find("\n", end + 1, QUESTION_CHARS)
        if end < 0:
            break
    if end < 0:
        # A little over the limit is shown whole: a button to reveal two words is a nuisance.
        return QUESTION_CHARS if len(text) > QUESTION_CHARS * 1.25 else len(text)
    return end if text.count("\n", end, end + QUESTION_CHARS) > 3 or len(text) - end > 400 else len(text)
