"""Errors of requests."""

from __future__ import annotations

from typing import ClassVar

from fireside.core.errors.base import ErrorRow, ErrorRows, FiresideError, NextStep
from fireside.core.i18n import Translatable, tr, tr_noop


class RequestError(FiresideError):
    rows: ClassVar[ErrorRows] = {
        "model_unsuited": ErrorRow(
            tr_noop("This model is for {is_for} and cannot {wanted}. Choose another model."),
            NextStep.CHOOSE_MODEL,
        ),
        "invalid_image": ErrorRow(tr_noop("Image {number} cannot be used: {reason}")),
        "invalid_audio": ErrorRow(tr_noop("Audio {number} cannot be used: {reason}")),
        "audio_unsupported": ErrorRow(tr_noop("This model does not support audio."), NextStep.CHOOSE_MODEL),
        "video_unsupported": ErrorRow(tr_noop("This model does not support videos."), NextStep.CHOOSE_MODEL),
        "images_unsupported": ErrorRow(tr_noop("This model does not support images."), NextStep.CHOOSE_MODEL),
        "answer_running": ErrorRow(tr_noop("The model is still answering in this chat. Stop it or wait.")),
        "fact_invalid": ErrorRow(tr_noop("A fact has 1 to {number} characters.")),
        "memory_full": ErrorRow(
            tr_noop("The facts of this place have {number} characters at most. Delete or shorten some.")
        ),
        "facts_not_written": ErrorRow(tr_noop("“{path}” was not written: {reason}")),
        "page_unreadable": ErrorRow(tr_noop("“{name}” cannot be shown as pages: {reason}")),
        "reading_failed": ErrorRow(
            tr_noop("Reading everything failed: {reason}"), NextStep.RETRY, retryable=True
        ),
        "summary_failed": ErrorRow(tr_noop("Summarising failed: {reason}"), NextStep.RETRY, retryable=True),
        "recognizer_missing": ErrorRow(
            tr_noop("No model for speech recognition is here. Download one first."), NextStep.ADD_COMPONENT
        ),
        "voice_missing": ErrorRow(
            tr_noop("No voice is here. Download one, or use your system’s voice."), NextStep.ADD_COMPONENT
        ),
        "speech_not_a_model": ErrorRow(tr_noop("{name} has no speech model that Fireside can use.")),
        "speech_too_large": ErrorRow(
            tr_noop("A sound file may have {file_bytes} at most. Cut it into parts.")
        ),
        "speech_failed": ErrorRow(tr_noop("Speech failed: {reason}"), NextStep.RETRY, retryable=True),
        "playing_failed": ErrorRow(tr_noop("The audio is not played: {reason}"), NextStep.OPEN_SETTINGS),
        "preview_failed": ErrorRow(tr_noop("The preview could not be started: {reason}"), NextStep.RETRY),
        "preview_too_long": ErrorRow(tr_noop("This is too long for a preview.")),
        "chart_failed": ErrorRow("{reason}"),
        "tuning_refused": ErrorRow("{reason}"),
        "questions_unreadable": ErrorRow(tr_noop("The questions in “{name}” cannot be read: {reason}")),
        "service_failed": ErrorRow(
            tr_noop(
                "{what}: not available ({reason}). Nothing was deleted. Restart Fireside; its log has the "
                "details."
            )
        ),
    }


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


class EngineStopped(RequestError):
    code = "engine_stopped"
    message = tr_noop("Fireside is closing.")
