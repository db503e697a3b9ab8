"""Check the list of recommended models against the hub.

Usage: PYTHONPATH=app python installer/catalogue/check.py [FILE]

Prints for each model whether it exists in that quantization without restrictions, and whether its size,
licence and context are as listed. Exits with 1 if something differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from fireside.core.discovery import Access, CatalogueModel
from fireside.core.errors import HubError, format_bytes
from fireside.hub.catalogue import CATALOGUE_NAME, load_catalogue
from fireside.hub.discovery import read_model_page
from fireside.hub.hub_session import HubSession

SIZE_TOLERANCE = 0.1
"""Fraction of a size, since the list has approximate ones."""
DEFAULT_LIST = Path(__file__).parents[2] / "resources" / CATALOGUE_NAME


def differences(model: CatalogueModel, *, session: HubSession) -> Iterator[str]:
    """Yield the differences between ``model`` and the hub. Raises ``HubError``."""
    page = read_model_page(session, f"{model.repo}:{model.quantization}")
    listed = next((quant for quant in page.quants if quant.path == page.requested_path), None)
    if listed is None:
        available = ", ".join(quant.title for quant in page.quants)
        yield f"no {model.quantization}; there are: {available}"
    elif abs(listed.size_bytes - model.size_bytes) > SIZE_TOLERANCE * listed.size_bytes:
        yield f"{format_bytes(listed.size_bytes)}, not {format_bytes(model.size_bytes)}"
    actual = page.found
    if actual.access is not Access.OPEN:
        yield f"it is {actual.access}"
    if actual.licence and actual.licence != model.licence:
        yield f"licence {actual.licence}, not {model.licence}"
    if actual.n_ctx_train and actual.n_ctx_train != model.n_ctx_train:
        yield f"context {actual.n_ctx_train}, not {model.n_ctx_train}"
    if actual.sees_images != model.sees_images:
        yield "sees images" if actual.sees_images else "does not see images"


def check(models: Sequence[CatalogueModel], *, session: HubSession) -> int:
    """Print the differences of each model, and return the number of models with some."""
    n_different = 0
    for model in models:
        try:
            different = list(differences(model, session=session))
        except HubError as exc:
            different = [exc.sentence()]
        n_different += bool(different)
        sys.stdout.write(f"{model.repo}:{model.quantization}  {'; '.join(different) or 'as listed'}\n")
    return n_different


def main() -> int:
    """Check the file of the command line, or the program's list."""
    models = load_catalogue(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_LIST)
    session = HubSession()
    try:
        return 1 if check(models, session=session) else 0
    finally:
        session.close()


if __name__ == "__main__":
    sys.exit(main())
