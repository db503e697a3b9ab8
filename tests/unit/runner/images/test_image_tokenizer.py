"""Tokenize prompts with images, and match cells to their images."""

from __future__ import annotations

import numpy as np
import pytest

from fakes.fake_images import BEGIN, BETWEEN, N_CELLS, FakeProjector, ImageTemplate, ImageVocab, message
from fakes.raised import refuses
from fireside.core.message import ChatMessage, ImagePart
from fireside.core.prompt_input import ChatInput
from fireside.runner.image_token_ids import span_end
from fireside.runner.images import image_tokenizer as module
from fireside.runner.images.image_decoding import DecodedImage
from fireside.runner.images.image_layout import ImageLayout
from fireside.runner.images.image_tokenizer import ImageTokenizer
from fireside.runner.images.sound_decoding import DecodedSound
from fireside.runner.tokens import Tokens


def tokenizer(projector: FakeProjector | None = None) -> ImageTokenizer:
    return ImageTokenizer(vocab=ImageVocab(), projector=projector or FakeProjector())


def tokens_of(seeing: ImageTokenizer, *messages: ChatMessage) -> Tokens:
    return np.concatenate(seeing.tokenize_segments(ImageTemplate().render(ChatInput(messages=messages))))


def images_of(*messages: ChatMessage) -> list[ImagePart]:
    return [part for message in messages for part in message.parts if isinstance(part, ImagePart)]


def spans_of(tokens: Tokens) -> list[Tokens]:
    spans, position = [], 0
    while position < len(tokens):
        if tokens[position] >= 0:
            position += 1
            continue
        end = span_end(tokens, position)
        spans.append(tokens[position:end])
        position = end
    return spans


def test_image_becomes_cells_between_the_model_s_own_tokens() -> None:
    tokens = tokens_of(tokenizer(), message("a", 1, "b"))
    layout = [int(token) if token >= 0 else -1 for token in tokens]
    cells = [-1] * N_CELLS
    assert layout == [ord("a"), BEGIN, *cells, BETWEEN, *cells, ord("b")]


def test_spans_of_one_image_have_different_cells() -> None:
    first, second = spans_of(tokens_of(tokenizer(), message(1)))
    assert not np.array_equal(first, second)


def test_same_image_has_the_same_cells_at_any_position() -> None:
    spans = spans_of(tokens_of(tokenizer(), message("a", 1), message("b", 2, 1)))
    assert np.array_equal(spans[0], spans[4])
    assert not np.array_equal(spans[0], spans[2])


def test_cells_are_matched_to_an_image_of_their_request() -> None:
    seeing, prompt = tokenizer(), message("a", 1, "b", 2)
    third = spans_of(tokens_of(seeing, prompt))[3]
    match = seeing.find(third, images_of(prompt))
    assert isinstance(match.medium, DecodedImage)
    assert (match.number, match.span, match.medium.rgb) == (2, 1, bytes([2, 2, 2]))


def test_spans_of_one_image_share_its_decoded_pixels() -> None:
    """Decoded once: by that the projector knows that its spans are still valid."""
    seeing, prompt = tokenizer(), message(1, 2)
    first, second, *_ = spans_of(tokens_of(seeing, prompt))
    images = images_of(prompt)
    assert seeing.find(first, images).medium is seeing.find(second, images).medium


def test_evicted_image_is_found_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_CACHED", 1)
    seeing, prompt = tokenizer(), message(1, 2, 3)
    spans = spans_of(tokens_of(seeing, prompt))
    assert seeing.find(spans[0], images_of(prompt)).number == 1


def test_cells_of_no_image_of_the_request_are_refused() -> None:
    seeing = tokenizer()
    strange = spans_of(tokens_of(seeing, message(1)))[0]
    with refuses("invalid_image"):
        seeing.find(strange, images_of(message(2)))


def test_without_a_projector_only_images_are_refused() -> None:
    blind = ImageTokenizer(vocab=ImageVocab(), projector=None)
    assert len(tokens_of(blind, message("a"))) == 1
    with refuses("images_unsupported"):
        tokens_of(blind, message("a", 1))


def test_damaged_image_is_named_by_its_number() -> None:
    good = message("a", 1)
    bad = ImagePart(data=b"nothing", media_type="image/png")
    damaged = ChatMessage(role=good.role, parts=(*good.parts, bad))
    with refuses("invalid_image", match="Image 2 cannot be used"):
        tokens_of(tokenizer(), damaged)


def test_image_that_the_projector_rejects_is_refused() -> None:
    class Picky(FakeProjector):
        def layout_of(self, medium: DecodedImage | DecodedSound) -> ImageLayout:
            raise ValueError("it is too thin")

    with refuses("invalid_image", match="it is too thin"):
        tokens_of(tokenizer(Picky()), message(1))
