"""Headers of files on the hub."""

from __future__ import annotations

import io

import pytest

from fakes.fake_hub import COMMIT, FakeHub, Fault
from fakes.gguf_files import GgufFile, Metadata, Tensor, model_file
from fakes.hub_harness import FILE, REPO, HubHarness
from fireside.core.errors import HubFailed, HubGated, HubUnreachable, ModelFileInvalid
from fireside.core.hub import HubFile
from fireside.gguf import GgufHeader, read_header_from
from fireside.gguf.range_reader import FIRST_STEP_BYTES
from fireside.hub.hub_session import read_remote_header

CONTENT = GgufFile(
    metadata=model_file().metadata, tensors=[Tensor("weights", (FIRST_STEP_BYTES,))]
).to_bytes()


@pytest.fixture
def model(harness: HubHarness) -> HubHarness:
    harness.repo.files[FILE] = CONTENT
    return harness


def read(harness: HubHarness) -> GgufHeader:
    file = HubFile(path=FILE, size_bytes=len(CONTENT), digest="0" * 64)
    return read_remote_header(harness.session, file, repo=REPO, commit=COMMIT)


def test_only_the_header_is_read(hub: FakeHub, model: HubHarness) -> None:
    assert read(model) == read_header_from(io.BytesIO(CONTENT), size_bytes=len(CONTENT), path=FILE)
    assert sum(seen.n_sent for seen in hub.seen) == FIRST_STEP_BYTES


def test_a_server_without_ranges_works(hub: FakeHub, model: HubHarness) -> None:
    vocabulary: Metadata = [("tokens", [f"{n:0>200}" for n in range(6000)])]
    content = GgufFile(metadata=vocabulary, tensors=[Tensor("t", (4096, 2000))]).to_bytes()
    model.repo.files[FILE] = content
    hub.plan(Fault.FULL, times=9)
    assert read(model) == read_header_from(io.BytesIO(content), size_bytes=len(content), path=FILE)
    fetched = [seen.n_sent for seen in hub.seen if seen.server == "content"]
    assert len(fetched) == 3
    assert all(n_sent < len(content) for n_sent in fetched)


def test_a_file_that_is_no_model_has_no_header(model: HubHarness) -> None:
    model.repo.files[FILE] = b"x" * len(CONTENT)
    with pytest.raises(ModelFileInvalid):
        read(model)


def test_a_broken_connection_is_a_hub_error(hub: FakeHub, model: HubHarness) -> None:
    hub.plan(Fault.DROP, after=1000)
    with pytest.raises(HubUnreachable):
        read(model)
    hub.plan(Fault.STATUS, status=503)
    with pytest.raises(HubFailed):
        read(model)


def test_a_gated_model_is_reported(model: HubHarness) -> None:
    model.repo.is_gated = True
    with pytest.raises(HubGated):
        read(model)
