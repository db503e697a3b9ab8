"""The controller of the “Read aloud” action of a transcript."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from fireside.core.ids import MessageId
from fireside.ui.chat.actions import MessageAction
from fireside.ui.chat.plain_copy import message_plain_text
from fireside.ui.chat.transcript import Transcript
from fireside.ui.speech.speaker import Speaker


class ReadAloud(QObject):
    """Connects a ``Speaker`` to a transcript, whose menus then have the action. GUI thread only."""

    def __init__(self, speaker: Speaker, *, transcript: Transcript, parent: QObject) -> None:
        super().__init__(parent)
        self._speaker = speaker
        self._transcript = transcript
        transcript.menu.is_speaking = lambda: speaker.is_speaking
        transcript.action_requested.connect(self._on_action)

    def stop(self) -> None:
        """Stop speaking: the window closes."""
        self._speaker.stop()

    @Slot(object, object)
    def _on_action(self, message_id: MessageId, action: MessageAction) -> None:
        if action is not MessageAction.READ_ALOUD:
            return
        if self._speaker.is_speaking:
            self._speaker.stop()
            return
        index = self._transcript.index_of(message_id)
        if index is not None:
            self._speaker.speak(message_plain_text(self._transcript.entries[index]))
