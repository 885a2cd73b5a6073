"""Other memory systems as variants, one module a system: each a recipe over the shared stages, with its own numbers."""
