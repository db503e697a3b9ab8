"""Row of the settings page for speech: models, language and devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QLocale, QObject, Signal

from fireside.core.errors import FiresideError, format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.speech import SoundDevices, SpeechModel, SpeechTask
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_speech import (
    LANGUAGE,
    MICROPHONE,
    OUTPUT,
    RECOGNIZER,
    SYSTEM_VOICE,
    VOICE,
)
from fireside.settings.values import AppLayer
from fireside.ui.kit.layout import at_left, column, form
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_M
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext

SPEECH_ROW_KEYS: Final = (RECOGNIZER, LANGUAGE, MICROPHONE, VOICE, OUTPUT)
"""The settings that this row shows."""
_DEVICES: Final = (MICROPHONE, OUTPUT)
Choice = tuple[str, str]
"""Label and value."""


class SpeechRow(ExtraRow):
    """A list of choices for each setting; devices are looked for once one of their lists is pointed at."""

    chosen = Signal(str, str)
    """Key and value of a setting."""
    devices_wanted = Signal()
    label = tr_noop("Speech models and devices")
    search_terms = tr_noop(
        "speech dictation read aloud talk microphone speaker headphones voice language recognition "
        "whisper kokoro piper stt tts"
    )

    def __init__(self, *, open_models: Callable[[], object]) -> None:
        super().__init__()
        self.state = WrappedLabel(role="small")
        self.fields = {key: ComboBox(name=tr(BY_KEY[key].label)) for key in SPEECH_ROW_KEYS}
        for key, combo in self.fields.items():
            combo.activated.connect(partial(self._on_activated, key))
            combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            if key in _DEVICES:
                combo.installEventFilter(self)
        self.models = Button(tr("Speech models…"), on_click=open_models)
        lines = form(*((tr(BY_KEY[key].label), combo) for key, combo in self.fields.items()))
        column(self.titled(self.state), lines, at_left(self.models), spacing=SPACE_M, margins=INSIDE, on=self)

    def show_memory(self, n_bytes: int) -> None:
        """Show what speech takes now; nothing while it does not run."""
        used = tr("{size} of memory now").format(size=format_bytes(n_bytes)) if n_bytes else ""
        self.state.show_text(used)

    def show_choices(self, key: str, choices: Sequence[Choice], value: str) -> None:
        """Show the choices of a setting, and its value even where it is none of them."""
        shown = [*choices, *((value, value) for _ in (1,) if value not in [each for _, each in choices])]
        combo = self.fields[key]
        if shown != [(combo.itemText(n), combo.itemData(n)) for n in range(combo.count())]:
            combo.clear()
            for label, data in shown:
                combo.addItem(label, data)
        combo.setCurrentIndex(combo.findData(value))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn):
            self.devices_wanted.emit()
        return super().eventFilter(watched, event)

    def _on_activated(self, key: str, index: int) -> None:
        self.chosen.emit(key, self.fields[key].itemData(index))


class SpeechRowController(QObject):
    """Owns the row, and reads what it shows whenever it becomes visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self._on_error: Callable[[FiresideError], None] = context.show_error
        self._devices: SoundDevices | None = None
        self._is_installed = False
        self.row = SpeechRow(open_models=context.router.show_speech_models)
        self.row.shown.connect(self.refresh)
        self.row.chosen.connect(self.choose)
        self.row.devices_wanted.connect(self.list_devices)

    @task
    async def refresh(self) -> None:
        """Request what there is; starts no process."""
        await self._read()

    async def _read(self) -> None:
        status = await self._client.speech.status()
        self._is_installed = status.has_component
        self.row.show_memory(status.memory_bytes)
        resolved = await self._client.settings.resolved(model_id=None, conversation_id=None)
        values = {setting.definition.key: str(setting.value) for setting in resolved}
        models = await self._client.speech.models()
        for key in SPEECH_ROW_KEYS:
            self.row.show_choices(key, self._choices(key, models), values[key])

    @task
    async def list_devices(self) -> None:
        """Look for microphones and speakers, once."""
        if self._is_installed and self._devices is None:
            self._devices = SoundDevices(microphones=(), speakers=())
            self._devices = await self._client.speech.devices()
            await self._read()

    @task
    async def choose(self, key: str, value: str) -> None:
        """Change a setting."""
        await self._client.settings.change(AppLayer(), key=key, value=value)
        await self._read()

    def _choices(self, key: str, models: Sequence[SpeechModel]) -> list[Choice]:
        devices = self._devices or SoundDevices(microphones=(), speakers=())
        match key:
            case _ if key == RECOGNIZER:
                return [(tr("Automatic"), ""), *_installed(models, SpeechTask.RECOGNITION)]
            case _ if key == VOICE:
                system = (tr("The system’s voice"), SYSTEM_VOICE)
                return [(tr("Automatic"), ""), *_installed(models, SpeechTask.VOICE), system]
            case _ if key == LANGUAGE:
                codes = {code for model in models for code in model.languages}
                return [(tr("Automatic"), ""), *sorted((_language(code), code) for code in codes)]
            case _:
                names = devices.microphones if key == MICROPHONE else devices.speakers
                return [(tr("That of the system"), ""), *((name, name) for name in names)]


def _installed(models: Sequence[SpeechModel], wanted: SpeechTask) -> list[Choice]:
    return [(model.name, model.repo) for model in models if model.task is wanted and model.is_installed]


def _language(code: str) -> str:
    """Return the name of a language in that language: “Deutsch”."""
    name = QLocale(code).nativeLanguageName()
    return f"{name[:1].upper()}{name[1:]}" or code
