"""The fake hub behaves like the real one: the official client library works with it.

Fireside and the library interpret its answers alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fakes.fake_hub import COMMIT, TOKEN, FakeHub, Repo
from fakes.fake_hub_api import USER
from fakes.hub_library import librarys_own_client
from fireside.core.discovery import ModelQuery, SortOrder
from fireside.hub.hub_session import HubSession
from fireside.hub.model_search import search
from fireside.services.hub.hub_service import check_connection

CHATTY = "acme/Chatty-8B-GGUF"
GUARDED = "meta/Guarded-70B-GGUF"
SECRET = "ada/secret-GGUF"


@pytest.fixture
def theirs() -> Iterator[ModuleType]:
    with librarys_own_client() as library:
        yield library


def test_a_search_finds_the_same(shelf: FakeHub, session: HubSession) -> None:
    with librarys_own_client() as theirs:
        api = theirs.HfApi(endpoint=shelf.endpoint, token=False)
        listed = api.list_models(
            filter="gguf", sort="downloads", num_parameters="min:100M,max:9B", expand=["gguf", "likes"]
        )
        found = [(model.id, model.gguf["total"], model.likes) for model in listed]
    query = ModelQuery(sort=SortOrder.DOWNLOADS, min_params=100_000_000, max_params=9_000_000_000)
    ours = [(model.repo, model.n_params, model.n_likes) for model in search(session, query).models]
    assert ours == found
    assert len(ours) == 3


def test_the_library_follows_its_pages(hub: FakeHub, theirs: ModuleType) -> None:
    hub.page_size = 3
    for number in range(8):
        hub.repos[f"acme/m{number}"] = Repo(files={"m-Q4_0.gguf": b"GGUF"})
    listed = list(theirs.HfApi(endpoint=hub.endpoint, token=False).list_models(filter="gguf", search="m"))
    assert sorted(model.id for model in listed) == [f"acme/m{number}" for number in range(8)]
    assert len(hub.seen) == 3


def test_the_library_finds_what_it_filters_for(shelf: FakeHub, theirs: ModuleType) -> None:
    api = theirs.HfApi(endpoint=shelf.endpoint, token=False)
    assert {model.id for model in api.list_models(gated=True)} == {GUARDED}
    assert {model.id for model in api.list_models(author="tidy")} == {"tidy/find-embed-GGUF"}
    assert [model.id for model in api.list_models(sort="last_modified", limit=1)] == [CHATTY]
    assert {model.id for model in api.list_models(filter=["gguf", "license:mit"])} == {"tidy/find-embed-GGUF"}


def test_the_library_reads_a_description(shelf: FakeHub, theirs: ModuleType) -> None:
    api = theirs.HfApi(endpoint=shelf.endpoint, token=False)
    info = api.model_info(CHATTY, revision="main", expand=["sha", "cardData", "gguf", "lastModified"])
    assert (info.sha, info.card_data.license, info.gguf["context_length"]) == (COMMIT, "apache-2.0", 40960)
    whole = api.model_info(CHATTY)
    assert {sibling.rfilename for sibling in whole.siblings} == set(shelf.repos[CHATTY].files)


def test_the_library_reads_a_gated_description_and_not_its_files(
    shelf: FakeHub, theirs: ModuleType, tmp_path: Path
) -> None:
    api = theirs.HfApi(endpoint=shelf.endpoint, token=False)
    assert api.model_info(GUARDED).gated == "manual"
    assert len(list(api.list_repo_tree(GUARDED))) == 2
    with pytest.raises(theirs.errors.GatedRepoError):
        api.auth_check(GUARDED)
    with pytest.raises(theirs.errors.GatedRepoError):
        api.hf_hub_download(GUARDED, "README.md", cache_dir=tmp_path)
    theirs.HfApi(endpoint=shelf.endpoint, token=TOKEN).auth_check(GUARDED)


def test_the_library_misses_what_is_private(shelf: FakeHub, theirs: ModuleType) -> None:
    with pytest.raises(theirs.errors.RepositoryNotFoundError):
        theirs.HfApi(endpoint=shelf.endpoint, token=False).model_info(SECRET)
    assert theirs.HfApi(endpoint=shelf.endpoint, token=TOKEN).model_info(SECRET).private


def test_the_library_fetches_a_file(shelf: FakeHub, theirs: ModuleType, tmp_path: Path) -> None:
    api = theirs.HfApi(endpoint=shelf.endpoint, token=TOKEN)
    path = api.hf_hub_download(GUARDED, "Guarded-70B-Q4_K_M.gguf", cache_dir=tmp_path)
    assert Path(path).read_bytes() == shelf.repos[GUARDED].files["Guarded-70B-Q4_K_M.gguf"]


def test_the_library_reports_a_missing_revision_and_file(
    shelf: FakeHub, theirs: ModuleType, tmp_path: Path
) -> None:
    api = theirs.HfApi(endpoint=shelf.endpoint, token=False)
    with pytest.raises(theirs.errors.RevisionNotFoundError):
        api.model_info(CHATTY, revision="no-such-branch")
    with pytest.raises(theirs.errors.EntryNotFoundError):
        api.hf_hub_download(CHATTY, "nothing.gguf", cache_dir=tmp_path)


def test_both_report_the_same_account(shelf: FakeHub, with_token: HubSession, theirs: ModuleType) -> None:
    assert theirs.HfApi(endpoint=shelf.endpoint).whoami(token=TOKEN)["name"] == USER
    assert check_connection(with_token).user == USER


def test_the_library_is_refused_with_an_invalid_token(shelf: FakeHub, theirs: ModuleType) -> None:
    api = theirs.HfApi(endpoint=shelf.endpoint, token="hf_old")
    with pytest.raises(theirs.errors.HfHubHTTPError, match="401"):
        api.model_info(CHATTY)
    with pytest.raises(theirs.errors.HfHubHTTPError):
        api.whoami(token="hf_old")


def test_the_librarys_own_client_gets_the_same(
    shelf: FakeHub, session: HubSession, theirs: ModuleType
) -> None:
    path = "Chatty-8B-Q4_K_M.gguf"
    address = theirs.hf_hub_url(CHATTY, path, endpoint=shelf.endpoint)
    metadata = theirs.get_hf_file_metadata(address, token=False)
    ours = session.file_metadata(CHATTY, "main", path)
    assert (ours.commit, ours.digest, ours.size_bytes) == (
        metadata.commit_hash,
        metadata.etag,
        metadata.size,
    )
    listed = [
        (entry.path, entry.size, entry.lfs.sha256 if entry.lfs else entry.blob_id)
        for entry in theirs.HfApi(endpoint=shelf.endpoint, token=False).list_repo_tree(CHATTY, recursive=True)
    ]
    files = session.tree(CHATTY, ours.commit)
    assert [(file.path, file.size_bytes, file.digest) for file in files] == listed
