"""A user pastes a picture: a model that does not support says so, one with a projector answers to it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fireside.core.ids import ModelId
from fireside.core.message import ImagePart
from fireside.core.model import ModelEntry
from fireside.ui.chat.composer.attachment_chip import AttachmentChip
from fireside.ui.documents.collection_page import StateBox
from fireside.ui.page import Page
from llama.seeing import FAMILIES, write_vision_model

SETTINGS = ("sampling.max_tokens=6", "sampling.temperature=0", "load.n_ctx=512")


def test_a_pasted_picture_waits_for_a_model_that_sees_and_is_answered(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    assert starter_model_path.exists()
    models = own_home / "seeing"
    models.mkdir()
    (own_home / "photos").mkdir()
    files = write_vision_model(models, FAMILIES[0])
    with running_program(qapp, home=own_home / "fireside", settings=SETTINGS) as program:
        program.run(lambda: paste_and_ask(program, model=files.model))


async def paste_and_ask(program: Program, *, model: Path) -> None:
    await program.ready()
    chat = program.window.chat
    editor = chat.composer.editor
    picture = QImage(100, 60, QImage.Format.Format_RGB32)
    picture.fill(QColor("teal"))
    QApplication.clipboard().setImage(picture)
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    def chip_line() -> str:
        chips = chat.composer.tray.findChildren(AttachmentChip)
        return chips[-1].accessibleName() if chips else ""

    await until(lambda: "No image support" in chip_line())
    assert "does not support" in chat.attachments.reason_not_to_send()

    assert await program.client.models.add([str(model.parent)]) == ()
    entry = await seeing_entry(program)
    assert entry.spec is not None
    model_id = entry.spec.id
    await until(lambda: program.window.models.entry(model_id) is not None)
    program.window.router.choose_model(model_id)
    await program.client.models.load(model_id, conversation_id=None)
    await until(lambda: "tokens" in chip_line() and "about" not in chip_line())
    assert chat.attachments.reason_not_to_send() == ""

    answer = await program.ask("What is it?")
    assert answer.error is None
    stored = await program.client.conversations.open(answer.conversation_id)
    (part,) = stored.messages[0].message.attached
    assert isinstance(part, ImagePart)
    record = stored.messages[1].generation
    assert record is not None
    assert record.usage is not None
    assert record.usage.n_prompt >= 16, "the picture alone is sixteen tokens"
    assert not chat.attachments.parts
    await read_as_document(program, model_id=model_id, folder=model.parent.parent / "photos")


async def read_as_document(program: Program, *, model_id: ModelId, folder: Path) -> None:
    """Have the same model read a picture of a collection."""
    picture = QImage(100, 60, QImage.Format.Format_RGB32)
    picture.fill(QColor("teal"))
    assert picture.save(str(folder / "photo.png"))
    collections = program.client.collections
    made = await collections.create(name="Photos", roots=[str(folder)])
    await collections.choose_vision_model(made.id, model_id=model_id)
    program.window.router.show_page(Page.DOCUMENTS)

    def is_read() -> bool:
        texts = [box.scans.text() for box in program.window.findChildren(StateBox)]
        return any(text.startswith("1 page read by") for text in texts)

    await until(is_read)


async def seeing_entry(program: Program) -> ModelEntry:
    seeing: list[ModelEntry] = []
    while not seeing:
        models = (await program.client.snapshot()).models
        seeing = [
            entry for entry in models if entry.spec is not None and entry.spec.projector_path is not None
        ]
    return seeing[0]
