"""A user drops a sound: a model that does not hear says so, one with an audio projector answers to it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fireside.core.message import AudioPart
from fireside.ui.chat.composer.attachment_chip import AttachmentChip
from llama.seeing import HEARING, as_wav, samples, write_vision_model

SETTINGS = ("sampling.max_tokens=6", "sampling.temperature=0", "load.n_ctx=512")


def test_a_sound_waits_for_a_model_that_hears_and_is_answered(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    assert starter_model_path.exists()
    models = own_home / "hearing"
    models.mkdir()
    files = write_vision_model(models, HEARING[0])
    memo = own_home / "memo.wav"
    memo.write_bytes(as_wav(samples(1, seconds=1.2)))
    with running_program(qapp, home=own_home / "fireside", settings=SETTINGS) as program:
        program.run(lambda: attach_and_ask(program, model=files.model, memo=memo))


async def attach_and_ask(program: Program, *, model: Path, memo: Path) -> None:
    await program.ready()
    window, chat = program.window, program.window.chat
    pasted = QMimeData()
    pasted.setUrls([QUrl.fromLocalFile(str(memo))])
    chat.composer.editor.insertFromMimeData(pasted)

    def chip_line() -> str:
        chips = chat.composer.tray.findChildren(AttachmentChip)
        return chips[-1].accessibleName() if chips else ""

    await until(lambda: "No audio support" in chip_line())
    assert await program.client.models.add([str(model.parent)]) == ()
    await until(lambda: any(entry.spec.hears_audio for entry in window.models.usable if entry.spec))
    chat.composer.model_button.click()
    [row] = window.header.popup.rows
    row.click()
    await until(lambda: "1 second" in chip_line() and "tokens" in chip_line() and "about" not in chip_line())

    answer = await program.ask("What is said?")
    assert answer.error is None
    stored = await program.client.conversations.open(answer.conversation_id)
    (part,) = stored.messages[0].message.attached
    assert isinstance(part, AudioPart)
    assert max(part.peaks) > 0
    record = stored.messages[1].generation
    assert record is not None
    assert record.usage is not None
