"""Decode image files to upright RGB of bounded size."""

from __future__ import annotations

import io
import warnings
from typing import Final

import msgspec
from PIL import Image, ImageOps, UnidentifiedImageError

from fireside.core.errors import RequestError
from fireside.core.i18n import Phrase, tr_noop

MAX_BYTES: Final = 32 * 1024 * 1024
MAX_PIXELS: Final = 100_000_000
"""Limit by the header: 300 MB when decoded. A phone's camera makes 50 million."""
MAX_EDGE: Final = 2048
"""Longest edge of the result. Projectors scale down to less, or cut into smaller tiles."""

_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
_ORIENTATION: Final = 0x0112
"""The Exif orientation tag."""
_BROKEN: Final = (OSError, ValueError, SyntaxError, IndexError, EOFError, OverflowError, TypeError, KeyError)
"""What Pillow's parsers raise on maliciously damaged files; its errors share no base class."""


class DecodedImage(msgspec.Struct, frozen=True, kw_only=True):
    """Pixels, row by row, three bytes each."""

    width: int
    height: int
    rgb: bytes


def decode_picture(data: bytes, *, number: int) -> DecodedImage:
    """Return the first frame of the image in ``data``, upright, on white where it was transparent.

    Args:
        number: number of the image in the request, from 1, for error messages.

    Raises:
        invalid_image: too large, of a kind that is not supported, or damaged.
    """
    if len(data) > MAX_BYTES:
        raise RequestError.of(
            "invalid_image",
            number=number,
            reason=Phrase(tr_noop("it is larger than {n} MiB."), {"n": MAX_BYTES // 2**20}),
        )
    try:
        # Pillow has its own limit for decompression bombs and warns of odd metadata; our limit decides.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                _check_size(image, number=number)
                return _upright_rgb(image)
    except UnidentifiedImageError:
        raise RequestError.of(
            "invalid_image",
            number=number,
            reason=tr_noop("it is not a PNG, JPEG, WebP, GIF or BMP image, or it is damaged."),
        ) from None
    except Image.DecompressionBombError:
        raise _too_many_pixels(number) from None
    except MemoryError:
        raise RequestError.of(
            "invalid_image", number=number, reason=tr_noop("there is not enough memory to open it.")
        ) from None
    except _BROKEN as exc:
        raise RequestError.of("invalid_image", number=number, reason=tr_noop("it is damaged.")) from exc


def _check_size(image: Image.Image, *, number: int) -> None:
    width, height = image.size
    if width < 1 or height < 1:
        raise RequestError.of("invalid_image", number=number, reason=tr_noop("it is empty."))
    if width * height > MAX_PIXELS:
        raise _too_many_pixels(number)


def _too_many_pixels(number: int) -> RequestError:
    return RequestError.of(
        "invalid_image",
        number=number,
        reason=Phrase(tr_noop("it has more than {n} million pixels."), {"n": MAX_PIXELS // 10**6}),
    )


def _upright_rgb(image: Image.Image) -> DecodedImage:
    # A JPEG is decoded at half or a quarter of its size at once where that is still large enough.
    image.draft("RGB", (MAX_EDGE, MAX_EDGE))
    image.load()
    orientation = image.getexif().get(_ORIENTATION)
    # Scaled before it is put on white: each copy of the whole image takes 4 bytes a pixel.
    mode = "RGBA" if image.has_transparency_data else "RGB"
    small = image if image.mode == mode else image.convert(mode)
    small.thumbnail((MAX_EDGE, MAX_EDGE), Image.Resampling.LANCZOS)
    small = _on_white(small)
    if orientation is not None:
        # Only after scaling, when there are few pixels to rotate.
        small.getexif()[_ORIENTATION] = orientation
        small = ImageOps.exif_transpose(small)
    return DecodedImage(width=small.width, height=small.height, rgb=small.tobytes())


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode == "RGB":
        return image
    canvas = Image.new("RGBA", image.size, (255, 255, 255, 255))
    return Image.alpha_composite(canvas, image).convert("RGB")
