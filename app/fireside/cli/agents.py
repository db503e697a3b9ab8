"""Coding agents of other makers, and what each is started with to answer with a model of this computer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

_TOKEN_VARIABLE: Final = "FIRESIDE_TOKEN"  # noqa: S105 - the name of a variable


class ModelEndpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where an agent finds its model."""

    url: str
    """The address of the local API, without a path."""
    token: str
    model: str
    n_ctx: int


class AgentStart(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is started with."""

    arguments: tuple[str, ...] = ()
    """Before those of the user."""
    environment: Mapping[str, str] = {}
    """Variables to set; an empty one counts as unset for all of them."""
    config: str = ""
    """The contents of a configuration file, for an agent that reads its model from one alone; its path
    becomes the last of ``arguments``."""


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """A coding agent."""

    name: str
    program: str
    package: str
    """Its package of npm."""
    start: Callable[[ModelEndpoint], AgentStart]


def _claude(endpoint: ModelEndpoint) -> AgentStart:
    models = ("ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL")
    sizes = tuple(f"ANTHROPIC_DEFAULT_{size}_MODEL" for size in ("FABLE", "OPUS", "SONNET", "HAIKU"))
    clouds = tuple(f"CLAUDE_CODE_USE_{cloud}" for cloud in ("BEDROCK", "VERTEX", "FOUNDRY"))
    return AgentStart(
        environment={
            "ANTHROPIC_BASE_URL": endpoint.url,
            "ANTHROPIC_AUTH_TOKEN": endpoint.token,
            **dict.fromkeys((*models, *sizes), endpoint.model),
            **dict.fromkeys(("ANTHROPIC_API_KEY", *clouds), ""),
            "CLAUDE_CODE_AUTO_COMPACT_WINDOW": str(endpoint.n_ctx),
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(_reply_tokens(endpoint)),
            # It changes with each request, so nothing behind it would be found in the prompt cache.
            "CLAUDE_CODE_ATTRIBUTION_HEADER": "0",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
    )


def _codex(endpoint: ModelEndpoint) -> AgentStart:
    provider = "model_providers.fireside"
    # Values that are no TOML count as text, so none needs quotes, which batch files on Windows lose.
    settings = {
        "model_provider": "fireside",
        f"{provider}.name": "Fireside",
        f"{provider}.base_url": f"{endpoint.url}/v1",
        f"{provider}.wire_api": "responses",
        f"{provider}.env_key": _TOKEN_VARIABLE,
        "model_context_window": str(endpoint.n_ctx),
        "check_for_update_on_startup": "false",
        "analytics.enabled": "false",
    }
    overrides = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
    return AgentStart(
        arguments=("-m", endpoint.model, *overrides), environment={_TOKEN_VARIABLE: endpoint.token}
    )


def _opencode(endpoint: ModelEndpoint) -> AgentStart:
    model = f"fireside/{endpoint.model}"
    limit = {"context": endpoint.n_ctx, "output": _reply_tokens(endpoint)}
    config = {
        "model": model,
        "small_model": model,
        "autoupdate": False,
        "share": "disabled",
        "provider": {
            "fireside": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "Fireside",
                "options": {"baseURL": f"{endpoint.url}/v1", "apiKey": f"{{env:{_TOKEN_VARIABLE}}}"},
                "models": {endpoint.model: {"name": endpoint.model, "tool_call": True, "limit": limit}},
            }
        },
    }
    return AgentStart(
        environment={
            "OPENCODE_CONFIG_CONTENT": json.dumps(config),
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            _TOKEN_VARIABLE: endpoint.token,
        }
    )


def _continue(endpoint: ModelEndpoint) -> AgentStart:
    model = {
        "name": endpoint.model,
        "provider": "openai",
        "model": endpoint.model,
        "apiBase": f"{endpoint.url}/v1",
        "apiKey": endpoint.token,
        "roles": ["chat", "edit", "apply"],
        "capabilities": ["tool_use"],
        "defaultCompletionOptions": {"contextLength": endpoint.n_ctx, "maxTokens": _reply_tokens(endpoint)},
    }
    # Every JSON text is YAML.
    config = json.dumps({"name": "Fireside", "version": "1.0.0", "schema": "v1", "models": [model]})
    return AgentStart(
        arguments=("--config",), environment={"CONTINUE_CLI_ENABLE_TELEMETRY": "0"}, config=config
    )


def _reply_tokens(endpoint: ModelEndpoint) -> int:
    return endpoint.n_ctx // 4


AGENTS: Final[Mapping[str, Agent]] = {
    "claude": Agent(name="Claude Code", program="claude", package="@anthropic-ai/claude-code", start=_claude),
    "codex": Agent(name="Codex", program="codex", package="@openai/codex", start=_codex),
    "opencode": Agent(name="opencode", program="opencode", package="opencode-ai", start=_opencode),
    "continue": Agent(name="Continue", program="cn", package="@continuedev/cli", start=_continue),
}


def not_installed_text(agent: Agent) -> str:
    """Return that an agent is not installed, and how it would be."""
    return (
        f"{agent.name} is not installed: there is no program “{agent.program}”. "
        f"Install it with: npm install -g {agent.package}"
    )
