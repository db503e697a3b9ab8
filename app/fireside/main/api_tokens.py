"""Add, list and revoke the tokens of the local API: ``fireside api-token``."""

from __future__ import annotations

import sys

from fireside.cli.arguments import Arguments
from fireside.cli.columns import columns
from fireside.cli.screen import Screen, one_line
from fireside.main.startup_context import StartupContext
from fireside.settings.api_tokens import TOKENS_NAME, ApiTokens, TokenScope


def run_api_token(context: StartupContext, arguments: Arguments) -> int:
    """Run the command and return the exit status. Raises ``SettingsUnwritable``."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    tokens = ApiTokens(context.paths.data_folder / TOKENS_NAME, on_damaged=context.problems.add)
    options = arguments.serve
    if options.action == "add":
        secret = tokens.add(options.name, frozenset(map(TokenScope, options.scopes)))
        screen.write(f"{secret.reveal()}\n")
        screen.say("Copy it now: it is not shown again.\n")
        return 0
    if options.action == "list":
        rows = [(token.id, one_line(token.name), ", ".join(sorted(token.scopes))) for token in tokens.all()]
        screen.write(columns([("ID", "NAME", "SCOPES"), *rows], numbers=()))
        return 0
    matches = [token for token in tokens.all() if options.name in (token.id, token.name)]
    if len(matches) != 1:
        problem = "names several tokens; use the id" if matches else "is not a token"
        screen.say(f"fireside: “{one_line(options.name)}” {problem}. “fireside api-token list” lists them.\n")
        return 1
    tokens.revoke(matches[0].id)
    screen.write(f"“{one_line(matches[0].name)}” revoked.\n")
    return 0
