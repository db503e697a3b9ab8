"""Windows that open over the main one and never make it wait."""
