"""The list of recommended models is compared with what the hub has."""

from __future__ import annotations

import msgspec
import pytest

from catalogue.check import check, differences
from fakes.fake_hub import FakeHub, fake_hub
from fakes.hub_models import REPO, catalogue_model, hub_repo
from fireside.core.discovery import CatalogueModel
from fireside.hub.discovery import read_model_page
from fireside.hub.hub_session import HubSession


def found(model: CatalogueModel, *, hub: FakeHub) -> list[str]:
    session = HubSession(endpoint=hub.endpoint)
    try:
        return list(differences(model, session=session))
    finally:
        session.close()


def test_what_is_not_as_the_hub_has_it_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with fake_hub() as hub:
        hub.repos[REPO] = hub_repo()
        model = as_there(catalogue_model(), hub=hub)
        assert found(model, hub=hub) == []
        wrong = msgspec.structs.replace(model, quantization="Q9_X")
        assert found(wrong, hub=hub)[0].startswith("no Q9_X; there are: ")
        assert " not 1 byte" in found(msgspec.structs.replace(model, size_bytes=1), hub=hub)[0]
        assert found(msgspec.structs.replace(model, licence="mit"), hub=hub) == [
            "licence apache-2.0, not mit"
        ]
        hub.repos[REPO].is_gated = True
        assert "it is gated" in found(model, hub=hub)
        session = HubSession(endpoint=hub.endpoint)
        missing = msgspec.structs.replace(model, repo="acme/none")
        assert check([missing], session=session) == 1
        session.close()
    assert "not found" in capsys.readouterr().out


def as_there(model: CatalogueModel, *, hub: FakeHub) -> CatalogueModel:
    """Return ``model`` with the size and facts that the hub has."""
    session = HubSession(endpoint=hub.endpoint)
    page = read_model_page(session, f"{REPO}:{model.quantization}")
    session.close()
    chosen = next(quant for quant in page.quants if quant.path == page.requested_path)
    return msgspec.structs.replace(
        model,
        size_bytes=chosen.size_bytes,
        n_ctx_train=page.found.n_ctx_train or model.n_ctx_train,
        licence=page.found.licence or model.licence,
        sees_images=page.found.sees_images,
    )
