"""A file is downloaded completely and verified, whatever the network and the hub do meanwhile."""

from __future__ import annotations

import errno
import hashlib
import json
import threading
from pathlib import Path

import msgspec
import pytest

from fakes.fake_hub import LOGIN_PAGE, FakeHub, Fault, Seen, Where, gguf_bytes
from fakes.hub_harness import BLOCK, FILE, QUICK, REPO, HubHarness
from fakes.raised import refuses
from fireside.core.errors import DownloadBusy, HubGated, HubNotFound, HubTokenRefused
from fireside.core.hub import DownloadState, FileOrigin
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.download_disk import Disk, DiskFile
from fireside.hub.file_transfer import TransferReport
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_session import HubSession
from fireside.hub.journal import Journal
from fireside.hub.partial_file import PartialPaths

SAFE_AND_SOUND = [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]


def content_requests(hub: FakeHub) -> list[Seen]:
    return [seen for seen in hub.seen if seen.path.startswith("/content/")]


def states(harness: HubHarness) -> list[DownloadState]:
    found: list[DownloadState] = []
    for report in harness.reports:
        if not found or found[-1] is not report.state:
            found.append(report.state)
    return found


def stop_when(harness: HubHarness, n_bytes: int) -> None:
    def on_report(report: TransferReport) -> None:
        if report.n_bytes >= n_bytes:
            harness.cancel.stop()

    harness.on_report = on_report


def go_on(harness: HubHarness) -> FileOrigin:
    """Download again, as after a restart."""
    harness.cancel = CancelToken()
    harness.on_report = lambda _: None
    return harness.fetch()


def test_a_download_stores_its_origin(harness: HubHarness) -> None:
    origin = harness.fetch()
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    assert harness.names() == SAFE_AND_SOUND
    assert (origin.repo, origin.commit, origin.path) == (REPO, harness.repo.commit, FILE)
    assert origin.digest == hashlib.sha256(harness.repo.files[FILE]).hexdigest()
    assert len(origin.blocks) == 11


def test_the_origin_file_is_plain_json(harness: HubHarness) -> None:
    harness.fetch()
    origin = json.loads((harness.folder / REPO / f"{FILE}.origin.json").read_text("utf-8"))
    assert origin["repo"] == REPO
    assert origin["downloaded_at"] == "2026-01-01T00:00:00+00:00"


def test_a_git_file_is_verified_by_its_git_digest(harness: HubHarness) -> None:
    harness.repo.in_git = frozenset({FILE})
    assert len(harness.fetch().digest) == 40
    assert harness.target.read_bytes() == harness.repo.files[FILE]


def test_a_damaged_git_file_is_detected(harness: HubHarness, hub: FakeHub) -> None:
    harness.repo.in_git = frozenset({FILE})
    hub.plan(Fault.WRONG_BYTES)
    with refuses("download_damaged"):
        harness.fetch()


def test_every_request_is_for_a_bounded_range(harness: HubHarness, hub: FakeHub) -> None:
    harness.repo.files[FILE] = gguf_bytes(40 * BLOCK)
    harness.fetch()
    ranges = [seen.range for seen in content_requests(hub)]
    assert ranges == ["bytes=0-1048575", "bytes=1048576-2097151", "bytes=2097152-2621439"]


def test_metadata_is_requested_before_each_connection(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.DROP, after=3 * BLOCK, times=2)
    harness.fetch()
    about_file = [seen.method for seen in hub.seen if "/resolve/" in seen.path or "/content/" in seen.path]
    assert about_file == ["HEAD", "GET"] * 3


@pytest.mark.parametrize("on_two_hosts", [True, False])
@pytest.mark.parametrize("fault", [Fault.DROP, Fault.RESET])
def test_a_broken_connection_is_resumed(
    harness: HubHarness, hub: FakeHub, fault: Fault, *, on_two_hosts: bool
) -> None:
    hub.is_on_two_hosts = on_two_hosts
    hub.plan(fault, after=3 * BLOCK + 100)
    harness.fetch()
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    if fault is Fault.DROP:  # A reset throws away what the system had not handed on yet.
        assert hub.n_content_bytes == len(harness.repo.files[FILE])
    assert DownloadState.WAITING_FOR_NETWORK in states(harness)


def test_a_stalled_connection_is_replaced(harness: HubHarness, hub: FakeHub) -> None:
    harness.use(HubSession(endpoint=hub.endpoint, timeouts=Timeouts(connect_s=5.0, read_s=0.1)))
    hub.plan(Fault.STALL, after=2 * BLOCK)
    harness.fetch()
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    assert any("timed out" in report.note for report in harness.reports)


@pytest.mark.parametrize(
    "fault",
    [
        Fault.SHORT_BY_ONE,
        Fault.FULL,
        Fault.WRONG_RANGE,
        Fault.RANGE_REFUSED,
        Fault.NO_RANGE_SAID,
        Fault.PACKED,
        Fault.LOGIN_PAGE,
        Fault.ENDLESS_REDIRECT,
    ],
)
@pytest.mark.parametrize("after", [0, 5])
def test_a_wrong_range_does_no_harm(harness: HubHarness, hub: FakeHub, fault: Fault, *, after: int) -> None:
    if after:
        hub.plan(Fault.DROP, after=after * BLOCK + 11)
    hub.plan(fault)
    harness.on_report = lambda _: hub.stop_repeating(Fault.ENDLESS_REDIRECT)
    harness.fetch()
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    assert LOGIN_PAGE not in harness.target.read_bytes()
    assert harness.names() == SAFE_AND_SOUND


def test_a_server_without_ranges_keeps_what_has_arrived(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.DROP, after=5 * BLOCK)
    hub.plan(Fault.FULL)
    harness.fetch()
    n_bytes = [report.n_bytes for report in harness.reports]
    assert n_bytes == sorted(n_bytes)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 408])
@pytest.mark.parametrize("where", [Where.HEAD, Where.CONTENT])
def test_a_busy_hub_is_retried(harness: HubHarness, hub: FakeHub, status: int, where: Where) -> None:
    hub.plan(Fault.STATUS, where=where, status=status, times=2)
    harness.fetch()
    assert harness.target.read_bytes() == harness.repo.files[FILE]


def test_the_delay_that_the_hub_asks_for_is_bounded_and_can_be_skipped(
    harness: HubHarness, hub: FakeHub
) -> None:
    hub.plan(Fault.STATUS, status=429, headers={"Retry-After": "3000"})
    waited: list[float] = []

    class Watched(CancelToken):
        def wait(self, seconds: float) -> None:
            waited.append(seconds)
            self.wake()
            super().wait(seconds)

    harness.cancel = Watched()
    harness.fetch(options=msgspec.structs.replace(QUICK, longest_retry_after_s=240.0))
    assert waited == [240.0]
    assert [
        report.note for report in harness.reports if report.state is DownloadState.WAITING_FOR_NETWORK
    ] == ["Too many requests to Hugging Face. Try again in 50 minutes. Retrying in 4 minutes."]


def test_a_file_in_use_is_unloaded_before_it_is_replaced(harness: HubHarness) -> None:
    unloaded: list[tuple[Path, bytes]] = []
    harness.unload = lambda path: unloaded.append((path, path.read_bytes()))
    harness.fetch()
    assert unloaded == []
    old = harness.repo.files[FILE]
    harness.repo.files[FILE], harness.repo.commit = gguf_bytes(3 * BLOCK, seed=5), "b" * 40
    harness.fetch()
    assert unloaded == [(harness.target, old)]
    assert harness.target.read_bytes() == harness.repo.files[FILE]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_expired_content_address_is_requested_again(
    harness: HubHarness, hub: FakeHub, status: int
) -> None:
    hub.plan(Fault.STATUS, status=status)
    harness.fetch()
    assert [seen.status for seen in content_requests(hub)] == [status, 206]


@pytest.mark.parametrize(
    ("status", "headers", "error"),
    [
        (401, {"X-Error-Code": "GatedRepo"}, HubGated),
        (403, {"X-Error-Code": "GatedRepo"}, HubGated),
        (404, {"X-Error-Code": "EntryNotFound"}, HubNotFound),
        (401, {"X-Error-Code": "RepoNotFound"}, HubNotFound),
        (401, {}, HubTokenRefused),
    ],
)
def test_a_refusal_ends_at_once_and_leaves_no_files(
    harness: HubHarness, hub: FakeHub, status: int, headers: dict[str, str], error: type[Exception]
) -> None:
    (request,) = harness.download_files()
    harness.use(HubSession(endpoint=hub.endpoint, token=lambda _: "hf_old"))
    hub.plan(Fault.STATUS, where=Where.HEAD, status=status, headers=headers)
    with pytest.raises(error):
        harness.transfer(request).run()
    assert harness.names() == []
    assert not (harness.folder / REPO).exists()


def test_a_sign_in_page_is_reported_and_retried(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.LOGIN_PAGE, where=Where.HEAD, times=2)
    harness.fetch()
    assert any("sign-in" in report.note for report in harness.reports)
    assert harness.names() == SAFE_AND_SOUND


def test_a_response_without_a_commit_is_not_the_hubs(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.NO_COMMIT, where=Where.HEAD)
    harness.fetch()
    assert any("answered instead" in report.note for report in harness.reports)


def test_a_wrong_digest_never_gets_the_final_name(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.WRONG_BYTES)
    with refuses("download_damaged"):
        harness.fetch()
    assert harness.names() == []


def test_a_file_that_is_no_model_is_refused_after_its_first_bytes(harness: HubHarness, hub: FakeHub) -> None:
    harness.repo.files[FILE] = b"PK\x03\x04" + bytes(20 * BLOCK)
    with refuses("download_no_model") as refused:
        harness.fetch()
    assert refused.value.facts()["host"] == hub.content_endpoint.removeprefix("http://")
    assert not refused.value.retryable
    assert len(content_requests(hub)) == 1
    assert harness.names() == []


def test_a_stopped_transfer_is_resumed(harness: HubHarness, hub: FakeHub) -> None:
    stop_when(harness, 6 * BLOCK + 1)
    with pytest.raises(Stopped):
        harness.fetch()
    assert harness.names() == [f"{REPO}/{FILE}.part", f"{REPO}/{FILE}.part.journal"]
    hub.seen.clear()
    go_on(harness)
    assert [seen.range for seen in content_requests(hub)] == [f"bytes={6 * BLOCK}-{10 * BLOCK + 776}"]
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    assert harness.names() == SAFE_AND_SOUND


def test_a_transfer_can_be_stopped_while_it_waits_for_bytes(harness: HubHarness, hub: FakeHub) -> None:
    (request,) = harness.download_files()
    harness.use(HubSession(endpoint=hub.endpoint, timeouts=Timeouts(connect_s=5.0, read_s=60.0)))
    hub.plan(Fault.STALL, after=2 * BLOCK)
    stop_when(harness, 2 * BLOCK)
    with pytest.raises(Stopped):
        harness.transfer(request).run()
    assert not hub.was_released


def test_a_file_that_changed_on_the_hub_is_restarted_with_a_note(harness: HubHarness) -> None:
    stop_when(harness, 6 * BLOCK)
    with pytest.raises(Stopped):
        harness.fetch()
    harness.repo.files[FILE] = gguf_bytes(7 * BLOCK + 5, seed=2)
    (request,) = harness.download_files()
    go_on(harness)
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    assert any("on Hugging Face has changed" in report.note for report in harness.reports)
    assert request.file.digest == harness.repo.digest(FILE)


def test_a_file_that_changes_between_two_connections_is_restarted(harness: HubHarness, hub: FakeHub) -> None:
    hub.plan(Fault.DROP, after=4 * BLOCK)

    def on_report(report: TransferReport) -> None:
        if report.state is DownloadState.WAITING_FOR_NETWORK:
            harness.repo.files[FILE] = gguf_bytes(10 * BLOCK + 777, seed=3)

    harness.on_report = on_report
    harness.fetch()
    assert harness.target.read_bytes() == gguf_bytes(10 * BLOCK + 777, seed=3)


def test_only_lost_blocks_are_downloaded_again(harness: HubHarness, hub: FakeHub) -> None:
    stop_when(harness, 8 * BLOCK)
    with pytest.raises(Stopped):
        harness.fetch()
    part = PartialPaths.of(harness.target).part
    damaged = bytearray(part.read_bytes())
    damaged[3 * BLOCK + 5] ^= 1
    part.write_bytes(damaged)
    hub.seen.clear()
    go_on(harness)
    ranges = [seen.range for seen in content_requests(hub)]
    assert ranges[-1] == f"bytes={3 * BLOCK}-{4 * BLOCK - 1}"
    assert harness.target.read_bytes() == harness.repo.files[FILE]


@pytest.mark.parametrize("junk", [b"", b"\0" * 500, b"{}\n", b'{"format":1', b"\xff\xfe\n" * 50])
def test_an_invalid_journal_counts_as_missing(harness: HubHarness, junk: bytes) -> None:
    paths = PartialPaths.of(harness.target)
    paths.journal.parent.mkdir(parents=True)
    paths.journal.write_bytes(junk)
    paths.part.write_bytes(b"rubbish" * 10_000)
    harness.fetch()
    assert harness.target.read_bytes() == harness.repo.files[FILE]
    assert harness.names() == SAFE_AND_SOUND


def test_a_journal_without_its_file_counts_as_missing(harness: HubHarness) -> None:
    stop_when(harness, 5 * BLOCK)
    with pytest.raises(Stopped):
        harness.fetch()
    PartialPaths.of(harness.target).part.unlink()
    go_on(harness)
    assert harness.target.read_bytes() == harness.repo.files[FILE]


def test_an_existing_file_is_not_downloaded_again(harness: HubHarness, hub: FakeHub) -> None:
    harness.fetch()
    hub.seen.clear()
    harness.fetch()
    assert content_requests(hub) == []


def test_an_identical_file_that_the_user_copied_is_adopted(harness: HubHarness, hub: FakeHub) -> None:
    harness.target.parent.mkdir(parents=True)
    harness.target.write_bytes(harness.repo.files[FILE])
    origin = harness.fetch()
    assert content_requests(hub) == []
    assert len(origin.blocks) == 11
    assert harness.names() == SAFE_AND_SOUND


def test_an_older_file_of_the_same_name_is_replaced_only_at_the_end(harness: HubHarness) -> None:
    harness.target.parent.mkdir(parents=True)
    harness.target.write_bytes(b"GGUF of last year")
    seen: list[bytes] = []
    harness.on_report = lambda report: (
        seen.append(harness.target.read_bytes()) if report.state is DownloadState.RUNNING else None
    )
    harness.fetch()
    assert set(seen) == {b"GGUF of last year"}
    assert harness.target.read_bytes() == harness.repo.files[FILE]


def test_one_file_is_fetched_by_one_transfer_at_a_time(harness: HubHarness) -> None:
    (request,) = harness.download_files()
    paths = PartialPaths.of(harness.target)
    paths.journal.parent.mkdir(parents=True)
    with Journal.open(paths.journal, disk=Disk(), name=FILE), pytest.raises(DownloadBusy):
        harness.transfer(request).run()


def test_an_empty_file_can_be_downloaded(harness: HubHarness) -> None:
    harness.repo.files = {FILE: b""}
    harness.fetch()
    assert harness.target.read_bytes() == b""


def test_offline_waits_without_requests(harness: HubHarness, hub: FakeHub) -> None:
    (request,) = harness.download_files()
    hub.seen.clear()
    offline = threading.Event()
    offline.set()
    harness.use(HubSession(endpoint=hub.endpoint, is_offline=offline.is_set))
    n_asked: list[int] = []

    def on_report(report: TransferReport) -> None:
        if report.state is DownloadState.WAITING_FOR_NETWORK:
            n_asked.append(len(hub.seen))
            offline.clear()

    harness.on_report = on_report
    harness.transfer(request).run()
    assert n_asked == [0]
    assert harness.target.read_bytes() == harness.repo.files[FILE]


def test_going_offline_ends_a_transfer_at_its_next_connection(harness: HubHarness, hub: FakeHub) -> None:
    (request,) = harness.download_files()
    offline = threading.Event()
    harness.use(HubSession(endpoint=hub.endpoint, is_offline=offline.is_set))

    def on_report(report: TransferReport) -> None:
        offline.set()
        if "Offline" in report.note:
            harness.cancel.stop()

    harness.on_report = on_report
    hub.plan(Fault.DROP, after=4 * BLOCK)
    with pytest.raises(Stopped):
        harness.transfer(request).run()
    assert sum(seen.server == "content" for seen in hub.seen) == 1


def test_the_block_size_of_a_journal_is_kept(harness: HubHarness) -> None:
    stop_when(harness, 6 * BLOCK)
    with pytest.raises(Stopped):
        harness.fetch()
    harness.cancel = CancelToken()
    harness.on_report = lambda _: None
    origin = harness.fetch(options=msgspec.structs.replace(QUICK, block_bytes=2 * BLOCK))
    assert origin.block_bytes == BLOCK


class FullDisk(Disk):
    """Full until space is freed."""

    def __init__(self) -> None:
        self.free = [0]

    def free_bytes(self, folder: Path) -> int:
        return self.free[0]


def test_a_full_disk_is_reported_and_waited_for(harness: HubHarness) -> None:
    disk = harness.disk = FullDisk()

    def on_report(report: TransferReport) -> None:
        if report.state is DownloadState.WAITING_FOR_SPACE:
            disk.free[0] = 10**12

    harness.on_report = on_report
    harness.fetch()
    assert states(harness)[0] is DownloadState.WAITING_FOR_SPACE
    assert "Resumes when there is space" in harness.reports[0].note
    assert harness.target.read_bytes() == harness.repo.files[FILE]


class SmallDisk(FullDisk):
    """A disk of 16 MB with space for the file and a little more."""

    def total_bytes(self, folder: Path) -> int:
        return 16_000_000


def test_the_reserve_of_a_small_disk_is_small(harness: HubHarness) -> None:
    disk = harness.disk = SmallDisk()
    n_bytes = len(harness.repo.files[FILE])
    disk.free[0] = n_bytes + 319_999

    def on_report(report: TransferReport) -> None:
        if report.state is DownloadState.WAITING_FOR_SPACE:
            disk.free[0] += 1

    harness.on_report = on_report
    harness.fetch(options=msgspec.structs.replace(QUICK, margin_bytes=10**9))
    assert states(harness).count(DownloadState.WAITING_FOR_SPACE) == 1
    assert "976 kB needed (656 kB and 320 kB kept free)" in harness.reports[0].note


class DiskThatFillsUp(Disk):
    """Refuses some writes, as if another program filled the disk."""

    def __init__(self, *, n_refused: int) -> None:
        self.n_refused = n_refused

    def open(self, path: Path) -> DiskFile:
        inner = super().open(path)
        return _FillsUp(self, inner) if path.name.endswith((".part", ".journal")) else inner


class _FillsUp(DiskFile):
    def __init__(self, disk: DiskThatFillsUp, inner: DiskFile) -> None:
        super().__init__(inner._file, path=inner.path)
        self._disk = disk

    def write_at(self, offset: int, content: bytes) -> None:
        if offset > 3 * BLOCK or (offset > 600 and self.path.name.endswith(".journal")):
            self._refuse_sometimes()
        super().write_at(offset, content)

    def _refuse_sometimes(self) -> None:
        if self._disk.n_refused > 0:
            self._disk.n_refused -= 1
            raise OSError(errno.ENOSPC, "No space left on device")


def test_a_disk_that_fills_up_during_the_transfer_is_waited_for(harness: HubHarness) -> None:
    harness.disk = DiskThatFillsUp(n_refused=4)
    harness.fetch()
    assert states(harness).count(DownloadState.WAITING_FOR_SPACE) == 4
    assert harness.target.read_bytes() == harness.repo.files[FILE]


def test_a_folder_that_cannot_be_created_is_reported(harness: HubHarness) -> None:
    harness.folder.mkdir()
    (harness.folder / "acme").write_bytes(b"a file, where a folder should be")
    with refuses("download_unwritable", match="cannot be written"):
        harness.fetch()


@pytest.mark.parametrize("planted", ["acme", REPO, f"{REPO}/{FILE}.part", f"{REPO}/{FILE}.part.journal"])
def test_a_planted_link_never_redirects_a_write(harness: HubHarness, tmp_path: Path, planted: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    victim = outside / "tiny-GGUF" if planted == "acme" else outside
    victim.mkdir(exist_ok=True)
    for name in (f"{FILE}.part", f"{FILE}.part.journal"):
        (victim / name).write_bytes(b"the user's own")
    link = harness.folder / planted
    link.parent.mkdir(parents=True)
    link.symlink_to(outside if "gguf" not in planted else victim / link.name)
    with refuses("download_unwritable", match="A link in its place points somewhere else"):
        harness.fetch()
    assert {path.read_bytes() for path in victim.iterdir()} == {b"the user's own"}
    assert len(list(victim.iterdir())) == 2


def test_a_hard_link_to_another_file_is_not_written_through(harness: HubHarness, tmp_path: Path) -> None:
    victim = tmp_path / "diary"
    victim.write_bytes(b"the user's own")
    part = harness.folder / REPO / f"{FILE}.part"
    part.parent.mkdir(parents=True)
    part.hardlink_to(victim)
    with refuses("download_unwritable", match="A link in its place"):
        harness.fetch()
    assert victim.read_bytes() == b"the user's own"


def test_the_library_folder_itself_may_be_a_link(harness: HubHarness, tmp_path: Path) -> None:
    (tmp_path / "big-disk").mkdir()
    harness.folder.symlink_to(tmp_path / "big-disk")
    harness.fetch()
    assert (tmp_path / "big-disk" / REPO / FILE).read_bytes() == harness.repo.files[FILE]


class CrampedDisk(Disk):
    """Has no space for the small files beside a model, ``n`` times."""

    def __init__(self, n: int) -> None:
        self.n = n

    def write_whole(self, path: Path, content: bytes) -> None:
        if self.n:
            self.n -= 1
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        super().write_whole(path, content)


def test_no_space_for_the_origin_file_is_waited_for_too(harness: HubHarness, hub: FakeHub) -> None:
    (request,) = harness.download_files()
    harness.transfer(request, disk=CrampedDisk(2)).run()
    assert harness.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]
    assert states(harness).count(DownloadState.WAITING_FOR_SPACE) >= 1
    assert hub.n_content_bytes == len(harness.repo.files[FILE])
