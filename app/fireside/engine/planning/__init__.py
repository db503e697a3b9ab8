"""Load plans: estimate and measure the memory of a load, and fit it to the free memory."""
