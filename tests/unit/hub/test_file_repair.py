"""Downloaded files can be verified at any time, and repaired by downloading only what is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.fake_hub import FakeHub, gguf_bytes
from fakes.hub_harness import BLOCK, FILE, REPO, HubHarness
from fireside.core.errors import FileUnverifiable, HubUnreachable, ModelFileMissing
from fireside.core.hub import VerifyOutcome
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import CheckedFile, reopen_download, repair_request, start_repair, verify
from fireside.hub.hub_session import HubSession
from fireside.hub.provenance import origin_path


def check(harness: HubHarness) -> CheckedFile:
    return verify(harness.target, disk=harness.disk, cancel=CancelToken())


def mend(harness: HubHarness, checked: CheckedFile) -> None:
    request = start_repair(
        harness.target, checked, session=harness.session, disk=harness.disk, name=f"{REPO}/{FILE}"
    )
    harness.transfer(request).run()


def damage(path: Path, *offsets: int) -> None:
    content = bytearray(path.read_bytes())
    for offset in offsets:
        content[offset] ^= 0x10
    path.write_bytes(content)


def test_a_sound_file_is_verified_without_a_request(harness: HubHarness, hub: FakeHub) -> None:
    harness.fetch()
    hub.seen.clear()
    assert check(harness).result.outcome is VerifyOutcome.SOUND
    assert hub.seen == []


@pytest.mark.parametrize(
    ("offset", "block"),
    [(0, 0), (3, 0), (BLOCK - 1, 0), (BLOCK, 1), (5 * BLOCK + 9, 5), (10 * BLOCK + 776, 10)],
)
def test_a_single_wrong_bit_is_detected(harness: HubHarness, offset: int, block: int) -> None:
    harness.fetch()
    damage(harness.target, offset)
    result = check(harness).result
    assert (result.outcome, result.bad_blocks) == (VerifyOutcome.DAMAGED, (block,))


def test_only_bad_blocks_are_fetched_again(harness: HubHarness, hub: FakeHub) -> None:
    harness.fetch()
    damage(harness.target, 2 * BLOCK + 1, 7 * BLOCK, 7 * BLOCK + 5)
    hub.seen.clear()
    mend(harness, check(harness))
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    ranges = [seen.range for seen in hub.seen if seen.server == "content"]
    assert ranges == [f"bytes={2 * BLOCK}-{3 * BLOCK - 1}", f"bytes={7 * BLOCK}-{8 * BLOCK - 1}"]
    assert harness.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


def test_a_repair_reads_an_existing_file_first(harness: HubHarness, hub: FakeHub) -> None:
    harness.fetch()
    damage(harness.target, 2 * BLOCK + 1)
    request = repair_request(harness.target, check(harness), session=harness.session, name=f"{REPO}/{FILE}")
    hub.seen.clear()
    harness.transfer(request).run()
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    assert hub.n_content_bytes == BLOCK
    assert harness.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


def test_a_repair_leaves_a_file_that_is_sound_by_then(harness: HubHarness, hub: FakeHub) -> None:
    harness.fetch()
    request = repair_request(harness.target, check(harness), session=harness.session, name=f"{REPO}/{FILE}")
    hub.seen.clear()
    harness.transfer(request).run()
    assert hub.seen == []
    assert harness.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


class PowerCut(Exception):
    pass


class DiskWithoutNames(Disk):
    """A disk whose process is killed before a file is renamed."""

    def replace(self, source: Path, target: Path) -> None:
        raise PowerCut


def test_a_kill_before_the_damaged_file_is_renamed_costs_nothing(harness: HubHarness, hub: FakeHub) -> None:
    harness.fetch()
    damage(harness.target, 2 * BLOCK + 1)
    checked = check(harness)
    request = repair_request(harness.target, checked, session=harness.session, name=f"{REPO}/{FILE}")
    with pytest.raises(PowerCut):
        reopen_download(harness.target, checked, disk=DiskWithoutNames())
    hub.seen.clear()
    harness.transfer(request).run()
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    assert hub.n_content_bytes == BLOCK
    assert harness.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


@pytest.mark.parametrize("n_bytes", [0, 3, 4 * BLOCK, 10 * BLOCK + 776, 12 * BLOCK])
def test_a_file_of_the_wrong_length_is_repaired(harness: HubHarness, n_bytes: int) -> None:
    harness.fetch()
    content = harness.repo.files[FILE]
    harness.target.write_bytes((content + bytes(2 * BLOCK))[:n_bytes])
    checked = check(harness)
    assert checked.result.outcome is VerifyOutcome.DAMAGED
    mend(harness, checked)
    assert harness.target.read_bytes() == content


def test_a_file_of_unknown_origin_cannot_be_verified(harness: HubHarness) -> None:
    harness.target.parent.mkdir(parents=True)
    harness.target.write_bytes(b"GGUF")
    with pytest.raises(FileUnverifiable, match="was not downloaded with Fireside"):
        check(harness)


@pytest.mark.parametrize("junk", [b"", b"\0" * 50, b"{}", b"[", b'{"format":9}'])
def test_a_damaged_origin_file_counts_as_missing(harness: HubHarness, junk: bytes) -> None:
    harness.fetch()
    origin_path(harness.target).write_bytes(junk)
    with pytest.raises(FileUnverifiable):
        check(harness)


def test_a_missing_file_is_reported(harness: HubHarness) -> None:
    with pytest.raises(ModelFileMissing):
        check(harness)


def test_nothing_changes_if_the_hub_has_another_version(harness: HubHarness) -> None:
    harness.fetch()
    damage(harness.target, 5)
    before = harness.target.read_bytes()
    harness.repo.files[FILE] = gguf_bytes(3 * BLOCK, seed=9)
    with pytest.raises(FileUnverifiable, match="has changed"):
        mend(harness, check(harness))
    assert harness.target.read_bytes() == before


def test_nothing_changes_if_the_hub_is_unreachable(harness: HubHarness) -> None:
    harness.fetch()
    damage(harness.target, 5)
    before = harness.names()
    harness.use(HubSession(endpoint="http://127.0.0.1:9"))
    with pytest.raises(HubUnreachable):
        mend(harness, check(harness))
    assert harness.names() == before


def test_a_verification_can_be_cancelled(harness: HubHarness) -> None:
    harness.fetch()
    cancel = CancelToken()
    cancel.stop()
    with pytest.raises(Stopped):
        verify(harness.target, disk=harness.disk, cancel=cancel)
