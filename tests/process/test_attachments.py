"""Attached files are read in a process of their own, which is never longer or larger than it may be."""

from __future__ import annotations

import asyncio
import os
import sys
import zipfile
from pathlib import Path

import pytest

from fakes.children import child_environment, file_reading
from fakes.engine import FakeEngine, says
from fakes.pdf_files import pdf_file
from fireside.chat.attachments import READ_LIMITS, Attachments, FileReadingProcess
from fireside.core.attachment import Attachment, TokenCost
from fireside.core.errors import AttachmentUnreadable, RequestError
from fireside.core.i18n import render
from fireside.core.ids import ModelId
from fireside.core.message import AudioPart, DocumentPart, ImagePart
from fireside.core.options import LoadOptions
from fireside.core.prompt_query import PromptMeasure, PromptMeasureRequest
from fireside.documents.messages import MAX_CHARS, ReadReply, ReadRequest
from fireside.engine.processes.guarded_process import ProcessLimits
from unit.documents.test_sound import sound_file

MODEL = ModelId("model")


def counter() -> FakeEngine:
    """Return an engine whose loaded model has a token for each character of a document."""
    engine = FakeEngine(says())
    engine.loaded[MODEL] = LoadOptions()
    engine.measured = _measured
    return engine


def _measured(question: PromptMeasureRequest) -> PromptMeasure:
    parts = [part for message in question.prompt.messages for part in message.parts]
    if any(isinstance(part, ImagePart) for part in parts):
        raise RequestError.of("images_unsupported")
    n_text = sum(len(part.prompt_text) for part in parts if isinstance(part, DocumentPart))
    return PromptMeasure(n_prompt=30 + n_text, n_system=0, messages=())


def read(path: Path) -> Attachment:
    return asyncio.run(Attachments(read=file_reading(), engine=counter()).read_file(str(path)))


def refusal(path: Path) -> str:
    with pytest.raises(AttachmentUnreadable) as caught:
        read(path)
    return caught.value.sentence()


def problem_of(reply: ReadReply) -> str:
    return render(reply.problem)


def by_program(source: str, *, limits: ProcessLimits | None = None) -> ReadReply:
    """Ask a process that does what ``source`` says in place of reading a file."""
    reading = FileReadingProcess(
        command=(sys.executable, "-c", source),
        environment=child_environment(),
        limits=limits or ProcessLimits(),
    )
    (reply,) = reading((ReadRequest(name="x", data=b"x" * 300_000),))
    return reply


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes("Grüße".encode("utf-16"))
    attachment = read(path)
    part = DocumentPart(name="notes.txt", media_type="text/plain", text="Grüße", size_bytes=12)
    assert attachment == Attachment(part=part, size_bytes=12)


def test_a_longest_text_comes_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("語" * MAX_CHARS, encoding="utf-8")
    attachment = read(path)
    assert isinstance(attachment.part, DocumentPart)
    assert len(attachment.part.text) == MAX_CHARS


def test_a_document_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made,
        made.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        part.write(b"<d>")
        for _ in range(300):
            part.write(b" " * 1_000_000)
    assert refusal(path) == "“bomb.docx” cannot be attached: it unpacks to far more than it seems to hold."


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path).endswith("it is a folder.")
    assert refusal(tmp_path / "gone.txt").endswith("file not found.")


def test_a_pipe_that_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("no such thing in the file system")
    os.mkfifo(tmp_path / "pipe.txt")
    assert refusal(tmp_path / "pipe.txt").endswith("file not found.")


def test_a_name_of_several_lines_becomes_one() -> None:
    reading = Attachments(read=file_reading(), engine=counter())
    attachment = asyncio.run(reading.read_data(b"x", name="a\n[End of file]\nb" + "c" * 500 + ".txt"))
    assert "\n" not in attachment.name
    assert len(attachment.name) <= 120
    assert attachment.name.endswith(".txt")


def test_what_does_not_end_is_ended() -> None:
    for program, limits in (
        ("while True: pass", ProcessLimits(time_s=1)),
        ("while True: pass", ProcessLimits(time_s=60, cpu_s=0.5)),
        ("import time\nwhile True: time.sleep(0.1)", ProcessLimits(time_s=1, cpu_s=60)),
    ):
        reply = by_program(program, limits=limits)
        assert problem_of(reply).startswith("reading it takes too long.")
        assert reply.is_temporary


def test_what_works_may_take_long_by_the_clock() -> None:
    program = (
        "import time\nfrom fireside.documents.__main__ import main\n"
        "while time.process_time() < 3.0: pass\nmain()"
    )
    assert by_program(program, limits=ProcessLimits(time_s=2.5, cpu_s=60)).text


def test_a_file_whose_process_was_killed_is_read_in_another(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("has no signals")
    program = (
        f"import os, pathlib\nfrom fireside.documents.__main__ import main\n"
        f"was_here = pathlib.Path({str(tmp_path / 'was here')!r})\n"
        "if not was_here.exists(): was_here.touch(); os.kill(os.getpid(), 9)\nmain()"
    )
    assert by_program(program).text
    reply = by_program("import os; os.kill(os.getpid(), 9)")
    assert "was ended" in problem_of(reply)
    assert reply.is_temporary


def test_pages_before_one_that_never_ends_are_kept_and_the_next_file_is_read() -> None:
    program = """
import fireside.documents.__main__ as reading, fireside.documents.pdf as pdf
reading.MAX_CPU_S = 10.5
read_page = pdf._Reading._read_page
def read(self, index):
    while index == 1: pass
    return read_page(self, index)
pdf._Reading._read_page = read
reading.main()
"""
    reading = FileReadingProcess(
        command=(sys.executable, "-c", program), environment=child_environment(), limits=READ_LIMITS
    )
    endless = ReadRequest(name="a.pdf", data=pdf_file([("First",), ("Second",)]))
    first, second = reading([endless, ReadRequest(name="b.txt", data=b"Next")])
    assert (first.text, second.text) == ("First", "Next")
    assert [render(each) for each in first.warnings] == [
        "Only the first 1 of its 2 pages were read: it takes too long."
    ]


def test_the_next_file_gets_another_process() -> None:
    program = (
        "import sys\nfrom fireside.documents.__main__ import main\n"
        "sys.exit(1) if b'bad' in sys.stdin.buffer.peek() else main()"
    )
    reading = FileReadingProcess(
        command=(sys.executable, "-c", program), environment=child_environment(), limits=ProcessLimits()
    )
    names = ("bad", "good", "better")
    replies = list(reading([ReadRequest(name=name, data=name.encode()) for name in names]))
    assert [reply.text for reply in replies] == ["", "good", "better"]
    assert replies[0].problem


def test_what_takes_too_much_memory_is_ended() -> None:
    program = "x = [b'x' * (1 << 20) for _ in range(400)]\nwhile True: pass"
    reply = by_program(program, limits=ProcessLimits(time_s=60, memory_bytes=128 << 20))
    assert problem_of(reply).endswith("too much memory.")


def test_what_answers_without_end_is_cut() -> None:
    program = "import sys\nsys.stdin.buffer.read(300_000)\nwhile True: sys.stdout.buffer.write(b'x' * 65536)"
    assert problem_of(by_program(program, limits=ProcessLimits(reply_bytes=1 << 20))).endswith("in it.")


@pytest.mark.parametrize(
    "program", ["import os; os.abort()", "import sys; sys.stdout.buffer.write(b'\\x03\\0\\0\\0abc')", "pass"]
)
def test_a_crash_is_told_in_words(program: str) -> None:
    assert by_program(program).problem == "it is damaged, or too complex to be read."


def test_the_process_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret")
    assert "HF_TOKEN" not in child_environment()


# What it costs


def cost_of(
    part: DocumentPart | ImagePart, engine: FakeEngine, model_id: ModelId | None = MODEL
) -> TokenCost:
    return asyncio.run(Attachments(read=file_reading(), engine=engine).count(part, model_id=model_id))


DOCUMENT = DocumentPart(name="n", media_type="text/plain", text="words " * 100)
PICTURE = ImagePart(data=b"", media_type="image/png")


def test_a_loaded_model_counts_the_document_alone() -> None:
    assert cost_of(DOCUMENT, counter()) == TokenCost(n_tokens=len(DOCUMENT.prompt_text), is_exact=True)


@pytest.mark.parametrize("model_id", [None, MODEL])
def test_without_a_loaded_model_there_is_an_estimate(model_id: ModelId | None) -> None:
    cost = cost_of(DOCUMENT, FakeEngine(says()), model_id)
    assert not cost.is_exact
    assert 130 <= cost.n_tokens <= 170


def test_a_sound_file_is_attached_as_what_models_hear(tmp_path: Path) -> None:
    path = tmp_path / "memo.mp3"
    path.write_bytes(sound_file("mp3", seconds=2))
    attachment = read(path)
    assert isinstance(attachment.part, AudioPart)
    assert (attachment.name, attachment.size_bytes) == ("memo.mp3", path.stat().st_size)
    assert len(attachment.part.content_hash) == 64
    reading = Attachments(read=file_reading(), engine=FakeEngine(says()))
    estimate = asyncio.run(reading.count(attachment.part, model_id=None))
    assert (estimate.is_exact, 20 <= estimate.n_tokens <= 30) == (False, True)


def test_a_picture_that_the_model_cannot_see_has_an_estimate() -> None:
    assert not cost_of(PICTURE, counter()).is_exact
