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
        "This message needs {n_prompt} tokens and the context holds {n_ctx}. Shorten it, or give the model "
        "a larger context."
    )
    n_prompt: int
    n_ctx: int


class PromptTooLarge(RequestError):
    code = "prompt_too_large"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    words = tr_noop(
        "This message is {n_bytes} long; with this context the model can read at most {limit_bytes}. "
        "Shorten it, or give the model a larger context."
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
    words = tr_noop(
        "This {kind} cannot be used for the answer: {reason} Correct it, or choose another answer format."
    )
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
    words = tr_noop("Image {number} cannot be shown to the model: {reason}")
    number: int
    reason: Words


class ImagesUnsupported(RequestError):
    code = "images_unsupported"
    next_step = NextStep.CHOOSE_MODEL
    words = tr_noop("This model cannot see images.")


class AttachmentUnreadable(RequestError):
    """``reason`` ends a sentence."""

    code = "attachment_unreadable"
    words = tr_noop("“{name}” cannot be attached: {reason}")
    name: Words
    reason: Words


class TemplateFailed(RequestError):
    code = "template_failed"
    next_step = NextStep.CHOOSE_MODEL
    words = tr_noop("The model's own chat template does not work: {reason}")
    reason: Words


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


class AnswerRunning(RequestError):
    code = "answer_running"
    words = tr_noop("The model is still answering in this chat. Stop it first, or wait until it is done.")


class SummaryFailed(RequestError):
    """``reason`` ends a sentence."""

    code = "summary_failed"
    retryable = True
    next_step = NextStep.RETRY
    words = tr_noop("The earlier messages could not be summarised: {reason}")
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
