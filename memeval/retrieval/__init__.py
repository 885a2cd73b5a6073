"""Ways to search one set of documents: stages, the variants made of them, and the contract all of them keep."""
