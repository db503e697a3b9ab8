"""The tokens of an image from a projector's header; tests of the runner compare them with llama.cpp."""

from __future__ import annotations

import pytest

from fireside.gguf import GgufHeader
from fireside.gguf.header import MetadataValue
from fireside.gguf.projector_facts import picture_tokens


def projector(kind: str, *, edge: int = 896, patch: int = 14, **more: MetadataValue) -> GgufHeader:
    metadata: dict[str, MetadataValue] = {
        "clip.projector_type": kind,
        "clip.vision.image_size": edge,
        "clip.vision.patch_size": patch,
    }
    metadata.update({f"clip.vision.{key}": value for key, value in more.items()})
    return GgufHeader(
        path="mmproj.gguf",
        version=3,
        size_bytes=1,
        alignment=32,
        data_offset=0,
        metadata=metadata,
        tensors=(),
    )


@pytest.mark.parametrize(
    ("header", "size", "n_tokens"),
    [
        (projector("gemma3"), (640, 480), 256),
        (projector("gemma3"), (4000, 3000), 256),
        (projector("mlp", edge=336), (640, 480), 576),
        (projector("qwen2vl_merger", edge=560), (560, 560), 400),
        (projector("qwen2vl_merger", edge=560), (20_000, 20_000), 4096),
    ],
)
def test_the_tokens_of_an_image_are_from_the_projector(
    header: GgufHeader, size: tuple[int, int], n_tokens: int
) -> None:
    assert picture_tokens(header, width=size[0], height=size[1]) == n_tokens


@pytest.mark.parametrize(
    "header",
    [
        projector("a new kind"),
        projector("gemma3", patch=0),
        projector("gemma3", edge=-1),
        projector("mlp", image_grid_pinpoints=(336, 672)),
    ],
)
def test_without_header_values_there_is_no_estimate(header: GgufHeader) -> None:
    assert picture_tokens(header, width=640, height=480) is None


def test_an_image_of_any_size_has_at_least_one_token() -> None:
    header = projector("qwen2vl_merger")
    for size in ((1, 1), (1, 100_000), (100_000, 1), (10**9, 10**9)):
        n_tokens = picture_tokens(header, width=size[0], height=size[1])
        assert n_tokens is not None
        assert n_tokens >= 1
