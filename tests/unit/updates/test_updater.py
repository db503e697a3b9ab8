"""Updates are signed and complete, or rejected; in any case a working version starts."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from io import BytesIO

import msgspec
import pytest

from fakes.raised import refuses
from fakes.release_harness import PROGRAM, Installed, ReleaseHarness, SigningKey, archive_of, program
from fireside.core.about import UpdateStep
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.http_client import Route
from fireside.updates.manifest import MANIFEST_NAME, MAX_MANIFEST_BYTES, SIGNATURE_NAME


def test_a_newer_version_is_found_downloaded_tested_and_activated(
    server: ReleaseHarness, installed: Installed
) -> None:
    server.publish("0.2.0")
    release = installed.updater().check(CancelToken())
    assert release is not None
    assert (release.version, release.notes) == ("0.2.0", "Better.")
    assert release.n_bytes == sum(len(server.files[f"{name}-0.2.0.tar.xz"]) for name in ("base", "program"))
    assert installed.said() == "0.1.0", "nothing was installed by looking"
    assert installed.install() == "0.2.0"
    assert installed.said() == "0.2.0"
    order = list(UpdateStep)
    steps = [order.index(step) for step, _ in installed.steps]
    assert steps == sorted(steps)
    assert set(steps) == set(range(len(order)))
    assert not installed.folders.downloads.exists()


def test_the_newest_version_is_up_to_date(server: ReleaseHarness, installed: Installed) -> None:
    server.publish("0.1.0")
    assert installed.updater().check(CancelToken()) is None
    with refuses("update_unavailable", match="not newer"):
        installed.install()


def test_only_changed_layers_are_downloaded(server: ReleaseHarness, installed: Installed) -> None:
    base = {"bin/fireside": program("either"), "lib/library.so": b"large", "lib/firesides/x": b"y"}
    first = archive_of({"version.txt": b"0.2.0", "only-in-the-first.txt": b""})
    server.publish("0.2.0", layers={"base": ("", archive_of(base)), "program": (PROGRAM, first)})
    installed.install()
    before = installed.files("0.2.0")
    server.publish("0.3.0", base=base)
    server.asked.clear()
    release = installed.updater(running="0.2.0").check(CancelToken())
    assert release is not None
    assert release.n_bytes == len(server.files["program-0.3.0.tar.xz"])
    installed.install(installed.updater(running="0.2.0"))
    assert "base-0.3.0.tar.xz" not in {name for name, _ in server.asked}
    files = installed.files("0.3.0")
    assert files == {**base, f"{PROGRAM}/version.txt": b"0.3.0"}
    assert installed.files("0.2.0") == before


def test_roll_back_works_in_both_directions(server: ReleaseHarness, installed: Installed) -> None:
    server.publish("0.2.0")
    installed.install()
    assert installed.updater(running="0.2.0").roll_back() == "0.1.0"
    assert installed.said() == "0.1.0"
    assert installed.updater().roll_back() == "0.2.0"
    assert installed.said() == "0.2.0"


def test_two_versions_are_kept(server: ReleaseHarness, installed: Installed) -> None:
    running = "0.1.0"
    for version in ("0.2.0", "0.3.0", "0.4.0"):
        server.publish(version)
        installed.install(installed.updater(running=running))
        running = version
    kept = sorted(path.name for path in (installed.root / "versions").iterdir())
    assert kept == ["0.3.0", "0.4.0"]


def changed_byte(server: ReleaseHarness) -> None:
    server.files[MANIFEST_NAME] = server.files[MANIFEST_NAME].replace(b"Better.", b"Bettor.")


def wrong_key(server: ReleaseHarness) -> None:
    server.sign(server.files[MANIFEST_NAME], key=SigningKey())


def unknown_key(server: ReleaseHarness) -> None:
    server.sign(server.files[MANIFEST_NAME], key=SigningKey(b"anothers"))


def changed_comment(server: ReleaseHarness) -> None:
    server.files[SIGNATURE_NAME] = server.files[SIGNATURE_NAME].replace(b"timestamp:1", b"timestamp:2")


def no_signature(server: ReleaseHarness) -> None:
    server.files[SIGNATURE_NAME] = b"nothing of the kind"


def expired(server: ReleaseHarness) -> None:
    server.publish("0.2.0", expires="2020-01-01T00:00:00Z")


def oversized_manifest(server: ReleaseHarness) -> None:
    server.sign(server.files[MANIFEST_NAME] + b" " * MAX_MANIFEST_BYTES)


def no_json(server: ReleaseHarness) -> None:
    server.sign(b"{")


def a_path_as_version(server: ReleaseHarness) -> None:
    content = json.loads(server.files[MANIFEST_NAME])
    server.sign(json.dumps(content | {"version": "../../elsewhere"}).encode())


def a_path_out_of_the_tree(server: ReleaseHarness) -> None:
    server.publish("0.2.0", layers={"base": ("../x", archive_of({"bin/fireside": program("0.2.0")}))})


def of_the_future(server: ReleaseHarness) -> None:
    server.publish("0.2.0", format=2)


def for_another_computer(server: ReleaseHarness) -> None:
    content = json.loads(server.files[MANIFEST_NAME])
    content["targets"] = {"amiga-m68k": next(iter(content["targets"].values()))}
    server.sign(json.dumps(content).encode())


def changed_layer(server: ReleaseHarness) -> None:
    content = bytearray(server.files["base-0.2.0.tar.xz"])
    content[20] ^= 1
    server.files["base-0.2.0.tar.xz"] = bytes(content)


def oversized_layer(server: ReleaseHarness) -> None:
    server.files["base-0.2.0.tar.xz"] += b"more"


def cut_layer(server: ReleaseHarness) -> None:
    server.cut["base-0.2.0.tar.xz"] = 10


def no_layer(server: ReleaseHarness) -> None:
    del server.files["base-0.2.0.tar.xz"]


def a_way_out_of_the_archive(server: ReleaseHarness) -> None:
    files = {"bin/fireside": program("0.2.0"), "../../../outside": b"x"}
    server.publish("0.2.0", layers={"base": ("", archive_of(files))})


def a_link_out_of_the_archive(server: ReleaseHarness) -> None:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as tar:
        link = tarfile.TarInfo("lib/out")
        link.type, link.linkname = tarfile.SYMTYPE, "../../up"
        tar.addfile(link)
    server.publish("0.2.0", layers={"base": ("", packed.getvalue())})


def one_that_does_not_work(server: ReleaseHarness) -> None:
    server.publish("0.2.0", base={"bin/fireside": program("0.2.0", status=3)})


def one_without_a_program(server: ReleaseHarness) -> None:
    server.publish("0.2.0", base={"share/x": b"y"})


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (changed_byte, "update_untrusted"),
        (wrong_key, "update_untrusted"),
        (unknown_key, "update_untrusted"),
        (changed_comment, "update_untrusted"),
        (no_signature, "update_untrusted"),
        (expired, "update_untrusted"),
        (oversized_manifest, "update_untrusted"),
        (no_json, "update_untrusted"),
        (a_path_as_version, "update_untrusted"),
        (a_path_out_of_the_tree, "update_untrusted"),
        (of_the_future, "update_unavailable"),
        (for_another_computer, "update_unavailable"),
        (changed_layer, "update_damaged"),
        (oversized_layer, "update_damaged"),
        (cut_layer, "update_unreachable"),
        (no_layer, "update_unreachable"),
        (a_way_out_of_the_archive, "update_untrusted"),
        (a_link_out_of_the_archive, "update_untrusted"),
        (one_that_does_not_work, "update_trial_failed"),
        (one_without_a_program, "update_trial_failed"),
    ],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_an_invalid_release_is_rejected(
    server: ReleaseHarness,
    installed: Installed,
    change: Callable[[ReleaseHarness], None],
    code: str,
) -> None:
    server.publish("0.2.0")
    change(server)
    with refuses(code):
        installed.install()
    assert installed.said() == "0.1.0"
    assert installed.folders.current().version == "0.1.0"
    assert not (installed.root.parent.parent / "outside").exists()
    server.cut.clear()
    server.publish("0.2.1")
    assert installed.install() == "0.2.1", "and a good one is taken"
    assert installed.said() == "0.2.1"


def test_an_older_signed_version_is_rejected(server: ReleaseHarness, installed: Installed) -> None:
    server.publish("0.3.0")
    assert installed.updater().check(CancelToken()) is not None
    server.publish("0.2.0")
    with refuses("update_untrusted", match="older"):
        installed.install()


def test_a_stolen_key_cannot_block_its_successor(server: ReleaseHarness, installed: Installed) -> None:
    server.publish("99999.0")
    installed.updater().check(CancelToken())
    successor = SigningKey(b"the next")
    server.publish("0.2.0", key=successor)
    updater = installed.updater(keys=(successor.public,))
    assert installed.install(updater) == "0.2.0"


def test_a_partial_download_is_resumed(server: ReleaseHarness, installed: Installed) -> None:
    server.publish("0.2.0")
    cut_layer(server)
    with refuses("update_unreachable"):
        installed.install()
    server.cut.clear()
    server.asked.clear()
    installed.install()
    assert ("base-0.2.0.tar.xz", "bytes=10-") in server.asked
    assert installed.said() == "0.2.0"


def test_cancelling_stops_the_download_and_keeps_the_partial_file(
    server: ReleaseHarness, installed: Installed
) -> None:
    server.publish("0.2.0")
    cancel = CancelToken()

    def stop(step: UpdateStep, _fraction: float | None) -> None:
        if step is UpdateStep.UNPACKING:
            cancel.stop()

    with pytest.raises(Stopped):
        installed.updater().install(cancel, stop)
    assert installed.said() == "0.1.0"
    server.asked.clear()
    installed.install()
    assert {name for name, _ in server.asked} == {MANIFEST_NAME, SIGNATURE_NAME}


def test_offline_mode_sends_no_requests(server: ReleaseHarness, installed: Installed) -> None:
    server.publish("0.2.0")
    installed.route = Route(is_offline=True)
    with refuses("update_offline"):
        installed.updater().check(CancelToken())
    assert server.asked == []
    assert installed.log.all() == ()


def test_each_request_is_in_the_connection_log(server: ReleaseHarness, installed: Installed) -> None:
    server.publish("0.2.0")
    installed.install()
    assert len(installed.log.all()) == len(server.asked) == 4
    assert {connection.why for connection in installed.log.all()} == {"Update of Fireside"}
    assert all(connection.host in server.address for connection in installed.log.all())


def test_no_more_bytes_are_read_than_signed(server: ReleaseHarness, installed: Installed) -> None:
    server.publish("0.2.0")
    server.files["base-0.2.0.tar.xz"] += bytes(20_000_000)
    with refuses("update_damaged"):
        installed.install()
    assert max(connection.n_received for connection in installed.log.all()) < 1_000_000


def test_a_version_that_does_not_start_is_replaced_by_the_previous_one(
    server: ReleaseHarness, installed: Installed
) -> None:
    server.publish("0.2.0")
    installed.install()
    assert [installed.said() for _ in range(3)] == ["0.2.0", "0.2.0", "0.1.0"]
    installed.folders.confirm_start("0.1.0")
    assert installed.folders.current() == msgspec.structs.replace(
        installed.folders.current(), version="0.1.0", previous=""
    )
    assert installed.folders.failed() == "0.2.0"
    server.publish("0.3.0")
    installed.install()
    installed.folders.confirm_start("0.3.0")
    assert [installed.said() for _ in range(3)] == ["0.3.0"] * 3, "one that came up is not counted any more"
    assert installed.folders.failed() == ""
