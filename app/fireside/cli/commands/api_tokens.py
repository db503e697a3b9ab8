"""``fireside api-token``: add, list and revoke the tokens of the local API."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fireside.cli.command_parser import CommandParser, not_blank
from fireside.cli.screen import Screen, columns, one_line
from fireside.settings.api_tokens import TOKENS_NAME, USUAL_SCOPES, ApiTokens, TokenScope

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext


def define(command: CommandParser) -> None:
    """Add what may be typed after ``api-token``."""
    command.description = "Access tokens of the local API. A token is shown once, when it is added."
    add = command.add_action("add", add_token, help="add a token and show it once")
    add.add_argument("name", type=not_blank, help="what a token is for, such as “editor”")
    add.add_argument(
        "--scope", dest="scopes", action="append", choices=[scope.value for scope in TokenScope], default=[],
        help="answer, load, manage, documents, tools or speech; repeatable, the first two by default",
    )  # fmt: skip
    command.add_action("list", list_tokens, help="list tokens")
    revoke = command.add_action("revoke", revoke_token, help="take a token’s access back")
    revoke.add_argument("name", type=not_blank, help="what it is for, or its id")


def add_token(context: StartupContext, *, name: str, scopes: Sequence[str]) -> int:
    """Add a token and print it. Raises ``SettingsUnwritable``."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    secret = _tokens(context).add(name, frozenset(map(TokenScope, scopes)) or USUAL_SCOPES)
    screen.write(f"{secret.reveal()}\n")
    screen.say("Copy it now: it is not shown again.\n")
    return 0


def list_tokens(context: StartupContext) -> int:
    """Print the tokens, without what they are."""
    tokens = _tokens(context).all()
    rows = [(token.id, one_line(token.name), ", ".join(sorted(token.scopes))) for token in tokens]
    sys.stdout.write(columns([("ID", "NAME", "SCOPES"), *rows]))
    return 0


def revoke_token(context: StartupContext, *, name: str) -> int:
    """Revoke a token by its name or id. Raises ``SettingsUnwritable``."""
    screen, tokens = Screen(output=sys.stdout, status=sys.stderr), _tokens(context)
    matches = [token for token in tokens.all() if name in (token.id, token.name)]
    if len(matches) != 1:
        problem = "names several tokens; use the id" if matches else "is not a token"
        screen.say(f"fireside: “{one_line(name)}” {problem}. “fireside api-token list” lists them.\n")
        return 1
    tokens.revoke(matches[0].id)
    screen.write(f"“{one_line(matches[0].name)}” revoked.\n")
    return 0


def _tokens(context: StartupContext) -> ApiTokens:
    return ApiTokens(context.paths.data_folder / TOKENS_NAME, on_damaged=context.problems.add)
