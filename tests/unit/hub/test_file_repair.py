"""Downloaded files can be verified at any time, and repaired by downloading only what is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.fake_hub import FakeHub, gguf_bytes
from fakes.hub_place import BLOCK, FILE, REPO, HubPlace
from fireside.core.errors import FileUnverifiable, HubUnreachable, ModelFileMissing
from fireside.core.hub import VerifyOutcome
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import CheckedFile, reopen_download, repair_request, start_repair, verify
from fireside.hub.hub_session import HubSession
from fireside.hub.provenance import origin_path


def check(place: HubPlace) -> CheckedFile:
    return verify(place.target, disk=place.disk, cancel=CancelToken())


def mend(place: HubPlace, checked: CheckedFile) -> None:
    request = start_repair(
        place.target, checked, session=place.session, disk=place.disk, name=f"{REPO}/{FILE}"
    )
    place.transfer(request).run()


def damage(path: Path, *offsets: int) -> None:
    content = bytearray(path.read_bytes())
    for offset in offsets:
        content[offset] ^= 0x10
    path.write_bytes(content)


def test_a_sound_file_is_verified_without_a_request(place: HubPlace, hub: FakeHub) -> None:
    place.fetch()
    hub.seen.clear()
    assert check(place).result.outcome is VerifyOutcome.SOUND
    assert hub.seen == []


@pytest.mark.parametrize(
    ("offset", "block"),
    [(0, 0), (3, 0), (BLOCK - 1, 0), (BLOCK, 1), (5 * BLOCK + 9, 5), (10 * BLOCK + 776, 10)],
)
def test_a_single_wrong_bit_is_detected(place: HubPlace, offset: int, block: int) -> None:
    place.fetch()
    damage(place.target, offset)
    result = check(place).result
    assert (result.outcome, result.bad_blocks) == (VerifyOutcome.DAMAGED, (block,))


def test_only_bad_blocks_are_fetched_again(place: HubPlace, hub: FakeHub) -> None:
    place.fetch()
    damage(place.target, 2 * BLOCK + 1, 7 * BLOCK, 7 * BLOCK + 5)
    hub.seen.clear()
    mend(place, check(place))
    assert place.target.read_bytes() == place.repo.files[FILE]
    ranges = [seen.range for seen in hub.seen if seen.server == "content"]
    assert ranges == [f"bytes={2 * BLOCK}-{3 * BLOCK - 1}", f"bytes={7 * BLOCK}-{8 * BLOCK - 1}"]
    assert place.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


def test_a_repair_reads_an_existing_file_first(place: HubPlace, hub: FakeHub) -> None:
    place.fetch()
    damage(place.target, 2 * BLOCK + 1)
    request = repair_request(place.target, check(place), session=place.session, name=f"{REPO}/{FILE}")
    hub.seen.clear()
    place.transfer(request).run()
    assert place.target.read_bytes() == place.repo.files[FILE]
    assert hub.n_content_bytes == BLOCK
    assert place.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


def test_a_repair_leaves_a_file_that_is_sound_by_then(place: HubPlace, hub: FakeHub) -> None:
    place.fetch()
    request = repair_request(place.target, check(place), session=place.session, name=f"{REPO}/{FILE}")
    hub.seen.clear()
    place.transfer(request).run()
    assert hub.seen == []
    assert place.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


class PowerCut(Exception):
    pass


class DiskWithoutNames(Disk):
    """A disk whose process is killed before a file is renamed."""

    def replace(self, source: Path, target: Path) -> None:
        raise PowerCut


def test_a_kill_before_the_damaged_file_is_renamed_costs_nothing(place: HubPlace, hub: FakeHub) -> None:
    place.fetch()
    damage(place.target, 2 * BLOCK + 1)
    checked = check(place)
    request = repair_request(place.target, checked, session=place.session, name=f"{REPO}/{FILE}")
    with pytest.raises(PowerCut):
        reopen_download(place.target, checked, disk=DiskWithoutNames())
    hub.seen.clear()
    place.transfer(request).run()
    assert place.target.read_bytes() == place.repo.files[FILE]
    assert hub.n_content_bytes == BLOCK
    assert place.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


@pytest.mark.parametrize("n_bytes", [0, 3, 4 * BLOCK, 10 * BLOCK + 776, 12 * BLOCK])
def test_a_file_of_the_wrong_length_is_repaired(place: HubPlace, n_bytes: int) -> None:
    place.fetch()
    content = place.repo.files[FILE]
    place.target.write_bytes((content + bytes(2 * BLOCK))[:n_bytes])
    checked = check(place)
    assert checked.result.outcome is VerifyOutcome.DAMAGED
    mend(place, checked)
    assert place.target.read_bytes() == content


def test_a_file_of_unknown_origin_cannot_be_verified(place: HubPlace) -> None:
    place.target.parent.mkdir(parents=True)
    place.target.write_bytes(b"GGUF")
    with pytest.raises(FileUnverifiable, match="was not downloaded with Fireside"):
        check(place)


@pytest.mark.parametrize("junk", [b"", b"\0" * 50, b"{}", b"[", b'{"format":9}'])
def test_a_damaged_origin_file_counts_as_missing(place: HubPlace, junk: bytes) -> None:
    place.fetch()
    origin_path(place.target).write_bytes(junk)
    with pytest.raises(FileUnverifiable):
        check(place)


def test_a_missing_file_is_reported(place: HubPlace) -> None:
    with pytest.raises(ModelFileMissing):
        check(place)


def test_nothing_changes_if_the_hub_has_another_version(place: HubPlace) -> None:
    place.fetch()
    damage(place.target, 5)
    before = place.target.read_bytes()
    place.repo.files[FILE] = gguf_bytes(3 * BLOCK, seed=9)
    with pytest.raises(FileUnverifiable, match="has changed"):
        mend(place, check(place))
    assert place.target.read_bytes() == before


def test_nothing_changes_if_the_hub_is_unreachable(place: HubPlace) -> None:
    place.fetch()
    damage(place.target, 5)
    before = place.names()
    place.use(HubSession(endpoint="http://127.0.0.1:9"))
    with pytest.raises(HubUnreachable):
        mend(place, check(place))
    assert place.names() == before


def test_a_verification_can_be_cancelled(place: HubPlace) -> None:
    place.fetch()
    cancel = CancelToken()
    cancel.stop()
    with pytest.raises(Stopped):
        verify(place.target, disk=place.disk, cancel=cancel)
