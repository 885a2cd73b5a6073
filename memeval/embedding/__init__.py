"""Meaning: texts into vectors by a model on this machine, and what is near to what. No network, no second truth."""
