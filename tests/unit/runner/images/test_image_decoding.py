"""Image files are decoded within bounds, upright, or refused with a reason."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fakes.raised import refuses
from fireside.core.errors import RequestError
from fireside.runner.images import image_decoding
from fireside.runner.images.image_decoding import MAX_EDGE, DecodedImage, decode_picture

RED, BLUE = (250, 5, 5), (5, 5, 250)


def encoded(image: Image.Image, kind: str = "PNG", **how: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **how)
    return buffer.getvalue()


def two_halves(mode: str = "RGB", *, width: int = 40, height: int = 20) -> Image.Image:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(BLUE, (width // 2, 0, width, height))
    return image.convert(mode)


def colour(picture: DecodedImage, x: int, y: int) -> str:
    pixels = np.frombuffer(picture.rgb, np.uint8).reshape(picture.height, picture.width, 3)
    red, green, blue = (int(value) for value in pixels[y, x])
    if min(red, green, blue) > 200:
        return "white"
    return "red" if red > blue + 50 else "blue" if blue > red + 50 else f"{red} {green} {blue}"


def refusal(data: bytes, *, number: int = 1) -> str:
    with refuses("invalid_image") as caught:
        decode_picture(data, number=number)
    return caught.value.sentence()


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header claims a huge size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_every_supported_kind_is_decoded(kind: str) -> None:
    picture = decode_picture(encoded(two_halves(), kind), number=1)
    assert (picture.width, picture.height, len(picture.rgb)) == (40, 20, 40 * 20 * 3)
    assert (colour(picture, 5, 10), colour(picture, 35, 10)) == ("red", "blue")


@pytest.mark.parametrize(("mode", "kind"), [("CMYK", "JPEG"), ("P", "PNG"), ("P", "GIF")])
def test_other_colour_modes_become_rgb(mode: str, kind: str) -> None:
    picture = decode_picture(encoded(two_halves(mode), kind), number=1)
    assert (colour(picture, 5, 10), colour(picture, 35, 10)) == ("red", "blue")


@pytest.mark.parametrize("mode", ["1", "L", "I;16"])
def test_shades_of_grey_keep_their_brightness(mode: str) -> None:
    if mode == "I;16":
        image = Image.fromarray(np.repeat(np.array([[0, 65535]], np.uint16), 8, axis=1).repeat(8, axis=0))
    else:
        image = Image.new("L", (16, 8), 0)
        image.paste(255, (8, 0, 16, 8))
        image = image.convert(mode)
    picture = decode_picture(encoded(image), number=1)
    assert (colour(picture, 2, 4), colour(picture, 13, 4)) == ("0 0 0", "white")


def test_transparent_pixels_become_white() -> None:
    image = two_halves("RGBA")
    image.putpixel((3, 3), (0, 0, 0, 0))
    picture = decode_picture(encoded(image), number=1)
    assert (colour(picture, 3, 3), colour(picture, 5, 5)) == ("white", "red")


def test_transparent_palette_colour_becomes_white() -> None:
    image = two_halves("P")
    transparent = int(np.asarray(image)[0, 0])
    picture = decode_picture(encoded(image, "PNG", transparency=transparent), number=1)
    assert (colour(picture, 5, 5), colour(picture, 35, 5)) == ("white", "blue")


def test_exif_orientation_is_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the top of the scene is at the right
    picture = decode_picture(encoded(two_halves(), "JPEG", exif=exif, quality=95), number=1)
    assert (picture.width, picture.height) == (20, 40)
    assert (colour(picture, 10, 5), colour(picture, 10, 35)) == ("red", "blue")


def test_first_frame_of_an_animation_is_decoded() -> None:
    frames = [Image.new("RGB", (8, 8), RED), Image.new("RGB", (8, 8), BLUE)]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert colour(decode_picture(data, number=1), 4, 4) == "red"


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_large_picture_is_scaled_down_with_its_aspect_ratio(kind: str) -> None:
    picture = decode_picture(encoded(two_halves(width=4 * MAX_EDGE, height=MAX_EDGE), kind), number=1)
    assert (picture.width, picture.height) == (MAX_EDGE, MAX_EDGE // 4)
    assert colour(picture, 10, 10) == "red"


def test_picture_is_refused_by_the_size_in_its_header() -> None:
    assert refusal(bomb(60_000, 60_000), number=3) == (
        "Image 3 cannot be used: it has more than 100 million pixels."
    )
    assert "million pixels" in refusal(bomb(12_000, 9_000))


def test_too_many_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_decoding, "MAX_BYTES", 100)
    assert "is larger than" in refusal(encoded(two_halves()) + bytes(100))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_truncated_picture_is_damaged(kind: str) -> None:
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 256, (40, 40, 3), dtype=np.uint8))
    data = encoded(noise, kind)
    for n_kept in (0, 4, 20, len(data) // 2):
        assert "damaged" in refusal(data[:n_kept])


@pytest.mark.parametrize("data", [b"", b"hello", b"%PDF-1.7\n", b"<svg/>", b"II*\x00" + bytes(50)])
def test_other_files_are_refused_as_no_picture(data: bytes) -> None:
    assert "it is not a PNG, JPEG, WebP, GIF or BMP image" in refusal(data)


@given(
    kind=st.sampled_from(["PNG", "JPEG", "WEBP", "GIF", "BMP"]),
    changes=st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), min_size=1, max_size=8),
)
def test_any_bytes_are_decoded_or_refused(kind: str, changes: list[tuple[int, int]]) -> None:
    data = bytearray(encoded(two_halves(), kind))
    for index, value in changes:
        data[index % len(data)] = value
    try:
        picture = decode_picture(bytes(data), number=1)
    except RequestError:
        return
    assert len(picture.rgb) == 3 * picture.width * picture.height
