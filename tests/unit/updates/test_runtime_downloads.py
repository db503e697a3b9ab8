"""Downloaded runtimes are signed and complete, or rejected."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes.raised import refuses
from fakes.release_harness import ReleaseHarness, SigningKey
from fireside.core.runtime import this_platform
from fireside.hub.cancel_token import CancelToken
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.updates.manifest import MANIFEST_NAME
from fireside.updates.runtime_downloads import RuntimeDownloads

CONTENT = b"libraries" * 100
ARCHIVE = "vulkan-0.5.0.tar.xz"


class Copy:
    """A copy of the program that knows the address."""

    def __init__(self, folder: Path, server: ReleaseHarness) -> None:
        self.log, self.route, self.shares = ConnectionLog(), Route(), list[float]()
        seen = folder / "data" / "seen.json"
        why = "Runtime of Fireside"
        releases = server.asked_by(seen, why=why, route=lambda: self.route, log=self.log)
        self.folder = folder / "runtimes" / ".downloads"
        self.downloads = RuntimeDownloads(releases, folder=self.folder)

    def fetch(self, name: str = "vulkan") -> Path:
        return self.downloads.fetch(name, CancelToken(), self.shares.append)


def offer(server: ReleaseHarness, version: str = "0.2.0", **changes: Any) -> None:
    """Publish a version with one runtime for this computer and one for another."""
    said = server.offer(ARCHIVE, CONTENT) | {"llama_cpp": "0.5.0", "backends": ["Vulkan", "CPU"]}
    runtimes = {this_platform(): [{"name": "vulkan"} | said], "amiga-m68k": [{"name": "agnus"} | said]}
    server.publish(version, runtimes=runtimes, **changes)


@pytest.fixture
def copy(tmp_path: Path, server: ReleaseHarness) -> Copy:
    offer(server)
    return Copy(tmp_path, server)


def test_runtimes_for_this_computer_are_listed_and_downloaded(copy: Copy, server: ReleaseHarness) -> None:
    (found,) = copy.downloads.available(CancelToken())
    assert (found.name, found.backends, found.n_bytes) == ("vulkan", ("Vulkan", "CPU"), len(CONTENT))
    assert ARCHIVE not in {name for name, _ in server.asked}, "nothing is fetched by looking"
    archive = copy.fetch()
    assert archive.name == "vulkan.tar.xz"
    assert archive.read_bytes() == CONTENT
    assert copy.shares[-1] == 1.0
    assert {connection.why for connection in copy.log.all()} == {"Runtime of Fireside"}
    copy.downloads.clean_up()
    assert not copy.folder.exists()


def test_a_release_without_runtimes_offers_none(copy: Copy, server: ReleaseHarness) -> None:
    server.publish("0.3.0")
    assert copy.downloads.available(CancelToken()) == ()
    with refuses("runtime_not_found"):
        copy.fetch()


def another_key(server: ReleaseHarness) -> None:
    server.sign(server.files[MANIFEST_NAME], key=SigningKey())


def changed_manifest(server: ReleaseHarness) -> None:
    server.files[MANIFEST_NAME] = server.files[MANIFEST_NAME].replace(b"Vulkan", b"Vulcan")


def expired(server: ReleaseHarness) -> None:
    offer(server, expires="2020-01-01T00:00:00Z")


def older(server: ReleaseHarness) -> None:
    offer(server, "0.1.0")


def changed_archive(server: ReleaseHarness) -> None:
    server.files[ARCHIVE] = CONTENT.replace(b"libraries", b"liberties")


def longer_archive(server: ReleaseHarness) -> None:
    server.files[ARCHIVE] += bytes(20_000_000)


def cut_archive(server: ReleaseHarness) -> None:
    server.cut[ARCHIVE] = 10


def withdrawn(server: ReleaseHarness) -> None:
    content = json.loads(server.files[MANIFEST_NAME])
    server.sign(json.dumps(content | {"runtimes": {}}).encode())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (another_key, "update_untrusted"),
        (changed_manifest, "update_untrusted"),
        (expired, "update_untrusted"),
        (older, "update_untrusted"),
        (changed_archive, "update_damaged"),
        (longer_archive, "update_damaged"),
        (cut_archive, "update_unreachable"),
        (withdrawn, "runtime_not_found"),
    ],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_an_archive_with_another_digest_is_rejected(
    copy: Copy, server: ReleaseHarness, change: Callable[[ReleaseHarness], None], code: str
) -> None:
    copy.downloads.available(CancelToken())
    change(server)
    with refuses(code):
        copy.fetch()
    assert not list(copy.folder.rglob("*.tar.xz"))
    assert max(connection.n_received for connection in copy.log.all()) < 1_000_000
    server.cut.clear()
    server.asked.clear()
    offer(server, "0.3.0")
    assert copy.fetch().read_bytes() == CONTENT, "and a good one is taken"
    assert ((ARCHIVE, "bytes=10-") in server.asked) is (change is cut_archive)


def test_offline_mode_sends_no_requests(copy: Copy, server: ReleaseHarness) -> None:
    copy.route = Route(is_offline=True)
    with refuses("update_offline"):
        copy.downloads.available(CancelToken())
    assert server.asked == []
