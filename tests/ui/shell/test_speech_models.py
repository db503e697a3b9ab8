"""The models, devices and the component of speech: on the page to find models, and in the settings."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fakes.client import AppClient, settled
from fakes.scripted_speech import BIG_EARS, EARS, MOUTH, ScriptedSpeech
from fireside.core.components import SPEECH, ComponentProgressed
from fireside.core.errors import RequestError
from fireside.core.hub import Download, DownloadFile, DownloadId, DownloadsChanged, DownloadState, HubFile
from fireside.core.speech import SoundDevices, SpeechTask
from fireside.settings.definitions_speech import LANGUAGE, MICROPHONE, RECOGNIZER, VOICE
from fireside.settings.values import AppLayer
from fireside.ui.page import Page
from fireside.ui.settings.speech_row import SpeechRow
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.speech.part_list import PartList, SpeechSection
from fireside.ui.speech.setup_sheet import SpeechModelsSheet

HERE = msgspec.structs.replace(EARS, is_installed=True, is_in_use=True)
ALSO_HERE = msgspec.structs.replace(BIG_EARS, is_installed=True)
FRENCH = msgspec.structs.replace(MOUTH, repo="mouth/fr", name="Voix", languages=("fr",))


@pytest.fixture
def parts(client: AppClient, window: MainWindow) -> PartList:
    """The list on the page to find models."""
    ScriptedSpeech(client, HERE, ALSO_HERE, MOUTH, FRENCH, has_component=False)
    window.show_page(Page.DISCOVER)
    settled()
    section = window.pages.discover.start.findChild(SpeechSection)
    assert section is not None
    return section.list


def file_of(repo: str) -> DownloadFile:
    file = HubFile(path="model.onnx", size_bytes=100, digest="0" * 64)
    return DownloadFile(repo=repo, commit="0" * 40, file=file, name=f"{repo}/model.onnx")


def test_a_voice_that_lacks_a_program_says_so_before_its_download(
    client: AppClient, window: MainWindow
) -> None:
    lacking = msgspec.structs.replace(MOUTH, repo="mouth/lacking", problem="It needs a program.")
    ScriptedSpeech(client, HERE, lacking, MOUTH, FRENCH)
    window.router.show_speech_models()
    settled()
    sheet = window.findChild(SpeechModelsSheet)
    assert sheet is not None
    row = sheet.section.list.rows["mouth/lacking"]
    assert row.problem.text() == "It needs a program."
    assert row.download.isVisible()
    assert window.speech.recommended(SpeechTask.VOICE) == MOUTH.repo, "one that speaks at once goes before"
    client.reply("speech.models", (HERE, FRENCH, lacking))
    window.speech.refresh()
    settled()
    assert window.speech.recommended(SpeechTask.VOICE) == "mouth/lacking", "but not one of another language"


def test_models_for_the_language_are_listed_and_the_others_on_request(
    parts: PartList, window: MainWindow
) -> None:
    assert [*parts.rows] == [SPEECH, "ears/small", "ears/big", "mouth/thorsten"]
    section = window.findChild(SpeechSection)
    assert section is not None
    section.all.click()
    settled()
    assert [*parts.rows][-1] == "mouth/fr"
    window.router.show_speech_models()
    settled()
    sheet = window.findChild(SpeechModelsSheet)
    assert sheet is not None
    assert [*sheet.section.list.rows] == [SPEECH, "ears/small", "ears/big", "mouth/thorsten"]
    sheet.accept()


def test_a_model_is_downloaded_with_progress_and_cancelled(parts: PartList, client: AppClient) -> None:
    row = parts.rows["mouth/thorsten"]
    client.reply("speech_models.download", "d1")
    row.download.click()
    settled()
    download = Download(
        id=DownloadId("d1"),
        title="mouth/thorsten",
        files=(file_of("mouth/thorsten"),),
        state=DownloadState.RUNNING,
        n_bytes=40,
    )
    client.publish(DownloadsChanged(downloads=(download,)))
    assert (row.bar.isVisible(), row.bar.value()) == (True, 400)
    client.reply("downloads.cancel", None)
    row.cancel.click()
    settled()
    assert client.called("downloads.cancel") == [("d1",)]
    client.publish(DownloadsChanged(downloads=()))
    assert row.download.isVisible()
    client.fail("speech_models.download", RequestError.of("speech_not_a_model", name="x/y"))
    row.download.click()
    settled()
    assert row.problem.isVisible()


def test_the_component_shows_its_progress(parts: PartList, client: AppClient) -> None:
    row = parts.rows[SPEECH]
    client.hold("components.install")
    row.download.click()
    client.wait_until(row.bar.isVisible)
    client.publish(ComponentProgressed(id=SPEECH, fraction=0.25))
    assert row.bar.value() == 250
    row.cancel.click()
    assert row.bar.isHidden()
    client.release("components.install")


def test_another_model_is_used_and_one_is_removed(parts: PartList, client: AppClient) -> None:
    assert parts.rows["ears/small"].badge.isVisible()
    parts.rows["ears/big"].use.click()
    settled()
    assert client.layers[AppLayer()][RECOGNIZER] == "ears/big"
    client.reply("speech_models.remove", None)
    parts.rows["ears/big"].remove.click()
    assert client.called("speech_models.remove") == []
    parts.rows["ears/big"].confirmation.confirm.click()
    settled()
    assert client.called("speech_models.remove") == [("ears/big",)]


def test_the_settings_choose_models_language_and_devices(client: AppClient, window: MainWindow) -> None:
    ScriptedSpeech(client, HERE, ALSO_HERE, MOUTH)
    client.reply("speech.devices", SoundDevices(microphones=("Headset", "Webcam"), speakers=("Box",)))
    client.layers[AppLayer()] = {MICROPHONE: "Old headset"}
    window.router.show_setting(MICROPHONE)
    settled()
    row = window.findChild(SpeechRow)
    assert row is not None

    def labels(key: str) -> list[str]:
        return [row.fields[key].itemText(n) for n in range(row.fields[key].count())]

    assert labels(RECOGNIZER) == ["Automatic", "Small ears", "Big ears"]
    assert labels(VOICE) == ["Automatic", "The system’s voice"]
    assert "Deutsch" in labels(LANGUAGE)
    assert not row.state.isVisible(), "nothing runs"
    microphone = row.fields[MICROPHONE]
    assert microphone.currentText() == "Old headset", "what is set is shown though it is not connected"
    QApplication.sendEvent(microphone, QEvent(QEvent.Type.Enter))
    settled()
    assert labels(MICROPHONE) == ["That of the system", "Headset", "Webcam", "Old headset"]
    microphone.setFocus()
    QTest.keyClick(microphone, Qt.Key.Key_Up)
    settled()
    assert client.layers[AppLayer()][MICROPHONE] == "Webcam"
    assert len(client.called("speech.devices")) == 1
