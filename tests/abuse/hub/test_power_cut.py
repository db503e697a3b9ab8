"""After a power cut the journal claims nothing that is not on the disk, and the file still arrives whole."""

from __future__ import annotations

import hashlib
import os
import random
from pathlib import Path

import msgspec
import pytest

from fakes.disk_surface import Synchronised, Written
from fakes.fake_hub import FakeHub, Fault, fake_hub, gguf_bytes
from fakes.hub_harness import FILE, QUICK, REPO, HubHarness
from fakes.power_cut_disk import PowerCutDisk, after_power_cut
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import start_repair, verify
from fireside.hub.journal import Journal
from fireside.hub.partial_file import PartialPaths

N_CUTS = 27
SMALL = 8 * 1024
OPTIONS = msgspec.structs.replace(QUICK, block_bytes=SMALL, range_bytes=5 * SMALL)


def recorded(hub: FakeHub, folder: Path, *, content: bytes) -> tuple[HubHarness, PowerCutDisk]:
    """Fetch a file over a bad connection, and mend a damaged block of it, with everything recorded."""
    disk = PowerCutDisk()
    harness = HubHarness(hub, folder, content=content, disk=disk)
    for after in (SMALL + 100, 3 * SMALL, 0):
        hub.plan(Fault.DROP, after=after)
    harness.fetch(options=OPTIONS)
    damaged = bytearray(content)
    damaged[2 * SMALL + 7] ^= 1
    with disk.open(harness.target) as file:
        file.write_at(0, bytes(damaged))
        file.synchronise()
    checked = verify(harness.target, disk=disk, cancel=CancelToken())
    request = start_repair(harness.target, checked, session=harness.session, disk=disk, name=f"{REPO}/{FILE}")
    harness.transfer(request, options=OPTIONS).run()
    return harness, disk


def put(found: dict[Path, bytes], *, old: Path, new: Path) -> None:
    for path, content in found.items():
        target = new / path.relative_to(old)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def check_claims(harness: HubHarness) -> None:
    """The journal's blocks are on the disk as it says."""
    paths = PartialPaths.of(harness.target)
    if not paths.journal.exists() or not paths.part.exists():
        return
    with Journal.open(paths.journal, disk=Disk(), name=FILE) as journal:
        part = paths.part.read_bytes()
        for number, digest in journal.blocks.items():
            assert journal.header is not None
            begin, end = journal.header.extent(number)
            assert hashlib.sha256(part[begin:end]).hexdigest() == digest, f"block {number}"


@pytest.mark.parametrize("attempt", range(3))
def test_a_power_cut_at_any_moment_can_be_gone_on_from(
    tmp_path: Path, abuse_scale: int, attempt: int
) -> None:
    rng = random.Random(int.from_bytes(os.urandom(4), "little"))
    content = gguf_bytes(12 * SMALL + 99)
    with fake_hub() as hub:
        original, disk = recorded(hub, tmp_path / "original", content=content)
        for number in range(N_CUTS // 3 * abuse_scale):
            folder = tmp_path / f"after-{number}"
            n_events = rng.randint(0, len(disk.events))
            found = after_power_cut(disk.events[:n_events], rng)
            put(found, old=original.folder, new=folder)
            harness = HubHarness(hub, folder, content=content)
            try:
                check_claims(harness)
                (request,) = harness.download_files()
                mends = number % 2 == 0
                harness.transfer(msgspec.structs.replace(request, mends=mends), options=OPTIONS).run()
                assert harness.names() == [f"{REPO}/{FILE}", f"{REPO}/{FILE}.origin.json"]
                checked = verify(harness.target, disk=Disk(), cancel=CancelToken())
                if mends or not was_damaged(found, content):
                    assert checked.result.bad_blocks == ()
                    assert harness.target.read_bytes() == content
            finally:
                harness.session.close()
        original.session.close()


def was_damaged(found: dict[Path, bytes], content: bytes) -> bool:
    """Whether the cut found the file with its name in the state that the repair was to mend.

    Who only fetches the model again, and does not go on mending it, keeps it so.
    """
    names = {path.name: held for path, held in found.items()}
    return FILE in names and names[FILE] != content


def test_a_program_that_does_not_synchronise_its_blocks_is_objected_to(tmp_path: Path) -> None:
    rng = random.Random(1)
    with fake_hub() as hub:
        original, disk = recorded(hub, tmp_path / "original", content=gguf_bytes(12 * SMALL + 99))
        original.session.close()
        part = PartialPaths.of(original.target).part
        careless = [event for event in disk.events if event != Synchronised(part)]

        def cut(number: int) -> None:
            folder = tmp_path / f"after-{number}"
            found = after_power_cut(careless[: rng.randint(0, len(careless))], rng)
            put(found, old=original.folder, new=folder)
            harness = HubHarness(hub, folder, content=b"GGUF")
            harness.session.close()
            check_claims(harness)

        with pytest.raises(AssertionError, match="block"):
            list(map(cut, range(200)))


def test_each_line_of_the_journal_is_on_the_disk_before_anything_else_happens(tmp_path: Path) -> None:
    with fake_hub() as hub:
        place, disk = recorded(hub, tmp_path / "models", content=gguf_bytes(12 * SMALL + 99))
        place.session.close()
    journal = PartialPaths.of(place.target).journal
    lines = [
        number
        for number, event in enumerate(disk.events)
        if isinstance(event, Written) and event.path == journal and event.offset > 0
    ]
    assert lines
    assert {disk.events[number + 1] for number in lines} == {Synchronised(journal)}
