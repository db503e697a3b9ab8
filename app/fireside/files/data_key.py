"""The key under which the data of one folder is encrypted, and the file that keeps it under a passphrase.

The data key is 32 random bytes. It never changes while there is a passphrase: another passphrase wraps it
anew. Each use has a key of its own, derived by HKDF-SHA-256, so none says anything about another. The
passphrase goes through scrypt (2^17, 8, 1: 128 MiB, 0.5 to 0.65 s of one core measured), which is in the
standard library of every build of Python, and the result wraps the data key with AES-256-GCM.
``cryptography`` is imported only where there is a passphrase.
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import StorageError
from fireside.files.atomic_replace import WriteFile, replace_file
from fireside.files.fsync import sync_folder
from fireside.files.json_file import Unusable, read_regular_file

KEY_FILES: Final = ("passphrase.json", "passphrase-copy.json")
"""Two copies, written one after the other: without one of them everything would be lost."""
KEY_BYTES: Final = 32
_SIZE_LIMIT: Final = 100_000
_NONCE_BYTES: Final = 12
_SALT_BYTES: Final = 16
COST: Final = 2**17
"""scrypt's N: with r = 8 it takes 128 MiB."""
_R: Final = 8
_P: Final = 1
_ABOVE_SCRYPT: Final = 1 << 20
_ID_BYTES: Final = 8


class KeyUse(StrEnum):
    """What a derived key is for; the values are part of the format."""

    DATABASES = "fireside databases 1"
    SAVED_STATES = "fireside saved states 1"
    ID = "fireside key id 1"


class DataState(StrEnum):
    """How far the data has followed the wish of the user."""

    READY = "ready"
    """Everything is encrypted."""
    ENCRYPTING = "encrypting"
    DECRYPTING = "decrypting"


class WrappedKey(msgspec.Struct, frozen=True, kw_only=True):
    """A data key under a passphrase, with all that it takes to get it back but the passphrase.

    The bounds keep a forged file from taking all memory: 1 GiB at most.
    """

    version: Literal[1] = 1
    n: Annotated[int, msgspec.Meta(ge=2**14, le=2**20)] = COST
    r: Annotated[int, msgspec.Meta(ge=8, le=8)] = _R
    p: Annotated[int, msgspec.Meta(ge=1, le=4)] = _P
    salt: bytes
    nonce: bytes
    wrapped: bytes
    key_id: str
    """Tells data keys apart; says nothing about the key."""


class KeyFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the key file."""

    state: DataState
    key: WrappedKey
    in_keyring: bool = False
    """Whether the system's keyring holds the data key."""


class DataKey:
    """A data key in memory, until ``wipe``."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError(f"a key of {len(secret)} bytes")
        self._secret = bytearray(secret)
        self.id = self.derive(KeyUse.ID)[:_ID_BYTES].hex()

    @classmethod
    def new(cls) -> DataKey:
        """Return a random key."""
        return cls(secrets.token_bytes(KEY_BYTES))

    def derive(self, use: KeyUse) -> bytes:
        """Return the key for one use, 32 bytes."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=use.value.encode()).derive(
            bytes(self._secret)
        )

    def reveal(self) -> bytes:
        """Return the key itself, for the keyring."""
        return bytes(self._secret)

    def wipe(self) -> None:
        """Overwrite the key; Python may have copied it, so this is no promise about the memory."""
        self._secret[:] = bytes(len(self._secret))

    def __repr__(self) -> str:
        return f"DataKey({self.id})"


def wrap(key: DataKey, passphrase: str, *, cost: int = COST) -> WrappedKey:
    """Return ``key`` under ``passphrase``. Takes about a second; tests lower the ``cost``."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    record = WrappedKey(
        n=cost,
        salt=secrets.token_bytes(_SALT_BYTES),
        nonce=secrets.token_bytes(_NONCE_BYTES),
        wrapped=b"",
        key_id=key.id,
    )
    sealed = AESGCM(_from_passphrase(record, passphrase)).encrypt(record.nonce, key.reveal(), _facts(record))
    return msgspec.structs.replace(record, wrapped=sealed)


def unwrap(record: WrappedKey, passphrase: str) -> DataKey:
    """Return the key in ``record``. Takes about a second. Raises ``passphrase_wrong``."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        secret = AESGCM(_from_passphrase(record, passphrase)).decrypt(
            record.nonce, record.wrapped, _facts(record)
        )
        return DataKey(secret)
    except (InvalidTag, ValueError) as exc:
        raise StorageError.of("passphrase_wrong") from exc


def _from_passphrase(record: WrappedKey, passphrase: str) -> bytes:
    # The same text from another keyboard or system may come in another normal form.
    text = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(
        text,
        salt=record.salt,
        n=record.n,
        r=record.r,
        p=record.p,
        maxmem=128 * record.n * record.r * record.p + _ABOVE_SCRYPT,
        dklen=KEY_BYTES,
    )


def _facts(record: WrappedKey) -> bytes:
    """Return what the wrapping authenticates beside the key: everything else in the record."""
    return msgspec.json.encode(msgspec.structs.replace(record, wrapped=b""))


class KeyFiles:
    """The key file of a data folder, and its copy. Blocks."""

    def __init__(self, folder: Path, *, write: WriteFile = replace_file) -> None:
        self._paths = tuple(folder / name for name in KEY_FILES)
        self._write = write

    def exist(self) -> bool:
        """Return whether there is a passphrase, without reading."""
        return any(path.exists() for path in self._paths)

    def read(self) -> KeyFile | None:
        """Return the content; ``None`` without a passphrase. Raises ``passphrase_file_unusable``."""
        reason = ""
        for path in self._paths:
            try:
                content = read_regular_file(path, limit=_SIZE_LIMIT, is_private=True)
                if content is not None:
                    return decode_json(content, kind=KeyFile)
            except (Unusable, JsonInvalid, OSError) as exc:
                reason = reason or str(exc)
        if reason:
            raise StorageError.of("passphrase_file_unusable", path=str(self._paths[0]), reason=reason)
        return None

    def write(self, content: KeyFile) -> None:
        """Replace the file, then its copy. Raises ``OSError``; then the first may be new."""
        for path in self._paths:
            self._write(path, msgspec.json.encode(content))

    def repair(self, content: KeyFile) -> None:
        """Write each that is not ``content``. Raises ``OSError``."""
        expected = msgspec.json.encode(content)
        for path in self._paths:
            try:
                is_same = read_regular_file(path, limit=_SIZE_LIMIT) == expected
            except (Unusable, OSError):
                is_same = False
            if not is_same:
                self._write(path, expected)

    def remove(self) -> None:
        """Remove both. Raises ``OSError``."""
        for path in self._paths:
            path.unlink(missing_ok=True)
        sync_folder(self._paths[0].parent)
