"""A hub that gives its files the worst names: what is fetched lies in the folder, named for any system."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from fakes.fake_hub import FakeHub, Repo, fake_hub, gguf_bytes
from fakes.hostile_names import HOSTILE
from fakes.hub_harness import REPO, HubHarness
from fireside.core.errors import FiresideError, HubChoiceUnknown
from fireside.core.hub import DownloadFile, HubFile
from fireside.hub.repository_files import choose, list_models
from fireside.hub.safe_filenames import local_names

CONTENT = gguf_bytes(500)
COLLIDING = [
    ("a.gguf", "A.gguf"),
    ("é.gguf", "e\u0301.gguf"),
    ("straße.gguf", "STRASSE.gguf"),
    ("ﬁle.gguf", "file.gguf"),
    ("a.gguf", "a.gguf."),
    ("a:.gguf", "a?.gguf"),
    ("x/a.gguf", "X/a.gguf"),
]


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        yield hub


@pytest.fixture
def harness(hub: FakeHub, tmp_path: Path) -> Iterator[HubHarness]:
    harness = HubHarness(hub, tmp_path / "deep" / "er" / "models", content=CONTENT)
    yield harness
    harness.session.close()


def everything(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_name_leads_nowhere_else(harness: HubHarness, tmp_path: Path, path: str) -> None:
    try:
        path.encode()
    except UnicodeEncodeError:
        return  # No answer of a server can hold it.
    harness.hub.repos[REPO] = repo = Repo(files={path: CONTENT})
    file = HubFile(path=path, size_bytes=len(CONTENT), digest=repo.digest(path))
    try:
        (name,) = local_names(REPO, [path]).values()
        wanted = DownloadFile(repo=REPO, commit=repo.commit, file=file, name=name)
        harness.transfer(wanted).run()
    except FiresideError as exc:
        said = exc.sentence()
    else:
        said = ""
    if said:  # That it is refused is well.
        assert said.isprintable()
        assert everything(tmp_path) == set()
        return
    there = everything(tmp_path)
    assert there == {f"deep/er/models/{name}", f"deep/er/models/{name}.origin.json"}
    assert (harness.folder / name).read_bytes() == CONTENT
    assert PurePosixPath(name).is_relative_to(REPO)


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_name_is_shown_on_one_line_and_moves_no_cursor(path: str) -> None:
    file = HubFile(path=f"{path}.gguf", size_bytes=9, digest="d" * 64)
    other = HubFile(path="other-Q4_K_M.gguf", size_bytes=9, digest="d" * 64)
    listing = list_models([file, other])
    assert all(choice.label.isprintable() for choice in listing.choices)
    for named in ({"quantization": "Q9", "file": None}, {"quantization": None, "file": "no.gguf"}):
        with pytest.raises(HubChoiceUnknown) as refused:
            choose(listing, repo=REPO, **named)
        assert refused.value.sentence().isprintable()


@pytest.mark.parametrize("paths", COLLIDING)
def test_two_files_never_share_a_name_on_any_disk(paths: tuple[str, str]) -> None:
    try:
        names = local_names(REPO, paths)
    except FiresideError:
        return
    first, second = names.values()
    assert first.casefold() != second.casefold()
