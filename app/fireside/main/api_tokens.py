"""Add, list and revoke the tokens of the local API: ``fireside api-token``."""

from __future__ import annotations

import sys

from fireside.cli.arguments import Arguments
from fireside.cli.columns import columns
from fireside.cli.screen import Screen, printable
from fireside.main.startup_context import StartupContext
from fireside.settings.api_tokens import TOKENS_NAME, Scope, Tokens


def run_api_token(context: StartupContext, arguments: Arguments) -> int:
    """Do what was asked and return the exit status. Raises ``SettingsUnwritable``."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    tokens = Tokens(context.paths.data_folder / TOKENS_NAME)
    words = arguments.serve
    if words.action == "add":
        secret = tokens.add(words.name, frozenset(map(Scope, words.scopes)))
        screen.write(f"{secret.reveal()}\n")
        screen.say("Copy it now: it is not shown again.\n")
        return 0
    if words.action == "list":
        rows = [(token.id, printable(token.name), ", ".join(sorted(token.scopes))) for token in tokens.all()]
        screen.write(columns([("ID", "NAME", "SCOPES"), *rows], numbers=()))
        return 0
    found = [token for token in tokens.all() if words.name in (token.id, token.name)]
    if len(found) != 1:
        why = "names several tokens; use the id" if found else "is not a token"
        screen.say(f"fireside: “{printable(words.name)}” {why}. “fireside api-token list” lists them.\n")
        return 1
    tokens.revoke(found[0].id)
    screen.write(f"“{printable(found[0].name)}” revoked.\n")
    return 0
