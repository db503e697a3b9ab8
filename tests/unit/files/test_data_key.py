"""The data key comes back with its passphrase alone, and its file outlives the loss of one copy."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fireside.core.errors import StorageError
from fireside.files.data_key import KEY_FILES, DataKey, DataState, KeyFile, KeyFiles, KeyUse, unwrap, wrap

QUICK = 2**14
KEY = DataKey.new()
RECORD = wrap(KEY, "Übergrößen", cost=QUICK)


def test_the_passphrase_gives_the_key_back_in_any_normal_form() -> None:
    assert unwrap(RECORD, "Übergrößen").reveal() == KEY.reveal()
    assert unwrap(RECORD, "U\u0308bergro\u0308ßen").reveal() == KEY.reveal()


@pytest.mark.parametrize(
    "record",
    [
        msgspec.structs.replace(RECORD, n=2 * QUICK),
        msgspec.structs.replace(RECORD, salt=bytes(16)),
        msgspec.structs.replace(RECORD, key_id="another"),
        msgspec.structs.replace(RECORD, wrapped=RECORD.wrapped[:-1]),
        msgspec.structs.replace(RECORD, wrapped=b"", nonce=b""),
    ],
)
def test_a_changed_record_is_of_no_use(record: object) -> None:
    with pytest.raises(StorageError, match="not the passphrase"):
        unwrap(record, "Übergrößen")  # type: ignore[arg-type]


def test_another_passphrase_is_wrong() -> None:
    with pytest.raises(StorageError, match="not the passphrase"):
        unwrap(RECORD, "ubergrossen")


def test_each_use_has_a_key_of_its_own_and_none_is_the_data_key() -> None:
    keys = {KEY.derive(use) for use in KeyUse}
    assert len(keys | {KEY.reveal()}) == len(KeyUse) + 1


def test_nothing_shows_the_key() -> None:
    key = DataKey(b"k" * 32)
    assert "kkkk" not in repr(key)
    key.wipe()
    assert key.reveal() == bytes(32)


CONTENT = KeyFile(state=DataState.READY, key=RECORD)


def test_one_copy_is_enough_and_the_other_is_made_again(tmp_path: Path) -> None:
    files = KeyFiles(tmp_path)
    assert files.read() is None
    assert not files.exist()
    files.write(CONTENT)
    for name in KEY_FILES:
        (tmp_path / name).write_bytes(b"\0" * 100)
        assert files.read() == CONTENT
        files.repair(CONTENT)
        assert files.read() == CONTENT
        (tmp_path / name).unlink()
        assert files.exist()
        assert files.read() == CONTENT
        files.repair(CONTENT)
    files.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"state": "ready"}'])
def test_a_damaged_file_is_not_taken_for_no_passphrase(tmp_path: Path, content: bytes) -> None:
    for name in KEY_FILES:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(StorageError, match="key file"):
        KeyFiles(tmp_path).read()


def test_a_forged_file_cannot_take_all_memory(tmp_path: Path) -> None:
    forged = msgspec.json.encode(CONTENT).replace(b'"n":16384', b'"n":1099511627776')
    (tmp_path / KEY_FILES[0]).write_bytes(forged)
    with pytest.raises(StorageError, match="key file"):
        KeyFiles(tmp_path).read()
