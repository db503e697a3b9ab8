"""Read the GGUF header of a file on the hub, a few hundred kilobytes, without downloading the file."""

from __future__ import annotations

from fireside.core.hub import HubFile
from fireside.gguf import GgufHeader, read_header_by_ranges
from fireside.hub.hub_session import HubSession


def read_remote_header(session: HubSession, file: HubFile, *, repo: str, commit: str) -> GgufHeader:
    """Return the header of ``file``. Blocks; raises ``HubError``, or ``ModelFileInvalid`` if it has none."""
    metadata = session.file_metadata(repo, commit, file.path)

    def read(offset: int, n: int) -> bytes:
        end = offset + n
        piece = bytearray()
        with session.open_range(
            metadata.location, begin=offset, end=end, size_bytes=metadata.size_bytes
        ) as body:
            position = body.first_byte
            for chunk in body:
                # A server without range support sends the file from its start.
                piece += chunk[max(0, offset - position) : max(0, end - position)]
                position += len(chunk)
                if position >= end:
                    break
        return bytes(piece)

    return read_header_by_ranges(read, size_bytes=metadata.size_bytes, path=file.path)
