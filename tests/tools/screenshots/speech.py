"""Dictation in every state, and what it lacks, in both themes. See ``stage`` for the usage."""

from __future__ import annotations

import math

from msgspec.structs import replace

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state
from fakes.scripted_speech import BIG_EARS, EARS, MOUTH, ScriptedSpeech
from fireside.core.errors import DownloadError
from fireside.core.speech import Recording, SpeechEnded, SpeechFault, SpeechLevel, SpeechReady
from fireside.settings.definitions_speech import MICROPHONE
from fireside.ui.commands import Command
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.speech.setup_sheet import SpeechModelsSheet, SpeechSetupSheet
from fireside.ui.speech.talk import TalkState
from tools.screenshots.stage import Camera, play, rest

SAID = "The chimney sweep comes on Thursday at nine, so please leave the key with the neighbours."
ANSWER = "In the kitchen. It is kept **warm** by the oven. Leave it for an hour.\n\n- Then knead it.\n- Wait."
NO_MICROPHONE = (
    "No microphone could be opened. Connect one, choose it in the settings, or allow Fireside to use it."
)


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Show each state and take its pictures."""
    spec = client.entries[0].spec
    assert spec is not None
    client.set_state(STARTER_ID, loaded_state(spec))
    window.conversations.open(
        client.add_conversation("A letter", turns=("Where does the dough rest?", ANSWER))
    )
    await rest()
    speech = ScriptedSpeech(client)
    await camera.take("speech-idle")
    window.read_aloud._system = None
    window.command_controller.run(Command.READ_ALOUD)
    await rest()
    speech.speak("It is kept warm by the oven.")
    await camera.take("speech-reading")
    window.read_aloud.stop()
    await _talk(window, client, speech, camera)
    await _dictation(window, client, speech, camera)
    speech.set_component(is_installed=False)
    client.fail("speech.start_dictation", DownloadError.of("component_missing", name="Speech"))
    window.dictation.start()
    await rest()
    sheet = window.findChild(SpeechSetupSheet)
    assert sheet is not None
    await camera.take("speech-setup", of=lambda: sheet)
    sheet.reject()
    speech.set_component(is_installed=True)
    client.reply("speech.models", (replace(EARS, is_installed=True, is_in_use=True), BIG_EARS, MOUTH))
    window.router.show_speech_models()
    await rest()
    models = window.findChild(SpeechModelsSheet)
    assert models is not None
    await camera.take("speech-models", of=lambda: models)
    models.accept()
    window.show_page(Page.DISCOVER)
    await rest()
    start = window.pages.discover.start
    start.verticalScrollBar().setValue(start.verticalScrollBar().maximum())
    await camera.take("speech-find")
    window.router.show_setting(MICROPHONE)
    await rest()
    await camera.take("speech-settings")


async def _talk(window: MainWindow, client: AppClient, speech: ScriptedSpeech, camera: Camera) -> None:
    client.reply("speech.start_talk", 50)
    window.talk.start()
    await rest()
    sheet = window.talk.sheet
    assert sheet is not None
    levels = [SpeechLevel(job=50, level=0.6 + 0.35 * math.sin(n / 2.3)) for n in range(48)]
    client.publish(SpeechReady(job=50), *levels)
    sheet.show_words(SAID)
    await camera.take("speech-talk-listening", of=lambda: sheet)
    sheet.show_state(TalkState.THINKING)
    await camera.take("speech-talk-thinking", of=lambda: sheet)
    sheet.show_state(TalkState.SPEAKING)
    sheet.show_words("It is kept warm by the oven.")
    await camera.take("speech-talk-speaking", of=lambda: sheet)
    client.publish(SpeechEnded(job=50, problem=NO_MICROPHONE, fault=SpeechFault.MICROPHONE))
    await camera.take("speech-talk-no-microphone", of=lambda: sheet)
    window.talk.stop()
    await rest()


async def _dictation(window: MainWindow, client: AppClient, speech: ScriptedSpeech, camera: Camera) -> None:
    window.dictation.start()
    await rest()
    await camera.take("speech-opening")
    speech.open(*(0.6 + 0.35 * math.sin(n / 2.3) for n in range(28)))
    await camera.take("speech-listening")
    speech.hear(SAID)
    await camera.take("speech-words")
    speech.hear(SAID * 6)
    window.dictation.finish()
    await camera.take("speech-finishing")
    speech.end(NO_MICROPHONE, SpeechFault.MICROPHONE)
    await rest()
    await camera.take("speech-no-microphone")
    window.dictation.discard()
    speech.status(Recording(name="1.wav", recorded_at_s=0.0, duration_s=754.0))
    window.dictation.offer_recordings()
    await rest()
    await camera.take("speech-kept")
    window.dictation.discard()
    await rest()
    client.reply("speech.status", await client.speech.status())


if __name__ == "__main__":
    play(take)
