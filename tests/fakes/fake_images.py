"""A fake projector that counts its calls, and a fake llama.cpp that decodes images besides text."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from PIL import Image

from fakes.fake_llama import FakeDecoder, FakeVocab
from fakes.loop_harness import ANSWER, Runner
from fireside.core.generation import Priority
from fireside.core.message import ChatMessage, ImagePart, Role, TextPart
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.runner.decoder import DecodeResult
from fireside.runner.image_token_ids import text_only
from fireside.runner.images.image_decoding import DecodedImage
from fireside.runner.images.image_embedding_cache import DecodedCells, EncodedSpan, Encoder
from fireside.runner.images.image_layout import ImageLayout, SpanShape, TextRun
from fireside.runner.images.image_queue import ImageQueue
from fireside.runner.images.image_tokenizer import ImageTokenizer
from fireside.runner.images.sound_decoding import DecodedSound
from fireside.runner.prompt.segments import Prompt, PromptSegment
from fireside.runner.tokens import Tokens
from fireside.wire.messages import Command

N_CELLS = 5
BEGIN, BETWEEN = 1, 2
"""Tokens that every image has before and between its two spans."""


@cache
def picture(number: int) -> bytes:
    """A file of one pixel, a different one for each number."""
    buffer = io.BytesIO()
    Image.new("RGB", (1, 1), (number, number, number)).save(buffer, "PNG")
    return buffer.getvalue()


def message(*parts: str | int) -> ChatMessage:
    """Texts, and images by their numbers."""
    return ChatMessage(
        role=Role.USER,
        parts=tuple(
            TextPart(text=part)
            if isinstance(part, str)
            else ImagePart(data=picture(part), media_type="image/png")
            for part in parts
        ),
    )


class FakeProjector:
    """Lays every image out as two spans."""

    sees, hears = True, False

    def __init__(self) -> None:
        self.encoded: list[tuple[int, int]] = []
        """Numbers of encoded images, and the indices of their spans."""
        self.broken: set[int] = set()
        """Numbers of images that cannot be encoded."""
        self.while_encoding: Callable[[], None] = lambda: None

    def layout_of(self, medium: DecodedImage | DecodedSound) -> ImageLayout:
        span = SpanShape(n_tokens=N_CELLS)
        begin, between = np.array([BEGIN], np.int32), np.array([BETWEEN], np.int32)
        return (TextRun(tokens=begin), span, TextRun(tokens=between), span)

    def encode(self, medium: DecodedImage | DecodedSound, *, span: int) -> EncodedSpan:
        assert isinstance(medium, DecodedImage)
        number = medium.rgb[0]
        self.while_encoding()
        if number in self.broken:
            raise ValueError(number)
        self.encoded.append((number, span))
        embeddings = np.full((N_CELLS, 2), 10 * number + span, np.float32)
        positions = np.arange(N_CELLS, dtype=np.int32)[None, :]
        return EncodedSpan(embeddings=embeddings, positions=positions, n_pos=N_CELLS)


class ImageDecoder(FakeDecoder):
    """Decodes at most ``n_image_max`` cells of a span in one step."""

    def __init__(self, *, n_image_max: int = N_CELLS, n_seq_max: int = 2) -> None:
        super().__init__(n_seq_max=n_seq_max, n_ctx=128)
        self.n_image_max = n_image_max
        self.steps: list[str] = []
        """``text`` or ``image`` for each step."""
        self.image_results: list[DecodeResult] = []
        self.before_image: list[Command] = []

    def decode(self, batch) -> DecodeResult:  # type: ignore[no-untyped-def]
        self.steps.append("text")
        return super().decode(batch)

    def decode_span(
        self, span: EncodedSpan, *, sequence: int, start: int, offset: int, wants_logits: bool
    ) -> DecodedCells:
        self.steps.append("image")
        if self.commands is not None and self.before_image:
            self.commands.put(self.before_image.pop(0))
        result = self.image_results.pop(0) if self.image_results else DecodeResult.DONE
        if self.results:
            result = self.results.pop(0)
        if result is not DecodeResult.DONE:
            return DecodedCells(result, 0)
        cells = self.cells[sequence]
        assert len(cells) == start + offset, "a gap in the positions"
        rows = span.embeddings[offset : offset + self.n_image_max]
        cells.extend(int(row[0]) + 1000 + index for index, row in enumerate(rows, offset))
        if wants_logits and offset + len(rows) == span.n_tokens:
            self._outputs = {len(rows) - 1: self._follows(cells)}
        return DecodedCells(DecodeResult.DONE, len(rows))


class ImageVocab(FakeVocab):
    def tokenize_segments(
        self, prompt: Prompt, *, image_tokens: Callable[[int], Tokens] | None = None
    ) -> list[Tokens]:
        tokens = super().tokenize_segments(prompt)
        for index, segment in enumerate(prompt.segments, 1):
            if segment.image is not None and image_tokens is not None:
                tokens[index] = image_tokens(segment.image)
        return tokens

    def detokenize(self, tokens: Tokens) -> str:
        return super().detokenize(text_only(tokens))


class ImageTemplate:
    """Concatenated texts and images."""

    def render(self, chat: ChatInput) -> Prompt:
        segments: list[PromptSegment] = []
        images: list[ImagePart] = []
        for part in (part for message in chat.messages for part in message.parts):
            if isinstance(part, ImagePart):
                segments.append(PromptSegment(text="", special=False, image=len(images)))
                images.append(part)
            elif isinstance(part, TextPart):
                segments.append(PromptSegment(text=part.text, special=False))
        return Prompt(segments=tuple(segments), images=tuple(images))


class ImageRunner(Runner):
    """A decode loop with images."""

    def __init__(
        self, *, n_image_max: int = N_CELLS, n_seq_max: int = 2, budget_bytes: int = 1 << 20
    ) -> None:
        self.projector = FakeProjector()
        self.eyes = ImageDecoder(n_image_max=n_image_max, n_seq_max=n_seq_max)
        vocab = ImageVocab()
        tokenizer = ImageTokenizer(vocab=vocab, projector=self.projector)
        encoder = Encoder(projector=self.projector, finder=tokenizer, budget_bytes=budget_bytes)
        super().__init__(
            self.eyes,
            vocab=vocab,
            template=ImageTemplate(),
            tokenizer=tokenizer,
            images=ImageQueue(encoder=encoder, decoder=self.eyes),
        )

    def show(
        self,
        number: int,
        messages: Sequence[ChatMessage],
        sampling: SamplingParams = ANSWER,
        *,
        priority: Priority = Priority.INTERACTIVE,
    ) -> None:
        prompt = ChatInput(messages=tuple(messages))
        self.give(number, GenerationTask(prompt=prompt, sampling=sampling, priority=priority))
