"""How fast models run here: tuning one, comparing several."""

from fireside.ui.tuning.tuning_controller import TuningController

__all__ = ["TuningController"]
