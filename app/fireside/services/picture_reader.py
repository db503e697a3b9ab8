"""Read the text on an image with a vision model of the library."""

from __future__ import annotations

from typing import Final

from fireside.core.errors import EngineStopped, RequestError
from fireside.core.ids import ModelId
from fireside.core.message import ChatMessage, ImagePart, Role, TextPart
from fireside.engine.request import GenerationRequest
from fireside.services.background_generation import background_task, generate_text
from fireside.services.request_builder import load_options_for
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import keep_alive_s

MAX_TOKENS: Final = 2048
"""About as many as a page of small print has."""
_INSTRUCTION: Final = (
    "Write down all text on this image, word for word and in its order, as Markdown; tables as tables. If "
    "there is no text on it, say in one or two sentences what it shows. Write nothing else."
)


class PictureReader:
    """Reads images with a vision model, at background priority. Loads the model if needed."""

    def __init__(self, context: ServiceContext) -> None:
        self._engine = context.engine
        self._models = context.models
        self._preferences = context.preferences
        self._next_id = context.next_id

    async def read(self, picture: bytes, *, media_type: str, model_id: ModelId) -> str:
        """Return the text on an image, or a description of it.

        Raises ``images_unsupported`` for a model without vision, and the errors of an answer.
        """
        spec = self._models.chat_spec(model_id)
        if not spec.sees_images:
            raise RequestError.of("images_unsupported")
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=None)
        options = load_options_for(spec, resolved)
        message = ChatMessage(
            role=Role.USER,
            parts=(ImagePart(data=picture, media_type=media_type), TextPart(text=_INSTRUCTION)),
        )
        request = GenerationRequest(
            request_id=self._next_id(),
            spec=spec,
            options=options,
            task=background_task(message, max_tokens=MAX_TOKENS),
            keep_alive_s=keep_alive_s(resolved),
        )
        text = await generate_text(self._engine.generate, request)
        if text is None:
            raise EngineStopped
        return text
