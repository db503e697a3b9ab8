"""The estimated tokens of an image while its model is not loaded."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from fakes.gguf_files import GgufFile, Value
from fireside.chat.attachments import TYPICAL_PICTURE_TOKENS, estimate_media, picture_size
from fireside.core.message import ImagePart


def encoded(kind: str, size: tuple[int, int]) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", size, (90, 140, 200)).save(written, kind)
    return written.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize("size", [(1, 1), (640, 480), (300, 2000)])
def test_the_size_is_read_off_the_head(kind: str, size: tuple[int, int]) -> None:
    assert picture_size(encoded(kind, size)) == size


@pytest.mark.parametrize(
    "data", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00\x00" * 9, b"GIF89a"]
)
def test_data_that_is_no_image_has_no_size(data: bytes) -> None:
    assert picture_size(data) is None


def test_the_cost_is_that_of_the_models_own_projector(tmp_path: Path) -> None:
    path = tmp_path / "mmproj.gguf"
    metadata: dict[str | bytes, Value] = {
        "general.architecture": "clip",
        "clip.projector_type": "gemma3",
        "clip.vision.image_size": 896,
        "clip.vision.patch_size": 14,
    }
    GgufFile(metadata=tuple(metadata.items())).write(path)
    part = ImagePart(data=encoded("PNG", (640, 480)), media_type="image/png")
    assert estimate_media(part, projector_path=str(path)) == 256
    assert estimate_media(part, projector_path=str(tmp_path / "none.gguf")) == TYPICAL_PICTURE_TOKENS
    assert estimate_media(part, projector_path=None) == TYPICAL_PICTURE_TOKENS
