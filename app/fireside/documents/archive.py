"""Archives of XML as office programs and e-books have them: opened with bounds, read as streams."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol
from xml.parsers import expat  # document types are refused, so that there are no entities

from fireside.core.i18n import tr_noop
from fireside.documents.extracted_text import FileRefused

MAX_PART_BYTES: Final = 100_000_000
"""Of one part, unpacked. The text of a book of a thousand pages takes 10 MB with all its markup."""
MAX_BYTES: Final = 300_000_000
"""Of all parts that are read, unpacked."""
_MOST_MEMBERS: Final = 20_000
_DEEPEST: Final = 500
_CHUNK_BYTES: Final = 256 * 1024
_DAMAGED: Final = tr_noop("it is damaged.")
_TOO_MUCH: Final = tr_noop("it unpacks to far more than it seems to hold.")


class XmlReader(Protocol):
    """Takes a part as it goes by. Names come without their prefixes."""

    @property
    def is_full(self) -> bool:
        """Whether nothing more is wanted."""

    def start(self, tag: str, attributes: dict[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def characters(self, text: str) -> None: ...


class Archive:
    """An open archive."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._n_bytes = 0
        self.names = frozenset(archive.namelist())

    def parse(self, name: str, reader: XmlReader) -> None:
        """Feed one part to ``reader`` until that is full. Raises ``FileRefused``; does nothing for a
        missing part."""
        if name not in self.names:
            return
        parser = _parser(reader)
        try:
            for chunk in self._chunks(name):
                if reader.is_full:
                    return
                parser.Parse(chunk, False)
            parser.Parse(b"", True)
        except expat.ExpatError as exc:
            raise FileRefused(_DAMAGED) from exc

    def read(self, name: str) -> bytes:
        """Return one part whole; empty for one that is not there."""
        return b"".join(self._chunks(name)) if name in self.names else b""

    def relations(self, part: str) -> dict[str, str]:
        """Return the parts that a part refers to, by their ids."""
        folder, file = posixpath.split(part)
        found = _Relations()
        self.parse(posixpath.join(folder, "_rels", f"{file}.rels"), found)
        return {
            id_: target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            for id_, target in found.targets.items()
        }

    def _chunks(self, name: str) -> Iterator[bytes]:
        n_bytes = 0
        with self._archive.open(name) as part:
            while chunk := part.read(_CHUNK_BYTES):
                n_bytes += len(chunk)
                self._n_bytes += len(chunk)
                if n_bytes > MAX_PART_BYTES or self._n_bytes > MAX_BYTES:
                    raise FileRefused(_TOO_MUCH)
                yield chunk


@contextmanager
def open_archive(data: bytes) -> Iterator[Archive]:
    """Open an archive; what goes wrong within becomes ``FileRefused``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.namelist()) > _MOST_MEMBERS:
                raise FileRefused(tr_noop("it is an archive with too many files in it."))
            yield Archive(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as exc:
        raise FileRefused(_DAMAGED) from exc
    except RuntimeError as exc:  # what zipfile raises where a password is needed
        if isinstance(exc, RecursionError):
            raise
        raise FileRefused(tr_noop("it is protected by a password.")) from exc


class _Relations:
    is_full = False

    def __init__(self) -> None:
        self.targets: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            self.targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def end(self, tag: str) -> None:
        """Relations hold nothing."""

    def characters(self, text: str) -> None:
        """Relations have no text."""


def _parser(reader: XmlReader) -> expat.XMLParserType:
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise FileRefused(tr_noop("its parts are nested too deep."))
        # Of two with one name the one with a prefix counts: a slide has an id, and that of a relation.
        known = sorted(attributes.items(), key=lambda each: ":" in each[0])
        reader.start(_local(tag), {_local(key): value for key, value in known})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        reader.end(_local(tag))

    def refuse(*_: object) -> None:
        raise FileRefused(tr_noop("it holds definitions that no such document has."))

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    return parser


def _local(name: str) -> str:
    """Return a name without its prefix: ``w:p`` is ``p`` whatever the prefix."""
    return name.rpartition(":")[2]
