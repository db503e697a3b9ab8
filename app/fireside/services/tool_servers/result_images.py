"""Read the images that tools return as attached files are read: bounded, upright, as PNG or JPEG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.attachment import attachment_limit_problem
from fireside.core.i18n import render, tr_noop
from fireside.core.invisible import without_invisible
from fireside.core.message import ImagePart
from fireside.documents.messages import ReadRequest
from fireside.services.collections.file_reading import ReadFiles

_NO_IMAGE: Final = tr_noop("it is no image.")


def read_images(
    images: Sequence[bytes], *, read: ReadFiles, server: str, tool: str
) -> tuple[tuple[ImagePart, ...], tuple[str, ...]]:
    """Return the images as they are stored, and a line for each that cannot be shown. Blocks; any thread.

    They are within the limits of a message.
    """
    if not images:
        return (), ()
    parts: list[ImagePart] = []
    notes: list[str] = []
    name = without_invisible(tool)
    requests = [ReadRequest(name=f"{name} {n}", data=data) for n, data in enumerate(images, 1)]
    for n, (request, reply) in enumerate(zip(requests, read(requests), strict=True), 1):
        part = ImagePart(data=reply.picture, media_type=reply.media_type, name=request.name, server=server)
        problem = reply.problem if reply.problem or reply.picture else _NO_IMAGE
        if reason := render(problem) or attachment_limit_problem((*parts, part)):
            notes.append(f"[Image {n} is not shown: {reason}]")
        else:
            parts.append(part)
    return tuple(parts), tuple(notes)
