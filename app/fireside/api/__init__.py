"""The local API: an HTTP server that speaks OpenAI's, Anthropic's, Ollama's and llama.cpp's dialects."""
