"""The hub that models are fetched from: names, listings, transfers, checks. Nothing here acts by itself."""
