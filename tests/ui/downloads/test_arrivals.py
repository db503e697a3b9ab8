"""A finished download is matched with the library's model."""

from __future__ import annotations

import msgspec
import pytest

from fakes.downloads import download_of
from fakes.model_entries import broken_entry, entry_of, starter_spec
from fireside.core.hub import Download, HubFile
from fireside.core.library import ModelOrigin
from fireside.core.model import ModelEntry
from fireside.ui.downloads.arrivals import DownloadedModels

DOWNLOAD = download_of("a")
WANTED = DOWNLOAD.files[0]


def entry_at(path: str, *, repo: str = "", file: str = "") -> ModelEntry:
    entry = entry_of(msgspec.structs.replace(starter_spec(), path=path))
    if not repo:
        return entry
    origin = ModelOrigin(repo=repo, commit="a" * 40, path=file, digest="0" * 64, downloaded_at="")
    return msgspec.structs.replace(entry, origin=origin)


def split(download: Download) -> Download:
    """Return ``download`` in two parts."""
    parts = tuple(
        msgspec.structs.replace(
            WANTED,
            file=HubFile(path=f"a-0000{n}-of-00002.gguf", size_bytes=1, digest="0" * 64),
            name=f"{WANTED.repo}/a-0000{n}-of-00002.gguf",
        )
        for n in (1, 2)
    )
    return msgspec.structs.replace(download, files=parts)


def test_a_model_is_found_by_its_origin() -> None:
    entry = entry_at("/elsewhere/renamed.gguf", repo=WANTED.repo, file=WANTED.file.path)
    assert DownloadedModels([entry]).entry_for(DOWNLOAD) is entry


@pytest.mark.parametrize("folder", ["/home/ada/models/", "C:\\Users\\Ada\\models\\"])
def test_a_model_of_unknown_origin_is_found_by_its_path(folder: str) -> None:
    name = WANTED.name.replace("/", "\\") if "\\" in folder else WANTED.name
    entry = entry_at(folder + name)
    assert DownloadedModels([entry]).entry_for(DOWNLOAD) is entry


@pytest.mark.parametrize(
    "entry",
    [
        entry_at(f"/models/{WANTED.name}", repo="someone/else", file=WANTED.file.path),
        entry_at(f"/models/{WANTED.repo}/other.gguf"),
        entry_at(f"/models/{WANTED.file.path}"),
        entry_at("/models/x.gguf", repo=WANTED.repo, file="other.gguf"),
        broken_entry(path=f"/models/{WANTED.name}", problem="It is cut short."),
    ],
)
def test_another_model_does_not_match(entry: ModelEntry) -> None:
    assert DownloadedModels([entry]).entry_for(DOWNLOAD) is None


def test_a_split_model_is_found_by_its_first_part() -> None:
    entry = entry_at(f"/models/{WANTED.repo}/a-00001-of-00002.gguf")
    assert DownloadedModels([entry]).entry_for(split(DOWNLOAD)) is entry
