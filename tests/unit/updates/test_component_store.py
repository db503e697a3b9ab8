"""Components: what is downloaded is what was pinned, for this computer, whole, and can be removed."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.tags import mac_platforms

from fakes.component_index import component_store, offer, wheel_of
from fakes.raised import refuses
from fakes.release_harness import ReleaseHarness
from fireside.core.components import COMPONENTS, ComponentKind
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.settings.paths import resources_folder
from fireside.updates.component_store import LIST_NAME, ComponentStore, is_for_this_computer, tags_here

NAME = "av-1.0-py3-none-manylinux2014_x86_64.whl"
FILES = {"av/__init__.py": b"WORKS = 1", "av/data.bin": b"x" * 100_000, "av-1.0.dist-info/LICENSE": b"BSD"}


class Computer:
    """A computer with Linux on x86-64, whatever this one is, and an index with one component."""

    def __init__(self, folder: Path, server: ReleaseHarness) -> None:
        self.folder, self.server, self.listed = folder, server, folder / "components.json"
        self.route, self.log, self.fractions = Route(), ConnectionLog(), list[float]()
        self.publish(wheel_of(FILES))

    def publish(self, content: bytes, name: str = NAME) -> None:
        offer(self.server, {name: content}, listed=self.listed)

    @property
    def store(self) -> ComponentStore:
        return component_store(
            self.folder,
            index=self.server.address,
            listed=self.listed,
            route=lambda: self.route,
            log=self.log,
        )

    def install(self) -> Path:
        self.store.install("media", CancelToken(), self.fractions.append)
        folder = self.store.folder_of("media")
        assert folder is not None
        return folder

    def left(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "components").glob("*"))


def _linux(machine: str, *, newest: int = 36) -> list[str]:
    return [
        *(f"manylinux_2_{minor}_{machine}" for minor in range(newest, 16, -1)),
        f"manylinux2014_{machine}",
    ]


PLATFORMS = {
    "linux-x86_64": _linux("x86_64"),
    "linux-aarch64": _linux("aarch64", newest=39),
    "windows-x86_64": ["win_amd64"],
    "windows-aarch64": ["win_arm64"],
    "macos-aarch64": list(mac_platforms((14, 5), "arm64")),
    "macos-x86_64": list(mac_platforms((14, 5), "x86_64")),
}


@pytest.fixture(autouse=True)
def other_tags() -> Iterator[None]:
    """What a test says of this computer is not remembered."""
    tags_here.cache_clear()
    yield
    tags_here.cache_clear()


@pytest.fixture
def computer(tmp_path: Path, server: ReleaseHarness, monkeypatch: pytest.MonkeyPatch) -> Computer:
    monkeypatch.setattr("packaging.tags.platform_tags", lambda: PLATFORMS["linux-x86_64"])
    return Computer(tmp_path, server)


def test_a_component_is_installed_for_a_process_of_its_own_and_removed(computer: Computer) -> None:
    assert computer.store.folder_of("media") is None
    (offered,) = computer.store.components()
    assert (offered.is_installed, offered.download_bytes) == (False, len(wheel_of(FILES)))
    folder = computer.install()
    code = f"import sys; sys.path.append({str(folder)!r}); import av; print(av.WORKS)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "1"
    (installed,) = computer.store.components()
    assert installed.is_installed
    assert installed.disk_bytes >= 100_000
    assert computer.fractions[-1] == 1.0
    assert computer.left() == [folder.name], "nothing else is left"
    assert [entry.why for entry in computer.log.all()] == ["Component"] * 2
    computer.store.remove("media")
    assert computer.store.folder_of("media") is None
    assert computer.left() == []


def test_only_what_a_component_keeps_is_unpacked_and_programs_can_be_started(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = ComponentKind(
        name="Web", purpose="", licence="", needs=("one", "two"), keeps=r"(?:same|pages)/.* # not the rest"
    )
    monkeypatch.setitem(COMPONENTS, "web", kind)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("same/a.py", "second")
        archive.writestr("left/out.bin", "x")
        program = zipfile.ZipInfo("pages/process")
        program.external_attr = 0o100755 << 16
        archive.writestr(program, "#!/bin/sh")
    first = wheel_of({"same/a.py": b"first"})
    wheels = {"one-1-py3-none-any.whl": first, "two-1-py3-none-any.whl": packed.getvalue()}
    offer(computer.server, wheels, listed=computer.listed, id_="web")
    computer.store.install("web", CancelToken(), lambda _: None)
    folder = computer.store.folder_of("web")
    assert folder is not None
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {"same/a.py", "pages/process"}
    assert (folder / "same/a.py").read_text() == "first"
    if os.name == "posix":
        assert os.access(folder / "pages/process", os.X_OK)
        assert (folder / "same/a.py").stat().st_mode & 0o111 == 0


def test_a_download_that_was_cut_off_is_resumed(computer: Computer) -> None:
    computer.server.cut[f"files/{NAME}"] = 50_000
    with refuses("update_unreachable"):
        computer.install()
    assert computer.store.folder_of("media") is None
    computer.server.cut.clear()
    computer.install()
    assert computer.server.asked[-1] == (f"files/{NAME}", "bytes=50000-")


def test_another_file_than_the_pinned_one_is_refused(computer: Computer) -> None:
    content = bytearray(computer.server.files[f"files/{NAME}"])
    content[40_000] ^= 1
    computer.server.files[f"files/{NAME}"] = bytes(content)
    with refuses("update_damaged"):
        computer.install()
    assert computer.store.folder_of("media") is None


@pytest.mark.parametrize("page", [b"<html>a mirror without JSON</html>", b'{"files": []}'])
def test_an_index_without_the_file_says_so(computer: Computer, page: bytes) -> None:
    computer.server.files["av/"] = page
    with refuses("component_not_found", match="127.0.0.1"):
        computer.install()


@pytest.mark.parametrize("name", ["../out.py", "/abs.py", "C:/x.py"])
def test_names_that_lead_out_of_the_folder_are_refused(computer: Computer, name: str) -> None:
    computer.publish(wheel_of(FILES | {name: b"evil"}))
    with refuses("component_damaged"):
        computer.install()
    assert computer.store.folder_of("media") is None


def test_what_is_not_built_for_this_computer_is_not_offered(computer: Computer) -> None:
    computer.publish(b"x", NAME.replace("x86_64", "s390x"))
    assert computer.store.components()[0].download_bytes == 0
    with refuses("component_unavailable", match="av"):
        computer.install()


def test_offline_nothing_is_sent_and_a_cancelled_download_stops(computer: Computer) -> None:
    computer.route = Route(is_offline=True)
    with refuses("update_offline"):
        computer.install()
    assert computer.server.asked == []
    computer.route = Route()
    cancel = CancelToken()
    with pytest.raises(Stopped):
        computer.store.install("media", cancel, lambda _: cancel.stop())
    assert computer.store.folder_of("media") is None


@pytest.mark.parametrize(
    ("platform", "tag", "fits"),
    [
        ("linux-x86_64", "cp39-abi3-manylinux_2_28_x86_64", True),
        ("linux-x86_64", "py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64", True),
        ("linux-x86_64", "py3-none-manylinux_2_39_x86_64", False),
        ("linux-x86_64", "py3-none-manylinux2014_aarch64", False),
        ("linux-aarch64", "py3-none-manylinux2014_aarch64", True),
        ("linux-x86_64", "cp39-cp39-manylinux2014_x86_64", False),
        ("linux-x86_64", "cp399-abi3-manylinux2014_x86_64", False),
        ("windows-x86_64", "py3-none-win_amd64", True),
        ("windows-aarch64", "py3-none-win_amd64", False),
        ("windows-aarch64", "py3-none-win_arm64", True),
        ("macos-aarch64", "py3-none-macosx_11_0_arm64", True),
        ("macos-aarch64", "py3-none-macosx_15_0_arm64", False),
        ("macos-x86_64", "py3-none-macosx_10_15_x86_64", True),
        ("macos-x86_64", "py3-none-win_amd64", False),
    ],
)
def test_tags_decide_what_fits(monkeypatch: pytest.MonkeyPatch, platform: str, tag: str, fits: bool) -> None:
    monkeypatch.setattr("packaging.tags.platform_tags", lambda: PLATFORMS[platform])
    assert is_for_this_computer(f"av-1.0-{tag}.whl") is fits


@pytest.mark.parametrize("platform", ["linux-x86_64", "linux-aarch64", "macos-aarch64", "windows-x86_64"])
def test_the_list_of_the_program_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr("packaging.tags.platform_tags", lambda: PLATFORMS[platform])
    components = component_store(tmp_path).components()
    assert {each.id for each in components} == set(COMPONENTS)
    assert all(each.download_bytes > 900_000 for each in components), components
    listed = json.loads((resources_folder() / LIST_NAME).read_text(encoding="utf-8"))
    for each in listed["components"].values():
        digests = [row[1] for row in each["wheels"]]
        assert len(digests) == len(set(digests))
