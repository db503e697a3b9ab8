"""What is wrong with what was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep, format_bytes


class RequestError(FiresideError):
    pass


@dataclass(kw_only=True, eq=False)
class ModelUnsuited(RequestError):
    """``wanted`` and ``is_for`` are words such as “write text” and “writing text”."""

    code = "model_unsuited"
    next_step = NextStep.CHOOSE_MODEL
    wanted: str
    is_for: str

    def sentence(self) -> str:
        return f"This model is for {self.is_for} and cannot {self.wanted}. Choose another model."


@dataclass(kw_only=True, eq=False)
class ContextLengthExceeded(RequestError):
    code = "context_length_exceeded"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    n_prompt: int
    n_ctx: int

    def sentence(self) -> str:
        return (
            f"This message needs {self.n_prompt:,} tokens and the context holds {self.n_ctx:,}. "
            "Shorten it, or give the model a larger context."
        )


@dataclass(kw_only=True, eq=False)
class PromptTooLarge(RequestError):
    code = "prompt_too_large"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    n_bytes: int
    limit_bytes: int

    def sentence(self) -> str:
        return (
            f"This message is {format_bytes(self.n_bytes)} long; with this context the model can read "
            f"at most {format_bytes(self.limit_bytes)}. Shorten it, or give the model a larger context."
        )


@dataclass(kw_only=True, eq=False)
class InvalidParameter(RequestError):
    code = "invalid_parameter"
    next_step = NextStep.OPEN_SETTINGS
    name: str
    reason: str

    def sentence(self) -> str:
        return f"The setting “{self.name}” cannot be used: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ConstraintInvalid(RequestError):
    code = "constraint_invalid"
    kind: str
    """What was given, for a person: “JSON Schema”, “regular expression”, “grammar”."""
    reason: str

    def sentence(self) -> str:
        return f"This {self.kind} cannot be used for the answer: {self.reason}"


@dataclass(kw_only=True, eq=False)
class InvalidText(RequestError):
    code = "invalid_text"
    reason: str

    def sentence(self) -> str:
        return f"This text cannot be sent: {self.reason}"


@dataclass(kw_only=True, eq=False)
class InvalidImage(RequestError):
    """``number`` counts the images of the request from 1."""

    code = "invalid_image"
    number: int
    reason: str

    def sentence(self) -> str:
        return f"Image {self.number} cannot be shown to the model: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ImagesUnsupported(RequestError):
    code = "images_unsupported"
    next_step = NextStep.CHOOSE_MODEL

    def sentence(self) -> str:
        return "This model cannot see images."


@dataclass(kw_only=True, eq=False)
class AttachmentUnreadable(RequestError):
    """``reason`` ends a sentence."""

    code = "attachment_unreadable"
    name: str
    reason: str

    def sentence(self) -> str:
        return f"“{self.name}” cannot be attached: {self.reason}"


@dataclass(kw_only=True, eq=False)
class TemplateFailed(RequestError):
    code = "template_failed"
    next_step = NextStep.CHOOSE_MODEL
    reason: str

    def sentence(self) -> str:
        return f"The model's own chat template does not work: {self.reason}"


@dataclass(kw_only=True, eq=False)
class QueueFull(RequestError):
    code = "queue_full"
    retryable = True
    next_step = NextStep.RETRY
    limit: int

    def sentence(self) -> str:
        return f"{self.limit} requests are waiting already. Try again when some are done."


@dataclass(kw_only=True, eq=False)
class AnswerRunning(RequestError):
    code = "answer_running"

    def sentence(self) -> str:
        return "The model is still answering in this chat. Stop it first, or wait until it is done."


@dataclass(kw_only=True, eq=False)
class SummaryFailed(RequestError):
    """``reason`` ends a sentence."""

    code = "summary_failed"
    retryable = True
    next_step = NextStep.RETRY
    reason: str

    def sentence(self) -> str:
        return f"The earlier messages could not be summarised: {self.reason}"


@dataclass(kw_only=True, eq=False)
class EngineStopped(RequestError):
    code = "engine_stopped"

    def sentence(self) -> str:
        return "Fireside is closing."
