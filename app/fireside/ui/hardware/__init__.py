"""The page of this computer: its devices, who takes their memory, and what computes."""
