"""Images: bounded before they are decoded, then re-encoded upright, scaled down and without metadata."""

from __future__ import annotations

import io
import warnings
import zlib
from typing import Final

from PIL import ExifTags, Image, ImageOps

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.extracted_text import FileRefused
from fireside.documents.messages import ReadReply

MAX_PIXELS: Final = 100_000_000
"""By the header; 400 MB when decoded, 800 while it is scaled. A phone's camera makes 50 million."""
MAX_EDGE: Final = 2048
"""Of the result; what models see is smaller."""
_MAX_PNG_BYTES: Final = 1_000_000
"""An image that is larger than this as PNG is stored as JPEG."""
_TOO_MANY_PIXELS: Final = Phrase(tr_noop("it has more than {n} million pixels."), {"n": MAX_PIXELS // 10**6})
_JPEG_QUALITY: Final = 90
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_SIGNATURES: Final = (_PNG, b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM")
_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
_DECODE_ERRORS: Final = (
    OSError,
    ValueError,
    SyntaxError,
    IndexError,
    EOFError,
    OverflowError,
    TypeError,
    KeyError,
)
"""What Pillow's parsers raise on damaged files; they have no common base class."""


def is_picture(data: bytes) -> bool:
    """Return whether a file starts as an image does. “BM” alone may start a text."""
    if data.startswith(b"BM"):
        return data[6:10] == b"\0\0\0\0"
    return data.startswith(_SIGNATURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def read_picture(data: bytes) -> ReadReply:
    """Return the first frame as PNG or JPEG, on white where it is transparent. Raises ``FileRefused``."""
    try:
        # Pillow warns at a limit of its own and of odd metadata; MAX_PIXELS decides.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(_without_odd_chunks(data)), formats=_FORMATS) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    raise FileRefused(_TOO_MANY_PIXELS)
                is_photo = image.format == "JPEG"
                upright = _upright_and_small(image)
            return _encoded(upright, is_photo=is_photo)
    except Image.DecompressionBombError as exc:
        raise FileRefused(_TOO_MANY_PIXELS) from exc
    except _DECODE_ERRORS as exc:
        raise FileRefused(tr_noop("the image is damaged.")) from exc


def _without_odd_chunks(data: bytes) -> bytes:
    """Return a PNG without the optional chunks whose checksum is wrong: viewers skip them, Pillow refuses the
    file. Other formats are returned unchanged."""
    if not data.startswith(_PNG):
        return data
    kept, at = [_PNG], len(_PNG)
    while at + 8 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        chunk = data[at:end]
        is_optional = chunk[4:5].islower()
        if not is_optional or zlib.crc32(chunk[4:-4]) == int.from_bytes(chunk[-4:], "big"):
            kept.append(chunk)
        at = end
    return b"".join(kept)


def _upright_and_small(image: Image.Image) -> Image.Image:
    # Has a JPEG decoded at half or a quarter of its size where that is large enough.
    image.draft("RGB", (MAX_EDGE, MAX_EDGE))
    image.load()
    orientation = image.getexif().get(ExifTags.Base.Orientation)
    # Scaled before it is put on white: each copy of the whole image takes 400 MB.
    mode = "RGBA" if image.has_transparency_data else "RGB"
    small = image if image.mode == mode else image.convert(mode)
    small.thumbnail((MAX_EDGE, MAX_EDGE), Image.Resampling.LANCZOS)
    small = _on_white(small)
    if orientation is not None:
        small.getexif()[ExifTags.Base.Orientation] = orientation
        small = ImageOps.exif_transpose(small)
    return small


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode == "RGB":
        return image
    canvas = Image.new("RGBA", image.size, (255, 255, 255, 255))
    return Image.alpha_composite(canvas, image).convert("RGB")


def _encoded(image: Image.Image, *, is_photo: bool) -> ReadReply:
    image.info.clear()
    if not is_photo:
        png = io.BytesIO()
        image.save(png, "PNG")
        if png.tell() <= _MAX_PNG_BYTES:
            return ReadReply(media_type="image/png", picture=png.getvalue())
    jpeg = io.BytesIO()
    image.save(jpeg, "JPEG", quality=_JPEG_QUALITY)
    return ReadReply(media_type="image/jpeg", picture=jpeg.getvalue())
