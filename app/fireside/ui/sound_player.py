"""Plays the sound of attachments, one at a time, on this computer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from fireside.bridge.client import EngineClient
from fireside.core.errors import FiresideError, NextStep, RequestError
from fireside.core.events import AppEvent
from fireside.core.message import AudioPart
from fireside.core.speech import SoundPlayed, SpeechEnded
from fireside.ui.tasks import OnError, TaskRunner, task


class SoundPlayer(QObject):
    """One for the program: what begins ends what was played before. GUI thread only."""

    changed = Signal()
    """What is played, whether it is paused, or its position."""

    def __init__(
        self,
        client: EngineClient,
        *,
        tasks: TaskRunner,
        on_error: OnError,
        set_up: Callable[[Callable[[], None]], None],
        parent: QObject | None = None,
    ) -> None:
        """``set_up`` offers the download of what plays sound; then it calls its argument."""
        super().__init__(parent)
        self._speech = client.speech
        self._tasks = tasks
        self._on_error = on_error
        self._set_up = set_up
        self._sound: AudioPart | None = None
        self._job: int | None = None
        """``None`` until the sound begins."""
        self._is_paused = False
        self._position_s = 0.0
        self._n_begun = 0
        """Tells what was asked last from what is answered late."""
        client.frame.connect(self._on_frame)

    def position_of(self, sound: AudioPart) -> float | None:
        """Return the second that is heard; ``None`` for a sound that is not played."""
        return self._position_s if sound == self._sound else None

    def is_playing(self, sound: AudioPart) -> bool:
        """Return whether a sound is heard now, rather than paused."""
        return sound == self._sound and not self._is_paused

    def toggle(self, sound: AudioPart) -> None:
        """Play a sound, pause it, or go on."""
        if sound != self._sound:
            self._begin(sound, at_s=0.0)
            return
        self._is_paused = not self._is_paused
        self._control(is_paused=self._is_paused)

    def seek(self, sound: AudioPart, seconds: float) -> None:
        """Play a sound from a second on; where it is paused, it stays so."""
        if sound != self._sound:
            self._begin(sound, at_s=seconds)
            return
        self._position_s = seconds
        self._control(position_s=seconds)

    def stop(self) -> None:
        """End what is played."""
        if self._sound is not None and (job := self._end()) is not None:
            self._stop(job)

    @task
    async def _stop(self, job: int) -> None:
        await self._speech.stop(job)

    def _begin(self, sound: AudioPart, *, at_s: float) -> None:
        before = self._end()
        self._sound, self._is_paused, self._position_s = sound, False, at_s
        self.changed.emit()
        self._play(sound, before, self._n_begun)

    @task
    async def _play(self, sound: AudioPart, before: int | None, number: int) -> None:
        if before is not None:
            await self._speech.stop(before)
        try:
            job = await self._speech.play(sound.data)
        except BaseException as exc:
            is_wanted = number == self._n_begun
            if is_wanted:
                self._end()
            if is_wanted and isinstance(exc, FiresideError) and exc.next_step is NextStep.ADD_COMPONENT:
                self._set_up(partial(self.toggle, sound))
                return
            raise
        if number != self._n_begun:  # ended meanwhile, or another one began
            await self._speech.stop(job)
            return
        self._job = job
        if self._is_paused or self._position_s:
            await self._speech.control(job, is_paused=self._is_paused, position_s=self._position_s)

    def _control(self, *, is_paused: bool | None = None, position_s: float | None = None) -> None:
        self.changed.emit()
        if self._job is not None:
            self._send(self._job, is_paused, position_s)

    @task
    async def _send(self, job: int, is_paused: bool | None, position_s: float | None) -> None:
        await self._speech.control(job, is_paused=is_paused, position_s=position_s)

    def _end(self) -> int | None:
        """Forget what is played; return its job."""
        job, self._job, self._sound = self._job, None, None
        self._n_begun += 1
        self.changed.emit()
        return job

    @Slot(object)
    def _on_frame(self, events: Sequence[AppEvent]) -> None:
        for event in events:
            match event:
                case SoundPlayed(job=job) if job == self._job:
                    self._position_s = event.position_s
                    self.changed.emit()
                case SpeechEnded(job=job) if job == self._job:
                    self._end()
                    if event.problem:
                        self._on_error(RequestError.of("playing_failed", reason=event.problem))
                case _:
                    pass


_in_use: SoundPlayer | None = None


def use_sound_player(player: SoundPlayer | None) -> None:
    """Put a player in use, before the first window is made."""
    global _in_use  # noqa: PLW0603 - a computer has one pair of ears before it
    _in_use = player


def sound_player() -> SoundPlayer | None:
    """Return the player in use; ``None`` where nothing can be played. GUI thread only."""
    return _in_use
