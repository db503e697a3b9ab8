"""From a search to a model that can chat, over the whole app and a hub on loopback."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.fake_hub import FakeHub, Fault, Repo, Where, fake_hub
from fakes.fake_hub_api import TOKEN
from fakes.gguf_files import GgufFile, Tensor, Value, model_metadata
from fakes.hub_harness import BLOCK
from fakes.hub_with_model import BIG, REPO, SMALL, hub_settings, stock
from fireside.core.discovery import HubModel, ModelQuery
from fireside.core.errors import HubChoiceUnknown, HubOffline, HubUnreachable, SettingInvalid
from fireside.core.events import LibraryChanged
from fireside.core.fit import Placement as Runs
from fireside.core.hub import DownloadsChanged, DownloadState
from fireside.core.secret_location import SecretLocation
from fireside.settings.values import AppLayer


async def page(harness: AppHarness) -> HubModel:
    return await harness.app.hub.model(REPO)


async def test_a_model_is_searched_opened_advised_and_downloaded(
    harness: AppHarness, hub: FakeHub, tmp_path: Path
) -> None:
    (found,) = (await harness.app.hub.search(ModelQuery(text="tiny"), page=None)).models
    model = await harness.app.hub.model(found.repo)
    advice = await harness.app.hub.advise(model)
    assert advice.best == SMALL
    assert [fit.path for fit in advice.fits] == [SMALL, BIG]
    assert advice.n_ctx == 512
    download_id = await harness.app.hub.download(model, path=advice.best)
    await harness.until_state(download_id, DownloadState.DONE)
    target = tmp_path / "models" / "acme" / "tiny-GGUF" / SMALL
    assert target.read_bytes() == hub.repos[REPO].files[SMALL]


async def test_the_library_has_a_model_before_its_download_is_done(harness: AppHarness) -> None:
    download_id = await harness.app.hub.download(await page(harness), path=SMALL)
    await harness.until_state(download_id, DownloadState.DONE)
    is_done = [
        isinstance(event, DownloadsChanged)
        and any(download.state is DownloadState.DONE for download in event.downloads)
        for event in harness.events
    ]
    lines = [event for event in harness.events[: is_done.index(True)] if isinstance(event, LibraryChanged)]
    entry = next(entry for entry in lines[-1].entries if entry.file_name == SMALL)
    assert entry.spec is not None
    assert entry.origin is not None
    assert entry.can_chat


async def test_advice_has_the_memory_of_each_quant_by_device(harness: AppHarness) -> None:
    small, big = (await harness.app.hub.advise(await page(harness))).fits
    assert small.fit.where is Runs.PROCESSOR
    (of_small,), (of_big,) = small.fit.shares, big.fit.shares
    assert 0 < of_small.n_bytes < of_big.n_bytes < of_big.free_bytes


async def test_the_header_of_a_model_is_read_once(harness: AppHarness, hub: FakeHub) -> None:
    model = await page(harness)
    await harness.app.hub.advise(model)
    hub.seen.clear()
    await harness.app.preferences.change(AppLayer(), key="load.n_ctx", value=256)
    assert (await harness.app.hub.advise(model)).n_ctx == 256
    assert hub.seen == []


async def test_the_projector_of_a_model_counts_and_is_read_once(harness: AppHarness, hub: FakeHub) -> None:
    blind = (await harness.app.hub.advise(await page(harness))).fits[0].fit.shares[0].n_bytes
    eyes = GgufFile(tensors=[Tensor("v.patch", (64, 1000))]).to_bytes()
    hub.repos["acme/seeing-GGUF"] = Repo(files={**hub.repos[REPO].files, "mmproj-F16.gguf": eyes})
    model = await harness.app.hub.model("acme/seeing-GGUF")
    seeing = (await harness.app.hub.advise(model)).fits[0].fit.shares[0].n_bytes
    assert seeing - blind == 64 * 1000 * 4
    hub.seen.clear()
    await harness.app.hub.advise(model)
    assert hub.seen == []


HEADS = "mtp-Tiny-Q8_0.gguf"
N_HEAD_BYTES = 64 * 1000 * 4


def heads_file(*, architecture: str = "glm4moe") -> bytes:
    changes: dict[str, Value | None] = {f"{architecture}.nextn_predict_layers": 1}
    tensors = [Tensor("blk.2.nextn.eh_proj.weight", (64, 1000))]
    metadata = model_metadata(architecture=architecture, changes=changes)
    return GgufFile(metadata=metadata, tensors=tensors).to_bytes()


async def test_draft_heads_in_their_own_file_count_and_are_read_once(
    harness: AppHarness, hub: FakeHub
) -> None:
    plain = await harness.app.hub.advise(await page(harness))
    hub.repos["acme/drafting-GGUF"] = Repo(files={**hub.repos[REPO].files, HEADS: heads_file()})
    model = await harness.app.hub.model("acme/drafting-GGUF")
    drafting = await harness.app.hub.advise(model)
    n_more = [
        more.fit.shares[0].n_bytes - less.fit.shares[0].n_bytes
        for less, more in zip(plain.fits, drafting.fits, strict=True)
    ]
    assert min(n_more) >= N_HEAD_BYTES
    hub.seen.clear()
    await harness.app.hub.advise(model)
    assert hub.seen == []
    await harness.app.preferences.change(AppLayer(), key="load.speculation", value="off")
    assert (await harness.app.hub.advise(model)).fits == plain.fits


@pytest.mark.parametrize("content", [heads_file(architecture="llama"), b"GGUF", b""], ids=str)
async def test_draft_heads_that_no_load_would_use_count_nothing(
    harness: AppHarness, hub: FakeHub, content: bytes
) -> None:
    plain = await harness.app.hub.advise(await page(harness))
    hub.repos["acme/drafting-GGUF"] = Repo(files={**hub.repos[REPO].files, HEADS: content})
    model = await harness.app.hub.model("acme/drafting-GGUF")
    assert (await harness.app.hub.advise(model)).fits == plain.fits


async def test_a_repository_of_several_models_is_left_to_the_user(harness: AppHarness, hub: FakeHub) -> None:
    files = hub.repos[REPO].files
    files["other-Q4_K_M.gguf"] = files[SMALL]
    advice = await harness.app.hub.advise(await page(harness))
    assert advice.best == ""
    assert len(advice.fits) == 3
    assert "Several models" in advice.why


async def test_the_detailed_outlook_is_read_from_a_header(harness: AppHarness, hub: FakeHub) -> None:
    (found,) = (await harness.app.hub.search(ModelQuery(text="tiny"), page=None)).models
    hub.seen.clear()
    outlook = await harness.app.hub.detailed_outlook(found)
    assert outlook is not None
    assert (outlook.where, outlook.label) == (Runs.PROCESSOR, "Q4_K_M")
    assert outlook.n_bytes == len(hub.repos[REPO].files[SMALL])
    assert len(hub.seen) <= 4
    n_requests = len(hub.seen)
    await harness.app.hub.detailed_outlook(found)
    assert len(hub.seen) == n_requests, "once"


@pytest.mark.parametrize("fault", ["header", "name"])
async def test_an_unreadable_header_affects_only_its_own_quant(
    harness: AppHarness, hub: FakeHub, fault: str
) -> None:
    if fault == "header":
        hub.repos[REPO].files[SMALL] = b"GGUF" + bytes(3 * BLOCK)
    else:
        hub.plan(Fault.STATUS, where=Where.HEAD, status=404)
    model = await page(harness)
    advice = await harness.app.hub.advise(model)
    assert [quant.path for quant in model.quants] == [SMALL, BIG]
    assert [fit.path for fit in advice.fits] == [BIG]
    assert advice.best == BIG


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_shared_projector_is_downloaded_once(
    harness: AppHarness, hub: FakeHub, at_once: bool
) -> None:
    eyes = GgufFile(tensors=[Tensor("v.patch", (64, 1000))]).to_bytes()
    hub.repos["acme/seeing-GGUF"] = Repo(files={**hub.repos[REPO].files, "mmproj-F16.gguf": eyes})
    model = await harness.app.hub.model("acme/seeing-GGUF")
    first = await harness.app.hub.download(model, path=SMALL)
    if not at_once:
        await harness.until_state(first, DownloadState.DONE)
    second = await harness.app.hub.download(model, path=BIG)
    for one in (first, second):
        await harness.until_state(one, DownloadState.DONE)
    sent = sum(seen.n_sent for seen in hub.seen if seen.server == "content" and "mmproj" in seen.path)
    assert sent == len(eyes)


@pytest.mark.parametrize("path", ["../mmproj-F16.gguf", "a\\..\\mmproj-F16.gguf"])
async def test_a_projector_without_a_safe_name_blocks_no_model(
    harness: AppHarness, hub: FakeHub, path: str
) -> None:
    hub.repos[REPO].files[path] = b"GGUF" + bytes(BLOCK)
    model = await page(harness)
    assert model.projectors == ()
    download_id = await harness.app.hub.download(model, path=SMALL)
    await harness.until_state(download_id, DownloadState.DONE)


async def test_files_with_unclear_names_have_no_advice(harness: AppHarness, hub: FakeHub) -> None:
    for path in (SMALL, BIG):
        hub.repos[REPO].files[path] = b"GGUF" + bytes(3 * BLOCK)
    advice = await harness.app.hub.advise(await page(harness))
    assert (advice.best, advice.fits) == ("", ())
    assert advice.why


@pytest.mark.parametrize(("name", "fetched"), [(REPO, SMALL), (f"{REPO}:Q8_0", BIG), (f"{REPO}/{BIG}", BIG)])
async def test_a_name_alone_is_enough(harness: AppHarness, name: str, fetched: str) -> None:
    download_id = await harness.app.hub.download_named(name)
    done = await harness.until_state(download_id, DownloadState.DONE)
    assert [wanted.file.path for wanted in done.files] == [fetched]


async def test_a_missing_quant_is_not_replaced_by_another(harness: AppHarness) -> None:
    with pytest.raises(HubChoiceUnknown, match="Q4_K_M"):
        await harness.app.hub.download_named(f"{REPO}:Q6_K")
    with pytest.raises(HubChoiceUnknown):
        await harness.app.hub.download(await page(harness), path="gone.gguf")
    assert harness.app.downloads.downloads == ()


async def test_a_cancelled_search_ends_at_once(harness: AppHarness, hub: FakeHub) -> None:
    hub.plan(Fault.STALL, where=Where.API)
    search = asyncio.ensure_future(harness.app.hub.search(ModelQuery(text="x"), page=None))
    await asyncio.to_thread(hub.stalled.wait, 10)
    search.cancel()
    with pytest.raises(asyncio.CancelledError):
        await search
    assert (await harness.app.hub.search(ModelQuery(text="tiny"), page=None)).models


def test_the_program_ends_while_a_search_waits_for_its_answer(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def inner(hub: FakeHub) -> None:
        async with app_harness(tmp_path, starter=starter_model_path, environ=hub_settings(hub)) as place:
            hub.plan(Fault.STALL, where=Where.API)
            search = asyncio.ensure_future(place.app.hub.search(ModelQuery(text="x"), page=None))
            await asyncio.to_thread(hub.stalled.wait, 10)
            search.cancel()

    with fake_hub() as hub:
        asyncio.run(inner(hub))
        assert not hub.is_over


async def test_another_address_applies_at_once_and_transfers_continue(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def scenario(harness: AppHarness, hub: FakeHub) -> None:
        app = harness.app
        await app.preferences.change(AppLayer(), key="hub.endpoint", value=hub.endpoint)
        model = await page(harness)
        hub.plan(Fault.STALL, after=3 * BLOCK + 5)
        download_id = await app.hub.download(model, path=SMALL)
        await harness.until_so(lambda: harness.download(download_id).n_bytes >= 3 * BLOCK)
        with fake_hub() as mirror:
            stock(mirror)
            await app.preferences.change(AppLayer(), key="hub.endpoint", value=mirror.endpoint)
            await app.hub.search(ModelQuery(text="tiny"), page=None)
            assert mirror.seen
            n_content = sum(seen.server == "content" for seen in hub.seen)
            hub.release()
            await harness.until_state(download_id, DownloadState.DONE)
            assert sum(seen.server == "content" for seen in hub.seen) == n_content

    with fake_hub() as hub:
        stock(hub)
        async with app_harness(tmp_path, starter=starter_model_path) as place:
            try:
                await scenario(place, hub)
            finally:
                hub.release()


async def test_an_invalid_address_opens_no_connection(
    tmp_path: Path, starter_model_path: Path, hub: FakeHub
) -> None:
    environ = {**hub_settings(hub), "FIRESIDE_HUB_ENDPOINT": "nowhere"}
    async with app_harness(tmp_path, starter=starter_model_path, environ=environ) as place:
        with pytest.raises(SettingInvalid):
            await place.app.hub.search(ModelQuery(), page=None)
        assert hub.seen == []


async def test_the_offline_switch_applies_at_once(harness: AppHarness) -> None:
    await harness.app.preferences.change(AppLayer(), key="hub.offline", value=True)
    with pytest.raises(HubOffline):
        await harness.app.hub.search(ModelQuery(), page=None)


async def test_a_download_waits_while_offline_and_resumes(harness: AppHarness) -> None:
    model = await page(harness)
    await harness.app.preferences.change(AppLayer(), key="hub.offline", value=True)
    download_id = await harness.app.hub.download(model, path=SMALL)
    waiting = await harness.until_state(download_id, DownloadState.WAITING_FOR_NETWORK)
    assert "Offline" in waiting.note
    await harness.app.preferences.change(AppLayer(), key="hub.offline", value=False)
    await harness.until_state(download_id, DownloadState.DONE)


async def test_a_stored_token_is_used_until_it_is_deleted(harness: AppHarness) -> None:
    app = harness.app
    assert await app.token.location() is SecretLocation.NONE
    # There is no keyring in a test: then it is kept in memory, and in a file only if that is wanted.
    assert await app.token.store(f" {TOKEN}\n", location=SecretLocation.KEYRING) is SecretLocation.SESSION
    reached = await app.hub.test()
    assert (reached.user, reached.token_location) == ("ada", SecretLocation.SESSION)
    await app.token.forget()
    assert (await app.hub.test()).user == ""
    assert await app.token.store(TOKEN, location=SecretLocation.FILE) is SecretLocation.FILE
    assert (await app.hub.test()).token_location is SecretLocation.FILE


@pytest.mark.parametrize("text", ["", "two words", "x" * 5000, "naïve"])
async def test_an_invalid_token_is_refused(harness: AppHarness, text: str) -> None:
    with pytest.raises(SettingInvalid):
        await harness.app.token.store(text, location=SecretLocation.KEYRING)
    with pytest.raises(SettingInvalid):
        await harness.app.token.store(TOKEN, location=SecretLocation.ENVIRONMENT)
    assert await harness.app.token.location() is SecretLocation.NONE


async def test_updates_on_the_hub_are_found(harness: AppHarness, hub: FakeHub, tmp_path: Path) -> None:
    download_id = await harness.app.hub.download(await page(harness), path=SMALL)
    await harness.until_state(download_id, DownloadState.DONE)
    assert await harness.app.hub.find_updates() == ()
    hub.repos[REPO].commit = "b" * 40
    hub.repos[REPO].files[SMALL] += b"more"
    (update,) = await harness.app.hub.find_updates()
    assert update.path == str(tmp_path / "models" / "acme" / "tiny-GGUF" / SMALL)


async def test_the_start_page_sends_no_request(harness: AppHarness, hub: FakeHub) -> None:
    catalogue = await harness.app.hub.catalogue()
    suggested = await harness.app.hub.suggestions()
    assert len(catalogue) >= 10
    assert {each.model for each in suggested} == set(catalogue)
    first = await harness.app.hub.first_model()
    assert [each.model for each in suggested if each.is_first] == ([first.model] if first else [])
    assert hub.seen == []


async def test_an_unreachable_hub_is_reported(harness: AppHarness, hub: FakeHub) -> None:
    hub.stop()
    with pytest.raises(HubUnreachable):
        await harness.app.hub.test()
