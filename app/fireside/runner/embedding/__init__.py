"""Embeddings of texts, and reranking scores of pairs of texts."""
