"""Set-up of a checkout: system libraries, packages, llama.cpp, starter model. Standard library only."""
