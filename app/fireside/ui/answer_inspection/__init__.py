"""What lies behind an answer: the prompt that its model saw, and how sure the model was of each token."""

from fireside.ui.answer_inspection.inspection_controller import InspectionController

__all__ = ["InspectionController"]
