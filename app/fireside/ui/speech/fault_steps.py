"""What helps where speech has failed: a label, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fireside.core.i18n import tr
from fireside.core.speech import SpeechFault
from fireside.settings.definitions_speech import MICROPHONE, OUTPUT
from fireside.ui.window_context import MEDIA_ROW, WindowContext

Step = tuple[str, Callable[[], None]]


def step_for(fault: SpeechFault, context: WindowContext) -> Step | None:
    """Return what helps against a fault; ``None`` where another try may."""
    router = context.router
    match fault:
        case SpeechFault.MICROPHONE:
            return tr("Choose microphone…"), partial(router.show_setting, MICROPHONE)
        case SpeechFault.SPEAKER:
            return tr("Choose sound output…"), partial(router.show_setting, OUTPUT)
        case SpeechFault.MODEL:
            return tr("Speech models…"), router.show_speech_models
        case SpeechFault.MEDIA:
            return tr("Download media formats…"), partial(router.show_setting, MEDIA_ROW)
        case SpeechFault.FORMAT | SpeechFault.OTHER:
            return None
