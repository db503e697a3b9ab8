"""What is wrong with what was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep, format_bytes
from fireside.core.i18n import Words, number, render, tr


class RequestError(FiresideError):
    pass


@dataclass(kw_only=True, eq=False)
class ModelUnsuited(RequestError):
    """``wanted`` and ``is_for`` are words such as “write text” and “writing text”."""

    code = "model_unsuited"
    next_step = NextStep.CHOOSE_MODEL
    wanted: Words
    is_for: Words

    def sentence(self) -> str:
        return tr("This model is for {is_for} and cannot {wanted}. Choose another model.").format(
            is_for=render(self.is_for), wanted=render(self.wanted)
        )


@dataclass(kw_only=True, eq=False)
class ContextLengthExceeded(RequestError):
    code = "context_length_exceeded"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    n_prompt: int
    n_ctx: int

    def sentence(self) -> str:
        return tr(
            "This message needs {n_prompt} tokens and the context holds {n_ctx}. Shorten it, or "
            "give the model a larger context."
        ).format(n_prompt=number(self.n_prompt), n_ctx=number(self.n_ctx))


@dataclass(kw_only=True, eq=False)
class PromptTooLarge(RequestError):
    code = "prompt_too_large"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    n_bytes: int
    limit_bytes: int

    def sentence(self) -> str:
        return tr(
            "This message is {n_bytes} long; with this context the model can read at most "
            "{limit_bytes}. Shorten it, or give the model a larger context."
        ).format(n_bytes=format_bytes(self.n_bytes), limit_bytes=format_bytes(self.limit_bytes))


@dataclass(kw_only=True, eq=False)
class InvalidParameter(RequestError):
    code = "invalid_parameter"
    next_step = NextStep.OPEN_SETTINGS
    name: Words
    reason: Words

    def sentence(self) -> str:
        return tr("The setting “{name}” cannot be used: {reason}").format(
            name=render(self.name), reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class ConstraintInvalid(RequestError):
    code = "constraint_invalid"
    next_step = NextStep.OPEN_SETTINGS
    kind: Words
    """What was given, for the user: “JSON Schema”, “regular expression”, “grammar”."""
    reason: Words

    def sentence(self) -> str:
        return tr(
            "This {kind} cannot be used for the answer: {reason} Correct it, or choose another answer format."
        ).format(kind=render(self.kind), reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class InvalidText(RequestError):
    code = "invalid_text"
    reason: Words

    def sentence(self) -> str:
        return tr("This text cannot be sent: {reason}").format(reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class InvalidImage(RequestError):
    """``number`` counts the images of the request from 1."""

    code = "invalid_image"
    number: int
    reason: Words

    def sentence(self) -> str:
        return tr("Image {number} cannot be shown to the model: {reason}").format(
            number=self.number, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class ImagesUnsupported(RequestError):
    code = "images_unsupported"
    next_step = NextStep.CHOOSE_MODEL

    def sentence(self) -> str:
        return tr("This model cannot see images.")


@dataclass(kw_only=True, eq=False)
class AttachmentUnreadable(RequestError):
    """``reason`` ends a sentence."""

    code = "attachment_unreadable"
    name: Words
    reason: Words

    def sentence(self) -> str:
        return tr("“{name}” cannot be attached: {reason}").format(
            name=render(self.name), reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class TemplateFailed(RequestError):
    code = "template_failed"
    next_step = NextStep.CHOOSE_MODEL
    reason: Words

    def sentence(self) -> str:
        return tr("The model's own chat template does not work: {reason}").format(reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class QueueFull(RequestError):
    code = "queue_full"
    retryable = True
    next_step = NextStep.RETRY
    limit: int

    def sentence(self) -> str:
        return tr(
            "%n request is waiting already. Try again when it is done.|"
            "%n requests are waiting already. Try again when some are done.",
            "",
            self.limit,
        )


@dataclass(kw_only=True, eq=False)
class AnswerRunning(RequestError):
    code = "answer_running"

    def sentence(self) -> str:
        return tr("The model is still answering in this chat. Stop it first, or wait until it is done.")


@dataclass(kw_only=True, eq=False)
class SummaryFailed(RequestError):
    """``reason`` ends a sentence."""

    code = "summary_failed"
    retryable = True
    next_step = NextStep.RETRY
    reason: Words

    def sentence(self) -> str:
        return tr("The earlier messages could not be summarised: {reason}").format(reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class TuningRefused(RequestError):
    """``reason`` is a sentence of its own."""

    code = "tuning_refused"
    reason: Words

    def sentence(self) -> str:
        return render(self.reason)


@dataclass(kw_only=True, eq=False)
class EngineStopped(RequestError):
    code = "engine_stopped"

    def sentence(self) -> str:
        return tr("Fireside is closing.")
