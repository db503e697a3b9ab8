"""What is wrong with what was asked for."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Words, render, tr, tr_noop


class RequestError(FiresideError):
    pass


class ModelUnsuited(RequestError):
    """``wanted`` and ``is_for`` are words such as “write text” and “writing text”."""

    code = "model_unsuited"
    next_step = NextStep.CHOOSE_MODEL
    words = tr_noop("This model is for {is_for} and cannot {wanted}. Choose another model.")
    wanted: Words
    is_for: Words


class ContextLengthExceeded(RequestError):
    code = "context_length_exceeded"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    words = tr_noop(
        "Message too long: {n_prompt} tokens, the context holds {n_ctx}. Shorten it or increase "
        "the context length."
    )
    n_prompt: int
    n_ctx: int


class PromptTooLarge(RequestError):
    code = "prompt_too_large"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    words = tr_noop(
        "Message too long: {n_bytes}, at most {limit_bytes} with this context. Shorten it or "
        "increase the context length."
    )
    n_bytes: int
    limit_bytes: int


class InvalidParameter(RequestError):
    code = "invalid_parameter"
    next_step = NextStep.OPEN_SETTINGS
    words = tr_noop("The setting “{name}” cannot be used: {reason}")
    name: Words
    reason: Words


class ConstraintInvalid(RequestError):
    code = "constraint_invalid"
    next_step = NextStep.OPEN_SETTINGS
    words = tr_noop("Invalid {kind}: {reason} Correct it or choose another response format.")
    kind: Words
    """What was given, for the user: “JSON Schema”, “regular expression”, “grammar”."""
    reason: Words


class InvalidText(RequestError):
    code = "invalid_text"
    words = tr_noop("This text cannot be sent: {reason}")
    reason: Words


class InvalidImage(RequestError):
    """``number`` counts the images of the request from 1."""

    code = "invalid_image"
    words = tr_noop("Image {number} cannot be used: {reason}")
    number: int
    reason: Words


class ImagesUnsupported(RequestError):
    code = "images_unsupported"
    next_step = NextStep.CHOOSE_MODEL
    words = tr_noop("This model does not support images.")


class AttachmentUnreadable(RequestError):
    """``reason`` ends a sentence."""

    code = "attachment_unreadable"
    words = tr_noop("“{name}” cannot be attached: {reason}")
    name: Words
    reason: Words


class TemplateFailed(RequestError):
    code = "template_failed"
    next_step = NextStep.CHOOSE_MODEL
    words = tr_noop("The model's chat template failed: {reason}")
    reason: Words


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
    words = tr_noop("The model is still answering in this chat. Stop it or wait.")


class PageUnreadable(RequestError):
    """A page of a document cannot be shown. ``reason`` ends a sentence."""

    code = "page_unreadable"
    words = tr_noop("“{name}” cannot be shown as pages: {reason}")
    name: str
    reason: Words


class ReadingFailed(RequestError):
    """Of all documents for one question. ``reason`` ends a sentence."""

    code = "reading_failed"
    retryable = True
    next_step = NextStep.RETRY
    words = tr_noop("Reading everything failed: {reason}")
    reason: Words


class SummaryFailed(RequestError):
    """``reason`` ends a sentence."""

    code = "summary_failed"
    retryable = True
    next_step = NextStep.RETRY
    words = tr_noop("Summarising failed: {reason}")
    reason: Words


class TuningRefused(RequestError):
    """``reason`` is a sentence of its own."""

    code = "tuning_refused"
    reason: Words

    def sentence(self) -> str:
        return render(self.reason)


class EngineStopped(RequestError):
    code = "engine_stopped"
    words = tr_noop("Fireside is closing.")
