"""The window. Widgets own no data: they show what events report and ask the clients for everything else."""
