"""Pictures: bounded before they are decoded; written anew, upright and small, with pixels alone in them."""

from __future__ import annotations

import io
import warnings
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.extracted_text import Extracted, FileRefused

MAX_PIXELS: Final = 100_000_000
"""What the header may claim: 300 MB when decoded. A phone's camera makes 50 million."""
MAX_EDGE: Final = 2048
"""Longest edge that is kept; what models see is smaller."""
_PNG_BYTES: Final = 1_000_000
"""A drawing that is larger than this as PNG is a photograph after all."""
_TOO_MANY_PIXELS: Final = Phrase(tr_noop("it has more than {n} million pixels."), {"n": MAX_PIXELS // 10**6})
_QUALITY: Final = 90
_MARKS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM")
_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
_BROKEN: Final = (OSError, ValueError, SyntaxError, IndexError, EOFError, OverflowError, TypeError, KeyError)
"""What Pillow's parsers raise on files that were damaged on purpose; its errors share no base class."""


def is_picture(data: bytes) -> bool:
    """Tell by the first bytes. Two letters alone are no mark: a text may begin with “BM”."""
    if data.startswith(b"BM"):
        return data[6:10] == b"\0\0\0\0"
    return data.startswith(_MARKS) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def read_picture(data: bytes) -> Extracted:
    """Return the first frame as PNG or JPEG, on white where it was transparent. Raises ``FileRefused``."""
    try:
        # Pillow warns of bombs at a limit of its own and of odd metadata; ours decides.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    raise FileRefused(_TOO_MANY_PIXELS)
                is_photo = image.format == "JPEG"
                plain = _plain(image)
            return _written(plain, is_photo=is_photo)
    except Image.DecompressionBombError as exc:
        raise FileRefused(_TOO_MANY_PIXELS) from exc
    except UnidentifiedImageError as exc:
        raise FileRefused(tr_noop("the image is damaged.")) from exc
    except _BROKEN as exc:
        raise FileRefused(tr_noop("the image is damaged.")) from exc


def _plain(image: Image.Image) -> Image.Image:
    # A JPEG is decoded at half or a quarter of its size at once where that is still large enough.
    image.draft("RGB", (MAX_EDGE, MAX_EDGE))
    image.load()
    exif = image.getexif().get(0x0112)  # which way up the camera was held
    small = _on_white(image)
    small.thumbnail((MAX_EDGE, MAX_EDGE), Image.Resampling.LANCZOS)
    if exif is not None:
        small.getexif()[0x0112] = exif
        small = ImageOps.exif_transpose(small)
    return small


def _on_white(image: Image.Image) -> Image.Image:
    if not image.has_transparency_data:
        return image.copy() if image.mode == "RGB" else image.convert("RGB")
    layer = image.convert("RGBA")
    canvas = Image.new("RGBA", layer.size, (255, 255, 255, 255))
    return Image.alpha_composite(canvas, layer).convert("RGB")


def _written(image: Image.Image, *, is_photo: bool) -> Extracted:
    image.info.clear()
    if not is_photo:
        drawn = io.BytesIO()
        image.save(drawn, "PNG")
        if drawn.tell() <= _PNG_BYTES:
            return Extracted(media_type="image/png", picture=drawn.getvalue())
    photo = io.BytesIO()
    image.save(photo, "JPEG", quality=_QUALITY)
    return Extracted(media_type="image/jpeg", picture=photo.getvalue())
