"""Errors of requests."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Translatable, render, tr, tr_noop


class RequestError(FiresideError):
    pass


class ModelUnsuited(RequestError):
    """``wanted`` and ``is_for`` are phrases such as “write text” and “writing text”."""

    code = "model_unsuited"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop("This model is for {is_for} and cannot {wanted}. Choose another model.")
    wanted: Translatable
    is_for: Translatable


class ContextLengthExceeded(RequestError):
    code = "context_length_exceeded"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    message = tr_noop(
        "Message too long: {n_prompt} tokens, the context holds {n_ctx}. Shorten it or increase "
        "the context length."
    )
    n_prompt: int
    n_ctx: int


class PromptTooLarge(RequestError):
    code = "prompt_too_large"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    message = tr_noop(
        "Message too long: {n_bytes}, at most {limit_bytes} with this context. Shorten it or "
        "increase the context length."
    )
    n_bytes: int
    limit_bytes: int


class InvalidParameter(RequestError):
    code = "invalid_parameter"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop("The setting “{name}” cannot be used: {reason}")
    name: Translatable
    reason: Translatable


class ConstraintInvalid(RequestError):
    code = "constraint_invalid"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop("Invalid {kind}: {reason} Correct it or choose another response format.")
    kind: Translatable
    """For the user: “JSON Schema”, “regular expression”, “grammar”."""
    reason: Translatable


class InvalidText(RequestError):
    code = "invalid_text"
    message = tr_noop("This text cannot be sent: {reason}")
    reason: Translatable


class InvalidImage(RequestError):
    """``number`` counts the images of the request from 1."""

    code = "invalid_image"
    message = tr_noop("Image {number} cannot be used: {reason}")
    number: int
    reason: Translatable


class ImagesUnsupported(RequestError):
    code = "images_unsupported"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop("This model does not support images.")


class AttachmentUnreadable(RequestError):
    """``reason`` ends a sentence."""

    code = "attachment_unreadable"
    message = tr_noop("“{name}” cannot be attached: {reason}")
    name: Translatable
    reason: Translatable


class TemplateFailed(RequestError):
    code = "template_failed"
    next_step = NextStep.CHOOSE_MODEL
    message = tr_noop("The model's chat template failed: {reason}")
    reason: Translatable
    index: int | None = None
    """The message that the template refused, if that is known."""


class QueueFull(RequestError):
    code = "queue_full"
    retryable = True
    next_step = NextStep.RETRY
    limit: int

    def sentence(self) -> str:
        return tr(
            "Queue full (%n request). Try again later.|Queue full (%n requests). Try again later.",
            "",
            self.limit,
        )


class AnswerRunning(RequestError):
    code = "answer_running"
    message = tr_noop("The model is still answering in this chat. Stop it or wait.")


class PageUnreadable(RequestError):
    """A page of a document cannot be shown. ``reason`` ends a sentence."""

    code = "page_unreadable"
    message = tr_noop("“{name}” cannot be shown as pages: {reason}")
    name: str
    reason: Translatable


class ReadingFailed(RequestError):
    """Reading all documents for one question failed. ``reason`` ends a sentence."""

    code = "reading_failed"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("Reading everything failed: {reason}")
    reason: Translatable


class SummaryFailed(RequestError):
    """``reason`` ends a sentence."""

    code = "summary_failed"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("Summarising failed: {reason}")
    reason: Translatable


class TuningRefused(RequestError):
    """``reason`` is a sentence."""

    code = "tuning_refused"
    reason: Translatable

    def sentence(self) -> str:
        return render(self.reason)


class ServiceFailed(RequestError):
    """A part of the program failed at its start; the others work."""

    code = "service_failed"
    message = tr_noop(
        "{what}: not available ({reason}). Nothing was deleted. Restart Fireside; its log has the details."
    )
    what: Translatable
    reason: str


class EngineStopped(RequestError):
    code = "engine_stopped"
    message = tr_noop("Fireside is closing.")
