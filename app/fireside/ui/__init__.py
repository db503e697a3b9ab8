"""The window. Widgets own no truth: they show what events say and ask the façade for everything else."""
