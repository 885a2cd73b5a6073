"""Other systems themselves, beside the recipes made after them: packages, commands, servers, installed engines."""
