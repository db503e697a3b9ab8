"""Build the parts of the local API of a window; its code is imported when it is turned on."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable

from fireside.main.startup_context import StartupContext
from fireside.services.collections.collection_service import CollectionService
from fireside.services.local_api import LocalApiParts, RunningApi
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import TOKENS_NAME, ApiTokens


def build_local_api(context: StartupContext, *, forget: Callable[[str], None]) -> LocalApiParts:
    """Return the parts; ``forget`` deletes the cached states of a client's session."""
    tokens = ApiTokens(context.paths.data_folder / TOKENS_NAME, on_damaged=context.problems.add)

    async def start(services: ServiceContext, collections: CollectionService) -> RunningApi:
        await asyncio.to_thread(importlib.import_module, "fireside.api.server")
        from fireside.api.options import api_options
        from fireside.api.server import ApiServer

        options = api_options(context.settings.resolved())
        server = ApiServer(services, options, collections=collections, tokens=tokens, forget=forget)
        await server.start()
        return server

    return LocalApiParts(tokens=tokens, start=start)
