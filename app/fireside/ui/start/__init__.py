"""A newcomer's first model: offered below the composer of a new chat, downloaded and used in place."""

from fireside.ui.start.first_model_offer import FirstModelOffer

__all__ = ["FirstModelOffer"]
