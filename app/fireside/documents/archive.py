"""ZIP archives of XML, as office documents and e-books are: unpacked with bounds, parsed as streams."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final
from urllib.parse import unquote
from xml.parsers import expat  # document types are refused, so that there are no entities

import msgspec

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


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """What a part of an Office document refers to."""

    kind: str
    """The last word of its type: ``slide``, ``hyperlink``."""
    target: str
    """The name of a part, or an address outside of the archive."""
    is_external: bool = False


class Archive:
    """An open archive. The names of its parts are found in any case of letters, and written with ``\\``."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._n_bytes = 0
        self._members = {_normal(name): name for name in reversed(archive.namelist())}

    def __contains__(self, name: str) -> bool:
        return _normal(name) in self._members

    def parse(self, name: str, reader: XmlReader) -> None:
        """Parse one part until ``reader`` is full; a missing part has no elements. Raises ``FileRefused``."""
        if name not in self:
            return
        parser = _parser(reader)
        try:
            for chunk in self._chunks(name):
                if reader.is_full:
                    return
                parser.Parse(chunk, False)
            parser.Parse(b"", True)
        except (expat.ExpatError, LookupError) as exc:  # the latter for an encoding that there is not
            raise FileRefused(_DAMAGED) from exc

    def read(self, name: str) -> bytes:
        """Return one part, empty if it is missing. Raises ``FileRefused``."""
        return b"".join(self._chunks(name)) if name in self else b""

    def relations(self, part: str) -> dict[str, Relation]:
        """Return what ``part`` refers to, by the ids of the relations; the archive as a whole is ``""``."""
        folder, file = posixpath.split(part)
        relations = _Relations(folder)
        self.parse(posixpath.join(folder, "_rels", f"{file}.rels"), relations)
        return relations.found

    def related(self, part: str, kind: str) -> Iterator[str]:
        """Return the names of the parts that ``part`` refers to by relations of a kind."""
        for relation in self.relations(part).values():
            if relation.kind == kind and not relation.is_external:
                yield relation.target

    def _chunks(self, name: str) -> Iterator[bytes]:
        n_bytes = 0
        with self._archive.open(self._members[_normal(name)]) as part:
            while chunk := part.read(_CHUNK_BYTES):
                n_bytes += len(chunk)
                self._n_bytes += len(chunk)
                if n_bytes > MAX_PART_BYTES or self._n_bytes > MAX_BYTES:
                    raise FileRefused(_TOO_MUCH)
                yield chunk


def parse_xml(data: bytes, reader: XmlReader) -> None:
    """Parse a text in XML. Raises ``FileRefused``; ``reader`` has handled what precedes the damage."""
    try:
        _parser(reader).Parse(data, True)
    except expat.ExpatError as exc:
        raise FileRefused(_DAMAGED) from exc


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
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.found: dict[str, Relation] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "Relationship":
            target = attributes.get("Target", "")
            is_external = attributes.get("TargetMode") == "External"
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", self._folder, unquote(target))).lstrip("/")
            self.found[attributes.get("Id", "")] = Relation(
                kind=attributes.get("Type", "").rpartition("/")[2], target=target, is_external=is_external
            )


class _Alternatives:
    """Which of the alternatives of one content (``mc:AlternateContent``) is read: the first, never two."""

    def __init__(self) -> None:
        self._taken: list[bool] = []
        """For each enclosing group, whether one of its alternatives was read."""
        self._n_skipped = 0
        """How many elements are open since the start of an alternative that is not read."""

    def start(self, tag: str) -> bool:
        """Handle the start of an element. Return whether it is read."""
        if self._n_skipped:
            self._n_skipped += 1
        elif tag == "AlternateContent":
            self._taken.append(False)
        elif self._taken and tag in ("Choice", "Fallback"):
            self._n_skipped += self._taken[-1]
            self._taken[-1] = True
        return not self._n_skipped

    def end(self, tag: str) -> bool:
        """Handle the end of an element. Return whether it was read."""
        if self._n_skipped:
            self._n_skipped -= 1
            return False
        if tag == "AlternateContent" and self._taken:
            self._taken.pop()
        return True

    @property
    def is_skipping(self) -> bool:
        """Whether the current element is not read."""
        return self._n_skipped > 0


def _parser(reader: XmlReader) -> expat.XMLParserType:
    depth = 0
    alternatives = _Alternatives()

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise FileRefused(tr_noop("its parts are nested too deep."))
        # Prefixed names last, so that they win: a slide has "id" and, for its relation, "r:id".
        name = _local(tag)
        if alternatives.start(name):
            local = {_local(key): value for key, value in attributes.items()}
            if len(local) < len(attributes):
                local |= {_local(key): value for key, value in attributes.items() if ":" in key}
            reader.start(name, local)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        if alternatives.end(_local(tag)):
            reader.end(_local(tag))

    def characters(text: str) -> None:
        if not alternatives.is_skipping:
            reader.characters(text)

    def refuse(*_: object) -> None:
        raise FileRefused(tr_noop("it holds definitions that no such document has."))

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    return parser


def _normal(name: str) -> str:
    return name.replace("\\", "/").lower()


@lru_cache(maxsize=10_000)
def _local(name: str) -> str:
    """Return a name without its namespace prefix: ``p`` for ``w:p``."""
    return name.rpartition(":")[2]
