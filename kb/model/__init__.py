"""The shapes of the knowledge base: claims, products, decisions and evidence; no I/O."""
