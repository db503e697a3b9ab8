"""Verify minisign's signatures: Ed25519 over the BLAKE2b-512 of a file.

Format: https://jedisct1.github.io/minisign/#signature-format
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.errors import UpdateError
from fireside.core.i18n import tr_noop

_KEY_ALGORITHM: Final = b"Ed"
_SIGNATURE_ALGORITHM: Final = b"ED"
_ID_BYTES: Final = 8
_KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64
_COMMENT: Final = "trusted comment: "


class PublicKey(msgspec.Struct, frozen=True, kw_only=True):
    """A public key. ``id`` is its key id in hexadecimal digits."""

    id: str
    key: bytes


def parse_key(text: str) -> PublicKey:
    """Parse the key in the last line of ``text``, as ``minisign -G`` writes it. Raises ``ValueError``."""
    content = base64.b64decode(text.strip().splitlines()[-1], validate=True)
    if len(content) != len(_KEY_ALGORITHM) + _ID_BYTES + _KEY_BYTES or not content.startswith(_KEY_ALGORITHM):
        raise ValueError("no public key of minisign")
    return PublicKey(id=content[2:10].hex(), key=content[10:])


def check_signature(content: bytes, signature: bytes, *, keys: Iterable[PublicKey]) -> PublicKey:
    """Return the key that ``content`` is signed with. Raises ``update_untrusted`` if it is none of ``keys``.

    ``signature`` is minisign's whole signature file; its trusted comment must be signed too.
    """
    # Slow to import, and only needed to verify something.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        _, first, comment, second = signature.decode("utf-8").split("\n")[:4]
        signed, global_signature = _decoded(first), _decoded(second)
    except ValueError as exc:
        raise UpdateError.of("update_untrusted", reason=tr_noop("its signature cannot be read.")) from exc
    algorithm, key_id, file_signature = signed[:2], signed[2:10].hex(), signed[10:]
    has_sizes = len(file_signature) == len(global_signature) == _SIGNATURE_BYTES
    if algorithm != _SIGNATURE_ALGORITHM or not has_sizes or not comment.startswith(_COMMENT):
        raise UpdateError.of("update_untrusted", reason=tr_noop("its signature cannot be read."))
    key = next((key for key in keys if key.id == key_id), None)
    if key is None:
        raise UpdateError.of("update_untrusted", reason=tr_noop("it is signed with an unknown key."))
    public = Ed25519PublicKey.from_public_bytes(key.key)
    try:
        public.verify(file_signature, hashlib.blake2b(content).digest())
        public.verify(global_signature, file_signature + comment.removeprefix(_COMMENT).encode())
    except InvalidSignature as exc:
        raise UpdateError.of("update_untrusted", reason=tr_noop("its signature is wrong.")) from exc
    return key


def _decoded(line: str) -> bytes:
    """Decode base64. Raises ``ValueError`` also if the encoding is not canonical."""
    content = base64.b64decode(line, validate=True)
    if base64.b64encode(content).decode() != line:
        raise ValueError("the base64 is not canonical")
    return content
