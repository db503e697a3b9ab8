"""An MCP server whose callers have to sign in, with its authorization server. Says its port."""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
import time

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl

_LIVES_S = 3600


class Authorization:
    """Lets everybody in who opens the page. PKCE, redirect address and client are checked by the library."""

    def __init__(self, resource: str) -> None:
        self._resource = resource
        self._clients: dict[str, OAuthClientInformationFull] = {}
        self._codes: dict[str, AuthorizationCode] = {}
        self._tokens: dict[str, AccessToken] = {}
        self._refreshing: dict[str, RefreshToken] = {}

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self._clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        assert client_info.client_id is not None
        self._clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        assert params.resource == self._resource, params.resource
        code = AuthorizationCode(
            code=secrets.token_urlsafe(16),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id or "",
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self._codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self._codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self._codes[authorization_code.code]
        return self._issued(client, authorization_code.scopes)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        return self._refreshing.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        del self._refreshing[refresh_token.token]
        return self._issued(client, scopes)

    async def load_access_token(self, token: str) -> AccessToken | None:
        stored = self._tokens.get(token)
        is_valid = stored is not None and (stored.expires_at or 0) > time.time()
        return stored if is_valid else None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self._tokens.pop(token.token, None)

    async def exchange_identity_assertion(self, client: object, params: object) -> OAuthToken:
        raise NotImplementedError

    def _issued(self, client: OAuthClientInformationFull, scopes: list[str]) -> OAuthToken:
        access, refresh = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        owner = client.client_id or ""
        self._tokens[access] = AccessToken(
            token=access,
            client_id=owner,
            scopes=scopes,
            expires_at=int(time.time()) + _LIVES_S,
            resource=self._resource,
        )
        self._refreshing[refresh] = RefreshToken(token=refresh, client_id=owner, scopes=scopes)
        return OAuthToken(
            access_token=access, refresh_token=refresh, expires_in=_LIVES_S, scope=" ".join(scopes)
        )


async def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    server = MCPServer(
        "far",
        auth_server_provider=Authorization(f"{address}/mcp"),
        auth=AuthSettings(
            issuer_url=AnyHttpUrl(address),
            resource_server_url=AnyHttpUrl(f"{address}/mcp"),
            client_registration_options=ClientRegistrationOptions(enabled=True),
            validate_token_resource=True,
        ),
    )

    @server.tool()
    def echo(text: str) -> str:
        """Say what it is told."""
        return text

    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    serving = uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="error"))
    stopped = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    running = asyncio.create_task(serving.serve(sockets=[listening]))
    await asyncio.wait({stopped, running}, return_when=asyncio.FIRST_COMPLETED)
    serving.should_exit = True
    await running


if __name__ == "__main__":
    asyncio.run(main())
