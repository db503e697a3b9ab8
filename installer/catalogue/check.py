"""Check the list of recommended models against the hub, where there is a network.

Usage: PYTHONPATH=app python installer/catalogue/check.py [FILE]

Says of each model whether it is there, in that quantization, freely to be had, and whether its size, licence
and context are still what the list says. Exits with 1 if something is not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from fireside.core.discovery import Access, CatalogueModel
from fireside.core.errors import HubError, format_bytes
from fireside.hub.catalogue import CATALOGUE_NAME, load_catalogue
from fireside.hub.hub_session import HubSession
from fireside.hub.model_page import read_model_page

LARGEST_DIFFERENCE = 0.1
"""Of a size: the list says about how large a file is."""
USUAL = Path(__file__).parents[2] / "resources" / CATALOGUE_NAME


def differences(model: CatalogueModel, *, session: HubSession) -> Iterator[str]:
    """Say what of ``model`` is not as the hub has it. Raises ``HubError``."""
    page = read_model_page(session, f"{model.repo}:{model.quantization}")
    chosen = next((quant for quant in page.quants if quant.path == page.requested_path), None)
    if chosen is None:
        there = ", ".join(quant.title for quant in page.quants)
        yield f"no {model.quantization}; there are: {there}"
    elif abs(chosen.size_bytes - model.size_bytes) > LARGEST_DIFFERENCE * chosen.size_bytes:
        yield f"{format_bytes(chosen.size_bytes)}, not {format_bytes(model.size_bytes)}"
    found = page.found
    if found.access is not Access.OPEN:
        yield f"it is {found.access}"
    if found.licence and found.licence != model.licence:
        yield f"licence {found.licence}, not {model.licence}"
    if found.n_ctx_train and found.n_ctx_train != model.n_ctx_train:
        yield f"context {found.n_ctx_train}, not {model.n_ctx_train}"
    if found.sees_images != model.sees_images:
        yield "sees images" if found.sees_images else "does not see images"


def check(models: Sequence[CatalogueModel], *, session: HubSession) -> int:
    """Print what was found, and return how many models are not as the list says."""
    n_wrong = 0
    for model in models:
        try:
            found = list(differences(model, session=session))
        except HubError as exc:
            found = [exc.sentence()]
        n_wrong += bool(found)
        sys.stdout.write(f"{model.repo}:{model.quantization}  {'; '.join(found) or 'as listed'}\n")
    return n_wrong


def main() -> int:
    """Check the file that is named, or the program's own."""
    models = load_catalogue(Path(sys.argv[1]) if len(sys.argv) > 1 else USUAL)
    session = HubSession()
    try:
        return 1 if check(models, session=session) else 0
    finally:
        session.close()


if __name__ == "__main__":
    sys.exit(main())
