"""How fast models run here: tuning one, comparing several."""

from fireside.ui.tuning.desk import TuningDesk

__all__ = ["TuningDesk"]
