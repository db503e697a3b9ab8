"""Inspection of an answer: its exact prompt, and the probability of each of its tokens."""

from fireside.ui.answer_inspection.inspection_controller import InspectionController

__all__ = ["InspectionController"]
