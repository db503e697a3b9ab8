"""The availability of a model: unknown, in the library, being downloaded."""

from __future__ import annotations

import msgspec
import pytest

from fakes.hub_models import QUANTS, REPO, catalogue_model
from fakes.model_entries import entry_of, starter_spec
from fireside.core.hub import Download, DownloadFile, DownloadId, DownloadState
from fireside.core.ids import ModelId
from fireside.core.library import ModelOrigin
from fireside.core.model import ModelEntry
from fireside.ui.discover.availability import NOT_IN_LIBRARY, AvailabilityIndex, BeingDownloaded, InLibrary

QUANT = QUANTS[1]
DIGEST = QUANT.files[0].digest
ID = ModelId(f"{REPO}:Q4_K_M")


def entry(*, digest: str = DIGEST, path: str = QUANT.path, sha256: str = "") -> ModelEntry:
    spec = msgspec.structs.replace(starter_spec(), id=ID, quantization="Q4_K_M")
    origin = ModelOrigin(repo=REPO, commit="a" * 40, path=path, digest=digest, downloaded_at="")
    return msgspec.structs.replace(entry_of(spec), origin=origin, sha256=sha256)


def download(state: DownloadState = DownloadState.RUNNING) -> Download:
    file = DownloadFile(repo=REPO, commit="a" * 40, file=QUANT.files[0], name=QUANT.path)
    return Download(id=DownloadId("d"), title=str(ID), files=(file,), state=state)


@pytest.fixture
def queue_positions() -> AvailabilityIndex:
    return AvailabilityIndex()


def test_an_unknown_model_can_be_downloaded(queue_positions: AvailabilityIndex) -> None:
    assert queue_positions.of_quant(REPO, QUANT) is NOT_IN_LIBRARY
    assert queue_positions.of_catalogue(catalogue_model()) is NOT_IN_LIBRARY


def test_a_downloaded_file_is_matched_by_its_origin(queue_positions: AvailabilityIndex) -> None:
    queue_positions.set_entries([entry()])
    assert queue_positions.of_quant(REPO, QUANT) == InLibrary(model_id=ID, chats=True)
    assert queue_positions.of_quant(REPO, QUANTS[0]) is NOT_IN_LIBRARY
    assert queue_positions.of_quant("other/repo", QUANT) is NOT_IN_LIBRARY


def test_another_content_upstream_makes_it_outdated(queue_positions: AvailabilityIndex) -> None:
    queue_positions.set_entries([entry(digest="0" * 64)])
    assert queue_positions.of_quant(REPO, QUANT) == InLibrary(model_id=ID, chats=True, outdated=True)


def test_the_same_content_from_elsewhere_is_matched_by_its_hash(queue_positions: AvailabilityIndex) -> None:
    elsewhere = msgspec.structs.replace(entry_of(starter_spec()), sha256=DIGEST)
    queue_positions.set_entries([elsewhere])
    found = queue_positions.of_quant(REPO, QUANT)
    assert isinstance(found, InLibrary)
    assert not found.outdated


def test_files_without_hashes_do_not_match(queue_positions: AvailabilityIndex) -> None:
    queue_positions.set_entries([entry_of(starter_spec())])
    unknown = msgspec.structs.replace(QUANT, files=(msgspec.structs.replace(QUANT.files[0], digest=""),))
    assert queue_positions.of_quant(REPO, unknown) is NOT_IN_LIBRARY


@pytest.mark.parametrize("state", [s for s in DownloadState if s is not DownloadState.DONE])
def test_a_queued_model_is_being_downloaded(queue_positions: AvailabilityIndex, state: DownloadState) -> None:
    queue_positions.set_entries([entry()])
    queue_positions.set_downloads([download(state)])
    assert queue_positions.of_quant(REPO, QUANT) == BeingDownloaded(download=download(state))
    assert queue_positions.of_catalogue(catalogue_model()) == BeingDownloaded(download=download(state))


def test_a_finished_download_is_ignored(queue_positions: AvailabilityIndex) -> None:
    queue_positions.set_downloads([download(DownloadState.DONE)])
    assert queue_positions.of_quant(REPO, QUANT) is NOT_IN_LIBRARY
    assert queue_positions.of_catalogue(catalogue_model()) is NOT_IN_LIBRARY


def test_the_catalogue_finds_its_model_by_repository_and_quantization(
    queue_positions: AvailabilityIndex,
) -> None:
    queue_positions.set_entries([entry()])
    assert queue_positions.of_catalogue(catalogue_model()) == InLibrary(model_id=ID, chats=True)
    assert queue_positions.of_catalogue(catalogue_model(quantization="Q8_0")) is NOT_IN_LIBRARY
    assert queue_positions.of_catalogue(catalogue_model("someone/else")) is NOT_IN_LIBRARY


def test_the_catalogue_finds_a_model_in_a_folder_with_the_hubs_layout(
    queue_positions: AvailabilityIndex,
) -> None:
    spec = msgspec.structs.replace(starter_spec(), id=ModelId(f"{REPO}:UD-Q4_K_XL~2f"), quantization="Q4_K_M")
    queue_positions.set_entries([entry_of(spec)])
    assert isinstance(queue_positions.of_catalogue(catalogue_model(quantization="UD-Q4_K_XL")), InLibrary)
    assert queue_positions.repositories == {REPO.casefold()}


def test_a_quantization_with_a_common_prefix_is_another_one(queue_positions: AvailabilityIndex) -> None:
    queue_positions.set_downloads([download()])
    assert queue_positions.of_catalogue(catalogue_model(quantization="Q4_K")) is NOT_IN_LIBRARY


def test_unusable_files_do_not_count(queue_positions: AvailabilityIndex) -> None:
    queue_positions.set_entries([msgspec.structs.replace(entry(), spec=None, problem="It is damaged.")])
    assert queue_positions.of_quant(REPO, QUANT) is NOT_IN_LIBRARY
