"""Pictures are sent to a runner once, and requested again if it has evicted them."""

from __future__ import annotations

import pytest

from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage, ImagePart, Role, TextPart
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasureRequest, PromptPreviewRequest
from fireside.core.task import GenerationTask
from fireside.engine.runner_requests import PictureSender
from fireside.runner.connection import QueuedCommand
from fireside.runner.images.picture_input import PictureInput
from fireside.wire.frames import MAX_FRAME_BYTES, encode_frame
from fireside.wire.messages import (
    Ask,
    Cancel,
    Command,
    Generate,
    PictureData,
    PicturesRequested,
    Ping,
)
from fireside.wire.pictures import PictureCommand, digest_of, pictures_in


def picture(number: int, *, n_bytes: int = 1000) -> bytes:
    return number.to_bytes(4, "little") * (n_bytes // 4)


def messages(*pictures: bytes) -> tuple[ChatMessage, ...]:
    return tuple(
        ChatMessage(
            role=Role.USER, parts=(TextPart(text="Look"), ImagePart(data=data, media_type="image/png"))
        )
        for data in pictures
    )


def generate(number: int, *pictures: bytes) -> Generate:
    prompt = ChatInput(messages=messages(*pictures))
    return Generate(
        request_id=RequestId(number), task=GenerationTask(prompt=prompt, sampling=SamplingParams())
    )


class Line:
    """An engine's end and a runner's, and what went over the wire between them."""

    def __init__(self, *, budget_bytes: int = 1 << 20) -> None:
        self.sent: list[Command] = []
        self.arrived: list[QueuedCommand] = []
        self.sender = PictureSender(self._send)
        self._intake = PictureInput(self._arrive, budget_bytes=budget_bytes)

    def _send(self, command: Command) -> None:
        encode_frame(command)
        self.sent.append(command)
        self._intake.accept(command)

    def _arrive(self, intake: QueuedCommand) -> None:
        self.arrived.append(intake)

    def answer_questions(self) -> None:
        for question in [report for report in self.arrived if isinstance(report, PicturesRequested)]:
            self.arrived.remove(question)
            assert not self.sender.resend(question)

    @property
    def n_pictures(self) -> int:
        return sum(isinstance(command, PictureData) for command in self.sent)


ASKING: list[PictureCommand] = [
    generate(1, picture(1), picture(2), picture(1)),
    Ask(request_id=RequestId(2), query=PromptPreviewRequest(task=generate(1, picture(1)).task)),
    Ask(
        request_id=RequestId(4),
        query=PromptMeasureRequest(prompt=ChatInput(messages=messages(picture(1), picture(2)))),
    ),
]


@pytest.mark.parametrize("command", ASKING)
def test_command_arrives_unchanged(command: Command) -> None:
    line = Line()
    for _ in range(2):
        line.sender.send(command)
    assert line.arrived == [command, command]
    assert line.n_pictures == len(set(pictures_in(command)))


def test_command_without_pictures_is_unchanged() -> None:
    line = Line()
    for command in (Ping(), generate(1)):
        line.sender.send(command)
    assert line.arrived == line.sent == [Ping(), generate(1)]


def test_more_pictures_than_a_frame_holds_arrive() -> None:
    n_bytes = 4 << 20
    pictures = [picture(number, n_bytes=n_bytes) for number in range(MAX_FRAME_BYTES // n_bytes + 4)]
    line = Line(budget_bytes=1 << 30)
    line.sender.send(generate(1, *pictures))
    assert line.arrived == [generate(1, *pictures)]


def test_evicted_pictures_are_requested_again() -> None:
    line = Line(budget_bytes=2000)
    first = generate(1, picture(1), picture(2))
    line.sender.send(first)
    line.sender.send(generate(2, picture(3)))
    line.sender.send(generate(3, picture(2), picture(1)))
    line.answer_questions()
    assert line.arrived == [first, generate(2, picture(3)), generate(3, picture(2), picture(1))]
    assert line.n_pictures == 4


def test_request_may_contain_more_than_the_runner_keeps() -> None:
    line = Line(budget_bytes=1500)
    pictures = [picture(number) for number in range(5)]
    for number in (1, 2):
        line.sender.send(generate(number, *pictures))
        line.answer_questions()
    assert line.arrived == [generate(1, *pictures), generate(2, *pictures)]


def test_cancel_of_a_waiting_request_follows_it() -> None:
    line = Line(budget_bytes=0)
    line.sender.send(generate(1, picture(1)))
    line.answer_questions()
    line.arrived.clear()
    line.sender.send(generate(2, picture(1)))
    line.sender.send(Cancel(request_id=RequestId(2)))
    line.answer_questions()
    assert line.arrived == [generate(2, picture(1)), Cancel(request_id=RequestId(2))]


def test_cancelled_waiting_query_is_dropped() -> None:
    line = Line(budget_bytes=0)
    line.sender.send(generate(1, picture(1)))
    line.answer_questions()
    line.arrived.clear()
    count = Ask(
        request_id=RequestId(-1),
        query=PromptMeasureRequest(prompt=ChatInput(messages=messages(picture(1)))),
    )
    line.sender.send(count)
    line.sender.clear_requests()
    line.answer_questions()
    assert line.arrived == []
    line.sender.send(count)
    line.answer_questions()
    assert line.arrived == [count]


def test_request_for_an_unknown_picture_is_an_error() -> None:
    line = Line()
    line.sender.send(generate(1, picture(1)))
    unknown = PicturesRequested(request_id=RequestId(1), digests=(digest_of(picture(2)),))
    assert line.sender.resend(unknown)
    known = PicturesRequested(request_id=RequestId(1), digests=(digest_of(picture(1)),))
    assert not line.sender.resend(known)
    assert line.sender.resend(known)
