"""ZIP archives of XML, as office documents and e-books are: unpacked with bounds, parsed as streams."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from xml.parsers import expat  # document types are refused, so that there are no entities

from fireside.core.i18n import tr_noop
from fireside.documents.extracted_text import FileRefused

MAX_PART_BYTES: Final = 100_000_000
"""Of one unpacked part. A book of a thousand pages takes 10 MB with its markup."""
MAX_BYTES: Final = 300_000_000
"""Of all parts that are read from one archive, unpacked."""
_MAX_MEMBERS: Final = 20_000
_MAX_DEPTH: Final = 500
_CHUNK_BYTES: Final = 256 * 1024
_DAMAGED: Final = tr_noop("it is damaged.")
_TOO_MUCH: Final = tr_noop("it unpacks to far more than it seems to hold.")


class XmlReader:
    """Handles the elements of a part in document order; names come without their prefixes."""

    @property
    def is_full(self) -> bool:
        """Whether the rest of the part can be skipped."""
        return False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""

    def end(self, tag: str) -> None:
        """Handle the end of an element."""

    def characters(self, text: str) -> None:
        """Handle text within an element; one text may come in several pieces."""


class Archive:
    """An open archive."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._n_bytes = 0
        self.names = frozenset(archive.namelist())

    def parse(self, name: str, reader: XmlReader) -> None:
        """Parse one part until ``reader`` is full; a missing part has no elements. Raises ``FileRefused``."""
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
        """Return one part, empty if it is missing. Raises ``FileRefused``."""
        return b"".join(self._chunks(name)) if name in self.names else b""

    def relations(self, part: str) -> dict[str, str]:
        """Return the parts that ``part`` refers to, by the ids of the relations."""
        folder, file = posixpath.split(part)
        relations = _Relations()
        self.parse(posixpath.join(folder, "_rels", f"{file}.rels"), relations)
        return {
            id_: target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            for id_, target in relations.targets.items()
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
    """Open an archive; errors of reading it within the block are raised as ``FileRefused``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.namelist()) > _MAX_MEMBERS:
                raise FileRefused(tr_noop("it is an archive with too many files in it."))
            yield Archive(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as exc:
        raise FileRefused(_DAMAGED) from exc
    except RuntimeError as exc:  # what zipfile raises where a password is needed
        if isinstance(exc, RecursionError):
            raise
        raise FileRefused(tr_noop("it is protected by a password.")) from exc


class _Relations(XmlReader):
    def __init__(self) -> None:
        self.targets: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            self.targets[attributes.get("Id", "")] = attributes.get("Target", "")


def _parser(reader: XmlReader) -> expat.XMLParserType:
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise FileRefused(tr_noop("its parts are nested too deep."))
        # Prefixed names last, so that they win: a slide has "id" and, for its relation, "r:id".
        ordered = sorted(attributes.items(), key=lambda each: ":" in each[0])
        reader.start(_local(tag), {_local(key): value for key, value in ordered})

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
    """Return a name without its namespace prefix: ``p`` for ``w:p``."""
    return name.rpartition(":")[2]
