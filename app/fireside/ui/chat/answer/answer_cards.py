"""Notice cards around an answer: what was truncated, why it failed, and buttons for the next step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtWidgets import QPushButton, QWidget

from fireside.core.chat import MessageState
from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.i18n import tr
from fireside.core.message import TextPart
from fireside.core.tool_calls import calls_ended_text
from fireside.ui.chat.answer.actions import ACTIONS, MessageAction
from fireside.ui.chat.answer.answer_text import STEP_LABELS, memory_note
from fireside.ui.chat.answer.inline_notices import NoteCard, NoteTone
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.kit.layout import destroy

CardStep = NextStep | MessageAction
"""What a card's button does."""


class AnswerCards:
    """Owns the cards of one answer; the answer's widget sets their geometry. GUI thread only."""

    def __init__(self, parent: QWidget, *, on_step: Callable[[CardStep], None]) -> None:
        """Call ``on_step`` when a button is clicked."""
        self._parent = parent
        self._on_step = on_step
        self._key: object = None
        self.above: NoteCard | None = None
        self.below: list[NoteCard] = []

    def update(self, entry: Entry, *, style: TranscriptStyle) -> None:
        """Rebuild the cards if anything that they show has changed."""
        message, record = entry.message, entry.message.generation
        truncation = record.truncation if record is not None else None
        problem = record.summary_problem if record is not None else ""
        ended = record.calls_ended if record is not None else None
        key = (
            message.state,
            message.error,
            truncation,
            problem,
            ended,
            entry.smaller_load,
            entry.is_loading_smaller,
        )
        if key == self._key:
            return
        self._key = key
        destroy(*self)
        self.above, self.below = None, []
        if record is not None and (note := memory_note(record)):
            self.above = self._card(style, NoteTone.WARN, note)
        if ended is not None and message.state is MessageState.COMPLETE:
            self.below.append(self._card(style, NoteTone.WARN, calls_ended_text(ended)))
        if message.error is not None:
            smaller, is_busy = entry.smaller_load, entry.is_loading_smaller
            text = card_text(message.error, smaller=smaller, is_loading_smaller=is_busy)
            steps = card_steps(message.error, smaller=smaller, is_loading_smaller=is_busy)
            self.below.append(self._card(style, NoteTone.DANGER, text, steps))
        elif message.state is MessageState.INTERRUPTED:
            has_begun = any(part != TextPart(text="") for part in message.message.parts)
            text = (
                tr("Interrupted. The partial answer was saved.")
                if has_begun
                else tr("Interrupted before the answer began.")
            )
            self.below.append(self._card(style, NoteTone.WARN, text, (MessageAction.REGENERATE,)))

    def __iter__(self) -> Iterator[NoteCard]:
        yield from self.below
        if self.above is not None:
            yield self.above

    @property
    def tab_stops(self) -> list[QPushButton]:
        """The widgets that Tab visits, top down."""
        return [button for card in self.below for button in card.findChildren(QPushButton)]

    def _card(
        self, style: TranscriptStyle, tone: NoteTone, text: str, steps: Sequence[CardStep] = ()
    ) -> NoteCard:
        buttons = [step_label(step) for step in steps]
        card = NoteCard(style, self._parent, tone=tone, text=text, buttons=buttons)
        card.clicked.connect(lambda index: self._on_step(steps[index]))
        card.show()
        return card


def card_text(error: ErrorInfo, *, smaller: str, is_loading_smaller: bool) -> str:
    """Return what went wrong, and what a load with less memory changes where one is offered."""
    if is_loading_smaller:
        return "\n".join(
            (error.sentence, tr("Reloading with less memory: {smaller}…").format(smaller=smaller))
        )
    if not smaller:
        return error.sentence
    return "\n".join(
        (error.sentence, tr("Can be loaded with less memory: {smaller}.").format(smaller=smaller))
    )


def card_steps(error: ErrorInfo, *, smaller: str, is_loading_smaller: bool) -> tuple[CardStep, ...]:
    """Return the steps that a card offers, the most promising first."""
    if is_loading_smaller:
        return ()
    if smaller:
        return (MessageAction.RETRY_SMALLER, NextStep.RETRY, MessageAction.DETAILS)
    steps = [error.next_step] if error.next_step in STEP_LABELS else []
    if error.retryable and NextStep.RETRY not in steps:
        steps.append(NextStep.RETRY)
    return tuple(steps)


def step_label(step: CardStep) -> str:
    """Return the label of a step's button."""
    return tr(ACTIONS[step].label if isinstance(step, MessageAction) else STEP_LABELS[step])
