"""Texts about other engines and their models. Pure."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import number, tr
from fireside.core.remote import KIND_WORDS, EngineTestResult, RemoteEngine, RemoteModel
from fireside.core.secret_location import SecretLocation
from fireside.ui.model_text import SEPARATOR, ability_labels, format_context_size

_GROUP: Final = 4


def engine_text(engine: RemoteEngine) -> str:
    """Return a line about an engine: address, server, models, unsupported features."""
    allowed = sum(model.is_allowed for model in engine.models)
    parts = [
        engine.address,
        KIND_WORDS[engine.kind],
        tr("{n} of %n model|{n} of %n models", "", len(engine.models)).format(n=number(allowed)),
    ]
    if engine.fingerprint:
        parts.append(tr("Pinned certificate"))
    if engine.refused:
        parts.append(tr("Ignores: {names}").format(names=", ".join(engine.refused)))
    return SEPARATOR.join(parts)


def fingerprint_text(fingerprint: str) -> str:
    """Return a certificate's fingerprint in groups, which can be compared and wrapped."""
    return " ".join(fingerprint[at : at + _GROUP] for at in range(0, len(fingerprint), _GROUP))


def test_result_text(result: EngineTestResult) -> str:
    """Return the result of a test."""
    text = tr(
        "{server} answered in {seconds} s: %n model|{server} answered in {seconds} s: %n models",
        "",
        len(result.models),
    ).format(server=KIND_WORDS[result.kind], seconds=number(max(result.seconds, 0.1), decimals=1))
    if result.key_location is SecretLocation.SESSION:
        note = tr("No keyring: the API key is kept until Fireside closes.")
        text = f"{text}. {note}"
    return text


def model_text(model: RemoteModel) -> str:
    """Return what a server reports about a model: context and its source, abilities."""
    parts = [tr("context not reported")]
    if model.n_ctx is not None:
        n_ctx = format_context_size(model.n_ctx)
        parts = [tr("{n_ctx} context (from {source})").format(n_ctx=n_ctx, source=model.source)]
    return SEPARATOR.join((*parts, *ability_labels(model)))
