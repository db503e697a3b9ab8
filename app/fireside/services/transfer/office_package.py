"""Files of Office programs: parts of XML in an archive (OPC, ECMA-376 Part 2).

Written without ``python-docx`` and ``python-pptx``: both need lxml, 12 MB, the latter had no release since
2024, and neither writes formulas, list numbers or the direction of text.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import Final

from PIL import Image

from fireside.core.message import ImagePart
from fireside.markup.escape import escape
from fireside.markup.rich_text import clean

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_RELATIONS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TYPES: Final = "application/vnd.openxmlformats-officedocument."
_ENDINGS: Final = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif"}
NAMESPACES: Final = (
    f'xmlns:r="{_OFFICE}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)


def xml(text: str) -> str:
    """Return ``text`` for an element or an attribute; what XML cannot contain is replaced."""
    return escape(_CONTROLS.sub("\ufffd", clean(text)))


class OfficePackage:
    """The archive of one file. What it refers to is added before the part that does."""

    def __init__(self) -> None:
        self._output = io.BytesIO()
        self._archive = zipfile.ZipFile(self._output, "w", zipfile.ZIP_DEFLATED)
        self._types: list[str] = []
        self._links: dict[str, list[str]] = {}
        self._ids: dict[tuple[str, str], str] = {}
        self._pictures: dict[bytes, str] = {}

    def add(self, path: str, content: str, *, kind: str) -> None:
        """Add a part of XML; ``kind`` is the end of its media type, ``wordprocessingml.styles``."""
        self._archive.writestr(path, _HEAD + content)
        self._types.append(f'<Override PartName="/{path}" ContentType="{_TYPES}{kind}+xml"/>')

    def relate(self, path: str, target: str, *, kind: str, is_external: bool = False) -> str:
        """Return the id by which the part at ``path`` refers to ``target``: another part, or a URL."""
        known = self._ids.get((path, target))
        if known is not None:
            return known
        links = self._links.setdefault(path, [])
        number = self._ids[path, target] = f"rId{len(links) + 1}"
        where = f'Target="{xml(target)}" TargetMode="External"' if is_external else f'Target="/{target}"'
        links.append(f'<Relationship Id="{number}" Type="{_OFFICE}/{kind}" {where}/>')
        return number

    def picture(self, part: ImagePart, *, folder: str) -> tuple[str, int, int] | None:
        """Add a picture once; return its path, width and height in pixels; ``None`` for an unknown kind."""
        try:
            with Image.open(io.BytesIO(part.data)) as image:
                (width, height), ending = image.size, _ENDINGS.get(image.format or "", "")
        except Exception:  # noqa: BLE001 - any, for a damaged one
            return None
        if not ending or min(width, height) < 1:
            return None
        if part.data not in self._pictures:
            path = f"{folder}/media/image{len(self._pictures) + 1}.{ending}"
            self._pictures[part.data] = path
            self._archive.writestr(path, part.data)
        return self._pictures[part.data], width, height

    def content(self, main: str) -> bytes:
        """Return the file, whose first part is ``main``."""
        self.relate("", main, kind="officeDocument")
        for path, links in self._links.items():
            folder, _, name = path.rpartition("/")
            where = f"{folder}/_rels/{name}.rels".lstrip("/")
            body = f'<Relationships xmlns="{_RELATIONS}">{"".join(links)}</Relationships>'
            self._archive.writestr(where, _HEAD + body)
        defaults = "".join(
            f'<Default Extension="{each}" ContentType="image/{each}"/>' for each in _ENDINGS.values()
        )
        self._archive.writestr(
            "[Content_Types].xml",
            f'{_HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{defaults}'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f"{''.join(self._types)}</Types>",
        )
        self._archive.close()
        return self._output.getvalue()
