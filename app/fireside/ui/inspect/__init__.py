"""What lies behind an answer: the prompt that its model saw, and how sure the model was of each token."""

from fireside.ui.inspect.desk import InspectionDesk

__all__ = ["InspectionDesk"]
